/* Which rules are worth trying on a node, remembered by its op and dtype and by the ops of its first two sources.
 *
 * A graph has few such combinations and many nodes, so the tests of ops are paid once a combination. The memory belongs to
 * a context: no locks. */
#pragma once

#include "rules-private.h"

typedef struct _FbDispatchSlot
{
  guint32 key_plus_1; /* 0: empty */
  guint32 first, n;   /* positions in the lists */
} FbDispatchSlot;

typedef struct _FbDispatch
{
  const FbRuleSet *set;
  FbDispatchSlot *slots;
  guint32 mask, n;
  guint16 *lists; /* indices of rules; grows, so keep positions, not addresses */
  guint32 n_lists, lists_allocated;
} FbDispatch;

/* The context's memory for @set. */
FbDispatch *fb_dispatch_get (FbContext *context, const FbRuleSet *set);
FbDispatchSlot *fb_dispatch_add (FbDispatch *dispatch, guint32 key_plus_1, const FbUop *uop);

static inline guint32
fb_dispatch_slot (const FbDispatch *dispatch, guint32 key_plus_1)
{
  guint32 i = (key_plus_1 * 0x9E3779B1u >> 12) & dispatch->mask;

  while (dispatch->slots[i].key_plus_1 && dispatch->slots[i].key_plus_1 != key_plus_1)
    i = (i + 1) & dispatch->mask;
  return i;
}

/* The entries of the set that @uop's ops and dtype do not rule out: positions [first, first + n) of the lists, in order.
 * With more than two sources, `early_reject` remains to be tested. The slot is valid until the next is added. */
static inline const FbDispatchSlot *
fb_dispatch_find (FbDispatch *dispatch, const FbUop *uop)
{
  G_STATIC_ASSERT (FB_N_OPS <= 128);
  /* sources beyond two are told apart by number only, up to four */
  guint32 key = uop->op | fb_dtype_position (uop->dtype) << 21 | MIN (uop->n_src, 4) << 25;
  const FbDispatchSlot *slot;

  if (uop->n_src)
    key |= (guint32) uop->src[0]->op << 7;
  if (uop->n_src > 1)
    key |= (guint32) uop->src[1]->op << 14;
  slot = &dispatch->slots[fb_dispatch_slot (dispatch, key + 1)];
  return G_LIKELY (slot->key_plus_1) ? slot : fb_dispatch_add (dispatch, key + 1, uop);
}
