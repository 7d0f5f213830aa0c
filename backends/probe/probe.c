#include "probe.h"

#include <string.h>

#include "backends/program/program-private.h"

void
fb_probe_value_free (FbProbeValue *value)
{
  g_free (value->shape);
  g_free (value->data);
  g_free (value);
}

gboolean
fb_probe_has_value (const FbUop *node)
{
  return !fb_op_in (node->op, FB_OP_BIT (VIEW) | FB_OP_BIT (DEFINE_GLOBAL) | FB_OP_BIT (STORE) | FB_OP_BIT (SINK)
                                  | FB_OP_BIT (DEVICE) | FB_OP_BIT (UNIQUE) | FB_OP_BIT (BUFFER))
         && node->dtype->type != FB_SCALAR_VOID;
}

GPtrArray *
fb_probe_nodes (const FbSchedule *schedule, guint kernel)
{
  FbUop *ast = fb_schedule_kernel (schedule, kernel)->ast;
  GPtrArray *found = g_ptr_array_new ();
  if (ast->op != FB_OP_SINK)
    return found;
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (schedule->context, ast);
  for (guint i = 0; i < nodes->len; i++)
    if (fb_probe_has_value (g_ptr_array_index (nodes, i)))
      g_ptr_array_add (found, g_ptr_array_index (nodes, i));
  return found;
}

gint64 *
fb_probe_shape (const FbSchedule *schedule, FbUop *node, guint *n_dims, gint64 *size, GError **error)
{
  FbContext *context = schedule->context;
  const FbDims *shape = fb_probe_has_value (node) ? fb_uop_shape (context, node) : NULL;
  if (shape == NULL)
    {
      fb_context_take_error (context, NULL);
      fb_refuse (context, node, FB_BACKEND_ERROR_SHAPE, error, "it has no value to look at");
      return NULL;
    }
  g_autofree gint64 *sizes = g_new (gint64, MAX (shape->n, 1));
  *n_dims = shape->n;
  *size = 1;
  for (guint d = 0; d < shape->n; d++)
    {
      if (!fb_eval_sint (context, shape->at[d], schedule->var_vals, &sizes[d], error))
        return NULL;
      if (sizes[d] < 0 || __builtin_mul_overflow (*size, sizes[d], size) || *size > G_MAXINT64 / 16)
        {
          fb_refuse (context, node, FB_BACKEND_ERROR_SIZE, error, "its index space has no size of 59 bits");
          return NULL;
        }
    }
  return g_steal_pointer (&sizes);
}

typedef struct
{
  guint kernel;
} Stop;

static gboolean
stop_before (guint step, G_GNUC_UNUSED double seconds, gpointer user)
{
  const Stop *stop = user;
  return step + 1 < stop->kernel;
}

gboolean
fb_probe_prepare (const FbPlan *plan, FbMemory *memory, guint kernel, const FbRunOptions *options,
                  GCancellable *cancellable, GError **error)
{
  Stop stop = { kernel };
  FbRunOptions run = *options;
  run.after = stop_before;
  run.user = &stop;
  return kernel == 0 || fb_run (plan, memory, &run, NULL, cancellable, error);
}

/* SINK (STORE (argument @number, @node)). */
static FbUop *
probe_ast (FbContext *context, FbUop *node, guint number, gint64 size)
{
  FbUop *src[3] = {
    fb_uop_new (context, FB_OP_DEFINE_GLOBAL, fb_dtype_ptr (context, node->dtype, size, FALSE), 0, NULL,
                fb_arg_int (number)),
    fb_st_to_uop (context, fb_st_from_shape (context, fb_uop_shape (context, node))),
    node,
  };
  FbUop *store = fb_uop_new (context, FB_OP_STORE, FB_DTYPE (VOID), 3, src, FB_ARG_NIL);
  return fb_uop_new (context, FB_OP_SINK, FB_DTYPE (VOID), 1, &store, FB_ARG_NIL);
}

/* A buffer of the probe's plan. */
static gboolean
add_buffer (FbPlan *plan, gsize limit, guint type, gint64 size, GError **error)
{
  FbPlanBuffer buffer = { .base = plan->buffers->len,
                          .type = (guint8) type,
                          .size = size,
                          .ordinal = (int) plan->n_ordinals++,
                          .place = plan->memory };
  if (__builtin_mul_overflow ((gsize) size, (gsize) fb_scalar_size (type), &buffer.bytes)
      || buffer.bytes > limit - MIN (limit, plan->memory))
    {
      g_autofree char *allowed = g_format_size_full (limit, G_FORMAT_SIZE_IEC_UNITS);
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE,
                   "%" G_GINT64_FORMAT " elements of %s: what a probe reads and writes may have %s together", size,
                   fb_scalar_name (type), allowed);
      return FALSE;
    }
  plan->memory += (buffer.bytes + 511) / 256 * 256;
  g_array_append_val (plan->buffers, buffer);
  return TRUE;
}

/* A plan of one step: the probe, over buffers of its own for what it reads. */
static gboolean
plan_probe (FbProbe *probe, const FbSchedule *schedule, const FbPlan *of, gsize limit, GError **error)
{
  const FbPlanStep *step = fb_plan_step (of, probe->kernel);
  guint n = probe->n_args;
  g_autofree gint64 *sizes = g_new (gint64, n + 1);
  FbPlan *plan = probe->plan = g_new0 (FbPlan, 1);
  plan->buffers = g_array_new (FALSE, FALSE, sizeof (FbPlanBuffer));
  plan->steps = g_array_new (FALSE, FALSE, sizeof (FbPlanStep));
  plan->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_program_free);
  for (guint i = 0; i < n; i++)
    sizes[i] = fb_plan_buffer (of, step->buffers[i])->size;
  sizes[n] = probe->size;
  FbProgram *program = fb_program_new (schedule->context, probe_ast (schedule->context, probe->node, n, probe->size),
                                       schedule->var_vals, n + 1, sizes, error);
  if (program == NULL)
    return FALSE;
  g_ptr_array_add (plan->programs, program);
  FbPlanStep own = { .kind = FB_STEP_PROGRAM, .item = step->item, .program = program, .n_buffers = n + 1 };
  own.buffers = g_new0 (guint, n + 1);
  for (guint i = 0; i <= n; i++)
    own.buffers[i] = i;
  g_array_append_val (plan->steps, own);
  for (guint i = 0; i <= n; i++)
    {
      guint type = i < n ? fb_plan_buffer (of, step->buffers[i])->type : probe->type;
      if (i < n)
        {
          probe->buffers[i] = step->buffers[i];
          probe->reads[i] = i < program->args->len && fb_program_arg (program, i)->read;
          if (probe->reads[i] && fb_program_arg (program, i)->type != type)
            {
              fb_refuse (schedule->context, probe->node, FB_BACKEND_ERROR_UNSUPPORTED, error,
                         "a buffer is of another type");
              return FALSE;
            }
        }
      if (!add_buffer (plan, limit, type, i == n || probe->reads[i] ? sizes[i] : 0, error))
        return FALSE;
    }
  return TRUE;
}

FbProbe *
fb_probe_new (const FbSchedule *schedule, const FbPlan *plan, guint kernel, FbUop *node, gsize limit, GError **error)
{
  g_autoptr (FbProbe) probe = g_new0 (FbProbe, 1);
  probe->node = node;
  probe->kernel = kernel;
  probe->type = (guint8) node->dtype->type;
  probe->shape = fb_probe_shape (schedule, node, &probe->n_dims, &probe->size, error);
  probe->n_args = fb_plan_step (plan, kernel)->n_buffers;
  probe->buffers = g_new0 (guint, MAX (probe->n_args, 1));
  probe->reads = g_new0 (gboolean, MAX (probe->n_args, 1));
  if (probe->shape == NULL || !plan_probe (probe, schedule, plan, limit > 0 ? limit : fb_plan_default_limit (), error))
    return NULL;
  return g_steal_pointer (&probe);
}

void
fb_probe_free (FbProbe *probe)
{
  g_clear_pointer (&probe->plan, fb_plan_free);
  g_free (probe->shape);
  g_free (probe->buffers);
  g_free (probe->reads);
  g_free (probe);
}

static gboolean
keep_time (G_GNUC_UNUSED guint step, double seconds, gpointer user)
{
  *(double *) user = seconds;
  return TRUE;
}

FbProbeValue *
fb_probe_run (const FbProbe *probe, const guint8 *const *contents, const FbRunOptions *options,
              GCancellable *cancellable, GError **error)
{
  FbMemory memory;
  FbProbeValue *value = NULL;
  FbRunOptions run = *options;
  double seconds = 0;
  run.after = keep_time;
  run.user = &seconds;
  if (!fb_memory_init (&memory, probe->plan->memory, error))
    return NULL;
  for (guint i = 0; i < probe->n_args; i++)
    if (probe->reads[i])
      memcpy (fb_plan_data (probe->plan, memory.data, i), contents[i], fb_plan_buffer (probe->plan, i)->bytes);
  if (fb_run (probe->plan, &memory, &run, NULL, cancellable, error))
    {
      value = g_new0 (FbProbeValue, 1);
      value->type = probe->type;
      value->n_dims = probe->n_dims;
      value->shape = g_memdup2 (probe->shape, MAX (probe->n_dims, 1) * sizeof *probe->shape);
      value->size = probe->size;
      value->bytes = fb_plan_buffer (probe->plan, probe->n_args)->bytes;
      value->seconds = seconds;
      value->data = g_memdup2 (fb_plan_data (probe->plan, memory.data, probe->n_args), MAX (value->bytes, 1));
    }
  fb_memory_clear (&memory);
  return value;
}

FbProbeValue *
fb_probe_run_memory (const FbProbe *probe, const FbPlan *plan, guint8 *memory, const FbRunOptions *options,
                     GCancellable *cancellable, GError **error)
{
  g_autofree const guint8 **contents = g_new (const guint8 *, MAX (probe->n_args, 1));
  for (guint i = 0; i < probe->n_args; i++)
    contents[i] = fb_plan_data (plan, memory, probe->buffers[i]);
  return fb_probe_run (probe, contents, options, cancellable, error);
}
