/* Made-up graphs for layout tests and benchmarks; the same for the same seed. */
#pragma once

#include "viz/layout.h"

typedef struct
{
  guint n_nodes;
  GArray *edges; /* of FbLayoutEdge */
  float *width;
} TestGraph;

static inline TestGraph *
test_graph_new (guint n, guint seed)
{
  TestGraph *graph = g_new0 (TestGraph, 1);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  graph->n_nodes = n;
  graph->edges = g_array_new (FALSE, TRUE, sizeof (FbLayoutEdge));
  graph->width = g_new (float, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    graph->width[i] = (float) g_rand_int_range (rand, 24, 50) * 4;
  return graph;
}

static inline void
test_graph_edge (TestGraph *graph, guint source, guint user, guint port)
{
  FbLayoutEdge edge = { source, user, port, FALSE };
  g_array_append_val (graph->edges, edge);
}

/* As the scene does: sources with many users are drawn with stubs. */
static inline void
test_graph_cut_hubs (TestGraph *graph, guint limit)
{
  g_autofree guint *users = g_new0 (guint, MAX (graph->n_nodes, 1));
  for (guint e = 0; e < graph->edges->len; e++)
    users[g_array_index (graph->edges, FbLayoutEdge, e).source]++;
  for (guint e = 0; e < graph->edges->len; e++)
    {
      FbLayoutEdge *edge = &g_array_index (graph->edges, FbLayoutEdge, e);
      edge->stub = users[edge->source] > limit;
    }
}

static inline FbLayoutInput
test_graph_input (const TestGraph *graph)
{
  return (FbLayoutInput){ .n_nodes = graph->n_nodes,
                          .n_edges = graph->edges->len,
                          .width = graph->width,
                          .edges = (const FbLayoutEdge *) (const void *) graph->edges->data };
}

static inline void
test_graph_free (TestGraph *graph)
{
  g_array_unref (graph->edges);
  g_free (graph->width);
  g_free (graph);
}

static inline TestGraph *
test_graph_chain (guint n)
{
  TestGraph *graph = test_graph_new (n, 1);
  for (guint i = 1; i < n; i++)
    test_graph_edge (graph, i - 1, i, 0);
  return graph;
}

/* A spine with sources beside it, short side branches and a few far connections, all ending in one sink: about 1.4 sources a node,
 * as tensor graphs are. */
static inline TestGraph *
test_graph_deep (guint n, guint seed)
{
  TestGraph *graph = test_graph_new (n, seed);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed + 1);
  guint spine = 0, branch = 0; /* ends of the spine and of a side branch; 0: none */
  for (guint i = 1; i < n; i++)
    {
      guint kind = (guint) g_rand_int_range (rand, 0, 100);
      if (branch == 0 && kind < 20)
        {
          branch = i; /* a source, beside */
          continue;
        }
      if (branch && kind < 50)
        {
          test_graph_edge (graph, branch, i, 0);
          branch = i;
          continue;
        }
      test_graph_edge (graph, spine, i, 0);
      if (branch)
        test_graph_edge (graph, branch, i, 1);
      else if (kind < 40 && i > 12)
        test_graph_edge (graph, i - (guint) g_rand_int_range (rand, 2, 12), i, 1);
      else if (kind < 43 && i > 300)
        test_graph_edge (graph, i - (guint) g_rand_int_range (rand, 50, 300), i, 1);
      branch = 0;
      spine = i;
    }
  return graph;
}

/* About 27 layers whatever the size, 1.8 sources a node. */
static inline TestGraph *
test_graph_wide (guint n, guint seed)
{
  TestGraph *graph = test_graph_new (n, seed);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed + 2);
  guint per = MAX (n / 27, 1);
  for (guint i = per; i < n; i++)
    {
      guint layer = i / per, place = i % per, n_src = (guint) g_rand_int_range (rand, 1, 4);
      for (guint s = 0; s < n_src; s++)
        {
          guint back = g_rand_int_range (rand, 0, 8) ? 1 : (guint) g_rand_int_range (rand, 1, 4);
          gint near = (gint) place + g_rand_int_range (rand, -2, 3);
          guint source = (layer >= back ? layer - back : 0) * per + (guint) CLAMP (near, 0, (gint) per - 1);
          if (source < i)
            test_graph_edge (graph, source, i, s);
        }
    }
  return graph;
}

/* A deep graph in which every fifth node also uses one of a few sources. */
static inline TestGraph *
test_graph_hubs (guint n, guint seed)
{
  TestGraph *graph = test_graph_deep (n, seed);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed + 3);
  for (guint i = 10; i < n; i += 5)
    test_graph_edge (graph, (guint) g_rand_int_range (rand, 0, 5), i, 2);
  test_graph_cut_hubs (graph, 16);
  return graph;
}

/* Any edges that go from lower to higher numbers. */
static inline TestGraph *
test_graph_random (guint n, guint n_edges, guint seed)
{
  TestGraph *graph = test_graph_new (n, seed);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed + 4);
  for (guint e = 0; e < n_edges && n > 1; e++)
    {
      guint user = (guint) g_rand_int_range (rand, 1, (gint32) n);
      test_graph_edge (graph, (guint) g_rand_int_range (rand, 0, (gint32) user), user, e);
    }
  test_graph_cut_hubs (graph, 16);
  return graph;
}
