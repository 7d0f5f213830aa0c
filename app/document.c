#include "app/document-private.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (FbDocument, fb_document, G_TYPE_OBJECT)

guint fb_document_signals[FB_N_DOCUMENT_SIGNALS];

/* --- freeing on the worker: contexts belong to it --- */

static void
free_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* The task data is dropped right here, so that its last reference goes on this thread. */
  g_task_set_task_data (task, NULL, NULL);
  g_task_return_boolean (task, TRUE);
}

void
fb_document_discard (FbDocument *doc, gpointer data, GDestroyNotify destroy)
{
  if (!data)
    return;
  GTask *task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_task_data (task, data, destroy);
  fb_worker_push (doc->worker, task, FB_IDLE, free_job);
  g_object_unref (task);
}

/* --- what the person waits for --- */

void
fb_document_set_busy (FbDocument *doc, FbWait wait, gboolean busy, double fraction, const char *words)
{
  gboolean was = doc->waits != 0;
  if (busy)
    doc->waits |= 1u << wait;
  else
    doc->waits &= ~(1u << wait);
  if (busy && words)
    {
      g_free (doc->busy_words);
      doc->busy_words = g_strdup (words);
      doc->busy_fraction = fraction;
    }
  if (!was && doc->waits)
    doc->busy_since = g_get_monotonic_time ();
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_BUSY], 0);
}

typedef struct
{
  FbDocument *doc;
  guint generation;
  double fraction;
  char *words;
} Stage;

static gboolean
show_stage (gpointer data)
{
  Stage *stage = data;
  if (stage->generation == stage->doc->row_generation && stage->doc->waits & (1u << FB_WAIT_ROW))
    fb_document_set_busy (stage->doc, FB_WAIT_ROW, TRUE, stage->fraction, stage->words);
  return G_SOURCE_REMOVE;
}

static void
free_stage (gpointer data)
{
  Stage *stage = data;
  g_object_unref (stage->doc);
  g_free (stage->words);
  g_free (stage);
}

void
fb_document_post_stage (FbDocument *doc, guint generation, double fraction, const char *words)
{
  Stage *stage = g_new (Stage, 1);
  *stage = (Stage){ g_object_ref (doc), generation, fraction, g_strdup (words) };
  g_idle_add_full (G_PRIORITY_DEFAULT, show_stage, stage, free_stage);
}

void
fb_document_fail (FbDocument *doc, const char *message)
{
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_FAILED], 0, message);
}

gboolean
fb_document_is_busy (FbDocument *doc, const char **words, double *fraction, gint64 *since)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  if (words)
    *words = doc->busy_words;
  if (fraction)
    *fraction = doc->busy_fraction;
  if (since)
    *since = doc->busy_since;
  return doc->waits != 0;
}

gboolean
fb_document_is_opening (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  return doc->waits & 1u << FB_WAIT_FILE;
}

gboolean
fb_document_is_settled (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), TRUE);
  return !doc->waits && !doc->details;
}

gboolean
fb_document_is_measured (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), TRUE);
  return !doc->row || doc->heat_stride == 0;
}

void
fb_document_cancel (FbDocument *doc)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  doc->open_generation++;
  doc->row_generation++;
  doc->step_generation++;
  g_cancellable_cancel (doc->cancellable);
  g_set_object (&doc->cancellable, NULL);
  doc->cancellable = g_cancellable_new ();
  doc->waits = 0;
  doc->step_running = FALSE;
  /* The picture on the screen stays, so the position goes back to it. */
  if (doc->view)
    {
      doc->row_number = doc->view->row->number;
      doc->pass = doc->view->pass;
      doc->step = doc->view->step;
      fb_view_state_ref (doc->view->base->state);
      fb_view_state_unref (doc->view_state);
      doc->view_state = doc->view->base->state;
    }
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_BUSY], 0);
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_MOVED], 0);
}

/* --- what is there --- */

const char *
fb_document_get_name (FbDocument *doc)
{
  return doc->name;
}

const char *
fb_document_get_path (FbDocument *doc)
{
  return doc->path;
}

guint
fb_document_get_n_rows (FbDocument *doc)
{
  return doc->n_rows;
}

FbRowKind
fb_document_get_row_kind (FbDocument *doc, guint row, guint *number)
{
  guint ignored;
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && doc->file, FB_ROW_SCHEDULE);
  return fb_file_locate (doc->file, row, number ? number : &ignored);
}

guint
fb_document_get_n_rows_like (FbDocument *doc, guint row)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && doc->file, 0);
  return row <= doc->file->n_main ? doc->file->n_main : doc->file->n_rows - doc->file->n_main;
}

gboolean
fb_document_has_both_kinds (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  return doc->file && doc->file->n_main && doc->file->n_main < doc->file->n_rows;
}

FbRowView *
fb_document_get_row (FbDocument *doc)
{
  return doc->row;
}

guint
fb_document_get_row_number (FbDocument *doc)
{
  return doc->row_number;
}

gboolean
fb_document_reached (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  return doc->reached;
}

FbStepView *
fb_document_get_view (FbDocument *doc)
{
  return doc->view;
}

const FbTextDiff *
fb_document_get_diff (FbDocument *doc)
{
  return doc->diff;
}

FbUop *
fb_document_get_selected (FbDocument *doc)
{
  return doc->selection.uop;
}

const FbNodeInfo *
fb_document_get_node (FbDocument *doc)
{
  return doc->node;
}

const FbHeat *
fb_document_get_heat (FbDocument *doc)
{
  return &doc->heat;
}

FbStepMarks *
fb_document_get_marks (FbDocument *doc)
{
  return doc->marks;
}

FbRuleTiming *
fb_document_get_timing (FbDocument *doc)
{
  return doc->timing;
}

/* --- life --- */

static void
fb_document_finalize (GObject *object)
{
  /* Every job holds a reference, so none is left but those that free things. */
  FbDocument *doc = FB_DOCUMENT (object);
  fb_document_close_session (doc);
  fb_document_clear_file (doc);
  g_free (doc->session_folder);
  fb_worker_free (doc->worker);
  g_clear_object (&doc->cancellable);
  g_clear_object (&doc->row_cancellable);
  g_clear_object (&doc->marks);
  g_object_run_dispose (G_OBJECT (doc->timing));
  g_clear_object (&doc->timing);
  g_array_unref (doc->history);
  g_clear_pointer (&doc->view_state, fb_view_state_unref);
  g_ptr_array_unref (doc->summaries);
  g_hash_table_unref (doc->asked);
  g_free (doc->busy_words);
  g_free (doc->complain_later);
  G_OBJECT_CLASS (fb_document_parent_class)->finalize (object);
}

static void
fb_document_class_init (FbDocumentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_document_finalize;
  static const char *const names[] = { "opened", "row-loaded", "moved", "step-shown", "selected", "node-described",
                                       "diffed", "heat",       "busy",  "no-change",  "step-told" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    fb_document_signals[i]
        = g_signal_new (names[i], FB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  fb_document_signals[FB_SIGNAL_SUMMARY]
      = g_signal_new ("summary", FB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  fb_document_signals[FB_SIGNAL_FAILED] = g_signal_new ("failed", FB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                                        NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
fb_document_init (FbDocument *doc)
{
  doc->worker = fb_worker_new ();
  doc->cancellable = g_cancellable_new ();
  doc->row_cancellable = g_cancellable_new ();
  doc->marks = fb_step_marks_new ();
  doc->timing = fb_rule_timing_new (doc);
  doc->side = FB_GRAPH_OVERLAY;
  doc->view_state = fb_view_state_new ();
  doc->asked = g_hash_table_new (NULL, NULL);
  doc->history = g_array_new (FALSE, FALSE, sizeof (FbPlace));
  doc->summaries = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_row_summary_free);
}

FbDocument *
fb_document_new (FbMetrics metrics)
{
  FbDocument *doc = g_object_new (FB_TYPE_DOCUMENT, NULL);
  doc->metrics = metrics;
  return doc;
}
