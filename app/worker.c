#include "app/worker.h"

struct _FbWorker
{
  GThreadPool *pool;
  guint64 serial;              /* main thread only */
  gint n_waiting[FB_IDLE + 1]; /* atomic */
  gatomicrefcount refs;
};

typedef struct
{
  FbWorker *worker;
  GTask *task;
  GTaskThreadFunc func;
  FbUrgency urgency;
  guint64 serial;
} Job;

static void
worker_unref (FbWorker *worker)
{
  if (g_atomic_ref_count_dec (&worker->refs))
    g_free (worker);
}

static void
run_job (gpointer data, gpointer user_data)
{
  Job *job = data;
  g_atomic_int_add (&job->worker->n_waiting[job->urgency], -1);
  if (!g_task_return_error_if_cancelled (job->task))
    job->func (job->task, g_task_get_source_object (job->task), g_task_get_task_data (job->task),
               g_task_get_cancellable (job->task));
  g_object_unref (job->task);
  worker_unref (job->worker);
  g_free (job);
}

static int
compare_jobs (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Job *x = a, *y = b;
  if (x->urgency != y->urgency)
    return x->urgency < y->urgency ? -1 : 1;
  /* Of idle jobs the newest first: it is about what is on the screen now. */
  if (x->urgency == FB_IDLE)
    return x->serial > y->serial ? -1 : 1;
  return x->serial < y->serial ? -1 : 1;
}

FbWorker *
fb_worker_new (void)
{
  FbWorker *worker = g_new0 (FbWorker, 1);
  g_atomic_ref_count_init (&worker->refs);
  worker->pool = g_thread_pool_new (run_job, NULL, 1, FALSE, NULL);
  g_thread_pool_set_sort_function (worker->pool, compare_jobs, NULL);
  return worker;
}

void
fb_worker_free (FbWorker *worker)
{
  if (!worker)
    return;
  g_thread_pool_free (worker->pool, FALSE, FALSE);
  worker_unref (worker);
}

void
fb_worker_push (FbWorker *worker, GTask *task, FbUrgency urgency, GTaskThreadFunc func)
{
  Job *job = g_new (Job, 1);
  *job = (Job){ worker, g_object_ref (task), func, urgency, worker->serial++ };
  g_atomic_ref_count_inc (&worker->refs);
  g_atomic_int_inc (&worker->n_waiting[urgency]);
  g_thread_pool_push (worker->pool, job, NULL);
}

gboolean
fb_worker_should_yield (FbWorker *worker, FbUrgency urgency)
{
  for (guint i = 0; i < urgency; i++)
    if (g_atomic_int_get (&worker->n_waiting[i]) > 0)
      return TRUE;
  return FALSE;
}
