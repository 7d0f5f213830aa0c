/* What the files that make runs share. */
#pragma once

#include "app/document-private.h"
#include "app/runs.h"

struct _FbRuns
{
  GObject parent_instance;
  FbDocument *doc; /* also while a run outlives its window */
  FbRunInputs *inputs;
  FbBackend backend;
  guint device; /* of OpenCL */
  guint row_number;
  GCancellable *cancellable; /* of the run under way; NULL: none */
  FbRun *running;            /* under way and begun; NULL */
  GPtrArray *ended;          /* of FbRun, the latest first */
  FbRun *current;
  gboolean beside; /* the run under way is not to be looked at by itself */
  char *refusal;
  GHashTable *ordinals; /* KEY of a captured buffer: its ordinal + 1 in the first run, which later ones fill it by */
  gboolean waiting;     /* the document says that a run is under way */
};

/* What the thread that runs is given. */
typedef struct
{
  FbRuns *runs; /* owned by the task */
  FbRun *run;
  GArray *ordinals;   /* of int, of each buffer */
  GHashTable *inputs; /* name of a buffer: text of what fills it */
  gint noted;         /* atomic: the main loop has yet to see how far it is */
} FbRunJob;

/* For @run, with inputs as they are now. */
FbRunJob *fb_run_job_new (FbRuns *runs, FbRun *run);
void fb_run_job_free (gpointer job);
/* The thread: fills the buffers and runs the kernels. The task's data is the job; its result is TRUE, what went wrong is in the run. */
void fb_run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable);

/* More kernels are done. */
void fb_runs_progressed (FbRuns *runs);
/* Looks at @run, without a signal; NULL: at none. */
void fb_runs_look_at (FbRuns *runs, FbRun *run);
/* What the run holds of the row is the worker's to free. */
void fb_runs_let_go_of_row (FbRuns *runs, FbRun *run);
/* The latest of its scenario and backend. */
void fb_runs_add_ended (FbRuns *runs, FbRun *run);
