/* A whole journey through the window with the keys a person presses: open, step, search, break, bookmark, save, and back to the same
 * step. Keys come from the X server (xdotool); without it the test is skipped. */
#include <string.h>

#include "keys.h"

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
  test_settle_all (window);
  g_assert_cmpuint (p, ==, pass);
  g_assert_cmpuint (s, ==, step);
}

static void
test_journey (void)
{
  if (!test_has_keys ())
    return;
  g_autofree char *folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  g_autofree char *private = g_build_filename (folder, "private", NULL);
  g_autofree char *saved = g_build_filename (folder, "mine.fusebox", NULL);
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *window = test_open_focused (lerp, private);
  if (!gtk_window_is_active (GTK_WINDOW (window)))
    {
      g_test_skip ("the display gives the window no keyboard");
      test_close (window);
      return;
    }
  /* step */
  test_press (window, "Right");
  test_press (window, "Right");
  assert_place (window, 0, 2);
  test_press (window, "Left");
  assert_place (window, 0, 1);
  test_press (window, "End");
  assert_place (window, 0, 21);
  test_press (window, "Home");
  assert_place (window, 0, 0);
  test_press (window, "Down");
  guint pass, step;
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (pass, >, 0);
  test_press (window, "Up");
  /* search this graph: Enter goes to the hit, Escape back to the graph */
  test_press (window, "slash");
  g_assert_true (fb_search_panel_is_open (window->search_panel));
  test_send_keys (window, "type", "op:RESHAPE");
  g_assert_cmpuint (fb_search_panel_get_n_hits (window->search_panel), ==, 7);
  test_press (window, "Return");
  FbUop *found = fb_document_get_selected (window->doc);
  g_assert_nonnull (found);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpstr (graph->nodes[fb_graph_find (graph, found)].title, ==, "RESHAPE");
  test_press (window, "Escape");
  g_assert_false (fb_search_panel_is_open (window->search_panel));
  /* break where the rule of step 1 fires, and go on to where it fires next */
  test_press (window, "Right");
  assert_place (window, 0, 1);
  test_press (window, "F7");
  g_autoptr (GVariant) breaks = g_action_group_get_action_state (G_ACTION_GROUP (window), "break-on-rule");
  g_assert_true (g_variant_get_boolean (breaks));
  test_press (window, "F5");
  assert_place (window, 0, 2);
  test_press (window, "F5");
  assert_place (window, 0, 4);
  test_press (window, "shift+F5");
  assert_place (window, 0, 2);
  /* a list of the same graph, and back */
  test_press (window, "l");
  test_press (window, "Down");
  g_assert_nonnull (fb_document_get_selected (window->doc));
  test_press (window, "l");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == GTK_WIDGET (window->canvas));
  /* bookmark here, save, go elsewhere, save again: the file has both */
  test_press (window, "b");
  g_assert_true (fb_step_marks_has (fb_document_get_marks (window->doc), FB_STEP_BOOKMARK, (FbStepPosition){ 0, 2 }));
  fb_window_save_session (window, saved);
  test_settle_all (window);
  for (guint i = 0; i < 3; i++)
    test_press (window, "Right");
  assert_place (window, 0, 5);
  test_press (window, "ctrl+s");
  test_close (window);

  window = test_open_focused (saved, private);
  assert_place (window, 0, 5);
  g_assert_true (fb_step_marks_has (fb_document_get_marks (window->doc), FB_STEP_BOOKMARK, (FbStepPosition){ 0, 2 }));
  /* and from there back to the bookmark */
  test_press (window, "comma");
  assert_place (window, 0, 2);
  test_close (window);
  test_remove_folder (folder);
}

/* Every key of the table can be pressed anywhere without harm. */
static void
test_all_keys (void)
{
  if (!test_has_keys ())
    return;
  g_autofree char *folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  g_autofree char *views = test_sample ("views.db");
  FbWindow *window = test_open_focused (views, folder);
  guint n;
  const FbWindowKey *keys = fb_window_get_keys (&n);
  for (guint i = 0; i < n; i++)
    {
      /* These take the keyboard away from the window. */
      static const char *const elsewhere[]
          = { "search", "captures", "go-to-step", "show-help-overlay", "graph-menu", NULL };
      if (g_strv_contains (elsewhere, keys[i].action))
        continue;
      test_press (window, gdk_keyval_name (keys[i].key));
      g_assert_nonnull (fb_document_get_view (window->doc));
    }
  test_close (window);
  test_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/journey/journey", test_journey);
  g_test_add_func ("/app/journey/all-keys", test_all_keys);
  return g_test_run ();
}
