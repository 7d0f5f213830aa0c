/* Products of matrices: a work-group computes a tile of rows and lanes, with what it reads in local memory.
 *
 * The factors are evaluated through their views and masks into two panels, TILE_DEPTH terms of the sum at a time; each item has
 * TILE_HEIGHT rows by a vector of TILE_WIDTH lanes, whose sums run in the order of the axes. How large tiles are is the device's. */
#include "opencl-private.h"

/* Products that are smaller do not fill a tile. */
#define MIN_SIDE 16
#define MIN_TERMS 16

gboolean
fb_opencl_find_product (const FbSource *source, FbProduct *product)
{
  return fb_cpu_find_product (source, product) && product->rows.total >= MIN_SIDE && product->lanes.total >= MIN_SIDE
         && product->sums.total >= MIN_TERMS;
}

/* Integers are multiplied without a sign, which wraps. */
static const char *
panel_type (guint type)
{
  return fb_cpu_type (type == FB_SCALAR_INT32 ? FB_SCALAR_UINT32 : type);
}

static void
append_axes (FbSource *source, const FbAxes *axes, const char *from, guint indent)
{
  gint64 below = 1;
  for (guint i = axes->n; i-- > 0;)
    fb_opencl_append_variable (source, axes->vars[i], from, axes->total, &below, indent);
}

static void
append_cone (FbSource *source, guint number, guint indent)
{
  const FbProgram *program = source->program;
  g_autofree gboolean *cone = g_new (gboolean, program->insts->len);
  fb_cpu_mark_cone (program, number, cone);
  for (guint i = 0; i < program->insts->len; i++)
    if (cone[i] && fb_program_inst (program, i)->op != FB_OP_REDUCE_AXIS)
      fb_opencl_append_inst (source, i, indent);
}

/* Does the factor step through memory along the sum, more than along its @axes? */
static gboolean
steps_along_sum (const FbSource *source, const FbProduct *product, guint number, const FbAxes *axes)
{
  const FbProgram *program = source->program;
  g_autofree gboolean *cone = g_new (gboolean, program->insts->len);
  guint sum = product->sums.vars[product->sums.n - 1], other = axes->vars[axes->n - 1];
  int along = 0;
  fb_cpu_mark_cone (program, number, cone);
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      if (cone[i] && inst->op == FB_OP_LOAD && !inst->index->never)
        along += (fb_cpu_step_of (inst->index, sum) == 1) - (fb_cpu_step_of (inst->index, other) == 1);
    }
  return along > 0;
}

/* panel[term][place] = the factor's value; 0 outside. @name: "row" or "lane". */
static void
append_panel (FbSource *source, const FbProduct *product, guint number, const FbAxes *axes, const char *name,
              const char *size)
{
  GString *c = source->c;
  gboolean along = steps_along_sum (source, product, number, axes);
  const char *type = panel_type (fb_program_inst (source->program, number)->type);
  g_string_append_printf (c,
                          "    for (u32 e = item; e < TILE_DEPTH * %s; e += TILE_ITEMS)\n    {\n"
                          "      const u32 k = e %s, m = e %s;\n"
                          "      const i64 term = term0 + k, %s = %s0 + m;\n      %s value = 0;\n"
                          "      if (term < %" G_GINT64_FORMAT "l && %s < %" G_GINT64_FORMAT "l)\n      {\n",
                          size, along ? "% TILE_DEPTH" : (*name == 'r' ? "/ TILE_ROWS" : "/ TILE_LANES"),
                          along ? "/ TILE_DEPTH" : (*name == 'r' ? "% TILE_ROWS" : "% TILE_LANES"), name, name, type,
                          product->sums.total, name, axes->total);
  append_axes (source, axes, name, 4);
  append_axes (source, &product->sums, "term", 4);
  append_cone (source, number, 4);
  g_string_append (c, "        value = ");
  fb_opencl_append_value (source, number);
  g_string_append_printf (c, ";\n      }\n      %ss[k][m] = value;\n    }\n", name);
}

/* The item's sums over the terms of the panels. */
static void
append_multiply (GString *c, const char *type)
{
  g_string_append_printf (
      c,
      "    barrier (CLK_LOCAL_MEM_FENCE);\n"
      "    for (u32 k = 0; k < TILE_DEPTH; k++)\n    {\n"
      "      const WIDE (%s) other = LOAD_WIDE (0, &lanes[k][x * TILE_WIDTH]);\n"
      "      UNROLL for (u32 r = 0; r < TILE_HEIGHT; r++)\n"
      "        sums[r] = MULTIPLY_%s ((WIDE (%s))(rows[k][y * TILE_HEIGHT + r]), other, sums[r]);\n    }\n"
      "    barrier (CLK_LOCAL_MEM_FENCE);\n",
      type, type, type);
}

/* Where the tile is: outer variables, and the first row and lane. */
static void
append_place (FbSource *source, const FbProduct *product)
{
  GString *c = source->c;
  const FbAxes *blocked[] = { &product->lanes, &product->rows };
  static const char *const names[][2] = { { "lane", "TILE_LANES" }, { "row", "TILE_ROWS" } };
  gint64 below = 1;
  g_string_append (c, "  const u32 item = get_local_id (0), x = item % TILE_ACROSS, y = item / TILE_ACROSS;\n");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_string_append_printf (c, "  const i64 %ss_along = (%" G_GINT64_FORMAT "l + %s - 1) / %s;\n", names[i][0],
                            blocked[i]->total, names[i][1], names[i][1]);
  g_string_append (c, "  const i64 lane0 = point % lanes_along * TILE_LANES;\n"
                      "  const i64 row0 = point / lanes_along % rows_along * TILE_ROWS;\n"
                      "  const i64 outer = point / lanes_along / rows_along;\n");
  for (guint i = product->outer.n; i-- > 0;)
    fb_opencl_append_variable (source, product->outer.vars[i], "outer", product->outer.total, &below, 1);
}

void
fb_opencl_append_tiles (FbSource *source, const FbProduct *product)
{
  GString *c = source->c;
  const FbProgram *program = source->program;
  guint real_type = fb_program_inst (program, product->reduce)->type;
  const char *type = panel_type (real_type);
  append_place (source, product);
  /* variables that were merged into others */
  guint64 all = fb_program_scope (program, fb_program_inst (program, product->reduce)->body)->all_vars;
  for (guint v = 0; v < program->n_vars; v++)
    if ((all >> v & 1) && source->extents[v] == 1)
      g_string_append_printf (c, "  const i64 i%u = 0;\n", v);
  g_string_append_printf (c,
                          "  local %s rows[TILE_DEPTH][TILE_ROWS], lanes[TILE_DEPTH][TILE_LANES];\n"
                          "  WIDE (%s) sums[TILE_HEIGHT];\n"
                          "  UNROLL for (u32 r = 0; r < TILE_HEIGHT; r++) sums[r] = 0;\n"
                          "  for (i64 term0 = 0; term0 < %" G_GINT64_FORMAT "l; term0 += TILE_DEPTH)\n  {\n",
                          type, type, product->sums.total);
  append_panel (source, product, product->row_value, &product->rows, "row", "TILE_ROWS");
  append_panel (source, product, product->lane_value, &product->lanes, "lane", "TILE_LANES");
  append_multiply (c, type);
  g_string_append_printf (c,
                          "  }\n  %s results[TILE_HEIGHT][TILE_WIDTH];\n"
                          "  UNROLL for (u32 r = 0; r < TILE_HEIGHT; r++) STORE_WIDE (sums[r], 0, results[r]);\n"
                          "  for (u32 r = 0; r < TILE_HEIGHT; r++)\n    for (u32 l = 0; l < TILE_WIDTH; l++)\n    {\n"
                          "      const i64 row = row0 + y * TILE_HEIGHT + r, lane = lane0 + x * TILE_WIDTH + l;\n"
                          "      if (row >= %" G_GINT64_FORMAT "l || lane >= %" G_GINT64_FORMAT "l) continue;\n",
                          type, product->rows.total, product->lanes.total);
  append_axes (source, &product->rows, "row", 3);
  append_axes (source, &product->lanes, "lane", 3);
  g_string_append_printf (c, "      const %s v%u = results[r][l]; // %u REDUCE_AXIS ADD of %u MUL\n",
                          fb_cpu_type (real_type), product->reduce, product->reduce,
                          fb_program_inst (program, product->reduce)->src[0]);
  append_cone (source, fb_program_scope (program, source->root)->owner, 3);
  g_string_append (c, "    }\n");
}
