/* The thread that writes: jobs in order, each all or nothing, errors to whoever asked. */
#include "util.h"

typedef struct
{
  gint64 id;
  gboolean fail;
} Put;

static gboolean
put (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  const Put *job = data;
  FbStoreMark mark = { .id = job->id, .text = (char *) "m" };
  if (!fb_store_put_mark (store, FB_STORE_BOOKMARK, &mark, error))
    return FALSE;
  if (job->fail)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "job %d", (int) job->id);
  return !job->fail;
}

static gboolean
count (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  return fb_store_count (store, data, error);
}

static FbSession *
start (const char *folder, char **path)
{
  g_autoptr (GError) error = NULL;
  *path = g_build_filename (folder, "a.fusebox", NULL);
  FbStore *store = fb_store_open (*path, FB_STORE_CREATE, &error);
  g_assert_no_error (error);
  return fb_session_new (store);
}

static void
finished (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  guint *n = data;
  n[fb_session_finish (result, &error) ? 0 : g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? 2 : 1]++;
}

static void
test_jobs (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = NULL;
  g_autoptr (FbSession) session = start (folder, &path);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_cancellable_cancel (cancelled);
  guint n[3] = { 0 };
  for (gint64 i = 1; i <= 30; i++)
    {
      Put *job = g_new (Put, 1);
      *job = (Put){ i, i % 3 == 0 };
      fb_session_push (session, FB_SESSION_CHANGE, put, job, g_free, i % 3 == 1 ? cancelled : NULL, finished, n);
    }
  FbStoreCounts counts;
  g_autoptr (GError) error = NULL;
  g_assert_true (fb_session_run (session, FB_SESSION_CHANGE, count, &counts, &error));
  g_assert_cmpint (counts.bookmarks, ==, 10);
  g_assert_false (fb_session_run (session, FB_SESSION_CHANGE, put, &(Put){ 99, TRUE }, &error));
  g_assert_cmpstr (error->message, ==, "job 99");
  g_assert_cmpuint (fb_session_n_pending (session), ==, 0);
  while (n[0] + n[1] + n[2] < 30)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (n[i], ==, 10);
  g_clear_pointer (&session, fb_session_free);
  test_folder_free (folder);
}

/* Closing writes what was asked for before. */
static void
test_close (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = NULL;
  FbSession *session = start (folder, &path);
  for (gint64 i = 1; i <= 20; i++)
    fb_session_push (session, FB_SESSION_CHANGE, put, g_memdup2 (&(Put){ i, FALSE }, sizeof (Put)), g_free, NULL, NULL,
                     NULL);
  fb_session_free (session);
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_READ, NULL);
  FbStoreCounts counts;
  g_assert_true (fb_store_count (store, &counts, NULL));
  g_assert_cmpint (counts.bookmarks, ==, 20);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/writer/jobs", test_jobs);
  g_test_add_func ("/session/writer/close", test_close);
  return g_test_run ();
}
