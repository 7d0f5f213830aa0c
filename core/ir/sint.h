/* Symbolic integers (`sint`): an int or a node. Shapes, strides, offsets and masks are made of them.
 *
 * One machine word: an int shifted left by one, or a node pointer with the low
 * bit set, so that equality is word equality (nodes are interned). Ints are
 * limited to 62 bits; an operation that would leave them sets the context's
 * error (FB_ERROR_OVERFLOW) and returns 0.
 *
 * Arithmetic builds the nodes that Python's operators would build, in the same
 * operand order (ops.py:19-91: `2*x` is MUL(CONST 2, x), `x*2` is MUL(x, CONST 2),
 * `x-y` is ADD(x, MUL(y, -1))). */
#pragma once

#include <stdint.h>

#include "arg.h"

typedef struct
{
  intptr_t word;
} FbSint;

#define fb_sint(value) ((FbSint){ (intptr_t) ((guint64) (gint64) (value) << 1) })
#define fb_sint_uop(uop) ((FbSint){ (intptr_t) (uop) | 1 })
#define fb_sint_is_int(s) (!((s).word & 1))
#define fb_sint_int(s) ((gint64) ((s).word >> 1))
#define fb_sint_get_uop(s) ((FbUop *) ((s).word & ~(intptr_t) 1))
/* the same int or the same node; Python's == between sints as tuples compare them */
#define fb_sint_same(a, b) ((a).word == (b).word)
#define fb_sint_is(s, value) ((s).word == (intptr_t) ((guint64) (gint64) (value) << 1))

/* A tuple of sints, interned in its context: equal tuples are the same pointer. A mask is flattened: b0 e0 b1 e1 ... */
struct _FbDims
{
  guint32 hash;
  guint16 n;
  gboolean all_int : 1;  /* no node among the items */
  gboolean has_zero : 1; /* the int 0 is among them */
  guint8 moved_by;       /* FbOp */
  /* memos, filled on demand by the functions that own them */
  const FbTuple *tuple;     /* as a Python tuple (fb_dims_to_tuple) */
  const FbTuple *pairs;     /* as a tuple of pairs */
  const FbDims *strides;    /* strides_for_shape */
  const FbShapeTracker *st; /* ShapeTracker.from_shape */
  /* fb_st_movement: the latest that was moved by this, and what it became */
  const FbShapeTracker *moved, *moved_to;
  gint64 prod; /* product when all_int and it fits 62 bits; else -1 */
  FbSint at[];
};

const FbDims *fb_dims_new (FbContext *context, guint n, const FbSint *items);
/* A tuple of ints and nodes, or of pairs of them (flattened), as dims; NULL when @tuple holds anything else. */
const FbDims *fb_tuple_to_dims (FbContext *context, const FbTuple *tuple);
/* The Python tuple with these items; @pairs: a tuple of pairs. */
const FbTuple *fb_dims_to_tuple (FbContext *context, const FbDims *dims);
const FbTuple *fb_dims_to_pairs (FbContext *context, const FbDims *dims);

FbSint fb_sint_add (FbContext *context, FbSint a, FbSint b);
FbSint fb_sint_sub (FbContext *context, FbSint a, FbSint b);
FbSint fb_sint_mul (FbContext *context, FbSint a, FbSint b);
FbSint fb_sint_neg (FbContext *context, FbSint a);
/* Python's // and %: on ints rounding towards minus infinity, on nodes IDIV and MOD. b is not 0. */
FbSint fb_sint_floordiv (FbContext *context, FbSint a, FbSint b);
FbSint fb_sint_mod (FbContext *context, FbSint a, FbSint b);
/* helpers.py:45; and product from 1 on, left to right (helpers.py:10). */
FbSint fb_sint_ceildiv (FbContext *context, FbSint a, FbSint b);
FbSint fb_sint_prod (FbContext *context, guint n, const FbSint *items);
/* ops.py:206 smax, smin: of ints the number, otherwise MAX nodes, simplified. */
FbSint fb_sint_max2 (FbContext *context, FbSint a, FbSint b);
FbSint fb_sint_min2 (FbContext *context, FbSint a, FbSint b);
/* x.ssimplify() of a node, an int unchanged (ops.py:209). */
FbSint fb_sint_simplify (FbContext *context, FbSint a);
/* The comparison as Python would write it, passed through resolve(..., @otherwise) (ops.py:196):
 * decided when the simplified difference has one value, else @otherwise. */
gboolean fb_sint_lt (FbContext *context, FbSint a, FbSint b, gboolean otherwise);
gboolean fb_sint_le (FbContext *context, FbSint a, FbSint b, gboolean otherwise);
gboolean fb_sint_ge (FbContext *context, FbSint a, FbSint b, gboolean otherwise);
gboolean fb_sint_gt (FbContext *context, FbSint a, FbSint b, gboolean otherwise);
gboolean fb_sint_ne (FbContext *context, FbSint a, FbSint b, gboolean otherwise);
/* The node of an int (CONST of dtypes.int) or the node itself (ops.py:956). */
FbUop *fb_sint_to_uop (FbContext *context, FbSint a);
/* Largest value of a sint: of an int itself, of a node its vmax. */
FbSint fb_sint_vmax (FbContext *context, FbSint a);
FbArg fb_sint_to_arg (FbSint a);
