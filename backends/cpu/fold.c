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

void
fb_cpu_append_fold (FbSource *source, const FbLoop *loop, guint number, const char *into, const char *partial,
                    const char *value)
{
  GString *c = source->c;
  gint64 fold = fb_program_inst (source->program, number)->fold;
  const char *first = fold == 0 ? into : partial;
  g_string_append_printf (c, "%s = (", first);
  append_place (source, loop, fold);
  g_string_append_printf (c, " == 0) | (%s < %s) ? %s : %s;", first, value, value, first);
  if (fold > 0)
    {
      g_string_append_printf (c, " %s = (", into);
      append_place (source, loop, fold);
      g_string_append_printf (c, " == %" G_GINT64_FORMAT ") & (%s < %s) ? %s : %s;", fold - 1, into, partial, partial,
                              into);
    }
  g_string_append_c (c, '\n');
}
