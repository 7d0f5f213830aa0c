/* A bar in a cell: how large a share is beside the largest of its column. */
#pragma once

#include <gtk/gtk.h>

#define FB_TYPE_SHARE_BAR (fb_share_bar_get_type ())
G_DECLARE_FINAL_TYPE (FbShareBar, fb_share_bar, FB, SHARE_BAR, GtkWidget)

GtkWidget *fb_share_bar_new (void);
/* @share: from 0 to 1, of the bar's width. */
void fb_share_bar_set (FbShareBar *bar, double share);
