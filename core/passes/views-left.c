/* Per kernel, pass 2: bound variables become variables, views are pushed to the loads (schedule.py:344-347 with
 * view_left, the inner call at :356). */
#include "core/rewrite/pattern-macros.h"
#include "passes.h"

static FbUop *
unbind_variable (FbRewriter *rw, FbUop *const *m)
{
  fb_var_vals_set (rw->user, fb_replace_src (rw->context, m[FB_var], 0, NULL), m[FB_val]->arg);
  return m[FB_var];
}

static const FbRule rules[] = {
  RULE ("unbind", "bind(v, c) -> v", OP (BIND, NAMED (bind), SRC (VAR (var), CVAR (val))), unbind_variable,
        "schedule.py:344"),
};

const FbRuleSet *
fb_views_left_pass_rules (void)
{
  static FbRuleSet *set;

  if (g_once_init_enter (&set))
    {
      const FbRuleTable tables[] = { FB_RULE_TABLE (rules), fb_merge_views_rules, fb_view_left_rules };
      g_once_init_leave (&set, fb_rule_set_new ("unbind_vars + view_left", G_N_ELEMENTS (tables), tables));
    }
  return set;
}
