/* Shapes of nodes (ops.py:287-324). */
#include "context-private.h"

#include <string.h>

/* MULTI: the shards laid side by side along the axis (ops.py:289). */
static const FbShapeTracker *
multi_st (FbContext *context, FbUop *uop)
{
  const FbTuple *arg = uop->arg.kind == FB_ARG_TUPLE ? uop->arg.tuple : NULL;
  const FbTuple *real = arg && arg->n == 2 && arg->items[1].kind == FB_ARG_TUPLE ? arg->items[1].tuple : NULL;
  const FbDims *first = NULL;
  gint64 axis = -1;
  FbSint total = fb_sint (0);
  FbSint *shape;

  if (!real || real->n < uop->n_src)
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop, "MULTI needs (axis, real) as its argument");
      return NULL;
    }
  if (fb_arg_is_integer (arg->items[0]) && arg->items[0].kind != FB_ARG_BIG)
    axis = arg->items[0].i;
  for (guint i = 0; i < uop->n_src; i++)
    {
      const FbDims *dims;

      if (!fb_arg_truth (real->items[i]))
        continue;
      dims = fb_uop_shape (context, uop->src[i]);
      if (!dims)
        return NULL;
      if (!first)
        {
          first = dims;
          if (axis >= dims->n)
            break;
        }
      if (axis >= 0 && axis < dims->n)
        total = fb_sint_add (context, total, dims->at[axis]);
    }
  if (!first)
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop, "MULTI has no real shard");
      return NULL;
    }
  shape = g_newa (FbSint, MAX (first->n, 1));
  for (guint i = 0; i < first->n; i++)
    shape[i] = (gint64) i == axis ? total : first->at[i];
  return fb_st_from_shape (context, fb_dims_new (context, first->n, shape));
}

static void
append_dims (GString *text, FbContext *context, const FbDims *dims)
{
  g_string_append_c (text, '(');
  for (guint i = 0; i < dims->n; i++)
    if (fb_sint_is_int (dims->at[i]))
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? ", " : "", fb_sint_int (dims->at[i]));
    else
      g_string_append (text, i ? ", ?" : "?");
  g_string_append_c (text, ')');
}

static const FbShapeTracker *
mismatch (FbContext *context, FbUop *uop, const FbDims *a, const FbDims *b)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_dims (text, context, a);
  g_string_append (text, " and ");
  append_dims (text, context, b);
  fb_context_fail (context, FB_ERROR_SHAPE, uop, "the sources of %s must have the same shape, not %s",
                   fb_op_name (uop->op), text->str);
  return NULL;
}

/* The last dimension counted in elements of the node's dtype (ops.py:303). */
static const FbDims *
bitcast_shape (FbContext *context, FbUop *uop, const FbDims *shape)
{
  int to = uop->dtype->itemsize, from = uop->src[0]->dtype->itemsize;
  FbSint *dims, last;

  if (to == from)
    return shape;
  if (shape->n == 0 || to == 0)
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop, "%s cannot change the element size of a scalar",
                       fb_op_name (uop->op));
      return NULL;
    }
  dims = g_newa (FbSint, shape->n);
  memcpy (dims, shape->at, sizeof (FbSint) * shape->n);
  last = fb_sint_mul (context, dims[shape->n - 1], fb_sint (from));
  dims[shape->n - 1] = fb_sint_floordiv (context, last, fb_sint (to));
  return fb_context_failed (context) ? NULL : fb_dims_new (context, shape->n, dims);
}

const FbDims *
fb_uop_axes (FbContext *context, const FbUop *uop)
{
  const FbTuple *arg = uop->arg.kind == FB_ARG_TUPLE ? uop->arg.tuple : NULL;
  guint at = uop->op == FB_OP_REDUCE_AXIS ? 1 : 7;

  if (!arg || arg->n <= at || arg->items[at].kind != FB_ARG_TUPLE)
    return NULL;
  return fb_tuple_to_dims (context, arg->items[at].tuple);
}

/* Everything that takes its shape from its sources. */
static const FbShapeTracker *
source_st (FbContext *context, FbUop *uop)
{
  const FbShapeTracker *first = NULL;
  const FbDims *shape, *axes;

  for (guint i = 0; i < uop->n_src; i++)
    {
      const FbShapeTracker *st = fb_uop_st (context, uop->src[i]);
      if (!st)
        {
          if (fb_context_failed (context))
            return NULL;
          continue;
        }
      if (!first)
        first = st;
      else if (st->shape != first->shape)
        return mismatch (context, uop, first->shape, st->shape);
    }
  if (!first)
    return &fb_st_none;
  shape = first->shape;
  switch (uop->op)
    {
    case FB_OP_BITCAST:
    case FB_OP_BUFFER_VIEW:
      if (!(shape = bitcast_shape (context, uop, shape)))
        return NULL;
      break;
    case FB_OP_REDUCE_AXIS:
    case FB_OP_WMMA:
      axes = fb_uop_axes (context, uop);
      if (!axes || !axes->all_int)
        {
          fb_context_fail (context, FB_ERROR_SHAPE, uop, "%s needs a tuple of axes as its argument",
                           fb_op_name (uop->op));
          return NULL;
        }
      return fb_st_reduced (context, first, axes);
    default:
      break;
    }
  return fb_st_from_shape (context, shape);
}

static const FbShapeTracker *
movement_st (FbContext *context, FbUop *uop)
{
  const FbShapeTracker *st = fb_uop_st (context, uop->src[0]);
  const FbDims *arg = NULL;

  if (uop->arg.kind == FB_ARG_TUPLE)
    arg = uop->arg.tuple->dims ? uop->arg.tuple->dims : fb_tuple_to_dims (context, uop->arg.tuple);
  if (!st)
    {
      fb_context_fail (context, FB_ERROR_SHAPELESS, uop, "%s of %s, which has no shape", fb_op_name (uop->op),
                       fb_op_name (uop->src[0]->op));
      return NULL;
    }
  if (!arg)
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop, "%s needs a tuple of sizes as its argument", fb_op_name (uop->op));
      return NULL;
    }
  return fb_st_movement (context, st, uop->op, arg);
}

static const FbShapeTracker *
buffer_st (FbContext *context, FbUop *uop)
{
  const guint place = (guint) (uop->arg.i ^ uop->arg.i >> 6) % G_N_ELEMENTS (context->kept.buffers);
  const FbShapeTracker *st;
  FbSint size;

  if (uop->arg.kind != FB_ARG_INT || uop->arg.i < 0 || uop->arg.i >= (G_GINT64_CONSTANT (1) << 61))
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop, "the size of a BUFFER must be a number of elements");
      return NULL;
    }
  if (context->kept.buffers[place].st && context->kept.buffers[place].size == uop->arg.i)
    return context->kept.buffers[place].st;
  size = fb_sint (uop->arg.i);
  st = fb_st_from_shape (context, fb_dims_new (context, 1, &size));
  context->kept.buffers[place].size = uop->arg.i;
  context->kept.buffers[place].st = st;
  return st;
}

/* The sources' memos are filled, or the node does not need them. */
static const FbShapeTracker *
compute_st (FbContext *context, FbUop *uop)
{
  switch (uop->op)
    {
    case FB_OP_MULTI:
      return multi_st (context, uop);
    case FB_OP_BUFFER:
      return buffer_st (context, uop);
    case FB_OP_KERNEL:
      {
        const FbDims *shape = uop->arg.kind == FB_ARG_KERNEL ? fb_uop_shape (context, uop->arg.kernel->ast) : NULL;
        if (!shape)
          {
            fb_context_fail (context, FB_ERROR_SHAPELESS, uop, "a KERNEL without an AST that has a shape");
            return NULL;
          }
        return fb_st_from_shape (context, shape);
      }
    case FB_OP_VIEW:
      if (uop->arg.kind == FB_ARG_ST)
        return uop->arg.st;
      fb_context_fail (context, FB_ERROR_SHAPE, uop, "the argument of a VIEW must be a ShapeTracker");
      return NULL;
    default:
      break;
    }
  if (fb_op_in (uop->op, FB_OPS_MOVEMENT) && uop->n_src)
    return movement_st (context, uop);
  if (fb_op_in (uop->op, FB_OPS_BUFFER))
    {
      for (guint i = 0; i < uop->n_src; i++)
        if (uop->src[i]->op == FB_OP_VIEW)
          return fb_uop_st (context, uop->src[i]);
      return &fb_st_none;
    }
  return source_st (context, uop);
}

/* The next source whose memo is still empty and is needed first, or NULL. */
static FbUop *
missing_source (FbUop *uop)
{
  if (uop->op == FB_OP_BUFFER || uop->op == FB_OP_VIEW)
    return NULL;
  if (uop->op == FB_OP_KERNEL)
    return uop->arg.kind == FB_ARG_KERNEL && !uop->arg.kernel->ast->st ? uop->arg.kernel->ast : NULL;
  for (guint i = 0; i < uop->n_src; i++)
    if (!uop->src[i]->st)
      return uop->src[i];
  return NULL;
}

/* Ops whose nodes have the shape of their sources. */
#define ELEMENTWISE                                                                                  \
  (FB_OPS_ALL                                                                                        \
   & ~(FB_OPS_MOVEMENT | FB_OPS_BUFFER | FB_OP_BIT (MULTI) | FB_OP_BIT (BUFFER) | FB_OP_BIT (KERNEL) \
       | FB_OP_BIT (VIEW) | FB_OP_BIT (BITCAST) | FB_OP_BIT (BUFFER_VIEW) | FB_OP_BIT (REDUCE_AXIS)  \
       | FB_OP_BIT (WMMA)))

/* The commonest case, when everything is at hand: NULL otherwise, with the first source that is to be asked first in @missing if
 * there is one. */
static inline const FbShapeTracker *
elementwise_st (const FbUop *uop, FbUop **missing)
{
  const FbDims *shape = NULL;
  gboolean differ = FALSE;

  for (guint i = 0; i < uop->n_src; i++)
    {
      const FbShapeTracker *st = uop->src[i]->st;

      if (!st)
        {
          *missing = uop->src[i];
          return NULL;
        }
      if (st == &fb_st_none)
        continue;
      differ |= shape && st->shape != shape;
      shape = st->shape;
    }
  if (differ)
    return NULL;
  return shape ? shape->st : &fb_st_none;
}

/* The tracker of @root, of whose sources' one at least is missing. FALSE on error. */
static gboolean
fill_in (FbContext *context, FbUop *root)
{
  FbNodeList *stack = fb_node_list_acquire (context);
  FbUop *uop = root;

  for (;;)
    {
      const FbShapeTracker *st = NULL;
      FbUop *source = NULL;

      if (fb_op_in (uop->op, ELEMENTWISE))
        st = elementwise_st (uop, &source);
      else
        source = missing_source (uop);
      if (source)
        {
          fb_node_list_add (stack, uop);
          uop = source;
          continue;
        }
      uop->st = st ? st : compute_st (fb_context_owner (context, uop), uop);
      if (!uop->st || stack->n == 0)
        break;
      uop = stack->at[--stack->n];
    }
  fb_node_list_release (context, stack);
  if (!uop->st)
    {
      FbContext *owner = fb_context_owner (context, uop);
      if (owner != context && owner->error)
        {
          fb_context_fail (context, (FbError) owner->error->code, owner->error_uop, "%s", owner->error->message);
          g_clear_error (&owner->error);
        }
    }
  return uop->st != NULL;
}

const FbShapeTracker *
fb_uop_st_slow (FbContext *context, FbUop *uop)
{
  FbUop *missing = NULL;

  if (context->error)
    return NULL;
  if (G_UNLIKELY (uop->id < context->first_id))
    fill_in (context, uop);
  else if (fb_op_in (uop->op, FB_OPS_MOVEMENT) && uop->n_src && uop->src[0]->st)
    return uop->st = movement_st (context, uop);
  else if (fb_op_in (uop->op, ELEMENTWISE) && (uop->st = elementwise_st (uop, &missing)))
    ;
  else if (missing || missing_source (uop))
    fill_in (context, uop);
  else
    uop->st = compute_st (context, uop);
  return uop->st == &fb_st_none ? NULL : uop->st;
}

const FbDims *
fb_uop_shape (FbContext *context, FbUop *uop)
{
  const FbShapeTracker *st = fb_uop_st (context, uop);

  if (!st)
    fb_context_fail (context, FB_ERROR_SHAPELESS, uop, "%s has no shape", fb_op_name (uop->op));
  return st ? st->shape : NULL;
}

gint64
fb_uop_size (FbContext *context, FbUop *uop)
{
  const FbShapeTracker *st;

  if (uop->op == FB_OP_BUFFER && uop->arg.kind == FB_ARG_INT)
    return uop->arg.i;
  st = fb_uop_st (context, uop);
  if (!st)
    {
      fb_context_fail (context, FB_ERROR_SHAPELESS, uop, "%s has no size", fb_op_name (uop->op));
      return -1;
    }
  return fb_st_size (context, st);
}
