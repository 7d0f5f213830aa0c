/* Parts of graphs and groups as one card: what is left, in which order, and where things are found. */
#include "sample-scene.h"
#include "tests/graph-util.h"
#include "viz/frames.h"
#include "viz/graph-shown.h"

/* buffer -> a -> b -> c -> d, and b -> d: the names of the nodes are their places. */
typedef struct
{
  FbContext *context;
  FbUop *buffer, *a, *b, *c, *d;
  FbGraph *graph;
} Small;

static void
small_open (Small *s)
{
  s->context = fb_context_new ();
  s->buffer = buffer (s->context, 0, 12);
  s->a = op1 (s->context, FB_OP_EXP2, s->buffer);
  s->b = op1 (s->context, FB_OP_SQRT, s->a);
  s->c = op1 (s->context, FB_OP_RECIP, s->b);
  s->d = fb_uop_new (s->context, FB_OP_ADD, s->b->dtype, 2, (FbUop *[]){ s->b, s->c }, FB_ARG_NIL);
  s->graph = fb_graph_new_from_sink (s->context, sink_of (s->context, s->d));
  g_assert_cmpuint (s->graph->n_nodes, ==, 6);
}

static void
small_close (Small *s)
{
  fb_graph_unref (s->graph);
  fb_context_free (s->context);
}

static guint32
find (const Small *s, FbUop *uop)
{
  guint32 node = fb_graph_find (s->graph, uop);
  g_assert_cmpuint (node, <, s->graph->n_nodes);
  return node;
}

/* Sources before users, each edge where its ends say it is, each node where it is found. */
static void
check (const FbGraph *graph)
{
  guint32 n_in = 0, n_out = 0;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      const FbGraphNode *node = &graph->nodes[i];
      for (guint32 k = 0; k < node->n_in; k++)
        {
          const FbGraphEdge *edge = &graph->edges[node->first_in + k];
          g_assert_cmpuint (edge->user, ==, i);
          g_assert_cmpuint (edge->source, <, i);
        }
      for (guint32 k = 0; k < node->n_out; k++)
        g_assert_cmpuint (graph->edges[graph->out[node->first_out + k]].source, ==, i);
      n_in += node->n_in;
      n_out += node->n_out;
    }
  g_assert_cmpuint (n_in, ==, graph->n_edges);
  g_assert_cmpuint (n_out, ==, graph->n_edges);
}

static void
test_hide (void)
{
  Small s;
  small_open (&s);
  guint8 hidden[6] = { 0 };
  hidden[find (&s, s.c)] = TRUE;
  FbShownInput input = { .hidden = hidden };
  g_autoptr (FbGraph) shown = fb_graph_new_shown (s.graph, &input);
  check (shown);
  g_assert_cmpuint (shown->n_nodes, ==, 5);
  g_assert_cmpuint (shown->n_edges, ==, 4);
  g_assert_cmpuint (fb_graph_find (shown, s.c), ==, FB_GRAPH_NONE);
  g_assert_true (shown->nodes[fb_graph_find (shown, s.b)].users_hidden);
  g_assert_false (shown->nodes[fb_graph_find (shown, s.b)].sources_hidden);
  g_assert_true (shown->nodes[fb_graph_find (shown, s.d)].sources_hidden);
  g_assert_true (shown->nodes[fb_graph_find (shown, s.d)].uop == s.d);
  g_assert_cmpuint (shown->root, ==, fb_graph_card_of (shown, s.graph->root));
  /* what is folded into a card is still there */
  g_assert_true (fb_graph_is_folded (shown, s.buffer->src[0]));
  g_assert_true (fb_graph_get_whole (shown) == s.graph);
  memset (hidden, TRUE, sizeof hidden);
  g_assert_null (fb_graph_new_shown (s.graph, &input));
  small_close (&s);
}

static void
test_collapse (void)
{
  Small s;
  small_open (&s);
  guint32 group[6];
  const FbGroup groups[] = { { FB_GROUP_HAND, 77, 0 } };
  for (guint i = 0; i < 6; i++)
    group[i] = FB_GRAPH_NONE;
  group[find (&s, s.a)] = group[find (&s, s.b)] = group[find (&s, s.c)] = 0;
  FbShownInput input = { .group = group, .groups = groups, .n_groups = 1 };
  g_autoptr (FbGraph) shown = fb_graph_new_shown (s.graph, &input);
  check (shown);
  /* BUFFER, the group, ADD, SINK; the two lines from the group to ADD are one */
  g_assert_cmpuint (shown->n_nodes, ==, 4);
  g_assert_cmpuint (shown->n_edges, ==, 3);
  guint32 card = fb_graph_find (shown, s.b);
  g_assert_cmpuint (card, ==, fb_graph_find (shown, s.a));
  g_assert_cmpint (shown->nodes[card].group, ==, FB_GROUP_HAND);
  g_assert_cmpuint (shown->nodes[card].n_members, ==, 3);
  g_assert_cmpuint (shown->nodes[card].key, ==, 77);
  g_assert_cmpstr (shown->nodes[card].type, ==, "3 ALU");
  g_assert_cmpint (shown->nodes[card].mark, ==, FB_MARK_SAME);
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint32));
  fb_graph_members (shown, card, members);
  g_assert_cmpuint (members->len, ==, 3);
  g_assert_cmpuint (g_array_index (members, guint32, 0), ==, find (&s, s.a));
  small_close (&s);
}

/* b and d as one card would be source and user of c. */
static void
test_cycle (void)
{
  Small s;
  small_open (&s);
  guint32 group[6];
  guint8 set[6] = { 0 };
  const FbGroup groups[] = { { FB_GROUP_HAND, 77, 0 } };
  for (guint i = 0; i < 6; i++)
    group[i] = FB_GRAPH_NONE;
  group[find (&s, s.b)] = group[find (&s, s.d)] = 0;
  FbShownInput input = { .group = group, .groups = groups, .n_groups = 1 };
  g_autoptr (FbGraph) apart = fb_graph_new_shown (s.graph, &input);
  check (apart);
  g_assert_cmpuint (apart->n_nodes, ==, 6);
  /* with what lies between it is no cycle */
  set[find (&s, s.b)] = set[find (&s, s.d)] = TRUE;
  fb_graph_close (s.graph, set);
  g_assert_true (set[find (&s, s.c)]);
  g_assert_false (set[find (&s, s.a)]);
  group[find (&s, s.c)] = 0;
  g_autoptr (FbGraph) closed = fb_graph_new_shown (s.graph, &input);
  check (closed);
  g_assert_cmpuint (closed->n_nodes, ==, 4);
  small_close (&s);
}

static void
test_sets (void)
{
  Small s;
  small_open (&s);
  guint8 set[6] = { 0 };
  set[find (&s, s.c)] = TRUE;
  fb_graph_grow (s.graph, set, 1);
  g_assert_true (set[find (&s, s.b)] && set[find (&s, s.d)]);
  g_assert_false (set[find (&s, s.a)] || set[s.graph->root]);
  fb_graph_grow (s.graph, set, 1);
  g_assert_true (set[find (&s, s.a)] && set[s.graph->root]);
  /* a and b are a chain; c has one source and one user, but b has two users */
  g_assert_cmpuint (fb_graph_chain (s.graph, find (&s, s.b), set), ==, 2);
  g_assert_true (set[find (&s, s.a)] && set[find (&s, s.b)]);
  g_assert_cmpuint (fb_graph_chain (s.graph, find (&s, s.c), set), ==, 1);
  g_assert_cmpuint (fb_graph_chain (s.graph, find (&s, s.buffer), set), ==, 0);
  guint32 chain[6];
  g_assert_cmpuint (fb_graph_chains (s.graph, 2, chain), ==, 1);
  g_assert_cmpuint (chain[find (&s, s.a)], ==, 0);
  g_assert_cmpuint (chain[find (&s, s.c)], ==, FB_GRAPH_NONE);
  small_close (&s);
}

/* Random parts and groups of a real graph: always an order, always every node where it says it is. */
static void
test_random (void)
{
  Sample sample;
  sample_open (&sample, "mlp_train.db");
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (sample.context, sample.pass->sink);
  guint32 n = graph->n_nodes;
  g_autofree guint8 *hidden = g_new (guint8, n);
  g_autofree guint32 *group = g_new (guint32, n);
  FbGroup groups[8];
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    groups[i] = (FbGroup){ FB_GROUP_HAND, i + 1, 0 };
  for (guint round = 0; round < 50; round++)
    {
      for (guint32 i = 0; i < n; i++)
        {
          hidden[i] = g_test_rand_int_range (0, 10) == 0;
          group[i] = round % 2 ? (guint32) g_test_rand_int_range (0, 40) : i * 8 / n;
        }
      FbShownInput input = { .hidden = hidden, .group = group, .groups = groups, .n_groups = G_N_ELEMENTS (groups) };
      g_autoptr (FbGraph) shown = fb_graph_new_shown (graph, &input);
      g_autofree guint32 *members = g_new0 (guint32, n);
      check (shown);
      for (guint32 i = 0; i < n; i++)
        {
          guint32 card = fb_graph_card_of (shown, i);
          g_assert_true (hidden[i] ? card == FB_GRAPH_NONE : card < shown->n_nodes);
          if (!hidden[i])
            members[card]++;
        }
      for (guint32 c = 0; c < shown->n_nodes; c++)
        {
          g_assert_cmpuint (members[c], ==, shown->nodes[c].n_members);
          g_assert_true ((members[c] > 1) == (shown->nodes[c].group != FB_GROUP_NONE));
        }
      g_autoptr (FbScene) scene = fb_scene_new (shown, NULL, NULL, NULL, NULL);
      g_assert_nonnull (scene);
    }
  sample_close (&sample);
}

static gboolean
meet (FbRect a, FbRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* Every card of a kernel is in its frame, and no card of another one, or of none. */
static void
test_frames (void)
{
  Sample sample;
  sample_open (&sample, "mlp_train.db");
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (sample.context, sample.pass->sink);
  guint32 n = graph->n_nodes;
  g_autofree guint32 *kernel = g_new (guint32, n);
  g_autofree guint8 *realized = g_new0 (guint8, n);
  for (guint32 i = 0; i < n; i++)
    kernel[i] = i * 12 / n;
  FbShownInput input = { .kernel = kernel, .realized = realized };
  g_autoptr (FbGraph) shown = fb_graph_new_shown (graph, &input);
  g_autoptr (FbScene) scene = fb_scene_new (shown, NULL, NULL, NULL, NULL);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (FbFramePiece));
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (FbFrameLabel));
  fb_scene_cards_in (scene, scene->bounds, nodes);
  fb_scene_edges_in (scene, scene->bounds, edges);
  g_assert_cmpuint (nodes->len, ==, shown->n_nodes);
  fb_frame_pieces (scene, nodes, edges, pieces);
  fb_frame_labels (scene, nodes, 1, labels, pieces);
  g_assert_cmpuint (labels->len, >, 0);
  g_assert_cmpuint (labels->len, <=, 11);
  for (guint32 i = 0; i < shown->n_nodes; i++)
    {
      FbRect card = fb_scene_card (scene, i);
      gboolean inside = FALSE;
      for (guint k = 0; k < pieces->len; k++)
        {
          const FbFramePiece *piece = &g_array_index (pieces, FbFramePiece, k);
          FbRect r = piece->rect;
          if (piece->kernel != shown->nodes[i].kernel)
            g_assert_false (meet (card, r));
          else
            inside |= r.x <= card.x && r.y <= card.y && r.x + r.width >= card.x + card.width
                      && r.y + r.height >= card.y + card.height;
        }
      g_assert_true (inside == (shown->nodes[i].kernel != 0));
    }
  sample_close (&sample);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viz/shown/hide", test_hide);
  g_test_add_func ("/viz/shown/collapse", test_collapse);
  g_test_add_func ("/viz/shown/cycle", test_cycle);
  g_test_add_func ("/viz/shown/sets", test_sets);
  g_test_add_func ("/viz/shown/random", test_random);
  g_test_add_func ("/viz/shown/frames", test_frames);
  return g_test_run ();
}
