/* What a person prefers, kept in GSettings; without the schema or a place to keep it, for this run only.
 *
 * Every preference is a property of the same name as its key, so that whoever needs one listens to `notify::NAME`. */
#pragma once

#include <gio/gio.h>

#define FB_TYPE_PREFERENCES (fb_preferences_get_type ())
G_DECLARE_FINAL_TYPE (FbPreferences, fb_preferences, FB, PREFERENCES, GObject)

/* The one of this process; borrowed. Until fb_preferences_load_default() it has the default values and keeps nothing. */
FbPreferences *fb_preferences_get_default (void);
/* Takes what is stored, and stores every change from here on. Once. */
void fb_preferences_load_default (void);
/* Where everything is stored; NULL: nowhere. Borrowed. */
GSettings *fb_preferences_get_settings (FbPreferences *preferences);

/* "color-scheme": "system", "light" or "dark". */
const char *fb_preferences_get_color_scheme (FbPreferences *preferences);
/* "animate": cards may move, while the system does not ask for reduced motion. */
gboolean fb_preferences_get_animate (FbPreferences *preferences);
/* "play-speed": steps a second. */
guint fb_preferences_get_play_speed (FbPreferences *preferences);
/* "hide-empty-passes": leave out passes that changed nothing. */
gboolean fb_preferences_get_hide_empty_passes (FbPreferences *preferences);
/* "code-size": of code, percent of the usual. */
guint fb_preferences_get_code_size (FbPreferences *preferences);
/* "first-zoom": "readable", "fit" or "actual". */
const char *fb_preferences_get_first_zoom (FbPreferences *preferences);
/* "dot-command": the program, as a name or a path; never empty. */
const char *fb_preferences_get_dot_command (FbPreferences *preferences);
