/* VIZ traces in subcommands that also read captures. */
#pragma once

#include "core/viztrace/viztrace.h"

/* Prints the trace @path as one line of JSON: contexts, rewrites, matches. @only: the number of a context from 1, 0 for all.
 * Returns the exit code. */
int fb_viz_print_trace (const char *path, const char *release, int only);
/* Appends context @index as JSON; FALSE with the error set when the file lacks a part of it. */
gboolean fb_viz_append_context (GString *json, FbVizTrace *trace, guint index, GError **error);
/* What is inside @path. Returns the exit code. */
int fb_viz_print_info (const char *path, const char *release, gboolean json);
