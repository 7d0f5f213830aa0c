/* Accesses through views. */
#include "linear-private.h"

G_DEFINE_QUARK (fb - backend - error - quark, fb_backend_error)

/* begin <= x < end from here on. Gives back the expression to go on with. */
static FbLinear
require (FbLinearBuilder *b, FbLinear x, gint64 begin, gint64 end, gboolean keep_form)
{
  FbIndex *index = b->index;
  gint64 min, max;
  fb_linear_find_bounds (b, &x, &min, &max);
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
      gint64 coef = x.terms[0].coef, minus = fb_linear_product (b, x.constant, -1);
      gint64 low = fb_linear_sum (b, begin, minus), high = fb_linear_sum (b, end - 1, minus);
      if (coef < 0)
        {
          gint64 swap = fb_linear_product (b, low, -1);
          low = fb_linear_product (b, high, -1);
          high = swap;
          coef = fb_linear_product (b, coef, -1);
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
  return fb_linear_from_atom (b, FB_ATOM_SUM, &x, 0, MAX (min, begin), MIN (max, end - 1));
}

/* Indices of @view in @at: conditions of its mask, and the element of what it views. The interval is that of the indices
 * inside the mask, which may be narrower than the expression's own. */
static FbLinear
through_view (FbLinearBuilder *b, const FbPlainView *view, FbLinear *at, gboolean last)
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
      fb_linear_find_bounds (b, &at[d], &min, &max);
      min = MAX (min, begin);
      max = MIN (max, end - 1);
      gint64 x = fb_linear_product (b, view->strides[d], min), y = fb_linear_product (b, view->strides[d], max);
      low = fb_linear_sum (b, low, MIN (x, y));
      high = fb_linear_sum (b, high, MAX (x, y));
      element = fb_linear_add_scaled (b, element, at[d], view->strides[d]);
    }
  if (b->overflow)
    return element;
  fb_linear_find_bounds (b, &element, &b->index->min, &b->index->max);
  b->index->min = MAX (b->index->min, low);
  b->index->max = MIN (b->index->max, high);
  return element;
}

/* Position of @element in each dimension of @view. */
static void
unravel (FbLinearBuilder *b, const FbPlainView *view, FbLinear element, FbLinear *at)
{
  gint64 below = 1;
  for (guint d = view->n; d-- > 0 && !b->overflow;)
    {
      at[d] = fb_linear_modulo (b, fb_linear_divide (b, element, below), MAX (view->shape[d], 1));
      below = fb_linear_product (b, below, MAX (view->shape[d], 1));
    }
}

FbIndex *
fb_index_new (FbArena *arena, guint n_views, const FbPlainView *views, const int *vars, GError **error)
{
  FbIndex *index = g_new0 (FbIndex, 1);
  FbLinearBuilder b = { .index = index };
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
        at[d] = fb_linear_from_atom (&b, FB_ATOM_VAR, &(FbLinear){ 0 }, vars[d], 0, outer->shape[d] - 1);
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
