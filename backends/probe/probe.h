/* Probes: looking at values that fusion removed.
 *
 * A kernel is an AST, and a probe is a smaller one: a node's sub-tree, stored to a buffer of its own and run as a kernel over
 * the node's whole index space. So a probed value is computed exactly as the kernel computes it, on whatever backend.
 *
 * Everything here reads and adds nodes to the schedule's context: call it from that context's thread, or give a schedule
 * whose context is an overlay. Kernels are counted from 0. */
#pragma once

#include "backends/run/run.h"

/* A value over its index space. */
typedef struct
{
  FbUop *node; /* borrowed */
  guint8 type; /* FbScalarType of the elements */
  guint n_dims;
  gint64 *shape; /* @n_dims sizes; a dimension that the node does not depend on has size 1 */
  gint64 size;   /* elements: the product of the sizes */
  gsize bytes;
  guint8 *data;   /* row by row of the shape, densely; owned */
  double seconds; /* the run took */
} FbProbeValue;
void fb_probe_value_free (FbProbeValue *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbProbeValue, fb_probe_value_free)

typedef struct
{
  FbRunOptions run; /* the backend, threads and limits; .after is not used */
  gsize bytes;      /* what a probe's buffers may take; 0: fb_plan_default_limit() */
} FbProbeOptions;

/* Is @node of a kernel's AST one that has a value? Not VIEW, DEFINE_GLOBAL, STORE and SINK. */
gboolean fb_probe_has_value (const FbUop *node);
/* The nodes of the AST of @kernel that have a value, sources first; borrowed nodes. Empty for a copy. Free with
 * g_ptr_array_unref. */
GPtrArray *fb_probe_nodes (const FbSchedule *schedule, guint kernel);

/* The index space of @node: @n_dims sizes, free with g_free. NULL: it has no value, or no numbers for a shape. */
gint64 *fb_probe_shape (const FbSchedule *schedule, FbUop *node, guint *n_dims, gint64 *size, GError **error);

/* Runs the kernels before @kernel over @memory, filled as for a run: then it is what probes of @kernel start from. */
gboolean fb_probe_prepare (const FbPlan *plan, FbMemory *memory, guint kernel, const FbProbeOptions *options,
                           GCancellable *cancellable, GError **error);
/* The value of @node of the AST of @kernel. @plan is of @schedule; @memory, of the plan, is only read, and holds what it holds
 * before the kernel runs. NULL: the node has no value, its index space or what it reads is too large (FB_BACKEND_ERROR_SIZE),
 * or the backend failed. */
FbProbeValue *fb_probe_run (const FbSchedule *schedule, const FbPlan *plan, guint8 *memory, guint kernel, FbUop *node,
                            const FbProbeOptions *options, GCancellable *cancellable, GError **error);
