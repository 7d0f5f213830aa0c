/* Arithmetic of symbolic integers. */
#include "sint-private.h"

#include "core/ir/number.h"
#include "core/symbolic/symbolic.h"

FbUop *
fb_sint_to_uop (FbContext *context, FbSint a)
{
  if (fb_sint_is_int (a))
    return fb_const_int (context, FB_DTYPE (INT32), fb_sint_int (a));
  return fb_sint_get_uop (a);
}

FbArg
fb_sint_to_arg (FbSint a)
{
  return fb_sint_is_int (a) ? fb_arg_int (fb_sint_int (a)) : fb_arg_uop (fb_sint_get_uop (a));
}

static FbSint
overflow (FbContext *context, FbSint a, const char *sign, FbSint b)
{
  fb_context_fail (context, FB_ERROR_OVERFLOW, NULL, "%" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT " is beyond 62 bits",
                   fb_sint_int (a), sign, fb_sint_int (b));
  return fb_sint (0);
}

FbSint
fb_sint_from_arg (FbContext *context, FbArg value)
{
  FbSint result;

  if (value.kind != FB_ARG_UOP && arg_to_sint (value, &result))
    return result;
  fb_context_fail (context, FB_ERROR_OVERFLOW, NULL,
                   fb_arg_is_integer (value) ? "a symbolic size is beyond 62 bits"
                                             : "a symbolic size is not an integer");
  return fb_sint (0);
}

FbUop *
fb_sint_operate (FbContext *context, FbOp op, FbSint a, FbSint b)
{
  FbUop *x
      = fb_sint_is_int (a) ? fb_const_like_int (context, fb_sint_get_uop (b), fb_sint_int (a)) : fb_sint_get_uop (a);
  FbUop *y
      = fb_sint_is_int (b) ? fb_const_like_int (context, fb_sint_get_uop (a), fb_sint_int (b)) : fb_sint_get_uop (b);

  return x && y ? fb_alu2 (context, op, x, y) : NULL;
}

static FbSint
operate_sint (FbContext *context, FbOp op, FbSint a, FbSint b)
{
  FbUop *uop = fb_sint_operate (context, op, a, b);

  return uop ? fb_sint_uop (uop) : fb_sint (0);
}

FbSint
fb_sint_add (FbContext *context, FbSint a, FbSint b)
{
  FbSint sum;

  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_ADD, a, b);
  if (__builtin_add_overflow (a.word, b.word, &sum.word))
    return overflow (context, a, "+", b);
  return sum;
}

FbSint
fb_sint_sub (FbContext *context, FbSint a, FbSint b)
{
  FbSint difference;

  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_ADD, a, fb_sint_neg (context, b));
  if (__builtin_sub_overflow (a.word, b.word, &difference.word))
    return overflow (context, a, "-", b);
  return difference;
}

FbSint
fb_sint_mul (FbContext *context, FbSint a, FbSint b)
{
  FbSint product;

  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_MUL, a, b);
  if (__builtin_mul_overflow (a.word >> 1, b.word, &product.word))
    return overflow (context, a, "*", b);
  return product;
}

FbSint
fb_sint_neg (FbContext *context, FbSint a)
{
  FbUop *uop;

  if (fb_sint_is_int (a))
    return fb_sint_sub (context, fb_sint (0), a);
  uop = fb_neg (context, fb_sint_get_uop (a));
  return uop ? fb_sint_uop (uop) : fb_sint (0);
}

static gboolean
divides_by_zero (FbContext *context, FbSint b)
{
  if (!fb_sint_is (b, 0))
    return FALSE;
  fb_context_fail (context, FB_ERROR_ARITHMETIC, NULL, "a size is divided by zero");
  return TRUE;
}

FbSint
fb_sint_floordiv (FbContext *context, FbSint a, FbSint b)
{
  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_IDIV, a, b);
  if (divides_by_zero (context, b))
    return fb_sint (0);
  /* -2^62 // -1 */
  if (int_floordiv (fb_sint_int (a), fb_sint_int (b)) > FB_SINT_MAX)
    return overflow (context, a, "//", b);
  return fb_sint (int_floordiv (fb_sint_int (a), fb_sint_int (b)));
}

FbSint
fb_sint_mod (FbContext *context, FbSint a, FbSint b)
{
  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_MOD, a, b);
  if (divides_by_zero (context, b))
    return fb_sint (0);
  return fb_sint (int_mod (fb_sint_int (a), fb_sint_int (b)));
}

FbSint
fb_sint_ceildiv (FbContext *context, FbSint a, FbSint b)
{
  return fb_sint_neg (context, fb_sint_floordiv (context, a, fb_sint_neg (context, b)));
}

FbSint
fb_sint_prod (FbContext *context, guint n, const FbSint *items)
{
  FbSint prod = fb_sint (1);

  for (guint i = 0; i < n; i++)
    prod = sint_mul (context, prod, items[i]);
  return prod;
}

FbSint
fb_sint_simplify (FbContext *context, FbSint a)
{
  FbUop *uop;

  if (fb_sint_is_int (a))
    return a;
  uop = fb_simplify (context, fb_sint_get_uop (a));
  if (!uop)
    return fb_sint (0);
  return uop->op == FB_OP_CONST ? fb_sint_from_arg (context, uop->arg) : fb_sint_uop (uop);
}

/* Nodes come first whatever the order (ops.py:203, partition). */
FbSint
fb_sint_max2 (FbContext *context, FbSint a, FbSint b)
{
  if (fb_sint_both_int (a, b))
    return b.word > a.word ? b : a;
  if (fb_sint_is_int (a))
    return fb_sint_simplify (context, operate_sint (context, FB_OP_MAX, b, a));
  return fb_sint_simplify (context, operate_sint (context, FB_OP_MAX, a, b));
}

FbSint
fb_sint_min2 (FbContext *context, FbSint a, FbSint b)
{
  FbSint max;

  if (fb_sint_both_int (a, b))
    return b.word < a.word ? b : a;
  if (fb_sint_is_int (a))
    return fb_sint_min2 (context, b, a);
  max = operate_sint (context, FB_OP_MAX, fb_sint_neg (context, a), fb_sint_neg (context, b));
  return fb_sint_simplify (context, fb_sint_neg (context, max));
}

FbSint
fb_sint_vmax (FbContext *context, FbSint a)
{
  if (fb_sint_is_int (a))
    return a;
  return fb_sint_from_arg (context, fb_uop_vmax (context, fb_sint_get_uop (a)));
}
