/* Many lines and bars at a small zoom: counted per pixel instead of stroked, so the cost is that of their corners and of the picture's pixels,
 * however long they are. */
#include "draw-private.h"

#include <math.h>
#include <string.h>

/* Pixels of a mask. */
#define PIXELS_MAX (16 * 1000 * 1000)

typedef struct
{
  int width, height;
  double x, y, zoom; /* scene px of the corner; px a scene px */
  guint16 *down;     /* by row: where vertical runs begin (+1) and end (-1), in the direction of columns */
  guint16 *right;    /* the same of horizontal runs, in the direction of rows; a row is width + 1 long */
} Mask;

static void
add_piece (Mask *m, FbPoint a, FbPoint b)
{
  int x0 = (int) floor ((MIN (a.x, b.x) - m->x) * m->zoom), x1 = (int) floor ((MAX (a.x, b.x) - m->x) * m->zoom);
  int y0 = (int) floor ((MIN (a.y, b.y) - m->y) * m->zoom), y1 = (int) floor ((MAX (a.y, b.y) - m->y) * m->zoom);

  if (x1 < 0 || y1 < 0 || x0 >= m->width || y0 >= m->height)
    return;
  if (x1 - x0 > y1 - y0)
    {
      guint16 *row = m->right + (gsize) y0 * (m->width + 1);
      if (y0 < 0)
        return;
      row[MAX (x0, 0)]++;
      row[MIN (x1 + 1, m->width)]--;
    }
  else if (x0 >= 0)
    {
      m->down[(gsize) MAX (y0, 0) * m->width + x0]++;
      m->down[(gsize) MIN (y1 + 1, m->height) * m->width + x0]--;
    }
}

/* From counts to pixels: one line is pale, several are a little less so, never a wall. */
static void
cover (const Mask *m, guint32 rgb, cairo_surface_t *surface)
{
  static const guint8 alphas[] = { 0, 80, 100, 115 };
  guint32 *pixels = (guint32 *) (void *) cairo_image_surface_get_data (surface), shades[4];
  int stride = cairo_image_surface_get_stride (surface) / 4;
  g_autofree guint16 *columns = g_new0 (guint16, m->width);

  for (int i = 0; i < 4; i++)
    {
      guint32 a = alphas[i], r = (rgb >> 16 & 0xff) * a / 255, g = (rgb >> 8 & 0xff) * a / 255,
              b = (rgb & 0xff) * a / 255;
      shades[i] = a << 24 | r << 16 | g << 8 | b;
    }
  for (int y = 0; y < m->height; y++)
    {
      const guint16 *down = m->down + (gsize) y * m->width, *right = m->right + (gsize) y * (m->width + 1);
      guint32 *row = pixels + (gsize) y * stride;
      guint16 run = 0;
      for (int x = 0; x < m->width; x++)
        {
          columns[x] += down[x];
          run += right[x];
          guint count = columns[x] + run;
          row[x] = shades[MIN (count, 3)];
        }
    }
}

/* A picture of what is visible, a pixel of it one of the screen; NULL when it is too large, or there is nothing. */
static cairo_surface_t *
new_pixels (const FbDrawing *d, FbRect visible)
{
  double width = ceil (visible.width * d->state->zoom), height = ceil (visible.height * d->state->zoom);
  if (width < 1 || height < 1 || width * height > PIXELS_MAX)
    return NULL;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) width, (int) height);
  if (cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS)
    return surface;
  cairo_surface_destroy (surface);
  return NULL;
}

void
fb_draw_pixels (FbDrawing *d)
{
  if (!d->pixels)
    return;
  cairo_surface_mark_dirty (d->pixels);
  cairo_save (d->cr);
  cairo_translate (d->cr, d->pixels_at.x, d->pixels_at.y);
  cairo_scale (d->cr, 1 / d->state->zoom, 1 / d->state->zoom);
  cairo_set_source_surface (d->cr, d->pixels, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (d->cr), CAIRO_FILTER_NEAREST);
  cairo_paint (d->cr);
  cairo_restore (d->cr);
  g_clear_pointer (&d->pixels, cairo_surface_destroy);
}

gboolean
fb_draw_line_pixels (FbDrawing *d, FbEdgeState state, FbColor color, FbRect visible)
{
  Mask m = { 0, 0, visible.x, visible.y, d->state->zoom, NULL, NULL };
  const GArray *edges = d->drawer->edges;

  if (d->pixels || !(d->pixels = new_pixels (d, visible)))
    return FALSE;
  d->pixels_at = (FbPoint){ visible.x, visible.y };
  m.width = cairo_image_surface_get_width (d->pixels);
  m.height = cairo_image_surface_get_height (d->pixels);
  gsize n_down = (gsize) m.width * (m.height + 1), n_right = (gsize) (m.width + 1) * m.height;
  if (d->drawer->n_counts < n_down + n_right)
    {
      d->drawer->n_counts = n_down + n_right;
      d->drawer->counts = g_renew (guint16, d->drawer->counts, d->drawer->n_counts);
    }
  m.down = d->drawer->counts;
  m.right = m.down + n_down;
  memset (m.down, 0, (n_down + n_right) * sizeof *m.down);
  for (guint i = 0; i < edges->len; i++)
    {
      guint32 e = g_array_index (edges, guint32, i), n;
      if (d->scene->graph->edges[e].state != state)
        continue;
      const FbPoint *points = fb_scene_edge (d->scene, e, &n);
      for (guint32 k = 0; k + 1 < n; k++)
        add_piece (&m, points[k], points[k + 1]);
    }
  cover (&m, fb_color_rgb (color, d->state->dark), d->pixels);
  return TRUE;
}

gboolean
fb_draw_bar_pixels (FbDrawing *d, const FbRect *rects, const guint8 *colors, FbRect visible)
{
  double zoom = d->state->zoom;

  if (!d->pixels)
    {
      d->pixels = new_pixels (d, visible);
      d->pixels_at = (FbPoint){ visible.x, visible.y };
    }
  if (!d->pixels)
    return FALSE;
  guint32 *pixels = (guint32 *) (void *) cairo_image_surface_get_data (d->pixels);
  int stride = cairo_image_surface_get_stride (d->pixels) / 4;
  int width = cairo_image_surface_get_width (d->pixels), height = cairo_image_surface_get_height (d->pixels);
  for (guint i = 0; i < d->drawer->nodes->len; i++)
    {
      guint32 pixel = 0xff000000 | fb_color_rgb ((FbColor) colors[i], d->state->dark);
      int x0 = (int) floor ((rects[i].x - d->pixels_at.x) * zoom);
      int x1 = MAX ((int) floor ((rects[i].x + rects[i].width - d->pixels_at.x) * zoom), x0 + 1);
      int y0 = (int) floor ((rects[i].y - d->pixels_at.y) * zoom);
      int y1 = MAX ((int) floor ((rects[i].y + rects[i].height - d->pixels_at.y) * zoom), y0 + 1);
      for (int y = MAX (y0, 0); y < MIN (y1, height); y++)
        for (int x = MAX (x0, 0); x < MIN (x1, width); x++)
          pixels[(gsize) y * stride + x] = pixel;
    }
  return TRUE;
}
