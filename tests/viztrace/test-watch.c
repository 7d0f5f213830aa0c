/* Traces that are written into a folder. */
#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

#include "core/viztrace/watch.h"

/* Longer than any test takes, so that one which waits in vain fails. */
#define GIVE_UP_MS 30000

typedef struct
{
  char *folder;
  GMainLoop *loop;
  GPtrArray *told;
  gboolean gave_up;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  f->loop = g_main_loop_new (NULL, FALSE);
  f->told = g_ptr_array_new_with_free_func (g_free);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (f->folder);
  g_free (f->folder);
  g_main_loop_unref (f->loop);
  g_ptr_array_unref (f->told);
}

static void
put (Fixture *f, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  FILE *file = g_fopen (path, "wb");

  g_assert_nonnull (file);
  fputs (text, file);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
told (const char *path, gpointer data)
{
  Fixture *f = data;

  g_ptr_array_add (f->told, g_path_get_basename (path));
  g_main_loop_quit (f->loop);
}

static gboolean
give_up (gpointer data)
{
  Fixture *f = data;

  f->gave_up = TRUE;
  g_main_loop_quit (f->loop);
  return G_SOURCE_REMOVE;
}

/* Runs until something is told. */
static const char *
wait_for_one (Fixture *f)
{
  guint before = f->told->len, source = g_timeout_add (GIVE_UP_MS, give_up, f);

  g_main_loop_run (f->loop);
  g_assert_false (f->gave_up);
  g_source_remove (source);
  g_assert_cmpuint (f->told->len, ==, before + 1);
  return g_ptr_array_index (f->told, before);
}

/* Only traces and profiles count; a profile means its trace. */
static void
test_runs (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbVizWatch) watch = fb_viz_watch_new (f->folder, told, f, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (fb_viz_watch_folder (watch), ==, f->folder);
  put (f, "other.pkl", "x.");
  put (f, "rewrites.pkl.me", "first.");
  g_assert_cmpstr (wait_for_one (f), ==, "rewrites.pkl.me");
  put (f, "rewrites.pkl.me", "second.");
  g_assert_cmpstr (wait_for_one (f), ==, "rewrites.pkl.me");
  put (f, "profile.pkl.me", "times.");
  g_assert_cmpstr (wait_for_one (f), ==, "rewrites.pkl.me");
}

/* A trace that is not written to its end is not told before it is. */
static void
test_incomplete (Fixture *f, gconstpointer data)
{
  g_autoptr (FbVizWatch) watch = fb_viz_watch_new (f->folder, told, f, NULL);
  g_autofree char *path = g_build_filename (f->folder, "rewrites.pkl.half", NULL);

  put (f, "rewrites.pkl.half", "not yet");
  put (f, "rewrites.pkl.whole", "whole.");
  g_assert_cmpstr (wait_for_one (f), ==, "rewrites.pkl.whole");
  put (f, "rewrites.pkl.half", "now.");
  g_assert_cmpstr (wait_for_one (f), ==, "rewrites.pkl.half");
}

/* Written beside, then renamed: as careful programs do. */
static void
test_renamed (Fixture *f, gconstpointer data)
{
  g_autoptr (FbVizWatch) watch = fb_viz_watch_new (f->folder, told, f, NULL);
  g_autofree char *from = g_build_filename (f->folder, "part", NULL);
  g_autofree char *to = g_build_filename (f->folder, "rewrites.pkl", NULL);

  put (f, "part", "whole.");
  g_assert_cmpint (g_rename (from, to), ==, 0);
  g_assert_cmpstr (wait_for_one (f), ==, "rewrites.pkl");
}

static void
test_no_folder (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "none", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_viz_watch_new (path, told, f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
}

static void
test_newest (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "rewrites.pkl.a", "rewrites.pkl.b", "rewrites.pkl.c", "zzz.pkl" };
  g_autofree char *none = fb_viz_newest_trace (f->folder), *newest = NULL, *name = NULL;

  g_assert_null (none);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (f->folder, names[i], NULL);
      struct utimbuf times = { 0, 1000 + (i == 1 ? 50 : (time_t) i) };

      put (f, names[i], i == 2 ? "not whole" : "whole.");
      g_assert_cmpint (g_utime (path, &times), ==, 0);
    }
  newest = fb_viz_newest_trace (f->folder);
  name = g_path_get_basename (newest);
  g_assert_cmpstr (name, ==, "rewrites.pkl.b");
}

/* --- fusebox --watch without a display --- */

static void
leave_sample (Fixture *f, const char *sample)
{
  g_autofree char *from = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "traces", sample, NULL), *text = NULL;
  g_autofree char *to = g_build_filename (f->folder, "rewrites.pkl.me", NULL);
  g_autoptr (GError) error = NULL;
  gsize len;

  g_file_get_contents (from, &text, &len, &error);
  g_assert_no_error (error);
  g_file_set_contents_full (to, text, (gssize) len, G_FILE_SET_CONTENTS_NONE, 0644, &error);
  g_assert_no_error (error);
}

static char *
next_line (GDataInputStream *lines)
{
  g_autoptr (GError) error = NULL;
  char *line = g_data_input_stream_read_line_utf8 (lines, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (line);
  return line;
}

/* Each run is told; the second is compared with the first. */
static void
test_command (Fixture *f, gconstpointer data)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *waiting = NULL, *first = NULL, *second = NULL, *counts = NULL;

  g_subprocess_launcher_unsetenv (launcher, "DISPLAY");
  g_subprocess_launcher_unsetenv (launcher, "WAYLAND_DISPLAY");
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("FUSEBOX_BIN"), "--watch", f->folder, "--runs",
                                         "2", NULL);
  g_assert_no_error (error);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  waiting = next_line (lines);
  g_assert_true (g_str_has_suffix (waiting, f->folder));
  leave_sample (f, "relu.v0.13.0.pkl");
  first = next_line (lines);
  g_assert_nonnull (strstr (first, "rewrites.pkl.me: tinygrad v0.13.0, 3 contexts, 88 matches"));
  leave_sample (f, "relu.v0.13.0.pkl");
  second = next_line (lines);
  g_assert_nonnull (strstr (second, "rewrites.pkl.me: tinygrad v0.13.0, 3 contexts, 88 matches"));
  g_free (next_line (lines));
  counts = next_line (lines);
  g_assert_cmpstr (counts, ==, "3 contexts the same, 0 changed, 0 only in A, 0 only in B");
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *, gconstpointer);
  } tests[] = {
    { "/viztrace/watch/runs", test_runs },       { "/viztrace/watch/incomplete", test_incomplete },
    { "/viztrace/watch/renamed", test_renamed }, { "/viztrace/watch/no-folder", test_no_folder },
    { "/viztrace/watch/newest", test_newest },   { "/viztrace/watch/command", test_command },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
