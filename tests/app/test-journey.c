/* A whole journey through the window with the keys a person presses: open, step, search, break, bookmark, save, and back to the same
 * step. Keys come from the X server (xdotool); without it the test is skipped. */
#include <glib/gstdio.h>
#include <string.h>

#include "util.h"

static gboolean
has_keys (void)
{
  g_autofree char *xdotool = g_find_program_in_path ("xdotool");
  if (!test_has_display ())
    return FALSE;
  if (!xdotool)
    {
      g_test_skip ("no xdotool");
      return FALSE;
    }
  return TRUE;
}

static void
settle (FbWindow *window)
{
  test_settle (window);
  while (!fb_window_is_settled (window) || !fb_window_is_query_settled (window)
         || !fb_window_is_session_settled (window))
    g_main_context_iteration (NULL, TRUE);
}

static void
ended (GObject *process, GAsyncResult *result, gpointer data)
{
  g_assert_true (g_subprocess_wait_check_finish (G_SUBPROCESS (process), result, NULL));
  *(gboolean *) data = TRUE;
}

/* @how: "key" or "type". */
static void
send_keys (FbWindow *window, const char *how, const char *what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process
      = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, "xdotool", how, "--delay", "20", what, NULL);
  g_assert_no_error (error);
  gboolean done = FALSE;
  g_subprocess_wait_check_async (process, NULL, ended, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  /* Events are on their way when xdotool has ended. */
  test_wait (150);
  settle (window);
}

static void
press (FbWindow *window, const char *key)
{
  send_keys (window, "key", key);
}

/* Until the window has the keyboard: nobody manages windows on a test's display. */
static FbWindow *
open_focused (const char *path, const char *private)
{
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  fb_document_set_session_folder (window->doc, private);
  fb_window_open (window, path, 0, NULL, 0);
  settle (window);
  for (guint i = 0; i < 100 && !gtk_window_is_active (GTK_WINDOW (window)); i++)
    {
      gtk_window_present (GTK_WINDOW (window));
      test_wait (50);
    }
  test_wait (200);
  return window;
}

static void
assert_place (FbWindow *window, guint pass, guint step)
{
  guint p, s;
  fb_document_get_position (window->doc, &p, &s);
  /* Where a rule fires next is found out first. */
  for (guint i = 0; i < 100 && (p != pass || s != step); i++)
    {
      test_wait (50);
      fb_document_get_position (window->doc, &p, &s);
    }
  settle (window);
  g_assert_cmpuint (p, ==, pass);
  g_assert_cmpuint (s, ==, step);
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        remove_folder (inner);
      else
        g_unlink (inner);
    }
  g_rmdir (path);
}

static void
test_journey (void)
{
  if (!has_keys ())
    return;
  g_autofree char *folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  g_autofree char *private = g_build_filename (folder, "private", NULL);
  g_autofree char *saved = g_build_filename (folder, "mine.fusebox", NULL);
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *window = open_focused (lerp, private);
  if (!gtk_window_is_active (GTK_WINDOW (window)))
    {
      g_test_skip ("the display gives the window no keyboard");
      test_close (window);
      return;
    }
  /* step */
  press (window, "Right");
  press (window, "Right");
  assert_place (window, 0, 2);
  press (window, "Left");
  assert_place (window, 0, 1);
  press (window, "End");
  assert_place (window, 0, 21);
  press (window, "Home");
  assert_place (window, 0, 0);
  press (window, "Down");
  guint pass, step;
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (pass, >, 0);
  press (window, "Up");
  /* search this graph: Enter goes to the hit, Escape back to the graph */
  press (window, "slash");
  g_assert_true (fb_search_panel_is_open (window->search_panel));
  send_keys (window, "type", "op:RESHAPE");
  g_assert_cmpuint (fb_search_panel_get_n_hits (window->search_panel), ==, 7);
  press (window, "Return");
  FbUop *found = fb_document_get_selected (window->doc);
  g_assert_nonnull (found);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpstr (graph->nodes[fb_graph_find (graph, found)].title, ==, "RESHAPE");
  press (window, "Escape");
  g_assert_false (fb_search_panel_is_open (window->search_panel));
  /* break where the rule of step 1 fires, and go on to where it fires next */
  press (window, "Right");
  assert_place (window, 0, 1);
  press (window, "F7");
  g_autoptr (GVariant) breaks = g_action_group_get_action_state (G_ACTION_GROUP (window), "break-on-rule");
  g_assert_true (g_variant_get_boolean (breaks));
  press (window, "F5");
  assert_place (window, 0, 2);
  press (window, "F5");
  assert_place (window, 0, 4);
  press (window, "shift+F5");
  assert_place (window, 0, 2);
  /* a list of the same graph, and back */
  press (window, "l");
  press (window, "Down");
  g_assert_nonnull (fb_document_get_selected (window->doc));
  press (window, "l");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == GTK_WIDGET (window->canvas));
  /* bookmark here, save, go elsewhere, save again: the file has both */
  press (window, "b");
  g_assert_true (fb_step_marks_has (fb_document_get_marks (window->doc), FB_STEP_BOOKMARK, (FbStepPosition){ 0, 2 }));
  fb_window_save_session (window, saved);
  settle (window);
  for (guint i = 0; i < 3; i++)
    press (window, "Right");
  assert_place (window, 0, 5);
  press (window, "ctrl+s");
  test_close (window);

  window = open_focused (saved, private);
  assert_place (window, 0, 5);
  g_assert_true (fb_step_marks_has (fb_document_get_marks (window->doc), FB_STEP_BOOKMARK, (FbStepPosition){ 0, 2 }));
  /* and from there back to the bookmark */
  press (window, "comma");
  assert_place (window, 0, 2);
  test_close (window);
  remove_folder (folder);
}

/* Every key of the table can be pressed anywhere without harm. */
static void
test_all_keys (void)
{
  if (!has_keys ())
    return;
  g_autofree char *folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  g_autofree char *views = test_sample ("views.db");
  FbWindow *window = open_focused (views, folder);
  guint n;
  const FbWindowKey *keys = fb_window_get_keys (&n);
  for (guint i = 0; i < n; i++)
    {
      /* These take the keyboard away from the window. */
      static const char *const elsewhere[]
          = { "search", "captures", "go-to-step", "show-help-overlay", "graph-menu", NULL };
      if (g_strv_contains (elsewhere, keys[i].action))
        continue;
      press (window, gdk_keyval_name (keys[i].key));
      g_assert_nonnull (fb_document_get_view (window->doc));
    }
  test_close (window);
  remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/journey/journey", test_journey);
  g_test_add_func ("/app/journey/all-keys", test_all_keys);
  return g_test_run ();
}
