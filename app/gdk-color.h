/* The palette as GTK takes it. */
#pragma once

#include <gtk/gtk.h>

#include "viz/palette.h"

static inline GdkRGBA
fb_gdk_color (FbColor color, gboolean dark)
{
  guint32 rgb = fb_color_rgb (color, dark);
  return (GdkRGBA){ fb_rgb_component (rgb, 0), fb_rgb_component (rgb, 1), fb_rgb_component (rgb, 2), 1 };
}

/* Widgets of a class that derives from GtkWidget itself are drawn anew as light becomes dark. Lists have hundreds of them, too many to
 * connect each to the object that decides. */
void fb_gdk_color_follow (GtkWidgetClass *widget_class);
