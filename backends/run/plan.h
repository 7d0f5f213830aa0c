/* What running a schedule takes: its buffers, and its kernels in order as programs, copies and views of buffers.
 *
 * All devices are host memory. Buffers have ordinals in order of first appearance over kernels and their arguments, by
 * base buffer: a BUFFER_VIEW makes a buffer that lies inside another. Sizes are checked before anything is allocated. */
#pragma once

#include "backends/program/program.h"

typedef struct
{
  FbUop *buffer;      /* borrowed */
  const char *device; /* "CPU:1" */
  guint base;         /* the buffer whose memory it lies in; itself */
  gint64 offset;      /* bytes from its base's start */
  guint8 type;        /* FbScalarType of the elements */
  gint64 size;        /* elements */
  gsize bytes;
  int ordinal;               /* of its base */
  gboolean starts_as_output; /* first seen as an output: zeros */
  gsize place;               /* of a base: bytes from the start of the plan's memory */
} FbPlanBuffer;

typedef enum
{
  FB_STEP_PROGRAM,
  FB_STEP_COPY,
  FB_STEP_VIEW, /* nothing to do */
} FbPlanStepKind;

typedef struct
{
  FbPlanStepKind kind;
  const FbKernelItem *item; /* borrowed */
  const FbProgram *program; /* of FB_STEP_PROGRAM; shared by kernels with the same AST */
  guint program_number;     /* its place in FbPlan.programs */
  guint n_buffers;
  guint *buffers; /* places in FbPlan.buffers, in argument order; the output first */
} FbPlanStep;

typedef struct
{
  GArray *buffers;     /* of FbPlanBuffer */
  GArray *steps;       /* of FbPlanStep, a kernel each */
  GPtrArray *programs; /* of FbProgram */
  guint n_ordinals;
  gsize memory; /* bytes of all bases */
} FbPlan;

#define fb_plan_buffer(plan, i) (&g_array_index ((plan)->buffers, FbPlanBuffer, i))
#define fb_plan_step(plan, i) (&g_array_index ((plan)->steps, FbPlanStep, i))

/* What a plan's memory may come to when nothing else is said: three quarters of what is free. */
gsize fb_plan_default_limit (void);
/* The plan of @schedule, which must outlive it, for at most @memory_limit bytes of buffers. NULL: a kernel is refused; the
 * error names it ("kernel 3: ..."). */
FbPlan *fb_plan_new (const FbSchedule *schedule, gsize memory_limit, GError **error);
void fb_plan_free (FbPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbPlan, fb_plan_free)
/* The start of buffer @i in the plan's @memory. */
guint8 *fb_plan_data (const FbPlan *plan, guint8 *memory, guint i);
