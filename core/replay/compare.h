/* Two lists of kernels, compared kernel by kernel.
 *
 * Both are of one context, so a kernel that is the same is the same node. The rest is aligned by structure: by hashes
 * that leave out more and more, then by what is written and what it is computed with. */
#pragma once

#include "core/ir/context.h"

#include "class.h"

typedef struct
{
  FbReplayClass class;
  guint n_captured, n_scheduled;
  guint *captured, *scheduled; /* places in the lists, from 0, ascending */
  guint64 signature; /* of the change; the same for other buffers, views, sizes and values, in every process */
  char *detail;      /* for people: what changed, "" when the class says it all */
} FbReplayDifference;

typedef struct
{
  guint n_captured, n_scheduled;
  guint counts[FB_REPLAY_N_CLASSES]; /* differences of a class; identical kernels, which are not among them */
  GPtrArray *differences;            /* of FbReplayDifference, in the order of the captured kernels, then new ones */
  guint64 signature;                 /* of all of them, 0 when there are none */
} FbComparison;

/* Compares @captured with @scheduled, ASTs in run order. Linear in their nodes, but for kernels that have no match,
 * which are aligned within bounded effort. Does not add nodes to the context. */
FbComparison *fb_comparison_new (FbContext *context, guint n_captured, FbUop *const *captured, guint n_scheduled,
                                 FbUop *const *scheduled);
void fb_comparison_free (FbComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbComparison, fb_comparison_free)
void fb_replay_difference_free (gpointer difference);
/* The signature of a set of differences: the same in whatever order they are; 0 for none. */
guint64 fb_replay_signature (const GPtrArray *differences);
