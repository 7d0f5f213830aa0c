/* In which order the reference takes the maximum of floats.
 *
 * Its MAX is "a < b ? b : a" (cstyle.py:65), which gives the first of its arguments where one is a NaN or both are zeros. So
 * the outcome depends on who comes first, and that its optimiser decides: Kernel.hand_coded_optimizations (kernel.py:441),
 * which moves reduced dimensions behind the others, drops those of one point, merges neighbours that lie behind each other in
 * every buffer, and unrolls the last of them: as a whole up to 32 points, else 4 of it at a time, where that divides it; two
 * of them when both have at most 3 points. The unrolled points are folded among themselves, first point first
 * (lowerer.py:120), and what comes of them is the second argument of a fold that starts with -inf (lowerer.py:123). Where
 * everything is unrolled, or nothing in the loops that are left changes the value (symbolic.py:356), there is no -inf to
 * start with.
 *
 * All backends fold so. These rules are of the reference's CPU device: others have local memory and group reduces in it. */
#pragma once

#include "program-private.h"

/* In the order of a kernel's variables, points of a reduce are folded .fold at a time, then what comes of these. */
typedef struct
{
  gint64 fold;    /* 1: each point by itself */
  gboolean alone; /* all points are one fold, without -inf to start with */
} FbReduceFold;

typedef struct _FbReduceOrder
{
  gboolean swapped;
  /* dimensions, when .swapped: what is reduced over .outer, the later one, has its loop outside of .inner's */
  guint outer, inner;
  GHashTable *folds; /* REDUCE_AXIS -> FbReduceFold */
  GArray *
      unrolled; /* of FbUnrolled, from the outermost to the innermost; .var is the dimension, -1 for several that are one */
} FbReduceOrder;

/* The order of the kernel @ast, whose nodes are @nodes. Only MAX of floats is asked for; a kernel that the reference's optimiser
 * does not take is folded point by point. */
void fb_reduce_order_init (FbReduceOrder *order, FbContext *context, GPtrArray *nodes);
void fb_reduce_order_clear (FbReduceOrder *order);
/* Finds .heads of all reduces of @program, whose variables are @unrolled. */
void fb_reduce_lanes_find (FbProgram *program, const GArray *unrolled);
/* That of @reduce. */
FbReduceFold fb_reduce_order_fold (const FbReduceOrder *order, const FbUop *reduce);
