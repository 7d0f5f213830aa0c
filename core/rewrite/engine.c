#include "engine.h"

#include "core/ir/context-private.h"
#include "rules-private.h"

/* A node rewritten into another again and again without end: the reference stops at its recursion limit
 * (schedule.py:16) or not at all. */
#define MAX_REPLACED_IN_A_ROW 10000

/* Visits between two looks at the cancellable. */
#define CANCEL_INTERVAL 4096

/* In the map: the node is being worked on. Real nodes are aligned, so it cannot be one. */
#define IN_PROGRESS ((guintptr) 1)

typedef struct _FbRewriteFrame Frame;
struct _FbRewriteFrame
{
  FbUop *uop;     /* the node asked for */
  FbUop *current; /* what its sources are taken from; differs from uop bottom-up only */
  FbUop *becomes; /* what it turned into, awaiting that one's own rewriting; NULL before */
  guint32 next;   /* source to look at next */
};

/* One run of the engine. Runs nest, when a rule simplifies something: they share the context's stack, each above the
 * other's frames, so a frame's address does not outlive a call that may push. */
typedef struct
{
  FbRewriter rw;
  FbMatcher matcher;
  const FbRuleSet *rules;
  FbPass *pass;
  FbNodeMap *map;
  guint32 base;  /* frames of the context's stack below are other runs' */
  guint waiting; /* frames that await what they became */
  guint32 rule;  /* the last that fired */
} Rewrite;

static void
rewrite_init (Rewrite *r, FbContext *context, const FbRuleSet *rules, gpointer user, FbPass *pass)
{
  r->rw = (FbRewriter){ context, user };
  fb_matcher_init (&r->matcher, &r->rw, rules);
  r->rules = rules;
  r->pass = pass;
  r->map = fb_node_map_acquire (context);
  r->base = context->n_frames;
  r->waiting = 0;
  r->rule = 0;
}

static void
rewrite_clear (Rewrite *r)
{
  fb_node_map_release (r->rw.context, r->map);
  r->rw.context->n_frames = r->base;
}

/* The rule's replacement for @uop, recorded, or NULL. */
static inline FbUop *
match (Rewrite *r, FbUop *uop)
{
  guint32 first_new = r->rw.context->n_uops;
  FbUop *after;

  if (!fb_op_in (uop->op, r->rules->matched))
    return NULL;
  after = fb_matcher_apply (&r->matcher, uop, &r->rule, r->pass ? r->pass->tries : NULL);

  if (after && r->pass)
    {
      FbMatch m = { uop, after, r->rule, first_new, r->rw.context->n_uops };
      g_array_append_val (r->pass->matches, m);
      r->pass->fired[r->rule]++;
    }
  return after;
}

/* The node with its sources replaced by what they became; itself if none changed. */
static inline FbUop *
rebuild (Rewrite *r, FbUop *uop)
{
  FbUop *small[16], **src = small, *result;
  gboolean changed = FALSE;

  for (guint i = 0; i < uop->n_src && !changed; i++)
    changed = (FbUop *) fb_node_map_get (r->map, uop->src[i]) != uop->src[i];
  if (!changed)
    return uop;
  if (uop->n_src > G_N_ELEMENTS (small))
    src = g_new (FbUop *, uop->n_src);
  for (guint i = 0; i < uop->n_src; i++)
    src[i] = (FbUop *) fb_node_map_get (r->map, uop->src[i]);
  result = fb_uop_with_src (r->rw.context, uop, src);
  if (src != small)
    g_free (src);
  return result;
}

static void
diverges (Rewrite *r, FbUop *uop)
{
  const FbRule *rule = fb_rule_set_rule (r->rules, r->rule);

  fb_context_fail (r->rw.context, FB_ERROR_DIVERGES, uop, "rewriting does not end: rule %s (%s) keeps replacing %s",
                   rule ? rule->name : "?", rule ? rule->location : "?", fb_op_name (uop->op));
}

static inline Frame *
top (Rewrite *r)
{
  return &r->rw.context->frames[r->rw.context->n_frames - 1];
}

static inline void
push (Rewrite *r, FbUop *uop)
{
  FbContext *context = r->rw.context;

  fb_node_map_set (r->map, uop, IN_PROGRESS);
  if (G_UNLIKELY (context->n_frames == context->frames_allocated))
    {
      context->frames_allocated = MAX (256, context->frames_allocated * 2);
      context->frames = g_renew (Frame, context->frames, context->frames_allocated);
    }
  context->frames[context->n_frames++] = (Frame){ .uop = uop, .current = uop };
}

/* The topmost frame's node is done and became @result. */
static inline void
pop (Rewrite *r, FbUop *result)
{
  Frame *frame = top (r);

  if (frame->becomes)
    r->waiting--;
  fb_node_map_set (r->map, frame->uop, (guintptr) result);
  r->rw.context->n_frames--;
}

/* The topmost frame's node became @other, which is rewritten in turn. */
static void
continue_with (Rewrite *r, FbUop *other)
{
  guintptr known = fb_node_map_get (r->map, other);

  if (known == IN_PROGRESS || r->waiting > MAX_REPLACED_IN_A_ROW)
    diverges (r, other);
  else if (known)
    pop (r, (FbUop *) known);
  else
    {
      top (r)->becomes = other;
      r->waiting++;
      push (r, other);
    }
}

/* Top-down, a node without sources: matched at once, and no frame if no rule applies. */
static inline void
visit_leaf (Rewrite *r, FbUop *leaf)
{
  FbUop *result = match (r, leaf);

  if (result)
    {
      push (r, leaf);
      continue_with (r, result);
    }
  else
    fb_node_map_set (r->map, leaf, (guintptr) leaf);
}

/* Bottom-up only: matches the topmost frame's node itself until no rule applies. FALSE on error. */
static gboolean
match_to_fixpoint (Rewrite *r)
{
  FbUop *current = top (r)->uop, *next;
  /* a kernel takes in its sources one level a match, so as many matches as nodes are in order */
  guint64 n = 0, most = MAX_REPLACED_IN_A_ROW + 4 * (guint64) r->rw.context->n_uops;

  while ((next = match (r, current)))
    {
      current = next;
      if (++n > most)
        {
          diverges (r, current);
          return FALSE;
        }
    }
  top (r)->current = current;
  return r->rw.context->error == NULL;
}

/* The next source that is not rewritten yet, or NULL; on a cycle the error is set. */
static inline FbUop *
next_source (Rewrite *r, Frame *frame)
{
  while (frame->next < frame->current->n_src)
    {
      FbUop *s = frame->current->src[frame->next++];
      guintptr word = fb_node_map_get (r->map, s);

      if (!word)
        return s;
      if (G_UNLIKELY (word == IN_PROGRESS))
        {
          diverges (r, s);
          return NULL;
        }
    }
  return NULL;
}

/* ops.py:931 and :937, with a stack of our own. */
static FbUop *
rewrite (Rewrite *r, FbUop *root, gboolean bottom_up)
{
  FbContext *context = r->rw.context;
  guintptr known = fb_node_map_get (r->map, root);
  guint n_visits = 0;

  if (known)
    return (FbUop *) known;
  push (r, root);
  while (context->n_frames > r->base)
    {
      Frame *frame = top (r);
      FbUop *result, *source;

      if (G_UNLIKELY (++n_visits % CANCEL_INTERVAL == 0) && context->cancellable
          && g_cancellable_is_cancelled (context->cancellable))
        {
          fb_context_fail (context, FB_ERROR_CANCELLED, NULL, "cancelled");
          return NULL;
        }
      if (frame->becomes)
        {
          pop (r, (FbUop *) fb_node_map_get (r->map, frame->becomes));
          continue;
        }
      if (bottom_up && frame->next == 0)
        {
          if (!match_to_fixpoint (r))
            return NULL;
          frame = top (r);
        }
      if ((source = next_source (r, frame)))
        {
          if (bottom_up || source->n_src)
            push (r, source);
          else
            visit_leaf (r, source);
          if (G_UNLIKELY (context->error))
            return NULL;
          continue;
        }
      if (G_UNLIKELY (context->error))
        return NULL;
      result = rebuild (r, frame->current);
      if (result != frame->current)
        continue_with (r, result);
      else if (bottom_up)
        pop (r, result);
      else if ((result = match (r, result)))
        continue_with (r, result);
      else if (G_LIKELY (!context->error))
        pop (r, top (r)->uop);
      if (G_UNLIKELY (context->error))
        return NULL;
    }
  return (FbUop *) fb_node_map_get (r->map, root);
}

FbUop *
fb_rewrite (FbContext *context, FbUop *sink, const FbRuleSet *rules, gpointer user, gboolean bottom_up, FbPass *pass)
{
  Rewrite r;
  FbUop *result;

  if (fb_context_failed (context))
    return NULL;
  rewrite_init (&r, context, rules, user, pass);
  result = rewrite (&r, sink, bottom_up);
  if (pass)
    pass->result = result;
  rewrite_clear (&r);
  return result;
}

/* Top-down, the sink's own rewriting reaches every node. */
static gboolean
rewrite_all (Rewrite *r, FbUop *sink, gboolean bottom_up)
{
  g_autoptr (GPtrArray) order = NULL;

  if (!bottom_up)
    return rewrite (r, sink, FALSE) != NULL;
  order = fb_uop_toposort (r->rw.context, sink);
  for (guint i = order->len; i-- > 0;)
    if (!rewrite (r, g_ptr_array_index (order, i), TRUE))
      return FALSE;
  return TRUE;
}

FbUop **
fb_rewrite_map (FbContext *context, FbUop *sink, const FbRuleSet *rules, gpointer user, gboolean bottom_up,
                FbPass *pass)
{
  guint32 n = context->n_uops;
  FbUop **map = NULL;
  Rewrite r;

  if (context->error)
    return NULL;
  rewrite_init (&r, context, rules, user, pass);
  if (rewrite_all (&r, sink, bottom_up))
    {
      map = g_new (FbUop *, n);
      for (guint32 i = 0; i < n; i++)
        map[i] = i < r.map->size && r.map->entries[i].stamp == r.map->stamp ? (FbUop *) r.map->entries[i].value : NULL;
    }
  if (pass)
    pass->result = map ? map[sink->id] : NULL;
  rewrite_clear (&r);
  return map;
}

typedef struct
{
  FbNodeMap *map;
} Substitution;

static FbUop *
substitute (FbRewriter *rw, FbUop *const *m)
{
  const Substitution *s = rw->user;
  return (FbUop *) fb_node_map_get (s->map, m[FB_x]);
}

FbUop *
fb_substitute (FbContext *context, FbUop *uop, guint n, FbUop *const *from, FbUop *const *to)
{
  static const FbPattern any = { .ops = FB_OPS_ALL, .name = FB_x };
  static const FbRule rules[] = {
    { "substitute", "x -> what x stands for", &any, substitute, "ops.py:958" },
  };
  static FbRuleSet *set;
  Substitution s;
  FbUop *result;

  if (g_once_init_enter (&set))
    g_once_init_leave (&set, fb_rule_set_new ("substitute", 1, &(FbRuleTable){ rules, 1 }));
  s.map = fb_node_map_acquire (context);
  for (guint i = 0; i < n; i++)
    fb_node_map_set (s.map, from[i], (guintptr) to[i]);
  result = fb_rewrite (context, uop, set, &s, TRUE, NULL);
  fb_node_map_release (context, s.map);
  return result;
}
