/* What can go wrong with a file: the person is told what and where, and nothing committed is lost. */
#include <errno.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

static void
expect (const char *path, FbStoreMode mode, FbSessionError code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStore) store = fb_store_open (path, mode, &error);
  g_assert_error (error, FB_SESSION_ERROR, (int) code);
  g_assert_null (store);
  g_assert_nonnull (strstr (error->message, path));
}

static void
execute (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

static void
test_no_session (void)
{
  char *folder = test_folder_new ();
  g_autofree char *missing = g_build_filename (folder, "no.fusebox", NULL), *sample = test_sample ("lerp.db"),
                  *text = g_build_filename (folder, "text.fusebox", NULL);
  expect (missing, FB_STORE_WRITE, FB_SESSION_ERROR_OPEN);
  expect (folder, FB_STORE_READ, FB_SESSION_ERROR_OPEN);
  expect (sample, FB_STORE_READ, FB_SESSION_ERROR_NOT_SESSION);
  g_assert_true (g_file_set_contents (text, "this is a text, and no session of any kind", -1, NULL));
  expect (text, FB_STORE_READ, FB_SESSION_ERROR_NOT_SESSION);
  g_assert_false (fb_store_is_session (text));
  g_assert_false (fb_store_is_session (sample));
  g_autofree char *made = test_session_new (folder, "lerp.db");
  expect (made, FB_STORE_CREATE, FB_SESSION_ERROR_OPEN);
  execute (made, "PRAGMA user_version = 99");
  expect (made, FB_STORE_WRITE, FB_SESSION_ERROR_VERSION);
  test_folder_free (folder);
}

static void
test_damaged (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = test_session_new (folder, "mlp_train.db"), *contents = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  /* anywhere in the file: opening or checking says so, or what was hit is text or free space */
  guint told = 0;
  for (gsize at = 4096; at + 512 < size; at += size / 40)
    {
      g_autoptr (GError) error = NULL;
      g_assert_true (g_file_set_contents (path, contents, (gssize) size, NULL));
      test_scribble (path, at, 512);
      g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_READ, &error);
      if (store && fb_store_check (store, &error))
        continue;
      g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_CORRUPT);
      told++;
    }
  g_assert_cmpuint (told, >, 10);
  /* cut short */
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, contents, (gssize) (size / 2 / 4096 * 4096), NULL));
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_READ, &error);
  g_assert_false (store && fb_store_check (store, &error));
  g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_CORRUPT);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

static void
test_locked (void)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_session_new (folder, "lerp.db");
  g_autoptr (FbStore) one = fb_store_open (path, FB_STORE_WRITE, &error);
  g_autoptr (FbStore) two = fb_store_open (path, FB_STORE_WRITE, &error);
  g_assert_no_error (error);
  g_assert_true (fb_store_begin (one, &error));
  g_assert_false (fb_store_begin (two, &error));
  g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_LOCKED);
  g_assert_true (fb_store_commit (one, NULL));
  g_assert_true (fb_store_begin (two, NULL));
  fb_store_rollback (two);
  g_clear_pointer (&one, fb_store_free);
  g_clear_pointer (&two, fb_store_free);
  test_folder_free (folder);
}

/* As a user who may not write, which root may everywhere. */
static void
test_read_only (void)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_session_new (folder, "lerp.db"), *other = g_build_filename (folder, "b.fusebox", NULL);
  gboolean root = geteuid () == 0;
  g_assert_cmpint (g_chmod (path, 0444), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0555), ==, 0);
  if (root)
    g_assert_cmpint (seteuid (65534), ==, 0);
  /* it can be looked at */
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_READ, &error);
  g_assert_no_error (error);
  FbStoreCounts counts;
  g_assert_true (fb_store_count (store, &counts, &error));
  g_assert_cmpint (counts.traces, ==, 1);
  /* and not written */
  g_assert_null (fb_store_open (path, FB_STORE_WRITE, &error));
  g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_READ_ONLY);
  g_clear_error (&error);
  g_assert_false (fb_store_save_as (store, other, &error));
  g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_READ_ONLY);
  g_clear_error (&error);
  g_assert_false (fb_store_save_as (store, path, &error));
  g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_READ_ONLY);
  if (root)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_clear_pointer (&store, fb_store_free);
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  test_folder_free (folder);
}

/* A disk that takes that many more writes. */
static int room = G_MAXINT;

static ssize_t
write_while_there_is_room (int fd, const void *bytes, size_t n, off_t at)
{
  if (room-- > 0)
    return pwrite (fd, bytes, n, at);
  errno = ENOSPC;
  return -1;
}

/* A disk without room, at every moment of a write: that is said, and all is as before. */
static void
test_full (void)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_session_new (folder, "lerp.db"), *sample = test_sample ("mlp_train.db"),
                  *other = g_build_filename (folder, "b.fusebox", NULL);
  sqlite3_vfs *vfs = sqlite3_vfs_find (NULL);
  g_auto (TestRow) row;
  test_row_init (&row, sample);
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_WRITE, &error);
  FbStoreMark mark = { .id = 1, .text = (char *) "kept" };
  g_assert_true (fb_store_put_mark (store, FB_STORE_BOOKMARK, &mark, &error));
  FbStoreCounts before, after;
  g_assert_true (fb_store_count (store, &before, &error));
  g_assert_no_error (error);
  g_assert_cmpint (vfs->xSetSystemCall (vfs, "pwrite", (sqlite3_syscall_ptr) write_while_there_is_room), ==, SQLITE_OK);
  vfs->xSetSystemCall (vfs, "pwrite64", (sqlite3_syscall_ptr) write_while_there_is_room);
  guint n_failed = 0;
  for (int writes = 0;; writes = 2 * writes + 1)
    {
      room = writes;
      gboolean saved = fb_store_save_as (store, other, &error);
      room = G_MAXINT;
      if (saved)
        break;
      g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_FULL);
      g_assert_nonnull (strstr (error->message, other));
      g_assert_null (strstr (error->message, path));
      g_clear_error (&error);
      g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
      n_failed++;
    }
  for (int writes = 0;; writes = 2 * writes + 1)
    {
      g_assert_true (fb_store_begin (store, &error));
      room = writes;
      gboolean wrote = fb_store_put_trace (store, FB_ROW_SCHEDULE, 2, row.context, row.schedule, NULL, &error)
                       && fb_store_commit (store, &error);
      fb_store_rollback (store);
      room = G_MAXINT;
      g_assert_true (fb_store_check (store, NULL));
      if (wrote)
        break;
      g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_FULL);
      g_assert_nonnull (strstr (error->message, path));
      g_clear_error (&error);
      g_assert_true (fb_store_count (store, &after, NULL));
      g_assert_cmpmem (&before, sizeof before, &after, sizeof after);
      n_failed++;
    }
  g_assert_cmpuint (n_failed, >, 8);
  vfs->xSetSystemCall (vfs, "pwrite", NULL);
  vfs->xSetSystemCall (vfs, "pwrite64", NULL);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/faults/no-session", test_no_session);
  g_test_add_func ("/session/faults/damaged", test_damaged);
  g_test_add_func ("/session/faults/locked", test_locked);
  g_test_add_func ("/session/faults/read-only", test_read_only);
  g_test_add_func ("/session/faults/full", test_full);
  return g_test_run ();
}
