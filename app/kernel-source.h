/* The source text of a kernel, with line numbers and highlighting. Text only: nothing of a captured one is ever run.
 *
 * Signal `moved` (line): the cursor went to another line, from 0. */
#pragma once

#include <gtk/gtk.h>

#include "core/capture/capture.h"

#define FB_TYPE_KERNEL_SOURCE (fb_kernel_source_get_type ())
G_DECLARE_FINAL_TYPE (FbKernelSource, fb_kernel_source, FB, KERNEL_SOURCE, GtkWidget)

/* @row NULL: nothing. What is needed of it is copied. */
void fb_kernel_source_set_row (FbKernelSource *source, const FbCaptureRow *row);
/* Text from elsewhere, with up to three facts above it (NULL: none). */
void fb_kernel_source_set_text (FbKernelSource *source, const char *name, const char *renderer, const char *opts,
                                const char *text);
/* A cursor that can be moved about in the text. */
void fb_kernel_source_show_cursor (FbKernelSource *source);
/* FALSE: there is no text. */
gboolean fb_kernel_source_copy (FbKernelSource *source);
