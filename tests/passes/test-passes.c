/* All tests of the passes, and at the end the test of the tests: which rules has none of them fired? */
#include "cases.h"

/* Rules that only look: they return no node, so that they never count as fired. That they were tried is all that can be
 * counted here; what they do is in the tests of their pass. */
static const char *const lookers[] = {
  "realize-outputs", "realize-always", "realize-before-view", "realize-before-copy", "users", /* fill the grouper */
  "self-operand",                                                                             /* only refuses */
};

static gboolean
only_looks (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (lookers); i++)
    if (strcmp (lookers[i], name) == 0)
      return TRUE;
  return FALSE;
}

static void
check_rule_set (const FbRuleSet *rules, guint n_rules)
{
  const Coverage *covered = coverage_of (rules);

  for (guint i = 0; i < fb_rule_set_n_rules (rules); i++)
    {
      const FbRule *rule = fb_rule_set_rule (rules, i);

      if (only_looks (rule->name))
        {
          g_assert_cmpuint (covered->fired[i], ==, 0);
          if (covered->tries[i])
            continue;
        }
      else if (covered->fired[i])
        continue;
      g_test_message ("%s: rule %s (%s) fired in no test", fb_rule_set_name (rules), rule->name, rule->location);
      g_test_fail ();
    }
  g_assert_cmpuint (fb_rule_set_n_rules (rules), ==, n_rules);
}

/* Every row of every table of the passes fires in some test of this program. The first pass is not here:
 * tests/rewrite/test-simplify.c does the same for it, and tests/core/test-symbolic.c for the symbolic tables. */
static void
test_coverage (void)
{
  check_rule_set (fb_realize_pass_rules (), 5);
  check_rule_set (fb_kernels_pass_rules (), 5);
  check_rule_set (fb_buffers_pass_rules (), 3);
  check_rule_set (fb_views_left_pass_rules (), 7);
  check_rule_set (fb_views_right_pass_rules (), 9);
  check_rule_set (fb_fix_ups_pass_rules (), 6);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  add_realize_tests ();
  add_group_tests ();
  add_kernels_tests ();
  add_verify_tests ();
  add_order_tests ();
  add_becomes_tests ();
  add_buffers_tests ();
  add_views_left_tests ();
  add_views_right_tests ();
  add_reduce_tests ();
  add_fix_ups_tests ();
  /* last: GLib runs suites in the order they were added */
  g_test_add_func ("/passes/coverage/every-rule-fires", test_coverage);
  status = g_test_run ();
  coverage_free ();
  return status;
}
