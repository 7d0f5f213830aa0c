/* Walking from card to card by keyboard. */
#include <math.h>

#include "app/canvas-private.h"

/* Of the cards an edge leads to, the one nearest above or below. */
static guint32
along_edge (FbCanvas *self, guint32 card, int dy)
{
  const FbGraph *graph = self->scene->graph;
  const FbGraphNode *node = &graph->nodes[card];
  FbRect here = fb_scene_card (self->scene, card);
  guint32 best = FB_GRAPH_NONE, n = dy < 0 ? node->n_in : node->n_out;
  double best_distance = G_MAXDOUBLE;
  for (guint32 i = 0; i < n; i++)
    {
      guint32 edge = dy < 0 ? node->first_in + i : graph->out[node->first_out + i];
      guint32 other = dy < 0 ? graph->edges[edge].source : graph->edges[edge].user;
      FbRect there = fb_scene_card (self->scene, other);
      double across = there.x + there.width / 2 - here.x - here.width / 2, down = there.y - here.y;
      double distance = fabs (across) + fabs (down);
      if (distance < best_distance)
        {
          best_distance = distance;
          best = other;
        }
    }
  return best;
}

void
fb_canvas_walk (FbCanvas *self, int dx, int dy)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  if (!self->scene || !self->scene->graph->n_nodes)
    return;
  guint32 card = self->selected;
  if (card == FB_GRAPH_NONE)
    card = self->scene->graph->root;
  else
    card = dy ? along_edge (self, card, dy) : fb_scene_neighbour (self->scene, card, dx, 0);
  if (card == FB_GRAPH_NONE)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  fb_canvas_pick (self, self->scene->graph->nodes[card].uop);
  fb_canvas_reveal (self);
}
