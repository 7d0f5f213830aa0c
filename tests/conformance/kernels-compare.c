/* A batch of kernels on the interpreter and on compiled backends. */
#include "kernels.h"

#include "backends/cpu/cpu.h"
#include "backends/opencl/opencl.h"
#include "backends/run/fill.h"

void
kernels_backend_init (KernelsBackend *backend, FbBackend which)
{
  g_autofree char *compiler = fb_cpu_find_compiler (NULL);
  g_autoptr (GPtrArray) devices = which == FB_BACKEND_OPENCL ? fb_opencl_devices (NULL, NULL) : NULL;
  *backend = (KernelsBackend){ .backend = which };
  backend->differences = g_ptr_array_new_with_free_func (g_free);
  if (which == FB_BACKEND_OPENCL)
    backend->why_not = devices == NULL ? "no OpenCL device" : NULL;
  else
    backend->why_not = compiler == NULL ? "no C compiler" : NULL;
}

void
kernels_backend_clear (KernelsBackend *backend)
{
  g_ptr_array_unref (backend->differences);
}

static void
difference (KernelsBackend *backend, const char *name, const char *text)
{
  g_ptr_array_add (backend->differences, g_strdup_printf ("%s: %s", name, text));
}

static gboolean
run_on (const FbPlan *plan, FbBackend backend, const char *cache, gint64 *max_of_nan, FbMemory *memory, GError **error)
{
  g_autoptr (GError) no_memory = NULL;
  const FbRunOptions options
      = { .backend = backend, .cache = cache, .max_of_nan = max_of_nan, .seconds = 300, .compile_seconds = 600 };
  fb_memory_init (memory, plan->memory, &no_memory);
  g_assert_no_error (no_memory);
  fb_plan_fill (plan, memory->data, 1);
  return fb_run (plan, memory, &options, NULL, NULL, error);
}

/* A plan of @n of the batch's @steps, with the programs that they need and no others. It borrows all. */
static FbPlan
part_of (const KernelsBatch *batch, const guint *steps, guint n)
{
  FbPlan part = *batch->plan;
  part.steps = g_array_new (FALSE, FALSE, sizeof (FbPlanStep));
  part.programs = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    {
      FbPlanStep step = *fb_plan_step (batch->plan, steps[i]);
      step.program_number = part.programs->len;
      g_ptr_array_add (part.programs, (gpointer) step.program);
      g_array_append_val (part.steps, step);
    }
  return part;
}

static void
part_clear (FbPlan *part)
{
  g_array_unref (part->steps);
  g_ptr_array_unref (part->programs);
}

static gboolean
is_by_rounding (const KernelsBatch *batch, guint step, guint output, FbMemory *other, double bound)
{
  FbPlan part = part_of (batch, &step, 1);
  gboolean is = kernels_is_by_rounding (&part, output, fb_plan_data (&part, other->data, output), bound);
  part_clear (&part);
  return is;
}

static void
compare_step (KernelsBackend *k, const KernelsBatch *batch, guint i, FbMemory *interp, FbMemory *other,
              gint64 max_of_nan)
{
  const FbPlanStep *step = fb_plan_step (batch->plan, i);
  FbAgreeRule rule = fb_agree_rule (step->program);
  rule.inputs = 1;
  rule.max_of_nan = max_of_nan > 0;
  for (guint b = 0; b < step->n_buffers; b++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (batch->plan, step->buffers[b]);
      FbAgreement g;
      if (b >= step->program->args->len || !fb_program_arg (step->program, b)->written)
        continue;
      fb_agree (buffer->type, buffer->size, fb_plan_data (batch->plan, interp->data, step->buffers[b]),
                fb_plan_data (batch->plan, other->data, step->buffers[b]), NULL, &rule, &g);
      gboolean moved = g.beyond > 0 && is_by_rounding (batch, i, step->buffers[b], other, g.bound);
      if (g.beyond > 0 && !moved)
        {
          g_autofree char *text
              = g_strdup_printf ("element %" G_GINT64_FORMAT
                                 " is %.9g in the interpreter and %.9g on %s; allowed is %.3g; so are %" G_GINT64_FORMAT
                                 " of %" G_GINT64_FORMAT,
                                 g.first, g.a, g.b, fb_backend_name (k->backend), g.bound, g.beyond, g.size);
          difference (k, g_ptr_array_index (batch->names, i), text);
        }
      k->n_equal += g.equal == g.size;
      k->n_within += g.within > 0;
      k->n_rounded += g.rounded > 0;
      k->n_nan_order += g.nan_order > 0;
      k->n_moved += moved;
      k->worst = MAX (k->worst, g.nan_order + g.rounded + g.beyond > 0 ? 0 : g.largest_of_bound);
    }
  k->n_run++;
}

/* Runs @n of the steps; when that fails, each half, down to the kernel that does. */
static void
compare_part (KernelsBackend *k, const KernelsBatch *batch, const guint *steps, guint n, const char *cache,
              FbMemory *interp, const gint64 *max_of_nan)
{
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  FbPlan part = part_of (batch, steps, n);
  gboolean done = run_on (&part, k->backend, cache, NULL, &memory, &error);
  if (done)
    for (guint i = 0; i < n; i++)
      compare_step (k, batch, steps[i], interp, &memory, max_of_nan[steps[i]]);
  fb_memory_clear (&memory);
  part_clear (&part);
  if (!done && n == 1)
    difference (k, g_ptr_array_index (batch->names, steps[0]), error->message);
  else if (!done)
    {
      compare_part (k, batch, steps, n / 2, cache, interp, max_of_nan);
      compare_part (k, batch, steps + n / 2, n - n / 2, cache, interp, max_of_nan);
    }
}

void
kernels_batch_compare (const KernelsBatch *batch, KernelsBackend *backends, guint n, const char *cache)
{
  guint n_steps = batch->plan->steps->len;
  g_autofree gint64 *max_of_nan = g_new0 (gint64, n_steps + 1);
  g_autofree guint *steps = g_new (guint, n_steps + 1);
  g_autoptr (GError) error = NULL;
  FbMemory interp;
  run_on (batch->plan, FB_BACKEND_INTERP, NULL, max_of_nan, &interp, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n_steps; i++)
    steps[i] = i;
  for (guint b = 0; b < n; b++)
    if (backends[b].why_not == NULL)
      compare_part (&backends[b], batch, steps, n_steps, cache, &interp, max_of_nan);
  fb_memory_clear (&interp);
}
