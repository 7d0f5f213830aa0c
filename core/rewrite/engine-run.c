/* A run of the engine: how it begins, what it notes, how it ends. */
#include "engine-private.h"

void
fb_run_use_map (FbRun *r, FbNodeMap *map)
{
  r->map = map;
  r->entries = map->entries;
  r->stamp = map->stamp;
  make_room (r);
}

void
fb_run_init (FbRun *r, FbContext *context)
{
  r->rules = NULL;
  r->pass = NULL;
  fb_run_use_map (r, fb_node_map_acquire (context));
  r->base = context->n_frames;
  r->n_waiting = 0;
  r->first_affected = 0;
  r->until_cancel_check = CANCEL_INTERVAL;
  r->failed_at = NULL;
  r->n_matches = 0;
}

void
fb_run_init_rules (FbRun *r, FbContext *context, const FbRuleSet *rules, gpointer user, const FbNodeMap *marks,
                   FbPass *pass)
{
  r->rw = (FbRewriter){ context, user, marks };
  r->matcher = fb_matcher_acquire (&r->rw, rules, pass ? pass->tries : NULL);
  fb_run_init (r, context);
  r->rules = rules;
  r->pass = pass;
  if (pass && G_UNLIKELY (pass->ticks))
    {
      fb_matcher_measure (r->matcher, pass->ticks);
      pass->ticks->began = fb_ticks ();
    }
}

/* Moves the latest matches to the pass. */
static void
record (FbRun *r)
{
  if (r->n_matches)
    fb_pass_add_matches (r->pass, &r->rw.context->arena, r->n_matches, r->matches);
  r->n_matches = 0;
}

void
fb_run_end (FbRun *r)
{
  FbContext *context = r->rw.context;

  /* an error in a size or a number knows no node: it is about the one being worked on */
  if (G_UNLIKELY (context->error) && r->pass && !context->error_uop && context->error->code != FB_ERROR_CANCELLED)
    context->error_uop = r->failed_at;
  record (r);
  if (r->pass && G_UNLIKELY (r->pass->ticks))
    r->pass->ticks->whole += fb_ticks () - r->pass->ticks->began;
  context->n_frames = r->base;
  if (r->rules)
    fb_matcher_release (r->matcher);
}

void
fb_run_clear (FbRun *r)
{
  fb_run_end (r);
  fb_node_map_release (r->rw.context, r->map);
}

void
fb_run_note_match (FbRun *r, FbUop *uop, FbUop *after, guint32 first_new)
{
  make_room (r);
  if (!r->pass)
    return;
  if (G_UNLIKELY (r->n_matches == G_N_ELEMENTS (r->matches)))
    record (r);
  r->matches[r->n_matches++] = (FbMatch){ uop, after, r->matcher->rule, first_new, r->rw.context->n_uops };
  r->pass->fired[r->matcher->rule]++;
}

FbUop *
fb_run_rebuild (FbRun *r, FbUop *uop)
{
  FbUop *small[16], **src = small, *result;

  if (uop->n_src > G_N_ELEMENTS (small))
    src = g_new (FbUop *, uop->n_src);
  small[0] = NULL;
  for (guint i = 0; i < uop->n_src; i++)
    src[i] = (FbUop *) get (r, uop->src[i]);
  result = fb_uop_with_src (r->rw.context, uop, src);
  if (src != small)
    g_free (src);
  make_room (r);
  return result;
}

void
fb_run_diverges (FbRun *r, FbUop *uop)
{
  const FbRule *rule = r->rules ? fb_rule_set_rule (r->rules, r->matcher->rule) : NULL;

  if (rule)
    fb_context_fail (r->rw.context, FB_ERROR_DIVERGES, uop, "rewriting does not end: rule %s (%s) keeps replacing %s",
                     rule->name, rule->location, fb_op_name (uop->op));
  else
    fb_context_fail (r->rw.context, FB_ERROR_DIVERGES, uop, "substituting does not end: %s keeps being replaced",
                     fb_op_name (uop->op));
}

gboolean
fb_run_cancelled (FbContext *context)
{
  if (!context->cancellable || !g_cancellable_is_cancelled (context->cancellable))
    return FALSE;
  fb_context_fail (context, FB_ERROR_CANCELLED, NULL, "cancelled");
  return TRUE;
}
