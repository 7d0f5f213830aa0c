#include "trace.h"

FbPass *
fb_pass_new (const char *location, const char *title, gboolean bottom_up, FbUop *sink, const FbRuleSet *rules)
{
  guint n_rules = fb_rule_set_n_rules (rules);
  /* one piece with its counters: there are four passes a kernel */
  FbPass *pass = g_malloc0 (sizeof *pass + 2 * sizeof (guint32) * n_rules);

  pass->location = location;
  pass->title = title;
  pass->bottom_up = bottom_up;
  pass->sink = sink;
  pass->rules = rules;
  pass->matches = g_array_new (FALSE, FALSE, sizeof (FbMatch));
  pass->tries = (guint32 *) (pass + 1);
  pass->fired = pass->tries + n_rules;
  return pass;
}

void
fb_pass_free (FbPass *pass)
{
  if (!pass)
    return;
  g_array_free (pass->matches, TRUE);
  g_free (pass);
}
