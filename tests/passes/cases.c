#include "cases.h"

/* Per rule set, over all tests: how often each rule was tried, and fired. */
typedef struct
{
  const FbRuleSet *rules;
  guint64 *tries, *fired;
} Coverage;

static GArray *coverage;

static Coverage *
coverage_of (const FbRuleSet *rules)
{
  Coverage fresh = { rules, NULL, NULL };

  for (guint i = 0; i < coverage->len; i++)
    if (g_array_index (coverage, Coverage, i).rules == rules)
      return &g_array_index (coverage, Coverage, i);
  fresh.tries = g_new0 (guint64, fb_rule_set_n_rules (rules));
  fresh.fired = g_new0 (guint64, fb_rule_set_n_rules (rules));
  g_array_append_val (coverage, fresh);
  return &g_array_index (coverage, Coverage, coverage->len - 1);
}

void
cover (const FbPass *pass)
{
  Coverage *covered = coverage_of (pass->rules);

  for (guint i = 0; i < fb_rule_set_n_rules (pass->rules); i++)
    {
      covered->tries[i] += pass->tries[i];
      covered->fired[i] += pass->fired[i];
    }
}

FbUop *
rewrite_by (FbContext *c, FbUop *sink, const FbRuleSet *rules, gpointer user, gboolean bottom_up, char **fired)
{
  FbPass *pass = fb_pass_new ("", "test", bottom_up, sink, rules);
  FbUop *result = fb_rewrite (c, sink, rules, user, bottom_up, pass);
  GString *names = g_string_new (NULL);

  g_assert_false (fb_context_failed (c));
  g_assert_nonnull (result);
  g_assert_true (pass->result == result);
  for (guint i = 0; i < pass->matches->len; i++)
    g_string_append_printf (names, "%s%s", i ? " " : "", fb_rule_set_rule (rules, fb_pass_match (pass, i)->rule)->name);
  if (fired)
    *fired = g_string_free (names, FALSE);
  else
    g_string_free (names, TRUE);
  cover (pass);
  fb_pass_free (pass);
  return result;
}

void
assert_rewrite_fails (FbContext *c, FbUop *sink, const FbRuleSet *rules, gpointer user, FbError code, const FbUop *uop)
{
  FbPass *pass = fb_pass_new ("", "test", FALSE, sink, rules);
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_rewrite (c, sink, rules, user, FALSE, pass));
  g_assert_true (fb_context_failed (c));
  if (uop)
    g_assert_true (fb_context_error_uop (c) == uop);
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, (int) code);
  g_assert_cmpstr (error->message, !=, "");
  cover (pass);
  fb_pass_free (pass);
}

FbSchedule *
schedule_of (FbContext *c, FbUop *sink)
{
  FbSchedule *schedule;

  g_assert_false (fb_context_failed (c));
  schedule = fb_schedule_new (c, sink, NULL);
  for (guint i = 0; i < schedule->passes->len; i++)
    cover (fb_schedule_pass (schedule, i));
  return schedule;
}

void
assert_kernels (FbContext *c, FbUop *sink, const char *expected)
{
  g_autoptr (FbSchedule) schedule = schedule_of (c, sink);
  g_autofree char *text = NULL;

  g_assert_no_error (schedule->error);
  text = kernels_text (schedule);
  g_assert_cmpstr (text, ==, expected);
}

void
assert_fails (FbContext *c, FbUop *sink, FbError code, const FbUop *uop)
{
  g_autoptr (FbSchedule) schedule = schedule_of (c, sink);

  g_assert_error (schedule->error, FB_ERROR, (int) code);
  if (uop)
    g_assert_true (schedule->error_uop == uop);
  /* the error has left the context, which can go on */
  g_assert_false (fb_context_failed (c));
}

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
  coverage = g_array_new (FALSE, FALSE, sizeof (Coverage));
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
  for (guint i = 0; i < coverage->len; i++)
    {
      g_free (g_array_index (coverage, Coverage, i).tries);
      g_free (g_array_index (coverage, Coverage, i).fired);
    }
  g_array_free (coverage, TRUE);
  return status;
}
