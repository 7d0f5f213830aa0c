/* Which rules are worth trying on a node, remembered by as much of its key as they ask for.
 *
 * A graph has few such combinations and many nodes, so the tests of ops are paid once a combination. The memory belongs to
 * a context: no locks. */
#pragma once

#include "rules-private.h"

/* Numbers of rules in order, FB_NO_RULE after the last. */
typedef const guint8 *FbCandidates;

extern const guint8 fb_no_candidates[];

/* Small, as are the lists: they are read for every node. */
typedef struct
{
  guint32 key_plus_1; /* 0: empty */
  guint32 list;       /* where its candidates begin */
} FbDispatchSlot;

typedef struct _FbDispatch
{
  const FbRuleSet *set;
  const guint32 *key_masks;                 /* the set's, */
  const guint8 *source_class, *dtype_class; /* too */
  FbDispatchSlot *slots;
  guint32 shift, n;   /* from a hash to a slot; slots in use */
  guint8 *lists;      /* of candidates, one after the other, no list twice */
  guint32 n_lists;    /* bytes of them, */
  guint32 room;       /* and for them */
  GSList *outgrown;   /* where lists were before: somebody may be reading one while a rule rewrites something else */
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
  guint32 key = uop->op | (guint32) dispatch->dtype_class[fb_dtype_position (uop->dtype)] << FB_NODE_KEY_DTYPE;
  const FbDispatchSlot *slot;

  if (!mask) /* no rule is about the op */
    return fb_no_candidates;
  if (mask & FB_NODE_KEY_OF_SOURCES && uop->n_src)
    {
      key |= MIN (uop->n_src, 4) << FB_NODE_KEY_N_SRC
             | (guint32) dispatch->source_class[uop->src[0]->op & 127] << FB_NODE_KEY_SOURCE (0);
      if (uop->n_src > 1)
        key |= (guint32) dispatch->source_class[uop->src[1]->op & 127] << FB_NODE_KEY_SOURCE (1);
    }
  key = (key & mask) + 1;
  slot = &dispatch->slots[fb_dispatch_slot (dispatch, key)];
  return G_LIKELY (slot->key_plus_1 == key) ? dispatch->lists + slot->list : fb_dispatch_search (dispatch, key, uop);
}
