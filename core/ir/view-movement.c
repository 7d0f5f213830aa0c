/* Movement ops on views (view.py:223-271, :297). */
#include "view-private.h"

#include <string.h>

/* The error of an argument that does not fit the view. */
static const FbView *
refuse (FbContext *context, const char *what, const FbDims *arg, const FbView *view)
{
  g_autofree char *arg_text = NULL, *shape_text = NULL;

  if (context->error)
    return NULL;
  arg_text = fb_dims_text (context, arg);
  shape_text = fb_dims_text (context, view->shape);
  fb_context_fail (context, FB_ERROR_SHAPE, NULL, "the shape %s %s %s", shape_text, what, arg_text);
  return NULL;
}

/* The part [begin, end) of each dimension, which may lie outside of it; @visible masks what is outside (view.py:223). */
static const FbView *
resize (FbContext *context, const FbView *view, const FbSint *arg, const FbSint *visible)
{
  guint n = view->shape->n;
  FbSint moved = fb_sint (0);
  const FbDims *mask = NULL, *shape;

  for (guint i = 0; i < n; i++)
    moved = sint_add (context, moved, sint_mul (context, view->strides->at[i], arg[2 * i]));

  FB_SCRATCH (FbSint, items, 2 * n);
  if (view_is_masked (view))
    {
      for (guint i = 0; i < 2 * n; i++)
        {
          FbSint begin = arg[i & ~1u], length = sint_sub (context, arg[i | 1], begin);
          FbSint bound = sint_sub (context, view->mask->at[i], begin);

          bound = fb_sint_min2 (context, bound, length);
          items[i] = fb_sint_max2 (context, fb_sint (0), bound);
          if (visible)
            items[i]
                = i & 1 ? fb_sint_min2 (context, items[i], visible[i]) : fb_sint_max2 (context, items[i], visible[i]);
        }
      mask = fb_dims_new (context, 2 * n, items);
    }
  else if (visible)
    mask = fb_dims_new (context, 2 * n, visible);
  for (guint i = 0; i < n; i++)
    items[i] = sint_sub (context, arg[2 * i + 1], arg[2 * i]);
  shape = fb_dims_new (context, n, items);
  return fb_view_create (context, shape, view->strides, sint_add (context, view->offset, moved), mask);
}

static const FbView *
view_pad (FbContext *context, const FbView *view, const FbDims *arg)
{
  guint n = view->shape->n;
  gboolean changes = FALSE;

  if (arg->n != 2 * n)
    return refuse (context, "cannot be padded by", arg, view);
  for (guint i = 0; i < n; i++)
    if (fb_sint_both_int (arg->at[2 * i], arg->at[2 * i + 1])
        && (fb_sint_int (arg->at[2 * i]) < 0 || fb_sint_int (arg->at[2 * i + 1]) < 0))
      return refuse (context, "cannot be padded by", arg, view);
  for (guint i = 0; i < 2 * n && !changes; i++)
    changes = sint_ne (context, arg->at[i], fb_sint (0), TRUE);
  if (!changes)
    return view;

  FB_SCRATCH (FbSint, bounds, 2 * n);
  FB_SCRATCH (FbSint, visible, 2 * n);
  for (guint i = 0; i < n; i++)
    {
      FbSint size = view->shape->at[i], begin = arg->at[2 * i];

      bounds[2 * i] = sint_neg (context, begin);
      bounds[2 * i + 1] = sint_add (context, size, arg->at[2 * i + 1]);
      visible[2 * i] = begin;
      visible[2 * i + 1] = sint_add (context, size, begin);
    }
  return resize (context, view, bounds, visible);
}

static const FbView *
view_shrink (FbContext *context, const FbView *view, const FbDims *arg)
{
  guint n = view->shape->n;

  if (arg->n != 2 * n)
    return refuse (context, "cannot be shrunk to", arg, view);
  for (guint i = 0; i < n; i++)
    {
      FbSint size = view->shape->at[i], begin = arg->at[2 * i], end = arg->at[2 * i + 1];

      if (fb_sint_both_int (begin, end) && fb_sint_is_int (size)
          && !(0 <= begin.word && begin.word <= end.word && end.word <= size.word))
        return refuse (context, "cannot be shrunk to", arg, view);
    }
  return resize (context, view, arg->at, NULL);
}

static const FbView *
view_expand (FbContext *context, const FbView *view, const FbDims *shape)
{
  const FbDims *old = view->shape, *mask = NULL;
  guint n = old->n;

  if (shape->n != n)
    return refuse (context, "cannot be expanded to", shape, view);
  for (guint i = 0; i < n; i++)
    if (!fb_sint_same (old->at[i], shape->at[i]) && !fb_sint_is (old->at[i], 1))
      return refuse (context, "cannot be expanded to", shape, view);
  if (old->has_zero)
    return fb_view_row_major (context, shape);
  if (view_is_masked (view))
    {
      FB_SCRATCH (FbSint, items, 2 * n);
      for (guint i = 0; i < n; i++)
        {
          FbSint begin = view->mask->at[2 * i], end = view->mask->at[2 * i + 1];

          if (sint_ne (context, old->at[i], shape->at[i], FALSE))
            {
              end = fb_sint_is (begin, 0) && fb_sint_is (end, 1) ? shape->at[i] : fb_sint (0);
              begin = fb_sint (0);
            }
          items[2 * i] = begin;
          items[2 * i + 1] = end;
        }
      mask = fb_dims_new (context, 2 * n, items);
    }
  return fb_view_create (context, shape, view->strides, view->offset, mask);
}

static const FbView *
view_permute (FbContext *context, const FbView *view, const FbDims *axes)
{
  guint n = view->shape->n;
  const FbDims *shape, *strides, *mask = NULL;

  if (axes->n != n || !axes->all_int)
    return refuse (context, "cannot be permuted by", axes, view);

  FB_SCRATCH (guint8, seen, n);
  FB_SCRATCH (FbSint, items, 2 * n);
  memset (seen, 0, n);
  for (guint i = 0; i < n; i++)
    {
      gint64 axis = fb_sint_int (axes->at[i]);

      if (axis < 0 || axis >= n || seen[axis]++)
        return refuse (context, "cannot be permuted by", axes, view);
      items[i] = view->shape->at[axis];
    }
  shape = fb_dims_new (context, n, items);
  for (guint i = 0; i < n; i++)
    items[i] = view->strides->at[fb_sint_int (axes->at[i])];
  strides = fb_dims_new (context, n, items);
  if (view->mask)
    {
      for (guint i = 0; i < n; i++)
        memcpy (&items[2 * i], &view->mask->at[2 * fb_sint_int (axes->at[i])], 2 * sizeof (FbSint));
      mask = fb_dims_new (context, 2 * n, items);
    }
  return fb_view_create (context, shape, strides, view->offset, mask);
}

static const FbView *
view_flip (FbContext *context, const FbView *view, const FbDims *arg)
{
  guint n = view->shape->n;
  FbSint moved = fb_sint (0);
  const FbDims *strides, *mask = view->mask;

  if (arg->n != n || !arg->all_int)
    return refuse (context, "cannot be flipped by", arg, view);

  FB_SCRATCH (FbSint, items, 2 * n);
  for (guint i = 0; i < n; i++)
    {
      FbSint stride = view->strides->at[i], size = view->shape->at[i];
      gboolean flipped = !fb_sint_is (arg->at[i], 0);

      items[i] = flipped ? sint_neg (context, stride) : stride;
      if (flipped)
        moved = sint_add (context, moved, sint_mul (context, sint_sub (context, size, fb_sint (1)), stride));
    }
  strides = fb_dims_new (context, n, items);
  if (mask)
    {
      for (guint i = 0; i < n; i++)
        {
          FbSint begin = mask->at[2 * i], end = mask->at[2 * i + 1], size = view->shape->at[i];
          gboolean flipped = !fb_sint_is (arg->at[i], 0);

          items[2 * i] = flipped ? sint_sub (context, size, end) : begin;
          items[2 * i + 1] = flipped ? sint_sub (context, size, begin) : end;
        }
      mask = fb_dims_new (context, 2 * n, items);
    }
  return fb_view_create (context, view->shape, strides, sint_add (context, view->offset, moved), mask);
}

const FbView *
fb_view_movement (FbContext *context, const FbView *view, FbOp op, const FbDims *arg)
{
  switch ((int) op)
    {
    case FB_OP_RESHAPE:
      return view->shape == arg ? view : fb_view_reshape_new (context, view, arg);
    case FB_OP_EXPAND:
      return view_expand (context, view, arg);
    case FB_OP_PERMUTE:
      return view_permute (context, view, arg);
    case FB_OP_PAD:
      return view_pad (context, view, arg);
    case FB_OP_SHRINK:
      return view_shrink (context, view, arg);
    case FB_OP_FLIP:
      return view_flip (context, view, arg);
    default:
      fb_context_fail (context, FB_ERROR_UNSUPPORTED, NULL, "%s moves nothing", fb_op_name (op));
      return NULL;
    }
}

const FbView *
fb_view_moved (FbContext *context, const FbView *view, FbOp op, const FbDims *arg)
{
  const gboolean all_int = view->all_int && arg->all_int;
  const FbMemo memo = fb_memo_kind (context, FB_MEMO_VIEW_MOVEMENT + op, all_int);
  const void *known;
  const FbView *result;

  /* among ints, all but a reshape is done in less than it takes to remember it */
  if (op == FB_OP_RESHAPE ? view->shape == arg : all_int)
    return fb_view_movement (context, view, op, arg);
  if (fb_memo_get (context, memo, view, arg, &known))
    return known;
  result = fb_view_movement (context, view, op, arg);
  if (!context->error)
    fb_memo_put (context, memo, view, arg, result);
  return result;
}

const FbView *
fb_view_pad (FbContext *context, const FbView *view, const FbDims *arg)
{
  return fb_view_moved (context, view, FB_OP_PAD, arg);
}

const FbView *
fb_view_shrink (FbContext *context, const FbView *view, const FbDims *arg)
{
  return fb_view_moved (context, view, FB_OP_SHRINK, arg);
}

const FbView *
fb_view_permute (FbContext *context, const FbView *view, const FbDims *axes)
{
  return fb_view_moved (context, view, FB_OP_PERMUTE, axes);
}

const FbView *
fb_view_flip (FbContext *context, const FbView *view, const FbDims *arg)
{
  return fb_view_moved (context, view, FB_OP_FLIP, arg);
}

const FbView *
fb_view_reshape (FbContext *context, const FbView *view, const FbDims *shape)
{
  return fb_view_moved (context, view, FB_OP_RESHAPE, shape);
}
