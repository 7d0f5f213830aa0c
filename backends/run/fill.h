/* What buffers hold before a run, and what is said of them after it. */
#pragma once

#include "plan.h"

/* Fills every base buffer of @plan in @memory, which is zeroed: one first seen as an input with element i, from 1, of
 * splitmix64 with state seed*1000003 + ordinal; floats uniform in [-1, 1) and rounded to their type, integers 0 to 15,
 * bools the lowest bit. One first seen as an output stays zero. */
void fb_plan_fill (const FbPlan *plan, guint8 *memory, guint64 seed);
/* What that rule makes element @i, from 0, of. */
guint64 fb_fill_bits (guint64 seed, int ordinal, gint64 i);
/* @n elements of @type by that rule. */
void fb_fill (guint type, gint64 n, guint64 seed, int ordinal, guint8 *data);

#define FB_STATS_SAMPLES 16
typedef struct
{
  gint64 size, nan, inf;
  double sum, abs, min, max; /* over finite values */
  gboolean any_finite;
  guint n_samples;
  gint64 at[FB_STATS_SAMPLES]; /* evenly over the buffer */
  double values[FB_STATS_SAMPLES];
} FbStats;
void fb_stats (guint type, gint64 n, const guint8 *data, FbStats *stats);

/* The only array of an .npy, .npz or .safetensors file, as fb_array_read() has it. */
gboolean fb_npy_read (const char *path, guint type, gint64 n, guint8 *data, GError **error);
/* The type of elements as an .npy of @type names it: "<f4". Static. */
const char *fb_npy_descriptor (guint type);
/* Writes @n elements as a one-dimensional .npy; bfloat16 as float32. */
gboolean fb_npy_write (const char *path, guint type, gint64 n, const guint8 *data, GError **error);
