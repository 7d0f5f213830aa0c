/* Traces where schedules are expected. */
#pragma once

#include "core/schedule.h"
#include "viztrace.h"

/* The rewrites of context @index (from 0) as passes; there are no kernels, decisions or realizes. Always returns a schedule: what
 * the trace lacks is in its error field, with the passes before that. It lives as long as @nodes. */
FbSchedule *fb_viz_schedule_new (FbVizNodes *nodes, guint index, GCancellable *cancellable);
