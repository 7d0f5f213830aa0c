/* The palette as GTK takes it. */
#pragma once

#include <gdk/gdk.h>

#include "viz/palette.h"

static inline GdkRGBA
fb_gdk_color (FbColor color, gboolean dark)
{
  guint32 rgb = fb_color_rgb (color, dark);
  return (GdkRGBA){ fb_rgb_component (rgb, 0), fb_rgb_component (rgb, 1), fb_rgb_component (rgb, 2), 1 };
}
