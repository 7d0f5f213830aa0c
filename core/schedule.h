/* The pipeline: from a tensor graph to kernels, every rewrite recorded (schedule.py:372). */
#pragma once

#include <gio/gio.h>

#include "core/passes/passes.h"

/* A buffer as a kernel uses it. */
typedef struct
{
  FbUop *buffer;        /* the BUFFER node */
  const char *device;   /* "CPU:1" */
  gint64 size;          /* elements */
  const FbDType *dtype; /* of an element, or an image */
} FbKernelBuffer;

/* A kernel to run (ScheduleItem, schedule.py:232). */
typedef struct
{
  FbUop *ast;    /* SINK of STOREs, COPY or BUFFER_VIEW */
  FbUop *assign; /* its ASSIGN in the kernel graph */
  guint n_buffers;
  FbKernelBuffer *buffers;    /* in argument order; the output first */
  guint first_pass, n_passes; /* its passes in the schedule's */
} FbKernelItem;

typedef struct
{
  FbContext *context; /* borrowed */
  FbArena memory;     /* of its passes and kernels */
  FbUop *big_sink;
  GPtrArray *passes; /* of FbPass, in the order they ran */
  GError *error;     /* why it stopped, NULL when it went through */
  const FbUop *error_uop;
  FbUop **tensor_map; /* what the first pass made of each node, by id; NULL before it ran */
  guint n_tensor_map;
  GPtrArray *realizes; /* nodes that get a buffer, in order of decision */
  FbLedger *ledger;    /* why, owned by the context; NULL before the pass that decides */
  FbUop *kernel_graph; /* SINK over ASSIGN(VIEW(BUFFER), KERNEL), ordered; NULL without kernels */
  GPtrArray *kernels;  /* of FbKernelItem, in run order */
  GArray *var_vals;    /* of FbVarVal */
  gboolean measured;   /* every pass has its ticks */
  guint n_becomes;     /* tensors that became a buffer or a constant */
} FbSchedule;

/* Runs the pipeline on @big_sink with the context's options. Always returns a schedule: a failure is in its error field
 * with the passes that ran before it. */
FbSchedule *fb_schedule_new (FbContext *context, FbUop *big_sink, GCancellable *cancellable);
/* The same with choices forced on it. */
FbSchedule *fb_schedule_new_forced (FbContext *context, FbUop *big_sink, const FbForced *forced,
                                    GCancellable *cancellable);
/* The same, with what each try of a rule takes measured: several times slower, and of use to who adds up and corrects the
 * figures. */
FbSchedule *fb_schedule_new_measured (FbContext *context, FbUop *big_sink, const FbForced *forced,
                                      GCancellable *cancellable);
/* One without passes, for those who fill it themselves. */
FbSchedule *fb_schedule_new_empty (FbContext *context);
/* An empty kernel, the last. */
FbKernelItem *fb_schedule_add_kernel (FbSchedule *schedule);
void fb_schedule_free (FbSchedule *schedule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbSchedule, fb_schedule_free)
#define fb_schedule_kernel(schedule, i) ((FbKernelItem *) g_ptr_array_index ((schedule)->kernels, i))
#define fb_schedule_pass(schedule, i) ((FbPass *) g_ptr_array_index ((schedule)->passes, i))
