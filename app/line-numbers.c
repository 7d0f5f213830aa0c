#include "app/line-numbers.h"

#define PAD 14

struct _FbLineNumbers
{
  GtkWidget parent_instance;
  GtkTextView *view; /* borrowed */
};

G_DEFINE_FINAL_TYPE (FbLineNumbers, fb_line_numbers, GTK_TYPE_WIDGET)

static void
fb_line_numbers_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  FbLineNumbers *self = FB_LINE_NUMBERS (widget);
  *minimum = *natural = 0;
  if (orientation != GTK_ORIENTATION_HORIZONTAL)
    return;
  char text[16];
  int width, lines = gtk_text_buffer_get_line_count (gtk_text_view_get_buffer (self->view));
  g_snprintf (text, sizeof text, "%d", MAX (lines, 100));
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  pango_layout_get_pixel_size (layout, &width, NULL);
  *minimum = *natural = width + PAD;
}

static void
fb_line_numbers_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbLineNumbers *self = FB_LINE_NUMBERS (widget);
  GdkRectangle visible;
  GtkTextIter iter;
  GdkRGBA color;
  gtk_text_view_get_visible_rect (self->view, &visible);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  gtk_text_view_get_line_at_y (self->view, &iter, visible.y, NULL);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, NULL);
  int width = gtk_widget_get_width (widget), above = gtk_text_view_get_pixels_above_lines (self->view);
  for (;;)
    {
      char text[16];
      int y, height, text_width;
      gtk_text_view_get_line_yrange (self->view, &iter, &y, &height);
      if (y > visible.y + visible.height)
        break;
      g_snprintf (text, sizeof text, "%d", gtk_text_iter_get_line (&iter) + 1);
      pango_layout_set_text (layout, text, -1);
      pango_layout_get_pixel_size (layout, &text_width, NULL);
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (width - text_width, y - visible.y + above));
      gtk_snapshot_append_layout (snapshot, layout, &color);
      gtk_snapshot_restore (snapshot);
      if (!gtk_text_iter_forward_line (&iter))
        break;
    }
}

void
fb_line_numbers_refresh (FbLineNumbers *self)
{
  g_return_if_fail (FB_IS_LINE_NUMBERS (self));
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
adjustment_set (FbLineNumbers *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));
  if (adjustment)
    g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

FbLineNumbers *
fb_line_numbers_new (GtkTextView *view)
{
  g_return_val_if_fail (GTK_IS_TEXT_VIEW (view), NULL);
  FbLineNumbers *self = g_object_new (FB_TYPE_LINE_NUMBERS, NULL);
  self->view = view;
  g_signal_connect_object (view, "notify::vadjustment", G_CALLBACK (adjustment_set), self, G_CONNECT_SWAPPED);
  adjustment_set (self);
  return self;
}

static void
fb_line_numbers_class_init (FbLineNumbersClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->measure = fb_line_numbers_measure;
  widget_class->snapshot = fb_line_numbers_snapshot;
}

static void
fb_line_numbers_init (FbLineNumbers *self)
{
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "fb-line-numbers");
  gtk_widget_add_css_class (GTK_WIDGET (self), "fb-code");
}
