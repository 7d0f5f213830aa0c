/* Schedules that a trace of tinygrad 0.10.2 recorded, in nodes that mean something to this program: what its scheduler began from,
 * what each pass did, and the kernels it ended with. With that a trace is replayed like a capture. */
#pragma once

#include "viztrace.h"

typedef struct
{
  FbUop *before, *after;
  const char *rule; /* where its callback begins, as rules of ours are named: "schedule.py:205" */
} FbRecordedMatch;

typedef struct
{
  const char *location; /* of the call: "schedule.py:374" */
  gboolean bottom_up;
  FbUop *sink;
  guint n_matches;
  const FbRecordedMatch *matches;
} FbRecordedPass;

typedef struct _FbRecorded
{
  FbContext *context; /* borrowed; owns all nodes and arrays */
  FbUop *sink;        /* the big sink */
  guint n_passes;
  const FbRecordedPass *passes; /* in the order they ran */
  GPtrArray *kernels;           /* ASTs in run order */
  guint n_others; /* rewrites that are no passes of a schedule: other parts of the program ran in this context too */
  gint64 first_unique; /* what the first buffer it made was numbered, -1: it made none */
} FbRecorded;

/* Whether context @index (from 0) holds a schedule, and of the release whose scheduler we have. */
gboolean fb_viz_trace_is_schedule (const FbVizTrace *trace, guint index);
/* The schedule in it, read into @context, which should be empty, and whose next UNIQUE is set to what was the first new one. NULL with
 * FB_CAPTURE_ERROR_CONTENT or FB_CAPTURE_ERROR_PICKLE when a part of it cannot be made: a node of no known form, a pass without
 * its end. */
FbRecorded *fb_recorded_new (FbVizTrace *trace, guint index, FbContext *context, GError **error);
void fb_recorded_free (FbRecorded *recorded);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbRecorded, fb_recorded_free)
