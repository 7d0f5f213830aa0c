/* Where cards stand from step to step of a pass. */
#include <math.h>
#include <string.h>

#include "sample-scene.h"
#include "viz/places.h"

typedef struct
{
  Sample sample;
  FbHistory *history;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  sample_open (&f->sample, data);
  f->history = fb_history_new (f->sample.schedule, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  fb_history_free (f->history);
  sample_close (&f->sample);
}

/* A step's graph and where it stands; the step owns the nodes. */
typedef struct
{
  FbStep *step;
  FbScene *scene;
} Shown;

static Shown
show (const Fixture *f, const FbPlaces *places, guint pass, guint number)
{
  g_autoptr (GError) error = NULL;
  Shown shown = { fb_step_new (f->sample.context, fb_schedule_pass (f->sample.schedule, pass), number, &error), NULL };
  g_assert_no_error (error);
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (shown.step->context, shown.step, FB_GRAPH_OVERLAY);
  shown.scene = fb_places_scene (places, graph, shown.step->context, number, number ? number - 1 : 0, NULL, &error);
  g_assert_no_error (error);
  return shown;
}

static void
hide (Shown *shown)
{
  fb_scene_unref (shown->scene);
  fb_step_free (shown->step);
}

static void
check_picture (const FbScene *scene)
{
  const FbLayout *layout = scene->layout;

  for (guint32 r = 0; r < layout->n_layers; r++)
    for (guint32 i = layout->layer_first[r] + 1; i < layout->layer_first[r + 1]; i++)
      {
        FbRect a = fb_scene_card (scene, layout->layer_nodes[i - 1]), b = fb_scene_card (scene, layout->layer_nodes[i]);
        g_assert_cmpfloat (a.x + a.width + FB_LAYOUT_CARD_GAP, <, b.x + 0.5);
      }
  for (guint32 e = 0; e < scene->graph->n_edges; e++)
    {
      const FbGraphEdge *edge = &scene->graph->edges[e];
      g_assert_cmpfloat (fb_scene_card (scene, edge->source).y, <, fb_scene_card (scene, edge->user).y);
    }
}

/* What a step replaced stands beside what came instead. */
static void
check_replaced (const FbScene *scene)
{
  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    {
      guint32 to = scene->graph->nodes[i].becomes;
      if (to == FB_GRAPH_NONE || scene->graph->nodes[to].mark != FB_MARK_NEW)
        continue;
      FbRect a = fb_scene_card (scene, i), b = fb_scene_card (scene, to);
      float gap = a.x < b.x ? b.x - a.x - a.width : a.x - b.x - b.width;
      g_assert_cmpfloat (a.y, ==, b.y);
      g_assert_cmpfloat (fabsf (gap - (float) FB_LAYOUT_BECOMES), <, 0.1);
    }
}

/* What a step does not change stays where it is, whatever comes and goes beside it. */
static void
test_hold_still (Fixture *f, gconstpointer data)
{
  guint n_same = 0, n_moved = 0, n_still = 0, n_steps = 0;

  for (guint p = 0; p < f->sample.schedule->passes->len; p++)
    {
      guint n = fb_schedule_pass (f->sample.schedule, p)->matches->len;
      g_autoptr (FbPlaces) places = fb_places_new (f->history, p, NULL, NULL, NULL);
      g_assert_nonnull (places);
      Shown before = show (f, places, p, 0);
      for (guint s = 1; s <= n; s++)
        {
          Shown after = show (f, places, p, s);
          g_autofree guint32 *match = fb_graph_match (after.scene->graph, before.scene->graph);
          FbMoves moves = fb_scene_moves (after.scene, before.scene, match);
          check_picture (after.scene);
          check_replaced (after.scene);
          n_steps++;
          n_still += moves.n_moved * 50 <= moves.n_same;
          n_same += moves.n_same;
          n_moved += moves.n_moved;
          hide (&before);
          before = after;
        }
      hide (&before);
    }
  g_assert_cmpuint (n_steps, >, 20);
  g_assert_cmpuint (n_same, >, 100);
  /* in nine steps of ten no more than 2 % move, and so it is of all cards together */
  g_assert_cmpuint (n_still * 10, >=, n_steps * 9);
  g_assert_cmpuint (n_moved * 50, <=, n_same);
}

/* Where a pass has few steps none of them moves anything, also when it is about what other steps fold into its users. */
static void
test_few_steps (Fixture *f, gconstpointer data)
{
  guint n_rare = 0;

  for (guint p = 0; p < f->sample.schedule->passes->len; p++)
    {
      guint n = fb_schedule_pass (f->sample.schedule, p)->matches->len;
      if (n == 0 || n > 3)
        continue;
      g_autoptr (FbPlaces) places = fb_places_new (f->history, p, NULL, NULL, NULL);
      Shown before = show (f, places, p, 0);
      for (guint s = 1; s <= n; s++)
        {
          Shown after = show (f, places, p, s);
          g_autofree guint32 *match = fb_graph_match (after.scene->graph, before.scene->graph);
          FbMoves moves = fb_scene_moves (after.scene, before.scene, match);
          n_rare += fb_graph_is_folded (before.scene->graph, after.step->before);
          check_picture (after.scene);
          g_assert_cmpuint (moves.n_moved, ==, 0);
          hide (&before);
          before = after;
        }
      hide (&before);
    }
  g_assert_cmpuint (n_rare, >, 0);
}

/* A pass has room for little more than what is there at a time: what comes takes the place of what goes. */
static void
test_share (Fixture *f, gconstpointer data)
{
  for (guint p = 0; p < f->sample.schedule->passes->len; p++)
    {
      const FbPass *pass = fb_schedule_pass (f->sample.schedule, p);
      g_autoptr (FbPlaces) places = fb_places_new (f->history, p, NULL, NULL, NULL);
      guint32 most = 0, made = 0;
      for (guint s = 0; s <= pass->matches->len; s++)
        {
          Shown shown = show (f, places, p, s);
          most = MAX (most, shown.scene->graph->n_nodes);
          made += shown.scene->graph->n_marks[FB_MARK_NEW];
          hide (&shown);
        }
      g_assert_cmpuint (fb_places_count (places), <=, 2 * most);
      g_assert_cmpuint (fb_places_count (places), <=, most + made);
    }
}

static void
test_cancel (Fixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_cancellable_cancel (cancellable);
  g_assert_null (fb_places_new (f->history, 0, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What was written reads back as the same pictures, and only for the pass and the font it was written for. */
static void
test_bytes (Fixture *f, gconstpointer data)
{
  g_autoptr (FbPlaces) made = fb_places_new (f->history, 0, NULL, NULL, NULL);
  g_autoptr (GBytes) bytes = fb_places_to_bytes (made);
  g_autoptr (FbPlaces) read = fb_places_new_from_bytes (f->history, 0, NULL, bytes);
  guint n_steps = fb_schedule_pass (f->sample.schedule, 0)->matches->len;
  FbMetrics wide = { 9, 8 };

  g_assert_nonnull (read);
  g_assert_cmpuint (fb_places_count (read), ==, fb_places_count (made));
  for (guint s = 0; s <= n_steps; s += MAX (n_steps / 10, 1))
    {
      Shown a = show (f, made, 0, s), b = show (f, read, 0, s);
      g_assert_cmpuint (a.scene->graph->n_nodes, ==, b.scene->graph->n_nodes);
      for (guint32 i = 0; i < a.scene->graph->n_nodes; i++)
        {
          FbRect x = fb_scene_card (a.scene, i), y = fb_scene_card (b.scene, i);
          g_assert_true (x.x == y.x && x.y == y.y && x.width == y.width);
        }
      hide (&a);
      hide (&b);
    }
  g_assert_null (fb_places_new_from_bytes (f->history, 1, NULL, bytes));
  g_assert_null (fb_places_new_from_bytes (f->history, 0, &wide, bytes));
  g_assert_cmpuint (fb_places_digest (f->history, 0, NULL), !=, fb_places_digest (f->history, 2, NULL));
  g_assert_cmpuint (fb_places_digest (f->history, 0, NULL), !=, fb_places_digest (f->history, 0, &wide));
}

/* Whatever a stranger's file says, it is refused or can be drawn. */
static void
test_bad_bytes (Fixture *f, gconstpointer data)
{
  g_autoptr (FbPlaces) made = fb_places_new (f->history, 0, NULL, NULL, NULL);
  g_autoptr (GBytes) bytes = fb_places_to_bytes (made);
  gsize size;
  const guint8 *good = g_bytes_get_data (bytes, &size);
  guint refused = 0, tries = 300;

  for (gsize cut = 0; cut < size; cut += size / 20 + 1)
    {
      g_autoptr (GBytes) part = g_bytes_new (good, cut);
      g_assert_null (fb_places_new_from_bytes (f->history, 0, NULL, part));
    }
  for (guint i = 0; i < tries; i++)
    {
      static const guint32 values[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x4e6e6b28 };
      g_autofree guint8 *copy = g_memdup2 (good, size);
      gsize word = (gsize) g_test_rand_int_range (0, (gint32) (size / 4));
      memcpy (copy + word * 4, &values[i % G_N_ELEMENTS (values)], 4);
      g_autoptr (GBytes) bad = g_bytes_new (copy, size);
      g_autoptr (FbPlaces) read = fb_places_new_from_bytes (f->history, 0, NULL, bad);
      refused += !read;
      if (read)
        {
          Shown shown = show (f, read, 0, 1);
          hide (&shown);
        }
    }
  g_assert_cmpuint (refused, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/viz/places/hold-still", Fixture, "lerp.db", set_up, test_hold_still, tear_down);
  g_test_add ("/viz/places/hold-still-attention", Fixture, "attention.db", set_up, test_hold_still, tear_down);
  g_test_add ("/viz/places/hold-still-mlp", Fixture, "mlp_train.db", set_up, test_hold_still, tear_down);
  g_test_add ("/viz/places/few-steps", Fixture, "attention.db", set_up, test_few_steps, tear_down);
  g_test_add ("/viz/places/few-steps-convnet", Fixture, "convnet_train.db", set_up, test_few_steps, tear_down);
  g_test_add ("/viz/places/share", Fixture, "attention.db", set_up, test_share, tear_down);
  g_test_add ("/viz/places/bytes", Fixture, "attention.db", set_up, test_bytes, tear_down);
  g_test_add ("/viz/places/bad-bytes", Fixture, "lerp.db", set_up, test_bad_bytes, tear_down);
  g_test_add ("/viz/places/cancel", Fixture, "lerp.db", set_up, test_cancel, tear_down);
  return g_test_run ();
}
