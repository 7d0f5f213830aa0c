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

/* How a run looks for replacements: constant where the engine is compiled, once for each. */
typedef enum
{
  TOP_DOWN,   /* by rules, a node after its sources */
  BOTTOM_UP,  /* by rules, a node before its sources */
  SUBSTITUTE, /* bottom-up, by a map from nodes to nodes */
} Mode;

/* Of functions that are compiled once for each mode. */
#define FOR_MODE G_ALWAYS_INLINE static inline

/* One run of the engine. Runs nest, when a rule simplifies something: they share the context's stack, each above the
 * other's frames. */
typedef struct
{
  FbRewriter rw;
  FbMatcher *matcher; /* by rules only */
  const FbRuleSet *rules;
  FbPass *pass;
  const FbNodeMap *substitutes; /* SUBSTITUTE only */
  FbNodeMap *map;               /* has room for every node that exists */
  FbNodeMapEntry *entries;      /* the map's, */
  guint32 stamp;                /* and the stamp of those that count: read for every node */
  guint32 base;                 /* frames of the context's stack below are other runs' */
  guint n_waiting;              /* nodes that await what replaced them */
  guint32 first_affected;       /* nodes made before stay as they are */
  guint until_cancel_check;
  const FbUop *failed_at; /* on error, the node that was being worked on */
  guint n_matches;        /* not in the pass yet */
  FbMatch matches[64];    /* appending one by one to the pass would cost more than most matches */
} Rewrite;

/* To be called after anything that may have made a node that the map is asked for. */
static inline void
make_room (Rewrite *r)
{
  if (G_LIKELY (r->rw.context->n_uops <= r->map->size))
    return;
  fb_node_map_grow (r->map, r->rw.context->n_uops - 1);
  r->entries = r->map->entries;
}

static void
use_map (Rewrite *r, FbNodeMap *map)
{
  r->map = map;
  r->entries = map->entries;
  r->stamp = map->stamp;
  make_room (r);
}

static void
rewrite_init (Rewrite *r, FbContext *context)
{
  r->rules = NULL;
  r->pass = NULL;
  use_map (r, fb_node_map_acquire (context));
  r->base = context->n_frames;
  r->n_waiting = 0;
  r->first_affected = 0;
  r->until_cancel_check = CANCEL_INTERVAL;
  r->failed_at = NULL;
  r->n_matches = 0;
}

static void
rewrite_init_rules (Rewrite *r, FbContext *context, const FbRuleSet *rules, gpointer user, const FbNodeMap *marks,
                    FbPass *pass)
{
  r->rw = (FbRewriter){ context, user, marks };
  r->matcher = fb_matcher_acquire (&r->rw, rules, pass ? pass->tries : NULL);
  rewrite_init (r, context);
  r->rules = rules;
  r->pass = pass;
  if (pass && G_UNLIKELY (pass->ticks))
    {
      fb_matcher_measure (r->matcher, pass->ticks);
      pass->ticks->began = fb_ticks ();
    }
}

/* Moves the latest matches to the pass. */
static void
record (Rewrite *r)
{
  if (r->n_matches)
    fb_pass_add_matches (r->pass, &r->rw.context->arena, r->n_matches, r->matches);
  r->n_matches = 0;
}

/* The map is left. */
static void
rewrite_end (Rewrite *r)
{
  FbContext *context = r->rw.context;

  /* an error in a size or a number knows no node: it is about the one being worked on */
  if (G_UNLIKELY (context->error) && r->pass && !context->error_uop && context->error->code != FB_ERROR_CANCELLED)
    context->error_uop = r->failed_at;
  record (r);
  if (r->pass && G_UNLIKELY (r->pass->ticks))
    r->pass->ticks->whole += fb_ticks () - r->pass->ticks->began;
  context->n_frames = r->base;
  if (r->rules)
    fb_matcher_release (r->matcher);
}

static void
rewrite_clear (Rewrite *r)
{
  rewrite_end (r);
  fb_node_map_release (r->rw.context, r->map);
}

/* What the map holds for a node, 0 when it was not met yet. */
static inline guintptr
get (const Rewrite *r, const FbUop *uop)
{
  const FbNodeMapEntry *entry = &r->entries[uop->id];
  return entry->stamp == r->stamp ? entry->value : 0;
}

static inline void
set (Rewrite *r, const FbUop *uop, guintptr value)
{
  r->entries[uop->id] = (FbNodeMapEntry){ value, r->stamp };
}

/* Notes that a rule replaced @uop by @after. */
G_GNUC_NO_INLINE static void
note_match (Rewrite *r, FbUop *uop, FbUop *after, guint32 first_new)
{
  make_room (r);
  if (!r->pass)
    return;
  if (G_UNLIKELY (r->n_matches == G_N_ELEMENTS (r->matches)))
    record (r);
  r->matches[r->n_matches++] = (FbMatch){ uop, after, r->matcher->rule, first_new, r->rw.context->n_uops };
  r->pass->fired[r->matcher->rule]++;
}

/* What replaces @uop, or NULL. */
FOR_MODE FbUop *
match (Rewrite *r, FbUop *uop, const Mode mode)
{
  FbCandidates candidates;
  guint32 first_new;
  FbUop *after;

  if (mode == SUBSTITUTE)
    return (FbUop *) fb_node_map_get (r->substitutes, uop);
  candidates = fb_dispatch_find (r->matcher->dispatch, uop);
  if (*candidates == FB_NO_RULE)
    return NULL;
  first_new = r->rw.context->n_uops;
  after = r->matcher->apply_first (r->matcher, uop, candidates);
  if (after)
    note_match (r, uop, after, first_new);
  return after;
}

/* The node over what its sources became. */
static FbUop *
rebuild (Rewrite *r, FbUop *uop)
{
  FbUop *small[16], **src = small, *result;

  if (uop->n_src > G_N_ELEMENTS (small))
    src = g_new (FbUop *, uop->n_src);
  small[0] = NULL;
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
  const FbRule *rule = r->rules ? fb_rule_set_rule (r->rules, r->matcher->rule) : NULL;

  if (rule)
    fb_context_fail (r->rw.context, FB_ERROR_DIVERGES, uop, "rewriting does not end: rule %s (%s) keeps replacing %s",
                     rule->name, rule->location, fb_op_name (uop->op));
  else
    fb_context_fail (r->rw.context, FB_ERROR_DIVERGES, uop, "substituting does not end: %s keeps being replaced",
                     fb_op_name (uop->op));
}

G_GNUC_NO_INLINE static void
grow_frames (FbContext *context)
{
  context->frames_allocated = MAX (256, context->frames_allocated * 2);
  context->frames = g_renew (Frame, context->frames, context->frames_allocated);
}

/* The frame of @uop, which was not met yet. */
static inline Frame
enter (Rewrite *r, FbUop *uop)
{
  set (r, uop, IN_PROGRESS);
  return (Frame){ .uop = uop, .current = uop };
}

/* Puts @frame aside until a source of its node is done. */
static inline void
push (Rewrite *r, const Frame *frame)
{
  FbContext *context = r->rw.context;

  if (G_UNLIKELY (context->n_frames == context->frames_allocated))
    grow_frames (context);
  context->frames[context->n_frames++] = *frame;
}

/* The node of @frame, and all that it replaced, became @result. @frame is the latest put aside then; FALSE when none is left. */
static inline gboolean
pop (Rewrite *r, Frame *frame, FbUop *result)
{
  FbUop *uop = frame->uop;

  r->n_waiting -= frame->n_replaced;
  for (guint i = frame->n_replaced; i > 0; i--)
    {
      FbUop *replaced = (FbUop *) (get (r, uop) & ~IN_PROGRESS);
      set (r, uop, (guintptr) result);
      uop = replaced;
    }
  set (r, uop, (guintptr) result);
  if (r->rw.context->n_frames == r->base)
    return FALSE;
  *frame = r->rw.context->frames[--r->rw.context->n_frames];
  frame->changed |= result != uop;
  return TRUE;
}

/* The node of @frame became @other, which is rewritten in turn, in the same frame, from @first_source on; or is known already,
 * and done with. FALSE when no frame is left, or on error. */
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
    return pop (r, frame, (FbUop *) known);
  set (r, other, (guintptr) frame->uop | IN_PROGRESS);
  r->n_waiting++;
  frame->uop = frame->current = other;
  frame->next = first_source;
  frame->n_replaced++;
  frame->changed = FALSE;
  return TRUE;
}

/* Bottom-up only: matches @current, of @frame, until no rule applies, and @next is what it was replaced by first. FALSE on
 * error. */
FOR_MODE gboolean
match_to_fixpoint (Rewrite *r, Frame *frame, FbUop *next, const Mode mode)
{
  /* a kernel takes in its sources one level a match, so as many matches as nodes are in order */
  guint64 n = 0, most = MAX_REPLACED_IN_A_ROW + 4 * (guint64) r->rw.context->n_uops;

  for (; next; next = match (r, frame->current, mode))
    {
      frame->current = next;
      if (G_UNLIKELY (++n > most))
        {
          diverges (r, next);
          return FALSE;
        }
    }
  return r->rw.context->error == NULL;
}

/* Is the run to end before it is done? A run looks at that when it begins, and then every CANCEL_INTERVAL visits. */
static gboolean
cancelled (FbContext *context)
{
  if (!context->cancellable || !g_cancellable_is_cancelled (context->cancellable))
    return FALSE;
  fb_context_fail (context, FB_ERROR_CANCELLED, NULL, "cancelled");
  return TRUE;
}

static inline gboolean
cancelled_meanwhile (Rewrite *r)
{
  if (G_LIKELY (--r->until_cancel_check))
    return FALSE;
  r->until_cancel_check = CANCEL_INTERVAL;
  return cancelled (r->rw.context);
}

/* Goes on to the first source of @frame's node that is not rewritten yet: @frame is that source's then, its own is put aside.
 * When all are, its `next` is their number. A source without sources is matched at once, and gets a frame only when a rule
 * applies. Bottom-up, any source is matched before it is gone into. FALSE on error. */
FOR_MODE gboolean
next_source (Rewrite *r, Frame *frame, const Mode mode)
{
  const FbUop *current = frame->current;

  for (const guint32 n = current->n_src; frame->next < n;)
    {
      FbUop *source = current->src[frame->next++], *result = NULL;
      guintptr known = get (r, source);

      if (G_LIKELY (known))
        {
          if (G_UNLIKELY (known & IN_PROGRESS))
            {
              diverges (r, source);
              return FALSE;
            }
          frame->changed |= known != (guintptr) source;
          continue;
        }
      if (mode == SUBSTITUTE && source->id < r->first_affected)
        {
          set (r, source, (guintptr) source);
          continue;
        }
      if (mode != TOP_DOWN || source->n_src == 0)
        {
          result = match (r, source, mode);
          if (G_UNLIKELY (r->rw.context->error))
            {
              *frame = (Frame){ .uop = source };
              return FALSE;
            }
          if (!result && source->n_src == 0)
            {
              set (r, source, (guintptr) source);
              continue;
            }
        }
      push (r, frame);
      *frame = enter (r, source);
      if (!result)
        return TRUE;
      return mode == TOP_DOWN ? continue_with (r, frame, result, 0) : match_to_fixpoint (r, frame, result, mode);
    }
  return TRUE;
}

/* The sources of @frame are rewritten: its node is rebuilt over them, or matched, or done. FALSE when no frame is left, or on
 * error. */
FOR_MODE gboolean
finish (Rewrite *r, Frame *frame, const Mode mode)
{
  FbUop *uop = frame->current, *result;

  if (frame->changed)
    {
      result = rebuild (r, uop);
      /* top-down, what sources became is final: only the node itself is left to match */
      if (mode == TOP_DOWN)
        return continue_with (r, frame, result, result->n_src);
      if (!continue_with (r, frame, result, 0))
        return FALSE;
      return frame->uop != result || match_to_fixpoint (r, frame, match (r, result, mode), mode);
    }
  if (mode == TOP_DOWN)
    {
      result = match (r, uop, mode);
      if (G_UNLIKELY (r->rw.context->error))
        return FALSE;
      if (result)
        return continue_with (r, frame, result, 0);
    }
  return pop (r, frame, uop);
}

/* Works until @frame, and all that is put aside meanwhile, is done; FALSE on error. The frame is the caller's copy: what a node
 * needs that is not put aside stays in registers. */
FOR_MODE gboolean
work (Rewrite *r, Frame frame, const Mode mode)
{
  gboolean more = TRUE;

  while (more)
    {
      if (G_UNLIKELY (cancelled_meanwhile (r)))
        break;
      more = next_source (r, &frame, mode);
      if (more && frame.next == frame.current->n_src)
        more = finish (r, &frame, mode);
    }
  r->failed_at = frame.uop;
  return r->rw.context->error == NULL;
}

/* ops.py:931 and :937, with a stack of our own. */
FOR_MODE FbUop *
rewrite_in_mode (Rewrite *r, FbUop *root, const Mode mode)
{
  guintptr known = get (r, root);
  Frame frame;

  if (known)
    return (FbUop *) known;
  frame = enter (r, root);
  if (mode != TOP_DOWN && !match_to_fixpoint (r, &frame, match (r, root, mode), mode))
    {
      r->failed_at = root;
      return NULL;
    }
  return work (r, frame, mode) ? (FbUop *) get (r, root) : NULL;
}

/* How deep the sources of what rules make are gone into without frames. */
#define MOST_NESTED 16

/* The node @uop, which replaced @n_replaced others, from source @next on. What becomes of it, NULL on error. */
G_GNUC_NO_INLINE static FbUop *
settle_by_frames (Rewrite *r, FbUop *uop, guint32 next, guint32 n_replaced, gboolean changed)
{
  r->n_waiting += n_replaced;
  if (!work (r, (Frame){ uop, uop, next, n_replaced, changed }, TOP_DOWN))
    return NULL;
  return (FbUop *) get (r, uop);
}

/* Top-down: what becomes of @uop, which is in progress, replaced @n_replaced others, and is replaced by @result, or, if that is
 * NULL, whose sources are to be looked at. What rules make is mostly small: it has no frames until it is not. NULL on error. */
static FbUop *
settle (Rewrite *r, FbUop *uop, FbUop *result, guint32 n_replaced, guint nested)
{
  gboolean rebuilt = FALSE;

  for (;;)
    {
      if (result)
        {
          const guintptr known = get (r, result);

          if (G_UNLIKELY (known & IN_PROGRESS || n_replaced > MAX_REPLACED_IN_A_ROW))
            {
              diverges (r, result);
              return NULL;
            }
          if (known)
            {
              result = (FbUop *) known;
              break;
            }
          set (r, result, (guintptr) uop | IN_PROGRESS);
          n_replaced++;
          uop = result;
        }
      if (!rebuilt)
        {
          gboolean changed = FALSE;

          for (guint32 i = 0; i < uop->n_src; i++)
            {
              FbUop *source = uop->src[i], *other = NULL;
              guintptr known = get (r, source);

              if (!known)
                {
                  if (G_UNLIKELY (nested == MOST_NESTED))
                    return settle_by_frames (r, uop, i, n_replaced, changed);
                  if (!source->n_src && !(other = match (r, source, TOP_DOWN)) && G_LIKELY (!r->rw.context->error))
                    {
                      set (r, source, (guintptr) source);
                      continue;
                    }
                  if (G_UNLIKELY (r->rw.context->error))
                    {
                      r->failed_at = source;
                      return NULL;
                    }
                  set (r, source, IN_PROGRESS);
                  known = (guintptr) settle (r, source, other, 0, nested + 1);
                  if (!known)
                    return NULL;
                }
              else if (G_UNLIKELY (known & IN_PROGRESS))
                {
                  diverges (r, source);
                  return NULL;
                }
              changed |= known != (guintptr) source;
            }
          if (changed)
            {
              result = rebuild (r, uop);
              rebuilt = TRUE;
              continue;
            }
        }
      rebuilt = FALSE;
      result = match (r, uop, TOP_DOWN);
      if (G_UNLIKELY (r->rw.context->error || cancelled_meanwhile (r)))
        {
          r->failed_at = uop;
          return NULL;
        }
      if (!result)
        {
          result = uop;
          break;
        }
    }
  for (; n_replaced > 0; n_replaced--)
    {
      FbUop *replaced = (FbUop *) (get (r, uop) & ~IN_PROGRESS);
      set (r, uop, (guintptr) result);
      uop = replaced;
    }
  set (r, uop, (guintptr) result);
  return result;
}

/* Top-down: what becomes of @uop, whose sources are done, some of them other nodes: @src. Mostly itself over these. NULL on
 * error. */
static inline FbUop *
settle_over (Rewrite *r, FbUop *uop, FbUop *const *src)
{
  FbUop *rebuilt = fb_uop_with_src (r->rw.context, uop, src), *result;
  guintptr known;

  make_room (r);
  known = get (r, rebuilt);
  if (!known)
    {
      result = match (r, rebuilt, TOP_DOWN);
      if (G_UNLIKELY (r->rw.context->error))
        {
          r->failed_at = rebuilt;
          return NULL;
        }
      if (result)
        {
          set (r, uop, IN_PROGRESS);
          set (r, rebuilt, (guintptr) uop | IN_PROGRESS);
          return settle (r, rebuilt, result, 1, 0);
        }
      known = (guintptr) rebuilt;
      set (r, rebuilt, known);
    }
  set (r, uop, known);
  return (FbUop *) known;
}

/* The place in @order of the first node that a rule replaces, by *@result, or where an error came up; its length when there is
 * none. Nothing has changed until there, so the map is not needed. */
static guint
first_match (Rewrite *r, const FbNodeList *order, FbUop **result)
{
  *result = NULL;
  for (guint i = 0; i < order->n; i++)
    if (G_UNLIKELY (cancelled_meanwhile (r)) || (*result = match (r, order->at[i], TOP_DOWN))
        || G_UNLIKELY (r->rw.context->error))
      return i;
  return order->n;
}

/* Top-down, a node is matched when its sources are done, which is the order of a toposort: only what is replaced needs frames.
 * @first and @result: of first_match(). FALSE on error. */
static gboolean
rewrite_in_order (Rewrite *r, const FbNodeList *order, guint first, FbUop *result)
{
  FbUop *small[16];

  for (guint i = 0; i < first; i++)
    set (r, order->at[i], (guintptr) order->at[i]);
  for (guint i = first; i < order->n; i++, result = NULL)
    {
      FbUop *uop = order->at[i], **src = small;
      const guint32 n = uop->n_src;
      gboolean changed = FALSE;

      if (G_UNLIKELY (cancelled_meanwhile (r)))
        return FALSE;
      if (get (r, uop)) /* met where something was replaced */
        continue;
      if (G_UNLIKELY (n > G_N_ELEMENTS (small)))
        src = g_new (FbUop *, n);
      for (guint32 k = 0; k < n; k++)
        {
          src[k] = (FbUop *) r->entries[uop->src[k]->id].value;
          changed |= src[k] != uop->src[k];
        }
      if (changed)
        result = settle_over (r, uop, src);
      if (G_UNLIKELY (n > G_N_ELEMENTS (small)))
        g_free (src);
      if (changed)
        {
          if (!result)
            return FALSE;
          continue;
        }
      if (i > first)
        result = match (r, uop, TOP_DOWN);
      if (G_UNLIKELY (r->rw.context->error))
        {
          r->failed_at = uop;
          return FALSE;
        }
      set (r, uop, result ? IN_PROGRESS : (guintptr) uop);
      if (result && !settle (r, uop, result, 0, 0))
        return FALSE;
    }
  return TRUE;
}

static FbUop *
rewrite_bottom_up (Rewrite *r, FbUop *root)
{
  return rewrite_in_mode (r, root, BOTTOM_UP);
}

static FbUop *
rewrite_top_down (Rewrite *r, FbUop *root)
{
  FbUop *result = NULL, *replaced;
  FbNodeList *order;
  guint first;

  if (!r->pass) /* a part of a graph, that nobody will ask the order of again */
    {
      set (r, root, IN_PROGRESS);
      return settle (r, root, NULL, 0, 0);
    }
  order = fb_uop_order (r->rw.context, root);
  first = first_match (r, order, &replaced);
  if (first == order->n)
    result = root;
  else if (rewrite_in_order (r, order, first, replaced))
    result = (FbUop *) get (r, root);
  fb_node_list_release (r->rw.context, order);
  return result;
}

FbUop *
fb_rewrite (FbContext *context, FbUop *sink, const FbRuleSet *rules, gpointer user, gboolean bottom_up, FbPass *pass)
{
  Rewrite r;
  FbUop *result;

  if (context->error || cancelled (context))
    return NULL;
  rewrite_init_rules (&r, context, rules, user, NULL, pass);
  result = bottom_up ? rewrite_bottom_up (&r, sink) : rewrite_top_down (&r, sink);
  if (pass)
    pass->result = result;
  rewrite_clear (&r);
  return result;
}

/* What the nodes below @n became. */
static FbUop **
map_of (const Rewrite *r, guint32 n)
{
  const FbNodeMapEntry *entries = r->entries;
  const guint32 stamp = r->stamp;
  FbUop **map = g_new (FbUop *, n);

  for (guint32 i = 0; i < n; i++)
    map[i] = entries[i].stamp == stamp ? (FbUop *) entries[i].value : NULL;
  return map;
}

FbUop **
fb_rewrite_map (FbContext *context, FbUop *sink, const FbRuleSet *rules, gpointer user, const FbNodeMap *marks,
                FbPass *pass)
{
  guint32 n = context->n_uops;
  FbUop **map = NULL, *replaced;
  FbNodeList *order;
  guint first;
  Rewrite r;

  if (context->error || cancelled (context))
    return NULL;
  rewrite_init_rules (&r, context, rules, user, marks, pass);
  order = fb_uop_order (context, sink);
  first = first_match (&r, order, &replaced);
  if (rewrite_in_order (&r, order, first, replaced))
    {
      map = map_of (&r, n);
    }
  if (pass)
    pass->result = map ? map[sink->id] : NULL;
  fb_node_list_release (context, order);
  rewrite_clear (&r);
  return map;
}

FbNodeMap *
fb_rewrite_nodes (FbContext *context, guint n, FbUop *const *nodes, const FbRuleSet *rules, gpointer user,
                  const FbNodeMap *marks, FbNodeMap *map, FbPass *pass)
{
  gboolean done = !context->error && !cancelled (context);
  Rewrite r;

  rewrite_init_rules (&r, context, rules, user, marks, pass);
  if (map)
    {
      fb_node_map_release (context, r.map);
      use_map (&r, map);
    }
  for (guint i = 0; i < n && done; i++)
    done = rewrite_bottom_up (&r, nodes[i]) != NULL;
  if (pass && n)
    pass->result = done ? (FbUop *) get (&r, nodes[0]) : NULL;
  rewrite_end (&r);
  if (done)
    return r.map;
  fb_node_map_release (context, r.map);
  return NULL;
}

FbUop *
fb_substitute (FbContext *context, FbUop *uop, guint n, FbUop *const *from, FbUop *const *to)
{
  FbNodeMap *substitutes;
  Rewrite r;
  FbUop *result;

  if (context->error || cancelled (context))
    return NULL;
  r.rw = (FbRewriter){ context };
  rewrite_init (&r, context);
  r.substitutes = substitutes = fb_node_map_acquire (context);
  /* sources are older than their users, so what is older than all of @from does not hold any of it */
  r.first_affected = G_MAXUINT32;
  for (guint i = 0; i < n; i++)
    {
      fb_node_map_set (substitutes, from[i], (guintptr) to[i]);
      r.first_affected = MIN (r.first_affected, from[i]->id);
    }
  result = rewrite_in_mode (&r, uop, SUBSTITUTE);
  rewrite_clear (&r);
  fb_node_map_release (context, substitutes);
  return result;
}
