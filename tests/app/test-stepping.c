/* Going about in a row: kernels, a step by its number, comparing, what the pass list and the strip show. The window is driven by its
 * actions. */
#include "app/heat-strip-private.h"
#include "app/pass-panel-private.h"
#include "app/preferences.h"
#include "core/ir/text.h"
#include "util.h"

static FbWindow *
open_sample (const char *name, const char *pass, guint step)
{
  g_autofree char *path = test_sample (name);
  return test_open (path, 1, pass, step);
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);
      if (found)
        return found;
    }
  return NULL;
}

static void
test_kernels (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", "1", 5);
  FbRowView *row = fb_document_get_row (window->doc);
  guint pass, step, kernel = 0;
  for (guint k = 1; k <= 3; k++)
    {
      test_do (window, "next-kernel", NULL);
      fb_document_get_position (window->doc, &pass, &step);
      g_assert_cmpuint (row->passes[pass].kernel, ==, k);
      g_assert_cmpuint (row->passes[pass].n_steps, >, 0);
      g_assert_cmpuint (step, ==, 0);
      kernel = pass;
    }
  /* There is no fourth. */
  test_do (window, "next-kernel", NULL);
  test_assert_at (window, kernel, 0);
  test_do (window, "previous-kernel", NULL);
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (row->passes[pass].kernel, ==, 2);
  test_close (window);
}

static guint
n_listed (FbWindow *window)
{
  return window->pass_panel->order->len;
}

static void
test_pass_list (void)
{
  if (!test_has_display ())
    return;
  FbPreferences *preferences = fb_preferences_get_default ();
  FbWindow *window = open_sample ("lerp.db", "1", 5);
  FbPassPanel *panel = window->pass_panel;
  FbRowView *row = fb_document_get_row (window->doc);
  /* Three passes, three kernels, closed. */
  g_assert_cmpuint (n_listed (window), ==, 6);
  /* The kernel we are in opens, and closes behind us. */
  test_do (window, "next-kernel", NULL);
  guint first, n = fb_passes_of_kernel (row, 1, &first);
  g_assert_cmpuint (n_listed (window), ==, 6 + n);
  test_do (window, "next-kernel", NULL);
  g_assert_cmpuint (n_listed (window), ==, 6 + fb_passes_of_kernel (row, 2, &first));
  /* What the person opened stays. */
  fb_pass_panel_toggle (panel, FB_PASS_HEAD | 1);
  g_assert_true (fb_pass_panel_is_open (panel, 1));
  test_do (window, "first-step", NULL);
  fb_document_jump (window->doc, 0, 1);
  test_settle (window);
  g_assert_cmpuint (n_listed (window), ==, 6 + n);
  fb_pass_panel_toggle (panel, FB_PASS_HEAD | 1);
  g_assert_cmpuint (n_listed (window), ==, 6);

  /* Passes that change nothing: realize is one. */
  g_object_set (preferences, "hide-empty-passes", TRUE, NULL);
  g_assert_cmpuint (n_listed (window), ==, 5);
  /* Where we are is shown all the same. */
  fb_document_jump (window->doc, 1, 0);
  test_settle (window);
  g_assert_cmpuint (n_listed (window), ==, 6);
  g_assert_cmpuint (gtk_single_selection_get_selected (panel->pass_selection), ==, 1);
  fb_document_jump (window->doc, 2, 4);
  test_settle (window);
  g_assert_cmpuint (n_listed (window), ==, 5);
  g_assert_cmpuint (gtk_single_selection_get_selected (panel->pass_selection), ==, 1);
  test_do (window, "hide-empty-passes", NULL);
  g_assert_false (fb_preferences_get_hide_empty_passes (preferences));
  g_assert_cmpuint (n_listed (window), ==, 6);
  test_close (window);
}

static void
type_step (FbWindow *window, const char *text)
{
  test_do (window, "go-to-step", NULL);
  test_wait (50);
  GtkWidget *entry = find_widget (GTK_WIDGET (window->scrubber), GTK_TYPE_ENTRY);
  g_assert_nonnull (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
  test_settle (window);
}

static void
test_go_to (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", "1", 1);
  type_step (window, "19");
  test_assert_at (window, 0, 19);
  type_step (window, "3:4");
  test_assert_at (window, 2, 4);
  type_step (window, "nowhere:4");
  test_assert_at (window, 2, 4);
  type_step (window, "kernel 2:1");
  g_assert_cmpuint (fb_step_view_pass (fb_document_get_view (window->doc))->kernel, ==, 2);
  test_do (window, "back", NULL);
  test_assert_at (window, 2, 4);
  test_close (window);
}

static void
test_speed (void)
{
  if (!test_has_display ())
    return;
  FbPreferences *preferences = fb_preferences_get_default ();
  FbWindow *window = open_sample ("lerp.db", "1", 0);
  guint speed = fb_preferences_get_play_speed (preferences), pass, step = 0;
  test_do (window, "play-faster", NULL);
  g_assert_cmpuint (fb_preferences_get_play_speed (preferences), ==, 2 * speed);
  for (int i = 0; i < 12; i++)
    test_do (window, "play-faster", NULL);
  g_assert_cmpuint (fb_preferences_get_play_speed (preferences), >, 2 * speed);
  test_do (window, "play", NULL);
  while (step < 6)
    {
      test_wait (20);
      fb_document_get_position (window->doc, &pass, &step);
    }
  test_do (window, "play", NULL);
  for (int i = 0; i < 20; i++)
    test_do (window, "play-slower", NULL);
  g_assert_cmpuint (fb_preferences_get_play_speed (preferences), >=, 1);
  g_object_set (preferences, "play-speed", speed, NULL);
  test_close (window);
}

static void
test_compare (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", "1", 10);
  FbStepPosition from;
  test_do (window, "compare", NULL);
  g_assert_true (fb_document_get_compare (window->doc, &from));
  g_assert_true (fb_step_position_equal (from, (FbStepPosition){ 0, 10 }));
  g_assert_true (gtk_widget_get_visible (window->compare_chip));
  /* With itself: nothing is different. */
  const FbStepView *view = fb_document_get_view (window->doc);
  g_assert_cmpuint (view->record->n_marks[FB_MARK_SAME], ==, view->record->nodes->len);
  /* Wherever one goes, what is different since then. */
  test_do (window, "last-step", NULL);
  view = fb_document_get_view (window->doc);
  g_assert_cmpuint (view->record->n_marks[FB_MARK_NEW], ==, 3);
  g_assert_cmpuint (view->scene->graph->n_marks[FB_MARK_REBUILT], ==, 10);
  g_assert_cmpuint (fb_document_get_diff (window->doc)->n_added, >, 0);
  fb_document_jump (window->doc, 2, 17);
  test_settle (window);
  view = fb_document_get_view (window->doc);
  g_assert_true (view->wanted.compares);
  g_assert_cmpuint (view->record->n_marks[FB_MARK_NEW], >, 10);

  test_do (window, "side", "'both'");
  view = fb_document_get_view (window->doc);
  g_assert_nonnull (view->left);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window->left_canvas)));
  g_assert_true (fb_canvas_get_scene (window->left_canvas) == view->left);
  g_assert_cmpuint (view->left->graph->n_marks[FB_MARK_REPLACED], ==, view->record->n_marks[FB_MARK_REPLACED]);
  g_assert_cmpuint (view->scene->graph->n_marks[FB_MARK_REPLACED], ==, 0);
  test_do (window, "side", "'overlay'");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window->left_canvas)));

  test_do (window, "compare", NULL);
  g_assert_false (fb_document_get_compare (window->doc, NULL));
  g_assert_false (gtk_widget_get_visible (window->compare_chip));
  g_assert_nonnull (fb_document_get_view (window->doc)->record->rule);
  /* A place that does not exist changes nothing. */
  test_do (window, "compare-with", "'1:99'");
  g_assert_false (fb_document_get_compare (window->doc, NULL));
  test_close (window);
}

/* Cells cover every step once, in order; places and marks are where they belong. */
static void
check_strip (FbWindow *window)
{
  FbHeatStrip *strip = FB_HEAT_STRIP (find_widget (GTK_WIDGET (window->scrubber), FB_TYPE_HEAT_STRIP));
  FbRowView *row = fb_document_get_row (window->doc);
  fb_heat_strip_lay_out (strip);
  guint at = 0;
  double right = 0;
  for (guint i = 0; i < strip->cells->len; i++)
    {
      const FbHeatCell *cell = &g_array_index (strip->cells, FbHeatCell, i);
      g_assert_cmpuint (cell->first, ==, at);
      g_assert_cmpuint (cell->end, >, at);
      g_assert_cmpfloat (cell->x, >=, right - 0.01);
      right = cell->x + cell->width;
      at = cell->end;
    }
  g_assert_cmpuint (at, ==, row->n_steps);
  g_assert_cmpfloat (right, <=, gtk_widget_get_width (GTK_WIDGET (strip)) + 1);
  for (guint i = 0; i < row->n_passes; i++)
    for (guint s = 1; s <= row->passes[i].n_steps; s++)
      {
        double x, width;
        fb_heat_strip_place (strip, (FbStepPosition){ i, s }, &x, &width);
        g_assert_cmpfloat (x, >=, 0);
        g_assert_cmpfloat (x, <=, right);
      }
}

static void
test_strip (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", "1", 3);
  FbRowView *row = fb_document_get_row (window->doc);
  while (!fb_document_is_measured (window->doc))
    g_main_context_iteration (NULL, TRUE);
  check_strip (window);
  /* What each says is what the step says. */
  const FbHeat *heat = fb_document_get_heat (window->doc);
  g_assert_cmpuint (heat->n_known, >=, row->n_steps);
  for (guint at = 0; at < row->n_steps; at++)
    {
      FbStepPosition position = fb_step_position_from_index (row, at + 1);
      g_autoptr (FbStep) step = fb_step_new (row->context, row->passes[position.pass].pass, position.step, NULL);
      g_assert_cmpuint (heat->touched[at], ==,
                        step->n_marks[FB_MARK_REPLACED] + step->n_marks[FB_MARK_NEW] + step->n_marks[FB_MARK_REBUILT]);
    }
  /* The second kernel is made by rewrites that the first one had. */
  guint repeats = 0;
  for (guint at = 0; at < row->n_steps; at++)
    if (row->repeat_of[at])
      {
        FbStepPosition here = fb_step_position_from_index (row, at + 1);
        FbStepPosition there = fb_step_position_from_index (row, row->repeat_of[at]);
        const FbMatch *a = fb_pass_match (row->passes[here.pass].pass, here.step - 1);
        const FbMatch *b = fb_pass_match (row->passes[there.pass].pass, there.step - 1);
        g_assert_cmpuint (row->repeat_of[at], <=, at);
        g_assert_true (a->before == b->before && a->after == b->after);
        repeats++;
      }
  g_assert_cmpuint (repeats, >, 0);
  fb_step_marks_add (fb_document_get_marks (window->doc), FB_STEP_BREAK, (FbStepPosition){ 0, 4 }, "VIEW");
  FbHeatStrip *strip = FB_HEAT_STRIP (find_widget (GTK_WIDGET (window->scrubber), FB_TYPE_HEAT_STRIP));
  g_autofree char *words = fb_heat_strip_describe (strip, (FbStepPosition){ 0, 4 });
  g_assert_nonnull (strstr (words, "Breakpoint: VIEW"));
  const FbHeatKind round[] = { FB_HEAT_GROWTH, FB_HEAT_TIME, FB_HEAT_TRIES, FB_HEAT_TOUCHED };
  for (guint i = 0; i < G_N_ELEMENTS (round); i++)
    {
      test_do (window, "next-heat", NULL);
      test_wait (30);
      g_assert_cmpint (strip->kind, ==, round[i]);
    }
  test_close (window);
  /* More steps than there is room for. */
  window = open_sample ("mlp_train.db", "1", 3);
  check_strip (window);
  test_close (window);
}

/* The next step that marks a card of this key as anything but the same, by looking at every graph. */
static guint
slow_change (const FbStepView *view, guint64 key)
{
  const FbPassView *pass = fb_step_view_pass (view);
  for (guint s = view->step + 1; s <= pass->n_steps; s++)
    {
      g_autoptr (FbStep) step = fb_step_new (view->row->context, pass->pass, s, NULL);
      g_autoptr (FbGraph) graph = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
      for (guint i = 0; i < graph->n_nodes; i++)
        if (graph->nodes[i].mark != FB_MARK_SAME && (graph->nodes[i].key == key || graph->nodes[i].was_key == key))
          return s;
    }
  return 0;
}

static void
test_changes (void)
{
  static const struct
  {
    const char *sample, *pass;
    guint step, stride;
  } places[] = { { "lerp.db", "1", 0, 1 }, { "lerp.db", "3", 4, 1 }, { "mlp_train.db", "1", 200, 25 } };
  if (!test_has_display ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      FbWindow *window = open_sample (places[i].sample, places[i].pass, places[i].step);
      /* Nothing else is at work in the context. */
      while (!fb_document_is_measured (window->doc))
        g_main_context_iteration (NULL, TRUE);
      test_settle (window);
      FbStepView *view = fb_document_get_view (window->doc);
      const FbGraph *graph = view->scene->graph;
      guint found = 0;
      for (guint card = 0; card < graph->n_nodes; card += places[i].stride)
        {
          FbStepPosition change = { view->pass, 0 };
          fb_step_view_find_change (view, graph->nodes[card].uop, 1, &change);
          guint step = change.pass == view->pass ? change.step : 0;
          if (graph->nodes[card].mark != FB_MARK_REPLACED)
            g_assert_cmpuint (step, ==, slow_change (view, graph->nodes[card].key));
          found += step > 0;
        }
      g_assert_cmpuint (found, >, 0);
      test_close (window);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/stepping/kernels", test_kernels);
  g_test_add_func ("/app/stepping/pass-list", test_pass_list);
  g_test_add_func ("/app/stepping/go-to", test_go_to);
  g_test_add_func ("/app/stepping/speed", test_speed);
  g_test_add_func ("/app/stepping/compare", test_compare);
  g_test_add_func ("/app/stepping/strip", test_strip);
  g_test_add_func ("/app/stepping/changes", test_changes);
  return g_test_run ();
}
