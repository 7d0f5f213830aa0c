/* What a person adds to a VIZ trace, its nodes as a list, and its schedules replayed. */
#include <string.h>

#include "app/node-list-private.h"
#include "app/note-editor.h"
#include "app/replay-page-private.h"
#include "core/session/store.h"
#include "fixture.h"

/* Row @row of a trace, at step 1 of its first pass with two steps, in a window whose private session is in the folder. */
static FbWindow *
open_trace (const char *name, guint row, guint *pass)
{
  g_autofree char *file = g_build_filename ("traces", name, NULL), *path = test_sample (file);
  FbWindow *window = test_open_in_folder (path, NULL, 0);
  const FbRowView *view;

  fb_document_load (window->doc, row);
  test_settle (window);
  view = fb_document_get_row (window->doc);
  for (*pass = 0; *pass < view->n_passes && view->passes[*pass].n_steps < 2; ++*pass)
    ;
  g_assert_cmpuint (*pass, <, view->n_passes);
  fb_document_jump (window->doc, *pass, 1);
  test_settle (window);
  return window;
}

static guint
n_marks (FbWindow *window, FbStoreMarkKind kind)
{
  return g_list_model_get_n_items (fb_session_file_get_marks (test_session_of (window), kind));
}

static void
test_bookmarks (void)
{
  guint pass;

  if (!test_has_display ())
    return;
  test_folder_make ();
  FbWindow *window = open_trace ("relu.v0.13.0.pkl", 3, &pass);
  FbStepMarks *marks = fb_document_get_marks (window->doc);
  test_do (window, "toggle-bookmark", NULL);
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 1);
  g_assert_true (fb_step_marks_has (marks, FB_STEP_BOOKMARK, (FbStepPosition){ pass, 1 }));
  test_do (window, "next-step", NULL);
  test_do (window, "toggle-bookmark", NULL);
  test_do (window, "previous-bookmark", NULL);
  test_assert_at (window, pass, 1);
  test_do (window, "next-bookmark", NULL);
  test_assert_at (window, pass, 2);
  /* another context has none of them, and they are there again */
  fb_document_load (window->doc, 1);
  test_settle (window);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BOOKMARK), ==, 0);
  fb_document_load (window->doc, 3);
  test_settle (window);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BOOKMARK), ==, 2);
  fb_document_jump (window->doc, pass, 1);
  test_settle (window);
  test_do (window, "toggle-bookmark", NULL);
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 1);
  test_close_session (window);
  test_folder_drop ();
}

static GtkTextBuffer *
note_buffer (FbWindow *window)
{
  GtkWidget *editor = test_find (GTK_WIDGET (window->inspector), FB_TYPE_NOTE_EDITOR);
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (test_find (editor, GTK_TYPE_TEXT_VIEW)));
}

static void
type_note (FbWindow *window, const char *text)
{
  test_do (window, "edit-note", NULL);
  gtk_text_buffer_set_text (note_buffer (window), text, -1);
  test_do (window, "focus-canvas", NULL);
  fb_inspector_flush_note (window->inspector);
}

static void
assert_note (FbWindow *window, const char *text)
{
  GtkTextIter start, end;
  GtkTextBuffer *buffer = note_buffer (window);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *shown = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  g_assert_cmpstr (shown, ==, text);
}

static void
select_root (FbWindow *window)
{
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  fb_document_select (window->doc, graph->nodes[graph->root].uop);
  test_settle (window);
}

/* Of a step, which keeps it to itself, and of a node, which takes it along, also into the session that is saved. */
static void
test_notes (void)
{
  guint pass;

  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *saved = test_in_folder ("mine.fusebox");
  FbWindow *window = open_trace ("relu.2026-08.pkl", 3, &pass);
  type_note (window, "why here?");
  select_root (window);
  test_do (window, "inspector-tab", "'node'");
  assert_note (window, "");
  type_note (window, "the end of it all");
  g_assert_cmpuint (n_marks (window, FB_STORE_NOTE), ==, 2);
  test_do (window, "inspector-tab", "'rule'");
  test_do (window, "next-step", NULL);
  assert_note (window, "");
  test_do (window, "previous-step", NULL);
  assert_note (window, "why here?");
  test_save_as (window, saved);
  test_close_session (window);

  window = test_open_in_folder (saved, NULL, 0);
  fb_document_load (window->doc, 3);
  test_settle (window);
  fb_document_jump (window->doc, pass, 1);
  test_settle (window);
  test_do (window, "inspector-tab", "'rule'");
  assert_note (window, "why here?");
  select_root (window);
  test_do (window, "inspector-tab", "'node'");
  assert_note (window, "the end of it all");
  test_close_session (window);
  test_folder_drop ();
}

static void
settle_list (FbWindow *window, FbNodeList *list)
{
  test_settle (window);
  while (gtk_filter_list_model_get_pending (list->filtered) || gtk_sort_list_model_get_pending (list->sorted)
         || list->settling || list->follow_source)
    g_main_context_iteration (NULL, TRUE);
}

static guint
card_at (FbNodeList *list, guint position)
{
  g_autoptr (FbIndexItem) item = g_list_model_get_item (G_LIST_MODEL (list->sorted), position);
  g_assert_nonnull (item);
  return fb_index_item_get (item);
}

/* Every card of the graph is in the list, is selected with it, and found by the name of its op. */
static void
test_node_list (void)
{
  guint pass, n_shown, n_all;

  if (!test_has_display ())
    return;
  test_folder_make ();
  FbWindow *window = open_trace ("relu.v0.11.0.pkl", 2, &pass);
  FbNodeList *list = FB_NODE_LIST (test_find (GTK_WIDGET (window), FB_TYPE_NODE_LIST));
  test_do (window, "show-nodes", NULL);
  settle_list (window, list);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list->sorted)), ==, graph->n_nodes);
  fb_document_select (window->doc, graph->nodes[graph->root].uop);
  settle_list (window, list);
  g_assert_cmpuint (card_at (list, gtk_single_selection_get_selected (list->selection)), ==, graph->root);
  gtk_single_selection_set_selected (list->selection, 0);
  test_settle (window);
  g_assert_true (fb_document_get_selected (window->doc) == graph->nodes[card_at (list, 0)].uop);
  fb_node_list_set_filter (list, fb_op_name (graph->nodes[graph->root].uop->op));
  settle_list (window, list);
  fb_node_list_get_counts (list, &n_shown, &n_all);
  g_assert_cmpuint (n_shown, >=, 1);
  g_assert_cmpuint (n_shown, <, n_all);
  test_close_session (window);
  test_folder_drop ();
}

static void
settle_replay (FbWindow *window)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  test_settle (window);
  while (!fb_replay_page_is_settled (window->replay_page) || !fb_replay_page_get_job (window->replay_page))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
  test_settle (window);
}

/* The schedules of 0.10.2 are recomputed, and a row of the result leads to its context. */
static void
test_replay (void)
{
  guint pass;

  if (!test_has_display ())
    return;
  test_folder_make ();
  FbWindow *window = open_trace ("relu.v0.10.2.pkl", 2, &pass);
  FbReplayPage *page = window->replay_page;
  const FbReplayReport *report;
  test_do (window, "replay", NULL);
  settle_replay (window);
  report = fb_replay_job_get_report (fb_replay_page_get_job (page));
  g_assert_cmpuint (report->statuses[FB_REPLAY_ROW_IDENTICAL], ==, 1);
  g_assert_cmpuint (fb_replay_report_n_replayed (report), ==, 1);
  g_assert_cmpuint (report->n_passes_alike, ==, report->n_passes);
  g_assert_cmpuint (report->n_passes, >, 0);
  g_assert_cmpuint (fb_replay_page_get_n_rows (page), ==, 0);
  test_close_session (window);
  test_folder_drop ();
}

/* Of other releases nothing is recomputed, and that is said. */
static void
test_replay_other (void)
{
  guint pass;

  if (!test_has_display ())
    return;
  test_folder_make ();
  FbWindow *window = open_trace ("relu.v0.13.0.pkl", 3, &pass);
  test_do (window, "replay", NULL);
  settle_replay (window);
  g_assert_cmpuint (fb_replay_report_n_rows (fb_replay_job_get_report (fb_replay_page_get_job (window->replay_page))),
                    ==, 0);
  g_assert_nonnull (strstr (gtk_label_get_label (window->replay_page->state_text), "0.10.2"));
  test_close_session (window);
  test_folder_drop ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/trace-marks/bookmarks", test_bookmarks);
  g_test_add_func ("/app/trace-marks/notes", test_notes);
  g_test_add_func ("/app/trace-marks/node-list", test_node_list);
  g_test_add_func ("/app/trace-marks/replay", test_replay);
  g_test_add_func ("/app/trace-marks/replay-of-other-releases", test_replay_other);
  return g_test_run ();
}
