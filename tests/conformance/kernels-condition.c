/* How far an output moves when its inputs are rounded otherwise.
 *
 * The bound of agree.h is for sums and what is near to them. A function of a sum may make much of its rounding: log2 of what nearly
 * cancels, one divided by it. Then a difference is no fault where the interpreter's own result moves as far when every input is moved
 * by its unit roundoff, which moves a sum about as much as rounding each of its steps does. */
#include "kernels.h"

#include <math.h>

#include "backends/interp/lane.h"
#include "backends/run/fill.h"

/* So many times are inputs moved, and so much more than that an output may be off. */
#define TIMES 4
#define MOST 16

/* Each element up or down by a part of 2^-@bits of it, or not at all. */
static void
move (guint type, gint64 n, guint64 seed, int bits, guint8 *data)
{
  guint item = fb_scalar_size (type);
  for (gint64 i = 0; i < n; i++)
    {
      FbLane lane = fb_lane_read (type, data + (gsize) i * item);
      int sign = (int) (fb_fill_bits (seed, 0, i) % 3) - 1;
      lane.f += sign * ldexp (lane.f, -bits);
      fb_lane_write (type, data + (gsize) i * item, lane);
    }
}

static int
precision (guint type)
{
  return type == FB_SCALAR_FLOAT64 ? 52 : type == FB_SCALAR_FLOAT32 ? 23 : type == FB_SCALAR_FLOAT16 ? 10 : 7;
}

/* The output's elements after a run with moved inputs, as doubles; free with g_free. */
static double *
run_moved (const FbPlan *plan, guint output, guint64 seed)
{
  const FbPlanBuffer *buffer = fb_plan_buffer (plan, output);
  const FbPlanStep *step = fb_plan_step (plan, 0);
  const FbRunOptions options = { .backend = FB_BACKEND_INTERP };
  double *values = g_new (double, MAX (buffer->size, 1));
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  fb_memory_init (&memory, plan->memory, &error);
  g_assert_no_error (error);
  fb_plan_fill (plan, memory.data, 1);
  for (guint i = 0; i < step->n_buffers; i++)
    {
      const FbPlanBuffer *input = fb_plan_buffer (plan, step->buffers[i]);
      if (seed > 0 && fb_scalar_is_float (input->type) && !input->starts_as_output)
        move (input->type, input->size, seed * 1000 + i, precision (input->type),
              fb_plan_data (plan, memory.data, step->buffers[i]));
    }
  fb_run (plan, &memory, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < buffer->size; i++)
    values[i] = fb_lane_read (buffer->type,
                              fb_plan_data (plan, memory.data, output) + (gsize) i * fb_scalar_size (buffer->type))
                    .f;
  fb_memory_clear (&memory);
  return values;
}

gboolean
kernels_is_by_rounding (const FbPlan *plan, guint output, const guint8 *other, double bound)
{
  const FbPlanBuffer *buffer = fb_plan_buffer (plan, output);
  gboolean all = fb_scalar_is_float (buffer->type);
  if (!all)
    return FALSE;
  double *plain = run_moved (plan, output, 0), *moved[TIMES];
  for (guint t = 0; t < TIMES; t++)
    moved[t] = run_moved (plan, output, t + 1);
  for (gint64 i = 0; i < buffer->size && all; i++)
    {
      double x = fb_lane_read (buffer->type, other + (gsize) i * fb_scalar_size (buffer->type)).f, allowed = bound;
      gboolean same = x == plain[i] || (isnan (x) && isnan (plain[i]));
      for (guint t = 0; t < TIMES; t++)
        {
          /* from a number to none, or back: anything may come of it */
          same |= isfinite (moved[t][i]) != isfinite (plain[i]);
          allowed = MAX (allowed, bound + MOST * fabs (moved[t][i] - plain[i]));
        }
      all = same || fabs (x - plain[i]) <= allowed;
    }
  g_free (plain);
  for (guint t = 0; t < TIMES; t++)
    g_free (moved[t]);
  return all;
}
