/* What a captured kernel is called and was made with; in the place of the passes, which it has none of. */
#pragma once

#include <gtk/gtk.h>

#include "app/row-view.h"

#define FB_TYPE_KERNEL_PANEL (fb_kernel_panel_get_type ())
G_DECLARE_FINAL_TYPE (FbKernelPanel, fb_kernel_panel, FB, KERNEL_PANEL, GtkWidget)

/* What is needed of @row is copied. */
void fb_kernel_panel_set_row (FbKernelPanel *panel, const FbRowView *row);
