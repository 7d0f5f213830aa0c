#include "util.h"

#include <glib/gstdio.h>
#include <string.h>

char *
test_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("fusebox-session-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

void
test_folder_free (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

char *
test_sample (const char *name)
{
  return g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), name, NULL);
}

void
test_row_init (TestRow *row, const char *path)
{
  g_autoptr (GError) error = NULL;
  row->capture = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  row->context = fb_context_new ();
  row->row = fb_capture_read_row (row->capture, fb_capture_main_kind (row->capture), 1, row->context, &error);
  g_assert_no_error (error);
  row->schedule = fb_schedule_new (row->context, row->row->sink, NULL);
  g_assert_null (row->schedule->error);
}

void
test_row_clear (TestRow *row)
{
  fb_schedule_free (row->schedule);
  fb_capture_row_free (row->row);
  fb_context_free (row->context);
  fb_capture_free (row->capture);
}

void
test_scribble (const char *path, gsize offset, gsize count)
{
  g_autofree char *contents = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  g_assert_cmpuint (offset + count, <=, size);
  memset (contents + offset, 0xa5, count);
  g_assert_true (g_file_set_contents (path, contents, (gssize) size, NULL));
}

char *
test_session_new (const char *folder, const char *sample)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_sample (sample);
  g_auto (TestRow) row;
  char *made = g_build_filename (folder, "made.fusebox", NULL);
  test_row_init (&row, path);
  g_autoptr (FbStore) store = fb_store_open (made, FB_STORE_CREATE, &error);
  g_assert_no_error (error);
  FbStoreCapture capture = { .path = path, .size = 1, .modified = 2 };
  g_assert_true (fb_store_set_capture (store, &capture, &error));
  g_assert_true (fb_store_begin (store, &error));
  g_assert_true (fb_store_put_rows (store, row.capture, NULL, &error));
  g_assert_true (fb_store_put_trace (store, FB_ROW_SCHEDULE, 1, row.context, row.schedule, NULL, &error));
  g_assert_true (fb_store_commit (store, &error));
  g_assert_no_error (error);
  return made;
}
