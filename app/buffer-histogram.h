/* How the values of a buffer are spread, as bars. */
#pragma once

#include <gtk/gtk.h>

#include "backends/values/values.h"

#define FB_TYPE_BUFFER_HISTOGRAM (fb_buffer_histogram_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferHistogram, fb_buffer_histogram, FB, BUFFER_HISTOGRAM, GtkWidget)

/* Copied; NULL: nothing. */
void fb_buffer_histogram_set (FbBufferHistogram *self, const FbHistogram *histogram);
