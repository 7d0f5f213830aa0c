/* The difference between any two graphs, told as a step tells its own. */
#include "step.h"
#include "stepper-private.h"

/* Nodes that stand for each other: of the earlier graph, of the later one. */
typedef struct
{
  FbUop *before, *after;
} Couple;

typedef struct
{
  FbContext *context;
  GPtrArray *old, *new;
  FbNodeMap *in_old, *in_new;
  FbNodeMap *former; /* of a node of the later graph the earlier one that it took the place of */
  FbNodeMap *taken;  /* of the earlier graph: something took its place */
  FbNodeMap *passed; /* of the later graph: looked beyond it already */
} Compare;

static gboolean
alike (const FbUop *a, const FbUop *b)
{
  return a->op == b->op && a->dtype == b->dtype && a->n_src == b->n_src && fb_arg_equal (a->arg, b->arg);
}

/* The node is in both graphs. */
static gboolean
is_shared (const Compare *c, const FbUop *uop)
{
  return fb_node_map_get (c->in_old, uop) && fb_node_map_get (c->in_new, uop);
}

static gboolean
couple (Compare *c, FbUop *before, FbUop *after)
{
  if (before == after || is_shared (c, before) || is_shared (c, after) || fb_node_map_get (c->former, after)
      || fb_node_map_get (c->taken, before))
    return FALSE;
  fb_node_map_set (c->former, after, (guintptr) before);
  fb_node_map_set (c->taken, before, 1);
  return TRUE;
}

/* What @uop moves or views. */
static FbUop *
below_views (FbUop *uop)
{
  while (uop->n_src && fb_op_in ((FbOp) uop->op, FB_OPS_MOVEMENT | FB_OP_BIT (VIEW)))
    uop = uop->src[0];
  return uop;
}

static void
wait (GArray *waiting, FbUop *before, FbUop *after)
{
  Couple couple = { before, after };

  if (before != after)
    g_array_append_val (waiting, couple);
}

static void
wait_for_sources (GArray *waiting, const FbUop *before, const FbUop *after)
{
  for (guint i = 0; i < MIN (before->n_src, after->n_src); i++)
    wait (waiting, before->src[i], after->src[i]);
}

/* From the sinks down: nodes of the same op and argument at the same place, whose sources differ. Where other nodes stand at the
 * same place, it goes on beyond them: movements come and go, and what they move is still the same. */
static void
couple_downwards (Compare *c, FbUop *before, FbUop *after)
{
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (Couple));

  wait (waiting, before, after);
  while (waiting->len)
    {
      Couple at = g_array_index (waiting, Couple, waiting->len - 1);
      FbUop *old, *new;

      g_array_set_size (waiting, waiting->len - 1);
      if (is_shared (c, at.before) || is_shared (c, at.after))
        continue;
      if (alike (at.before, at.after))
        {
          if (couple (c, at.before, at.after))
            wait_for_sources (waiting, at.before, at.after);
          continue;
        }
      if (fb_node_map_get (c->passed, at.after))
        continue;
      fb_node_map_set (c->passed, at.after, 1);
      old = below_views (at.before);
      new = below_views (at.after);
      if (old != at.before || new != at.after)
        wait (waiting, old, new);
      else
        wait_for_sources (waiting, old, new);
    }
}

/* From the leaves up: what a node was over the sources that its own took the place of, if the earlier graph had that. */
static void
couple_upwards (Compare *c)
{
  for (guint i = 0; i < c->new->len; i++)
    {
      FbUop *uop = g_ptr_array_index (c->new, i), *before;
      g_autofree FbUop **src = NULL;
      gboolean changed = FALSE;

      if (uop->n_src == 0 || is_shared (c, uop) || fb_node_map_get (c->former, uop))
        continue;
      src = g_new (FbUop *, uop->n_src);
      for (guint k = 0; k < uop->n_src; k++)
        {
          FbUop *former = (FbUop *) fb_node_map_get (c->former, uop->src[k]);
          src[k] = former ? former : uop->src[k];
          changed |= former != NULL;
        }
      before = changed ? fb_uop_lookup (c->context, uop->op, uop->dtype, uop->n_src, src, uop->arg) : NULL;
      if (before && fb_node_map_get (c->in_old, before))
        couple (c, before, uop);
    }
}

static void
add_node (FbStep *step, FbUop *uop, FbMark mark, FbUop *was)
{
  FbStepNode node = { uop, mark, was };

  g_array_append_val (step->nodes, node);
  step->n_marks[mark]++;
}

static void
mark_nodes (const Compare *c, FbStep *step)
{
  for (guint i = 0; i < c->new->len; i++)
    {
      FbUop *uop = g_ptr_array_index (c->new, i), *former = (FbUop *) fb_node_map_get (c->former, uop);
      FbMark mark = former ? FB_MARK_REBUILT : is_shared (c, uop) ? FB_MARK_SAME : FB_MARK_NEW;
      add_node (step, uop, mark, former);
    }
  for (guint i = 0; i < c->old->len; i++)
    {
      FbUop *uop = g_ptr_array_index (c->old, i);
      /* what is no operation of its own is only no longer used */
      gboolean value = uop->op == FB_OP_CONST || uop->op == FB_OP_VCONST || (uop->op == FB_OP_VIEW && uop->n_src == 0);

      if (!fb_node_map_get (c->in_new, uop) && !fb_node_map_get (c->taken, uop))
        add_node (step, uop, value ? FB_MARK_GONE : FB_MARK_REPLACED, NULL);
    }
}

static void
compare (FbStep *step)
{
  FbContext *context = step->context;
  Compare c = { .context = context,
                .old = fb_uop_toposort (context, step->before_sink),
                .new = fb_uop_toposort (context, step->after_sink),
                .in_old = fb_node_map_acquire (context),
                .in_new = fb_node_map_acquire (context),
                .former = fb_node_map_acquire (context),
                .taken = fb_node_map_acquire (context),
                .passed = fb_node_map_acquire (context) };

  for (guint i = 0; i < c.old->len; i++)
    fb_node_map_set (c.in_old, g_ptr_array_index (c.old, i), 1);
  for (guint i = 0; i < c.new->len; i++)
    fb_node_map_set (c.in_new, g_ptr_array_index (c.new, i), 1);
  couple_downwards (&c, step->before_sink, step->after_sink);
  couple_upwards (&c);
  step->nodes = g_array_sized_new (FALSE, FALSE, sizeof (FbStepNode), c.new->len);
  mark_nodes (&c, step);
  fb_node_map_release (context, c.in_old);
  fb_node_map_release (context, c.in_new);
  fb_node_map_release (context, c.former);
  fb_node_map_release (context, c.taken);
  fb_node_map_release (context, c.passed);
  g_ptr_array_unref (c.old);
  g_ptr_array_unref (c.new);
}

FbStep *
fb_step_new_compare (FbContext *context, FbUop *before, FbUop *after)
{
  FbStep *step = g_new0 (FbStep, 1);

  step->context = context;
  step->before_sink = before;
  step->after_sink = after;
  compare (step);
  return step;
}

FbUop *
fb_step_import (FbContext *context, FbContext *from, FbUop *sink)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (from, sink);
  FbNodeMap *copy = fb_node_map_acquire (context);
  FbUop *result = NULL;

  for (guint i = 0; i < order->len; i++)
    {
      FbUop *uop = g_ptr_array_index (order, i);

      result = uop;
      if (uop->id >= context->first_id)
        {
          g_autofree FbUop **src = g_new (FbUop *, MAX (uop->n_src, 1));

          for (guint k = 0; k < uop->n_src; k++)
            src[k] = (FbUop *) fb_node_map_get (copy, uop->src[k]);
          result = fb_uop_with_src (context, uop, src);
        }
      fb_node_map_set (copy, uop, (guintptr) result);
    }
  fb_node_map_release (context, copy);
  return result;
}

FbStep *
fb_step_new_compare_steps (FbContext *context, const FbStep *from, const FbStep *to)
{
  FbStep *step = g_new0 (FbStep, 1);
  FbStepOverlay *overlay = fb_step_overlay_new (context);

  step->overlay = overlay;
  step->context = overlay->context;
  step->before_sink = fb_step_import (overlay->context, from->context, from->after_sink);
  step->after_sink = fb_step_import (overlay->context, to->context, to->after_sink);
  compare (step);
  return step;
}

FbStepEdges
fb_step_count_edges (const FbStep *step)
{
  FbStepEdges edges = { 0 };
  FbNodeMap *was = fb_node_map_acquire (step->context);

  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);
      if (node->mark == FB_MARK_REBUILT)
        fb_node_map_set (was, node->node, (guintptr) node->was);
    }
  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);
      guint n = node->node->n_src;

      if (node->mark == FB_MARK_NEW)
        edges.n_new += n;
      else if (node->mark == FB_MARK_REPLACED || node->mark == FB_MARK_GONE)
        edges.n_gone += n;
      else if (node->mark == FB_MARK_SAME)
        edges.n_same += n;
      else
        for (guint k = 0; k < n; k++)
          {
            const FbUop *source = node->node->src[k], *former = node->was->src[k];
            gboolean same = source == former || (const FbUop *) fb_node_map_get (was, source) == former;

            edges.n_same += same;
            edges.n_new += !same;
            edges.n_gone += !same;
          }
    }
  fb_node_map_release (step->context, was);
  return edges;
}
