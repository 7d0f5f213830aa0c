#include "cases.h"

static GArray *coverage; /* of Coverage */

Coverage *
coverage_of (const FbRuleSet *rules)
{
  Coverage fresh = { rules, NULL, NULL };

  if (!coverage)
    coverage = g_array_new (FALSE, FALSE, sizeof (Coverage));
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

void
coverage_free (void)
{
  for (guint i = 0; coverage && i < coverage->len; i++)
    {
      g_free (g_array_index (coverage, Coverage, i).tries);
      g_free (g_array_index (coverage, Coverage, i).fired);
    }
  g_clear_pointer (&coverage, g_array_unref);
}
