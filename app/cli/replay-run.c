/* Rows of many files replayed on several threads, told in order. */
#include <signal.h>
#include <stdio.h>

#include "replay-private.h"

enum
{
  LOOK_UP_MS = 100, /* how often an interruption is looked for */
};

typedef struct
{
  guint file, row;
  FbReplayRow *result;
  gboolean ready;
} Task;

typedef struct
{
  FbCliReplay *replay;
  GArray *tasks; /* of Task */
  GCancellable *cancellable;
  GMutex mutex; /* guards what follows, and the tasks */
  GCond arrived;
  guint next;      /* task that the next worker takes */
  guint delivered; /* tasks before it were told */
  gboolean stop;
} Shared;

static volatile sig_atomic_t interrupted;

static void
note_signal (int number)
{
  interrupted = 1;
}

static const char *
path_of (const FbCliReplay *replay, guint file)
{
  return ((const FbReplayFile *) g_ptr_array_index (replay->report->files, file))->path;
}

/* Opens the files one after the other and deals their rows out: every n_shards-th of all is ours. */
static void
add_tasks (FbCliReplay *replay, GArray *tasks)
{
  guint shard = g_array_index (replay->report->shards, guint, 0), n_shards = replay->report->n_shards;
  guint64 n = 0;

  for (guint file = 0; replay->paths[file]; file++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FbCapture) capture = fb_capture_open_any (replay->paths[file], replay->release, &error);
      fb_replay_report_add_file (replay->report, replay->paths[file], capture, error);
      const FbReplayFile *added = g_ptr_array_index (replay->report->files, file);
      if (!added->n_rows)
        replay->told_file (added, replay->user);
      for (guint row = 1; row <= added->n_rows; row++)
        if (n++ % n_shards == shard - 1)
          {
            Task task = { file, row, NULL, FALSE };
            g_array_append_val (tasks, task);
          }
    }
}

static FbReplayRow *
do_task (const FbCliReplay *replay, FbContext *context, FbCapture *capture, const Task *task, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCaptureRow) row = NULL;
  FbReplayRow *result;

  fb_context_reset (context);
  if (capture)
    row = fb_capture_read_row (capture, fb_replay_file_kind (capture), task->row, context, &error);
  else
    g_set_error (&error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s: row %u: the file changed while it was read",
                 path_of (replay, task->file), task->row);
  result = fb_replay_row_new (context, row, error, replay->report->options, cancellable);
  if (result)
    {
      result->file = task->file;
      result->row = task->row;
      result->context = capture ? fb_replay_file_context (capture, task->row) : 0;
    }
  return result;
}

static gpointer
worker (gpointer data)
{
  Shared *shared = data;
  g_autoptr (FbContext) context = fb_context_new ();
  /* a database connection per thread, to the file it is at */
  g_autoptr (FbCapture) capture = NULL;
  guint open_file = G_MAXUINT;

  g_mutex_lock (&shared->mutex);
  while (!shared->stop && shared->next < shared->tasks->len)
    {
      guint i = shared->next++;
      Task task = g_array_index (shared->tasks, Task, i);
      g_mutex_unlock (&shared->mutex);
      if (task.file != open_file)
        {
          g_clear_pointer (&capture, fb_capture_free);
          capture = fb_capture_open_any (path_of (shared->replay, task.file), shared->replay->release, NULL);
          open_file = task.file;
        }
      task.result = do_task (shared->replay, context, capture, &task, shared->cancellable);
      task.ready = task.result != NULL;
      g_mutex_lock (&shared->mutex);
      g_array_index (shared->tasks, Task, i) = task;
      if (i == shared->delivered)
        g_cond_signal (&shared->arrived);
    }
  g_mutex_unlock (&shared->mutex);
  return NULL;
}

/* Takes over the result of the next task and tells of it. */
static void
deliver (Shared *shared, FbReplayRow *result)
{
  guint file = result->file;
  const FbReplayRow *kept = fb_replay_report_add_row (shared->replay->report, result);

  if (kept)
    shared->replay->told (kept, path_of (shared->replay, file), shared->replay->user);
}

/* The results as they arrive, in order. Returns when all are there or the person stops it. */
static void
deliver_all (Shared *shared)
{
  g_mutex_lock (&shared->mutex);
  while (shared->delivered < shared->tasks->len && !interrupted)
    {
      Task *task = &g_array_index (shared->tasks, Task, shared->delivered);
      if (!task->ready)
        {
          g_cond_wait_until (&shared->arrived, &shared->mutex, g_get_monotonic_time () + LOOK_UP_MS * 1000);
          continue;
        }
      FbReplayRow *result = g_steal_pointer (&task->result);
      shared->delivered++;
      g_mutex_unlock (&shared->mutex);
      deliver (shared, result);
      fb_cli_progress_set (shared->delivered);
      g_mutex_lock (&shared->mutex);
    }
  shared->stop = TRUE;
  g_mutex_unlock (&shared->mutex);
}

/* What other workers had finished when it was stopped. */
static void
deliver_rest (Shared *shared)
{
  for (guint i = shared->delivered; i < shared->tasks->len; i++)
    {
      Task *task = &g_array_index (shared->tasks, Task, i);
      if (task->result)
        deliver (shared, g_steal_pointer (&task->result));
      else
        shared->replay->report->partial = TRUE;
    }
}

void
fb_cli_replay_run (FbCliReplay *replay)
{
  struct sigaction action = { .sa_handler = note_signal, .sa_flags = (int) (SA_RESETHAND | SA_RESTART) }, old_int,
                   old_term;
  g_autoptr (GArray) tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Shared shared = { .replay = replay, .tasks = tasks, .cancellable = cancellable };

  interrupted = 0;
  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, &old_int);
  sigaction (SIGTERM, &action, &old_term);
  add_tasks (replay, tasks);
  guint jobs = MIN (replay->jobs, tasks->len);
  g_autofree GThread **threads = g_new (GThread *, jobs + 1);
  g_mutex_init (&shared.mutex);
  g_cond_init (&shared.arrived);
  fb_cli_progress_begin (_ ("captures"), tasks->len);
  for (guint i = 0; i < jobs; i++)
    threads[i] = g_thread_new ("replay", worker, &shared);
  deliver_all (&shared);
  if (interrupted)
    g_cancellable_cancel (cancellable);
  for (guint i = 0; i < jobs; i++)
    g_thread_join (threads[i]);
  fb_cli_progress_end ();
  deliver_rest (&shared);
  g_mutex_clear (&shared.mutex);
  g_cond_clear (&shared.arrived);
  sigaction (SIGINT, &old_int, NULL);
  sigaction (SIGTERM, &old_term, NULL);
}
