/* The window: one open capture. */
#pragma once

#include <adwaita.h>

#include "app/application-private.h"
#include "app/document.h"

#define FB_TYPE_WINDOW (fb_window_get_type ())
G_DECLARE_FINAL_TYPE (FbWindow, fb_window, FB, WINDOW, AdwApplicationWindow)

FbWindow *fb_window_new (FbApplication *app);
/* The size of what is inside, px; panels take their default sizes for it. */
void fb_window_set_size (FbWindow *window, int width, int height);
/* Whose op numbers the next file is read with; NULL: detected. */
void fb_window_set_release (FbWindow *window, const char *release);
/* @row from 1 (0: the first), @pass a number from 1 or a title (NULL: the first), @step from 0. */
void fb_window_open (FbWindow *window, const char *path, guint row, const char *pass, guint step);
/* "steps", "source" or "replay"; the last replays the file, which is open, under @options ("NAME=VALUE", NULL-terminated, may be
 * NULL). FALSE with an error when there is no such page or option, or nothing to show on it. */
gboolean fb_window_show_page (FbWindow *window, const char *page, char *const *options, GError **error);
/* The same, once the file that is being opened is shown; an error goes into the banner. @page NULL: nothing. */
void fb_window_turn_to (FbWindow *window, const char *page, char *const *options);
/* Nothing is left to do for what is shown. */
gboolean fb_window_is_settled (FbWindow *window);
FbDocument *fb_window_get_document (FbWindow *window);
