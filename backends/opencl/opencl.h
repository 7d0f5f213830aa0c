/* The OpenCL backend: programs as OpenCL C, on any device that the ICD loader finds.
 *
 * Drivers are loaded in a child process only (fb_executor_program()). A point of a store's loops is a work item, and its sums run in the order of the axes. Long sums of few
 * points, and those that lie along memory, are shared by a work-group: each item adds every so many of the terms, then pairs of
 * what they have are added, so that an error grows with the terms of an item and not with all, and stays within the bound of
 * agree.h. Products of matrices are computed in tiles, in the order of the axes; a product and its sum are rounded once where
 * the device does so. Programs that come to the same text are one kernel, and all kernels of a plan are one OpenCL program. */
#pragma once

#include "backends/run/run.h"

typedef struct
{
  char *name, *version, *driver;
  gboolean is_gpu, has_double;
  guint units;
  guint64 memory; /* bytes */
} FbOpenclDevice;

/* Array of FbOpenclDevice, in the order of their numbers. NULL: there is no loader or no device, and the error says so, or the
 * drivers crashed or were asked for longer than 30 s. Free with g_ptr_array_unref. */
GPtrArray *fb_opencl_devices (GCancellable *cancellable, GError **error);

/* How the points of a root are shared out. */
typedef enum
{
  FB_OPENCL_ITEMS,  /* a work item for each */
  FB_OPENCL_GROUPS, /* a work-group for each, whose items share its sums */
  FB_OPENCL_TILES,  /* a work-group for a tile of rows and lanes of a product */
} FbOpenclSharing;

/* A kernel to be run for a program: the points of one of its roots. */
typedef struct
{
  guint program; /* of the plan */
  guint kernel;  /* its number in the source: it is named by it */
  FbOpenclSharing sharing;
  gint64 points;      /* of tiles: those of the outer axes */
  gint64 rows, lanes; /* of tiles */
} FbOpenclLaunch;

typedef struct
{
  char *text;       /* OpenCL C; it holds numbers and op names of our own, no text of the capture */
  GArray *launches; /* of FbOpenclLaunch, ascending program */
  guint n_kernels;
} FbOpenclSource;

FbOpenclSource *fb_opencl_source_new (const FbPlan *plan);
void fb_opencl_source_free (FbOpenclSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbOpenclSource, fb_opencl_source_free)

gboolean fb_opencl_run (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, FbRunReport *report,
                        GCancellable *cancellable, GError **error);

/* What the child does: argv[1] is "devices", or "run" followed by the bytes of memory, the device and a folder for what drivers keep.
 * Returns the exit code. */
int fb_opencl_child (int argc, char **argv);
