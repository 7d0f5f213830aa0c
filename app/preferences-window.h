/* The window of preferences (app/preferences.h); what is changed there takes effect at once. */
#pragma once

#include <adwaita.h>

#define FB_TYPE_PREFERENCES_WINDOW (fb_preferences_window_get_type ())
G_DECLARE_FINAL_TYPE (FbPreferencesWindow, fb_preferences_window, FB, PREFERENCES_WINDOW, AdwPreferencesWindow)

/* Shows it beside @parent (NULL: alone); the one there is when there is one. */
void fb_preferences_window_present (GtkWindow *parent);
