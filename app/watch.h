/* A window that follows runs: when one ends, its trace is shown at the same context, rewrite and step, as far as these still exist. */
#pragma once

#include "core/viztrace/viztrace.h"

#include "app/window.h"

typedef struct _FbWindowWatch FbWindowWatch;

/* Follows the runs that leave a trace in @folder; NULL: where the open trace is, else the temp folder. With nothing open, the newest
 * trace that is there already is opened. What cannot be watched is said in the banner. */
void fb_window_watch (FbWindow *window, const char *folder);
/* Nothing is followed any more; may be called when nothing is. */
void fb_window_end_watch (FbWindow *window);
/* NULL: nothing is followed. */
const char *fb_window_get_watched (FbWindow *window);
/* The last run's trace (0) and the one before (1), as they were; NULL: there was none while the window followed. Borrowed. */
FbVizTrace *fb_window_get_run (FbWindow *window, guint back);
/* Traces that were read while the window followed, the first of which was there before. */
guint fb_window_get_n_runs (FbWindow *window);
/* The window's action. */
void fb_window_add_watch (FbWindow *window);
