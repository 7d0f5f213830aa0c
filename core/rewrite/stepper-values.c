/* What every term stands for, found when it is asked for. */
#include "stepper-private.h"

typedef struct _FbTermFrame
{
  guint32 term;
  guint32 next; /* source to look at next */
} Frame;

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

/* --- changes --- */

void
fb_stepper_make_dirty (FbStepper *self, guint32 term)
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
