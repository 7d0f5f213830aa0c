/* The open file: its rows, what the list says about them, and forgetting it. */
#include "app/document-private.h"

FbFile *
fb_file_ref (FbFile *file)
{
  g_atomic_ref_count_inc (&file->refs);
  return file;
}

void
fb_file_unref (FbFile *file)
{
  if (!file || !g_atomic_ref_count_dec (&file->refs))
    return;
  g_free (file->row_keys);
  fb_store_free (file->session);
  g_free (file->session_path);
  fb_capture_free (file->capture);
  fb_context_free (file->scratch);
  g_free (file);
}

FbStore *
fb_file_get_session (FbFile *file)
{
  if (!file->session && file->session_path)
    {
      file->session = fb_store_open (file->session_path, FB_STORE_SHARE, NULL);
      /* tried once */
      if (!file->session)
        g_clear_pointer (&file->session_path, g_free);
    }
  return file->session;
}

FbRowKind
fb_file_locate (const FbFile *file, guint row, guint *number)
{
  gboolean main = row <= file->n_main;
  *number = main ? row : row - file->n_main;
  return main ? file->kind : FB_ROW_KERNEL;
}

guint
fb_file_find (const FbFile *file, FbRowKind kind, guint number)
{
  guint n = kind == file->kind ? file->n_main : kind == FB_ROW_KERNEL ? file->n_rows - file->n_main : 0;
  guint before = kind == file->kind ? 0 : file->n_main;
  return number >= 1 && number <= n ? before + number : 0;
}

/* --- what the list says --- */

typedef struct
{
  FbFile *file;
  guint number; /* among all rows */
} SummaryJob;

static void
free_summary_job (gpointer data)
{
  SummaryJob *job = data;
  fb_file_unref (job->file);
  g_free (job);
}

static void
summary_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const SummaryJob *job = data;
  guint number;
  FbRowKind kind = fb_file_locate (job->file, job->number, &number);
  FbRowSummary *summary = fb_row_summary_new (job->file->capture, kind, number, job->file->scratch);
  g_task_return_pointer (task, summary, (GDestroyNotify) fb_row_summary_free);
}

static void
summarized (GObject *source, GAsyncResult *result, gpointer data)
{
  FbDocument *doc = FB_DOCUMENT (source);
  const SummaryJob *job = g_task_get_task_data (G_TASK (result));
  FbRowSummary *summary = g_task_propagate_pointer (G_TASK (result), NULL);
  if (!summary || job->file != doc->file)
    {
      fb_row_summary_free (summary);
      return;
    }
  g_hash_table_remove (doc->asked, GUINT_TO_POINTER (job->number));
  fb_row_summary_free (g_ptr_array_index (doc->summaries, job->number - 1));
  g_ptr_array_index (doc->summaries, job->number - 1) = summary;
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_SUMMARY], 0, job->number);
}

const FbRowSummary *
fb_document_get_summary (FbDocument *doc, guint row, gboolean ask)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), NULL);
  if (row < 1 || row > doc->n_rows)
    return NULL;
  const FbRowSummary *summary = g_ptr_array_index (doc->summaries, row - 1);
  if (summary || !ask || !g_hash_table_add (doc->asked, GUINT_TO_POINTER (row)))
    return summary;
  SummaryJob *job = g_new (SummaryJob, 1);
  *job = (SummaryJob){ fb_file_ref (doc->file), row };
  g_autoptr (GTask) task = g_task_new (doc, NULL, summarized, NULL);
  g_task_set_task_data (task, job, free_summary_job);
  fb_worker_push (doc->worker, task, FB_IDLE, summary_job);
  return NULL;
}

const char *
fb_document_get_row_key (FbDocument *doc, guint row)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), NULL);
  return row >= 1 && row <= doc->n_rows ? doc->file->row_keys[row - 1] : NULL;
}

/* --- forgetting --- */

void
fb_document_clear_row (FbDocument *doc)
{
  g_cancellable_cancel (doc->row_cancellable);
  g_object_unref (doc->row_cancellable);
  doc->row_cancellable = g_cancellable_new ();
  doc->row_generation++;
  doc->step_generation++;
  doc->node_generation++;
  doc->diff_generation++;
  doc->step_running = FALSE;
  fb_document_discard (doc, g_steal_pointer (&doc->node), (GDestroyNotify) fb_node_info_free);
  g_clear_pointer (&doc->diff, fb_text_diff_free);
  fb_document_discard (doc, g_steal_pointer (&doc->view), (GDestroyNotify) fb_step_view_unref);
  fb_document_discard (doc, g_steal_pointer (&doc->base), (GDestroyNotify) fb_view_base_unref);
  /* what was hidden and collapsed was of that row; how graphs are looked at stays */
  FbViewState *state = fb_view_state_new ();
  state->chains = doc->view_state->chains;
  state->kernels = doc->view_state->kernels;
  state->frames = doc->view_state->frames;
  fb_view_state_unref (doc->view_state);
  doc->view_state = state;
  fb_document_discard (doc, g_steal_pointer (&doc->row), (GDestroyNotify) fb_row_view_unref);
  g_clear_pointer (&doc->heat.touched, g_free);
  g_clear_pointer (&doc->heat.growth, g_free);
  doc->heat.n_known = doc->heat.most = 0;
  doc->selection = (FbSelection){ NULL };
  doc->partner = NULL;
  doc->compares = FALSE;
  fb_step_marks_clear_all (doc->marks);
}

void
fb_document_clear_file (FbDocument *doc)
{
  fb_document_clear_row (doc);
  fb_document_close_session (doc);
  g_clear_pointer (&doc->path, g_free);
  g_clear_pointer (&doc->name, g_free);
  g_ptr_array_set_size (doc->summaries, 0);
  g_hash_table_remove_all (doc->asked);
  g_array_set_size (doc->history, 0);
  doc->history_at = 0;
  doc->n_rows = doc->row_number = 0;
  fb_document_discard (doc, g_steal_pointer (&doc->file), (GDestroyNotify) fb_file_unref);
}
