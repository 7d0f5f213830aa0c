/* Beside the heat map: how the values are spread, and what is counted of them or of their differences. */
#pragma once

#include "app/buffer-view.h"

#include <gtk/gtk.h>

#define FB_TYPE_BUFFER_STATS (fb_buffer_stats_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferStats, fb_buffer_stats, FB, BUFFER_STATS, GtkWidget)

/* Once. */
void fb_buffer_stats_set_view (FbBufferStats *stats, FbBufferView *view);

#define FB_TYPE_BUFFER_WORST (fb_buffer_worst_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferWorst, fb_buffer_worst, FB, BUFFER_WORST, GtkWidget)
/* The elements that are farthest apart, under the table of values. Hidden while nothing is compared. Once. */
void fb_buffer_worst_set_view (FbBufferWorst *worst, FbBufferView *view);
