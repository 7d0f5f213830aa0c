/* Kernels made by hand, and run. */
#pragma once

#include "backends/interp/interp.h"
#include "backends/interp/lane.h"
#include "backends/run/plan.h"
#include "tests/graph-util.h"

static inline FbUop *
argument (FbContext *c, int number, const FbDType *dtype, gint64 size)
{
  return fb_uop_new (c, FB_OP_DEFINE_GLOBAL, fb_dtype_ptr (c, dtype, size, FALSE), 0, NULL, fb_arg_int (number));
}

static inline FbUop *
load_view (FbContext *c, int number, const FbDType *dtype, gint64 size, const FbShapeTracker *st)
{
  FbUop *src[] = { argument (c, number, dtype, size), fb_st_to_uop (c, st) };
  return fb_uop_new (c, FB_OP_LOAD, dtype, 2, src, FB_ARG_NIL);
}

/* Element i of argument @number. */
static inline FbUop *
load (FbContext *c, int number, const FbDType *dtype, const FbDims *shape)
{
  return load_view (c, number, dtype, shape->prod, fb_st_from_shape (c, shape));
}

static inline FbUop *
constant (FbContext *c, const FbDType *dtype, FbArg value, const FbDims *shape)
{
  FbSint none[16] = { 0 };
  const FbView *view = fb_view_create (c, shape, fb_dims_new (c, shape->n, none), fb_sint (0), NULL);
  FbUop *src = fb_st_to_uop (c, fb_st_from_view (c, view));
  return fb_uop_new (c, FB_OP_CONST, dtype, 1, &src, value);
}

/* SINK of a STORE of @value, in @shape, to argument 0. */
static inline FbUop *
kernel_of (FbContext *c, FbUop *value, const FbDims *shape)
{
  FbUop *src[] = { argument (c, 0, value->dtype, shape->prod), fb_st_to_uop (c, fb_st_from_shape (c, shape)), value };
  return sink_of (c, fb_uop_new (c, FB_OP_STORE, FB_DTYPE (VOID), 3, src, FB_ARG_NIL));
}

static inline FbProgram *
program_of (FbContext *c, FbUop *kernel, GError **error, guint n_sizes, const gint64 *sizes)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (FbVarVal));
  return fb_program_new (c, kernel, none, n_sizes, sizes, error);
}

static inline const FbShapeTracker *
strided (FbContext *c, const FbDims *shape, const FbDims *strides)
{
  return fb_st_from_view (c, fb_view_create (c, shape, strides, fb_sint (0), NULL));
}

/* Small integers, also as floats: their sums are exact in any order. */
static inline void
fill_small (guint type, gint64 n, guint8 *data)
{
  for (gint64 i = 0; i < n; i++)
    {
      FbLane lane;
      gint64 x = i * 7 % 13 - 6;
      if (fb_scalar_is_float (type))
        lane.f = (double) x;
      else
        lane.i = type == FB_SCALAR_UINT32 ? (guint32) x : x;
      fb_lane_write (type, data + i * fb_scalar_size (type), lane);
    }
}

/* A plan of one kernel, which it takes, of @n buffers of @type. */
static inline FbPlan *
plan_of (FbProgram *program, guint type, guint n, const gint64 *sizes)
{
  FbPlan *plan = g_new0 (FbPlan, 1);
  FbPlanStep step = { .kind = FB_STEP_PROGRAM, .program = program, .n_buffers = n, .buffers = g_new0 (guint, n) };
  plan->buffers = g_array_new (FALSE, FALSE, sizeof (FbPlanBuffer));
  plan->steps = g_array_new (FALSE, FALSE, sizeof (FbPlanStep));
  plan->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_program_free);
  for (guint i = 0; i < n; i++)
    {
      FbPlanBuffer buffer = { .base = i, .type = (guint8) type, .size = sizes[i], .place = plan->memory };
      buffer.bytes = (gsize) sizes[i] * fb_scalar_size (type);
      plan->memory += (buffer.bytes + 255) / 256 * 256;
      g_array_append_val (plan->buffers, buffer);
      step.buffers[i] = i;
    }
  g_array_append_val (plan->steps, step);
  g_ptr_array_add (plan->programs, program);
  return plan;
}
