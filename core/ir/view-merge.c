/* Two views as one (view.py:151-208). */
#include "view-private.h"

#include <string.h>

#include "core/ir/number.h"

/* A view merged with a view merges further views on its way, each smaller; deeper than this it goes round in circles. */
#define MAX_DEPTH 200

/* Dimensions of the inner view that must be seen as one: their size, and how far the outer view reaches in it. */
typedef struct
{
  FbSint size;
  FbArg min, max;
} Extent;

typedef struct
{
  const FbView *inner, *outer;
  const FbSint *origin; /* where the outer view begins, per inner dimension */
  const FbSint
      *steps; /* how one step along outer dimension d moves in inner dimension i: [i * (outer dimensions) + d] */
} Projection;

typedef enum
{
  UNDECIDED,
  IMPOSSIBLE,
  FOUND,
} Verdict;

static const FbView *merge (FbContext *context, const FbView *inner, const FbView *outer, guint depth);

/* --- extents --- */

/* The sum of the dimensions' shares, where all are ints: `constant + sum of factor[d] * index[d]`. */
typedef struct
{
  gint64 min, max; /* as the terms stand, one after the other */
  gint64 constant;
} Affine;

static gboolean
add_product (gint64 *sum, gint64 a, gint64 b)
{
  gint64 product;

  return !__builtin_mul_overflow (a, b, &product) && !__builtin_add_overflow (*sum, product, sum);
}

/* The range of the sum with all terms of an index taken together: no simplifier knows it better. */
static gboolean
exact_range (const FbDims *shape, const gint64 *factors, gint64 constant, gint64 *min, gint64 *max)
{
  *min = *max = constant;
  for (guint d = 0; d < shape->n; d++)
    if (!add_product (factors[d] < 0 ? min : max, factors[d], fb_sint_int (shape->at[d]) - 1))
      return FALSE;
  return TRUE;
}

/* The extents where everything is an int, without making nodes. Of the ranges, that of the terms as they stand is what a
 * node's bounds would be, and the simplifier never loses it; the exact one it never beats. Between the two only the
 * simplifier can tell: UNDECIDED. */
static Verdict
find_extents_of_ints (const Projection *p, Extent *extents, guint *n_extents)
{
  const FbDims *inner_shape = p->inner->shape, *outer_shape = p->outer->shape;
  gint64 size = 1, exact_min, exact_max;
  Affine sum = { 0 };
  gboolean open = FALSE;

  FB_SCRATCH (gint64, factors, outer_shape->n);
  memset (factors, 0, sizeof (gint64) * outer_shape->n);
  *n_extents = 0;
  for (guint i = inner_shape->n; i-- > 0;)
    {
      const FbSint *steps = &p->steps[i * outer_shape->n];
      gint64 offset = 0;

      open = TRUE;
      for (guint d = 0; d < outer_shape->n; d++)
        {
          gint64 step = 0;

          if (!add_product (&step, fb_sint_int (steps[d]), size)
              || __builtin_add_overflow (factors[d], step, &factors[d])
              || !add_product (step < 0 ? &sum.min : &sum.max, step, fb_sint_int (outer_shape->at[d]) - 1))
            return UNDECIDED;
        }
      if (!add_product (&offset, fb_sint_int (p->origin[i]), size) || __builtin_add_overflow (sum.min, offset, &sum.min)
          || __builtin_add_overflow (sum.max, offset, &sum.max)
          || __builtin_add_overflow (sum.constant, offset, &sum.constant)
          || __builtin_mul_overflow (size, fb_sint_int (inner_shape->at[i]), &size))
        return UNDECIDED;
      if (sum.max >= size || sum.min < 0)
        {
          if (!exact_range (outer_shape, factors, sum.constant, &exact_min, &exact_max))
            return UNDECIDED;
          if (exact_max < size && exact_min >= 0)
            return UNDECIDED;
          continue;
        }
      if (size > FB_SINT_MAX)
        return UNDECIDED;
      extents[(*n_extents)++] = (Extent){ fb_sint (size), fb_arg_int (sum.min), fb_arg_int (sum.max) };
      size = 1;
      sum = (Affine){ 0 };
      memset (factors, 0, sizeof (gint64) * outer_shape->n);
      open = FALSE;
    }
  if (!open)
    return FOUND;
  if (!exact_range (outer_shape, factors, sum.constant, &exact_min, &exact_max) || (exact_min == 0 && exact_max == 0))
    return UNDECIDED;
  return IMPOSSIBLE;
}

/* The extents by the symbolic simplifier, with a variable for the index of each outer dimension. */
static Verdict
find_extents (FbContext *context, const Projection *p, Extent *extents, guint *n_extents)
{
  const FbDims *inner_shape = p->inner->shape, *outer_shape = p->outer->shape;
  FbSint zero = fb_sint_uop (fb_const_int (context, FB_DTYPE (INT32), 0));
  FbSint size = fb_sint (1), sum = zero;

  FB_SCRATCH (FbSint, indices, outer_shape->n);
  for (guint d = 0; d < outer_shape->n; d++)
    {
      char name[16];

      g_snprintf (name, sizeof name, "idx%u", d);
      indices[d] = fb_sint_uop (fb_variable (context, name, fb_arg_int (0),
                                             fb_arg_int (fb_sint_int (outer_shape->at[d]) - 1), FB_DTYPE (INT32)));
    }
  *n_extents = 0;
  for (guint i = inner_shape->n; i-- > 0;)
    {
      const FbSint *steps = &p->steps[i * outer_shape->n];
      FbSint share = fb_sint (0);

      for (guint d = 0; d < outer_shape->n; d++)
        if (!fb_sint_is (steps[d], 0))
          share = sint_add (context, share, sint_mul (context, indices[d], steps[d]));
      share = sint_mul (context, sint_add (context, share, p->origin[i]), size);
      sum = sint_add (context, sum, share);
      size = sint_mul (context, size, inner_shape->at[i]);
      if (context->error)
        return IMPOSSIBLE;
      if (!fb_sint_lt (context, sum, size, FALSE) || !fb_sint_le (context, fb_sint (0), sum, FALSE))
        continue;
      const FbBounds *bounds = fb_uop_bounds (context, fb_sint_get_uop (sum));
      extents[(*n_extents)++] = (Extent){ size, bounds->min, bounds->max };
      size = fb_sint (1);
      sum = zero;
    }
  return fb_sint_ne (context, sum, fb_sint (0), TRUE) || context->error ? IMPOSSIBLE : FOUND;
}

/* --- the inner view's mask, seen from the outer view --- */

/* resolve(begin <= min and max < end, False): the bounds of an extent are plain numbers. */
static gboolean
reaches_only (FbContext *context, const Extent *extent, FbSint begin, FbSint end)
{
  FbSint edge;

  if (fb_sint_is_int (begin))
    {
      if (!fb_num_le (fb_sint_to_arg (begin), extent->min))
        return FALSE;
    }
  else
    {
      edge = fb_sint_from_arg (context, extent->min);
      if (!sint_truth_ge (context, edge, begin))
        return FALSE;
    }
  if (fb_sint_is_int (end))
    return fb_num_lt (extent->max, fb_sint_to_arg (end));
  edge = fb_sint_from_arg (context, extent->max);
  return sint_lt (context, edge, end, FALSE);
}

/* Narrows @mask, of the outer view, to what the inner view's mask lets through. *bad: a part of the inner mask cannot be
 * said in terms of the outer view. */
static void
project_mask (FbContext *context, const Projection *p, const Extent *extents, guint n_extents, FbSint *mask,
              gboolean *bad)
{
  const FbView *inner = p->inner;
  FbSint one = fb_sint (1), zero = fb_sint (0);

  /* extents were found from the last dimension on */
  for (guint i = 0; i < inner->shape->n && i < n_extents && !context->error; i++)
    {
      FbSint begin = inner->mask->at[2 * i], end = inner->mask->at[2 * i + 1], origin = p->origin[i], step, from, to;
      const FbSint *steps = &p->steps[i * p->outer->shape->n];
      guint n_steps = 0, d = 0;

      if (reaches_only (context, &extents[n_extents - 1 - i], begin, end))
        continue;
      for (guint j = 0; j < p->outer->shape->n; j++)
        if (!fb_sint_is (steps[j], 0))
          {
            n_steps++;
            d = j;
          }
      if (n_steps != 1)
        {
          if (n_steps == 0 && p->outer->shape->n)
            mask[1] = zero;
          else
            *bad = TRUE;
          continue;
        }
      step = steps[d];
      from = sint_sub (context, begin, origin);
      to = sint_sub (context, sint_sub (context, end, origin), one);
      if (sint_truth_lt (context, zero, step))
        {
          begin = fb_sint_ceildiv (context, from, step);
          end = fb_sint_floordiv (context, to, step);
        }
      else
        {
          begin = fb_sint_ceildiv (context, to, step);
          end = fb_sint_floordiv (context, sint_truth_lt (context, step, zero) ? from : to, step);
        }
      end = sint_add (context, end, one);
      if (sint_truth_lt (context, mask[2 * d], begin))
        mask[2 * d] = begin;
      if (sint_truth_lt (context, end, mask[2 * d + 1]))
        mask[2 * d + 1] = end;
    }
}

/* --- merging --- */

/* @outer shows a part of itself only: merged without the rest, then padded with it. */
static const FbView *
merge_masked (FbContext *context, const FbView *inner, const FbView *outer, guint depth)
{
  guint n = outer->shape->n;
  const FbView *bare = fb_view_shrink (context, outer, outer->mask), *merged;

  if (!bare || bare == outer || !(merged = merge (context, inner, bare, depth)))
    return NULL;

  FB_SCRATCH (FbSint, pads, 2 * n);
  for (guint i = 0; i < n; i++)
    {
      pads[2 * i] = outer->mask->at[2 * i];
      pads[2 * i + 1] = sint_sub (context, outer->shape->at[i], outer->mask->at[2 * i + 1]);
    }
  return fb_view_pad (context, merged, fb_dims_new (context, 2 * n, pads));
}

static gboolean
is_of_ints (const FbView *inner, const FbView *outer)
{
  return inner->shape->prod > 0 && outer->shape->prod > 0 && inner->strides->all_int && outer->strides->all_int
         && fb_sint_is_int (inner->offset) && fb_sint_is_int (outer->offset);
}

/* The view of the projected offset and strides, if the inner view's shape and mask allow it. */
static const FbView *
merge_projected (FbContext *context, const Projection *p, FbSint *strides, guint depth)
{
  const FbView *inner = p->inner, *outer = p->outer;
  guint n = inner->shape->n, n_extents;
  Verdict verdict = UNDECIDED;
  const FbDims *shape;
  FbSint offset = fb_sint (0);

  FB_SCRATCH (Extent, extents, n);
  if (is_of_ints (inner, outer))
    verdict = find_extents_of_ints (p, extents, &n_extents);
  if (verdict == UNDECIDED)
    verdict = find_extents (context, p, extents, &n_extents);
  if (verdict == IMPOSSIBLE)
    return NULL;

  FB_SCRATCH (FbSint, sizes, n);
  for (guint i = 0; i < n_extents; i++)
    sizes[i] = extents[n_extents - 1 - i].size;
  shape = fb_dims_new (context, n_extents, sizes);
  if (shape != inner->shape)
    {
      const FbView *reshaped = fb_view_reshape (context, inner, shape);

      if (!reshaped)
        return NULL;
      if (reshaped->shape != inner->shape)
        return merge (context, reshaped, outer, depth);
    }

  if (view_is_masked (inner))
    {
      guint n_outer = outer->shape->n;
      gboolean bad = FALSE, narrowed = FALSE;

      FB_SCRATCH (FbSint, mask, 2 * n_outer);
      for (guint i = 0; i < n_outer; i++)
        {
          mask[2 * i] = fb_sint (0);
          mask[2 * i + 1] = outer->shape->at[i];
        }
      project_mask (context, p, extents, n_extents, mask, &bad);
      for (guint i = 0; i < n_outer; i++)
        narrowed |= !fb_sint_is (mask[2 * i], 0) || !fb_sint_same (mask[2 * i + 1], outer->shape->at[i]);
      if (context->error)
        return NULL;
      if (narrowed)
        {
          const FbView *masked = fb_view_create (context, outer->shape, outer->strides, outer->offset,
                                                 fb_dims_new (context, 2 * n_outer, mask));
          return masked ? merge (context, inner, masked, depth) : NULL;
        }
      if (bad)
        return NULL;
    }

  for (guint i = 0; i < n; i++)
    offset = sint_add (context, offset, sint_mul (context, p->origin[i], inner->strides->at[i]));
  return fb_view_create_strided (context, outer->shape, strides, sint_add (context, offset, inner->offset), NULL);
}

/* Projects the outer view's offset and strides on the dimensions of the inner view. */
static const FbView *
merge_unmasked (FbContext *context, const FbView *inner, const FbView *outer, guint depth)
{
  guint n_inner = inner->shape->n, n_outer = outer->shape->n;

  FB_SCRATCH (FbSint, origin, n_inner);
  FB_SCRATCH (FbSint, position, n_inner);
  FB_SCRATCH (FbSint, strides, n_outer);
  FB_SCRATCH (FbSint, steps, n_inner * n_outer);
  fb_unravel (context, n_inner, inner->shape->at, outer->offset, origin);
  for (guint d = 0; d < n_outer && !context->error; d++)
    {
      FbSint stride = outer->strides->at[d];
      gboolean still = fb_sint_is (stride, 0);

      if (!still)
        fb_unravel (context, n_inner, inner->shape->at, sint_add (context, outer->offset, stride), position);
      strides[d] = fb_sint (0);
      for (guint i = 0; i < n_inner; i++)
        {
          FbSint step = still ? fb_sint (0) : sint_sub (context, position[i], origin[i]);

          steps[i * n_outer + d] = step;
          if (!fb_sint_is (step, 0))
            strides[d] = sint_add (context, strides[d], sint_mul (context, step, inner->strides->at[i]));
        }
    }
  if (context->error)
    return NULL;
  return merge_projected (context, &(Projection){ inner, outer, origin, steps }, strides, depth);
}

/* Elements, of any number, symbolic dimensions at their largest (view.py:102). */
static FbArg
count_elements (FbContext *context, const FbView *view)
{
  const FbDims *shape = view->shape;
  FbArg count = fb_arg_int (1);

  for (guint i = 0; i < shape->n; i++)
    count = fb_num_mul (context, count,
                        fb_sint_is_int (shape->at[i]) ? fb_sint_to_arg (shape->at[i])
                                                      : fb_uop_vmax (context, fb_sint_get_uop (shape->at[i])));
  return count;
}

static gboolean
is_of_same_size (FbContext *context, const FbView *a, const FbView *b)
{
  if (G_LIKELY (a->shape->prod >= 0 && b->shape->prod >= 0))
    return a->shape->prod == b->shape->prod;
  return fb_num_eq (count_elements (context, a), count_elements (context, b));
}

static const FbView *
merge (FbContext *context, const FbView *inner, const FbView *outer, guint depth)
{
  const FbMemo memo = fb_memo_kind (context, FB_MEMO_VIEW_MERGE, inner->all_int && outer->all_int);
  const FbView *merged = NULL;
  const void *known;

  if (inner->contiguous)
    return outer;
  if (outer->contiguous && outer->shape == inner->shape)
    return inner;
  if (fb_memo_get (context, memo, inner, outer, &known))
    return known;
  if (depth > MAX_DEPTH)
    {
      fb_context_fail (context, FB_ERROR_DIVERGES, NULL, "merging two views does not end");
      return NULL;
    }
  if (outer->contiguous && is_of_same_size (context, outer, inner))
    merged = fb_view_reshape (context, inner, outer->shape);
  if (!merged && !context->error)
    {
      if (view_is_masked (outer))
        merged = merge_masked (context, inner, outer, depth + 1);
      else if (outer->shape->all_int)
        merged = merge_unmasked (context, inner, outer, depth + 1);
    }
  if (context->error)
    return NULL;
  fb_memo_put (context, memo, inner, outer, merged);
  return merged;
}

const FbView *
fb_view_merge (FbContext *context, const FbView *inner, const FbView *outer)
{
  return merge (context, inner, outer, 0);
}
