/* The drawer's page of buffers: the runs, a heat map, statistics, a table. */
#pragma once

#include "app/buffer-view.h"

#include <gtk/gtk.h>

#define FB_TYPE_BUFFER_PAGE (fb_buffer_page_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferPage, fb_buffer_page, FB, BUFFER_PAGE, GtkWidget)

/* Once. */
void fb_buffer_page_set_view (FbBufferPage *page, FbBufferView *view);
/* Opens what sets shape and axes of the table. */
void fb_buffer_page_show_axes (FbBufferPage *page);
/* Opens what edits the chosen element. FALSE: none is chosen, or the buffer is no input as it was before the run. */
gboolean fb_buffer_page_edit_element (FbBufferPage *page);

#define FB_TYPE_BUFFER_BAR (fb_buffer_bar_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferBar, fb_buffer_bar, FB, BUFFER_BAR, GtkWidget)
/* What stands beside the drawer's tabs while the page is shown: values or difference, of which run, against what, saving. Once. */
void fb_buffer_bar_set_view (FbBufferBar *bar, FbBufferView *view);
/* Opens what sets the inputs. */
void fb_buffer_bar_show_inputs (FbBufferBar *bar);

#define FB_TYPE_BUFFER_AXES (fb_buffer_axes_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferAxes, fb_buffer_axes, FB, BUFFER_AXES, GtkWidget)
/* The shape, which of its axes are rows and columns, where the others stand. Once. */
void fb_buffer_axes_set_view (FbBufferAxes *axes, FbBufferView *view);
