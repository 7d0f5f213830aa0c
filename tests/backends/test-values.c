/* What is in buffers: statistics, histograms, text, slices, comparisons. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "backends/run/fill.h"
#include "backends/values/compare.h"
#include "backends/values/save.h"
#include "backends/values/slice.h"
#include "backends/values/values.h"

static void
test_stats (void)
{
  const float values[] = { 1, -2, NAN, INFINITY, -INFINITY, 0, -0.0f, 0x1p-140f, 4 };
  FbValueStats stats;
  g_assert_true (fb_value_stats (FB_SCALAR_FLOAT32, G_N_ELEMENTS (values), (const guint8 *) values, &stats, NULL));
  g_assert_cmpint (stats.size, ==, 9);
  g_assert_cmpint (stats.nan, ==, 1);
  g_assert_cmpint (stats.plus_inf, ==, 1);
  g_assert_cmpint (stats.minus_inf, ==, 1);
  g_assert_cmpint (stats.negative, ==, 1);
  g_assert_cmpint (stats.zero, ==, 2);
  g_assert_cmpint (stats.denormal, ==, 1);
  g_assert_cmpfloat (stats.min, ==, -2);
  g_assert_cmpfloat (stats.max, ==, 4);
  g_assert_cmpfloat_with_epsilon (stats.mean, 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (stats.std, sqrt (21 / 6.0 - 0.25), 1e-12);
  const float nothing[] = { NAN, INFINITY };
  g_assert_true (fb_value_stats (FB_SCALAR_FLOAT32, 2, (const guint8 *) nothing, &stats, NULL));
  g_assert_false (stats.any_finite);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_cancellable_cancel (cancelled);
  g_assert_false (fb_value_stats (FB_SCALAR_FLOAT32, 2, (const guint8 *) nothing, &stats, cancelled));
}

/* Moments block by block are those of all at once, also far from zero. */
static void
test_moments (void)
{
  enum
  {
    N = 50000
  };
  g_autofree double *values = g_new (double, N);
  double sum = 0, squares = 0;
  for (guint i = 0; i < N; i++)
    sum += values[i] = 1e9 + (double) (i * 7919 % 1000);
  for (guint i = 0; i < N; i++)
    squares += (values[i] - sum / N) * (values[i] - sum / N);
  FbValueStats stats;
  fb_value_stats (FB_SCALAR_FLOAT64, N, (const guint8 *) values, &stats, NULL);
  g_assert_cmpfloat_with_epsilon (stats.mean, sum / N, 1e-5);
  g_assert_cmpfloat_with_epsilon (stats.std, sqrt (squares / N), 1e-6);
}

static void
test_histogram (void)
{
  const gint32 small[] = { 3, 5, 5, 7 };
  FbValueStats stats;
  FbHistogram histogram;
  fb_value_stats (FB_SCALAR_INT32, 4, (const guint8 *) small, &stats, NULL);
  g_assert_true (fb_value_histogram (FB_SCALAR_INT32, 4, (const guint8 *) small, &stats, &histogram, NULL));
  g_assert_cmpuint (histogram.n_bins, ==, 5);
  g_assert_cmpint (histogram.bins[0], ==, 1);
  g_assert_cmpint (histogram.bins[2], ==, 2);
  g_assert_cmpint (histogram.bins[4], ==, 1);
  g_assert_cmpint (histogram.most, ==, 2);
  /* ends of the range, and all doubles */
  const double wide[] = { -1.7e308, 0, 1.7e308, NAN };
  fb_value_stats (FB_SCALAR_FLOAT64, 4, (const guint8 *) wide, &stats, NULL);
  fb_value_histogram (FB_SCALAR_FLOAT64, 4, (const guint8 *) wide, &stats, &histogram, NULL);
  g_assert_cmpint (histogram.bins[0], ==, 1);
  g_assert_cmpint (histogram.bins[FB_HISTOGRAM_BINS / 2], ==, 1);
  g_assert_cmpint (histogram.bins[FB_HISTOGRAM_BINS - 1], ==, 1);
  const float same[] = { 2, 2 };
  fb_value_stats (FB_SCALAR_FLOAT32, 2, (const guint8 *) same, &stats, NULL);
  fb_value_histogram (FB_SCALAR_FLOAT32, 2, (const guint8 *) same, &stats, &histogram, NULL);
  g_assert_cmpuint (histogram.n_bins, ==, 1);
  g_assert_cmpint (histogram.bins[0], ==, 2);
}

static void
check_text (guint type, const void *data, FbValueFormat format, const char *expected)
{
  char text[FB_VALUE_TEXT];
  fb_value_text (type, data, format, text);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (strlen (text), <=, fb_value_width (type, format));
}

static void
test_text (void)
{
  const float f = 1.5f, nan = NAN, low = -INFINITY, third = 1 / 3.0f;
  const guint16 half = 0xc000, bfloat = 0x3f80;
  const guint8 yes = 1, byte = 0xfe;
  const guint64 large = G_MAXUINT64;
  check_text (FB_SCALAR_FLOAT32, &f, FB_VALUE_DECIMAL, "1.5");
  check_text (FB_SCALAR_FLOAT32, &third, FB_VALUE_DECIMAL, "0.333333");
  check_text (FB_SCALAR_FLOAT32, &third, FB_VALUE_EXACT, "0.333333343");
  check_text (FB_SCALAR_FLOAT32, &f, FB_VALUE_HEX, "0x3fc00000");
  check_text (FB_SCALAR_FLOAT32, &f, FB_VALUE_BITS, "0 01111111 10000000000000000000000");
  check_text (FB_SCALAR_FLOAT32, &nan, FB_VALUE_DECIMAL, "NaN");
  check_text (FB_SCALAR_FLOAT32, &low, FB_VALUE_DECIMAL, "-Inf");
  check_text (FB_SCALAR_FLOAT16, &half, FB_VALUE_DECIMAL, "-2");
  check_text (FB_SCALAR_BFLOAT16, &bfloat, FB_VALUE_BITS, "0 01111111 0000000");
  check_text (FB_SCALAR_BOOL, &yes, FB_VALUE_DECIMAL, "true");
  check_text (FB_SCALAR_INT8, &byte, FB_VALUE_DECIMAL, "-2");
  check_text (FB_SCALAR_UINT8, &byte, FB_VALUE_BITS, "11111110");
  check_text (FB_SCALAR_UINT64, &large, FB_VALUE_DECIMAL, "18446744073709551615");
  g_assert_cmpuint (fb_value_marks (FB_SCALAR_FLOAT32, (const guint8 *) &nan), ==, FB_VALUE_IS_NAN);
  g_assert_cmpuint (fb_value_marks (FB_SCALAR_FLOAT32, (const guint8 *) &low), ==, FB_VALUE_IS_MINUS_INF);
  g_assert_cmpuint (fb_value_marks (FB_SCALAR_FLOAT16, (const guint8 *) &half), ==, FB_VALUE_IS_NEGATIVE);
  const guint16 tiny = 0x8001;
  g_assert_cmpuint (fb_value_marks (FB_SCALAR_FLOAT16, (const guint8 *) &tiny), ==,
                    FB_VALUE_IS_NEGATIVE | FB_VALUE_IS_DENORMAL);
}

static void
test_parse (void)
{
  float f;
  gint8 b;
  guint64 u;
  guint8 t;
  g_assert_true (fb_value_parse (FB_SCALAR_FLOAT32, " -0.25 ", (guint8 *) &f));
  g_assert_cmpfloat (f, ==, -0.25f);
  g_assert_true (fb_value_parse (FB_SCALAR_FLOAT32, "NaN", (guint8 *) &f));
  g_assert_true (isnan (f));
  g_assert_true (fb_value_parse (FB_SCALAR_FLOAT32, "-inf", (guint8 *) &f));
  g_assert_true (isinf (f) && f < 0);
  g_assert_true (fb_value_parse (FB_SCALAR_FLOAT32, "0x3f800000", (guint8 *) &f));
  g_assert_cmpfloat (f, ==, 1);
  g_assert_true (fb_value_parse (FB_SCALAR_INT8, "-128", (guint8 *) &b));
  g_assert_cmpint (b, ==, -128);
  g_assert_true (fb_value_parse (FB_SCALAR_UINT64, "18446744073709551615", (guint8 *) &u));
  g_assert_cmpuint (u, ==, G_MAXUINT64);
  g_assert_true (fb_value_parse (FB_SCALAR_BOOL, "true", &t));
  g_assert_cmpuint (t, ==, 1);
  static const struct
  {
    guint type;
    const char *text;
  } wrong[] = {
    { FB_SCALAR_FLOAT32, "" }, { FB_SCALAR_FLOAT32, "1.5 x" }, { FB_SCALAR_INT8, "128" },    { FB_SCALAR_INT8, "1.5" },
    { FB_SCALAR_UINT8, "-1" }, { FB_SCALAR_UINT64, "-1" },     { FB_SCALAR_UINT8, "0x100" }, { FB_SCALAR_BOOL, "2" },
    { FB_SCALAR_BOOL, "0x2" }, { FB_SCALAR_FLOAT32, "0x" },    { FB_SCALAR_INT64, "1e3" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (fb_value_parse (wrong[i].type, wrong[i].text, (guint8 *) &u));
}

static void
test_slice (void)
{
  FbSlice slice;
  gint64 row, column, shape[] = { 3, 4, 5 };
  fb_slice_init (&slice, 3, shape);
  g_assert_cmpint (slice.rows, ==, 1);
  g_assert_cmpint (slice.columns, ==, 2);
  slice.at[0] = 2;
  g_assert_cmpint (fb_slice_element (&slice, 1, 3), ==, 2 * 20 + 5 + 3);
  g_assert_cmpint (fb_slice_element (&slice, 4, 0), ==, -1);
  g_autofree char *text = fb_slice_text (&slice);
  g_assert_cmpstr (text, ==, "[2, :, :]");
  g_autofree char *index = fb_slice_index_text (&slice, 48);
  g_assert_cmpstr (index, ==, "[2, 1, 3]");
  g_assert_true (fb_slice_find (&slice, 20, &row, &column));
  g_assert_cmpint (slice.at[0], ==, 1);
  g_assert_cmpint (row + column, ==, 0);
  g_assert_false (fb_slice_find (&slice, 60, &row, &column));
  /* every element is in one place, whichever axes are seen */
  for (guint rows = 0; rows < 3; rows++)
    for (guint columns = 0; columns < 3; columns++)
      {
        FbSlice turned = slice;
        fb_slice_set_rows (&turned, rows);
        fb_slice_set_columns (&turned, columns);
        g_assert_cmpint (turned.columns, ==, columns);
        g_assert_cmpint (turned.rows, !=, turned.columns);
        for (gint64 e = 0; e < 60; e++)
          {
            g_assert_true (fb_slice_find (&turned, e, &row, &column));
            g_assert_cmpint (fb_slice_element (&turned, row, column), ==, e);
          }
      }
  g_assert_true (fb_slice_parse (&slice, "[1, 2:, 3:5]", &row, &column));
  g_assert_cmpint (slice.at[0], ==, 1);
  g_assert_cmpint (row, ==, 2);
  g_assert_cmpint (column, ==, 3);
  g_assert_true (fb_slice_parse (&slice, ":, -1, :", &row, &column));
  g_assert_cmpint (slice.rows, ==, 0);
  g_assert_cmpint (slice.at[1], ==, 3);
  g_assert_true (fb_slice_parse (&slice, "2, 3, 4", &row, &column));
  g_assert_cmpint (fb_slice_element (&slice, row, column), ==, 59);
  static const char *const wrong[] = { "", "[1, :]", "[:, :, :]", "[3, :, :]", "[x, :, :]", "[1:2:3, 0, :]" };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (fb_slice_parse (&slice, wrong[i], &row, &column));
  gint64 ones[] = { 1, 7, 1 }, line[] = { 100 };
  fb_slice_init (&slice, 3, ones);
  g_assert_cmpint (slice.columns, ==, 1);
  g_assert_cmpint (fb_slice_n_rows (&slice), ==, 1);
  fb_slice_init (&slice, 1, line);
  g_assert_cmpint (fb_slice_n_columns (&slice), ==, 16);
  g_assert_cmpint (fb_slice_n_rows (&slice), ==, 7);
  g_assert_cmpint (fb_slice_element (&slice, 6, 3), ==, 99);
  g_assert_cmpint (fb_slice_element (&slice, 6, 4), ==, -1);
  fb_slice_init (&slice, 0, NULL);
  g_assert_cmpint (fb_slice_element (&slice, 0, 0), ==, 0);
}

static void
test_shape (void)
{
  guint n;
  gint64 shape[FB_SLICE_DIMS];
  g_assert_true (fb_shape_parse ("4×2x-1", 24, &n, shape));
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpint (shape[2], ==, 3);
  g_autofree char *text = fb_shape_text (n, shape);
  g_assert_cmpstr (text, ==, "4×2×3");
  g_assert_true (fb_shape_parse ("(24,)", 24, &n, shape));
  static const char *const wrong[] = { "", "5x5", "-1x-1", "0x24", "7x-1", "a", "99999999999999999999" };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (fb_shape_parse (wrong[i], 24, &n, shape));
}

/* One NaN among a million is seen, and so is the largest value, however small the picture is. */
static void
test_sample (void)
{
  enum
  {
    SIDE = 1000,
    SMALL = 7
  };
  g_autofree float *data = g_new0 (float, SIDE *SIDE);
  g_autofree float *other = g_new0 (float, SIDE *SIDE);
  double out[SMALL * SMALL];
  guint8 filled[SMALL * SMALL];
  gint64 shape[] = { SIDE, SIDE };
  FbSlice slice;
  data[0] = -3;
  data[SIDE * SIDE - 1] = NAN;
  data[500 * SIDE + 500] = -INFINITY;
  other[0] = 1;
  fb_slice_init (&slice, 2, shape);
  g_assert_true (fb_slice_sample (&slice, FB_SCALAR_FLOAT32, (guint8 *) data, NULL, SMALL, SMALL, out, filled, NULL));
  g_assert_cmpfloat (out[0], ==, -3);
  g_assert_true (isnan (out[SMALL * SMALL - 1]));
  g_assert_true (isinf (out[3 * SMALL + 3]));
  g_assert_cmpfloat (out[1], ==, 0);
  g_assert_true (
      fb_slice_sample (&slice, FB_SCALAR_FLOAT32, (guint8 *) data, (guint8 *) other, SMALL, SMALL, out, filled, NULL));
  g_assert_cmpfloat (out[0], ==, 4);
  /* larger than the slice: every element is a block */
  const gint32 few[] = { 1, 2, 3, 4, 5 };
  double large[4 * 4];
  guint8 seen[4 * 4];
  gint64 five[] = { 5 };
  fb_slice_init (&slice, 1, five);
  slice.wrap = 2;
  fb_slice_sample (&slice, FB_SCALAR_INT32, (const guint8 *) few, NULL, 4, 3, large, seen, NULL);
  g_assert_cmpfloat (large[0], ==, 1);
  g_assert_cmpfloat (large[1], ==, 1);
  g_assert_cmpfloat (large[2], ==, 2);
  g_assert_cmpfloat (large[4], ==, 3);
  g_assert_cmpfloat (large[8], ==, 5);
  g_assert_false (seen[10]);
  g_assert_true (isnan (large[10]));
}

static void
test_compare (void)
{
  const float a[] = { 1, 2, NAN, 0, INFINITY, NAN, 5 }, b[] = { 1, 2.5f, NAN, -0.0f, INFINITY, 1, 0 };
  FbValueComparison c;
  g_assert_true (fb_compare (FB_SCALAR_FLOAT32, 7, (const guint8 *) a, (const guint8 *) b, &c, NULL));
  g_assert_cmpint (c.n_differ, ==, 3);
  g_assert_cmpint (c.n_special, ==, 3);
  g_assert_cmpint (c.n_special_differ, ==, 1);
  g_assert_cmpint (c.first, ==, 1);
  g_assert_cmpfloat (c.max_abs, ==, 5);
  g_assert_cmpint (c.at_abs, ==, 6);
  g_assert_cmpfloat (c.max_rel, ==, 1);
  g_assert_cmpuint (c.max_ulp, ==, 0x40a00000);
  g_assert_cmpuint (c.n_worst, ==, 3);
  g_assert_cmpint (c.worst[0].element, ==, 5);
  g_assert_cmpint (c.worst[1].element, ==, 6);
  g_assert_cmpint (c.worst[2].element, ==, 1);
  const float one = 1, next = nextafterf (1, 2), up = 0x1p-149f, down = -0x1p-149f;
  fb_compare (FB_SCALAR_FLOAT32, 1, (const guint8 *) &one, (const guint8 *) &next, &c, NULL);
  g_assert_cmpuint (c.max_ulp, ==, 1);
  fb_compare (FB_SCALAR_FLOAT32, 1, (const guint8 *) &up, (const guint8 *) &down, &c, NULL);
  g_assert_cmpuint (c.max_ulp, ==, 2);
  const gint64 x = G_MAXINT64, y = G_MAXINT64 - 1, z = G_MININT64;
  fb_compare (FB_SCALAR_INT64, 1, (const guint8 *) &x, (const guint8 *) &y, &c, NULL);
  g_assert_cmpint (c.n_differ, ==, 1);
  g_assert_cmpuint (c.max_ulp, ==, 1);
  fb_compare (FB_SCALAR_INT64, 1, (const guint8 *) &x, (const guint8 *) &z, &c, NULL);
  g_assert_cmpuint (c.max_ulp, ==, G_MAXUINT64);
}

/* What is saved is read again, of every type, with its shape; what cannot be written leaves what was there. */
static void
test_save (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("fusebox-values-XXXXXX", &error);
  g_autofree char *npy = g_build_filename (folder, "a.npy", NULL), *csv = g_build_filename (folder, "a.csv", NULL);
  gint64 shape[] = { 2, 3, 4 };
  FbSlice slice;
  g_assert_no_error (error);
  fb_slice_init (&slice, 3, shape);
  for (guint type = FB_SCALAR_BOOL; type <= FB_SCALAR_FLOAT64; type++)
    {
      guint8 data[24 * 8], back[24 * 8];
      gsize size = 24 * fb_scalar_size ((FbScalarType) type);
      fb_fill (type, 24, 1, 3, data);
      g_assert_true (fb_value_save_npy (npy, type, &slice, data, NULL, &error));
      g_assert_no_error (error);
      g_assert_true (fb_npy_read (npy, type, 24, back, &error));
      g_assert_cmpmem (data, size, back, size);
    }
  g_autofree char *bytes = NULL;
  g_assert_true (g_file_get_contents (npy, &bytes, NULL, NULL));
  g_assert_nonnull (strstr (bytes + 10, "'shape': (2,3,4,)"));
  const float values[] = { 0.1f, -2, NAN, INFINITY, 5 };
  gint64 five[] = { 5 };
  fb_slice_init (&slice, 1, five);
  slice.wrap = 2;
  g_assert_true (fb_value_save_csv (csv, FB_SCALAR_FLOAT32, &slice, (const guint8 *) values, NULL, &error));
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "0.100000001,-2\nNaN,+Inf\n5\n");
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_cancellable_cancel (cancelled);
  g_assert_false (fb_value_save_csv (csv, FB_SCALAR_FLOAT32, &slice, (const guint8 *) values + 4, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_autofree char *still = NULL;
  g_assert_true (g_file_get_contents (csv, &still, NULL, NULL));
  g_assert_cmpstr (still, ==, text);
  g_assert_false (
      fb_value_save_npy ("/no/such/folder/a.npy", FB_SCALAR_FLOAT32, &slice, (const guint8 *) values, NULL, &error));
  g_assert_nonnull (error);
  g_unlink (npy);
  g_unlink (csv);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/values/stats", test_stats);
  g_test_add_func ("/backends/values/moments", test_moments);
  g_test_add_func ("/backends/values/histogram", test_histogram);
  g_test_add_func ("/backends/values/text", test_text);
  g_test_add_func ("/backends/values/parse", test_parse);
  g_test_add_func ("/backends/values/slice", test_slice);
  g_test_add_func ("/backends/values/shape", test_shape);
  g_test_add_func ("/backends/values/sample", test_sample);
  g_test_add_func ("/backends/values/compare", test_compare);
  g_test_add_func ("/backends/values/save", test_save);
  return g_test_run ();
}
