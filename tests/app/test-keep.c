/* What a session keeps of how a row was looked at, and what two windows on one file share. */
#include <string.h>

#include "app/note-editor.h"
#include "fixture.h"

/* --- scenarios --- */

static void
try_option (FbWindow *window, const char *setting)
{
  g_autoptr (FbScenario) scenario = fb_scenarios_with_option (window->scenarios, setting);
  fb_scenarios_show (window->scenarios, scenario);
  test_settle (window);
}

/* The place of the node of that op that is stored. */
static guint32
stored_place (FbWindow *window, const char *op)
{
  const FbRowView *row = fb_document_get_row (window->doc);
  for (guint i = 0; i < row->why->n_kernels; i++)
    if (!strcmp (row->why->kernels[i].op, op))
      return fb_why_place (row->why->why, row->why->kernels[i].stored);
  g_error ("no kernel stores a %s", op);
}

static guint
n_kernels_at (FbWindow *window, guint at)
{
  return fb_scenarios_get (window->scenarios, at)->cost.n_kernels;
}

static void
test_scenarios (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *saved = test_in_folder ("lerp.fusebox");
  FbWindow *window = test_open_in_folder (lerp, NULL, 0);
  /* looking at the row as captured is nothing to be kept */
  g_assert_false (fb_session_file_is_unsaved (test_session_of (window)));
  guint32 place = stored_place (window, "RECIP");
  try_option (window, "DONT_REALIZE_EXPAND=1");
  g_assert_true (fb_session_file_is_unsaved (test_session_of (window)));
  fb_scenarios_show_at (window->scenarios, 0);
  test_settle (window);
  g_autoptr (FbScenario) fuse = fb_scenarios_with_node (window->scenarios, place, TRUE);
  fb_scenarios_show (window->scenarios, fuse);
  test_settle (window);
  g_assert_cmpuint (fb_scenarios_get_n (window->scenarios), ==, 3);
  guint n_kernels[3];
  g_autofree char *text = g_strdup (fb_scenarios_get (window->scenarios, 2)->text);
  for (guint i = 0; i < 3; i++)
    n_kernels[i] = n_kernels_at (window, i);
  g_assert_cmpuint (n_kernels[1], <, n_kernels[0]);
  test_save_as (window, saved);
  g_assert_false (fb_session_file_is_unsaved (test_session_of (window)));
  test_close_session (window);

  /* side by side again, and the one that was looked at is looked at */
  window = test_open_in_folder (saved, NULL, 0);
  g_assert_cmpuint (fb_scenarios_get_n (window->scenarios), ==, 3);
  g_assert_cmpuint (fb_scenarios_get_shown (window->scenarios), ==, 2);
  g_assert_cmpstr (fb_document_get_row (window->doc)->scenario_text, ==, text);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (n_kernels_at (window, i), ==, n_kernels[i]);
  g_assert_false (fb_session_file_is_unsaved (test_session_of (window)));
  fb_scenarios_show_at (window->scenarios, 0);
  test_settle (window);
  g_assert_null (fb_document_get_row (window->doc)->scenario);
  g_assert_cmpuint (fb_document_get_row (window->doc)->schedule->kernels->len, ==, n_kernels[0]);
  g_assert_cmpuint (fb_scenarios_get_n (window->scenarios), ==, 3);
  test_close_session (window);

  /* a file may ask for one that cannot be had: that is said, and the row is there as captured */
  test_run_sql (saved, "update scenario set fuse = '4000000' where fuse != ''");
  window = test_open_in_folder (saved, NULL, 0);
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  g_assert_nonnull (fb_document_get_view (window->doc));
  g_assert_null (fb_document_get_row (window->doc)->scenario);
  test_close_session (window);
  test_folder_drop ();
}

/* The list of scenarios in the drawer, whose keys these are. */
static void
do_in_list (FbWindow *window, const char *action)
{
  GtkWidget *list = GTK_WIDGET (fb_drawer_panel_get_scenarios (window->drawer));
  gtk_widget_activate_action (list, action, NULL);
  test_settle (window);
}

static void
test_changed_scenarios (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *saved = test_in_folder ("lerp.fusebox");
  FbWindow *window = test_open_in_folder (lerp, NULL, 0);
  FbScenarios *scenarios = window->scenarios;
  try_option (window, "DONT_REALIZE_EXPAND=1");
  fb_scenarios_show_at (scenarios, 0);
  test_settle (window);
  try_option (window, "FUSE_ARANGE=1");
  g_assert_cmpuint (fb_scenarios_get_n (scenarios), ==, 3);
  test_save_as (window, saved);

  /* a name is not saved until it is; spaces around it are none of it */
  fb_scenarios_rename (scenarios, 1, "  all in one ");
  g_assert_cmpstr (fb_scenario_entry_get_title (fb_scenarios_get (scenarios, 1)), ==, "all in one");
  g_assert_true (fb_session_file_is_unsaved (test_session_of (window)));
  fb_scenarios_rename (scenarios, 0, "");
  g_assert_null (fb_scenarios_get (scenarios, 0)->name);
  fb_scenarios_set_time (scenarios, "DONT_REALIZE_EXPAND=1", "cpu", 2.5e-6);

  /* what is shown goes: the row is as captured then; and it comes back */
  do_in_list (window, "scenario.remove");
  g_assert_cmpuint (fb_scenarios_get_n (scenarios), ==, 2);
  g_assert_cmpuint (fb_scenarios_get_shown (scenarios), ==, 0);
  g_assert_null (fb_document_get_row (window->doc)->scenario);
  g_assert_cmpstr (fb_scenarios_get_removed (scenarios)->text, ==, "FUSE_ARANGE=1");
  /* not the captured one */
  do_in_list (window, "scenario.remove");
  g_assert_cmpuint (fb_scenarios_get_n (scenarios), ==, 2);
  do_in_list (window, "scenario.restore");
  g_assert_null (fb_scenarios_get_removed (scenarios));
  g_assert_cmpstr (fb_document_get_row (window->doc)->scenario_text, ==, "FUSE_ARANGE=1");
  /* another that is tried again while it is away is there once */
  do_in_list (window, "scenario.remove");
  try_option (window, "FUSE_ARANGE=1");
  do_in_list (window, "scenario.restore");
  g_assert_cmpuint (fb_scenarios_get_n (scenarios), ==, 3);
  do_in_list (window, "scenario.remove");
  test_save_as (window, saved);
  g_assert_false (fb_session_file_is_unsaved (test_session_of (window)));
  test_close_session (window);

  window = test_open_in_folder (saved, NULL, 0);
  scenarios = window->scenarios;
  g_assert_cmpuint (fb_scenarios_get_n (scenarios), ==, 2);
  const FbScenarioEntry *entry = fb_scenarios_get (scenarios, 1);
  g_assert_cmpstr (entry->name, ==, "all in one");
  g_assert_cmpstr (entry->backend, ==, "cpu");
  g_assert_cmpfloat (entry->seconds, ==, 2.5e-6);
  test_close_session (window);
  test_folder_drop ();
}

/* --- kernels of two scenarios --- */

static const FbKernelCard *
kernel_at (const FbKernelGraphs *graphs, FbSide side, guint at)
{
  g_assert_cmpuint (at, <, graphs->kernels[side]->len);
  return &g_array_index (graphs->kernels[side], FbKernelCard, at);
}

static void
test_kernels_of_scenarios (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *window = test_open (lerp, 0, NULL, 0);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "compare-scenarios"));
  test_do (window, "scenario", "'DONT_REALIZE_EXPAND=1'");
  test_do (window, "compare-scenarios", NULL);
  while (!fb_window_is_scenario_settled (window))
    g_main_context_iteration (NULL, TRUE);
  const FbKernelGraphs *graphs = fb_scenario_compare_get_graphs (window->scenario_compare);
  g_assert_cmpuint (graphs->kernels[FB_SIDE_A]->len, ==, 3);
  g_assert_cmpuint (graphs->kernels[FB_SIDE_B]->len, ==, 1);
  /* three kernels are gone, one is new; the three buffers that are read are the same */
  g_assert_cmpuint (graphs->scenes[FB_SIDE_A]->graph->n_marks[FB_MARK_REPLACED]
                        + graphs->scenes[FB_SIDE_A]->graph->n_marks[FB_MARK_GONE],
                    ==, 3);
  g_assert_cmpuint (graphs->scenes[FB_SIDE_B]->graph->n_marks[FB_MARK_NEW], ==, 1);
  g_assert_cmpuint (graphs->scenes[FB_SIDE_B]->graph->n_marks[FB_MARK_SAME], ==, 3);
  const FbKernelCard *recip = kernel_at (graphs, FB_SIDE_A, 0);
  g_assert_cmpstr (recip->name, ==, "RECIP float 64×1");
  g_assert_true (fb_kernel_graphs_find (graphs, FB_SIDE_A, recip->node) == recip);
  g_assert_null (fb_kernel_graphs_find (graphs, FB_SIDE_B, recip->node));
  /* with itself: everything is the same, in the same places */
  fb_scenario_compare_show (window->scenario_compare, 0, 0);
  while (!fb_window_is_scenario_settled (window))
    g_main_context_iteration (NULL, TRUE);
  graphs = fb_scenario_compare_get_graphs (window->scenario_compare);
  const FbScene *a = graphs->scenes[FB_SIDE_A], *b = graphs->scenes[FB_SIDE_B];
  g_assert_cmpuint (a->graph->n_marks[FB_MARK_SAME], ==, a->graph->n_nodes);
  g_assert_cmpuint (b->graph->n_marks[FB_MARK_SAME], ==, a->graph->n_nodes);
  for (guint i = 0; i < 3; i++)
    g_assert_true (kernel_at (graphs, FB_SIDE_A, i)->node == kernel_at (graphs, FB_SIDE_B, i)->node);
  /* and back */
  test_do (window, "compare-scenarios", NULL);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->stack), ==, "document");
  test_close (window);
}

/* --- two windows on one file --- */

static guint
n_marks (FbWindow *window, FbStoreMarkKind kind)
{
  return g_list_model_get_n_items (fb_session_file_get_marks (test_session_of (window), kind));
}

static void
test_two_windows (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *saved = test_in_folder ("lerp.fusebox");
  FbWindow *one = test_open_in_folder (lerp, NULL, 19), *two = test_open_in_folder (lerp, NULL, 5);
  FbStorePlace here;
  g_assert_true (test_session_of (one) == test_session_of (two));
  test_assert_at (two, 0, 5);
  /* what one window adds, the other has at once: in its list, on its strip, in its title */
  test_do (one, "toggle-bookmark", NULL);
  g_assert_cmpuint (n_marks (two, FB_STORE_BOOKMARK), ==, 1);
  g_assert_true (fb_step_marks_has (fb_document_get_marks (two->doc), FB_STEP_BOOKMARK, (FbStepPosition){ 0, 19 }));
  g_assert_cmpstr (gtk_label_get_label (two->title_label), ==, "• lerp.db");
  test_do (two, "next-bookmark", NULL);
  test_assert_at (two, 0, 19);
  g_assert_true (fb_document_get_place (two->doc, &here));
  fb_session_file_put (test_session_of (two), FB_STORE_NOTE, &here, 0, "seen from both");
  g_assert_cmpuint (n_marks (one, FB_STORE_NOTE), ==, 1);
  try_option (two, "DONT_REALIZE_EXPAND=1");
  g_assert_cmpuint (fb_scenarios_get_n (one->scenarios), ==, 2);
  g_assert_cmpuint (fb_scenarios_get_shown (one->scenarios), ==, 0);
  fb_scenarios_rename (two->scenarios, 1, "one kernel");
  g_assert_cmpstr (fb_scenarios_get (one->scenarios, 1)->name, ==, "one kernel");
  fb_scenarios_remove (two->scenarios, 1);
  test_settle (two);
  g_assert_cmpuint (fb_scenarios_get_n (one->scenarios), ==, 1);
  fb_scenarios_restore (two->scenarios);
  test_settle (two);
  g_assert_cmpstr (fb_scenarios_get (one->scenarios, 1)->name, ==, "one kernel");
  /* saved by one, saved for both */
  test_save_as (one, saved);
  g_assert_cmpstr (gtk_label_get_label (two->title_label), ==, "lerp.fusebox");
  /* one goes, the other goes on */
  test_close_session (one);
  test_do (two, "toggle-bookmark", NULL);
  test_do (two, "save", NULL);
  test_settle_session (two);
  test_close_session (two);
  g_autoptr (FbStore) store = fb_store_open (saved, FB_STORE_READ, NULL);
  FbStoreCounts counts;
  g_assert_true (fb_store_count (store, &counts, NULL));
  g_assert_cmpint (counts.notes, ==, 1);
  g_assert_cmpint (counts.scenarios, ==, 1);
  test_folder_drop ();
}

/* The same file opened twice at once. */
static void
test_opened_together (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *private = test_in_folder ("private");
  FbWindow *windows[3];
  for (guint i = 0; i < 3; i++)
    {
      windows[i] = test_open (NULL, 0, NULL, 0);
      fb_document_set_session_folder (windows[i]->doc, private);
    }
  for (guint i = 0; i < 3; i++)
    fb_window_open (windows[i], lerp, 0, NULL, i);
  for (guint i = 0; i < 3; i++)
    test_settle (windows[i]);
  for (guint i = 0; i < 3; i++)
    {
      test_assert_at (windows[i], 0, i);
      g_assert_true (test_session_of (windows[i]) == test_session_of (windows[0]));
    }
  for (guint i = 0; i < 3; i++)
    test_close_session (windows[i]);
  g_autoptr (GPtrArray) left = fb_session_folder_unsaved (private);
  g_assert_cmpuint (left->len, ==, 0);
  test_folder_drop ();
}

/* --- dot --- */

static FbPoint
middle_of (FbWindow *window, guint64 key)
{
  const FbScene *scene = fb_document_get_view (window->doc)->scene;
  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    if (scene->graph->nodes[i].key == key)
      return (FbPoint){ scene->layout->x[i] + scene->layout->node_width[i] / 2, scene->layout->y[i] };
  g_error ("no such card");
}

static FbPoint *
all_middles (FbWindow *window, guint64 *keys, guint n)
{
  FbPoint *points = g_new (FbPoint, n);
  for (guint i = 0; i < n; i++)
    points[i] = middle_of (window, keys[i]);
  return points;
}

static guint
n_elsewhere (const FbPoint *a, const FbPoint *b, guint n)
{
  guint moved = 0;
  for (guint i = 0; i < n; i++)
    moved += ABS (a[i].x - b[i].x) > 1 || ABS (a[i].y - b[i].y) > 1;
  return moved;
}

static void
test_dot (void)
{
  g_autofree char *program = g_find_program_in_path ("dot");
  if (!test_has_display ())
    return;
  if (!program)
    {
      g_test_skip ("no dot");
      return;
    }
  test_folder_make ();
  g_autofree char *path = test_sample ("attention.db"), *saved = test_in_folder ("a.fusebox");
  FbWindow *window = test_open_in_folder (path, NULL, 3);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  guint n = graph->n_nodes;
  g_autofree guint64 *keys = g_new (guint64, n);
  for (guint i = 0; i < n; i++)
    keys[i] = graph->nodes[i].key;
  g_autofree FbPoint *ours = all_middles (window, keys, n);
  test_do (window, "refine", NULL);
  test_settle (window);
  g_autofree FbPoint *theirs = all_middles (window, keys, n);
  g_assert_cmpuint (n_elsewhere (ours, theirs, n), >, 0);
  /* it is a change of the view as any other */
  test_do (window, "undo-view", NULL);
  g_autofree FbPoint *undone = all_middles (window, keys, n);
  g_assert_cmpuint (n_elsewhere (ours, undone, n), ==, 0);
  test_do (window, "redo-view", NULL);
  g_autofree FbPoint *redone = all_middles (window, keys, n);
  g_assert_cmpuint (n_elsewhere (theirs, redone, n), ==, 0);
  /* other passes are not dot's, and this one still is when one comes back */
  test_do (window, "next-pass", NULL);
  test_do (window, "back", NULL);
  g_autofree FbPoint *back = all_middles (window, keys, n);
  g_assert_cmpuint (n_elsewhere (theirs, back, n), ==, 0);
  test_save_as (window, saved);
  test_close_session (window);
  window = test_open_in_folder (saved, NULL, 0);
  test_assert_at (window, 0, 3);
  g_autofree FbPoint *again = all_middles (window, keys, n);
  g_assert_cmpuint (n_elsewhere (theirs, again, n), ==, 0);
  /* taken back for good */
  test_do (window, "refine", NULL);
  g_autofree FbPoint *plain = all_middles (window, keys, n);
  g_assert_cmpuint (n_elsewhere (ours, plain, n), ==, 0);
  test_do (window, "save", NULL);
  test_settle_session (window);
  test_close_session (window);
  g_autoptr (FbStore) store = fb_store_open (saved, FB_STORE_READ, NULL);
  g_autoptr (GPtrArray) layouts = fb_store_get_layouts (store, NULL);
  g_assert_cmpuint (layouts->len, ==, 0);
  test_folder_drop ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/keep/scenarios", test_scenarios);
  g_test_add_func ("/app/keep/changed-scenarios", test_changed_scenarios);
  g_test_add_func ("/app/keep/kernels-of-scenarios", test_kernels_of_scenarios);
  g_test_add_func ("/app/keep/two-windows", test_two_windows);
  g_test_add_func ("/app/keep/opened-together", test_opened_together);
  g_test_add_func ("/app/keep/dot", test_dot);
  return g_test_run ();
}
