/* Folding of x < c where x is a sum (symbolic.py:97, :103). */
#include "symbolic-private.h"

#define ZERO fb_arg_int (0)

/* (p + d*q) < d*n is q < n when p stays in [0, d): p are the terms of factor 1, d divides all others and c. */
static FbUop *
lt_of_sum (FbContext *context, FbUop *x, FbArg c)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  FbArg divisor = c, low = ZERO, high = ZERO;
  FbUop *divided;

  fb_split_uop (x, FB_OP_ADD, terms);
  for (guint i = 0; i < terms->len; i++)
    {
      FbUop *u = g_ptr_array_index (terms, i);
      FbArg factor = fb_const_factor (context, u);

      if (fb_num_eq (factor, fb_arg_int (1)))
        {
          low = fb_num_add (context, low, fb_uop_vmin (context, u));
          high = fb_num_add (context, high, fb_uop_vmax (context, u));
          continue;
        }
      g_ptr_array_add (others, u);
      divisor = fb_num_gcd (context, factor, divisor);
    }
  if (others->len == 0 || !fb_num_lt (fb_arg_int (1), divisor) || fb_context_failed (context) || !fb_num_le (ZERO, low)
      || !fb_num_lt (high, divisor))
    return NULL;
  divided = fb_divides (context, fb_sym_reduce (context, FB_OP_ADD, others), divisor);
  if (!divided)
    {
      fb_context_fail (context, FB_ERROR_ARITHMETIC, x, "terms do not divide by their common factor");
      return NULL;
    }
  return fb_sym_lt (context, divided, fb_num_floordiv (context, c, divisor));
}

FbUop *
fb_lt_folding (FbContext *context, FbUop *x, FbArg c)
{
  if (x->op != FB_OP_ADD && fb_num_eq (fb_const_factor (context, x), fb_arg_int (1)))
    return NULL; /* nothing to divide */
  return lt_of_sum (context, x, c);
}

/* a0*x0 + a1*x1 + ... > 0 is x0 + x1 + ... > 0 when all are positive: the sum without the factors, NULL if there are none. */
FbUop *
fb_canonicalize_simplex (FbContext *context, FbUop *x)
{
  g_autoptr (GPtrArray) terms = NULL;
  gboolean changed = FALSE;

  if (x->op != FB_OP_ADD && x->op != FB_OP_MUL)
    return NULL;
  terms = g_ptr_array_new ();
  fb_split_uop (x, FB_OP_ADD, terms);
  for (guint i = 0; i < terms->len; i++)
    {
      FbUop *u = g_ptr_array_index (terms, i);

      if (u->op == FB_OP_MUL && u->n_src == 2 && u->src[1]->op == FB_OP_CONST && fb_num_lt (ZERO, u->src[1]->arg))
        {
          changed = TRUE;
          u = u->src[0];
        }
      if (!fb_op_in (u->op, FB_OPS_IRREDUCIBLE) || !fb_num_le (ZERO, fb_uop_vmin (context, u)))
        return NULL;
      g_ptr_array_index (terms, i) = u;
    }
  return changed ? fb_sym_reduce (context, FB_OP_ADD, terms) : NULL;
}
