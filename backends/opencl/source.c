/* Programs as kernels in OpenCL C. */
#include "opencl-private.h"

static void append_scope (FbSource *source, guint scope, gboolean grouped, guint indent);

void
fb_opencl_append_variable (FbSource *source, guint v, const char *from, gint64 total, gint64 *below, guint indent)
{
  gint64 extent = MAX (source->extents[v], 1), behind = *below;
  /* remainders of 32 bits are faster, where the number of points allows them */
  const char *type = total <= G_MAXINT32 ? "u32" : "u64";
  fb_cpu_indent (source->c, indent);
  if (extent == 1)
    {
      g_string_append_printf (source->c, "const i64 i%u = 0;\n", v);
      return;
    }
  g_string_append_printf (source->c, "const i64 i%u = (%s)%s", v, type, from);
  if (behind > 1)
    g_string_append_printf (source->c, " / %" G_GINT64_FORMAT, behind);
  *below = behind * extent;
  if (*below < total)
    g_string_append_printf (source->c, " %% %" G_GINT64_FORMAT, extent);
  g_string_append (source->c, ";\n");
}

void
fb_opencl_append_bodies (FbSource *source, const FbLoop *loop, gboolean parts, guint indent)
{
  GString *c = source->c;
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      const FbInst *reduce = fb_program_inst (source->program, number);
      g_autoptr (GString) value = g_string_new (NULL);
      fb_cpu_indent (c, indent);
      g_string_append (c, "{\n");
      fb_cpu_indent (c, parts ? indent + 1 : 0);
      if (parts)
        g_string_append_printf (c, "%s v%u = p%u[q];\n", fb_cpu_type (reduce->type), number, number);
      append_scope (source, reduce->body, FALSE, indent + 1);
      source->c = value;
      fb_opencl_append_value (source, reduce->src[0]);
      source->c = c;
      fb_cpu_indent (c, indent + 1);
      if (reduce->fold == 1)
        fb_opencl_append_accumulate (source, number, value->str);
      else
        {
          g_autofree char *into = g_strdup_printf ("v%u", number), *partial = g_strdup_printf ("m%u", number);
          fb_cpu_append_fold (source, loop, number, into, partial, value->str);
        }
      fb_cpu_indent (c, parts ? indent + 1 : 0);
      if (parts)
        g_string_append_printf (c, "p%u[q] = v%u;\n", number, number);
      fb_cpu_indent (c, indent);
      g_string_append (c, "}\n");
    }
}

static void
append_loop (FbSource *source, const FbLoop *loop, gboolean grouped, guint indent)
{
  const FbProgram *program = source->program;
  GString *c = source->c;
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      const FbInst *reduce = fb_program_inst (program, number);
      fb_cpu_indent (c, indent);
      g_string_append_printf (c, "%s v%u = ", fb_cpu_type (reduce->type), number);
      fb_opencl_append_identity (c, reduce->reduce_op, reduce->type);
      g_string_append_printf (c, "; // %u REDUCE_AXIS %s\n", number, fb_op_name (reduce->reduce_op));
      if (reduce->fold > 1)
        {
          fb_cpu_indent (c, indent);
          g_string_append_printf (c, "%s m%u = v%u;\n", fb_cpu_type (reduce->type), number, number);
        }
    }
  if (grouped)
    {
      fb_opencl_append_grouped_loop (source, loop);
      return;
    }
  for (guint v = 0; v < program->n_vars; v++)
    if (loop->vars >> v & 1)
      {
        fb_cpu_indent (c, indent);
        g_string_append_printf (c, "for (i64 i%u = 0; i%u < %" G_GINT64_FORMAT "l; i%u++)\n", v, v, source->extents[v],
                                v);
      }
  fb_cpu_indent (c, indent);
  g_string_append (c, "{\n");
  fb_opencl_append_bodies (source, loop, FALSE, indent + 1);
  fb_cpu_indent (c, indent);
  g_string_append (c, "}\n");
}

/* Values and loops, level by level; scopes are nested no deeper than FB_PROGRAM_MAX_DEPTH. */
static void
append_scope (FbSource *source, guint number, gboolean grouped, guint indent)
{
  const FbScope *scope = fb_program_scope (source->program, number);
  for (guint level = 0; level < MAX (scope->n_levels, 1); level++)
    {
      for (guint i = 0; i < scope->insts->len; i++)
        {
          guint inst = g_array_index (scope->insts, guint, i);
          if (fb_program_inst (source->program, inst)->level != level)
            continue;
          gboolean once = grouped && fb_program_inst (source->program, inst)->op == FB_OP_STORE;
          if (once)
            g_string_append (source->c, "  if (item == 0)\n  {\n");
          fb_opencl_append_inst (source, inst, indent + once);
          if (once)
            g_string_append (source->c, "  }\n");
        }
      for (guint i = 0; i < scope->loops->len; i++)
        {
          const FbLoop *loop = &g_array_index (scope->loops, FbLoop, i);
          if (loop->level == level)
            append_loop (source, loop, grouped, indent);
        }
    }
}

static void
append_args (FbSource *source)
{
  const FbProgram *program = source->program;
  for (guint i = 0; i < program->args->len; i++)
    if (fb_program_arg (program, i)->used)
      g_string_append_printf (source->c, "global char *g%u, i64 o%u, ", i, i);
  g_string_append (source->c, "i64 first, i64 last)\n{\n");
  for (guint i = 0; i < program->args->len; i++)
    {
      const FbProgramArg *arg = fb_program_arg (program, i);
      const char *type = fb_cpu_stored_type (arg->type);
      if (arg->used)
        g_string_append_printf (source->c, "  global %s%s *%s a%u = (global %s *)(g%u + o%u);\n",
                                arg->written ? "" : "const ", type, source->alias ? "" : "restrict", i, type, i, i);
    }
}

/* Arguments and body of the kernel that computes the points @first to @last of a root, without its name; how they are shared out in
 * @launch. */
static char *
root_text (const FbProgram *program, guint root, gboolean alias, FbOpenclLaunch *launch)
{
  const FbScope *scope = fb_program_scope (program, root);
  FbSource source = { .c = g_string_new (" ("), .program = program, .root = root, .alias = alias };
  GString *c = source.c;
  FbProduct product;
  gint64 below = 1;
  fb_cpu_merge_vars (&source);
  append_args (&source);
  launch->sharing = fb_opencl_find_product (&source, &product) ? FB_OPENCL_TILES
                    : fb_opencl_is_grouped (&source)           ? FB_OPENCL_GROUPS
                                                               : FB_OPENCL_ITEMS;
  g_string_append_printf (c, "  const i64 point = first + get_%s_id (0);\n  if (point >= last) return;\n",
                          launch->sharing == FB_OPENCL_ITEMS ? "global" : "group");
  if (launch->sharing == FB_OPENCL_TILES)
    {
      launch->points = product.outer.total;
      launch->rows = product.rows.total;
      launch->lanes = product.lanes.total;
      fb_opencl_append_tiles (&source, &product);
    }
  else
    {
      if (launch->sharing == FB_OPENCL_GROUPS)
        g_string_append (c, "  const u32 item = get_local_id (0);\n");
      for (guint v = program->n_vars; v-- > 0;)
        if (scope->vars >> v & 1)
          fb_opencl_append_variable (&source, v, "point", launch->points, &below, 1);
      append_scope (&source, root, launch->sharing == FB_OPENCL_GROUPS, 1);
    }
  g_string_append (c, "}\n\n");
  return g_string_free (c, FALSE);
}

/* Which programs are given the same memory twice. */
static gboolean *
find_aliases (const FbPlan *plan)
{
  gboolean *alias = g_new0 (gboolean, MAX (plan->programs->len, 1));
  for (guint i = 0; i < plan->steps->len; i++)
    {
      const FbPlanStep *step = fb_plan_step (plan, i);
      for (guint a = 0; step->kind == FB_STEP_PROGRAM && a < step->n_buffers; a++)
        for (guint b = 0; b < a; b++)
          alias[step->program_number]
              |= fb_plan_buffer (plan, step->buffers[a])->base == fb_plan_buffer (plan, step->buffers[b])->base;
    }
  return alias;
}

static gboolean
has_doubles (const FbPlan *plan)
{
  for (guint i = 0; i < plan->programs->len; i++)
    {
      const FbProgram *program = g_ptr_array_index (plan->programs, i);
      for (guint j = 0; j < program->insts->len; j++)
        if (fb_program_inst (program, j)->type == FB_SCALAR_FLOAT64)
          return TRUE;
    }
  return FALSE;
}

FbOpenclSource *
fb_opencl_source_new (const FbPlan *plan)
{
  FbOpenclSource *source = g_new0 (FbOpenclSource, 1);
  GString *c = g_string_new (has_doubles (plan) ? "#define WITH_DOUBLE\n" : NULL);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree gboolean *alias = find_aliases (plan);
  source->launches = g_array_new (FALSE, FALSE, sizeof (FbOpenclLaunch));
  g_string_append (c, fb_opencl_prelude);
  for (guint i = 0; i < plan->programs->len; i++)
    {
      const FbProgram *program = g_ptr_array_index (plan->programs, i);
      for (guint s = 0; s < program->scopes->len; s++)
        {
          const FbScope *scope = fb_program_scope (program, s);
          gint64 points = scope->parent < 0 ? fb_program_points (program, scope->vars) : 0;
          if (points == 0)
            continue;
          FbOpenclLaunch launch = { .program = i, .points = points };
          char *text = root_text (program, s, alias[i], &launch);
          gpointer number = g_hash_table_lookup (known, text);
          if (number == NULL)
            {
              g_string_append_printf (c, "kernel void k%u%s", source->n_kernels++, text);
              number = GUINT_TO_POINTER (source->n_kernels);
              g_hash_table_insert (known, text, number);
            }
          else
            g_free (text);
          launch.kernel = GPOINTER_TO_UINT (number) - 1;
          g_array_append_val (source->launches, launch);
        }
    }
  source->text = g_string_free (c, FALSE);
  return source;
}

void
fb_opencl_source_free (FbOpenclSource *source)
{
  g_free (source->text);
  g_array_unref (source->launches);
  g_free (source);
}
