/* What the window remembers from run to run, in a small file of the user's configuration folder. */
#pragma once

#include <glib.h>

typedef struct
{
  int width, height; /* of the window; 0: not known yet */
  gboolean maximized;
  int passes_width, inspector_width, drawer_height; /* of the panels */
  int passes_height; /* of the passes above the steps; 0: as many rows as there are passes */
  gboolean show_passes, show_inspector, show_drawer;
  gboolean side_by_side, whole_graph; /* the diff */
  char *style;                        /* "system", "light", "dark" */
} FbSettings;

/* What VISUAL.md has, for a window @width wide. */
void fb_settings_init (FbSettings *settings, int width);
/* Reads what was stored over what is there; a missing or broken file changes nothing. */
void fb_settings_load (FbSettings *settings);
/* Failing to store is not worth a word: the next run starts with the defaults. */
void fb_settings_save (const FbSettings *settings);
void fb_settings_clear (FbSettings *settings);
