/* Which node of one graph is which of another: by structure first, then by place under the sink. */
#include "graph-private.h"

/* From keys to nodes; open addressing. Key 0 is "empty", which no node has in practice; one that did would be unmatched. */
typedef struct
{
  guint64 *keys;
  guint32 *nodes;
  guint32 mask;
} KeyMap;

static guint32
key_slot (const KeyMap *map, guint64 key)
{
  guint32 i = (guint32) (key ^ (key >> 32)) & map->mask;
  while (map->keys[i] && map->keys[i] != key)
    i = (i + 1) & map->mask;
  return i;
}

typedef struct
{
  const FbGraph *graph, *other;
  guint32 *match; /* node of graph -> node of other */
  guint8 *taken;  /* nodes of other */
} Matcher;

static void
pair (Matcher *m, guint32 node, guint32 with)
{
  m->match[node] = with;
  m->taken[with] = TRUE;
}

static void
match_keys (Matcher *m, gboolean former)
{
  KeyMap map = { .mask = 15 };

  while (map.mask < 2 * (guint64) m->other->n_nodes)
    map.mask = map.mask * 2 + 1;
  map.keys = g_new0 (guint64, (gsize) map.mask + 1);
  map.nodes = g_new (guint32, (gsize) map.mask + 1);
  for (guint32 i = 0; i < m->other->n_nodes; i++)
    {
      guint64 key = m->other->nodes[i].key;
      guint32 slot = key_slot (&map, key);
      if (key && !map.keys[slot])
        {
          map.keys[slot] = key;
          map.nodes[slot] = i;
        }
    }
  for (guint32 i = 0; i < m->graph->n_nodes; i++)
    {
      guint64 key = former ? m->graph->nodes[i].was_key : m->graph->nodes[i].key;
      if (!key || m->match[i] != FB_GRAPH_NONE)
        continue;
      guint32 slot = key_slot (&map, key);
      if (map.keys[slot] && !m->taken[map.nodes[slot]])
        pair (m, i, map.nodes[slot]);
    }
  g_free (map.keys);
  g_free (map.nodes);
}

/* Sources of matched nodes that stand at the same port. */
static void
match_ports (Matcher *m, gboolean any_op)
{
  const FbGraph *a = m->graph, *b = m->other;

  /* users come after sources, so from the end */
  for (guint32 i = a->n_nodes; i-- > 0;)
    {
      const FbGraphNode *user = &a->nodes[i];
      if (m->match[i] == FB_GRAPH_NONE)
        continue;
      const FbGraphNode *other = &b->nodes[m->match[i]];
      guint32 k = 0;
      for (guint32 j = 0; j < user->n_in; j++)
        {
          const FbGraphEdge *edge = &a->edges[user->first_in + j];
          if (m->match[edge->source] != FB_GRAPH_NONE)
            continue;
          while (k < other->n_in && b->edges[other->first_in + k].port < edge->port)
            k++;
          if (k == other->n_in)
            break;
          const FbGraphEdge *candidate = &b->edges[other->first_in + k];
          if (candidate->port == edge->port && !m->taken[candidate->source]
              && (any_op || a->nodes[edge->source].op == b->nodes[candidate->source].op))
            pair (m, edge->source, candidate->source);
        }
    }
}

static Matcher
match (const FbGraph *graph, const FbGraph *other)
{
  Matcher m = { graph, other, g_new (guint32, MAX (graph->n_nodes, 1)), g_new0 (guint8, MAX (other->n_nodes, 1)) };

  for (guint32 i = 0; i < graph->n_nodes; i++)
    m.match[i] = FB_GRAPH_NONE;
  if (graph->n_nodes > 0 && other->n_nodes > 0)
    {
      match_keys (&m, FALSE);
      match_keys (&m, TRUE);
      if (m.match[graph->root] == FB_GRAPH_NONE && !m.taken[other->root]
          && graph->nodes[graph->root].op == other->nodes[other->root].op)
        pair (&m, graph->root, other->root);
      match_ports (&m, FALSE);
    }
  return m;
}

guint32 *
fb_graph_match (const FbGraph *graph, const FbGraph *other)
{
  Matcher m = match (graph, other);
  g_free (m.taken);
  return m.match;
}

guint32 *
fb_graph_match_places (const FbGraph *graph, const FbGraph *other, guint8 *loose)
{
  Matcher m = match (graph, other);

  if (loose)
    for (guint32 i = 0; i < graph->n_nodes; i++)
      loose[i] = m.match[i] == FB_GRAPH_NONE;
  match_ports (&m, TRUE);
  g_free (m.taken);
  return m.match;
}
