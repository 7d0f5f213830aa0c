/* Plain Python values as they occur in the `arg` of a node.
 *
 * Two equalities matter, and they differ:
 *  - exact: same type and same value; what prints the same;
 *  - Python's `==`: 0.0 == -0.0, 1 == 1.0 == True, a NaN equals only itself.
 * Nodes are hash-consed by the second (ops.py:226); text comes from the first
 * created. Compound values are interned by the first, and each has a `canon`,
 * the first one created of those equal by the second, so both tests are O(1).
 *
 * A NaN object's identity is kept in the payload bits of the double: a new NaN
 * object gets a payload of its own (fb_arg_new_nan), copying keeps it. */
#pragma once

#include "dtype.h"
#include "op.h"

typedef struct _FbUop FbUop;
typedef struct _FbShapeTracker FbShapeTracker;
typedef struct _FbDims FbDims;
typedef struct _FbBig FbBig;
typedef struct _FbTuple FbTuple;
typedef struct _FbText FbText;
typedef struct _FbKernel FbKernel;
typedef struct _FbOpaque FbOpaque;

typedef enum
{
  FB_ARG_NONE,
  FB_ARG_BOOL,
  FB_ARG_INT, /* fits 64 bits */
  FB_ARG_BIG, /* an integer that does not */
  FB_ARG_FLOAT,
  FB_ARG_STR,
  FB_ARG_TUPLE,
  FB_ARG_OP,
  FB_ARG_UOP,
  FB_ARG_ST,
  FB_ARG_DTYPE,
  FB_ARG_KERNEL,
  FB_ARG_OPAQUE, /* an instance of an unknown class; prints, equals itself only */
} FbArgKind;

typedef struct
{
  FbArgKind kind;
  union
  {
    gint64 i; /* BOOL too */
    double f;
    const FbBig *big;
    const FbText *str;
    const FbTuple *tuple;
    FbOp op;
    FbUop *uop;
    const FbShapeTracker *st;
    const FbDType *dtype;
    const FbKernel *kernel;
    const FbOpaque *opaque;
    const void *pointer;
  };
} FbArg;

struct _FbText
{
  guint32 hash;
  guint32 len;
  char bytes[]; /* UTF-8, NUL-terminated */
};

struct _FbTuple
{
  guint32 hash; /* of the canonical form */
  guint32 n : 31;
  gboolean kept : 1;    /* holds plain values only: outlives the row (FbKept) */
  const FbTuple *canon; /* the first created tuple that is == to this one */
  const FbDims *dims;   /* the same as dims when all items are ints or nodes; pairs are flattened; NULL until asked */
  FbArg items[];
};

/* An instance of a class that prints but is not understood, or a dataclass such as Opt, KernelInfo or Metadata. */
struct _FbOpaque
{
  const char *class_name; /* "tinygrad.ops.KernelInfo" */
  const char *repr;       /* what str() and repr() print */
};

#define FB_ARG_NIL ((FbArg){ .kind = FB_ARG_NONE })
#define fb_arg_int(value) ((FbArg){ .kind = FB_ARG_INT, .i = (value) })
#define fb_arg_bool(value) ((FbArg){ .kind = FB_ARG_BOOL, .i = !!(value) })
#define fb_arg_float(value) ((FbArg){ .kind = FB_ARG_FLOAT, .f = (value) })
#define fb_arg_op(value) ((FbArg){ .kind = FB_ARG_OP, .op = (value) })
#define fb_arg_st(value) ((FbArg){ .kind = FB_ARG_ST, .st = (value) })
#define fb_arg_uop(value) ((FbArg){ .kind = FB_ARG_UOP, .uop = (value) })
#define fb_arg_tuple(value) ((FbArg){ .kind = FB_ARG_TUPLE, .tuple = (value) })
#define fb_arg_is_number(arg) ((arg).kind >= FB_ARG_BOOL && (arg).kind <= FB_ARG_FLOAT)
#define fb_arg_is_integer(arg) ((arg).kind >= FB_ARG_BOOL && (arg).kind <= FB_ARG_BIG)

/* A NaN object different from all others of @context. */
FbArg fb_arg_new_nan (FbContext *context);
/* Interned; @len -1: NUL-terminated. */
FbArg fb_arg_str (FbContext *context, const char *text, gssize len);
/* Interned by exact equality; @items is copied. */
FbArg fb_arg_new_tuple (FbContext *context, guint n, const FbArg *items);
/* Two's complement little-endian bytes of any length, as pickle writes a LONG. */
FbArg fb_arg_int_from_bytes (FbContext *context, const guint8 *bytes, gsize len);
/* An opaque value; @class_name and @repr are copied. */
FbArg fb_arg_new_opaque (FbContext *context, const char *class_name, const char *repr);

/* Python's `==`, and a hash that agrees with it. */
gboolean fb_arg_equal (FbArg a, FbArg b);
guint32 fb_arg_hash (FbArg arg);
/* Same type and value: prints the same. */
gboolean fb_arg_identical (FbArg a, FbArg b);
/* Python's bool(arg). */
gboolean fb_arg_truth (FbArg arg);
