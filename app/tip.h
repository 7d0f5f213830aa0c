/* Tooltips.
 *
 * gtk_widget_set_tooltip_text() asks the display where the pointer is and waits for the answer, each time; these are read when somebody
 * hovers. */
#pragma once

#include <gtk/gtk.h>

/* @text is copied, and is what a screen reader is told of @widget besides its name, or its name where a button shows nothing but an
 * icon. NULL: none, or that of the .ui file. */
void fb_tip_set (GtkWidget *widget, const char *text);
/* NULL: none. */
const char *fb_tip_get (GtkWidget *widget);
