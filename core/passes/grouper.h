/* What deciding on realizes needs to know of the tensor graph (GrouperContext, schedule.py:86). */
#pragma once

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
  struct _FbNodeMap *assigns; /* of a buffer: the ASSIGN to it */
} FbGrouper;

FbGrouper *fb_grouper_new (FbContext *context);
void fb_grouper_free (FbGrouper *grouper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbGrouper, fb_grouper_free)
/* Never NULL; n is 0 for a node without users. */
const FbUsers *fb_grouper_users (const FbGrouper *grouper, const FbUop *uop);
void fb_grouper_add_user (FbGrouper *grouper, FbUop *base, FbUop *user);

/* Would padding what @uop computes by zeros be wrong, because something below it, up to what is realized, does not keep 0
 * (ops.py:189 can_pad, negated)? */
gboolean fb_grouper_unsafe_pad (FbGrouper *grouper, FbUop *uop);
/* Pairs every reduce of @sink with the node its kernel stores, or realizes it (schedule.py:140-190). FALSE with the error
 * set where the reference raises. */
gboolean fb_group_reduces (FbGrouper *grouper, FbUop *sink);
