/* Compiled kernels, run in a child process. */
#include "backends/run/executor.h"

#include "cpu.h"

static gboolean
send_step (FbExecutor *executor, const FbPlan *plan, const FbPlanStep *step, FbMemory *memory, GError **error)
{
  g_autoptr (GArray) request = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean copy = step->kind == FB_STEP_COPY;
  gint64 number = copy ? -1 : (gint64) step->program_number, n = copy ? 3 : step->n_buffers;
  g_array_append_val (request, number);
  g_array_append_val (request, n);
  for (guint i = 0; i < (copy ? 2 : step->n_buffers); i++)
    {
      gint64 offset = fb_plan_data (plan, memory->data, step->buffers[i]) - memory->data;
      g_array_append_val (request, offset);
    }
  if (copy)
    {
      gint64 bytes = (gint64) fb_plan_buffer (plan, step->buffers[0])->bytes;
      g_array_append_val (request, bytes);
    }
  return fb_executor_send (executor, (const gint64 *) (gpointer) request->data, request->len, error);
}

gboolean
fb_cpu_run (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, FbRunReport *report,
            GCancellable *cancellable, GError **error)
{
  g_autofree char *source = fb_cpu_source (plan);
  g_autofree char *program = fb_cpu_compile (source, options, report, cancellable, error);
  if (program == NULL)
    return FALSE;
  g_autofree char *size = g_strdup_printf ("%" G_GSIZE_FORMAT, memory->size),
                  *count = g_strdup_printf ("%u", options->threads);
  const char *argv[] = { program, size, count, NULL };
  g_autoptr (FbExecutor) executor = fb_executor_new (argv, memory, -1, error);
  for (guint i = 0; executor != NULL && i < plan->steps->len; i++)
    {
      const FbPlanStep *step = fb_plan_step (plan, i);
      gint64 taken = 0;
      if (step->kind != FB_STEP_VIEW)
        taken = send_step (executor, plan, step, memory, error)
                    ? fb_executor_wait (executor, options->seconds, options->memory, cancellable, error)
                    : -1;
      if (taken < 0)
        {
          g_prefix_error (error, "kernel %u: ", i + 1);
          return FALSE;
        }
      if (options->after != NULL && !options->after (i, (double) taken / 1e9, options->user))
        break;
    }
  return executor != NULL;
}
