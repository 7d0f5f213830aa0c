/* The inverse of a view (view.py:211-216). */
#include "view-private.h"

#include <string.h>

/* The axes in ascending order of @keys: binary insertion into the ascending or descending run at the beginning, which is
 * what Python's sort does with fewer than 64 items; the order of comparisons matters when one is not decided. */
static void
argsort (FbContext *context, guint n, const FbSint *keys, FbSint *axes)
{
  guint run = 1;

  for (guint i = 0; i < n; i++)
    axes[i] = fb_sint (i);
  if (n < 2)
    return;
#define LESS(i, j) sint_truth_lt (context, keys[fb_sint_int (axes[i])], keys[fb_sint_int (axes[j])])
  run = 2;
  if (LESS (1, 0))
    {
      while (run < n && LESS (run, run - 1))
        run++;
      for (guint i = 0; i < run / 2; i++)
        {
          FbSint axis = axes[i];
          axes[i] = axes[run - 1 - i];
          axes[run - 1 - i] = axis;
        }
    }
  else
    while (run < n && !LESS (run, run - 1))
      run++;
#undef LESS
  for (guint i = run; i < n; i++)
    {
      FbSint axis = axes[i], key = keys[fb_sint_int (axis)];
      guint left = 0, right = i;

      while (left < right)
        {
          guint middle = left + (right - left) / 2;

          if (sint_truth_lt (context, key, keys[fb_sint_int (axes[middle])]))
            right = middle;
          else
            left = middle + 1;
        }
      memmove (&axes[left + 1], &axes[left], sizeof (FbSint) * (i - left));
      axes[left] = axis;
    }
}

static const FbView *
invert (FbContext *context, const FbView *view, const FbDims *out_shape)
{
  guint n = view->shape->n;
  const FbView *result = fb_view_row_major (context, view->shape);
  FbSint zero = fb_sint (0);

  if (result && view_is_masked (view))
    result = fb_view_shrink (context, result, view->mask);
  if (!result)
    return NULL;

  FB_SCRATCH (FbSint, flips, n);
  FB_SCRATCH (FbSint, keys, n);
  for (guint i = 0; i < n; i++)
    {
      FbSint stride = view->strides->at[i];

      flips[i] = fb_sint (sint_truth_lt (context, stride, zero));
      keys[i] = sint_truth_lt (context, zero, stride) ? sint_neg (context, stride) : stride;
    }
  if (context->error || !(result = fb_view_flip (context, result, fb_dims_new (context, n, flips))))
    return NULL;
  argsort (context, n, keys, flips);
  if (context->error || !(result = fb_view_permute (context, result, fb_dims_new (context, n, flips))))
    return NULL;
  if (!fb_sint_same (fb_sint_prod (context, n, result->shape->at), fb_sint_prod (context, out_shape->n, out_shape->at)))
    return NULL;
  return result;
}

const FbView *
fb_view_invert (FbContext *context, const FbView *view, const FbDims *out_shape)
{
  const FbMemo memo = fb_memo_kind (context, FB_MEMO_VIEW_INVERT, view->all_int && out_shape->all_int);
  const void *known;
  const FbView *result;

  if (fb_memo_get (context, memo, view, out_shape, &known))
    return known;
  result = invert (context, view, out_shape);
  if (context->error)
    return NULL;
  fb_memo_put (context, memo, view, out_shape, result);
  return result;
}
