/* Whether the graph after some matches can be had at once, by replacing in the input.
 *
 * Viewers replace in the graph of the step before. What comes out is nevertheless what replacing all of it in the input gives, if
 * no replacement can get in the way of another: then the order of replacing does not matter (rules without overlaps are confluent).
 * That holds when
 *   - a node is replaced by one node only,
 *   - no node that is replaced holds another one that is; or if so, one that is replaced later, and then nothing replaced put the
 *     outer node together,
 *   - what a call does not look into is not looked into from elsewhere either: then it depends on who comes first.
 * Where dtypes are derived anew, all that may change must follow from those of sources. With `walk`, which looks at a node once a step, no replacement may hold a
 * node that is replaced either, nor a node be put together again that was replaced before. */
#include <string.h>

#include "viztrace-private.h"

#define NONE G_MAXUINT32

/* What is known of a node; of this look only when @serial is right. */
struct _FbVizMark
{
  guint32 serial;
  guint32 replaced; /* the first match of it, from 1; 0: none */
  guint32 made;     /* the last match that made it, from 1; 0: none */
  guint32 lowest;   /* the first match of it or of what it holds; NONE */
  guint32 highest;  /* the last match that made it or what it holds; 0 */
  FbUop *into;
  gboolean entered, closed;
  gboolean retyped; /* it, or what it holds, is replaced by a node of another dtype */
};
typedef struct _FbVizMark Mark;

typedef struct
{
  FbVizNodes *nodes;
  const FbVizRewrite *rewrite;
  guint n;
  const FbMatch *matches;
  GArray *stack;     /* of Frame */
  GPtrArray *closed; /* nodes that calls do not look into */
  guint left;        /* nodes that may still be looked at */
  gboolean derive;
  gboolean typed; /* no dtype depends on what is replaced when */
} Look;

typedef struct
{
  FbUop *uop;
  guint32 next;
} Frame;

static Mark *
mark_of (const Look *look, const FbUop *uop)
{
  FbVizNodes *nodes = look->nodes;
  Mark *mark = &nodes->marks[uop->id];

  if (mark->serial != nodes->mark_serial)
    *mark = (Mark){ .serial = nodes->mark_serial, .lowest = NONE };
  return mark;
}

/* Enters the matches; FALSE when a node is replaced by different ones. */
static gboolean
enter_matches (const Look *look)
{
  gboolean one = TRUE;

  for (guint i = 0; i < look->n; i++)
    {
      const FbMatch *match = &look->matches[i];
      Mark *mark = mark_of (look, match->before);

      if (match->before == match->after)
        {
          one &= !mark->replaced;
          continue;
        }
      one &= !mark->replaced || mark->into == match->after;
      if (!mark->replaced)
        mark->replaced = i + 1;
      mark->into = match->after;
      mark->retyped |= match->before->dtype != match->after->dtype;
      mark_of (look, match->after)->made = i + 1;
    }
  return one;
}

/* All sources of @uop are told. */
static void
finish (Look *look, const FbUop *uop, guint closed)
{
  Mark *mark = mark_of (look, uop);
  gboolean retyped = FALSE;

  mark->lowest = mark->replaced ? mark->replaced : NONE;
  mark->highest = mark->made;
  for (guint i = closed; i < uop->n_src; i++)
    {
      const Mark *source = mark_of (look, uop->src[i]);

      mark->lowest = MIN (mark->lowest, source->lowest);
      mark->highest = MAX (mark->highest, source->highest);
      retyped |= source->retyped;
    }
  mark->retyped |= retyped;
  if (retyped && look->derive)
    look->typed &= fb_viz_dtype_follows (uop);
}

/* Looks into everything below @root that calls do not close; FALSE when it is too much. */
static gboolean
enter_graph (Look *look, FbUop *root)
{
  Frame frame = { root, 0 };

  if (mark_of (look, root)->entered)
    return TRUE;
  mark_of (look, root)->entered = TRUE;
  g_array_append_val (look->stack, frame);
  while (look->stack->len)
    {
      Frame *top = &g_array_index (look->stack, Frame, look->stack->len - 1);
      FbUop *uop = top->uop;
      guint closed = fb_viz_n_closed (look->nodes->trace, look->rewrite, uop);
      guint32 i = top->next++;
      Mark *mark;

      if (i < closed)
        {
          mark = mark_of (look, uop->src[i]);
          if (!mark->closed)
            g_ptr_array_add (look->closed, uop->src[i]);
          mark->closed = TRUE;
        }
      else if (i < uop->n_src)
        {
          mark = mark_of (look, uop->src[i]);
          if (mark->entered)
            continue;
          if (look->left == 0)
            return FALSE;
          look->left--;
          mark->entered = TRUE;
          frame.uop = uop->src[i];
          g_array_append_val (look->stack, frame);
        }
      else
        {
          finish (look, uop, closed);
          g_array_set_size (look->stack, look->stack->len - 1);
        }
    }
  return TRUE;
}

/* Match @i does not get in the way of others. */
static gboolean
is_apart (const Look *look, guint i)
{
  const FbMatch *match = &look->matches[i];
  guint32 at = mark_of (look, match->before)->replaced, lowest = NONE, highest = 0;
  gboolean walk = look->rewrite->walk;

  for (guint k = fb_viz_n_closed (look->nodes->trace, look->rewrite, match->before); k < match->before->n_src; k++)
    {
      const Mark *mark = mark_of (look, match->before->src[k]);

      lowest = MIN (lowest, mark->lowest);
      highest = MAX (highest, mark->highest);
    }
  if (walk)
    return lowest == NONE && highest < at && mark_of (look, match->after)->lowest == NONE;
  return lowest == NONE || (lowest > at && highest == 0);
}

static FbVizOrder
look_at (Look *look, FbUop *sink)
{
  gboolean apart = enter_matches (look), closed = TRUE, all = enter_graph (look, sink);

  for (guint i = 0; i < look->n && all; i++)
    all = enter_graph (look, look->matches[i].before) && enter_graph (look, look->matches[i].after);
  if (!all)
    return FB_VIZ_UNKNOWN;
  for (guint i = 0; i < look->closed->len; i++)
    {
      const Mark *mark = mark_of (look, g_ptr_array_index (look->closed, i));
      closed &= !mark->replaced && !mark->entered;
    }
  apart &= look->typed;
  for (guint i = 0; i < look->n && apart; i++)
    if (look->matches[i].before != look->matches[i].after)
      apart = is_apart (look, i);
  if (!closed)
    return FB_VIZ_IN_TURN;
  if (apart)
    return FB_VIZ_ANY_ORDER;
  return look->rewrite->bottom_up ? FB_VIZ_AT_ONCE : FB_VIZ_IN_TURN;
}

FbVizOrder
fb_viz_nodes_order (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, guint n, const FbMatch *matches,
                    guint limit)
{
  Look look = { .nodes = nodes,
                .rewrite = rewrite,
                .n = n,
                .matches = matches,
                .left = limit - MIN (limit, n),
                .derive = fb_viz_release_derives_dtype (nodes->trace->release),
                .typed = TRUE };
  guint32 n_uops = fb_context_n_uops (nodes->context);
  FbVizOrder order;

  nodes->n_looked = 0;
  if (n == 0)
    return FB_VIZ_ANY_ORDER;
  if (n > limit)
    return FB_VIZ_UNKNOWN;
  if (nodes->n_marks < n_uops)
    {
      n_uops = MAX (n_uops, 2 * nodes->n_marks);
      nodes->marks = g_renew (Mark, nodes->marks, n_uops);
      memset (nodes->marks + nodes->n_marks, 0, sizeof (Mark) * (n_uops - nodes->n_marks));
      nodes->n_marks = n_uops;
    }
  nodes->mark_serial++;
  look.stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  look.closed = g_ptr_array_new ();
  order = look_at (&look, sink);
  nodes->n_looked = limit - look.left;
  g_array_unref (look.stack);
  g_ptr_array_unref (look.closed);
  return order;
}
