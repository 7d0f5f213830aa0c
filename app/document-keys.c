/* The keys of all nodes on the screen, for the list of nodes. */
#include "app/document-private.h"
#include "core/ir/text.h"

static void
free_view (gpointer view)
{
  fb_step_view_unref (view);
}

static void
keys_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FbStepView *view = data;
  const FbGraph *graph = view->scene->graph;
  FbContext *context = fb_step_view_context (view);
  GArray *keys = g_array_sized_new (FALSE, TRUE, sizeof (guint64), graph->n_nodes);
  for (guint32 i = 0; i < graph->n_nodes && !g_cancellable_is_cancelled (cancellable); i++)
    {
      guint64 start = 0;
      const guint8 *key = graph->nodes[i].uop ? fb_uop_key (context, graph->nodes[i].uop) : NULL;
      for (guint byte = 0; key && byte < sizeof start; byte++)
        start = start << 8 | key[byte];
      g_array_append_val (keys, start);
    }
  g_task_return_pointer (task, keys, (GDestroyNotify) g_array_unref);
}

void
fb_document_list_keys_async (FbDocument *doc, GCancellable *cancellable, GAsyncReadyCallback done, gpointer data)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc) && doc->view);
  g_autoptr (GTask) task = g_task_new (doc, cancellable, done, data);
  g_task_set_task_data (task, fb_step_view_ref (doc->view), NULL);
  doc->details++;
  fb_worker_push (doc->worker, task, FB_DETAIL, keys_job);
}

GArray *
fb_document_list_keys_finish (FbDocument *doc, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && g_task_is_valid (result, doc), NULL);
  doc->details--;
  fb_document_discard (doc, g_task_get_task_data (G_TASK (result)), free_view);
  return g_task_propagate_pointer (G_TASK (result), error);
}
