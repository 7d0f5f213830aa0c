/* Traces that runs leave while the window is open, and two of them beside each other. */
#include <glib/gstdio.h>
#include <string.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/traces/same-place", test_same_place);
  g_test_add_func ("/app/traces/lost-place", test_lost_place);
  g_test_add_func ("/app/traces/from-nothing", test_from_nothing);
  g_test_add_func ("/app/traces/no-folder", test_no_folder);
  return g_test_run ();
}
