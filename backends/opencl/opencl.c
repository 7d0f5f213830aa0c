/* The side that asks the child. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/run/executor.h"

#include "opencl-child.h"

static void
append_arg (GArray *request, const FbPlan *plan, guint buffer, gboolean written)
{
  const FbPlanBuffer *used = fb_plan_buffer (plan, buffer), *base = fb_plan_buffer (plan, used->base);
  const gint64 numbers[FB_OPENCL_ARG_NUMBERS]
      = { (gint64) base->place, (gint64) base->bytes, used->offset, fb_scalar_size (used->type), written };
  g_array_append_vals (request, numbers, FB_OPENCL_ARG_NUMBERS);
}

typedef struct
{
  const FbPlan *plan;
  const FbRunOptions *options;
  const FbOpenclSource *source;
  FbExecutor *executor;
  GCancellable *cancellable;
  guint *first_launch; /* of each program, and one after the last */
} Run;

static gint64
ask (Run *run, GArray *request, guint seconds, GError **error)
{
  if (!fb_executor_send (run->executor, (const gint64 *) (gpointer) request->data, request->len, error))
    return -1;
  return fb_executor_wait (run->executor, seconds, run->options->memory, run->cancellable, error);
}

/* Every kernel of the step; nanoseconds, -1: it failed. */
static gint64
launch (Run *run, const FbPlanStep *step, gboolean really, GError **error)
{
  gint64 taken = 0;
  for (guint i = run->first_launch[step->program_number]; i < run->first_launch[step->program_number + 1]; i++)
    {
      const FbOpenclLaunch *wanted = &g_array_index (run->source->launches, FbOpenclLaunch, i);
      g_autoptr (GArray) request = g_array_new (FALSE, FALSE, sizeof (gint64));
      gint64 numbers[] = { FB_OPENCL_LAUNCH, really,       wanted->kernel, wanted->sharing,
                           wanted->points,   wanted->rows, wanted->lanes,  0 };
      for (guint a = 0; a < step->program->args->len; a++)
        numbers[7] += fb_program_arg (step->program, a)->used != 0;
      g_array_append_vals (request, numbers, G_N_ELEMENTS (numbers));
      for (guint a = 0; a < step->program->args->len; a++)
        if (fb_program_arg (step->program, a)->used)
          append_arg (request, run->plan, step->buffers[a], fb_program_arg (step->program, a)->written);
      gint64 answer = ask (run, request, really ? run->options->seconds : run->options->compile_seconds, error);
      if (answer < 0)
        return -1;
      taken += answer;
    }
  return taken;
}

static gint64
copy (Run *run, const FbPlanStep *step, GError **error)
{
  g_autoptr (GArray) request = g_array_new (FALSE, FALSE, sizeof (gint64));
  const gint64 kind = FB_OPENCL_COPY, bytes = (gint64) fb_plan_buffer (run->plan, step->buffers[0])->bytes;
  g_array_append_val (request, kind);
  append_arg (request, run->plan, step->buffers[0], TRUE);
  append_arg (request, run->plan, step->buffers[1], FALSE);
  g_array_append_val (request, bytes);
  return ask (run, request, run->options->seconds, error);
}

/* Everything is compiled before the first kernel runs: drivers compile some of it only when a kernel is used. */
static gboolean
compile (Run *run, GError **error)
{
  g_autoptr (GArray) request = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree gboolean *done = g_new0 (gboolean, MAX (run->plan->programs->len, 1));
  const gint64 kind = FB_OPENCL_BUILD;
  g_array_append_val (request, kind);
  if (ask (run, request, run->options->compile_seconds, error) < 0)
    return FALSE;
  for (guint i = 0; i < run->plan->steps->len; i++)
    {
      const FbPlanStep *step = fb_plan_step (run->plan, i);
      if (step->kind != FB_STEP_PROGRAM || done[step->program_number])
        continue;
      done[step->program_number] = TRUE;
      if (launch (run, step, FALSE, error) < 0)
        {
          g_prefix_error (error, "kernel %u: ", i + 1);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
run_steps (Run *run, GError **error)
{
  for (guint i = 0; i < run->plan->steps->len; i++)
    {
      const FbPlanStep *step = fb_plan_step (run->plan, i);
      gint64 taken = 0;
      if (step->kind == FB_STEP_PROGRAM)
        taken = launch (run, step, TRUE, error);
      else if (step->kind == FB_STEP_COPY)
        taken = copy (run, step, error);
      if (taken < 0)
        {
          g_prefix_error (error, "kernel %u: ", i + 1);
          return FALSE;
        }
      if (run->options->after != NULL && !run->options->after (i, (double) taken / 1e9, run->options->user))
        break;
    }
  return TRUE;
}

gboolean
fb_opencl_run (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, FbRunReport *report,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (FbOpenclSource) source = fb_opencl_source_new (plan);
  g_autofree guint *first_launch = g_new0 (guint, plan->programs->len + 2);
  g_autofree char *program
      = fb_executor_program (),
      *cache = options->cache != NULL ? g_build_filename (options->cache, "opencl", NULL)
                                      : g_build_filename (g_get_user_cache_dir (), "fusebox", "opencl", NULL),
      *size = g_strdup_printf ("%" G_GSIZE_FORMAT, memory->size), *device = g_strdup_printf ("%u", options->device);
  const char *argv[] = { program, "executor", "run", size, device, cache, NULL };
  gint64 start = g_get_monotonic_time ();
  for (guint i = 0; i < source->launches->len; i++)
    first_launch[g_array_index (source->launches, FbOpenclLaunch, i).program + 1]++;
  for (guint i = 0; i < plan->programs->len; i++)
    first_launch[i + 1] += first_launch[i];
  if (g_mkdir_with_parents (cache, 0700) != 0)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE, "%s: %s", cache, g_strerror (errno));
      return FALSE;
    }
  int text = fb_executor_share (source->text, strlen (source->text), error);
  if (text < 0)
    return FALSE;
  g_autoptr (FbExecutor) executor = fb_executor_new (argv, memory, text, error);
  close (text);
  Run run = { plan, options, source, executor, cancellable, first_launch };
  if (executor == NULL || !compile (&run, error))
    return FALSE;
  report->compile_seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  return run_steps (&run, error);
}
