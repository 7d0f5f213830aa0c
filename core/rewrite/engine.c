#include "engine.h"

#include "core/ir/context-private.h"
#include "dispatch.h"

/* A node rewritten into another again and again without end: the reference stops at its recursion limit
 * (schedule.py:16) or not at all. */
#define MAX_REPLACED_IN_A_ROW 10000

/* Visits between two looks at the cancellable. */
#define CANCEL_INTERVAL 4096

/* In the map, added to a pointer: the node is being worked on. The pointer is to the node it replaced, NULL for none. */
#define IN_PROGRESS ((guintptr) 1)

typedef struct _FbRewriteFrame Frame;
struct _FbRewriteFrame
{
  FbUop *uop;     /* the node asked for, or the latest that replaced it: its entry of the map leads back to the first */
  FbUop *current; /* what its sources are taken from; differs from uop bottom-up only */
  guint32 next;   /* source to look at next */
  guint32 n_replaced;
  gboolean changed; /* a source became another node */
};

/* One run of the engine. Runs nest, when a rule simplifies something: they share the context's stack, each above the
 * other's frames, so a frame's address does not outlive a call that may push. */
typedef struct
{
  FbRewriter rw;
  FbMatcher matcher;
  const FbRuleSet *rules;
  FbPass *pass;
  FbNodeMap *map;         /* has room for every node that exists */
  guint32 base;           /* frames of the context's stack below are other runs' */
  guint n_waiting;        /* nodes that await what replaced them */
  guint32 first_affected; /* nodes made before stay as they are */
  guint until_cancel_check;
  guint n_matches;     /* not in the pass yet */
  FbMatch matches[64]; /* appending one by one to the pass would cost more than most matches */
} Rewrite;

/* To be called after anything that may make nodes. */
static inline void
make_room (Rewrite *r)
{
  if (G_UNLIKELY (r->rw.context->n_uops > r->map->size))
    fb_node_map_grow (r->map, r->rw.context->n_uops - 1);
}

static void
rewrite_init (Rewrite *r, FbContext *context, const FbRuleSet *rules, gpointer user, FbPass *pass)
{
  r->rw = (FbRewriter){ context, user };
  fb_matcher_init (&r->matcher, &r->rw, rules, pass ? pass->tries : NULL);
  r->rules = rules;
  r->pass = pass;
  r->map = fb_node_map_acquire (context);
  r->base = context->n_frames;
  r->n_waiting = 0;
  r->first_affected = 0;
  r->until_cancel_check = CANCEL_INTERVAL;
  r->n_matches = 0;
  make_room (r);
}

/* Moves the latest matches to the pass. */
static void
record (Rewrite *r)
{
  if (r->n_matches)
    fb_pass_add_matches (r->pass, &r->rw.context->arena, r->n_matches, r->matches);
  r->n_matches = 0;
}

static void
rewrite_clear (Rewrite *r)
{
  FbContext *context = r->rw.context;

  /* an error in a size or a number knows no node: it is about the one being worked on */
  if (G_UNLIKELY (context->error) && r->pass && !context->error_uop && context->n_frames > r->base
      && context->error->code != FB_ERROR_CANCELLED)
    context->error_uop = context->frames[context->n_frames - 1].uop;
  record (r);
  fb_node_map_release (context, r->map);
  context->n_frames = r->base;
}

/* What the map holds for a node, 0 when it was not met yet. */
static inline guintptr
get (const Rewrite *r, const FbUop *uop)
{
  const FbNodeMapEntry *entry = &r->map->entries[uop->id];
  return entry->stamp == r->map->stamp ? entry->value : 0;
}

static inline void
set (Rewrite *r, const FbUop *uop, guintptr value)
{
  r->map->entries[uop->id] = (FbNodeMapEntry){ value, r->map->stamp };
}

/* The rule's replacement for @uop, recorded, or NULL. */
static inline FbUop *
match (Rewrite *r, FbUop *uop)
{
  const FbDispatchSlot *candidates = fb_dispatch_find (r->matcher.dispatch, uop);
  guint32 first_new;
  FbUop *after;

  if (candidates->n == 0)
    return NULL;
  first_new = r->rw.context->n_uops;
  after = fb_matcher_apply (&r->matcher, uop, candidates);
  make_room (r);
  if (after && r->pass)
    {
      if (G_UNLIKELY (r->n_matches == G_N_ELEMENTS (r->matches)))
        record (r);
      r->matches[r->n_matches++] = (FbMatch){ uop, after, r->matcher.rule, first_new, r->rw.context->n_uops };
      r->pass->fired[r->matcher.rule]++;
    }
  return after;
}

/* The node over what its sources became. */
static FbUop *
rebuild (Rewrite *r, FbUop *uop)
{
  FbUop *small[16], **src = small, *result;

  if (uop->n_src > G_N_ELEMENTS (small))
    src = g_new (FbUop *, uop->n_src);
  for (guint i = 0; i < uop->n_src; i++)
    src[i] = (FbUop *) get (r, uop->src[i]);
  result = fb_uop_with_src (r->rw.context, uop, src);
  if (src != small)
    g_free (src);
  make_room (r);
  return result;
}

static void
diverges (Rewrite *r, FbUop *uop)
{
  const FbRule *rule = fb_rule_set_rule (r->rules, r->matcher.rule);

  fb_context_fail (r->rw.context, FB_ERROR_DIVERGES, uop, "rewriting does not end: rule %s (%s) keeps replacing %s",
                   rule ? rule->name : "?", rule ? rule->location : "?", fb_op_name (uop->op));
}

static inline Frame *
top (Rewrite *r)
{
  return &r->rw.context->frames[r->rw.context->n_frames - 1];
}

/* The new topmost frame. */
static inline Frame *
push (Rewrite *r, FbUop *uop)
{
  FbContext *context = r->rw.context;
  Frame *frame;

  set (r, uop, IN_PROGRESS);
  if (G_UNLIKELY (context->n_frames == context->frames_allocated))
    {
      context->frames_allocated = MAX (256, context->frames_allocated * 2);
      context->frames = g_renew (Frame, context->frames, context->frames_allocated);
    }
  frame = &context->frames[context->n_frames++];
  *frame = (Frame){ .uop = uop, .current = uop };
  return frame;
}

/* The node of @frame, the topmost, and all that it replaced, became @result. */
static inline void
pop (Rewrite *r, Frame *frame, FbUop *result)
{
  FbUop *uop = frame->uop;

  if (frame->n_replaced)
    {
      r->n_waiting -= frame->n_replaced;
      for (guint i = 0; i < frame->n_replaced; i++)
        {
          FbUop *replaced = (FbUop *) (get (r, uop) & ~IN_PROGRESS);
          set (r, uop, (guintptr) result);
          uop = replaced;
        }
    }
  set (r, uop, (guintptr) result);
  if (--r->rw.context->n_frames > r->base)
    frame[-1].changed |= result != uop;
}

/* The node of @frame, the topmost, became @other, which is rewritten in turn, in the same frame, from @first_source on. FALSE
 * on error. */
static inline gboolean
continue_with (Rewrite *r, Frame *frame, FbUop *other, guint32 first_source)
{
  guintptr known = get (r, other);

  if (G_UNLIKELY (known & IN_PROGRESS || r->n_waiting > MAX_REPLACED_IN_A_ROW))
    {
      diverges (r, other);
      return FALSE;
    }
  if (known)
    pop (r, frame, (FbUop *) known);
  else
    {
      set (r, other, (guintptr) frame->uop | IN_PROGRESS);
      r->n_waiting++;
      frame->uop = frame->current = other;
      frame->next = first_source;
      frame->n_replaced++;
      frame->changed = FALSE;
    }
  return TRUE;
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

static gboolean
cancelled (Rewrite *r)
{
  FbContext *context = r->rw.context;

  r->until_cancel_check = CANCEL_INTERVAL;
  if (!context->cancellable || !g_cancellable_is_cancelled (context->cancellable))
    return FALSE;
  fb_context_fail (context, FB_ERROR_CANCELLED, NULL, "cancelled");
  return TRUE;
}

/* The first source of the topmost frame's node that needs a frame, now topmost; NULL when all are rewritten, or on error.
 * Top-down, a node without sources is matched at once, and gets a frame only when a rule applies. */
static inline Frame *
next_source (Rewrite *r, Frame *frame, const gboolean bottom_up)
{
  FbUop *current = frame->current, *result;
  guint32 n = current->n_src;

  for (guint32 i = frame->next; i < n; i++)
    {
      FbUop *source = current->src[i];
      guintptr word = get (r, source);

      if (word == (guintptr) source)
        continue;
      if (word)
        {
          if (G_UNLIKELY (word & IN_PROGRESS))
            {
              diverges (r, source);
              return NULL;
            }
          frame->changed = TRUE;
          continue;
        }
      if (source->id < r->first_affected)
        {
          set (r, source, (guintptr) source);
          continue;
        }
      frame->next = i + 1;
      if (bottom_up || source->n_src)
        return push (r, source);
      result = match (r, source);
      if (result)
        {
          frame = push (r, source);
          return continue_with (r, frame, result, 0) ? top (r) : NULL;
        }
      if (G_UNLIKELY (r->rw.context->error))
        return NULL;
      set (r, source, (guintptr) source);
      frame = top (r);
    }
  return NULL;
}

/* The sources of @frame, the topmost, are rewritten: its node is rebuilt over them, or matched, or done. FALSE on error. */
static inline gboolean
finish (Rewrite *r, Frame *frame, const gboolean bottom_up)
{
  FbUop *result;

  if (frame->changed)
    { /* top-down, what sources became is final: only the node itself is left to match */
      result = rebuild (r, frame->current);
      return continue_with (r, frame, result, bottom_up ? 0 : result->n_src);
    }
  if (!bottom_up && (result = match (r, frame->current)))
    return continue_with (r, top (r), result, 0);
  if (G_UNLIKELY (r->rw.context->error))
    return FALSE;
  frame = top (r);
  pop (r, frame, frame->current);
  return TRUE;
}

/* ops.py:931 and :937, with a stack of our own. Compiled once for each direction. */
static inline FbUop *
rewrite_in_direction (Rewrite *r, FbUop *root, const gboolean bottom_up)
{
  FbContext *context = r->rw.context;
  guintptr known = get (r, root);

  if (known)
    return (FbUop *) known;
  push (r, root);
  while (context->n_frames > r->base)
    {
      Frame *frame = top (r), *next;

      if (G_UNLIKELY (--r->until_cancel_check == 0) && cancelled (r))
        return NULL;
      if (bottom_up && frame->next == 0)
        {
          if (!match_to_fixpoint (r))
            return NULL;
          frame = top (r);
        }
      while ((next = next_source (r, frame, bottom_up)) && !bottom_up)
        frame = next;
      if (G_UNLIKELY (context->error))
        return NULL;
      if (!next && !finish (r, top (r), bottom_up))
        return NULL;
    }
  return (FbUop *) get (r, root);
}

static FbUop *
rewrite (Rewrite *r, FbUop *root, gboolean bottom_up)
{
  return bottom_up ? rewrite_in_direction (r, root, TRUE) : rewrite_in_direction (r, root, FALSE);
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
        map[i] = r.map->entries[i].stamp == r.map->stamp ? (FbUop *) r.map->entries[i].value : NULL;
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
  Rewrite r;
  FbUop *result;

  if (context->error)
    return NULL;
  if (g_once_init_enter (&set))
    g_once_init_leave (&set, fb_rule_set_new ("substitute", 1, &(FbRuleTable){ rules, 1 }));
  s.map = fb_node_map_acquire (context);
  rewrite_init (&r, context, set, &s, NULL);
  /* sources are older than their users, so what is older than all of @from does not hold any of it */
  r.first_affected = G_MAXUINT32;
  for (guint i = 0; i < n; i++)
    {
      fb_node_map_set (s.map, from[i], (guintptr) to[i]);
      r.first_affected = MIN (r.first_affected, from[i]->id);
    }
  result = rewrite (&r, uop, TRUE);
  rewrite_clear (&r);
  fb_node_map_release (context, s.map);
  return result;
}
