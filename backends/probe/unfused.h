/* A value inside a kernel, and the same value of the unfused graph.
 *
 * The graph that kernels are cut from has its own nodes, shapes and views; inside a kernel, views have been pushed to the
 * loads or to the store. What belongs together is found by walking both from what the kernel stores: op by op, views taken
 * out on the side of the graph, and for every element the one it corresponds to carried along. */
#pragma once

#include "backends/interp/evaluator.h"
#include "probe.h"

typedef struct
{
  FbUop *node;      /* of the kernel's AST */
  FbUop *graph;     /* of the simplified graph: the same value, unfused */
  gint64 size;      /* elements of @node's index space */
  gint64 *elements; /* of each the element of @graph; -1: outside a mask, 0 there */
} FbUnfused;

/* The unfused node that each node of the AST of @kernel stands for, where one does: an array of FbUnfused, the stored
 * value first. Those nodes have none that passes made of nothing (the conditions of masks), or whose reduces were merged
 * in ways that are not followed. A node that stands for several is there once for each. @most: index spaces larger than that many elements are left
 * out, with what is below. Free with g_array_unref. NULL: an error, also for copies. */
GArray *fb_unfused_new (const FbSchedule *schedule, guint kernel, gint64 most, GError **error);

/* The node of the simplified graph that @kernel stores. */
FbUop *fb_unfused_stored (const FbSchedule *schedule, guint kernel);

/* Gives @evaluator what every buffer of the graph holds before @plan runs over @memory, for values of the whole graph from its
 * inputs. Buffers that no kernel uses, and that can make no difference, are filled by the rule of fill.h with seed 1. */
void fb_unfused_set_inputs (const FbSchedule *schedule, const FbPlan *plan, guint8 *memory, FbEvaluator *evaluator);

/* What buffer @buffer of a plan held when @moment kernels had run; NULL: it is not known. */
typedef const guint8 *(*FbUnfusedContents) (guint buffer, guint moment, gpointer user);
/* The evaluator of the simplified graph for @kernel, from the inputs and from what earlier kernels wrote, of a run that is
 * over. What @contents gives is borrowed until the evaluator is freed. */
FbEvaluator *fb_unfused_evaluator_new (const FbSchedule *schedule, const FbPlan *plan, guint kernel,
                                       FbUnfusedContents contents, gpointer user, const FbEvaluatorLimits *limits);

/* Values of the unfused graph while a schedule runs, kernel by kernel: each from the inputs and from what earlier kernels
 * wrote, so that what differs does so in this kernel. */
typedef struct _FbUnfusedRun FbUnfusedRun;
/* @memory: filled, before the first kernel runs; what is needed of it is copied. */
FbUnfusedRun *fb_unfused_run_new (const FbSchedule *schedule, const FbPlan *plan, guint8 *memory,
                                  const FbEvaluatorLimits *limits);
void fb_unfused_run_free (FbUnfusedRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbUnfusedRun, fb_unfused_run_free)
/* The evaluator of the simplified graph for @kernel. It is valid until the next call. */
FbEvaluator *fb_unfused_run_evaluator (FbUnfusedRun *run, guint kernel);
/* Must be told of every kernel, in order, when it has run over @memory. */
void fb_unfused_run_after (FbUnfusedRun *run, guint kernel, guint8 *memory);
/* The elements of the buffer that @kernel writes which hold the value that it stores, in the order of that value: all of
 * them (NULL, and no error), or those of the view that it assigns to. */
gint64 *fb_unfused_written (FbUnfusedRun *run, guint kernel, gint64 *n, GError **error);
