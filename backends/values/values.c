#include "values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/interp/lane.h"

/* Elements converted at a time; a cancellation is noticed this often times 64. */
#define BLOCK 4096

#define READ(type)                                          \
  for (guint i = 0; i < n; i++)                             \
    {                                                       \
      type x;                                               \
      memcpy (&x, from + i * sizeof (type), sizeof (type)); \
      out[i] = (double) x;                                  \
    }                                                       \
  break

void
fb_values_read (guint type, const guint8 *data, gint64 first, guint n, double *out)
{
  const guint8 *from = data + (gsize) first * fb_scalar_size (type);
  switch (type)
    {
    case FB_SCALAR_INT8:
      READ (gint8);
    case FB_SCALAR_UINT8:
      READ (guint8);
    case FB_SCALAR_INT16:
      READ (gint16);
    case FB_SCALAR_UINT16:
      READ (guint16);
    case FB_SCALAR_INT32:
      READ (gint32);
    case FB_SCALAR_UINT32:
      READ (guint32);
    case FB_SCALAR_INT64:
      READ (gint64);
    case FB_SCALAR_UINT64:
      READ (guint64);
    case FB_SCALAR_FLOAT32:
      READ (float);
    case FB_SCALAR_FLOAT64:
      READ (double);
    default:
      for (guint i = 0; i < n; i++)
        {
          FbLane lane = fb_lane_read (type, from + i * fb_scalar_size (type));
          out[i] = fb_scalar_is_float (type) ? lane.f : (double) lane.i;
        }
    }
}

/* The smallest normal number; 0 for integers, which have no others. */
static double
smallest_normal (guint type)
{
  switch (type)
    {
    case FB_SCALAR_FLOAT16:
      return 0x1p-14;
    case FB_SCALAR_BFLOAT16:
    case FB_SCALAR_FLOAT32:
      return 0x1p-126;
    case FB_SCALAR_FLOAT64:
      return 0x1p-1022;
    default:
      return 0;
    }
}

/* Counts @n values into @stats; @sum and @squares of the finite ones are of their distance to @center. */
static void
count_block (FbValueStats *stats, double normal, const double *values, guint n, double center, double *sum,
             double *squares)
{
  for (guint i = 0; i < n; i++)
    {
      double x = values[i], d = x - center;
      if (!isfinite (x))
        {
          stats->nan += isnan (x) != 0;
          stats->plus_inf += x > 0;
          stats->minus_inf += x < 0;
          continue;
        }
      stats->negative += x < 0;
      stats->zero += x == 0;
      stats->denormal += x != 0 && fabs (x) < normal;
      stats->min = MIN (stats->min, x);
      stats->max = MAX (stats->max, x);
      *sum += d;
      *squares += d * d;
    }
}

gboolean
fb_value_stats (guint type, gint64 n, const guint8 *data, FbValueStats *stats, GCancellable *cancellable)
{
  g_autofree double *values = g_new (double, BLOCK);
  double normal = smallest_normal (type), mean = 0, spread = 0;
  gint64 n_finite = 0;
  *stats = (FbValueStats){ .size = n, .min = INFINITY, .max = -INFINITY };
  for (gint64 at = 0; at < n; at += BLOCK)
    {
      guint count = (guint) MIN (n - at, BLOCK);
      double sum = 0, squares = 0;
      gint64 others = stats->nan + stats->plus_inf + stats->minus_inf;
      if (at / BLOCK % 64 == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      fb_values_read (type, data, at, count, values);
      /* squares of numbers far from 0 would lose what tells them apart */
      for (guint i = 0; i < count && n_finite == 0 && mean == 0; i++)
        mean = isfinite (values[i]) ? values[i] : 0;
      count_block (stats, normal, values, count, mean, &sum, &squares);
      gint64 finite = count - (stats->nan + stats->plus_inf + stats->minus_inf - others);
      if (finite == 0)
        continue;
      /* moments of two sets together: of the block about the mean so far, of the rest about its own */
      double shift = sum / (double) (n_finite + finite);
      n_finite += finite;
      spread += squares - shift * sum;
      mean += shift;
    }
  stats->any_finite = n_finite > 0;
  if (!stats->any_finite)
    stats->min = stats->max = 0;
  stats->mean = mean;
  stats->std = n_finite > 0 ? sqrt (MAX (spread, 0) / (double) n_finite) : 0;
  return TRUE;
}

gboolean
fb_value_histogram (guint type, gint64 n, const guint8 *data, const FbValueStats *stats, FbHistogram *histogram,
                    GCancellable *cancellable)
{
  *histogram = (FbHistogram){ .low = stats->min, .high = stats->max };
  if (!stats->any_finite)
    return TRUE;
  double width = stats->max - stats->min;
  gboolean whole = !fb_scalar_is_float (type) && width < FB_HISTOGRAM_BINS;
  histogram->n_bins = whole ? (guint) width + 1 : width > 0 ? FB_HISTOGRAM_BINS : 1;
  if (whole)
    histogram->high = stats->min + histogram->n_bins;
  /* halves, since the width of all doubles is beyond them */
  double half_low = histogram->low / 2, half_width = histogram->high / 2 - half_low;
  double scale = half_width > 0 ? histogram->n_bins / half_width : 0;
  g_autofree double *values = g_new (double, BLOCK);
  for (gint64 at = 0; at < n; at += BLOCK)
    {
      guint count = (guint) MIN (n - at, BLOCK);
      if (at / BLOCK % 64 == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      fb_values_read (type, data, at, count, values);
      for (guint i = 0; i < count; i++)
        if (isfinite (values[i]))
          {
            double bin = (values[i] / 2 - half_low) * scale;
            histogram->bins[bin >= histogram->n_bins ? histogram->n_bins - 1 : bin > 0 ? (guint) bin : 0]++;
          }
    }
  for (guint i = 0; i < histogram->n_bins; i++)
    histogram->most = MAX (histogram->most, histogram->bins[i]);
  return TRUE;
}

guint
fb_value_marks (guint type, const guint8 *data)
{
  double x;
  fb_values_read (type, data, 0, 1, &x);
  if (isnan (x))
    return FB_VALUE_IS_NAN;
  if (isinf (x))
    return x > 0 ? FB_VALUE_IS_PLUS_INF : FB_VALUE_IS_MINUS_INF;
  return (x < 0 ? FB_VALUE_IS_NEGATIVE : 0) | (x != 0 && fabs (x) < smallest_normal (type) ? FB_VALUE_IS_DENORMAL : 0);
}

/* --- text --- */

static guint64
bits_of (guint type, const guint8 *data)
{
  guint64 bits = 0;
  for (guint i = fb_scalar_size (type); i-- > 0;)
    bits = bits << 8 | data[i];
  return bits;
}

/* Bits of the fraction of a float; 0 for others. */
static guint
fraction_bits (guint type)
{
  switch (type)
    {
    case FB_SCALAR_FLOAT16:
      return 10;
    case FB_SCALAR_BFLOAT16:
      return 7;
    case FB_SCALAR_FLOAT32:
      return 23;
    case FB_SCALAR_FLOAT64:
      return 52;
    default:
      return 0;
    }
}

static void
write_bits (guint type, guint64 bits, char *text)
{
  guint n = fb_scalar_size (type) * 8, fraction = fraction_bits (type);
  for (guint i = n; i-- > 0;)
    {
      *text++ = (bits >> i & 1) ? '1' : '0';
      if (i > 0 && (fraction ? i == n - 1 || i == fraction : i % 8 == 0))
        *text++ = ' ';
    }
  *text = '\0';
}

static int
digits_of (guint type, gboolean exact)
{
  switch (type)
    {
    case FB_SCALAR_FLOAT16:
      return exact ? 5 : 4;
    case FB_SCALAR_BFLOAT16:
      return exact ? 4 : 3;
    case FB_SCALAR_FLOAT32:
      return exact ? 9 : 6;
    default:
      return exact ? 17 : 9;
    }
}

void
fb_value_text (guint type, const guint8 *data, FbValueFormat format, char text[FB_VALUE_TEXT])
{
  if (format == FB_VALUE_HEX)
    g_snprintf (text, FB_VALUE_TEXT, "0x%0*" G_GINT64_MODIFIER "x", (int) fb_scalar_size (type) * 2,
                bits_of (type, data));
  else if (format == FB_VALUE_BITS)
    write_bits (type, bits_of (type, data), text);
  else if (fb_scalar_is_float (type))
    {
      double x = fb_lane_read (type, data).f;
      char how[8];
      g_snprintf (how, sizeof how, "%%.%dg", digits_of (type, format == FB_VALUE_EXACT));
      if (isnan (x))
        strcpy (text, "NaN");
      else if (isinf (x))
        strcpy (text, x > 0 ? "+Inf" : "-Inf");
      else
        g_ascii_formatd (text, FB_VALUE_TEXT, how, x);
    }
  else if (type == FB_SCALAR_BOOL)
    strcpy (text, *data ? "true" : "false");
  else if (fb_scalar_is_unsigned (type))
    g_snprintf (text, FB_VALUE_TEXT, "%" G_GUINT64_FORMAT, bits_of (type, data));
  else
    g_snprintf (text, FB_VALUE_TEXT, "%" G_GINT64_FORMAT, fb_lane_read (type, data).i);
}

guint
fb_value_width (guint type, FbValueFormat format)
{
  guint bytes = fb_scalar_size (type), fraction = fraction_bits (type);
  static const guint decimal[] = { [1] = 4, [2] = 6, [4] = 11, [8] = 20 };
  if (format == FB_VALUE_HEX)
    return 2 + 2 * bytes;
  if (format == FB_VALUE_BITS)
    return 8 * bytes + (fraction ? 2 : bytes - 1);
  if (type == FB_SCALAR_BOOL)
    return 5;
  /* sign, point, e-123 */
  return fraction ? (guint) digits_of (type, format == FB_VALUE_EXACT) + (type == FB_SCALAR_FLOAT64 ? 7 : 6)
                  : decimal[bytes];
}

static gboolean
parse_bits (guint type, const char *text, guint8 *data)
{
  guint bytes = fb_scalar_size (type);
  char *end;
  errno = 0;
  guint64 bits = g_ascii_strtoull (text, &end, 16);
  if (errno != 0 || end == text || *end != '\0' || (bytes < 8 && bits >> (8 * bytes) != 0)
      || (type == FB_SCALAR_BOOL && bits > 1))
    return FALSE;
  for (guint i = 0; i < bytes; i++)
    data[i] = (guint8) (bits >> (8 * i));
  return TRUE;
}

static gboolean
parse_integer (guint type, const char *text, FbLane *lane)
{
  char *end;
  gboolean large = type == FB_SCALAR_UINT64;
  if (type == FB_SCALAR_BOOL && (!strcmp (text, "true") || !strcmp (text, "false")))
    {
      lane->i = *text == 't';
      return TRUE;
    }
  errno = 0;
  lane->i = large ? (gint64) g_ascii_strtoull (text, &end, 10) : g_ascii_strtoll (text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || (large && strchr (text, '-') != NULL))
    return FALSE;
  return large || (type == FB_SCALAR_BOOL ? lane->i == 0 || lane->i == 1 : fb_wrap (type, lane->i) == lane->i);
}

gboolean
fb_value_parse (guint type, const char *text, guint8 *data)
{
  g_autofree char *plain = g_ascii_strdown (text, -1);
  FbLane lane;
  g_strstrip (plain);
  if (g_str_has_prefix (plain, "0x"))
    return parse_bits (type, plain + 2, data);
  if (fb_scalar_is_float (type))
    {
      char *end;
      lane.f = g_ascii_strtod (plain, &end);
      if (end == plain || *end != '\0')
        return FALSE;
      lane.f = fb_round (type, lane.f);
    }
  else if (!parse_integer (type, plain, &lane))
    return FALSE;
  fb_lane_write (type, data, lane);
  return TRUE;
}
