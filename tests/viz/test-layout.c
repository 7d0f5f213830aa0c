/* Laws of the layout, on random and made-up graphs. */
#include <math.h>
#include <string.h>

#include "make-graph.h"

static FbLayout *
lay_out (const TestGraph *graph)
{
  FbLayoutInput input = test_graph_input (graph);
  g_autoptr (GError) error = NULL;
  FbLayout *layout = fb_layout_new (&input, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (layout);
  return layout;
}

static const FbLayoutEdge *
edge_at (const TestGraph *graph, guint e)
{
  return &g_array_index (graph->edges, FbLayoutEdge, e);
}

/* Cards of a layer stand side by side with the gap between them, all at its height, and each is in exactly one layer. */
static void
check_layers (const TestGraph *graph, const FbLayout *layout)
{
  g_autofree guint *seen = g_new0 (guint, MAX (graph->n_nodes, 1));

  g_assert_cmpuint (layout->n_nodes, ==, graph->n_nodes);
  for (guint r = 0; r < layout->n_layers; r++)
    {
      if (r > 0)
        g_assert_cmpfloat (layout->layer_y[r], >=, layout->layer_y[r - 1] + FB_LAYOUT_CARD_HEIGHT + 12);
      for (guint i = layout->layer_first[r]; i < layout->layer_first[r + 1]; i++)
        {
          guint node = layout->layer_nodes[i];
          seen[node]++;
          g_assert_cmpuint (layout->rank[node], ==, r);
          g_assert_cmpfloat (layout->y[node], ==, layout->layer_y[r]);
          g_assert_cmpfloat (layout->x[node], >=, layout->left - 0.01);
          g_assert_cmpfloat (layout->x[node] + layout->node_width[node], <=, layout->left + layout->width + 0.01);
          if (i > layout->layer_first[r])
            {
              guint before = layout->layer_nodes[i - 1];
              g_assert_cmpfloat (layout->x[before] + layout->node_width[before] + FB_LAYOUT_CARD_GAP - 0.05, <=,
                                 layout->x[node]);
            }
        }
    }
  for (guint i = 0; i < graph->n_nodes; i++)
    g_assert_cmpuint (seen[i], ==, 1);
}

/* Edges leave the middle of the lower side, go down or across, and end on the upper side of the user. */
static void
check_routes (const TestGraph *graph, const FbLayout *layout)
{
  for (guint e = 0; e < graph->edges->len; e++)
    {
      const FbLayoutEdge *edge = edge_at (graph, e);
      const FbPoint *p = layout->points + layout->route_first[e];
      guint n = layout->route_first[e + 1] - layout->route_first[e];

      g_assert_cmpuint (layout->rank[edge->source], <, layout->rank[edge->user]);
      g_assert_cmpuint (n, >=, 2);
      g_assert_cmpfloat (fabs (p[0].x - (layout->x[edge->source] + layout->node_width[edge->source] / 2)), <, 0.05);
      g_assert_cmpfloat (p[0].y, ==, layout->y[edge->source] + (float) FB_LAYOUT_CARD_HEIGHT);
      g_assert_cmpfloat (p[n - 1].y, ==, layout->y[edge->user]);
      g_assert_cmpfloat (p[n - 1].x, >, layout->x[edge->user] + 4);
      g_assert_cmpfloat (p[n - 1].x, <, layout->x[edge->user] + layout->node_width[edge->user] - 4);
      if (layout->stub[e])
        continue;
      for (guint i = 1; i < n; i++)
        {
          g_assert_cmpfloat (p[i].y, >=, p[i - 1].y);
          /* by turns down and across */
          if (i % 2 == 1)
            g_assert_cmpfloat (fabs (p[i].x - p[i - 1].x), <, 0.6);
          else
            g_assert_cmpfloat (p[i].y, ==, p[i - 1].y);
        }
    }
}

/* No line goes through a card: across-lines are in gaps, and lines that pass a layer keep away from its cards. */
static void
check_clear (const TestGraph *graph, const FbLayout *layout)
{
  for (guint e = 0; e < graph->edges->len; e++)
    {
      const FbLayoutEdge *edge = edge_at (graph, e);
      const FbPoint *p = layout->points + layout->route_first[e];
      guint n = layout->route_first[e + 1] - layout->route_first[e], i = 0;
      if (layout->stub[e])
        continue;
      for (guint r = layout->rank[edge->source] + 1; r < layout->rank[edge->user]; r++)
        {
          float top = layout->layer_y[r], bottom = top + (float) FB_LAYOUT_CARD_HEIGHT;
          while (i + 2 < n && p[i + 1].y < top)
            i++;
          /* the piece that passes this layer is one straight piece */
          g_assert_cmpfloat (p[i].y, <=, top);
          g_assert_cmpfloat (p[i + 1].y, >=, bottom);
          for (guint k = layout->layer_first[r]; k < layout->layer_first[r + 1]; k++)
            {
              guint node = layout->layer_nodes[k];
              g_assert_false (p[i].x > layout->x[node] - 4 && p[i].x < layout->x[node] + layout->node_width[node] + 4);
            }
        }
      for (i = 1; i + 1 < n; i++)
        for (guint r = layout->rank[edge->source]; r <= layout->rank[edge->user]; r++)
          g_assert_false (p[i].y > layout->layer_y[r] && p[i].y < layout->layer_y[r] + FB_LAYOUT_CARD_HEIGHT);
    }
}

static void
check (const TestGraph *graph, const FbLayout *layout)
{
  check_layers (graph, layout);
  check_routes (graph, layout);
  check_clear (graph, layout);
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 60; seed++)
    {
      guint n = 1 + seed * 7 % 97;
      TestGraph *graph = test_graph_random (n, seed % 5 * n / 2, seed);
      g_autoptr (FbLayout) layout = lay_out (graph);
      check (graph, layout);
      test_graph_free (graph);
    }
}

static void
test_shapes (void)
{
  TestGraph *graphs[]
      = { test_graph_deep (2000, 3), test_graph_wide (2000, 3), test_graph_hubs (2000, 3), test_graph_chain (50),
          test_graph_new (0, 1),     test_graph_new (1, 1),     test_graph_new (40, 1) };
  for (guint i = 0; i < G_N_ELEMENTS (graphs); i++)
    {
      g_autoptr (FbLayout) layout = lay_out (graphs[i]);
      check (graphs[i], layout);
      test_graph_free (graphs[i]);
    }
}

/* Ports of one card are apart from each other and in the order of what enters them. */
static void
test_ports (void)
{
  TestGraph *graph = test_graph_random (60, 200, 9);
  g_autoptr (FbLayout) layout = lay_out (graph);

  for (guint a = 0; a < graph->edges->len; a++)
    for (guint b = 0; b < graph->edges->len; b++)
      if (a != b && edge_at (graph, a)->user == edge_at (graph, b)->user && !layout->stub[a] && !layout->stub[b])
        g_assert_cmpfloat (
            fabs (layout->points[layout->route_first[a + 1] - 1].x - layout->points[layout->route_first[b + 1] - 1].x),
            >, 1);
  test_graph_free (graph);
}

static void
assert_same (const FbLayout *a, const FbLayout *b)
{
  g_assert_cmpmem (a->x, a->n_nodes * sizeof (float), b->x, b->n_nodes * sizeof (float));
  g_assert_cmpmem (a->y, a->n_nodes * sizeof (float), b->y, b->n_nodes * sizeof (float));
  g_assert_cmpmem (a->points, a->route_first[a->n_edges] * sizeof (FbPoint), b->points,
                   b->route_first[b->n_edges] * sizeof (FbPoint));
}

static void
test_deterministic (void)
{
  TestGraph *graph = test_graph_deep (800, 5);
  g_autoptr (FbLayout) a = lay_out (graph);
  g_autoptr (FbLayout) b = lay_out (graph);
  assert_same (a, b);
  test_graph_free (graph);
}

static gpointer
lay_out_in_thread (gpointer graph)
{
  return lay_out (graph);
}

static void
test_threads (void)
{
  TestGraph *graph = test_graph_wide (3000, 5);
  GThread *threads[4];
  g_autoptr (FbLayout) expected = lay_out (graph);

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("layout", lay_out_in_thread, graph);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autoptr (FbLayout) got = g_thread_join (threads[i]);
      assert_same (expected, got);
    }
  test_graph_free (graph);
}

static void
test_cancel (void)
{
  TestGraph *graph = test_graph_deep (5000, 5);
  FbLayoutInput input = test_graph_input (graph);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (fb_layout_new (&input, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_graph_free (graph);
}

static void
test_cycle (void)
{
  TestGraph *graph = test_graph_chain (4);
  g_autoptr (GError) error = NULL;

  test_graph_edge (graph, 3, 1, 1);
  FbLayoutInput input = test_graph_input (graph);
  g_assert_null (fb_layout_new (&input, NULL, &error));
  g_assert_error (error, FB_LAYOUT_ERROR, FB_LAYOUT_ERROR_CYCLE);
  test_graph_free (graph);
}

/* A chain is one straight line, and stays one at a million nodes. */
static void
test_long_chain (void)
{
  TestGraph *graph = test_graph_chain (1000000);
  g_autoptr (FbLayout) layout = lay_out (graph);

  g_assert_cmpuint (layout->n_layers, ==, graph->n_nodes);
  for (guint i = 1; i < graph->n_nodes; i++)
    g_assert_cmpfloat (fabs (layout->x[i] + layout->node_width[i] / 2 - layout->x[0] - layout->node_width[0] / 2), <,
                       0.6);
  test_graph_free (graph);
}

/* Many lines over many layers: dummies stay linear, the longest become stubs. */
static void
test_long_edges (void)
{
  guint n = 4000;
  TestGraph *graph = test_graph_chain (n);
  guint stubs = 0;

  for (guint i = 0; i < n / 2; i++)
    test_graph_edge (graph, i, n - 1 - i, 1);
  g_autoptr (FbLayout) layout = lay_out (graph);
  check (graph, layout);
  for (guint e = 0; e < graph->edges->len; e++)
    stubs += layout->stub[e];
  g_assert_cmpuint (stubs, >, n / 4);
  g_assert_cmpuint (stubs, <, n / 2);
  g_assert_cmpuint (layout->trunk_first[n], <=, 7 * n + 2000);
  test_graph_free (graph);
}

static void
test_left_of (void)
{
  TestGraph *graph = test_graph_new (6, 2);
  guint32 left_of[6];

  memset (left_of, 0xff, sizeof left_of);
  /* 0 -> 1, 2 -> 3; 1 becomes 2 */
  test_graph_edge (graph, 0, 1, 0);
  test_graph_edge (graph, 0, 2, 0);
  test_graph_edge (graph, 4, 3, 0);
  test_graph_edge (graph, 1, 3, 1);
  test_graph_edge (graph, 2, 3, 2);
  test_graph_edge (graph, 3, 5, 0);
  left_of[1] = 2;
  FbLayoutInput input = test_graph_input (graph);
  input.left_of = left_of;
  g_autoptr (FbLayout) layout = fb_layout_new (&input, NULL, NULL);
  check (graph, layout);
  g_assert_cmpuint (layout->rank[1], ==, layout->rank[2]);
  g_assert_cmpfloat (fabs (layout->x[1] + layout->node_width[1] + FB_LAYOUT_BECOMES - layout->x[2]), <, 0.05);

  /* where one is made from the other they cannot stand side by side, and are not made to */
  g_autofree guint32 *none = g_memdup2 (left_of, sizeof left_of);
  none[1] = FB_LAYOUT_NONE;
  none[0] = 3;
  input.left_of = none;
  g_autoptr (FbLayout) other = fb_layout_new (&input, NULL, NULL);
  check (graph, other);
  test_graph_free (graph);
}

/* With itself as the hint nothing moves; with a node more, nothing but what must. */
static void
test_hint (void)
{
  TestGraph *graph = test_graph_deep (300, 8);
  FbLayoutInput input = test_graph_input (graph);
  guint n = graph->n_nodes;
  g_autofree guint32 *hint_node = g_new (guint32, n + 1);

  input.spare = 20;
  g_autoptr (FbLayout) base = fb_layout_new (&input, NULL, NULL);
  for (guint i = 0; i < n; i++)
    hint_node[i] = i;
  hint_node[n] = FB_LAYOUT_NONE;
  input.spare = 0;
  input.hint = base;
  input.hint_node = hint_node;
  g_autoptr (FbLayout) again = fb_layout_new (&input, NULL, NULL);
  check (graph, again);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpfloat (fabs (again->x[i] - base->x[i]), <, 0.05);
      g_assert_cmpfloat (again->y[i], ==, base->y[i]);
    }

  /* one more source for a node in the middle */
  graph->n_nodes++;
  graph->width = g_renew (float, graph->width, n + 1);
  graph->width[n] = 120;
  test_graph_edge (graph, n, n / 2, 5);
  input = test_graph_input (graph);
  input.hint = base;
  input.hint_node = hint_node;
  g_autoptr (FbLayout) more = fb_layout_new (&input, NULL, NULL);
  guint moved = 0;
  check (graph, more);
  for (guint i = 0; i < n; i++)
    moved += fabs (more->x[i] - base->x[i]) > 0.5;
  g_assert_cmpuint (moved, <, 12);
  test_graph_free (graph);
}

/* A new line goes round cards that stand close, and they stay. */
static void
test_hint_lines (void)
{
  guint n = 5;
  TestGraph *graph = test_graph_new (n, n);
  guint32 same[] = { 0, 1, 2, 3, 4 };

  for (guint i = 0; i < n; i++)
    graph->width[i] = 200;
  for (guint i = 1; i < 4; i++)
    {
      test_graph_edge (graph, 0, i, 0);
      test_graph_edge (graph, i, 4, i);
    }
  FbLayoutInput input = test_graph_input (graph);
  g_autoptr (FbLayout) base = fb_layout_new (&input, NULL, NULL);
  test_graph_edge (graph, 0, 4, 0);
  input = test_graph_input (graph);
  input.hint = base;
  input.hint_node = same;
  g_autoptr (FbLayout) layout = fb_layout_new (&input, NULL, NULL);
  check (graph, layout);
  g_assert_cmpuint (layout->rank[4] - layout->rank[0], ==, 2);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat (fabs (layout->x[i] - base->x[i]), <, 0.05);
  test_graph_free (graph);
}

/* What stood between two cards is gone: the line over the layers that are left is drawn. What was too long stays a stub. */
static void
test_hint_longer (void)
{
  guint n = 40;
  TestGraph *chain = test_graph_chain (n), *ends = test_graph_new (2, 1), *tangle = test_graph_chain (4000);
  guint32 places[] = { 0, n - 1 };
  FbLayoutInput input = test_graph_input (chain);
  g_autoptr (FbLayout) base = fb_layout_new (&input, NULL, NULL);

  test_graph_edge (ends, 0, 1, 0);
  input = test_graph_input (ends);
  input.hint = base;
  input.hint_node = places;
  g_autoptr (FbLayout) layout = fb_layout_new (&input, NULL, NULL);
  check (ends, layout);
  g_assert_cmpuint (layout->rank[1] - layout->rank[0], ==, n - 1);
  g_assert_false (layout->stub[0]);

  for (guint i = 0; i < 2000; i++)
    test_graph_edge (tangle, i, 3999 - i, 1);
  g_autofree guint32 *same = g_new (guint32, 4000);
  for (guint i = 0; i < 4000; i++)
    same[i] = i;
  input = test_graph_input (tangle);
  g_autoptr (FbLayout) cut = fb_layout_new (&input, NULL, NULL);
  input.hint = cut;
  input.hint_node = same;
  g_autoptr (FbLayout) again = fb_layout_new (&input, NULL, NULL);
  g_assert_cmpmem (again->stub, again->n_edges, cut->stub, cut->n_edges);
  test_graph_free (chain);
  test_graph_free (ends);
  test_graph_free (tangle);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viz/layout/random", test_random);
  g_test_add_func ("/viz/layout/shapes", test_shapes);
  g_test_add_func ("/viz/layout/ports", test_ports);
  g_test_add_func ("/viz/layout/deterministic", test_deterministic);
  g_test_add_func ("/viz/layout/threads", test_threads);
  g_test_add_func ("/viz/layout/cancel", test_cancel);
  g_test_add_func ("/viz/layout/cycle", test_cycle);
  g_test_add_func ("/viz/layout/long-chain", test_long_chain);
  g_test_add_func ("/viz/layout/long-edges", test_long_edges);
  g_test_add_func ("/viz/layout/left-of", test_left_of);
  g_test_add_func ("/viz/layout/hint", test_hint);
  g_test_add_func ("/viz/layout/hint-lines", test_hint_lines);
  g_test_add_func ("/viz/layout/hint-longer", test_hint_longer);
  return g_test_run ();
}
