/* What looking at a buffer of many elements costs: bench-values [ELEMENTS]. Prints ms and elements a second of each part. */
#include <stdio.h>

#include "backends/run/fill.h"
#include "backends/values/compare.h"
#include "backends/values/slice.h"
#include "backends/values/values.h"

#define PICTURE 400

static gint64 started;

static void
report (const char *what, gint64 n)
{
  double seconds = (double) (g_get_monotonic_time () - started) / 1e6;
  printf ("%-28s %9.1f ms  %6.0f million elements a second\n", what, seconds * 1e3, (double) n / seconds / 1e6);
  started = g_get_monotonic_time ();
}

int
main (int argc, char **argv)
{
  gint64 n = argc > 1 ? g_ascii_strtoll (argv[1], NULL, 10) : 100000000;
  gint64 side = 1, shape[2];
  while (side * side < n)
    side++;
  n = side * side;
  shape[0] = shape[1] = side;
  g_autofree guint8 *data = g_malloc ((gsize) n * sizeof (float));
  g_autofree double *out = g_new (double, PICTURE *PICTURE);
  FbValueStats stats;
  FbHistogram histogram;
  FbValueComparison comparison;
  FbSlice slice;
  started = g_get_monotonic_time ();
  fb_fill (FB_SCALAR_FLOAT32, n, 1, 0, data);
  report ("fill", n);
  fb_value_stats (FB_SCALAR_FLOAT32, n, data, &stats, NULL);
  report ("statistics", n);
  fb_value_histogram (FB_SCALAR_FLOAT32, n, data, &stats, &histogram, NULL);
  report ("histogram", n);
  fb_slice_init (&slice, 2, shape);
  fb_slice_sample (&slice, FB_SCALAR_FLOAT32, data, NULL, PICTURE, PICTURE, out, NULL, NULL);
  report ("picture", n);
  fb_slice_set_columns (&slice, 0);
  fb_slice_sample (&slice, FB_SCALAR_FLOAT32, data, NULL, PICTURE, PICTURE, out, NULL, NULL);
  report ("picture of turned axes", n);
  fb_compare (FB_SCALAR_FLOAT32, n, data, data, &comparison, NULL);
  report ("comparison", n);
  return comparison.n_differ != 0;
}
