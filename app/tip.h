/* Tooltips of what changes from step to step.
 *
 * gtk_widget_set_tooltip_text() asks the display where the pointer is, each time; these are read when somebody hovers. */
#pragma once

#include <gtk/gtk.h>

/* @text is copied; NULL: none. */
void fb_tip_set (GtkWidget *widget, const char *text);
/* NULL: none. */
const char *fb_tip_get (GtkWidget *widget);
