/* The source text of a captured kernel, with line numbers and highlighting. Text only: nothing of it is ever run. */
#pragma once

#include <gtk/gtk.h>

#include "core/capture/capture.h"

#define FB_TYPE_KERNEL_SOURCE (fb_kernel_source_get_type ())
G_DECLARE_FINAL_TYPE (FbKernelSource, fb_kernel_source, FB, KERNEL_SOURCE, GtkWidget)

/* @row NULL: nothing. What is needed of it is copied. */
void fb_kernel_source_set_row (FbKernelSource *source, const FbCaptureRow *row);
/* FALSE: there is no text. */
gboolean fb_kernel_source_copy (FbKernelSource *source);
