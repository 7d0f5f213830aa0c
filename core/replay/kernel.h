/* What aligning needs to know of a kernel that has no exact match. Private to core/replay. */
#pragma once

#include "compare.h"
#include "signature.h"

typedef struct
{
  FbUop *ast;
  guint place;            /* in its list */
  GPtrArray *nodes;       /* sources before users */
  guint64 *deep;          /* by place in nodes: hashes with all blurred */
  guint64 *sorted;        /* the same, sorted, once asked for */
  guint64 output;         /* what it writes: of all its outputs */
  guint64 structure;      /* deep hash of the whole */
  GArray *writes, *reads; /* guint64: buffers by element and size; of reads, each buffer once */
  GArray *values;         /* guint64: deep hashes of what is stored */
  guint32 ops[FB_N_OPS];  /* how many of each operation that computes; a reduce counts as REDUCE_AXIS and as its op */
  guint32 n_ops;
  gboolean computes; /* a SINK of STOREs, not a copy or a part of a buffer */
  gint32 partner;    /* place in the other list's leftovers that writes the same, -1 for none */
  gint32 joined;     /* leftover of the same list that it became a part of, -1 for none */
  gboolean done;     /* in a difference */
} FbReplayKernel;

FbReplayKernel *fb_replay_kernel_new (FbContext *context, FbUop *ast, guint place);
void fb_replay_kernel_free (gpointer kernel);
/* The hash of the whole kernel with @blur. */
guint64 fb_replay_kernel_hash (FbContext *context, const FbReplayKernel *kernel, FbBlur blur);
/* Is there a node with this deep hash in it? */
gboolean fb_replay_kernel_contains (FbReplayKernel *kernel, guint64 hash);
/* How alike the operations of two kernels are, from 0 to 1. */
double fb_replay_kernel_likeness (const FbReplayKernel *a, const FbReplayKernel *b);
/* How much of what @small computes, from 0 to 1, is at the end of what @large does, where what @small loads may be anything. */
double fb_replay_kernel_suffix (FbContext *context, const FbReplayKernel *small, const FbReplayKernel *large);

/* align.c: puts what is left of both lists (arrays of FbReplayKernel) into @differences and marks it done. */
void fb_replay_align_joined (FbContext *context, GPtrArray *captured, GPtrArray *scheduled, GPtrArray *differences);
void fb_replay_align_rewritten (FbContext *context, GPtrArray *captured, GPtrArray *scheduled, GPtrArray *differences);

/* compare.c: a difference between kernels (FbReplayKernel), with signature and detail; marks them done. */
FbReplayDifference *fb_replay_difference_new (FbContext *context, FbReplayClass class, const GPtrArray *captured,
                                              const GPtrArray *scheduled);

/* describe.c: what a person is told of a difference. Free with g_free. */
char *fb_replay_describe (FbContext *context, FbReplayClass class, const GPtrArray *captured,
                          const GPtrArray *scheduled);
