/* The pipeline: from a tensor graph to kernels, every rewrite recorded (schedule.py:372). */
#pragma once

#include <gio/gio.h>

#include "core/rewrite/engine.h"

typedef struct
{
  FbContext *context; /* borrowed */
  FbUop *big_sink;
  GPtrArray *passes; /* of FbPass, in the order they ran */
  GError *error;     /* why it stopped, NULL when it went through */
  const FbUop *error_uop;
  FbUop **tensor_map; /* what the first pass made of each node, by id; NULL before it ran */
  guint n_tensor_map;
} FbSchedule;

/* Runs the pipeline on @big_sink with the context's options. Always returns a schedule: a failure is in its error field
 * with the passes that ran before it. */
FbSchedule *fb_schedule_new (FbContext *context, FbUop *big_sink, GCancellable *cancellable);
void fb_schedule_free (FbSchedule *schedule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbSchedule, fb_schedule_free)
