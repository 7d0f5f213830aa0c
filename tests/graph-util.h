/* Small graphs for tests. */
#pragma once

#include "core/ir/number.h"
#include "core/ir/text.h"

#include <string.h>

static inline const FbDims *
dims_of (FbContext *c, guint n, const gint64 *values)
{
  FbSint items[16];

  g_assert_cmpuint (n, <=, G_N_ELEMENTS (items));
  for (guint i = 0; i < n; i++)
    items[i] = fb_sint (values[i]);
  return fb_dims_new (c, n, items);
}
/* DIMS (c, 2, 3): the dims (2, 3) */
#define DIMS(c, ...) \
  dims_of (c, sizeof ((const gint64[]){ __VA_ARGS__ }) / sizeof (gint64), (const gint64[]){ __VA_ARGS__ })

static inline FbUop *
device (FbContext *c, const char *name)
{
  return fb_uop_new (c, FB_OP_DEVICE, FB_DTYPE (VOID), 0, NULL, fb_arg_str (c, name, -1));
}

static inline FbUop *
buffer_on (FbContext *c, const char *name, gint64 number, gint64 size, const FbDType *dtype)
{
  FbUop *src[] = { device (c, name), fb_uop_new (c, FB_OP_UNIQUE, FB_DTYPE (VOID), 0, NULL, fb_arg_int (number)) };
  return fb_uop_new (c, FB_OP_BUFFER, dtype, 2, src, fb_arg_int (size));
}

static inline FbUop *
buffer (FbContext *c, gint64 number, gint64 size)
{
  return buffer_on (c, "CPU", number, size, FB_DTYPE (FLOAT32));
}

static inline FbUop *
op1 (FbContext *c, FbOp op, FbUop *x)
{
  return fb_uop_new (c, op, x->dtype, 1, &x, FB_ARG_NIL);
}

static inline FbUop *
sink_of (FbContext *c, FbUop *x)
{
  return fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), 1, &x, FB_ARG_NIL);
}

static inline FbUop *
reduce (FbContext *c, FbOp op, FbUop *x, const FbDims *axes)
{
  FbArg items[] = { fb_arg_op (op), fb_arg_tuple (fb_dims_to_tuple (c, axes)) };
  return fb_uop_new (c, FB_OP_REDUCE_AXIS, x->dtype, 1, &x, fb_arg_new_tuple (c, 2, items));
}

static inline FbUop *
copy_to (FbContext *c, const char *name, FbUop *x, gboolean clone)
{
  FbUop *src[] = { device (c, name), x };
  return fb_uop_new (c, FB_OP_COPY, x->dtype, 2, src, fb_arg_bool (clone));
}
