#include "index.h"

#include <string.h>

G_DEFINE_QUARK (fb - backend - error - quark, fb_backend_error)

/* Builds expressions; the first overflow is remembered and everything after it is meaningless. */
typedef struct
{
  FbIndex *index;
  gboolean overflow;
} Builder;

static gint64
add (Builder *b, gint64 x, gint64 y)
{
  gint64 sum;
  b->overflow |= __builtin_add_overflow (x, y, &sum);
  return sum;
}

static gint64
mul (Builder *b, gint64 x, gint64 y)
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

static void
bounds (Builder *b, const FbLinear *linear, gint64 *min, gint64 *max)
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
static FbLinear
atom_new (Builder *b, FbAtomKind kind, const FbLinear *of, gint64 divisor, gint64 min, gint64 max)
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
join_division (Builder *b, FbTerm *terms, guint n, FbLinear *joined, gint64 *scale)
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
static FbLinear
add_scaled (Builder *b, FbLinear x, FbLinear y, gint64 scale)
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
            FbTerm term = { mul (b, y.terms[j].coef, scale), y.terms[j].atom };
            j++;
            if (i < x.n_terms && x.terms[i].atom == term.atom)
              term.coef = add (b, term.coef, x.terms[i++].coef);
            terms[n++] = term;
          }
      FbLinear joined;
      gint64 joined_scale = 0;
      gboolean again = !b->overflow && join_division (b, terms, n, &joined, &joined_scale);
      guint kept = 0;
      for (guint k = 0; k < n; k++)
        if (terms[k].coef != 0)
          terms[kept++] = terms[k];
      x = (FbLinear){ .constant = add (b, x.constant, mul (b, y.constant, scale)),
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
split (Builder *b, const FbLinear *linear, gint64 c, gboolean balanced, FbLinear *quotient, FbLinear *rest)
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
split_best (Builder *b, const FbLinear *linear, gint64 c, FbLinear *quotient, FbLinear *rest, gint64 *multiple)
{
  gint64 min, max;
  for (int balanced = 1; balanced >= 0; balanced--)
    {
      split (b, linear, c, balanced, quotient, rest);
      bounds (b, rest, &min, &max);
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
divide_exact (Builder *b, const FbLinear *rest, gint64 by)
{
  FbTerm *terms = fb_arena_memdup (b->index->arena, rest->terms, rest->n_terms * sizeof *terms);
  for (guint i = 0; i < rest->n_terms; i++)
    terms[i].coef /= by;
  return (FbLinear){ fb_floordiv (rest->constant, by), rest->n_terms, terms };
}

static FbLinear
divide (Builder *b, FbLinear x, gint64 c)
{
  FbLinear quotient, rest;
  gint64 min, max, multiple;
  if (c == 1 || b->overflow)
    return x;
  if (split_best (b, &x, c, &quotient, &rest, &multiple))
    {
      quotient.constant = add (b, quotient.constant, multiple);
      return quotient;
    }
  bounds (b, &rest, &min, &max);
  if (b->overflow)
    return x;
  gint64 common = common_divisor (&rest, c);
  if (common > 1)
    {
      rest = divide_exact (b, &rest, common);
      c /= common;
      bounds (b, &rest, &min, &max);
    }
  if (rest.n_terms == 1 && rest.constant == 0 && rest.terms[0].coef == 1)
    {
      const FbAtom *inner = fb_index_atom (b->index, rest.terms[0].atom);
      if (inner->kind == FB_ATOM_DIV)
        {
          rest = inner->of;
          c = mul (b, c, inner->divisor);
          if (b->overflow)
            return x;
          min = mul (b, inner->min, inner->divisor);
          max = mul (b, inner->max, inner->divisor);
        }
    }
  return add_scaled (b, quotient, atom_new (b, FB_ATOM_DIV, &rest, c, fb_floordiv (min, c), fb_floordiv (max, c)), 1);
}

static FbLinear
modulo (Builder *b, FbLinear x, gint64 c)
{
  FbLinear quotient, rest, extra = { 0 };
  gint64 multiple;
  if (c == 1 || b->overflow)
    return extra;
  if (split_best (b, &x, c, &quotient, &rest, &multiple))
    {
      rest.constant = add (b, rest.constant, mul (b, mul (b, multiple, c), -1));
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
  return add_scaled (b, extra, atom_new (b, FB_ATOM_MOD, &rest, c / common, 0, c / common - 1), common);
}

/* begin <= x < end from here on. Gives back the expression to go on with. */
static FbLinear
require (Builder *b, FbLinear x, gint64 begin, gint64 end, gboolean keep_form)
{
  FbIndex *index = b->index;
  gint64 min, max;
  bounds (b, &x, &min, &max);
  if (b->overflow || (min >= begin && max < end))
    return x;
  FbCondition condition = { x, begin, end };
  g_array_append_val (index->conditions, condition);
  if (max < begin || min >= end || begin >= end)
    index->never = TRUE;
  if (index->never || x.n_terms == 0)
    return x;
  if (x.n_terms == 1)
    {
      FbAtom *atom = fb_index_atom (index, x.terms[0].atom);
      gint64 coef = x.terms[0].coef, minus = mul (b, x.constant, -1);
      gint64 low = add (b, begin, minus), high = add (b, end - 1, minus);
      if (coef < 0)
        {
          gint64 swap = mul (b, low, -1);
          low = mul (b, high, -1);
          high = swap;
          coef = mul (b, coef, -1);
        }
      if (b->overflow || low == G_MININT64)
        {
          b->overflow = TRUE;
          return x;
        }
      atom->min = MAX (atom->min, -fb_floordiv (-low, coef));
      atom->max = MIN (atom->max, fb_floordiv (high, coef));
      index->never = atom->min > atom->max;
      return x;
    }
  if (keep_form)
    return x;
  return atom_new (b, FB_ATOM_SUM, &x, 0, MAX (min, begin), MIN (max, end - 1));
}

/* Indices of @view in @at: conditions of its mask, and the element of what it views. The interval is that of the indices
 * inside the mask, which may be narrower than the expression's own. */
static FbLinear
through_view (Builder *b, const FbPlainView *view, FbLinear *at, gboolean last)
{
  FbLinear element = { .constant = view->offset };
  gint64 low = view->offset, high = view->offset;
  for (guint d = 0; d < view->n && !b->overflow; d++)
    {
      gint64 begin = 0, end = view->shape[d], min, max;
      if (view->mask != NULL)
        {
          begin = view->mask[2 * d];
          end = view->mask[2 * d + 1];
          at[d] = require (b, at[d], begin, end, last);
        }
      if (b->index->never)
        return element;
      bounds (b, &at[d], &min, &max);
      min = MAX (min, begin);
      max = MIN (max, end - 1);
      gint64 x = mul (b, view->strides[d], min), y = mul (b, view->strides[d], max);
      low = add (b, low, MIN (x, y));
      high = add (b, high, MAX (x, y));
      element = add_scaled (b, element, at[d], view->strides[d]);
    }
  if (b->overflow)
    return element;
  bounds (b, &element, &b->index->min, &b->index->max);
  b->index->min = MAX (b->index->min, low);
  b->index->max = MIN (b->index->max, high);
  return element;
}

/* Position of @element in each dimension of @view. */
static void
unravel (Builder *b, const FbPlainView *view, FbLinear element, FbLinear *at)
{
  gint64 below = 1;
  for (guint d = view->n; d-- > 0 && !b->overflow;)
    {
      at[d] = modulo (b, divide (b, element, below), MAX (view->shape[d], 1));
      below = mul (b, below, MAX (view->shape[d], 1));
    }
}

FbIndex *
fb_index_new (FbArena *arena, guint n_views, const FbPlainView *views, const int *vars, GError **error)
{
  FbIndex *index = g_new0 (FbIndex, 1);
  Builder b = { .index = index };
  guint most = 1;
  index->arena = arena;
  index->atoms = g_array_new (FALSE, FALSE, sizeof (FbAtom));
  index->conditions = g_array_new (FALSE, FALSE, sizeof (FbCondition));
  for (guint i = 0; i < n_views; i++)
    most = MAX (most, views[i].n);
  g_autofree FbLinear *at = g_new0 (FbLinear, most);

  const FbPlainView *outer = &views[n_views - 1];
  for (guint d = 0; d < outer->n; d++)
    if (vars[d] >= 0)
      {
        if (outer->shape[d] < 1)
          index->never = TRUE;
        at[d] = atom_new (&b, FB_ATOM_VAR, &(FbLinear){ 0 }, vars[d], 0, outer->shape[d] - 1);
      }
  for (guint i = n_views; i-- > 0 && !index->never && !b.overflow;)
    {
      index->at = through_view (&b, &views[i], at, i == 0);
      if (i > 0 && !index->never)
        unravel (&b, &views[i - 1], index->at, at);
    }
  if (!b.overflow)
    return index;
  g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE, "an index leaves 64 bits");
  fb_index_free (index);
  return NULL;
}

/* Variables that each atom depends on. */
static guint64 *
atom_vars (const FbIndex *index)
{
  guint64 *vars = g_new0 (guint64, MAX (index->atoms->len, 1));
  for (guint i = 0; i < index->atoms->len; i++)
    {
      const FbAtom *atom = fb_index_atom (index, i);
      if (atom->kind == FB_ATOM_VAR)
        vars[i] = (guint64) 1 << atom->divisor;
      for (guint t = 0; t < atom->of.n_terms; t++)
        vars[i] |= vars[atom->of.terms[t].atom];
    }
  return vars;
}

gboolean
fb_index_separable (const FbIndex *index, guint64 vars)
{
  g_autofree guint64 *of = atom_vars (index);
  for (guint i = 0; i < index->conditions->len; i++)
    {
      const FbLinear *value = &g_array_index (index->conditions, FbCondition, i).value;
      guint64 seen = 0;
      for (guint t = 0; t < value->n_terms; t++)
        {
          guint64 inside = of[value->terms[t].atom] & vars;
          if (inside != 0 && (fb_index_atom (index, value->terms[t].atom)->kind != FB_ATOM_VAR || seen != 0))
            return FALSE;
          seen |= inside;
        }
    }
  return TRUE;
}

void
fb_index_free (FbIndex *index)
{
  g_array_unref (index->atoms);
  g_array_unref (index->conditions);
  g_free (index);
}
