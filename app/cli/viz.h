/* VIZ traces in subcommands that also read captures. */
#pragma once

#include "core/viztrace/profile.h"
#include "core/viztrace/viztrace.h"

/* Prints the trace @path as one line of JSON: contexts, rewrites, matches. @only: the number of a context from 1, 0 for all.
 * @profile_path: of times to be printed with the contexts, or NULL. Returns the exit code. */
int fb_viz_print_trace (const char *path, const char *release, const char *profile_path, int only);
/* Appends context @index as JSON, with its times when @profile is not NULL; FALSE with the error set when the file lacks a part of it. */
gboolean fb_viz_append_context (GString *json, FbVizTrace *trace, guint index, const FbVizProfile *profile,
                                GError **error);
/* What is inside @path. @profile_path: NULL for the one beside it, if there is one. Returns the exit code. */
int fb_viz_print_info (const char *path, const char *release, const char *profile_path, gboolean json);
