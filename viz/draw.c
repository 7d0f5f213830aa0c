/* A scene on a cairo context: rings, edges, cards, in the detail that the zoom allows. */
#include "draw-private.h"

#include <math.h>

#define HEAD_WIDTH 7.0
#define HEAD_LENGTH 6.0
#define SLANTED_MAX 1000 /* edges of a graph whose hairlines are slanted */
#define NAME_SIZE 9.0    /* px on the screen, at least, when zoomed out */

typedef struct
{
  FbDrawer *drawer;
  cairo_t *cr;
  const FbScene *scene;
  const FbDrawState *state;
  FbInk ink;
  FbDetail detail;
  gboolean moving;
} Drawing;

FbDetail
fb_detail_for_zoom (double zoom)
{
  return zoom >= 0.75 ? FB_DETAIL_ALL : zoom >= 0.4 ? FB_DETAIL_NAMES : zoom > 0.15 ? FB_DETAIL_CARDS : FB_DETAIL_BARS;
}

/* The card's rectangle, on its way from where it was; FALSE when it is new and only appears. */
static gboolean
card_rect (const Drawing *d, guint32 node, FbRect *rect)
{
  *rect = fb_scene_card (d->scene, node);
  if (!d->moving)
    return TRUE;
  guint32 from = d->state->from_node ? d->state->from_node[node] : FB_GRAPH_NONE;
  if (from >= d->state->from->graph->n_nodes)
    return FALSE;
  FbRect was = fb_scene_card (d->state->from, from);
  double rest = 1 - d->state->progress;
  /* by centres: a mark makes a card wider to both sides */
  rect->x += (float) ((was.x + was.width / 2 - rect->x - rect->width / 2) * rest);
  rect->y += (float) ((was.y - rect->y) * rest);
  return TRUE;
}

/* --- edges --- */

/* Radius of the corner at points[i], given what is left of the pieces on both sides. */
static double
corner_radius (const FbPoint *points, guint n, guint i, double radius)
{
  double before = fabs (points[i].x - points[i - 1].x) + fabs (points[i].y - points[i - 1].y);
  double after = fabs (points[i + 1].x - points[i].x) + fabs (points[i + 1].y - points[i].y);
  radius = MIN (radius, i == 1 ? before : before / 2);
  return MIN (radius, i + 2 == n ? MAX (after - HEAD_LENGTH, 0) : after / 2);
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
          cairo_move_to (cr, a.x + sx * r, a.y + sy * r);
          cairo_line_to (cr, b.x - sx * end, b.y - sy * end);
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
  cairo_line_to (cr, at.x - HEAD_WIDTH / 2, at.y - HEAD_LENGTH);
  cairo_line_to (cr, at.x + HEAD_WIDTH / 2, at.y - HEAD_LENGTH);
  cairo_close_path (cr);
}

/* Colour and width of the lines of a state. */
static void
set_line (Drawing *d, FbEdgeState state)
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
draw_route (Drawing *d, const FbPoint *points, guint n, FbEdgeState state)
{
  static const double dashes[] = { 4, 3 };
  gboolean small = d->detail < FB_DETAIL_NAMES;

  set_line (d, state);
  if (state == FB_EDGE_REPLACED)
    cairo_set_dash (d->cr, dashes, 2, 0);
  add_route (d->cr, points, n, small ? 0 : FB_LAYOUT_RADIUS, HEAD_LENGTH - 1);
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
draw_state (Drawing *d, FbEdgeState state, FbRect visible)
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
        add_pieces (d->cr, points, n, radius, radius > 0 ? HEAD_LENGTH - 1 : 0, visible);
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
                  || at.y > visible.y + visible.height + HEAD_LENGTH)
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
draw_hairlines (Drawing *d, FbRect visible)
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
draw_stubs_of (Drawing *d, guint32 node)
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
static void
draw_stub_ends (Drawing *d, guint32 node, FbRect card)
{
  const FbGraph *graph = d->scene->graph;
  const FbGraphNode *n = &graph->nodes[node];
  static const double dots[] = { 1.5, 2.5 };
  gboolean above = FALSE, below = FALSE;

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

static void
draw_edges (Drawing *d, FbRect visible)
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

/* The short arrow from a replaced card to what stands for it, when that stands right of it. */
static void
draw_becomes (Drawing *d, guint32 node)
{
  guint32 to = d->scene->graph->nodes[node].becomes;
  FbRect a, b;

  if (to == FB_GRAPH_NONE)
    return;
  card_rect (d, node, &a);
  card_rect (d, to, &b);
  double from_x = a.x + a.width + 4, to_x = b.x - 4, y = a.y + a.height / 2;
  if (d->scene->layout->rank[node] != d->scene->layout->rank[to] || to_x - from_x < 10 || to_x - from_x > 60)
    return;
  fb_ink_set (&d->ink, d->cr, FB_COLOR_TEXT);
  cairo_set_line_width (d->cr, 1.5);
  cairo_move_to (d->cr, from_x, y);
  cairo_line_to (d->cr, to_x - HEAD_LENGTH + 1, y);
  cairo_stroke (d->cr);
  cairo_move_to (d->cr, to_x, y);
  cairo_line_to (d->cr, to_x - HEAD_LENGTH, y - HEAD_WIDTH / 2);
  cairo_line_to (d->cr, to_x - HEAD_LENGTH, y + HEAD_WIDTH / 2);
  cairo_close_path (d->cr);
  cairo_fill (d->cr);
}

/* --- cards --- */

static void
draw_rings (Drawing *d)
{
  static const double dashes[] = { 2, 2 };
  guint32 rings[2]
      = { d->state->selected, d->state->focused != d->state->selected ? d->state->focused : FB_GRAPH_NONE };

  for (int i = 0; i < 2; i++)
    {
      FbRect rect;
      if (rings[i] >= d->scene->graph->n_nodes)
        continue;
      card_rect (d, rings[i], &rect);
      /* 2 px, 2 px off, on the screen too when zoomed out */
      double line = MAX (2, 2 / d->state->zoom), off = 2 + line / 2;
      fb_rounded (d->cr, rect.x - off, rect.y - off, rect.width + 2 * off, rect.height + 2 * off, 6 + off);
      fb_ink_set (&d->ink, d->cr, FB_COLOR_ACCENT);
      cairo_set_line_width (d->cr, line);
      if (i == 1)
        cairo_set_dash (d->cr, dashes, 2, 0);
      cairo_stroke (d->cr);
      cairo_set_dash (d->cr, NULL, 0, 0);
    }
}

static void
add_bar (Drawing *d, FbRect rect)
{
  /* at least 1.5 px high on the screen */
  double height = MAX (rect.height * 0.75, 1.5 / d->state->zoom);
  cairo_rectangle (d->cr, rect.x, rect.y + (rect.height - height) / 2, rect.width, height);
}

/* All bars, one fill a colour; marked ones last, so that they are not hidden where bars are closer than pixels. */
static void
draw_bars (Drawing *d)
{
  const FbGraph *graph = d->scene->graph;
  const GArray *nodes = d->drawer->nodes;

  for (guint color = 0; color < FB_N_KINDS + 4; color++)
    {
      FbMark mark = color < FB_N_KINDS ? FB_MARK_SAME : (FbMark) (color - FB_N_KINDS + 1);
      FbRect run = { 0, 0, 0, 0 }; /* bars of one layer that are closer than a pixel */
      gboolean any = FALSE;
      for (guint i = 0; i < nodes->len; i++)
        {
          const FbGraphNode *node = &graph->nodes[g_array_index (nodes, guint32, i)];
          FbRect rect;
          if (node->mark != mark || (color < FB_N_KINDS && node->kind != color))
            continue;
          card_rect (d, g_array_index (nodes, guint32, i), &rect);
          if (any && rect.y == run.y && rect.x >= run.x && (rect.x - run.x - run.width) * d->state->zoom < 1)
            {
              run.width = rect.x + rect.width - run.x;
              continue;
            }
          if (any)
            add_bar (d, run);
          run = rect;
          any = TRUE;
        }
      if (any)
        add_bar (d, run);
      if (!any)
        continue;
      fb_ink_set (&d->ink, d->cr, mark == FB_MARK_SAME ? fb_color_of_kind ((FbOpKind) color) : fb_color_of_mark (mark));
      cairo_fill (d->cr);
    }
}

/* Outline, bar, mark as a square, the name as large as it must be and fits. */
static void
draw_small_card (Drawing *d, const FbGraphNode *node, FbRect rect, gboolean hovered)
{
  static const double dashes[] = { 4, 3 }, dots[] = { 1.5, 2 };
  cairo_t *cr = d->cr;
  double x = rect.x + 10, line = MAX (d->ink.high_contrast ? 2 : 1, 0.8 / d->state->zoom);

  fb_rounded (cr, rect.x + line / 2, rect.y + line / 2, rect.width - line, rect.height - line, 5.5);
  fb_ink_set (&d->ink, cr,
              hovered && node->mark == FB_MARK_SAME ? FB_COLOR_CARD_HOVER : fb_color_tint_of_mark (node->mark));
  cairo_fill_preserve (cr);
  fb_ink_set (&d->ink, cr, hovered && node->mark == FB_MARK_SAME ? FB_COLOR_DIM : fb_color_of_mark (node->mark));
  cairo_set_line_width (cr, line);
  if (node->mark == FB_MARK_REPLACED)
    cairo_set_dash (cr, dashes, 2, 0);
  else if (node->mark == FB_MARK_GONE)
    cairo_set_dash (cr, dots, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  fb_ink_set (&d->ink, cr, fb_color_of_kind (node->kind));
  cairo_rectangle (cr, rect.x + 4, rect.y + 5, 4, 14);
  cairo_fill (cr);
  if (node->mark != FB_MARK_SAME)
    {
      fb_ink_set (&d->ink, cr, fb_color_of_mark (node->mark));
      cairo_rectangle (cr, x + 2, rect.y + 5, 14, 14);
      if (node->mark == FB_MARK_GONE)
        {
          cairo_set_line_width (cr, 2);
          cairo_stroke (cr);
        }
      else
        cairo_fill (cr);
      x += 18;
    }
  if (d->detail < FB_DETAIL_NAMES)
    return;

  double advance = d->drawer->faces[FB_FACE_TITLE].advance;
  double size = MAX (FB_TITLE_SIZE, NAME_SIZE / d->state->zoom);
  guint n = (guint) g_utf8_strlen (node->title, -1);
  double room = rect.x + rect.width - 4 - x - 2;
  if (n * advance * size > room)
    size = room / (n * advance);
  fb_ink_set (&d->ink, cr, node->mark == FB_MARK_GONE ? FB_COLOR_DIM : FB_COLOR_TEXT);
  fb_drawer_text (d->drawer, cr, FB_FACE_TITLE, size, advance * size, x + 2, rect.y + 12 + 0.36 * size, node->title);
  if (node->mark == FB_MARK_REPLACED || node->mark == FB_MARK_GONE)
    {
      fb_ink_set (&d->ink, cr, fb_color_of_mark (node->mark));
      cairo_set_line_width (cr, 1.2 / d->state->zoom);
      cairo_move_to (cr, x + 1, rect.y + 12);
      cairo_line_to (cr, x + 3 + n * advance * size, rect.y + 12);
      cairo_stroke (cr);
    }
}

static void
draw_node (Drawing *d, guint32 node)
{
  const FbGraphNode *n = &d->scene->graph->nodes[node];
  gboolean hovered = node == d->state->hovered;
  double alpha = d->ink.alpha;
  FbRect rect;

  if (!card_rect (d, node, &rect))
    d->ink.alpha *= d->state->progress;
  switch (d->detail)
    {
    case FB_DETAIL_BARS:
      break; /* draw_bars */
    case FB_DETAIL_CARDS:
    case FB_DETAIL_NAMES:
      draw_small_card (d, n, rect, hovered);
      break;
    case FB_DETAIL_ALL:
      fb_ink_card (&d->ink, d->drawer, d->cr, d->scene, node, rect.x, rect.y, hovered);
      break;
    }
  if (d->detail >= FB_DETAIL_NAMES)
    {
      draw_stub_ends (d, node, rect);
      draw_becomes (d, node);
    }
  d->ink.alpha = alpha;
}

/* The selected card in full above its small self, at the size of the screen. */
static void
draw_label (Drawing *d)
{
  guint32 node = d->state->selected;
  FbRect rect;

  if (node >= d->scene->graph->n_nodes || d->detail == FB_DETAIL_ALL)
    return;
  card_rect (d, node, &rect);
  cairo_save (d->cr);
  cairo_translate (d->cr, rect.x + rect.width / 2, rect.y - 8 / d->state->zoom);
  cairo_scale (d->cr, 1 / d->state->zoom, 1 / d->state->zoom);
  fb_ink_card (&d->ink, d->drawer, d->cr, d->scene, node, -rect.width / 2, -FB_LAYOUT_CARD_HEIGHT, FALSE);
  cairo_restore (d->cr);
}

void
fb_drawer_draw (FbDrawer *drawer, cairo_t *cr, const FbScene *scene, const FbDrawState *state)
{
  Drawing d = { .drawer = drawer, .cr = cr, .scene = scene, .state = state };
  FbRect visible = state->visible.width > 0 ? state->visible : scene->bounds;

  g_return_if_fail (state->zoom > 0);
  d.ink = (FbInk){ .dark = state->dark, .high_contrast = state->high_contrast, .alpha = 1 };
  d.detail = fb_detail_for_zoom (state->zoom);
  d.moving = state->from && state->progress < 1;

  cairo_save (cr);
  draw_rings (&d);
  draw_edges (&d, visible);
  /* stubs and rings reach out of their cards; cards on their way may come from anywhere */
  visible.x -= 20;
  visible.y -= 20;
  visible.width += 40;
  visible.height += 40;
  g_array_set_size (drawer->nodes, 0);
  fb_scene_cards_in (scene, visible, drawer->nodes);
  if (d.detail == FB_DETAIL_BARS)
    draw_bars (&d);
  else
    for (guint i = 0; i < drawer->nodes->len; i++)
      draw_node (&d, g_array_index (drawer->nodes, guint32, i));
  draw_label (&d);
  cairo_restore (cr);
}

double
fb_drawer_draw_minimap (FbDrawer *drawer, cairo_t *cr, const FbScene *scene, const FbDrawState *state, double width,
                        double height, FbPoint *origin)
{
  FbInk ink = { .dark = state->dark, .high_contrast = state->high_contrast, .alpha = 1 };
  FbRect bounds = scene->bounds;
  double scale = MIN (width / MAX (bounds.width, 1), height / MAX (bounds.height, 1));
  double left = (width - bounds.width * scale) / 2 - bounds.x * scale;
  double top = (height - bounds.height * scale) / 2 - bounds.y * scale;
  g_autoptr (GArray) bars = fb_scene_minimap (scene, width, height);

  cairo_save (cr);
  for (guint i = 0; i < bars->len; i++)
    {
      const FbMinimapBar *bar = &g_array_index (bars, FbMinimapBar, i);
      double h = MAX (bar->rect.height * scale, 1);
      fb_ink_set (&ink, cr, bar->mark == FB_MARK_SAME ? FB_COLOR_HEAT_2 : fb_color_of_mark (bar->mark));
      cairo_rectangle (cr, left + bar->rect.x * scale, top + bar->rect.y * scale, MAX (bar->rect.width * scale, 1), h);
      cairo_fill (cr);
    }
  if (state->visible.width > 0)
    {
      /* inside the box even where the view is not inside the graph */
      double x0 = CLAMP (left + state->visible.x * scale, 0.5, width - 0.5);
      double y0 = CLAMP (top + state->visible.y * scale, 0.5, height - 0.5);
      double x1 = CLAMP (left + (state->visible.x + state->visible.width) * scale, x0, width - 0.5);
      double y1 = CLAMP (top + (state->visible.y + state->visible.height) * scale, y0, height - 0.5);
      fb_ink_set (&ink, cr, FB_COLOR_ACCENT);
      cairo_set_line_width (cr, 1);
      cairo_rectangle (cr, x0, y0, x1 - x0, y1 - y0);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
  if (origin)
    *origin = (FbPoint){ (float) left, (float) top };
  return scale;
}
