/* One capture row, recomputed and compared. */
#pragma once

#include "core/capture/capture.h"
#include "core/schedule.h"

#include "compare.h"
#include "options.h"
#include "passes.h"

typedef enum
{
  FB_REPLAY_ROW_IDENTICAL, /* the same kernels; of a schedule in a trace also the same matches in all passes */
  FB_REPLAY_ROW_CHANGED,
  FB_REPLAY_ROW_FAILED,     /* cannot be read, or not be scheduled */
  FB_REPLAY_ROW_UNCOMPARED, /* went through, but no kernels were captured with it */
  FB_REPLAY_N_ROW_STATUSES
} FbReplayRowStatus;

typedef struct
{
  guint file, row; /* file: place in the report's list; row: from 1 */
  guint context;   /* of a schedule in a trace the number of its context, from 1; else 0 */
  FbReplayRowStatus status;
  char *key; /* as stored in the capture, "" for none */
  guint n_captured, n_scheduled;
  guint counts[FB_REPLAY_N_CLASSES];
  GPtrArray *differences; /* of FbReplayDifference */
  guint64 signature;      /* of the change, 0 for none */
  FbReplayPasses *passes; /* of a schedule in a trace that went through; else NULL */

  /* of a failed row */
  char *error_kind;    /* "cycle", "self operand": a word of FbError; "unreadable" when the capture is at fault */
  char *error_message; /* names the pass; of an unreadable row file, row and byte offset */
  char *error_pass;    /* title, "" for none */
  char *error_node;    /* first 16 hex digits of the node's key, "" for none */
  char *error_op;      /* "REDUCE_AXIS", "" for none */
} FbReplayRow;

/* Replays @row, decoded into @context; NULL when @error says why it was not. @options override the row's (of
 * FbReplayOption). Returns NULL when @cancellable ended it. */
FbReplayRow *fb_replay_row_new (FbContext *context, const FbCaptureRow *row, const GError *error, const GArray *options,
                                GCancellable *cancellable);
void fb_replay_row_free (gpointer row);
/* What the file is known by there: the number of the context in a trace, else of the row. */
static inline guint
fb_replay_row_number (const FbReplayRow *row)
{
  return row->context ? row->context : row->row;
}
/* "identical", "changed", "failed", "uncompared"; static. */
const char *fb_replay_row_status_name (FbReplayRowStatus status);
/* "self operand": a word for the kind; static. */
const char *fb_replay_error_kind (FbError error);
/* "2 merged, 1 views only, 5 identical", and of no kernels "no kernels"; free with g_free. */
char *fb_replay_counts_to_text (const guint *counts);
