/* Reduces as C: what comes of a point is folded into what came of those before it. */
#include "cpu-private.h"

/* Which point of its fold the loops of @loop are at. */
static void
append_place (FbSource *source, const FbLoop *loop, gint64 fold)
{
  GString *c = source->c;
  gint64 below = 1, largest = 0;
  g_autoptr (GString) place = g_string_new (NULL);
  for (guint v = source->program->n_vars; v-- > 0;)
    if ((loop->vars >> v & 1) && source->extents[v] > 1)
      {
        gint64 step = fold == 0 ? below : below % fold;
        if (step != 0)
          g_string_append_printf (place, "%si%u * %" G_GINT64_FORMAT "l", place->len > 0 ? " + " : "", v, step);
        largest += step * (source->extents[v] - 1);
        below *= source->extents[v];
      }
  if (place->len == 0)
    g_string_append_c (place, '0');
  if (fold == 0 || largest < fold)
    g_string_append_printf (c, "(%s)", place->str);
  else
    g_string_append_printf (c, "(u64)(%s) %% %" G_GINT64_FORMAT, place->str, fold);
}

/* Appends whether the fold begins here, as a number. */
static void
append_head (FbSource *source, const FbLoop *loop, const FbInst *reduce)
{
  const FbProgram *program = source->program;
  GString *c = source->c;
  g_autoptr (GString) place = g_string_new (NULL);
  source->c = place;
  append_place (source, loop, reduce->fold);
  source->c = c;
  if (reduce->n_heads == 0)
    {
      g_string_append_printf (c, "(%s == 0)", place->str);
      return;
    }
  g_string_append_printf (c, "((%s) < 32 && ", place->str);
  if (reduce->n_heads == 1)
    g_string_append_printf (c, "%uu", g_array_index (program->heads, guint, reduce->heads));
  else
    {
      g_autoptr (GString) at = g_string_new ("0");
      g_string_append (c, "((const u32[]){ ");
      for (guint i = 0; i < reduce->n_heads; i++)
        g_string_append_printf (c, "%uu, ", g_array_index (program->heads, guint, reduce->heads + i));
      for (guint i = 0; i < program->unrolled->len; i++)
        {
          const FbUnrolled *axis = &g_array_index (program->unrolled, FbUnrolled, i);
          g_string_prepend_c (at, '(');
          g_string_append_printf (at, ") * %" G_GINT64_FORMAT " + i%d %% %" G_GINT64_FORMAT, axis->amount, axis->var,
                                  axis->amount);
        }
      g_string_append_printf (c, "})[%s]", at->str);
    }
  g_string_append_printf (c, " >> (%s) & 1)", place->str);
}

void
fb_cpu_append_fold (FbSource *source, const FbLoop *loop, guint number, const char *into, const char *partial,
                    const char *value)
{
  GString *c = source->c;
  const FbInst *reduce = fb_program_inst (source->program, number);
  gint64 fold = reduce->fold;
  const char *first = fold == 0 ? into : partial;
  g_string_append_printf (c, "%s = ", first);
  append_head (source, loop, reduce);
  g_string_append_printf (c, " | (%s < %s) ? %s : %s;", first, value, value, first);
  if (fold > 0)
    {
      g_string_append_printf (c, " %s = (", into);
      append_place (source, loop, fold);
      g_string_append_printf (c, " == %" G_GINT64_FORMAT ") & (%s < %s) ? %s : %s;", fold - 1, into, partial, partial,
                              into);
    }
  g_string_append_c (c, '\n');
}
