/* What is in a buffer: counts and moments of its elements, a histogram, elements as text. */
#pragma once

#include <gio/gio.h>

#include "backends/program/program.h"

typedef struct
{
  gint64 size;
  gint64 nan, plus_inf, minus_inf;
  gint64 negative, zero, denormal; /* of the finite ones; negative: below zero */
  gboolean any_finite;
  double min, max, mean, std; /* over finite values; std of the values themselves, not of a sample */
} FbValueStats;

/* @n elements of @type from element @first as doubles, integers beyond 2^53 rounded. */
void fb_values_read (guint type, const guint8 *data, gint64 first, guint n, double *out);
/* Of @n elements. FALSE: cancelled. */
gboolean fb_value_stats (guint type, gint64 n, const guint8 *data, FbValueStats *stats, GCancellable *cancellable);

#define FB_HISTOGRAM_BINS 25
typedef struct
{
  double low, high; /* of all bins; the last one holds its upper end too */
  guint n_bins;     /* 0: nothing finite */
  gint64 bins[FB_HISTOGRAM_BINS];
  gint64 most;
} FbHistogram;
/* How the finite ones of @n elements are spread over what @stats says they cover. Integers of few values have a bin each. FALSE:
 * cancelled. */
gboolean fb_value_histogram (guint type, gint64 n, const guint8 *data, const FbValueStats *stats,
                             FbHistogram *histogram, GCancellable *cancellable);

typedef enum
{
  FB_VALUE_DECIMAL,
  FB_VALUE_EXACT, /* decimal, with all digits that tell it from its neighbours */
  FB_VALUE_HEX,   /* its bits: 0x3f800000 */
  FB_VALUE_BITS,  /* floats as sign, exponent, fraction */
} FbValueFormat;
#define FB_VALUE_TEXT 96 /* bytes that hold any */
/* The element at @data. */
void fb_value_text (guint type, const guint8 *data, FbValueFormat format, char text[FB_VALUE_TEXT]);
/* Characters of the longest text of an element of @type. */
guint fb_value_width (guint type, FbValueFormat format);
/* Writes what @text says to the element at @data: a number, "nan", "inf", "-inf", "true", hexadecimal "0x…" as bits. FALSE: none, or
 * out of range. */
gboolean fb_value_parse (guint type, const char *text, guint8 *data);

typedef enum
{
  FB_VALUE_IS_NAN = 1,
  FB_VALUE_IS_PLUS_INF = 2,
  FB_VALUE_IS_MINUS_INF = 4,
  FB_VALUE_IS_NEGATIVE = 8,
  FB_VALUE_IS_DENORMAL = 16,
} FbValueMarks;
/* Marks of the element at @data. */
guint fb_value_marks (guint type, const guint8 *data);
