/* Kernels of our own in one plan, and whether there is a device for them. */
#pragma once

#include "backends/opencl/opencl.h"

#include "kernel.h"

/* FALSE: the test is skipped. */
static inline gboolean
has_device (void)
{
  static gsize once;
  static gboolean any;
  if (g_once_init_enter (&once))
    {
      g_autoptr (GPtrArray) devices = fb_opencl_devices (NULL, NULL);
      any = devices != NULL;
      g_once_init_leave (&once, 1);
    }
  if (!any)
    g_test_skip ("no OpenCL device");
  return any;
}

/* A plan of kernels over buffers of our own: many are compiled and run at once. */
typedef struct
{
  FbPlan plan;
  GPtrArray *names;
} Many;

static inline void
many_init (Many *many)
{
  *many = (Many){ .names = g_ptr_array_new_with_free_func (g_free) };
  many->plan.buffers = g_array_new (FALSE, TRUE, sizeof (FbPlanBuffer));
  many->plan.steps = g_array_new (FALSE, TRUE, sizeof (FbPlanStep));
  many->plan.programs = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_program_free);
}

static inline guint
many_add_buffer (Many *many, guint type, gint64 size)
{
  FbPlanBuffer buffer
      = { .base = many->plan.buffers->len, .type = (guint8) type, .size = size, .place = many->plan.memory };
  buffer.bytes = (gsize) size * fb_scalar_size (type);
  many->plan.memory += (buffer.bytes / 256 + 1) * 256;
  g_array_append_val (many->plan.buffers, buffer);
  return buffer.base;
}

/* Owns @name. */
static inline void
many_add (Many *many, FbProgram *program, guint n, const guint *buffers, char *name)
{
  FbPlanStep step
      = { .kind = FB_STEP_PROGRAM, .program = program, .program_number = many->plan.programs->len, .n_buffers = n };
  step.buffers = g_memdup2 (buffers, n * sizeof *buffers);
  g_array_append_val (many->plan.steps, step);
  g_ptr_array_add (many->plan.programs, program);
  g_ptr_array_add (many->names, name);
}

static inline void
many_clear (Many *many)
{
  for (guint i = 0; i < many->plan.steps->len; i++)
    g_free (fb_plan_step (&many->plan, i)->buffers);
  g_array_unref (many->plan.buffers);
  g_array_unref (many->plan.steps);
  g_ptr_array_unref (many->plan.programs);
  g_ptr_array_unref (many->names);
}
