#include "heatmap.h"

#include <math.h>

#include "palette.h"

/* A triangle needs that many px to be one. */
#define SMALLEST_TRIANGLE 5

guint32
fb_heat_color (double value, double most, gboolean dark)
{
  guint32 zero = fb_color_rgb (FB_COLOR_VALUE_ZERO, dark), rgb = 0;
  guint32 end = fb_color_rgb (value < 0 ? FB_COLOR_VALUE_LOW : FB_COLOR_VALUE_HIGH, dark);
  double part = most > 0 ? MIN (fabs (value) / most, 1) : value != 0;
  for (int shift = 0; shift < 24; shift += 8)
    {
      int from = zero >> shift & 255, to = end >> shift & 255;
      rgb |= (guint32) lround (from + part * (to - from)) << shift;
    }
  return rgb;
}

/* Is the point, from the upper left corner of a cell, in a triangle that points up or down? */
static gboolean
in_triangle (guint x, guint y, guint width, guint height, gboolean up)
{
  double across = fabs ((x + 0.5) / width - 0.5) * 2, down = (y + 0.5) / height;
  return across <= 0.8 * (up ? down : 1 - down) && down > 0.12 && down < 0.88;
}

void
fb_heat_paint (const double *values, const guint8 *filled, guint width, guint height, double most, gboolean dark,
               guint ink, guint32 *pixels, guint pixel_width, guint pixel_height)
{
  guint32 text = 0xff000000 | fb_color_rgb (FB_COLOR_TEXT, dark),
          card = 0xff000000 | fb_color_rgb (FB_COLOR_CARD, dark);
  ink = MAX (ink, 1);
  for (guint y = 0; y < pixel_height; y++)
    {
      guint row = (guint) ((guint64) y * height / pixel_height);
      guint top = (guint) (((guint64) row * pixel_height + height - 1) / height);
      guint cell_height = (guint) (((guint64) (row + 1) * pixel_height + height - 1) / height) - top;
      guint last = G_MAXUINT, left = 0, cell_width = 0;
      guint32 color = 0;
      double value = 0;
      for (guint x = 0; x < pixel_width; x++)
        {
          guint column = (guint) ((guint64) x * width / pixel_width);
          guint32 *pixel = pixels + (gsize) y * pixel_width + x;
          if (column != last)
            {
              gsize at = (gsize) row * width + column;
              last = column;
              left = x;
              cell_width = (guint) (((guint64) (column + 1) * pixel_width + width - 1) / width) - left;
              value = values[at];
              color = !filled[at] ? 0 : isfinite (value) ? 0xff000000 | fb_heat_color (value, most, dark) : card;
              if (!filled[at])
                value = 0;
            }
          if (isnan (value))
            *pixel = (x + y) % (4 * ink) < 2 * ink ? text : card;
          else if (isinf (value))
            *pixel = MIN (cell_width, cell_height) < SMALLEST_TRIANGLE
                             || in_triangle (x - left, y - top, cell_width, cell_height, value > 0)
                         ? text
                         : card;
          else
            *pixel = color;
        }
    }
}
