/* Why, kernels and scenarios in the window. */
#include "util.h"

#include <string.h>

static FbUop *
stored_by (FbWindow *window, guint kernel)
{
  return fb_document_get_row (window->doc)->why->kernels[kernel - 1].stored;
}

static const FbNodeWhy *
why_of_selected (FbWindow *window)
{
  const FbNodeInfo *node = fb_document_get_node (window->doc);
  g_assert_nonnull (node);
  return node->why;
}

static void
wait_for_answers (FbWindow *window, guint32 place)
{
  for (guint i = 0; i < 500 && !fb_scenarios_get_answers (window->scenarios, place); i++)
    test_wait (10);
  g_assert_nonnull (fb_scenarios_get_answers (window->scenarios, place));
}

static void
test_verdict (void)
{
  g_autofree char *path = test_sample ("lerp.db");
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (path, 1, "realize", 0);
  const FbRowWhy *row = fb_document_get_row (window->doc)->why;
  g_assert_cmpuint (row->n_kernels, ==, 3);
  g_assert_cmpuint (row->n_realized, ==, 3);
  g_assert_cmpuint (row->n_fused, ==, 8);
  g_assert_cmpint (row->flops, ==, 12800);
  g_assert_cmpuint (row->kernels[0].last_used, ==, 3);
  g_assert_true (row->kernels[2].output);
  test_do (window, "inspector-tab", "'why'");
  test_do (window, "select-kernel", "1");
  g_assert_true (fb_document_get_selected (window->doc) == stored_by (window, 1));
  const FbNodeWhy *why = why_of_selected (window);
  g_assert_true (why->exact);
  g_assert_cmpuint (why->kind, ==, FB_VERDICT_REALIZED);
  g_assert_cmpstr (why->reason, ==, "expand");
  g_assert_cmpstr (why->location, ==, "schedule.py:99");
  g_assert_cmpuint (why->kernel, ==, 1);
  g_assert_cmpuint (why->tests->len, ==, 5);
  g_assert_cmpstr (g_array_index (why->tests, FbWhyTest, 1).value, ==, "64 < 4,096");
  g_assert_true (g_array_index (why->tests, FbWhyTest, 2).decided);
  g_assert_cmpuint (g_array_index (why->tests, FbWhyTest, 3).answer, ==, FB_TEST_NOT_REACHED);
  test_close (window);
}

/* From any pass: a node of the input is asked about as what it became, one of a kernel as what that stores. */
static void
test_other_passes (void)
{
  g_autofree char *path = test_sample ("lerp.db");
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (path, 1, "simplify", 0);
  const FbSchedule *schedule = fb_document_get_row (window->doc)->schedule;
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  guint n_known = 0;
  for (guint i = 0; i < graph->n_nodes; i++)
    {
      FbUop *uop = graph->nodes[i].uop;
      if (!uop || uop->id >= schedule->n_tensor_map || !schedule->tensor_map[uop->id])
        continue;
      fb_document_select (window->doc, uop);
      test_settle (window);
      g_assert_true (why_of_selected (window)->node == schedule->tensor_map[uop->id]->base);
      n_known++;
    }
  g_assert_cmpuint (n_known, >, 10);
  test_do (window, "select-kernel", "2");
  test_assert_at (window, 1, 0);
  g_assert_true (fb_document_get_selected (window->doc) == stored_by (window, 2));
  FbRowView *row = fb_document_get_row (window->doc);
  fb_document_jump (window->doc, row->n_passes - 1, 0);
  test_settle (window);
  graph = fb_document_get_view (window->doc)->scene->graph;
  fb_document_select (window->doc, graph->nodes[0].uop);
  test_settle (window);
  g_assert_false (why_of_selected (window)->exact);
  g_assert_true (why_of_selected (window)->node == stored_by (window, 3));
  test_close (window);
}

static void
test_try (void)
{
  g_autofree char *path = test_sample ("lerp.db");
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (path, 1, "realize", 0);
  test_do (window, "inspector-tab", "'why'");
  test_do (window, "drawer-tab", "'scenarios'");
  test_do (window, "select-kernel", "1");
  guint32 place = why_of_selected (window)->place;
  wait_for_answers (window, place);
  g_assert_cmpuint (fb_scenarios_get_answers (window->scenarios, place)->len, ==, 2);
  test_do (window, "try", NULL);
  FbRowView *row = fb_document_get_row (window->doc);
  g_assert_nonnull (row->scenario);
  g_assert_cmpuint (row->schedule->kernels->len, ==, 2);
  g_assert_cmpuint (fb_scenarios_get_n (window->scenarios), ==, 2);
  g_assert_cmpuint (fb_scenarios_get_shown (window->scenarios), ==, 1);
  g_assert_cmpint (fb_scenarios_get (window->scenarios, 1)->cost.flops, ==, 37376);
  /* the node is still selected, and fused now */
  g_assert_cmpuint (why_of_selected (window)->kind, ==, FB_VERDICT_FUSED);
  /* and back: to store it again takes the choice back */
  test_do (window, "try", NULL);
  g_assert_cmpuint (fb_document_get_row (window->doc)->schedule->kernels->len, ==, 3);
  fb_scenarios_show_at (window->scenarios, 0);
  test_settle (window);
  g_assert_null (fb_document_get_row (window->doc)->scenario);
  g_assert_cmpuint (fb_scenarios_get_shown (window->scenarios), ==, 0);
  test_close (window);
}

static void
count_failure (guint *n)
{
  (*n)++;
}

/* What cannot be had is refused in words, and what was there stays. */
static void
test_refused (void)
{
  g_autofree char *path = test_sample ("lerp.db");
  guint n_failures = 0;
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (path, 1, "realize", 0);
  test_do (window, "select-kernel", "3");
  const FbNodeWhy *why = why_of_selected (window);
  g_assert_true (why->asked_for);
  g_signal_connect_swapped (window->doc, "failed", G_CALLBACK (count_failure), &n_failures);
  g_autoptr (FbScenario) scenario = fb_scenarios_with_node (window->scenarios, why->place, TRUE);
  fb_scenarios_show (window->scenarios, scenario);
  test_settle (window);
  g_assert_cmpuint (n_failures, ==, 1);
  /* the banner says why */
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  g_assert_nonnull (strstr (gtk_label_get_label (window->banner_label), "cannot be fused: output (schedule.py:105)"));
  g_assert_null (fb_document_get_row (window->doc)->scenario);
  g_assert_cmpuint (fb_scenarios_get_n (window->scenarios), ==, 1);
  test_close (window);
}

/* Options by their switches; another row begins anew. */
static void
test_options (void)
{
  g_autofree char *path = test_sample ("pad_unsafe.db");
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (path, 1, "realize", 0);
  g_autoptr (FbScenario) scenario = fb_scenarios_with_option (window->scenarios, "DONT_REALIZE_EXPAND=1");
  fb_scenarios_show (window->scenarios, scenario);
  test_settle (window);
  g_assert_cmpint (fb_context_options (fb_document_get_row (window->doc)->context)->dont_realize_expand, ==, 1);
  g_assert_cmpuint (fb_scenarios_get_n (window->scenarios), ==, 2);
  fb_document_load (window->doc, 2);
  test_settle (window);
  g_assert_null (fb_document_get_row (window->doc)->scenario);
  g_assert_cmpuint (fb_scenarios_get_n (window->scenarios), ==, 1);
  test_close (window);
}

/* A pad that would let other values through is never tried, and that is known of the node. */
static void
test_unsafe (void)
{
  g_autofree char *path = test_sample ("pad_unsafe.db");
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (path, 1, "realize", 0);
  guint n_unsafe = 0;
  for (guint k = 1; k <= fb_document_get_row (window->doc)->why->n_kernels; k++)
    {
      g_autofree char *kernel = g_strdup_printf ("%u", k);
      test_do (window, "select-kernel", kernel);
      const FbNodeWhy *why = why_of_selected (window);
      g_assert_cmpint (why->unsafe, ==, g_str_has_prefix (why->reason, "unsafe-"));
      n_unsafe += why->unsafe ? 1 : 0;
    }
  g_assert_cmpuint (n_unsafe, >, 0);
  test_close (window);
}

/* The selected node beside the marked one. */
static void
test_pair (void)
{
  g_autofree char *path = test_sample ("lerp.db");
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (path, 1, "realize", 0);
  test_do (window, "select-kernel", "1");
  g_assert_null (why_of_selected (window)->pair_text);
  test_do (window, "mark", NULL);
  test_do (window, "select-kernel", "3");
  const FbNodeWhy *why = why_of_selected (window);
  g_assert_nonnull (why->pair_text);
  g_assert_cmpuint (why->deciding->len, ==, 2);
  g_assert_nonnull (strstr (g_ptr_array_index (why->deciding, 0), "RECIP"));
  test_do (window, "select-kernel", "1");
  test_do (window, "mark", NULL);
  test_do (window, "select-kernel", "3");
  g_assert_null (why_of_selected (window)->pair_text);
  test_close (window);
}

/* Every sample: each node of the table of verdicts has words, and the tables hold what the schedule holds. */
static void
test_samples (void)
{
  static const char *const names[]
      = { "attention.db", "convnet_train.db", "in_place.db", "kv_cache.db", "two_devices.db" };
  if (!test_has_display ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = test_sample (names[i]);
      FbWindow *window = test_open (path, 1, "realize", 0);
      const FbRowView *row = fb_document_get_row (window->doc);
      g_assert_cmpuint (row->why->n_kernels, ==, row->schedule->kernels->len);
      g_assert_cmpuint (row->why->n_realized, ==, row->schedule->realizes->len);
      for (guint k = 1; k <= row->why->n_kernels; k++)
        {
          test_do (window, "select-kernel", k == 1 ? "1" : "2");
          g_assert_cmpstr (why_of_selected (window)->sentence, !=, "");
          if (k == 2)
            break;
        }
      test_close (window);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/why/verdict", test_verdict);
  g_test_add_func ("/app/why/other-passes", test_other_passes);
  g_test_add_func ("/app/why/try", test_try);
  g_test_add_func ("/app/why/refused", test_refused);
  g_test_add_func ("/app/why/options", test_options);
  g_test_add_func ("/app/why/unsafe", test_unsafe);
  g_test_add_func ("/app/why/pair", test_pair);
  g_test_add_func ("/app/why/samples", test_samples);
  return g_test_run ();
}
