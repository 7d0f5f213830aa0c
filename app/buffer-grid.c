#include "app/buffer-grid-private.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

enum
{
  PROP_HADJUSTMENT = 1,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

G_DEFINE_FINAL_TYPE_WITH_CODE (FbBufferGrid, fb_buffer_grid, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

static guint moved_signal, activated_signal;

double
fb_buffer_grid_scrolled_by (FbBufferGrid *self, GtkOrientation orientation)
{
  GtkAdjustment *adjustment = self->adjustments[orientation];
  return adjustment ? gtk_adjustment_get_value (adjustment) : 0;
}

static guint
digits (gint64 number)
{
  guint n = 1;
  for (; number >= 10; number /= 10)
    n++;
  return n;
}

/* --- scrolling --- */

static void
configure (FbBufferGrid *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double room[2]
      = { gtk_widget_get_width (widget) - self->head_width, gtk_widget_get_height (widget) - self->line_height };
  double sizes[2] = { self->data ? (double) fb_slice_n_columns (&self->slice) * self->cell_width : 0,
                      self->data ? (double) fb_slice_n_rows (&self->slice) * self->line_height : 0 };
  for (int i = 0; i < 2; i++)
    if (self->adjustments[i])
      {
        double value = gtk_adjustment_get_value (self->adjustments[i]), page = MAX (room[i], 0);
        double size = MAX (sizes[i], page);
        double step = i == GTK_ORIENTATION_HORIZONTAL ? self->cell_width : self->line_height;
        gtk_adjustment_configure (self->adjustments[i], CLAMP (value, 0, size - page), 0, size, step,
                                  MAX (step, page - step), page);
      }
}

static void
measure_font (FbBufferGrid *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0000000000");
  int width, height;
  pango_layout_get_size (layout, &width, &height);
  self->advance = width / 10.0 / PANGO_SCALE;
  self->line_height = MAX (20, ceil ((double) height / PANGO_SCALE) + 6);
  gint64 last = self->data
                    ? fb_slice_n_columns (&self->slice) * (self->slice.rows < 0 ? fb_slice_n_rows (&self->slice) : 1)
                    : 1;
  guint width_of_value = self->data ? fb_value_width (self->type, self->format) : 8;
  gint64 n_rows = self->data ? fb_slice_n_rows (&self->slice) : 1;
  self->head_width = ceil (digits (self->slice.rows < 0 ? last : n_rows) * self->advance + 2 * FB_BUFFER_GRID_PAD);
  self->cell_width = ceil (MAX (width_of_value, 6) * self->advance + 2 * FB_BUFFER_GRID_PAD);
}

static void
scrolled (FbBufferGrid *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_adjustment (FbBufferGrid *self, GtkOrientation which, GtkAdjustment *adjustment)
{
  if (self->adjustments[which])
    {
      g_signal_handler_disconnect (self->adjustments[which], self->handlers[which]);
      g_clear_object (&self->adjustments[which]);
    }
  if (!adjustment)
    return;
  self->adjustments[which] = g_object_ref_sink (adjustment);
  self->handlers[which] = g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (scrolled), self);
  configure (self);
}

/* --- the cell that is chosen --- */

void
fb_buffer_grid_get_seen (FbBufferGrid *self, gint64 *row, gint64 *column, gint64 *n_rows, gint64 *n_columns)
{
  g_return_if_fail (FB_IS_BUFFER_GRID (self));
  double x = fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_HORIZONTAL),
         y = fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_VERTICAL);
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - self->head_width;
  double height = gtk_widget_get_height (GTK_WIDGET (self)) - self->line_height;
  *row = *column = *n_rows = *n_columns = 0;
  if (!self->data || width <= 0 || height <= 0)
    return;
  *row = (gint64) floor (y / self->line_height);
  *column = (gint64) floor (x / self->cell_width);
  *n_rows = MIN ((gint64) ceil ((y + height) / self->line_height), fb_slice_n_rows (&self->slice)) - *row;
  *n_columns = MIN ((gint64) ceil ((x + width) / self->cell_width), fb_slice_n_columns (&self->slice)) - *column;
}

gint64
fb_buffer_grid_get_element (FbBufferGrid *self)
{
  g_return_val_if_fail (FB_IS_BUFFER_GRID (self), -1);
  return self->data && self->row >= 0 ? fb_slice_element (&self->slice, self->row, self->column) : -1;
}

void
fb_buffer_grid_get_cell (FbBufferGrid *self, GdkRectangle *area)
{
  g_return_if_fail (FB_IS_BUFFER_GRID (self));
  *area = (GdkRectangle){
    (int) (self->head_width + (double) self->column * self->cell_width
           - fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_HORIZONTAL)),
    (int) (self->line_height + (double) self->row * self->line_height
           - fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_VERTICAL)),
    (int) self->cell_width,
    (int) self->line_height,
  };
}

static void
describe_cell (FbBufferGrid *self)
{
  gint64 element = fb_buffer_grid_get_element (self);
  g_autofree char *label = g_strdup (_ ("Values"));
  if (element >= 0)
    {
      g_autofree char *index = fb_slice_index_text (&self->slice, element);
      char value[FB_VALUE_TEXT];
      fb_value_text (self->type,
                     (const guint8 *) g_bytes_get_data (self->data, NULL)
                         + (gsize) element * fb_scalar_size ((FbScalarType) self->type),
                     FB_VALUE_EXACT, value);
      g_free (label);
      label = g_strdup_printf ("%s %s", index, value);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static void
reveal (GtkAdjustment *adjustment, double from, double size)
{
  if (adjustment)
    gtk_adjustment_clamp_page (adjustment, from, from + size);
}

void
fb_buffer_grid_go_to (FbBufferGrid *self, gint64 row, gint64 column)
{
  g_return_if_fail (FB_IS_BUFFER_GRID (self));
  if (!self->data || fb_slice_element (&self->slice, row, column) < 0)
    return;
  self->row = row;
  self->column = column;
  reveal (self->adjustments[GTK_ORIENTATION_HORIZONTAL], (double) column * self->cell_width, self->cell_width);
  reveal (self->adjustments[GTK_ORIENTATION_VERTICAL], (double) row * self->line_height, self->line_height);
  describe_cell (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
choose (FbBufferGrid *self, gint64 row, gint64 column)
{
  if (!self->data)
    return;
  row = CLAMP (row, 0, fb_slice_n_rows (&self->slice) - 1);
  column = CLAMP (column, 0, fb_slice_n_columns (&self->slice) - 1);
  if (fb_slice_element (&self->slice, row, column) < 0)
    return;
  fb_buffer_grid_go_to (self, row, column);
  g_signal_emit (self, moved_signal, 0);
}

static void
pressed (GtkGestureClick *gesture, int n, double x, double y, FbBufferGrid *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!self->data || x < self->head_width || y < self->line_height)
    return;
  gint64 column = (gint64) floor ((x - self->head_width + fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_HORIZONTAL))
                                  / self->cell_width);
  gint64 row = (gint64) floor ((y - self->line_height + fb_buffer_grid_scrolled_by (self, GTK_ORIENTATION_VERTICAL))
                               / self->line_height);
  if (row >= fb_slice_n_rows (&self->slice) || column >= fb_slice_n_columns (&self->slice))
    return;
  choose (self, row, column);
  if (n == 2)
    g_signal_emit (self, activated_signal, 0);
}

static gboolean
key_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, FbBufferGrid *self)
{
  gint64 row, column, n_rows, n_columns, last_row = self->data ? fb_slice_n_rows (&self->slice) - 1 : 0;
  fb_buffer_grid_get_seen (self, &row, &column, &n_rows, &n_columns);
  if (!self->data || (state & GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  gboolean all = state & GDK_CONTROL_MASK;
  gint64 at_row = MAX (self->row, 0), at_column = self->row < 0 ? 0 : self->column;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      choose (self, at_row, at_column - 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      choose (self, at_row, at_column + 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      choose (self, at_row - 1, at_column);
      return GDK_EVENT_STOP;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      choose (self, at_row + 1, at_column);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
      choose (self, at_row - MAX (n_rows - 1, 1), at_column);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      choose (self, at_row + MAX (n_rows - 1, 1), at_column);
      return GDK_EVENT_STOP;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      choose (self, all ? 0 : at_row, 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      choose (self, all ? last_row : at_row, fb_slice_n_columns (&self->slice) - 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (self->row >= 0)
        g_signal_emit (self, activated_signal, 0);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* --- the widget --- */

void
fb_buffer_grid_set (FbBufferGrid *self, guint type, GBytes *data, const FbSlice *slice)
{
  g_return_if_fail (FB_IS_BUFFER_GRID (self));
  if (data)
    g_bytes_ref (data);
  g_clear_pointer (&self->data, g_bytes_unref);
  self->data = data;
  self->type = type;
  if (slice)
    self->slice = *slice;
  if (!data || (self->row >= 0 && fb_slice_element (&self->slice, self->row, self->column) < 0))
    self->row = -1;
  measure_font (self);
  configure (self);
  describe_cell (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_buffer_grid_set_format (FbBufferGrid *self, FbValueFormat format)
{
  g_return_if_fail (FB_IS_BUFFER_GRID (self));
  self->format = format;
  measure_font (self);
  configure (self);
  if (self->row >= 0)
    fb_buffer_grid_go_to (self, self->row, self->column);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
fb_buffer_grid_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  FbBufferGrid *self = FB_BUFFER_GRID (widget);
  configure (self);
  if (self->row >= 0)
    fb_buffer_grid_go_to (self, self->row, self->column);
}

static void
fb_buffer_grid_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  FbBufferGrid *self = FB_BUFFER_GRID (widget);
  GTK_WIDGET_CLASS (fb_buffer_grid_parent_class)->css_changed (widget, change);
  measure_font (self);
  configure (self);
}

static void
fb_buffer_grid_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  FbBufferGrid *self = FB_BUFFER_GRID (object);
  if (id == PROP_HADJUSTMENT || id == PROP_VADJUSTMENT)
    g_value_set_object (value, self->adjustments[id == PROP_VADJUSTMENT]);
  else
    g_value_set_enum (value, self->policies[id == PROP_VSCROLL_POLICY]);
}

static void
fb_buffer_grid_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  FbBufferGrid *self = FB_BUFFER_GRID (object);
  if (id == PROP_HADJUSTMENT || id == PROP_VADJUSTMENT)
    set_adjustment (self, (GtkOrientation) (id == PROP_VADJUSTMENT), g_value_get_object (value));
  else
    self->policies[id == PROP_VSCROLL_POLICY] = g_value_get_enum (value);
}

static void
fb_buffer_grid_dispose (GObject *object)
{
  FbBufferGrid *self = FB_BUFFER_GRID (object);
  set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, NULL);
  set_adjustment (self, GTK_ORIENTATION_VERTICAL, NULL);
  g_clear_pointer (&self->data, g_bytes_unref);
  G_OBJECT_CLASS (fb_buffer_grid_parent_class)->dispose (object);
}

static void
fb_buffer_grid_class_init (FbBufferGridClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  object_class->dispose = fb_buffer_grid_dispose;
  object_class->get_property = fb_buffer_grid_get_property;
  object_class->set_property = fb_buffer_grid_set_property;
  widget_class->snapshot = fb_buffer_grid_snapshot;
  widget_class->size_allocate = fb_buffer_grid_size_allocate;
  widget_class->css_changed = fb_buffer_grid_css_changed;
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
  moved_signal = g_signal_new ("moved", FB_TYPE_BUFFER_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  activated_signal
      = g_signal_new ("activated", FB_TYPE_BUFFER_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "buffergrid");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GRID);
}

static void
fb_buffer_grid_init (FbBufferGrid *self)
{
  self->row = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "fb-small-code");
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  measure_font (self);
}
