/* What is where: cards by layer and place, edges by bands of layers. */
#include "scene-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static guint32
band_of_rank (guint32 rank)
{
  return rank / FB_SCENE_BAND;
}

/* An edge lies between the layers of its ends. */
static void
bands_of_edge (const FbScene *scene, guint32 edge, guint32 *first, guint32 *last)
{
  const FbGraphEdge *e = &scene->graph->edges[edge];
  *first = band_of_rank (scene->layout->rank[e->source]);
  *last = band_of_rank (scene->layout->rank[e->user]);
}

void
fb_scene_index_edges (FbSceneFull *full)
{
  const FbScene *scene = &full->scene;
  const FbLayout *layout = scene->layout;
  guint32 n = layout->n_edges, first, last;

  full->n_bands = layout->n_layers ? band_of_rank (layout->n_layers - 1) + 1 : 0;
  full->box = g_new (float, 4 * (gsize) MAX (n, 1));
  full->band_first = g_new0 (guint32, (gsize) full->n_bands + 1);
  for (guint32 e = 0; e < n; e++)
    {
      float *box = full->box + 4 * (gsize) e;
      guint32 n_points;
      const FbPoint *points = fb_scene_edge (scene, e, &n_points);
      box[0] = box[2] = points[0].x;
      box[1] = points[0].y;
      box[3] = points[n_points - 1].y;
      for (guint32 i = 1; i < n_points; i++)
        {
          box[0] = MIN (box[0], points[i].x);
          box[2] = MAX (box[2], points[i].x);
        }
      if (layout->stub[e])
        continue;
      bands_of_edge (scene, e, &first, &last);
      for (guint32 b = first; b <= last; b++)
        full->band_first[b]++;
    }
  guint32 sum = 0;
  for (guint32 b = 0; b <= full->n_bands; b++)
    {
      sum += full->band_first[b];
      full->band_first[b] = sum;
    }
  full->band_edges = g_new (guint32, MAX (sum, 1));
  for (guint32 e = n; e-- > 0;)
    if (!layout->stub[e])
      {
        bands_of_edge (scene, e, &first, &last);
        for (guint32 b = first; b <= last; b++)
          full->band_edges[--full->band_first[b]] = e;
      }
}

/* The last layer whose upper side is at or above y; n_layers when there is none. */
static guint32
layer_at (const FbLayout *layout, double y)
{
  guint32 low = 0, high = layout->n_layers;
  while (low < high)
    {
      guint32 middle = (low + high) / 2;
      if (layout->layer_y[middle] <= y)
        low = middle + 1;
      else
        high = middle;
    }
  return low ? low - 1 : layout->n_layers;
}

/* The first place of a layer whose card ends right of x. */
static guint32
place_at (const FbLayout *layout, guint32 rank, double x)
{
  guint32 low = layout->layer_first[rank], high = layout->layer_first[rank + 1];
  while (low < high)
    {
      guint32 middle = (low + high) / 2, node = layout->layer_nodes[middle];
      if (layout->x[node] + layout->node_width[node] <= x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint32
fb_scene_hit (const FbScene *scene, double x, double y, double slack)
{
  const FbLayout *layout = scene->layout;
  guint32 best = FB_GRAPH_NONE;
  double best_distance = G_MAXDOUBLE;
  guint32 rank = layer_at (layout, y);

  if (layout->n_layers == 0)
    return FB_GRAPH_NONE;
  /* with slack the card may be in the layer below; the gap is wider than any slack that makes sense */
  guint32 begin = rank == layout->n_layers ? 0 : rank, end = MIN (begin + 2, layout->n_layers);
  for (guint32 r = begin; r < end; r++)
    {
      double dy = MAX (MAX (layout->layer_y[r] - y, y - layout->layer_y[r] - FB_LAYOUT_CARD_HEIGHT), 0);
      guint32 i = place_at (layout, r, x - slack);
      if (dy > slack || (slack == 0 && y >= layout->layer_y[r] + FB_LAYOUT_CARD_HEIGHT))
        continue;
      for (; i < layout->layer_first[r + 1] && layout->x[layout->layer_nodes[i]] <= x + slack; i++)
        {
          guint32 node = layout->layer_nodes[i];
          double dx = MAX (MAX (layout->x[node] - x, x - layout->x[node] - layout->node_width[node]), 0);
          if (dx + dy < best_distance)
            {
              best_distance = dx + dy;
              best = node;
            }
        }
    }
  return best;
}

int
fb_scene_hit_chip (const FbScene *scene, guint32 node, double x, double y)
{
  const FbGraphNode *n = &scene->graph->nodes[node];
  FbRect card = fb_scene_card (scene, node);
  FbCardParts parts;
  g_autofree float *chip_x = g_new (float, MAX (n->n_chips, 1));

  if (y < card.y + 4 || y >= card.y + 20)
    return -1;
  fb_scene_card_parts (scene, node, &parts, chip_x);
  for (guint32 i = 0; i < n->n_chips; i++)
    if (x - card.x >= chip_x[i] && x - card.x < chip_x[i] + fb_scene_chip_width (scene, &n->chips[i]))
      return (int) i;
  return -1;
}

static double
centre (const FbLayout *layout, guint32 node)
{
  return layout->x[node] + layout->node_width[node] / 2;
}

static guint32
nearest_end (const FbScene *scene, guint32 node, gboolean sources)
{
  const FbGraph *graph = scene->graph;
  const FbLayout *layout = scene->layout;
  const FbGraphNode *n = &graph->nodes[node];
  guint32 best = FB_GRAPH_NONE, count = sources ? n->n_in : n->n_out;
  double best_distance = G_MAXDOUBLE;

  for (guint32 i = 0; i < count; i++)
    {
      const FbGraphEdge *edge = &graph->edges[sources ? n->first_in + i : graph->out[n->first_out + i]];
      guint32 end = sources ? edge->source : edge->user;
      /* a layer counts like a card's width: near layers first, then near places */
      double distance = fabs (centre (layout, end) - centre (layout, node))
                        + 120.0 * abs ((int) layout->rank[end] - (int) layout->rank[node]);
      if (distance < best_distance)
        {
          best_distance = distance;
          best = end;
        }
    }
  return best;
}

guint32
fb_scene_neighbour (const FbScene *scene, guint32 node, int dx, int dy)
{
  const FbLayout *layout = scene->layout;
  guint32 rank, begin, end;

  if (node >= scene->graph->n_nodes)
    return FB_GRAPH_NONE;
  rank = layout->rank[node];
  if (dy != 0)
    return nearest_end (scene, node, dy < 0);
  begin = layout->layer_first[rank];
  end = layout->layer_first[rank + 1];
  for (guint32 i = place_at (layout, rank, centre (layout, node)); i < end && dx != 0; i++)
    if (layout->layer_nodes[i] == node)
      {
        if (dx > 0)
          return i + 1 < end ? layout->layer_nodes[i + 1] : FB_GRAPH_NONE;
        return i > begin ? layout->layer_nodes[i - 1] : FB_GRAPH_NONE;
      }
  return FB_GRAPH_NONE;
}

void
fb_scene_cards_in (const FbScene *scene, FbRect rect, GArray *nodes)
{
  const FbLayout *layout = scene->layout;
  guint32 r = layer_at (layout, rect.y - FB_LAYOUT_CARD_HEIGHT);

  if (r == layout->n_layers)
    r = 0;
  for (; r < layout->n_layers && layout->layer_y[r] < rect.y + rect.height; r++)
    {
      if (layout->layer_y[r] + FB_LAYOUT_CARD_HEIGHT <= rect.y)
        continue;
      for (guint32 i = place_at (layout, r, rect.x); i < layout->layer_first[r + 1]; i++)
        {
          guint32 node = layout->layer_nodes[i];
          if (layout->x[node] >= rect.x + rect.width)
            break;
          g_array_append_val (nodes, node);
        }
    }
}

static int
compare_numbers (const void *a, const void *b)
{
  guint32 p = *(const guint32 *) a, q = *(const guint32 *) b;
  return p < q ? -1 : p > q;
}

static gboolean
meets (const float *box, FbRect rect)
{
  return box[0] <= rect.x + rect.width && box[2] >= rect.x && box[1] <= rect.y + rect.height && box[3] >= rect.y;
}

void
fb_scene_edges_in (const FbScene *scene, FbRect rect, GArray *edges)
{
  const FbSceneFull *full = (const FbSceneFull *) scene;
  const FbLayout *layout = scene->layout;
  guint before = edges->len;
  guint32 first_layer = layer_at (layout, rect.y), last_layer = layer_at (layout, rect.y + rect.height), first, last;

  if (layout->n_layers == 0 || last_layer == layout->n_layers)
    return;
  guint32 first_band = first_layer == layout->n_layers ? 0 : band_of_rank (first_layer);
  if (band_of_rank (last_layer) - first_band >= full->n_bands / 2)
    {
      /* looking at all of them is less work than sorting those of the bands */
      for (guint32 e = 0; e < layout->n_edges; e++)
        if (!layout->stub[e] && meets (full->box + 4 * (gsize) e, rect))
          g_array_append_val (edges, e);
      return;
    }
  for (guint32 b = first_band; b <= band_of_rank (last_layer); b++)
    for (guint32 k = full->band_first[b]; k < full->band_first[b + 1]; k++)
      {
        guint32 e = full->band_edges[k];
        const float *box = full->box + 4 * (gsize) e;
        bands_of_edge (scene, e, &first, &last);
        /* reported where it first meets the bands looked at */
        if (MAX (first, first_band) != b || !meets (box, rect))
          continue;
        g_array_append_val (edges, e);
      }
  if (edges->len > before + 1)
    qsort (edges->data + before * sizeof (guint32), edges->len - before, sizeof (guint32), compare_numbers);
}

/* --- minimap --- */

/* What is seen first where bars fall on each other. */
static int
importance (FbMark mark)
{
  static const int order[] = { 0, 4, 3, 2, 1 };
  return order[mark];
}

static void
add_bar (GArray *bars, FbRect rect, FbMark mark)
{
  FbMinimapBar bar = { rect, mark };
  g_array_append_val (bars, bar);
}

/* Layers are at least two pixels apart: one bar a card. */
static void
bars_of_cards (const FbScene *scene, double scale, GArray *bars)
{
  const FbLayout *layout = scene->layout;
  for (guint32 r = 0; r < layout->n_layers; r++)
    {
      guint begin = bars->len;
      for (guint32 i = layout->layer_first[r]; i < layout->layer_first[r + 1]; i++)
        {
          guint32 node = layout->layer_nodes[i];
          FbRect card = fb_scene_card (scene, node);
          FbMark mark = scene->graph->nodes[node].mark;
          FbMinimapBar *last = bars->len > begin ? &g_array_index (bars, FbMinimapBar, bars->len - 1) : NULL;
          if (last && last->mark == mark && (card.x - last->rect.x - last->rect.width) * scale < 1)
            last->rect.width = card.x + card.width - last->rect.x;
          else
            add_bar (bars, card, mark);
        }
    }
}

/* Several layers to a pixel: cells of a grid, then runs of equal cells. */
static void
bars_of_cells (const FbScene *scene, double scale, guint columns, guint rows, GArray *bars)
{
  FbRect bounds = scene->bounds;
  g_autofree guint8 *cells = g_new0 (guint8, (gsize) columns * rows);

  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    {
      FbRect card = fb_scene_card (scene, i);
      FbMark mark = scene->graph->nodes[i].mark;
      guint row = (guint) CLAMP ((card.y - bounds.y) * scale, 0, rows - 1);
      guint from = (guint) CLAMP ((card.x - bounds.x) * scale, 0, columns - 1);
      guint to = (guint) CLAMP ((card.x + card.width - bounds.x) * scale, from, columns - 1);
      for (guint c = from; c <= to; c++)
        {
          guint8 *cell = &cells[(gsize) row * columns + c];
          if (*cell == 0 || importance (mark) > importance ((FbMark) (*cell - 1)))
            *cell = (guint8) (mark + 1);
        }
    }
  for (guint row = 0; row < rows; row++)
    for (guint c = 0; c < columns;)
      {
        guint8 cell = cells[(gsize) row * columns + c];
        guint begin = c;
        while (c < columns && cells[(gsize) row * columns + c] == cell)
          c++;
        if (cell)
          add_bar (bars,
                   (FbRect){ (float) (bounds.x + begin / scale), (float) (bounds.y + row / scale),
                             (float) ((c - begin) / scale), (float) (1 / scale) },
                   (FbMark) (cell - 1));
      }
}

GArray *
fb_scene_minimap (const FbScene *scene, double width, double height)
{
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (FbMinimapBar));
  FbRect bounds = scene->bounds;
  double scale = MIN (width / MAX (bounds.width, 1), height / MAX (bounds.height, 1));

  if (!(width >= 1 && height >= 1) || scene->layout->n_layers == 0)
    return bars;
  if (bounds.height * scale / scene->layout->n_layers >= 2)
    bars_of_cards (scene, scale, bars);
  else
    bars_of_cells (scene, scale, (guint) MIN (ceil (bounds.width * scale), 4096),
                   (guint) MIN (ceil (bounds.height * scale), 4096), bars);
  return bars;
}
