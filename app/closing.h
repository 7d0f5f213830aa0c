/* A window taken apart bit by bit: the rows of its lists are hundreds of widgets, more than fit between two frames. */
#pragma once

#include <gtk/gtk.h>

/* @window leaves the screen and its application at once and is destroyed a little later; the application goes on until then. */
void fb_close_gradually (GtkWindow *window);
/* The rows of @store, which only one window shows, go before their list does. */
void fb_closing_empties (GListStore *store);
