#include "layout-private.h"

#include <string.h>

G_DEFINE_QUARK (fb - layout - error - quark, fb_layout_error)

/* Edges by an end: @first (n + 1 entries) and @index. */
static void
index_by (const FbWork *w, gboolean by_user, guint32 **first, guint32 **index)
{
  guint32 *at = *first = g_new0 (guint32, (gsize) w->n + 1);

  *index = g_new (guint32, MAX (w->n_edges, 1));
  for (guint32 e = 0; e < w->n_edges; e++)
    at[by_user ? w->in->edges[e].user : w->in->edges[e].source]++;
  for (guint32 v = 0, sum = 0; v <= w->n; v++)
    {
      sum += at[v];
      at[v] = sum;
    }
  for (guint32 e = w->n_edges; e-- > 0;)
    (*index)[--at[by_user ? w->in->edges[e].user : w->in->edges[e].source]] = e;
}

/* Arrays of the result that are arrays of the work as they are, or nearly. */
static void
hand_over (FbWork *w, FbLayout *layout)
{
  guint32 n = 0;

  layout->n_nodes = w->n;
  layout->n_edges = w->n_edges;
  layout->n_layers = w->n_layers;
  layout->longest = w->longest;
  layout->node_width = g_memdup2 (w->in->width, MAX (w->n, 1) * sizeof (float));
  layout->rank = g_memdup2 (w->rank, MAX (w->n, 1) * sizeof (guint32));
  layout->stub = g_steal_pointer (&w->stub);
  layout->layer_first = g_new (guint32, (gsize) w->n_layers + 1);
  layout->layer_nodes = g_new (guint32, MAX (w->n, 1));
  for (guint32 r = 0; r < w->n_layers; r++)
    {
      layout->layer_first[r] = n;
      for (guint32 i = w->layer_first[r]; i < w->layer_first[r + 1]; i++)
        {
          guint32 item = w->layer[i];
          if (item >= w->n)
            continue;
          if (w->carries[item] != NONE && !w->right_side[item])
            layout->layer_nodes[n++] = w->carries[item];
          layout->layer_nodes[n++] = item;
          if (w->carries[item] != NONE && w->right_side[item])
            layout->layer_nodes[n++] = w->carries[item];
        }
    }
  layout->layer_first[w->n_layers] = n;
}

static void
clear (FbWork *w)
{
  void *arrays[] = { w->in_first, w->in_edge,     w->out_first,  w->out_edge,    w->carries, w->carrier,  w->topo,
                     w->stub,     w->depth,       w->rank,       w->trunk_first, w->links,   w->up_first, w->down_first,
                     w->down,     w->layer_first, w->layer,      w->pos,         w->x,       w->left,     w->right,
                     w->layer_y,  w->track_y,     w->right_side, w->room_before, w->hint_x };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
}

FbLayout *
fb_layout_new (const FbLayoutInput *input, GCancellable *cancellable, GError **error)
{
  guint32 n = input->n_nodes;
  FbWork w = { .in = input, .cancellable = cancellable, .n = n, .n_edges = input->n_edges };
  FbLayout *layout = NULL;

  w.stub = g_new0 (guint8, MAX (w.n_edges, 1));
  w.carries = g_new (guint32, MAX (n, 1));
  w.carrier = g_new (guint32, MAX (n, 1));
  w.right_side = g_new0 (guint8, MAX (n, 1));
  w.topo = g_new (guint32, MAX (n, 1));
  w.rank = g_new (guint32, MAX (n, 1));
  for (guint32 e = 0; e < w.n_edges; e++)
    w.stub[e] = input->edges[e].stub;
  index_by (&w, TRUE, &w.in_first, &w.in_edge);
  index_by (&w, FALSE, &w.out_first, &w.out_edge);
  if (!fb_layout_rank (&w))
    g_set_error (error, FB_LAYOUT_ERROR, FB_LAYOUT_ERROR_CYCLE, "the graph has a cycle and cannot be drawn in layers");
  else
    {
      fb_layout_make_links (&w);
      if (fb_layout_order (&w) && fb_layout_place (&w))
        {
          layout = g_new0 (FbLayout, 1);
          fb_layout_route (&w, layout);
          hand_over (&w, layout);
        }
      else
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    }
  clear (&w);
  return layout;
}

void
fb_layout_free (FbLayout *layout)
{
  if (!layout)
    return;
  g_free (layout->x);
  g_free (layout->y);
  g_free (layout->node_width);
  g_free (layout->rank);
  g_free (layout->layer_y);
  g_free (layout->layer_first);
  g_free (layout->layer_nodes);
  g_free (layout->route_first);
  g_free (layout->points);
  g_free (layout->trunk_first);
  g_free (layout->trunk_x);
  g_free (layout->stub);
  g_free (layout);
}
