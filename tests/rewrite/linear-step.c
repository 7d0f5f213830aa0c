#include "linear-step.h"

#include "core/ir/context-private.h"
#include "core/rewrite/engine.h"

/* The pass's matches up to the step, as substitutions: laid out once, the step before uses one fewer. */
typedef struct
{
  guint n;
  FbUop **from, **to;
} Matches;

static void
matches_init (Matches *matches, const FbPass *pass, guint n)
{
  *matches = (Matches){ n, g_new (FbUop *, n + 1), g_new (FbUop *, n + 1) };
  for (guint i = 0; i < n; i++)
    {
      matches->from[i] = fb_pass_match (pass, i)->before;
      matches->to[i] = fb_pass_match (pass, i)->after;
    }
}

static void
matches_clear (Matches *matches)
{
  g_free (matches->from);
  g_free (matches->to);
}

/* @uop with the first @n matches put in their places. */
static FbUop *
substitute_matches (FbContext *overlay, const Matches *matches, guint n, FbUop *uop)
{
  return n ? fb_substitute (overlay, uop, n, matches->from, matches->to) : uop;
}

/* @uop itself over what its sources are after the first @n matches. Bottom-up, a node is matched before its sources
 * are, which other users may have had rewritten already: then this, not @uop, is the node in the graph. NULL on error. */
static FbUop *
over_rewritten_sources (FbContext *overlay, const Matches *matches, guint n, FbUop *uop)
{
  FbUop *sources;

  if (uop->n_src == 0)
    return uop;
  sources = fb_uop_new (overlay, FB_OP_NOOP, FB_DTYPE (VOID), uop->n_src, uop->src, FB_ARG_NIL);
  sources = substitute_matches (overlay, matches, n, sources);
  return sources ? fb_uop_with_src (overlay, uop, sources->src) : NULL;
}

/* Sets the nodes that the step is about, as they stand in the graphs before and after; on failure the error is set. */
static void
find_match (FbStep *step, const FbPass *pass, const Matches *matches)
{
  const FbMatch *match = fb_pass_match (pass, step->step - 1);

  step->rule = fb_rule_set_rule (pass->rules, match->rule);
  /* top-down, the sources are rewritten already when a node is matched */
  step->before = pass->bottom_up ? over_rewritten_sources (step->context, matches, step->step - 1, match->before)
                                 : match->before;
  /* what the rule made may hold nodes that were matched before, elsewhere */
  step->after = substitute_matches (step->context, matches, step->step, match->after);
}

static void
add_node (FbStep *step, FbUop *uop, FbMark mark, FbUop *was)
{
  FbStepNode node = { uop, mark, was };

  g_array_append_val (step->nodes, node);
  step->n_marks[mark]++;
}

/* What a node of the graph before is in the graph after: itself, or rebuilt over what its sources became, and if that was
 * matched elsewhere before, what it became there. NULL on error. */
static FbUop *
node_after (FbStep *step, const Matches *matches, const FbNodeMap *becomes, const FbNodeMap *matched, FbUop *uop)
{
  g_autofree FbUop **src = NULL;
  gboolean changed = FALSE;
  FbUop *after;

  for (guint i = 0; i < uop->n_src; i++)
    changed |= (FbUop *) fb_node_map_get (becomes, uop->src[i]) != uop->src[i];
  if (!changed)
    return uop;
  src = g_new (FbUop *, uop->n_src);
  for (guint i = 0; i < uop->n_src; i++)
    if (!(src[i] = (FbUop *) fb_node_map_get (becomes, uop->src[i])))
      return NULL;
  after = fb_uop_with_src (step->context, uop, src);
  return fb_node_map_get (matched, after) ? substitute_matches (step->context, matches, step->step, after) : after;
}

static void
mark_nodes (FbStep *step, const Matches *matches)
{
  FbContext *context = step->context;
  g_autoptr (GPtrArray) old_nodes = fb_uop_toposort (context, step->before_sink);
  g_autoptr (GPtrArray) new_nodes = fb_uop_toposort (context, step->after_sink);
  FbNodeMap *in_old = fb_node_map_acquire (context), *in_new = fb_node_map_acquire (context);
  FbNodeMap *becomes = fb_node_map_acquire (context), *was = fb_node_map_acquire (context);
  FbNodeMap *matched = fb_node_map_acquire (context);

  for (guint i = 0; i < matches->n; i++)
    fb_node_map_set (matched, matches->from[i], 1);

  for (guint i = 0; i < old_nodes->len; i++)
    fb_node_map_set (in_old, g_ptr_array_index (old_nodes, i), 1);
  for (guint i = 0; i < new_nodes->len; i++)
    fb_node_map_set (in_new, g_ptr_array_index (new_nodes, i), 1);
  for (guint i = 0; i < old_nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (old_nodes, i);
      FbUop *after = uop == step->before ? step->after : node_after (step, matches, becomes, matched, uop);

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
  fb_node_map_release (context, matched);
}

FbStep *
linear_step_new (FbContext *context, const FbPass *pass, guint step_number)
{
  FbStep *step = g_new0 (FbStep, 1);
  Matches matches;

  step->context = fb_context_new_overlay (context);
  step->step = step_number;
  step->nodes = g_array_new (FALSE, FALSE, sizeof (FbStepNode));
  matches_init (&matches, pass, step_number);
  step->before_sink = substitute_matches (step->context, &matches, step_number ? step_number - 1 : 0, pass->sink);
  step->after_sink = substitute_matches (step->context, &matches, step_number, pass->sink);
  if (step_number)
    find_match (step, pass, &matches);
  mark_nodes (step, &matches);
  matches_clear (&matches);
  g_assert_false (fb_context_failed (step->context));
  return step;
}

void
linear_step_free (FbStep *step)
{
  g_array_free (step->nodes, TRUE);
  fb_context_free (step->context);
  g_free (step);
}
