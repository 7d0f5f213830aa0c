/* The window driven by its actions and keys, as a person does. */
#include <glib/gstdio.h>
#include <string.h>

#include "fixture.h"

static FbWindow *
open_lerp (const char *pass, guint step)
{
  g_autofree char *path = test_sample ("lerp.db");
  return test_open (path, 0, pass, step);
}

static const FbGraphNode *
selected_node (FbWindow *window)
{
  FbUop *uop = fb_document_get_selected (window->doc);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  guint32 card = uop ? fb_graph_find (graph, uop) : FB_GRAPH_NONE;
  return card == FB_GRAPH_NONE ? NULL : &graph->nodes[card];
}

static gboolean
enabled (FbWindow *window, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), action);
}

static void
test_steps (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 0);
  test_assert_at (window, 0, 0);
  g_assert_false (enabled (window, "previous-step"));
  test_do (window, "next-step", NULL);
  test_assert_at (window, 0, 1);
  test_do (window, "next-step", NULL);
  test_do (window, "previous-step", NULL);
  test_assert_at (window, 0, 1);
  test_do (window, "last-step", NULL);
  test_assert_at (window, 0, 21);
  /* realize has none: on to the next pass that has */
  test_do (window, "next-step", NULL);
  guint pass, step;
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (pass, >, 0);
  g_assert_cmpuint (step, ==, 1);
  test_do (window, "previous-step", NULL);
  test_do (window, "previous-step", NULL);
  test_assert_at (window, 0, 21);
  test_do (window, "first-step", NULL);
  test_assert_at (window, 0, 0);
  test_close (window);
}

static void
test_passes (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 3);
  g_assert_false (enabled (window, "previous-pass"));
  test_do (window, "next-pass", NULL);
  test_assert_at (window, 1, 0);
  test_do (window, "previous-pass", NULL);
  test_assert_at (window, 0, 0);
  test_close (window);
  /* by title, and the last step of the row */
  window = open_lerp ("kernels", 2);
  const FbPassView *kernels = fb_step_view_pass (fb_document_get_view (window->doc));
  g_assert_cmpstr (kernels->pass->title, ==, "kernels");
  FbRowView *row = fb_document_get_row (window->doc);
  fb_document_go (window->doc, row->n_passes - 1, G_MAXUINT);
  test_settle (window);
  g_assert_false (enabled (window, "next-pass"));
  test_close (window);
}

/* Keys pressed faster than steps can be drawn lose none of them. */
static void
test_fast_steps (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("mlp_train.db");
  FbWindow *window = test_open (path, 0, NULL, 0);
  for (guint i = 0; i < 40; i++)
    g_action_group_activate_action (G_ACTION_GROUP (window), "next-step", NULL);
  guint pass, step;
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (step, ==, 40);
  test_settle (window);
  test_assert_at (window, 0, 40);
  test_close (window);
}

/* What lerp does at step 19 of simplify, as the trace has it. */
static void
test_what_a_step_shows (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 19);
  FbStepView *view = fb_document_get_view (window->doc);
  g_assert_cmpuint (view->scene->graph->n_marks[FB_MARK_REPLACED], ==, 1);
  g_assert_cmpuint (view->scene->graph->n_marks[FB_MARK_NEW], ==, 1);
  g_assert_cmpuint (view->scene->graph->n_marks[FB_MARK_REBUILT], ==, 3);
  /* the selection follows what the step made */
  const FbGraphNode *node = selected_node (window);
  g_assert_nonnull (node);
  g_assert_cmpint (node->mark, ==, FB_MARK_NEW);
  g_assert_cmpstr (node->title, ==, "VIEW");
  const FbNodeInfo *info = fb_document_get_node (window->doc);
  g_assert_nonnull (info);
  g_assert_cmpstr (info->shape, ==, "64×64");
  g_assert_cmpint (info->size, ==, 4096);
  g_assert_cmpuint (info->views->len, ==, 1);
  g_assert_cmpstr (g_array_index (info->views, FbViewInfo, 0).strides, ==, "(1, 0)");
  g_assert_true (g_str_has_prefix (info->key, "6aec94726098872e"));
  /* names of the pattern, then the result */
  g_assert_cmpuint (view->match->len, ==, 3);
  g_assert_cmpstr (g_array_index (view->match, FbNodeLink, 0).name, ==, "mov");
  g_assert_cmpstr (g_array_index (view->match, FbNodeLink, 0).op, ==, "EXPAND");
  g_assert_cmpstr (g_array_index (view->match, FbNodeLink, 1).name, ==, "x");
  g_assert_cmpstr (g_array_index (view->match, FbNodeLink, 1).op, ==, "ADD");
  g_assert_cmpstr (g_array_index (view->match, FbNodeLink, 2).name, ==, "result");
  const FbTextDiff *diff = fb_document_get_diff (window->doc);
  g_assert_nonnull (diff);
  g_assert_cmpuint (diff->n_removed, ==, 1);
  g_assert_cmpuint (diff->n_added, ==, 1);
  g_assert_cmpuint (diff->n_same, ==, 23);
  test_do (window, "diff-scope", "'graph'");
  g_assert_cmpuint (fb_document_get_diff (window->doc)->n_same, >, 23);
  test_do (window, "diff-layout", "'side-by-side'");
  test_close (window);
}

static void
test_sides (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 19);
  test_do (window, "side", "'before'");
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpint (graph->view, ==, FB_GRAPH_BEFORE);
  g_assert_cmpuint (graph->n_marks[FB_MARK_NEW], ==, 0);
  test_do (window, "side", "'after'");
  graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpint (graph->view, ==, FB_GRAPH_AFTER);
  g_assert_cmpuint (graph->n_marks[FB_MARK_REPLACED], ==, 0);
  test_close (window);
}

/* A node chosen by the person stays selected from step to step, through replacements too. */
static void
test_selection_stays (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 0);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  fb_document_select (window->doc, graph->nodes[graph->root].uop);
  test_settle (window);
  for (guint i = 0; i < 6; i++)
    {
      test_do (window, "next-step", NULL);
      g_assert_cmpstr (selected_node (window)->title, ==, "SINK");
    }
  test_do (window, "clear-selection", NULL);
  g_assert_null (fb_document_get_selected (window->doc));
  g_assert_null (fb_document_get_node (window->doc));
  /* the replaced EXPAND of step 19 becomes the VIEW */
  fb_document_go (window->doc, 0, 19);
  test_settle (window);
  graph = fb_document_get_view (window->doc)->scene->graph;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (graph->nodes[i].mark == FB_MARK_REPLACED)
      fb_document_select (window->doc, graph->nodes[i].uop);
  test_settle (window);
  g_assert_cmpstr (selected_node (window)->title, ==, "EXPAND");
  test_do (window, "next-step", NULL);
  g_assert_cmpstr (selected_node (window)->title, ==, "VIEW");
  test_close (window);
}

static void
test_next_change (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 0);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  guint32 expand = FB_GRAPH_NONE;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (!strcmp (graph->nodes[i].title, "EXPAND") && !graph->nodes[i].n_chips)
      expand = i;
  g_assert_cmpuint (expand, !=, FB_GRAPH_NONE);
  fb_document_select (window->doc, graph->nodes[expand].uop);
  test_settle (window);
  test_do (window, "next-change", NULL);
  guint pass, step, first;
  fb_document_get_position (window->doc, &pass, &first);
  g_assert_cmpuint (first, >, 0);
  g_assert_cmpint (selected_node (window)->mark, !=, FB_MARK_SAME);
  test_do (window, "next-change", NULL);
  fb_document_get_position (window->doc, &pass, &step);
  if (step != first)
    {
      g_assert_cmpuint (step, >, first);
      test_do (window, "previous-change", NULL);
      test_assert_at (window, 0, first);
    }
  /* when the pass has no more, on into others, up to the last that changes the node, and back */
  guint last_pass = 0, last_step = 0, before_pass = 0, before_step = 0;
  for (guint i = 0; i < 100; i++)
    {
      test_do (window, "next-change", NULL);
      fb_document_get_position (window->doc, &pass, &step);
      if (pass == last_pass && step == last_step)
        break;
      g_assert_true (pass > last_pass || (pass == last_pass && step > last_step));
      before_pass = last_pass;
      before_step = last_step;
      last_pass = pass;
      last_step = step;
    }
  g_assert_cmpuint (fb_document_get_row (window->doc)->passes[last_pass].kernel, >, 0);
  test_do (window, "previous-change", NULL);
  test_assert_at (window, before_pass, before_step);
  test_close (window);
}

static void
test_same_rule (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 19);
  test_do (window, "previous-of-rule", NULL);
  test_assert_at (window, 0, 17);
  test_do (window, "next-of-rule", NULL);
  test_assert_at (window, 0, 19);
  test_close (window);
}

static void
test_history (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 2);
  g_assert_false (enabled (window, "back"));
  fb_document_jump (window->doc, 0, 10);
  test_settle (window);
  test_do (window, "next-step", NULL);
  fb_document_jump (window->doc, 0, 20);
  test_settle (window);
  test_do (window, "back", NULL);
  test_assert_at (window, 0, 11);
  test_do (window, "back", NULL);
  test_assert_at (window, 0, 2);
  g_assert_false (enabled (window, "back"));
  test_do (window, "forward", NULL);
  test_assert_at (window, 0, 11);
  test_close (window);
}

static void
test_walk (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 0);
  test_do (window, "walk", "(0, -1)");
  g_assert_cmpstr (selected_node (window)->title, ==, "SINK");
  test_do (window, "walk", "(0, -1)");
  g_assert_cmpstr (selected_node (window)->title, ==, "ADD");
  test_do (window, "walk", "(0, 1)");
  g_assert_cmpstr (selected_node (window)->title, ==, "SINK");
  test_close (window);
}

static void
test_zoom (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 0);
  double fit = fb_canvas_get_zoom (window->canvas);
  test_do (window, "zoom-in", NULL);
  g_assert_cmpfloat (fb_canvas_get_zoom (window->canvas), >, fit);
  test_do (window, "zoom-reset", NULL);
  g_assert_cmpfloat_with_epsilon (fb_canvas_get_zoom (window->canvas), 1, 1e-9);
  for (guint i = 0; i < 40; i++)
    test_do (window, "zoom-out", NULL);
  g_assert_cmpfloat (fb_canvas_get_zoom (window->canvas), >, 0.01);
  test_do (window, "fit", NULL);
  g_assert_cmpfloat_with_epsilon (fb_canvas_get_zoom (window->canvas), fit, 1e-9);
  test_close (window);
}

static void
test_panels (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 1);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window->pass_panel)), ==, 212);
  g_assert_cmpint (ABS (gtk_widget_get_width (GTK_WIDGET (window->inspector)) - 308), <=, 2);
  g_assert_cmpint (ABS (gtk_widget_get_height (GTK_WIDGET (window->drawer)) - 180), <=, 2);
  /* everything fits the smallest window that VISUAL.md has */
  GtkWidget *content = adw_application_window_get_content (ADW_APPLICATION_WINDOW (window));
  int least_width, least_height;
  gtk_widget_measure (content, GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL, NULL);
  gtk_widget_measure (content, GTK_ORIENTATION_VERTICAL, -1, &least_height, NULL, NULL, NULL);
  g_assert_cmpint (least_width, <=, 1024);
  g_assert_cmpint (least_height, <=, 640);
  static const char *const panels[] = { "show-passes", "show-inspector", "show-drawer" };
  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    {
      test_do (window, panels[i], NULL);
      g_autoptr (GVariant) hidden = g_action_group_get_action_state (G_ACTION_GROUP (window), panels[i]);
      g_assert_false (g_variant_get_boolean (hidden));
      test_do (window, panels[i], NULL);
      g_autoptr (GVariant) shown = g_action_group_get_action_state (G_ACTION_GROUP (window), panels[i]);
      g_assert_true (g_variant_get_boolean (shown));
    }
  test_close (window);
}

/* --- states --- */

static void
test_empty (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->stack), ==, "empty");
  static const char *const dead[]
      = { "next-step", "previous-step", "next-pass", "search", "next-row", "copy-key", "back" };
  for (guint i = 0; i < G_N_ELEMENTS (dead); i++)
    g_assert_false (enabled (window, dead[i]));
  /* Nothing of this may do harm without a file. */
  static const char *const harmless[] = { "fit", "zoom-in", "clear-selection", "copy-diff", "toggle-diff-scope" };
  for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
    test_do (window, harmless[i], NULL);
  test_close (window);
}

/* An error is told in the banner, and what was open stays. */
static void
test_wrong_file (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp (NULL, 5);
  g_autofree char *path = test_file_new ("not a capture, not a pickle");
  fb_window_open (window, path, 0, NULL, 0);
  test_settle (window);
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  g_assert_cmpuint (strlen (gtk_label_get_label (window->banner_label)), >, 0);
  g_assert_cmpstr (fb_document_get_name (window->doc), ==, "lerp.db");
  test_assert_at (window, 0, 5);
  test_do (window, "next-step", NULL);
  test_assert_at (window, 0, 6);
  test_do (window, "close-banner", NULL);
  g_assert_false (gtk_revealer_get_reveal_child (window->banner));
  test_close (window);

  window = test_open (path, 0, NULL, 0);
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->stack), ==, "empty");
  test_do (window, "close-banner", NULL);
  g_assert_false (gtk_revealer_get_reveal_child (window->banner));
  test_close (window);
  g_unlink (path);
}

static void
test_wrong_place (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("lerp.db");
  FbWindow *window = test_open (path, 7, NULL, 0);
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  test_close (window);
  window = test_open (path, 1, "no such pass", 0);
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  test_assert_at (window, 0, 0);
  test_close (window);
  window = test_open (path, 1, "1", 999);
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  test_assert_at (window, 0, 21);
  test_close (window);
}

/* A row that the scheduler refuses still shows its graph. */
static void
test_refused_graph (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  if (!test_has_display ())
    return;
  g_autofree char *folder = corpus ? g_build_filename (corpus, "errors", NULL) : NULL;
  g_autoptr (GDir) dir = folder ? g_dir_open (folder, 0, NULL) : NULL;
  if (!dir)
    {
      g_test_skip ("no corpus");
      return;
    }
  const char *name;
  while ((name = g_dir_read_name (dir)))
    {
      if (!g_str_has_suffix (name, ".err.db"))
        continue;
      g_autofree char *path = g_build_filename (folder, name, NULL);
      FbWindow *window = test_open (path, 0, NULL, 0);
      g_assert_true (gtk_revealer_get_reveal_child (window->banner));
      test_close (window);
    }
}

static void
test_pass_without_steps (void)
{
  if (!test_has_display ())
    return;
  /* the pass that decides replaces nothing either, and says so by its verdicts */
  FbWindow *window = open_lerp ("realize", 0);
  g_assert_cmpuint (fb_step_view_pass (fb_document_get_view (window->doc))->n_steps, ==, 0);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window->note)));
  g_assert_false (gtk_widget_get_visible (window->sides));
  const FbRowView *row = fb_document_get_row (window->doc);
  guint empty = 2;
  while (empty < row->n_passes && row->passes[empty].n_steps)
    empty++;
  g_assert_cmpuint (empty, <, row->n_passes);
  fb_document_jump (window->doc, empty, 0);
  test_settle (window);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window->note)));
  g_assert_false (gtk_widget_get_visible (window->sides));
  test_close (window);
}

/* --- many rows --- */

static void
test_ten_thousand_rows (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_many_rows ("lerp.db", 10000);
  FbWindow *window = test_open (path, 9000, NULL, 0);
  g_assert_cmpuint (fb_document_get_n_rows (window->doc), ==, 10000);
  g_assert_cmpuint (fb_document_get_row (window->doc)->number, ==, 9000);
  test_do (window, "captures", NULL);
  test_wait (300);
  /* Rows are read when they come into view, not all of them. */
  guint known = 0;
  for (guint row = 1; row <= 10000; row++)
    known += fb_document_get_summary (window->doc, row, FALSE) != NULL;
  g_assert_cmpuint (known, <, 2000);
  test_do (window, "next-row", NULL);
  g_assert_cmpuint (fb_document_get_row (window->doc)->number, ==, 9001);
  test_do (window, "back", NULL);
  g_assert_cmpuint (fb_document_get_row (window->doc)->number, ==, 9000);
  /* The pointer may be over its list; a tooltip that is due outlives a window. */
  gtk_menu_button_popdown (window->title_button);
  test_wait (50);
  test_close (window);
  g_unlink (path);
}

/* Another row asked for while one is being read: the last one wins. */
static void
test_late_results (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_many_rows ("lerp.db", 50);
  FbWindow *window = test_open (path, 1, NULL, 0);
  for (guint row = 2; row <= 30; row++)
    fb_document_load (window->doc, row);
  test_settle (window);
  g_assert_cmpuint (fb_document_get_row (window->doc)->number, ==, 30);
  fb_document_load (window->doc, 40);
  fb_document_cancel (window->doc);
  test_settle (window);
  g_assert_cmpuint (fb_document_get_row (window->doc)->number, ==, 30);
  g_assert_cmpuint (fb_document_get_row_number (window->doc), ==, 30);
  test_close (window);
  g_unlink (path);
}

/* A window that goes away while its worker is busy. */
static void
test_close_while_busy (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("convnet_train.db");
  for (guint i = 0; i < 4; i++)
    {
      FbWindow *window = test_open (NULL, 0, NULL, 0);
      fb_window_open (window, path, 0, NULL, 10 * i);
      for (guint n = 0; n < 3 * i; n++)
        g_main_context_iteration (NULL, FALSE);
      test_close (window);
    }
  test_wait (300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/window/steps", test_steps);
  g_test_add_func ("/app/window/passes", test_passes);
  g_test_add_func ("/app/window/fast-steps", test_fast_steps);
  g_test_add_func ("/app/window/what-a-step-shows", test_what_a_step_shows);
  g_test_add_func ("/app/window/sides", test_sides);
  g_test_add_func ("/app/window/selection-stays", test_selection_stays);
  g_test_add_func ("/app/window/next-change", test_next_change);
  g_test_add_func ("/app/window/same-rule", test_same_rule);
  g_test_add_func ("/app/window/history", test_history);
  g_test_add_func ("/app/window/walk", test_walk);
  g_test_add_func ("/app/window/zoom", test_zoom);
  g_test_add_func ("/app/window/panels", test_panels);
  g_test_add_func ("/app/window/empty", test_empty);
  g_test_add_func ("/app/window/wrong-file", test_wrong_file);
  g_test_add_func ("/app/window/wrong-place", test_wrong_place);
  g_test_add_func ("/app/window/refused-graph", test_refused_graph);
  g_test_add_func ("/app/window/pass-without-steps", test_pass_without_steps);
  g_test_add_func ("/app/window/ten-thousand-rows", test_ten_thousand_rows);
  g_test_add_func ("/app/window/late-results", test_late_results);
  g_test_add_func ("/app/window/close-while-busy", test_close_while_busy);
  return g_test_run ();
}
