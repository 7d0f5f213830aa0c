/* Traces that runs leave while the window is open, and two of them beside each other. */
#include <glib/gstdio.h>
#include <string.h>

#include "app/trace-compare-private.h"
#include "app/trace-compare-window.h"
#include "app/watch.h"
#include "util.h"

/* Longer than any test takes, so that one which waits in vain fails. */
#define PATIENCE_S 60

static char *
trace_sample (const char *name)
{
  g_autofree char *file = g_build_filename ("traces", name, NULL);

  return test_sample (file);
}

/* --- a folder that runs leave traces in --- */

typedef struct
{
  char *folder, *path;
} Folder;

static void
leave (const Folder *folder, const char *sample)
{
  g_autofree char *from = trace_sample (sample), *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize len;

  g_file_get_contents (from, &text, &len, &error);
  g_assert_no_error (error);
  g_file_set_contents_full (folder->path, text, (gssize) len, G_FILE_SET_CONTENTS_NONE, 0644, &error);
  g_assert_no_error (error);
}

static void
begin (Folder *folder)
{
  folder->folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  folder->path = g_build_filename (folder->folder, "rewrites.pkl.me", NULL);
}

static void
end (Folder *folder)
{
  g_unlink (folder->path);
  g_rmdir (folder->folder);
  g_free (folder->path);
  g_free (folder->folder);
}

/* Until the window has seen this many runs. */
static void
wait_for_runs (FbWindow *window, guint n)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  while (fb_window_get_n_runs (window) < n)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
  test_settle (window);
}

static const char *
pass_title (FbWindow *window)
{
  guint pass, step;

  fb_document_get_position (window->doc, &pass, &step);
  return fb_document_get_row (window->doc)->passes[pass].pass->name;
}

/* The run is shown at the context, the rewrite and the step that were shown before, though the release is another and the context
 * has other rewrites before that one. */
static void
test_same_place (void)
{
  Folder folder;
  FbWindow *window;
  guint pass, step;

  if (!test_has_display ())
    return;
  begin (&folder);
  leave (&folder, "relu.v0.13.0.pkl");
  window = test_open (folder.path, 2, "kernel split", 0);
  g_assert_null (fb_window_get_watched (window));
  test_do (window, "watch", NULL);
  g_assert_cmpstr (fb_window_get_watched (window), ==, folder.folder);
  wait_for_runs (window, 1);
  g_assert_true (g_str_has_suffix (gtk_label_get_label (window->subtitle_label), "watching runs"));
  fb_document_get_position (window->doc, &pass, &step);
  fb_document_go (window->doc, pass, 2);
  test_settle (window);

  leave (&folder, "relu.2026-08.pkl");
  wait_for_runs (window, 2);
  g_assert_cmpuint (fb_document_get_row_number (window->doc), ==, 2);
  g_assert_cmpstr (pass_title (window), ==, "kernel split");
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (step, ==, 2);
  g_assert_cmpstr (fb_viz_trace_release (fb_window_get_run (window, 0)), ==, "2026-08-22");
  g_assert_cmpstr (fb_viz_trace_release (fb_window_get_run (window, 1)), ==, "v0.13.0");

  test_do (window, "watch", NULL);
  g_assert_null (fb_window_get_watched (window));
  g_assert_false (g_str_has_suffix (gtk_label_get_label (window->subtitle_label), "watching runs"));
  test_close (window);
  end (&folder);
}

/* A run of another program lacks the context: its place in the list is shown, and the window says so. */
static void
test_lost_place (void)
{
  Folder folder;
  FbWindow *window;
  guint pass, step;

  if (!test_has_display ())
    return;
  begin (&folder);
  leave (&folder, "relu.v0.13.0.pkl");
  window = test_open (folder.path, 2, "kernel split", 1);
  fb_window_watch (window, folder.folder);
  wait_for_runs (window, 1);
  leave (&folder, "relu.v0.10.2.pkl");
  wait_for_runs (window, 2);
  g_assert_nonnull (strstr (gtk_label_get_label (window->note), "Schedule 2 Kernels n1"));
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpuint (step, ==, 0);
  test_close (window);
  end (&folder);
}

/* An empty window shows what there is, then what comes; a file that is no trace is said, and what was shown stays. */
static void
test_from_nothing (void)
{
  Folder folder;
  FbWindow *window;
  gint64 limit;

  if (!test_has_display ())
    return;
  begin (&folder);
  window = test_open (NULL, 0, NULL, 0);
  fb_window_watch (window, folder.folder);
  leave (&folder, "relu.v0.11.0.pkl");
  wait_for_runs (window, 1);
  g_assert_cmpstr (fb_document_get_path (window->doc), ==, folder.path);
  g_assert_cmpuint (fb_document_get_row_number (window->doc), ==, 1);

  g_assert_true (g_file_set_contents (folder.path, "no trace.", -1, NULL));
  limit = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  while (!gtk_revealer_get_reveal_child (window->banner))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, limit);
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_cmpuint (fb_window_get_n_runs (window), ==, 1);
  g_assert_nonnull (fb_document_get_view (window->doc));
  test_close (window);
  end (&folder);
}

static void
test_no_folder (void)
{
  FbWindow *window;

  if (!test_has_display ())
    return;
  window = test_open (NULL, 0, NULL, 0);
  fb_window_watch (window, "/nowhere/at/all");
  g_assert_null (fb_window_get_watched (window));
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  test_close (window);
}

/* --- two traces beside each other --- */

static void
settle_page (FbWindow *window)
{
  gint64 limit = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  while (!fb_window_is_settled (window))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, limit);
      g_main_context_iteration (NULL, TRUE);
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static FbWindow *
open_beside (const char *a, const char *b)
{
  g_autofree char *first = trace_sample (a), *second = trace_sample (b);
  FbWindow *window = test_open (second, 0, NULL, 0);

  fb_window_compare_traces (window, first);
  g_assert_true (fb_window_shows_traces (window));
  settle_page (window);
  return window;
}

/* Every difference is come to, and the graphs of each rewrite are on the sides that have it. */
static void
test_compare_releases (void)
{
  FbWindow *window;
  FbTraceCompare *page;
  const FbVizComparison *comparison;
  guint different = 0, seen = 1;

  if (!test_has_display ())
    return;
  window = open_beside ("relu.v0.13.0.pkl", "relu.2026-08.pkl");
  page = window->trace_compare;
  comparison = fb_trace_compare_get (page);
  g_assert_nonnull (comparison);
  g_assert_cmpuint (fb_trace_compare_get_n_rows (page), ==, 3);
  g_assert_cmpuint (fb_trace_compare_get_row (page), ==, 0);
  for (guint i = 0; i < fb_viz_comparison_n_pairs (comparison); i++)
    {
      const FbVizContextPair *pair = fb_viz_comparison_pair (comparison, i);

      different += pair->n_pairs - pair->n_rewrites[FB_VIZ_SAME];
    }
  for (;;)
    {
      FbVizRewritePair chosen;
      FbScene *scenes[2];

      settle_page (window);
      g_assert_true (fb_trace_compare_chosen_rewrite (page, &chosen));
      g_assert_cmpint (chosen.relation, !=, FB_VIZ_SAME);
      scenes[0] = fb_canvas_get_scene (fb_replay_side_get_canvas (page->a));
      scenes[1] = fb_canvas_get_scene (fb_replay_side_get_canvas (page->b));
      g_assert_cmpint (scenes[0] != NULL, ==, chosen.a >= 0);
      g_assert_cmpint (scenes[1] != NULL, ==, chosen.b >= 0);
      /* one that does the same to its input is looked at by its result */
      g_assert_cmpint (page->after, ==, chosen.same_input);
      if (!fb_trace_compare_move (page, 1))
        break;
      seen++;
    }
  g_assert_cmpuint (seen, ==, different);
  while (fb_trace_compare_move (page, -1))
    seen--;
  g_assert_cmpuint (seen, ==, 1);
  settle_page (window);
  g_assert_true (fb_trace_compare_copy (page));
  test_close (window);
}

/* The same trace twice: nothing is listed, until what is the same is asked for. */
static void
test_compare_same (void)
{
  FbWindow *window;
  FbTraceCompare *page;

  if (!test_has_display ())
    return;
  window = open_beside ("relu.v0.11.0.pkl", "relu.v0.11.0.pkl");
  page = window->trace_compare;
  g_assert_cmpuint (fb_trace_compare_get_n_rows (page), ==, 0);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (page->stack), ==, "state");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page), "traces.all", NULL));
  settle_page (window);
  g_assert_cmpuint (fb_trace_compare_get_n_rows (page), ==,
                    fb_viz_comparison_count (fb_trace_compare_get (page), FB_VIZ_SAME));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (page->stack), ==, "results");
  g_assert_cmpuint (page->pair->diff->n_removed + page->pair->diff->n_added, ==, 0);
  test_close (window);
}

/* From a rewrite to stepping through it, and by keys back to the graph. */
static void
test_compare_open_place (void)
{
  FbWindow *window;
  FbTraceCompare *page;
  FbVizRewritePair chosen;
  guint pass, step;

  if (!test_has_display ())
    return;
  window = open_beside ("relu.v0.13.0.pkl", "relu.2026-08.pkl");
  page = window->trace_compare;
  fb_trace_compare_choose (page, 2);
  settle_page (window);
  g_assert_true (fb_trace_compare_chosen_rewrite (page, &chosen));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page), "traces.open", NULL));
  test_settle (window);
  g_assert_false (fb_window_shows_traces (window));
  g_assert_cmpuint (fb_document_get_row_number (window->doc), ==, 3);
  fb_document_get_position (window->doc, &pass, &step);
  g_assert_cmpint ((int) pass, ==, chosen.b);
  test_close (window);
}

/* A file that is no trace is said, and the graph can be gone back to. */
static void
test_compare_refused (void)
{
  FbWindow *window;

  if (!test_has_display ())
    return;
  window = open_beside ("README.md", "relu.v0.13.0.pkl");
  g_assert_null (fb_trace_compare_get (window->trace_compare));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->trace_compare->stack), ==, "state");
  g_assert_cmpuint (strlen (gtk_label_get_label (window->trace_compare->state_text)), >, 0);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window->trace_compare), "traces.close", NULL));
  g_assert_false (fb_window_shows_traces (window));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (window->stack), ==, "document");
  test_close (window);
}

/* The last run beside the one before, which goes on when another run ends. */
static void
test_compare_runs (void)
{
  Folder folder;
  FbWindow *window;

  if (!test_has_display ())
    return;
  begin (&folder);
  leave (&folder, "relu.v0.13.0.pkl");
  window = test_open (folder.path, 1, NULL, 0);
  fb_window_watch (window, folder.folder);
  wait_for_runs (window, 1);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "compare-runs"));
  leave (&folder, "relu.2026-08.pkl");
  wait_for_runs (window, 2);
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "compare-runs"));
  test_do (window, "compare-runs", NULL);
  settle_page (window);
  g_assert_true (fb_window_shows_traces (window));
  g_assert_cmpuint (fb_trace_compare_get_n_rows (window->trace_compare), ==, 3);
  leave (&folder, "relu.2026-08.pkl");
  wait_for_runs (window, 3);
  settle_page (window);
  g_assert_true (fb_window_shows_traces (window));
  g_assert_true (fb_viz_comparison_is_same (fb_trace_compare_get (window->trace_compare)));
  test_do (window, "compare-runs", NULL);
  g_assert_false (fb_window_shows_traces (window));
  test_close (window);
  end (&folder);
}

/* --- times --- */

/* The profile beside the trace says how long kernels ran; contexts that are no kernels have no time. */
static void
test_times (void)
{
  Folder folder;
  FbWindow *window;
  g_autofree char *profile = NULL, *text = NULL;
  g_autofree char *from
      = g_build_filename (g_getenv ("FUSEBOX_SOURCE"), "tests", "viztrace", "data", "profile.relu.pkl", NULL);
  gsize len;

  if (!test_has_display ())
    return;
  begin (&folder);
  leave (&folder, "relu.v0.13.0.pkl");
  profile = g_build_filename (folder.folder, "profile.pkl.me", NULL);
  g_assert_true (g_file_get_contents (from, &text, &len, NULL));
  g_assert_true (g_file_set_contents (profile, text, (gssize) len, NULL));
  window = test_open (folder.path, 3, NULL, 0);
  g_assert_true (g_str_has_suffix (gtk_label_get_label (window->subtitle_label), " · r_2 · 2 runs, 5.25 µs"));
  g_assert_cmpuint (fb_document_get_row (window->doc)->summary.n_runs, ==, 2);
  /* its session takes it, too */
  test_wait (300);
  g_assert_false (gtk_revealer_get_reveal_child (window->banner));
  fb_document_load (window->doc, 1);
  test_settle (window);
  g_assert_cmpuint (fb_document_get_row (window->doc)->summary.n_runs, ==, 0);
  g_assert_null (strstr (gtk_label_get_label (window->subtitle_label), "run"));
  test_close (window);
  g_unlink (profile);
  end (&folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/traces/same-place", test_same_place);
  g_test_add_func ("/app/traces/lost-place", test_lost_place);
  g_test_add_func ("/app/traces/from-nothing", test_from_nothing);
  g_test_add_func ("/app/traces/no-folder", test_no_folder);
  g_test_add_func ("/app/traces/compare-releases", test_compare_releases);
  g_test_add_func ("/app/traces/compare-same", test_compare_same);
  g_test_add_func ("/app/traces/compare-open-place", test_compare_open_place);
  g_test_add_func ("/app/traces/compare-refused", test_compare_refused);
  g_test_add_func ("/app/traces/compare-runs", test_compare_runs);
  g_test_add_func ("/app/traces/times", test_times);
  return g_test_run ();
}
