#include "grouper.h"

#include "core/ir/context-private.h"

FbGrouper *
fb_grouper_new (FbContext *context)
{
  FbGrouper *grouper = fb_arena_alloc (&context->arena, sizeof *grouper);

  *grouper = (FbGrouper){ .context = context };
  grouper->realizes = fb_uop_dict_new (context);
  grouper->users = fb_node_map_acquire (context);
  grouper->assigns = fb_node_map_acquire (context);
  grouper->ledger = fb_ledger_new (context);
  return grouper;
}

static void
force (FbGrouper *grouper, const FbNodeList *order, const guint32 *places, guint n, int what)
{
  for (guint i = 0; i < n; i++)
    if (places[i] < order->n)
      fb_node_map_set (grouper->forced, order->at[places[i]], (guintptr) what);
}

void
fb_grouper_force (FbGrouper *grouper, FbUop *sink, const FbForced *forced)
{
  FbNodeList *order = fb_uop_order (grouper->context, sink);

  grouper->forced = fb_node_map_acquire (grouper->context);
  force (grouper, order, forced->realize, forced->n_realize, FB_FORCED_REALIZE);
  force (grouper, order, forced->fuse, forced->n_fuse, FB_FORCED_FUSE);
  fb_node_list_release (grouper->context, order);
}

gboolean
fb_grouper_forced (const FbGrouper *grouper, const FbUop *uop, int what)
{
  return G_UNLIKELY (grouper->forced) && (int) fb_node_map_get (grouper->forced, uop) == what;
}

void
fb_grouper_decide (FbGrouper *grouper, const FbDecision *decision)
{
  FbDecision entry = *decision;

  if (entry.kind == FB_DECISION_REALIZE)
    {
      entry.changed = !fb_uop_dict_has (grouper->realizes, entry.node);
      fb_uop_dict_set (grouper->realizes, entry.node, entry.node);
    }
  else if (entry.kind == FB_DECISION_UNREALIZE)
    entry.changed = fb_uop_dict_remove (grouper->realizes, entry.node);
  fb_ledger_add (grouper->context, grouper->ledger, &entry);
}

void
fb_grouper_free (FbGrouper *grouper)
{
  if (!grouper)
    return;
  fb_uop_dict_free (grouper->realizes);
  fb_node_map_release (grouper->context, grouper->users);
  fb_node_map_release (grouper->context, grouper->assigns);
  if (grouper->forced)
    fb_node_map_release (grouper->context, grouper->forced);
}

static void
add_user (FbGrouper *grouper, FbUsers *users, FbUop *user)
{
  /* a user is met once with all its sources, so a repeat is the last one */
  if (users->n && users->users[users->n - 1] == user)
    return;
  if (users->n == users->allocated)
    users->users = fb_arena_grow_array (&grouper->context->arena, users->users, sizeof (FbUop *), &users->allocated, 4);
  users->users[users->n++] = user;
}

/* Makes room for the users of @base, of which there are none yet. */
static FbUsers *
begin_users (FbGrouper *grouper, const FbUop *base)
{
  FbUsers *users = fb_arena_alloc (&grouper->context->arena, sizeof *users);

  *users = (FbUsers){ 0 };
  fb_node_map_set (grouper->users, base, (guintptr) users);
  return users;
}

/* Only reduces, and what is computed from them, are asked for their users: the others are passed over. */
static void
note_users (FbGrouper *grouper)
{
  FbNodeList *order = fb_uop_order (grouper->context, grouper->unnoted);

  grouper->unnoted = NULL;
  for (guint i = 0; i < order->n; i++)
    {
      FbUop *user = order->at[i];
      gboolean from_reduce = user->op == FB_OP_REDUCE_AXIS;

      if (fb_op_in (user->op, FB_OP_BIT (SINK) | FB_OP_BIT (VIEW)))
        continue;
      for (guint k = 0; k < user->n_src; k++)
        {
          FbUsers *users = (FbUsers *) fb_node_map_get (grouper->users, user->src[k]->base);

          if (!users)
            continue;
          add_user (grouper, users, user);
          from_reduce = TRUE;
        }
      if (from_reduce)
        begin_users (grouper, user);
    }
  fb_node_list_release (grouper->context, order);
}

const FbUsers *
fb_grouper_users (FbGrouper *grouper, const FbUop *uop)
{
  static const FbUsers none;
  const FbUsers *users;

  if (G_UNLIKELY (grouper->unnoted))
    note_users (grouper);
  users = (const FbUsers *) fb_node_map_get (grouper->users, uop);
  return users ? users : &none;
}

void
fb_grouper_add_user (FbGrouper *grouper, FbUop *user)
{
  for (guint i = 0; i < user->n_src; i++)
    {
      const FbUop *base = user->src[i]->base;
      FbUsers *users = (FbUsers *) fb_node_map_get (grouper->users, base);

      add_user (grouper, users ? users : begin_users (grouper, base), user);
    }
}

FbUop *
fb_grouper_unsafe_pad (FbGrouper *grouper, FbUop *root)
{
  FbNodeMap *seen;
  FbNodeList *stack;
  FbUop *unsafe = NULL;

  if (fb_op_in (root->op, FB_OPS_UNSAFE_PAD))
    return root;
  if (fb_uop_dict_has (grouper->realizes, root))
    return NULL;
  seen = fb_node_map_acquire (grouper->context);
  stack = fb_node_list_acquire (grouper->context);
  fb_node_list_add (stack, root);
  fb_node_map_set (seen, root, 1);
  while (stack->n && !unsafe)
    {
      FbUop *uop = stack->at[--stack->n];
      for (guint i = 0; i < uop->n_src; i++)
        {
          FbUop *s = uop->src[i]->base;
          if (fb_op_in (s->op, FB_OPS_UNSAFE_PAD))
            {
              unsafe = s;
              break;
            }
          if (fb_node_map_get (seen, s) || fb_uop_dict_has (grouper->realizes, s))
            continue;
          fb_node_map_set (seen, s, 1);
          fb_node_list_add (stack, s);
        }
    }
  fb_node_map_release (grouper->context, seen);
  fb_node_list_release (grouper->context, stack);
  return unsafe;
}
