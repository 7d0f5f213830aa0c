/* Sets of nodes: neighbourhoods, what lies between, chains. */
#include <string.h>

#include "graph-shown.h"

void
fb_graph_grow (const FbGraph *graph, guint8 *set, guint radius)
{
  g_autofree guint32 *queue = g_new (guint32, MAX (graph->n_nodes, 1));
  guint32 n = 0, begin = 0;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (set[i])
      queue[n++] = i;
  for (guint r = 0; r < radius && begin < n; r++)
    {
      guint32 end = n;
      for (; begin < end; begin++)
        {
          const FbGraphNode *node = &graph->nodes[queue[begin]];
          /* a constant's users have nothing to do with each other */
          guint32 n_out = r > 0 && node->hub ? 0 : node->n_out;
          guint32 n_in = r > 0 && node->n_in > FB_GRAPH_HUB_SOURCES ? 0 : node->n_in;
          for (guint32 k = 0; k < n_in + n_out; k++)
            {
              const FbGraphEdge *edge
                  = &graph->edges[k < n_in ? node->first_in + k : graph->out[node->first_out + k - n_in]];
              guint32 other = k < n_in ? edge->source : edge->user;
              if (set[other])
                continue;
              set[other] = TRUE;
              queue[n++] = other;
            }
        }
    }
}

/* What can be reached from @set, along edges or against them. */
static guint8 *
reached (const FbGraph *graph, const guint8 *set, gboolean against)
{
  guint8 *seen = g_memdup2 (set, MAX (graph->n_nodes, 1));
  g_autofree guint32 *queue = g_new (guint32, MAX (graph->n_nodes, 1));
  guint32 n = 0;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (set[i])
      queue[n++] = i;
  for (guint32 head = 0; head < n; head++)
    {
      const FbGraphNode *node = &graph->nodes[queue[head]];
      guint32 count = against ? node->n_in : node->n_out;
      for (guint32 k = 0; k < count; k++)
        {
          const FbGraphEdge *edge = &graph->edges[against ? node->first_in + k : graph->out[node->first_out + k]];
          guint32 other = against ? edge->source : edge->user;
          if (seen[other])
            continue;
          seen[other] = TRUE;
          queue[n++] = other;
        }
    }
  return seen;
}

void
fb_graph_close (const FbGraph *graph, guint8 *set)
{
  g_autofree guint8 *below = reached (graph, set, FALSE), *above = reached (graph, set, TRUE);
  for (guint32 i = 0; i < graph->n_nodes; i++)
    set[i] = below[i] && above[i];
}

/* A node that may be a part of a chain. */
static gboolean
is_link (const FbGraph *graph, guint32 node)
{
  const FbGraphNode *n = &graph->nodes[node];
  return n->mark == FB_MARK_SAME && n->kind != FB_KIND_BUFFER && n->kind != FB_KIND_KERNEL && node != graph->root
         && n->group == FB_GROUP_NONE;
}

/* The node after @node in its chain, FB_GRAPH_NONE at the end. */
static guint32
next_link (const FbGraph *graph, guint32 node)
{
  const FbGraphNode *n = &graph->nodes[node];
  if (n->n_out != 1 || !is_link (graph, node))
    return FB_GRAPH_NONE;
  guint32 user = graph->edges[graph->out[n->first_out]].user;
  return graph->nodes[user].n_in == 1 && is_link (graph, user) ? user : FB_GRAPH_NONE;
}

static guint32
previous_link (const FbGraph *graph, guint32 node)
{
  const FbGraphNode *n = &graph->nodes[node];
  if (n->n_in != 1 || !is_link (graph, node))
    return FB_GRAPH_NONE;
  guint32 source = graph->edges[n->first_in].source;
  return next_link (graph, source) == node ? source : FB_GRAPH_NONE;
}

guint32
fb_graph_chain (const FbGraph *graph, guint32 node, guint8 *set)
{
  guint32 n = 0;

  memset (set, 0, graph->n_nodes);
  if (!is_link (graph, node))
    return 0;
  while (previous_link (graph, node) != FB_GRAPH_NONE)
    node = previous_link (graph, node);
  for (; node != FB_GRAPH_NONE; node = next_link (graph, node), n++)
    set[node] = TRUE;
  return n;
}

guint32
fb_graph_chains (const FbGraph *graph, guint32 least, guint32 *chain)
{
  guint32 n_chains = 0;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    chain[i] = FB_GRAPH_NONE;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      guint32 n = 0;
      if (!is_link (graph, i) || previous_link (graph, i) != FB_GRAPH_NONE)
        continue;
      for (guint32 node = i; node != FB_GRAPH_NONE; node = next_link (graph, node))
        n++;
      if (n < least)
        continue;
      for (guint32 node = i; node != FB_GRAPH_NONE; node = next_link (graph, node))
        chain[node] = n_chains;
      n_chains++;
    }
  return n_chains;
}
