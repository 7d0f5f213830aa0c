/* The left of the buffer viewer: the kernels of the runs with their times, the buffers of one, where the first NaN is. */
#pragma once

#include "app/buffer-view.h"

#include <gtk/gtk.h>

#define FB_TYPE_RUN_LIST (fb_run_list_get_type ())
G_DECLARE_FINAL_TYPE (FbRunList, fb_run_list, FB, RUN_LIST, GtkWidget)

/* Once. */
void fb_run_list_set_view (FbRunList *list, FbBufferView *view);
