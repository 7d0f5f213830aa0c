/* Two traces of one program beside each other: their contexts, the rewrites of the one chosen, and of the rewrite chosen both graphs. */
#pragma once

#include <gtk/gtk.h>

#include "core/viztrace/compare.h"

#define FB_TYPE_TRACE_COMPARE (fb_trace_compare_get_type ())
G_DECLARE_FINAL_TYPE (FbTraceCompare, fb_trace_compare, FB, TRACE_COMPARE, GtkWidget)

/* Signals:
 *   close                                    back to the graph
 *   open-place (path, context, rewrite)      that rewrite, numbers from 1, in the stepping view
 *   changed                                  what fb_trace_compare_is_settled() says, or what actions make sense */

FbTraceCompare *fb_trace_compare_new (void);
/* Reads and compares two files, on a thread of its own; what was shown stays until then. */
void fb_trace_compare_set_files (FbTraceCompare *compare, const char *a, const char *b);
/* The same of traces that are open. */
void fb_trace_compare_set_traces (FbTraceCompare *compare, FbVizTrace *a, FbVizTrace *b);
void fb_trace_compare_cancel (FbTraceCompare *compare);
/* FALSE: work is under way. */
gboolean fb_trace_compare_is_settled (FbTraceCompare *compare);
/* NULL before the first, and after a failure. Borrowed. */
const FbVizComparison *fb_trace_compare_get (FbTraceCompare *compare);
/* Contexts in the list, and which of them is chosen (GTK_INVALID_LIST_POSITION: none). */
guint fb_trace_compare_get_n_rows (FbTraceCompare *compare);
guint fb_trace_compare_get_row (FbTraceCompare *compare);
void fb_trace_compare_choose (FbTraceCompare *compare, guint row);
/* The next (1) or last (-1) rewrite that is not the same, of this or another context; FALSE: there is none. */
gboolean fb_trace_compare_move (FbTraceCompare *compare, int direction);
/* Copies the difference of the graphs as text. FALSE: there is none. */
gboolean fb_trace_compare_copy (FbTraceCompare *compare);
/* Both graphs. @factor 0: fit. */
void fb_trace_compare_zoom (FbTraceCompare *compare, double factor);
