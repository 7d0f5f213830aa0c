/* Numbers as a picture: violet below 0, orange above, the more the farther; NaN hatched and infinities as triangles, in ink. */
#pragma once

#include <glib.h>

/* Colour of @value, 0xRRGGBB, where @most is the end of the scale. @value is finite. */
guint32 fb_heat_color (double value, double most, gboolean dark);
/* Paints @width by @height values into @pixels of @pixel_width by @pixel_height, premultiplied ARGB as cairo has it, a value a
 * rectangle. @filled, of each value: 0 leaves it transparent. @ink: px a line of the hatching is wide. */
void fb_heat_paint (const double *values, const guint8 *filled, guint width, guint height, double most, gboolean dark,
                    guint ink, guint32 *pixels, guint pixel_width, guint pixel_height);
