/* Whether replacing comes to an end, after each of the matches of a bottom-up rewrite.
 *
 * A node could stand for itself: because what it was replaced by holds it, or because what it became over other sources was
 * replaced by something that does. Then the viewer of the release stops. To find out by making the graph after every match costs
 * steps times nodes; here it is told from what the matches are about.
 *
 * Mostly nothing below what a match made is ever replaced: then what a node becomes is final, and only chains of matches, each of what
 * the one before made, could go in a circle. Else the graph is gone through once, and after each match what nodes stand for is found
 * anew as far as that changes: either a node of the trace, or one that no match can be about, of which nothing more need be known. All that
 * ever depended on each other is in one graph at the end; if that has no circle, there never was one. */
#include <string.h>

#include "core/ir/context-private.h"
#include "viztrace-private.h"

#define NONE G_MAXUINT32
/* How often nodes are looked at again, for each node and match, before that is given up. */
#define MOST_VISITS 64

typedef enum
{
  NOT_ENTERED,
  ENTERED, /* its sources are being entered */
  SETTLED,
  CHECKED, /* no circle goes through it */
} State;

/* What is known of a node, by id; of this look only when @serial is right. */
typedef struct _FbVizEnd
{
  guint32 serial;
  guint32 first_user, first_into; /* edges */
  FbUop *target;                  /* what the latest match made of it; NULL: not matched so far */
  FbUop *value;                   /* what it stands for; NULL: a node of no trace */
  FbUop *rebuilt, *alias;         /* itself over what its sources stand for; whose value it last had */
  guint8 state;
  gboolean matched, below, queued, closed;
} End;

typedef struct
{
  FbUop *uop;
  guint32 next;
} Edge;

typedef struct
{
  FbUop *uop;
  guint32 next, into; /* of its sources, of its edges to what it had the value of */
} Frame;

typedef struct
{
  FbVizNodes *nodes;
  const FbVizRewrite *rewrite;
  FbContext *overlay;
  guint32 n_parent;
  gboolean derive;
  GArray *edges; /* of Edge */
  GArray *stack; /* of Frame */
  GPtrArray *queue, *entered;
  GArray *src;
  guint64 visits;
} Look;

static End *
end_of (const Look *look, const FbUop *uop)
{
  End *end = &look->nodes->ends[uop->id];

  if (end->serial != look->nodes->end_serial)
    *end = (End){ .serial = look->nodes->end_serial, .first_user = NONE, .first_into = NONE };
  return end;
}

static guint32
add_edge (Look *look, FbUop *uop, guint32 next)
{
  Edge edge = { uop, next };

  g_array_append_val (look->edges, edge);
  return look->edges->len - 1;
}

static void
push (Look *look, FbUop *uop)
{
  Frame frame = { uop, 0, end_of (look, uop)->first_into };
  g_array_append_val (look->stack, frame);
}

static guint
n_closed (const Look *look, const FbUop *uop)
{
  return fb_viz_n_closed (look->nodes->trace, look->rewrite, uop);
}

/* --- circles --- */

/* The next node that the node of the frame depended on: its sources, with @sources, then all that it ever had the value of. */
static FbUop *
next_dependency (const Look *look, Frame *frame, gboolean sources)
{
  const FbUop *uop = frame->uop;
  const Edge *into;

  if (sources && frame->next == 0)
    frame->next = n_closed (look, uop);
  if (sources && frame->next < uop->n_src)
    return uop->src[frame->next++];
  if (frame->into == NONE)
    return NULL;
  into = &g_array_index (look->edges, Edge, frame->into);
  frame->into = into->next;
  return into->uop;
}

static gboolean
has_circle (Look *look, FbUop *root, gboolean sources)
{
  if (end_of (look, root)->state == CHECKED)
    return FALSE;
  g_array_set_size (look->stack, 0);
  push (look, root);
  end_of (look, root)->state = ENTERED;
  while (look->stack->len)
    {
      Frame *frame = &g_array_index (look->stack, Frame, look->stack->len - 1);
      FbUop *next = next_dependency (look, frame, sources);
      State state = next ? end_of (look, next)->state : CHECKED;

      if (!next)
        {
          end_of (look, frame->uop)->state = CHECKED;
          g_array_set_size (look->stack, look->stack->len - 1);
        }
      else if (state == ENTERED)
        return TRUE;
      else if (state != CHECKED)
        {
          end_of (look, next)->state = ENTERED;
          push (look, next);
        }
    }
  return FALSE;
}

/* --- matches that make what is final --- */

/* Nothing below @uop is matched. */
static gboolean
is_final_below (Look *look, FbUop *uop)
{
  g_array_set_size (look->stack, 0);
  push (look, uop);
  while (look->stack->len)
    {
      FbUop *node = g_array_index (look->stack, Frame, look->stack->len - 1).uop;

      g_array_set_size (look->stack, look->stack->len - 1);
      for (guint i = 0; i < node->n_src; i++)
        {
          End *end = end_of (look, node->src[i]);

          if (end->matched)
            return FALSE;
          if (end->below)
            continue;
          end->below = TRUE;
          push (look, node->src[i]);
        }
    }
  return TRUE;
}

static gboolean
all_is_final (Look *look, FbUop *sink, guint n, const FbMatch *matches)
{
  if (look->nodes->calls_conflict || fb_viz_nodes_is_closed (look->nodes, sink))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      End *end = end_of (look, matches[i].before);

      if (fb_viz_nodes_is_closed (look->nodes, matches[i].before)
          || fb_viz_nodes_is_closed (look->nodes, matches[i].after))
        return FALSE;
      end->matched = TRUE;
      if (matches[i].before != matches[i].after)
        end->first_into = add_edge (look, matches[i].after, end->first_into);
    }
  for (guint i = 0; i < n; i++)
    if (matches[i].before != matches[i].after && !is_final_below (look, matches[i].after))
      return FALSE;
  for (guint i = 0; i < n; i++)
    if (has_circle (look, matches[i].before, FALSE))
      return FALSE;
  return TRUE;
}

/* --- what nodes stand for --- */

/* @uop over what its sources stand for, as far as that is a node of the trace. */
static FbUop *
rebuild (Look *look, FbUop *uop)
{
  gboolean same = TRUE;
  guint closed = n_closed (look, uop);
  FbUop *made;

  g_array_set_size (look->src, 0);
  for (guint i = 0; i < uop->n_src; i++)
    {
      FbUop *value = i < closed ? uop->src[i] : end_of (look, uop->src[i])->value;

      if (!value)
        return NULL;
      same &= value == uop->src[i];
      g_array_append_val (look->src, value);
    }
  if (same)
    return uop;
  made = fb_viz_rebuild (look->overlay, uop, (FbUop *const *) (gpointer) look->src->data, look->derive);
  return made->id < look->n_parent ? made : NULL;
}

/* Whose value @uop has; NULL: that of itself, which goes to @value. */
static FbUop *
alias_of (Look *look, FbUop *uop, FbUop **value)
{
  End *end = end_of (look, uop);
  FbUop *made;

  if (end->target)
    return end->target;
  *value = made = rebuild (look, uop);
  if (made && made != uop && made != end->rebuilt)
    {
      End *other = end_of (look, made);

      /* when that is matched, it is time to look again */
      other->first_user = add_edge (look, uop, other->first_user);
      end->rebuilt = made;
    }
  return made && made != uop ? end_of (look, made)->target : NULL;
}

static void
queue_users (Look *look, const FbUop *uop)
{
  for (guint32 edge = end_of (look, uop)->first_user; edge != NONE;)
    {
      const Edge *user = &g_array_index (look->edges, Edge, edge);
      End *end = end_of (look, user->uop);

      if (end->state == SETTLED && !end->queued)
        {
          end->queued = TRUE;
          g_ptr_array_add (look->queue, user->uop);
        }
      edge = user->next;
    }
}

/* @uop has the value of @alias, or when that is NULL, @value. */
static void
settle (Look *look, FbUop *uop, FbUop *alias, FbUop *value)
{
  End *end = end_of (look, uop);

  if (alias)
    value = end_of (look, alias)->value;
  if (alias && alias != end->alias)
    {
      End *other = end_of (look, alias);

      other->first_user = add_edge (look, uop, other->first_user);
      end->first_into = add_edge (look, alias, end->first_into);
    }
  end->alias = alias;
  if (end->state == SETTLED && end->value == value)
    return;
  end->value = value;
  if (end->state == SETTLED)
    queue_users (look, uop);
  end->state = SETTLED;
}

/* The next source of the frame that must be entered first; NULL: none. */
static FbUop *
next_source (Look *look, Frame *frame)
{
  FbUop *uop = frame->uop;
  guint closed = n_closed (look, uop);

  while (frame->next < uop->n_src)
    {
      guint32 i = frame->next;
      FbUop *source = uop->src[i];
      End *end = end_of (look, source);

      if (i < closed)
        end->closed = TRUE;
      else if (end->state == NOT_ENTERED || end->state == ENTERED)
        return source;
      else
        end->first_user = add_edge (look, uop, end->first_user);
      frame->next++;
    }
  return NULL;
}

/* Finds what @root and all below it stand for. FALSE when that is a circle. */
static gboolean
enter (Look *look, FbUop *root)
{
  if (end_of (look, root)->state != NOT_ENTERED)
    return TRUE;
  g_array_set_size (look->stack, 0);
  push (look, root);
  end_of (look, root)->state = ENTERED;
  while (look->stack->len)
    {
      Frame *frame = &g_array_index (look->stack, Frame, look->stack->len - 1);
      FbUop *uop = frame->uop, *value = NULL, *needed = next_source (look, frame), *alias = NULL;

      if (!needed)
        {
          alias = alias_of (look, uop, &value);
          if (alias && end_of (look, alias)->state != SETTLED)
            needed = alias;
        }
      if (needed && end_of (look, needed)->state == ENTERED)
        return FALSE;
      if (needed)
        {
          end_of (look, needed)->state = ENTERED;
          push (look, needed);
          continue;
        }
      settle (look, uop, alias, value);
      g_ptr_array_add (look->entered, uop);
      g_array_set_size (look->stack, look->stack->len - 1);
    }
  return TRUE;
}

/* Until nothing changes any more. FALSE when that takes too long. */
static gboolean
spread (Look *look)
{
  while (look->queue->len)
    {
      FbUop *uop = g_ptr_array_steal_index_fast (look->queue, look->queue->len - 1), *value = NULL, *alias;

      if (look->visits-- == 0)
        return FALSE;
      end_of (look, uop)->queued = FALSE;
      alias = alias_of (look, uop, &value);
      if (alias && !enter (look, alias))
        return FALSE;
      settle (look, uop, alias, value);
    }
  return TRUE;
}

static gboolean
apply (Look *look, const FbMatch *match)
{
  End *end = end_of (look, match->before);

  end->target = match->before == match->after ? NULL : match->after;
  if (end->state == SETTLED && !end->queued)
    {
      end->queued = TRUE;
      g_ptr_array_add (look->queue, match->before);
    }
  queue_users (look, match->before);
  return spread (look);
}

static gboolean
goes_through (Look *look, FbUop *sink, guint n, const FbMatch *matches)
{
  if (!enter (look, sink))
    return FALSE;
  look->visits = (guint64) MOST_VISITS * (look->entered->len + n);
  for (guint i = 0; i < n; i++)
    if (!apply (look, &matches[i]))
      return FALSE;
  /* what depends on who comes first is not told here */
  for (guint i = 0; i < look->entered->len; i++)
    if (end_of (look, g_ptr_array_index (look->entered, i))->closed)
      return FALSE;
  for (guint i = 0; i < look->entered->len; i++)
    if (has_circle (look, g_ptr_array_index (look->entered, i), TRUE))
      return FALSE;
  return TRUE;
}

/* --- --- */

static void
begin (Look *look)
{
  FbVizNodes *nodes = look->nodes;
  guint32 n = fb_context_n_uops (nodes->context);

  if (nodes->n_ends < n)
    {
      n = MAX (n, 2 * nodes->n_ends);
      nodes->ends = g_renew (End, nodes->ends, n);
      memset (nodes->ends + nodes->n_ends, 0, sizeof (End) * (n - nodes->n_ends));
      nodes->n_ends = n;
    }
  if (!nodes->end_edges)
    look->edges = nodes->end_edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  nodes->end_serial++;
  g_array_set_size (look->edges, 0);
}

gboolean
fb_viz_nodes_end (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, guint n, const FbMatch *matches)
{
  Look look = { .nodes = nodes,
                .rewrite = rewrite,
                .n_parent = fb_context_n_uops (nodes->context),
                .derive = fb_viz_release_derives_dtype (nodes->trace->release),
                .edges = nodes->end_edges,
                .stack = g_array_new (FALSE, FALSE, sizeof (Frame)),
                .src = g_array_new (FALSE, FALSE, sizeof (FbUop *)) };
  gboolean ends;

  begin (&look);
  ends = all_is_final (&look, sink, n, matches);
  if (!ends)
    {
      begin (&look);
      look.overlay = fb_context_new_overlay (nodes->context);
      look.queue = g_ptr_array_new ();
      look.entered = g_ptr_array_new ();
      ends = goes_through (&look, sink, n, matches);
      g_ptr_array_unref (look.queue);
      g_ptr_array_unref (look.entered);
      fb_context_free (look.overlay);
    }
  g_array_unref (look.stack);
  g_array_unref (look.src);
  return ends;
}
