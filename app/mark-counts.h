/* How many cards were replaced, are new, were rebuilt, stayed the same. */
#pragma once

#include <gtk/gtk.h>

#include "viz/graph.h"

#define FB_TYPE_MARK_COUNTS (fb_mark_counts_get_type ())
G_DECLARE_FINAL_TYPE (FbMarkCounts, fb_mark_counts, FB, MARK_COUNTS, GtkWidget)

/* Of a graph that shows a part, the whole counts. @graph NULL: nothing is shown. */
void fb_mark_counts_set_graph (FbMarkCounts *counts, FbGraph *graph);
/* The same for a graph whose nodes that are left behind are in a picture of their own, @left. */
void fb_mark_counts_set_graphs (FbMarkCounts *counts, FbGraph *graph, FbGraph *left);
