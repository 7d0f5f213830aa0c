/* Comparisons of symbolic integers, and which of them have one answer. */
#include "sint-private.h"

#include "core/ir/number.h"
#include "core/symbolic/symbolic.h"

gboolean
fb_uop_truth (FbContext *context, FbUop *uop)
{
  const FbBounds *bounds;
  FbUop *simple = uop->dtype == FB_DTYPE (BOOL) ? fb_simplify (context, uop) : NULL;

  if (!simple)
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop,
                       "a symbolic size is asked for a truth value that it does not have");
      return FALSE;
    }
  bounds = fb_uop_bounds (context, simple);
  if (!fb_num_eq (bounds->min, bounds->max))
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop,
                       "a comparison of symbolic sizes holds for some values of the variables and not for others");
      return FALSE;
    }
  return fb_arg_truth (bounds->min);
}

FbUop *
fb_sint_lt_uop (FbContext *context, FbSint a, FbSint b)
{
  return fb_sint_operate (context, FB_OP_CMPLT, a, b);
}

/* int != node asks the node. */
FbUop *
fb_sint_ne_uop (FbContext *context, FbSint a, FbSint b)
{
  return fb_sint_is_int (a) ? fb_sint_operate (context, FB_OP_CMPNE, b, a)
                            : fb_sint_operate (context, FB_OP_CMPNE, a, b);
}

static gboolean
resolve (FbContext *context, FbUop *uop, gboolean negate, gboolean otherwise)
{
  if (uop && negate)
    uop = fb_logical_not (context, uop);
  return uop ? fb_resolve (context, uop, otherwise) : otherwise;
}

static gboolean
truth (FbContext *context, FbUop *uop, gboolean negate)
{
  if (uop && negate)
    uop = fb_logical_not (context, uop);
  return uop && fb_uop_truth (context, uop);
}

gboolean
fb_sint_lt (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  if (fb_sint_both_int (a, b))
    return a.word < b.word;
  return resolve (context, fb_sint_lt_uop (context, a, b), FALSE, otherwise);
}

gboolean
fb_sint_gt (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  return fb_sint_lt (context, b, a, otherwise);
}

/* a >= b is not a < b (ops.py:65) */
gboolean
fb_sint_ge (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  if (fb_sint_both_int (a, b))
    return a.word >= b.word;
  return resolve (context, fb_sint_lt_uop (context, a, b), TRUE, otherwise);
}

gboolean
fb_sint_le (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  return fb_sint_ge (context, b, a, otherwise);
}

gboolean
fb_sint_ne (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  if (fb_sint_both_int (a, b))
    return a.word != b.word;
  return resolve (context, fb_sint_ne_uop (context, a, b), FALSE, otherwise);
}

gboolean
fb_sint_truth_lt (FbContext *context, FbSint a, FbSint b)
{
  return truth (context, fb_sint_lt_uop (context, a, b), FALSE);
}

gboolean
fb_sint_truth_ge (FbContext *context, FbSint a, FbSint b)
{
  return truth (context, fb_sint_lt_uop (context, a, b), TRUE);
}

gboolean
fb_sint_truth_ne (FbContext *context, FbSint a, FbSint b)
{
  return truth (context, fb_sint_ne_uop (context, a, b), FALSE);
}
