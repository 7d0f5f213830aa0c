#include "app/view-places.h"

static int
by_node (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const FbStorePlaced *) a)->node, y = ((const FbStorePlaced *) b)->node;
  return x < y ? -1 : x > y;
}

static FbViewPlaces *
new_places (const FbStorePlace *place, FbGraphView side)
{
  FbViewPlaces *places = g_new0 (FbViewPlaces, 1);
  g_atomic_ref_count_init (&places->refs);
  places->place = *place;
  places->side = side;
  places->placed = g_array_new (FALSE, FALSE, sizeof (FbStorePlaced));
  return places;
}

FbViewPlaces *
fb_view_places_new (const FbStorePlace *place, FbGraphView side, FbScene *scene)
{
  FbViewPlaces *places = new_places (place, side);
  places->scene = fb_scene_ref (scene);
  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    {
      FbStorePlaced card
          = { scene->graph->nodes[i].key, scene->layout->x[i], scene->layout->y[i], scene->layout->rank[i] };
      g_array_append_val (places->placed, card);
    }
  g_array_sort (places->placed, by_node);
  return places;
}

FbViewPlaces *
fb_view_places_new_from_store (const FbStoreLayout *layout)
{
  if (layout->side > FB_GRAPH_AFTER || !layout->placed->len)
    return NULL;
  FbViewPlaces *places = new_places (&layout->place, (FbGraphView) layout->side);
  g_array_append_vals (places->placed, layout->placed->data, layout->placed->len);
  g_array_sort (places->placed, by_node);
  return places;
}

FbViewPlaces *
fb_view_places_ref (FbViewPlaces *places)
{
  g_atomic_ref_count_inc (&places->refs);
  return places;
}

void
fb_view_places_unref (FbViewPlaces *places)
{
  if (!places || !g_atomic_ref_count_dec (&places->refs))
    return;
  g_clear_pointer (&places->scene, fb_scene_unref);
  g_array_unref (places->placed);
  g_free (places);
}

FbScene *
fb_view_places_scene (const FbViewPlaces *places, FbGraph *graph, const FbMetrics *metrics, GCancellable *cancellable,
                      GError **error)
{
  guint32 n = graph->n_nodes;
  g_autoptr (FbLayout) layout = g_new0 (FbLayout, 1);
  gboolean complete = n == places->placed->len;
  layout->n_nodes = n;
  layout->x = g_new0 (float, MAX (n, 1));
  layout->y = g_new0 (float, MAX (n, 1));
  layout->node_width = g_new0 (float, MAX (n, 1));
  layout->rank = g_new0 (guint32, MAX (n, 1));
  layout->trunk_first = g_new0 (guint32, (gsize) n + 1);
  for (guint32 i = 0; complete && i < n; i++)
    {
      guint at;
      FbStorePlaced wanted = { .node = graph->nodes[i].key };
      complete = g_array_binary_search (places->placed, &wanted, by_node, &at);
      if (!complete)
        break;
      const FbStorePlaced *card = &g_array_index (places->placed, FbStorePlaced, at);
      /* what a file says of layers may be anything */
      complete = card->layer < n;
      layout->x[i] = card->x;
      layout->y[i] = card->y;
      layout->rank[i] = card->layer;
      layout->n_layers = MAX (layout->n_layers, card->layer + 1);
      layout->node_width[i] = fb_card_width (&graph->nodes[i], metrics);
    }
  return complete && n ? fb_scene_new_placed (graph, metrics, layout, cancellable, error) : NULL;
}
