/* The windowed program. */
#pragma once

/* Runs `fusebox [open] [FILE…] [OPTION…]` (app/open-options.h); argv[0] is the program. Rows and passes count from 1; a pass may be
 * named by its title; step 0 is the input of the pass. Returns the exit code, or -1 when no display can be opened (nothing has been
 * printed then, and argv is as it was). */
int fb_application_main (int argc, char **argv);
