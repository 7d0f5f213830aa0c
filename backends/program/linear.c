/* Linear expressions over loop variables, their quotients and remainders. */
#include "linear-private.h"

gint64
fb_linear_sum (FbLinearBuilder *b, gint64 x, gint64 y)
{
  gint64 sum;
  b->overflow |= __builtin_add_overflow (x, y, &sum);
  return sum;
}

gint64
fb_linear_product (FbLinearBuilder *b, gint64 x, gint64 y)
{
  gint64 product;
  b->overflow |= __builtin_mul_overflow (x, y, &product);
  return product;
}

gboolean
fb_linear_bounds (const FbIndex *index, const FbLinear *linear, gint64 *min, gint64 *max)
{
  gboolean overflow = FALSE;
  *min = *max = linear->constant;
  for (guint i = 0; i < linear->n_terms; i++)
    {
      const FbAtom *atom = fb_index_atom (index, linear->terms[i].atom);
      gint64 coef = linear->terms[i].coef, a, b;
      overflow |= __builtin_mul_overflow (coef, atom->min, &a);
      overflow |= __builtin_mul_overflow (coef, atom->max, &b);
      overflow |= __builtin_add_overflow (*min, MIN (a, b), min);
      overflow |= __builtin_add_overflow (*max, MAX (a, b), max);
    }
  return !overflow;
}

void
fb_linear_find_bounds (FbLinearBuilder *b, const FbLinear *linear, gint64 *min, gint64 *max)
{
  if (!fb_linear_bounds (b->index, linear, min, max))
    b->overflow = TRUE;
}

static gboolean
linear_equal (const FbLinear *a, const FbLinear *b)
{
  if (a->constant != b->constant || a->n_terms != b->n_terms)
    return FALSE;
  for (guint i = 0; i < a->n_terms; i++)
    if (a->terms[i].coef != b->terms[i].coef || a->terms[i].atom != b->terms[i].atom)
      return FALSE;
  return TRUE;
}

/* The atom as a linear expression, made or found. */
FbLinear
fb_linear_from_atom (FbLinearBuilder *b, FbAtomKind kind, const FbLinear *of, gint64 divisor, gint64 min, gint64 max)
{
  GArray *atoms = b->index->atoms;
  guint i;
  for (i = 0; i < atoms->len; i++)
    {
      const FbAtom *known = fb_index_atom (b->index, i);
      if (known->kind == kind && known->divisor == divisor && linear_equal (&known->of, of))
        break;
    }
  if (i == atoms->len)
    {
      FbAtom atom = { .kind = kind, .divisor = divisor, .of = *of, .min = min, .max = max };
      g_array_append_val (atoms, atom);
    }
  FbTerm term = { 1, i };
  return (FbLinear){ .n_terms = 1, .terms = fb_arena_memdup (b->index->arena, &term, sizeof term) };
}

/* k*(x/c)*c + k*(x%c) is k*x. @terms is changed in place; TRUE: something was joined, and *joined*scale is to be added. */
static gboolean
join_division (FbLinearBuilder *b, FbTerm *terms, guint n, FbLinear *joined, gint64 *scale)
{
  for (guint i = 0; i < n; i++)
    {
      const FbAtom *mod = fb_index_atom (b->index, terms[i].atom);
      gint64 wanted;
      if (mod->kind != FB_ATOM_MOD || terms[i].coef == 0
          || __builtin_mul_overflow (terms[i].coef, mod->divisor, &wanted))
        continue;
      for (guint j = 0; j < n; j++)
        {
          const FbAtom *div = fb_index_atom (b->index, terms[j].atom);
          if (div->kind != FB_ATOM_DIV || div->divisor != mod->divisor || terms[j].coef != wanted
              || !linear_equal (&div->of, &mod->of))
            continue;
          *joined = mod->of;
          *scale = terms[i].coef;
          terms[i].coef = terms[j].coef = 0;
          return TRUE;
        }
    }
  return FALSE;
}

/* x + y * scale */
FbLinear
fb_linear_add_scaled (FbLinearBuilder *b, FbLinear x, FbLinear y, gint64 scale)
{
  /* ends: each round that goes on has removed an atom for atoms that come before it */
  for (;;)
    {
      g_autofree FbTerm *terms = g_new (FbTerm, x.n_terms + y.n_terms + 1);
      guint n = 0, i = 0, j = 0;
      while (i < x.n_terms || j < y.n_terms)
        if (j == y.n_terms || (i < x.n_terms && x.terms[i].atom < y.terms[j].atom))
          terms[n++] = x.terms[i++];
        else
          {
            FbTerm term = { fb_linear_product (b, y.terms[j].coef, scale), y.terms[j].atom };
            j++;
            if (i < x.n_terms && x.terms[i].atom == term.atom)
              term.coef = fb_linear_sum (b, term.coef, x.terms[i++].coef);
            terms[n++] = term;
          }
      FbLinear joined;
      gint64 joined_scale = 0;
      gboolean again = !b->overflow && join_division (b, terms, n, &joined, &joined_scale);
      guint kept = 0;
      for (guint k = 0; k < n; k++)
        if (terms[k].coef != 0)
          terms[kept++] = terms[k];
      x = (FbLinear){ .constant = fb_linear_sum (b, x.constant, fb_linear_product (b, y.constant, scale)),
                      .n_terms = kept,
                      .terms = fb_arena_memdup (b->index->arena, terms, kept * sizeof *terms) };
      if (!again)
        return x;
      y = joined;
      scale = joined_scale;
    }
}

static gint64
gcd (gint64 a, gint64 b)
{
  while (b != 0)
    {
      gint64 c = a % b;
      a = b;
      b = c;
    }
  return ABS (a);
}

/* @linear as quotient * c + rest, the rest's coefficients between 0 and c, or between -c and 0 for those above the
 * middle when @balanced, and its constant in [0, c). */
static void
split (FbLinearBuilder *b, const FbLinear *linear, gint64 c, gboolean balanced, FbLinear *quotient, FbLinear *rest)
{
  FbTerm *terms = fb_arena_alloc (b->index->arena, MAX (linear->n_terms, 1) * 2 * sizeof *terms);
  FbTerm *others = terms + linear->n_terms;
  *quotient = (FbLinear){ .constant = fb_floordiv (linear->constant, c), .terms = terms };
  *rest = (FbLinear){ .constant = linear->constant - quotient->constant * c, .terms = others };
  for (guint i = 0; i < linear->n_terms; i++)
    {
      gint64 coef = linear->terms[i].coef, whole = fb_floordiv (coef, c), over = coef - whole * c;
      if (balanced && over > c / 2)
        {
          whole++;
          over -= c;
        }
      if (whole != 0)
        terms[quotient->n_terms++] = (FbTerm){ whole, linear->terms[i].atom };
      if (over != 0)
        others[rest->n_terms++] = (FbTerm){ over, linear->terms[i].atom };
    }
}

/* The split whose rest stays within one multiple of c if there is one: then *multiple is it. */
static gboolean
split_best (FbLinearBuilder *b, const FbLinear *linear, gint64 c, FbLinear *quotient, FbLinear *rest, gint64 *multiple)
{
  gint64 min, max;
  for (int balanced = 1; balanced >= 0; balanced--)
    {
      split (b, linear, c, balanced, quotient, rest);
      fb_linear_find_bounds (b, rest, &min, &max);
      *multiple = fb_floordiv (min, c);
      if (!b->overflow && *multiple == fb_floordiv (max, c))
        return TRUE;
    }
  return FALSE;
}

/* What divides all coefficients of @rest and c. */
static gint64
common_divisor (const FbLinear *rest, gint64 c)
{
  gint64 common = c;
  for (guint i = 0; i < rest->n_terms; i++)
    common = gcd (common, rest->terms[i].coef == G_MININT64 ? 1 : rest->terms[i].coef);
  return common;
}

static FbLinear
divide_exact (FbLinearBuilder *b, const FbLinear *rest, gint64 by)
{
  FbTerm *terms = fb_arena_memdup (b->index->arena, rest->terms, rest->n_terms * sizeof *terms);
  for (guint i = 0; i < rest->n_terms; i++)
    terms[i].coef /= by;
  return (FbLinear){ fb_floordiv (rest->constant, by), rest->n_terms, terms };
}

FbLinear
fb_linear_divide (FbLinearBuilder *b, FbLinear x, gint64 c)
{
  FbLinear quotient, rest;
  gint64 min, max, multiple;
  if (c == 1 || b->overflow)
    return x;
  if (split_best (b, &x, c, &quotient, &rest, &multiple))
    {
      quotient.constant = fb_linear_sum (b, quotient.constant, multiple);
      return quotient;
    }
  fb_linear_find_bounds (b, &rest, &min, &max);
  if (b->overflow)
    return x;
  gint64 common = common_divisor (&rest, c);
  if (common > 1)
    {
      rest = divide_exact (b, &rest, common);
      c /= common;
      fb_linear_find_bounds (b, &rest, &min, &max);
    }
  if (rest.n_terms == 1 && rest.constant == 0 && rest.terms[0].coef == 1)
    {
      const FbAtom *inner = fb_index_atom (b->index, rest.terms[0].atom);
      if (inner->kind == FB_ATOM_DIV)
        {
          rest = inner->of;
          c = fb_linear_product (b, c, inner->divisor);
          if (b->overflow)
            return x;
          min = fb_linear_product (b, inner->min, inner->divisor);
          max = fb_linear_product (b, inner->max, inner->divisor);
        }
    }
  return fb_linear_add_scaled (
      b, quotient, fb_linear_from_atom (b, FB_ATOM_DIV, &rest, c, fb_floordiv (min, c), fb_floordiv (max, c)), 1);
}

FbLinear
fb_linear_modulo (FbLinearBuilder *b, FbLinear x, gint64 c)
{
  FbLinear quotient, rest, extra = { 0 };
  gint64 multiple;
  if (c == 1 || b->overflow)
    return extra;
  if (split_best (b, &x, c, &quotient, &rest, &multiple))
    {
      rest.constant = fb_linear_sum (b, rest.constant, fb_linear_product (b, fb_linear_product (b, multiple, c), -1));
      return rest;
    }
  if (b->overflow)
    return x;
  gint64 common = common_divisor (&rest, c);
  if (common > 1)
    {
      extra.constant = rest.constant - fb_floordiv (rest.constant, common) * common;
      rest = divide_exact (b, &rest, common);
    }
  if (rest.n_terms == 1 && rest.constant == 0 && rest.terms[0].coef == 1)
    {
      const FbAtom *inner = fb_index_atom (b->index, rest.terms[0].atom);
      if (inner->kind == FB_ATOM_MOD && inner->divisor % (c / common) == 0)
        rest = inner->of;
    }
  return fb_linear_add_scaled (b, extra, fb_linear_from_atom (b, FB_ATOM_MOD, &rest, c / common, 0, c / common - 1),
                               common);
}
