/* What the window remembers from run to run. */
#pragma once

#include <gio/gio.h>

typedef struct
{
  int width, height; /* of the window, px; 0: not known yet */
  gboolean maximized;
  int passes_width, inspector_width, drawer_height; /* of the panels, px */
  int passes_height; /* of the passes above the steps, px; 0: as many rows as there are passes */
  gboolean show_passes, show_inspector, show_drawer;
  gboolean side_by_side, whole_graph; /* the diff */
} FbSettings;

/* @schema has a key for everything. */
gboolean fb_settings_fits (GSettingsSchema *schema);
/* What VISUAL.md has, for a window @width wide (0: the usual width) and text @text_scale times the usual. */
void fb_settings_init (FbSettings *settings, int width, double text_scale);
/* Reads what is in @store over what is there; sizes out of range change nothing. @store NULL: nothing is stored. */
void fb_settings_load (FbSettings *settings, GSettings *store);
void fb_settings_save (const FbSettings *settings, GSettings *store);
