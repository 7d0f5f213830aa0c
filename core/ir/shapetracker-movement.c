/* ShapeTrackers: the movement ops (shapetracker.py:130-143), each result remembered where the next will ask for it. */
#include "view-private.h"

/* What a tracker was moved to, where that is asked for again and again: a few different moves, after the first. */
struct _FbShapeTrackerMoves
{
  guint n;
  struct
  {
    FbOp op;
    const FbDims *arg;
    const FbShapeTracker *result;
  } at[3];
};

static const FbShapeTracker *
remembered (const FbShapeTracker *st, FbOp op, const FbDims *arg)
{
  const FbShapeTrackerMoves *moves = st->moves;

  if (st->moved_dims == arg && st->moved_by == op)
    return st->moved_to;
  for (guint i = 0; moves && i < moves->n; i++)
    if (moves->at[i].arg == arg && moves->at[i].op == op)
      return moves->at[i].result;
  return NULL;
}

/* The latest move by @arg. */
static const FbShapeTracker *
keep_move (const FbShapeTracker *st, FbOp op, const FbDims *arg, const FbShapeTracker *result)
{
  FbDims *dims = (FbDims *) arg;

  dims->moved = st;
  dims->moved_by = (guint8) op;
  dims->moved_to = result;
  return result;
}

/* FALSE when there is no room. */
static gboolean
remember (FbContext *context, const FbShapeTracker *st, FbOp op, const FbDims *arg, const FbShapeTracker *result)
{
  FbShapeTrackerMoves *moves = st->moves;

  if (!st->moved_dims)
    {
      FbShapeTracker *own = (FbShapeTracker *) st;
      own->moved_dims = arg;
      own->moved_by = (guint8) op;
      own->moved_to = result;
      return TRUE;
    }
  if (!moves)
    {
      ((FbShapeTracker *) st)->moves = moves = fb_arena_alloc (&context->kept.arena, sizeof *moves);
      moves->n = 0;
    }
  if (moves->n == G_N_ELEMENTS (moves->at))
    return FALSE;
  moves->at[moves->n].op = op;
  moves->at[moves->n].arg = arg;
  moves->at[moves->n++].result = result;
  return TRUE;
}

const FbShapeTracker *
fb_st_movement (FbContext *context, const FbShapeTracker *st, FbOp op, const FbDims *arg)
{
  const FbView *last = st->views[st->n - 1], *moved = NULL;
  const FbMemo memo = fb_memo_kind (context, FB_MEMO_ST_MOVEMENT + op, st->all_int && arg->all_int);
  const gboolean at_hand = st_is_at_hand (context, st->all_int && arg->all_int);
  const FbShapeTracker *result;
  const void *known;

  if (op == FB_OP_RESHAPE && context->options.merge_view)
    {
      if (last->shape == arg)
        return st;
      if (st->contiguous && arg->prod == last->shape->prod && arg->prod >= 0)
        return fb_st_from_shape (context, arg);
    }
  if (!fb_op_in (op, FB_OPS_MOVEMENT))
    {
      fb_context_fail (context, FB_ERROR_UNSUPPORTED, NULL, "%s moves nothing", fb_op_name (op));
      return NULL;
    }
  if (at_hand && arg->moved == st && arg->moved_by == op)
    return arg->moved_to;
  if (at_hand && (result = remembered (st, op, arg)))
    return keep_move (st, op, arg, result);
  if ((!at_hand || (st->moves && st->moves->n == G_N_ELEMENTS (st->moves->at)))
      && fb_memo_get (context, memo, st, arg, &known))
    return at_hand ? keep_move (st, op, arg, known) : known;

  if (op != FB_OP_RESHAPE || context->options.merge_view)
    moved = st->n == 1 ? fb_view_movement (context, last, op, arg) : fb_view_moved (context, last, op, arg);
  if (moved)
    result = fb_st_with_last_view (context, st, 1, moved);
  else
    result = context->error ? NULL : fb_st_with_last_view (context, st, 0, fb_view_row_major (context, arg));
  if (context->error)
    return NULL;
  if (!at_hand || !remember (context, st, op, arg, result))
    fb_memo_put (context, memo, st, arg, result);
  return at_hand ? keep_move (st, op, arg, result) : result;
}

const FbShapeTracker *
fb_st_reduced (FbContext *context, const FbShapeTracker *st, const FbDims *axes)
{
  const gboolean at_hand = st_is_at_hand (context, st->all_int);
  const FbShapeTracker *result;

  if (at_hand && axes->moved == st && axes->moved_by == FB_OP_REDUCE_AXIS)
    return axes->moved_to;

  FB_SCRATCH (gint64, at, axes->n);
  for (guint i = 0; i < axes->n; i++)
    at[i] = fb_sint_int (axes->at[i]);
  result = fb_st_from_shape (context, fb_st_reduce (context, st, axes->n, at));
  return at_hand && result ? keep_move (st, FB_OP_REDUCE_AXIS, axes, result) : result;
}

const FbShapeTracker *
fb_st_pad (FbContext *context, const FbShapeTracker *st, const FbDims *arg)
{
  return fb_st_movement (context, st, FB_OP_PAD, arg);
}

const FbShapeTracker *
fb_st_shrink (FbContext *context, const FbShapeTracker *st, const FbDims *arg)
{
  return fb_st_movement (context, st, FB_OP_SHRINK, arg);
}

const FbShapeTracker *
fb_st_expand (FbContext *context, const FbShapeTracker *st, const FbDims *shape)
{
  return fb_st_movement (context, st, FB_OP_EXPAND, shape);
}

const FbShapeTracker *
fb_st_permute (FbContext *context, const FbShapeTracker *st, const FbDims *axes)
{
  return fb_st_movement (context, st, FB_OP_PERMUTE, axes);
}

const FbShapeTracker *
fb_st_flip (FbContext *context, const FbShapeTracker *st, const FbDims *arg)
{
  return fb_st_movement (context, st, FB_OP_FLIP, arg);
}

const FbShapeTracker *
fb_st_reshape (FbContext *context, const FbShapeTracker *st, const FbDims *shape)
{
  return fb_st_movement (context, st, FB_OP_RESHAPE, shape);
}
