#include "app/buffer-heat.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/gdk-color.h"

/* Px of the widget: what it can do with, what it would like. */
#define NARROWEST 216
#define WIDE 380
/* A map is no thinner than this, px. */
#define THINNEST 40.0
#define GAP 6.0

typedef struct
{
  gint64 row, column, n_rows, n_columns;
} Cells;

struct _FbBufferHeat
{
  GtkWidget parent_instance;
  gboolean has_slice;
  FbSlice slice;
  GdkTexture *picture;
  double low, high;
  Cells seen;
  gint64 row, column; /* row -1: none */
  char *text;
  double line, advance; /* of the font */
  guint asked_width, asked_height;
};

G_DEFINE_FINAL_TYPE (FbBufferHeat, fb_buffer_heat, GTK_TYPE_WIDGET)

static guint resized_signal, chosen_signal;

static void
measure_font (FbBufferHeat *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0000000000");
  int width, height;
  pango_layout_get_size (layout, &width, &height);
  self->advance = width / 10.0 / PANGO_SCALE;
  self->line = (double) height / PANGO_SCALE;
}

/* Where the map is: cells are square while that leaves it thick enough to be seen. */
static void
map_area (FbBufferHeat *self, graphene_rect_t *area)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  gint64 n_rows = fb_slice_n_rows (&self->slice), n_columns = fb_slice_n_columns (&self->slice);
  char text[32];
  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, n_rows > 1 ? n_rows - 1 : 0);
  double left = strlen (text) * self->advance + GAP;
  double room_x = MAX (width - left, 0), room_y = MAX (height - 2 * self->line - 2 * GAP, 0);
  double side = MIN (room_x / (double) n_columns, room_y / (double) n_rows);
  double map_width = CLAMP (side * (double) n_columns, MIN (THINNEST, room_x), room_x);
  double map_height = CLAMP (side * (double) n_rows, MIN (THINNEST, room_y), room_y);
  *area = GRAPHENE_RECT_INIT ((float) left, 0, (float) floor (map_width), (float) floor (map_height));
}

void
fb_buffer_heat_get_size (FbBufferHeat *self, guint *width, guint *height, guint *ink)
{
  g_return_if_fail (FB_IS_BUFFER_HEAT (self));
  graphene_rect_t area;
  guint scale = (guint) gtk_widget_get_scale_factor (GTK_WIDGET (self));
  *width = *height = 0;
  *ink = scale;
  if (!self->has_slice || fb_slice_size (&self->slice) == 0)
    return;
  map_area (self, &area);
  *width = (guint) area.size.width * scale;
  *height = (guint) area.size.height * scale;
}

/* --- drawing --- */

static double
draw_text (FbBufferHeat *self, GtkSnapshot *snapshot, const char *text, double x, double align, double y,
           const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width;
  pango_layout_get_size (layout, &width, NULL);
  double wide = (double) width / PANGO_SCALE;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) floor (x - align * wide), (float) floor (y)));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
  return wide;
}

/* A round distance between numbers of an axis, so that about @most of them fit. */
static gint64
round_step (gint64 size, double most)
{
  gint64 step = 1;
  static const double factors[] = { 2, 2.5, 2 };
  /* powers of two for what is a power of two, as shapes often are */
  gboolean binary = (size & (size - 1)) == 0;
  for (guint i = 0; (double) size / (double) step > MAX (most, 1); i++)
    step = binary ? step * 2 : (gint64) llround ((double) step * factors[i % 3]);
  return step;
}

static void
draw_axes (FbBufferHeat *self, GtkSnapshot *snapshot, const graphene_rect_t *area, const GdkRGBA *color)
{
  gint64 n_rows = fb_slice_n_rows (&self->slice), n_columns = fb_slice_n_columns (&self->slice);
  char text[32];
  double cell = area->size.height / (double) n_rows;
  gint64 step = round_step (n_rows, area->size.height / (self->line * 2));
  for (gint64 row = 0; row < n_rows && n_rows > 1; row += step)
    {
      g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, row);
      draw_text (self, snapshot, text, area->origin.x - GAP, 1,
                 CLAMP (((double) row + 0.5) * cell - self->line / 2, 0, MAX (area->size.height - self->line, 0)),
                 color);
    }
  cell = area->size.width / (double) n_columns;
  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, n_columns);
  step = round_step (n_columns, area->size.width / ((double) (strlen (text) + 3) * self->advance));
  for (gint64 column = 0; column < n_columns; column += step)
    {
      g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, column);
      draw_text (self, snapshot, text, area->origin.x + ((double) column + 0.5) * cell,
                 column == 0 && cell < 8 ? 0 : 0.5, area->size.height + 2, color);
    }
}

static void
frame (GtkSnapshot *snapshot, double x, double y, double width, double height, float line, const GdkRGBA *color)
{
  GskRoundedRect rect;
  float widths[4] = { line, line, line, line };
  GdkRGBA colors[4] = { *color, *color, *color, *color };
  gsk_rounded_rect_init_from_rect (&rect, &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height), 0);
  gtk_snapshot_append_border (snapshot, &rect, widths, colors);
}

static void
draw_cells (GtkSnapshot *snapshot, const graphene_rect_t *area, const FbSlice *slice, const Cells *cells, float line,
            const GdkRGBA *color)
{
  double wide = area->size.width / (double) fb_slice_n_columns (slice);
  double high = area->size.height / (double) fb_slice_n_rows (slice);
  /* small ones are framed from outside, so that they are still to be seen */
  double x = area->origin.x + (double) cells->column * wide - line, y = (double) cells->row * high - line;
  frame (snapshot, x, y, MAX ((double) cells->n_columns * wide, 3) + 2 * line,
         MAX ((double) cells->n_rows * high, 3) + 2 * line, line, color);
}

static void
draw_scale (FbBufferHeat *self, GtkSnapshot *snapshot, const graphene_rect_t *area, gboolean dark)
{
  GdkRGBA text = fb_gdk_color (FB_COLOR_TEXT, dark), border = fb_gdk_color (FB_COLOR_CARD_LINE, dark);
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double y = area->size.height + self->line + GAP + 2, x = area->origin.x;
  char number[32];
  g_snprintf (number, sizeof number, "%.3g", self->low);
  /* what the cell holds goes before the scale where both have no room */
  double taken = self->text ? (double) g_utf8_strlen (self->text, -1) * self->advance + 2 * GAP : 0;
  double bar = MIN (76, width - x - taken - 2 * (double) (strlen (number) + 1) * self->advance - 8);
  if (self->high > 0 && bar >= 16)
    {
      x += draw_text (self, snapshot, number, x, 0, y, &text) + 4;
      GskColorStop stops[3] = { { 0, fb_gdk_color (FB_COLOR_VALUE_LOW, dark) },
                                { 0.5f, fb_gdk_color (FB_COLOR_VALUE_ZERO, dark) },
                                { 1, fb_gdk_color (FB_COLOR_VALUE_HIGH, dark) } };
      guint first = self->low < 0 ? 0 : 1;
      stops[1].offset = first == 0 ? 0.5f : 0;
      gtk_snapshot_append_linear_gradient (
          snapshot, &GRAPHENE_RECT_INIT ((float) x, (float) (y + 2), (float) bar, (float) (self->line - 4)),
          &GRAPHENE_POINT_INIT ((float) x, 0), &GRAPHENE_POINT_INIT ((float) (x + bar), 0), stops + first, 3 - first);
      frame (snapshot, x, y + 2, bar, self->line - 4, 1, &border);
      x += bar + 4;
      g_snprintf (number, sizeof number, "%.3g", self->high);
      x += draw_text (self, snapshot, number, x, 0, y, &text) + 3 * GAP;
    }
  if (self->text)
    draw_text (self, snapshot, self->text, width, 1, y, &text);
}

static void
fb_buffer_heat_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbBufferHeat *self = FB_BUFFER_HEAT (widget);
  graphene_rect_t area;
  if (!self->has_slice || fb_slice_size (&self->slice) == 0)
    return;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA dim = fb_gdk_color (FB_COLOR_DIM, dark), accent = fb_gdk_color (FB_COLOR_ACCENT, dark);
  GdkRGBA border = fb_gdk_color (FB_COLOR_BORDER, dark);
  map_area (self, &area);
  if (area.size.width < 1 || area.size.height < 1)
    return;
  if (self->picture)
    gtk_snapshot_append_texture (snapshot, self->picture, &area);
  frame (snapshot, area.origin.x, 0, area.size.width, area.size.height, 1, &border);
  draw_axes (self, snapshot, &area, &dim);
  gboolean part
      = self->seen.n_rows < fb_slice_n_rows (&self->slice) || self->seen.n_columns < fb_slice_n_columns (&self->slice);
  if (self->seen.n_rows > 0 && part)
    draw_cells (snapshot, &area, &self->slice, &self->seen, 2, &accent);
  if (self->row >= 0)
    draw_cells (snapshot, &area, &self->slice, &(Cells){ self->row, self->column, 1, 1 }, 2, &accent);
  draw_scale (self, snapshot, &area, dark);
}

/* --- what it shows --- */

static void
look_at_size (FbBufferHeat *self)
{
  guint width, height, ink;
  fb_buffer_heat_get_size (self, &width, &height, &ink);
  if (width == self->asked_width && height == self->asked_height)
    return;
  self->asked_width = width;
  self->asked_height = height;
  g_signal_emit (self, resized_signal, 0);
}

void
fb_buffer_heat_set_slice (FbBufferHeat *self, const FbSlice *slice)
{
  g_return_if_fail (FB_IS_BUFFER_HEAT (self));
  guint ink;
  self->has_slice = slice != NULL;
  if (slice)
    self->slice = *slice;
  fb_buffer_heat_get_size (self, &self->asked_width, &self->asked_height, &ink);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_buffer_heat_set_picture (FbBufferHeat *self, GdkTexture *picture, double low, double high)
{
  g_return_if_fail (FB_IS_BUFFER_HEAT (self));
  g_set_object (&self->picture, picture);
  self->low = low;
  self->high = high;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_buffer_heat_set_seen (FbBufferHeat *self, gint64 row, gint64 column, gint64 n_rows, gint64 n_columns)
{
  g_return_if_fail (FB_IS_BUFFER_HEAT (self));
  self->seen = (Cells){ row, column, n_rows, n_columns };
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_buffer_heat_set_cell (FbBufferHeat *self, gint64 row, gint64 column, const char *text)
{
  g_return_if_fail (FB_IS_BUFFER_HEAT (self));
  self->row = row;
  self->column = column;
  g_free (self->text);
  self->text = g_strdup (text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text ? text : "", -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
choose_at (FbBufferHeat *self, double x, double y)
{
  graphene_rect_t area;
  if (!self->has_slice || fb_slice_size (&self->slice) == 0)
    return;
  map_area (self, &area);
  gint64 n_rows = fb_slice_n_rows (&self->slice), n_columns = fb_slice_n_columns (&self->slice);
  gint64 row = (gint64) floor (y / area.size.height * (double) n_rows);
  gint64 column = (gint64) floor ((x - area.origin.x) / area.size.width * (double) n_columns);
  if (row >= 0 && column >= 0 && row < n_rows && column < n_columns)
    g_signal_emit (self, chosen_signal, 0, row, column);
}

static void
drag_began (GtkGestureDrag *gesture, double x, double y, FbBufferHeat *self)
{
  choose_at (self, x, y);
}

static void
dragged (GtkGestureDrag *gesture, double dx, double dy, FbBufferHeat *self)
{
  double x, y;
  if (gtk_gesture_drag_get_start_point (gesture, &x, &y))
    choose_at (self, x + dx, y + dy);
}

/* --- the widget --- */

static void
fb_buffer_heat_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? NARROWEST : THINNEST;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDE : NARROWEST;
}

static void
fb_buffer_heat_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  look_at_size (FB_BUFFER_HEAT (widget));
}

static void
fb_buffer_heat_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fb_buffer_heat_parent_class)->css_changed (widget, change);
  measure_font (FB_BUFFER_HEAT (widget));
}

static void
fb_buffer_heat_dispose (GObject *object)
{
  FbBufferHeat *self = FB_BUFFER_HEAT (object);
  g_clear_object (&self->picture);
  g_clear_pointer (&self->text, g_free);
  G_OBJECT_CLASS (fb_buffer_heat_parent_class)->dispose (object);
}

static void
fb_buffer_heat_class_init (FbBufferHeatClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_buffer_heat_dispose;
  widget_class->snapshot = fb_buffer_heat_snapshot;
  widget_class->measure = fb_buffer_heat_measure;
  widget_class->size_allocate = fb_buffer_heat_size_allocate;
  widget_class->css_changed = fb_buffer_heat_css_changed;
  resized_signal
      = g_signal_new ("resized", FB_TYPE_BUFFER_HEAT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  chosen_signal = g_signal_new ("chosen", FB_TYPE_BUFFER_HEAT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                G_TYPE_INT64, G_TYPE_INT64);
  gtk_widget_class_set_css_name (widget_class, "bufferheat");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
fb_buffer_heat_init (FbBufferHeat *self)
{
  self->row = -1;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "fb-small-code");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Heat map"), -1);
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_began), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (dragged), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  measure_font (self);
}
