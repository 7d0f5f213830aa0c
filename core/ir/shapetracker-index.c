/* ShapeTrackers as index expressions, and what follows from them (shapetracker.py:33-58, :98). */
#include "view-private.h"

#include "core/ir/number.h"
#include "core/symbolic/symbolic.h"

FbUop *
fb_st_index_uops (FbContext *context, const FbShapeTracker *st, FbUop *const *idxs, FbUop **valid)
{
  FbUop *index;

  *valid = NULL;
  index = fb_view_to_indexed (context, st->views[st->n - 1], idxs, valid);
  for (guint i = st->n - 1; i-- > 0 && index;)
    {
      const FbView *view = fb_view_minify (context, st->views[i]);
      guint n = view ? view->shape->n : 0;

      FB_SCRATCH (FbSint, position, n);
      FB_SCRATCH (FbUop *, inner, n);
      if (!view)
        return NULL;
      fb_unravel (context, n, view->shape->at, fb_sint_uop (index), position);
      for (guint d = 0; d < n; d++)
        inner[d] = fb_sint_to_uop (context, position[d]);
      index = context->error ? NULL : fb_view_to_indexed (context, view, inner, valid);
    }
  return context->error ? NULL : index;
}

/* The axis of a RANGE, or -1 for another node or a range that is no axis of ours. */
static gint64
range_axis (const FbUop *uop, guint n)
{
  if (uop->op != FB_OP_RANGE || uop->arg.kind != FB_ARG_INT || uop->arg.i < 0 || uop->arg.i >= n)
    return -1;
  return uop->arg.i;
}

static void
set_stride (FbContext *context, FbRealStride *strides, guint n, const FbUop *range, FbArg stride)
{
  gint64 axis = range_axis (range, n);

  if (axis >= 0)
    strides[axis] = (FbRealStride){ TRUE, fb_sint_from_arg (context, stride) };
}

/* Index and validity simplified as far as it goes (shapetracker.py:46). FALSE on error. */
static gboolean
simplified_index (FbContext *context, const FbShapeTracker *st, FbUop **index, FbUop **valid)
{
  FbUop *simpler;

  *index = fb_st_index_uops (context, st, NULL, valid);
  if (!*index || !(*index = fb_rewrite (context, *index, fb_symbolic_flat (), NULL, FALSE, NULL))
      || !(*valid = fb_rewrite (context, *valid, fb_symbolic_flat (), NULL, FALSE, NULL)))
    return FALSE;
  if ((simpler = fb_simplify_valid (context, *valid)))
    *valid = simpler;
  if (!context->error && (simpler = fb_uop_given_valid (context, *valid, *index)))
    *index = fb_rewrite (context, simpler, fb_symbolic_flat (), NULL, FALSE, NULL);
  return !context->error;
}

static const FbRealStride *
real_strides (FbContext *context, const FbShapeTracker *st, gboolean ignore_valid)
{
  guint n = st->shape->n;
  FbRealStride *strides
      = fb_arena_alloc (st->all_int ? &context->kept.arena : &context->arena, sizeof (FbRealStride) * MAX (n, 1));
  g_autoptr (GPtrArray) terms = NULL;
  g_autoptr (GPtrArray) used = NULL;
  g_autoptr (GPtrArray) masked = NULL;
  FbUop *index, *valid;

  if (st->n == 1 && !st->views[0]->mask)
    {
      for (guint i = 0; i < n; i++)
        strides[i] = (FbRealStride){ TRUE, st->views[0]->strides->at[i] };
      return strides;
    }
  if (!simplified_index (context, st, &index, &valid))
    return NULL;

  /* an axis that is not used at all has stride 0, one used otherwise than as a term has none */
  for (guint i = 0; i < n; i++)
    strides[i] = (FbRealStride){ TRUE, fb_sint (0) };
  used = fb_uop_toposort (context, index);
  for (guint i = 0; i < used->len; i++)
    {
      gint64 axis = range_axis (used->pdata[i], n);

      if (axis >= 0)
        strides[axis].known = FALSE;
    }
  terms = g_ptr_array_new ();
  fb_split_uop (index, FB_OP_ADD, terms);
  for (guint i = 0; i < terms->len; i++)
    {
      const FbUop *term = terms->pdata[i];

      if (term->op == FB_OP_RANGE)
        set_stride (context, strides, n, term, fb_arg_int (1));
      if (term->op != FB_OP_MUL)
        continue;
      if (term->src[0]->op == FB_OP_RANGE && term->src[1]->op == FB_OP_CONST)
        set_stride (context, strides, n, term->src[0], term->src[1]->arg);
      if (term->src[1]->op == FB_OP_RANGE && term->src[0]->op == FB_OP_CONST)
        set_stride (context, strides, n, term->src[1], term->src[0]->arg);
    }
  if (!ignore_valid)
    {
      masked = fb_uop_toposort (context, valid);
      for (guint i = 0; i < masked->len; i++)
        {
          gint64 axis = range_axis (masked->pdata[i], n);

          if (axis >= 0)
            strides[axis] = (FbRealStride){ FALSE, fb_sint (0) };
        }
    }
  return context->error ? NULL : strides;
}

const FbRealStride *
fb_st_real_strides (FbContext *context, const FbShapeTracker *st, gboolean ignore_valid)
{
  FbMemo memo = ignore_valid ? FB_MEMO_ST_REAL_STRIDES_IGNORE_VALID : FB_MEMO_ST_REAL_STRIDES;
  const FbRealStride *strides;
  const void *known;

  memo = fb_memo_kind (context, memo, st->all_int);
  if (fb_memo_get (context, memo, st, NULL, &known))
    return known;
  strides = real_strides (context, st, ignore_valid);
  if (strides)
    fb_memo_put (context, memo, st, NULL, strides);
  return strides;
}

/* The largest index of a view of ints, without making nodes. FALSE when it is too large for that. */
static gboolean
largest_index (const FbView *view, gint64 *largest)
{
  const FbDims *shape = view->shape, *strides = view->strides;

  if (!shape->all_int || !strides->all_int || !fb_sint_is_int (view->offset))
    return FALSE;
  *largest = fb_sint_int (view->offset);
  for (guint i = 0; i < shape->n; i++)
    {
      gint64 product;

      if (fb_sint_is (shape->at[i], 1))
        continue;
      if (__builtin_mul_overflow (fb_sint_int (shape->at[i]) - 1, fb_sint_int (strides->at[i]), &product)
          || __builtin_add_overflow (*largest, MAX (product, 0), largest))
        return FALSE;
    }
  return TRUE;
}

gint64
fb_st_real_size (FbContext *context, const FbShapeTracker *st)
{
  const FbView *view = st->views[0];
  FbUop *index, *valid = NULL;
  FbArg largest = FB_ARG_NIL;
  gint64 value;

  if (st->shape->has_zero)
    return 0;
  if (view_is_masked (view))
    view = fb_view_shrink (context, view, view->mask);
  if (!view)
    return -1;
  if (largest_index (view, &value))
    largest = fb_arg_int (value);
  else if ((index = fb_view_to_indexed (context, view, NULL, &valid)))
    largest = fb_uop_vmax (context, index);
  if (context->error)
    return -1;
  if (largest.kind != FB_ARG_INT || !fb_num_lt (largest, fb_arg_int (G_GINT64_CONSTANT (1000000000000))))
    {
      fb_context_fail (context, FB_ERROR_OVERFLOW, NULL, "a view reaches beyond 10^12 elements");
      return -1;
    }
  return largest.i + 1;
}
