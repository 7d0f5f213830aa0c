/* The command line of `fusebox [open]`, when it opens a window. */
#pragma once

#include <glib.h>

typedef struct
{
  char **files;   /* NULL-terminated; NULL: none */
  char **sets;    /* options of a replay, "NAME=VALUE" */
  char **actions; /* of a screenshot */
  char *pass, *page, *screenshot, *release;
  char *against;                /* a trace to be shown beside the file, which is one; NULL: none */
  int row, step, width, height; /* 0: not given */
  gboolean dark, high_contrast;
  gboolean new_window; /* an empty one, also where one is open already */
  gboolean watch; /* follow runs; the file, if there is one, is a folder that they leave traces in, or a trace in it */
  gboolean new_process; /* shares nothing with a window that is already open */
  double text_scale;    /* of a screenshot; 0: not given */
} FbOpenOptions;

/* @argv[0] is the program; @argv stays as it is. FALSE with an error that names the option. Prints and exits for --help. Free with
 * fb_open_options_clear, also after an error. */
gboolean fb_open_options_parse (FbOpenOptions *options, int argc, char *const *argv, GError **error);
void fb_open_options_clear (FbOpenOptions *options);
