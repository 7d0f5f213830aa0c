/* Opening a file, loading a row of it. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/document-private.h"
#include "app/document-query.h"

typedef struct
{
  FbFile *file;
  guint number, pass, step; /* number: among all rows */
  FbScenario *scenario;     /* NULL: as captured */
  guint generation;
  char *path, *release;
  char *pass_name; /* as asked for on opening; NULL: use pass */
  char *session_folder;
  gboolean joins;          /* the session that another window has open */
  FbStorePlace left;       /* where that was left; row 0: nowhere */
  FbSessionStart *session; /* or why there is none: */
  char *session_error;
} LoadJob;

static void
free_load_job (gpointer data)
{
  LoadJob *job = data;
  g_clear_pointer (&job->file, fb_file_unref);
  fb_scenario_free (job->scenario);
  g_free (job->path);
  g_free (job->release);
  g_free (job->pass_name);
  g_free (job->session_folder);
  g_free (job->session_error);
  g_clear_pointer (&job->session, fb_session_start_discard);
  g_free (job);
}

/* --- a row --- */

typedef struct
{
  FbDocument *doc;
  guint generation;
} StageTarget;

static void
tell_stage (gpointer data, double fraction, const char *words)
{
  StageTarget *target = data;
  fb_document_post_stage (target->doc, target->generation, fraction, words);
}

static void
load_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  LoadJob *job = data;
  StageTarget target = { FB_DOCUMENT (source), job->generation };
  GError *error = NULL;
  guint number;
  FbRowKind kind = fb_file_locate (job->file, job->number, &number);
  FbRowView *row
      = fb_row_view_new (job->file->capture, kind, number, job->scenario, tell_stage, &target, cancellable, &error);
  if (row)
    {
      row->number = job->number;
      g_task_return_pointer (task, row, (GDestroyNotify) fb_row_view_unref);
    }
  else
    g_task_return_error (task, error);
}

static void
complain_about_schedule (FbDocument *doc)
{
  const FbSchedule *schedule = doc->row->schedule;
  if (!schedule || !schedule->error)
    return;
  /* Translators: file, row, the error's text */
  g_autofree char *message
      = g_strdup_printf (_ ("%s, row %u: scheduling stopped: %s. The passes up to there can be stepped through."),
                         doc->name, doc->row_number, schedule->error->message);
  fb_document_fail (doc, message);
}

/* Goes where the job says; says so when there is no such place. */
static void
go_to_asked (FbDocument *doc, const LoadJob *job)
{
  const FbRowView *row = doc->row;
  guint pass = job->pass;
  doc->reached = TRUE;
  if (job->pass_name)
    {
      guint64 number = 0;
      if (g_ascii_string_to_unsigned (job->pass_name, 10, 1, G_MAXUINT, &number, NULL))
        pass = number - 1;
      else
        for (pass = 0; pass < row->n_passes; pass++)
          {
            /* rewrites within a rewrite are set in */
            const char *title = row->passes[pass].pass->title;
            if (!strcmp (title + strspn (title, " "), job->pass_name))
              break;
          }
      if (pass >= row->n_passes)
        {
          /* Translators: a row has that many passes, but not the one asked for */
          g_autofree char *message
              = g_strdup_printf (ngettext ("Row %u has %u pass; there is no pass “%s”",
                                           "Row %u has %u passes; there is no pass “%s”", row->n_passes),
                                 row->number, row->n_passes, job->pass_name);
          doc->reached = FALSE;
          fb_document_fail (doc, message);
          pass = 0;
        }
    }
  if (pass < row->n_passes && job->step > row->passes[pass].n_steps)
    {
      g_autofree char *message
          = g_strdup_printf (ngettext ("Pass %s has %u step; there is no step %u",
                                       "Pass %s has %u steps; there is no step %u", row->passes[pass].n_steps),
                             row->passes[pass].pass->title, row->passes[pass].n_steps, job->step);
      doc->reached = FALSE;
      fb_document_fail (doc, message);
    }
  fb_document_go (doc, pass, job->step);
}

static void load_at (FbDocument *doc, guint row, guint pass, guint step, const char *pass_name,
                     const FbScenario *scenario);

static void
loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  FbDocument *doc = FB_DOCUMENT (source);
  if (doc->row_waits)
    {
      g_set_object (&doc->loaded, result);
      return;
    }
  const LoadJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  FbRowView *row = g_task_propagate_pointer (G_TASK (result), &error);
  if (job->generation != doc->row_generation)
    {
      fb_document_discard (doc, row, (GDestroyNotify) fb_row_view_unref);
      return;
    }
  fb_document_set_busy (doc, FB_WAIT_ROW, FALSE, 0, NULL);
  /* a session may ask for a scenario that cannot be had: the row is there as captured */
  if (!row && job->scenario && !doc->row && error->domain == FB_SCENARIO_ERROR)
    {
      g_free (doc->complain_later);
      doc->complain_later = g_strdup (error->message);
      load_at (doc, job->number, job->pass, job->step, NULL, NULL);
      return;
    }
  if (!row)
    {
      doc->row_number = doc->row ? doc->row->number : 0;
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        fb_document_fail (doc, error->message);
      g_signal_emit (doc, fb_document_signals[FB_SIGNAL_MOVED], 0);
      return;
    }
  /* the same row otherwise: its nodes keep their keys */
  guint64 picked = doc->row && doc->row->number == row->number ? fb_document_get_picked_key (doc) : 0;
  fb_document_clear_row (doc);
  if (picked)
    doc->selection = (FbSelection){ NULL, picked, TRUE, 0 };
  doc->row = row;
  doc->row_number = row->number;
  /* where one goes to is told below; until then it is somewhere in this row */
  if (doc->pass >= row->n_passes || doc->step > row->passes[doc->pass].n_steps)
    doc->pass = doc->step = 0;
  fb_document_begin_heat (doc);
  fb_document_fill_bookmarks (doc);
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_ROW_LOADED], 0);
  complain_about_schedule (doc);
  g_autofree char *complaint = g_steal_pointer (&doc->complain_later);
  if (complaint)
    fb_document_fail (doc, complaint);
  go_to_asked (doc, job);
  fb_document_request_heat (doc);
  fb_document_prepare_answers (doc);
}

void
fb_document_take_loaded (FbDocument *doc)
{
  g_autoptr (GAsyncResult) result = g_steal_pointer (&doc->loaded);
  doc->row_waits = FALSE;
  if (result)
    loaded (G_OBJECT (doc), result, NULL);
}

static void
load_at (FbDocument *doc, guint row, guint pass, guint step, const char *pass_name, const FbScenario *scenario)
{
  LoadJob *job = g_new0 (LoadJob, 1);
  job->file = fb_file_ref (doc->file);
  job->number = row;
  job->pass = pass;
  job->step = step;
  job->pass_name = g_strdup (pass_name);
  job->scenario = scenario ? fb_scenario_copy (scenario) : NULL;
  job->generation = ++doc->row_generation;
  doc->row_number = row;
  g_autofree char *words = g_strdup_printf (_ ("Reading row %u of %u"), row, doc->n_rows);
  fb_document_set_busy (doc, FB_WAIT_ROW, TRUE, 0, words);
  g_autoptr (GTask) task = g_task_new (doc, doc->cancellable, loaded, NULL);
  g_task_set_task_data (task, job, free_load_job);
  fb_worker_push (doc->worker, task, FB_URGENT, load_job);
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_MOVED], 0);
}

void
fb_document_load_at (FbDocument *doc, guint row, guint pass, guint step)
{
  load_at (doc, row, pass, step, NULL, NULL);
}

void
fb_document_load_scenario (FbDocument *doc, const FbScenario *scenario)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (doc->row)
    load_at (doc, doc->row->number, MIN (doc->pass, 1), 0, NULL, scenario);
}

void
fb_document_load (FbDocument *doc, guint row)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (!doc->file || row < 1 || row > doc->n_rows || row == doc->row_number)
    return;
  if (doc->row)
    fb_document_note_jump (doc, row, 0, 0);
  load_at (doc, row, 0, 0, NULL, NULL);
}

/* --- opening --- */

static void
take_scenario (LoadJob *job, const FbScenario *scenario)
{
  job->scenario = scenario ? fb_scenario_copy (scenario) : NULL;
}

/* The session, and where it was left unless another place was asked for. */
static void
find_session (LoadJob *job, const FbFile *file)
{
  g_autoptr (GError) error = NULL;
  if (!job->joins)
    {
      job->session = fb_session_start_new (job->session_folder, job->path, job->release, &error);
      if (!job->session)
        {
          job->session_error = g_strdup (error->message);
          return;
        }
      if (fb_session_get_place (job->session->states, &job->left))
        take_scenario (job, fb_session_get_scenario (job->session->states, job->session->scenarios, &job->left));
    }
  guint row = job->left.row ? fb_file_find (file, job->left.kind, job->left.row) : 0;
  if (job->number || job->pass_name || job->step || !row)
    {
      g_clear_pointer (&job->scenario, fb_scenario_free);
      return;
    }
  job->number = row;
  job->pass = job->left.pass;
  job->step = job->left.step;
}

static void
open_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  LoadJob *job = data;
  GError *error = NULL;
  FbCapture *capture = fb_capture_open_any (job->path, job->release, &error);
  if (!capture)
    {
      g_task_return_error (task, error);
      return;
    }
  FbFile *file = g_new0 (FbFile, 1);
  g_atomic_ref_count_init (&file->refs);
  file->capture = capture;
  file->scratch = fb_context_new ();
  file->kind = fb_capture_main_kind (capture);
  file->n_main = fb_capture_n_rows (capture, file->kind);
  file->n_rows = file->n_main + (file->kind >= FB_ROW_KERNEL ? 0 : fb_capture_n_rows (capture, FB_ROW_KERNEL));
  file->row_keys = g_new0 (const char *, file->n_rows + 1);
  for (guint row = 1; row <= file->n_rows; row++)
    {
      guint number;
      FbRowKind kind = fb_file_locate (file, row, &number);
      const FbRowInfo *info = fb_capture_row_info (capture, kind, number);
      file->row_keys[row - 1] = info ? info->key : NULL;
    }
  find_session (job, file);
  g_task_return_pointer (task, file, (GDestroyNotify) fb_file_unref);
}

static void
opened (GObject *source, GAsyncResult *result, gpointer data)
{
  FbDocument *doc = FB_DOCUMENT (source);
  LoadJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  FbFile *file = g_task_propagate_pointer (G_TASK (result), &error);
  if (job->generation != doc->open_generation)
    {
      fb_document_discard (doc, file, (GDestroyNotify) fb_file_unref);
      return;
    }
  fb_document_set_busy (doc, FB_WAIT_FILE, FALSE, 0, NULL);
  if (!file)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        fb_document_fail (doc, error->message);
      return;
    }
  FbSessionFile *session = fb_session_file_find_open (job->session_folder, job->path);
  if (job->joins && !session)
    {
      /* the window that had it is gone by now */
      fb_document_discard (doc, file, (GDestroyNotify) fb_file_unref);
      fb_document_open (doc, job->path, job->release, job->number, job->pass_name, job->step);
      return;
    }
  if (session)
    session = fb_session_file_join (session);
  else if (job->session)
    session = fb_session_file_new (g_steal_pointer (&job->session));
  file->session_path = session ? g_strdup (fb_session_file_get_path (session)) : NULL;
  fb_document_clear_file (doc);
  doc->file = file;
  doc->path = g_strdup (job->path);
  doc->name = g_filename_display_basename (job->path);
  doc->n_rows = file->n_rows;
  fb_document_take_session (doc, session, job->session_error);
  g_ptr_array_set_size (doc->summaries, doc->n_rows);
  doc->pass = doc->step = 0;
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_OPENED], 0);
  /* the frame that shows the page of a file has enough to do */
  doc->row_waits = TRUE;
  fb_document_go_on_in_time (doc);
  guint number = job->number ? job->number : 1;
  if (number > doc->n_rows)
    {
      g_autofree char *message = g_strdup_printf (
          ngettext ("%s has %u row; there is no row %u", "%s has %u rows; there is no row %u", doc->n_rows), doc->name,
          doc->n_rows, number);
      fb_document_fail (doc, message);
      return;
    }
  load_at (doc, number, job->pass, job->step, job->pass_name, job->scenario);
}

void
fb_document_open (FbDocument *doc, const char *path, const char *release, guint row, const char *pass, guint step)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc) && path);
  LoadJob *job = g_new0 (LoadJob, 1);
  job->path = g_strdup (path);
  job->release = g_strdup (release);
  job->number = row;
  job->pass_name = g_strdup (pass);
  job->step = step;
  job->session_folder = g_strdup (doc->session_folder);
  FbSessionFile *session = fb_session_file_find_open (doc->session_folder, path);
  const FbScenario *scenario = NULL;
  job->joins = session != NULL;
  if (session && fb_session_file_get_place (session, &job->left, &scenario))
    take_scenario (job, scenario);
  job->generation = ++doc->open_generation;
  g_autofree char *name = g_filename_display_basename (path);
  /* Translators: a file name */
  g_autofree char *words = g_strdup_printf (_ ("Opening %s"), name);
  fb_document_set_busy (doc, FB_WAIT_FILE, TRUE, 0, words);
  g_autoptr (GTask) task = g_task_new (doc, doc->cancellable, opened, NULL);
  g_task_set_task_data (task, job, free_load_job);
  fb_worker_push (doc->worker, task, FB_URGENT, open_job);
}
