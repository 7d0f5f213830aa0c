#include "fixture.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

/* --- captures --- */

char *
test_file_new (const char *content)
{
  char *path = g_build_filename (g_get_tmp_dir (), "fusebox-test-XXXXXX", NULL);
  int fd = g_mkstemp (path);
  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  if (content)
    g_assert_true (g_file_set_contents (path, content, -1, NULL));
  return path;
}

void
test_run_sql (const char *path, const char *sql)
{
  sqlite3 *db;
  char *error = NULL;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &error);
  g_assert_cmpstr (error, ==, NULL);
  sqlite3_close (db);
}

char *
test_many_rows (const char *name, guint n)
{
  g_autofree char *sample = test_sample (name);
  char *path = test_file_new (NULL);
  g_autofree char *sql
      = g_strdup_printf ("attach '%s' as sample; begin;"
                         "create table schedule_process_replay_19 (key text primary key, val blob);"
                         "with recursive count (i) as (select 1 union all select i + 1 from count where i < %u)"
                         "insert into schedule_process_replay_19 select 'b''row' || i || '''', val from count,"
                         " (select val from sample.schedule_process_replay_19 limit 1); commit;",
                         sample, n);
  test_run_sql (path, sql);
  return path;
}

/* --- sessions --- */

static char *folder; /* of private sessions and saved ones */

const char *
test_folder_get (void)
{
  return folder;
}

char *
test_in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

void
test_folder_make (void)
{
  folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  g_assert_nonnull (folder);
}

void
test_folder_drop (void)
{
  test_remove_folder (folder);
  g_clear_pointer (&folder, g_free);
}

FbWindow *
test_open_in_folder (const char *path, const char *pass, guint step)
{
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  g_autofree char *private = test_in_folder ("private");
  fb_document_set_session_folder (window->doc, private);
  fb_window_open (window, path, 0, pass, step);
  test_settle (window);
  test_wait (150);
  return window;
}

void
test_close_session (FbWindow *window)
{
  test_close (window);
  fb_session_files_finish ();
}

void
test_settle_session (FbWindow *window)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  while (!fb_window_is_session_settled (window))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
}

void
test_save_as (FbWindow *window, const char *path)
{
  fb_window_save_session (window, path);
  test_settle_session (window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

FbSessionFile *
test_session_of (FbWindow *window)
{
  FbSessionFile *session = fb_document_get_session (window->doc, NULL);
  g_assert_nonnull (session);
  return session;
}
