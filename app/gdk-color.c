#include "app/gdk-color.h"

/* Light and dark text is of another colour, which is style. */
static void
css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (g_type_class_peek_static (GTK_TYPE_WIDGET))->css_changed (widget, change);
  gtk_widget_queue_draw (widget);
}

void
fb_gdk_color_follow (GtkWidgetClass *widget_class)
{
  widget_class->css_changed = css_changed;
}
