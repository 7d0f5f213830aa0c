/* A node over other sources: releases that derive dtypes give it another one then. */
#include <string.h>

#include "viztrace-private.h"

/* Where the dtype of a node stands when several become one: above all that it can hold (dtype.py, least_upper_dtype). */
static guint
rank (const FbUop *uop)
{
  static const char *const order[]
      = { "bool",        "weakint", "char",     "uchar",     "short",   "ushort",  "int",
          "uint",        "long",    "ulong",    "weakfloat", "fp8e4m3", "fp8e5m2", "fp8e4m3fnuz",
          "fp8e5m2fnuz", "half",    "bfloat16", "float",     "double" };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (strcmp (uop->dtype->short_name, order[i]) == 0)
      return i;
  return G_N_ELEMENTS (order);
}

/* Ops that take over the dtype of their first source if they have it already. */
static const char *const takes_same[] = { "INDEX", "SIN", "LOG2", "EXP2", "SQRT", "RECIPROCAL", NULL };

/* The source whose dtype an op takes over, as releases do that derive dtypes (uop/ops.py, dtype_from_uop); NULL: its own stays. */
static const FbUop *
dtype_giver (const FbUop *uop, FbUop *const *src)
{
  static const char *const first[]
      = { "LOAD", "UNSHARD", "REDUCE", "AFTER",  "RANGE",   "CONTIGUOUS", "CONTIGUOUS_BACKWARD",
          "COPY", "STAGE",   "DETACH", "MSTACK", "MSELECT", "ALLREDUCE",  "SPECIAL",
          "SHL",  "SHR",     "NEG",    "TRUNC",  "RESHAPE", "PERMUTE",    "EXPAND",
          "PAD",  "SHRINK",  "FLIP",   NULL };
  static const char *const widest[]
      = { "ADD",      "MUL", "IDIV", "CDIV", "MAX",      "CMOD",     "MOD",    "XOR",   "OR",    "AND",
          "THREEFRY", "SUB", "FDIV", "POW",  "FLOORDIV", "FLOORMOD", "MULACC", "WHERE", "STACK", NULL };
  const char *op = fb_op_name (uop->op);
  const FbUop *giver = NULL;

  if (uop->n_src == 0)
    return NULL;
  if (g_strv_contains (first, op))
    return src[0];
  if (g_strv_contains (takes_same, op))
    return uop->dtype == uop->src[0]->dtype ? src[0] : NULL;
  if (strcmp (op, "WMMA") == 0)
    return uop->n_src > 2 ? src[2] : NULL;
  if (!g_strv_contains (widest, op))
    return NULL;
  for (guint i = strcmp (op, "WHERE") == 0; i < uop->n_src; i++)
    if (!giver || rank (src[i]) > rank (giver))
      giver = src[i];
  return giver;
}

gboolean
fb_viz_dtype_follows (const FbUop *uop)
{
  const FbUop *giver = dtype_giver (uop, uop->src);

  /* one that has none takes over nothing, unless because of the dtypes that its sources have now */
  return giver ? giver->dtype == uop->dtype : !g_strv_contains (takes_same, fb_op_name (uop->op));
}

FbUop *
fb_viz_rebuild (FbContext *context, const FbUop *uop, FbUop *const *src, gboolean derive)
{
  gboolean same = TRUE;
  const FbUop *giver;

  for (guint i = 0; i < uop->n_src && derive && same; i++)
    same = uop->src[i]->dtype == src[i]->dtype;
  giver = derive && !same ? dtype_giver (uop, src) : NULL;
  return fb_uop_new (context, uop->op, giver ? giver->dtype : uop->dtype, uop->n_src, src, uop->arg);
}
