/* What deciding on realizes needs to know of the tensor graph (GrouperContext, schedule.py:86). */
#pragma once

#include "decisions.h"
#include "uop-dict.h"

#include "core/rewrite/engine.h"

/* Users of a node, each once, in the order they were met. */
typedef struct
{
  guint32 n, allocated;
  FbUop **users;
} FbUsers;

typedef struct
{
  FbContext *context;
  FbUopDict *realizes;        /* the nodes that get a buffer, as a set */
  struct _FbNodeMap *users;   /* of a base: FbUsers */
  FbUop *unnoted;             /* a graph whose users are noted once somebody asks for some; NULL for none */
  struct _FbNodeMap *assigns; /* of a buffer: the ASSIGN to it */
  struct _FbNodeMap *forced;  /* FB_FORCED_..., NULL when nothing is */
  FbLedger *ledger;           /* outlives the grouper */
} FbGrouper;

enum
{
  FB_FORCED_REALIZE = 1,
  FB_FORCED_FUSE,
};

FbGrouper *fb_grouper_new (FbContext *context);
/* Forces choices of nodes of @sink, the simplified graph; places it does not have are left out. */
void fb_grouper_force (FbGrouper *grouper, FbUop *sink, const FbForced *forced);
void fb_grouper_free (FbGrouper *grouper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbGrouper, fb_grouper_free)
/* @uop is a reduce or computed from one. Never NULL; n is 0 for a node without users. */
const FbUsers *fb_grouper_users (FbGrouper *grouper, const FbUop *uop);
/* @user as a user of the bases of its sources. */
void fb_grouper_add_user (FbGrouper *grouper, FbUop *user);

/* Has somebody forced @uop to be realized, or fused? */
gboolean fb_grouper_forced (const FbGrouper *grouper, const FbUop *uop, int what);
/* Puts the decision's node into the set of realizes, or notes that it stays out, or takes it out, as its kind says; fills in
 * `changed`. */
void fb_grouper_decide (FbGrouper *grouper, const FbDecision *decision);

/* What below @uop, up to what is realized, does not keep 0 and makes padding wrong, @uop itself included; NULL when padding what
 * it computes by zeros is right (ops.py:189 can_pad). */
FbUop *fb_grouper_unsafe_pad (FbGrouper *grouper, FbUop *uop);
/* Pairs every reduce of @sink with the node its kernel stores, or realizes it (schedule.py:140-190). FALSE with the error
 * set where the reference raises. */
gboolean fb_group_reduces (FbGrouper *grouper, FbUop *sink);
