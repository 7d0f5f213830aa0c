/* Probes: looking at values that fusion removed.
 *
 * A kernel is an AST, and a probe is a smaller one: a node's sub-tree, stored to a buffer of its own and run as a kernel over
 * the node's whole index space. So a probed value is computed exactly as the kernel computes it, on whatever backend.
 *
 * Making a probe reads and adds nodes to the schedule's context: do it in that context's thread. It takes little time. Running
 * one touches no nodes: any thread may, and several probes may run at a time. Kernels are counted from 0. */
#pragma once

#include "backends/run/run.h"

/* A value over its index space. */
typedef struct
{
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

/* Is @node of a kernel's AST one that has a value? Not VIEW, DEFINE_GLOBAL, STORE and SINK. */
gboolean fb_probe_has_value (const FbUop *node);
/* The nodes of the AST of @kernel that have a value, sources first; borrowed nodes. Empty for a copy. Free with
 * g_ptr_array_unref. */
GPtrArray *fb_probe_nodes (const FbSchedule *schedule, guint kernel);
/* The index space of @node: @n_dims sizes, free with g_free. NULL: it has no value, or no numbers for a shape. */
gint64 *fb_probe_shape (const FbSchedule *schedule, FbUop *node, guint *n_dims, gint64 *size, GError **error);

/* A probe that is ready to run. */
typedef struct
{
  FbUop *node; /* borrowed */
  guint kernel;
  guint8 type;
  guint n_dims;
  gint64 *shape;
  gint64 size;
  guint n_args;    /* arguments of the kernel */
  guint *buffers;  /* of each: its number in the plan it was made for */
  gboolean *reads; /* of each: does the probe read it? */
  FbPlan *plan;    /* its own, of one step; for the executor */
} FbProbe;

/* A probe of @node of the AST of @kernel; @plan is of @schedule. @limit: bytes that what it reads and writes may have, 0:
 * fb_plan_default_limit(). NULL: the node has no value, or it is too large (FB_BACKEND_ERROR_SIZE). */
FbProbe *fb_probe_new (const FbSchedule *schedule, const FbPlan *plan, guint kernel, FbUop *node, gsize limit,
                       GError **error);
void fb_probe_free (FbProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbProbe, fb_probe_free)
/* Runs it. @contents: of each argument of the kernel what it holds before the kernel runs, as many bytes as the plan's buffer;
 * those that are not read may be NULL. They are only read. @options: the backend and its limits; .after is not used. NULL: the
 * backend failed, or it was cancelled. */
FbProbeValue *fb_probe_run (const FbProbe *probe, const guint8 *const *contents, const FbRunOptions *options,
                            GCancellable *cancellable, GError **error);
/* The same over a plan's memory as it is before the kernel runs. */
FbProbeValue *fb_probe_run_memory (const FbProbe *probe, const FbPlan *plan, guint8 *memory,
                                   const FbRunOptions *options, GCancellable *cancellable, GError **error);

/* Runs the kernels before @kernel over @memory, filled as for a run: then it is what probes of @kernel start from. */
gboolean fb_probe_prepare (const FbPlan *plan, FbMemory *memory, guint kernel, const FbRunOptions *options,
                           GCancellable *cancellable, GError **error);
