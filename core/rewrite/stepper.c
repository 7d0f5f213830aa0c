/* From match to match: where the stepper is, and the nodes it made for that. */
#include "stepper-private.h"

#include <string.h>

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

/* --- moving --- */

void
fb_stepper_advance (FbStepper *self)
{
  const FbUop *before = fb_pass_match (self->pass, self->at)->before;
  guint32 term = self->term_of[before->id];

  self->at++;
  self->serial++;
  if (term)
    fb_stepper_make_dirty (self, term - 1);
  for (guint32 i = 0; i < self->n_terms; i++)
    if (self->rebuilt[i] == before)
      fb_stepper_make_dirty (self, i);
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
        fb_stepper_make_dirty (self, self->term_of[before->id] - 1);
    }
  for (guint32 i = 0; i < self->n_terms; i++)
    {
      const FbUop *rebuilt = self->rebuilt[i];

      if (rebuilt && rebuilt->id < self->n_parent && self->moved[rebuilt->id] == self->serial)
        fb_stepper_make_dirty (self, i);
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
