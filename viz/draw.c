/* A scene on a cairo context: rings, edges, cards, in the detail that the zoom allows. */
#include "draw-private.h"

#include <math.h>

#define PIXELS_MIN 2000 /* bars */
#define NAME_LEAST 6.0  /* px on the screen; a smaller name is left out */
#define NAME_SIZE 9.0   /* px on the screen, at least, when zoomed out */

FbDetail
fb_detail_for_zoom (double zoom)
{
  return zoom >= 0.75 ? FB_DETAIL_ALL : zoom >= 0.4 ? FB_DETAIL_NAMES : zoom > 0.15 ? FB_DETAIL_CARDS : FB_DETAIL_BARS;
}

/* The card's rectangle, on its way from where it was; FALSE when it is new and only appears. */
static gboolean
card_rect (const FbDrawing *d, guint32 node, FbRect *rect)
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

/* The short arrow from a replaced card to what stands for it, when that stands beside it. */
static void
draw_becomes (FbDrawing *d, guint32 node)
{
  guint32 to = d->scene->graph->nodes[node].becomes;
  FbRect a, b;

  if (to == FB_GRAPH_NONE)
    return;
  card_rect (d, node, &a);
  card_rect (d, to, &b);
  /* 1 or -1: to the right or to the left */
  double way = a.x < b.x ? 1 : -1, y = a.y + a.height / 2;
  double from_x = (way > 0 ? a.x + a.width : a.x) + 4 * way, to_x = (way > 0 ? b.x : b.x + b.width) - 4 * way;
  double length = way * (to_x - from_x);
  if (d->scene->layout->rank[node] != d->scene->layout->rank[to] || length < 10 || length > 60)
    return;
  fb_ink_set (&d->ink, d->cr, FB_COLOR_TEXT);
  cairo_set_line_width (d->cr, 1.5);
  cairo_move_to (d->cr, from_x, y);
  cairo_line_to (d->cr, to_x - way * (FB_HEAD_LENGTH - 1), y);
  cairo_stroke (d->cr);
  cairo_move_to (d->cr, to_x, y);
  cairo_line_to (d->cr, to_x - way * FB_HEAD_LENGTH, y - FB_HEAD_WIDTH / 2);
  cairo_line_to (d->cr, to_x - way * FB_HEAD_LENGTH, y + FB_HEAD_WIDTH / 2);
  cairo_close_path (d->cr);
  cairo_fill (d->cr);
}

/* --- cards --- */

static void
draw_ring (FbDrawing *d, guint32 node)
{
  FbRect rect;

  if (node >= d->scene->graph->n_nodes)
    return;
  card_rect (d, node, &rect);
  /* 2 px, 2 px off, on the screen too when zoomed out */
  double line = MAX (2, 2 / d->state->zoom), off = 2 + line / 2;
  fb_rounded (d->cr, rect.x - off, rect.y - off, rect.width + 2 * off, rect.height + 2 * off, 6 + off);
  fb_ink_set (&d->ink, d->cr, FB_COLOR_ACCENT);
  cairo_set_line_width (d->cr, line);
  cairo_stroke (d->cr);
}

static void
draw_rings (FbDrawing *d)
{
  static const double dashes[] = { 2, 2 };
  guint32 selected = d->state->selected, focused = d->state->focused;

  for (guint32 i = 0; d->state->marked && i < d->drawer->nodes->len; i++)
    {
      guint32 node = g_array_index (d->drawer->nodes, guint32, i);
      if (d->state->marked[node] && node != selected)
        draw_ring (d, node);
    }
  draw_ring (d, selected);
  if (focused == selected)
    return;
  cairo_set_dash (d->cr, dashes, 2, 0);
  draw_ring (d, focused);
  cairo_set_dash (d->cr, NULL, 0, 0);
}

static void
add_bar (FbDrawing *d, FbRect rect)
{
  /* at least 1.5 px high on the screen */
  double height = MAX (rect.height * 0.75, 1.5 / d->state->zoom);
  cairo_rectangle (d->cr, rect.x, rect.y + (rect.height - height) / 2, rect.width, height);
}

/* Very many: straight into pixels. */
static gboolean
draw_bar_pixels (FbDrawing *d, FbRect visible)
{
  const FbGraph *graph = d->scene->graph;
  GArray *nodes = d->drawer->nodes;
  guint32 n_same = 0;
  g_autofree FbRect *rects = g_new (FbRect, nodes->len);
  g_autofree guint8 *colors = g_new (guint8, nodes->len);

  /* marked ones last, so that they are not hidden */
  for (guint i = 0; i < nodes->len; i++)
    if (graph->nodes[g_array_index (nodes, guint32, i)].mark == FB_MARK_SAME)
      {
        guint32 node = g_array_index (nodes, guint32, i);
        g_array_index (nodes, guint32, i) = g_array_index (nodes, guint32, n_same);
        g_array_index (nodes, guint32, n_same++) = node;
      }
  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 node = g_array_index (nodes, guint32, i);
      const FbGraphNode *n = &graph->nodes[node];
      card_rect (d, node, &rects[i]);
      colors[i] = (guint8) (n->mark == FB_MARK_SAME ? fb_color_of_kind (n->kind) : fb_color_of_mark (n->mark));
    }
  return fb_draw_bar_pixels (d, rects, colors, visible);
}

/* All bars, one fill a colour; marked ones last, so that they are not hidden where bars are closer than pixels. */
static void
draw_bars (FbDrawing *d, FbRect visible)
{
  const FbGraph *graph = d->scene->graph;
  const GArray *nodes = d->drawer->nodes;

  if (nodes->len > PIXELS_MIN && draw_bar_pixels (d, visible))
    return;
  fb_draw_pixels (d);
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
draw_small_card (FbDrawing *d, const FbGraphNode *node, FbRect rect, gboolean hovered)
{
  static const double dashes[] = { 4, 3 }, dots[] = { 1.5, 2 };
  cairo_t *cr = d->cr;
  double x = rect.x + 10, line;
  FbColor outline = fb_ink_line_of (&d->ink, node, &line);

  line = MAX (line, 0.8 / d->state->zoom);

  fb_rounded (cr, rect.x + line / 2, rect.y + line / 2, rect.width - line, rect.height - line, 5.5);
  fb_ink_set (&d->ink, cr,
              hovered && node->mark == FB_MARK_SAME ? FB_COLOR_CARD_HOVER : fb_color_tint_of_mark (node->mark));
  cairo_fill_preserve (cr);
  fb_ink_set (&d->ink, cr, hovered && node->mark == FB_MARK_SAME && !node->kernel ? FB_COLOR_DIM : outline);
  cairo_set_line_width (cr, line);
  if (node->mark == FB_MARK_REPLACED)
    cairo_set_dash (cr, dashes, 2, 0);
  else if (node->mark == FB_MARK_GONE)
    cairo_set_dash (cr, dots, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (node->group)
    {
      cairo_move_to (cr, rect.x + 6, rect.y + rect.height + 2.5);
      cairo_line_to (cr, rect.x + rect.width - 6, rect.y + rect.height + 2.5);
      cairo_stroke (cr);
    }
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
  /* names of groups stay for longer, as far as there is room */
  if (d->detail < FB_DETAIL_NAMES && !node->group)
    return;

  double advance = d->drawer->faces[FB_FACE_TITLE].advance;
  double size = MAX (FB_TITLE_SIZE, NAME_SIZE / d->state->zoom);
  guint n = (guint) g_utf8_strlen (node->title, -1);
  double room = rect.x + rect.width - 4 - x - 2;
  if (n * advance * size > room)
    size = room / (n * advance);
  if (size * d->state->zoom < NAME_LEAST && d->detail < FB_DETAIL_NAMES)
    return;
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
draw_node (FbDrawing *d, guint32 node)
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
      fb_draw_stub_ends (d, node, rect);
      draw_becomes (d, node);
    }
  d->ink.alpha = alpha;
}

/* The selected card in full above its small self, or below it, at the size of the screen. */
static void
draw_label (FbDrawing *d)
{
  guint32 node = d->state->selected;
  FbRect rect;

  if (node >= d->scene->graph->n_nodes || d->detail == FB_DETAIL_ALL)
    return;
  card_rect (d, node, &rect);
  cairo_save (d->cr);
  gboolean below = d->state->label_below;
  double gap = FB_DRAW_LABEL_GAP / d->state->zoom;
  cairo_translate (d->cr, rect.x + rect.width / 2, below ? rect.y + rect.height + gap : rect.y - gap);
  cairo_scale (d->cr, 1 / d->state->zoom, 1 / d->state->zoom);
  fb_ink_card (&d->ink, d->drawer, d->cr, d->scene, node, -rect.width / 2, below ? 0 : -FB_LAYOUT_CARD_HEIGHT, FALSE);
  cairo_restore (d->cr);
}

void
fb_drawer_draw (FbDrawer *drawer, cairo_t *cr, const FbScene *scene, const FbDrawState *state)
{
  FbDrawing d = { .drawer = drawer, .cr = cr, .scene = scene, .state = state };
  FbRect visible = state->visible.width > 0 ? state->visible : scene->bounds;

  g_return_if_fail (state->zoom > 0);
  d.ink = (FbInk){ .dark = state->dark, .high_contrast = state->high_contrast, .alpha = 1 };
  d.detail = fb_detail_for_zoom (state->zoom);
  d.moving = state->from && state->progress < 1;

  cairo_save (cr);
  /* stubs and rings reach out of their cards; cards on their way may come from anywhere */
  g_array_set_size (drawer->nodes, 0);
  fb_scene_cards_in (scene, (FbRect){ visible.x - 20, visible.y - 20, visible.width + 40, visible.height + 40 },
                     drawer->nodes);
  fb_draw_frames (&d, visible);
  draw_rings (&d);
  fb_draw_edges (&d, visible);
  if (d.detail == FB_DETAIL_BARS)
    {
      draw_bars (&d, visible);
      fb_draw_pixels (&d);
    }
  else
    for (guint i = 0; i < drawer->nodes->len; i++)
      draw_node (&d, g_array_index (drawer->nodes, guint32, i));
  fb_draw_frame_labels (&d);
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
