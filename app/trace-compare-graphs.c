/* The graphs of the rewrite chosen, made on the worker and shown side by side with the difference of their texts. */
#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/trace-compare-private.h"

typedef struct
{
  FbVizComparison *comparison;
  const FbVizRewrite *rewrites[2];
  gboolean after;
  FbMetrics metrics;
  guint generation;
} PairJob;

static void
free_pair_job (gpointer data)
{
  PairJob *job = data;
  fb_viz_comparison_unref (job->comparison);
  g_free (job);
}

static void
pair_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const PairJob *job = data;
  GError *error = NULL;
  FbVizTrace *traces[] = { fb_viz_comparison_trace (job->comparison, 0), fb_viz_comparison_trace (job->comparison, 1) };
  FbTracePair *pair = fb_trace_pair_new (traces, job->rewrites, job->after, job->metrics, cancellable, &error);
  if (pair)
    g_task_return_pointer (task, pair, (GDestroyNotify) fb_trace_pair_free);
  else
    g_task_return_error (task, error);
}

static void
free_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_set_task_data (task, NULL, NULL);
  g_task_return_boolean (task, TRUE);
}

void
fb_trace_compare_discard_pair (FbTraceCompare *self, FbTracePair *pair)
{
  if (!pair)
    return;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_task_data (task, pair, (GDestroyNotify) fb_trace_pair_free);
  fb_worker_push (self->worker, task, FB_IDLE, free_job);
}

static void
drop_pair (FbTraceCompare *self)
{
  fb_diff_view_set_diff (self->diff_view, NULL);
  fb_replay_side_set_scene (self->a, NULL);
  fb_replay_side_set_scene (self->b, NULL);
  fb_trace_compare_discard_pair (self, g_steal_pointer (&self->pair));
}

static void
show_diff (FbTraceCompare *self)
{
  const FbTextDiff *diff = self->pair->diff;
  gboolean different = diff->n_removed || diff->n_added;
  g_autofree char *removed = g_strdup_printf ("−%s", fb_count (diff->n_removed));
  g_autofree char *added = g_strdup_printf ("+%s", fb_count (diff->n_added));
  g_autofree char *same
      = g_strdup_printf (ngettext ("%s line the same", "%s lines the same", diff->n_same), fb_count (diff->n_same));
  fb_diff_view_set_diff (self->diff_view, diff);
  gtk_stack_set_visible_child_name (self->diff_stack, different ? "diff" : "none");
  gtk_label_set_label (self->diff_none, _ ("Both graphs print the same text."));
  gtk_widget_set_opacity (self->counts, different ? 1 : 0);
  gtk_label_set_label (self->removed, removed);
  gtk_label_set_label (self->added, added);
  gtk_label_set_label (self->same, same);
}

static void
pair_made (GObject *source, GAsyncResult *result, gpointer data)
{
  FbTraceCompare *self = FB_TRACE_COMPARE (source);
  const PairJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  FbTracePair *pair = g_task_propagate_pointer (G_TASK (result), &error);
  if (job->generation != self->pair_generation)
    {
      fb_trace_compare_discard_pair (self, pair);
      return;
    }
  self->drawing = FALSE;
  drop_pair (self);
  self->pair = pair;
  if (pair)
    {
      fb_replay_side_set_scene (self->a, pair->scenes[0]);
      fb_replay_side_set_scene (self->b, pair->scenes[1]);
      show_diff (self);
    }
  else
    {
      gtk_stack_set_visible_child_name (self->diff_stack, "none");
      gtk_label_set_label (self->diff_none, error->message);
    }
  fb_trace_compare_changed (self);
}

/* "tinygrad v0.13.0 · simplify", of a side that has the rewrite. */
static void
show_side (FbTraceCompare *self, guint side, const FbVizRewrite *rewrite)
{
  const FbVizTrace *trace = fb_viz_comparison_trace (self->comparison, side);
  g_autofree char *plain = rewrite ? fb_viz_plain_name (rewrite->name ? rewrite->name : rewrite->location) : NULL;
  g_autofree char *title
      = g_strdup_printf ("tinygrad %s%s%s", fb_viz_trace_release (trace), plain ? " · " : "", plain ? plain : "");
  fb_replay_side_set_title (side ? self->b : self->a, title, rewrite != NULL);
}

void
fb_trace_compare_show_graphs (FbTraceCompare *self)
{
  FbVizRewritePair chosen;
  self->pair_generation++;
  g_cancellable_cancel (self->pair_cancellable);
  g_object_unref (self->pair_cancellable);
  self->pair_cancellable = g_cancellable_new ();
  self->drawing = FALSE;
  if (!fb_trace_compare_chosen_rewrite (self, &chosen))
    {
      drop_pair (self);
      fb_trace_compare_changed (self);
      return;
    }
  PairJob *job = g_new0 (PairJob, 1);
  job->comparison = fb_viz_comparison_ref (self->comparison);
  job->after = self->after;
  job->metrics = fb_canvas_get_metrics (fb_replay_side_get_canvas (self->a));
  job->generation = self->pair_generation;
  for (guint side = 0; side < 2; side++)
    {
      job->rewrites[side] = fb_trace_compare_rewrite (self, &chosen, side);
      show_side (self, side, job->rewrites[side]);
    }
  self->drawing = TRUE;
  g_autoptr (GTask) task = g_task_new (self, self->pair_cancellable, pair_made, NULL);
  g_task_set_task_data (task, job, free_pair_job);
  fb_worker_push (self->worker, task, FB_URGENT, pair_job);
  fb_trace_compare_changed (self);
}
