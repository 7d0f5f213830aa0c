/* Keys and clicks as a person makes them: from the X server, by way of xdotool. */
#pragma once

#include "util.h"

/* FALSE, and the test is skipped, when there is no display or no xdotool. */
gboolean test_has_keys (void);
/* Until all work is done, also that of queries and of the session. */
void test_settle_all (FbWindow *window);
/* @how: "key" or "type". */
void test_send_keys (FbWindow *window, const char *how, const char *what);
void test_press (FbWindow *window, const char *key);
/* Clicks on @widget, which is seen; 0 to 1 across and down. */
void test_click (FbWindow *window, GtkWidget *widget, double x, double y);
/* Of what is seen below @widget the one of @type, numbered from 0, those outside before those inside; NULL: there are not so many. */
GtkWidget *test_find_seen (GtkWidget *widget, GType type, guint at);
/* A window on @path with its sessions in @private that has the keyboard: nobody manages windows on a test's display. */
FbWindow *test_open_focused (const char *path, const char *private);
