#include "step.h"

#include "core/ir/context-private.h"
#include "engine.h"

/* The graph after the first @step matches. */
static FbUop *
graph_at (FbContext *overlay, const FbPass *pass, guint step)
{
  g_autofree FbUop **from = NULL, **to = NULL;

  if (step == 0)
    return pass->sink;
  from = g_new (FbUop *, step);
  to = g_new (FbUop *, step);
  for (guint i = 0; i < step; i++)
    {
      from[i] = fb_pass_match (pass, i)->before;
      to[i] = fb_pass_match (pass, i)->after;
    }
  return fb_substitute (overlay, pass->sink, step, from, to);
}

static void
add_node (FbStep *step, FbUop *uop, FbMark mark, FbUop *was)
{
  FbStepNode node = { uop, mark, was };

  g_array_append_val (step->nodes, node);
  step->n_marks[mark]++;
}

/* What a node of the graph before is in the graph after: itself, or rebuilt over what its sources became; NULL if no such
 * node exists. */
static FbUop *
node_after (FbContext *overlay, FbNodeMap *becomes, FbUop *uop)
{
  g_autofree FbUop **src = NULL;
  gboolean changed = FALSE;

  for (guint i = 0; i < uop->n_src; i++)
    changed |= (FbUop *) fb_node_map_get (becomes, uop->src[i]) != uop->src[i];
  if (!changed)
    return uop;
  src = g_new (FbUop *, uop->n_src);
  for (guint i = 0; i < uop->n_src; i++)
    if (!(src[i] = (FbUop *) fb_node_map_get (becomes, uop->src[i])))
      return NULL;
  return fb_uop_lookup (overlay, uop->op, uop->dtype, uop->n_src, src, uop->arg);
}

static void
mark_nodes (FbStep *step)
{
  FbContext *context = step->context;
  g_autoptr (GPtrArray) old_nodes = fb_uop_toposort (context, step->before_sink);
  g_autoptr (GPtrArray) new_nodes = fb_uop_toposort (context, step->after_sink);
  FbNodeMap *in_old = fb_node_map_acquire (context), *in_new = fb_node_map_acquire (context);
  FbNodeMap *becomes = fb_node_map_acquire (context), *was = fb_node_map_acquire (context);

  for (guint i = 0; i < old_nodes->len; i++)
    fb_node_map_set (in_old, g_ptr_array_index (old_nodes, i), 1);
  for (guint i = 0; i < new_nodes->len; i++)
    fb_node_map_set (in_new, g_ptr_array_index (new_nodes, i), 1);
  for (guint i = 0; i < old_nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (old_nodes, i);
      FbUop *after = uop == step->before ? step->after : node_after (context, becomes, uop);

      fb_node_map_set (becomes, uop, (guintptr) after);
      if (after && after != uop && uop != step->before)
        fb_node_map_set (was, after, (guintptr) uop);
    }
  for (guint i = 0; i < new_nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (new_nodes, i), *old = (FbUop *) fb_node_map_get (was, uop);

      if (fb_node_map_get (in_old, uop))
        add_node (step, uop, FB_MARK_SAME, NULL);
      else if (old)
        add_node (step, uop, FB_MARK_REBUILT, old);
      else
        add_node (step, uop, FB_MARK_NEW, NULL);
    }
  for (guint i = 0; i < old_nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (old_nodes, i), *after = (FbUop *) fb_node_map_get (becomes, uop);

      if (fb_node_map_get (in_new, uop))
        continue;
      if (uop == step->before)
        add_node (step, uop, FB_MARK_REPLACED, NULL);
      else if (!after || after == uop || !fb_node_map_get (in_new, after))
        add_node (step, uop, FB_MARK_GONE, NULL);
    }
  fb_node_map_release (context, in_old);
  fb_node_map_release (context, in_new);
  fb_node_map_release (context, becomes);
  fb_node_map_release (context, was);
}

FbStep *
fb_step_new (FbContext *context, const FbPass *pass, guint step_number, GError **error)
{
  g_autoptr (FbStep) step = g_new0 (FbStep, 1);

  g_return_val_if_fail (step_number <= pass->matches->len, NULL);
  step->context = fb_context_new_overlay (context);
  step->step = step_number;
  step->nodes = g_array_new (FALSE, FALSE, sizeof (FbStepNode));
  step->before_sink = graph_at (step->context, pass, step_number ? step_number - 1 : 0);
  step->after_sink = step_number ? graph_at (step->context, pass, step_number) : step->before_sink;
  if (fb_context_take_error (step->context, error))
    return NULL;
  if (step_number)
    {
      const FbMatch *match = fb_pass_match (pass, step_number - 1);
      step->before = match->before;
      step->after = match->after;
      step->rule = fb_rule_set_rule (pass->rules, match->rule);
    }
  mark_nodes (step);
  return g_steal_pointer (&step);
}

void
fb_step_free (FbStep *step)
{
  if (!step)
    return;
  if (step->nodes)
    g_array_free (step->nodes, TRUE);
  fb_context_free (step->context);
  g_free (step);
}
