/* The child process that runs kernels: whatever a kernel or a driver does, only the child ends.
 *
 * It has one end of a socket as standard input, the plan's memory as descriptor 3 and what else it is given as descriptor 4. It
 * is asked in 64-bit numbers and answers with one: nanoseconds, or minus the length of a message that follows and says
 * what went wrong. It ends when its socket is closed or when we end, and is the first to go when memory runs out. */
#pragma once

#include "run.h"

typedef struct FbExecutor FbExecutor;

/* The program whose child runs what is not compiled to a program of its own, called with "executor" first: ours, or what the variable
 * FUSEBOX_EXECUTOR names. Free with g_free. */
char *fb_executor_program (void);
/* Memory with @size bytes of @data, for a child to map; close it. -1: there is none. */
int fb_executor_share (const void *data, gsize size, GError **error);
/* Starts @argv. @extra: a descriptor, which stays the caller's, or -1. NULL: it could not be started. */
FbExecutor *fb_executor_new (const char *const *argv, const FbMemory *memory, int extra, GError **error);
/* Ends the child, whatever it does; no process is left. */
void fb_executor_free (FbExecutor *executor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbExecutor, fb_executor_free)

/* Asks with @n numbers. FALSE: it is gone; the error says why. */
gboolean fb_executor_send (FbExecutor *executor, const gint64 *numbers, gsize n, GError **error);
/* Its answer in nanoseconds. -1: it failed and says why, it ended, it took longer than @seconds (0: no limit), or memory of its own
 * passed @memory bytes (0: no limit), or @cancellable was cancelled. */
gint64 fb_executor_wait (FbExecutor *executor, guint seconds, gsize memory, GCancellable *cancellable, GError **error);

/* A tool that is run to its end, as a compiler. Neither it nor a process it started is left behind. */
typedef struct FbTool FbTool;
/* Starts @argv; what it prints to standard error is kept, or with @output what it prints to standard output, up to 64 kB. It may
 * take @seconds (0: no limit). NULL: it could not be started. */
FbTool *fb_tool_new (const char *const *argv, gboolean output, guint seconds, GError **error);
/* Waits for its end and frees it. FALSE: it failed, took too long, or @cancellable was cancelled. @text, if not NULL, is what it
 * printed, in any case; free with g_free. */
gboolean fb_tool_finish (FbTool *tool, char **text, GCancellable *cancellable, GError **error);
/* Ends it. */
void fb_tool_free (FbTool *tool);
