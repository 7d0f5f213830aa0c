/* Milliseconds of processor time for layouts of made-up graphs: deep ones (chains with side branches, as tensor graphs are), wide ones (kernel
 * graphs), and ones with hubs. Usage: bench-layout [ROUNDS] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "make-graph.h"

/* ms; of this thread alone, so that a busy machine does not count */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void
measure (const char *name, TestGraph *graph, int rounds)
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
  printf ("%-12s %8u nodes %8u edges %7.2f ms  (%u layers, %.0f px wide, %u stubs)\n", name, graph->n_nodes,
          graph->edges->len, best, layers, width, stubs);
  test_graph_free (graph);
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 5;
  const guint sizes[] = { 1000, 10000, 50000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      measure ("deep", test_graph_deep (sizes[i], 1), rounds);
      measure ("wide", test_graph_wide (sizes[i], 1), rounds);
      measure ("hubs", test_graph_hubs (sizes[i], 1), rounds);
    }
  measure ("chain", test_graph_chain (1000000), 1);
  return 0;
}
