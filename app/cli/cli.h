/* The command line. Nothing here needs a display; GTK is only met through FbOpenWindow. */
#pragma once

#include <glib.h>

/* Exit codes of every subcommand. */
typedef enum
{
  FB_EXIT_OK = 0,        /* all fine */
  FB_EXIT_DIFFERENT = 1, /* differences found */
  FB_EXIT_FAILED = 2,    /* could not do it; one line on stderr says why */
} FbExit;

/* Opens the window for `fusebox [open] ARGUMENTS`; argv[0] is the program, the word `open` is gone. Returns the exit code, or
 * -1 when there is no display to open it on (then the story is printed instead). */
typedef int (*FbOpenWindow) (int argc, char **argv);

/* Runs the program. @open_window may be NULL: built without a window. Returns the exit code. */
int fb_cli_main (int argc, char **argv, FbOpenWindow open_window);
