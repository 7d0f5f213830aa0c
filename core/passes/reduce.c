#include "reduce.h"

#include "core/ir/context-private.h"

#include <stdlib.h>

static int
compare_axes (const void *a, const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

/* Sorted axes of more than one element (ops.py:396). */
static FbUop *
reduce_axes (FbContext *context, FbUop *x, FbOp op, guint n_axes, const gint64 *axes)
{
  const FbDims *shape = fb_uop_shape (context, x);
  gint64 *kept = g_newa (gint64, MAX (n_axes, 1));
  FbArg *items = g_newa (FbArg, MAX (n_axes, 1)), arg[2];
  guint n = 0;

  if (!shape)
    return NULL;
  for (guint i = 0; i < n_axes; i++)
    {
      if (axes[i] < 0 || axes[i] >= shape->n)
        {
          fb_context_fail (context, FB_ERROR_SHAPE, x, "axis %" G_GINT64_FORMAT " is not among %u dimensions", axes[i],
                           shape->n);
          return NULL;
        }
      if (fb_sint_ne (context, shape->at[axes[i]], fb_sint (1), TRUE))
        kept[n++] = axes[i];
    }
  if (fb_context_failed (context))
    return NULL;
  if (n == 0)
    return x;
  qsort (kept, n, sizeof *kept, compare_axes);
  for (guint i = 0; i < n; i++)
    items[i] = fb_arg_int (kept[i]);
  arg[0] = fb_arg_op (op);
  arg[1] = fb_arg_new_tuple (context, n, items);
  return fb_uop_new (context, FB_OP_REDUCE_AXIS, x->dtype, 1, &x, fb_arg_new_tuple (context, 2, arg));
}

/* The first axis and divisor that split the reduce (ops.py:414): 0 when there are none. */
static gint64
split_divisor (FbContext *context, FbUop *x, const FbDims *shape, gint64 new_size, guint n_axes, const gint64 *axes,
               guint *axis)
{
  const FbRealStride *strides = fb_st_real_strides (context, fb_uop_st (context, x), TRUE);
  gint64 most = MIN (256, ((gint64) 1 << CLAMP (context->options.reduceop_split_size, 0, 62)) / new_size);

  for (guint i = 0; strides && i < n_axes; i++)
    for (gint64 d = most; d >= 8; d--)
      if (fb_sint_int (shape->at[axes[i]]) % d == 0
          && !(strides[axes[i]].known && fb_sint_is (strides[axes[i]].stride, 0)))
        {
          *axis = (guint) axes[i];
          return d;
        }
  return 0;
}

/* Two reduces, the second over the part split off to the end (ops.py:417-421). */
static FbUop *
split_reduce (FbContext *context, FbUop *x, FbOp op, const FbDims *shape, const FbDims *new_shape, guint n_axes,
              const gint64 *axes, guint axis, gint64 divisor)
{
  FbSint *split = g_newa (FbSint, (gsize) shape->n + 1), *order = g_newa (FbSint, (gsize) shape->n + 1);
  gint64 last = new_shape->n;
  guint n = 0;

  for (guint i = 0; i < shape->n; i++)
    if (i == axis)
      {
        split[n++] = fb_sint (divisor);
        split[n++] = fb_sint (fb_sint_int (shape->at[i]) / divisor);
      }
    else
      split[n++] = shape->at[i];
  n = 0;
  for (guint i = 0; i <= shape->n; i++)
    if (i != axis)
      order[n++] = fb_sint (i);
  order[n] = fb_sint (axis);
  x = fb_movement (context, FB_OP_RESHAPE, x, fb_dims_new (context, shape->n + 1u, split));
  x = fb_movement (context, FB_OP_PERMUTE, x, fb_dims_new (context, shape->n + 1u, order));
  x = x ? reduce_axes (context, x, op, n_axes, axes) : NULL;
  x = x ? reduce_axes (context, x, op, 1, &last) : NULL;
  return fb_movement (context, FB_OP_RESHAPE, x, new_shape);
}

FbUop *
fb_reduce (FbContext *context, FbUop *x, FbOp op, guint n_axes, const gint64 *axes)
{
  const FbShapeTracker *st = x ? fb_uop_st (context, x) : NULL;
  const FbDims *shape = x ? fb_uop_shape (context, x) : NULL, *new_shape;
  FbSint size, new_size;
  gint64 divisor;
  guint axis = 0;

  if (!shape)
    return NULL;
  new_shape = fb_st_reduce (context, st, n_axes, axes);
  if (!context->options.split_reduceop || (x->device && x->device->op == FB_OP_MULTI) || !shape->all_int
      || shape->has_zero)
    return reduce_axes (context, x, op, n_axes, axes);
  size = fb_sint_prod (context, shape->n, shape->at);
  new_size = fb_sint_prod (context, new_shape->n, new_shape->at);
  if (fb_context_failed (context))
    return NULL;
  if (fb_sint_int (size) / fb_sint_int (new_size) < context->options.reduceop_split_threshold)
    return reduce_axes (context, x, op, n_axes, axes);
  divisor = split_divisor (context, x, shape, fb_sint_int (new_size), n_axes, axes, &axis);
  if (fb_context_failed (context))
    return NULL;
  if (!divisor)
    return reduce_axes (context, x, op, n_axes, axes);
  return split_reduce (context, x, op, shape, new_shape, n_axes, axes, axis, divisor);
}
