/* Values of the unfused graph while a schedule runs. */
#include <string.h>

#include "backends/run/fill.h"

#include "verify-private.h"

/* One that no kernel uses. */
static void
fill_unused (FbEvaluator *evaluator, FbUop *buffer, int ordinal)
{
  const FbDType *dtype = buffer->dtype;
  gint64 size = buffer->arg.kind == FB_ARG_INT ? buffer->arg.i : -1;
  gsize item = fb_scalar_size (dtype->type), bytes;
  if (item == 0 || dtype->count != 1 || size < 0 || __builtin_mul_overflow ((gsize) size, item, &bytes))
    return;
  guint8 *data = bytes > fb_plan_default_limit () ? NULL : g_try_malloc (MAX (bytes, 1));
  if (data == NULL)
    return;
  fb_fill (dtype->type, size, 1, ordinal, data);
  fb_evaluator_take_value (evaluator, buffer, dtype->type, size, data);
}

void
fb_unfused_set_inputs (const FbSchedule *schedule, const FbPlan *plan, guint8 *memory, FbEvaluator *evaluator)
{
  g_autoptr (GHashTable) planned = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (schedule->context, schedule->big_sink);
  int ordinal = (int) plan->n_ordinals;
  for (guint i = 0; i < plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (plan, i);
      g_hash_table_add (planned, buffer->buffer);
      fb_evaluator_set_value (evaluator, buffer->buffer, buffer->type, buffer->size, fb_plan_data (plan, memory, i));
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *node = g_ptr_array_index (nodes, i);
      if (node->op == FB_OP_BUFFER && !g_hash_table_contains (planned, node))
        fill_unused (evaluator, node, ordinal++);
    }
}

struct _FbUnfusedRun
{
  const FbSchedule *schedule;
  const FbPlan *plan;
  FbEvaluatorLimits limits;
  FbEvaluator *evaluator; /* of the kernel asked for last */
  guint8 *memory;         /* borrowed */
  GHashTable *initial;    /* FbUop BUFFER -> its bytes at first, where kernels write to it */
  guint8 **written;       /* of each kernel: its value when it is no longer, or not as such, in the memory */
  guint *times;           /* of each base buffer: kernels that write to it */
  GHashTable *kernels;    /* FbUop stored -> its kernel + 1 */
};

static guint
base_written (const FbUnfusedRun *run, guint kernel)
{
  return fb_plan_buffer (run->plan, fb_plan_step (run->plan, kernel)->buffers[0])->base;
}

/* Copies what @kernel reads of the inputs and a kernel writes to. */
static void
keep_read (FbUnfusedRun *run, guint kernel)
{
  const FbPlanStep *step = fb_plan_step (run->plan, kernel);
  FbUop *cut = fb_schedule_kernel (run->schedule, kernel)->assign->src[1];
  gboolean assigns = fb_unfused_stored (run->schedule, kernel)->op == FB_OP_ASSIGN;
  for (guint i = 0; i < step->n_buffers; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (run->plan, step->buffers[i]);
      gboolean input = FALSE;
      for (guint j = assigns ? 0 : 1; j < cut->n_src; j++)
        input |= cut->src[j] == buffer->buffer;
      if (input && run->times[buffer->base] > 0 && !g_hash_table_contains (run->initial, buffer->buffer))
        g_hash_table_insert (
            run->initial, buffer->buffer,
            g_memdup2 (fb_plan_data (run->plan, run->memory, step->buffers[i]), MAX (buffer->bytes, 1)));
    }
}

FbUnfusedRun *
fb_unfused_run_new (const FbSchedule *schedule, const FbPlan *plan, guint8 *memory, const FbEvaluatorLimits *limits)
{
  FbUnfusedRun *run = g_new0 (FbUnfusedRun, 1);
  run->schedule = schedule;
  run->plan = plan;
  run->memory = memory;
  if (limits != NULL)
    run->limits = *limits;
  run->initial = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  run->written = g_new0 (guint8 *, MAX (plan->steps->len, 1));
  run->times = g_new0 (guint, MAX (plan->buffers->len, 1));
  run->kernels = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < plan->steps->len; i++)
    g_hash_table_insert (run->kernels, fb_unfused_stored (schedule, i), GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < plan->steps->len; i++)
    if (fb_plan_step (plan, i)->kind != FB_STEP_VIEW)
      run->times[base_written (run, i)]++;
  for (guint i = 0; i < plan->steps->len; i++)
    keep_read (run, i);
  return run;
}

void
fb_unfused_run_free (FbUnfusedRun *run)
{
  g_clear_pointer (&run->evaluator, fb_evaluator_free);
  g_hash_table_unref (run->initial);
  g_hash_table_unref (run->kernels);
  for (guint i = 0; i < run->plan->steps->len; i++)
    g_free (run->written[i]);
  g_free (run->written);
  g_free (run->times);
  g_free (run);
}

/* As fb_unfused_written() gives them. */
static gint64 *
written_by (const FbSchedule *schedule, const FbPlan *plan, guint kernel, gint64 *n, GError **error)
{
  FbUop *stored = fb_unfused_stored (schedule, kernel);
  g_autoptr (FbEvaluator) evaluator = fb_evaluator_new (schedule->context, schedule->var_vals, NULL);
  const FbPlanBuffer *buffer = fb_plan_buffer (plan, fb_plan_step (plan, kernel)->buffers[0]);
  guint n_dims;
  /* of a shape with variables the buffer holds the largest */
  g_autofree gint64 *shape = fb_probe_shape (schedule, stored, &n_dims, n, error);
  if (shape == NULL)
    return NULL;
  *n = MIN (*n, buffer->size);
  return stored->op == FB_OP_ASSIGN ? fb_unfused_target (evaluator, stored->src[0], n, error) : NULL;
}

gint64 *
fb_unfused_written (FbUnfusedRun *run, guint kernel, gint64 *n, GError **error)
{
  return written_by (run->schedule, run->plan, kernel, n, error);
}

/* The value that @kernel stored, of its output's @data: a copy of the elements of the view it assigns to. NULL: the output as it
 * is. */
static guint8 *
pick_written (const FbSchedule *schedule, const FbPlan *plan, guint kernel, const guint8 *data, gint64 *n)
{
  const FbPlanBuffer *buffer = fb_plan_buffer (plan, fb_plan_step (plan, kernel)->buffers[0]);
  guint item = fb_scalar_size (buffer->type);
  *n = 0;
  g_autofree gint64 *elements = written_by (schedule, plan, kernel, n, NULL);
  if (elements == NULL)
    return NULL;
  guint8 *value = g_malloc0 ((gsize) MAX (*n, 1) * item);
  for (gint64 i = 0; i < *n; i++)
    if (elements[i] >= 0 && elements[i] < buffer->size)
      memcpy (value + i * item, data + elements[i] * item, item);
  return value;
}

FbEvaluator *
fb_unfused_evaluator_new (const FbSchedule *schedule, const FbPlan *plan, guint kernel, FbUnfusedContents contents,
                          gpointer user, const FbEvaluatorLimits *limits)
{
  FbUop *cut = fb_schedule_kernel (schedule, kernel)->assign->src[1];
  FbEvaluator *evaluator = fb_evaluator_new (schedule->context, schedule->var_vals, limits);
  for (guint i = 0; i < cut->n_src; i++)
    {
      FbUop *source = cut->src[i];
      for (guint b = 0; source->op == FB_OP_BUFFER && b < plan->buffers->len; b++)
        {
          const FbPlanBuffer *buffer = fb_plan_buffer (plan, b);
          const guint8 *data = buffer->buffer == source ? contents (b, 0, user) : NULL;
          if (data != NULL)
            fb_evaluator_set_value (evaluator, source, buffer->type, buffer->size, data);
        }
      for (guint k = 0; source->op == FB_OP_ASSIGN && k < kernel; k++)
        {
          FbUop *stored = fb_unfused_stored (schedule, k);
          guint number = fb_plan_step (plan, k)->buffers[0];
          const guint8 *data = stored == source->src[1]->arg.kernel->ast ? contents (number, k + 1, user) : NULL;
          gint64 n;
          if (data == NULL)
            continue;
          guint8 *picked = pick_written (schedule, plan, k, data, &n);
          if (picked != NULL)
            fb_evaluator_take_value (evaluator, stored, fb_plan_buffer (plan, number)->type, n, picked);
          else
            fb_evaluator_set_value (evaluator, stored, fb_plan_buffer (plan, number)->type, n, data);
        }
    }
  return evaluator;
}

void
fb_unfused_run_after (FbUnfusedRun *run, guint kernel, guint8 *memory)
{
  const FbPlanStep *step = fb_plan_step (run->plan, kernel);
  const FbPlanBuffer *buffer = fb_plan_buffer (run->plan, step->buffers[0]);
  const guint8 *data = fb_plan_data (run->plan, memory, step->buffers[0]);
  gint64 n;
  run->memory = memory;
  run->written[kernel] = pick_written (run->schedule, run->plan, kernel, data, &n);
  if (run->written[kernel] == NULL && run->times[buffer->base] > 1)
    run->written[kernel] = g_memdup2 (data, MAX (buffer->bytes, 1));
}

static void
set_stored (FbUnfusedRun *run, guint kernel)
{
  const FbPlanStep *step = fb_plan_step (run->plan, kernel);
  const FbPlanBuffer *buffer = fb_plan_buffer (run->plan, step->buffers[0]);
  gint64 n = buffer->size;
  g_autofree gint64 *elements = fb_unfused_written (run, kernel, &n, NULL);
  fb_evaluator_set_value (run->evaluator, fb_unfused_stored (run->schedule, kernel), buffer->type, n,
                          run->written[kernel] ? run->written[kernel]
                                               : fb_plan_data (run->plan, run->memory, step->buffers[0]));
}

static void
set_buffer (FbUnfusedRun *run, FbUop *node)
{
  for (guint i = 0; i < run->plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (run->plan, i);
      if (buffer->buffer != node)
        continue;
      const guint8 *initial = g_hash_table_lookup (run->initial, node);
      fb_evaluator_set_value (run->evaluator, node, buffer->type, buffer->size,
                              initial ? initial : fb_plan_data (run->plan, run->memory, i));
      return;
    }
}

FbEvaluator *
fb_unfused_run_evaluator (FbUnfusedRun *run, guint kernel)
{
  FbUop *cut = fb_schedule_kernel (run->schedule, kernel)->assign->src[1];
  g_clear_pointer (&run->evaluator, fb_evaluator_free);
  run->evaluator = fb_evaluator_new (run->schedule->context, run->schedule->var_vals, &run->limits);
  for (guint i = 0; i < cut->n_src; i++)
    {
      FbUop *source = cut->src[i];
      gpointer j = NULL;
      if (source->op == FB_OP_ASSIGN)
        j = g_hash_table_lookup (run->kernels, source->src[1]->arg.kernel->ast);
      if (source->op == FB_OP_BUFFER)
        set_buffer (run, source);
      else if (j != NULL)
        set_stored (run, GPOINTER_TO_UINT (j) - 1);
    }
  return run->evaluator;
}
