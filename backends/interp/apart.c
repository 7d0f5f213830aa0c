/* The child is given the plan's programs as bytes. It is asked with the number of one, how many arguments it has and where in memory each
 * begins, and answers with the time that it took and with how many times a MAX of floats met a NaN. */
#include "apart.h"

#include <unistd.h>

#include "backends/program/bytes.h"
#include "backends/run/executor-child.h"
#include "backends/run/executor.h"

#include "interp.h"

/* --- the side that asks --- */

static FbExecutor *
start (const FbPlan *plan, const FbMemory *memory, guint threads, GError **error)
{
  g_autoptr (GByteArray) programs = g_byte_array_new ();
  g_autofree char *program = fb_executor_program (), *size = g_strdup_printf ("%" G_GSIZE_FORMAT, memory->size),
                  *count = g_strdup_printf ("%u", threads);
  const char *argv[] = { program, "executor", "interpret", size, count, NULL };
  for (guint i = 0; i < plan->programs->len; i++)
    fb_program_write (g_ptr_array_index (plan->programs, i), programs);
  int given = fb_executor_share (programs->data, programs->len, error);
  if (given < 0)
    return NULL;
  FbExecutor *executor = fb_executor_new (argv, memory, given, error);
  close (given);
  return executor;
}

static gint64
run_step (FbExecutor *executor, const FbPlan *plan, const FbPlanStep *step, const FbMemory *memory,
          const FbRunOptions *options, gint64 *max_of_nan, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) request = g_array_new (FALSE, FALSE, sizeof (gint64));
  const gint64 head[] = { step->program_number, step->n_buffers };
  g_array_append_vals (request, head, G_N_ELEMENTS (head));
  for (guint i = 0; i < step->n_buffers; i++)
    {
      gint64 place = fb_plan_data (plan, memory->data, step->buffers[i]) - memory->data;
      g_array_append_val (request, place);
    }
  if (!fb_executor_send (executor, (const gint64 *) (gpointer) request->data, request->len, error))
    return -1;
  gint64 taken = fb_executor_wait (executor, options->seconds, options->memory, cancellable, error);
  if (taken < 0)
    return -1;
  *max_of_nan = fb_executor_wait (executor, options->seconds, options->memory, cancellable, error);
  return *max_of_nan < 0 ? -1 : taken;
}

gboolean
fb_interp_run_apart (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (FbExecutor) executor = start (plan, memory, options->threads, error);
  for (guint i = 0; executor != NULL && i < plan->steps->len; i++)
    {
      const FbPlanStep *step = fb_plan_step (plan, i);
      gint64 ignored, *max_of_nan = options->max_of_nan != NULL ? &options->max_of_nan[i] : &ignored, taken = 0;
      if (step->kind == FB_STEP_COPY)
        memmove (fb_plan_data (plan, memory->data, step->buffers[0]),
                 fb_plan_data (plan, memory->data, step->buffers[1]), fb_plan_buffer (plan, step->buffers[0])->bytes);
      else if (step->kind == FB_STEP_PROGRAM)
        taken = run_step (executor, plan, step, memory, options, max_of_nan, cancellable, error);
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

/* --- the child --- */

static GPtrArray *
read_programs (void)
{
  GPtrArray *programs = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_program_free);
  gsize size;
  const guint8 *at = fb_child_map_given (&size), *end = at + size;
  while (at < end)
    {
      FbProgram *program = fb_program_read (&at, end);
      if (program == NULL)
        fb_child_fail ("kernel %u was not understood", programs->len + 1);
      g_ptr_array_add (programs, program);
    }
  return programs;
}

/* Runs the program that is asked for next. */
static void
serve (const GPtrArray *programs, guint8 *memory, gsize size, guint threads)
{
  gint64 number = fb_child_read_number (), n = fb_child_read_number (), start = g_get_monotonic_time (), max_of_nan;
  if (number < 0 || number >= programs->len)
    fb_child_fail ("there is no program %" G_GINT64_FORMAT, number);
  const FbProgram *program = g_ptr_array_index (programs, number);
  if (n < program->args->len || n > G_MAXUINT16)
    fb_child_fail ("%" G_GINT64_FORMAT " arguments for a kernel of %u", n, program->args->len);
  g_autofree guint8 **args = g_new0 (guint8 *, n + 1);
  for (gint64 i = 0; i < n; i++)
    {
      gint64 place = fb_child_read_number ();
      gsize bytes = i < program->args->len
                        ? (gsize) fb_program_arg (program, i)->size * fb_scalar_size (fb_program_arg (program, i)->type)
                        : 0;
      if (place < 0 || (gsize) place > size || bytes > size - (gsize) place)
        fb_child_fail ("a buffer outside the memory");
      args[i] = memory + place;
    }
  fb_interp_run_counting (program, args, threads, &max_of_nan, NULL, NULL);
  fb_child_answer ((g_get_monotonic_time () - start) * 1000);
  fb_child_answer (max_of_nan);
}

int
fb_interp_child (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  gsize size;
  guint8 *memory = fb_child_map_memory (argv[2], &size);
  g_autoptr (GPtrArray) programs = read_programs ();
  for (;;)
    serve (programs, memory, size, (guint) g_ascii_strtoull (argv[3], NULL, 10));
}
