/* The CPU backend: programs as C, compiled by the system's compiler and run in a child process.
 *
 * All kernels of a plan are one C file and one call of the compiler; what it makes is a program of its own that maps the
 * plan's memory, reads which kernel to run on which buffers, and answers with the time it took. A crash or a kernel that
 * does not end takes only the child with it. Compiled programs are kept by content. */
#pragma once

#include "backends/run/run.h"

/* C source of all programs of @plan. It holds numbers and op names of our own, no text of the capture. */
char *fb_cpu_source (const FbPlan *plan);
/* One program as a C function named by @number; @alias: its arguments may overlap. */
void fb_cpu_append_program (GString *c, const FbProgram *program, guint number, gboolean alias);

/* The executable for @source, from the cache or compiled; free the path with g_free. NULL: there is no compiler, or it
 * refused; the error says which and what it said. */
char *fb_cpu_compile (const char *source, const FbRunOptions *options, FbRunReport *report, GCancellable *cancellable,
                      GError **error);
/* Path of the compiler @wanted, or of the first of cc, gcc and clang; NULL: there is none. Free with g_free. */
char *fb_cpu_find_compiler (const char *wanted);

gboolean fb_cpu_run (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, FbRunReport *report,
                     GCancellable *cancellable, GError **error);

/* What every generated file begins and ends with. */
extern const char fb_cpu_prelude[], fb_cpu_main[];
