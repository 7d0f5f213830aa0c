#include "app/session-jobs.h"

#include <string.h>

#include "app/session-start.h"
#include "core/viztrace/viztrace-schedule.h"

/* More than that of a capture is copied only when it is saved. */
#define MOST_PRIVATE (G_GUINT64_CONSTANT (256) * 1024 * 1024)

/* --- states --- */

struct _FbStatesJob
{
  GPtrArray *names, *values;
};

FbStatesJob *
fb_states_job_new (void)
{
  FbStatesJob *job = g_new (FbStatesJob, 1);
  *job = (FbStatesJob){ g_ptr_array_new_with_free_func (g_free), g_ptr_array_new_with_free_func (g_free) };
  return job;
}

void
fb_states_job_add (FbStatesJob *job, const char *name, const char *value)
{
  g_ptr_array_add (job->names, g_strdup (name));
  g_ptr_array_add (job->values, g_strdup (value));
}

gboolean
fb_states_job_run (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  const FbStatesJob *job = data;
  for (guint i = 0; i < job->names->len; i++)
    if (!fb_store_set_state (store, g_ptr_array_index (job->names, i), g_ptr_array_index (job->values, i), error))
      return FALSE;
  return TRUE;
}

void
fb_states_job_free (gpointer data)
{
  FbStatesJob *job = data;
  g_ptr_array_unref (job->names);
  g_ptr_array_unref (job->values);
  g_free (job);
}

/* --- marks --- */

struct _FbMarkJob
{
  FbStoreMarkKind kind;
  FbStoreMark *mark;
  gboolean remove;
};

FbMarkJob *
fb_mark_job_new (FbStoreMarkKind kind, const FbStoreMark *mark, gboolean remove)
{
  FbMarkJob *job = g_new (FbMarkJob, 1);
  *job = (FbMarkJob){ kind, fb_store_mark_copy (mark), remove };
  return job;
}

gboolean
fb_mark_job_run (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  const FbMarkJob *job = data;
  gboolean ok = job->remove ? fb_store_remove_mark (store, job->kind, job->mark->id, error)
                            : fb_store_put_mark (store, job->kind, job->mark, error);
  return ok && fb_store_set_state (store, "unsaved", "1", error);
}

void
fb_mark_job_free (gpointer data)
{
  FbMarkJob *job = data;
  fb_store_mark_free (job->mark);
  g_free (job);
}

/* --- scenarios --- */

struct _FbScenarioJob
{
  FbStoreScenario *scenario;
  gboolean remove;
};

FbScenarioJob *
fb_scenario_job_new (const FbStoreScenario *scenario, gboolean remove)
{
  FbScenarioJob *job = g_new (FbScenarioJob, 1);
  job->scenario = fb_store_scenario_copy (scenario);
  job->remove = remove;
  return job;
}

gboolean
fb_scenario_job_run (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  const FbScenarioJob *job = data;
  return (job->remove ? fb_store_remove_scenario (store, job->scenario, error)
                      : fb_store_put_scenario (store, job->scenario, error))
         && fb_store_set_state (store, "unsaved", "1", error);
}

void
fb_scenario_job_free (gpointer data)
{
  FbScenarioJob *job = data;
  fb_store_scenario_free (job->scenario);
  g_free (job);
}

/* --- places --- */

struct _FbPlacesJob
{
  guint64 digest;
  GBytes *places;
};

FbPlacesJob *
fb_places_job_new (guint64 digest, GBytes *places)
{
  FbPlacesJob *job = g_new (FbPlacesJob, 1);
  *job = (FbPlacesJob){ digest, g_bytes_ref (places) };
  return job;
}

gboolean
fb_places_job_run (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  const FbPlacesJob *job = data;
  return fb_store_put_places (store, job->digest, job->places, error);
}

void
fb_places_job_free (gpointer data)
{
  FbPlacesJob *job = data;
  g_bytes_unref (job->places);
  g_free (job);
}

/* --- layouts --- */

struct _FbLayoutJob
{
  FbStoreLayout layout;
};

FbLayoutJob *
fb_layout_job_new (const FbStoreLayout *layout)
{
  FbLayoutJob *job = g_new (FbLayoutJob, 1);
  job->layout = *layout;
  g_array_ref (job->layout.placed);
  return job;
}

gboolean
fb_layout_job_run (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  return fb_store_put_layout (store, &((const FbLayoutJob *) data)->layout, error);
}

void
fb_layout_job_free (gpointer data)
{
  FbLayoutJob *job = data;
  g_array_unref (job->layout.placed);
  g_free (job);
}

/* --- rows and traces --- */

struct _FbRowsJob
{
  char *source, *release;
  FbRowKind kind;
  guint row;
};

FbRowsJob *
fb_rows_job_new (const char *source, const char *release, FbRowKind kind, guint row)
{
  FbRowsJob *job = g_new (FbRowsJob, 1);
  *job = (FbRowsJob){ g_strdup (source), g_strdup (release), kind, row };
  return job;
}

void
fb_rows_job_free (gpointer data)
{
  FbRowsJob *job = data;
  g_free (job->source);
  g_free (job->release);
  g_free (job);
}

static FbCapture *
open_source (const char *source, const char *release, GError **error)
{
  g_autoptr (GError) local = NULL;
  FbCapture *capture = fb_capture_open_any (source, release, &local);
  if (!capture)
    g_set_error_literal (error, FB_SESSION_ERROR, FB_SESSION_ERROR_CAPTURE, local->message);
  return capture;
}

static guint64
size_of_rows (FbCapture *capture)
{
  g_autoptr (GBytes) trace = fb_capture_trace_bytes (capture);
  guint64 size = trace ? g_bytes_get_size (trace) : 0;
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
    for (guint row = 1; row <= fb_capture_n_rows (capture, kind); row++)
      size += fb_capture_row_info (capture, kind, row)->size;
  return size;
}

static gboolean
put_rows (FbStore *store, FbCapture *capture, GCancellable *cancellable, GError **error)
{
  if (!fb_store_begin (store, error))
    return FALSE;
  if (fb_store_put_rows (store, capture, cancellable, error) && fb_store_commit (store, error))
    return TRUE;
  fb_store_rollback (store);
  return FALSE;
}

static gboolean
put_trace (FbStore *store, FbCapture *capture, const FbRowsJob *job, GCancellable *cancellable, GError **error)
{
  g_autoptr (FbContext) context = fb_context_new ();
  /* a row that cannot be read or scheduled has no trace, and whoever looks at it was told */
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, job->kind, job->row, context, NULL);
  if (!row || (!row->nodes && row->sink->op != FB_OP_SINK))
    return TRUE;
  g_autoptr (FbSchedule) schedule = row->nodes ? fb_viz_schedule_new (row->nodes, job->row - 1, cancellable)
                                               : fb_schedule_new (context, row->sink, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error) || !fb_store_begin (store, error))
    return FALSE;
  if (fb_store_put_trace (store, job->kind, job->row, context, schedule, cancellable, error)
      && fb_store_commit (store, error))
    return TRUE;
  fb_store_rollback (store);
  return FALSE;
}

gboolean
fb_rows_job_run (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  const FbRowsJob *job = data;
  g_auto (FbStoreCapture) about = { NULL };
  if (!fb_store_get_capture (store, &about, error))
    return FALSE;
  if (about.stored && (!job->row || fb_store_has_trace (store, job->kind, job->row)))
    return TRUE;
  g_autoptr (FbCapture) capture = open_source (job->source, job->release, error);
  if (!capture)
    return FALSE;
  if (!about.stored && size_of_rows (capture) <= MOST_PRIVATE && !put_rows (store, capture, cancellable, error))
    return FALSE;
  return !job->row || put_trace (store, capture, job, cancellable, error);
}

/* --- saving --- */

static GPtrArray *
copy_marks (GListModel *list)
{
  GPtrArray *marks = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_store_mark_free);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (FbBookmark) mark = g_list_model_get_item (list, i);
      g_ptr_array_add (marks, fb_store_mark_copy (fb_bookmark_get (mark)));
    }
  return marks;
}

FbSaveJob *
fb_save_job_new (const char *path, const char *source, const char *release, GListModel *bookmarks, GListModel *notes,
                 const GPtrArray *scenarios)
{
  FbSaveJob *job = g_new0 (FbSaveJob, 1);
  job->path = g_strdup (path);
  job->source = g_strdup (source);
  job->release = g_strdup (release);
  job->marks[FB_STORE_BOOKMARK] = copy_marks (bookmarks);
  job->marks[FB_STORE_NOTE] = copy_marks (notes);
  job->scenarios = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_store_scenario_free);
  for (guint i = 0; i < scenarios->len; i++)
    g_ptr_array_add (job->scenarios, fb_store_scenario_copy (g_ptr_array_index (scenarios, i)));
  return job;
}

void
fb_save_job_free (gpointer data)
{
  FbSaveJob *job = data;
  g_free (job->path);
  g_free (job->source);
  g_free (job->release);
  g_free (job->stamp);
  g_ptr_array_unref (job->marks[0]);
  g_ptr_array_unref (job->marks[1]);
  g_ptr_array_unref (job->scenarios);
  g_free (job);
}

static gboolean
same_marks (const GPtrArray *marks, GListModel *list)
{
  if (marks->len != g_list_model_get_n_items (list))
    return FALSE;
  for (guint i = 0; i < marks->len; i++)
    {
      g_autoptr (FbBookmark) item = g_list_model_get_item (list, i);
      const FbStoreMark *a = g_ptr_array_index (marks, i), *b = fb_bookmark_get (item);
      if (a->id != b->id || strcmp (a->text, b->text))
        return FALSE;
    }
  return TRUE;
}

static gboolean
same_scenarios (const GPtrArray *saved, const GPtrArray *now)
{
  if (saved->len != now->len)
    return FALSE;
  for (guint i = 0; i < saved->len; i++)
    if (!fb_store_scenario_equal (g_ptr_array_index (saved, i), g_ptr_array_index (now, i)))
      return FALSE;
  return TRUE;
}

gboolean
fb_save_job_has (const FbSaveJob *job, GListModel *bookmarks, GListModel *notes, const GPtrArray *scenarios)
{
  return same_marks (job->marks[FB_STORE_BOOKMARK], bookmarks) && same_marks (job->marks[FB_STORE_NOTE], notes)
         && same_scenarios (job->scenarios, scenarios);
}

/* What the lists hold, also where writing it down failed before. */
static gboolean
put_marks (FbStore *store, FbStoreMarkKind kind, const GPtrArray *marks, GError **error)
{
  g_autoptr (GPtrArray) there = fb_store_get_marks (store, kind, error);
  if (!there)
    return FALSE;
  for (guint i = 0; i < there->len; i++)
    if (!fb_store_remove_mark (store, kind, ((FbStoreMark *) g_ptr_array_index (there, i))->id, error))
      return FALSE;
  for (guint i = 0; i < marks->len; i++)
    if (!fb_store_put_mark (store, kind, g_ptr_array_index (marks, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
put_scenarios (FbStore *store, const GPtrArray *scenarios, GError **error)
{
  g_autoptr (GPtrArray) there = fb_store_get_scenarios (store, error);
  if (!there)
    return FALSE;
  for (guint i = 0; i < there->len; i++)
    if (!fb_store_remove_scenario (store, g_ptr_array_index (there, i), error))
      return FALSE;
  for (guint i = 0; i < scenarios->len; i++)
    if (!fb_store_put_scenario (store, g_ptr_array_index (scenarios, i), error))
      return FALSE;
  return TRUE;
}

/* In the private session: which file has all of it, from now on. */
static gboolean
note_saved (FbStore *store, FbSaveJob *job, GError **error)
{
  return fb_store_begin (store, error) && fb_store_set_state (store, "unsaved", NULL, error)
         && fb_store_set_state (store, "saved-as", job->path, error)
         && fb_store_set_state (store, "saved-stamp", job->stamp, error) && fb_store_commit (store, error);
}

gboolean
fb_save_job_run (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  FbSaveJob *job = data;
  g_auto (FbStoreCapture) about = { NULL };
  gboolean ok = fb_store_begin (store, error)
                && put_marks (store, FB_STORE_BOOKMARK, job->marks[FB_STORE_BOOKMARK], error)
                && put_marks (store, FB_STORE_NOTE, job->marks[FB_STORE_NOTE], error)
                && put_scenarios (store, job->scenarios, error) && fb_store_commit (store, error)
                && fb_store_get_capture (store, &about, error);
  if (ok && !about.stored)
    {
      g_autoptr (FbCapture) capture = open_source (job->source, job->release, error);
      ok = capture && put_rows (store, capture, cancellable, error);
    }
  ok = ok && fb_store_save_as (store, job->path, error);
  if (ok)
    {
      job->stamp = fb_session_stamp (job->path);
      ok = note_saved (store, job, error);
    }
  if (!ok)
    fb_store_rollback (store);
  return ok;
}
