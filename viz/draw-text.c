/* Text at given advances: glyphs are looked up once a character, so that thousands of cards a frame cost no text layout. */
#include "draw-private.h"

#include <math.h>

static void
open_face (FbDrawer *drawer, FbFace which)
{
  /* looked up large, where hinting does not disturb the advance */
  const double size = 64;
  PangoFontDescription *description = pango_font_description_new ();
  PangoFont *font;

  pango_font_description_set_family (description, drawer->family);
  pango_font_description_set_weight (description, which == FB_FACE_TITLE ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_absolute_size (description, size * PANGO_SCALE);
  font = pango_font_map_load_font (drawer->map, drawer->pango, description);
  if (font)
    {
      cairo_scaled_font_t *scaled = pango_cairo_font_get_scaled_font (PANGO_CAIRO_FONT (font));
      cairo_text_extents_t extents;
      drawer->faces[which].scaled = cairo_scaled_font_reference (scaled);
      drawer->faces[which].face = cairo_font_face_reference (cairo_scaled_font_get_font_face (scaled));
      cairo_scaled_font_text_extents (scaled, "0", &extents);
      drawer->faces[which].advance = extents.x_advance / size;
      g_object_unref (font);
    }
  if (!(drawer->faces[which].advance > 0.1))
    drawer->faces[which].advance = fb_metrics_default.text_advance / FB_TEXT_SIZE;
  drawer->faces[which].glyphs = g_hash_table_new (NULL, NULL);
  pango_font_description_free (description);
}

FbDrawer *
fb_drawer_new (const char *family)
{
  FbDrawer *drawer = g_new0 (FbDrawer, 1);

  drawer->family = g_strdup (family ? family : "monospace");
  drawer->map = pango_cairo_font_map_new ();
  drawer->pango = pango_font_map_create_context (drawer->map);
  for (int i = 0; i < FB_N_FACES; i++)
    open_face (drawer, (FbFace) i);
  drawer->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  drawer->edges = g_array_new (FALSE, FALSE, sizeof (guint32));
  drawer->glyphs = g_array_new (FALSE, FALSE, sizeof (cairo_glyph_t));
  return drawer;
}

void
fb_drawer_free (FbDrawer *drawer)
{
  if (!drawer)
    return;
  for (int i = 0; i < FB_N_FACES; i++)
    {
      if (drawer->faces[i].face)
        cairo_font_face_destroy (drawer->faces[i].face);
      if (drawer->faces[i].scaled)
        cairo_scaled_font_destroy (drawer->faces[i].scaled);
      g_hash_table_unref (drawer->faces[i].glyphs);
    }
  g_array_unref (drawer->nodes);
  g_array_unref (drawer->edges);
  g_array_unref (drawer->glyphs);
  g_free (drawer->counts);
  g_object_unref (drawer->pango);
  g_object_unref (drawer->map);
  g_free (drawer->family);
  g_free (drawer);
}

FbMetrics
fb_drawer_metrics (FbDrawer *drawer)
{
  return (FbMetrics){ (float) (drawer->faces[FB_FACE_TITLE].advance * FB_TITLE_SIZE),
                      (float) (drawer->faces[FB_FACE_TEXT].advance * FB_TEXT_SIZE) };
}

/* Glyph + 1, 0 when the font lacks the character. */
static gsize
look_up (FbDrawer *drawer, FbFace which, gunichar c)
{
  gpointer known;
  if (g_hash_table_lookup_extended (drawer->faces[which].glyphs, GUINT_TO_POINTER (c), NULL, &known))
    return GPOINTER_TO_SIZE (known);

  char utf8[8];
  int len = g_unichar_to_utf8 (c, utf8), n = 0;
  cairo_glyph_t *glyphs = NULL;
  gsize glyph = 0;
  if (drawer->faces[which].scaled
      && cairo_scaled_font_text_to_glyphs (drawer->faces[which].scaled, 0, 0, utf8, len, &glyphs, &n, NULL, NULL, NULL)
             == CAIRO_STATUS_SUCCESS
      && n == 1 && glyphs[0].index != 0)
    glyph = glyphs[0].index + 1;
  cairo_glyph_free (glyphs);
  g_hash_table_insert (drawer->faces[which].glyphs, GUINT_TO_POINTER (c), GSIZE_TO_POINTER (glyph));
  return glyph;
}

/* Characters the code font lacks: whatever font has them, pressed into the columns they were measured with. */
static void
text_by_layout (FbDrawer *drawer, cairo_t *cr, FbFace which, double size, double width, double x, double y,
                const char *text)
{
  PangoLayout *layout = pango_layout_new (drawer->pango);
  PangoFontDescription *description = pango_font_description_new ();
  int natural;

  pango_font_description_set_family (description, drawer->family);
  pango_font_description_set_weight (description, which == FB_FACE_TITLE ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_absolute_size (description, size * PANGO_SCALE);
  pango_layout_set_font_description (layout, description);
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_size (layout, &natural, NULL);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  if (natural > 0)
    cairo_scale (cr, width / ((double) natural / PANGO_SCALE), 1);
  cairo_move_to (cr, 0, -(double) pango_layout_get_baseline (layout) / PANGO_SCALE);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
  pango_font_description_free (description);
  g_object_unref (layout);
}

void
fb_drawer_text (FbDrawer *drawer, cairo_t *cr, FbFace which, double size, double advance, double x, double y,
                const char *text)
{
  guint columns = 0;

  if (!*text)
    return;
  g_array_set_size (drawer->glyphs, 0);
  for (const char *p = text; *p; p = g_utf8_next_char (p))
    {
      gunichar c = (guint8) *p < 0x80 ? (gunichar) *p : g_utf8_get_char (p);
      gsize glyph = look_up (drawer, which, c);
      if (glyph == 0 || g_unichar_iszerowidth (c))
        {
          guint all = 0;
          for (p = text; *p; p = g_utf8_next_char (p))
            all += g_unichar_iszerowidth (g_utf8_get_char (p)) ? 0 : g_unichar_iswide (g_utf8_get_char (p)) ? 2 : 1;
          text_by_layout (drawer, cr, which, size, all * advance, x, y, text);
          return;
        }
      cairo_glyph_t g = { glyph - 1, x + columns * advance, y };
      if (c != ' ')
        g_array_append_val (drawer->glyphs, g);
      columns += c >= 0x1100 && g_unichar_iswide (c) ? 2 : 1;
    }
  cairo_set_font_face (cr, drawer->faces[which].face);
  cairo_set_font_size (cr, size);
  cairo_show_glyphs (cr, (const cairo_glyph_t *) (const void *) drawer->glyphs->data, (int) drawer->glyphs->len);
}
