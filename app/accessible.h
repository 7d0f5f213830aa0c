/* Names for those who cannot see the window. */
#pragma once

#include <gtk/gtk.h>

/* A button that shows nothing but an icon gets its tooltip as a name, without the key in brackets at the end; the toolkit takes a tooltip
 * for a description only. FALSE: @widget is none, or has no tooltip. */
gboolean fb_accessible_name_button (GtkWidget *widget);
/* Every such button under @root. */
void fb_accessible_name_buttons (GtkWidget *root);
