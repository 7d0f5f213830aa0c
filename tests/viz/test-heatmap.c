/* Numbers as pictures. */
#include "viz/heatmap.h"

#include <math.h>

#include "viz/palette.h"

static void
test_color (void)
{
  for (int dark = 0; dark < 2; dark++)
    {
      g_assert_cmphex (fb_heat_color (0, 3, dark), ==, fb_color_rgb (FB_COLOR_VALUE_ZERO, dark));
      g_assert_cmphex (fb_heat_color (3, 3, dark), ==, fb_color_rgb (FB_COLOR_VALUE_HIGH, dark));
      g_assert_cmphex (fb_heat_color (-3, 3, dark), ==, fb_color_rgb (FB_COLOR_VALUE_LOW, dark));
      g_assert_cmphex (fb_heat_color (9, 3, dark), ==, fb_color_rgb (FB_COLOR_VALUE_HIGH, dark));
      /* a scale without length: there is 0, and there is something */
      g_assert_cmphex (fb_heat_color (0, 0, dark), ==, fb_color_rgb (FB_COLOR_VALUE_ZERO, dark));
      g_assert_cmphex (fb_heat_color (-1, 0, dark), ==, fb_color_rgb (FB_COLOR_VALUE_LOW, dark));
    }
}

static guint
count_ink (const guint32 *pixels, guint width, guint left, guint top, guint side)
{
  guint32 ink = 0xff000000 | fb_color_rgb (FB_COLOR_TEXT, FALSE);
  guint n = 0;
  for (guint y = top; y < top + side; y++)
    for (guint x = left; x < left + side; x++)
      n += pixels[y * width + x] == ink;
  return n;
}

static void
test_paint (void)
{
  const double values[] = { 1, NAN, INFINITY, -INFINITY, -1, 0 };
  const guint8 filled[] = { 1, 1, 1, 1, 1, 0 };
  guint32 pixels[30 * 20];
  fb_heat_paint (values, filled, 3, 2, 1, FALSE, 1, pixels, 30, 20);
  g_assert_cmphex (pixels[0], ==, 0xff000000 | fb_color_rgb (FB_COLOR_VALUE_HIGH, FALSE));
  g_assert_cmphex (pixels[9 * 30 + 9], ==, pixels[0]);
  g_assert_cmphex (pixels[15 * 30 + 15], ==, 0xff000000 | fb_color_rgb (FB_COLOR_VALUE_LOW, FALSE));
  g_assert_cmphex (pixels[19 * 30 + 29], ==, 0);
  guint hatched = count_ink (pixels, 30, 10, 0, 10);
  g_assert_cmpuint (hatched, >, 40);
  g_assert_cmpuint (hatched, <, 60);
  /* one triangle stands on its side, the other on its tip */
  guint32 ink = 0xff000000 | fb_color_rgb (FB_COLOR_TEXT, FALSE);
  g_assert_cmphex (pixels[7 * 30 + 22], ==, ink);
  g_assert_cmphex (pixels[2 * 30 + 22], !=, ink);
  g_assert_cmphex (pixels[12 * 30 + 2], ==, ink);
  g_assert_cmphex (pixels[17 * 30 + 2], !=, ink);
}

/* Where cells are as small as pixels nothing is lost: NaN and infinities are ink or card, never a colour of the scale. */
static void
test_small (void)
{
  const double values[] = { INFINITY, 0.5, NAN, -INFINITY };
  const guint8 filled[] = { 1, 1, 1, 1 };
  guint32 pixels[4];
  fb_heat_paint (values, filled, 2, 2, 1, FALSE, 1, pixels, 2, 2);
  g_assert_cmpuint (count_ink (pixels, 2, 0, 0, 1), ==, 1);
  g_assert_cmpuint (count_ink (pixels, 2, 1, 1, 1), ==, 1);
  g_assert_cmphex (pixels[1], ==, 0xff000000 | fb_heat_color (0.5, 1, FALSE));
  guint32 card = 0xff000000 | fb_color_rgb (FB_COLOR_CARD, FALSE);
  g_assert_true (pixels[2] == card || count_ink (pixels, 2, 0, 1, 1) == 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viz/heatmap/color", test_color);
  g_test_add_func ("/viz/heatmap/paint", test_paint);
  g_test_add_func ("/viz/heatmap/small", test_small);
  return g_test_run ();
}
