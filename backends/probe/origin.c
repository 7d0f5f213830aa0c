#include "origin.h"

#include <math.h>
#include <string.h>

#include "backends/interp/lane.h"

typedef struct
{
  const FbSchedule *schedule;
  const FbPlan *plan;
  FbMemory *memory;
  FbOriginKind kind;
  FbRunOptions options; /* of probes */
  gsize limit;
  guint8 **before; /* of each kernel: what it wrote over, where it also reads that */
  GCancellable *cancellable;
  FbOrigin *origin;
  GError *error;
} Search;

void
fb_origin_clear (FbOrigin *origin)
{
  g_clear_pointer (&origin->shape, g_free);
}

/* How many there are, and the first. */
static gint64
count (FbOriginKind kind, guint type, gint64 n, const guint8 *data, gint64 *first)
{
  gint64 found = 0;
  guint item = fb_scalar_size (type);
  if (!fb_scalar_is_float (type))
    return 0;
  for (gint64 i = 0; i < n; i++)
    {
      double x = fb_lane_read (type, data + (gsize) i * item).f;
      if (kind == FB_ORIGIN_NAN ? isnan (x) : isinf (x))
        {
          if (found++ == 0)
            *first = i;
        }
    }
  return found;
}

static gint64
count_buffer (const Search *s, guint buffer, gint64 *first)
{
  const FbPlanBuffer *b = fb_plan_buffer (s->plan, buffer);
  return count (s->kind, b->type, b->size, fb_plan_data (s->plan, s->memory->data, buffer), first);
}

/* Keeps what the next kernel overwrites and reads. */
static void
save (Search *s, guint kernel)
{
  const FbPlanStep *step = kernel < s->plan->steps->len ? fb_plan_step (s->plan, kernel) : NULL;
  if (step == NULL || step->program == NULL || step->program->args->len == 0
      || !fb_program_arg (step->program, 0)->read)
    return;
  const FbPlanBuffer *buffer = fb_plan_buffer (s->plan, step->buffers[0]);
  s->before[kernel] = g_memdup2 (fb_plan_data (s->plan, s->memory->data, step->buffers[0]), MAX (buffer->bytes, 1));
}

/* What nodes of the kernel hold; made as they are needed. */
static const FbProbeValue *
probe (Search *s, guint kernel, FbUop *node, const guint8 *const *contents, GHashTable *values)
{
  FbProbeValue *value = g_hash_table_lookup (values, node);
  g_autoptr (GError) error = NULL;
  if (value != NULL)
    return value;
  g_autoptr (FbProbe) made = fb_probe_new (s->schedule, s->plan, kernel, node, s->limit, &error);
  value = made == NULL ? NULL : fb_probe_run (made, contents, &s->options, s->cancellable, &error);
  if (value != NULL)
    g_hash_table_insert (values, node, value);
  else if (!g_error_matches (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE))
    g_propagate_error (&s->error, g_steal_pointer (&error));
  return value;
}

static void
set_sources (Search *s, guint kernel, FbUop *node, const guint8 *const *contents, GHashTable *values)
{
  FbOrigin *origin = s->origin;
  if (!fb_op_in (node->op, FB_OPS_ALU | FB_OP_BIT (CAST)))
    return;
  for (guint i = 0; i < MIN (node->n_src, 3) && s->error == NULL; i++)
    {
      const FbProbeValue *value = probe (s, kernel, node->src[i], contents, values);
      if (value == NULL || origin->element >= value->size)
        return;
      FbLane lane = fb_lane_read (value->type, value->data + origin->element * fb_scalar_size (value->type));
      origin->sources[origin->n_sources++] = fb_scalar_is_float (value->type) ? lane.f : (double) lane.i;
    }
}

/* Does a source of @node hold one already? */
static gboolean
inherited (Search *s, guint kernel, FbUop *node, const guint8 *const *contents, GHashTable *values)
{
  gint64 first;
  if (node->op == FB_OP_CONST || node->op == FB_OP_LOAD)
    return TRUE;
  for (guint i = 0; i < node->n_src; i++)
    if (fb_probe_has_value (node->src[i]))
      {
        const FbProbeValue *value = probe (s, kernel, node->src[i], contents, values);
        if (value != NULL && count (s->kind, value->type, value->size, value->data, &first) > 0)
          return TRUE;
      }
  return FALSE;
}

/* TRUE: an origin was found in the kernel. */
static gboolean
look_inside (Search *s, guint kernel)
{
  const FbPlanStep *step = fb_plan_step (s->plan, kernel);
  g_autoptr (GPtrArray) nodes = fb_probe_nodes (s->schedule, kernel);
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) fb_probe_value_free);
  g_autofree const guint8 **contents = g_new (const guint8 *, step->n_buffers);
  FbOrigin *origin = s->origin;
  for (guint i = 0; i < step->n_buffers; i++)
    contents[i] = fb_plan_data (s->plan, s->memory->data, step->buffers[i]);
  if (s->before[kernel] != NULL)
    contents[0] = s->before[kernel];
  for (guint i = 0; i < nodes->len && s->error == NULL; i++)
    {
      FbUop *node = g_ptr_array_index (nodes, i);
      gint64 first = 0, n;
      if (!fb_scalar_is_float (node->dtype->type))
        continue;
      const FbProbeValue *value = probe (s, kernel, node, contents, values);
      if (value == NULL)
        {
          origin->n_skipped++;
          continue;
        }
      if ((n = count (s->kind, value->type, value->size, value->data, &first)) == 0
          || inherited (s, kernel, node, contents, values))
        continue;
      origin->place = FB_ORIGIN_NODE;
      origin->kernel = kernel;
      origin->node = node;
      origin->element = first;
      origin->count = n;
      origin->n_dims = value->n_dims;
      origin->shape = g_memdup2 (value->shape, MAX (value->n_dims, 1) * sizeof *value->shape);
      origin->value = fb_lane_read (value->type, value->data + first * fb_scalar_size (value->type)).f;
      set_sources (s, kernel, node, contents, values);
      return s->error == NULL;
    }
  return FALSE;
}

static gboolean
after_kernel (guint kernel, G_GNUC_UNUSED double seconds, gpointer user)
{
  Search *s = user;
  const FbPlanStep *step = fb_plan_step (s->plan, kernel);
  gint64 first = 0, n = step->kind == FB_STEP_PROGRAM ? count_buffer (s, step->buffers[0], &first) : 0;
  gboolean found = n > 0 && look_inside (s, kernel);
  if (n > 0 && !found && s->kind == FB_ORIGIN_NAN)
    {
      s->origin->place = FB_ORIGIN_KERNEL;
      s->origin->kernel = kernel;
      s->origin->buffer = step->buffers[0];
      s->origin->element = first;
      s->origin->count = n;
      s->origin->value = NAN;
      found = TRUE;
    }
  g_clear_pointer (&s->before[kernel], g_free);
  save (s, kernel + 1);
  return !found && s->error == NULL;
}

/* An input that holds one is where it comes from. */
static gboolean
look_at_inputs (Search *s)
{
  for (guint i = 0; i < s->plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (s->plan, i);
      gint64 first = 0, n = buffer->starts_as_output ? 0 : count_buffer (s, i, &first);
      if (n == 0)
        continue;
      s->origin->place = FB_ORIGIN_INPUT;
      s->origin->buffer = i;
      s->origin->element = first;
      s->origin->count = n;
      s->origin->value = s->kind == FB_ORIGIN_NAN ? NAN : INFINITY;
      return TRUE;
    }
  return FALSE;
}

gboolean
fb_find_origin (const FbSchedule *schedule, const FbPlan *plan, FbMemory *memory, FbOriginKind kind,
                const FbRunOptions *options, gsize limit, FbOrigin *origin, GCancellable *cancellable, GError **error)
{
  Search s = { .schedule = schedule,
               .plan = plan,
               .memory = memory,
               .kind = kind,
               .options = *options,
               .limit = limit,
               .before = g_new0 (guint8 *, plan->steps->len + 1),
               .cancellable = cancellable,
               .origin = origin };
  FbRunOptions run = *options;
  gboolean done = TRUE;
  *origin = (FbOrigin){ 0 };
  run.after = after_kernel;
  run.user = &s;
  if (!look_at_inputs (&s))
    {
      save (&s, 0);
      done = fb_run (plan, memory, &run, NULL, cancellable, error);
    }
  for (guint i = 0; i < plan->steps->len; i++)
    g_free (s.before[i]);
  g_free (s.before);
  if (done && s.error != NULL)
    {
      g_propagate_error (error, s.error);
      return FALSE;
    }
  g_clear_error (&s.error);
  return done;
}
