/* What ALU ops compute on constants, with Python's rules for which operands are refused. */
#include "big.h"

#include <math.h>
#include <string.h>

#define is_float(a) ((a).kind == FB_ARG_FLOAT)

/* --- rounding to a dtype (dtype.py:180) --- */

/* To @bits of mantissa (the leading one included) with smallest exponent @min_exponent and largest finite value @max. */
static double
round_to (double x, int bits, int min_exponent, double max)
{
  int exponent;
  double unit, rounded;

  if (x == 0 || !isfinite (x))
    return x;
  frexp (x, &exponent);
  unit = ldexp (1, MAX (exponent - bits, min_exponent));
  rounded = nearbyint (x / unit) * unit;
  return fabs (rounded) > max ? copysign (INFINITY, x) : rounded;
}

static double
truncate_bfloat16 (double x)
{
  float single = (float) x;
  guint32 word;

  if (fabs (x) > 0x1.fep127)
    return copysign (INFINITY, x);
  memcpy (&word, &single, sizeof word);
  word &= 0xffff0000;
  memcpy (&single, &word, sizeof word);
  return single;
}

static FbArg
truncate_float (FbContext *context, FbArg value, FbScalarType type)
{
  double x;

  value = fb_num_to_float (context, value);
  if (!is_float (value))
    return value;
  x = value.f;
  switch (type)
    {
    case FB_SCALAR_FLOAT16:
      x = round_to (x, 11, -24, 65504);
      break;
    case FB_SCALAR_BFLOAT16:
      x = truncate_bfloat16 (x);
      break;
    case FB_SCALAR_FLOAT32:
      x = (float) x;
      break;
    default:
      break;
    }
  return fb_num_new_float (context, x);
}

static FbArg
truncate_int (FbContext *context, FbArg value, const FbDType *dtype)
{
  guint64 word;
  guint drop = 64 - (guint) dtype->itemsize * 8;

  if (!fb_arg_is_integer (value))
    return fb_num_refuse (context, "an integer is required");
  word = value.kind == FB_ARG_BIG ? value.big->limbs[0] : (guint64) value.i;
  if (value.kind == FB_ARG_BIG && value.big->size < 0)
    word = -word;
  if (!fb_dtype_is_unsigned (dtype))
    return fb_arg_int ((gint64) (word << drop) >> drop);
  word = word << drop >> drop;
  return fb_arg_int_from_bytes (
      context,
      (const guint8[9]){ word, word >> 8, word >> 16, word >> 24, word >> 32, word >> 40, word >> 48, word >> 56, 0 },
      9);
}

static FbArg
truncate_to (FbContext *context, FbArg value, const FbDType *dtype)
{
  if (!fb_arg_is_number (value) || dtype->kind != FB_DTYPE_PLAIN)
    return value;
  if (dtype->type == FB_SCALAR_BOOL)
    return fb_num_to_bool (value);
  if (fb_dtype_is_int (dtype))
    return truncate_int (context, value, dtype);
  return fb_dtype_is_float (dtype) ? truncate_float (context, value, dtype->type) : value;
}

/* --- the ops (ops.py:682) --- */

static FbArg
negate_if (FbContext *context, gboolean negate, FbArg value)
{
  return fb_num_mul (context, value, fb_arg_int (negate ? -1 : 1));
}

static FbArg
alu_unary (FbContext *context, FbOp op, FbArg x)
{
  int sign = fb_num_cmp (x, fb_arg_int (0)); /* 2 for NaN */

  switch (op)
    {
    case FB_OP_LOG2:
      return sign == 1 ? fb_num_log2 (context, x) : sign == 0 ? fb_arg_float (-INFINITY) : fb_arg_float (NAN);
    case FB_OP_EXP2:
      return fb_num_safe_pow (context, fb_arg_int (2), x, fb_arg_float (INFINITY));
    case FB_OP_SQRT:
      if (sign != 0 && sign != 1)
        return fb_arg_float (NAN);
      x = fb_num_to_float (context, x);
      return is_float (x) ? fb_arg_float (sqrt (x.f)) : x;
    case FB_OP_RECIP:
      if (sign == 0)
        return fb_arg_float (copysign (INFINITY, is_float (x) ? x.f : 0));
      return fb_num_truediv (context, fb_arg_int (1), x);
    case FB_OP_SIN:
      x = fb_num_to_float (context, x);
      if (!is_float (x))
        return x;
      return isinf (x.f) ? fb_arg_float (NAN) : fb_num_new_float (context, sin (x.f));
    default:
      return fb_num_neg (context, x);
    }
}

/* x * y < 0; of floats a product that underflows to -0.0 is not. */
static gboolean
product_is_negative (FbContext *context, FbArg x, FbArg y)
{
  if (is_float (x) || is_float (y))
    return fb_num_is_negative (fb_num_mul (context, x, y));
  return fb_num_cmp (x, fb_arg_int (0)) * fb_num_cmp (y, fb_arg_int (0)) < 0;
}

static FbArg
alu_idiv (FbContext *context, FbArg x, FbArg y)
{
  FbArg quotient;

  if (fb_num_eq (y, fb_arg_int (0)))
    return fb_arg_int (0);
  quotient = fb_num_floordiv (context, fb_num_abs (context, x), fb_num_abs (context, y));
  return negate_if (context, product_is_negative (context, x, y), quotient);
}

static FbArg
alu_mod (FbContext *context, FbArg x, FbArg y)
{
  FbArg a = fb_num_abs (context, fb_num_to_int (context, x)), b = fb_num_abs (context, fb_num_to_int (context, y));

  if (!fb_arg_is_number (a) || !fb_arg_is_number (b))
    return FB_ARG_NIL;
  return negate_if (context, fb_num_is_negative (x), fb_num_mod (context, a, b));
}

static FbArg
alu_binary (FbContext *context, FbOp op, FbArg x, FbArg y)
{
  switch (op)
    {
    case FB_OP_ADD:
      return fb_num_add (context, x, y);
    case FB_OP_SUB:
      return fb_num_sub (context, x, y);
    case FB_OP_MUL:
      return fb_num_mul (context, x, y);
    case FB_OP_IDIV:
      return alu_idiv (context, x, y);
    case FB_OP_MOD:
      return alu_mod (context, x, y);
    case FB_OP_MAX:
      return fb_num_max (x, y);
    case FB_OP_CMPLT:
      return fb_arg_bool (fb_num_lt (x, y));
    case FB_OP_CMPNE:
      return fb_arg_bool (!fb_num_eq (x, y));
    case FB_OP_XOR:
      return fb_num_xor (context, x, y);
    case FB_OP_OR:
      return fb_num_or (context, x, y);
    case FB_OP_AND:
      return fb_num_and (context, x, y);
    case FB_OP_SHL:
      return fb_num_shl (context, x, y);
    case FB_OP_SHR:
      return fb_num_shr (context, x, y);
    default:
      return fb_num_safe_pow (context, x, y, FB_ARG_NIL);
    }
}

static FbArg
alu_scalar (FbContext *context, FbOp op, guint n, const FbArg *x)
{
  FbOpSet unary = FB_OPS_UNARY, binary = FB_OPS_BINARY & ~(FB_OP_BIT (THREEFRY) | FB_OP_BIT (FDIV));
  guint expected = fb_op_in (op, unary) ? 1 : fb_op_in (op, binary) ? 2 : 3;

  if (!fb_op_in (op, unary | binary | FB_OPS_TERNARY))
    {
      fb_context_fail (context, FB_ERROR_UNSUPPORTED, NULL, "%s of constants", fb_op_name (op));
      return FB_ARG_NIL;
    }
  if (n != expected)
    return fb_num_refuse (context, "wrong number of operands");
  for (guint i = 0; i < n; i++)
    if (!fb_arg_is_number (x[i]))
      return fb_num_refuse (context, "an operand is no number");
  if (n == 1)
    return alu_unary (context, op, x[0]);
  if (n == 2)
    return alu_binary (context, op, x[0], x[1]);
  if (op == FB_OP_WHERE)
    return fb_arg_truth (x[0]) ? x[1] : x[2];
  return fb_num_add (context, fb_num_mul (context, x[0], x[1]), x[2]);
}

FbArg
fb_num_exec_alu (FbContext *context, FbOp op, const FbDType *dtype, guint n, const FbArg *operands)
{
  g_autofree FbArg *lanes = NULL;
  FbArg lane[3];

  if (dtype->count <= 1)
    return alu_scalar (context, op, n, operands);
  if (n > G_N_ELEMENTS (lane))
    return fb_num_refuse (context, "wrong number of operands");
  lanes = g_new (FbArg, (gsize) dtype->count);
  for (guint i = 0; i < (guint) dtype->count; i++)
    {
      for (guint j = 0; j < n; j++)
        {
          lane[j] = operands[j];
          if (lane[j].kind != FB_ARG_TUPLE)
            continue;
          if (i >= lane[j].tuple->n)
            return fb_num_refuse (context, "a constant with too few lanes");
          lane[j] = lane[j].tuple->items[i];
        }
      lanes[i] = truncate_to (context, alu_scalar (context, op, n, lane), dtype->scalar);
      if (lanes[i].kind == FB_ARG_NONE)
        return FB_ARG_NIL;
    }
  return fb_arg_new_tuple (context, (guint) dtype->count, lanes);
}
