/* What every term stands for, kept up to date from match to match. */
#include "stepper-private.h"

#include <string.h>

typedef struct _FbTermFrame
{
  guint32 term;
  guint32 next; /* source to look at next */
} Frame;

/* --- the overlay --- */

FbStepOverlay *
fb_step_overlay_new (FbContext *parent)
{
  FbStepOverlay *overlay = g_new (FbStepOverlay, 1);

  g_atomic_ref_count_init (&overlay->refs);
  overlay->context = fb_context_new_overlay (parent);
  return overlay;
}

FbStepOverlay *
fb_step_overlay_ref (FbStepOverlay *overlay)
{
  g_atomic_ref_count_inc (&overlay->refs);
  return overlay;
}

void
fb_step_overlay_unref (FbStepOverlay *overlay)
{
  if (!overlay || !g_atomic_ref_count_dec (&overlay->refs))
    return;
  fb_context_free (overlay->context);
  g_free (overlay);
}

/* --- terms --- */

static gpointer
grow_array (gpointer array, guint32 *size, gsize item)
{
  *size = MAX (256, *size * 2);
  return g_realloc_n (array, *size, item);
}

/* The term of @uop, a node of the pass's context; made when there is none. Moves self->terms. */
static guint32
term_of (FbStepper *self, FbUop *uop)
{
  guint32 *at = &self->term_of[uop->id];

  if (*at)
    return *at - 1;
  if (self->n_terms == self->terms_size)
    {
      self->terms = grow_array (self->terms, &self->terms_size, sizeof *self->terms);
      self->rebuilt = g_renew (FbUop *, self->rebuilt, self->terms_size);
    }
  self->terms[self->n_terms] = (FbTerm){ .uop = uop,
                                         .match = self->match_of[uop->id],
                                         .alias = FB_TERM_NONE,
                                         .first_user = FB_TERM_NONE,
                                         .sources = FB_TERM_NONE,
                                         .n_sources = uop->n_src,
                                         .state = FB_TERM_DIRTY };
  self->rebuilt[self->n_terms] = NULL;
  *at = ++self->n_terms;
  return *at - 1;
}

static void
add_user (FbStepper *self, guint32 term, guint32 user)
{
  if (self->n_edges == self->edges_size)
    self->edges = grow_array (self->edges, &self->edges_size, sizeof *self->edges);
  self->edges[self->n_edges] = (FbTermEdge){ user, self->terms[term].first_user };
  self->terms[term].first_user = self->n_edges++;
}

/* Finds the terms of the sources of @term, and tells them of their user; those that are not looked into have none. */
static void
open_sources (FbStepper *self, guint32 term)
{
  const FbUop *uop = self->terms[term].uop;
  guint32 first = self->n_sources;

  while (self->n_sources + uop->n_src > self->sources_size)
    self->sources = grow_array (self->sources, &self->sources_size, sizeof *self->sources);
  self->terms[term].sources = first;
  self->n_sources += uop->n_src;
  for (guint i = 0, closed = fb_stepper_n_closed (self, uop); i < uop->n_src; i++)
    {
      guint32 source = FB_TERM_NONE;

      if (i >= closed)
        {
          source = term_of (self, uop->src[i]);
          add_user (self, source, term);
        }
      self->sources[first + i] = source;
    }
}

/* What the latest of the matches applied, from @match on backwards, made of their node; NULL when all of them are yet to come. */
static inline FbUop *
target_of (const FbStepper *self, guint32 match)
{
  while (match > self->at)
    match = self->earlier[match - 1];
  if (!match)
    return NULL;
  /* what was replaced by itself is as if it had not been */
  return fb_pass_match (self->pass, match - 1)->after == fb_pass_match (self->pass, match - 1)->before
             ? NULL
             : fb_pass_match (self->pass, match - 1)->after;
}

FbUop *
fb_stepper_target (const FbStepper *self, const FbUop *uop)
{
  return uop->id < self->n_parent ? target_of (self, self->match_of[uop->id]) : NULL;
}

/* --- values --- */

FbUop *
fb_stepper_rebuild (const FbStepper *self, const FbUop *uop, FbUop *const *src)
{
  const FbReplacing *replacing = self->pass->replacing;

  return replacing && replacing->rebuild ? replacing->rebuild (replacing, self->overlay->context, uop, src)
                                         : fb_uop_with_src (self->overlay->context, uop, src);
}

/* The node of @term over the values of its sources, which are known. */
static FbUop *
rebuild (FbStepper *self, guint32 term)
{
  const FbTerm *t = &self->terms[term];
  const guint32 *sources = t->n_sources ? self->sources + t->sources : NULL;
  guint n = t->n_sources;
  FbUop *small[16], **src = small, *result = t->uop;
  /* when it had no value before this move, others may have moved its sources */
  gboolean as_last = self->rebuilt[term] && t->dirty_at == self->serial, as_is = TRUE;

  if (n > G_N_ELEMENTS (small))
    src = g_new (FbUop *, n);
  for (guint i = 0; i < n; i++)
    {
      const FbTerm *source = sources[i] == FB_TERM_NONE ? NULL : &self->terms[sources[i]];

      src[i] = source ? source->value : t->uop->src[i];
      as_is &= src[i] == t->uop->src[i];
      as_last &= !source || source->changed_at != self->serial;
    }
  if (as_last)
    result = self->rebuilt[term];
  else if (!as_is)
    result = fb_stepper_rebuild (self, t->uop, src);
  if (src != small)
    g_free (src);
  self->rebuilt[term] = result;
  return result;
}

/* @term has this value now. */
static void
settle (FbStepper *self, guint32 term, FbUop *value, guint32 alias)
{
  FbTerm *t;
  FbUop *old;

  if (alias != FB_TERM_NONE && alias != self->terms[term].alias)
    add_user (self, alias, term);
  t = &self->terms[term];
  old = t->value;
  t->alias = alias;
  t->state = FB_TERM_CLEAN;
  if (old == value)
    return;
  t->value = value;
  t->changed_at = self->serial;
  if (old && t->dirty_at == self->serial)
    {
      self->info.becomes[old->id] = value;
      self->info.becomes_at[old->id] = self->serial;
    }
}

static gboolean
push (FbStepper *self, guint32 *depth, guint32 term)
{
  if (self->terms[term].state == FB_TERM_ACTIVE)
    {
      const FbUop *uop = self->terms[term].uop;

      fb_context_fail (self->overlay->context, FB_ERROR_DIVERGES, uop, "rewriting does not end: %s stands for itself",
                       fb_op_name (uop->op));
      return FALSE;
    }
  self->terms[term].state = FB_TERM_ACTIVE;
  if (*depth == self->stack_size)
    self->stack = grow_array (self->stack, &self->stack_size, sizeof *self->stack);
  self->stack[(*depth)++] = (Frame){ term, 0 };
  return TRUE;
}

/* The next source of the frame's term without a value; FB_TERM_NONE when all have one. */
static guint32
next_source (FbStepper *self, Frame *frame)
{
  const FbTerm *t = &self->terms[frame->term];
  guint32 n = t->n_sources;

  if (t->sources == FB_TERM_NONE)
    open_sources (self, frame->term);
  for (guint32 first = self->terms[frame->term].sources; frame->next < n; frame->next++)
    {
      guint32 source = self->sources[first + frame->next];

      if (source != FB_TERM_NONE && self->terms[source].state != FB_TERM_CLEAN)
        return source;
    }
  return FB_TERM_NONE;
}

/* Finds the value of @root and of whatever it depends on. FALSE with the overlay's error set. */
static gboolean
evaluate (FbStepper *self, guint32 root)
{
  gboolean once = self->pass->replacing && self->pass->replacing->once;
  guint32 depth = 0;

  if (self->terms[root].state == FB_TERM_CLEAN)
    return TRUE;
  if (!push (self, &depth, root))
    return FALSE;
  while (depth)
    {
      Frame *frame = &self->stack[depth - 1];
      guint32 term = frame->term, needed = FB_TERM_NONE;
      FbUop *value = NULL, *target = target_of (self, self->terms[term].match);

      /* not kept up to date while it stands for something else */
      if (target)
        self->rebuilt[term] = NULL;
      if (target && once)
        {
          value = target;
          target = NULL;
        }
      else if (!target)
        {
          needed = next_source (self, frame);
          if (needed == FB_TERM_NONE)
            {
              value = rebuild (self, term);
              if (value != self->terms[term].uop && !once)
                target = fb_stepper_target (self, value);
            }
        }
      if (target)
        {
          guint32 alias = term_of (self, target);

          if (self->terms[alias].state == FB_TERM_CLEAN)
            {
              settle (self, term, self->terms[alias].value, alias);
              depth--;
              continue;
            }
          needed = alias;
        }
      else if (needed == FB_TERM_NONE)
        {
          settle (self, term, value, FB_TERM_NONE);
          depth--;
          continue;
        }
      if (!push (self, &depth, needed))
        return FALSE;
    }
  return TRUE;
}

FbUop *
fb_stepper_value (FbStepper *self, FbUop *uop)
{
  guint32 term = term_of (self, uop);
  return evaluate (self, term) ? self->terms[term].value : NULL;
}

FbUop *
fb_stepper_value_seen (FbStepper *self, FbUop *uop)
{
  guint32 term;

  if (!self->pass->replacing)
    return fb_stepper_value (self, uop);
  if (uop->id >= self->n_parent || !(term = self->term_of[uop->id]))
    return uop;
  return self->terms[term - 1].state == FB_TERM_CLEAN ? self->terms[term - 1].value : uop;
}

/* --- moving --- */

/* What @term, and all that depends on it, stands for may change. */
static void
make_dirty (FbStepper *self, guint32 term)
{
  guint32 depth = 0;

  if (self->terms[term].state == FB_TERM_DIRTY)
    return;
  self->terms[term].state = FB_TERM_DIRTY;
  self->terms[term].dirty_at = self->serial;
  do
    {
      for (guint32 edge = self->terms[term].first_user; edge != FB_TERM_NONE; edge = self->edges[edge].next)
        {
          guint32 user = self->edges[edge].user;
          FbTerm *t = &self->terms[user];

          if (t->state == FB_TERM_DIRTY)
            continue;
          t->state = FB_TERM_DIRTY;
          t->dirty_at = self->serial;
          if (depth == self->stack_size)
            self->stack = grow_array (self->stack, &self->stack_size, sizeof *self->stack);
          self->stack[depth++].term = user;
        }
    }
  while (depth && (term = self->stack[--depth].term, TRUE));
}

void
fb_stepper_advance (FbStepper *self)
{
  const FbUop *before = fb_pass_match (self->pass, self->at)->before;
  guint32 term = self->term_of[before->id];

  self->at++;
  self->serial++;
  if (term)
    make_dirty (self, term - 1);
  for (guint32 i = 0; i < self->n_terms; i++)
    if (self->rebuilt[i] == before)
      make_dirty (self, i);
}

static void
free_tables (FbStepper *self)
{
  g_clear_pointer (&self->match_of, g_free);
  g_clear_pointer (&self->term_of, g_free);
  g_clear_pointer (&self->moved, g_free);
  g_clear_pointer (&self->overlay, fb_step_overlay_unref);
}

static void
enter_matches (FbStepper *self)
{
  const FbPass *pass = self->pass;

  for (guint i = 0; i < pass->matches->len; i++)
    {
      guint32 *match = &self->match_of[fb_pass_match (pass, i)->before->id];

      self->earlier[i] = *match;
      *match = i + 1;
    }
}

static void
forget_terms (FbStepper *self)
{
  for (guint32 i = 0; i < self->n_terms; i++)
    self->term_of[self->terms[i].uop->id] = 0;
  self->n_terms = self->n_sources = self->n_edges = 0;
}

/* Tables for as many nodes as the context has by now. */
static void
make_tables (FbStepper *self)
{
  free_tables (self);
  self->n_parent = self->context->n_uops;
  self->overlay = fb_step_overlay_new (self->context);
  self->match_of = g_new0 (guint32, self->n_parent);
  self->term_of = g_new0 (guint32, self->n_parent);
  self->n_terms = self->n_sources = self->n_edges = 0;
  enter_matches (self);
}

/* Forgets the nodes of @overlay and keeps its table: as many are to come. */
static void
clear_overlay (FbContext *overlay)
{
  FbUopSlot *slots = g_steal_pointer (&overlay->uop_slots);
  guint32 mask = overlay->uop_mask;

  overlay->uop_mask = 0;
  fb_context_reset (overlay);
  overlay->options = overlay->parent->options;
  overlay->next_unique = overlay->parent->next_unique;
  memset (slots, 0, sizeof *slots * ((gsize) mask + 1));
  overlay->uop_slots = slots;
  overlay->uop_mask = mask;
}

/* An overlay without nodes: the old one, when no step needs it. */
static void
empty_overlay (FbStepper *self)
{
  FbContext *overlay = self->overlay->context;

  if (overlay->n_uops == overlay->first_id && !overlay->error)
    return;
  if (overlay->uop_slots && g_atomic_ref_count_compare (&self->overlay->refs, 1))
    {
      clear_overlay (overlay);
      return;
    }
  fb_step_overlay_unref (self->overlay);
  self->overlay = fb_step_overlay_new (self->context);
}

/* Whether going from where we are costs less than beginning anew: edges to what nodes once stood for are never taken away. */
static gboolean
can_move (const FbStepper *self)
{
  const FbContext *overlay = self->overlay ? self->overlay->context : NULL;

  return overlay && self->at != G_MAXUINT && self->n_parent == self->context->n_uops && !overlay->error
         && overlay->n_uops - overlay->first_id <= FB_STEPPER_MOST_NODES
         && self->n_edges <= 2 * (self->n_sources + self->n_terms);
}

/* All that the matches between here and @at are about may stand for something else now. */
static void
move (FbStepper *self, guint at)
{
  guint first = MIN (self->at, at), end = MAX (self->at, at);

  self->serial += 2;
  self->at = at;
  if (!self->moved)
    self->moved = g_new0 (guint32, self->n_parent);
  for (guint i = first; i < end; i++)
    {
      const FbUop *before = fb_pass_match (self->pass, i)->before;

      self->moved[before->id] = self->serial;
      if (self->term_of[before->id])
        make_dirty (self, self->term_of[before->id] - 1);
    }
  for (guint32 i = 0; i < self->n_terms; i++)
    {
      const FbUop *rebuilt = self->rebuilt[i];

      if (rebuilt && rebuilt->id < self->n_parent && self->moved[rebuilt->id] == self->serial)
        make_dirty (self, i);
    }
}

FbUop *
fb_stepper_go (FbStepper *self, guint at)
{
  if (!can_move (self))
    return fb_stepper_restart (self, at);
  move (self, at);
  return fb_stepper_value (self, self->pass->sink);
}

FbUop *
fb_stepper_restart (FbStepper *self, guint at)
{
  if (!self->overlay || self->n_parent != self->context->n_uops)
    make_tables (self);
  forget_terms (self);
  self->at = at;
  self->serial += 2;
  empty_overlay (self);
  return fb_stepper_value (self, self->pass->sink);
}

void
fb_stepper_forget (FbStepper *self)
{
  self->at = G_MAXUINT;
}

FbUop *
fb_stepper_renew (FbStepper *self)
{
  self->serial += 2;
  for (guint32 i = 0; i < self->n_terms; i++)
    {
      FbTerm *t = &self->terms[i];

      if (self->rebuilt[i] && self->rebuilt[i]->id >= self->n_parent)
        self->rebuilt[i] = NULL;
      if (t->value && t->value->id >= self->n_parent)
        {
          t->value = NULL;
          t->state = FB_TERM_DIRTY;
        }
    }
  empty_overlay (self);
  return fb_stepper_value (self, self->pass->sink);
}

static gpointer
grow_zeroed (gpointer array, guint32 from, guint32 to, gsize item)
{
  char *bytes;

  /* memory fresh from the system is zero already, and mostly stays untouched */
  if (!from)
    return g_malloc0_n (to, item);
  bytes = g_realloc_n (array, to, item);
  memset (bytes + from * item, 0, (to - from) * item);
  return bytes;
}

void
fb_stepper_grow_info (FbStepper *self)
{
  FbNodeInfo *info = &self->info;
  guint32 n = self->overlay->context->n_uops, from = info->size;

  if (n <= from)
    return;
  info->size = MAX (n, MIN (from, G_MAXUINT32 / 2) * 2);
  info->reached = grow_zeroed (info->reached, from, info->size, sizeof *info->reached);
  info->becomes_at = grow_zeroed (info->becomes_at, from, info->size, sizeof *info->becomes_at);
  info->becomes = grow_zeroed (info->becomes, from, info->size, sizeof (FbUop *));
  info->was_at = grow_zeroed (info->was_at, from, info->size, sizeof *info->was_at);
  info->was = grow_zeroed (info->was, from, info->size, sizeof (FbUop *));
}

/* --- life --- */

static void
prepare (const FbPass *pass)
{
  if (pass->replacing && pass->replacing->prepare)
    pass->replacing->prepare (pass->replacing, pass);
}

FbStepper *
fb_stepper_new (FbContext *context, const FbPass *pass)
{
  FbStepper *self = g_new0 (FbStepper, 1);

  prepare (pass);
  self->context = context;
  self->pass = pass;
  self->at = G_MAXUINT;
  self->earlier = g_new (guint32, pass->matches->len + 1);
  return self;
}

void
fb_stepper_set_pass (FbStepper *self, const FbPass *pass)
{
  if (self->pass == pass)
    return;
  prepare (pass);
  forget_terms (self);
  if (self->match_of)
    for (guint i = 0; i < self->pass->matches->len; i++)
      self->match_of[fb_pass_match (self->pass, i)->before->id] = 0;
  self->pass = pass;
  self->at = G_MAXUINT;
  self->earlier = g_renew (guint32, self->earlier, pass->matches->len + 1);
  if (self->match_of)
    enter_matches (self);
}

void
fb_stepper_free (FbStepper *self)
{
  if (!self)
    return;
  free_tables (self);
  g_free (self->earlier);
  g_free (self->terms);
  g_free (self->rebuilt);
  g_free (self->sources);
  g_free (self->edges);
  g_free (self->stack);
  g_free (self->info.reached);
  g_free (self->info.becomes_at);
  g_free (self->info.becomes);
  g_free (self->info.was_at);
  g_free (self->info.was);
  g_free (self->order);
  g_free (self->old_order);
  g_free (self->walk);
  g_free (self);
}

const FbPass *
fb_stepper_pass (const FbStepper *self)
{
  return self->pass;
}
