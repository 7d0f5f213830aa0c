/* The interpreter in a child process: like what was compiled, it can be ended whatever it does, and takes only the child with it. */
#pragma once

#include "backends/run/run.h"

/* As fb_run(). */
gboolean fb_interp_run_apart (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options,
                              GCancellable *cancellable, GError **error);
/* What the child does: argv[1] is "interpret", followed by the bytes of memory and the threads. Returns the exit code. */
int fb_interp_child (int argc, char **argv);
