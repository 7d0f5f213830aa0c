#include "export.h"

#include <math.h>

G_DEFINE_QUARK (fb - export - error - quark, fb_export_error)

/* px a side, and px in all: what cairo takes, and what a viewer and a disk can be asked to take */
#define SIDE_AUTO 16384.0
#define SIDE_MAX 32767.0
#define AREA_MAX (128.0 * 1000 * 1000)

static cairo_status_t
collect (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static double
scale_that_fits (FbRect bounds)
{
  /* rounded up to whole px it still has to fit */
  double scale = MIN (1, MIN (SIDE_AUTO / bounds.width, SIDE_AUTO / bounds.height));
  return MIN (scale, 0.999 * sqrt (AREA_MAX / ((double) bounds.width * bounds.height)));
}

GBytes *
fb_export_png (const FbScene *scene, const FbExportOptions *options, GError **error)
{
  FbRect bounds = scene->bounds;
  double scale = options->scale > 0 ? options->scale : scale_that_fits (bounds);
  double width = ceil (bounds.width * scale), height = ceil (bounds.height * scale);
  FbDrawState state = FB_DRAW_STATE_INIT;

  if (width > SIDE_MAX || height > SIDE_MAX || width * height > AREA_MAX)
    {
      g_set_error (error, FB_EXPORT_ERROR, FB_EXPORT_ERROR_SIZE,
                   "the picture would be %.0f×%.0f px, more than a PNG is made of here: use a smaller scale, or SVG",
                   width, height);
      return NULL;
    }
  cairo_surface_t *surface = cairo_image_surface_create (
      options->transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, MAX ((int) width, 1), MAX ((int) height, 1));
  cairo_t *cr = cairo_create (surface);
  if (!options->transparent)
    {
      guint32 ground = fb_color_rgb (FB_COLOR_CANVAS, options->dark);
      cairo_set_source_rgb (cr, fb_rgb_component (ground, 0), fb_rgb_component (ground, 1),
                            fb_rgb_component (ground, 2));
      cairo_paint (cr);
    }
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -bounds.x, -bounds.y);
  state.dark = options->dark;
  state.zoom = scale;
  state.selected = options->selected;
  g_autoptr (FbDrawer) drawer = fb_drawer_new (NULL);
  fb_drawer_draw (drawer, cr, scene, &state);

  GByteArray *bytes = g_byte_array_new ();
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, collect, bytes);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, FB_EXPORT_ERROR, FB_EXPORT_ERROR_WRITE, "cannot make the picture: %s",
                   cairo_status_to_string (status));
      g_byte_array_unref (bytes);
      return NULL;
    }
  return g_byte_array_free_to_bytes (bytes);
}
