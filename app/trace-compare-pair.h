/* The graphs of one rewrite in two traces, beside each other, and what is different about them. */
#pragma once

#include "core/viztrace/compare.h"
#include "viz/scene.h"
#include "viz/textdiff.h"

typedef struct
{
  FbVizUnion *both;   /* owns the nodes of the scenes */
  FbStep *step;       /* the difference; NULL when there is one side only */
  FbScene *scenes[2]; /* of A, of B; NULL: it has none */
  FbTextDiff *diff;
} FbTracePair;

/* The rewrites @a and @b, NULL for none, of the traces: what went in, or with @after what came out. Blocks, on a thread of its own. NULL
 * with an error when a trace lacks a part, or when cancelled. */
FbTracePair *fb_trace_pair_new (FbVizTrace *const traces[2], const FbVizRewrite *const rewrites[2], gboolean after,
                                FbMetrics metrics, GCancellable *cancellable, GError **error);
void fb_trace_pair_free (FbTracePair *pair);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbTracePair, fb_trace_pair_free)
