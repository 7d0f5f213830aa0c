/* Programs as C functions. */
#include "cpu-private.h"

/* Which values of the root are alike over a tile, and which go through arrays. */
static void
classify (FbSource *source)
{
  const FbProgram *program = source->program;
  guint64 moving = 0;
  if (source->tiling.lane >= 0)
    moving |= (guint64) 1 << source->tiling.lane;
  if (source->tiling.second >= 0)
    moving |= (guint64) 1 << source->tiling.second;
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      gboolean uniform
          = inst->scope == source->root && inst->level == 0 && inst->op != FB_OP_STORE && inst->op != FB_OP_REDUCE_AXIS;
      for (guint j = 0; j < inst->n_src; j++)
        uniform &= source->uniform[inst->src[j]];
      if (inst->index != NULL)
        uniform &= (fb_cpu_index_vars (inst->index) & moving) == 0;
      source->uniform[i] = uniform;
      source->stored[i] = inst->op == FB_OP_REDUCE_AXIS && inst->scope == source->root;
    }
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      for (guint j = 0; j < inst->n_src; j++)
        {
          const FbInst *used = fb_program_inst (program, inst->src[j]);
          /* a reduce reads its source in the loop, not where its result lives */
          gboolean elsewhere
              = inst->scope != used->scope || inst->level != used->level || inst->op == FB_OP_REDUCE_AXIS;
          if (used->scope == source->root && used->op != FB_OP_CONST && !source->uniform[inst->src[j]] && elsewhere)
            source->stored[inst->src[j]] = TRUE;
        }
    }
}

void
fb_cpu_append_args (FbSource *source)
{
  const FbProgram *program = source->program;
  for (guint i = 0; i < program->args->len; i++)
    {
      const FbProgramArg *arg = fb_program_arg (program, i);
      if (arg->used)
        g_string_append_printf (source->c, "  %s%s *%s a%u = (void *)args[%u];\n", arg->written ? "" : "const ",
                                fb_cpu_stored_type (arg->type), source->alias ? "" : "restrict", i, i);
    }
}

/* The function that computes one tile. */
static void
append_tile (FbSource *source, guint number)
{
  const FbProgram *program = source->program;
  const FbScope *scope = fb_program_scope (program, source->root);
  GString *c = source->c;
  classify (source);
  g_string_append_printf (c, "INLINE void k%u_%u_%u (char *const *args, const i64 n", number, source->root,
                          source->tiling.unroll);
  for (guint v = 0; v < program->n_vars; v++)
    if (scope->vars >> v & 1)
      g_string_append_printf (c, ", const i64 b%u", v);
  g_string_append (c, ")\n{\n");
  fb_cpu_append_args (source);
  for (guint v = 0; v < program->n_vars; v++)
    if ((scope->vars >> v & 1) && (int) v != source->tiling.lane && (int) v != source->tiling.second)
      g_string_append_printf (c, "  const i64 i%u = b%u;\n", v, v);
  for (guint i = 0; i < program->insts->len; i++)
    if (source->stored[i])
      {
        const FbInst *inst = fb_program_inst (program, i);
        const char *type = fb_cpu_type (inst->type);
        g_string_append_printf (c, "  %s r%u[%u][%" G_GINT64_FORMAT "];\n", type, i, source->tiling.unroll,
                                source->tiling.lanes);
        if (inst->fold > 1 && !source->tiling.inner)
          g_string_append_printf (c, "  %s m%u[%u][%" G_GINT64_FORMAT "];\n", type, i, source->tiling.unroll,
                                  source->tiling.lanes);
      }
  for (guint i = 0; i < scope->insts->len; i++)
    if (source->uniform[g_array_index (scope->insts, guint, i)])
      fb_cpu_append_inst (source, g_array_index (scope->insts, guint, i), 1);
  for (guint level = 0; level < MAX (scope->n_levels, 1); level++)
    {
      gboolean any = FALSE;
      for (guint i = 0; i < scope->insts->len; i++)
        {
          guint inst = g_array_index (scope->insts, guint, i);
          any |= fb_program_inst (program, inst)->level == level && !source->uniform[inst];
        }
      if (any)
        {
          fb_cpu_open_lanes (source, 1);
          for (guint u = 0; u < source->tiling.unroll; u++)
            {
              fb_cpu_open_copy (source, u, 2);
              for (guint i = 0; i < scope->insts->len; i++)
                {
                  guint inst = g_array_index (scope->insts, guint, i);
                  if (fb_program_inst (program, inst)->level == level && !source->uniform[inst])
                    fb_cpu_append_inst (source, inst, 3);
                }
              fb_cpu_close_block (source, 2);
            }
          fb_cpu_close_block (source, 1);
        }
      for (guint i = 0; i < scope->loops->len; i++)
        {
          const FbLoop *loop = &g_array_index (scope->loops, FbLoop, i);
          if (loop->level == level)
            fb_cpu_append_root_loop (source, loop, 1);
        }
    }
  g_string_append (c, "}\n\n");
}

static gint64
tiles_along (const FbSource *source, guint v)
{
  gint64 extent = source->extents[v], by = 1;
  if ((int) v == source->tiling.lane)
    by = source->tiling.lanes;
  else if ((int) v == source->tiling.second)
    by = source->tiling.unroll;
  return extent / by + (extent % by != 0);
}

/* A call of the tile function for @unroll, of @n lanes. */
static void
append_call (FbSource *source, guint number, guint unroll, const char *n, const char *second)
{
  const FbScope *scope = fb_program_scope (source->program, source->root);
  g_string_append_printf (source->c, "k%u_%u_%u (args, %s", number, source->root, unroll, n);
  for (guint v = 0; v < source->program->n_vars; v++)
    if (scope->vars >> v & 1)
      g_string_append_printf (source->c, ", b%u%s", v, (int) v == source->tiling.second ? second : "");
  g_string_append (source->c, ");\n");
}

/* The function over a range of tiles, and its row of the table. */
static void
append_root (FbSource *source, guint number, GString *table)
{
  const FbProgram *program = source->program;
  const FbScope *scope = fb_program_scope (program, source->root);
  FbTiling *tiling = &source->tiling;
  GString *c = source->c;
  gint64 tiles = 1;
  guint order[FB_PROGRAM_MAX_VARS], n = 0, unroll;
  FbProduct product;
  if (fb_cpu_find_product (source, &product))
    {
      tiles = fb_cpu_append_product (source, &product, number);
      source->multiplied |= 1u << fb_program_inst (program, product.reduce)->type;
      g_string_append_printf (table, "  { k%u_%u, %u, %" G_GINT64_FORMAT "l, %.3g },\n", number, source->root, number,
                              tiles, (double) program->points);
      return;
    }
  *tiling = fb_cpu_tiling (source, source->root);
  unroll = tiling->unroll;
  append_tile (source, number);
  if (unroll > 1 && source->extents[tiling->second] % unroll != 0)
    {
      tiling->unroll = 1;
      append_tile (source, number);
      tiling->unroll = unroll;
    }
  /* the second variable fastest: what the lanes read stays near */
  if (tiling->second >= 0)
    order[n++] = (guint) tiling->second;
  if (tiling->lane >= 0)
    order[n++] = (guint) tiling->lane;
  for (guint v = program->n_vars; v-- > 0;)
    if ((scope->vars >> v & 1) && (int) v != tiling->lane && (int) v != tiling->second)
      order[n++] = v;
  g_string_append_printf (c, "void k%u_%u (char *const *args, i64 first, i64 last)\n{\n", number, source->root);
  g_string_append (c, "  for (i64 tile = first; tile < last; tile++)\n  {\n    i64 rest = tile;\n");
  for (guint i = 0; i < n; i++)
    {
      guint v = order[i];
      gint64 along = tiles_along (source, v);
      gint64 by = (int) v == tiling->lane ? tiling->lanes : (int) v == tiling->second ? unroll : 1;
      tiles *= along;
      g_string_append_printf (c,
                              "    const i64 b%u = rest %% %" G_GINT64_FORMAT "l * %" G_GINT64_FORMAT
                              "l; rest /= %" G_GINT64_FORMAT "l;\n",
                              v, MAX (along, 1), by, MAX (along, 1));
    }
  gint64 extent = tiling->lane >= 0 ? source->extents[tiling->lane] : 1;
  g_autofree char *full = g_strdup_printf ("%" G_GINT64_FORMAT "l", tiling->lanes);
  g_autofree char *edge = g_strdup_printf ("%" G_GINT64_FORMAT "l - b%d", extent, tiling->lane);
  gboolean lane_edge = tiling->lane >= 0 && extent % tiling->lanes != 0;
  if (unroll > 1 && source->extents[tiling->second] % unroll != 0)
    {
      g_string_append_printf (c, "    if (b%d + %u > %" G_GINT64_FORMAT "l)\n    {\n", tiling->second, unroll,
                              source->extents[tiling->second]);
      g_string_append_printf (c, "      for (i64 u = 0; b%d + u < %" G_GINT64_FORMAT "l; u++)\n        ",
                              tiling->second, source->extents[tiling->second]);
      g_autofree char *either = lane_edge ? g_strdup_printf ("MIN2 (%s, %s)", full, edge) : g_strdup (full);
      append_call (source, number, 1, either, " + u");
      g_string_append (c, "      continue;\n    }\n");
    }
  if (lane_edge)
    {
      g_string_append_printf (c, "    if (b%d + %s > %" G_GINT64_FORMAT "l)\n      ", tiling->lane, full, extent);
      append_call (source, number, unroll, edge, "");
      g_string_append (c, "    else\n  ");
    }
  g_string_append (c, "    ");
  append_call (source, number, unroll, full, "");
  g_string_append (c, "  }\n}\n\n");
  g_string_append_printf (table, "  { k%u_%u, %u, %" G_GINT64_FORMAT "l, %.3g },\n", number, source->root, number,
                          tiles, (double) program->points);
}

static void
append_program (FbSource *source, const FbProgram *program, guint number, gboolean alias, GString *table)
{
  source->program = program;
  source->alias = alias;
  source->uniform = g_new0 (gboolean, MAX (program->insts->len, 1));
  source->stored = g_new0 (gboolean, MAX (program->insts->len, 1));
  fb_cpu_merge_vars (source);
  for (guint i = 0; i < program->scopes->len; i++)
    if (fb_program_scope (program, i)->parent < 0)
      {
        source->root = i;
        append_root (source, number, table);
      }
  g_free (source->uniform);
  g_free (source->stored);
}

void
fb_cpu_append_program (GString *c, const FbProgram *program, guint number, gboolean alias)
{
  g_autoptr (GString) table = g_string_new (NULL);
  FbSource source = { .c = c };
  append_program (&source, program, number, alias, table);
}

/* What the first part has to itself takes as long to compile as so many characters of kernels. */
#define FIXED ((gsize) 12000)

char *
fb_cpu_source (const FbPlan *plan)
{
  GString *c = g_string_new (fb_cpu_prelude);
  g_autoptr (GString) table = g_string_new (NULL), kernels = g_string_new (NULL);
  g_autofree gboolean *alias = g_new0 (gboolean, MAX (plan->programs->len, 1));
  FbSource source = { .c = kernels };
  for (guint i = 0; i < plan->steps->len; i++)
    {
      const FbPlanStep *step = fb_plan_step (plan, i);
      for (guint a = 0; step->kind == FB_STEP_PROGRAM && a < step->n_buffers; a++)
        for (guint b = 0; b < a; b++)
          alias[step->program_number]
              |= fb_plan_buffer (plan, step->buffers[a])->base == fb_plan_buffer (plan, step->buffers[b])->base;
    }
  for (guint i = 0; i < plan->programs->len; i++)
    {
      g_string_append_printf (kernels, "#if PART_OF (%" G_GSIZE_FORMAT ") == PART\n", FIXED + kernels->len);
      append_program (&source, g_ptr_array_index (plan->programs, i), i, alias[i], table);
      g_string_append (kernels, "#endif\n\n");
    }
  g_string_append_printf (c, "#define WHOLE %" G_GSIZE_FORMAT "\n\n", FIXED + kernels->len + 1);
  for (guint type = 0; type < FB_N_SCALARS; type++)
    if (source.multiplied >> type & 1)
      fb_cpu_append_multiply (c, type);
  g_string_append_len (c, kernels->str, (gssize) kernels->len);
  g_string_append (c, "#if PART == 0\n");
  for (guint i = 0; i < plan->programs->len; i++)
    {
      const FbProgram *program = g_ptr_array_index (plan->programs, i);
      for (guint j = 0; j < program->scopes->len; j++)
        if (fb_program_scope (program, j)->parent < 0)
          g_string_append_printf (c, "void k%u_%u (char *const *, i64, i64);\n", i, j);
    }
  g_string_append_printf (c, "static const struct root roots[] = {\n%s  { 0 },\n};\n", table->str);
  g_string_append_printf (c, "enum { scratch_bytes = %" G_GSIZE_FORMAT " };\n", (source.scratch + 64) / 64 * 64);
  g_string_append (c, fb_cpu_main);
  g_string_append (c, "#endif\n");
  return g_string_free (c, FALSE);
}
