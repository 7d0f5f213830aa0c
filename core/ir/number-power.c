/* Division that is rounded once, rounding, logarithms and powers of numbers, as Python gives them. */
#include "big.h"

#include <math.h>
#include <string.h>

#define is_float(a) ((a).kind == FB_ARG_FLOAT)

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

FbArg
fb_num_safe_pow (FbContext *context, FbArg x, FbArg y, FbArg on_overflow)
{
  double value;
  FbArg fx, fy;

  if (!fb_arg_is_number (x) || !fb_arg_is_number (y))
    return fb_num_refuse (context, "power of something that is no number");
  if (!is_float (x) && !is_float (y) && !fb_num_is_negative (y))
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
