/* Times of runs (profile.pkl) in subcommands. */
#pragma once

#include "core/viztrace/profile.h"
#include "core/viztrace/viztrace.h"

/* What `info` prints of a profile itself. Returns the exit code. */
int fb_profile_print_info (const char *path, gboolean json);
/* The profile @path, or when that is NULL the one beside the trace @trace_path. NULL: there is none, or it could not be read, which was
 * printed; then *@failed (FALSE before) is TRUE when it had been asked for. */
FbVizProfile *fb_profile_of_trace (const char *path, const char *trace_path, gboolean *failed);
/* One line: where from, how many contexts of the trace ran. */
void fb_profile_print_line (const FbVizProfile *profile, const FbVizTrace *trace);
/* Appends `,"runs":2,"seconds":0.000125` of the kernel @name, nothing when it did not run. @profile may be NULL. */
void fb_profile_append_json (GString *json, const FbVizProfile *profile, const char *name);
