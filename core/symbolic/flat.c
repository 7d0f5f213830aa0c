/* What `symbolic_flat` adds (symbolic.py:234): products of sums become sums of products, so that the terms of an index
 * expression can be read off. */
#include "core/rewrite/pattern-macros.h"
#include "symbolic-private.h"

static FbUop *
minus_both (FbRewriter *rw, FbUop *const *m)
{
  return fb_alu2 (rw->context, FB_OP_ADD, fb_neg (rw->context, m[FB_x]), fb_neg (rw->context, m[FB_y]));
}

static FbUop *
distribute (FbRewriter *rw, FbUop *const *m)
{
  FbUop *left = fb_alu2 (rw->context, FB_OP_MUL, m[FB_x], m[FB_c]);
  FbUop *right = fb_alu2 (rw->context, FB_OP_MUL, m[FB_y], m[FB_c]);
  return fb_alu2 (rw->context, FB_OP_ADD, left, right);
}

/* clang-format off */
static const FbRule rules[] = {
  RULE ("minus-sum", "-(x+y) -> -x + -y", COMM (MUL, INT (-1), COMM (ADD, VAR (x), VAR (y))), minus_both,
        "symbolic.py:237"),
  RULE ("distribute", "(x+y)*c -> x*c + y*c (ints)", COMM (MUL, COMM (ADD, VAR_T (x, FB_DT_INTS), VAR (y)), CVAR (c)),
        distribute, "symbolic.py:239"),
};
/* clang-format on */

const FbRuleTable fb_symbolic_flat_more_rules = FB_RULE_TABLE (rules);
