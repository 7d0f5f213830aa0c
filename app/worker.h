/* One thread that does a document's work, most urgent first.
 *
 * A core context serves one thread at a time, so everything that touches one goes through here. The main loop never waits
 * for it: a job is a GTask, its result arrives in the main loop. */
#pragma once

#include <gio/gio.h>

typedef struct _FbWorker FbWorker;

typedef enum
{
  FB_URGENT, /* what the person waits for: the file, the row, the step */
  FB_DETAIL, /* what they look at next to it: a node, a text */
  FB_IDLE,   /* what may come later: sizes of rows, the heat strip */
} FbUrgency;

FbWorker *fb_worker_new (void);
/* Jobs not yet begun still run (cancelled ones return at once), then the thread ends. Does not wait. */
void fb_worker_free (FbWorker *worker);

/* Queues @task; @func is called in the worker's thread with the task's source object, task data and cancellable and must
 * return a result through @task. A task whose cancellable is cancelled before its turn returns G_IO_ERROR_CANCELLED.
 * Takes no reference of the caller's away. */
void fb_worker_push (FbWorker *worker, GTask *task, FbUrgency urgency, GTaskThreadFunc func);
/* TRUE when a job more urgent than @urgency waits: a long idle job should make room. Any thread. */
gboolean fb_worker_should_yield (FbWorker *worker, FbUrgency urgency);
