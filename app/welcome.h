/* What the window shows before a file is open: open one, recent ones, the samples. */
#pragma once

#include <gtk/gtk.h>

#define FB_TYPE_WELCOME (fb_welcome_get_type ())
G_DECLARE_FINAL_TYPE (FbWelcome, fb_welcome, FB, WELCOME, GtkWidget)

/* Why the last file could not be opened; NULL: nothing is wrong. */
void fb_welcome_set_error (FbWelcome *welcome, const char *text);
/* Paths, of char *. Files are opened by the action win.open-path. */
void fb_welcome_set_files (FbWelcome *welcome, GPtrArray *recent, GPtrArray *samples);
/* Of FbUnsavedSession. */
void fb_welcome_set_unsaved (FbWelcome *welcome, GPtrArray *sessions);
