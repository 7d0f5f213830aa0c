/* Cards and what is found where. */
#include <math.h>

#include "sample-scene.h"

typedef struct
{
  Sample sample;
  FbScene *scene;
} Fixture;

static void
set_up (Fixture *f, gconstpointer name)
{
  sample_open (&f->sample, name);
  f->scene = sample_base (&f->sample);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  fb_scene_unref (f->scene);
  sample_close (&f->sample);
}

/* Everything on a card is on it, from left to right, without touching. */
static void
test_parts (Fixture *f, gconstpointer data)
{
  for (guint step = 0; step <= f->sample.pass->matches->len; step += 3)
    {
      g_autoptr (FbScene) scene = sample_step (&f->sample, step, NULL);
      for (guint32 i = 0; i < scene->graph->n_nodes; i++)
        {
          const FbGraphNode *node = &scene->graph->nodes[i];
          g_autofree float *chip_x = g_new (float, MAX (node->n_chips, 1));
          FbRect card = fb_scene_card (scene, i);
          FbCardParts parts;

          fb_scene_card_parts (scene, i, &parts, chip_x);
          g_assert_cmpfloat (card.width, >=, 96);
          g_assert_cmpfloat (fmodf (card.width, 4), ==, 0);
          g_assert_cmpfloat (parts.title_x, ==, node->mark == FB_MARK_SAME ? 14 : 34);
          float end = parts.title_x + parts.title_width;
          if (parts.argument_width > 0)
            {
              g_assert_cmpfloat (parts.argument_x, >=, end + 5.9);
              end = parts.argument_x + parts.argument_width;
            }
          for (guint32 k = 0; k < node->n_chips; k++)
            {
              g_assert_cmpfloat (chip_x[k], >=, end + 5.9);
              end = chip_x[k] + fb_scene_chip_width (scene, &node->chips[k]);
              float middle = card.x + chip_x[k] + 3;
              g_assert_cmpint (fb_scene_hit_chip (scene, i, middle, card.y + 12), ==, (int) k);
              g_assert_cmpint (fb_scene_hit_chip (scene, i, middle, card.y + 1), ==, -1);
            }
          g_assert_cmpfloat (parts.type_x, >=, end + 9.9);
          g_assert_cmpfloat (fabsf (parts.type_x + parts.type_width + 8 - card.width), <, 0.01);
        }
    }
}

static guint32
hit_by_looking (const FbScene *scene, double x, double y)
{
  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    {
      FbRect card = fb_scene_card (scene, i);
      if (x > card.x && x < card.x + card.width && y >= card.y && y < card.y + card.height)
        return i;
    }
  return FB_GRAPH_NONE;
}

static void
test_hit (Fixture *f, gconstpointer data)
{
  const FbScene *scene = f->scene;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 5000; i++)
    {
      double x = g_rand_double_range (rand, scene->bounds.x - 20, scene->bounds.x + scene->bounds.width + 20);
      double y = g_rand_double_range (rand, scene->bounds.y - 20, scene->bounds.y + scene->bounds.height + 20);
      g_assert_cmpuint (fb_scene_hit (scene, x, y, 0), ==, hit_by_looking (scene, x, y));
    }
  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    {
      FbRect card = fb_scene_card (scene, i);
      g_assert_cmpuint (fb_scene_hit (scene, card.x + 5, card.y + 5, 0), ==, i);
      g_assert_cmpuint (fb_scene_hit (scene, card.x + 5, card.y - 1.5, 2), ==, i);
      g_assert_cmpuint (fb_scene_hit (scene, card.x + 5, card.y + card.height + 1.5, 2), ==, i);
      g_assert_cmpuint (fb_scene_hit (scene, card.x - 1.5, card.y + 12, 2), ==, i);
    }
}

static gboolean
contains (const GArray *numbers, guint32 number)
{
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint32, i) == number)
      return TRUE;
  return FALSE;
}

static void
test_culling (Fixture *f, gconstpointer data)
{
  const FbScene *scene = f->scene;
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint round = 0; round < 60; round++)
    {
      FbRect rect = { (float) g_rand_double_range (rand, -100, scene->bounds.width),
                      (float) g_rand_double_range (rand, -100, scene->bounds.height),
                      (float) g_rand_double_range (rand, 1, 800), (float) g_rand_double_range (rand, 1, 800) };
      g_array_set_size (nodes, 0);
      g_array_set_size (edges, 0);
      fb_scene_cards_in (scene, rect, nodes);
      fb_scene_edges_in (scene, rect, edges);
      for (guint32 i = 0; i < scene->graph->n_nodes; i++)
        {
          FbRect card = fb_scene_card (scene, i);
          gboolean meets = card.x < rect.x + rect.width && card.x + card.width > rect.x && card.y < rect.y + rect.height
                           && card.y + card.height > rect.y;
          g_assert_cmpint (contains (nodes, i), ==, meets);
        }
      for (guint i = 1; i < edges->len; i++)
        g_assert_cmpuint (g_array_index (edges, guint32, i - 1), <, g_array_index (edges, guint32, i));
      for (guint32 e = 0; e < scene->graph->n_edges; e++)
        {
          guint32 n;
          const FbPoint *p = fb_scene_edge (scene, e, &n);
          for (guint32 k = 0; k < n && !fb_scene_edge_is_stub (scene, e); k++)
            if (p[k].x > rect.x && p[k].x < rect.x + rect.width && p[k].y > rect.y && p[k].y < rect.y + rect.height)
              g_assert_true (contains (edges, e));
        }
    }
}

static void
test_neighbours (Fixture *f, gconstpointer data)
{
  const FbScene *scene = f->scene;
  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    {
      guint32 right = fb_scene_neighbour (scene, i, 1, 0), up = fb_scene_neighbour (scene, i, 0, -1);
      guint32 down = fb_scene_neighbour (scene, i, 0, 1);
      if (right != FB_GRAPH_NONE)
        {
          g_assert_cmpfloat (fb_scene_card (scene, right).x, >, fb_scene_card (scene, i).x);
          g_assert_cmpuint (fb_scene_neighbour (scene, right, -1, 0), ==, i);
        }
      g_assert_cmpint (up == FB_GRAPH_NONE, ==, scene->graph->nodes[i].n_in == 0);
      g_assert_cmpint (down == FB_GRAPH_NONE, ==, scene->graph->nodes[i].n_out == 0);
      if (up != FB_GRAPH_NONE)
        g_assert_cmpfloat (fb_scene_card (scene, up).y, <, fb_scene_card (scene, i).y);
    }
  g_assert_cmpuint (fb_scene_neighbour (scene, FB_GRAPH_NONE, 1, 0), ==, FB_GRAPH_NONE);
}

static void
test_minimap (Fixture *f, gconstpointer data)
{
  static const float sizes[][2] = { { 120, 96 }, { 40, 30 }, { 2000, 2000 }, { 1, 1 } };
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autoptr (GArray) bars = fb_scene_minimap (f->scene, sizes[s][0], sizes[s][1]);
      FbRect bounds = f->scene->bounds;
      g_assert_cmpuint (bars->len, >, 0);
      g_assert_cmpuint (bars->len, <=, MAX (sizes[s][0] * sizes[s][1], f->scene->graph->n_nodes));
      for (guint i = 0; i < bars->len; i++)
        {
          FbRect bar = g_array_index (bars, FbMinimapBar, i).rect;
          g_assert_cmpfloat (bar.x, >=, bounds.x - 1);
          g_assert_cmpfloat (bar.x + bar.width, <=, bounds.x + bounds.width * 1.1 + 1);
        }
    }
  g_autoptr (GArray) none = fb_scene_minimap (f->scene, 0, 10);
  g_assert_cmpuint (none->len, ==, 0);
}

/* Steps of a pass hold still: what the step does not touch stays where the input had it. */
static void
test_places (Fixture *f, gconstpointer data)
{
  guint n_same = 0, n_moved = 0;
  for (guint step = 1; step <= f->sample.pass->matches->len; step++)
    {
      g_autoptr (FbScene) scene = sample_step (&f->sample, step, f->scene);
      g_autofree guint32 *match = fb_graph_match (scene->graph, f->scene->graph);
      for (guint32 i = 0; i < scene->graph->n_nodes; i++)
        {
          const FbGraphNode *node = &scene->graph->nodes[i];
          FbRect card = fb_scene_card (scene, i);
          if (node->becomes != FB_GRAPH_NONE && scene->graph->nodes[node->becomes].mark == FB_MARK_NEW)
            {
              FbRect other = fb_scene_card (scene, node->becomes);
              g_assert_cmpfloat (card.y, ==, other.y);
              /* left of it, or right where there is room only there */
              float gap = card.x < other.x ? other.x - card.x - card.width : card.x - other.x - other.width;
              g_assert_cmpfloat (fabsf (gap - (float) FB_LAYOUT_BECOMES), <, 0.1);
            }
          if (match[i] == FB_GRAPH_NONE || node->mark == FB_MARK_REPLACED)
            continue;
          FbRect was = fb_scene_card (f->scene, match[i]);
          n_same++;
          n_moved += fabsf (card.x + card.width / 2 - was.x - was.width / 2) > 1;
        }
    }
  g_assert_cmpuint (n_same, >, 100);
  g_assert_cmpuint (n_moved * 25, <, n_same);
}

static void
test_cancel (Fixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_cancellable_cancel (cancellable);
  g_assert_null (fb_scene_new (f->scene->graph, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/viz/scene/parts", Fixture, "lerp.db", set_up, test_parts, tear_down);
  g_test_add ("/viz/scene/hit", Fixture, "mlp_train.db", set_up, test_hit, tear_down);
  g_test_add ("/viz/scene/culling", Fixture, "mlp_train.db", set_up, test_culling, tear_down);
  g_test_add ("/viz/scene/neighbours", Fixture, "mlp_train.db", set_up, test_neighbours, tear_down);
  g_test_add ("/viz/scene/minimap", Fixture, "mlp_train.db", set_up, test_minimap, tear_down);
  g_test_add ("/viz/scene/places", Fixture, "lerp.db", set_up, test_places, tear_down);
  g_test_add ("/viz/scene/places-attention", Fixture, "attention.db", set_up, test_places, tear_down);
  g_test_add ("/viz/scene/cancel", Fixture, "lerp.db", set_up, test_cancel, tear_down);
  return g_test_run ();
}
