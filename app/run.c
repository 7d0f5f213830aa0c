#include "app/run.h"

#include <string.h>

#include "app/cli/count.h"
#include "core/ir/text.h"

FbRun *
fb_run_ref (FbRun *run)
{
  g_atomic_ref_count_inc (&run->refs);
  return run;
}

void
fb_run_unref (FbRun *run)
{
  if (!g_atomic_ref_count_dec (&run->refs))
    return;
  for (guint i = 0; i < run->n_buffers; i++)
    {
      g_free (run->buffers[i].name);
      g_free (run->buffers[i].text);
    }
  g_free (run->buffers);
  g_free (run->scenario);
  g_clear_error (&run->error);
  g_clear_pointer (&run->plan, fb_plan_free);
  g_clear_pointer (&run->row, fb_row_view_unref);
  g_clear_pointer (&run->record, fb_record_unref);
  g_free (run);
}

/* --- shapes --- */

/* What an unmasked view of a whole buffer says about its shape: its axes, the widest strides first, when they cover the buffer once. */
static gboolean
shape_of_view (const FbShapeTracker *st, gint64 size, guint *n_dims, gint64 shape[FB_SLICE_DIMS])
{
  gint64 extents[FB_SLICE_DIMS], strides[FB_SLICE_DIMS], next = 1;
  guint n = 0;
  if (!st || st->n != 1 || !st->views[0]->all_int || st->views[0]->mask || fb_sint_int (st->views[0]->offset) != 0)
    return FALSE;
  const FbView *view = st->views[0];
  for (guint i = 0; i < view->shape->n; i++)
    {
      gint64 extent = fb_sint_int (view->shape->at[i]), stride = fb_sint_int (view->strides->at[i]);
      if (extent == 1 || stride == 0)
        continue;
      if (n == FB_SLICE_DIMS || stride < 0)
        return FALSE;
      guint at = n++;
      for (; at > 0 && strides[at - 1] < stride; at--)
        {
          extents[at] = extents[at - 1];
          strides[at] = strides[at - 1];
        }
      extents[at] = extent;
      strides[at] = stride;
    }
  for (guint i = n; i-- > 0;)
    {
      if (strides[i] != next || __builtin_mul_overflow (next, extents[i], &next))
        return FALSE;
    }
  if (n == 0 || next != size)
    return FALSE;
  memcpy (shape, extents, n * sizeof *shape);
  *n_dims = n;
  return TRUE;
}

/* Buffers are flat; what kernels do with them says what they are. The one with the most axes is believed, stores before loads. */
static void
find_shapes (FbRun *run, FbContext *context)
{
  for (FbOp op = FB_OP_STORE;; op = FB_OP_LOAD)
    {
      for (guint k = 0; k < run->plan->steps->len; k++)
        {
          const FbPlanStep *step = fb_plan_step (run->plan, k);
          for (guint i = 0; step->kind == FB_STEP_PROGRAM && i < step->program->insts->len; i++)
            {
              const FbInst *inst = fb_program_inst (step->program, i);
              guint n;
              gint64 shape[FB_SLICE_DIMS];
              if (inst->op != op || inst->arg < 0 || !inst->uop || inst->uop->n_src < 2)
                continue;
              guint number = step->buffers[inst->arg];
              FbRunBuffer *buffer = &run->buffers[number];
              if (shape_of_view (fb_uop_st (context, inst->uop->src[1]), fb_plan_buffer (run->plan, number)->size, &n,
                                 shape)
                  && n > buffer->n_dims)
                {
                  memcpy (buffer->shape, shape, sizeof shape);
                  buffer->n_dims = n;
                }
            }
        }
      if (op == FB_OP_LOAD)
        break;
    }
}

/* --- making --- */

static guint64
key_of (FbContext *context, FbUop *uop)
{
  const guint8 *key = fb_uop_key (context, uop);
  guint64 first = 0;
  for (guint i = 0; i < 8; i++)
    first = first << 8 | key[i];
  return first;
}

char *
fb_run_buffer_name (const FbUop *buffer, int ordinal)
{
  for (guint i = 0; i < buffer->n_src; i++)
    if (buffer->src[i]->op == FB_OP_UNIQUE && buffer->src[i]->arg.kind == FB_ARG_INT)
      return g_strdup_printf ("#%" G_GINT64_FORMAT, buffer->src[i]->arg.i);
  return g_strdup_printf ("b%d", ordinal);
}

static void
describe_buffers (FbRun *run, FbContext *context)
{
  g_autoptr (GPtrArray) captured = fb_uop_toposort (context, run->row->row->sink);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < captured->len; i++)
    g_hash_table_add (known, g_ptr_array_index (captured, i));
  run->n_buffers = run->plan->buffers->len;
  run->buffers = g_new0 (FbRunBuffer, MAX (run->n_buffers, 1));
  find_shapes (run, context);
  for (guint i = 0; i < run->n_buffers; i++)
    {
      const FbPlanBuffer *from = fb_plan_buffer (run->plan, i);
      FbRunBuffer *buffer = &run->buffers[i];
      buffer->name = fb_run_buffer_name (from->buffer, from->ordinal);
      buffer->key = key_of (context, from->buffer);
      buffer->captured = g_hash_table_contains (known, from->buffer);
      buffer->type = fb_scalar_name (from->type);
      if (buffer->n_dims == 0)
        {
          buffer->n_dims = 1;
          buffer->shape[0] = from->size;
        }
      g_autofree char *shape = fb_shape_text (buffer->n_dims, buffer->shape);
      buffer->text = g_strdup_printf ("%s %s", buffer->type, shape);
    }
}

/* Buffers that the scheduler made have other numbers in other scenarios; the node that is stored there is the same. */
static void
find_places (FbRun *run)
{
  const FbRowWhy *why = run->row->why;
  for (guint k = 0; why && k < why->n_kernels && k < run->plan->steps->len; k++)
    {
      const FbPlanStep *step = fb_plan_step (run->plan, k);
      if (why->kernels[k].stored && step->n_buffers > 0)
        run->buffers[step->buffers[0]].place = fb_why_place (why->why, why->kernels[k].stored) + 1;
    }
}

FbRun *
fb_run_new (FbRowView *row, FbBackend backend, gsize memory_limit, GError **error)
{
  FbPlan *plan = fb_plan_new (row->schedule, memory_limit, error);
  if (!plan)
    return NULL;
  FbRun *run = g_new0 (FbRun, 1);
  g_atomic_ref_count_init (&run->refs);
  run->row = fb_row_view_ref (row);
  run->plan = plan;
  run->scenario = g_strdup (row->scenario_text);
  run->asked = run->backend = backend;
  run->seed = 1;
  run->n_kernels = plan->steps->len;
  describe_buffers (run, row->context);
  find_places (run);
  return run;
}

/* --- looking --- */

static gboolean
same_buffer (const FbRunBuffer *a, const FbRunBuffer *b, gboolean same_schedule)
{
  if (same_schedule || (a->captured && b->captured))
    return a->key == b->key;
  return !a->captured && !b->captured && a->place && a->place == b->place;
}

guint
fb_run_find_buffer (const FbRun *run, const FbRun *other, guint buffer)
{
  if (buffer >= other->n_buffers)
    return G_MAXUINT;
  gboolean same_schedule = !g_strcmp0 (run->scenario, other->scenario);
  const FbRecordBuffer *wanted = fb_record_buffer (other->record, buffer);
  for (guint i = 0; i < run->n_buffers; i++)
    {
      const FbRecordBuffer *found = fb_record_buffer (run->record, i);
      if (same_buffer (&run->buffers[i], &other->buffers[buffer], same_schedule) && found->size == wanted->size
          && found->type == wanted->type)
        return i;
    }
  return G_MAXUINT;
}

char *
fb_run_time_text (double seconds)
{
  double us = seconds * 1e6;
  gint64 whole = (gint64) us;
  return g_strdup_printf ("%s.%d", fb_count (whole), (int) ((us - (double) whole) * 10));
}
