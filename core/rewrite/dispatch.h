/* Which rules are worth trying on a node, remembered by as much of its key as they ask for.
 *
 * A graph has few such combinations and many nodes, so the tests of ops are paid once a combination. The memory belongs to
 * a context: no locks. */
#pragma once

#include "rules-private.h"

/* Rules in order, NULL after the last. */
typedef const FbRuleEntry *const *FbCandidates;

extern const FbRuleEntry *const fb_no_candidates;

typedef struct
{
  guint32 key_plus_1; /* 0: empty */
  FbCandidates candidates;
} FbDispatchSlot;

typedef struct _FbDispatch
{
  const FbRuleSet *set;
  const guint32 *key_masks; /* the set's */
  FbDispatchSlot *slots;
  guint32 shift, n;   /* from a hash to a slot; slots in use */
  GPtrArray *lists;   /* of candidates, no list twice */
  FbArena arena;      /* theirs: they stay where they are */
  FbMatcher *idle;    /* with nothing bound, so that a run need not clear it */
  guint32 *uncounted; /* tries of runs that nobody counts */
} FbDispatch;

/* The context's memory for @set. */
FbDispatch *fb_dispatch_get (FbContext *context, const FbRuleSet *set);
/* The candidates of a key that is not in the first slot where it may be. */
FbCandidates fb_dispatch_search (FbDispatch *dispatch, guint32 key_plus_1, const FbUop *uop);

static inline guint32
fb_dispatch_slot (const FbDispatch *dispatch, guint32 key_plus_1)
{
  return key_plus_1 * 0x9E3779B1u >> dispatch->shift;
}

/* The rules of the set that @uop's ops and dtype do not rule out. With more than two sources, `early_reject` remains to be
 * tested. */
static inline FbCandidates
fb_dispatch_find (FbDispatch *dispatch, const FbUop *uop)
{
  G_STATIC_ASSERT (FB_N_OPS <= 128 && FB_NODE_KEY_BITS < 32);
  const guint32 mask = dispatch->key_masks[uop->op & 127];
  guint32 key = uop->op | fb_dtype_position (uop->dtype) << FB_NODE_KEY_DTYPE;
  const FbDispatchSlot *slot;

  if (!mask) /* no rule is about the op */
    return &fb_no_candidates;
  if (uop->n_src)
    {
      key |= MIN (uop->n_src, 4) << FB_NODE_KEY_N_SRC | (guint32) uop->src[0]->op << FB_NODE_KEY_SOURCE (0);
      if (uop->n_src > 1)
        key |= (guint32) uop->src[1]->op << FB_NODE_KEY_SOURCE (1);
    }
  key = (key & mask) + 1;
  slot = &dispatch->slots[fb_dispatch_slot (dispatch, key)];
  return G_LIKELY (slot->key_plus_1 == key) ? slot->candidates : fb_dispatch_search (dispatch, key, uop);
}
