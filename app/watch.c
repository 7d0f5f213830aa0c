#include "app/watch.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/viztrace/viztrace.h"
#include "core/viztrace/watch.h"

#include "app/cli/count.h"
#include "app/trace-compare-window.h"
#include "app/window-private.h"

struct _FbWindowWatch
{
  FbVizWatch *files;
  GCancellable *cancellable; /* of the trace being read */
  FbVizTrace *runs[2];
  guint n_runs;
  gboolean compare_again; /* the page of two traces is shown, and is to go on with the new run */
  guint64 picked;         /* KEY of the node to be selected in the trace that is being opened; 0: none */
};

/* --- where one is, in words that hold in another trace --- */

typedef struct
{
  char *path, *release;
  gboolean only_read;    /* it is shown already, or is being opened */
  gboolean first;        /* go to the beginning: nothing, or something else, was shown */
  char *context, *pass;  /* names without colours; NULL: none */
  guint index;           /* of the context, from 0 */
  guint nth, pass_index; /* of rewrites with that name, and of all, from 0 */
  guint step;

  FbVizTrace *trace;      /* what was read */
  guint row, pass_number; /* from 1; 0: the first */
  gboolean lost_context, lost_pass;
} Return;

static void
free_return (gpointer data)
{
  Return *back = data;
  g_free (back->path);
  g_free (back->release);
  g_free (back->context);
  g_free (back->pass);
  g_clear_pointer (&back->trace, fb_viz_trace_unref);
  g_free (back);
}

static char *
pass_name (const FbPassView *view)
{
  return fb_viz_plain_name (view->pass->name ? view->pass->name : view->pass->location);
}

static void
note_place (Return *back, FbDocument *doc)
{
  FbRowView *row = fb_document_get_row (doc);
  guint pass;
  back->first = !row || row->kind != FB_ROW_TRACE;
  if (back->first)
    return;
  fb_document_get_position (doc, &pass, &back->step);
  back->index = row->number - 1;
  back->context = fb_viz_plain_name (row->row->kernel_name ? row->row->kernel_name : "");
  if (pass >= row->n_passes)
    return;
  back->pass_index = pass;
  back->pass = pass_name (&row->passes[pass]);
  for (guint i = 0; i < pass; i++)
    {
      g_autofree char *name = pass_name (&row->passes[i]);
      back->nth += !strcmp (name, back->pass);
    }
}

static guint
distance (guint a, guint b)
{
  return a < b ? b - a : a - b;
}

/* The context of that name, the nearest if there are several. */
static void
find_context (Return *back)
{
  guint best = 0, n = fb_viz_trace_n_contexts (back->trace);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = fb_viz_plain_name (fb_viz_trace_context (back->trace, i)->name);
      if (!strcmp (name, back->context) && (!best || distance (i, back->index) < distance (best - 1, back->index)))
        best = i + 1;
    }
  back->lost_context = !best;
  back->row = best ? best : MIN (back->index + 1, n);
}

static void
find_pass (Return *back)
{
  const FbVizContext *group = fb_viz_trace_context (back->trace, back->row - 1);
  guint seen = 0, found = 0;
  for (guint i = 0; i < group->n_rewrites && seen <= back->nth; i++)
    {
      const FbVizRewrite *rewrite = &group->rewrites[i];
      g_autofree char *name = fb_viz_plain_name (rewrite->name ? rewrite->name : rewrite->location);
      if (strcmp (name, back->pass))
        continue;
      seen++;
      found = i + 1;
    }
  back->lost_pass = !found;
  back->pass_number = found ? found : MIN (back->pass_index + 1, group->n_rewrites);
  if (back->lost_pass || !group->n_rewrites)
    back->step = 0;
  else
    back->step = MIN (back->step, group->rewrites[back->pass_number - 1].n_matches);
}

static void
read_trace (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Return *back = data;
  GError *error = NULL;
  back->trace = fb_viz_trace_open (back->path, back->release, &error);
  if (!back->trace)
    {
      g_task_return_error (task, error);
      return;
    }
  if (!back->first && fb_viz_trace_n_contexts (back->trace))
    {
      find_context (back);
      if (back->pass && !back->lost_context)
        find_pass (back);
      else
        back->step = 0;
    }
  g_task_return_boolean (task, TRUE);
}

/* --- what is shown then --- */

static char *
describe (const Return *back)
{
  guint n = fb_viz_trace_n_contexts (back->trace);
  guint64 matches = fb_viz_trace_n_matches (back->trace);
  if (back->lost_context)
    /* Translators: name of a context */
    return g_strdup_printf (_ ("A run ended; it has no “%s”"), back->context);
  if (back->lost_pass)
    /* Translators: name of a rewrite */
    return g_strdup_printf (_ ("A run ended; here it has no “%s”"), back->pass);
  g_autofree char *contexts = g_strdup_printf (ngettext ("%s context", "%s contexts", n), fb_count (n));
  /* Translators: number of contexts, of matches */
  return g_strdup_printf (ngettext ("A run ended: %s, %s match", "A run ended: %s, %s matches", matches), contexts,
                          fb_count (matches));
}

static void
trace_read (GObject *source, GAsyncResult *result, gpointer data)
{
  FbWindow *self = FB_WINDOW (source);
  Return *back = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);
  FbWindowWatch *watch = self->watch;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || !watch || !self->doc)
    return;
  if (!ok)
    {
      fb_window_show_banner (self, error->message);
      return;
    }
  g_clear_pointer (&watch->runs[1], fb_viz_trace_unref);
  watch->runs[1] = g_steal_pointer (&watch->runs[0]);
  watch->runs[0] = fb_viz_trace_ref (back->trace);
  watch->n_runs++;
  fb_window_update_actions (self);
  if (back->only_read)
    return;
  watch->compare_again = fb_window_shows_traces (self);
  watch->picked = fb_document_get_picked_key (self->doc);
  g_free (self->note_later);
  self->note_later = describe (back);
  g_autofree char *pass = back->pass_number ? g_strdup_printf ("%u", back->pass_number) : NULL;
  fb_window_open (self, back->path, back->row, pass, back->step);
}

static void
show_run (FbWindow *self, const char *path, gboolean only_read)
{
  FbWindowWatch *watch = self->watch;
  Return *back = g_new0 (Return, 1);
  back->path = g_strdup (path);
  back->release = g_strdup (self->release);
  back->only_read = only_read;
  note_place (back, self->doc);
  /* a run that ends while the last one is being read takes its place */
  g_cancellable_cancel (watch->cancellable);
  g_object_unref (watch->cancellable);
  watch->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, watch->cancellable, trace_read, NULL);
  g_task_set_task_data (task, back, free_return);
  g_task_run_in_thread (task, read_trace);
}

static void
run_ended (const char *path, gpointer data)
{
  show_run (data, path, FALSE);
}

/* --- beginning and end --- */

static void
show_state (FbWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "watch");
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (self->watch != NULL));
  fb_window_show_titles (self);
}

void
fb_window_end_watch (FbWindow *self)
{
  g_return_if_fail (FB_IS_WINDOW (self));
  FbWindowWatch *watch = g_steal_pointer (&self->watch);
  if (!watch)
    return;
  g_cancellable_cancel (watch->cancellable);
  g_object_unref (watch->cancellable);
  fb_viz_watch_free (watch->files);
  for (guint i = 0; i < G_N_ELEMENTS (watch->runs); i++)
    g_clear_pointer (&watch->runs[i], fb_viz_trace_unref);
  g_free (watch);
}

void
fb_window_watch (FbWindow *self, const char *folder)
{
  g_return_if_fail (FB_IS_WINDOW (self));
  const char *shown = fb_document_get_path (self->doc);
  g_autofree char *name = shown ? g_path_get_basename (shown) : NULL;
  g_autofree char *beside = name && g_str_has_prefix (name, "rewrites.pkl") ? g_path_get_dirname (shown) : NULL;
  g_autoptr (GError) error = NULL;
  fb_window_end_watch (self);
  FbVizWatch *files = fb_viz_watch_new (folder ? folder : beside, run_ended, self, &error);
  if (!files)
    {
      fb_window_show_banner (self, error->message);
      show_state (self);
      return;
    }
  self->watch = g_new0 (FbWindowWatch, 1);
  self->watch->files = files;
  self->watch->cancellable = g_cancellable_new ();
  g_autofree char *newest = beside ? g_strdup (shown) : fb_viz_newest_trace (fb_viz_watch_folder (files));
  gboolean opening = shown || fb_document_is_busy (self->doc, NULL, NULL, NULL);
  /* also when it is not to be shown: the next run is compared with it */
  if (newest)
    show_run (self, newest, opening);
  show_state (self);
  if (!newest || opening)
    {
      /* Translators: a folder */
      g_autofree char *text
          = g_strdup_printf (_ ("Waiting for runs that leave a trace in %s"), fb_viz_watch_folder (files));
      fb_window_show_note (self, text);
    }
}

const char *
fb_window_get_watched (FbWindow *self)
{
  g_return_val_if_fail (FB_IS_WINDOW (self), NULL);
  return self->watch ? fb_viz_watch_folder (self->watch->files) : NULL;
}

FbVizTrace *
fb_window_get_run (FbWindow *self, guint back)
{
  g_return_val_if_fail (FB_IS_WINDOW (self) && back < G_N_ELEMENTS (self->watch->runs), NULL);
  return self->watch ? self->watch->runs[back] : NULL;
}

/* The same node, if the new graph has it. */
static void
opened (FbWindow *self)
{
  if (!self->watch)
    return;
  self->select_later = self->watch->picked;
  self->watch->picked = 0;
  if (self->watch->compare_again)
    fb_window_compare_runs (self);
  self->watch->compare_again = FALSE;
}

guint
fb_window_get_n_runs (FbWindow *self)
{
  g_return_val_if_fail (FB_IS_WINDOW (self), 0);
  return self->watch ? self->watch->n_runs : 0;
}

static void
watch_toggled (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  if (g_variant_get_boolean (state))
    fb_window_watch (self, NULL);
  else
    fb_window_end_watch (self);
  show_state (self);
}

void
fb_window_add_watch (FbWindow *self)
{
  static const GActionEntry entries[] = { { .name = "watch", .state = "false", .change_state = watch_toggled } };
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  /* after the session, which forgets what was to be selected */
  g_signal_connect_object (self->doc, "opened", G_CALLBACK (opened), self, G_CONNECT_SWAPPED);
}
