/* Nodes are made once: where they are found, and made. */
#include "context-private.h"

#include <string.h>

#define FIRST_NODES 1024
#define GROWTH 4 /* putting nodes in again costs more than clearing slots that stay empty */

const FbShapeTracker fb_st_none;

/* Slots that are looked at together: a cache line. */
#define BUCKET 8

/* Where a node is found: what is made together is used together, and most nodes have few users or none yet, so the first users
 * of a node hang from it, each from its newest source. A node that is over nothing of its context's own, or over a node with more
 * users, is in a table: in the bucket of its newest source, and when that is full, where its hash says. */
#define MOST_USERS 8
#define MOST_UNSOUGHT 48 /* where they are made by fb_uop_new_over(), which looks for none */

typedef struct
{
  guint32 hash;
  guint32 bucket; /* its first slot, before the mask */
} UopPlace;

/* The @k-th slot of a bucket to look at: not all begin with the same one. */
static inline guint32
in_bucket (guint32 hash, guint32 k)
{
  return (hash + k) & (BUCKET - 1u);
}

/* Functions that are inlined with the number of sources known: loops over few sources are unrolled. */
#define FOR_SOURCES G_ALWAYS_INLINE static inline

/* The newest of @src, which are not none. */
FOR_SOURCES FbUop *
newest_of (guint n_src, FbUop *const *src)
{
  FbUop *newest = src[0];

  for (guint i = 1; i < n_src; i++)
    if (src[i]->id > newest->id)
      newest = src[i];
  return newest;
}

static UopPlace
uop_place (FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg)
{
  guint64 h = (guint64) op << 56 ^ ((guintptr) dtype >> 4);
  guint32 newest = 0, hash;

  /* the commonest args at once; the others by what fb_arg_equal() asks */
  if (arg.kind == FB_ARG_ST)
    h ^= (guint64) (guintptr) arg.st << 13;
  else if (arg.kind == FB_ARG_TUPLE)
    h ^= (guint64) arg.tuple->hash << 16;
  else if (arg.kind != FB_ARG_NONE)
    h ^= (guint64) fb_arg_hash (arg) << 16;
  for (guint i = 0; i < n_src; i++)
    {
      newest = MAX (newest, src[i]->id);
      h = h * G_GUINT64_CONSTANT (0xff51afd7ed558ccd) + src[i]->id;
    }
  h ^= h >> 32;
  h *= G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  hash = (guint32) (h >> 32);
  return (UopPlace){ hash, (n_src ? newest * 2 : hash) & ~(BUCKET - 1u) };
}

FOR_SOURCES gboolean
uop_matches (const FbUop *uop, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg)
{
  guintptr differ = (uop->op ^ (guint) op) | (uop->n_src ^ n_src) | ((guintptr) uop->dtype ^ (guintptr) dtype);

  if (differ) /* one branch that is mostly foreseen, rather than many */
    return FALSE;
  for (guint i = 0; i < n_src; i++)
    differ |= (guintptr) uop->src[i] ^ (guintptr) src[i];
  if (differ)
    return FALSE;
  if (uop->arg.kind == arg.kind && uop->arg.i == arg.i)
    return TRUE;
  return arg.kind != FB_ARG_ST && fb_arg_equal (uop->arg, arg);
}

/* The one asked for of the users that hang from @newest, or NULL. */
FOR_SOURCES FbUop *
find_user (const FbUop *newest, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg)
{
  FbUop *uop = newest->users;

  while (uop && !uop_matches (uop, op, dtype, n_src, src, arg))
    uop = uop->next_user;
  return uop;
}

/* The node of this place in the table of @context, or NULL; @at: the slot where it is or belongs. The table exists. */
static FbUop *
find_in_table (const FbContext *context, UopPlace place, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src,
               FbArg arg, guint32 *at)
{
  const FbUopSlot *slots = context->uop_slots;
  guint32 mask = context->uop_mask, bucket = place.bucket & mask, i = 0;
  FbUop *uop = NULL;

  for (guint32 k = 0; k < BUCKET && !uop; k++)
    {
      i = bucket + in_bucket (place.hash, k);
      if (!slots[i].id_plus_1)
        break;
      if (slots[i].hash == place.hash)
        uop = context->uops[slots[i].id_plus_1 - 1 - context->first_id];
      if (uop && !uop_matches (uop, op, dtype, n_src, src, arg))
        uop = NULL;
    }
  if (!uop && slots[i].id_plus_1)
    for (i = place.hash & mask; slots[i].id_plus_1 && !uop; i = (i + 1) & mask)
      if (slots[i].hash == place.hash)
        {
          uop = context->uops[slots[i].id_plus_1 - 1 - context->first_id];
          if (uop_matches (uop, op, dtype, n_src, src, arg))
            break;
          uop = NULL;
        }
  *at = i;
  return uop;
}

/* In @context and its parents. */
FbUop *
fb_uop_lookup (FbContext *context, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg)
{
  const FbUop *newest = n_src ? newest_of (n_src, src) : NULL;
  const UopPlace place = uop_place (op, dtype, n_src, src, arg);
  FbUop *uop = NULL;
  guint32 at;

  for (; context && !uop; context = context->parent)
    {
      const gboolean own = newest && newest->id >= context->first_id;

      if (own)
        uop = find_user (newest, op, dtype, n_src, src, arg);
      if (!uop && context->uop_slots && !(own && newest->n_users < MOST_USERS))
        uop = find_in_table (context, place, op, dtype, n_src, src, arg, &at);
      if (own) /* no parent has a node over it */
        break;
    }
  return uop;
}

static void
put_slot (FbContext *context, FbUopSlot slot, UopPlace place)
{
  guint32 mask = context->uop_mask, bucket = place.bucket & mask, i = bucket + in_bucket (place.hash, 0);

  for (guint32 k = 1; k < BUCKET && context->uop_slots[i].id_plus_1; k++)
    i = bucket + in_bucket (place.hash, k);
  if (context->uop_slots[i].id_plus_1)
    for (i = place.hash & mask; context->uop_slots[i].id_plus_1;)
      i = (i + 1) & mask;
  context->uop_slots[i] = slot;
}

/* Makes the table as large as its nodes need. */
static void
grow_table (FbContext *context)
{
  const FbUopSlot *old = context->uop_slots;
  const guint32 n = old ? context->uop_mask + 1 : 0;
  const gsize size = n ? (gsize) n * GROWTH : FB_FIRST_SLOTS;
  FbUopSlot *slots = g_aligned_alloc0 (size, sizeof *slots, BUCKET * sizeof *slots);

  context->uop_slots = slots;
  context->uop_slots_allocated = size;
  context->uop_mask = (guint32) size - 1;
  for (guint32 i = 0; i < n; i++)
    if (old[i].id_plus_1)
      {
        const FbUop *uop = context->uops[old[i].id_plus_1 - 1 - context->first_id];
        put_slot (context, old[i], uop_place (uop->op, uop->dtype, uop->n_src, uop->src, uop->arg));
      }
  g_aligned_free ((gpointer) old);
}

G_GNUC_NO_INLINE static void
grow (FbContext *context)
{
  context->uops_allocated = MAX (FIRST_NODES, context->uops_allocated * 2);
  context->uops = g_renew (FbUop *, context->uops, context->uops_allocated);
}

/* Fills in what follows from the op and the sources. */
FOR_SOURCES void
derive (FbUop *uop, FbOp op, guint n_src)
{
  uop->base = uop;
  uop->device = NULL;
  uop->st = NULL;
  for (guint i = 0; i < n_src && !uop->device; i++)
    uop->device = uop->src[i]->device;
  if (!fb_op_in (op, FB_OPS_MOVEMENT | FB_OP_BIT (VIEW) | FB_OP_BIT (DEVICE) | FB_OP_BIT (MULTI)))
    return;
  if (op == FB_OP_DEVICE || op == FB_OP_MULTI)
    uop->device = uop;
  else if (n_src)
    uop->base = uop->src[0]->base;
  if (op == FB_OP_VIEW && uop->arg.kind == FB_ARG_ST)
    uop->st = uop->arg.st;
}

/* A new node, not to be found yet. */
FOR_SOURCES FbUop *
make (FbContext *context, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg)
{
  FbUop *uop = fb_arena_alloc (&context->arena, sizeof *uop + sizeof (FbUop *) * n_src);
  const guint32 own = context->n_uops - context->first_id;

  if (G_UNLIKELY (own >= context->uops_allocated))
    grow (context);
  uop->op = (guint16) op;
  uop->n_users = 0;
  uop->n_src = n_src;
  uop->id = context->n_uops++;
  uop->dtype = dtype;
  uop->arg = arg;
  uop->users = uop->next_user = NULL;
  for (guint i = 0; i < n_src; i++)
    uop->src[i] = src[i];
  derive (uop, op, n_src);
  context->uops[own] = uop;
  return uop;
}

/* The node, made or found, that does not hang from its newest source. */
static FbUop *
find_or_make_in_table (FbContext *context, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg)
{
  const UopPlace place = uop_place (op, dtype, n_src, src, arg);
  FbUop *uop;
  guint32 at;

  if (!context->uop_slots || context->n_in_table * 2 >= context->uop_mask)
    grow_table (context);
  uop = find_in_table (context, place, op, dtype, n_src, src, arg, &at);
  if (uop)
    return uop;
  if (context->parent && !(n_src && newest_of (n_src, src)->id >= context->first_id)
      && (uop = fb_uop_lookup (context->parent, op, dtype, n_src, src, arg)))
    return uop;
  uop = make (context, op, dtype, n_src, src, arg);
  context->uop_slots[at] = (FbUopSlot){ place.hash, uop->id + 1 };
  context->n_in_table++;
  if (n_src == 0 && op == FB_OP_UNIQUE && arg.kind == FB_ARG_INT && arg.i >= context->next_unique && arg.i < G_MAXINT64)
    context->next_unique = arg.i + 1;
  return uop;
}

FOR_SOURCES FbUop *
find_or_make (FbContext *context, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg)
{
  FbUop *newest = newest_of (n_src, src), *uop;

  if (G_UNLIKELY (newest->id < context->first_id))
    return find_or_make_in_table (context, op, dtype, n_src, src, arg);
  uop = find_user (newest, op, dtype, n_src, src, arg);
  if (uop)
    return uop;
  if (G_UNLIKELY (newest->n_users >= MOST_USERS))
    return find_or_make_in_table (context, op, dtype, n_src, src, arg);
  uop = make (context, op, dtype, n_src, src, arg);
  uop->next_user = newest->users;
  newest->users = uop;
  newest->n_users++;
  return uop;
}

FbUop *
fb_uop_new_over (FbContext *context, FbUop *newest, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src,
                 FbArg arg)
{
  FbUop *uop = make (context, op, dtype, n_src, src, arg);
  UopPlace place;

  if (G_LIKELY (newest->n_users < MOST_UNSOUGHT))
    {
      uop->next_user = newest->users;
      newest->users = uop;
      newest->n_users++;
      return uop;
    }
  place = uop_place (op, dtype, n_src, src, arg);
  if (!context->uop_slots || context->n_in_table * 2 >= context->uop_mask)
    grow_table (context);
  put_slot (context, (FbUopSlot){ place.hash, uop->id + 1 }, place);
  context->n_in_table++;
  return uop;
}

FbUop *
fb_uop_new (FbContext *context, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg)
{
  switch (n_src)
    {
    case 0:
      return find_or_make_in_table (context, op, dtype, 0, src, arg);
    case 1:
      return find_or_make (context, op, dtype, 1, src, arg);
    case 2:
      return find_or_make (context, op, dtype, 2, src, arg);
    default:
      return find_or_make (context, op, dtype, n_src, src, arg);
    }
}

FbUop *
fb_uop_with_src (FbContext *context, const FbUop *uop, FbUop *const *src)
{
  switch (uop->n_src)
    {
    case 0:
      return (FbUop *) uop;
    case 1:
      return find_or_make (context, uop->op, uop->dtype, 1, src, uop->arg);
    case 2:
      return find_or_make (context, uop->op, uop->dtype, 2, src, uop->arg);
    default:
      return find_or_make (context, uop->op, uop->dtype, uop->n_src, src, uop->arg);
    }
}

FbUop *
fb_st_to_uop (FbContext *context, const FbShapeTracker *st)
{
  FbShapeTracker *own = (FbShapeTracker *) st;
  FbUop *uop;

  if (st->row == context->row)
    return st->uop;
  uop = fb_uop_new (context, FB_OP_VIEW, FB_DTYPE (VOID), 0, NULL, fb_arg_st (st));
  if (!context->parent) /* a tracker of the parent would outlive the node of an overlay */
    {
      own->row = context->row;
      own->uop = uop;
    }
  return uop;
}
