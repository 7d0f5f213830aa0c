/* What a step changed: marks for every node of the graphs before and after. */
#include "step.h"

#include "stepper-private.h"

typedef struct _FbWalkFrame
{
  FbUop *uop;
  guint32 next; /* source to look at next */
} Frame;

/* --- nodes of a graph --- */

/* It is in the graph walked last. */
static inline gboolean
is_reached (const FbStepper *self, const FbUop *uop)
{
  return self->info.reached[uop->id] / 2 == self->serial;
}

static inline void
visit (FbStepper *self, guint32 *depth, FbUop *uop)
{
  guint32 *reached = &self->info.reached[uop->id];

  *reached = self->serial * 2 + (*reached / 2 == self->serial - 1);
  if (G_UNLIKELY (*depth == self->walk_size))
    {
      self->walk_size = MAX (256, self->walk_size * 2);
      self->walk = g_renew (Frame, self->walk, self->walk_size);
    }
  self->walk[(*depth)++] = (Frame){ uop, 0 };
}

/* Toposort of the graph under @sink into self->order, as fb_uop_toposort() has it; what was there before goes to self->old_order. */
static void
walk_graph (FbStepper *self, FbUop *sink)
{
  FbUop **order = self->old_order;
  guint32 size = self->old_order_size, depth = 0, n = 0;

  fb_stepper_grow_info (self);
  self->old_order = self->order;
  self->old_order_size = self->order_size;
  self->n_old_order = self->n_order;
  visit (self, &depth, sink);
  while (depth)
    {
      Frame *frame = &self->walk[depth - 1];
      FbUop *uop = frame->uop, *source = NULL;

      while (frame->next < uop->n_src && !source)
        {
          source = uop->src[frame->next++];
          if (is_reached (self, source))
            source = NULL;
        }
      if (source)
        {
          visit (self, &depth, source);
          continue;
        }
      if (G_UNLIKELY (n == size))
        {
          size = MAX (1024, size * 2);
          order = g_renew (FbUop *, order, size);
        }
      order[n++] = uop;
      depth--;
    }
  self->order = order;
  self->order_size = size;
  self->n_order = n;
}

/* --- what became of them --- */

static inline FbUop *
becomes (const FbStepper *self, FbUop *uop)
{
  return self->info.becomes_at[uop->id] == self->serial ? self->info.becomes[uop->id] : uop;
}

static inline gboolean
replaces_once (const FbStepper *self)
{
  return self->pass->replacing && self->pass->replacing->once;
}

/* What source @i of @uop became in it: those that are not looked into stay. */
static inline FbUop *
source_becomes (const FbStepper *self, const FbUop *uop, guint i, guint n_closed)
{
  return i < n_closed ? uop->src[i] : becomes (self, uop->src[i]);
}

/* TRUE when @other is @uop over what its sources became. */
static inline gboolean
is_over_sources (const FbStepper *self, const FbUop *uop, const FbUop *other)
{
  guint closed = fb_stepper_n_closed (self, uop);

  if (other->op != uop->op || other->dtype != uop->dtype || other->n_src != uop->n_src
      || other->arg.kind != uop->arg.kind || other->arg.i != uop->arg.i)
    return FALSE;
  for (guint i = 0; i < uop->n_src; i++)
    if (other->src[i] != source_becomes (self, uop, i, closed))
      return FALSE;
  return TRUE;
}

/* @uop over what its sources became, and if that was matched elsewhere before, what it became there; NULL when a source is lost,
 * or on error. The slow way: terms mostly have the answer. */
static FbUop *
over_sources (FbStepper *self, const FbUop *uop)
{
  g_autofree FbUop **src = g_new (FbUop *, uop->n_src);
  guint closed = fb_stepper_n_closed (self, uop);
  FbUop *after, *target;

  for (guint i = 0; i < uop->n_src; i++)
    if (!(src[i] = source_becomes (self, uop, i, closed)))
      return NULL;
  after = fb_stepper_rebuild (self, uop, src);
  target = replaces_once (self) ? NULL : fb_stepper_target (self, after);
  return target ? fb_stepper_value_seen (self, target) : after;
}

static inline gboolean
source_changed (const FbStepper *self, const FbUop *uop)
{
  for (guint i = fb_stepper_n_closed (self, uop); i < uop->n_src; i++)
    if (becomes (self, uop->src[i]) != uop->src[i])
      return TRUE;
  return FALSE;
}

/* Notes of every node of the graph before what it is in the graph after: itself, or rebuilt over what its sources became. Terms
 * have noted what became of their values; where terms of one value went different ways that is not what became of the node. */
static void
follow_nodes (FbStepper *self, const FbStep *step)
{
  for (guint32 i = 0; i < self->n_order; i++)
    {
      FbUop *uop = self->order[i], *after;

      if (uop == step->before)
        after = step->after;
      else if (!source_changed (self, uop))
        after = uop;
      else
        {
          after = becomes (self, uop);
          if (after == uop || !is_over_sources (self, uop, after)
              || (!replaces_once (self) && fb_stepper_target (self, after)))
            {
              after = over_sources (self, uop);
              fb_stepper_grow_info (self);
            }
        }
      self->info.becomes[uop->id] = after;
      self->info.becomes_at[uop->id] = after == uop ? 0 : self->serial;
      if (after && after != uop && uop != step->before)
        {
          self->info.was[after->id] = uop;
          self->info.was_at[after->id] = self->serial;
        }
    }
}

/* --- the step --- */

static void
add_node (FbStep *step, FbUop *uop, FbMark mark, FbUop *was)
{
  FbStepNode node = { uop, mark, was };

  g_array_append_val (step->nodes, node);
  step->n_marks[mark]++;
}

/* Marks the nodes of the graphs in self->old_order and self->order. */
static void
mark_nodes (FbStepper *self, FbStep *step)
{
  FbStepNode *nodes;

  step->nodes = g_array_sized_new (FALSE, FALSE, sizeof (FbStepNode), self->n_order + 16);
  g_array_set_size (step->nodes, self->n_order);
  nodes = (FbStepNode *) (gpointer) step->nodes->data;
  for (guint32 i = 0; i < self->n_order; i++)
    {
      FbUop *uop = self->order[i];
      FbMark mark = FB_MARK_NEW;
      FbUop *was = NULL;

      if (self->info.reached[uop->id] & 1)
        mark = FB_MARK_SAME;
      else if (self->info.was_at[uop->id] == self->serial)
        {
          mark = FB_MARK_REBUILT;
          was = self->info.was[uop->id];
        }
      nodes[i] = (FbStepNode){ uop, mark, was };
      step->n_marks[mark]++;
    }
  for (guint32 i = 0; i < self->n_old_order; i++)
    {
      FbUop *uop = self->old_order[i], *after;

      if (is_reached (self, uop))
        continue;
      after = becomes (self, uop);
      if (uop == step->before)
        add_node (step, uop, FB_MARK_REPLACED, NULL);
      else if (!after || after == uop || !is_reached (self, after))
        add_node (step, uop, FB_MARK_GONE, NULL);
    }
}

/* The node that the next match is about, as it stands in the graph: bottom-up, a node is matched before its sources are, which
 * other users may have had rewritten already. NULL on error. */
static FbUop *
node_before (FbStepper *self, const FbMatch *match)
{
  g_autofree FbUop **src = NULL;

  /* top-down, the sources are rewritten already when a node is matched */
  if (!self->pass->bottom_up || match->before->n_src == 0)
    return match->before;
  src = g_new (FbUop *, match->before->n_src);
  for (guint i = 0; i < match->before->n_src; i++)
    if (!(src[i] = fb_stepper_value_seen (self, match->before->src[i])))
      return NULL;
  return fb_stepper_rebuild (self, match->before, src);
}

/* The graph that the next step starts from, as self->order: known already when it follows the step made last. NULL on error. */
static FbUop *
go_before (FbStepper *self, guint step)
{
  const FbContext *overlay = self->overlay ? self->overlay->context : NULL;
  guint at = step ? step - 1 : 0;
  FbUop *sink;

  if (!overlay || self->at != at || self->n_parent != self->context->n_uops)
    sink = fb_stepper_go (self, at);
  else if (overlay->n_uops - overlay->first_id > FB_STEPPER_MOST_NODES)
    sink = fb_stepper_renew (self);
  else
    return fb_stepper_value (self, self->pass->sink);
  if (sink)
    walk_graph (self, sink);
  return sink;
}

/* Fills in @step; FALSE with the overlay's error set. */
static gboolean
make_step (FbStepper *self, FbStep *step)
{
  const FbMatch *match;

  if (!(step->before_sink = go_before (self, step->step)))
    return FALSE;
  if (step->step == 0)
    {
      self->serial++;
      step->after_sink = step->before_sink;
    }
  else
    {
      match = fb_pass_match (self->pass, step->step - 1);
      step->rule = fb_rule_set_rule (self->pass->rules, match->rule);
      if (!(step->before = node_before (self, match)))
        return FALSE;
      fb_stepper_advance (self);
      /* what the rule made may hold nodes that were matched before, elsewhere */
      if (!(step->after_sink = fb_stepper_value (self, self->pass->sink))
          || !(step->after = replaces_once (self) ? match->after : fb_stepper_value_seen (self, match->after)))
        return FALSE;
      fb_stepper_grow_info (self);
      follow_nodes (self, step);
    }
  walk_graph (self, step->after_sink);
  mark_nodes (self, step);
  return TRUE;
}

FbStep *
fb_stepper_step (FbStepper *self, guint step_number, GError **error)
{
  g_autoptr (FbStep) step = g_new0 (FbStep, 1);

  g_return_val_if_fail (self && step_number <= self->pass->matches->len, NULL);
  if (self->pass->replacing && self->pass->replacing->step)
    return self->pass->replacing->step (self->pass->replacing, self->pass, step_number, error);
  step->step = step_number;
  if (!make_step (self, step) || fb_context_failed (self->overlay->context))
    {
      fb_context_take_error (self->overlay->context, error);
      fb_stepper_forget (self);
      return NULL;
    }
  step->overlay = fb_step_overlay_ref (self->overlay);
  step->context = self->overlay->context;
  return g_steal_pointer (&step);
}

guint
fb_stepper_n_possible (FbStepper *self)
{
  guint n = self->pass->matches->len;
  gboolean ok = fb_stepper_restart (self, 0) != NULL;

  while (ok && self->at < n)
    {
      const FbContext *overlay = self->overlay->context;

      ok = overlay->n_uops - overlay->first_id <= FB_STEPPER_MOST_NODES || fb_stepper_renew (self);
      fb_stepper_advance (self);
      fb_stepper_grow_info (self);
      ok = ok && fb_stepper_value (self, self->pass->sink) && !fb_context_failed (self->overlay->context);
    }
  if (ok)
    return n;
  fb_context_take_error (self->overlay->context, NULL);
  n = self->at ? self->at - 1 : 0;
  fb_stepper_forget (self);
  return n;
}

FbStep *
fb_step_new (FbContext *context, const FbPass *pass, guint step, GError **error)
{
  g_autoptr (FbStepper) stepper = NULL;

  g_return_val_if_fail (step <= pass->matches->len, NULL);
  stepper = fb_stepper_new (context, pass);
  return fb_stepper_step (stepper, step, error);
}

void
fb_step_free (FbStep *step)
{
  if (!step)
    return;
  if (step->nodes)
    g_array_free (step->nodes, TRUE);
  fb_step_overlay_unref (step->overlay);
  g_free (step);
}
