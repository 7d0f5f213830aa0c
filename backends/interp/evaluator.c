/* What is kept of a graph, and in which order it is computed. */
#include "evaluator.h"

#include "backends/program/program-private.h"
#include "evaluator-private.h"

/* An array shared by several users is computed again for each of them rather than kept when it is larger than this. */
#define MAX_SHARED ((gsize) 1 << 28)

static void
kept_free (gpointer data)
{
  FbEvalKept *kept = data;
  g_free (kept->owned);
  g_free (kept);
}

FbEvaluator *
fb_evaluator_new (FbContext *context, const GArray *var_vals, const FbEvaluatorLimits *limits)
{
  FbEvaluator *evaluator = g_new0 (FbEvaluator, 1);
  evaluator->context = context;
  evaluator->var_vals = var_vals;
  if (limits != NULL)
    evaluator->limits = *limits;
  if (evaluator->limits.bytes == 0)
    evaluator->limits.bytes = G_MAXSIZE;
  if (evaluator->limits.steps == 0)
    evaluator->limits.steps = G_MAXINT64;
  if (evaluator->limits.threads == 0)
    evaluator->limits.threads = g_get_num_processors ();
  fb_arena_init (&evaluator->arena);
  evaluator->kept = g_hash_table_new_full (NULL, NULL, NULL, kept_free);
  evaluator->dims = g_hash_table_new (NULL, NULL);
  evaluator->arguments = g_array_new (FALSE, TRUE, sizeof (FbEvalArgument));
  return evaluator;
}

void
fb_evaluator_free (FbEvaluator *evaluator)
{
  g_hash_table_unref (evaluator->kept);
  g_hash_table_unref (evaluator->dims);
  g_array_unref (evaluator->arguments);
  fb_arena_clear (&evaluator->arena);
  g_free (evaluator);
}

const FbEvalShape *
fb_eval_shape (FbEvaluator *e, FbUop *uop, GError **error)
{
  FbEvalShape *shape = g_hash_table_lookup (e->dims, uop);
  if (shape != NULL)
    return shape;
  const FbDims *dims = fb_uop_shape (e->context, uop);
  if (dims == NULL)
    {
      g_autoptr (GError) why = NULL;
      fb_context_take_error (e->context, &why);
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_SHAPE, error, "%s", why ? why->message : "it has no shape");
      return NULL;
    }
  gint64 *numbers = fb_arena_alloc (&e->arena, MAX (dims->n, 1) * sizeof *numbers), size = 1;
  for (guint d = 0; d < dims->n; d++)
    {
      if (!fb_eval_sint (e->context, dims->at[d], e->var_vals, &numbers[d], error))
        return NULL;
      if (numbers[d] < 0 || __builtin_mul_overflow (size, numbers[d], &size) || size > G_MAXINT64 / 16)
        {
          fb_refuse (e->context, uop, FB_BACKEND_ERROR_SIZE, error, "no size of 59 bits");
          return NULL;
        }
    }
  shape = fb_arena_alloc (&e->arena, sizeof *shape);
  *shape = (FbEvalShape){ dims->n, numbers, size };
  g_hash_table_insert (e->dims, uop, shape);
  return shape;
}

void
fb_evaluator_set_value (FbEvaluator *e, FbUop *node, guint type, gint64 size, const guint8 *data)
{
  FbEvalKept *kept = g_new0 (FbEvalKept, 1);
  const FbEvalShape *shape = fb_eval_shape (e, node, NULL);
  gint64 *flat = fb_arena_memdup (&e->arena, &size, sizeof size);
  kept->uop = node;
  kept->value = (FbGraphValue){ .type = (guint8) type, .n_dims = 1, .shape = flat, .size = size, .data = data };
  if (shape != NULL && shape->size == size)
    {
      kept->value.n_dims = shape->n;
      kept->value.shape = shape->shape;
    }
  g_hash_table_insert (e->kept, node, kept);
}

void
fb_evaluator_take_value (FbEvaluator *e, FbUop *node, guint type, gint64 size, guint8 *data)
{
  fb_evaluator_set_value (e, node, type, size, data);
  ((FbEvalKept *) g_hash_table_lookup (e->kept, node))->owned = data;
}

gint64
fb_evaluator_max_of_nan (const FbEvaluator *e)
{
  return e->max_of_nan;
}

void
fb_evaluator_set_argument (FbEvaluator *e, guint number, guint type, gint64 size, const guint8 *data)
{
  if (e->arguments->len <= number)
    g_array_set_size (e->arguments, number + 1);
  g_array_index (e->arguments, FbEvalArgument, number)
      = (FbEvalArgument){ .used = TRUE, .value = { .type = (guint8) type, .size = size, .data = data } };
}

/* Takes other elements of memory than its source has: bytes are read anew. */
static gboolean
regroups_bytes (const FbUop *uop)
{
  return (uop->op == FB_OP_BITCAST || uop->op == FB_OP_BUFFER_VIEW) && uop->n_src == 1
         && uop->src[0]->dtype->itemsize != uop->dtype->itemsize;
}

/* The sources of @uop that hold values it is computed from: from .first on. */
static guint
value_sources (const FbUop *uop, guint *first)
{
  *first = 0;
  switch (uop->op)
    {
    case FB_OP_CONST:
    case FB_OP_DEFINE_VAR:
    case FB_OP_BIND:
    case FB_OP_LOAD:
    case FB_OP_VALID:
    case FB_OP_BUFFER:
      return 0;
    case FB_OP_COPY:
    case FB_OP_ASSIGN:
      *first = 1;
      return 2;
    case FB_OP_STORE:
      *first = 2;
      return 3;
    default:
      return uop->n_src;
    }
}

/* What is made of the nodes below a root. */
typedef struct
{
  guint32 users, weight;
  gboolean keep, needed;
} Plan;

static gboolean
must_keep (FbEvaluator *e, FbUop *uop, const Plan *plan)
{
  const FbOpSet cheap = FB_OPS_MOVEMENT | FB_OP_BIT (VIEW) | FB_OP_BIT (CONST) | FB_OP_BIT (DEFINE_VAR)
                        | FB_OP_BIT (BIND) | FB_OP_BIT (LOAD) | FB_OP_BIT (VALID) | FB_OP_BIT (CONTIGUOUS)
                        | FB_OP_BIT (CONTIGUOUS_BACKWARD) | FB_OP_BIT (DETACH) | FB_OP_BIT (COPY) | FB_OP_BIT (ASSIGN)
                        | FB_OP_BIT (DEVICE) | FB_OP_BIT (UNIQUE) | FB_OP_BIT (DEFINE_GLOBAL) | FB_OP_BIT (SINK)
                        | FB_OP_BIT (STORE);
  if (uop->op == FB_OP_REDUCE_AXIS || regroups_bytes (uop))
    return TRUE;
  if (fb_op_in (uop->op, FB_OP_BIT (SINK) | FB_OP_BIT (DEVICE) | FB_OP_BIT (UNIQUE) | FB_OP_BIT (DEFINE_GLOBAL)))
    return FALSE;
  if (plan->weight > FB_EVAL_MAX_WEIGHT / 4 && uop->op != FB_OP_STORE)
    return TRUE;
  if (fb_op_in (uop->op, cheap) || plan->users < 2)
    return FALSE;
  const FbEvalShape *shape = fb_eval_shape (e, uop, NULL);
  return shape == NULL || (gsize) shape->size * fb_scalar_size (uop->dtype->type) <= MAX_SHARED;
}

static Plan *
plan_below (FbEvaluator *e, GPtrArray *nodes, GHashTable *places)
{
  Plan *plans = g_new0 (Plan, nodes->len);
  guint first, end;
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      g_hash_table_insert (places, uop, GUINT_TO_POINTER (i));
      end = value_sources (uop, &first);
      for (guint j = first; j < end; j++)
        plans[GPOINTER_TO_UINT (g_hash_table_lookup (places, uop->src[j]))].users++;
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      plans[i].weight = 1;
      end = value_sources (uop, &first);
      for (guint j = first; j < end; j++)
        {
          const Plan *source = &plans[GPOINTER_TO_UINT (g_hash_table_lookup (places, uop->src[j]))];
          plans[i].weight += source->keep ? 1 : source->weight;
        }
      plans[i].keep = g_hash_table_contains (e->kept, uop) || must_keep (e, uop, &plans[i]);
    }
  /* what lies below something that is known already is not needed */
  plans[nodes->len - 1].needed = TRUE;
  for (guint i = nodes->len; i-- > 0;)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      if (!plans[i].needed || g_hash_table_contains (e->kept, uop))
        continue;
      end = value_sources (uop, &first);
      for (guint j = first; j < end; j++)
        plans[GPOINTER_TO_UINT (g_hash_table_lookup (places, uop->src[j]))].needed = TRUE;
    }
  return plans;
}

/* Memory for the value of @uop; NULL: there is not enough. */
static FbEvalKept *
allocate (FbEvaluator *e, FbUop *uop, const FbEvalShape *shape, GError **error)
{
  guint item = fb_scalar_size (uop->dtype->type);
  gsize bytes = (gsize) shape->size * item;
  if (item == 0 || uop->dtype->count != 1)
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, error, "%s is no type of a value",
                 uop->dtype->short_name);
      return NULL;
    }
  guint8 *data = bytes > e->limits.bytes - MIN (e->bytes, e->limits.bytes) ? NULL : g_try_malloc (MAX (bytes, 1));
  if (data == NULL)
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_SIZE, error, "no memory for %" G_GINT64_FORMAT " elements",
                 shape->size);
      return NULL;
    }
  FbEvalKept *kept = g_new0 (FbEvalKept, 1);
  e->bytes += bytes;
  kept->uop = uop;
  kept->owned = data;
  kept->value = (FbGraphValue){ (guint8) uop->dtype->type, shape->n, shape->shape, shape->size, data };
  return kept;
}

static gboolean
compute (FbEvaluator *e, FbUop *uop, FbEvalKept *kept, GCancellable *cancellable, GError **error)
{
  FbEvalUnit *unit = fb_eval_unit_new (e, uop, error);
  if (unit == NULL)
    return FALSE;
  double effort = (double) unit->size * (double) unit->points * (unit->steps->len + 1);
  gboolean done = FALSE;
  if (unit->size != kept->value.size)
    fb_refuse (e->context, uop, FB_BACKEND_ERROR_SHAPE, error, "its shape is not that of its sources");
  else if (effort > (double) e->limits.steps)
    fb_refuse (e->context, uop, FB_BACKEND_ERROR_SIZE, error, "too much work: %.3g steps", effort);
  else
    done = fb_eval_unit_run (e, unit, kept->owned, cancellable, error);
  fb_eval_unit_free (unit);
  return done;
}

/* Computes and keeps @uop; what it takes is kept. */
static gboolean
keep (FbEvaluator *e, FbUop *uop, GCancellable *cancellable, GError **error)
{
  const FbEvalShape *shape = fb_eval_shape (e, uop, error);
  FbEvalKept *kept = shape == NULL ? NULL : allocate (e, uop, shape, error);
  if (kept == NULL)
    return FALSE;
  gboolean done;
  if (regroups_bytes (uop))
    {
      const FbEvalKept *source = g_hash_table_lookup (e->kept, uop->src[0]);
      gsize bytes = (gsize) kept->value.size * fb_scalar_size (kept->value.type);
      done = source != NULL && bytes <= (gsize) source->value.size * fb_scalar_size (source->value.type);
      if (done)
        memcpy (kept->owned, source->value.data, bytes);
      else
        fb_refuse (e->context, uop, FB_BACKEND_ERROR_SHAPE, error, "it takes more bytes than its source has");
    }
  else
    done = compute (e, uop, kept, cancellable, error);
  if (done)
    g_hash_table_insert (e->kept, uop, kept);
  else
    {
      e->bytes -= (gsize) kept->value.size * fb_scalar_size (kept->value.type);
      kept_free (kept);
    }
  return done;
}

const FbGraphValue *
fb_evaluator_get (FbEvaluator *e, FbUop *node, GCancellable *cancellable, GError **error)
{
  const FbEvalKept *kept = g_hash_table_lookup (e->kept, node);
  if (kept != NULL)
    return &kept->value;
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (e->context, node);
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  g_autofree Plan *plans = plan_below (e, nodes, places);
  plans[nodes->len - 1].keep = TRUE;
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      if (!plans[i].needed || !plans[i].keep || g_hash_table_contains (e->kept, uop))
        continue;
      if (regroups_bytes (uop) && !g_hash_table_contains (e->kept, uop->src[0])
          && !keep (e, uop->src[0], cancellable, error))
        return NULL;
      if (!keep (e, uop, cancellable, error))
        return NULL;
    }
  kept = g_hash_table_lookup (e->kept, node);
  return &kept->value;
}

/* A coordinate of every element of a view, which is what a unit with the view's steps computes. */
static gint64 *
elements_of (FbEvaluator *e, FbUop *uop, gint64 *size, GError **error)
{
  const FbEvalShape *shape = fb_eval_shape (e, uop, error), *from;
  if (shape == NULL)
    return NULL;
  FbEvalUnit *unit = fb_eval_unit_empty (shape);
  FbEvalBuilder b = { .evaluator = e, .unit = unit, .root = uop, .error = error };
  g_autoptr (GHashTable) known = b.known = fb_eval_known_new ();
  guint *coords = fb_arena_alloc (&e->arena, (shape->n + 1) * sizeof *coords);
  for (guint d = 0; d < shape->n; d++)
    coords[d] = d;
  FbEvalPlace place = { .n = shape->n, .coords = coords }, source;
  gint64 *out = NULL;
  if (fb_eval_move (&b, uop, &place, &source)
      && (source.flat || (from = fb_eval_shape (e, uop->src[0], error)) != NULL))
    {
      guint number = source.flat ? source.coords[0] : fb_eval_number (&b, &source, from);
      out = g_try_new (gint64, MAX (shape->size, 1));
      if (out == NULL)
        fb_refuse (e->context, uop, FB_BACKEND_ERROR_SIZE, error, "no memory for its elements");
      else
        fb_eval_unit_list (e, unit, number, source.valid, out);
      *size = shape->size;
    }
  fb_eval_unit_free (unit);
  return out;
}

gint64 *
fb_evaluator_elements (FbEvaluator *e, FbUop *node, gint64 *size, GError **error)
{
  if (node->op == FB_OP_VIEW || (fb_op_in (node->op, FB_OPS_MOVEMENT) && node->n_src == 1))
    return elements_of (e, node, size, error);
  fb_refuse (e->context, node, FB_BACKEND_ERROR_UNSUPPORTED, error, "it moves nothing");
  return NULL;
}

gboolean
fb_evaluator_store (FbEvaluator *e, FbUop *store, guint type, gint64 size, guint8 *data, GCancellable *cancellable,
                    GError **error)
{
  if (store->op != FB_OP_STORE || store->n_src != 3)
    {
      fb_refuse (e->context, store, FB_BACKEND_ERROR_UNSUPPORTED, error, "it stores nothing");
      return FALSE;
    }
  const FbGraphValue *value = fb_evaluator_get (e, store->src[2], cancellable, error);
  gint64 n;
  g_autofree gint64 *at = value == NULL ? NULL : fb_evaluator_elements (e, store->src[1], &n, error);
  if (at == NULL)
    return FALSE;
  if (value->type != type || value->size != n)
    {
      fb_refuse (e->context, store, FB_BACKEND_ERROR_SHAPE, error, "its value and its view differ");
      return FALSE;
    }
  guint item = fb_scalar_size (type);
  for (gint64 i = 0; i < n; i++)
    {
      if (at[i] >= size)
        {
          fb_refuse (e->context, store, FB_BACKEND_ERROR_BOUNDS, error,
                     "element %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, at[i], size);
          return FALSE;
        }
      if (at[i] >= 0)
        memcpy (data + at[i] * item, value->data + i * item, item);
    }
  return TRUE;
}
