#include "app/trace-compare.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/text-scale.h"
#include "app/tip.h"
#include "app/trace-compare-private.h"

#define LISTS_WIDTH 340
#define DIFF_HEIGHT 160
#define LEAST_DIFF_HEIGHT 108
/* Progress and Cancel appear after this. */
#define BUSY_AFTER_MS 300
#define PROGRESS_MS 100

G_DEFINE_FINAL_TYPE (FbTraceCompare, fb_trace_compare, GTK_TYPE_WIDGET)

static guint close_signal, open_place_signal, changed_signal;

void
fb_trace_compare_changed (FbTraceCompare *self)
{
  fb_trace_compare_update_actions (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
show_state (FbTraceCompare *self, const char *title, const char *text)
{
  gtk_label_set_label (self->state_title, title);
  gtk_label_set_label (self->state_text, text);
  gtk_stack_set_visible_child_name (self->stack, "state");
}

/* --- the comparison --- */

typedef struct
{
  char *paths[2];
  FbVizTrace *traces[2]; /* NULL: to be opened */
  guint generation;
} CompareJob;

static void
free_compare_job (gpointer data)
{
  CompareJob *job = data;
  for (guint side = 0; side < 2; side++)
    {
      g_free (job->paths[side]);
      g_clear_pointer (&job->traces[side], fb_viz_trace_unref);
    }
  g_free (job);
}

static void
note_progress (double fraction, gpointer data)
{
  FbTraceCompare *self = data;
  g_atomic_int_set (&self->done_permille, (int) (fraction * 1000));
}

static void
compare_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  CompareJob *job = data;
  GError *error = NULL;
  FbVizComparison *comparison = NULL;
  gboolean ok = TRUE;
  for (guint side = 0; side < 2 && ok; side++)
    if (!job->traces[side])
      ok = (job->traces[side] = fb_viz_trace_open (job->paths[side], NULL, &error)) != NULL;
  if (ok)
    comparison = fb_viz_comparison_new (job->traces[0], job->traces[1], note_progress, source, cancellable, &error);
  if (comparison)
    g_task_return_pointer (task, comparison, (GDestroyNotify) fb_viz_comparison_unref);
  else
    g_task_return_error (task, error);
}

static gboolean
show_progress (gpointer data)
{
  FbTraceCompare *self = data;
  gtk_progress_bar_set_fraction (self->bar, g_atomic_int_get (&self->done_permille) / 1000.0);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), TRUE);
  gtk_widget_set_visible (self->cancel, TRUE);
  gtk_label_set_label (self->totals, _ ("Comparing the traces"));
  self->progress_source = g_timeout_add (PROGRESS_MS, show_progress, self);
  return G_SOURCE_REMOVE;
}

static void
show_totals (FbTraceCompare *self)
{
  const FbVizComparison *c = self->comparison;
  g_clear_handle_id (&self->progress_source, g_source_remove);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), FALSE);
  gtk_widget_set_visible (self->cancel, FALSE);
  if (!c)
    {
      gtk_label_set_label (self->totals, "");
      return;
    }
  guint same = fb_viz_comparison_count (c, FB_VIZ_SAME), different = fb_viz_comparison_count (c, FB_VIZ_CHANGED);
  g_autofree char *a = g_path_get_basename (fb_viz_trace_path (fb_viz_comparison_trace (c, 0)));
  g_autofree char *b = g_path_get_basename (fb_viz_trace_path (fb_viz_comparison_trace (c, 1)));
  g_autofree char *contexts
      = g_strdup_printf (ngettext ("%s context the same", "%s contexts the same", same), fb_count (same));
  g_autoptr (GString) text = g_string_new (NULL);
  /* Translators: the two files that are compared */
  g_string_append_printf (text, _ ("A %s, B %s"), a, b);
  g_string_append_printf (text, " · %s · ", contexts);
  g_string_append_printf (text, _ ("%s changed"), fb_count (different));
  g_string_append (text, " · ");
  g_string_append_printf (text, _ ("%s only in A"), fb_count (fb_viz_comparison_count (c, FB_VIZ_ONLY_A)));
  g_string_append (text, " · ");
  g_string_append_printf (text, _ ("%s only in B"), fb_count (fb_viz_comparison_count (c, FB_VIZ_ONLY_B)));
  gtk_label_set_label (self->totals, text->str);
  fb_tip_set (GTK_WIDGET (self->totals), text->str);
}

static void
show_comparison (FbTraceCompare *self)
{
  show_totals (self);
  fb_trace_compare_list_rows (self);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->rows)))
    gtk_stack_set_visible_child_name (self->stack, "results");
  else
    show_state (
        self, _ ("The traces are the same"),
        _ ("Every context has the same rewrites, which did the same. Rules that moved within their files and other "
           "numbers of buffers do not count."));
}

static void
compared (GObject *source, GAsyncResult *result, gpointer data)
{
  FbTraceCompare *self = FB_TRACE_COMPARE (source);
  const CompareJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (FbVizComparison) comparison = g_task_propagate_pointer (G_TASK (result), &error);
  if (job->generation != self->generation)
    return;
  self->comparing = FALSE;
  if (comparison)
    {
      g_clear_pointer (&self->comparison, fb_viz_comparison_unref);
      self->comparison = g_steal_pointer (&comparison);
      show_comparison (self);
    }
  else
    {
      show_totals (self);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        show_state (self, _ ("Stopped"), "");
      else
        show_state (self, _ ("The traces cannot be compared"), error->message);
    }
  fb_trace_compare_changed (self);
}

static void
begin (FbTraceCompare *self, CompareJob *job)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  job->generation = ++self->generation;
  self->comparing = TRUE;
  g_atomic_int_set (&self->done_permille, 0);
  g_clear_handle_id (&self->progress_source, g_source_remove);
  self->progress_source = g_timeout_add (BUSY_AFTER_MS, show_progress, self);
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, compared, NULL);
  g_task_set_task_data (task, job, free_compare_job);
  fb_worker_push (self->worker, task, FB_URGENT, compare_job);
  fb_trace_compare_changed (self);
}

void
fb_trace_compare_set_files (FbTraceCompare *self, const char *a, const char *b)
{
  g_return_if_fail (FB_IS_TRACE_COMPARE (self) && a && b);
  CompareJob *job = g_new0 (CompareJob, 1);
  job->paths[0] = g_strdup (a);
  job->paths[1] = g_strdup (b);
  begin (self, job);
}

void
fb_trace_compare_set_traces (FbTraceCompare *self, FbVizTrace *a, FbVizTrace *b)
{
  g_return_if_fail (FB_IS_TRACE_COMPARE (self) && a && b);
  CompareJob *job = g_new0 (CompareJob, 1);
  job->traces[0] = fb_viz_trace_ref (a);
  job->traces[1] = fb_viz_trace_ref (b);
  begin (self, job);
}

void
fb_trace_compare_cancel (FbTraceCompare *self)
{
  g_return_if_fail (FB_IS_TRACE_COMPARE (self));
  if (self->comparing)
    g_cancellable_cancel (self->cancellable);
}

gboolean
fb_trace_compare_is_settled (FbTraceCompare *self)
{
  g_return_val_if_fail (FB_IS_TRACE_COMPARE (self), TRUE);
  return !self->comparing && !self->drawing;
}

const FbVizComparison *
fb_trace_compare_get (FbTraceCompare *self)
{
  g_return_val_if_fail (FB_IS_TRACE_COMPARE (self), NULL);
  return self->comparison;
}

/* --- leaving --- */

void
fb_trace_compare_close (FbTraceCompare *self)
{
  g_signal_emit (self, close_signal, 0);
}

/* In B, or in A when it is only there. */
void
fb_trace_compare_open_place (FbTraceCompare *self)
{
  const FbVizContextPair *context = fb_trace_compare_chosen (self);
  FbVizRewritePair rewrite;
  if (!context || !fb_trace_compare_chosen_rewrite (self, &rewrite))
    return;
  guint side = context->pair.b >= 0 && rewrite.b >= 0;
  g_signal_emit (self, open_place_signal, 0, fb_viz_trace_path (fb_viz_comparison_trace (self->comparison, side)),
                 (guint) (side ? context->pair.b : context->pair.a) + 1, (guint) (side ? rewrite.b : rewrite.a) + 1);
}

/* --- the widget --- */

static gboolean
set_splits (gpointer data)
{
  FbTraceCompare *self = data;
  int height = gtk_widget_get_height (GTK_WIDGET (self->split));
  int width = gtk_widget_get_width (GTK_WIDGET (self->paned));
  self->split_source = 0;
  if (height <= 0 || width <= 0 || self->split_set)
    return G_SOURCE_REMOVE;
  self->split_set = TRUE;
  int lists = (int) (MIN (LISTS_WIDTH, width * 2 / 7) * MIN (fb_text_scale (), 1.5));
  gtk_paned_set_position (self->paned, lists);
  gtk_paned_set_position (self->split, height - CLAMP (height / 3, LEAST_DIFF_HEIGHT, DIFF_HEIGHT));
  gtk_paned_set_position (self->sides, (width - lists) / 2);
  return G_SOURCE_REMOVE;
}

/* The first sizes are known once there is something to show. */
static void
sized (FbTraceCompare *self)
{
  if (!self->split_set && !self->split_source)
    self->split_source = g_idle_add_full (G_PRIORITY_HIGH, set_splits, self, NULL);
}

static void
node_picked (FbTraceCompare *self, FbUop *uop, FbReplaySide *side)
{
  FbCanvas *other = fb_replay_side_get_canvas (side == self->a ? self->b : self->a);
  fb_canvas_select (other, uop);
  fb_canvas_reveal (other);
}

static gboolean
fb_trace_compare_grab_focus (GtkWidget *widget)
{
  FbTraceCompare *self = FB_TRACE_COMPARE (widget);
  return gtk_widget_grab_focus (GTK_WIDGET (self->table)) || gtk_widget_child_focus (widget, GTK_DIR_TAB_FORWARD);
}

static void
fb_trace_compare_dispose (GObject *object)
{
  FbTraceCompare *self = FB_TRACE_COMPARE (object);
  GtkWidget *child;
  self->generation++;
  self->pair_generation++;
  self->filling = TRUE;
  g_cancellable_cancel (self->cancellable);
  g_cancellable_cancel (self->pair_cancellable);
  g_clear_handle_id (&self->progress_source, g_source_remove);
  g_clear_handle_id (&self->split_source, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  fb_trace_compare_discard_pair (self, g_steal_pointer (&self->pair));
  g_clear_pointer (&self->comparison, fb_viz_comparison_unref);
  g_clear_object (&self->row_selection);
  g_clear_object (&self->rewrite_selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->rewrites);
  g_clear_object (&self->actions);
  G_OBJECT_CLASS (fb_trace_compare_parent_class)->dispose (object);
}

static void
fb_trace_compare_finalize (GObject *object)
{
  FbTraceCompare *self = FB_TRACE_COMPARE (object);
  fb_worker_free (self->worker);
  g_object_unref (self->cancellable);
  g_object_unref (self->pair_cancellable);
  G_OBJECT_CLASS (fb_trace_compare_parent_class)->finalize (object);
}

static void
fb_trace_compare_class_init (FbTraceCompareClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_trace_compare_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_trace_compare_finalize;
  widget_class->grab_focus = fb_trace_compare_grab_focus;
  g_type_ensure (FB_TYPE_DIFF_VIEW);
  g_type_ensure (FB_TYPE_REPLAY_SIDE);
  close_signal = g_signal_new ("close", FB_TYPE_TRACE_COMPARE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  open_place_signal = g_signal_new ("open-place", FB_TYPE_TRACE_COMPARE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_UINT, G_TYPE_UINT);
  changed_signal
      = g_signal_new ("changed", FB_TYPE_TRACE_COMPARE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "trace-compare.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, FbTraceCompare, name)
  BIND (totals);
  BIND (name);
  BIND (about);
  BIND (removed);
  BIND (added);
  BIND (same);
  BIND (diff_none);
  BIND (state_title);
  BIND (state_text);
  BIND (bar);
  BIND (cancel);
  BIND (counts);
  BIND (stack);
  BIND (diff_stack);
  BIND (paned);
  BIND (split);
  BIND (sides);
  BIND (table);
  BIND (rewrites_window);
  BIND (rewrites_list);
  BIND (a);
  BIND (b);
  BIND (diff_view);
#undef BIND
}

static void
fb_trace_compare_init (FbTraceCompare *self)
{
  self->worker = fb_worker_new ();
  self->cancellable = g_cancellable_new ();
  self->pair_cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  fb_replay_side_set_words (self->a, "A", _ ("A does not have it"));
  fb_replay_side_set_words (self->b, "B", _ ("B does not have it"));
  g_signal_connect_object (self->a, "node-picked", G_CALLBACK (node_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->b, "node-picked", G_CALLBACK (node_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->split, "notify::max-position", G_CALLBACK (sized), self, G_CONNECT_SWAPPED);
  fb_trace_compare_add_actions (self);
  fb_trace_compare_fill_lists (self);
  show_state (self, "", "");
  show_totals (self);
  fb_trace_compare_update_actions (self);
}

FbTraceCompare *
fb_trace_compare_new (void)
{
  return g_object_new (FB_TYPE_TRACE_COMPARE, NULL);
}
