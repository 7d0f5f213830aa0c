/* Views of views (ops.py:984-992). Each rule keeps the value and the shape of what it replaces. */
#include "core/rewrite/pattern-macros.h"
#include "passes.h"

static FbUop *
merge_view_of_view (FbRewriter *rw, FbUop *const *m)
{
  const FbShapeTracker *inner = fb_uop_st (rw->context, m[FB_vm2]), *outer = fb_uop_st (rw->context, m[FB_vm1]);
  const FbShapeTracker *sum = inner && outer ? fb_st_add (rw->context, inner, outer) : NULL;

  return sum ? fb_replace_arg (rw->context, m[FB_vm2], fb_arg_st (sum)) : NULL;
}

static FbUop *
remove_identity_view (FbRewriter *rw, FbUop *const *m)
{
  const FbShapeTracker *st = fb_uop_st (rw->context, m[FB_vm]);

  if (!st)
    return NULL;
  return fb_uop_shape (rw->context, m[FB_x]) == st->shape ? m[FB_x] : NULL;
}

static FbUop *
merge_const_view (FbRewriter *rw, FbUop *const *m)
{
  const FbShapeTracker *inner = fb_uop_st (rw->context, m[FB_st]), *outer = fb_uop_st (rw->context, m[FB_view]);
  const FbShapeTracker *sum = inner && outer ? fb_st_add (rw->context, inner, outer) : NULL;
  FbUop *view;

  if (!sum)
    return NULL;
  for (guint i = 0; i < sum->n; i++)
    if (sum->views[i]->mask)
      return NULL;
  if (sum == inner)
    return m[FB_const_];
  view = fb_uop_new (rw->context, FB_OP_VIEW, m[FB_st]->dtype, m[FB_st]->n_src, m[FB_st]->src, fb_arg_st (sum));
  return fb_uop_with_src (rw->context, m[FB_const_], &view);
}

static const FbRule rules[] = {
  RULE ("view-of-view", "view(view(x)) -> view(x)", OP (VIEW, NAMED (vm1), SRC (OP (VIEW, NAMED (vm2)))),
        merge_view_of_view, "ops.py:986"),
  RULE_IF (CONTIGUOUS, "identity-view", "view(x) -> x if contiguous and of the same shape",
           OP (VIEW, NAMED (vm), SRC (OPS (FB_OPS_ALL & ~FB_OP_BIT (DEVICE), NAMED (x)))), remove_identity_view,
           "ops.py:988"),
  RULE ("view-of-const", "view(const(view)) -> const(view) if unmasked",
        OP (VIEW, NAMED (view),
            SRC (OPS (FB_OP_BIT (CONST) | FB_OP_BIT (DEFINE_VAR), NAMED (const_), SRC (OP (VIEW, NAMED (st)))))),
        merge_const_view, "ops.py:991"),
};
const FbRuleTable fb_merge_views_rules = FB_RULE_TABLE (rules);
