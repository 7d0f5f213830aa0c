/* The replay page and what it is made of; kernels beside schedules. */
#include <glib/gstdio.h>
#include <string.h>

#include "app/replay-item.h"
#include "app/replay-job.h"
#include "app/replay-pair.h"
#include "fixture.h"

/* A slow machine under sanitizers. */
#define PATIENCE_S 60

/* --- the job, which needs no display --- */

static GArray *
options_new (const char *text)
{
  GArray *options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  g_autoptr (GError) error = NULL;
  if (text)
    fb_replay_options_parse (options, text, &error);
  g_assert_no_error (error);
  return options;
}

static void
wait_for (FbReplayJob *job)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  while (fb_replay_job_is_running (job))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
}

static char *
command_line (const char *path, const char *option)
{
  char *argv[]
      = { (char *) g_getenv ("FUSEBOX_BIN"),  (char *) "replay", (char *) path, (char *) "--json", (char *) "-",
          (char *) (option ? "--set" : NULL), (char *) option,   NULL };
  char *out = NULL;
  g_autoptr (GError) error = NULL;
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, NULL, &error);
  g_assert_no_error (error);
  return out;
}

/* The window's result is the command line's, to the byte. */
static void
check_same_as_command_line (const char *path, const char *option, guint n_threads)
{
  g_autoptr (GArray) options = options_new (option);
  g_autoptr (FbReplayJob) job = fb_replay_job_new (path, NULL, options, n_threads);
  wait_for (job);
  g_assert_null (fb_replay_job_get_error (job));
  g_autofree char *mine = fb_replay_report_to_json (fb_replay_job_get_report (job));
  g_autofree char *theirs = command_line (path, option);
  g_assert_cmpstr (mine, ==, theirs);
}

static void
test_same_as_command_line (void)
{
  static const struct
  {
    const char *sample, *option;
  } cases[] = { { "lerp.db", NULL },
                { "lerp.db", "DONT_REALIZE_EXPAND=1" },
                { "embedding.db", "FUSE_ARANGE=1" },
                { "mlp_train.db", "FUSE_CONV_BW=1" },
                { "kv_cache.db", NULL } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = test_sample (cases[i].sample);
      check_same_as_command_line (path, cases[i].option, 0);
    }
}

static char *
corpus_file (const char *name)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  g_autofree char *path = corpus ? g_build_filename (corpus, name, NULL) : NULL;
  if (path && g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  g_test_skip ("no corpus");
  return NULL;
}

static void
test_corpus (void)
{
  g_autofree char *path = corpus_file ("cpu.test_schedule.db");
  if (!path)
    return;
  check_same_as_command_line (path, "FUSE_ARANGE=1", 4);
  check_same_as_command_line (path, "FUSE_ARANGE=1", 1);
}

static void
cancel_at_once (FbReplayJob *job, guint *n_calls)
{
  ++*n_calls;
  fb_replay_job_cancel (job);
}

static void
count (FbReplayJob *job, guint *n_calls)
{
  ++*n_calls;
}

/* What was finished by then is kept, and the report says that it is not all. */
static void
test_cancel (void)
{
  g_autofree char *path = test_many_rows ("mlp_train.db", 3000);
  g_autoptr (GArray) options = options_new ("FUSE_ARANGE=1");
  g_autoptr (FbReplayJob) job = fb_replay_job_new (path, NULL, options, 3);
  guint n_progress = 0, n_done = 0;
  g_signal_connect (job, "progress", G_CALLBACK (cancel_at_once), &n_progress);
  g_signal_connect (job, "done", G_CALLBACK (count), &n_done);
  wait_for (job);
  const FbReplayReport *report = fb_replay_job_get_report (job);
  g_assert_cmpuint (n_progress, >, 0);
  g_assert_cmpuint (n_done, ==, 1);
  g_assert_true (report->partial);
  g_assert_cmpuint (fb_replay_report_n_replayed (report), <, 3000);
  g_assert_cmpuint (fb_replay_report_n_rows (report), ==, 3000);
  g_assert_cmpuint (report->statuses[FB_REPLAY_ROW_FAILED], ==, 0);
  for (guint i = 1; i < report->rows->len; i++)
    g_assert_cmpuint (((FbReplayRow *) report->rows->pdata[i - 1])->row, <,
                      ((FbReplayRow *) report->rows->pdata[i])->row);
  g_unlink (path);
}

/* A job that nobody wants any more ends by itself. */
static void
test_forgotten (void)
{
  g_autofree char *path = test_many_rows ("mlp_train.db", 300);
  g_autoptr (GArray) options = options_new (NULL);
  for (guint i = 0; i < 5; i++)
    {
      FbReplayJob *job = fb_replay_job_new (path, NULL, options, 2);
      test_wait (20 * i);
      g_object_unref (job);
    }
  test_wait (200);
  g_unlink (path);
}

static void
test_unreadable (void)
{
  g_autoptr (GArray) options = options_new (NULL);
  g_autoptr (FbReplayJob) job = fb_replay_job_new ("/no/such/file.db", NULL, options, 2);
  wait_for (job);
  g_assert_nonnull (strstr (fb_replay_job_get_error (job), "/no/such/file.db"));
  g_assert_cmpuint (fb_replay_report_n_rows (fb_replay_job_get_report (job)), ==, 0);
}

/* --- pairs of kernels --- */

static void
test_pair (void)
{
  g_autofree char *path = test_sample ("embedding.db");
  g_autoptr (GArray) options = options_new ("FUSE_ARANGE=1");
  g_autoptr (GError) error = NULL;
  g_autoptr (FbReplayKernels) kernels = fb_replay_kernels_new (path, NULL, 1, options, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (FbReplayJob) job = fb_replay_job_new (path, NULL, options, 1);
  wait_for (job);
  const FbReplayRow *row = g_ptr_array_index (fb_replay_job_get_report (job)->rows, 0);
  const FbReplayDifference *difference = g_ptr_array_index (row->differences, 0);
  guint last = difference->scheduled[0];
  g_autoptr (FbReplayPair) pair
      = fb_replay_pair_new (kernels, difference->captured[0], last, fb_metrics_default, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (pair->captured);
  g_assert_cmpuint (pair->scheduled->graph->n_marks[FB_MARK_NEW], >, 0);
  g_assert_cmpuint (pair->scheduled->graph->n_marks[FB_MARK_REBUILT], >, 0);
  g_assert_cmpuint (pair->diff->n_added, >, 0);
  /* Every node is found, in both graphs: what both have is the same node. */
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (kernels->context, fb_schedule_kernel (kernels->schedule, last)->ast);
  for (guint i = 0; i < nodes->len; i++)
    g_assert_cmpuint (fb_graph_find (pair->scheduled->graph, nodes->pdata[i]), !=, FB_GRAPH_NONE);

  /* A kernel beside itself has no marks; one alone has one graph. */
  g_autoptr (GArray) none = options_new (NULL);
  g_autoptr (FbReplayKernels) same = fb_replay_kernels_new (path, NULL, 1, none, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (FbReplayPair) equal = fb_replay_pair_new (same, 0, 0, fb_metrics_default, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (equal->captured->graph->n_marks[FB_MARK_SAME], ==, equal->captured->graph->n_nodes);
  g_assert_cmpuint (equal->scheduled->graph->n_marks[FB_MARK_SAME], ==, equal->scheduled->graph->n_nodes);
  g_assert_cmpuint (equal->diff->n_added + equal->diff->n_removed, ==, 0);
  g_autoptr (FbReplayPair) alone = fb_replay_pair_new (same, 0, FB_NO_KERNEL, fb_metrics_default, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (alone->scheduled);
  g_assert_cmpuint (alone->captured->graph->n_nodes, ==, equal->captured->graph->n_nodes);
  g_assert_null (fb_replay_pair_new (same, 999, 0, fb_metrics_default, NULL, &error));
  g_assert_nonnull (error);
}

/* --- the page --- */

static void
settle_all (FbWindow *window)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  while (!fb_window_is_settled (window))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
  test_wait (100);
}

static gboolean
on_replay (FbWindow *window)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "replay");
  g_assert_cmpint (g_variant_get_boolean (state), ==,
                   !strcmp (gtk_stack_get_visible_child_name (window->stack), "replay"));
  return g_variant_get_boolean (state);
}

static void
test_page (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_many_rows ("embedding.db", 7);
  FbWindow *window = test_open (path, 2, NULL, 0);
  g_assert_false (on_replay (window));
  test_do (window, "replay", NULL);
  settle_all (window);
  g_assert_true (on_replay (window));
  const FbReplayReport *report = fb_replay_job_get_report (fb_replay_page_get_job (window->replay_page));
  g_assert_cmpuint (report->statuses[FB_REPLAY_ROW_IDENTICAL], ==, 7);
  g_assert_cmpuint (fb_replay_page_get_n_rows (window->replay_page), ==, 0);

  /* Another option, and every row differs, in the same way. */
  g_autoptr (GError) error = NULL;
  char *set[] = { (char *) "FUSE_ARANGE=1", NULL };
  test_do (window, "replay", NULL);
  g_assert_false (on_replay (window));
  g_assert_true (fb_window_show_page (window, "replay", set, &error));
  settle_all (window);
  report = fb_replay_job_get_report (fb_replay_page_get_job (window->replay_page));
  g_assert_cmpuint (report->statuses[FB_REPLAY_ROW_CHANGED], ==, 7);
  g_assert_cmpuint (fb_replay_page_get_n_rows (window->replay_page), ==, 7);
  g_assert_true (fb_replay_page_copy (window->replay_page));
  g_autoptr (GListModel) choices = fb_replay_choices_new (report);
  guint n_group = 0, n_class = 0;
  for (guint i = 0; i < g_list_model_get_n_items (choices); i++)
    {
      g_autoptr (FbReplayChoice) choice = g_list_model_get_item (choices, i);
      FbReplayShow show = fb_replay_choice_get_show (choice);
      if (show == FB_REPLAY_SHOW_TITLE)
        continue;
      fb_replay_page_choose (window->replay_page, i);
      g_assert_cmpuint (fb_replay_page_get_n_rows (window->replay_page), ==, fb_replay_choice_get_count (choice));
      n_group += show == FB_REPLAY_SHOW_GROUP;
      n_class += show == FB_REPLAY_SHOW_CLASS;
    }
  g_assert_cmpuint (n_group, ==, 1);
  g_assert_cmpuint (n_class, >, 0);

  /* Into the stepping view. */
  g_signal_emit_by_name (window->replay_page, "open-row", 5);
  test_settle (window);
  g_assert_false (on_replay (window));
  g_assert_cmpuint (fb_document_get_row (window->doc)->number, ==, 5);
  /* What was replayed is still there. */
  test_do (window, "replay", NULL);
  g_assert_cmpuint (fb_replay_page_get_n_rows (window->replay_page), >, 0);
  /* Another file takes the window back to the graph. */
  g_autofree char *lerp = test_sample ("lerp.db");
  fb_window_open (window, lerp, 0, NULL, 0);
  test_settle (window);
  g_assert_false (on_replay (window));
  g_assert_cmpuint (fb_replay_page_get_n_rows (window->replay_page), ==, 0);
  test_close (window);
  g_unlink (path);
}

/* The replay is the first thing the window shows. */
static void
test_first_page (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("embedding.db");
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  char *set[] = { (char *) "FUSE_ARANGE=1", NULL };
  fb_window_open (window, path, 0, NULL, 0);
  fb_window_turn_to (window, "replay", set);
  test_settle (window);
  settle_all (window);
  test_wait (200);
  g_assert_true (on_replay (window));
  g_assert_cmpuint (fb_replay_page_get_n_rows (window->replay_page), ==, 1);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window->replay_page)), ==,
                   gtk_widget_get_width (GTK_WIDGET (window->stack)));
  /* Once: another file begins with its graph. */
  g_autofree char *lerp = test_sample ("lerp.db");
  fb_window_open (window, lerp, 0, NULL, 0);
  test_settle (window);
  g_assert_false (on_replay (window));
  test_close (window);
}

static void
test_wrong_page (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("lerp.db");
  FbWindow *window = test_open (path, 0, NULL, 0);
  char *set[] = { (char *) "NO_SUCH_OPTION=1", NULL };
  static const char *const pages[] = { "nowhere", "source", "replay" };
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (fb_window_show_page (window, pages[i], set, &error));
      g_assert_nonnull (error);
      g_assert_false (on_replay (window));
    }
  test_close (window);
}

/* The window goes away, or the file does, while rows are being replayed. */
static void
test_close_while_running (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_many_rows ("mlp_train.db", 2000);
  g_autofree char *lerp = test_sample ("lerp.db");
  for (guint i = 0; i < 4; i++)
    {
      FbWindow *window = test_open (path, 0, NULL, 0);
      g_action_group_activate_action (G_ACTION_GROUP (window), "replay", NULL);
      test_wait (25 * i);
      g_assert_true (fb_replay_page_is_running (window->replay_page));
      if (i == 2)
        {
          g_action_group_activate_action (G_ACTION_GROUP (window), "cancel", NULL);
          settle_all (window);
          g_assert_true (fb_replay_job_get_report (fb_replay_page_get_job (window->replay_page))->partial);
        }
      if (i == 3)
        {
          fb_window_open (window, lerp, 0, NULL, 0);
          test_settle (window);
          g_assert_false (fb_replay_page_is_running (window->replay_page));
        }
      test_close (window);
    }
  test_wait (200);
  g_unlink (path);
}

/* --- kernels --- */

static void
test_both_kinds (void)
{
  g_autofree char *kernels = corpus_file ("kernels.db");
  if (!kernels || !test_has_display ())
    return;
  g_autofree char *path = test_many_rows ("lerp.db", 3);
  g_autofree char *sql = g_strdup_printf ("attach '%s' as kernels;"
                                          "create table kernel_process_replay_19 (key text primary key, val blob);"
                                          "insert into kernel_process_replay_19 select key, val"
                                          " from kernels.kernel_process_replay_19 order by rowid limit 4;",
                                          kernels);
  test_run_sql (path, sql);
  FbWindow *window = test_open (path, 0, NULL, 0);
  g_assert_true (fb_document_has_both_kinds (window->doc));
  g_assert_cmpuint (fb_document_get_n_rows (window->doc), ==, 7);
  guint number = 0;
  g_assert_cmpint (fb_document_get_row_kind (window->doc, 3, &number), ==, FB_ROW_SCHEDULE);
  g_assert_cmpuint (number, ==, 3);
  g_assert_cmpint (fb_document_get_row_kind (window->doc, 6, &number), ==, FB_ROW_KERNEL);
  g_assert_cmpuint (number, ==, 3);
  g_assert_false (fb_drawer_panel_has_source (window->drawer));
  fb_document_load (window->doc, 6);
  test_settle (window);
  FbRowView *row = fb_document_get_row (window->doc);
  g_assert_cmpint (row->kind, ==, FB_ROW_KERNEL);
  g_assert_nonnull (row->row->kernel_name);
  g_assert_true (fb_drawer_panel_has_source (window->drawer));
  g_assert_true (fb_drawer_panel_copy (window->drawer));
  g_assert_nonnull (strstr (gtk_label_get_label (window->subtitle_label), row->row->kernel_name));
  /* Only schedules are replayed. */
  test_do (window, "replay", NULL);
  settle_all (window);
  const FbReplayReport *report = fb_replay_job_get_report (fb_replay_page_get_job (window->replay_page));
  g_assert_cmpuint (fb_replay_report_n_replayed (report), ==, 3);
  fb_window_show_replay (window, FALSE);
  fb_document_load (window->doc, 2);
  test_settle (window);
  g_assert_false (fb_drawer_panel_has_source (window->drawer));
  test_close (window);
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/replay/same-as-command-line", test_same_as_command_line);
  g_test_add_func ("/app/replay/corpus", test_corpus);
  g_test_add_func ("/app/replay/cancel", test_cancel);
  g_test_add_func ("/app/replay/forgotten", test_forgotten);
  g_test_add_func ("/app/replay/unreadable", test_unreadable);
  g_test_add_func ("/app/replay/pair", test_pair);
  g_test_add_func ("/app/replay/page", test_page);
  g_test_add_func ("/app/replay/first-page", test_first_page);
  g_test_add_func ("/app/replay/wrong-page", test_wrong_page);
  g_test_add_func ("/app/replay/close-while-running", test_close_while_running);
  g_test_add_func ("/app/replay/both-kinds", test_both_kinds);
  return g_test_run ();
}
