/* Sums in GROUP * PARTS partial sums, which are then added in pairs. A GPU has a work-group of GROUP items share a sum, a processor
 * PARTS lanes of a vector; term t is of item t % GROUP and its part t / GROUP % PARTS. */
#include "opencl-private.h"

/* Sums that are shorter are no work for a group. */
#define MIN_TERMS 256
/* So few points do not fill a device with an item each. */
#define FEW_POINTS 128

static gint64
n_terms (const FbSource *source, const FbLoop *loop)
{
  gint64 terms = 1;
  for (guint v = 0; v < source->program->n_vars; v++)
    if (loop->vars >> v & 1)
      terms *= source->extents[v];
  return terms;
}

/* Do loads of the loops step through memory along the sums, rather than from point to point? */
static gboolean
steps_along_sums (const FbSource *source, const FbScope *scope)
{
  const FbProgram *program = source->program;
  guint along = 0, across = 0;
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      if (inst->op != FB_OP_LOAD || inst->scope == source->root || inst->index->never)
        continue;
      for (guint v = 0; v < program->n_vars; v++)
        if (source->extents[v] > 1 && fb_cpu_step_of (inst->index, v) == 1)
          {
            if (scope->vars >> v & 1)
              across++;
            else
              along++;
          }
    }
  return along > across;
}

gboolean
fb_opencl_is_grouped (const FbSource *source)
{
  const FbProgram *program = source->program;
  const FbScope *scope = fb_program_scope (program, source->root);
  gint64 most = 0, points = 1;
  if (source->alias)
    return FALSE;
  for (guint i = 0; i < scope->loops->len; i++)
    {
      const FbLoop *loop = &g_array_index (scope->loops, FbLoop, i);
      most = MAX (most, n_terms (source, loop));
      for (guint j = 0; j < loop->reduces->len; j++)
        {
          const FbInst *reduce = fb_program_inst (program, g_array_index (loop->reduces, guint, j));
          /* where it meets a NaN, what comes out depends on the order */
          if (reduce->reduce_op == FB_OP_MAX && fb_scalar_is_float (reduce->type))
            return FALSE;
        }
    }
  for (guint v = 0; v < program->n_vars; v++)
    if (scope->vars >> v & 1)
      points *= source->extents[v];
  return most >= MIN_TERMS && (points <= FEW_POINTS || steps_along_sums (source, scope));
}

/* What term `term` adds to part `q` of each reduce. */
static void
append_term (FbSource *source, const FbLoop *loop, guint indent)
{
  gint64 terms = n_terms (source, loop), below = 1;
  for (guint v = source->program->n_vars; v-- > 0;)
    if (loop->vars >> v & 1)
      fb_opencl_append_variable (source, v, "term", terms, &below, indent);
  fb_opencl_append_bodies (source, loop, TRUE, indent);
}

static void
append_parts (FbSource *source, const FbLoop *loop)
{
  GString *c = source->c;
  gint64 terms = n_terms (source, loop);
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      g_string_append_printf (c, "  %s p%u[PARTS];\n  for (u32 q = 0; q < PARTS; q++) p%u[q] = v%u;\n",
                              fb_cpu_type (fb_program_inst (source->program, number)->type), number, number, number);
    }
  g_string_append_printf (c,
                          "  for (i64 turn = 0; turn < %" G_GINT64_FORMAT "l / SHARED; turn++)\n"
                          "    for (u32 q = 0; q < PARTS; q++)\n    {\n"
                          "      const i64 term = (turn * PARTS + q) * GROUP + item;\n",
                          terms);
  append_term (source, loop, 3);
  g_string_append_printf (c,
                          "    }\n#if %" G_GINT64_FORMAT " %% SHARED != 0\n"
                          "  for (i64 term = %" G_GINT64_FORMAT "l / SHARED * SHARED + item; term < %" G_GINT64_FORMAT
                          "l; term += GROUP)\n  {\n    const u32 q = 0;\n",
                          terms, terms, terms);
  append_term (source, loop, 2);
  g_string_append (c, "  }\n#endif\n");
}

/* Adds pairs of @many partial sums, those of parts ("p") or of items ("of"), half as many each time. */
static void
append_pairs (FbSource *source, const FbLoop *loop, const char *from, const char *many, const char *place,
              const char *between)
{
  GString *c = source->c;
  g_string_append_printf (c, "  for (u32 apart = %s / 2; apart > 0; apart /= 2)\n  {\n    %s\n    {\n", many, place);
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      const char *at = *from == 'p' ? "q" : "item";
      g_autofree char *other = g_strdup_printf ("%s%u[%s + apart]", from, number, at);
      g_string_append_printf (c, "      v%u = %s%u[%s];\n      ", number, from, number, at);
      fb_opencl_append_accumulate (source, number, other);
      g_string_append_printf (c, "      %s%u[%s] = v%u;\n", from, number, at, number);
    }
  g_string_append_printf (c, "    }\n%s  }\n", between);
}

void
fb_opencl_append_grouped_loop (FbSource *source, const FbLoop *loop)
{
  GString *c = source->c;
  append_parts (source, loop);
  append_pairs (source, loop, "p", "PARTS", "for (u32 q = 0; q < apart; q++)", "");
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      g_string_append_printf (c, "  v%u = p%u[0];\n", number, number);
    }
  g_string_append (c, "#if GROUP > 1\n");
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      g_string_append_printf (c, "  local %s of%u[GROUP];\n  of%u[item] = v%u;\n",
                              fb_cpu_type (fb_program_inst (source->program, number)->type), number, number, number);
    }
  g_string_append (c, "  barrier (CLK_LOCAL_MEM_FENCE);\n");
  append_pairs (source, loop, "of", "GROUP", "if (item < apart)", "    barrier (CLK_LOCAL_MEM_FENCE);\n");
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      g_string_append_printf (c, "  v%u = of%u[0];\n", number, number);
    }
  g_string_append (c, "#endif\n");
}
