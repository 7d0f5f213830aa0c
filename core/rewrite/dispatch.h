/* Which rules are worth trying on a node, remembered by as much of its key as they ask for.
 *
 * A graph has few such combinations and many nodes, so the tests of ops are paid once a combination. The memory belongs to
 * a context: no locks. */
#pragma once

#include "rules-private.h"

/* Rules in order, NULL after the last. */
typedef const FbRuleEntry *const *FbCandidates;

typedef struct
{
  guint32 key_plus_1; /* 0: empty */
  FbCandidates candidates;
} FbDispatchSlot;

typedef struct _FbDispatch
{
  const FbRuleSet *set;
  FbDispatchSlot *slots;
  guint32 shift, n; /* from a hash to a slot; slots in use */
  GPtrArray *lists; /* of candidates, no list twice */
  FbArena arena;    /* theirs: they stay where they are */
} FbDispatch;

/* The context's memory for @set. */
FbDispatch *fb_dispatch_get (FbContext *context, const FbRuleSet *set);
FbCandidates fb_dispatch_add (FbDispatch *dispatch, guint32 key_plus_1, const FbUop *uop);

static inline guint32
fb_dispatch_slot (const FbDispatch *dispatch, guint32 key_plus_1)
{
  guint32 i = key_plus_1 * 0x9E3779B1u >> dispatch->shift;

  while (dispatch->slots[i].key_plus_1 && dispatch->slots[i].key_plus_1 != key_plus_1)
    i = (i + 1) & (G_MAXUINT32 >> dispatch->shift);
  return i;
}

/* The rules of the set that @uop's ops and dtype do not rule out. With more than two sources, `early_reject` remains to be
 * tested. */
static inline FbCandidates
fb_dispatch_find (FbDispatch *dispatch, const FbUop *uop)
{
  G_STATIC_ASSERT (FB_N_OPS <= 128 && FB_NODE_KEY_BITS < 32);
  guint32 key = uop->op | fb_dtype_position (uop->dtype) << FB_NODE_KEY_DTYPE;
  const FbDispatchSlot *slot;

  if (uop->n_src)
    {
      key |= MIN (uop->n_src, 4) << FB_NODE_KEY_N_SRC | (guint32) uop->src[0]->op << FB_NODE_KEY_SOURCE (0);
      if (uop->n_src > 1)
        key |= (guint32) uop->src[1]->op << FB_NODE_KEY_SOURCE (1);
    }
  key = (key & dispatch->set->key_masks[uop->op & 127]) + 1;
  slot = &dispatch->slots[fb_dispatch_slot (dispatch, key)];
  return G_LIKELY (slot->key_plus_1) ? slot->candidates : fb_dispatch_add (dispatch, key, uop);
}
