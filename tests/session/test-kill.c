/* kill -9 while sessions are being written: what was committed is there, the file opens, a saved file is whole.
 *
 * The writer is this program again: it adds a trace, a scenario, a layout and a bookmark per transaction and says so once it is committed; every few
 * it saves. The test kills it at some moment, looks at the files, and lets the next writer go on with them. */
#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

static int rounds = 20;

/* --- the writer --- */

static int
write_until_killed (const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "live.fusebox", NULL);
  g_autofree char *saved = g_build_filename (folder, "saved.fusebox", NULL), *sample = test_sample ("lerp.db");
  g_auto (TestRow) row;
  test_row_init (&row, sample);
  gboolean first = !g_file_test (path, G_FILE_TEST_EXISTS);
  g_autoptr (FbStore) store = fb_store_open (path, first ? FB_STORE_CREATE : FB_STORE_WRITE, &error);
  FbStoreCounts counts;
  if (!store || !fb_store_count (store, &counts, &error))
    g_error ("%s", error->message);
  for (gint64 id = counts.bookmarks + 1;; id++)
    {
      FbStoreMark mark = { .id = id, .text = (char *) "committed" };
      FbStoreScenario scenario = { .kind = FB_ROW_SCHEDULE, .row = (guint) id, .text = (char *) "FUSE_ARANGE=1" };
      const FbStorePlaced placed[] = { { 1, 1, 1, 0 }, { 2, 2, 2, 1 } };
      g_autoptr (GArray) cards = g_array_new (FALSE, FALSE, sizeof *placed);
      const FbStoreLayout layout = { { FB_ROW_SCHEDULE, (guint) id, 0, 0 }, 0, cards };
      g_array_append_vals (cards, placed, G_N_ELEMENTS (placed));
      if (!fb_store_begin (store, &error)
          || !fb_store_put_trace (store, FB_ROW_SCHEDULE, (guint) id, row.context, row.schedule, NULL, &error)
          || !fb_store_put_scenario (store, &scenario, &error) || !fb_store_put_layout (store, &layout, &error)
          || !fb_store_put_mark (store, FB_STORE_BOOKMARK, &mark, &error) || !fb_store_commit (store, &error))
        g_error ("%s", error->message);
      if (write (STDOUT_FILENO, &id, sizeof id) != sizeof id)
        return 1;
      if (id % 7 == 0 && !fb_store_save_as (store, saved, &error))
        g_error ("%s", error->message);
    }
}

/* --- the test --- */

/* Kills a writer @micros after it has committed something, or (@early) after it was started. The last transaction it said was
 * committed, 0 for none. */
static gint64
kill_a_writer (const char *folder, gboolean early, guint micros)
{
  g_autoptr (GError) error = NULL;
  char *argv[] = { (char *) "/proc/self/exe", (char *) "--write", (char *) folder, NULL };
  GPid pid;
  int out;
  g_assert_true (g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL, &out,
                                           NULL, &error));
  g_assert_no_error (error);
  gint64 last = 0, id;
  gssize got;
  if (!early)
    g_assert_cmpint (read (out, &last, sizeof last), ==, sizeof last);
  g_usleep (micros);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  while ((got = read (out, &id, sizeof id)) == sizeof id || (got < 0 && errno == EINTR))
    if (got > 0)
      last = id;
  int status;
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  close (out);
  return last;
}

/* Whole, and every transaction in it whole. */
static gint64
look_at (const char *path, FbStoreMode mode, guint n_steps, const FbSchedule *schedule)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStore) store = fb_store_open (path, mode, &error);
  g_assert_no_error (error);
  g_assert_true (fb_store_check (store, &error));
  g_assert_no_error (error);
  FbStoreCounts counts;
  g_assert_true (fb_store_count (store, &counts, &error));
  g_assert_cmpint (counts.traces, ==, counts.bookmarks);
  g_assert_cmpint (counts.steps, ==, counts.bookmarks * n_steps);
  g_assert_cmpint (counts.decisions, ==, counts.bookmarks * schedule->ledger->len);
  g_assert_cmpint (counts.kernels, ==, counts.bookmarks * schedule->kernels->len);
  g_assert_cmpint (counts.scenarios, ==, counts.bookmarks);
  g_assert_cmpint (counts.layouts, ==, counts.bookmarks);
  g_autoptr (GPtrArray) marks = fb_store_get_marks (store, FB_STORE_BOOKMARK, &error);
  for (guint i = 0; i < marks->len; i++)
    g_assert_cmpint (((FbStoreMark *) g_ptr_array_index (marks, i))->id, ==, i + 1);
  return counts.bookmarks;
}

static void
test_kill (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "live.fusebox", NULL), *sample = test_sample ("lerp.db"),
                  *saved = g_build_filename (folder, "saved.fusebox", NULL);
  g_auto (TestRow) row;
  test_row_init (&row, sample);
  guint n_steps = 0;
  for (guint p = 0; p < row.schedule->passes->len; p++)
    n_steps += fb_schedule_pass (row.schedule, p)->matches->len;
  gint64 committed = 0, n_saved = 0, uncertain = 0;
  for (int round = 0; round < rounds; round++)
    {
      gint64 last = kill_a_writer (folder, round % 4 == 0, (guint) g_test_rand_int_range (100, 40000));
      committed = MAX (committed, last);
      /* a writer killed before its first commit may have left nothing to open */
      if (!committed && !fb_store_is_session (path))
        {
          g_unlink (path);
          continue;
        }
      gint64 there = look_at (path, FB_STORE_WRITE, n_steps, row.schedule);
      /* one more may have been committed than was said */
      g_assert_cmpint (there, >=, committed);
      g_assert_cmpint (there, <=, committed + 1);
      uncertain += there - committed;
      committed = there;
      if (!g_file_test (saved, G_FILE_TEST_EXISTS))
        continue;
      gint64 in_saved = look_at (saved, FB_STORE_READ, n_steps, row.schedule);
      g_assert_cmpint (in_saved, >=, n_saved);
      n_saved = in_saved;
    }
  g_assert_cmpint (committed, >, rounds / 2);
  g_test_message ("killed %d times: %d transactions committed and there, %d of them unsaid; %d in the last saved file",
                  rounds, (int) committed, (int) uncertain, (int) n_saved);
  test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && !strcmp (argv[1], "--write"))
    return write_until_killed (argv[2]);
  if (argc == 3 && !strcmp (argv[1], "--count"))
    {
      rounds = atoi (argv[2]);
      argc = 1;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/kill", test_kill);
  return g_test_run ();
}
