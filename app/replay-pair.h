/* A captured kernel and the recomputed one, side by side: two graphs with what is only in one of them marked, and their texts. */
#pragma once

#include "core/replay/report.h"
#include "viz/scene.h"
#include "viz/textdiff.h"

/* A row with its kernels, captured and recomputed, in one context. */
typedef struct
{
  gatomicrefcount refs;
  guint row;
  FbContext *context;
  FbCaptureRow *captured;
  FbSchedule *schedule;
} FbReplayKernels;

/* Reads row @row (from 1) of the file and schedules it under @options (of FbReplayOption). Blocks; NULL with an error. */
FbReplayKernels *fb_replay_kernels_new (const char *path, const char *release, guint row, const GArray *options,
                                        GCancellable *cancellable, GError **error);
FbReplayKernels *fb_replay_kernels_ref (FbReplayKernels *kernels);
void fb_replay_kernels_unref (FbReplayKernels *kernels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbReplayKernels, fb_replay_kernels_unref)

#define FB_NO_KERNEL G_MAXUINT

typedef struct
{
  FbReplayKernels *kernels; /* owned reference: the graphs name its nodes */
  FbScene *captured;        /* what is not in the recomputed kernel is marked replaced; NULL: there is no such kernel */
  FbScene *scheduled;       /* what is not in the captured kernel is marked new or rebuilt; NULL likewise */
  FbTextDiff *diff;
} FbReplayPair;

/* @captured and @scheduled: places from 0 in the row's lists, or FB_NO_KERNEL; one of them is a kernel. Fills memos of the
 * context, so it belongs on one thread. NULL with an error: cancelled, or no such kernel. */
FbReplayPair *fb_replay_pair_new (FbReplayKernels *kernels, guint captured, guint scheduled, FbMetrics metrics,
                                  GCancellable *cancellable, GError **error);
/* May free the last reference to the row's context. */
void fb_replay_pair_free (FbReplayPair *pair);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbReplayPair, fb_replay_pair_free)
