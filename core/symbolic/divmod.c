/* Folding of x//y, x%y and of sums of quotients, for a divisor that is a positive constant (symbolic.py:75, :116).
 *
 * x is seen as a sum of terms f*v, f a number: f = q*c + r with divisor c. */
#include "symbolic-private.h"

typedef struct
{
  FbArg factor, quotient, remainder;
  FbUop *v;
} Term;

/* The sum and what is known of it. */
typedef struct
{
  FbContext *context;
  FbUop *x;
  FbArg c;
  gboolean mod; /* x % c is asked for, not x // c */
  GArray *terms;
  FbArg constant; /* the sum of the terms that are constants */
  FbArg offset;   /* smallest value of the sum of r*v */
  FbArg gcd;      /* of c and all remainders */
  FbArg divisor;  /* smallest factor that divides c, 1 for none */
  gboolean changed;
} Sum;

#define ZERO fb_arg_int (0)
#define ONE fb_arg_int (1)
#define term_at(sum, i) (&g_array_index ((sum)->terms, Term, i))

static gboolean
is_const (const FbUop *uop)
{
  return uop->op == FB_OP_CONST;
}

static void
no_divisor (FbContext *context, const FbUop *uop)
{
  fb_context_fail (context, FB_ERROR_ARITHMETIC, uop, "%s does not divide by its own factor", fb_op_name (uop->op));
}

/* Adds the term @u to the sum; FALSE on error. */
static gboolean
add_term (Sum *sum, FbUop *u)
{
  FbContext *context = sum->context;
  Term term;
  gboolean constant;

  if (u->op == FB_OP_MOD && sum->mod && u->n_src == 2 && is_const (u->src[1])
      && fb_num_eq (fb_num_mod (context, u->src[1]->arg, sum->c), ZERO))
    {
      u = u->src[0];
      sum->changed = TRUE;
    }
  constant = is_const (u);
  term.factor = fb_const_factor (context, u);
  if (!(term.v = fb_divides (context, u, term.factor)))
    {
      no_divisor (context, u);
      return FALSE;
    }
  term.quotient = fb_num_floordiv (context, term.factor, sum->c);
  term.remainder = fb_num_mod (context, term.factor, sum->c);
  if (fb_num_eq (term.remainder, ZERO) || ((sum->mod || constant) && !fb_num_eq (term.remainder, term.factor)))
    sum->changed = TRUE;
  sum->offset = fb_num_add (context, sum->offset, fb_num_mul (context, term.remainder, fb_uop_vmin (context, term.v)));
  if (constant)
    sum->constant = fb_num_add (context, sum->constant, term.factor);
  else
    {
      if (fb_num_lt (ONE, term.factor) && fb_num_eq (fb_num_mod (context, sum->c, term.factor), ZERO)
          && (fb_num_eq (sum->divisor, ONE) || fb_num_lt (term.factor, sum->divisor)))
        sum->divisor = term.factor;
      sum->gcd = fb_num_gcd (context, term.remainder, sum->gcd);
      g_array_append_val (sum->terms, term);
    }
  return !fb_context_failed (context);
}

/* How far v reaches: vmax - vmin. */
static FbArg
reach (FbContext *context, FbUop *v)
{
  return fb_num_sub (context, fb_uop_vmax (context, v), fb_uop_vmin (context, v));
}

/* One term that takes two values only: the result is linear in it. */
static FbUop *
fold_two_values (Sum *sum, FbArg offset)
{
  FbContext *context = sum->context;
  const Term *term = term_at (sum, 0);
  FbArg r = fb_num_sub (context, fb_num_mod (context, fb_num_add (context, offset, term->remainder), sum->c),
                        fb_num_mod (context, offset, sum->c));
  FbArg slope;

  offset = fb_num_sub (context, offset, fb_num_mul (context, r, fb_uop_vmin (context, term->v)));
  if (sum->mod)
    return fb_sym_add (context, fb_sym_rmul (context, r, term->v), offset);
  slope = fb_num_floordiv (context, fb_num_sub (context, term->factor, r), sum->c);
  return fb_sym_add (context, fb_sym_rmul (context, slope, term->v),
                     fb_num_floordiv (context, fb_num_sub (context, sum->constant, offset), sum->c));
}

/* Whether the sum of the remainders stays between two multiples of c, each remainder taken as r or r-c, whichever its half
 * of the range asks for. @offset becomes that of the sum of remainders. */
static gboolean
remainder_in_one_period (Sum *sum, FbArg *offset)
{
  FbContext *context = sum->context;
  FbArg lower = *offset, upper = *offset, half = fb_num_floordiv (context, sum->c, fb_arg_int (2));

  for (guint i = 0; i < sum->terms->len; i++)
    {
      const Term *term = term_at (sum, i);
      FbArg r = term->remainder;

      if (fb_num_lt (half, r))
        {
          r = fb_num_sub (context, r, sum->c);
          lower = fb_num_add (context, lower, fb_num_mul (context, r, reach (context, term->v)));
          if (fb_num_lt (lower, ZERO))
            return FALSE;
        }
      else
        {
          upper = fb_num_add (context, upper, fb_num_mul (context, r, reach (context, term->v)));
          if (fb_num_le (sum->c, upper))
            return FALSE;
        }
      *offset = fb_num_sub (context, *offset, fb_num_mul (context, r, fb_uop_vmin (context, term->v)));
    }
  return TRUE;
}

/* The remainder itself as x % c, or what is left of x without it as x // c. */
static FbUop *
fold_one_period (Sum *sum, FbArg offset)
{
  FbContext *context = sum->context;
  FbUop *result;

  if (!sum->mod)
    offset = fb_num_floordiv (context, fb_num_sub (context, sum->constant, offset), sum->c);
  result = fb_const_like (context, sum->x, offset);
  for (guint i = 0; i < sum->terms->len && result; i++)
    {
      const Term *term = term_at (sum, i);
      FbArg r = term->remainder, below = fb_num_sub (context, r, sum->c), times;

      if (fb_num_lt (fb_num_abs (context, below), fb_num_abs (context, r)))
        r = below;
      times = sum->mod ? r : fb_num_floordiv (context, fb_num_sub (context, term->factor, r), sum->c);
      result = fb_alu2 (context, FB_OP_ADD, result, fb_sym_rmul (context, times, term->v));
    }
  return result;
}

/* Splits x in a part that c divides and the rest, both divided by the common divisor. */
static FbUop *
split_quotient (Sum *sum)
{
  FbContext *context = sum->context;
  FbArg rest = fb_num_mod (context, sum->constant, sum->c);
  FbArg period = fb_num_floordiv (context, sum->c, sum->gcd);
  FbUop *quo = fb_const_like (context, sum->x, fb_num_floordiv (context, sum->constant, sum->c));
  FbUop *rem = fb_const_like (context, sum->x, fb_num_floordiv (context, rest, sum->gcd));

  for (guint i = 0; i < sum->terms->len && rem && quo; i++)
    {
      const Term *term = term_at (sum, i);
      gboolean keep = !sum->mod && !fb_num_eq (term->remainder, ZERO);
      FbArg part = fb_num_floordiv (context, keep ? term->factor : term->remainder, sum->gcd);

      rem = fb_alu2 (context, FB_OP_ADD, rem, fb_sym_rmul (context, part, term->v));
      if (!keep)
        quo = fb_alu2 (context, FB_OP_ADD, quo, fb_sym_rmul (context, term->quotient, term->v));
    }
  if (sum->mod)
    return fb_sym_add (context, fb_sym_rmul (context, sum->gcd, fb_sym_mod (context, rem, period)),
                       fb_num_mod (context, sum->constant, sum->gcd));
  return fb_alu2 (context, FB_OP_ADD, fb_sym_idiv (context, rem, period), quo);
}

/* x and y have one quotient for all their values: x - q*y, or q. */
static gboolean
one_quotient (FbContext *context, FbUop *x, FbUop *y, FbArg *q)
{
  FbBounds a = *fb_uop_bounds (context, x), b = *fb_uop_bounds (context, y);

  if (fb_num_eq (b.min, ZERO) || fb_num_eq (b.max, ZERO))
    return FALSE;
  *q = fb_num_floordiv (context, a.min, b.min);
  return fb_num_eq (*q, fb_num_floordiv (context, a.min, b.max))
         && fb_num_eq (*q, fb_num_floordiv (context, a.max, b.min))
         && fb_num_eq (*q, fb_num_floordiv (context, a.max, b.max));
}

/* x % y or x // y with one quotient for all values. NULL when there is none, or nothing can be done for this divisor. */
static FbUop *
fold_one_quotient (FbContext *context, FbUop *x, FbUop *y, gboolean mod)
{
  FbArg q;

  if (!one_quotient (context, x, y, &q))
    return NULL;
  return mod ? fb_alu2 (context, FB_OP_ADD, x, fb_neg (context, fb_sym_rmul (context, q, y)))
             : fb_const_like (context, x, q);
}

/* By the constant sum->c. When only a smaller divisor may help, @next is that one. */
static FbUop *
fold_terms (Sum *sum, GPtrArray *split, FbArg *next)
{
  FbContext *context = sum->context;
  FbArg offset;

  for (guint i = 0; i < split->len; i++)
    if (!add_term (sum, g_ptr_array_index (split, i)))
      return NULL;
  offset = fb_num_mod (context, sum->offset, sum->c);
  if (sum->terms->len == 1 && fb_num_eq (reach (context, term_at (sum, 0)->v), ONE))
    return fold_two_values (sum, offset);
  if (remainder_in_one_period (sum, &offset))
    return fold_one_period (sum, offset);
  if (sum->changed || !fb_num_eq (sum->gcd, ONE))
    return split_quotient (sum);
  if (!sum->mod && fb_num_lt (ONE, sum->divisor) && fb_num_lt (sum->divisor, sum->c))
    *next = sum->divisor;
  return NULL;
}

/* The reference recurses with each smaller divisor; here @divided holds what remains to divide by. */
static FbUop *
fold_by_constant (FbContext *context, FbUop *x, FbArg c, gboolean mod)
{
  g_autoptr (GPtrArray) split = g_ptr_array_new ();
  g_autoptr (GArray) divided = g_array_new (FALSE, FALSE, sizeof (FbArg));
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (Term));
  FbUop *result = NULL;
  FbArg next = c;

  fb_split_uop (x, FB_OP_ADD, split);
  while (!result && next.kind != FB_ARG_NONE && !fb_context_failed (context))
    {
      Sum sum = { context, x, next, mod, terms, ZERO, ZERO, next, ONE, FALSE };

      g_array_set_size (terms, 0);
      next = FB_ARG_NIL;
      result = fold_terms (&sum, split, &next);
      if (next.kind != FB_ARG_NONE)
        {
          FbArg rest = fb_num_floordiv (context, sum.c, next);
          g_array_append_val (divided, rest);
          result = fold_one_quotient (context, x, fb_const (context, FB_DTYPE (INT32), next), FALSE);
        }
    }
  for (guint i = divided->len; i-- > 0 && result;)
    result = fb_sym_idiv (context, result, g_array_index (divided, FbArg, i));
  return result;
}

FbUop *
fb_div_and_mod_folding (FbContext *context, FbUop *x, FbUop *y, FbOp which)
{
  gboolean mod = which == FB_OP_MOD;
  FbUop *result = fold_one_quotient (context, x, y, mod);

  if (!result && is_const (y) && !fb_num_le (y->arg, ZERO) && x->dtype->count <= 1)
    result = fold_by_constant (context, x, y->arg, mod);
  return fb_context_failed (context) ? NULL : result;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  int c = fb_num_cmp (*(const FbArg *) a, *(const FbArg *) b);
  return c == 2 ? 0 : c;
}

/* Whether the numbers are n-k ... n-1 in some order, k being how many of n are missing. */
static gboolean
are_last_of (FbContext *context, GArray *numbers, FbArg n)
{
  FbArg first = fb_num_sub (context, n, fb_arg_int (numbers->len));

  g_array_sort (numbers, compare_numbers);
  for (guint i = 0; i < numbers->len; i++)
    if (!fb_num_eq (g_array_index (numbers, FbArg, i), fb_num_add (context, first, fb_arg_int (i))))
      return FALSE;
  return TRUE;
}

/* x//n + (x+1)//n + ... + (x+n-1)//n is x; the first of these terms may be gone, being 0. */
static FbUop *
fold_quotients (FbContext *context, FbUop *divs)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (FbArg));
  FbArg denominator = FB_ARG_NIL, missing;
  FbUop *x = NULL;

  fb_split_uop (divs, FB_OP_ADD, terms);
  for (guint i = 0; i < terms->len; i++)
    {
      FbUop *u = g_ptr_array_index (terms, i), *dividend;
      FbArg offset = ZERO;

      if (u->op != FB_OP_IDIV || u->n_src != 2 || !is_const (u->src[1]))
        return NULL;
      if (i == 0)
        denominator = u->src[1]->arg;
      if (!fb_num_eq (denominator, u->src[1]->arg))
        return NULL;
      dividend = u->src[0];
      if (dividend->op == FB_OP_ADD && dividend->n_src == 2 && is_const (dividend->src[1]))
        {
          offset = dividend->src[1]->arg;
          dividend = dividend->src[0];
        }
      g_array_append_val (offsets, offset);
      if (x && x != dividend)
        return NULL;
      x = dividend;
    }
  missing = fb_num_sub (context, denominator, fb_arg_int (offsets->len));
  if (!x || !fb_arg_is_integer (missing) || fb_num_lt (missing, ZERO))
    return NULL;
  if (fb_num_lt (ZERO, missing)) /* the last of those gone, x//n of the largest x plus what comes before, must be 0 */
    {
      FbArg last = fb_num_add (context, fb_uop_vmax (context, x), fb_num_sub (context, missing, ONE));
      if (!fb_num_le (ZERO, fb_uop_vmin (context, x)) || !fb_num_lt (last, denominator))
        return NULL;
    }
  return are_last_of (context, offsets, denominator) ? x : NULL;
}

FbUop *
fb_fold_unrolled_divs (FbContext *context, FbUop *divs)
{
  for (guint i = 0; i < divs->n_src; i++)
    if (divs->src[i]->op != FB_OP_IDIV && divs->src[i]->op != FB_OP_ADD)
      return NULL; /* as most sums: the terms need not be listed */
  return fold_quotients (context, divs);
}
