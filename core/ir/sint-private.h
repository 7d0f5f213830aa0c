/* Sints inside of core/ir: the int paths inline, and comparisons that must be decided. */
#pragma once

#include "context-private.h"

/* An array for the length of a block: on the stack while it is short. */
#define FB_SCRATCH_LENGTH 32
#define FB_SCRATCH(type, name, length)                                                         \
  type name##_short[FB_SCRATCH_LENGTH];                                                        \
  g_autofree type *name##_long = (length) > FB_SCRATCH_LENGTH ? g_new (type, (length)) : NULL; \
  type *const name = name##_long ? name##_long : name##_short

/* The ints a sint holds. */
#define FB_SINT_MAX ((G_GINT64_CONSTANT (1) << 62) - 1)
#define FB_SINT_MIN (-(G_GINT64_CONSTANT (1) << 62))

/* Tuples longer than this are no shapes. */
#define FB_MAX_DIMS 1024

#define fb_sint_both_int(a, b) (!(((a).word | (b).word) & 1))

static inline FbSint
sint_add (FbContext *context, FbSint a, FbSint b)
{
  FbSint sum;

  if (G_LIKELY (fb_sint_both_int (a, b) && !__builtin_add_overflow (a.word, b.word, &sum.word)))
    return sum;
  return fb_sint_add (context, a, b);
}

static inline FbSint
sint_sub (FbContext *context, FbSint a, FbSint b)
{
  FbSint difference;

  if (G_LIKELY (fb_sint_both_int (a, b) && !__builtin_sub_overflow (a.word, b.word, &difference.word)))
    return difference;
  return fb_sint_sub (context, a, b);
}

static inline FbSint
sint_mul (FbContext *context, FbSint a, FbSint b)
{
  FbSint product;

  if (G_LIKELY (fb_sint_both_int (a, b) && !__builtin_mul_overflow (a.word >> 1, b.word, &product.word)))
    return product;
  return fb_sint_mul (context, a, b);
}

static inline FbSint
sint_neg (FbContext *context, FbSint a)
{
  FbSint negated;

  if (G_LIKELY (fb_sint_is_int (a) && !__builtin_sub_overflow ((intptr_t) 0, a.word, &negated.word)))
    return negated;
  return fb_sint_neg (context, a);
}

/* FALSE when @arg is neither an int that fits nor a node. */
static inline gboolean
arg_to_sint (FbArg arg, FbSint *out)
{
  if (arg.kind == FB_ARG_UOP)
    *out = fb_sint_uop (arg.uop);
  else if ((arg.kind == FB_ARG_INT || arg.kind == FB_ARG_BOOL) && arg.i >= FB_SINT_MIN && arg.i <= FB_SINT_MAX)
    *out = fb_sint (arg.i);
  else
    return FALSE;
  return TRUE;
}

/* What Python's operators do with a node and an int: the int becomes a constant like the node (ops.py:25, ufix).
 * One of @a and @b is a node. */
FbUop *fb_sint_operate (FbContext *context, FbOp op, FbSint a, FbSint b);

/* The sint of a value that a node was found to have; the error set when it is none. */
FbSint fb_sint_from_arg (FbContext *context, FbArg value);

/* Python's bool(): of a bool node its one value; the error set and FALSE when it has none (ops.py:330). */
gboolean fb_uop_truth (FbContext *context, FbUop *uop);

/* The nodes of a < b and a != b, where not both are ints. NULL on error. */
FbUop *fb_sint_lt_uop (FbContext *context, FbSint a, FbSint b);
FbUop *fb_sint_ne_uop (FbContext *context, FbSint a, FbSint b);
gboolean fb_sint_truth_lt (FbContext *context, FbSint a, FbSint b);
gboolean fb_sint_truth_ge (FbContext *context, FbSint a, FbSint b);
gboolean fb_sint_truth_ne (FbContext *context, FbSint a, FbSint b);

/* bool(a < b), bool(a >= b), bool(a != b): must have one value, where resolve() would have a default. */
static inline gboolean
sint_truth_lt (FbContext *context, FbSint a, FbSint b)
{
  return fb_sint_both_int (a, b) ? a.word < b.word : fb_sint_truth_lt (context, a, b);
}
static inline gboolean
sint_truth_ge (FbContext *context, FbSint a, FbSint b)
{
  return fb_sint_both_int (a, b) ? a.word >= b.word : fb_sint_truth_ge (context, a, b);
}
static inline gboolean
sint_truth_ne (FbContext *context, FbSint a, FbSint b)
{
  return fb_sint_both_int (a, b) ? a.word != b.word : fb_sint_truth_ne (context, a, b);
}

static inline gboolean
sint_lt (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  return fb_sint_both_int (a, b) ? a.word < b.word : fb_sint_lt (context, a, b, otherwise);
}
static inline gboolean
sint_le (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  return fb_sint_both_int (a, b) ? a.word <= b.word : fb_sint_le (context, a, b, otherwise);
}
static inline gboolean
sint_ne (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  return fb_sint_both_int (a, b) ? a.word != b.word : fb_sint_ne (context, a, b, otherwise);
}

/* Python's // and % of ints, towards minus infinity. @b is not 0. */
static inline gint64
int_floordiv (gint64 a, gint64 b)
{
  gint64 quotient = a / b;
  return quotient - ((a % b != 0) & ((a < 0) != (b < 0)));
}
static inline gint64
int_mod (gint64 a, gint64 b)
{
  gint64 rest = a % b;
  return rest + (((rest != 0) & ((rest < 0) != (b < 0))) ? b : 0);
}
