/* Kernels of captures, run on every backend that compiles, beside the interpreter. */
#pragma once

#include "backends/run/agree.h"
#include "backends/run/run.h"
#include "core/capture/capture.h"

/* What is too much for these tests, in the interpreter and in memory. */
#define KERNELS_MOST_POINTS ((gint64) 30000000)
#define KERNELS_MOST_POINTS_OF_ALL ((gint64) 2000000000)
#define KERNELS_MOST_BYTES ((gsize) 1 << 28)

/* A backend that is compared with the interpreter, and what came of it. */
typedef struct
{
  FbBackend backend;
  const char *why_not; /* NULL: it is there */
  guint n_run;
  guint n_equal, n_within, n_rounded, n_nan_order, n_moved; /* outputs */
  double worst;                                             /* difference, in units of the bound */
  GPtrArray *differences;                                   /* texts: kernels that differ, or did not run */
} KernelsBackend;

/* Kernels that are run at once; each has buffers of its own. */
typedef struct
{
  FbPlan *plan;
  GPtrArray *names; /* of its steps */
} KernelsBatch;

void kernels_backend_init (KernelsBackend *backend, FbBackend which);
void kernels_backend_clear (KernelsBackend *backend);
/* Runs the batch on the interpreter and on those of @n @backends that are there, with what is compiled kept in @cache. */
void kernels_batch_compare (const KernelsBatch *batch, KernelsBackend *backends, guint n, const char *cache);

/* Does @output of the one kernel of @plan, @other, differ from the interpreter's by no more than @bound and what rounding inputs otherwise
 * makes of it? */
gboolean kernels_is_by_rounding (const FbPlan *plan, guint output, const guint8 *other, double bound);

/* What a row's kernels are of. */
typedef struct
{
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule;
} KernelsRow;

KernelsRow *kernels_row_new (FbCapture *capture, guint number);
void kernels_row_free (gpointer row);

/* Of all different kernels of the databases in @folder every @stride-th, beginning with number @first. Those that are not run,
 * as they take more than @most_points or for another reason, are counted by reason. */
void kernels_compare_folder (const char *folder, KernelsBackend *backends, guint n, guint first, guint stride,
                             gint64 most_points);

/* What the reference wrote, as @folder's *.truth.json has it, beside what the interpreter writes, every @stride-th row. */
void kernels_compare_truth (const char *folder, guint stride);

/* Names in @folder that end in @suffix, sorted; free with g_ptr_array_unref. */
GPtrArray *kernels_files_in (const char *folder, const char *suffix);
