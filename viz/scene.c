#include "scene-private.h"

#include <math.h>
#include <string.h>

const FbMetrics fb_metrics_default = { 7.225f, 6.623f };

/* A card's horizontal measures, px (VISUAL.md, Node card). */
#define BAR_X 5.0f
#define TITLE_X 14.0f
#define SPACE 6.0f
#define TRIANGLE_WIDTH 14.0f
#define CELLS_WIDTH 20.0f /* 6, then 14 */
#define CHIP_PADDING 5.0f
#define PILL_PADDING 7.0f
#define TYPE_SPACE 10.0f
#define END 8.0f
#define WIDTH_STEP 4.0f
#define WIDTH_MIN 96.0f
#define MARGIN 12.0f

guint
fb_text_columns (const char *text)
{
  guint columns = 0;
  for (; *text; text = g_utf8_next_char (text))
    {
      if ((guint8) *text < 0x80)
        {
          columns++;
          continue;
        }
      gunichar c = g_utf8_get_char (text);
      columns += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return columns;
}

static float
text_width (const FbMetrics *metrics, const char *text)
{
  return (float) fb_text_columns (text) * metrics->text_advance;
}

static float
chip_width (const FbMetrics *metrics, const FbGraphChip *chip)
{
  return text_width (metrics, chip->text) + 2 * CHIP_PADDING;
}

float
fb_scene_chip_width (const FbScene *scene, const FbGraphChip *chip)
{
  return chip_width (&scene->metrics, chip);
}

/* Columns of "18 users" */
static guint
pill_columns (guint32 n_users)
{
  guint n = 6;
  do
    n++;
  while (n_users /= 10);
  return n;
}

/* Everything from the left; returns where it ends. */
static float
left_parts (const FbGraphNode *node, const FbMetrics *metrics, FbCardParts *parts, float *chip_x)
{
  float x = TITLE_X;

  *parts = (FbCardParts){ .bar_x = BAR_X, .mark_x = TITLE_X };
  if (node->group)
    {
      parts->triangle_x = x;
      x += TRIANGLE_WIDTH;
      parts->mark_x = x;
    }
  if (node->mark != FB_MARK_SAME)
    x += FB_SCENE_MARK_WIDTH;
  parts->title_x = x;
  parts->title_width = (float) fb_text_columns (node->title) * metrics->title_advance;
  x += parts->title_width;
  if (*node->argument)
    {
      parts->argument_x = x + SPACE;
      parts->argument_width = text_width (metrics, node->argument);
      x = parts->argument_x + parts->argument_width;
    }
  for (guint32 i = 0; i < node->n_chips; i++)
    {
      x += SPACE;
      if (chip_x)
        chip_x[i] = x;
      x += chip_width (metrics, &node->chips[i]);
    }
  if (node->hub)
    {
      parts->pill_x = x + SPACE;
      parts->pill_width = (float) pill_columns (node->n_users) * metrics->text_advance + 2 * PILL_PADDING;
      x = parts->pill_x + parts->pill_width;
    }
  parts->type_width = text_width (metrics, node->type);
  return x;
}

float
fb_card_width (const FbGraphNode *node, const FbMetrics *metrics)
{
  FbCardParts parts;
  float width = left_parts (node, metrics, &parts, NULL);

  if (parts.type_width > 0)
    width += TYPE_SPACE + parts.type_width;
  if (node->realized)
    width += CELLS_WIDTH;
  width = ceilf ((width + END) / WIDTH_STEP) * WIDTH_STEP;
  return MAX (width, WIDTH_MIN);
}

void
fb_scene_card_parts (const FbScene *scene, guint32 node, FbCardParts *parts, float *chip_x)
{
  left_parts (&scene->graph->nodes[node], &scene->metrics, parts, chip_x);
  float end = scene->layout->node_width[node] - END;
  if (scene->graph->nodes[node].realized)
    {
      parts->cells_x = end - 14;
      end -= CELLS_WIDTH;
    }
  parts->type_x = end - parts->type_width;
}

/* Which node of @hint each node takes its place from. The replacement takes the place of what it replaces, which moves aside. */
static guint32 *
find_places (const FbGraph *graph, const FbScene *hint, guint8 *loose)
{
  guint32 *place = fb_graph_match_places (graph, hint->graph, loose);

  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      guint32 to = graph->nodes[i].becomes;
      if (to != FB_GRAPH_NONE && graph->nodes[to].mark == FB_MARK_NEW && place[to] == FB_GRAPH_NONE)
        {
          place[to] = place[i];
          loose[to] = loose[i];
          place[i] = FB_GRAPH_NONE;
        }
    }
  return place;
}

guint32 *
fb_scene_left_of (const FbGraph *graph)
{
  guint32 *left_of = NULL;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      guint32 to = graph->nodes[i].becomes;
      /* only a new node has a place to give; an old one stays where it is */
      if (to == FB_GRAPH_NONE || graph->nodes[to].mark != FB_MARK_NEW)
        continue;
      if (!left_of)
        {
          left_of = g_new (guint32, graph->n_nodes);
          memset (left_of, 0xff, graph->n_nodes * sizeof *left_of);
        }
      left_of[i] = to;
    }
  return left_of;
}

static FbLayout *
lay_out (FbGraph *graph, const FbMetrics *metrics, const FbLayout *hint, const guint32 *place, const guint8 *loose,
         const guint32 *left_of, GCancellable *cancellable, GError **error)
{
  guint32 n = graph->n_nodes;
  g_autofree float *width = g_new (float, MAX (n, 1));
  g_autofree FbLayoutEdge *edges = g_new (FbLayoutEdge, MAX (graph->n_edges, 1));
  g_autofree guint32 *beside = left_of ? NULL : fb_scene_left_of (graph);
  FbLayoutInput input = { .n_nodes = n, .n_edges = graph->n_edges, .width = width, .edges = edges };

  for (guint32 i = 0; i < n; i++)
    width[i] = fb_card_width (&graph->nodes[i], metrics);
  for (guint32 e = 0; e < graph->n_edges; e++)
    {
      const FbGraphEdge *edge = &graph->edges[e];
      gboolean stub = graph->nodes[edge->source].hub || graph->nodes[edge->user].n_in > FB_GRAPH_HUB_SOURCES;
      edges[e] = (FbLayoutEdge){ edge->source, edge->user, edge->port, stub };
    }
  input.left_of = left_of ? left_of : beside;
  /* the base of a pass's steps: marks will make cards wider and are not to push their neighbours */
  if (graph->n_marks[FB_MARK_SAME] == n && !hint)
    input.spare = FB_SCENE_SPARE;
  if (hint)
    {
      input.hint = hint;
      input.hint_node = place;
      input.hint_loose = loose;
    }
  return fb_layout_new (&input, cancellable, error);
}

static FbScene *
make_scene (FbGraph *graph, const FbMetrics *metrics, FbLayout *layout)
{
  FbSceneFull *full = g_new0 (FbSceneFull, 1);
  full->ref_count = 1;
  full->scene.graph = fb_graph_ref (graph);
  full->scene.layout = layout;
  full->scene.metrics = *metrics;
  full->scene.bounds
      = (FbRect){ layout->left - MARGIN, -MARGIN, layout->width + 2 * MARGIN, layout->height + 2 * MARGIN };
  fb_scene_index_edges (full);
  return &full->scene;
}

FbScene *
fb_scene_new (FbGraph *graph, const FbMetrics *metrics, const FbScene *hint, GCancellable *cancellable, GError **error)
{
  guint32 n = MAX (graph->n_nodes, 1);
  g_autofree guint8 *loose = hint ? g_new0 (guint8, n) : NULL;
  g_autofree guint32 *place = hint ? find_places (graph, hint, loose) : NULL;

  if (!metrics)
    metrics = &fb_metrics_default;
  FbLayout *layout = lay_out (graph, metrics, hint ? hint->layout : NULL, place, loose, NULL, cancellable, error);
  return layout ? make_scene (graph, metrics, layout) : NULL;
}

FbScene *
fb_scene_new_close (FbGraph *graph, const FbMetrics *metrics, const FbLayout *hint, const guint32 *place,
                    const guint32 *left_of, GCancellable *cancellable, GError **error)
{
  FbLayout *layout = lay_out (graph, metrics, hint, place, NULL, left_of, cancellable, error);
  return layout ? make_scene (graph, metrics, layout) : NULL;
}

FbScene *
fb_scene_new_placed (FbGraph *graph, const FbMetrics *metrics, const FbLayout *places, GCancellable *cancellable,
                     GError **error)
{
  guint32 n = MAX (graph->n_nodes, 1);
  g_autofree guint32 *place = g_new (guint32, n);

  g_return_val_if_fail (places->n_nodes == graph->n_nodes, NULL);
  /* a hub's lines were not drawn, so its place says little */
  for (guint32 i = 0; i < graph->n_nodes; i++)
    place[i] = graph->nodes[i].hub ? FB_GRAPH_NONE : i;
  if (!metrics)
    metrics = &fb_metrics_default;
  return fb_scene_new_close (graph, metrics, places, place, NULL, cancellable, error);
}

FbScene *
fb_scene_ref (FbScene *scene)
{
  g_atomic_int_inc (&((FbSceneFull *) scene)->ref_count);
  return scene;
}

void
fb_scene_unref (FbScene *scene)
{
  FbSceneFull *full = (FbSceneFull *) scene;

  if (!scene || !g_atomic_int_dec_and_test (&full->ref_count))
    return;
  fb_graph_unref (scene->graph);
  fb_layout_free (scene->layout);
  g_free (full->box);
  g_free (full->band_first);
  g_free (full->band_edges);
  g_free (full);
}

const FbPoint *
fb_scene_edge (const FbScene *scene, guint32 edge, guint32 *n_points)
{
  const FbLayout *layout = scene->layout;
  *n_points = layout->route_first[edge + 1] - layout->route_first[edge];
  return layout->points + layout->route_first[edge];
}

gboolean
fb_scene_edge_is_stub (const FbScene *scene, guint32 edge)
{
  return scene->layout->stub[edge];
}

guint
fb_scene_stub_route (const FbScene *scene, guint32 edge, FbPoint points[4])
{
  guint32 n;
  const FbPoint *ends = fb_scene_edge (scene, edge, &n);
  FbPoint from = ends[0], to = ends[n - 1];
  float y = from.y + (float) FB_LAYOUT_GAP_CHAIN / 2;

  points[0] = from;
  points[1] = (FbPoint){ from.x, y };
  points[2] = (FbPoint){ to.x, y };
  points[3] = to;
  return 4;
}

static gboolean
is_left (const FbGraphNode *node)
{
  return node->mark == FB_MARK_REPLACED || node->mark == FB_MARK_GONE;
}

FbMoves
fb_scene_moves (const FbScene *scene, const FbScene *before, const guint32 *match)
{
  FbMoves moves = { 0, 0 };

  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    {
      const FbGraphNode *node = &scene->graph->nodes[i];
      if (match[i] == FB_GRAPH_NONE || is_left (node) || is_left (&before->graph->nodes[match[i]])
          || node->key != before->graph->nodes[match[i]].key)
        continue;
      FbRect a = fb_scene_card (scene, i), b = fb_scene_card (before, match[i]);
      moves.n_same++;
      moves.n_moved += fabsf (a.x + a.width / 2 - b.x - b.width / 2) > 1 || fabsf (a.y - b.y) > 1;
    }
  return moves;
}
