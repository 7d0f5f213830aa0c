/* The page of two traces in the window. */
#pragma once

#include "app/window.h"

/* The open trace (B) beside that of the file @other (A). Nothing is done when nothing is open. */
void fb_window_compare_traces (FbWindow *window, const char *other);
/* The last run (B) beside the one before (A), while the window follows runs. FALSE: there are no two. */
gboolean fb_window_compare_runs (FbWindow *window);
/* The page is what the window shows. */
gboolean fb_window_shows_traces (FbWindow *window);
/* The window's actions, and which of them make sense. */
void fb_window_add_trace_compare (FbWindow *window);
void fb_window_update_trace_compare (FbWindow *window);
