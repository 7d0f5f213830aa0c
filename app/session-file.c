#include "app/session-file-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Where one is changes with every step; it is written that long after. */
#define STATES_MS 700

G_DEFINE_FINAL_TYPE (FbSessionFile, fb_session_file, G_TYPE_OBJECT)

guint fb_session_signals[FB_SESSION_N_SIGNALS];

/* --- writing --- */

static void
written (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (FbSessionFile) self = data;
  g_autoptr (GError) error = NULL;
  if (fb_session_finish (result, &error))
    self->failing = FALSE;
  /* once, not for every step that cannot be written down */
  else if (!self->failing && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      self->failing = TRUE;
      g_signal_emit (self, fb_session_signals[FB_SESSION_FAILED], 0, error->message);
    }
}

void
fb_session_file_push (FbSessionFile *self, FbSessionJobKind kind, FbSessionFunc func, gpointer data,
                      GDestroyNotify destroy, GCancellable *cancellable)
{
  fb_session_push (self->session, kind, func, data, destroy, cancellable, written, g_object_ref (self));
}

static gboolean
write_states (gpointer data)
{
  FbSessionFile *self = data;
  GHashTableIter iter;
  gpointer name;
  self->write_source = 0;
  FbStatesJob *job = fb_states_job_new ();
  g_hash_table_iter_init (&iter, self->to_write);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    fb_states_job_add (job, name, g_hash_table_lookup (self->states, name));
  g_hash_table_remove_all (self->to_write);
  fb_session_file_push (self, FB_SESSION_CHANGE, fb_states_job_run, job, fb_states_job_free, NULL);
  return G_SOURCE_REMOVE;
}

static void
flush_states (FbSessionFile *self)
{
  g_clear_handle_id (&self->write_source, g_source_remove);
  if (g_hash_table_size (self->to_write))
    write_states (self);
}

/* --- bookmarks and notes --- */

void
fb_session_file_set_unsaved (FbSessionFile *self, gboolean unsaved)
{
  if (self->start->unsaved == unsaved)
    return;
  self->start->unsaved = unsaved;
  g_signal_emit (self, fb_session_signals[FB_SESSION_CHANGED], 0);
}

GListModel *
fb_session_file_get_marks (FbSessionFile *self, FbStoreMarkKind kind)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), NULL);
  return G_LIST_MODEL (self->marks[kind]);
}

static gboolean
is_at (const FbStoreMark *mark, const FbStorePlace *place, guint64 node)
{
  return mark->node == node && mark->place.kind == place->kind && mark->place.row == place->row
         && (node || (mark->place.pass == place->pass && mark->place.step == place->step));
}

FbBookmark *
fb_session_file_find (FbSessionFile *self, FbStoreMarkKind kind, const FbStorePlace *place, guint64 node)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self) && place, NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->marks[kind]));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FbBookmark) mark = g_list_model_get_item (G_LIST_MODEL (self->marks[kind]), i);
      if (is_at (fb_bookmark_get (mark), place, node))
        return mark; /* the list keeps it */
    }
  return NULL;
}

static void
store_mark (FbSessionFile *self, FbBookmark *mark, gboolean remove)
{
  FbMarkJob *job = fb_mark_job_new (fb_bookmark_get_kind (mark), fb_bookmark_get (mark), remove);
  fb_session_file_push (self, FB_SESSION_CHANGE, fb_mark_job_run, job, fb_mark_job_free, NULL);
  g_signal_emit (self, fb_session_signals[FB_SESSION_MARKS_CHANGED], 0);
  fb_session_file_set_unsaved (self, TRUE);
}

void
fb_session_file_rename (FbSessionFile *self, FbBookmark *mark, const char *text)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && FB_IS_BOOKMARK (mark) && text);
  if (!self->session || !strcmp (fb_bookmark_get (mark)->text, text))
    return;
  fb_bookmark_set_text (mark, text);
  store_mark (self, mark, FALSE);
}

void
fb_session_file_remove (FbSessionFile *self, FbBookmark *mark)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && FB_IS_BOOKMARK (mark));
  GListStore *list = self->marks[fb_bookmark_get_kind (mark)];
  guint at;
  if (!self->session || !g_list_store_find (list, mark, &at))
    return;
  g_object_ref (mark);
  g_list_store_remove (list, at);
  store_mark (self, mark, TRUE);
  g_object_unref (mark);
}

void
fb_session_file_put (FbSessionFile *self, FbStoreMarkKind kind, const FbStorePlace *place, guint64 node,
                     const char *text)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && place);
  FbBookmark *there = fb_session_file_find (self, kind, place, node);
  if (!self->session)
    return;
  if (there && text)
    fb_session_file_rename (self, there, text);
  else if (there)
    fb_session_file_remove (self, there);
  else if (text)
    {
      FbStoreMark mark = {
        .id = ++self->last_id[kind], .place = *place, .node = node, .text = (char *) text, .changed = g_get_real_time ()
      };
      g_autoptr (FbBookmark) made = fb_bookmark_new (kind, &mark);
      g_list_store_append (self->marks[kind], made);
      store_mark (self, made, FALSE);
    }
}

/* --- states --- */

const char *
fb_session_file_get_state (FbSessionFile *self, const char *name)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), NULL);
  return g_hash_table_lookup (self->states, name);
}

void
fb_session_file_set_state (FbSessionFile *self, const char *name, const char *value)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && name);
  if (!self->session || !g_strcmp0 (g_hash_table_lookup (self->states, name), value))
    return;
  if (value)
    g_hash_table_insert (self->states, g_strdup (name), g_strdup (value));
  else
    g_hash_table_remove (self->states, name);
  g_hash_table_add (self->to_write, g_strdup (name));
  if (!self->write_source)
    self->write_source = g_timeout_add (STATES_MS, write_states, self);
}

/* --- in the background --- */

void
fb_session_file_put_trace (FbSessionFile *self, FbRowKind kind, guint row)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self));
  if (!self->session || kind >= FB_ROW_KERNEL)
    return;
  FbRowsJob *job = fb_rows_job_new (self->start->source, self->start->release, kind, row);
  fb_session_file_push (self, FB_SESSION_PLAIN, fb_rows_job_run, job, fb_rows_job_free, self->background);
}

void
fb_session_file_put_diff (FbSessionFile *self, guint64 before, guint64 after, const FbTextDiff *diff)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && diff);
  if (self->session)
    fb_session_file_push (self, FB_SESSION_CHANGE, fb_diff_job_run, fb_diff_job_new (before, after, diff),
                          fb_diff_job_free, NULL);
}

void
fb_session_file_put_places (FbSessionFile *self, guint64 digest, GBytes *places)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && places);
  if (self->session)
    fb_session_file_push (self, FB_SESSION_CHANGE, fb_places_job_run, fb_places_job_new (digest, places),
                          fb_places_job_free, NULL);
}

gboolean
fb_session_file_is_busy (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), FALSE);
  return self->write_source || (self->session && fb_session_n_pending (self->session));
}

/* --- saving --- */

static void
saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  FbSessionFile *self = g_task_get_source_object (task);
  FbSaveJob *job = g_task_get_task_data (task);
  GError *error = NULL;
  self->saving--;
  if (!fb_session_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  FbSessionStart *start = self->start;
  g_free (start->saved);
  start->saved = g_strdup (job->path);
  g_free (start->stamp);
  start->stamp = g_steal_pointer (&job->stamp);
  g_free (start->name);
  start->name = g_filename_display_basename (start->saved);
  /* What was changed meanwhile is not in it. */
  start->unsaved
      = !fb_save_job_has (job, G_LIST_MODEL (self->marks[0]), G_LIST_MODEL (self->marks[1]), start->scenarios);
  if (start->unsaved && self->session)
    {
      FbStatesJob *mark = fb_states_job_new ();
      fb_states_job_add (mark, "unsaved", "1");
      fb_session_file_push (self, FB_SESSION_CHANGE, fb_states_job_run, mark, fb_states_job_free, NULL);
    }
  g_signal_emit (self, fb_session_signals[FB_SESSION_CHANGED], 0);
  g_task_return_boolean (task, TRUE);
}

void
fb_session_file_save (FbSessionFile *self, const char *path, GAsyncReadyCallback callback, gpointer data)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && (path || self->start->saved));
  FbSessionStart *start = self->start;
  GTask *task = g_task_new (self, NULL, callback, data);
  g_autofree char *now = path ? NULL : fb_session_stamp (start->saved);
  if (!self->session)
    {
      g_task_return_new_error (task, FB_SESSION_ERROR, FB_SESSION_ERROR_WRITE, _ ("The session is closed."));
      g_object_unref (task);
      return;
    }
  if (!path && now && g_strcmp0 (now, start->stamp))
    {
      g_task_return_new_error (task, FB_SESSION_ERROR, FB_SESSION_ERROR_LOCKED,
                               _ ("%s was changed by another program. Save As keeps both."), start->saved);
      g_object_unref (task);
      return;
    }
  flush_states (self);
  FbSaveJob *job = fb_save_job_new (path ? path : start->saved, start->source, start->release,
                                    G_LIST_MODEL (self->marks[0]), G_LIST_MODEL (self->marks[1]), start->scenarios);
  g_task_set_task_data (task, job, fb_save_job_free);
  self->saving++;
  fb_session_push (self->session, FB_SESSION_PLAIN, fb_save_job_run, job, NULL, NULL, saved, task);
}

gboolean
fb_session_file_save_finish (FbSessionFile *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- about it --- */

const char *
fb_session_file_get_name (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), NULL);
  return self->start->name;
}

const char *
fb_session_file_get_saved (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), NULL);
  return self->start->saved;
}

gboolean
fb_session_file_is_unsaved (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), FALSE);
  return self->start->unsaved;
}

char *
fb_session_file_describe_start (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), NULL);
  const FbSessionStart *start = self->start;
  guint n = start->bookmarks->len + start->notes->len;
  for (guint i = 0; i < start->scenarios->len; i++)
    n += ((const FbStoreScenario *) g_ptr_array_index (start->scenarios, i))->scenario != NULL;
  if (!start->resumed || !start->unsaved || !n)
    return NULL;
  if (start->outdated)
    return g_strdup_printf (ngettext ("%u bookmark, note or scenario is back; the file has changed since",
                                      "%u bookmarks, notes and scenarios are back; the file has changed since", n),
                            n);
  return g_strdup_printf (ngettext ("%u unsaved bookmark, note or scenario is back",
                                    "%u unsaved bookmarks, notes and scenarios are back", n),
                          n);
}

/* --- life --- */

static void
take_marks (FbSessionFile *self, FbStoreMarkKind kind, const GPtrArray *marks)
{
  self->marks[kind] = g_list_store_new (FB_TYPE_BOOKMARK);
  for (guint i = 0; i < marks->len; i++)
    {
      const FbStoreMark *mark = g_ptr_array_index (marks, i);
      g_autoptr (FbBookmark) item = fb_bookmark_new (kind, mark);
      g_list_store_append (self->marks[kind], item);
      self->last_id[kind] = MAX (self->last_id[kind], mark->id);
    }
}

FbSessionFile *
fb_session_file_new (FbSessionStart *start)
{
  FbSessionFile *self = g_object_new (FB_TYPE_SESSION_FILE, NULL);
  self->start = start;
  self->path = g_strdup (fb_store_path (start->store));
  self->states = g_hash_table_ref (start->states);
  take_marks (self, FB_STORE_BOOKMARK, start->bookmarks);
  take_marks (self, FB_STORE_NOTE, start->notes);
  self->session = fb_session_new (g_steal_pointer (&start->store));
  self->n_users = 1;
  fb_session_file_register (self);
  /* The rows, so that the private session needs no other file. */
  FbRowsJob *job = fb_rows_job_new (start->source, start->release, FB_ROW_SCHEDULE, 0);
  fb_session_file_push (self, FB_SESSION_PLAIN, fb_rows_job_run, job, fb_rows_job_free, self->background);
  return self;
}

/* Threads that close sessions. */
static GPtrArray *endings;

typedef struct
{
  FbSession *session;
  char *path;
  int lock;
  gboolean keep, temporary;
} Ending;

static gpointer
end (gpointer data)
{
  Ending *ending = data;
  if (ending->keep)
    fb_session_free (ending->session);
  else
    fb_session_abandon (ending->session);
  fb_session_end (ending->path, ending->lock, ending->keep, ending->temporary);
  g_free (ending->path);
  g_free (ending);
  return NULL;
}

void
fb_session_file_close (FbSessionFile *self)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self));
  if (!self->session || --self->n_users)
    return;
  fb_session_file_unregister (self);
  g_cancellable_cancel (self->background);
  flush_states (self);
  Ending *ending = g_new (Ending, 1);
  *ending = (Ending){ g_steal_pointer (&self->session), g_strdup (self->path), self->start->lock,
                      self->start->unsaved && !self->start->temporary, self->start->temporary };
  /* A save that was asked for is still to come, and may fail. */
  ending->keep |= self->saving > 0 && !ending->temporary;
  if (!endings)
    endings = g_ptr_array_new ();
  g_ptr_array_add (endings, g_thread_new ("end-session", end, ending));
}

void
fb_session_files_finish (void)
{
  for (guint i = 0; endings && i < endings->len; i++)
    g_thread_join (g_ptr_array_index (endings, i));
  g_clear_pointer (&endings, g_ptr_array_unref);
}

static void
fb_session_file_finalize (GObject *object)
{
  FbSessionFile *self = FB_SESSION_FILE (object);
  self->n_users = MIN (self->n_users, 1);
  fb_session_file_close (self);
  g_clear_pointer (&self->start, fb_session_start_free);
  g_clear_object (&self->marks[0]);
  g_clear_object (&self->marks[1]);
  g_clear_object (&self->background);
  g_hash_table_unref (self->states);
  g_hash_table_unref (self->to_write);
  g_free (self->path);
  G_OBJECT_CLASS (fb_session_file_parent_class)->finalize (object);
}

static void
fb_session_file_class_init (FbSessionFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_session_file_finalize;
  fb_session_signals[FB_SESSION_CHANGED]
      = g_signal_new ("changed", FB_TYPE_SESSION_FILE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  fb_session_signals[FB_SESSION_MARKS_CHANGED]
      = g_signal_new ("marks-changed", FB_TYPE_SESSION_FILE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  fb_session_signals[FB_SESSION_SCENARIOS_CHANGED] = g_signal_new (
      "scenarios-changed", FB_TYPE_SESSION_FILE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  fb_session_signals[FB_SESSION_FAILED] = g_signal_new ("failed", FB_TYPE_SESSION_FILE, G_SIGNAL_RUN_LAST, 0, NULL,
                                                        NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
fb_session_file_init (FbSessionFile *self)
{
  self->background = g_cancellable_new ();
  self->to_write = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}
