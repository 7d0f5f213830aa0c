/* Shipped samples, and the corpus when it is there: every row reads and has the key it was stored under. */
#include "assemble.h"

#include "core/ir/text.h"

static guint
check_file (const char *path, guint stride)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_autoptr (FbContext) context = fb_context_new ();
  guint checked = 0;

  g_assert_no_error (error);
  for (int kind = 0; kind <= FB_ROW_KERNEL; kind++)
    for (guint row = 1; row <= fb_capture_n_rows (capture, kind); row += stride)
      {
        g_autoptr (FbCaptureRow) read = NULL;
        g_autofree char *got = NULL;

        fb_context_reset (context);
        read = fb_capture_read_row (capture, kind, row, context, &error);
        g_assert_no_error (error);
        g_assert_cmpint (read->sink->op, ==, FB_OP_SINK);
        if (!fb_capture_row_check_key (context, read, &got))
          g_error ("%s row %u has key %s, not %s", path, row, got, read->key);
        checked++;
      }
  return checked;
}

static guint
check_folder (const char *folder, guint stride)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint checked = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".db"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        checked += check_file (path, stride);
      }
  return checked;
}

static void
test_samples (void)
{
  g_assert_cmpuint (check_folder (g_getenv ("FUSEBOX_SAMPLES"), 1), >=, 10);
}

static void
test_corpus (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS"), *stride = g_getenv ("FUSEBOX_CORPUS_STRIDE");

  if (!corpus)
    {
      g_test_skip ("FUSEBOX_CORPUS is not set");
      return;
    }
  check_folder (corpus, stride ? (guint) g_ascii_strtoull (stride, NULL, 10) : 1);
}

/* A row under another key is found out, and says what its key would be. */
static void
test_wrong_key (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "lerp.db", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = NULL;
  g_autofree char *key = NULL, *got = NULL;

  g_assert_no_error (error);
  row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, 1, context, &error);
  g_assert_no_error (error);
  key = g_steal_pointer (&row->key);
  row->key = g_strconcat (key, "x", NULL);
  g_assert_false (fb_capture_row_check_key (context, row, &got));
  g_assert_cmpstr (got, ==, key);
}

static void
test_row (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "lerp.db", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = NULL;

  g_assert_no_error (error);
  row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, 1, context, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (row->release, ==, "v0.10.2");
  g_assert_true (row->release_detected);
  g_assert_false (row->ops_by_value);
  g_assert_cmpint (row->protocol, ==, 4);
  g_assert_cmpuint (row->vars->len, ==, 27);
  for (guint i = 0; i < row->vars->len; i++)
    g_assert_true (g_array_index (row->vars, FbContextVar, i).known);
  g_assert_cmpuint (row->kernels->len, >, 0);
  g_assert_null (row->kernel_name);
}

/* Captures of other releases, by value: detected, and exact under the numbers of that release alone. */
static void
test_releases (void)
{
  static const struct
  {
    const char *release, *table;
  } files[] = {
    { "v0.10.0", "database, schedule_process_replay_16" },
    { "v0.10.1", "database, schedule_process_replay_19" },
    { "v0.10.3", "database, schedule_process_replay_19" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path
          = g_strdup_printf ("%s/tests/capture/data/%s.db", g_getenv ("FUSEBOX_SOURCE"), files[i].release);
      g_autoptr (GError) error = NULL;
      g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (fb_capture_format (capture), ==, files[i].table);
      g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), ==, 2);
      for (guint row = 1; row <= 2; row++)
        {
          g_autoptr (FbContext) context = fb_context_new ();
          g_autoptr (FbCaptureRow) read = fb_capture_read_row (capture, FB_ROW_SCHEDULE, row, context, &error);

          g_assert_no_error (error);
          g_assert_cmpstr (read->release, ==, files[i].release);
          g_assert_true (read->ops_by_value);
          g_assert_true (fb_capture_row_check_key (context, read, NULL));
          read->release = "v0.10.2";
          g_assert_false (fb_capture_row_check_key (context, read, NULL));
        }
    }
}

/* Kernel rows carry their name, options and source. */
static void
test_kernels (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  g_autofree char *path = g_build_filename (corpus ? corpus : "", "kernels.db", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = NULL;

  if (!corpus || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no kernels.db");
      return;
    }
  capture = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fb_capture_main_kind (capture), ==, FB_ROW_KERNEL);
  row = fb_capture_read_row (capture, FB_ROW_KERNEL, 2, context, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (row->kernel_name, ==, "E_108_4n4");
  g_assert_cmpstr (row->renderer, ==, "ClangRenderer");
  g_assert_cmpstr (row->applied_opts, ==, "[Opt(op=OptOps.UPCAST, axis=0, arg=4)]");
  g_assert_nonnull (strstr (row->source, "E_108_4n4"));
  g_assert_cmpint (row->sink->op, ==, FB_OP_SINK);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/capture/samples/all", test_samples);
  g_test_add_func ("/core/capture/samples/row", test_row);
  g_test_add_func ("/core/capture/samples/wrong-key", test_wrong_key);
  g_test_add_func ("/core/capture/samples/corpus", test_corpus);
  g_test_add_func ("/core/capture/samples/releases", test_releases);
  g_test_add_func ("/core/capture/samples/kernels", test_kernels);
  return g_test_run ();
}
