/* Graphs for the tests of the passes, on top of tests/graph-util.h. */
#pragma once

#include "core/passes/passes.h"
#include "core/schedule.h"
#include "tests/graph-util.h"

/* A node over the sources given: NODE (c, SINK, FB_DTYPE (VOID), FB_ARG_NIL, a, b) */
#define NODE(c, OP, dtype, arg, ...)                                                        \
  fb_uop_new (c, FB_OP_##OP, dtype, sizeof ((FbUop *[]){ __VA_ARGS__ }) / sizeof (FbUop *), \
              (FbUop *[]){ __VA_ARGS__ }, arg)
#define SINK(c, ...) NODE (c, SINK, FB_DTYPE (VOID), FB_ARG_NIL, __VA_ARGS__)
#define NO_DIMS(c) fb_dims_new (c, 0, NULL)
/* The tracker of a plain shape. */
#define SHAPE(c, ...) fb_st_from_shape (c, DIMS (c, __VA_ARGS__))
#define RESHAPE(c, x, ...) fb_movement (c, FB_OP_RESHAPE, x, DIMS (c, __VA_ARGS__))
#define EXPAND(c, x, ...) fb_movement (c, FB_OP_EXPAND, x, DIMS (c, __VA_ARGS__))
#define PERMUTE(c, x, ...) fb_movement (c, FB_OP_PERMUTE, x, DIMS (c, __VA_ARGS__))
#define SHRINK(c, x, ...) fb_movement (c, FB_OP_SHRINK, x, DIMS (c, __VA_ARGS__))
#define PAD(c, x, ...) fb_movement (c, FB_OP_PAD, x, DIMS (c, __VA_ARGS__))
#define SUM(c, x, ...) reduce (c, FB_OP_ADD, x, DIMS (c, __VA_ARGS__))
/* A float buffer of this number seen in this shape. */
#define SHAPED(c, number, ...) shaped (c, number, DIMS (c, __VA_ARGS__))

static inline FbUop *
shaped (FbContext *c, gint64 number, const FbDims *dims)
{
  gint64 size = 1;

  for (guint i = 0; i < dims->n; i++)
    size *= fb_sint_int (dims->at[i]);
  return fb_movement (c, FB_OP_RESHAPE, buffer (c, number, size), dims);
}

static inline FbUop *
assign_to (FbContext *c, FbUop *target, FbUop *value)
{
  return NODE (c, ASSIGN, target->dtype, FB_ARG_NIL, target, value);
}

/* A constant on the CPU, of this shape. */
static inline FbUop *
const_of_shape (FbContext *c, double value, const FbDims *dims)
{
  FbUop *view = device (c, "CPU"), *x;
  FbSint ones[16];

  view = NODE (c, VIEW, FB_DTYPE (VOID), fb_arg_st (fb_st_from_shape (c, NO_DIMS (c))), view);
  x = NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (value), view);
  for (guint i = 0; i < dims->n; i++)
    ones[i] = fb_sint (1);
  x = fb_movement (c, FB_OP_RESHAPE, x, fb_dims_new (c, dims->n, ones));
  return fb_movement (c, FB_OP_EXPAND, x, dims);
}

/* The variable @name from 1 to 10, bound to @value. */
static inline FbUop *
bound (FbContext *c, const char *name, gint64 value)
{
  FbUop *var = fb_variable (c, name, fb_arg_int (1), fb_arg_int (10), FB_DTYPE (INT32));

  return NODE (c, BIND, FB_DTYPE (INT32), FB_ARG_NIL, var, fb_const_int (c, FB_DTYPE (INT32), value));
}

static inline FbUop *
define_global (FbContext *c, gint64 size, gint64 index)
{
  return fb_uop_new (c, FB_OP_DEFINE_GLOBAL, fb_dtype_ptr (c, FB_DTYPE (FLOAT32), size, FALSE), 0, NULL,
                     fb_arg_int (index));
}

/* LOAD of argument @index, which holds @size floats, through @st. */
static inline FbUop *
load (FbContext *c, gint64 index, gint64 size, const FbShapeTracker *st)
{
  return NODE (c, LOAD, FB_DTYPE (FLOAT32), FB_ARG_NIL, define_global (c, size, index), fb_st_to_uop (c, st));
}

/* STORE of @x to argument 0. */
static inline FbUop *
store (FbContext *c, gint64 size, const FbShapeTracker *st, FbUop *x)
{
  return NODE (c, STORE, FB_DTYPE (VOID), FB_ARG_NIL, define_global (c, size, 0), fb_st_to_uop (c, st), x);
}
