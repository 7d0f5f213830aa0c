/* Reshaping a view without a second one (view.py:21-72, :272-314). */
#include "view-private.h"

#include "core/ir/number.h"
#include "core/symbolic/symbolic.h"

/* Adjacent dimensions that are walked as one. */
typedef struct
{
  FbSint size;
  FbSint stride;
  FbSint real_size; /* of the part whose stride is not 0 */
} MergedDim;

/* Whether the product is @value, where a product beyond 62 bits is not. */
static gboolean
product_is (FbContext *context, FbSint a, FbSint b, FbSint value)
{
  FbSint product;

  if (!fb_sint_both_int (a, b))
    product = fb_sint_mul (context, a, b);
  else if (__builtin_mul_overflow (a.word >> 1, b.word, &product.word))
    return FALSE;
  return fb_sint_same (product, value);
}

/* A dimension of which one index is left merges with the next whatever its stride. */
static gboolean
is_single (const FbView *view, guint i)
{
  const FbDims *mask = view->mask;

  if (!mask)
    return fb_sint_is (view->shape->at[i], 1);
  return fb_sint_both_int (mask->at[2 * i], mask->at[2 * i + 1])
         && fb_sint_int (mask->at[2 * i + 1]) - fb_sint_int (mask->at[2 * i]) == 1;
}

/* view.py:21; how many there are, at most as many as dimensions. */
static guint
merge_dims (FbContext *context, const FbView *view, MergedDim *merged)
{
  const FbSint *shape = view->shape->at, *strides = view->strides->at;
  MergedDim *last = merged;
  gboolean merging;

  if (view->shape->n == 0)
    return 0;
  *last = (MergedDim){ shape[0], strides[0], fb_sint (0) };
  if (sint_truth_ne (context, strides[0], fb_sint (0)))
    last->real_size = shape[0];
  merging = is_single (view, 0);
  for (guint i = 1; i < view->shape->n; i++)
    {
      FbSint size = shape[i], stride = strides[i];

      if (fb_sint_is (size, 1))
        continue;
      if (merging || product_is (context, size, stride, last->stride))
        *last = (MergedDim){ sint_mul (context, last->size, size), stride,
                             merging ? size : sint_mul (context, last->real_size, size) };
      else
        *++last = (MergedDim){ size, stride, size };
      merging = is_single (view, i);
    }
  return (guint) (last - merged) + 1;
}

/* The strides of @shape, 0 where dimensions are left over. FALSE when they do not fit the merged dimensions. */
static gboolean
reshape_strides (FbContext *context, const FbView *view, const FbDims *shape, FbSint *strides)
{
  FB_SCRATCH (MergedDim, merged, view->shape->n);
  guint left = shape->n;

  for (guint i = merge_dims (context, view, merged); i-- > 0;)
    {
      FbSint size = merged[i].size, stride = merged[i].stride, acc = fb_sint (1);

      if (context->error)
        return FALSE;
      while (sint_le (context, acc, size, TRUE) && sint_ne (context, acc, size, TRUE) && left > 0)
        {
          FbSint dim = shape->at[--left];

          if (!sint_lt (context, fb_sint (0), dim, TRUE))
            break;
          strides[left] = sint_mul (context, stride, acc);
          acc = sint_mul (context, acc, dim);
          if (!sint_lt (context, acc, merged[i].real_size, TRUE))
            stride = fb_sint (0);
        }
      if (sint_ne (context, acc, size, TRUE) || context->error)
        return FALSE;
    }
  while (left > 0)
    strides[--left] = fb_sint (0);
  return TRUE;
}

/* Reads a shape or a mask from its last dimension to its first, then goes on with 1 and (0, 1). */
typedef struct
{
  const FbDims *dims;
  guint left;
} Backwards;

static FbSint
next_size (Backwards *reader)
{
  return reader->left > 0 ? reader->dims->at[--reader->left] : fb_sint (1);
}

static void
next_bounds (Backwards *reader, FbSint *begin, FbSint *end)
{
  *begin = fb_sint (0);
  *end = fb_sint (1);
  if (reader->left > 0)
    {
      reader->left--;
      *begin = reader->dims->at[2 * reader->left];
      *end = reader->dims->at[2 * reader->left + 1];
    }
}

/* view.py:45. FALSE when no mask of @new_shape hides the same elements, or the error is set. */
static gboolean
reshape_mask (FbContext *context, const FbDims *mask, const FbDims *old_shape, const FbDims *new_shape, FbSint *out)
{
  Backwards masks = { mask, mask->n / 2u }, old_dims = { old_shape, old_shape->n },
            new_dims = { new_shape, new_shape->n };
  guint wanted = new_shape->n, patience = old_shape->n + new_shape->n + 2;
  FbSint one = fb_sint (1), zero = fb_sint (0);
  FbSint inner = one, old_dim, new_dim, begin, end;

  if (!mask->all_int)
    return FALSE;
  old_dim = next_size (&old_dims);
  new_dim = next_size (&new_dims);
  next_bounds (&masks, &begin, &end);
  while (wanted > 0 && !context->error)
    {
      FbSint outer = sint_mul (context, new_dim, inner), last = sint_sub (context, end, one);

      if (fb_sint_same (old_dim, outer))
        {
          wanted--;
          out[2 * wanted] = fb_sint_floordiv (context, begin, inner);
          out[2 * wanted + 1] = sint_add (context, fb_sint_floordiv (context, last, inner), one);
          inner = one;
          old_dim = next_size (&old_dims);
          new_dim = next_size (&new_dims);
          next_bounds (&masks, &begin, &end);
        }
      else if (sint_truth_lt (context, outer, old_dim))
        {
          /* the bounds must not cut through a block of the new dimensions */
          if (sint_truth_ne (context, fb_sint_mod (context, old_dim, outer), zero))
            return FALSE;
          if ((sint_truth_ne (context, fb_sint_mod (context, begin, outer), zero)
               || sint_truth_ne (context, fb_sint_mod (context, end, outer), zero))
              && sint_truth_ne (context, fb_sint_floordiv (context, begin, outer),
                                fb_sint_floordiv (context, last, outer)))
            return FALSE;
          wanted--;
          out[2 * wanted] = fb_sint_floordiv (context, fb_sint_mod (context, begin, outer), inner);
          out[2 * wanted + 1]
              = sint_add (context, fb_sint_floordiv (context, fb_sint_mod (context, last, outer), inner), one);
          inner = outer;
          new_dim = next_size (&new_dims);
        }
      else
        {
          FbSint next_begin, next_end;

          next_bounds (&masks, &next_begin, &next_end);
          if (!(fb_sint_is (begin, 0) && fb_sint_same (end, old_dim)) && sint_truth_ne (context, begin, end)
              && fb_sint_int (next_end) - fb_sint_int (next_begin) != 1)
            return FALSE;
          begin = sint_add (context, sint_mul (context, next_begin, old_dim), begin);
          end = sint_add (context, sint_mul (context, sint_sub (context, next_end, one), old_dim), end);
          old_dim = sint_mul (context, old_dim, next_size (&old_dims));
          /* more elements are wanted than there are: only a symbolic shape gets here unchecked */
          if (patience-- == 0)
            fb_context_fail (context, FB_ERROR_SHAPE, NULL, "a masked view is reshaped to more elements than it has");
        }
    }
  return !context->error;
}

static const FbView *
refuse (FbContext *context, const FbView *view, const FbDims *shape, const char *why)
{
  g_autofree char *old_text = NULL, *new_text = NULL;

  if (context->error)
    return NULL;
  old_text = fb_dims_text (context, view->shape);
  new_text = fb_dims_text (context, shape);
  fb_context_fail (context, FB_ERROR_SHAPE, NULL, "the shape %s cannot be reshaped to %s: %s", old_text, new_text, why);
  return NULL;
}

/* Whether both shapes, the old one all ints, may have the same number of elements; the error set when not. */
static gboolean
check_elements (FbContext *context, const FbView *view, const FbDims *shape)
{
  const FbDims *old = view->shape;
  FbSint before, after;

  if (shape->all_int && (old->prod >= 0 || shape->prod >= 0))
    {
      if (old->prod == shape->prod)
        return TRUE;
    }
  else
    {
      before = fb_sint_prod (context, old->n, old->at);
      after = fb_sint_prod (context, shape->n, shape->at);
      if (!sint_ne (context, before, after, FALSE) && !context->error)
        return TRUE;
    }
  refuse (context, view, shape, "it has another number of elements");
  return FALSE;
}

static gboolean
is_bound_to (FbContext *context, FbUop *dim, FbSint size)
{
  FbArg value;

  return fb_sym_infer_bound (context, dim, &value) && fb_num_eq (value, fb_sint_to_arg (size));
}

/* A view that is not contiguous takes a symbolic shape whose variables are bound to the very sizes it has. */
static const FbView *
rename_dims (FbContext *context, const FbView *view, const FbDims *shape)
{
  const FbDims *old = view->shape;

  if (shape->n != old->n)
    return refuse (context, view, shape, "the view is not contiguous and the new shape is symbolic");
  for (guint i = 0; i < shape->n; i++)
    if (fb_sint_is_int (shape->at[i]) ? !fb_sint_same (shape->at[i], old->at[i])
                                      : !is_bound_to (context, fb_sint_get_uop (shape->at[i]), old->at[i]))
      return refuse (context, view, shape, "the view is not contiguous and the new shape is symbolic");
  return fb_view_intern (context, shape, view->strides, view->offset, view->mask, view->contiguous);
}

const FbView *
fb_view_reshape_new (FbContext *context, const FbView *view, const FbDims *shape)
{
  const FbDims *old = view->shape, *mask = NULL;
  FbSint moved = fb_sint (0), skipped = fb_sint (0);
  guint n = shape->n;

  if (shape->prod < 0)
    for (guint i = 0; i < n; i++)
      if (!sint_truth_ge (context, shape->at[i], fb_sint (0)))
        return refuse (context, view, shape, "a size is negative");
  if (old->all_int && !check_elements (context, view, shape))
    return NULL;
  if (old->has_zero)
    return fb_view_row_major (context, shape);
  if (n == 0 && view_is_masked (view))
    for (guint i = 0; i < old->n; i++)
      if (fb_sint_same (view->mask->at[2 * i], view->mask->at[2 * i + 1]))
        return NULL;
  if (view->contiguous)
    return fb_view_row_major (context, shape);
  if (old->all_int && !shape->all_int)
    return rename_dims (context, view, shape);

  FB_SCRATCH (FbSint, strides, n);
  if (!reshape_strides (context, view, shape, strides))
    return NULL;
  if (view->mask)
    {
      FB_SCRATCH (FbSint, items, 2 * n);
      if (!reshape_mask (context, view->mask, old, shape, items))
        return NULL;
      mask = fb_dims_new (context, 2 * n, items);
      for (guint i = 0; i < old->n; i++)
        moved = sint_add (context, moved, sint_mul (context, view->mask->at[2 * i], view->strides->at[i]));
    }
  for (guint i = 0; i < n; i++)
    skipped = sint_add (context, skipped, sint_mul (context, mask ? mask->at[2 * i] : fb_sint (0), strides[i]));
  moved = sint_sub (context, moved, skipped);
  return fb_view_create_strided (context, shape, strides, sint_add (context, view->offset, moved), mask);
}

const FbView *
fb_view_minify (FbContext *context, const FbView *view)
{
  const FbMemo memo = fb_memo_kind (context, FB_MEMO_VIEW_MINIFY, view->all_int);
  guint n = view->shape->n;
  const FbDims *shape;
  const FbView *result;
  const void *known;

  if (n == 0)
    return view;
  if (fb_memo_get (context, memo, view, NULL, &known))
    return known;

  FB_SCRATCH (MergedDim, merged, n);
  FB_SCRATCH (FbSint, items, n);
  n = merge_dims (context, view, merged);
  for (guint i = 0; i < n; i++)
    items[i] = merged[i].size;
  if (context->error)
    return NULL;
  shape = fb_dims_new (context, n, items);
  result = fb_view_reshape (context, view, shape);
  if (context->error)
    return NULL;
  if (!result)
    result = view;
  fb_memo_put (context, memo, view, NULL, result);
  return result;
}
