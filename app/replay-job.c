#include "app/replay-job.h"

#include <gio/gio.h>

/* Results are told to the main loop together when they come faster than this, so that drawing keeps up. */
#define TELL_MS 40

/* What the threads and the main loop share. */
typedef struct
{
  gatomicrefcount refs;
  char *path, *release;
  GArray *options;
  GCancellable *cancellable;
  guint n_threads;
  FbReplayJob *job; /* main loop only; NULL once it is gone */

  GMutex mutex;           /* guards what follows */
  FbReplayReport *report; /* filled by the first thread, from then on the main loop's */
  char *error;
  guint n_rows;
  FbReplayRow **results; /* of each row; NULL: not there yet, or taken */
  guint next;            /* the row, from 0, that the next thread takes */
  guint running;         /* threads */
  guint source;          /* that tells the main loop */
} Shared;

struct _FbReplayJob
{
  GObject parent_instance;
  Shared *shared;
  guint delivered;
  gint64 start, end; /* µs; end 0: runs */
  guint n_rows;
};

G_DEFINE_FINAL_TYPE (FbReplayJob, fb_replay_job, G_TYPE_OBJECT)

static guint progress_signal, done_signal;

static void
shared_unref (Shared *shared)
{
  if (!g_atomic_ref_count_dec (&shared->refs))
    return;
  for (guint i = 0; i < shared->n_rows; i++)
    fb_replay_row_free (shared->results[i]);
  g_free (shared->results);
  fb_replay_report_free (shared->report);
  g_array_unref (shared->options);
  g_object_unref (shared->cancellable);
  g_mutex_clear (&shared->mutex);
  g_free (shared->error);
  g_free (shared->path);
  g_free (shared->release);
  g_free (shared);
}

static Shared *
shared_ref (Shared *shared)
{
  g_atomic_ref_count_inc (&shared->refs);
  return shared;
}

/* --- the main loop's side --- */

static void
finish (FbReplayJob *job)
{
  Shared *shared = job->shared;
  /* What other threads had finished when it was stopped. */
  for (guint i = job->delivered; i < shared->n_rows; i++)
    if (shared->results[i])
      fb_replay_report_add_row (shared->report, g_steal_pointer (&shared->results[i]));
    else
      shared->report->partial = TRUE;
  job->end = g_get_monotonic_time ();
  g_signal_emit (job, done_signal, 0);
}

static gboolean
tell (gpointer data)
{
  Shared *shared = data;
  FbReplayJob *job = shared->job;
  g_mutex_lock (&shared->mutex);
  shared->source = 0;
  gboolean over = !shared->running;
  if (!job)
    {
      g_mutex_unlock (&shared->mutex);
      return G_SOURCE_REMOVE;
    }
  job->n_rows = shared->n_rows;
  while (job->delivered < shared->n_rows && shared->results[job->delivered])
    fb_replay_report_add_row (shared->report, g_steal_pointer (&shared->results[job->delivered++]));
  g_mutex_unlock (&shared->mutex);
  g_object_ref (job);
  if (over)
    finish (job);
  else
    g_signal_emit (job, progress_signal, 0);
  g_object_unref (job);
  return G_SOURCE_REMOVE;
}

static void
drop_shared (gpointer data)
{
  shared_unref (data);
}

/* With the mutex held. */
static void
tell_soon (Shared *shared)
{
  if (!shared->source)
    shared->source = g_timeout_add_full (G_PRIORITY_DEFAULT, TELL_MS, tell, shared_ref (shared), drop_shared);
}

/* --- the threads' side --- */

static FbReplayRow *
replay_row (Shared *shared, FbContext *context, FbCapture *capture, guint number)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCaptureRow) row = NULL;
  fb_context_reset (context);
  if (capture)
    row = fb_capture_read_row (capture, fb_replay_file_kind (capture), number, context, &error);
  else
    g_set_error (&error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s: row %u: the file changed while it was read",
                 shared->path, number);
  FbReplayRow *result = fb_replay_row_new (context, row, error, shared->options, shared->cancellable);
  if (result)
    {
      result->row = number;
      result->context = capture ? fb_replay_file_context (capture, number) : 0;
    }
  return result;
}

static void
take_rows (Shared *shared, FbCapture *capture)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_mutex_lock (&shared->mutex);
  while (shared->next < shared->n_rows && !g_cancellable_is_cancelled (shared->cancellable))
    {
      guint i = shared->next++;
      g_mutex_unlock (&shared->mutex);
      FbReplayRow *result = replay_row (shared, context, capture, i + 1);
      g_mutex_lock (&shared->mutex);
      shared->results[i] = result;
      tell_soon (shared);
    }
  g_mutex_unlock (&shared->mutex);
}

static void
leave (Shared *shared)
{
  g_mutex_lock (&shared->mutex);
  if (!--shared->running)
    tell_soon (shared);
  g_mutex_unlock (&shared->mutex);
  shared_unref (shared);
}

static gpointer
helper_thread (gpointer data)
{
  Shared *shared = data;
  /* A database connection per thread. */
  g_autoptr (FbCapture) capture = fb_capture_open_any (shared->path, shared->release, NULL);
  take_rows (shared, capture);
  leave (shared);
  return NULL;
}

/* Opens the file, calls for help, and takes rows like the others. */
static gpointer
first_thread (gpointer data)
{
  Shared *shared = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open_any (shared->path, shared->release, &error);
  FbReplayReport *report = fb_replay_report_new (shared->options, 1, 1);
  fb_replay_report_add_file (report, shared->path, capture, error);
  g_mutex_lock (&shared->mutex);
  shared->report = report;
  shared->error = error ? g_strdup (error->message) : NULL;
  shared->n_rows = fb_replay_report_n_rows (report);
  shared->results = g_new0 (FbReplayRow *, shared->n_rows + 1);
  guint n_helpers = shared->n_rows ? MIN (shared->n_threads, shared->n_rows) - 1 : 0;
  shared->running += n_helpers;
  tell_soon (shared);
  g_mutex_unlock (&shared->mutex);
  for (guint i = 0; i < n_helpers; i++)
    g_thread_unref (g_thread_new ("replay", helper_thread, shared_ref (shared)));
  take_rows (shared, capture);
  leave (shared);
  return NULL;
}

/* --- the object --- */

FbReplayJob *
fb_replay_job_new (const char *path, const char *release, const GArray *options, guint n_threads)
{
  g_return_val_if_fail (path && options, NULL);
  FbReplayJob *job = g_object_new (FB_TYPE_REPLAY_JOB, NULL);
  Shared *shared = job->shared = g_new0 (Shared, 1);
  g_atomic_ref_count_init (&shared->refs);
  g_mutex_init (&shared->mutex);
  shared->path = g_strdup (path);
  shared->release = g_strdup (release);
  shared->options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  g_array_append_vals (shared->options, options->data, options->len);
  shared->cancellable = g_cancellable_new ();
  shared->n_threads = n_threads ? n_threads : g_get_num_processors ();
  shared->job = job;
  shared->running = 1;
  job->start = g_get_monotonic_time ();
  g_thread_unref (g_thread_new ("replay", first_thread, shared_ref (shared)));
  return job;
}

void
fb_replay_job_cancel (FbReplayJob *job)
{
  g_return_if_fail (FB_IS_REPLAY_JOB (job));
  g_cancellable_cancel (job->shared->cancellable);
}

gboolean
fb_replay_job_is_running (FbReplayJob *job)
{
  g_return_val_if_fail (FB_IS_REPLAY_JOB (job), FALSE);
  return !job->end;
}

const FbReplayReport *
fb_replay_job_get_report (FbReplayJob *job)
{
  g_return_val_if_fail (FB_IS_REPLAY_JOB (job), NULL);
  Shared *shared = job->shared;
  g_mutex_lock (&shared->mutex);
  const FbReplayReport *report = shared->report;
  g_mutex_unlock (&shared->mutex);
  return report;
}

const char *
fb_replay_job_get_error (FbReplayJob *job)
{
  g_return_val_if_fail (FB_IS_REPLAY_JOB (job), NULL);
  Shared *shared = job->shared;
  g_mutex_lock (&shared->mutex);
  const char *error = shared->error;
  g_mutex_unlock (&shared->mutex);
  return error;
}

void
fb_replay_job_get_progress (FbReplayJob *job, guint *n_rows, guint *n_done, double *rate)
{
  g_return_if_fail (FB_IS_REPLAY_JOB (job));
  double seconds = ((job->end ? job->end : g_get_monotonic_time ()) - job->start) / (double) G_USEC_PER_SEC;
  *n_rows = job->n_rows;
  *n_done = job->delivered;
  *rate = seconds > 0 ? job->delivered / seconds : 0;
}

static void
fb_replay_job_finalize (GObject *object)
{
  FbReplayJob *job = FB_REPLAY_JOB (object);
  g_cancellable_cancel (job->shared->cancellable);
  job->shared->job = NULL;
  shared_unref (job->shared);
  G_OBJECT_CLASS (fb_replay_job_parent_class)->finalize (object);
}

static void
fb_replay_job_class_init (FbReplayJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_replay_job_finalize;
  progress_signal
      = g_signal_new ("progress", FB_TYPE_REPLAY_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  done_signal = g_signal_new ("done", FB_TYPE_REPLAY_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_replay_job_init (FbReplayJob *job)
{
}
