/* Milliseconds of processor time for layouts of made-up graphs: deep ones (chains with side branches, as tensor graphs are), wide ones
 * (kernel graphs), ones with hubs, sums of a node with itself. Usage: bench-layout [ROUNDS [MOST NODES]] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/viz/make-graph.h"

/* ms; of this thread alone, so that a busy machine does not count */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void
measure (const char *name, TestGraph *graph, int rounds, double goal)
{
  double best = G_MAXDOUBLE;
  guint layers = 0;
  float width = 0;
  guint stubs = 0;

  for (int i = 0; i < rounds; i++)
    {
      FbLayoutInput input = test_graph_input (graph);
      double begin = now ();
      g_autoptr (FbLayout) layout = fb_layout_new (&input, NULL, NULL);
      best = MIN (best, now () - begin);
      layers = layout->n_layers;
      width = layout->width;
      stubs = 0;
      for (guint e = 0; e < layout->n_edges; e++)
        stubs += layout->stub[e];
    }
  printf ("%-12s %8u nodes %8u edges %8.2f ms", name, graph->n_nodes, graph->edges->len, best);
  if (goal > 0)
    printf (" of %3.0f%s", goal, best <= goal ? "" : ", TOO SLOW");
  printf ("  (%u layers, %.0f px wide, %u stubs)\n", layers, width, stubs);
  test_graph_free (graph);
}

/* A deep graph, and one more source that 5,000 of its nodes use. */
static TestGraph *
graph_with_hub (guint n)
{
  TestGraph *graph = test_graph_deep (n, 1);
  guint users = MIN (5000, n / 2);
  for (guint i = 0; i < users; i++)
    test_graph_edge (graph, 0, 1 + (guint) ((guint64) i * (n - 2) / users) + 1, 2);
  test_graph_cut_hubs (graph, 16);
  return graph;
}

/* a += a, again and again: as many ways through it as 2 to the @n. */
static TestGraph *
graph_of_doubling (guint n)
{
  TestGraph *graph = test_graph_new (n, 1);
  for (guint i = 1; i < n; i++)
    for (guint port = 0; port < 2; port++)
      test_graph_edge (graph, i - 1, i, port);
  return graph;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 5;
  guint most = argc > 2 ? (guint) atoi (argv[2]) : G_MAXUINT;
  /* ms: GOALS */
  const struct
  {
    guint n;
    double goal;
  } sizes[] = { { 1000, 5 }, { 10000, 50 }, { 50000, 250 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint n = MIN (sizes[i].n, most);
      measure ("deep", test_graph_deep (n, 1), rounds, sizes[i].goal);
      measure ("wide", test_graph_wide (n, 1), rounds, sizes[i].goal);
      measure ("few hubs", test_graph_hubs (n, 1), rounds, sizes[i].goal);
      measure ("5,000 users", graph_with_hub (n), rounds, sizes[i].goal);
    }
  measure ("a += a", graph_of_doubling (101), rounds, 5);
  measure ("chain", test_graph_chain (MIN (1000000, most)), 1, 0);
  return 0;
}
