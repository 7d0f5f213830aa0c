/* Kernels in frames, behind everything else. */
#include "draw-private.h"
#include "frames.h"

#define RADIUS 10.0
#define NAME_SHARE 0.8
/* Above this many cards of kernels corners are not seen. */
#define ROUND_MAX 600

static void
fill_pieces (FbDrawing *d, const GArray *pieces, double larger, gboolean lines)
{
  gboolean round = pieces->len <= ROUND_MAX && d->detail >= FB_DETAIL_NAMES;
  for (guint32 color = 1; color <= 3; color++)
    {
      for (guint i = 0; i < pieces->len; i++)
        {
          const FbFramePiece *piece = &g_array_index (pieces, FbFramePiece, i);
          FbRect r = piece->rect;
          if ((piece->kernel + 2) % 3 + 1 != color)
            continue;
          r = (FbRect){ (float) (r.x - larger), (float) (r.y - larger), (float) (r.width + 2 * larger),
                        (float) (r.height + 2 * larger) };
          if (piece->card && round)
            fb_rounded (d->cr, r.x, r.y, r.width, r.height, RADIUS);
          else
            cairo_rectangle (d->cr, r.x, r.y, r.width, r.height);
        }
      fb_ink_set (&d->ink, d->cr, lines ? fb_color_of_kernel (color) : fb_color_fill_of_kernel (color));
      cairo_fill (d->cr);
    }
}

/* Names keep their size on the screen, a little smaller than on cards that can be read. */
static double
text_scale (const FbDrawing *d)
{
  return MAX (1, NAME_SHARE / d->state->zoom);
}

void
fb_draw_frames (FbDrawing *d, FbRect visible)
{
  const FbGraph *graph = d->scene->graph;
  gboolean any = FALSE;

  for (guint i = 0; i < d->drawer->nodes->len && !any; i++)
    {
      const FbGraphNode *node = &graph->nodes[g_array_index (d->drawer->nodes, guint32, i)];
      any = node->kernel && !node->group;
    }
  if (!any || d->moving)
    return;
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (FbFramePiece));
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (FbFrameLabel));
  g_array_set_size (d->drawer->edges, 0);
  if (d->detail > FB_DETAIL_BARS)
    fb_scene_edges_in (d->scene, visible, d->drawer->edges);
  fb_frame_pieces (d->scene, d->drawer->nodes, d->drawer->edges, pieces);
  double scale = text_scale (d);
  fb_frame_labels (d->scene, d->drawer->nodes, (float) scale, labels, pieces);
  fill_pieces (d, pieces, MAX (1, 1 / d->state->zoom), TRUE);
  fill_pieces (d, pieces, 0, FALSE);
  d->frame_labels = g_steal_pointer (&labels);
}

/* After the lines, so that these do not cross out the names. */
void
fb_draw_frame_labels (FbDrawing *d)
{
  double scale = text_scale (d), size = FB_TITLE_SIZE * scale;

  for (guint i = 0; d->frame_labels && i < d->frame_labels->len; i++)
    {
      const FbFrameLabel *label = &g_array_index (d->frame_labels, FbFrameLabel, i);
      FbRect r = label->rect;
      char text[24];
      fb_frame_name (label->kernel, text);
      if (label->above)
        {
          fb_rounded (d->cr, r.x - 3 * scale, r.y, r.width + 6 * scale, r.height, 4 * scale);
          fb_ink_set (&d->ink, d->cr, fb_color_fill_of_kernel (label->kernel));
          cairo_fill (d->cr);
        }
      fb_ink_set (&d->ink, d->cr, fb_color_of_kernel (label->kernel));
      fb_drawer_text (d->drawer, d->cr, FB_FACE_TITLE, size, d->scene->metrics.title_advance * scale, r.x,
                      r.y + r.height - 3 * scale, text);
    }
  g_clear_pointer (&d->frame_labels, g_array_unref);
}
