/* Names for those who cannot see the window. */
#pragma once

#include <gtk/gtk.h>

/* Gives every button under @root that shows nothing but an icon its tooltip as a name, without the key in brackets at the end. The
 * toolkit takes a tooltip for a description only. */
void fb_accessible_name_buttons (GtkWidget *root);
