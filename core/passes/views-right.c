/* Per kernel, pass 3: views that remain are pushed to the store (schedule.py:249-299, the outer call at :356).
 * A view above an op becomes a view below it, until the store takes it in. */
#include "core/ir/context-private.h"
#include "core/ir/text.h"
#include "core/rewrite/pattern-macros.h"
#include "core/symbolic/symbolic.h"
#include "passes.h"
#include "reduce.h"

static FbUop *
store_of (FbContext *context, FbUop *buffer, FbUop *view, FbUop *value)
{
  FbUop *src[] = { buffer, view, value };
  return view ? fb_uop_new (context, FB_OP_STORE, FB_DTYPE (VOID), 3, src, FB_ARG_NIL) : NULL;
}

static FbUop *
store_of_assign (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *store = store_of (context, m[FB_b], m[FB_st], m[FB_val]);

  return fb_apply_swizzle (context, fb_view (context, store, fb_uop_st (context, m[FB_target])));
}

static FbUop *
store_of_view (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  const FbShapeTracker *st = fb_uop_st (context, m[FB_val]);

  if (!st)
    {
      fb_context_fail (context, FB_ERROR_SHAPELESS, m[FB_val], "a view of %s, which has no shape",
                       fb_op_name (m[FB_val]->op));
      return NULL;
    }
  return store_of (context, m[FB_b], fb_view (context, m[FB_st], st), m[FB_val]);
}

/* The axes of a reduce as numbers; NULL with the error set. Free with g_free. */
static gint64 *
axes_of (FbContext *context, FbUop *r, guint *n)
{
  const FbDims *dims = fb_uop_axes (context, r);
  gint64 *axes;

  if (!dims || !dims->all_int)
    {
      fb_context_fail (context, FB_ERROR_SHAPE, r, "REDUCE_AXIS needs a tuple of axes as its argument");
      return NULL;
    }
  *n = dims->n;
  axes = g_new0 (gint64, dims->n + 1);
  for (guint i = 0; i < dims->n; i++)
    axes[i] = fb_sint_int (dims->at[i]);
  return axes;
}

/* a's items, then b's */
static const FbDims *
concat (FbContext *context, const FbDims *a, guint n_b, const FbSint *b)
{
  FbSint *items = g_newa (FbSint, MAX ((gsize) a->n + n_b, 1));

  for (guint i = 0; i < a->n; i++)
    items[i] = a->at[i];
  for (guint i = 0; i < n_b; i++)
    items[a->n + i] = b[i];
  return fb_dims_new (context, a->n + n_b, items);
}

/* The view as it runs over outputs, with the reduced dimensions of @rshape, @size elements in all, below it
 * (schedule.py:257). */
static const FbView *
widen_view (FbContext *context, const FbView *v, const FbDims *rshape, FbSint size)
{
  FbSint *scaled = g_newa (FbSint, MAX (v->strides->n, 1)), *bounds = g_newa (FbSint, MAX (2 * (gsize) rshape->n, 1));
  const FbDims *strides, *rstrides = fb_strides_for_shape (context, rshape), *mask = NULL;

  for (guint i = 0; i < v->strides->n; i++)
    scaled[i] = fb_sint_mul (context, v->strides->at[i], size);
  strides = concat (context, fb_dims_new (context, v->strides->n, scaled), rstrides->n, rstrides->at);
  for (guint i = 0; i < rshape->n; i++)
    {
      bounds[2 * i] = fb_sint (0);
      bounds[2 * i + 1] = rshape->at[i];
    }
  if (v->mask)
    mask = concat (context, v->mask, 2u * rshape->n, bounds);
  return fb_view_create (context, concat (context, v->shape, rshape->n, rshape->at), strides,
                         fb_sint_mul (context, v->offset, size), mask);
}

/* REDUCE(x).view(st) -> REDUCE(x.view(st over the kept dimensions)) (schedule.py:252). */
static FbUop *
view_of_reduce (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *r = m[FB_r], *src = m[FB_src], *ret;
  const FbShapeTracker *st = fb_uop_st (context, m[FB_v]), *turned;
  const FbDims *shape, *rshape;
  const FbView **views;
  g_autofree gint64 *axes = NULL;
  FbSint *order;
  guint n_axes, n = 0;

  if (!st || st->contiguous)
    return NULL;
  if (!(shape = fb_uop_shape (context, src)) || !(axes = axes_of (context, r, &n_axes)))
    return NULL;
  order = g_newa (FbSint, (gsize) shape->n + n_axes + 1);
  for (guint i = 0; i < shape->n; i++)
    {
      gboolean reduced = FALSE;
      for (guint j = 0; j < n_axes; j++)
        reduced |= axes[j] == (gint64) i;
      if (!reduced)
        order[n++] = fb_sint (i);
    }
  for (guint j = 0; j < n_axes; j++)
    order[n++] = fb_sint (axes[j]);
  turned = fb_st_permute (context, fb_st_from_shape (context, shape), fb_dims_new (context, n, order));
  if (!turned)
    return NULL;
  /* the last dimensions, as many as axes; all of them for none, as a slice from -0 gives */
  n = n_axes && n_axes <= turned->shape->n ? n_axes : turned->shape->n;
  rshape = fb_dims_new (context, n, turned->shape->at + (turned->shape->n - n));
  views = g_newa (const FbView *, MAX (st->n, 1));
  for (guint i = 0; i < st->n; i++)
    if (!(views[i] = widen_view (context, st->views[i], rshape, fb_sint_prod (context, rshape->n, rshape->at))))
      return NULL;
  turned = fb_st_add (context, turned, fb_st_new (context, st->n, views));
  for (guint i = 0; i < n_axes; i++)
    axes[i] = (gint64) st->shape->n + i;
  ret = fb_apply_swizzle (context, fb_view (context, src, turned));
  ret = fb_reduce (context, ret, fb_uop_reduce_op (r), n_axes, axes);
  return fb_view (context, ret, fb_st_from_shape (context, st->shape));
}

/* if a != b, as Python asks it: a comparison of nodes must have one value. FALSE also on error. */
static gboolean
differ (FbContext *context, FbSint a, FbSint b)
{
  FbUop *ne;

  if (fb_sint_same (a, b))
    return FALSE;
  if (fb_sint_is_int (a) && fb_sint_is_int (b))
    return TRUE;
  if (fb_sint_is_int (a)) /* int != node: Python asks the node */
    ne = fb_alu2 (context, FB_OP_CMPNE, fb_sint_get_uop (b),
                  fb_const_like_int (context, fb_sint_get_uop (b), fb_sint_int (a)));
  else
    ne = fb_alu2 (context, FB_OP_CMPNE, fb_sint_get_uop (a),
                  fb_sint_is_int (b) ? fb_const_like_int (context, fb_sint_get_uop (a), fb_sint_int (b))
                                     : fb_sint_get_uop (b));
  ne = ne ? fb_simplify (context, ne) : NULL;
  if (!ne)
    return FALSE;
  if (!fb_arg_equal (fb_uop_vmin (context, ne), fb_uop_vmax (context, ne)))
    {
      g_autofree char *text = fb_uop_render (context, ne);
      fb_context_fail (context, FB_ERROR_SHAPE, ne, "%s must be true or false for all values of its variables", text);
      return FALSE;
    }
  return fb_arg_truth (fb_uop_vmin (context, ne));
}

/* REDUCE(x.view()) -> REDUCE(x).view() (schedule.py:264). */
static FbUop *
reduce_of_view (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *r = m[FB_r], *src = m[FB_src];
  const FbShapeTracker *st = fb_uop_st (context, m[FB_v]);
  const FbDims *shape = fb_uop_shape (context, src), *out;
  g_autofree gint64 *axes = NULL, *moved = NULL;
  guint n_axes, n = 0;

  if (!st || !shape)
    return NULL;
  if (!st->contiguous || fb_uop_size (context, m[FB_v]) != fb_uop_size (context, src))
    {
      fb_context_fail (context, FB_ERROR_UNSUPPORTED, m[FB_v],
                       "cannot push a view that is not contiguous or changes "
                       "the size down through %s",
                       fb_op_name (src->op));
      return NULL;
    }
  if (!(axes = axes_of (context, r, &n_axes)))
    return NULL;
  out = fb_st_reduce (context, st, n_axes, axes);
  moved = g_new (gint64, shape->n + 1);
  for (guint i = 0; i < shape->n && i < out->n; i++)
    if (differ (context, shape->at[i], out->at[i]))
      moved[n++] = i;
  if (fb_context_failed (context))
    return NULL;
  return fb_view (context, fb_reduce (context, src, fb_uop_reduce_op (r), n, moved), fb_st_from_shape (context, out));
}

/* f(x.view(), y) -> f(x, y.view()).view() (schedule.py:269). */
static FbUop *
elementwise_of_view (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *root = m[FB_root], *first = NULL;
  g_autofree FbUop **src = NULL;
  const FbShapeTracker *in;
  const FbDims *out;

  for (guint i = 0; i < root->n_src; i++)
    {
      FbUop *x = root->src[i];
      if (x->base == x)
        continue;
      if (!fb_uop_st (context, x->base))
        {
          fb_context_fail (context, FB_ERROR_SHAPELESS, root, "found a shapeless source under a view in %s",
                           fb_op_name (root->op));
          return NULL;
        }
      if (!first)
        first = x;
      else if (fb_uop_size (context, x->base) != fb_uop_size (context, first->base))
        {
          fb_context_fail (context, FB_ERROR_SHAPE, root,
                           "swizzle inputs of %s must have the same size, not %" G_GINT64_FORMAT
                           " and %" G_GINT64_FORMAT,
                           fb_op_name (root->op), fb_uop_size (context, first->base), fb_uop_size (context, x->base));
          return NULL;
        }
    }
  if (!first)
    return NULL;
  out = fb_uop_shape (context, first);
  in = out ? fb_st_from_shape (context, fb_uop_shape (context, first->base)) : NULL;
  if (!in)
    return NULL;
  src = g_new (FbUop *, root->n_src);
  for (guint i = 0; i < root->n_src; i++)
    {
      FbUop *x = root->src[i];
      if (!fb_uop_st (context, x))
        src[i] = x;
      else if (x->base != x)
        src[i] = x->base;
      else
        src[i] = fb_apply_swizzle (context, fb_view (context, x, in));
      if (!src[i] || fb_context_failed (context))
        return NULL;
    }
  return fb_view (context, fb_replace_src (context, root, root->n_src, src), fb_st_from_shape (context, out));
}

static FbUop *
merge_double_reduce (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *root = m[FB_root], *first = m[FB_first_reduce];
  g_autoptr (GPtrArray) below = NULL;
  const FbDims *outer, *inner;
  FbArg arg[2];

  if (fb_uop_reduce_op (root) != fb_uop_reduce_op (first))
    {
      fb_context_fail (context, FB_ERROR_UNSUPPORTED, root, "cannot merge reduces by different ops, %s and %s",
                       fb_op_name (fb_uop_reduce_op (root)), fb_op_name (fb_uop_reduce_op (first)));
      return NULL;
    }
  below = fb_uop_toposort (context, first->src[0]);
  for (guint i = 0; i < below->len; i++)
    if (((FbUop *) g_ptr_array_index (below, i))->op == FB_OP_REDUCE_AXIS)
      {
        fb_context_fail (context, FB_ERROR_UNSUPPORTED, root, "cannot merge more than two reduces at a time");
        return NULL;
      }
  outer = fb_uop_axes (context, root);
  inner = fb_uop_axes (context, first);
  if (!outer || !inner)
    return NULL;
  arg[0] = fb_arg_op (fb_uop_reduce_op (first));
  arg[1] = fb_arg_tuple (fb_dims_to_tuple (context, concat (context, outer, inner->n, inner->at)));
  return fb_replace_arg (context, first, fb_arg_new_tuple (context, 2, arg));
}

static const FbRule rules[] = {
  RULE ("store-of-assign", "store(b, st, assign(view(b), x)) -> view(store(b, st, x))",
        OP (STORE, SRC (VAR (b), VAR (st), OP (ASSIGN, SRC (VAR (target), VAR (val))))), store_of_assign,
        "schedule.py:288"),
  RULE ("store-of-view", "store(b, st, view(x)) -> store(b, view(st), x)",
        OP (STORE, SRC (VAR (b), VAR (st), OP (VIEW, SRC (VAR (val))))), store_of_view, "schedule.py:290"),
  RULE ("view-of-reduce", "view(reduce(x)) -> reduce(view(x)) unless contiguous",
        OP (VIEW, NAMED (v), SRC (OP (REDUCE_AXIS, NAMED (r), SRC (VAR (src))))), view_of_reduce, "schedule.py:292"),
  RULE ("reduce-of-view", "reduce(view(x)) -> view(reduce(x))",
        OP (REDUCE_AXIS, NAMED (r), SRC (OP (VIEW, NAMED (v), SRC (VAR (src))))), reduce_of_view, "schedule.py:264"),
  RULE_IF (SOURCE_MOVED, "elementwise-of-view", "f(view(x), y) -> view(f(x, view(y)))",
           OPS (FB_OPS_ALU | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST) | FB_OP_BIT (ASSIGN) | FB_OP_BIT (CONTIGUOUS)
                    | FB_OP_BIT (STORE),
                NAMED (root)),
           elementwise_of_view, "schedule.py:269"),
  RULE ("merge-double-reduce", "reduce(reduce(x)) -> reduce(x)",
        OP (REDUCE_AXIS, NAMED (root), SRC (OP (REDUCE_AXIS, NAMED (first_reduce)))), merge_double_reduce,
        "schedule.py:279"),
};

const FbRuleSet *
fb_views_right_pass_rules (void)
{
  static FbRuleSet *set;

  if (g_once_init_enter (&set))
    {
      const FbRuleTable tables[] = { fb_merge_views_rules, FB_RULE_TABLE (rules) };
      g_once_init_leave (&set, fb_rule_set_new ("view_right", G_N_ELEMENTS (tables), tables));
    }
  return set;
}
