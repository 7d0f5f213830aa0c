/* What follows from a step and a selection: the node described, the difference as text, the next step that changes the node. */
#include <glib/gi18n.h>

#include "app/document-private.h"
#include "app/session-diffs.h"
#include "app/step-follow.h"

typedef struct
{
  FbStepView *view;
  FbUop *uop, *partner;
  int direction;        /* to find a change in */
  FbStepPosition found; /* that change */
  FbDiffScope scope;
  FbFile *file;
  guint64 before, after; /* KEYs of what is compared */
  guint generation;
} DetailJob;

static void
free_detail_job (gpointer data)
{
  DetailJob *job = data;
  g_clear_pointer (&job->view, fb_step_view_unref);
  g_clear_pointer (&job->file, fb_file_unref);
  g_free (job);
}

static GTask *
new_detail (FbDocument *doc, guint generation, GAsyncReadyCallback done)
{
  DetailJob *job = g_new0 (DetailJob, 1);
  job->view = fb_step_view_ref (doc->view);
  job->uop = doc->selection.uop;
  job->partner = doc->partner;
  job->scope = doc->scope;
  job->file = fb_file_ref (doc->file);
  job->generation = generation;
  GTask *task = g_task_new (doc, NULL, done, NULL);
  g_task_set_task_data (task, job, free_detail_job);
  doc->details++;
  return task;
}

static DetailJob *
end_detail (FbDocument *doc, GAsyncResult *result)
{
  DetailJob *job = g_task_get_task_data (G_TASK (result));
  doc->details--;
  fb_document_discard (doc, g_steal_pointer (&job->view), (GDestroyNotify) fb_step_view_unref);
  fb_document_discard (doc, g_steal_pointer (&job->file), (GDestroyNotify) fb_file_unref);
  return job;
}

static void
node_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DetailJob *job = data;
  g_task_return_pointer (task, fb_node_info_new (job->view, job->uop, job->partner),
                         (GDestroyNotify) fb_node_info_free);
}

static void
described (GObject *source, GAsyncResult *result, gpointer data)
{
  FbDocument *doc = FB_DOCUMENT (source);
  FbNodeInfo *node = g_task_propagate_pointer (G_TASK (result), NULL);
  DetailJob *job = end_detail (doc, result);
  if (job->generation != doc->node_generation)
    {
      fb_document_discard (doc, node, (GDestroyNotify) fb_node_info_free);
      return;
    }
  fb_document_discard (doc, doc->node, (GDestroyNotify) fb_node_info_free);
  doc->node = node;
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_NODE_DESCRIBED], 0);
}

void
fb_document_request_node (FbDocument *doc)
{
  guint generation = ++doc->node_generation;
  if (!doc->view || !doc->selection.uop)
    {
      fb_document_discard (doc, g_steal_pointer (&doc->node), (GDestroyNotify) fb_node_info_free);
      g_signal_emit (doc, fb_document_signals[FB_SIGNAL_NODE_DESCRIBED], 0);
      return;
    }
  g_autoptr (GTask) task = new_detail (doc, generation, described);
  fb_worker_push (doc->worker, task, FB_DETAIL, node_job);
}

/* --- the difference --- */

/* As the session has it, if it does. */
static FbTextDiff *
read_diff (FbFile *file, guint64 before, guint64 after)
{
  FbStore *session = fb_file_get_session (file);
  return session ? fb_session_read_diff (session, before, after) : NULL;
}

static void
diff_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DetailJob *job = data;
  FbTextDiff *diff = NULL;
  gboolean any = fb_step_view_diff_keys (job->view, job->scope, &job->before, &job->after);
  if (any && (diff = read_diff (job->file, job->before, job->after)))
    job->before = job->after = 0;
  if (any && !diff)
    diff = fb_step_view_diff (job->view, job->scope);
  g_task_return_pointer (task, diff, (GDestroyNotify) fb_text_diff_free);
}

static void
diffed (GObject *source, GAsyncResult *result, gpointer data)
{
  FbDocument *doc = FB_DOCUMENT (source);
  FbTextDiff *diff = g_task_propagate_pointer (G_TASK (result), NULL);
  DetailJob *job = end_detail (doc, result);
  if (job->generation != doc->diff_generation)
    {
      g_clear_pointer (&diff, fb_text_diff_free);
      return;
    }
  FbTextDiff *old = doc->diff;
  doc->diff = diff;
  doc->diff_before = diff ? job->before : 0;
  doc->diff_after = diff ? job->after : 0;
  /* Whoever shows the old one lets go of it here. */
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_DIFFED], 0);
  g_clear_pointer (&old, fb_text_diff_free);
}

void
fb_document_request_diff (FbDocument *doc)
{
  guint generation = ++doc->diff_generation;
  if (!doc->view || !doc->wants_diff)
    return;
  g_autoptr (GTask) task = new_detail (doc, generation, diffed);
  fb_worker_push (doc->worker, task, FB_DETAIL, diff_job);
}

void
fb_document_set_diff_scope (FbDocument *doc, FbDiffScope scope)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (doc->scope == scope)
    return;
  doc->scope = scope;
  fb_document_request_diff (doc);
}

void
fb_document_set_wants_diff (FbDocument *doc, gboolean wants)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (doc->wants_diff == wants)
    return;
  doc->wants_diff = wants;
  fb_document_request_diff (doc);
}

/* --- changes of the selected node --- */

static void
change_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DetailJob *job = data;
  g_task_return_boolean (task, fb_step_view_find_change (job->view, job->uop, job->direction, &job->found));
}

static void
change_found (GObject *source, GAsyncResult *result, gpointer data)
{
  FbDocument *doc = FB_DOCUMENT (source);
  g_autoptr (GError) error = NULL;
  gboolean found = g_task_propagate_boolean (G_TASK (result), &error);
  DetailJob *job = end_detail (doc, result);
  if (error || job->generation != doc->step_generation)
    {
      fb_document_set_busy (doc, FB_WAIT_CHANGE, FALSE, 0, NULL);
      return;
    }
  fb_document_set_busy (doc, FB_WAIT_CHANGE, FALSE, 0, NULL);
  if (found)
    fb_document_jump (doc, job->found.pass, job->found.step);
  else
    g_signal_emit (doc, fb_document_signals[FB_SIGNAL_NO_CHANGE], 0);
}

void
fb_document_go_to_change (FbDocument *doc, int direction)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (!doc->view || !doc->selection.uop || doc->step_running)
    return;
  GTask *task = g_task_new (doc, doc->cancellable, change_found, NULL);
  DetailJob *job = g_new0 (DetailJob, 1);
  job->view = fb_step_view_ref (doc->view);
  job->uop = doc->selection.uop;
  job->direction = direction;
  job->generation = doc->step_generation;
  g_task_set_task_data (task, job, free_detail_job);
  doc->details++;
  /* From now on the person follows this node. */
  doc->selection.mine = TRUE;
  fb_document_set_busy (doc, FB_WAIT_CHANGE, TRUE, 0.5, _ ("Looking for a step that changes the node"));
  fb_worker_push (doc->worker, task, FB_URGENT, change_job);
  g_object_unref (task);
}
