/* Search, breakpoints, rules, lineage, and the selection that follows its node, driven as a person does. */
#include <string.h>

#include "app/document-query.h"
#include "app/lineage-page.h"
#include "app/rule-timing.h"
#include "app/rules-table.h"
#include "util.h"

static FbWindow *
open_lerp (const char *pass, guint step)
{
  g_autofree char *path = test_sample ("lerp.db");
  return test_open (path, 0, pass, step);
}

static gboolean
state (FbWindow *window, const char *action)
{
  g_autoptr (GVariant) value = g_action_group_get_action_state (G_ACTION_GROUP (window), action);
  return g_variant_get_boolean (value);
}

static const char *
selected_op (FbWindow *window)
{
  FbUop *uop = fb_document_get_selected (window->doc);
  return uop ? fb_op_name (uop->op) : "";
}

/* A widget of a type below @widget. */
static GtkWidget *
find (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type);
      if (found)
        return found;
    }
  return NULL;
}

static void
test_search_all (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp ("simplify", 5);
  FbSearchPanel *panel = window->search_panel;
  FbStepMarks *marks = fb_document_get_marks (window->doc);
  g_assert_false (fb_search_panel_is_open (panel));
  test_do (window, "search", NULL);
  g_assert_true (fb_search_panel_is_open (panel));
  test_do (window, "search-all", "'rule:movement'");
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), ==, 13);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_HIT), ==, 13);
  /* from where we are, not from the beginning */
  test_do (window, "next-hit", NULL);
  test_assert_at (window, 0, 6);
  g_assert_cmpstr (selected_op (window), ==, "VIEW");
  test_do (window, "next-hit", NULL);
  test_assert_at (window, 0, 7);
  test_do (window, "previous-hit", NULL);
  test_do (window, "previous-hit", NULL);
  test_assert_at (window, 0, 4);
  g_assert_cmpuint (fb_search_panel_get_current (panel), ==, 3);
  /* round about */
  for (guint i = 0; i < 3; i++)
    test_do (window, "previous-hit", NULL);
  test_assert_at (window, 0, 21);
  test_do (window, "close-search", NULL);
  g_assert_false (fb_search_panel_is_open (panel));
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_HIT), ==, 0);
  /* without a hit, the question stays */
  test_do (window, "search-all", "'op:THREEFRY'");
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), ==, 0);
  test_do (window, "next-hit", NULL);
  test_assert_at (window, 0, 21);
  test_close (window);
}

static void
test_search_graph (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp ("simplify", 0);
  FbSearchPanel *panel = window->search_panel;
  test_do (window, "search-scope", "'graph'");
  test_do (window, "search", NULL);
  fb_search_panel_search (panel, "RECIP(x)", FALSE);
  test_settle (window);
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), ==, 1);
  test_do (window, "next-hit", NULL);
  g_assert_cmpstr (selected_op (window), ==, "RECIP");
  test_assert_at (window, 0, 0);
  /* the graph of another step is another question */
  fb_search_panel_search (panel, "op:MOVEMENT", FALSE);
  test_settle (window);
  guint before = fb_search_panel_get_n_hits (panel);
  test_do (window, "last-step", NULL);
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), ==, 0);
  test_do (window, "first-step", NULL);
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), ==, before);
  g_assert_cmpuint (before, >, 0);
  /* what is no question is said, and is no crash */
  fb_search_panel_search (panel, "ADD(x", FALSE);
  test_settle (window);
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), ==, 0);
  test_close (window);
}

static void
test_breakpoints (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp ("simplify", 1);
  FbStepMarks *marks = fb_document_get_marks (window->doc);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "continue"));
  g_assert_false (state (window, "break-on-rule"));
  test_do (window, "break-on-rule", NULL);
  g_assert_true (state (window, "break-on-rule"));
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BREAK), ==, 13);
  test_do (window, "continue", NULL);
  test_assert_at (window, 0, 2);
  test_do (window, "continue", NULL);
  test_assert_at (window, 0, 4);
  test_do (window, "continue-back", NULL);
  test_assert_at (window, 0, 2);
  /* another rule made this step, so the switch is off there */
  test_do (window, "next-step", NULL);
  g_assert_false (state (window, "break-on-rule"));
  test_do (window, "previous-step", NULL);
  g_assert_true (state (window, "break-on-rule"));

  FbBreakpoint *first = fb_breakpoint_set_find (window->breakpoints, "rule=movement-to-view");
  g_assert_nonnull (first);
  fb_breakpoint_set_enable (window->breakpoints, first, FALSE);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BREAK), ==, 0);
  test_do (window, "add-breakpoint", "'op:ASSIGN'");
  test_do (window, "continue", NULL);
  guint pass, step;
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (pass, ==, 2);
  g_assert_cmpstr (selected_op (window), ==, "ASSIGN");
  /* what is no question is no breakpoint */
  test_do (window, "add-breakpoint", "'ADD('");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (window->breakpoints)), ==, 2);
  /* they stay for the next file, and look through it */
  g_autofree char *path = test_sample ("mlp_train.db");
  fb_window_open (window, path, 0, NULL, 0);
  test_settle (window);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BREAK), >, 3);
  g_assert_true (fb_step_marks_get (marks, FB_STEP_BREAK, 0, NULL).pass == 2);
  fb_breakpoint_set_remove (window->breakpoints, fb_breakpoint_set_find (window->breakpoints, "op:ASSIGN"));
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BREAK), ==, 0);
  test_close (window);
}

static void
test_rules (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp ("simplify", 0);
  test_do (window, "show-rules", NULL);
  FbRulesTable *table = FB_RULES_TABLE (find (GTK_WIDGET (window->drawer), FB_TYPE_RULES_TABLE));
  guint n_matched, n_all;
  fb_rules_table_get_counts (table, &n_matched, &n_all);
  g_assert_cmpuint (n_matched, ==, 8);
  g_assert_cmpuint (n_all, >, 50);
  /* the first is the one that matched most; opening it lists where */
  g_signal_emit_by_name (table, "activated", "rule=append-to-kernel");
  test_settle (window);
  g_assert_cmpuint (fb_search_panel_get_n_hits (window->search_panel), ==, 14);
  for (guint column = 0; column < 6; column++)
    {
      fb_rules_table_sort_by (table, column);
      fb_rules_table_sort_by (table, column);
    }
  test_close (window);
}

static gboolean
shows_column (GtkWidget *table, const char *title)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (find (table, GTK_TYPE_COLUMN_VIEW)));
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      if (g_str_equal (gtk_column_view_column_get_title (column), title))
        return gtk_column_view_column_get_visible (column);
    }
  return FALSE;
}

static void
test_rule_times (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp ("simplify", 3);
  FbRuleTiming *timing = fb_document_get_timing (window->doc);
  GtkWidget *table = find (GTK_WIDGET (window->drawer), FB_TYPE_RULES_TABLE);
  guint n_matched, n_all, n_of_pass;
  test_do (window, "show-rules", NULL);
  g_assert_false (shows_column (table, "Time"));
  g_assert_cmpfloat (fb_rule_timing_get_step (timing, 0, 3), <, 0);
  /* cancelled before it began: nothing is known, and it can be asked for again */
  g_action_group_activate_action (G_ACTION_GROUP (window), "time-rules", NULL);
  g_assert_true (fb_rule_timing_is_running (timing));
  test_do (window, "cancel", NULL);
  g_assert_false (fb_rule_timing_is_running (timing));
  g_assert_null (fb_rule_timing_get (timing));
  test_do (window, "time-rules", NULL);
  g_assert_nonnull (fb_rule_timing_get (timing));
  g_assert_true (shows_column (table, "Time"));
  g_assert_true (shows_column (table, "Share"));
  g_assert_cmpfloat (fb_rule_timing_get_step (timing, 0, 3), >=, 0);
  g_assert_cmpfloat (fb_rule_timing_get_step (timing, 0, 1000), <, 0);
  g_assert_cmpfloat (fb_rule_timing_get_rule (timing, 0, 3), >=, fb_rule_timing_get_step (timing, 0, 3));
  fb_rules_table_get_counts (FB_RULES_TABLE (table), &n_matched, &n_all);
  /* only the first pass; then the one that we go to */
  test_do (window, "rules-scope", "'pass'");
  fb_rules_table_get_counts (FB_RULES_TABLE (table), &n_matched, &n_of_pass);
  g_assert_cmpuint (n_matched, ==, 2);
  g_assert_cmpuint (n_of_pass, <, n_all);
  test_do (window, "next-pass", NULL);
  fb_rules_table_get_counts (FB_RULES_TABLE (table), &n_matched, &n_of_pass);
  g_assert_cmpuint (n_matched, ==, 0);
  /* another scenario has times of its own */
  g_autoptr (FbScenario) scenario = fb_scenarios_with_option (window->scenarios, "DONT_REALIZE_EXPAND=1");
  fb_scenarios_show (window->scenarios, scenario);
  test_settle (window);
  g_assert_null (fb_rule_timing_get (timing));
  g_assert_false (shows_column (table, "Time"));
  /* the strip measures what it is to show, and goes on to do so */
  test_do (window, "heat", "'time'");
  g_assert_nonnull (fb_rule_timing_get (timing));
  fb_scenarios_show (window->scenarios, NULL);
  test_settle (window);
  g_assert_nonnull (fb_rule_timing_get (timing));
  test_close (window);
}

/* The exponential is the same node in every step of every pass of its kernel. */
static void
test_following (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp ("simplify", 0);
  FbRowView *row = fb_document_get_row (window->doc);
  fb_search_panel_search (window->search_panel, "op:EXP2", FALSE);
  test_settle (window);
  test_do (window, "next-hit", NULL);
  g_assert_cmpstr (selected_op (window), ==, "EXP2");
  test_do (window, "close-search", NULL);
  for (guint i = 0; i < row->n_passes; i++)
    {
      if (row->passes[i].kernel > 1)
        continue;
      for (guint step = 0; step <= row->passes[i].n_steps; step += 5)
        {
          /* the kernels pass takes it out of the graph in the end */
          if (i == 2 && step > 5)
            break;
          fb_document_jump (window->doc, i, step);
          test_settle (window);
          g_assert_cmpstr (selected_op (window), ==, "EXP2");
        }
    }
  /* and back to the tensor operation */
  fb_document_jump (window->doc, 0, 0);
  test_settle (window);
  g_assert_cmpstr (selected_op (window), ==, "EXP2");
  /* what a rule replaced is followed into its replacement */
  fb_document_jump (window->doc, 0, 19);
  test_settle (window);
  fb_document_jump_to_life (window->doc, 0, 18,
                            fb_history_find (row->history, 0, fb_pass_match (row->passes[0].pass, 18)->before));
  test_settle (window);
  g_assert_cmpstr (selected_op (window), ==, "EXPAND");
  test_do (window, "next-step", NULL);
  test_do (window, "next-step", NULL);
  g_assert_cmpstr (selected_op (window), ==, "VIEW");
  test_do (window, "previous-step", NULL);
  test_do (window, "previous-step", NULL);
  g_assert_cmpstr (selected_op (window), ==, "EXPAND");
  test_close (window);
}

static void
test_lineage (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_lerp ("simplify", 19);
  test_do (window, "inspector-tab", "'lineage'");
  FbLineagePage *page = FB_LINEAGE_PAGE (find (GTK_WIDGET (window->inspector), FB_TYPE_LINEAGE_PAGE));
  test_settle (window);
  /* EXPAND before, the kernel's VIEW and its LOAD after */
  g_assert_cmpuint (fb_lineage_page_get_n_links (page), ==, 3);
  fb_lineage_page_open_link (page, 2);
  test_settle (window);
  FbRowView *row = fb_document_get_row (window->doc);
  guint pass, step;
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (row->passes[pass].kernel, ==, 3);
  g_assert_cmpstr (selected_op (window), ==, "LOAD");
  /* now it is the lineage of that */
  g_assert_cmpuint (fb_lineage_page_get_n_links (page), >=, 3);
  test_do (window, "back", NULL);
  test_assert_at (window, 0, 19);
  fb_document_select (window->doc, NULL);
  test_settle (window);
  g_assert_cmpuint (fb_lineage_page_get_n_links (page), ==, 0);
  test_close (window);
}

/* Rows without passes have no history; everything says so and goes on. */
static void
test_without_passes (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path
      = g_build_filename (g_getenv ("FUSEBOX_SOURCE"), "tests", "fuzz", "seeds", "pickle", "row-kernel.pkl", NULL);
  FbWindow *window = test_open (path, 0, NULL, 0);
  g_assert_cmpint (fb_document_get_row (window->doc)->kind, ==, FB_ROW_KERNEL);
  test_do (window, "inspector-tab", "'lineage'");
  test_do (window, "search-all", "'op:SINK'");
  g_assert_cmpuint (fb_search_panel_get_n_hits (window->search_panel), ==, 1);
  test_do (window, "next-hit", NULL);
  g_assert_cmpstr (selected_op (window), ==, "SINK");
  test_do (window, "add-breakpoint", "'op:ADD'");
  test_do (window, "continue", NULL);
  test_do (window, "show-rules", NULL);
  test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/query/search-all-steps", test_search_all);
  g_test_add_func ("/app/query/search-this-graph", test_search_graph);
  g_test_add_func ("/app/query/breakpoints", test_breakpoints);
  g_test_add_func ("/app/query/rules", test_rules);
  g_test_add_func ("/app/query/rule-times", test_rule_times);
  g_test_add_func ("/app/query/selection-follows-its-node", test_following);
  g_test_add_func ("/app/query/lineage", test_lineage);
  g_test_add_func ("/app/query/without-passes", test_without_passes);
  return g_test_run ();
}
