#include "plan.h"

#include <string.h>

#include "core/ir/text.h"

/* Buffers begin on pages of their own lines, so that a vector load never straddles two of them. */
#define ALIGNMENT 256

typedef struct
{
  FbPlan *plan;
  const FbSchedule *schedule;
  gsize limit;
  GHashTable *places;   /* FbUop of a buffer -> its place + 1 */
  GHashTable *programs; /* AST -> its place + 1 */
} Builder;

gsize
fb_plan_default_limit (void)
{
  g_autofree char *text = NULL;
  const char *line;
  if (g_file_get_contents ("/proc/meminfo", &text, NULL, NULL) && (line = strstr (text, "MemAvailable:")) != NULL)
    return (gsize) g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10) * 1024 / 4 * 3;
  return (gsize) 1 << 32;
}

static gboolean
too_large (const FbKernelBuffer *buffer, gsize limit, GError **error)
{
  g_autofree char *allowed = g_format_size_full (limit, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE,
               "a buffer of %" G_GINT64_FORMAT " elements of %s: all buffers together may have %s", buffer->size,
               buffer->dtype->short_name, allowed);
  return FALSE;
}

/* Memory for a base buffer, counted. */
static gboolean
reserve (Builder *b, FbPlanBuffer *buffer, const FbKernelBuffer *wanted, GError **error)
{
  gsize end;
  buffer->place = b->plan->memory;
  if (__builtin_add_overflow (buffer->place, buffer->bytes, &end)
      || __builtin_add_overflow (end, (gsize) (2 * ALIGNMENT - 1), &end))
    return too_large (wanted, b->limit, error);
  end = end / ALIGNMENT * ALIGNMENT;
  if (end > b->limit)
    return too_large (wanted, b->limit, error);
  b->plan->memory = end;
  return TRUE;
}

/* Registers a buffer as it first appears. @base: the place of what it is a view of, -1: it has memory of its own. */
static gboolean
add_buffer (Builder *b, const FbKernelBuffer *used, gboolean is_output, int base, gint64 offset, GError **error)
{
  FbPlanBuffer buffer = {
    .buffer = used->buffer,
    .device = used->device,
    .base = b->plan->buffers->len,
    .type = (guint8) used->dtype->type,
    .size = used->size,
  };
  gsize item = fb_scalar_size (buffer.type);
  if (item == 0 || used->dtype->count != 1)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED, "a buffer of %s", used->dtype->short_name);
      return FALSE;
    }
  if (used->size < 0 || __builtin_mul_overflow ((gsize) used->size, item, &buffer.bytes))
    return too_large (used, b->limit, error);
  if (base >= 0)
    {
      const FbPlanBuffer *in = fb_plan_buffer (b->plan, base);
      gint64 end;
      if (offset < 0 || __builtin_add_overflow (offset, (gint64) buffer.bytes, &end) || (gsize) end > in->bytes)
        {
          g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_BOUNDS,
                       "a view of %" G_GSIZE_FORMAT " bytes from byte %" G_GINT64_FORMAT
                       " of a buffer of %" G_GSIZE_FORMAT,
                       buffer.bytes, offset, in->bytes);
          return FALSE;
        }
      buffer.base = in->base;
      buffer.offset = in->offset + offset;
      buffer.ordinal = in->ordinal;
      buffer.starts_as_output = in->starts_as_output;
    }
  else
    {
      buffer.ordinal = (int) b->plan->n_ordinals++;
      buffer.starts_as_output = is_output;
      if (!reserve (b, &buffer, used, error))
        return FALSE;
    }
  g_array_append_val (b->plan->buffers, buffer);
  g_hash_table_insert (b->places, used->buffer, GUINT_TO_POINTER (b->plan->buffers->len));
  return TRUE;
}

/* Place of a buffer, registered when it is new; -1: refused. */
static int
find_buffer (Builder *b, const FbKernelBuffer *used, gboolean is_output, GError **error)
{
  gpointer known = g_hash_table_lookup (b->places, used->buffer);
  if (known == NULL && !add_buffer (b, used, is_output, -1, 0, error))
    return -1;
  return GPOINTER_TO_INT (g_hash_table_lookup (b->places, used->buffer)) - 1;
}

/* Bytes from the start of the viewed buffer (schedule.py:360). */
static gboolean
view_offset (Builder *b, FbUop *ast, gint64 *offset, GError **error)
{
  FbUop *source = ast->n_src > 0 ? ast->src[0] : NULL;
  const FbShapeTracker *st = source == NULL ? NULL : fb_uop_st (b->schedule->context, source);
  gint64 elements;
  if (st != NULL && st->n > 0 && fb_sint_is_int (st->views[0]->offset))
    {
      elements = fb_sint_int (st->views[0]->offset);
      if (!__builtin_mul_overflow (elements, (gint64) fb_scalar_size (source->dtype->type), offset))
        return TRUE;
    }
  g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED, "a view of a buffer without an offset");
  return FALSE;
}

/* May the step's program run on its buffers? */
static gboolean
fits (const FbPlan *plan, const FbPlanStep *step)
{
  const GArray *args = step->program->args;
  for (guint i = 0; i < args->len; i++)
    {
      const FbProgramArg *arg = &g_array_index (args, FbProgramArg, i);
      if (!arg->used)
        continue;
      const FbPlanBuffer *buffer = i < step->n_buffers ? fb_plan_buffer (plan, step->buffers[i]) : NULL;
      if (buffer == NULL || buffer->type != arg->type || buffer->size < arg->size)
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_program (Builder *b, FbPlanStep *step, GError **error)
{
  const FbSchedule *schedule = b->schedule;
  gpointer known = g_hash_table_lookup (b->programs, step->item->ast);
  step->program = known == NULL ? NULL : g_ptr_array_index (b->plan->programs, GPOINTER_TO_UINT (known) - 1);
  if (known == NULL || !fits (b->plan, step))
    {
      g_autofree gint64 *sizes = g_new (gint64, step->n_buffers);
      for (guint i = 0; i < step->n_buffers; i++)
        sizes[i] = fb_plan_buffer (b->plan, step->buffers[i])->size;
      FbProgram *program
          = fb_program_new (schedule->context, step->item->ast, schedule->var_vals, step->n_buffers, sizes, error);
      if (program == NULL)
        return FALSE;
      g_ptr_array_add (b->plan->programs, program);
      known = GUINT_TO_POINTER (b->plan->programs->len);
      g_hash_table_insert (b->programs, step->item->ast, known);
    }
  step->program_number = GPOINTER_TO_UINT (known) - 1;
  step->program = g_ptr_array_index (b->plan->programs, step->program_number);
  if (fits (b->plan, step))
    return TRUE;
  g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED, "its buffers are of other types");
  return FALSE;
}

static gboolean
is_written (const FbKernelItem *item, guint number)
{
  if (item->ast->op != FB_OP_SINK)
    return number == 0;
  for (guint i = 0; i < item->ast->n_src; i++)
    {
      const FbUop *store = item->ast->src[i];
      if (store->op == FB_OP_STORE && store->n_src > 0 && store->src[0]->arg.kind == FB_ARG_INT
          && store->src[0]->arg.i == number)
        return TRUE;
    }
  return FALSE;
}

static gboolean
add_step (Builder *b, const FbKernelItem *item, GError **error)
{
  FbPlanStep step = { .item = item, .n_buffers = item->n_buffers };
  FbPlan *plan = b->plan;
  FbOp op = item->ast->op;
  step.kind = op == FB_OP_SINK ? FB_STEP_PROGRAM : op == FB_OP_COPY ? FB_STEP_COPY : FB_STEP_VIEW;
  step.buffers = g_new0 (guint, MAX (step.n_buffers, 1));
  g_array_append_val (plan->steps, step);
  if ((op != FB_OP_SINK && op != FB_OP_COPY && op != FB_OP_BUFFER_VIEW)
      || step.n_buffers < (op == FB_OP_SINK ? 1u : 2u))
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED, "%s of %u buffers is no kernel",
                   fb_op_name (op), step.n_buffers);
      return FALSE;
    }
  const FbKernelBuffer *used = item->buffers;
  if (op == FB_OP_BUFFER_VIEW)
    {
      gint64 offset;
      int base = find_buffer (b, &used[1], TRUE, error);
      if (base < 0 || !view_offset (b, item->ast, &offset, error))
        return FALSE;
      if (!g_hash_table_contains (b->places, used[0].buffer) && !add_buffer (b, &used[0], TRUE, base, offset, error))
        return FALSE;
    }
  for (guint i = 0; i < step.n_buffers; i++)
    {
      int place = find_buffer (b, &used[i], is_written (item, i), error);
      if (place < 0)
        return FALSE;
      step.buffers[i] = (guint) place;
    }
  FbPlanStep *kept = fb_plan_step (plan, plan->steps->len - 1);
  if (op == FB_OP_SINK)
    return add_program (b, kept, error);
  if (op == FB_OP_COPY)
    {
      const FbPlanBuffer *to = fb_plan_buffer (plan, step.buffers[0]), *from = fb_plan_buffer (plan, step.buffers[1]);
      if (to->bytes == from->bytes)
        return TRUE;
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SHAPE,
                   "a copy from %" G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT " bytes", from->bytes, to->bytes);
      return FALSE;
    }
  return TRUE;
}

FbPlan *
fb_plan_new (const FbSchedule *schedule, gsize memory_limit, GError **error)
{
  FbPlan *plan = g_new0 (FbPlan, 1);
  plan->buffers = g_array_new (FALSE, FALSE, sizeof (FbPlanBuffer));
  plan->steps = g_array_new (FALSE, FALSE, sizeof (FbPlanStep));
  plan->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_program_free);
  Builder b = {
    .plan = plan,
    .schedule = schedule,
    .limit = memory_limit,
    .places = g_hash_table_new (NULL, NULL),
    .programs = g_hash_table_new (NULL, NULL),
  };
  gboolean done = TRUE;
  for (guint i = 0; done && i < schedule->kernels->len; i++)
    if (!add_step (&b, fb_schedule_kernel (schedule, i), error))
      {
        g_prefix_error (error, "kernel %u: ", i + 1);
        done = FALSE;
      }
  g_hash_table_unref (b.places);
  g_hash_table_unref (b.programs);
  if (!done)
    g_clear_pointer (&plan, fb_plan_free);
  return plan;
}

void
fb_plan_free (FbPlan *plan)
{
  for (guint i = 0; i < plan->steps->len; i++)
    g_free (fb_plan_step (plan, i)->buffers);
  g_array_unref (plan->buffers);
  g_array_unref (plan->steps);
  g_ptr_array_unref (plan->programs);
  g_free (plan);
}

guint8 *
fb_plan_data (const FbPlan *plan, guint8 *memory, guint i)
{
  const FbPlanBuffer *buffer = fb_plan_buffer (plan, i);
  return memory + fb_plan_buffer (plan, buffer->base)->place + buffer->offset;
}
