/* Lines between cards, in strokes of the kind that cairo is fast at. */
#include "draw-private.h"

#include <math.h>

#define SLANTED_MAX 1000 /* edges of a graph whose hairlines are slanted */
#define MASKED_MIN 1000  /* more hairlines than this are counted, not stroked */

/* Radius of the corner at points[i], given what is left of the pieces on both sides. */
static double
corner_radius (const FbPoint *points, guint n, guint i, double radius)
{
  double before = fabs (points[i].x - points[i - 1].x) + fabs (points[i].y - points[i - 1].y);
  double after = fabs (points[i + 1].x - points[i].x) + fabs (points[i + 1].y - points[i].y);
  radius = MIN (radius, i == 1 ? before : before / 2);
  return MIN (radius, i + 2 == n ? MAX (after - FB_HEAD_LENGTH, 0) : after / 2);
}

/* The pieces between corners, each on its own: axis-aligned lines alone are what cairo draws many times faster than any other path.
 * Pieces out of sight are left out. */
static void
add_pieces (cairo_t *cr, const FbPoint *points, guint n, double radius, double shorten, FbRect visible)
{
  double r = 0;
  for (guint i = 0; i + 1 < n; i++)
    {
      FbPoint a = points[i], b = points[i + 1];
      double next = i + 2 < n && radius > 0 ? corner_radius (points, n, i + 1, radius) : 0;
      double sx = (b.x > a.x) - (b.x < a.x), sy = (b.y > a.y) - (b.y < a.y);
      double end = i + 2 == n ? shorten : next;
      if (MAX (a.x, b.x) >= visible.x && MIN (a.x, b.x) <= visible.x + visible.width && MAX (a.y, b.y) >= visible.y
          && MIN (a.y, b.y) <= visible.y + visible.height)
        {
          /* cut to what is seen: a line of millions of px is more than cairo's numbers hold */
          double right = visible.x + visible.width, bottom = visible.y + visible.height;
          cairo_move_to (cr, CLAMP (a.x + sx * r, visible.x, right), CLAMP (a.y + sy * r, visible.y, bottom));
          cairo_line_to (cr, CLAMP (b.x - sx * end, visible.x, right), CLAMP (b.y - sy * end, visible.y, bottom));
        }
      r = next;
    }
}

/* The quarter circles that join them. */
static void
add_corners (cairo_t *cr, const FbPoint *points, guint n, double radius, FbRect visible)
{
  for (guint i = 1; i + 1 < n; i++)
    {
      FbPoint a = points[i - 1], b = points[i], c = points[i + 1];
      double r = corner_radius (points, n, i, radius), k = 0.45;
      double bx = (b.x > a.x) - (b.x < a.x), by = (b.y > a.y) - (b.y < a.y);
      double ax = (c.x > b.x) - (c.x < b.x), ay = (c.y > b.y) - (c.y < b.y);
      if (r < 0.5 || b.x < visible.x - r || b.x > visible.x + visible.width + r || b.y < visible.y - r
          || b.y > visible.y + visible.height + r)
        continue;
      cairo_move_to (cr, b.x - bx * r, b.y - by * r);
      cairo_curve_to (cr, b.x - bx * r * k, b.y - by * r * k, b.x + ax * r * k, b.y + ay * r * k, b.x + ax * r,
                      b.y + ay * r);
    }
}

/* The line as one path, so that dashes run on around corners. */
static void
add_route (cairo_t *cr, const FbPoint *points, guint n, double radius, double shorten)
{
  cairo_move_to (cr, points[0].x, points[0].y);
  for (guint i = 1; i + 1 < n; i++)
    {
      FbPoint a = points[i - 1], b = points[i], c = points[i + 1];
      double r = radius > 0 ? corner_radius (points, n, i, radius) : 0, k = 0.45;
      double bx = (b.x > a.x) - (b.x < a.x), by = (b.y > a.y) - (b.y < a.y);
      double ax = (c.x > b.x) - (c.x < b.x), ay = (c.y > b.y) - (c.y < b.y);
      cairo_line_to (cr, b.x - bx * r, b.y - by * r);
      if (r >= 0.5)
        cairo_curve_to (cr, b.x - bx * r * k, b.y - by * r * k, b.x + ax * r * k, b.y + ay * r * k, b.x + ax * r,
                        b.y + ay * r);
    }
  cairo_line_to (cr, points[n - 1].x, points[n - 1].y - shorten);
}

static void
add_head (cairo_t *cr, FbPoint at)
{
  cairo_move_to (cr, at.x, at.y);
  cairo_line_to (cr, at.x - FB_HEAD_WIDTH / 2, at.y - FB_HEAD_LENGTH);
  cairo_line_to (cr, at.x + FB_HEAD_WIDTH / 2, at.y - FB_HEAD_LENGTH);
  cairo_close_path (cr);
}

/* Colour and width of the lines of a state. */
static void
set_line (FbDrawing *d, FbEdgeState state)
{
  static const FbColor colors[] = { FB_COLOR_EDGE, FB_COLOR_NEW, FB_COLOR_REPLACED };
  double width = state == FB_EDGE_NEW ? 1.75 : 1.25;

  FbInk ink = d->ink;
  /* lines closer than pixels are not to become a wall */
  if (d->detail < FB_DETAIL_NAMES && state == FB_EDGE_SAME && !ink.high_contrast)
    ink.alpha *= 0.6;
  fb_ink_set (&ink, d->cr, colors[state]);
  if (ink.high_contrast)
    width += 0.75;
  /* never thinner than a pixel or so, whatever the zoom */
  cairo_set_line_width (d->cr, d->detail < FB_DETAIL_NAMES ? MAX (width * 0.8, 0.8 / d->state->zoom) : width);
}

static void
draw_route (FbDrawing *d, const FbPoint *points, guint n, FbEdgeState state)
{
  static const double dashes[] = { 4, 3 };
  gboolean small = d->detail < FB_DETAIL_NAMES;

  set_line (d, state);
  if (state == FB_EDGE_REPLACED)
    cairo_set_dash (d->cr, dashes, 2, 0);
  add_route (d->cr, points, n, small ? 0 : FB_LAYOUT_RADIUS, FB_HEAD_LENGTH - 1);
  cairo_stroke (d->cr);
  if (state == FB_EDGE_REPLACED)
    cairo_set_dash (d->cr, NULL, 0, 0);
  if (!small)
    {
      add_head (d->cr, points[n - 1]);
      cairo_fill (d->cr);
    }
}

/* All lines of one state at once. The cost of a stroke grows faster than its path, so corners and heads go in batches. */
static void
draw_state (FbDrawing *d, FbEdgeState state, FbRect visible)
{
  const FbGraph *graph = d->scene->graph;
  const GArray *edges = d->drawer->edges;
  double radius = d->detail < FB_DETAIL_NAMES ? 0 : FB_LAYOUT_RADIUS;
  guint n, n_added = 0;

  set_line (d, state);
  for (guint i = 0; i < edges->len; i++)
    if (graph->edges[g_array_index (edges, guint32, i)].state == state)
      {
        const FbPoint *points = fb_scene_edge (d->scene, g_array_index (edges, guint32, i), &n);
        add_pieces (d->cr, points, n, radius, radius > 0 ? FB_HEAD_LENGTH - 1 : 0, visible);
        n_added++;
      }
  cairo_stroke (d->cr);
  if (n_added == 0 || radius == 0)
    return;
  for (int heads = 0; heads <= 1; heads++)
    {
      guint in_batch = 0;
      for (guint i = 0; i < edges->len; i++)
        {
          guint32 e = g_array_index (edges, guint32, i);
          const FbPoint *points = fb_scene_edge (d->scene, e, &n);
          if (graph->edges[e].state != state)
            continue;
          if (heads)
            {
              FbPoint at = points[n - 1];
              if (at.x < visible.x - 4 || at.x > visible.x + visible.width + 4 || at.y < visible.y
                  || at.y > visible.y + visible.height + FB_HEAD_LENGTH)
                continue;
              add_head (d->cr, at);
            }
          else
            add_corners (d->cr, points, n, radius, visible);
          if (++in_batch % 24)
            continue;
          if (heads)
            cairo_fill (d->cr);
          else
            cairo_stroke (d->cr);
        }
      if (heads)
        cairo_fill (d->cr);
      else
        cairo_stroke (d->cr);
    }
}

/* At the smallest zoom lines are pale hairlines: straight from card to card while there are few, on their ways when there are many
 * (slanted lines cost too much, and show less). What changed comes last. */
static void
draw_hairlines (FbDrawing *d, FbRect visible)
{
  const FbGraph *graph = d->scene->graph;
  const GArray *edges = d->drawer->edges;
  static const FbColor colors[] = { FB_COLOR_EDGE, FB_COLOR_REPLACED, FB_COLOR_NEW };
  static const FbEdgeState states[] = { FB_EDGE_SAME, FB_EDGE_REPLACED, FB_EDGE_NEW };
  double alpha = d->ink.alpha;

  for (int pass = 0; pass < 3; pass++)
    {
      d->ink.alpha = pass ? alpha : alpha * 0.45;
      fb_ink_set (&d->ink, d->cr, colors[pass]);
      /* of what changed there is little, and it is to be seen */
      if (pass == 0 && edges->len > MASKED_MIN)
        if (fb_draw_line_pixels (d, states[pass], colors[pass], visible))
          continue;
      cairo_set_line_width (d->cr, (pass ? 1.25 : 0.7) / d->state->zoom);
      for (guint i = 0, n_added = 0; i < edges->len; i++)
        {
          guint32 e = g_array_index (edges, guint32, i), n;
          if (graph->edges[e].state != states[pass])
            continue;
          const FbPoint *points = fb_scene_edge (d->scene, e, &n);
          /* hidden under the bars of its ends */
          if ((fabs (points[n - 1].x - points[0].x) + points[n - 1].y - points[0].y) * d->state->zoom < 2)
            continue;
          if (graph->n_edges > SLANTED_MAX)
            add_pieces (d->cr, points, n, 0, 0, visible);
          else
            {
              cairo_move_to (d->cr, points[0].x, points[0].y);
              cairo_line_to (d->cr, points[n - 1].x, points[n - 1].y);
              if (++n_added % 24 == 0)
                cairo_stroke (d->cr);
            }
        }
      cairo_stroke (d->cr);
    }
  d->ink.alpha = alpha;
}

/* Edges of hubs and of long reach show while an end is under the pointer or selected. Those of a hub itself only by their stubs:
 * hundreds of lines at once say nothing. */
static void
draw_stubs_of (FbDrawing *d, guint32 node)
{
  const FbGraph *graph = d->scene->graph;
  const FbGraphNode *n;

  if (node >= graph->n_nodes)
    return;
  n = &graph->nodes[node];
  guint32 n_in = n->n_in > FB_GRAPH_HUB_SOURCES ? 0 : n->n_in, n_out = n->hub ? 0 : n->n_out;
  for (guint32 i = 0; i < n_in + n_out; i++)
    {
      guint32 e = i < n_in ? n->first_in + i : graph->out[n->first_out + i - n_in];
      FbPoint points[4];
      if (fb_scene_edge_is_stub (d->scene, e))
        draw_route (d, points, fb_scene_stub_route (d->scene, e, points), graph->edges[e].state);
    }
}

/* Where a line that is too long to be drawn begins and ends: a short dotted piece. */
void
fb_draw_stub_ends (FbDrawing *d, guint32 node, FbRect card)
{
  const FbGraph *graph = d->scene->graph;
  const FbGraphNode *n = &graph->nodes[node];
  static const double dots[] = { 1.5, 2.5 };
  gboolean above = n->sources_hidden, below = n->users_hidden;

  for (guint32 i = 0; i < n->n_in && !above; i++)
    above
        = fb_scene_edge_is_stub (d->scene, n->first_in + i) && !graph->nodes[graph->edges[n->first_in + i].source].hub;
  for (guint32 i = 0; i < n->n_out && !below && !n->hub; i++)
    below = fb_scene_edge_is_stub (d->scene, graph->out[n->first_out + i]);
  if (!above && !below)
    return;
  double x = card.x + card.width / 2 + 14;
  fb_ink_set (&d->ink, d->cr, FB_COLOR_EDGE);
  cairo_set_dash (d->cr, dots, 2, 0);
  cairo_set_line_width (d->cr, 1.5);
  if (above)
    {
      cairo_move_to (d->cr, x, card.y - 1);
      cairo_line_to (d->cr, x, card.y - 8);
    }
  if (below)
    {
      cairo_move_to (d->cr, x, card.y + card.height + 1);
      cairo_line_to (d->cr, x, card.y + card.height + 8);
    }
  cairo_stroke (d->cr);
  cairo_set_dash (d->cr, NULL, 0, 0);
}

void
fb_draw_edges (FbDrawing *d, FbRect visible)
{
  const FbGraph *graph = d->scene->graph;
  GArray *edges = d->drawer->edges;
  double alpha = d->ink.alpha;

  g_array_set_size (edges, 0);
  fb_scene_edges_in (d->scene, visible, edges);
  /* lines do not bend along while cards move: they appear with them */
  if (d->moving)
    d->ink.alpha = alpha * d->state->progress;
  /* lines reach half their width and a corner's radius beyond their points */
  FbRect near = { visible.x - 4, visible.y - 4, visible.width + 8, visible.height + 8 };
  if (d->detail == FB_DETAIL_BARS)
    draw_hairlines (d, near);
  else
    {
      /* plain ones first: what the step changed lies on top */
      draw_state (d, FB_EDGE_SAME, near);
      for (guint i = 0; i < edges->len; i++)
        {
          guint32 e = g_array_index (edges, guint32, i), n;
          const FbPoint *points = fb_scene_edge (d->scene, e, &n);
          if (graph->edges[e].state == FB_EDGE_REPLACED)
            draw_route (d, points, n, FB_EDGE_REPLACED);
        }
      draw_state (d, FB_EDGE_NEW, near);
    }
  draw_stubs_of (d, d->state->selected);
  if (d->state->hovered != d->state->selected)
    draw_stubs_of (d, d->state->hovered);
  d->ink.alpha = alpha;
}
