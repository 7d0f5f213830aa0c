#include "frames.h"

#include "scene-private.h"

#define PAD 6.0f
#define LABEL_HEIGHT 14.0f
#define LABELS_MAX 300

static gboolean
is_framed (const FbGraphNode *node)
{
  return node->kernel && !node->group;
}

static FbRect
padded (float x0, float y0, float x1, float y1)
{
  return (FbRect){ MIN (x0, x1) - PAD, MIN (y0, y1) - PAD, ABS (x1 - x0) + 2 * PAD, ABS (y1 - y0) + 2 * PAD };
}

/* Cards of a kernel side by side in a layer. */
typedef struct
{
  float x0, x1, y;
  guint32 kernel, rank;
} Run;

static GArray *
find_runs (const FbScene *scene, const GArray *nodes)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (Run));
  gboolean goes_on = FALSE;

  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i), rank = scene->layout->rank[node];
      FbRect card = fb_scene_card (scene, node);
      Run *last = goes_on ? &g_array_index (runs, Run, runs->len - 1) : NULL;
      goes_on = is_framed (&scene->graph->nodes[node]);
      if (!goes_on)
        continue;
      if (last && last->rank == rank && last->kernel == scene->graph->nodes[node].kernel)
        {
          last->x1 = card.x + card.width;
          continue;
        }
      Run run = { card.x, card.x + card.width, card.y, scene->graph->nodes[node].kernel, rank };
      g_array_append_val (runs, run);
    }
  return runs;
}

/* A run, and what joins it to those of its kernel in the layer above, where they stand one above the other. */
static void
add_runs (const GArray *runs, GArray *pieces)
{
  guint above = 0, begin = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      const Run *run = &g_array_index (runs, Run, i);
      FbFramePiece piece
          = { padded (run->x0, run->y, run->x1, run->y + (float) FB_LAYOUT_CARD_HEIGHT), run->kernel, TRUE };
      g_array_append_val (pieces, piece);
      if (i > 0 && run->rank != g_array_index (runs, Run, i - 1).rank)
        {
          above = begin;
          begin = i;
        }
      for (guint k = above; k < begin; k++)
        {
          const Run *other = &g_array_index (runs, Run, k);
          float x0 = MAX (run->x0, other->x0), x1 = MIN (run->x1, other->x1);
          if (other->rank + 1 != run->rank || other->kernel != run->kernel || x0 >= x1)
            continue;
          FbFramePiece join = { padded (x0, other->y + (float) FB_LAYOUT_CARD_HEIGHT, x1, run->y), run->kernel, FALSE };
          g_array_append_val (pieces, join);
        }
    }
}

void
fb_frame_pieces (const FbScene *scene, const GArray *nodes, const GArray *edges, GArray *pieces)
{
  const FbGraph *graph = scene->graph;
  g_autoptr (GArray) runs = find_runs (scene, nodes);

  add_runs (runs, pieces);
  for (guint i = 0; i < edges->len; i++)
    {
      guint32 e = g_array_index (edges, guint32, i), n;
      const FbGraphEdge *edge = &graph->edges[e];
      const FbPoint *points = fb_scene_edge (scene, e, &n);
      guint32 kernel = graph->nodes[edge->source].kernel;
      if (!is_framed (&graph->nodes[edge->source]) || !is_framed (&graph->nodes[edge->user])
          || graph->nodes[edge->user].kernel != kernel)
        continue;
      for (guint32 k = 0; k + 1 < n; k++)
        {
          FbFramePiece piece = { padded (points[k].x, points[k].y, points[k + 1].x, points[k + 1].y), kernel, FALSE };
          g_array_append_val (pieces, piece);
        }
    }
}

void
fb_frame_name (guint32 kernel, char text[24])
{
  g_snprintf (text, 24, "kernel %u", kernel);
}

static gboolean
overlap (FbRect a, FbRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* Room beside a card: none of the others is there. */
static gboolean
is_free (const FbScene *scene, FbRect rect, GArray *scratch)
{
  g_array_set_size (scratch, 0);
  fb_scene_cards_in (scene, rect, scratch);
  return scratch->len == 0;
}

void
fb_frame_labels (const FbScene *scene, const GArray *nodes, float scale, GArray *labels, GArray *pieces)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < nodes->len && labels->len < LABELS_MAX; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i), kernel = scene->graph->nodes[node].kernel;
      gboolean covered = FALSE;
      char text[24];
      if (!is_framed (&scene->graph->nodes[node]) || !g_hash_table_add (seen, GUINT_TO_POINTER (kernel)))
        continue;
      fb_frame_name (kernel, text);
      FbRect card = fb_scene_card (scene, node);
      float width = (float) fb_text_columns (text) * scene->metrics.title_advance * scale,
            height = LABEL_HEIGHT * scale;
      FbFrameLabel label
          = { { card.x - width - 8, card.y + (card.height - height) / 2, width, height }, kernel, node, FALSE };
      if (!is_free (scene, (FbRect){ label.rect.x - 6, card.y, width + 6, card.height }, scratch))
        {
          label.above = TRUE;
          label.rect = (FbRect){ card.x, card.y - height - 1, width, height };
        }
      for (guint k = 0; k < labels->len && !covered; k++)
        covered = overlap (g_array_index (labels, FbFrameLabel, k).rect, label.rect);
      if (covered)
        continue;
      g_array_append_val (labels, label);
      FbFramePiece piece = { padded (label.rect.x, card.y, card.x + 8, card.y + card.height), kernel, TRUE };
      if (!label.above)
        g_array_append_val (pieces, piece);
    }
}
