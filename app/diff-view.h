/* A text difference, one column or two. Draws only the lines in view, so length does not matter. Goes into a GtkScrolledWindow. */
#pragma once

#include <gtk/gtk.h>

#include "viz/textdiff.h"

#define FB_TYPE_DIFF_VIEW (fb_diff_view_get_type ())
G_DECLARE_FINAL_TYPE (FbDiffView, fb_diff_view, FB, DIFF_VIEW, GtkWidget)

/* @diff is borrowed until another, or NULL, is set. */
void fb_diff_view_set_diff (FbDiffView *view, const FbTextDiff *diff);
void fb_diff_view_set_side_by_side (FbDiffView *view, gboolean side_by_side);
