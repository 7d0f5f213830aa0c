/* The runs that can be looked at. */
#include "app/runs-private.h"

/* Runs that are kept; each holds the memory of its buffers. */
#define MOST_RUNS 8

void
fb_runs_look_at (FbRuns *self, FbRun *run)
{
  if (run)
    fb_run_ref (run);
  g_clear_pointer (&self->current, fb_run_unref);
  self->current = run;
}

void
fb_runs_let_go_of_row (FbRuns *self, FbRun *run)
{
  g_clear_pointer (&run->plan, fb_plan_free);
  fb_document_discard (self->doc, g_steal_pointer (&run->row), (GDestroyNotify) fb_row_view_unref);
}

void
fb_runs_add_ended (FbRuns *self, FbRun *run)
{
  for (guint i = 0; i < self->ended->len; i++)
    {
      const FbRun *other = g_ptr_array_index (self->ended, i);
      if (other->backend == run->backend && !g_strcmp0 (other->scenario, run->scenario))
        g_ptr_array_remove_index (self->ended, i--);
    }
  g_ptr_array_insert (self->ended, 0, fb_run_ref (run));
  if (self->ended->len > MOST_RUNS)
    g_ptr_array_set_size (self->ended, MOST_RUNS);
}

guint
fb_runs_get_n (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), 0);
  return self->ended->len;
}

FbRun *
fb_runs_get (FbRuns *self, guint at)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  return at < self->ended->len ? g_ptr_array_index (self->ended, at) : NULL;
}

FbRun *
fb_runs_find (FbRuns *self, const char *scenario, FbBackend backend)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  for (guint i = 0; i < self->ended->len; i++)
    {
      FbRun *run = g_ptr_array_index (self->ended, i);
      if (run->backend == backend && !g_strcmp0 (run->scenario, scenario))
        return run;
    }
  return NULL;
}

FbRun *
fb_runs_get_current (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  return self->current;
}

void
fb_runs_set_current (FbRuns *self, FbRun *run)
{
  g_return_if_fail (FB_IS_RUNS (self));
  if (run == self->current)
    return;
  fb_runs_look_at (self, run);
  g_signal_emit_by_name (self, "changed");
}

const char *
fb_runs_get_refusal (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  return self->refusal;
}
