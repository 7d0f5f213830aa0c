/* The document's session: its bookmarks and notes, and where it was left. */
#include "app/document-private.h"

void
fb_document_set_session_folder (FbDocument *doc, const char *folder)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  g_free (doc->session_folder);
  doc->session_folder = g_strdup (folder);
}

FbSessionFile *
fb_document_get_session (FbDocument *doc, const char **error)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), NULL);
  if (error)
    *error = doc->session_error;
  return doc->session;
}

/* --- its life --- */

/* Bookmarks of the row, for whoever draws them. */
void
fb_document_fill_bookmarks (FbDocument *doc)
{
  FbStepMarks *marks = doc->marks;
  FbStorePlace here;
  fb_step_marks_clear (marks, FB_STEP_BOOKMARK);
  if (!doc->session || !doc->row || !fb_document_get_place (doc, &here))
    return;
  GListModel *list = fb_session_file_get_marks (doc->session, FB_STORE_BOOKMARK);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (FbBookmark) item = g_list_model_get_item (list, i);
      const FbStoreMark *mark = fb_bookmark_get (item);
      FbStepPosition position = { mark->place.pass, mark->place.step };
      if (mark->place.kind == here.kind && mark->place.row == here.row && fb_step_position_exists (doc->row, position))
        fb_step_marks_add (marks, FB_STEP_BOOKMARK, position, *mark->text ? mark->text : NULL);
    }
}

void
fb_document_take_session (FbDocument *doc, FbSessionFile *session, const char *error)
{
  g_clear_pointer (&doc->session_error, g_free);
  doc->session_error = g_strdup (error);
  doc->session = session;
  if (!session)
    return;
  g_signal_connect_object (doc->session, "marks-changed", G_CALLBACK (fb_document_fill_bookmarks), doc,
                           G_CONNECT_SWAPPED);
}

void
fb_document_close_session (FbDocument *doc)
{
  g_clear_pointer (&doc->session_error, g_free);
  if (!doc->session)
    return;
  g_signal_handlers_disconnect_by_data (doc->session, doc);
  fb_session_file_close (doc->session);
  g_clear_object (&doc->session);
}

/* --- places --- */

gboolean
fb_document_get_place (FbDocument *doc, FbStorePlace *place)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && place, FALSE);
  if (!doc->file || !doc->row_number)
    return FALSE;
  place->kind = fb_file_locate (doc->file, doc->row_number, &place->row);
  place->pass = doc->pass;
  place->step = doc->step;
  return TRUE;
}

gboolean
fb_document_get_shown_place (FbDocument *doc, FbStorePlace *place)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && place, FALSE);
  if (!doc->file || !doc->view)
    return FALSE;
  place->kind = fb_file_locate (doc->file, doc->view->row->number, &place->row);
  place->pass = doc->view->pass;
  place->step = doc->view->step;
  return TRUE;
}

void
fb_document_begin_with_view_state (FbDocument *doc, FbViewState *state)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc) && state && !doc->view);
  fb_view_state_ref (state);
  fb_view_state_unref (doc->view_state);
  doc->view_state = state;
}

void
fb_document_store_diff (FbDocument *doc)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (doc->session && doc->diff && doc->diff_before)
    fb_session_file_put_diff (doc->session, doc->diff_before, doc->diff_after, doc->diff);
  doc->diff_before = doc->diff_after = 0;
}

char *
fb_document_name_position (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), NULL);
  const FbPassView *pass = doc->row && doc->pass < doc->row->n_passes ? &doc->row->passes[doc->pass] : NULL;
  const FbMatch *match
      = pass && doc->step >= 1 && doc->step <= pass->n_steps ? fb_pass_match (pass->pass, doc->step - 1) : NULL;
  if (match)
    return g_strdup_printf ("%s → %s", fb_op_name (match->before->op), fb_op_name (match->after->op));
  return pass ? fb_pass_view_title (pass) : g_strdup (doc->name ? doc->name : "");
}

guint64
fb_document_get_picked_key (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), 0);
  return doc->selection.uop && doc->selection.mine ? doc->selection.key : 0;
}

guint
fb_document_find_row (FbDocument *doc, const FbStorePlace *place)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && place, 0);
  return doc->file ? fb_file_find (doc->file, place->kind, place->row) : 0;
}

void
fb_document_go_to_place (FbDocument *doc, const FbStorePlace *place)
{
  guint row = fb_document_find_row (doc, place);
  if (!row)
    return;
  if (row == doc->row_number && doc->row)
    {
      fb_document_jump (doc, place->pass, place->step);
      return;
    }
  if (doc->row)
    fb_document_note_jump (doc, row, place->pass, place->step);
  fb_document_load_at (doc, row, place->pass, place->step);
}

gboolean
fb_document_select_key (FbDocument *doc, guint64 key)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  const FbGraph *graph = doc->view && key ? doc->view->scene->graph : NULL;
  for (guint32 i = 0; graph && i < graph->n_nodes; i++)
    if (graph->nodes[i].key == key)
      {
        fb_document_select (doc, graph->nodes[i].uop);
        return TRUE;
      }
  return FALSE;
}
