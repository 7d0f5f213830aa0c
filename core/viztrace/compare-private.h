/* Inside of the comparison of traces: compare-digest.c makes numbers of contexts, compare-align.c puts two lists beside each other. */
#pragma once

#include "compare.h"
#include "viztrace-private.h"

/* Counts of ops by name, a name in one of these. */
#define FB_VIZ_SKETCH 64

typedef struct
{
  const char *name;     /* plain; of one without a name where it was called from */
  guint64 input, whole; /* digests of its input; of its name, input and matches */
  guint n_nodes;        /* of the input */
  guint n_matches;
} FbVizRewriteDigest;

typedef struct
{
  const char *name;     /* plain */
  const char *family;   /* the first word of the name: "Schedule", "r" */
  guint64 input, whole; /* of the first rewrite's input; of all rewrites, without the name of the context */
  guint n_nodes, n_matches, n_rewrites;
  gboolean broken; /* the trace lacks a part */
  FbVizRewriteDigest *rewrites;
  guint16 sketch[FB_VIZ_SKETCH];
  guint sketch_total;
} FbVizDigest;

/* The number that tells a buffer from others: the arg of UNIQUE, or the first number in the arg of a BUFFER that is no plain value (a pair
 * in 0.10.1; in 2026 it can be an address). @from, @to: where it is in the text of the latter; both 0 for a plain one. FALSE: the
 * node has none. */
gboolean fb_viz_buffer_number (const FbUop *uop, gint64 *number, gsize *from, gsize *to);
/* Of context @index; what it points to is in @arena. */
void fb_viz_digest_context (FbVizTrace *trace, guint index, FbArena *arena, FbVizDigest *digest);

/* How alike item @a of one list and item @b of the other are; 0: not at all. */
typedef guint (*FbVizScore) (guint a, guint b, gpointer data);
/* The pairs of an order-preserving alignment of @n_a and @n_b items with the highest sum of scores: partner[a] is an item of the other
 * list or -1. Bounded effort: of very long lists only what is near the diagonal is tried. */
void fb_viz_align (guint n_a, guint n_b, FbVizScore score, gpointer data, int *partner);
