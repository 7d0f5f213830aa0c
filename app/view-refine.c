#include "app/view-refine.h"

#include <glib/gi18n.h>

#include "app/document-private.h"
#include "viz/dot.h"

static void
refine_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  FbScene *scene = fb_dot_refine (data, NULL, cancellable, &error);
  if (scene)
    g_task_return_pointer (task, scene, (GDestroyNotify) fb_scene_unref);
  else
    g_task_return_error (task, error);
}

void
fb_document_refine (FbDocument *doc, GAsyncReadyCallback done, gpointer data)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  g_autoptr (GTask) task = g_task_new (doc, doc->cancellable, done, data);
  if (!doc->view)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("There is no graph to lay out"));
      return;
    }
  g_task_set_task_data (task, fb_scene_ref (doc->view->scene), (GDestroyNotify) fb_scene_unref);
  fb_document_set_busy (doc, FB_WAIT_REFINE, TRUE, 0.5, _ ("Graphviz lays out the graph"));
  g_task_run_in_thread (task, refine_job);
}

FbViewState *
fb_document_refine_finish (FbDocument *doc, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, doc), NULL);
  g_autoptr (FbScene) scene = g_task_propagate_pointer (G_TASK (result), error);
  FbStorePlace place;
  fb_document_set_busy (doc, FB_WAIT_REFINE, FALSE, 0, NULL);
  if (!scene)
    return NULL;
  /* what is on the screen may be another picture by now */
  if (!doc->view || doc->view->scene != g_task_get_task_data (G_TASK (result)) || doc->step_running
      || !fb_document_get_shown_place (doc, &place))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Another graph is shown by now"));
      return NULL;
    }
  g_autoptr (FbViewPlaces) places = fb_view_places_new (&place, doc->view->scene->graph->view, scene);
  return fb_view_state_copy_placed (doc->view->base->state, places, place.pass);
}

gboolean
fb_document_is_refined (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  return doc->view && fb_view_state_get_places (doc->view_state, doc->view->pass);
}

FbViewState *
fb_document_unrefine (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && doc->view, NULL);
  return fb_view_state_copy_placed (doc->view_state, NULL, doc->view->pass);
}
