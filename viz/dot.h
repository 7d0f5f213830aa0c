/* Graphviz' dot as a refinement for small graphs: it says where cards stand, our own routing draws the lines.
 *
 * It runs in a child process with a limit on time and memory, because it has no way to be asked to stop. */
#pragma once

#include "scene.h"

/* More cards than this are refused, and above the first number dot works less hard. */
#define FB_DOT_EASY 500
#define FB_DOT_MAX 1000
#define FB_DOT_SECONDS 2

typedef enum
{
  FB_DOT_ERROR_MISSING, /* no such program */
  FB_DOT_ERROR_SIZE,    /* too many cards */
  FB_DOT_ERROR_LIMIT,   /* time or memory ran out */
  FB_DOT_ERROR_FAILED,  /* it failed, or its answer makes no sense */
} FbDotError;
#define FB_DOT_ERROR (fb_dot_error_quark ())
GQuark fb_dot_error_quark (void);

/* The graph of @scene as dot places it. @program: NULL for the one in PATH. Blocks for FB_DOT_SECONDS at most; any thread. NULL with
 * FB_DOT_ERROR, G_IO_ERROR_CANCELLED or G_FILE_ERROR. */
FbScene *fb_dot_refine (const FbScene *scene, const char *program, GCancellable *cancellable, GError **error);
