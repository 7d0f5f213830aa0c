/* Nodes as the reference's operators build them (ops.py:357-540). */
#include "context-private.h"
#include "number.h"

#include <string.h>

FbUop *
fb_const (FbContext *context, const FbDType *dtype, FbArg value)
{
  FbArg arg;

  if (value.kind == FB_ARG_TUPLE && value.tuple->n)
    { /* lanes that are all the same need no vector (ops.py:386) */
      gboolean same = TRUE;
      for (guint i = 0; i < value.tuple->n && same; i++) /* from 0 on: a NaN is not the same as itself */
        same = fb_num_eq (value.tuple->items[i], value.tuple->items[0]);
      if (same)
        value = value.tuple->items[0];
    }
  arg = fb_num_as_const (context, value, dtype);
  return fb_uop_new (context, value.kind == FB_ARG_TUPLE ? FB_OP_VCONST : FB_OP_CONST, dtype, 0, NULL, arg);
}

FbUop *
fb_const_int (FbContext *context, const FbDType *dtype, gint64 value)
{
  if (dtype == FB_DTYPE (INT32))
    return fb_uop_new (context, FB_OP_CONST, dtype, 0, NULL, fb_arg_int (value));
  return fb_const (context, dtype, fb_arg_int (value));
}

static const FbDims *
ones (FbContext *context, guint n)
{
  FbSint *items = g_newa (FbSint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    items[i] = fb_sint (1);
  return fb_dims_new (context, n, items);
}

/* A DEVICE of the same name: mostly @device itself. */
static FbUop *
bare_device (FbContext *context, FbUop *device)
{
  if (device->dtype == FB_DTYPE (VOID) && device->n_src == 0)
    return device;
  return fb_uop_new (context, FB_OP_DEVICE, FB_DTYPE (VOID), 0, NULL, device->arg);
}

/* A constant on a device: CONST(VIEW(DEVICE)), reshaped and expanded (ops.py:478). The value passes through a constant
 * without sources, whose first created equal prints: hence the lookup. */
static FbUop *
device_const (FbContext *context, const FbDims *shape, const FbDType *dtype, FbUop *device, FbArg value)
{
  FbArg arg = fb_num_as_const (context, value, dtype);
  FbUop *bare = fb_uop_lookup (context, FB_OP_CONST, dtype, 0, NULL, arg);
  FbUop *node = bare_device (context, device);
  const FbShapeTracker *scalar = fb_st_from_shape (context, fb_dims_new (context, 0, NULL));

  if (fb_context_failed (context))
    return NULL;
  node = fb_uop_new (context, FB_OP_VIEW, FB_DTYPE (VOID), 1, &node, fb_arg_st (scalar));
  node = fb_uop_new (context, FB_OP_CONST, dtype, 1, &node, bare ? bare->arg : arg);
  node = fb_movement (context, FB_OP_RESHAPE, node, ones (context, shape->n));
  return node ? fb_movement (context, FB_OP_EXPAND, node, shape) : NULL;
}

FbUop *
fb_const_like (FbContext *context, FbUop *uop, FbArg value)
{
  const FbDims *shape;
  g_autofree FbUop **shards = NULL;
  g_autofree FbArg *real = NULL;
  FbArg axis_real[2];

  if (!uop->device)
    return fb_const (context, uop->dtype, value);
  if (!(shape = fb_uop_shape (context, uop)))
    return NULL;
  if (uop->device->op == FB_OP_DEVICE)
    return device_const (context, shape, uop->dtype, uop->device, value);
  shards = g_new (FbUop *, uop->device->n_src);
  real = g_new (FbArg, uop->device->n_src);
  for (guint i = 0; i < uop->device->n_src; i++)
    {
      FbUop *device = uop->device->src[i]->device;
      if (!device || device->op != FB_OP_DEVICE)
        {
          fb_context_fail (context, FB_ERROR_DEVICE, uop, "a shard of MULTI has no single device");
          return NULL;
        }
      if (!(shards[i] = device_const (context, shape, uop->dtype, device, value)))
        return NULL;
      real[i] = fb_arg_bool (TRUE);
    }
  axis_real[0] = FB_ARG_NIL;
  axis_real[1] = fb_arg_new_tuple (context, uop->device->n_src, real);
  return fb_uop_new (context, FB_OP_MULTI, uop->dtype, uop->device->n_src, shards,
                     fb_arg_new_tuple (context, 2, axis_real));
}

FbUop *
fb_const_like_int (FbContext *context, FbUop *uop, gint64 value)
{
  return fb_const_like (context, uop, fb_arg_int (value));
}

/* ops.py:379: the dtype of the last operand, but bool of as many lanes for a comparison */
static FbUop *
alu (FbContext *context, FbOp op, guint n, FbUop *const *src)
{
  const FbDType *dtype;

  for (guint i = 0; i < n; i++)
    if (!src[i])
      return NULL;
  dtype = src[n - 1]->dtype;
  if (op == FB_OP_CMPLT || op == FB_OP_CMPNE)
    dtype = dtype->count > 1 ? fb_dtype_vec (context, FB_DTYPE (BOOL), dtype->count) : FB_DTYPE (BOOL);
  return fb_uop_new (context, op, dtype, n, src, FB_ARG_NIL);
}

FbUop *
fb_alu1 (FbContext *context, FbOp op, FbUop *x)
{
  return alu (context, op, 1, &x);
}

FbUop *
fb_alu2 (FbContext *context, FbOp op, FbUop *x, FbUop *y)
{
  return alu (context, op, 2, (FbUop *[]){ x, y });
}

FbUop *
fb_alu3 (FbContext *context, FbOp op, FbUop *x, FbUop *y, FbUop *z)
{
  return alu (context, op, 3, (FbUop *[]){ x, y, z });
}

FbUop *
fb_logical_not (FbContext *context, FbUop *x)
{
  return x ? fb_alu2 (context, FB_OP_CMPNE, x, fb_const_like (context, x, fb_arg_bool (TRUE))) : NULL;
}

FbUop *
fb_neg (FbContext *context, FbUop *x)
{
  if (!x)
    return NULL;
  return x->dtype->scalar == FB_DTYPE (BOOL) ? fb_logical_not (context, x) : fb_mul_int (context, x, -1);
}

FbUop *
fb_add_int (FbContext *context, FbUop *x, gint64 c)
{
  return x ? fb_alu2 (context, FB_OP_ADD, x, fb_const_like_int (context, x, c)) : NULL;
}

FbUop *
fb_mul_int (FbContext *context, FbUop *x, gint64 c)
{
  return x ? fb_alu2 (context, FB_OP_MUL, x, fb_const_like_int (context, x, c)) : NULL;
}

FbUop *
fb_lt_int (FbContext *context, FbUop *x, gint64 c)
{
  return x ? fb_alu2 (context, FB_OP_CMPLT, x, fb_const_like_int (context, x, c)) : NULL;
}

FbUop *
fb_ge_int (FbContext *context, FbUop *x, gint64 c)
{
  return fb_logical_not (context, fb_lt_int (context, x, c));
}

FbUop *
fb_cast (FbContext *context, FbUop *x, const FbDType *dtype)
{
  if (!x || x->dtype == dtype)
    return x;
  return fb_uop_new (context, FB_OP_CAST, dtype, 1, &x, FB_ARG_NIL);
}

FbUop *
fb_variable (FbContext *context, const char *name, FbArg min, FbArg max, const FbDType *dtype)
{
  FbArg items[] = { fb_arg_str (context, name, -1), min, max };
  return fb_uop_new (context, FB_OP_DEFINE_VAR, dtype, 0, NULL, fb_arg_new_tuple (context, 3, items));
}

FbUop *
fb_range (FbContext *context, const FbDType *dtype, FbSint start, FbSint end, gint64 index)
{
  FbUop *src[] = { fb_sint_to_uop (context, start), fb_sint_to_uop (context, end) };
  return fb_uop_new (context, FB_OP_RANGE, dtype, 2, src, fb_arg_int (index));
}

FbUop *
fb_view (FbContext *context, FbUop *x, const FbShapeTracker *st)
{
  if (!x || !st)
    return NULL;
  return fb_uop_new (context, FB_OP_VIEW, x->dtype, 1, &x->base, fb_arg_st (st));
}

FbUop *
fb_movement (FbContext *context, FbOp op, FbUop *x, const FbDims *arg)
{
  const FbShapeTracker *st, *moved;
  const FbTuple *tuple;

  if (!x || !arg)
    return NULL;
  if (!(st = fb_uop_st (context, x)))
    {
      fb_context_fail (context, FB_ERROR_SHAPELESS, x, "%s of %s, which has no shape", fb_op_name (op),
                       fb_op_name (x->op));
      return NULL;
    }
  moved = fb_st_movement (context, st, op, arg);
  if (!moved || moved == st)
    return moved ? x : NULL;
  if (op == FB_OP_FLIP)
    {
      FbArg *flags = g_newa (FbArg, MAX (arg->n, 1));
      for (guint i = 0; i < arg->n; i++)
        flags[i] = fb_arg_bool (!fb_sint_is (arg->at[i], 0));
      tuple = fb_arg_new_tuple (context, arg->n, flags).tuple;
    }
  else
    tuple = op == FB_OP_PAD || op == FB_OP_SHRINK ? fb_dims_to_pairs (context, arg) : fb_dims_to_tuple (context, arg);
  return fb_uop_new (context, op, x->dtype, 1, &x, fb_arg_tuple (tuple));
}

FbUop *
fb_replace_dtype (FbContext *context, FbUop *uop, const FbDType *dtype)
{
  return dtype == uop->dtype ? uop : fb_uop_new (context, uop->op, dtype, uop->n_src, uop->src, uop->arg);
}

FbUop *
fb_replace_op (FbContext *context, FbUop *uop, FbOp op)
{
  return op == uop->op ? uop : fb_uop_new (context, op, uop->dtype, uop->n_src, uop->src, uop->arg);
}

FbUop *
fb_replace_arg (FbContext *context, FbUop *uop, FbArg arg)
{
  return fb_arg_equal (arg, uop->arg) ? uop : fb_uop_new (context, uop->op, uop->dtype, uop->n_src, uop->src, arg);
}

FbUop *
fb_replace_src (FbContext *context, FbUop *uop, guint n, FbUop *const *src)
{
  if (n == uop->n_src && (n == 0 || memcmp (src, uop->src, sizeof *src * n) == 0))
    return uop;
  return fb_uop_new (context, uop->op, uop->dtype, n, src, uop->arg);
}

FbUop *
fb_new_buffer (FbContext *context, FbUop *device, gint64 size, const FbDType *dtype)
{
  FbUop *src[2];

  if (fb_context_failed (context))
    return NULL;
  src[0] = bare_device (context, device);
  src[1] = fb_uop_new (context, FB_OP_UNIQUE, FB_DTYPE (VOID), 0, NULL, fb_arg_int (fb_context_next_unique (context)));
  return fb_uop_new (context, FB_OP_BUFFER, dtype, 2, src, fb_arg_int (size));
}
