/* Questions to a history, as a person types them.
 *
 *   exp2 64×1                 words: in the op, the arg, the dtype, the shape, the rule that made it, or the start of its key
 *   op:ADD  op:ADD|MUL  op:MOVEMENT          an op, several, a set by name
 *   arg:Ops.MAX  arg=4096                    its text holds this; is this
 *   shape:64  shape=(64,64)  shape:64x*      a dimension; all dimensions, * is any
 *   dtype:float  dtype:ints                  a dtype or a set of them
 *   rule:movement  rule=movement-to-view     part of the rule's name or reference line; the name
 *   key:6aec94                               how its key begins
 *   pattern:"ADD(x, 0)"  VIEW(REDUCE_AXIS)   a pattern (node-pattern.h); with brackets the word may be left out
 *   pass:simplify  kernel:3  step:12         where
 *   is:growth  is:again                      steps after which the graph is larger; nodes that were there before and had gone
 *
 * Terms beside each other must all hold; "or" between them, "-" or "not" before one, and brackets group. Case does not matter but in
 * patterns. */
#pragma once

#include "node-pattern.h"

typedef struct _FbQuery FbQuery;

/* NULL with an FB_QUERY_ERROR, and in @position (may be NULL) the byte it is about. An empty question is an error. */
FbQuery *fb_query_new (const char *text, gsize *position, GError **error);
FbQuery *fb_query_ref (FbQuery *query);
void fb_query_unref (FbQuery *query);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbQuery, fb_query_unref)

/* What is found: a node where it comes up, or with @step 0 in the input of a pass. */
typedef struct
{
  guint32 pass, step;
  guint32 life;  /* in the history */
  FbUop *uop;    /* of the history's context; in the graph of the step it may stand over changed sources */
  gboolean made; /* the step made it; else it is what the step replaced, or what it did not make */
} FbHit;

/* A history prepared for questions: texts of args, shapes, keys. */
typedef struct _FbQueryIndex FbQueryIndex;
/* @history must outlive it. Fills memos of the schedule's context. */
FbQueryIndex *fb_query_index_new (const FbHistory *history);
void fb_query_index_free (FbQueryIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbQueryIndex, fb_query_index_free)
const FbHistory *fb_query_index_history (const FbQueryIndex *index);
/* Of a node that has a life: its arg as Python prints it, "" for none, and its shape as "64×64", "" for a scalar, NULL for none. Owned by
 * the index; may be read on any thread. */
const char *fb_query_index_arg (const FbQueryIndex *index, const FbUop *uop);
const char *fb_query_index_shape (const FbQueryIndex *index, const FbUop *uop);

/* Every step of every pass: nodes where they come up first and answer the question, and steps whose rule does. In order of running, then
 * of creation: a GArray of FbHit; free with g_array_unref. What was cancelled is not complete. */
GArray *fb_query_all (const FbQueryIndex *index, FbQuery *query, GCancellable *cancellable);
/* The steps at which such a thing happens: a GArray of FbHit, one a step, step 0 left out. */
GArray *fb_query_stops (const FbQueryIndex *index, FbQuery *query, GCancellable *cancellable);
/* The nodes of one graph, that of @step of @pass: a GArray of FbHit in the order of the graph, sources first. */
GArray *fb_query_graph (const FbQueryIndex *index, FbQuery *query, guint32 pass, guint32 step);
/* The same for a graph without passes, all that is reached from @root: pass, step and life of its hits say nothing. */
GArray *fb_query_plain (FbContext *context, FbUop *root, FbQuery *query);
