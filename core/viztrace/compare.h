/* Two traces of one program: of two releases, or before and after a change.
 *
 * Contexts are aligned by name and structure, then the rewrites of those that belong together. Two rewrites are the same when their
 * name, their input and every match (what, by what) are: nodes by op, dtype, arg, tag and sources. Where a rule stands in its file
 * does not count, since that moves with every edit above it; neither do the numbers of buffers as such (UNIQUE), which move with
 * every buffer made before: only which are equal. */
#pragma once

#include <gio/gio.h>
#include "viztrace.h"

typedef enum
{
  FB_VIZ_SAME,
  FB_VIZ_CHANGED,
  FB_VIZ_ONLY_A,
  FB_VIZ_ONLY_B,
  FB_VIZ_N_RELATIONS,
} FbVizRelation;

/* A thing of A and the thing of B that it is; indices from 0, -1 for none. */
typedef struct
{
  FbVizRelation relation;
  int a, b;
  guint nodes_a, nodes_b; /* of the input: of a context, that of its first rewrite */
  guint matches_a, matches_b;
  gboolean same_input; /* the graphs that went in are the same */
} FbVizRewritePair;

typedef struct
{
  FbVizRewritePair pair;
  gboolean moved;                       /* it is not where its neighbours are */
  gboolean renamed;                     /* the names differ, colours aside */
  guint n_rewrites[FB_VIZ_N_RELATIONS]; /* of a changed context */
  const FbVizRewritePair *rewrites;     /* of a changed context, in order; else NULL */
  guint n_pairs;
  guint first; /* index in @rewrites of the first that is not the same; n_pairs when all are */
} FbVizContextPair;

typedef struct _FbVizComparison FbVizComparison;

/* How much is done, from 0 to 1; called from where the comparison is made. */
typedef void (*FbVizProgress) (double fraction, gpointer data);

/* Reads all of both traces, one context after the other, so memory is bounded by the largest. Blocks; @progress may be NULL. NULL with
 * G_IO_ERROR_CANCELLED set when cancelled. A context of which a part is missing is taken as far as it goes, and never the same.
 * Traces of more than about 4,000 contexts are aligned near the diagonal only. */
FbVizComparison *fb_viz_comparison_new (FbVizTrace *a, FbVizTrace *b, FbVizProgress progress, gpointer data,
                                        GCancellable *cancellable, GError **error);
FbVizComparison *fb_viz_comparison_ref (FbVizComparison *comparison);
void fb_viz_comparison_unref (FbVizComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVizComparison, fb_viz_comparison_unref)

/* The traces: 0 is A, 1 is B. */
FbVizTrace *fb_viz_comparison_trace (const FbVizComparison *comparison, guint side);
/* Contexts by relation. */
guint fb_viz_comparison_count (const FbVizComparison *comparison, FbVizRelation relation);
/* Pairs in the order of A; what only B has stands where B has it. */
guint fb_viz_comparison_n_pairs (const FbVizComparison *comparison);
const FbVizContextPair *fb_viz_comparison_pair (const FbVizComparison *comparison, guint index);
gboolean fb_viz_comparison_is_same (const FbVizComparison *comparison);

/* "same", "changed", "only in A", "only in B": not translated. */
const char *fb_viz_relation_name (FbVizRelation relation);

/* --- graphs of both sides --- */

/* Graphs of two traces in one context, so that what is the same is the same node. */
typedef struct _FbVizUnion FbVizUnion;
FbVizUnion *fb_viz_union_new (void);
void fb_viz_union_free (FbVizUnion *both);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVizUnion, fb_viz_union_free)
FbContext *fb_viz_union_context (FbVizUnion *both);
/* The graph that went into a rewrite (@after: that came out of it, as far as it can be shown), as a node of the union's context, which
 * lives as long as the union. Buffers that are made in the same order have the number they got first. Blocks. NULL with
 * FB_CAPTURE_ERROR_CONTENT set when the trace lacks a part of it. */
FbUop *fb_viz_union_add (FbVizUnion *both, FbVizTrace *trace, const FbVizRewrite *rewrite, gboolean after,
                         GError **error);
