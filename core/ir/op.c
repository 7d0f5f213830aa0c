#include "op.h"

#include <string.h>

static const char *const names[FB_N_OPS] = {
#define X(op) [FB_OP_##op] = #op,
  FB_FOR_EACH_OP (X)
#undef X
};

G_STATIC_ASSERT (FB_OP_SINK == 2 && FB_OP_CUSTOM == 77);

const char *
fb_op_name (FbOp op)
{
  return op > FB_OP_NONE && op < FB_N_OPS ? names[op] : "?";
}

FbOp
fb_op_from_name (const char *name, gssize len)
{
  gsize n = len < 0 ? strlen (name) : (gsize) len;

  for (int op = 1; op < FB_N_OPS; op++)
    if (strlen (names[op]) == n && memcmp (names[op], name, n) == 0)
      return op;
  return FB_OP_NONE;
}

FbOpKind
fb_op_kind (FbOp op)
{
  if (fb_op_in (op, FB_OPS_MOVEMENT))
    return FB_KIND_MOVEMENT;
  if (fb_op_in (op, FB_OPS_ALU))
    return FB_KIND_ALU;
  switch (op)
    {
    case FB_OP_BUFFER:
    case FB_OP_DEFINE_GLOBAL:
    case FB_OP_DEFINE_LOCAL:
    case FB_OP_DEFINE_ACC:
    case FB_OP_EMPTY:
      return FB_KIND_BUFFER;
    case FB_OP_LOAD:
    case FB_OP_INDEX:
      return FB_KIND_LOAD;
    case FB_OP_STORE:
      return FB_KIND_STORE;
    case FB_OP_CONST:
    case FB_OP_VCONST:
    case FB_OP_DEVICE:
    case FB_OP_UNIQUE:
    case FB_OP_DEFINE_VAR:
    case FB_OP_BIND:
    case FB_OP_SPECIAL:
    case FB_OP_VALID:
      return FB_KIND_CONST;
    case FB_OP_REDUCE_AXIS:
    case FB_OP_WMMA:
      return FB_KIND_REDUCE;
    case FB_OP_VIEW:
    case FB_OP_BUFFER_VIEW:
      return FB_KIND_VIEW;
    case FB_OP_ASSIGN:
      return FB_KIND_ASSIGN;
    case FB_OP_COPY:
    case FB_OP_CONTIGUOUS:
      return FB_KIND_COPY;
    case FB_OP_KERNEL:
    case FB_OP_SINK:
    case FB_OP_NAME:
      return FB_KIND_KERNEL;
    default:
      return FB_KIND_ALU;
    }
}
