#include "unfused.h"

#include <string.h>

#include "backends/program/program-private.h"
#include "verify-private.h"

typedef struct
{
  FbUop *node, *graph;
  gint64 *elements; /* owned */
} Pair;

typedef struct
{
  const FbSchedule *schedule;
  FbEvaluator *evaluator; /* for shapes and views; it computes nothing */
  GHashTable *realized;   /* nodes of the simplified graph that have buffers */
  GHashTable *views;      /* node -> its elements in its source */
  GHashTable *found;      /* FbUop node -> GPtrArray of what it stands for */
  GArray *queue;          /* of Pair */
  GArray *out;            /* of FbUnfused */
  gint64 most;
  GError **error;
} Walk;

FbUop *
fb_unfused_stored (const FbSchedule *schedule, guint kernel)
{
  return fb_schedule_kernel (schedule, kernel)->assign->src[1]->arg.kernel->ast;
}

static gint64 *
shape_of (Walk *w, FbUop *uop, guint *n, gint64 *size)
{
  const FbDims *dims = fb_uop_shape (w->schedule->context, uop);
  g_autofree gint64 *shape = NULL;
  if (dims == NULL)
    {
      fb_context_take_error (w->schedule->context, NULL);
      fb_refuse (w->schedule->context, uop, FB_BACKEND_ERROR_SHAPE, w->error, "it has no shape");
      return NULL;
    }
  shape = g_new (gint64, MAX (dims->n, 1));
  *n = dims->n;
  *size = 1;
  for (guint d = 0; d < dims->n; d++)
    {
      if (!fb_eval_sint (w->schedule->context, dims->at[d], w->schedule->var_vals, &shape[d], w->error))
        return NULL;
      if (__builtin_mul_overflow (*size, shape[d], size))
        {
          fb_refuse (w->schedule->context, uop, FB_BACKEND_ERROR_SIZE, w->error, "it is too large");
          return NULL;
        }
    }
  return g_steal_pointer (&shape);
}

/* Elements of @view in its source, kept; NULL: an error. */
static const gint64 *
view_elements (Walk *w, FbUop *view)
{
  gint64 size, *known = g_hash_table_lookup (w->views, view);
  if (known == NULL)
    {
      known = fb_evaluator_elements (w->evaluator, view, &size, w->error);
      if (known != NULL)
        g_hash_table_insert (w->views, view, known);
    }
  return known;
}

static gboolean
is_view (const FbUop *uop)
{
  return (uop->op == FB_OP_VIEW || fb_op_in (uop->op, FB_OPS_MOVEMENT)) && uop->n_src == 1;
}

/* Down through views, with @elements going along. FALSE: an error. */
static gboolean
skip_views (Walk *w, FbUop **graph, gint64 n, gint64 *elements)
{
  while (is_view (*graph) && !g_hash_table_contains (w->realized, *graph))
    {
      const gint64 *through = view_elements (w, *graph);
      if (through == NULL)
        return FALSE;
      for (gint64 i = 0; i < n; i++)
        elements[i] = elements[i] < 0 ? -1 : through[elements[i]];
      *graph = (*graph)->src[0];
    }
  return TRUE;
}

/* The same pair was met before; kernels share nodes, and so do graphs. */
static gboolean
met (Walk *w, FbUop *node, FbUop *graph)
{
  GPtrArray *known = g_hash_table_lookup (w->found, node);
  if (known == NULL)
    {
      known = g_ptr_array_new ();
      g_hash_table_insert (w->found, node, known);
    }
  if (g_ptr_array_find (known, graph, NULL))
    return TRUE;
  g_ptr_array_add (known, graph);
  return FALSE;
}

/* Owns @elements. */
static void
add_pair (Walk *w, FbUop *node, FbUop *graph, gint64 *elements)
{
  Pair pair = { node, graph, elements };
  g_array_append_val (w->queue, pair);
}

/* A reduce's axes: sizes in the order in which they are named, and strides in its source. */
typedef struct
{
  guint n, n_dims;
  gint64 *shape, size; /* of its source */
  gint64 sizes[64], strides[64], points;
  guint8 reduced[64];
} Axes;

static gboolean
axes_of (Walk *w, FbUop *reduce, Axes *axes)
{
  const FbDims *named = fb_uop_axes (w->schedule->context, reduce);
  *axes = (Axes){ .points = 1 };
  axes->shape = shape_of (w, reduce->src[0], &axes->n_dims, &axes->size);
  if (axes->shape == NULL)
    return FALSE;
  if (named == NULL || named->n > 64 || axes->n_dims > 64)
    {
      fb_refuse (w->schedule->context, reduce, FB_BACKEND_ERROR_SIZE, w->error, "it has more than 64 axes");
      g_clear_pointer (&axes->shape, g_free);
      return FALSE;
    }
  axes->n = named->n;
  for (guint i = 0; i < named->n; i++)
    {
      guint d = (guint) fb_sint_int (named->at[i]);
      axes->sizes[i] = axes->shape[d];
      axes->strides[i] = 1;
      for (guint k = d + 1; k < axes->n_dims; k++)
        axes->strides[i] *= axes->shape[k];
      axes->reduced[d] = TRUE;
      axes->points *= axes->shape[d];
    }
  return TRUE;
}

/* Element of the source of a reduce: the first that is reduced to element @i, plus the @point-th of them. */
static gint64
element_below (const Axes *axes, gint64 i, gint64 point)
{
  gint64 below = 1, at = 0;
  for (guint d = axes->n_dims; d-- > 0;)
    {
      if (!axes->reduced[d])
        {
          at += i % axes->shape[d] * below;
          i /= axes->shape[d];
        }
      below *= axes->shape[d];
    }
  for (guint k = axes->n; k-- > 0;)
    {
      at += point % axes->sizes[k] * axes->strides[k];
      point /= axes->sizes[k];
    }
  return at;
}

/* What reduce @node reduces and what @graph does. Where passes merged a reduce of a reduce, the points of the merged one are
 * those of the outer times those of the inner. */
static gboolean
pair_reduces (Walk *w, FbUop *node, FbUop *graph, gint64 size, const gint64 *elements)
{
  Axes inside;
  gboolean done = TRUE;
  if (!axes_of (w, node, &inside))
    return FALSE;
  gint64 n = inside.size, rest = inside.points;
  if (n == 0 || n > w->most || size * inside.points != n)
    {
      g_free (inside.shape);
      return TRUE;
    }
  g_autofree gint64 *map = g_new (gint64, n);
  /* place in @map of a point of an element is its element of the kernel's source; first by element and point */
  g_autofree gint64 *here = g_new (gint64, n);
  for (gint64 i = 0; i < size; i++)
    for (gint64 p = 0; p < rest; p++)
      here[i * rest + p] = elements[i];
  gint64 points = rest;
  while (done && points > 1 && graph->op == FB_OP_REDUCE_AXIS && fb_uop_reduce_op (graph) == fb_uop_reduce_op (node))
    {
      Axes outside;
      if (!(done = axes_of (w, graph, &outside)))
        break;
      gboolean fits = outside.points > 0 && points % outside.points == 0;
      if (fits)
        {
          points /= outside.points;
          for (gint64 i = 0; i < n; i++)
            here[i] = here[i] < 0 ? -1 : element_below (&outside, here[i], i % rest / points % outside.points);
          graph = graph->src[0];
        }
      g_free (outside.shape);
      if (!fits)
        break;
      if (points > 1)
        done = skip_views (w, &graph, n, here);
    }
  if (done && points == 1)
    {
      for (gint64 i = 0; i < size; i++)
        for (gint64 p = 0; p < rest; p++)
          map[element_below (&inside, i, p)] = here[i * rest + p];
      add_pair (w, node->src[0], graph, g_steal_pointer (&map));
    }
  g_free (inside.shape);
  return done;
}

/* Notes that @pair belongs together, and queues what is below. */
static gboolean
meet (Walk *w, Pair *pair)
{
  guint n_dims;
  gint64 size;
  FbUop *node = pair->node, *graph = pair->graph;
  g_autofree gint64 *shape = shape_of (w, node, &n_dims, &size), *elements = g_steal_pointer (&pair->elements);
  if (shape == NULL || !skip_views (w, &graph, size, elements))
    return FALSE;
  const FbOpSet passes = FB_OP_BIT (CONTIGUOUS) | FB_OP_BIT (CONTIGUOUS_BACKWARD) | FB_OP_BIT (DETACH);
  while (fb_op_in (graph->op, passes) && graph->n_src == 1 && !g_hash_table_contains (w->realized, graph))
    {
      graph = graph->src[0];
      if (!skip_views (w, &graph, size, elements))
        return FALSE;
    }
  if (met (w, node, graph))
    return TRUE;
  gboolean elementwise = fb_op_in (node->op, FB_OPS_ALU | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST)), done = TRUE;
  if (!g_hash_table_contains (w->realized, graph) && node->op == graph->op && node->n_src == graph->n_src)
    {
      if (elementwise)
        for (guint i = 0; i < node->n_src; i++)
          add_pair (w, node->src[i], graph->src[i], g_memdup2 (elements, (gsize) MAX (size, 1) * sizeof *elements));
      else if (node->op == FB_OP_REDUCE_AXIS && fb_uop_reduce_op (node) == fb_uop_reduce_op (graph))
        done = pair_reduces (w, node, graph, size, elements);
    }
  FbUnfused found = { node, graph, size, g_steal_pointer (&elements) };
  g_array_append_val (w->out, found);
  return done;
}

gint64 *
fb_unfused_target (FbEvaluator *evaluator, FbUop *target, gint64 *n, GError **error)
{
  g_autofree gint64 *elements = NULL;
  while (target->op == FB_OP_ASSIGN || is_view (target) || (target->op == FB_OP_LOAD && target->n_src >= 2))
    {
      FbUop *view = target->op == FB_OP_LOAD ? target->src[1] : target;
      gint64 size;
      gboolean last = target->op == FB_OP_LOAD;
      target = target->src[0];
      if (view->op == FB_OP_ASSIGN)
        continue;
      gint64 *through = fb_evaluator_elements (evaluator, view, &size, error);
      if (through == NULL)
        return NULL;
      if (elements == NULL)
        {
          elements = through;
          *n = size;
        }
      else
        {
          for (gint64 i = 0; i < *n; i++)
            elements[i] = elements[i] < 0 ? -1 : through[elements[i]];
          g_free (through);
        }
      if (last)
        break;
    }
  return g_steal_pointer (&elements);
}

/* The stored value and what it is in the graph. */
static gboolean
start (Walk *w, guint kernel)
{
  const FbKernelItem *item = fb_schedule_kernel (w->schedule, kernel);
  FbUop *store = item->ast->op == FB_OP_SINK ? item->ast->src[0] : item->ast,
        *graph = fb_unfused_stored (w->schedule, kernel);
  gint64 n, n_written;
  if (store->op != FB_OP_STORE || store->n_src != 3)
    {
      fb_refuse (w->schedule->context, store, FB_BACKEND_ERROR_UNSUPPORTED, w->error, "it stores no computed value");
      return FALSE;
    }
  g_autofree gint64 *elements = fb_evaluator_elements (w->evaluator, store->src[1], &n, w->error);
  if (elements == NULL)
    return FALSE;
  g_hash_table_remove (w->realized, graph);
  if (graph->op == FB_OP_ASSIGN)
    {
      g_autoptr (GError) failed = NULL;
      g_autofree gint64 *written = fb_unfused_target (w->evaluator, graph->src[0], &n_written, &failed);
      if (failed != NULL)
        {
          g_propagate_error (w->error, g_steal_pointer (&failed));
          return FALSE;
        }
      if (written != NULL)
        {
          g_autoptr (GHashTable) back = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);
          for (gint64 i = 0; i < n_written; i++)
            g_hash_table_insert (back, &written[i], &written[i]);
          for (gint64 i = 0; i < n; i++)
            {
              const gint64 *at = elements[i] < 0 ? NULL : g_hash_table_lookup (back, &elements[i]);
              elements[i] = at == NULL ? -1 : at - written;
            }
        }
      graph = graph->src[1];
    }
  add_pair (w, store->src[2], graph, g_steal_pointer (&elements));
  return TRUE;
}

static void
clear_unfused (gpointer data)
{
  g_free (((FbUnfused *) data)->elements);
}

GArray *
fb_unfused_new (const FbSchedule *schedule, guint kernel, gint64 most, GError **error)
{
  g_autoptr (GError) failed = NULL;
  g_autoptr (FbEvaluator) evaluator = fb_evaluator_new (schedule->context, schedule->var_vals, NULL);
  Walk w = {
    .schedule = schedule,
    .evaluator = evaluator,
    .realized = g_hash_table_new (NULL, NULL),
    .views = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .found = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref),
    .queue = g_array_new (FALSE, FALSE, sizeof (Pair)),
    .out = g_array_new (FALSE, FALSE, sizeof (FbUnfused)),
    .most = most,
    .error = &failed,
  };
  g_array_set_clear_func (w.out, clear_unfused);
  for (guint i = 0; i < schedule->realizes->len; i++)
    g_hash_table_add (w.realized, g_ptr_array_index (schedule->realizes, i));
  gboolean done = start (&w, kernel);
  for (guint i = 0; done && i < w.queue->len; i++)
    {
      Pair pair = g_array_index (w.queue, Pair, i);
      g_array_index (w.queue, Pair, i).elements = NULL;
      done = meet (&w, &pair);
    }
  for (guint i = 0; i < w.queue->len; i++)
    g_free (g_array_index (w.queue, Pair, i).elements);
  g_hash_table_unref (w.realized);
  g_hash_table_unref (w.views);
  g_hash_table_unref (w.found);
  g_array_unref (w.queue);
  if (!done)
    {
      g_clear_pointer (&w.out, g_array_unref);
      g_propagate_error (error, g_steal_pointer (&failed));
    }
  return w.out;
}
