/* Sessions in the window: bookmarks, notes, saving, and coming back to where one was. */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/session/store.h"
#include "app/note-editor.h"
#include "app/view-state-text.h"
#include "app/document-private.h"
#include "fixture.h"

/* Private sessions that are kept. */
static guint
n_private (void)
{
  g_autofree char *path = test_in_folder ("private");
  g_autoptr (GPtrArray) unsaved = fb_session_folder_unsaved (path);
  return unsaved->len;
}

static guint
n_marks (FbWindow *window, FbStoreMarkKind kind)
{
  return g_list_model_get_n_items (fb_session_file_get_marks (test_session_of (window), kind));
}

static const char *
mark_text (FbWindow *window, FbStoreMarkKind kind, guint i)
{
  g_autoptr (FbBookmark) mark = g_list_model_get_item (fb_session_file_get_marks (test_session_of (window), kind), i);
  return fb_bookmark_get (mark)->text;
}

static const char *
title_of (FbWindow *window)
{
  return gtk_label_get_label (window->title_label);
}

/* --- bookmarks and notes --- */

static void
test_bookmarks (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *window = test_open_in_folder (lerp, NULL, 19);
  FbStepMarks *marks = fb_document_get_marks (window->doc);
  g_assert_cmpstr (title_of (window), ==, "lerp.db");
  test_do (window, "toggle-bookmark", NULL);
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 1);
  g_assert_cmpstr (mark_text (window, FB_STORE_BOOKMARK, 0), ==, "EXPAND → VIEW");
  g_assert_cmpstr (title_of (window), ==, "• lerp.db");
  g_assert_true (fb_step_marks_has (marks, FB_STEP_BOOKMARK, (FbStepPosition){ 0, 19 }));
  test_do (window, "first-step", NULL);
  test_do (window, "toggle-bookmark", NULL);
  test_do (window, "next-step", NULL);
  /* from one to the other, and back to the first */
  test_do (window, "next-bookmark", NULL);
  test_assert_at (window, 0, 19);
  test_do (window, "next-bookmark", NULL);
  test_assert_at (window, 0, 19);
  test_do (window, "previous-bookmark", NULL);
  test_assert_at (window, 0, 0);
  test_do (window, "toggle-bookmark", NULL);
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 1);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BOOKMARK), ==, 1);
  test_close_session (window);
  test_folder_drop ();
}

/* A key means one thing. */
static void
test_keys_once (void)
{
  guint n;
  const FbWindowKey *keys = fb_window_get_keys (&n);
  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; j < n; j++)
      if (keys[i].key == keys[j].key)
        g_error ("%s is %s and %s", gdk_keyval_name (keys[i].key), keys[i].action, keys[j].action);
}

static GtkWidget *
find_widget (GtkWidget *root, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);
      if (found)
        return found;
    }
  return NULL;
}

static void
type_note (FbWindow *window, const char *text)
{
  test_do (window, "edit-note", NULL);
  GtkWidget *editor = find_widget (GTK_WIDGET (window->inspector), FB_TYPE_NOTE_EDITOR);
  GtkWidget *view = find_widget (editor, GTK_TYPE_TEXT_VIEW);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  test_do (window, "focus-canvas", NULL);
  fb_inspector_flush_note (window->inspector);
}

static char *
shown_note (FbWindow *window)
{
  GtkWidget *editor = find_widget (GTK_WIDGET (window->inspector), FB_TYPE_NOTE_EDITOR);
  GtkWidget *view = find_widget (editor, GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

#define assert_note(window, text)                  \
  G_STMT_START                                     \
  {                                                \
    g_autofree char *shown_ = shown_note (window); \
    g_assert_cmpstr (shown_, ==, text);            \
  }                                                \
  G_STMT_END

static void
test_notes (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *window = test_open_in_folder (lerp, NULL, 19);
  type_note (window, "why here?");
  test_do (window, "inspector-tab", "'node'");
  assert_note (window, "");
  type_note (window, "about the view\nsecond line");
  g_assert_cmpuint (n_marks (window, FB_STORE_NOTE), ==, 2);
  test_do (window, "inspector-tab", "'rule'");
  assert_note (window, "why here?");
  /* another step has none; this one's is there again */
  test_do (window, "previous-step", NULL);
  assert_note (window, "");
  test_do (window, "next-step", NULL);
  assert_note (window, "why here?");
  /* an empty note is none */
  type_note (window, "  ");
  g_assert_cmpuint (n_marks (window, FB_STORE_NOTE), ==, 1);
  /* that of a node stays with the node from step to step */
  test_do (window, "inspector-tab", "'node'");
  guint64 key
      = fb_graph_find (fb_document_get_view (window->doc)->scene->graph, fb_document_get_selected (window->doc));
  key = fb_document_get_view (window->doc)->scene->graph->nodes[key].key;
  test_do (window, "next-step", NULL);
  g_assert_true (fb_document_select_key (window->doc, key));
  test_settle (window);
  assert_note (window, "about the view\nsecond line");
  test_close_session (window);
  test_folder_drop ();
}

/* --- saving and coming back --- */

static void
test_save_and_reopen (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *sample = test_sample ("mlp_train.db"), *saved = test_in_folder ("mine.fusebox");
  FbWindow *window = test_open_in_folder (sample, NULL, 0);
  test_do (window, "next-pass", NULL);
  test_do (window, "next-pass", NULL);
  test_do (window, "next-step", NULL);
  test_do (window, "next-step", NULL);
  guint pass, step;
  fb_document_get_position (window->doc, &pass, &step);
  test_do (window, "toggle-bookmark", NULL);
  type_note (window, "here");
  test_do (window, "walk", "(0, -1)");
  guint64 key = fb_document_get_picked_key (window->doc);
  g_assert_cmphex (key, !=, 0);
  test_do (window, "inspector-tab", "'node'");
  test_do (window, "diff-layout", "'side-by-side'");
  g_assert_true (fb_breakpoint_set_add (window->breakpoints, "rule=movement-to-view", NULL));
  g_assert_true (fb_breakpoint_set_add (window->breakpoints, "op=ADD", NULL));
  fb_breakpoint_set_enable (window->breakpoints, fb_breakpoint_set_find (window->breakpoints, "op=ADD"), FALSE);
  test_do (window, "zoom-in", NULL);
  test_do (window, "zoom-in", NULL);
  double x, y, zoom;
  g_assert_true (fb_canvas_get_middle (window->canvas, &x, &y, &zoom));
  test_save_as (window, saved);
  g_assert_cmpstr (title_of (window), ==, "mine.fusebox");
  test_close_session (window);
  g_assert_cmpuint (n_private (), ==, 0);

  /* one closed file, which is a capture too */
  g_autoptr (GDir) dir = g_dir_open (test_folder_get (), 0, NULL);
  const char *name;
  while ((name = g_dir_read_name (dir)))
    if (strcmp (name, "mine.fusebox") && strcmp (name, "private"))
      g_error ("%s is left beside the session", name);
  g_autoptr (FbCapture) capture = fb_capture_open (saved, NULL, NULL);
  g_assert_nonnull (capture);

  window = test_open_in_folder (saved, NULL, 0);
  test_assert_at (window, pass, step);
  g_assert_cmpstr (title_of (window), ==, "mine.fusebox");
  g_assert_cmphex (fb_document_get_picked_key (window->doc), ==, key);
  double x2, y2, zoom2;
  g_assert_true (fb_canvas_get_middle (window->canvas, &x2, &y2, &zoom2));
  g_assert_cmpfloat_with_epsilon (x2, x, 1);
  g_assert_cmpfloat_with_epsilon (y2, y, 1);
  g_assert_cmpfloat_with_epsilon (zoom2, zoom, 1e-6);
  g_autoptr (GVariant) layout = g_action_group_get_action_state (G_ACTION_GROUP (window), "diff-layout");
  g_autoptr (GVariant) tab = g_action_group_get_action_state (G_ACTION_GROUP (window), "inspector-tab");
  g_assert_cmpstr (g_variant_get_string (layout, NULL), ==, "side-by-side");
  g_assert_cmpstr (g_variant_get_string (tab, NULL), ==, "node");
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 1);
  g_assert_cmpuint (n_marks (window, FB_STORE_NOTE), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (window->breakpoints)), ==, 2);
  g_assert_cmpuint (fb_breakpoint_set_get_n_enabled (window->breakpoints), ==, 1);
  g_assert_true (
      fb_step_marks_has (fb_document_get_marks (window->doc), FB_STEP_BOOKMARK, (FbStepPosition){ pass, step }));
  /* changed and saved again, in place */
  test_do (window, "first-step", NULL);
  test_do (window, "toggle-bookmark", NULL);
  g_assert_cmpstr (title_of (window), ==, "• mine.fusebox");
  test_do (window, "save", NULL);
  test_settle_session (window);
  test_close_session (window);
  window = test_open_in_folder (saved, NULL, 0);
  test_assert_at (window, pass, 0);
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 2);
  /* another place asked for is gone to */
  fb_window_open (window, saved, 1, "simplify", 3);
  test_settle (window);
  test_assert_at (window, 0, 3);
  test_close_session (window);
  test_folder_drop ();
}

/* A difference that was looked at is read from the session the next time, and is the same. */
static void
test_differences (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *saved = test_in_folder ("lerp.fusebox");
  FbWindow *window = test_open_in_folder (lerp, NULL, 0);
  for (guint scope = 0; scope < 2; scope++)
    {
      test_do (window, "diff-scope", scope ? "'graph'" : "'uop'");
      for (guint step = 15; step <= 19; step++)
        {
          fb_document_go (window->doc, 0, step);
          test_settle (window);
          test_settle_session (window);
        }
    }
  g_autofree char *first = fb_text_diff_to_text (fb_document_get_diff (window->doc));
  g_assert_cmphex (window->doc->diff_before, ==, 0);
  test_save_as (window, saved);
  test_close_session (window);
  g_autoptr (FbStore) store = fb_store_open (saved, FB_STORE_READ, NULL);
  FbStoreCounts counts;
  g_assert_true (fb_store_count (store, &counts, NULL));
  g_assert_cmpint (counts.diffs, ==, 10);

  window = test_open_in_folder (saved, NULL, 0);
  const FbTextDiff *diff = fb_document_get_diff (window->doc);
  g_autofree char *again = fb_text_diff_to_text (diff);
  g_assert_cmpstr (again, ==, first);
  /* read, not made: those point into one text */
  g_assert_null (diff->after);
  test_close_session (window);
  test_folder_drop ();
}

/* Where the first card of the picture stands. */
static float
first_card (FbWindow *window)
{
  return fb_scene_card (fb_document_get_view (window->doc)->scene, 0).x;
}

/* Moves all places in the session @path by @by px. */
static void
move_places (const char *path, guint64 digest, float by)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_WRITE, &error);
  g_assert_no_error (error);
  g_autoptr (GBytes) bytes = fb_store_get_places (store, digest, &error);
  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  gsize size;
  g_autofree guint32 *words = g_bytes_unref_to_data (g_bytes_ref (bytes), &size);
  /* a head of 14 words, the places of lives, then where they stand; the head begins with two words and how many these are */
  guint32 n = words[2], n_places = words[3];
  for (guint32 i = 0; i < n_places; i++)
    {
      float x;
      memcpy (&x, &words[14 + n + i], sizeof x);
      x += by;
      memcpy (&words[14 + n + i], &x, sizeof x);
    }
  g_autoptr (GBytes) moved = g_bytes_new (words, size);
  g_clear_pointer (&store, fb_store_free);
  test_run_sql (path, "DELETE FROM places");
  store = fb_store_open (path, FB_STORE_WRITE, &error);
  g_assert_no_error (error);
  g_assert_true (fb_store_put_places (store, digest, moved, &error));
}

/* Places of a large pass are read from the session the next time. */
static void
test_places_are_kept (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *sample = test_sample ("convnet_train.db"), *saved = test_in_folder ("convnet.fusebox");
  FbWindow *window = test_open_in_folder (sample, "1", 40);
  test_settle_session (window);
  float before = first_card (window), by = 1000;
  guint64 digest = window->doc->base->digest;
  g_assert_cmphex (digest, !=, 0);
  test_save_as (window, saved);
  test_close_session (window);
  window = test_open_in_folder (saved, NULL, 0);
  g_assert_cmpfloat (first_card (window), ==, before);
  test_close_session (window);
  move_places (saved, digest, by);
  window = test_open_in_folder (saved, NULL, 0);
  g_assert_cmpfloat_with_epsilon (first_card (window), before + by, 1);
  test_close_session (window);
  test_folder_drop ();
}

/* What was hidden and collapsed is so again. */
static void
test_view_of_the_graph (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *saved = test_in_folder ("lerp.fusebox");
  FbWindow *window = test_open_in_folder (lerp, NULL, 16);
  FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  guint32 n_whole = graph->n_nodes;
  test_do (window, "hide", NULL);
  graph = fb_document_get_view (window->doc)->scene->graph;
  guint32 n_cards = graph->n_nodes, n_hidden = fb_graph_n_hidden (graph);
  g_assert_cmpuint (n_cards, <, n_whole);
  g_assert_cmpuint (n_hidden, >, 0);
  test_do (window, "collapse-chains", NULL);
  graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpuint (graph->n_nodes, <, n_cards);
  n_cards = graph->n_nodes;
  test_save_as (window, saved);
  test_close_session (window);
  window = test_open_in_folder (saved, NULL, 0);
  test_assert_at (window, 0, 16);
  graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpuint (graph->n_nodes, ==, n_cards);
  g_assert_cmpuint (fb_graph_n_hidden (graph), ==, n_hidden);
  g_autoptr (GVariant) chains = g_action_group_get_action_state (G_ACTION_GROUP (window), "collapse-chains");
  g_assert_true (g_variant_get_boolean (chains));
  test_do (window, "show-all", NULL);
  graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpuint (fb_graph_n_hidden (graph), ==, 0);
  test_close_session (window);
  test_folder_drop ();
}

/* Texts of views that a stranger's file might hold. */
static void
test_view_texts (void)
{
  static const char *const nonsense[]
      = { "", "true", "(true, false, false, uint32 0)", "(false, false, false, 0, [(9, [1])], [], [], [])",
          "(false, false, false, 0, [], [(0, ['a'])], [], [])" };
  for (guint i = 0; i < G_N_ELEMENTS (nonsense); i++)
    g_assert_null (fb_view_state_from_text (nonsense[i]));
  g_autoptr (FbViewState) state = fb_view_state_from_text (
      "(true, false, true, 4294967295, [(0, [7])], [(0, [1, 18446744073709551615])], [(1, [2]), (2, [])], [])");
  g_assert_nonnull (state);
  g_assert_true (state->chains && !state->kernels && state->frames);
  g_assert_cmpuint (state->radius, <=, 1000);
  g_assert_true (fb_node_set_has (state->focus, 7));
  g_assert_true (fb_node_set_has (g_ptr_array_index (state->hidden, 0), G_MAXUINT64));
  g_assert_cmpuint (state->groups->len, ==, 2);
  g_autofree char *text = fb_view_state_to_text (state);
  g_autoptr (FbViewState) again = fb_view_state_from_text (text);
  g_autofree char *same = fb_view_state_to_text (again);
  g_assert_cmpstr (text, ==, same);
}

/* What was not saved is there again, and the session of what was looked at only is not kept. */
static void
test_unsaved_is_kept (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *saved = test_in_folder ("lerp.fusebox");
  FbWindow *window = test_open_in_folder (lerp, NULL, 19);
  test_settle_session (window);
  test_close_session (window);
  g_assert_cmpuint (n_private (), ==, 0);
  window = test_open_in_folder (lerp, NULL, 19);
  test_do (window, "toggle-bookmark", NULL);
  test_close_session (window);
  g_assert_cmpuint (n_private (), ==, 1);
  window = test_open_in_folder (lerp, NULL, 0);
  test_assert_at (window, 0, 19);
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 1);
  g_assert_cmpstr (title_of (window), ==, "• lerp.db");
  /* in use, so no other program takes it */
  g_assert_cmpuint (n_private (), ==, 0);
  g_autoptr (GError) error = NULL;
  g_autofree char *private = test_in_folder ("private");
  FbSessionStart *other = fb_session_start_new (private, lerp, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (other->bookmarks->len, ==, 0);
  fb_session_start_discard (other);
  test_save_as (window, saved);
  test_close_session (window);
  g_assert_cmpuint (n_private (), ==, 0);
  test_folder_drop ();
}

/* Taken up from the list of what is not saved; the capture itself may be gone. */
static void
test_capture_is_gone (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *sample = test_sample ("lerp.db"), *lerp = test_in_folder ("lerp.db"),
                  *private = test_in_folder ("private"), *contents = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (sample, &contents, &size, NULL));
  g_assert_true (g_file_set_contents (lerp, contents, (gssize) size, NULL));
  FbWindow *window = test_open_in_folder (lerp, NULL, 19);
  test_do (window, "toggle-bookmark", NULL);
  test_settle_session (window);
  test_close_session (window);
  g_unlink (lerp);
  g_autoptr (GPtrArray) unsaved = fb_session_folder_unsaved (private);
  g_assert_cmpuint (unsaved->len, ==, 1);
  const FbUnsavedSession *left = g_ptr_array_index (unsaved, 0);
  g_assert_cmpstr (left->name, ==, "lerp.db");
  g_assert_cmpint (left->marks, ==, 1);
  window = test_open_in_folder (left->path, NULL, 0);
  test_assert_at (window, 0, 19);
  g_assert_cmpstr (title_of (window), ==, "• lerp.db");
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 1);
  test_close_session (window);
  test_folder_drop ();
}

/* A capture that has grown since: what was noted about its rows stays. */
static void
test_capture_has_changed (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *sample = test_sample ("lerp.db"), *lerp = test_in_folder ("lerp.db"), *contents = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (sample, &contents, &size, NULL));
  g_assert_true (g_file_set_contents (lerp, contents, (gssize) size, NULL));
  FbWindow *window = test_open_in_folder (lerp, NULL, 19);
  test_do (window, "toggle-bookmark", NULL);
  test_settle_session (window);
  test_close_session (window);
  g_usleep (20000);
  g_assert_true (g_file_set_contents (lerp, contents, (gssize) size, NULL));
  window = test_open_in_folder (lerp, NULL, 3);
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 1);
  test_settle_session (window);
  test_close_session (window);
  g_assert_cmpuint (n_private (), ==, 1);
  test_folder_drop ();
}

/* A file that somebody else replaced is not overwritten unless it is named. */
static void
test_changed_by_another (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *saved = test_in_folder ("lerp.fusebox"),
                  *no = test_in_folder ("no/such.fusebox");
  FbWindow *window = test_open_in_folder (lerp, NULL, 3);
  test_do (window, "toggle-bookmark", NULL);
  test_save_as (window, saved);
  g_autoptr (FbStore) other = fb_store_open (saved, FB_STORE_WRITE, NULL);
  g_assert_true (fb_store_set_state (other, "step", "4", NULL));
  g_clear_pointer (&other, fb_store_free);
  test_do (window, "first-step", NULL);
  test_do (window, "toggle-bookmark", NULL);
  test_do (window, "save", NULL);
  test_settle_session (window);
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  g_assert_nonnull (strstr (gtk_label_get_label (window->banner_label), saved));
  g_assert_cmpstr (title_of (window), ==, "• lerp.fusebox");
  /* where nothing can be written that is said, and nothing is lost */
  test_save_as (window, no);
  g_assert_nonnull (strstr (gtk_label_get_label (window->banner_label), no));
  g_assert_cmpstr (title_of (window), ==, "• lerp.fusebox");
  test_save_as (window, saved);
  g_assert_cmpstr (title_of (window), ==, "lerp.fusebox");
  test_close_session (window);
  test_folder_drop ();
}

/* --- a program that was killed --- */

static void
mark_changed (void)
{
}

/* Opens lerp in the folder, sets bookmarks, and is killed as soon as they are written. */
static int
be_killed (const char *private)
{
  g_autofree char *lerp = test_sample ("lerp.db");
  FbSessionStart *start = fb_session_start_new (private, lerp, NULL, NULL);
  FbSessionFile *session = start ? fb_session_file_new (start) : NULL;
  if (!session)
    return 1;
  g_signal_connect (session, "marks-changed", G_CALLBACK (mark_changed), NULL);
  for (guint i = 1; i <= 5; i++)
    fb_session_file_put (session, FB_STORE_BOOKMARK, &(FbStorePlace){ FB_ROW_SCHEDULE, 1, 0, i }, 0, "kept");
  fb_session_file_set_state (session, "kind", "0");
  fb_session_file_set_state (session, "row", "1");
  fb_session_file_set_state (session, "pass", "0");
  fb_session_file_set_state (session, "step", "5");
  while (fb_session_file_is_busy (session))
    g_main_context_iteration (NULL, FALSE);
  return kill (getpid (), SIGKILL);
}

static void
test_killed (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *private = test_in_folder ("private");
  char *argv[] = { (char *) "/proc/self/exe", (char *) "--be-killed", private, NULL };
  int status;
  g_assert_true (g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  FbWindow *window = test_open_in_folder (lerp, NULL, 0);
  g_assert_cmpuint (n_marks (window, FB_STORE_BOOKMARK), ==, 5);
  test_assert_at (window, 0, 5);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window->note)));
  test_close_session (window);
  g_assert_cmpuint (n_private (), ==, 1);
  test_folder_drop ();
}

/* No folder to keep anything in: the capture opens all the same, and the window says so. */
static void
test_no_folder (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *private = test_in_folder ("private");
  g_assert_true (g_file_set_contents (private, "in the way", -1, NULL));
  FbWindow *window = test_open_in_folder (lerp, NULL, 3);
  test_assert_at (window, 0, 3);
  g_assert_null (fb_document_get_session (window->doc, NULL));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "save"));
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  test_close_session (window);
  test_folder_drop ();
}

int
main (int argc, char **argv)
{
  if (argc == 3 && !strcmp (argv[1], "--be-killed"))
    return be_killed (argv[2]);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/session/bookmarks", test_bookmarks);
  g_test_add_func ("/app/session/keys-once", test_keys_once);
  g_test_add_func ("/app/session/notes", test_notes);
  g_test_add_func ("/app/session/save-and-reopen", test_save_and_reopen);
  g_test_add_func ("/app/session/differences", test_differences);
  g_test_add_func ("/app/session/places-are-kept", test_places_are_kept);
  g_test_add_func ("/app/session/view-of-the-graph", test_view_of_the_graph);
  g_test_add_func ("/app/session/view-texts", test_view_texts);
  g_test_add_func ("/app/session/unsaved-is-kept", test_unsaved_is_kept);
  g_test_add_func ("/app/session/capture-is-gone", test_capture_is_gone);
  g_test_add_func ("/app/session/capture-has-changed", test_capture_has_changed);
  g_test_add_func ("/app/session/changed-by-another", test_changed_by_another);
  g_test_add_func ("/app/session/killed", test_killed);
  g_test_add_func ("/app/session/no-folder", test_no_folder);
  return g_test_run ();
}
