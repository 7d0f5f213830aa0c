/* Indices, masks and counts as C. */
#include "cpu-private.h"

void
fb_cpu_append_linear (GString *c, const FbIndex *index, const FbLinear *linear, guint number)
{
  gboolean any = FALSE;
  for (guint t = 0; t < linear->n_terms; t++)
    {
      gint64 coef = linear->terms[t].coef;
      guint atom = linear->terms[t].atom;
      if (any)
        g_string_append (c, " + ");
      any = TRUE;
      if (fb_index_atom (index, atom)->kind == FB_ATOM_VAR)
        g_string_append_printf (c, "i%" G_GINT64_FORMAT, fb_index_atom (index, atom)->divisor);
      else
        g_string_append_printf (c, "t%u_%u", number, atom);
      if (coef != 1)
        g_string_append_printf (c, " * %" G_GINT64_FORMAT "l", coef);
    }
  if (!any || linear->constant != 0)
    g_string_append_printf (c, "%s%" G_GINT64_FORMAT "l", any ? " + " : "", linear->constant);
}

/* Divisions and remainders an index needs, as variables. Values at points that are not valid do not matter, so what is never
 * negative where it is valid is divided without a sign. */
void
fb_cpu_append_atoms (FbSource *source, guint number, guint indent)
{
  const FbIndex *index = fb_program_inst (source->program, number)->index;
  for (guint i = 0; i < index->atoms->len; i++)
    {
      const FbAtom *atom = fb_index_atom (index, i);
      gint64 min, max;
      if (atom->kind == FB_ATOM_VAR)
        continue;
      gboolean known = fb_linear_bounds (index, &atom->of, &min, &max) && min >= 0;
      const char *type = known && max <= G_MAXINT32 && atom->divisor <= G_MAXINT32 ? "u32" : "u64";
      fb_cpu_indent (source->c, indent);
      g_string_append_printf (source->c, "const i64 t%u_%u = ", number, i);
      if (atom->kind == FB_ATOM_SUM)
        fb_cpu_append_linear (source->c, index, &atom->of, number);
      else if (known)
        {
          g_string_append_printf (source->c, "(%s)(", type);
          fb_cpu_append_linear (source->c, index, &atom->of, number);
          g_string_append_printf (source->c, ") %c (%s)%" G_GINT64_FORMAT, atom->kind == FB_ATOM_DIV ? '/' : '%', type,
                                  atom->divisor);
        }
      else
        {
          g_string_append (source->c, atom->kind == FB_ATOM_DIV ? "floor_div (" : "");
          if (atom->kind == FB_ATOM_MOD)
            {
              g_string_append_c (source->c, '(');
              fb_cpu_append_linear (source->c, index, &atom->of, number);
              g_string_append (source->c, ") - floor_div (");
            }
          fb_cpu_append_linear (source->c, index, &atom->of, number);
          g_string_append_printf (source->c, ", %" G_GINT64_FORMAT "l)", atom->divisor);
          if (atom->kind == FB_ATOM_MOD)
            g_string_append_printf (source->c, " * %" G_GINT64_FORMAT "l", atom->divisor);
        }
      g_string_append (source->c, ";\n");
    }
}

/* "1" where it is valid everywhere. */
void
fb_cpu_append_conditions (FbSource *source, guint number)
{
  const FbIndex *index = fb_program_inst (source->program, number)->index;
  if (index->never || index->conditions->len == 0 || source->inside)
    {
      g_string_append (source->c, index->never ? "0" : "1");
      return;
    }
  for (guint i = 0; i < index->conditions->len; i++)
    {
      const FbCondition *condition = &g_array_index (index->conditions, FbCondition, i);
      g_string_append (source->c, i > 0 ? " & (" : "(");
      fb_cpu_append_linear (source->c, index, &condition->value, number);
      g_string_append_printf (source->c, " >= %" G_GINT64_FORMAT "l) & (", condition->begin);
      fb_cpu_append_linear (source->c, index, &condition->value, number);
      g_string_append_printf (source->c, " < %" G_GINT64_FORMAT "l)", condition->end);
    }
}

/* The points of a box, cut by a condition at a time (interp.c: count_points). */
void
fb_cpu_append_count (FbSource *source, guint number, guint indent)
{
  const FbProgram *program = source->program;
  const FbInst *inst = fb_program_inst (program, number);
  GString *c = source->c;
  fb_cpu_indent (c, indent);
  g_string_append_printf (c, "i64 n%u = %d;", number, !inst->index->never);
  for (guint v = 0; v < program->n_vars; v++)
    if (inst->count_vars >> v & 1)
      g_string_append_printf (c, " i64 lo%u_%u = 0, hi%u_%u = %" G_GINT64_FORMAT "l;", number, v, number, v,
                              source->extents[v]);
  g_string_append_c (c, '\n');
  for (guint i = 0; i < inst->index->conditions->len; i++)
    {
      const FbCondition *condition = &g_array_index (inst->index->conditions, FbCondition, i);
      FbLinear rest = condition->value;
      g_autofree FbTerm *terms = g_memdup2 (rest.terms, MAX (rest.n_terms, 1) * sizeof *terms);
      gint64 coef = 0;
      guint var = 0, kept = 0;
      for (guint t = 0; t < rest.n_terms; t++)
        {
          const FbAtom *atom = fb_index_atom (inst->index, rest.terms[t].atom);
          if (atom->kind == FB_ATOM_VAR && (inst->count_vars >> atom->divisor & 1))
            {
              coef = rest.terms[t].coef;
              var = (guint) atom->divisor;
            }
          else
            terms[kept++] = rest.terms[t];
        }
      rest.terms = terms;
      rest.n_terms = kept;
      fb_cpu_indent (c, indent);
      g_string_append (c, "{ const i64 rest = ");
      fb_cpu_append_linear (c, inst->index, &rest, number);
      g_string_append_printf (c, ", b = %" G_GINT64_FORMAT "l - rest, e = %" G_GINT64_FORMAT "l - rest; ",
                              condition->begin, condition->end);
      if (coef == 0)
        g_string_append_printf (c, "if (b > 0 || e <= 0) n%u = 0; }\n", number);
      else
        {
          g_autofree char *low = g_strdup_printf ("lo%u_%u", number, var),
                          *high = g_strdup_printf ("hi%u_%u", number, var);
          gint64 by = ABS (coef);
          g_string_append_printf (c, "const i64 x = %sfloor_div (-%s, %" G_GINT64_FORMAT "l)%s, ", coef > 0 ? "-" : "",
                                  coef > 0 ? "b" : "e", by, coef > 0 ? "" : " + 1");
          g_string_append_printf (c, "y = %sfloor_div (-%s, %" G_GINT64_FORMAT "l)%s; ", coef > 0 ? "-" : "",
                                  coef > 0 ? "e" : "b", by, coef > 0 ? "" : " + 1");
          g_string_append_printf (c, "%s = MAX2 (%s, x); %s = MIN2 (%s, y); }\n", low, low, high, high);
        }
    }
  for (guint v = 0; v < program->n_vars; v++)
    if (inst->count_vars >> v & 1)
      {
        fb_cpu_indent (c, indent);
        g_string_append_printf (c, "n%u *= MAX2 (hi%u_%u - lo%u_%u, 0);\n", number, number, v, number, v);
      }
}
