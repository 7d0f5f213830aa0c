/* Grouping: every reduce is paired with the one node its kernel stores, or realized on its own (schedule.py:114-190). */
#include "core/ir/context-private.h"
#include "grouper.h"

typedef struct
{
  FbUop *uop;
  const FbShapeTracker *st; /* of uop as seen from the reduce */
} Visit;

typedef struct
{
  Visit visit;
  guint next; /* user to look at next */
} Frame;

/* What a node was visited with before, a list; mostly of one. */
typedef struct
{
  const FbShapeTracker *st;
  guint next; /* position + 1, 0 at the end */
} Seen;

typedef struct
{
  FbGrouper *grouper;
  FbNodeMap *reduce_for_op; /* the reduce that a node's kernel holds */
  FbUopDict *group;         /* of the reduce being looked at */
  FbDecision cause;         /* why it has no store: the first reason found */
  Frame *stack;             /* there is a search for every reduce, so the memory is kept */
  Seen *seen;
  guint n_stack, stack_allocated, n_seen, seen_allocated;
} Grouping;

#define FIRST_ROOM 32

/* FALSE when it was met before; @first: by node, the position + 1 of its first Seen. */
static inline gboolean
visit_once (Grouping *g, FbNodeMap *first, Visit visit)
{
  guint before = (guint) fb_node_map_get (first, visit.uop);

  for (guint at = before; at; at = g->seen[at - 1].next)
    if (g->seen[at - 1].st == visit.st)
      return FALSE;
  if (G_UNLIKELY (g->n_seen == g->seen_allocated))
    g->seen
        = fb_arena_grow_array (&g->grouper->context->arena, g->seen, sizeof *g->seen, &g->seen_allocated, FIRST_ROOM);
  g->seen[g->n_seen++] = (Seen){ visit.st, before };
  fb_node_map_set (first, visit.uop, g->n_seen);
  return TRUE;
}

/* The one ShapeTracker through which @user reads @base (by ==, or `is`); NULL when there are several. */
static inline const FbShapeTracker *
only_view (FbContext *context, FbUop *user, const FbUop *base)
{
  const FbShapeTracker *only = NULL;

  for (guint i = 0; i < user->n_src; i++)
    {
      FbUop *s = user->src[i];
      const FbShapeTracker *st;

      if (s->base != base)
        continue;
      st = fb_uop_st (context, s);
      if (!st)
        {
          fb_context_fail (context, FB_ERROR_SHAPELESS, user, "%s reads %s, which has no shape", fb_op_name (user->op),
                           fb_op_name (base->op));
          return NULL;
        }
      if (only && st != only)
        return NULL;
      only = st;
    }
  return only;
}

static inline void
push (Grouping *g, FbUop *uop, const FbShapeTracker *st)
{
  if (G_UNLIKELY (g->n_stack == g->stack_allocated))
    g->stack = fb_arena_grow_array (&g->grouper->context->arena, g->stack, sizeof *g->stack, &g->stack_allocated,
                                    FIRST_ROOM);
  g->stack[g->n_stack++] = (Frame){ { uop, st }, 0 };
}

/* The reduce is on its own. */
static void
set_alone (Grouping *g, FbUop *r, FbReason reason, FbUop *other, gint64 a, gint64 b)
{
  fb_uop_dict_set (g->group, r, r);
  if (!g->cause.node)
    g->cause = (FbDecision){ .node = r, .because = r, .other = other, .a = a, .b = b, .reason = (guint8) reason };
}

/* A node that is stored was met on the way down: is it a store for the reduce? */
static void
meet_stored (Grouping *g, FbUop *r, FbUop *uop, const FbShapeTracker *st, gint64 size)
{
  gint64 seen = fb_st_size (g->grouper->context, st);

  if (!st->contiguous)
    set_alone (g, r, FB_REASON_REDUCE_NOT_CONTIGUOUS, uop, 0, 0);
  else if (seen != size)
    set_alone (g, r, FB_REASON_REDUCE_SIZE, uop, seen, size);
  else if (fb_node_map_get (g->reduce_for_op, uop))
    set_alone (g, r, FB_REASON_REDUCE_TAKEN, uop, 0, 0);
  fb_uop_dict_set (g->group, uop, uop);
}

/* The search of search(); @first as in visit_once(). */
static void
search_users (Grouping *g, FbUop *r, const FbShapeTracker *r_st, FbNodeMap *first)
{
  FbGrouper *grouper = g->grouper;
  FbContext *context = grouper->context;
  const FbNodeMap *realizes = fb_uop_dict_marks (grouper->realizes);
  gint64 size = fb_st_size (context, r_st);

  g->n_stack = g->n_seen = 0;
  push (g, r, r_st);
  while (g->n_stack && !context->error)
    {
      Frame *top = &g->stack[g->n_stack - 1];
      FbUop *uop = top->visit.uop, *user;
      const FbShapeTracker *st = top->visit.st;
      const FbUsers *users;

      if (top->next == 0)
        {
          if (!visit_once (g, first, top->visit))
            {
              g->n_stack--;
              continue;
            }
          if (uop != r && fb_node_map_get (realizes, uop))
            {
              meet_stored (g, r, uop, st, size);
              g->n_stack--;
              continue;
            }
        }
      users = fb_grouper_users (grouper, uop);
      if (top->next >= users->n)
        {
          g->n_stack--;
          continue;
        }
      user = users->users[top->next++];
      st = user->op == FB_OP_REDUCE_AXIS ? NULL : only_view (context, user, uop);
      if (context->error)
        return;
      if (!st)
        { /* a second reduce, or read in two ways: r is on its own, and this node is left */
          set_alone (g, r, user->op == FB_OP_REDUCE_AXIS ? FB_REASON_REDUCE_DOWNSTREAM : FB_REASON_REDUCE_VIEWS, user,
                     0, 0);
          g->n_stack--;
          continue;
        }
      if ((st = fb_st_add (context, top->visit.st, st)))
        push (g, user, st);
    }
}

/* Looks down from reduce @r for the nodes it can be stored as, into the group; adds @r itself where it cannot. */
static void
search (Grouping *g, FbUop *r)
{
  FbContext *context = g->grouper->context;
  const FbShapeTracker *st = fb_uop_st (context, r);
  FbNodeMap *first;

  if (!st)
    return;
  first = fb_node_map_acquire (context);
  search_users (g, r, st, first);
  fb_node_map_release (context, first);
}

static gboolean
any_in_map (FbUopDict *dict, const FbNodeMap *map)
{
  guint at = 0;

  for (FbUop *uop; (uop = fb_uop_dict_next (dict, &at));)
    if (fb_node_map_get (map, uop))
      return TRUE;
  return FALSE;
}

static gboolean
has_assign (FbUopDict *dict)
{
  guint at = 0;

  for (FbUop *uop; (uop = fb_uop_dict_next (dict, &at));)
    if (uop->op == FB_OP_ASSIGN)
      return TRUE;
  return FALSE;
}

/* The ASSIGN to a buffer that the kernel of @group reads but does not itself assign to (schedule.py:156-162), or NULL. */
static FbUop *
other_assign (Grouping *g, FbUop *r, FbUopDict *group)
{
  FbNodeList *parents = fb_node_list_acquire (g->grouper->context);
  FbNodeMap *seen = fb_node_map_acquire (g->grouper->context);
  FbUop *found = NULL;
  guint at = 0;

  fb_node_list_add (parents, r);
  for (FbUop *uop; (uop = fb_uop_dict_next (group, &at));)
    fb_node_list_add (parents, uop);
  while (parents->n && !found)
    {
      FbUop *p = parents->at[--parents->n]->base;
      FbUop *assign = (FbUop *) fb_node_map_get (g->grouper->assigns, p);

      if (fb_node_map_get (seen, p))
        continue;
      fb_node_map_set (seen, p, 1);
      if (assign && !fb_uop_dict_has (group, assign))
        found = assign;
      if (!fb_uop_dict_has (g->grouper->realizes, p))
        for (guint i = 0; i < p->n_src; i++)
          fb_node_list_add (parents, p->src[i]);
    }
  fb_node_map_release (g->grouper->context, seen);
  fb_node_list_release (g->grouper->context, parents);
  return found;
}

/* Down from the reduce along single contiguous users (schedule.py:167-175); why it went no further into @decision. */
static FbUop *
chase (Grouping *g, FbUop *r, FbDecision *decision)
{
  FbContext *context = g->grouper->context;
  const FbShapeTracker *st = fb_uop_st (context, r), *view;
  FbUop *tr = r;

  decision->stop = FB_STOP_USERS;
  while (st && fb_grouper_users (g->grouper, tr)->n == 1)
    {
      FbUop *next = fb_grouper_users (g->grouper, tr)->users[0];

      if (!(view = only_view (context, next, tr)))
        decision->stop = FB_STOP_VIEWS;
      else if (fb_st_size (context, st) != fb_st_size (context, view))
        decision->stop = FB_STOP_SIZE;
      else if (!(st = fb_st_add (context, st, view)) || !st->contiguous)
        decision->stop = FB_STOP_NOT_CONTIGUOUS;
      else if (next->op == FB_OP_REDUCE_AXIS)
        decision->stop = FB_STOP_REDUCE;
      if (decision->stop != FB_STOP_USERS)
        break;
      tr = next;
    }
  decision->c = fb_grouper_users (g->grouper, tr)->n;
  /* a cast to a wider type is done after the store */
  if (tr->op == FB_OP_CAST && tr->dtype->itemsize > tr->src[0]->dtype->itemsize)
    {
      tr = tr->src[0]->base;
      decision->stop = FB_STOP_CAST;
    }
  return tr;
}

static gboolean
remove_realize (FbGrouper *grouper, FbUop *uop, FbReason reason, FbUop *because)
{
  if (fb_uop_dict_has (grouper->realizes, uop))
    {
      fb_grouper_decide (
          grouper,
          &(FbDecision){ .node = uop, .kind = FB_DECISION_UNREALIZE, .reason = (guint8) reason, .because = because });
      return TRUE;
    }
  fb_context_fail (grouper->context, FB_ERROR_UNSUPPORTED, uop,
                   "%s was to be fused into its users but had not been realized", fb_op_name (uop->op));
  return FALSE;
}

/* Realizes @r, or the node that the chase after it ends at, which becomes its group. FALSE on error. */
static gboolean
realize_reduce (Grouping *g, FbUop *r, gboolean can_chase)
{
  FbDecision decision = g->cause;

  decision.node = can_chase ? chase (g, r, &decision) : r;
  if (fb_context_failed (g->grouper->context))
    return FALSE;
  fb_uop_dict_clear (g->group);
  fb_uop_dict_set (g->group, decision.node, decision.node);
  decision.kind = FB_DECISION_REALIZE;
  if (fb_grouper_forced (g->grouper, decision.node, FB_FORCED_FUSE)
      && !fb_uop_dict_has (g->grouper->realizes, decision.node))
    decision
        = (FbDecision){ .node = decision.node, .kind = FB_DECISION_KEEP, .reason = FB_REASON_FORCED, .because = r };
  fb_grouper_decide (g->grouper, &decision);
  if (decision.node != r)
    fb_grouper_decide (g->grouper, &(FbDecision){ .node = r,
                                                  .kind = FB_DECISION_KEEP,
                                                  .reason = FB_REASON_GROUPED,
                                                  .other = decision.node,
                                                  .stop = decision.stop,
                                                  .c = decision.c });
  return TRUE;
}

/* The node that r is stored as, or r; recorded for all of its group. */
static gboolean
group_reduce (Grouping *g, FbUop *r)
{
  FbGrouper *grouper = g->grouper;
  FbContext *context = grouper->context;
  FbUopDict *group = g->group;
  gboolean can_chase;
  guint at = 0, n_users = 0;
  FbUop *tr;

  fb_uop_dict_clear (group);
  g->cause = (FbDecision){ 0 };
  search (g, r);
  if (fb_context_failed (context))
    return FALSE;
  can_chase = !any_in_map (group, g->reduce_for_op);
  if (!g->cause.node && fb_uop_dict_size (group) > 1)
    {
      guint n = fb_uop_dict_size (group);

      fb_uop_dict_next (group, &at);
      set_alone (g, r, FB_REASON_REDUCE_OUTPUTS, fb_uop_dict_next (group, &at), n, 0);
    }
  if (!g->cause.node && has_assign (group) && (tr = other_assign (g, r, group)))
    {
      can_chase = FALSE;
      set_alone (g, r, FB_REASON_REDUCE_ASSIGN, tr, 0, 0);
    }
  if (fb_uop_dict_size (group) == 0)
    set_alone (g, r, FB_REASON_REDUCE_NO_STORE, NULL, 0, 0);
  if (g->cause.node)
    {
      if (!realize_reduce (g, r, can_chase))
        return FALSE;
    }
  else
    {
      at = 0;
      fb_grouper_decide (grouper, &(FbDecision){ .node = r,
                                                 .kind = FB_DECISION_KEEP,
                                                 .reason = FB_REASON_GROUPED,
                                                 .other = fb_uop_dict_next (group, &at) });
    }
  at = 0;
  while ((tr = fb_uop_dict_next (group, &at)))
    {
      fb_node_map_set (g->reduce_for_op, tr, (guintptr) r);
      n_users += fb_grouper_users (grouper, tr)->n;
    }
  if (context->options.fuse_arange && n_users && fb_uop_reduce_op (r) == FB_OP_ADD
      && r->src[0]->base->op == FB_OP_CONST)
    for (at = 0; (tr = fb_uop_dict_next (group, &at));)
      if (!remove_realize (grouper, tr, FB_REASON_FUSE_ARANGE, r))
        return FALSE;
  return TRUE;
}

gboolean
fb_group_reduces (FbGrouper *grouper, FbUop *sink)
{
  FbContext *context = grouper->context;
  const FbNodeMap *realizes = fb_uop_dict_marks (grouper->realizes);
  FbNodeList *order = fb_uop_order (context, sink), *doubles = fb_node_list_acquire (context);
  Grouping g = { grouper };
  gboolean ok = TRUE;

  for (guint i = 0; i < order->n && ok; i++)
    {
      FbUop *r = order->at[i];

      if (r->op != FB_OP_REDUCE_AXIS)
        continue;
      if (context->options.fuse_conv_bw && r->src[0]->base->op == FB_OP_REDUCE_AXIS && r->src[0] != r->src[0]->base)
        fb_node_list_add (doubles, r);
      if (fb_node_map_get (realizes, r))
        continue;
      if (!g.group)
        {
          g.reduce_for_op = fb_node_map_acquire (context);
          g.group = fb_uop_dict_new (context);
        }
      ok = group_reduce (&g, r);
    }
  for (guint i = 0; i < doubles->n && ok; i++)
    {
      FbUop *top = doubles->at[i]->src[0]->base;
      if (fb_grouper_users (grouper, top)->n == 1)
        ok = remove_realize (grouper, top, FB_REASON_FUSE_CONV_BW, doubles->at[i]);
    }
  if (g.group)
    {
      fb_node_map_release (context, g.reduce_for_op);
      fb_uop_dict_free (g.group);
    }
  fb_node_list_release (context, order);
  fb_node_list_release (context, doubles);
  return ok && !context->error;
}
