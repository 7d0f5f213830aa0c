/* Steps through a rewrite of a trace, as the viewer of its release replaces nodes.
 *
 * Mostly the stepper of our own passes gives the same (direct.c tells when), with calls that are not looked into and dtypes
 * derived anew. Where it does not, each graph is made from the one before; some are kept, so that any step is near one of them. */
#include "core/ir/context-private.h"
#include "core/rewrite/rules-private.h"
#include "core/rewrite/stepper-private.h"
#include "viztrace-private.h"

/* Nodes that an overlay may hold before a new one is begun. */
#define MOST_NODES 65536
/* Matches from one graph that is kept to the next. */
#define INTERVAL 32

typedef struct
{
  FbReplacing base;
  FbVizNodes *nodes;
  const FbVizRewrite *rewrite;
  FbVizOrder order;
  /* in turn only */
  FbStepOverlay *overlay;
  FbVizReplay *replay; /* in @overlay */
  guint at;            /* matches it has applied */
  FbUop *graph;        /* after these; NULL: nothing is known */
  FbContext *kept_in;
  GPtrArray *kept; /* the graph after 0, INTERVAL, ... matches, in @kept_in */
} Steps;

static guint
count_closed (const FbReplacing *replacing, const FbUop *uop)
{
  const Steps *steps = (const Steps *) replacing;
  return fb_viz_n_closed (steps->nodes->trace, steps->rewrite, uop);
}

static FbUop *
rebuild (const FbReplacing *replacing, FbContext *context, const FbUop *uop, FbUop *const *src)
{
  (void) replacing;
  return fb_viz_rebuild (context, uop, src, TRUE);
}

/* --- graphs, each from the one before --- */

/* Begins anew after @at matches with @graph, of @from; NULL: the input. FALSE when there is no such graph. */
static gboolean
restart (Steps *steps, const FbPass *pass, guint at, FbContext *from, FbUop *graph)
{
  FbStepOverlay *overlay = fb_step_overlay_new (steps->nodes->context);

  if (graph)
    graph = fb_step_import (overlay->context, from, graph);
  fb_viz_replay_free (steps->replay);
  fb_step_overlay_unref (steps->overlay);
  steps->overlay = overlay;
  steps->replay = fb_viz_replay_new_in (steps->nodes, steps->rewrite, pass->sink, overlay->context);
  steps->at = at;
  steps->graph = fb_viz_replay_set (steps->replay, at, pass->matches->at, graph);
  return steps->graph != NULL;
}

static void
keep (Steps *steps)
{
  if (steps->rewrite->bottom_up || steps->at != steps->kept->len * INTERVAL)
    return;
  if (!steps->kept_in)
    steps->kept_in = fb_context_new_overlay (steps->nodes->context);
  g_ptr_array_add (steps->kept, fb_step_import (steps->kept_in, steps->overlay->context, steps->graph));
}

static FbUop *
fail (Steps *steps, const FbPass *pass)
{
  const FbUop *uop = steps->at < pass->matches->len ? fb_pass_match (pass, steps->at)->before : pass->sink;

  fb_context_fail (steps->overlay->context, FB_ERROR_DIVERGES, uop, "replacing does not end: %s stands for itself",
                   fb_op_name (uop->op));
  steps->graph = NULL;
  return NULL;
}

/* Starts from the graph nearest to that after @n matches. */
static gboolean
start_near (Steps *steps, const FbPass *pass, guint n)
{
  guint kept = steps->kept->len ? MIN (n / INTERVAL, steps->kept->len - 1) : 0;

  /* what a bottom-up rewrite shows is replaced in its input */
  if (steps->rewrite->bottom_up)
    return (steps->graph && (steps->at == n || steps->at + 1 == n)) || restart (steps, pass, n, NULL, NULL);
  if (steps->graph && steps->at <= n && (!steps->kept->len || steps->at >= kept * INTERVAL))
    {
      FbContext *context = steps->overlay->context;
      g_autoptr (FbStep) holder = NULL;

      if (context->n_uops - context->first_id <= MOST_NODES)
        return TRUE;
      /* the old overlay goes with the old replay, so it is held until its graph was copied */
      holder = g_new0 (FbStep, 1);
      holder->overlay = fb_step_overlay_ref (steps->overlay);
      return restart (steps, pass, steps->at, context, steps->graph);
    }
  if (steps->kept->len)
    return restart (steps, pass, kept * INTERVAL, steps->kept_in, g_ptr_array_index (steps->kept, kept));
  return restart (steps, pass, 0, NULL, NULL);
}

/* The graph after @n matches; NULL with the overlay's error set. */
static FbUop *
go (Steps *steps, const FbPass *pass, guint n)
{
  if (!start_near (steps, pass, n))
    return fail (steps, pass);
  keep (steps);
  while (steps->at < n)
    {
      const FbMatch *match = fb_pass_match (pass, steps->at);
      const FbVizMatch applied = { .before = match->before, .after = match->after };

      if (!(steps->graph = fb_viz_replay_apply (steps->replay, &applied)))
        return fail (steps, pass);
      steps->at++;
      keep (steps);
    }
  return steps->graph;
}

/* --- steps --- */

/* The comparison of graphs knows nothing of the match: what it replaced is told from the rest. */
static void
mark_match (FbStep *step)
{
  gboolean taken = FALSE;

  for (guint i = 0; i < step->nodes->len; i++)
    {
      FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);
      FbMark mark = node->mark;

      if (mark == FB_MARK_GONE && node->node == step->before)
        mark = FB_MARK_REPLACED;
      else if (mark == FB_MARK_REPLACED && node->node != step->before)
        mark = FB_MARK_GONE;
      else if (mark == FB_MARK_REBUILT && node->was == step->before)
        {
          /* that had been taken for what this node was before */
          mark = FB_MARK_NEW;
          node->was = NULL;
          taken = TRUE;
        }
      else
        continue;
      step->n_marks[node->mark]--;
      step->n_marks[mark]++;
      node->mark = mark;
    }
  if (taken)
    {
      FbStepNode node = { step->before, FB_MARK_REPLACED, NULL };
      g_array_append_val (step->nodes, node);
      step->n_marks[FB_MARK_REPLACED]++;
    }
}

static FbStep *
make_step (FbReplacing *replacing, const FbPass *pass, guint number, GError **error)
{
  Steps *steps = (Steps *) replacing;
  FbUop *before = go (steps, pass, number ? number - 1 : 0), *after = before;
  FbStep *step;

  if (before && number)
    after = go (steps, pass, number);
  if (!before || !after)
    {
      fb_context_take_error (steps->overlay->context, error);
      return NULL;
    }
  step = fb_step_new_compare (steps->overlay->context, before, after);
  step->overlay = fb_step_overlay_ref (steps->overlay);
  step->step = number;
  if (number)
    {
      const FbMatch *match = fb_pass_match (pass, number - 1);

      step->rule = fb_rule_set_rule (pass->rules, match->rule);
      step->before = match->before;
      step->after = match->after;
      mark_match (step);
    }
  return step;
}

static void
free_steps (FbReplacing *replacing)
{
  Steps *steps = (Steps *) replacing;

  fb_viz_replay_free (steps->replay);
  fb_step_overlay_unref (steps->overlay);
  g_ptr_array_unref (steps->kept);
  fb_context_free (steps->kept_in);
  g_free (steps);
}

FbUop *
fb_viz_result_in_turn (FbReplacing *replacing, const FbPass *pass, guint *n_shown)
{
  Steps *steps = (Steps *) replacing;
  guint n = pass->matches->len, at = n_shown ? 0 : n;
  FbUop *graph;

  while ((graph = go (steps, pass, at)) && at < n)
    at++;
  if (n_shown)
    *n_shown = at;
  if (graph)
    return fb_step_import (steps->nodes->context, steps->overlay->context, graph);
  fb_context_take_error (steps->overlay->context, NULL);
  return NULL;
}

static void
prepare (FbReplacing *replacing, const FbPass *pass)
{
  fb_viz_replacing_order (replacing, pass, G_MAXUINT);
}

FbVizOrder
fb_viz_replacing_order (FbReplacing *replacing, const FbPass *pass, guint limit)
{
  Steps *steps = (Steps *) replacing;

  if (steps->order != FB_VIZ_UNKNOWN)
    return steps->order;
  steps->order
      = fb_viz_nodes_order (steps->nodes, steps->rewrite, pass->sink, pass->matches->len, pass->matches->at, limit);
  if (steps->order == FB_VIZ_IN_TURN)
    replacing->step = make_step;
  return steps->order;
}

FbReplacing *
fb_viz_replacing_new (FbVizNodes *nodes, const FbVizRewrite *rewrite)
{
  gboolean calls = fb_viz_release_calls (nodes->trace->release) != FB_VIZ_CALLS_ENTERED && !rewrite->enter_calls;
  gboolean derive = fb_viz_release_derives_dtype (nodes->trace->release);
  Steps *steps = g_new0 (Steps, 1);

  steps->base = (FbReplacing){ .once = rewrite->walk && rewrite->bottom_up,
                               .n_closed = calls ? count_closed : NULL,
                               .rebuild = derive ? rebuild : NULL,
                               .prepare = prepare,
                               .free = free_steps };
  steps->nodes = nodes;
  steps->rewrite = rewrite;
  steps->kept = g_ptr_array_new ();
  return &steps->base;
}

/* For rewrites where it is not plain which of the matches is the first without a graph. */
static FbUop *
replay_steps (FbVizNodes *nodes, FbPass *pass, const FbVizRewrite *rewrite, FbVizOrder order, guint *n_shown)
{
  g_autoptr (FbStepper) stepper = NULL;
  guint n = pass->matches->len;

  if (order == FB_VIZ_IN_TURN)
    return fb_viz_result_in_turn (pass->replacing, pass, n_shown);
  stepper = fb_stepper_new (nodes->context, pass);
  *n_shown = fb_stepper_n_possible (stepper);
  if (*n_shown == n)
    return fb_viz_result (nodes, rewrite, pass->sink, n, pass->matches->at);
  ++*n_shown;
  return NULL;
}

FbUop *
fb_viz_replay_all (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, guint n, const FbVizMatch *matches,
                   guint *n_shown)
{
  static const FbRuleSet no_rules;
  FbUop *graph = NULL;
  FbVizOrder order = FB_VIZ_UNKNOWN;
  FbArena arena;
  FbPass *pass;

  *n_shown = n;
  if (n == 0)
    return sink;
  fb_arena_init (&arena);
  pass = fb_pass_new (rewrite->location, "", rewrite->bottom_up, sink, &no_rules);
  pass->replacing = fb_viz_replacing_new (nodes, rewrite);
  for (guint i = 0; i < n; i++)
    {
      const FbMatch match = { .before = matches[i].before, .after = matches[i].after };
      fb_pass_add_matches (pass, &arena, 1, &match);
    }
  /* what a bottom-up rewrite shows is replaced in its input; where a node is replaced once and not looked into, that ends */
  if (rewrite->bottom_up && (rewrite->walk || fb_viz_nodes_end (nodes, rewrite, sink, n, pass->matches->at)))
    graph = fb_viz_result (nodes, rewrite, sink, n, pass->matches->at);
  if (!graph)
    {
      order = fb_viz_replacing_order (pass->replacing, pass, G_MAXUINT);
      if (order == FB_VIZ_ANY_ORDER)
        graph = fb_viz_result (nodes, rewrite, sink, n, pass->matches->at);
    }
  if (!graph)
    graph = replay_steps (nodes, pass, rewrite, order, n_shown);
  fb_pass_free (pass);
  fb_arena_clear (&arena);
  return graph;
}
