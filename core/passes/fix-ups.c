/* Per kernel, pass 4: what a kernel may not contain is taken out (schedule.py:301-329, called at :358). */
#include "core/rewrite/pattern-macros.h"
#include "passes.h"

static FbUop *
simplify_and_unbind_view (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  const FbShapeTracker *old = fb_uop_st (context, m[FB_x]), *st = old ? fb_st_simplify (context, old) : NULL;
  g_autoptr (GPtrArray) binds = NULL;

  if (!st)
    return NULL;
  if (!st->all_int)
    {
      g_autoptr (GPtrArray) vars = g_ptr_array_new ();
      gboolean bound = FALSE;

      fb_st_vars (context, st, vars);
      for (guint i = 0; i < vars->len; i++)
        bound |= ((FbUop *) g_ptr_array_index (vars, i))->op == FB_OP_BIND;
      if (bound)
        {
          binds = g_ptr_array_new ();
          if (!(st = fb_st_unbind (context, st, binds)))
            return NULL;
          for (guint i = 0; i < binds->len; i++)
            {
              FbUop *bind = g_ptr_array_index (binds, i);
              fb_var_vals_set (rw->user, bind->src[0], bind->src[1]->arg);
            }
        }
    }
  return st != old ? fb_st_to_uop (context, st) : NULL;
}

static FbUop *
take_x (FbRewriter *rw, FbUop *const *m)
{
  return m[FB_x];
}

static FbUop *
drop_device (FbRewriter *rw, FbUop *const *m)
{
  return fb_replace_src (rw->context, m[FB_view], 0, NULL);
}

static FbUop *
image_to_float (FbRewriter *rw, FbUop *const *m)
{
  return fb_replace_dtype (rw->context, m[FB_x], m[FB_x]->dtype->base);
}

/* Is it contiguous once the expanded dimensions, of stride 0, are shrunk to 1? */
static gboolean
contiguous_unexpanded (FbContext *context, const FbShapeTracker *st)
{
  const FbDims *shape = st->shape, *strides = st->views[0]->strides;
  FbSint *bounds = g_newa (FbSint, MAX (2 * (gsize) shape->n, 1));
  const FbShapeTracker *shrunk;

  for (guint i = 0; i < shape->n; i++)
    {
      bounds[2 * i] = fb_sint (0);
      bounds[2 * i + 1] = fb_sint_is (strides->at[i], 0) ? fb_sint (1) : shape->at[i];
    }
  shrunk = fb_st_shrink (context, st, fb_dims_new (context, 2u * shape->n, bounds));
  return shrunk && shrunk->contiguous;
}

/* A kernel that also writes the buffer must read it in place. Replaces nothing. */
static FbUop *
check_self_operand (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  const FbShapeTracker *st;
  const FbDims *mask;

  if (!fb_arg_equal (m[FB_glbl]->arg, fb_arg_int (0)) || !(st = fb_uop_st (context, m[FB_view])) || st->contiguous)
    return NULL;
  if (st->n == 1 && (contiguous_unexpanded (context, st) || fb_context_failed (context)))
    return NULL;
  if (st->n == 1 && (mask = st->views[0]->mask)
      && fb_st_shrink (context, fb_st_from_shape (context, st->shape), mask) == fb_st_shrink (context, st, mask))
    return NULL;
  fb_context_fail (context, FB_ERROR_SELF_OPERAND, m[FB_view],
                   "self operand of augmented assign must be contiguous; consider a += a.T.contiguous() for a += a.T");
  return NULL;
}

static const FbRule rules[] = {
  RULE_IF (COMPOUND, "simplify-view", "view -> simplified, its variables unbound", OP (VIEW, NAMED (x)),
           simplify_and_unbind_view, "schedule.py:301"),
  RULE ("drop-contiguous", "contiguous(x) -> x", OP (CONTIGUOUS, SRC (VAR (x))), take_x, "schedule.py:322"),
  RULE ("drop-assign", "assign(b, x) -> x", OP (ASSIGN, SRC (ANY, VAR (x))), take_x, "schedule.py:323"),
  RULE ("drop-device", "view(device) -> view", OP (VIEW, NAMED (view), SRC (OP (DEVICE))), drop_device,
        "schedule.py:324"),
  RULE ("image-to-float", "image x -> float x after the load",
        OPS (FB_OPS_ALL & ~FB_OP_BIT (DEFINE_GLOBAL), NAMED (x), TYPED (FB_DT_IMAGE)), image_to_float,
        "schedule.py:326"),
  RULE ("self-operand", "load(global 0) must be contiguous", OP (LOAD, SRC (VAR (glbl), VAR (view))),
        check_self_operand, "schedule.py:308"),
};

const FbRuleSet *
fb_fix_ups_pass_rules (void)
{
  static FbRuleSet *set;

  if (g_once_init_enter (&set))
    {
      const FbRuleTable table = FB_RULE_TABLE (rules);
      g_once_init_leave (&set, fb_rule_set_new ("fix_kernel_ops", 1, &table));
    }
  return set;
}
