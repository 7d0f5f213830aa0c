#include "engine-private.h"

/* How deep the sources of what rules make are gone into without frames. */
#define MOST_NESTED 16

/* Top-down: what becomes of @uop, which is in progress, replaced @n_replaced others, and is replaced by @result, or, if that is
 * NULL, whose sources are to be looked at. What rules make is mostly small: it has no frames until it is not. NULL on error. */
static FbUop *
settle (FbRun *r, FbUop *uop, FbUop *result, guint32 n_replaced, guint nested)
{
  gboolean rebuilt = FALSE;

  for (;;)
    {
      if (result)
        {
          const guintptr known = get (r, result);

          if (G_UNLIKELY (known & IN_PROGRESS || n_replaced > MAX_REPLACED_IN_A_ROW))
            {
              fb_run_diverges (r, result);
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
                    return fb_frames_settle (r, uop, i, n_replaced, changed);
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
                  fb_run_diverges (r, source);
                  return NULL;
                }
              changed |= known != (guintptr) source;
            }
          if (changed)
            {
              result = fb_run_rebuild (r, uop);
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
settle_over (FbRun *r, FbUop *uop, FbUop *const *src)
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
first_match (FbRun *r, const FbNodeList *order, FbUop **result)
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
rewrite_in_order (FbRun *r, const FbNodeList *order, guint first, FbUop *result)
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
          src[k] = (FbUop *) (r->entries[uop->src[k]->id] ^ r->stamp);
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
rewrite_top_down (FbRun *r, FbUop *root)
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
  FbRun r;
  FbUop *result;

  if (context->error || fb_run_cancelled (context))
    return NULL;
  fb_run_init_rules (&r, context, rules, user, NULL, pass);
  result = bottom_up ? fb_frames_bottom_up (&r, sink) : rewrite_top_down (&r, sink);
  if (pass)
    pass->result = result;
  fb_run_clear (&r);
  return result;
}

/* What the nodes below @n became. */
static FbUop **
map_of (const FbRun *r, guint32 n)
{
  const FbNodeMapEntry *entries = r->entries;
  const guint64 stamp = r->stamp;
  FbUop **map = g_new (FbUop *, n);

  for (guint32 i = 0; i < n; i++)
    map[i] = (FbUop *) fb_node_map_word (entries[i], stamp);
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
  FbRun r;

  if (context->error || fb_run_cancelled (context))
    return NULL;
  fb_run_init_rules (&r, context, rules, user, marks, pass);
  order = fb_uop_order (context, sink);
  first = first_match (&r, order, &replaced);
  if (rewrite_in_order (&r, order, first, replaced))
    {
      map = map_of (&r, n);
    }
  if (pass)
    pass->result = map ? map[sink->id] : NULL;
  fb_node_list_release (context, order);
  fb_run_clear (&r);
  return map;
}

FbNodeMap *
fb_rewrite_nodes (FbContext *context, guint n, FbUop *const *nodes, const FbRuleSet *rules, gpointer user,
                  const FbNodeMap *marks, FbNodeMap *map, FbPass *pass)
{
  gboolean done = !context->error && !fb_run_cancelled (context);
  FbRun r;

  fb_run_init_rules (&r, context, rules, user, marks, pass);
  if (map)
    {
      fb_node_map_release (context, r.map);
      fb_run_use_map (&r, map);
    }
  for (guint i = 0; i < n && done; i++)
    done = fb_frames_bottom_up (&r, nodes[i]) != NULL;
  if (pass && n)
    pass->result = done ? (FbUop *) get (&r, nodes[0]) : NULL;
  fb_run_end (&r);
  if (done)
    return r.map;
  fb_node_map_release (context, r.map);
  return NULL;
}

FbUop *
fb_substitute (FbContext *context, FbUop *uop, guint n, FbUop *const *from, FbUop *const *to)
{
  FbNodeMap *substitutes;
  FbRun r;
  FbUop *result;

  if (context->error || fb_run_cancelled (context))
    return NULL;
  r.rw = (FbRewriter){ context };
  fb_run_init (&r, context);
  r.substitutes = substitutes = fb_node_map_acquire (context);
  /* sources are older than their users, so what is older than all of @from does not hold any of it */
  r.first_affected = G_MAXUINT32;
  for (guint i = 0; i < n; i++)
    {
      fb_node_map_set (substitutes, from[i], (guintptr) to[i]);
      r.first_affected = MIN (r.first_affected, from[i]->id);
    }
  result = fb_frames_substitute (&r, uop);
  fb_run_clear (&r);
  fb_node_map_release (context, substitutes);
  return result;
}
