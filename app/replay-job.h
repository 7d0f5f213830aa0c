/* All rows of a file, replayed on several threads while the main loop runs. */
#pragma once

#include "core/replay/report.h"

#define FB_TYPE_REPLAY_JOB (fb_replay_job_get_type ())
G_DECLARE_FINAL_TYPE (FbReplayJob, fb_replay_job, FB, REPLAY_JOB, GObject)

/* Signals, without arguments, in the main loop:
 *   progress   more rows are in the report
 *   done       all rows are in it, or it was cancelled, or the file could not be opened */

/* Begins at once. @release: as fb_capture_open takes it; @options: of FbReplayOption, copied; @n_threads 0: one for each
 * processor. A job that nobody holds any more ends by itself. */
FbReplayJob *fb_replay_job_new (const char *path, const char *release, const GArray *options, guint n_threads);
/* What is under way is given up; `done` follows, with the rows finished by then and the report marked partial. */
void fb_replay_job_cancel (FbReplayJob *job);
gboolean fb_replay_job_is_running (FbReplayJob *job);
/* NULL before the file is open. Rows are in order. */
const FbReplayReport *fb_replay_job_get_report (FbReplayJob *job);
/* Why the file cannot be read; NULL when it can. */
const char *fb_replay_job_get_error (FbReplayJob *job);
/* Rows to replay and rows replayed, and how many a second since it began. */
void fb_replay_job_get_progress (FbReplayJob *job, guint *n_rows, guint *n_done, double *rate);
