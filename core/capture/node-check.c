/* What a node must look like for the rest of the program to work on it: the number of its sources, and the form of its
 * arg. Deliberately wide: graphs of any stage of the reference pass (spec.py is far stricter), hostile ones do not. */
#include "pickle-private.h"

#define MAX_DIMS 1024
#define ANY 255

typedef enum
{
  ARG_ANY,
  ARG_INT,
  ARG_SIZE, /* of a buffer; before 0.10.2 a tuple */
  ARG_TEXT,
  ARG_NUMBER,
  ARG_NUMBERS, /* a tuple of them */
  ARG_SIZES,   /* a tuple of ints and nodes */
  ARG_INTS,
  ARG_PAIRS,    /* a tuple of pairs of ints and nodes */
  ARG_VIEWS,    /* a ShapeTracker */
  ARG_REDUCE,   /* (op, (axis, ...)) */
  ARG_VARIABLE, /* (name, min, max) */
  ARG_SPECIAL,  /* (name, size) */
  ARG_MULTI,    /* (axis or None, (real, ...)) */
  ARG_KERNEL,
  ARG_WMMA, /* a tuple of 8 */
} ArgForm;

const FbNodeForm fb_node_forms[FB_N_OPS] = {
  [FB_OP_NAME] = { 0, ANY, ARG_ANY },
  [FB_OP_SINK] = { 0, ANY, ARG_ANY },
  [FB_OP_CONTIGUOUS] = { 1, ANY, ARG_ANY },
  [FB_OP_CONTIGUOUS_BACKWARD] = { 1, 1, ARG_ANY },
  [FB_OP_DETACH] = { 1, 1, ARG_ANY },
  [FB_OP_KERNEL] = { 0, ANY, ARG_KERNEL },
  [FB_OP_UNIQUE] = { 0, 0, ARG_INT },
  [FB_OP_EMPTY] = { 0, ANY, ARG_ANY },
  [FB_OP_COPY] = { 1, ANY, ARG_ANY },
  [FB_OP_BUFFER_VIEW] = { 1, ANY, ARG_ANY },
  [FB_OP_BLOCK] = { 0, ANY, ARG_ANY },
  [FB_OP_BLOCKSTART] = { 0, ANY, ARG_ANY },
  [FB_OP_BLOCKFORK] = { 0, ANY, ARG_ANY },
  [FB_OP_BLOCKEND] = { 0, ANY, ARG_ANY },
  [FB_OP_RESHAPE] = { 1, 1, ARG_SIZES },
  [FB_OP_PERMUTE] = { 1, 1, ARG_INTS },
  [FB_OP_EXPAND] = { 1, 1, ARG_SIZES },
  [FB_OP_PAD] = { 1, 1, ARG_PAIRS },
  [FB_OP_SHRINK] = { 1, 1, ARG_PAIRS },
  [FB_OP_FLIP] = { 1, 1, ARG_INTS },
  [FB_OP_UNROLL] = { 1, 1, ARG_PAIRS },
  [FB_OP_CONTRACT] = { 1, 1, ARG_PAIRS },
  [FB_OP_VIEW] = { 0, ANY, ARG_VIEWS },
  [FB_OP_DEFINE_GLOBAL] = { 0, ANY, ARG_ANY },
  [FB_OP_BUFFER] = { 0, 2, ARG_SIZE },
  [FB_OP_DEFINE_VAR] = { 0, ANY, ARG_VARIABLE },
  [FB_OP_DEFINE_LOCAL] = { 0, ANY, ARG_ANY },
  [FB_OP_DEFINE_ACC] = { 1, ANY, ARG_ANY },
  [FB_OP_VALID] = { 1, 1, ARG_ANY },
  [FB_OP_SPECIAL] = { 0, 0, ARG_SPECIAL },
  [FB_OP_NOOP] = { 0, ANY, ARG_ANY },
  [FB_OP_REDUCE_AXIS] = { 1, 1, ARG_REDUCE },
  [FB_OP_GEP] = { 1, 1, ARG_INTS },
  [FB_OP_VECTORIZE] = { 0, ANY, ARG_ANY },
  [FB_OP_CAT] = { 0, ANY, ARG_ANY },
  [FB_OP_CAST] = { 1, 1, ARG_ANY },
  [FB_OP_BITCAST] = { 1, 1, ARG_ANY },
  [FB_OP_EXP2] = { 1, 1, ARG_ANY },
  [FB_OP_LOG2] = { 1, 1, ARG_ANY },
  [FB_OP_SIN] = { 1, 1, ARG_ANY },
  [FB_OP_SQRT] = { 1, 1, ARG_ANY },
  [FB_OP_RECIP] = { 1, 1, ARG_ANY },
  [FB_OP_NEG] = { 1, 1, ARG_ANY },
  [FB_OP_LOAD] = { 1, ANY, ARG_ANY },
  [FB_OP_STORE] = { 2, ANY, ARG_ANY },
  [FB_OP_INDEX] = { 2, 3, ARG_ANY },
  [FB_OP_WMMA] = { 3, 3, ARG_WMMA },
  [FB_OP_ADD] = { 2, 2, ARG_ANY },
  [FB_OP_MUL] = { 2, 2, ARG_ANY },
  [FB_OP_IDIV] = { 2, 2, ARG_ANY },
  [FB_OP_MAX] = { 2, 2, ARG_ANY },
  [FB_OP_MOD] = { 2, 2, ARG_ANY },
  [FB_OP_CMPLT] = { 2, 2, ARG_ANY },
  [FB_OP_CMPNE] = { 2, 2, ARG_ANY },
  [FB_OP_XOR] = { 2, 2, ARG_ANY },
  [FB_OP_SHL] = { 2, 2, ARG_ANY },
  [FB_OP_SHR] = { 2, 2, ARG_ANY },
  [FB_OP_OR] = { 2, 2, ARG_ANY },
  [FB_OP_AND] = { 2, 2, ARG_ANY },
  [FB_OP_THREEFRY] = { 2, 2, ARG_ANY },
  [FB_OP_SUB] = { 2, 2, ARG_ANY },
  [FB_OP_FDIV] = { 2, 2, ARG_ANY },
  [FB_OP_POW] = { 2, 2, ARG_ANY },
  [FB_OP_WHERE] = { 3, 3, ARG_ANY },
  [FB_OP_MULACC] = { 3, 3, ARG_ANY },
  [FB_OP_ASSIGN] = { 2, ANY, ARG_ANY },
  [FB_OP_BIND] = { 2, 2, ARG_ANY },
  [FB_OP_BARRIER] = { 0, ANY, ARG_ANY },
  [FB_OP_RANGE] = { 2, ANY, ARG_ANY },
  [FB_OP_IF] = { 1, ANY, ARG_ANY },
  [FB_OP_ENDRANGE] = { 1, ANY, ARG_ANY },
  [FB_OP_ENDIF] = { 1, ANY, ARG_ANY },
  [FB_OP_VCONST] = { 0, ANY, ARG_NUMBERS },
  [FB_OP_CONST] = { 0, 1, ARG_NUMBER },
  [FB_OP_DEVICE] = { 0, 0, ARG_TEXT },
  [FB_OP_MULTI] = { 1, ANY, ARG_MULTI },
  [FB_OP_CUSTOM] = { 0, ANY, ARG_ANY },
};

const FbNodeArg fb_node_args[] = {
  [ARG_ANY] = { 0xffff, 0 },
  [ARG_INT] = { 1 << FB_ARG_INT, 0 },
  [ARG_SIZE] = { 0, 0 },
  [ARG_TEXT] = { 1 << FB_ARG_STR, 0 },
  [ARG_NUMBER] = { 1 << FB_ARG_BOOL | 1 << FB_ARG_INT | 1 << FB_ARG_BIG | 1 << FB_ARG_FLOAT, 0 },
  [ARG_NUMBERS] = { 0, 0 },
  [ARG_SIZES] = { 0, FB_TUPLE_INTS },
  [ARG_INTS] = { 0, FB_TUPLE_INTS },
  [ARG_PAIRS] = { 0, FB_TUPLE_PAIRS },
  [ARG_VIEWS] = { 1 << FB_ARG_ST, 0 },
  [ARG_REDUCE] = { 0, 0 },
  [ARG_VARIABLE] = { 0, 0 },
  [ARG_SPECIAL] = { 0, 0 },
  [ARG_MULTI] = { 0, 0 },
  [ARG_KERNEL] = { 1 << FB_ARG_KERNEL, 0 },
  [ARG_WMMA] = { 0, 0 },
};

static gboolean
is_small (FbArg arg)
{
  return arg.kind == FB_ARG_INT || arg.kind == FB_ARG_BOOL;
}

static gboolean
is_size (FbArg arg)
{
  return arg.kind == FB_ARG_UOP
         || (is_small (arg) && arg.i < (G_GINT64_CONSTANT (1) << 61) && arg.i >= -(G_GINT64_CONSTANT (1) << 61));
}

static const FbTuple *
get_tuple (FbArg arg)
{
  return arg.kind == FB_ARG_TUPLE && arg.tuple->n <= MAX_DIMS ? arg.tuple : NULL;
}

static gboolean
all_items (FbArg arg, gboolean (*test) (FbArg item))
{
  const FbTuple *tuple = get_tuple (arg);

  for (guint32 i = 0; tuple && i < tuple->n; i++)
    if (!test (tuple->items[i]))
      return FALSE;
  return tuple != NULL;
}

static gboolean
is_pair (FbArg arg)
{
  return arg.kind == FB_ARG_TUPLE && arg.tuple->n == 2 && all_items (arg, is_size);
}

static gboolean
lanes_are_numbers (const FbTuple *tuple)
{
  for (guint32 i = 0; i < tuple->n; i++)
    if (!fb_arg_is_number (tuple->items[i]))
      return FALSE;
  return TRUE;
}

/* @expected: what the arg should have been */
static gboolean
arg_has_form (ArgForm form, const FbDType *dtype, guint n_src, FbArg arg, const char **expected)
{
  const FbTuple *tuple = get_tuple (arg);

  switch (form)
    {
    case ARG_ANY:
      return TRUE;
    case ARG_INT:
      *expected = "needs an integer as its arg";
      return arg.kind == FB_ARG_INT;
    case ARG_SIZE:
      *expected = "needs a number of elements as its arg";
      return (arg.kind == FB_ARG_INT && is_size (arg) && arg.i >= 0) || tuple;
    case ARG_TEXT:
      *expected = "needs a name as its arg";
      return arg.kind == FB_ARG_STR;
    case ARG_NUMBER:
      *expected = "needs a number as its arg";
      return fb_arg_is_number (arg);
    case ARG_NUMBERS:
      *expected = "needs a number for each lane as its arg";
      return arg.kind == FB_ARG_TUPLE && (gint64) arg.tuple->n == dtype->count && lanes_are_numbers (arg.tuple);
    case ARG_SIZES:
      *expected = "needs a tuple of sizes as its arg";
      return all_items (arg, is_size);
    case ARG_INTS:
      *expected = "needs a tuple of integers as its arg";
      return all_items (arg, is_small);
    case ARG_PAIRS:
      *expected = "needs a tuple of pairs as its arg";
      return all_items (arg, is_pair);
    case ARG_VIEWS:
      *expected = "needs a ShapeTracker as its arg";
      return arg.kind == FB_ARG_ST;
    case ARG_REDUCE:
      *expected = "needs an op and a tuple of axes as its arg";
      return tuple && tuple->n == 2 && tuple->items[0].kind == FB_ARG_OP && all_items (tuple->items[1], is_small);
    case ARG_VARIABLE:
      *expected = "needs a name and two bounds as its arg";
      return tuple && tuple->n == 3 && tuple->items[0].kind == FB_ARG_STR;
    case ARG_SPECIAL:
      *expected = "needs a name and a size as its arg";
      return tuple && tuple->n == 2 && tuple->items[0].kind == FB_ARG_STR;
    case ARG_MULTI:
      *expected = "needs an axis and a tuple with a bool for each source as its arg";
      return tuple && tuple->n == 2 && (tuple->items[0].kind == FB_ARG_NONE || is_small (tuple->items[0]))
             && all_items (tuple->items[1], is_small) && tuple->items[1].tuple->n == n_src;
    case ARG_KERNEL:
      *expected = "needs a Kernel as its arg";
      return arg.kind == FB_ARG_KERNEL;
    case ARG_WMMA:
      *expected = "needs a tuple of 8 as its arg";
      return tuple && tuple->n == 8;
    }
  return TRUE;
}

const char *
fb_node_check (FbOp op, const FbDType *dtype, guint n_src, FbArg arg)
{
  FbNodeForm form = fb_node_forms[op];
  const char *expected = NULL;

  if (n_src < form.min_src || (form.max_src != ANY && n_src > form.max_src))
    return "has the wrong number of sources";
  return arg_has_form (form.form, dtype, n_src, arg, &expected) ? NULL : expected;
}
