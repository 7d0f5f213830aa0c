#include "decisions.h"

FbLedger *
fb_ledger_new (FbContext *context)
{
  FbLedger *ledger = fb_arena_alloc (fb_context_arena (context), sizeof *ledger);

  *ledger = (FbLedger){ NULL };
  return ledger;
}

void
fb_ledger_add (FbContext *context, FbLedger *ledger, const FbDecision *decision)
{
  if (ledger->len == ledger->allocated)
    ledger->at
        = fb_arena_grow_array (fb_context_arena (context), ledger->at, sizeof *ledger->at, &ledger->allocated, 8);
  ledger->at[ledger->len++] = *decision;
}

const FbDecision *
fb_ledger_verdict (const FbLedger *ledger, const FbUop *node)
{
  const FbDecision *verdict = NULL;

  for (guint i = 0; i < ledger->len; i++)
    {
      const FbDecision *d = &ledger->at[i];

      if (d->node != node)
        continue;
      /* a test passed says nothing any more once somebody else had it realized */
      if (d->changed || !verdict || verdict->kind == FB_DECISION_KEEP)
        verdict = d;
    }
  return verdict;
}

gboolean
fb_ledger_realized (const FbLedger *ledger, const FbUop *node)
{
  const FbDecision *verdict = fb_ledger_verdict (ledger, node);
  return verdict && verdict->kind == FB_DECISION_REALIZE;
}

static const struct
{
  const char *name, *location;
} reasons[FB_N_REASONS] = {
  [FB_REASON_OUTPUT] = { "output", "schedule.py:105" },
  [FB_REASON_ASSIGN] = { "assign", "schedule.py:107" },
  [FB_REASON_CONTIGUOUS] = { "contiguous", "schedule.py:107" },
  [FB_REASON_COPY] = { "copy", "schedule.py:107" },
  [FB_REASON_BUFFER_VIEW] = { "buffer-view", "schedule.py:107" },
  [FB_REASON_EXPAND] = { "expand", "schedule.py:99" },
  [FB_REASON_UNSAFE_PAD] = { "unsafe-pad", "schedule.py:97" },
  [FB_REASON_UNSAFE_MASK] = { "unsafe-mask", "schedule.py:101" },
  [FB_REASON_BEFORE_COPY] = { "before-copy", "schedule.py:111" },
  [FB_REASON_REDUCE_DOWNSTREAM] = { "reduce-downstream", "schedule.py:127" },
  [FB_REASON_REDUCE_VIEWS] = { "reduce-views", "schedule.py:129" },
  [FB_REASON_REDUCE_NOT_CONTIGUOUS] = { "reduce-not-contiguous", "schedule.py:123" },
  [FB_REASON_REDUCE_SIZE] = { "reduce-size", "schedule.py:123" },
  [FB_REASON_REDUCE_TAKEN] = { "reduce-taken", "schedule.py:123" },
  [FB_REASON_REDUCE_OUTPUTS] = { "reduce-outputs", "schedule.py:154" },
  [FB_REASON_REDUCE_ASSIGN] = { "reduce-assign", "schedule.py:160" },
  [FB_REASON_REDUCE_NO_STORE] = { "reduce-no-store", "schedule.py:163" },
  [FB_REASON_FUSE_ARANGE] = { "fuse-arange", "schedule.py:185" },
  [FB_REASON_FUSE_CONV_BW] = { "fuse-conv-bw", "schedule.py:189" },
  [FB_REASON_VIEW_FITS] = { "view-fits", "schedule.py:101" },
  [FB_REASON_PAD_SAFE] = { "pad-safe", "schedule.py:97" },
  [FB_REASON_GROUPED] = { "grouped", "schedule.py:181" },
  [FB_REASON_FORCED] = { "forced", "" },
};

const char *
fb_reason_name (FbReason reason)
{
  return reason < FB_N_REASONS ? reasons[reason].name : "";
}

const char *
fb_reason_location (FbReason reason)
{
  return reason < FB_N_REASONS ? reasons[reason].location : "";
}
