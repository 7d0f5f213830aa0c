/* The table of numbers, drawn: only the cells that are seen. */
#include <adwaita.h>

#include "app/buffer-grid-private.h"
#include "app/gdk-color.h"

static void
draw_text (GtkSnapshot *snapshot, PangoLayout *layout, const char *text, double right, double y, const GdkRGBA *color,
           gboolean bold)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int width;
  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_size (layout, &width, NULL);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (right - (double) width / PANGO_SCALE), (float) y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

/* Slanted lines over the cell: what is in there is no number. */
static void
draw_hatching (GtkSnapshot *snapshot, const graphene_rect_t *area, const GdkRGBA *color)
{
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, area);
  double x = area->origin.x, y = area->origin.y, height = area->size.height;
  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, 1);
  for (double at = -height; at < area->size.width; at += 6)
    {
      cairo_move_to (cr, x + at, y + height);
      cairo_line_to (cr, x + at + height, y);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

/* Signs that say without colour what a cell holds: a triangle for infinities, a dot for denormals. */
static const char *
sign_of (guint marks)
{
  if (marks & FB_VALUE_IS_PLUS_INF)
    return "▲ ";
  if (marks & FB_VALUE_IS_MINUS_INF)
    return "▼ ";
  return marks & FB_VALUE_IS_DENORMAL ? "· " : "";
}

static void
draw_cell (FbBufferGrid *self, GtkSnapshot *snapshot, PangoLayout *layout, gint64 row, gint64 column, double x,
           double y, gboolean dark)
{
  gint64 element = fb_slice_element (&self->slice, row, column);
  graphene_rect_t area = GRAPHENE_RECT_INIT ((float) x, (float) y, (float) self->cell_width, (float) self->line_height);
  if (element < 0)
    {
      GdkRGBA nothing = fb_gdk_color (FB_COLOR_CANVAS, dark);
      gtk_snapshot_append_color (snapshot, &nothing, &area);
      return;
    }
  const guint8 *at = (const guint8 *) g_bytes_get_data (self->data, NULL)
                     + (gsize) element * fb_scalar_size ((FbScalarType) self->type);
  char value[FB_VALUE_TEXT], text[FB_VALUE_TEXT + 8];
  guint marks = fb_value_marks (self->type, at);
  gboolean special = marks & (FB_VALUE_IS_NAN | FB_VALUE_IS_PLUS_INF | FB_VALUE_IS_MINUS_INF);
  fb_value_text (self->type, at, self->format, value);
  g_snprintf (text, sizeof text, "%s%s", sign_of (marks), value);
  if (marks & FB_VALUE_IS_NAN)
    {
      GdkRGBA lines = fb_gdk_color (FB_COLOR_CARD_LINE, dark);
      lines.alpha = 0.45f;
      draw_hatching (snapshot, &area, &lines);
    }
  GdkRGBA color = fb_gdk_color (marks & FB_VALUE_IS_NEGATIVE ? FB_COLOR_VALUE_LOW : FB_COLOR_TEXT, dark);
  gtk_snapshot_push_clip (snapshot, &area);
  draw_text (snapshot, layout, text, x + self->cell_width - FB_BUFFER_GRID_PAD, y + 3, &color, special);
  gtk_snapshot_pop (snapshot);
}

/* The number at the head of a row or column. */
static void
draw_head (FbBufferGrid *self, GtkSnapshot *snapshot, PangoLayout *layout, gint64 number, double right, double y,
           const GdkRGBA *color, gboolean sign)
{
  char text[32];
  g_snprintf (text, sizeof text, "%s%" G_GINT64_FORMAT, sign ? "+" : "", number);
  draw_text (snapshot, layout, text, right, y, color, FALSE);
}

static void
draw_cells (FbBufferGrid *self, GtkSnapshot *snapshot, PangoLayout *layout, double width, double height, gboolean dark)
{
  GdkRGBA border = fb_gdk_color (FB_COLOR_BORDER, dark), accent = fb_gdk_color (FB_COLOR_ACCENT, dark);
  gint64 first_row, first_column, n_rows, n_columns;
  fb_buffer_grid_get_seen (self, &first_row, &first_column, &n_rows, &n_columns);
  graphene_rect_t cells = GRAPHENE_RECT_INIT ((float) self->head_width, (float) self->line_height,
                                              (float) (width - self->head_width), (float) (height - self->line_height));
  double left = self->head_width + (double) first_column * self->cell_width
                - fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_HORIZONTAL);
  double top = self->line_height + (double) first_row * self->line_height
               - fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_VERTICAL);
  gtk_snapshot_push_clip (snapshot, &cells);
  for (gint64 row = first_row; row < first_row + n_rows; row++)
    {
      double y = top + (double) (row - first_row) * self->line_height;
      for (gint64 column = first_column; column < first_column + n_columns; column++)
        draw_cell (self, snapshot, layout, row, column, left + (double) (column - first_column) * self->cell_width, y,
                   dark);
      gtk_snapshot_append_color (snapshot, &border,
                                 &GRAPHENE_RECT_INIT (0, (float) (y + self->line_height - 1), (float) width, 1));
    }
  if (self->row >= first_row && self->row < first_row + n_rows && self->column >= first_column
      && self->column < first_column + n_columns)
    {
      double x = left + (double) (self->column - first_column) * self->cell_width;
      double y = top + (double) (self->row - first_row) * self->line_height;
      GskRoundedRect ring;
      gsk_rounded_rect_init_from_rect (
          &ring, &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) self->cell_width, (float) self->line_height - 1),
          0);
      float widths[4] = { 2, 2, 2, 2 };
      GdkRGBA colors[4] = { accent, accent, accent, accent };
      gtk_snapshot_append_border (snapshot, &ring, widths, colors);
    }
  gtk_snapshot_pop (snapshot);
}

static void
draw_heads (FbBufferGrid *self, GtkSnapshot *snapshot, PangoLayout *layout, double width, double height, gboolean dark)
{
  GdkRGBA dim = fb_gdk_color (FB_COLOR_DIM, dark), text = fb_gdk_color (FB_COLOR_TEXT, dark);
  GdkRGBA border = fb_gdk_color (FB_COLOR_BORDER, dark), ground = fb_gdk_color (FB_COLOR_WINDOW, dark);
  gboolean wraps = self->slice.rows < 0 && self->slice.wrap > 0;
  gint64 first_row, first_column, n_rows, n_columns;
  fb_buffer_grid_get_seen (self, &first_row, &first_column, &n_rows, &n_columns);
  double left = self->head_width - fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_HORIZONTAL);
  double top = self->line_height - fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_VERTICAL);
  graphene_rect_t columns
      = GRAPHENE_RECT_INIT ((float) self->head_width, 0, (float) (width - self->head_width), (float) self->line_height);
  graphene_rect_t rows = GRAPHENE_RECT_INIT (0, (float) self->line_height, (float) self->head_width,
                                             (float) (height - self->line_height));
  gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) self->line_height));
  gtk_snapshot_append_color (snapshot, &ground, &rows);
  gtk_snapshot_push_clip (snapshot, &columns);
  for (gint64 column = first_column; column < first_column + n_columns; column++)
    draw_head (self, snapshot, layout, column, left + (double) (column + 1) * self->cell_width - FB_BUFFER_GRID_PAD, 3,
               column == self->column && self->row >= 0 ? &text : &dim, wraps);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_push_clip (snapshot, &rows);
  for (gint64 row = first_row; row < first_row + n_rows; row++)
    draw_head (self, snapshot, layout, wraps ? row * self->slice.wrap : row, self->head_width - FB_BUFFER_GRID_PAD,
               top + (double) row * self->line_height + 3, row == self->row ? &text : &dim, FALSE);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_color (snapshot, &border,
                             &GRAPHENE_RECT_INIT (0, (float) self->line_height - 1, (float) width, 1));
  gtk_snapshot_append_color (snapshot, &border,
                             &GRAPHENE_RECT_INIT ((float) self->head_width - 1, 0, 1, (float) height));
}

void
fb_buffer_grid_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbBufferGrid *self = FB_BUFFER_GRID (widget);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  if (!self->data)
    return;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, NULL);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  draw_cells (self, snapshot, layout, width, height, dark);
  draw_heads (self, snapshot, layout, width, height, dark);
}
