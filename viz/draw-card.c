/* One card, and the signs on it (VISUAL.md, Node card). */
#include "draw-private.h"

#include <math.h>

#define CARD_RADIUS 6.0
#define CHIP_HEIGHT 16.0
#define CHIP_RADIUS 4.0
#define CHIP_ON_TINT 0.15
/* Baselines that centre capitals and figures of a code font in 24 px. */
#define TITLE_BASELINE 16.3
#define TEXT_BASELINE 16.0

void
fb_ink_set (const FbInk *ink, cairo_t *cr, FbColor color)
{
  guint32 rgb;

  if (ink->high_contrast)
    switch (color)
      {
      case FB_COLOR_TEXT:
      case FB_COLOR_DIM:
      case FB_COLOR_CARD_LINE:
      case FB_COLOR_EDGE:
        rgb = ink->dark ? 0xffffff : 0x000000;
        break;
      case FB_COLOR_NEW_TINT:
      case FB_COLOR_REPLACED_TINT:
      case FB_COLOR_REBUILT_TINT:
        rgb = fb_color_rgb (FB_COLOR_CARD, ink->dark);
        break;
      case FB_COLOR_KERNEL_1_FILL:
      case FB_COLOR_KERNEL_2_FILL:
      case FB_COLOR_KERNEL_3_FILL:
        rgb = fb_color_rgb (FB_COLOR_CANVAS, ink->dark);
        break;
      default:
        rgb = fb_color_rgb (color, ink->dark);
      }
  else
    rgb = fb_color_rgb (color, ink->dark);
  cairo_set_source_rgba (cr, fb_rgb_component (rgb, 0), fb_rgb_component (rgb, 1), fb_rgb_component (rgb, 2),
                         ink->alpha);
}

void
fb_rounded (cairo_t *cr, double x, double y, double width, double height, double radius)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - radius, y + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, x + width - radius, y + height - radius, radius, 0, G_PI_2);
  cairo_arc (cr, x + radius, y + height - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, x + radius, y + radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

void
fb_ink_mark (const FbInk *ink, cairo_t *cr, FbMark mark, double x, double y)
{
  gboolean filled = mark == FB_MARK_REPLACED || mark == FB_MARK_NEW;

  if (mark == FB_MARK_SAME)
    return;
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  fb_ink_set (ink, cr, fb_color_of_mark (mark));
  if (filled)
    {
      fb_rounded (cr, 0, 0, 14, 14, 3);
      cairo_fill (cr);
      fb_ink_set (ink, cr, FB_COLOR_ON_MARK);
    }
  else
    {
      fb_rounded (cr, 0.75, 0.75, 12.5, 12.5, 3);
      cairo_set_line_width (cr, 1.5);
      cairo_stroke (cr);
    }
  switch (mark)
    {
    case FB_MARK_NEW:
      cairo_move_to (cr, 7, 3.5);
      cairo_line_to (cr, 7, 10.5);
      G_GNUC_FALLTHROUGH;
    case FB_MARK_REPLACED:
      cairo_move_to (cr, 3.5, 7);
      cairo_line_to (cr, 10.5, 7);
      cairo_set_line_width (cr, 2);
      break;
    case FB_MARK_REBUILT:
      cairo_move_to (cr, 3.6, 8);
      cairo_curve_to (cr, 4.6, 4.8, 6.2, 5.2, 7, 7);
      cairo_curve_to (cr, 7.8, 8.8, 9.4, 9.2, 10.4, 6);
      cairo_set_line_width (cr, 1.5);
      break;
    default:
      cairo_move_to (cr, 4.4, 4.4);
      cairo_line_to (cr, 9.6, 9.6);
      cairo_move_to (cr, 9.6, 4.4);
      cairo_line_to (cr, 4.4, 9.6);
      cairo_set_line_width (cr, 1.4);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
fb_draw_mark (cairo_t *cr, FbMark mark, double x, double y, gboolean dark)
{
  FbInk ink = { .dark = dark, .alpha = 1 };
  fb_ink_mark (&ink, cr, mark, x, y);
}

void
fb_ink_kind (const FbInk *ink, cairo_t *cr, FbOpKind kind, double x, double y)
{
  fb_ink_set (ink, cr, fb_color_of_kind (kind));
  if (kind == FB_KIND_MOVEMENT)
    for (int i = 0; i < 3; i++)
      fb_rounded (cr, x, y + 5.5 * i, 3, 3, 1);
  else
    fb_rounded (cr, x, y, 3, 14, 1.5);
  cairo_fill (cr);
}

void
fb_draw_kind (cairo_t *cr, FbOpKind kind, double x, double y, gboolean dark)
{
  FbInk ink = { .dark = dark, .alpha = 1 };
  fb_ink_kind (&ink, cr, kind, x, y);
}

FbColor
fb_ink_line_of (const FbInk *ink, const FbGraphNode *node, double *width)
{
  *width = ink->high_contrast ? 2 : node->mark == FB_MARK_NEW ? 1.5 : 1;
  if (node->mark != FB_MARK_SAME || !node->kernel)
    return fb_color_of_mark (node->mark);
  if (node->realized && !node->group)
    *width = 2;
  return fb_color_of_kernel (node->kernel);
}

static void
draw_outline (const FbInk *ink, cairo_t *cr, const FbGraphNode *node, double x, double y, double width,
              gboolean hovered)
{
  static const double dashes[] = { 4, 3 }, dots[] = { 1.5, 2 };
  FbMark mark = node->mark;
  double line;
  FbColor fill = fb_color_tint_of_mark (mark), outline = fb_ink_line_of (ink, node, &line);

  if (hovered)
    {
      fill = mark == FB_MARK_SAME ? FB_COLOR_CARD_HOVER : fill;
      outline = mark == FB_MARK_SAME && !node->kernel ? FB_COLOR_DIM : outline;
    }
  fb_rounded (cr, x + line / 2, y + line / 2, width - line, FB_LAYOUT_CARD_HEIGHT - line, CARD_RADIUS - line / 2);
  fb_ink_set (ink, cr, fill);
  cairo_fill_preserve (cr);
  fb_ink_set (ink, cr, outline);
  cairo_set_line_width (cr, hovered && mark != FB_MARK_SAME ? line + 0.5 : line);
  if (mark == FB_MARK_REPLACED)
    cairo_set_dash (cr, dashes, 2, 0);
  else if (mark == FB_MARK_GONE)
    cairo_set_dash (cr, dots, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (!node->group)
    return;
  /* there is more behind it */
  cairo_set_line_width (cr, line);
  cairo_move_to (cr, x + CARD_RADIUS, y + FB_LAYOUT_CARD_HEIGHT + 2.5);
  cairo_line_to (cr, x + width - CARD_RADIUS, y + FB_LAYOUT_CARD_HEIGHT + 2.5);
  cairo_stroke (cr);
}

/* It can be opened. */
static void
draw_triangle (const FbInk *ink, cairo_t *cr, double x, double y)
{
  fb_ink_set (ink, cr, FB_COLOR_TEXT);
  cairo_move_to (cr, x, y + 8);
  cairo_line_to (cr, x + 6, y + 12);
  cairo_line_to (cr, x, y + 16);
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* Three cells of a buffer: it is stored. */
static void
draw_cells (const FbInk *ink, cairo_t *cr, FbColor color, double x, double y)
{
  fb_ink_set (ink, cr, color);
  cairo_set_line_width (cr, 1.5);
  cairo_rectangle (cr, x + 0.75, y + 2.75, 12.5, 8.5);
  cairo_move_to (cr, x + 5, y + 3);
  cairo_line_to (cr, x + 5, y + 11);
  cairo_move_to (cr, x + 9, y + 3);
  cairo_line_to (cr, x + 9, y + 11);
  cairo_stroke (cr);
}

/* Count of users in a pill, and five dotted stubs that stand for the lines. */
static void
draw_hub (const FbInk *ink, FbDrawer *drawer, cairo_t *cr, const FbScene *scene, guint32 node, const FbCardParts *parts,
          double x, double y)
{
  const FbGraphNode *n = &scene->graph->nodes[node];
  static const double dots[] = { 1.5, 2.5 };
  double middle = x + scene->layout->node_width[node] / 2;
  char text[32];

  g_snprintf (text, sizeof text, "%u users", n->n_users);
  fb_ink_set (ink, cr, FB_COLOR_CARD_LINE);
  cairo_set_line_width (cr, 1);
  fb_rounded (cr, x + parts->pill_x + 0.5, y + 4.5, parts->pill_width - 1, 15, 7.5);
  cairo_stroke (cr);
  fb_ink_set (ink, cr, FB_COLOR_TEXT);
  fb_drawer_text (drawer, cr, FB_FACE_TEXT, FB_TEXT_SIZE, scene->metrics.text_advance, x + parts->pill_x + 7,
                  y + TEXT_BASELINE, text);
  fb_ink_set (ink, cr, FB_COLOR_EDGE);
  cairo_set_dash (cr, dots, 2, 0);
  cairo_set_line_width (cr, 1.5);
  for (int i = -2; i <= 2; i++)
    {
      cairo_move_to (cr, middle + 11 * i, y + FB_LAYOUT_CARD_HEIGHT + 1);
      cairo_line_to (cr, middle + 11 * i, y + FB_LAYOUT_CARD_HEIGHT + 8);
    }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

void
fb_ink_card (const FbInk *ink, FbDrawer *drawer, cairo_t *cr, const FbScene *scene, guint32 node, double x, double y,
             gboolean hovered)
{
  const FbGraphNode *n = &scene->graph->nodes[node];
  const FbMetrics *metrics = &scene->metrics;
  gboolean left = n->mark == FB_MARK_REPLACED || n->mark == FB_MARK_GONE;
  FbCardParts parts;
  float chip_x[8]; /* a card has at most six chips */

  g_return_if_fail (n->n_chips <= G_N_ELEMENTS (chip_x));
  fb_scene_card_parts (scene, node, &parts, chip_x);
  draw_outline (ink, cr, n, x, y, scene->layout->node_width[node], hovered);
  fb_ink_kind (ink, cr, n->kind, x + parts.bar_x, y + 5);
  fb_ink_mark (ink, cr, n->mark, x + parts.mark_x, y + 5);
  if (n->group)
    draw_triangle (ink, cr, x + parts.triangle_x, y);
  if (n->realized)
    draw_cells (ink, cr, n->kernel ? fb_color_of_kernel (n->kernel) : FB_COLOR_TEXT, x + parts.cells_x, y + 5);

  fb_ink_set (ink, cr, n->mark == FB_MARK_GONE ? FB_COLOR_DIM : FB_COLOR_TEXT);
  fb_drawer_text (drawer, cr, FB_FACE_TITLE, FB_TITLE_SIZE, metrics->title_advance, x + parts.title_x,
                  y + TITLE_BASELINE, n->title);
  if (parts.argument_width > 0)
    fb_drawer_text (drawer, cr, FB_FACE_TEXT, FB_TEXT_SIZE, metrics->text_advance, x + parts.argument_x,
                    y + TEXT_BASELINE, n->argument);
  for (guint32 i = 0; i < n->n_chips; i++)
    {
      /* on a tint the grey of a chip would not show */
      FbInk chip = *ink;
      if (n->mark != FB_MARK_SAME && n->mark != FB_MARK_GONE)
        chip.alpha *= CHIP_ON_TINT;
      fb_ink_set (&chip, cr, chip.alpha < ink->alpha ? fb_color_of_mark (n->mark) : FB_COLOR_CHIP);
      fb_rounded (cr, x + chip_x[i], y + 4, fb_scene_chip_width (scene, &n->chips[i]), CHIP_HEIGHT, CHIP_RADIUS);
      cairo_fill (cr);
      fb_ink_set (ink, cr, n->mark == FB_MARK_GONE ? FB_COLOR_DIM : FB_COLOR_TEXT);
      fb_drawer_text (drawer, cr, FB_FACE_TEXT, FB_TEXT_SIZE, metrics->text_advance, x + chip_x[i] + 5,
                      y + TEXT_BASELINE, n->chips[i].text);
    }
  if (n->hub)
    draw_hub (ink, drawer, cr, scene, node, &parts, x, y);
  fb_ink_set (ink, cr, FB_COLOR_DIM);
  fb_drawer_text (drawer, cr, FB_FACE_TEXT, FB_TEXT_SIZE, metrics->text_advance, x + parts.type_x, y + TEXT_BASELINE,
                  n->type);
  if (left)
    {
      fb_ink_set (ink, cr, fb_color_of_mark (n->mark));
      cairo_set_line_width (cr, 1.5);
      cairo_move_to (cr, x + parts.title_x - 1, y + 12.25);
      cairo_line_to (cr, x + parts.title_x + parts.title_width + 1, y + 12.25);
      cairo_stroke (cr);
    }
}

void
fb_drawer_draw_card (FbDrawer *drawer, cairo_t *cr, const FbScene *scene, guint32 node, double x, double y,
                     const FbDrawState *state)
{
  FbInk ink = { .dark = state->dark, .high_contrast = state->high_contrast, .alpha = 1 };

  g_return_if_fail (node < scene->graph->n_nodes);
  fb_ink_card (&ink, drawer, cr, scene, node, x, y, node == state->hovered);
}
