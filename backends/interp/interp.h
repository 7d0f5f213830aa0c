/* The interpreter: what a program computes, without a compiler. It is the oracle other backends are compared with, so it
 * does what the AST says and nothing else: sums run in the order of the axes, floats are rounded after every op. */
#pragma once

#include "backends/program/program.h"

/* Runs @program; @args are the arguments' memory, by number. On up to @threads threads. FALSE only when cancelled. */
gboolean fb_interp_run (const FbProgram *program, guint8 *const *args, guint threads, GCancellable *cancellable,
                        GError **error);
/* The same, and how many times a MAX of floats met a NaN: what it gives then depends on the order (run/agree.h). */
gboolean fb_interp_run_counting (const FbProgram *program, guint8 *const *args, guint threads, gint64 *max_of_nan,
                                 GCancellable *cancellable, GError **error);
