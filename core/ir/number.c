/* Arithmetic and order of Python numbers. Everything has a fast path for two ints of 64 bits; the rest goes through
 * doubles when one operand is a float, else through GMP. */
#include "big.h"

#include <math.h>
#include <string.h>

#define both_small(a, b) ((a).kind - FB_ARG_BOOL <= 1u && (b).kind - FB_ARG_BOOL <= 1u)

FbArg
fb_num_refuse (FbContext *context, const char *what)
{
  fb_context_fail (context, FB_ERROR_ARITHMETIC, NULL, "%s", what);
  return FB_ARG_NIL;
}

FbArg
fb_num_new_float (FbContext *context, double value)
{
  guint64 bits, id;
  FbArg arg;

  if (G_LIKELY (!isnan (value)))
    return fb_arg_float (value);
  /* The low 29 bits, which no narrower float sees, tell NaN objects apart. */
  arg = fb_arg_new_nan (context);
  memcpy (&id, &arg.f, sizeof id);
  memcpy (&bits, &value, sizeof bits);
  bits = (bits & ~G_GUINT64_CONSTANT (0x1fffffff)) | id;
  memcpy (&arg.f, &bits, sizeof bits);
  return arg;
}

/* Both as doubles; FALSE with the error set when one is no number or too large. */
static gboolean
to_doubles (FbContext *context, FbArg a, FbArg b, double *x, double *y)
{
  FbArg fa = fb_num_to_float (context, a), fb = fb_num_to_float (context, b);

  if (fa.kind != FB_ARG_FLOAT || fb.kind != FB_ARG_FLOAT)
    return FALSE;
  *x = fa.f;
  *y = fb.f;
  return TRUE;
}

static gboolean
any_float (FbArg a, FbArg b)
{
  return a.kind == FB_ARG_FLOAT || b.kind == FB_ARG_FLOAT;
}

typedef void (*BigOp) (mpz_ptr, mpz_srcptr, mpz_srcptr);

static FbArg
big_op (FbContext *context, BigOp op, FbArg a, FbArg b)
{
  FbMpzView va, vb;
  mpz_t z;
  FbArg result;

  if (!fb_arg_is_integer (a) || !fb_arg_is_integer (b))
    return fb_num_refuse (context, "arithmetic on something that is no number");
  mpz_init (z);
  op (z, fb_mpz_view (&va, a), fb_mpz_view (&vb, b));
  result = fb_num_from_mpz (context, z);
  mpz_clear (z);
  return result;
}

FbArg
fb_num_add (FbContext *context, FbArg a, FbArg b)
{
  gint64 r;
  double x, y;

  if (both_small (a, b) && !__builtin_add_overflow (a.i, b.i, &r))
    return fb_arg_int (r);
  if (any_float (a, b))
    return to_doubles (context, a, b, &x, &y) ? fb_num_new_float (context, x + y) : FB_ARG_NIL;
  return big_op (context, mpz_add, a, b);
}

FbArg
fb_num_sub (FbContext *context, FbArg a, FbArg b)
{
  gint64 r;
  double x, y;

  if (both_small (a, b) && !__builtin_sub_overflow (a.i, b.i, &r))
    return fb_arg_int (r);
  if (any_float (a, b))
    return to_doubles (context, a, b, &x, &y) ? fb_num_new_float (context, x - y) : FB_ARG_NIL;
  return big_op (context, mpz_sub, a, b);
}

FbArg
fb_num_mul (FbContext *context, FbArg a, FbArg b)
{
  gint64 r;
  double x, y;

  if (both_small (a, b) && !__builtin_mul_overflow (a.i, b.i, &r))
    return fb_arg_int (r);
  if (any_float (a, b))
    return to_doubles (context, a, b, &x, &y) ? fb_num_new_float (context, x * y) : FB_ARG_NIL;
  return big_op (context, mpz_mul, a, b);
}

FbArg
fb_num_neg (FbContext *context, FbArg a)
{
  if (a.kind == FB_ARG_FLOAT)
    return fb_num_new_float (context, -a.f);
  return fb_num_sub (context, fb_arg_int (0), a);
}

FbArg
fb_num_abs (FbContext *context, FbArg a)
{
  if (a.kind == FB_ARG_FLOAT)
    return fb_num_new_float (context, fabs (a.f));
  if (a.kind == FB_ARG_BIG ? a.big->size < 0 : a.i < 0)
    return fb_num_neg (context, a);
  return a.kind == FB_ARG_BOOL ? fb_arg_int (a.i) : a;
}

/* Quotient and remainder of doubles as Python computes them: the remainder has the sign of the divisor. */
static void
float_divmod (double x, double y, double *quotient, double *remainder)
{
  double mod = fmod (x, y), div = (x - mod) / y;

  if (mod != 0)
    {
      if ((y < 0) != (mod < 0))
        {
          mod += y;
          div -= 1;
        }
    }
  else
    mod = copysign (0, y);
  *remainder = mod;
  if (div != 0)
    {
      double whole = floor (div);
      *quotient = div - whole > 0.5 ? whole + 1 : whole;
    }
  else
    *quotient = copysign (0, x / y);
}

static FbArg
float_div_or_mod (FbContext *context, FbArg a, FbArg b, gboolean want_mod)
{
  double x, y, quotient, remainder;

  if (!to_doubles (context, a, b, &x, &y))
    return FB_ARG_NIL;
  if (y == 0)
    return fb_num_refuse (context, "float division by zero");
  float_divmod (x, y, &quotient, &remainder);
  return fb_num_new_float (context, want_mod ? remainder : quotient);
}

static gboolean
is_int_zero (FbArg a)
{
  return a.kind - FB_ARG_BOOL <= 1u && a.i == 0;
}

FbArg
fb_num_floordiv (FbContext *context, FbArg a, FbArg b)
{
  if (any_float (a, b))
    return float_div_or_mod (context, a, b, FALSE);
  if (is_int_zero (b))
    return fb_num_refuse (context, "integer division by zero");
  if (both_small (a, b) && !(a.i == G_MININT64 && b.i == -1))
    {
      gint64 q = a.i / b.i;
      return fb_arg_int (q - ((a.i % b.i != 0) && ((a.i < 0) != (b.i < 0))));
    }
  return big_op (context, mpz_fdiv_q, a, b);
}

FbArg
fb_num_mod (FbContext *context, FbArg a, FbArg b)
{
  if (any_float (a, b))
    return float_div_or_mod (context, a, b, TRUE);
  if (is_int_zero (b))
    return fb_num_refuse (context, "integer modulo by zero");
  if (both_small (a, b))
    {
      gint64 r = b.i == -1 ? 0 : a.i % b.i;
      return fb_arg_int (r && (r < 0) != (b.i < 0) ? r + b.i : r);
    }
  return big_op (context, mpz_fdiv_r, a, b);
}

/* The count of a shift: FALSE with the error set, or G_MAXUINT32 for one beyond any integer here. */
static gboolean
shift_count (FbContext *context, FbArg a, FbArg b, guint32 *count)
{
  if (!fb_arg_is_integer (a) || !fb_arg_is_integer (b))
    {
      fb_num_refuse (context, "shift of something that is no integer");
      return FALSE;
    }
  if (b.kind == FB_ARG_BIG ? b.big->size < 0 : b.i < 0)
    {
      fb_num_refuse (context, "negative shift count");
      return FALSE;
    }
  *count = b.kind == FB_ARG_BIG || b.i > G_MAXUINT32 ? G_MAXUINT32 : (guint32) b.i;
  return TRUE;
}

FbArg
fb_num_shl (FbContext *context, FbArg a, FbArg b)
{
  guint32 count;
  FbMpzView view;
  mpz_t z;
  FbArg result;

  if (!shift_count (context, a, b, &count))
    return FB_ARG_NIL;
  if (is_int_zero (a))
    return fb_arg_int (0);
  if (a.kind != FB_ARG_BIG && count < 63 && a.i <= G_MAXINT64 >> count && a.i >= -(G_MAXINT64 >> count))
    return fb_arg_int (a.i * ((gint64) 1 << count));
  mpz_init (z);
  mpz_mul_2exp (z, fb_mpz_view (&view, a), MIN (count, FB_BIG_MAX_BITS + 1));
  result = fb_num_from_mpz (context, z);
  mpz_clear (z);
  return result;
}

FbArg
fb_num_shr (FbContext *context, FbArg a, FbArg b)
{
  guint32 count;
  FbMpzView view;
  mpz_t z;
  FbArg result;

  if (!shift_count (context, a, b, &count))
    return FB_ARG_NIL;
  if (a.kind != FB_ARG_BIG)
    return fb_arg_int (a.i >> MIN (count, 63));
  mpz_init (z);
  mpz_fdiv_q_2exp (z, fb_mpz_view (&view, a), count);
  result = fb_num_from_mpz (context, z);
  mpz_clear (z);
  return result;
}

static FbArg
bitwise (FbContext *context, BigOp op, FbArg a, FbArg b, gint64 small)
{
  if (a.kind == FB_ARG_BOOL && b.kind == FB_ARG_BOOL)
    return fb_arg_bool (small);
  return both_small (a, b) ? fb_arg_int (small) : big_op (context, op, a, b);
}

FbArg
fb_num_and (FbContext *context, FbArg a, FbArg b)
{
  return bitwise (context, mpz_and, a, b, a.i & b.i);
}

FbArg
fb_num_or (FbContext *context, FbArg a, FbArg b)
{
  return bitwise (context, mpz_ior, a, b, a.i | b.i);
}

FbArg
fb_num_xor (FbContext *context, FbArg a, FbArg b)
{
  return bitwise (context, mpz_xor, a, b, a.i ^ b.i);
}

FbArg
fb_num_gcd (FbContext *context, FbArg a, FbArg b)
{
  if (both_small (a, b) && a.i != G_MININT64 && b.i != G_MININT64)
    {
      gint64 x = ABS (a.i), y = ABS (b.i);
      while (y)
        {
          gint64 r = x % y;
          x = y;
          y = r;
        }
      return fb_arg_int (x);
    }
  return big_op (context, mpz_gcd, a, b);
}

static int
sign_of (int c)
{
  return (c > 0) - (c < 0);
}

static int
cmp_int_double (gint64 i, double d)
{
  gint64 whole;
  double fraction;

  if (isnan (d))
    return 2;
  if (d >= 0x1p63)
    return -1;
  if (d < -0x1p63)
    return 1;
  whole = (gint64) d;
  if (i != whole)
    return i < whole ? -1 : 1;
  fraction = d - (double) whole;
  return fraction > 0 ? -1 : fraction < 0;
}

static int
cmp_big_double (const FbBig *big, double d)
{
  mpz_t z;

  if (isnan (d))
    return 2;
  return sign_of (mpz_cmp_d (mpz_roinit_n (z, big->limbs, big->size), d));
}

int
fb_num_cmp (FbArg a, FbArg b)
{
  FbMpzView va, vb;
  int c;

  if (both_small (a, b))
    return (a.i > b.i) - (a.i < b.i);
  if (!fb_arg_is_number (a) || !fb_arg_is_number (b))
    return 2;
  if (a.kind == FB_ARG_FLOAT && b.kind == FB_ARG_FLOAT)
    return isunordered (a.f, b.f) ? 2 : (a.f > b.f) - (a.f < b.f);
  if (b.kind == FB_ARG_FLOAT)
    return a.kind == FB_ARG_BIG ? cmp_big_double (a.big, b.f) : cmp_int_double (a.i, b.f);
  if (a.kind == FB_ARG_FLOAT)
    {
      c = b.kind == FB_ARG_BIG ? cmp_big_double (b.big, a.f) : cmp_int_double (b.i, a.f);
      return c == 2 ? 2 : -c;
    }
  return sign_of (mpz_cmp (fb_mpz_view (&va, a), fb_mpz_view (&vb, b)));
}

gboolean
fb_num_equal (FbArg a, FbArg b)
{
  if (both_small (a, b))
    return a.i == b.i;
  if (a.kind == FB_ARG_FLOAT && b.kind == FB_ARG_FLOAT && isnan (a.f))
    return a.i == b.i; /* the bits */
  return fb_num_cmp (a, b) == 0;
}

guint32
fb_num_hash (FbArg arg)
{
  if (arg.kind == FB_ARG_BIG)
    return arg.big->hash;
  if (arg.kind == FB_ARG_FLOAT && arg.f >= -0x1p63 && arg.f < 0x1p63 && arg.f == (double) (gint64) arg.f)
    return fb_hash_word ((guint64) (gint64) arg.f);
  return fb_hash_word ((guint64) arg.i);
}

FbArg
fb_num_min (FbArg a, FbArg b)
{
  return fb_num_lt (b, a) ? b : a;
}

FbArg
fb_num_max (FbArg a, FbArg b)
{
  return fb_num_lt (a, b) ? b : a;
}
