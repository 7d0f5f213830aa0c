#include "trace.h"

FbPass *
fb_pass_new (const char *location, const char *title, gboolean bottom_up, FbUop *sink, const FbRuleSet *rules)
{
  FbPass *pass = g_new0 (FbPass, 1);

  pass->location = location;
  pass->title = title;
  pass->bottom_up = bottom_up;
  pass->sink = sink;
  pass->rules = rules;
  pass->matches = g_array_new (FALSE, FALSE, sizeof (FbMatch));
  pass->tries = g_new0 (guint32, fb_rule_set_n_rules (rules));
  pass->fired = g_new0 (guint32, fb_rule_set_n_rules (rules));
  return pass;
}

void
fb_pass_free (FbPass *pass)
{
  if (!pass)
    return;
  g_array_free (pass->matches, TRUE);
  g_free (pass->tries);
  g_free (pass->fired);
  g_free (pass);
}
