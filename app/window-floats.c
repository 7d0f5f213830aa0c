/* What lies over the canvas: counts of marks, choice of sides, zoom. */
#include <glib/gi18n.h>

#include "app/text-scale.h"
#include "app/window-private.h"

/* The counts end where the choice of sides begins, or stand below it where text is too large for both. */
static void
place_counts (FbWindow *self)
{
  GtkWidget *counts = GTK_WIDGET (self->mark_counts);
  int width = 0, height = 0, least = 0, room = gtk_widget_get_width (GTK_WIDGET (self->canvas_overlay));
  if (gtk_widget_get_visible (self->sides))
    {
      gtk_widget_measure (self->sides, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
      gtk_widget_measure (self->sides, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
    }
  gtk_widget_set_margin_end (counts, 0);
  gtk_widget_measure (counts, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gboolean both = !width || !room || least + width + 24 <= room;
  gtk_widget_set_margin_end (counts, both ? width + 18 : 8);
  gtk_widget_set_margin_top (counts, both ? 10 : height + 18);
}

static gboolean
place (gpointer data)
{
  FbWindow *self = data;
  self->float_source = 0;
  /* Translators: a zoom factor in percent */
  g_autofree char *text = g_strdup_printf (_ ("%.0f %%"), fb_canvas_get_zoom (self->canvas) / fb_text_scale () * 100);
  gtk_label_set_label (self->zoom_label, text);
  place_counts (self);
  return G_SOURCE_REMOVE;
}

/* Not at once: the canvas zooms when it is given another size, and a widget that asks for a size while sizes are being given out is
 * never heard again. */
void
fb_window_place_floats (FbWindow *self)
{
  if (!self->float_source)
    self->float_source = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, place, self, NULL);
}

void
fb_window_add_floats (FbWindow *self)
{
  g_signal_connect_object (self->canvas, "zoom-changed", G_CALLBACK (fb_window_place_floats), self, G_CONNECT_SWAPPED);
  fb_canvas_add_floating (self->canvas, GTK_WIDGET (self->mark_counts));
  fb_canvas_add_floating (self->canvas, self->sides);
  fb_canvas_add_floating (self->canvas, self->zoom_control);
}
