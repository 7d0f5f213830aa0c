/* Pictures of the window, for tests and documents. */
#pragma once

#include <glib.h>

typedef struct
{
  const char *path; /* the capture */
  guint row;        /* from 1; 0: the first */
  const char *pass; /* number from 1 or title; NULL: the first */
  guint step;
  const char *page;     /* as fb_window_show_page takes it; NULL: "steps" */
  char *const *options; /* of a replay: "NAME=VALUE", NULL-terminated; may be NULL */
  char *const *actions; /* of the window, done one after the other: "hide", "grow(1)"; NULL-terminated; may be NULL */
  const char *release;  /* NULL: detected */
  const char *out;      /* PNG */
  int width, height;    /* px */
  double text_scale;    /* of the usual size of text */
  gboolean dark;
} FbScreenshot;

/* Draws the window as it is once all work is done. Needs a display, runs a main loop of its own. */
gboolean fb_screenshot_run (const FbScreenshot *screenshot, GError **error);
