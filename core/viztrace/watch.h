/* Runs that end: the traces that appear in a folder, each time one is complete. */
#pragma once

#include <gio/gio.h>

typedef struct _FbVizWatch FbVizWatch;

/* A run left @path, the trace; also called when its profile came later. In the main context that was the thread's default when the
 * watch began. */
typedef void (*FbVizWatchFunc) (const char *path, gpointer data);

/* @folder NULL: where tinygrad leaves traces, the temp folder. NULL with a G_IO_ERROR when it cannot be watched. */
FbVizWatch *fb_viz_watch_new (const char *folder, FbVizWatchFunc func, gpointer data, GError **error);
void fb_viz_watch_free (FbVizWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVizWatch, fb_viz_watch_free)
const char *fb_viz_watch_folder (const FbVizWatch *watch);

/* The trace in @folder (NULL: the temp folder) that was written last; NULL: there is none. Free with g_free. Blocks. */
char *fb_viz_newest_trace (const char *folder);
