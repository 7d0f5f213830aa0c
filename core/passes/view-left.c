/* Views pushed to the sources, down to loads and constants (ops.py:995-1003). Each rule keeps the value of the view. */
#include "core/ir/context-private.h"
#include "core/ir/number.h"
#include "core/rewrite/pattern-macros.h"
#include "passes.h"

/* CONST of @value, or its first created equal, with @view as its source (ops.py:393). */
static FbUop *
const_on_view (FbContext *context, const FbDType *dtype, gint64 value, FbUop *view)
{
  FbArg arg = fb_num_as_const (context, fb_arg_int (value), dtype);
  FbUop *bare = fb_uop_lookup (context, FB_OP_CONST, dtype, 0, NULL, arg);

  return fb_uop_new (context, FB_OP_CONST, dtype, 1, &view, bare ? bare->arg : arg);
}

/* A masked constant: WHERE (VALID, x, 0) (ops.py:388). */
static FbUop *
view_of_const_to_valid (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  const FbShapeTracker *st = fb_uop_st (context, m[FB_vm]), *plain;
  FbUop *valid, *unmasked, *value, *zero;
  FbSint *ones;

  if (!st)
    return NULL;
  ones = g_newa (FbSint, MAX (st->shape->n, 1));
  for (guint i = 0; i < st->shape->n; i++)
    ones[i] = fb_sint (1);
  plain = fb_st_from_shape (context, fb_dims_new (context, 0, NULL));
  plain = fb_st_reshape (context, plain, fb_dims_new (context, st->shape->n, ones));
  plain = plain ? fb_st_expand (context, plain, st->shape) : NULL;
  if (!plain)
    return NULL;
  unmasked = fb_st_to_uop (context, plain);
  valid = fb_st_to_uop (context, st);
  valid = fb_uop_new (context, FB_OP_VALID, FB_DTYPE (BOOL), 1, &valid, FB_ARG_NIL);
  value = fb_replace_src (context, m[FB_x], 1, &unmasked);
  zero = const_on_view (context, m[FB_x]->dtype, 0, unmasked);
  return fb_alu3 (context, FB_OP_WHERE, valid, value, zero);
}

static FbUop *
view_of_elementwise (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *e = m[FB_e], *small[4];
  g_autofree FbUop **large = e->n_src > G_N_ELEMENTS (small) ? g_new (FbUop *, e->n_src) : NULL;
  FbUop **src = large ? large : small;
  const FbShapeTracker *outer = fb_uop_st (context, m[FB_vm]);

  for (guint i = 0; i < e->n_src; i++)
    {
      FbUop *s = e->src[i];
      const FbShapeTracker *st = fb_uop_st (context, s);

      if (!st)
        src[i] = s;
      else if (s == s->base)
        src[i] = fb_view (context, s, outer);
      else
        src[i] = fb_view (context, s->base, fb_st_add (context, st, outer));
      if (!src[i] || fb_context_failed (context))
        return NULL;
    }
  return fb_replace_src (context, e, e->n_src, src);
}

static FbUop *
view_of_buffer_op (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *b = m[FB_b], *small[4];
  g_autofree FbUop **large = b->n_src > G_N_ELEMENTS (small) ? g_new (FbUop *, b->n_src) : NULL;
  FbUop **src = large ? large : small;
  const FbShapeTracker *outer = fb_uop_st (context, m[FB_vm]), *st;

  for (guint i = 0; i < b->n_src; i++)
    {
      src[i] = b->src[i];
      if (src[i]->op != FB_OP_VIEW)
        continue;
      st = fb_uop_st (context, src[i]);
      if (!st || !outer || !(st = fb_st_add (context, st, outer)))
        return NULL;
      src[i] = fb_st_to_uop (context, st);
    }
  return fb_replace_src (context, b, b->n_src, src);
}

static const FbRule rules[] = {
  RULE ("view-of-const-to-valid", "view(c) -> where(valid, c, 0)",
        OP (VIEW, NAMED (vm), SRC (OPS (FB_OP_BIT (CONST) | FB_OP_BIT (DEFINE_VAR), NAMED (x)))),
        view_of_const_to_valid, "ops.py:997"),
  RULE ("view-of-elementwise", "view(f(x, y)) -> f(view(x), view(y))",
        OP (VIEW, NAMED (vm),
            SRC (OPS (FB_OPS_ALU | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST) | FB_OP_BIT (ASSIGN), NAMED (e)))),
        view_of_elementwise, "ops.py:1000"),
  RULE ("view-of-buffer-op", "view(load(b, st)) -> load(b, view(st))",
        OP (VIEW, NAMED (vm), SRC (OPS (FB_OPS_BUFFER, NAMED (b)))), view_of_buffer_op, "ops.py:1002"),
};
const FbRuleTable fb_view_left_rules = FB_RULE_TABLE (rules);

static const FbRuleSet *
view_left (void)
{
  static FbRuleSet *set;

  if (g_once_init_enter (&set))
    {
      const FbRuleTable tables[] = { fb_merge_views_rules, fb_view_left_rules };
      g_once_init_leave (&set, fb_rule_set_new ("view_left", G_N_ELEMENTS (tables), tables));
    }
  return set;
}

FbUop *
fb_apply_swizzle (FbContext *context, FbUop *uop)
{
  return uop ? fb_rewrite (context, uop, view_left (), NULL, FALSE, NULL) : NULL;
}
