/* Values of a graph's nodes, of any pass: movement ops, views, reduces and element-wise ops as they stand, without kernels.
 *
 * It is the unfused graph's word on what a value is, so it shares nothing with how kernels find elements: every movement op
 * moves coordinates by its own definition, and no views are merged. Sums run in the order of the axes, and floats are
 * rounded to their type after every op, as the interpreter of kernels does.
 *
 * Nodes that several others use, reduces, and what has grown too long are kept as arrays; all else is computed where it is
 * used, a block of elements at a time. Where a view reaches outside of what it views, that is an error, found when it runs. */
#pragma once

#include "backends/program/program.h"

typedef struct _FbEvaluator FbEvaluator;

/* The value of a node: @size elements of @type, row by row of its shape. Owned by the evaluator. */
typedef struct
{
  guint8 type; /* FbScalarType; of an image float */
  guint n_dims;
  const gint64 *shape;
  gint64 size;
  const guint8 *data;
} FbGraphValue;

typedef struct
{
  gsize bytes;  /* of all values kept; 0: no limit */
  gint64 steps; /* steps times elements, of one node; about a nanosecond each; 0: no limit */
  guint threads;
} FbEvaluatorLimits;

/* For graphs of @context, which is used, and may be added to, by every call. @var_vals, of FbVarVal, is borrowed. */
FbEvaluator *fb_evaluator_new (FbContext *context, const GArray *var_vals, const FbEvaluatorLimits *limits);
void fb_evaluator_free (FbEvaluator *evaluator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbEvaluator, fb_evaluator_free)

/* What @node, a BUFFER or any other node, holds: @size elements of @type at @data, which is borrowed until the evaluator
 * is freed. */
void fb_evaluator_set_value (FbEvaluator *evaluator, FbUop *node, guint type, gint64 size, const guint8 *data);
/* The same with data that the evaluator frees. */
void fb_evaluator_take_value (FbEvaluator *evaluator, FbUop *node, guint type, gint64 size, guint8 *data);
/* The same for argument @number of a kernel. */
void fb_evaluator_set_argument (FbEvaluator *evaluator, guint number, guint type, gint64 size, const guint8 *data);

/* The value of @node; NULL: the error names the node that has none (FB_BACKEND_ERROR, or cancelled). */
const FbGraphValue *fb_evaluator_get (FbEvaluator *evaluator, FbUop *node, GCancellable *cancellable, GError **error);
/* How many times a MAX of floats met a NaN so far (run/agree.h). */
gint64 fb_evaluator_max_of_nan (const FbEvaluator *evaluator);
/* Writes what @store, a STORE(argument, VIEW, x), writes, into @data, an argument of @size elements of @type. */
gboolean fb_evaluator_store (FbEvaluator *evaluator, FbUop *store, guint type, gint64 size, guint8 *data,
                             GCancellable *cancellable, GError **error);
/* Where each element of @node is in its source: row by row of the node's shape, the element of the source, -1 where it is
 * padding. @node: a movement op, or a VIEW, also of no source. Free with g_free; NULL: an error. */
gint64 *fb_evaluator_elements (FbEvaluator *evaluator, FbUop *node, gint64 *size, GError **error);
