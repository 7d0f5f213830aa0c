#include "fill.h"

#include <math.h>

#include "backends/interp/lane.h"

static guint64
splitmix (guint64 state, guint64 i)
{
  guint64 z = state + i * 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

guint64
fb_fill_bits (guint64 seed, int ordinal, gint64 i)
{
  return splitmix (seed * 1000003 + (guint64) ordinal, (guint64) i + 1);
}

void
fb_fill (guint type, gint64 n, guint64 seed, int ordinal, guint8 *data)
{
  guint64 state = seed * 1000003 + (guint64) ordinal;
  gsize item = fb_scalar_size (type);
  for (gint64 i = 0; i < n; i++)
    {
      guint64 x = splitmix (state, (guint64) i + 1);
      FbLane lane;
      if (fb_scalar_is_float (type))
        lane.f = (float) ((double) (x >> 40) * 0x1p-23 - 1.0);
      else
        lane.i = type == FB_SCALAR_BOOL ? (gint64) (x & 1) : (gint64) (x % 16);
      fb_lane_write (type, data + (gsize) i * item, lane);
    }
}

void
fb_plan_fill (const FbPlan *plan, guint8 *memory, guint64 seed)
{
  for (guint i = 0; i < plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (plan, i);
      if (buffer->base == i && !buffer->starts_as_output)
        fb_fill (buffer->type, buffer->size, seed, buffer->ordinal, fb_plan_data (plan, memory, i));
    }
}

static double
element (guint type, const guint8 *data, gint64 i)
{
  FbLane lane = fb_lane_read (type, data + (gsize) i * fb_scalar_size (type));
  if (fb_scalar_is_float (type))
    return lane.f;
  return type == FB_SCALAR_UINT64 ? (double) (guint64) lane.i : (double) lane.i;
}

void
fb_stats (guint type, gint64 n, const guint8 *data, FbStats *stats)
{
  *stats = (FbStats){ .size = n, .n_samples = (guint) MIN (n, FB_STATS_SAMPLES) };
  for (gint64 i = 0; i < n; i++)
    {
      double x = element (type, data, i);
      stats->nan += isnan (x) != 0;
      stats->inf += isinf (x) != 0;
      if (!isfinite (x))
        continue;
      stats->min = stats->any_finite ? MIN (stats->min, x) : x;
      stats->max = stats->any_finite ? MAX (stats->max, x) : x;
      stats->any_finite = TRUE;
      stats->sum += x;
      stats->abs += fabs (x);
    }
  for (guint s = 0; s < stats->n_samples; s++)
    {
      /* as numpy's linspace places them, cut to integers */
      double step = stats->n_samples > 1 ? (double) (n - 1) / (stats->n_samples - 1) : 0;
      stats->at[s] = s + 1 == stats->n_samples ? n - 1 : (gint64) (s * step);
      if (stats->n_samples == 1)
        stats->at[s] = 0;
      stats->values[s] = element (type, data, stats->at[s]);
    }
}
