/* Running the kernels of the row in the window, and the runs that can be looked at: of each scenario and backend the last one.
 *
 * Planning happens on the document's worker, running in a thread of its own (compiled code in a child process of that); the window
 * goes on. Main thread. */
#pragma once

#include "app/document.h"
#include "app/run-inputs.h"
#include "app/run.h"

#define FB_TYPE_RUNS (fb_runs_get_type ())
G_DECLARE_FINAL_TYPE (FbRuns, fb_runs, FB, RUNS, GObject)

/* Signals:
 *   changed     a run began, ended or went; another one is looked at
 *   ended (run)  that one, before "changed"
 *   progressed  more kernels of the run under way are done */
FbRuns *fb_runs_new (FbDocument *doc);
/* What the next run begins with. */
FbRunInputs *fb_runs_get_inputs (FbRuns *runs);

/* Which backend the next run takes. */
FbBackend fb_runs_get_backend (FbRuns *runs);
void fb_runs_set_backend (FbRuns *runs, FbBackend backend);
/* The same as text: "cpu", "opencl", "opencl:1" for another device. Free with g_free. */
char *fb_runs_get_choice (FbRuns *runs);
/* FALSE: there is no such backend. */
gboolean fb_runs_set_choice (FbRuns *runs, const char *text);
/* TRUE: the row in the window has kernels to run. */
gboolean fb_runs_can_run (FbRuns *runs);
/* Runs the row in the window, under the scenario that it is in, on the backend chosen. What runs is cancelled first. */
void fb_runs_start (FbRuns *runs);
/* The same on @backend, which stays chosen. */
void fb_runs_start_on (FbRuns *runs, FbBackend backend);
/* The same on @backend, while what is looked at stays, and so does the backend chosen. */
void fb_runs_start_beside (FbRuns *runs, FbBackend backend);
void fb_runs_cancel (FbRuns *runs);
gboolean fb_runs_is_running (FbRuns *runs);

/* The run that is looked at: the one under way, the last one, or the one that was chosen; of the scenario in the window. NULL: none. */
FbRun *fb_runs_get_current (FbRuns *runs);
void fb_runs_set_current (FbRuns *runs, FbRun *run);
/* Why the last one could not even begin; NULL: it did. */
const char *fb_runs_get_refusal (FbRuns *runs);
/* Those that have ended, the latest first. */
guint fb_runs_get_n (FbRuns *runs);
FbRun *fb_runs_get (FbRuns *runs, guint at);
/* The one of @scenario (as text; NULL: as captured) on @backend that has ended; NULL: none. */
FbRun *fb_runs_find (FbRuns *runs, const char *scenario, FbBackend backend);
