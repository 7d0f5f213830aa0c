#include "app/buffer-histogram.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/cli/count.h"
#include "app/gdk-color.h"

/* Px of the bars at the usual text size; text goes above and below. */
#define BARS 84

struct _FbBufferHistogram
{
  GtkWidget parent_instance;
  FbHistogram histogram;
  double line; /* of the font */
};

G_DEFINE_FINAL_TYPE (FbBufferHistogram, fb_buffer_histogram, GTK_TYPE_WIDGET)

void
fb_buffer_histogram_set (FbBufferHistogram *self, const FbHistogram *histogram)
{
  g_return_if_fail (FB_IS_BUFFER_HISTOGRAM (self));
  self->histogram = histogram ? *histogram : (FbHistogram){ 0 };
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
draw_text (FbBufferHistogram *self, GtkSnapshot *snapshot, const char *text, double x, double align, double y)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  GdkRGBA color = fb_gdk_color (FB_COLOR_DIM, adw_style_manager_get_dark (adw_style_manager_get_default ()));
  int width;
  pango_layout_get_size (layout, &width, NULL);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT ((float) floor (x - align * (double) width / PANGO_SCALE), (float) floor (y)));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}

static void
fb_buffer_histogram_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbBufferHistogram *self = FB_BUFFER_HISTOGRAM (widget);
  const FbHistogram *h = &self->histogram;
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double bars = height - 2 * self->line - 6;
  if (h->n_bins == 0 || bars < 1)
    return;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA color = fb_gdk_color (FB_COLOR_HEAT_3, dark), border = fb_gdk_color (FB_COLOR_CARD_LINE, dark);
  double bottom = self->line + 2 + bars, bin = width / h->n_bins;
  for (guint i = 0; i < h->n_bins; i++)
    if (h->bins[i] > 0)
      {
        /* what is there is to be seen, however little it is */
        double high = MAX (bars * (double) h->bins[i] / (double) h->most, 1);
        double left = floor (i * bin), right = floor ((i + 1) * bin);
        gtk_snapshot_append_color (snapshot, &color,
                                   &GRAPHENE_RECT_INIT ((float) left, (float) (bottom - high),
                                                        (float) MAX (right - left - 1, 1), (float) high));
      }
  gtk_snapshot_append_color (snapshot, &border, &GRAPHENE_RECT_INIT (0, (float) bottom, (float) width, 1));
  char text[32];
  g_snprintf (text, sizeof text, "%.4g", h->low);
  draw_text (self, snapshot, text, 0, 0, bottom + 3);
  g_snprintf (text, sizeof text, "%.4g", h->high);
  draw_text (self, snapshot, text, width, 1, bottom + 3);
  /* zero only where it runs into neither end */
  double zero = width * (-h->low / (h->high - h->low));
  if (h->high > h->low && zero > width / 4 && zero < width * 3 / 4)
    draw_text (self, snapshot, "0", zero, 0.5, bottom + 3);
  g_autofree char *most = g_strdup_printf (_ ("%s in a bin"), fb_count (h->most));
  draw_text (self, snapshot, most, width, 1, 0);
}

static gboolean
query_tooltip (FbBufferHistogram *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const FbHistogram *h = &self->histogram;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  if (h->n_bins == 0 || keyboard || x < 0 || x >= width)
    return FALSE;
  guint bin = (guint) x * h->n_bins / (guint) width;
  double step = (h->high - h->low) / h->n_bins;
  /* Translators: from, to, how many */
  g_autofree char *text = g_strdup_printf (_ ("%.4g to %.4g: %s"), h->low + bin * step, h->low + (bin + 1) * step,
                                           fb_count (h->bins[bin]));
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
measure_font (FbBufferHistogram *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0");
  int height;
  pango_layout_get_size (layout, NULL, &height);
  self->line = (double) height / PANGO_SCALE;
}

static void
fb_buffer_histogram_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                             int *minimum_baseline, int *natural_baseline)
{
  FbBufferHistogram *self = FB_BUFFER_HISTOGRAM (widget);
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? (int) (BARS + 2 * self->line + 6) : 120;
}

static void
fb_buffer_histogram_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fb_buffer_histogram_parent_class)->css_changed (widget, change);
  measure_font (FB_BUFFER_HISTOGRAM (widget));
  gtk_widget_queue_resize (widget);
}

static void
fb_buffer_histogram_class_init (FbBufferHistogramClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->snapshot = fb_buffer_histogram_snapshot;
  widget_class->measure = fb_buffer_histogram_measure;
  widget_class->css_changed = fb_buffer_histogram_css_changed;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
fb_buffer_histogram_init (FbBufferHistogram *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "fb-small-code");
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Histogram"), -1);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip), NULL);
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  measure_font (self);
}
