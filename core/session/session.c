#include "session.h"

#include "store-private.h"

typedef struct
{
  FbSessionJobKind kind;
  FbSessionFunc func;
  gpointer data;
  GDestroyNotify destroy;
  GTask *task;
} Job;

struct _FbSession
{
  FbStore *store;
  char *path;
  GThread *thread;
  GAsyncQueue *jobs;
  gint n_pending; /* atomic */
};

static gboolean
do_job (FbSession *session, const Job *job, GError **error)
{
  GCancellable *cancellable = g_task_get_cancellable (job->task);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (job->kind == FB_SESSION_PLAIN)
    return job->func (session->store, job->data, cancellable, error);
  if (!fb_store_begin (session->store, error))
    return FALSE;
  if (job->func (session->store, job->data, cancellable, error) && fb_store_commit (session->store, error))
    return TRUE;
  fb_store_rollback (session->store);
  return FALSE;
}

static gpointer
write_jobs (gpointer data)
{
  FbSession *session = data;
  Job *job;
  while ((job = g_async_queue_pop (session->jobs)) != NULL && job->func)
    {
      GError *error = NULL;
      gboolean ok = do_job (session, job, &error);
      if (job->destroy)
        job->destroy (job->data);
      g_atomic_int_add (&session->n_pending, -1);
      if (ok)
        g_task_return_boolean (job->task, TRUE);
      else
        g_task_return_error (job->task, error);
      g_object_unref (job->task);
      g_free (job);
    }
  g_free (job);
  return NULL;
}

FbSession *
fb_session_new (FbStore *store)
{
  FbSession *session = g_new0 (FbSession, 1);
  session->store = store;
  session->path = g_strdup (fb_store_path (store));
  session->jobs = g_async_queue_new ();
  session->thread = g_thread_new ("session", write_jobs, session);
  return session;
}

void
fb_session_free (FbSession *session)
{
  if (!session)
    return;
  g_async_queue_push (session->jobs, g_new0 (Job, 1));
  g_thread_join (session->thread);
  g_async_queue_unref (session->jobs);
  fb_store_free (session->store);
  g_free (session->path);
  g_free (session);
}

static gboolean
abandon (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  fb_store_abandon (store);
  return TRUE;
}

void
fb_session_abandon (FbSession *session)
{
  fb_session_push (session, FB_SESSION_PLAIN, abandon, NULL, NULL, NULL, NULL, NULL);
  fb_session_free (session);
}

const char *
fb_session_path (const FbSession *session)
{
  return session->path;
}

void
fb_session_push (FbSession *session, FbSessionJobKind kind, FbSessionFunc func, gpointer data, GDestroyNotify destroy,
                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (session && func);
  Job *job = g_new (Job, 1);
  *job = (Job){ kind, func, data, destroy, g_task_new (NULL, cancellable, callback, user_data) };
  /* what was committed is, whatever was cancelled meanwhile */
  g_task_set_check_cancellable (job->task, FALSE);
  g_atomic_int_inc (&session->n_pending);
  g_async_queue_push (session->jobs, job);
}

gboolean
fb_session_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
done (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

gboolean
fb_session_run (FbSession *session, FbSessionJobKind kind, FbSessionFunc func, gpointer data, GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_main_context_push_thread_default (context);
  fb_session_push (session, kind, func, data, NULL, NULL, done, &result);
  while (!result)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
  return fb_session_finish (result, error);
}

guint
fb_session_n_pending (FbSession *session)
{
  return (guint) g_atomic_int_get (&session->n_pending);
}
