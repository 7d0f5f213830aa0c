/* VIZ traces in subcommands that also read captures. */
#pragma once

#include <glib.h>

/* Prints the trace @path as one line of JSON: contexts, rewrites, matches. @only: the number of a context from 1, 0 for all.
 * Returns the exit code. */
int fb_viz_print_trace (const char *path, const char *release, int only);
/* What is inside @path. Returns the exit code. */
int fb_viz_print_info (const char *path, const char *release, gboolean json);
