/* Edges of a graph, and who uses what. */
#include "graph-build.h"

static FbEdgeState
state_of_edge (FbGraphBuilder *b, const FbGraphItem *user, const FbGraphNode *source, guint32 port)
{
  if (fb_graph_is_left (user->mark) || fb_graph_is_left (source->mark))
    return FB_EDGE_REPLACED;
  if (user->mark == FB_MARK_NEW || source->mark == FB_MARK_NEW)
    return FB_EDGE_NEW;
  if (user->mark == FB_MARK_REBUILT && user->was && port < user->was->n_src && user->was->src[port] == b->before
      && source->uop == b->after)
    return FB_EDGE_NEW;
  return FB_EDGE_SAME;
}

static void
collect_edges (FbGraphBuilder *b)
{
  FbGraph *graph = &b->full->graph;

  for (guint32 i = 0; i < b->n_items; i++)
    {
      const FbGraphItem *item = &b->items[i];
      guint32 user = b->card[i];
      if (user == FB_GRAPH_NONE)
        continue;
      graph->nodes[user].first_in = b->edges->len;
      for (guint32 port = 0; port < item->uop->n_src; port++)
        {
          guint32 source = fb_graph_card_of (b, item->uop->src[port]);
          if (source != FB_GRAPH_NONE)
            {
              FbGraphEdge edge = { source, user, port, state_of_edge (b, item, &graph->nodes[source], port) };
              g_array_append_val (b->edges, edge);
            }
          /* what the port had before the step, so that the way into and out of the replaced node shows */
          if (graph->view == FB_GRAPH_OVERLAY && item->was && port < item->was->n_src
              && item->was->src[port] != item->uop->src[port])
            {
              guint32 old = fb_graph_card_of (b, item->was->src[port]);
              if (old != FB_GRAPH_NONE && old != user && fb_graph_is_left (graph->nodes[old].mark))
                {
                  FbGraphEdge edge = { old, user, port, FB_EDGE_REPLACED };
                  g_array_append_val (b->edges, edge);
                }
            }
        }
      graph->nodes[user].n_in = b->edges->len - graph->nodes[user].first_in;
    }
}

gboolean
fb_graph_index_edges (FbGraph *graph, const FbGraphEdge *edges, guint32 n_edges)
{
  guint32 first = 0, done = 0, head = 0;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    graph->nodes[i].n_users = graph->nodes[i].n_out = 0;
  for (guint32 e = 0; e < n_edges; e++)
    graph->nodes[edges[e].source].n_users++;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      graph->nodes[i].first_out = first;
      first += graph->nodes[i].n_users;
    }
  g_free (graph->out);
  graph->out = g_new (guint32, MAX (n_edges, 1));
  for (guint32 e = 0; e < n_edges; e++)
    {
      FbGraphNode *node = &graph->nodes[edges[e].source];
      graph->out[node->first_out + node->n_out++] = e;
    }

  g_autofree guint32 *waiting = g_new (guint32, MAX (graph->n_nodes, 1));
  g_autofree guint32 *queue = g_new (guint32, MAX (graph->n_nodes, 1));
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if ((waiting[i] = graph->nodes[i].n_in) == 0)
      queue[done++] = i;
  while (head < done)
    {
      const FbGraphNode *node = &graph->nodes[queue[head++]];
      for (guint32 k = 0; k < node->n_out; k++)
        {
          guint32 user = edges[graph->out[node->first_out + k]].user;
          if (--waiting[user] == 0)
            queue[done++] = user;
        }
    }
  return done == graph->n_nodes;
}

/* FALSE when a cycle is left: only the edges from a node to a rebuilt user that it no longer feeds can close one (the user,
 * rebuilt, may be an old node that the replaced one is made of). */
static gboolean
index_edges (FbGraphBuilder *b)
{
  return fb_graph_index_edges (&b->full->graph, (const FbGraphEdge *) (void *) b->edges->data, b->edges->len);
}

static gboolean
is_former (const FbGraph *graph, const FbGraphEdge *edge)
{
  const FbGraphNode *user = &graph->nodes[edge->user];
  return edge->state == FB_EDGE_REPLACED
         && (edge->port >= user->uop->n_src || user->uop->src[edge->port] != graph->nodes[edge->source].uop);
}

static void
drop_former_edges (FbGraphBuilder *b)
{
  FbGraph *graph = &b->full->graph;
  FbGraphEdge *edges = (FbGraphEdge *) (void *) b->edges->data;
  guint32 kept = 0;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      FbGraphNode *node = &graph->nodes[i];
      guint32 begin = node->first_in, end = begin + node->n_in;
      node->first_in = kept;
      for (guint32 e = begin; e < end; e++)
        if (!is_former (graph, &edges[e]))
          edges[kept++] = edges[e];
      node->n_in = kept - node->first_in;
    }
  g_array_set_size (b->edges, kept);
}

void
fb_graph_make_edges (FbGraphBuilder *b)
{
  collect_edges (b);
  if (!index_edges (b))
    {
      drop_former_edges (b);
      index_edges (b);
    }
}
