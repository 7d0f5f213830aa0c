/* What ALU ops compute on constants, with Python's rules for which operands are refused. */
#include "big.h"

#include <math.h>
#include <string.h>

#define is_float(a) ((a).kind == FB_ARG_FLOAT)

/* --- division and powers --- */

/* @a / @b of big integers: 66 quotient bits at least, the lowest standing for the remainder, then one rounding. */
static double
big_truediv (mpz_srcptr a, mpz_srcptr b)
{
  gint64 shift = 66 + (gint64) mpz_sizeinbase (b, 2) - (gint64) mpz_sizeinbase (a, 2);
  mpz_t n, d, q;
  double value;
  gsize bits;

  mpz_inits (n, d, q, NULL);
  mpz_abs (n, a);
  mpz_abs (d, b);
  if (shift > 0)
    mpz_mul_2exp (n, n, (mp_bitcnt_t) shift);
  else
    mpz_mul_2exp (d, d, (mp_bitcnt_t) -shift);
  mpz_tdiv_qr (q, n, n, d);
  if (mpz_sgn (n))
    mpz_setbit (q, 0);
  /* A subnormal result has fewer bits: cut to those before rounding, so that it is rounded once. */
  bits = mpz_sizeinbase (q, 2);
  if ((gint64) bits - shift <= -1022)
    {
      gint64 drop = -1074 - 2 + shift;
      if (drop > 0 && mpz_sgn (q))
        {
          gboolean sticky = mpz_scan1 (q, 0) < (mp_bitcnt_t) drop;
          mpz_tdiv_q_2exp (q, q, (mp_bitcnt_t) drop);
          if (sticky)
            mpz_setbit (q, 0);
          shift -= drop;
        }
    }
  value = fb_mpz_to_double (q);
  if (shift < -4000 || shift > 4000)
    shift = shift < 0 ? -4000 : 4000;
  value = ldexp (value, (int) -shift);
  mpz_clears (n, d, q, NULL);
  return (mpz_sgn (a) < 0) != (mpz_sgn (b) < 0) ? -value : value;
}

FbArg
fb_num_truediv (FbContext *context, FbArg a, FbArg b)
{
  FbMpzView va, vb;
  double value;

  if (!fb_arg_is_number (a) || !fb_arg_is_number (b))
    return fb_num_refuse (context, "division of something that is no number");
  if (fb_num_eq (b, fb_arg_int (0)))
    return fb_num_refuse (context, "division by zero");
  if (is_float (a) || is_float (b))
    {
      FbArg x = fb_num_to_float (context, a), y = fb_num_to_float (context, b);
      return is_float (x) && is_float (y) ? fb_num_new_float (context, x.f / y.f) : FB_ARG_NIL;
    }
  if (a.kind != FB_ARG_BIG && b.kind != FB_ARG_BIG && ABS (a.i / 2) < (gint64) 1 << 52
      && ABS (b.i / 2) < (gint64) 1 << 52)
    return fb_arg_float ((double) a.i / (double) b.i);
  value = big_truediv (fb_mpz_view (&va, a), fb_mpz_view (&vb, b));
  return isinf (value) ? fb_num_refuse (context, "integer division result too large for a float")
                       : fb_arg_float (value);
}

static FbArg
whole (FbContext *context, FbArg a, double (*round) (double))
{
  return fb_num_to_int (context, is_float (a) ? fb_arg_float (round (a.f)) : a);
}

FbArg
fb_num_floor (FbContext *context, FbArg a)
{
  return whole (context, a, floor);
}

FbArg
fb_num_ceil (FbContext *context, FbArg a)
{
  return whole (context, a, ceil);
}

FbArg
fb_num_log2 (FbContext *context, FbArg a)
{
  mpz_t z;
  gsize bits;

  if (a.kind != FB_ARG_BIG || !isinf (fb_num_to_double (a)))
    return fb_num_new_float (context, log2 (fb_num_to_double (a)));
  mpz_roinit_n (z, a.big->limbs, a.big->size);
  bits = mpz_sizeinbase (z, 2);
  {
    mpz_t top;
    double fraction;
    mpz_init (top);
    mpz_tdiv_q_2exp (top, z, bits - 128);
    if (mpz_scan1 (z, 0) < bits - 128)
      mpz_setbit (top, 0);
    fraction = ldexp (fb_mpz_to_double (top), -128);
    mpz_clear (top);
    return fb_arg_float (log2 (fraction) + (double) bits);
  }
}

typedef enum
{
  POW_OK,
  POW_ZERO_DIVISION,
  POW_OVERFLOW,
  POW_COMPLEX, /* a negative base to a fraction */
} PowStatus;

/* Python's x ** y of floats, which decides the special cases itself. */
static PowStatus
float_pow (double x, double y, double *result)
{
  gboolean odd = fmod (fabs (y), 2) == 1, negate = FALSE;

  if (y == 0)
    *result = 1;
  else if (isnan (x))
    *result = x;
  else if (isnan (y))
    *result = x == 1 ? 1 : y;
  else if (isinf (y))
    *result = fabs (x) == 1 ? 1 : (y > 0) == (fabs (x) > 1) ? fabs (y) : 0;
  else if (isinf (x))
    *result = y > 0 ? (odd ? x : fabs (x)) : (odd ? copysign (0, x) : 0);
  else if (x == 0)
    {
      if (y < 0)
        return POW_ZERO_DIVISION;
      *result = odd ? x : 0;
    }
  else
    {
      if (x < 0)
        {
          if (y != floor (y))
            return isinf (pow (-x, y)) ? POW_OVERFLOW : POW_COMPLEX;
          x = -x;
          negate = odd;
        }
      *result = x == 1 ? 1 : pow (x, y);
      if (negate)
        *result = -*result;
      return isinf (*result) ? POW_OVERFLOW : POW_OK;
    }
  return POW_OK;
}

/* An integer to the power of one that is not negative. */
static FbArg
int_pow (FbContext *context, FbArg a, FbArg b)
{
  FbMpzView view;
  mpz_srcptr base = fb_mpz_view (&view, a);
  mpz_t z;
  FbArg result;
  gboolean even = b.kind == FB_ARG_BIG ? !(b.big->limbs[0] & 1) : !(b.i & 1);

  if (b.kind != FB_ARG_BIG && b.i == 0)
    return fb_arg_int (1);
  if (mpz_cmpabs_ui (base, 1) <= 0)
    return fb_arg_int (mpz_sgn (base) < 0 && even ? 1 : mpz_sgn (base));
  if (b.kind == FB_ARG_BIG || b.i > FB_BIG_MAX_BITS
      || (guint64) (mpz_sizeinbase (base, 2) - 1) * (guint64) b.i > FB_BIG_MAX_BITS)
    {
      fb_context_fail (context, FB_ERROR_OVERFLOW, NULL, "a power of more than %d bits", FB_BIG_MAX_BITS);
      return FB_ARG_NIL;
    }
  mpz_init (z);
  mpz_pow_ui (z, base, (gulong) b.i);
  result = fb_num_from_mpz (context, z);
  mpz_clear (z);
  return result;
}

static gboolean
is_negative (FbArg a)
{
  return fb_num_lt (a, fb_arg_int (0));
}

/* pow(x, y) with the reference's way out of what Python refuses; @on_overflow None: refuse too. */
static FbArg
safe_pow (FbContext *context, FbArg x, FbArg y, FbArg on_overflow)
{
  double value;
  FbArg fx, fy;

  if (!fb_arg_is_number (x) || !fb_arg_is_number (y))
    return fb_num_refuse (context, "power of something that is no number");
  if (!is_float (x) && !is_float (y) && !is_negative (y))
    return int_pow (context, x, y);
  if (on_overflow.kind != FB_ARG_NONE && isinf (fb_num_to_double (y)) && !is_float (y))
    return on_overflow;
  fx = fb_num_to_float (context, x);
  fy = fb_num_to_float (context, y);
  if (!is_float (fx) || !is_float (fy))
    return FB_ARG_NIL;
  switch (float_pow (fx.f, fy.f, &value))
    {
    case POW_OK:
      return fb_num_new_float (context, value);
    case POW_ZERO_DIVISION:
      return fb_arg_float (INFINITY);
    case POW_COMPLEX:
      return fb_arg_float (NAN);
    default:
      return on_overflow.kind == FB_ARG_NONE ? fb_num_refuse (context, "numerical result out of range") : on_overflow;
    }
}

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
      return safe_pow (context, fb_arg_int (2), x, fb_arg_float (INFINITY));
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
    return is_negative (fb_num_mul (context, x, y));
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
  return negate_if (context, is_negative (x), fb_num_mod (context, a, b));
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
      return safe_pow (context, x, y, FB_ARG_NIL);
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
