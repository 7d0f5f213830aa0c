/* Products of matrices as C. */
#include "panels-private.h"

#define LINES 64 /* bytes between rows of a panel, so that they do not fall on the same lines of a cache */

/* Loops over the sum's variables of a block, from .split on. */
static void
append_sum_loops (FbPanels *p, guint indent)
{
  const FbAxes *sums = &p->product->sums;
  for (guint i = p->product->split; i < sums->n; i++)
    {
      guint v = sums->vars[i];
      if (i == p->product->split)
        fb_cpu_line (p, indent, "for (i64 i%u = sum0; i%u < sum1; i%u++)", v, v, v);
      else
        fb_cpu_line (p, indent, "for (i64 i%u = 0; i%u < %" G_GINT64_FORMAT "l; i%u++)", v, v, p->source->extents[v],
                     v);
    }
}

/* Variables of @axes and of the sum where a block begins: such accesses take them as one index each. */
static void
append_block_start (FbPanels *p, const FbAxes *axes, const char *start, guint indent)
{
  const FbAxes *sums = &p->product->sums;
  for (guint i = 0; i < axes->n; i++)
    fb_cpu_line (p, indent, "const i64 i%u = %s;", axes->vars[i], i + 1 == axes->n ? start : "0");
  for (guint i = p->product->split; i < sums->n; i++)
    fb_cpu_line (p, indent, "const i64 i%u = %s;", sums->vars[i],
                 i + 1 == sums->n && i > p->product->split ? "0"
                 : i == p->product->split                  ? "sum0"
                                                           : "0");
}

/* Do the lanes lie far apart where they are read? Then few of them are read at a time, along the sum. */
static gboolean
is_strided (FbPanels *p, const gboolean *cone)
{
  const FbProgram *program = p->source->program;
  const FbAxes *lanes = &p->product->lanes;
  for (guint i = 0; i < program->insts->len; i++)
    if (cone[i] && fb_program_inst (program, i)->op == FB_OP_LOAD && !fb_program_inst (program, i)->index->never)
      {
        gint64 step = fb_cpu_step_of (fb_program_inst (program, i)->index, lanes->vars[lanes->n - 1]);
        if (step == G_MININT64 || step > 4 || step < -4)
          return TRUE;
      }
  return FALSE;
}

static void
append_lane_panel (FbPanels *p, guint indent)
{
  const FbProduct *product = p->product;
  g_autofree gboolean *cone = g_new (gboolean, p->source->program->insts->len);
  fb_cpu_mark_cone (p->source->program, product->lane_value, cone);
  if (product->lanes_plain)
    {
      const FbInst *load = fb_program_inst (p->source->program, product->lane_value);
      append_block_start (p, &product->lanes, "lane0", indent);
      fb_cpu_indent (p->source->c, indent);
      g_string_append_printf (p->source->c, "%s_panel (lanes, %" G_GINT64_FORMAT "l, n_lanes, depth, a%d, ", p->type,
                              p->width, load->arg);
      fb_cpu_append_linear (p->source->c, load->index, &load->index->at, product->lane_value);
      g_string_append_printf (p->source->c, ", %" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT "l); // %u LOAD\n",
                              product->lane_matrix.step, product->lane_matrix.sum_step, product->lane_value);
      return;
    }
  gboolean strided = is_strided (p, cone);
  if (strided)
    {
      fb_cpu_line (p, indent, "for (i64 part = 0; part < n_lanes; part += 16)");
      fb_cpu_line (p, indent, "{");
      fb_cpu_line (p, indent + 1, "const i64 part_end = MIN2 (part + 16, n_lanes);");
      indent++;
    }
  fb_cpu_line (p, indent, "i64 d = 0;");
  append_sum_loops (p, indent);
  fb_cpu_line (p, indent, "{");
  fb_cpu_line (p, indent + 1, "%s *const restrict to = lanes + d++ * %" G_GINT64_FORMAT "l;", p->type, p->width);
  fb_cpu_append_cone (p, cone, FALSE, indent + 1);
  fb_cpu_append_lanes (p, cone, product->lane_value, strided ? "part" : "0", strided ? "part_end" : "n_lanes",
                       indent + 1);
  if (product->lanes.total % p->granule != 0 && !strided)
    fb_cpu_line (p, indent + 1, "for (i64 l = n_lanes; l < padded; l++) to[l] = 0;");
  fb_cpu_line (p, indent, "}");
  if (strided)
    {
      indent--;
      fb_cpu_line (p, indent, "}");
      if (product->lanes.total % p->granule != 0)
        fb_cpu_line (
            p, indent,
            "for (i64 d = 0; d < depth; d++) for (i64 l = n_lanes; l < padded; l++) lanes[d * %" G_GINT64_FORMAT
            "l + l] = 0;",
            p->width);
    }
}

static void
append_row_panel (FbPanels *p, guint indent)
{
  const FbProduct *product = p->product;
  g_autofree gboolean *cone = g_new (gboolean, p->source->program->insts->len);
  fb_cpu_mark_cone (p->source->program, product->row_value, cone);
  fb_cpu_line (p, indent, "for (i64 m = 0; m < n_rows; m++)");
  fb_cpu_line (p, indent, "{");
  fb_cpu_line (p, indent + 1, "const i64 row = row0 + m;");
  fb_cpu_append_axes (p, &product->rows, 0, "row", indent + 1);
  fb_cpu_line (p, indent + 1, "%s *restrict to = rows + m * %" G_GINT64_FORMAT "l;", p->type, p->row_width);
  append_sum_loops (p, indent + 1);
  fb_cpu_line (p, indent + 1, "{");
  fb_cpu_append_cone (p, cone, FALSE, indent + 2);
  fb_cpu_append_assignment (p, indent + 2, "*to++ = ", product->row_value, ";\n");
  fb_cpu_line (p, indent + 1, "}");
  fb_cpu_line (p, indent, "}");
}

static void
append_multiply (FbPanels *p, guint indent)
{
  const FbProduct *product = p->product;
  GString *c = p->source->c;
  fb_cpu_line (p, indent, "{");
  if (product->rows_plain)
    {
      const FbInst *load = fb_program_inst (p->source->program, product->row_value);
      append_block_start (p, &product->rows, "row0", indent + 1);
      fb_cpu_indent (c, indent + 1);
      g_string_append_printf (c, "%s_multiply (n_rows, padded, depth, a%d + (", p->type, load->arg);
      fb_cpu_append_linear (c, load->index, &load->index->at, product->row_value);
      g_string_append_printf (c, "), %" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT "l", product->row_matrix.step,
                              product->row_matrix.sum_step);
    }
  else
    {
      fb_cpu_indent (c, indent + 1);
      g_string_append_printf (c, "%s_multiply (n_rows, padded, depth, rows, %" G_GINT64_FORMAT "l, 1", p->type,
                              p->row_width);
    }
  g_string_append_printf (c, ", lanes, sums, %" G_GINT64_FORMAT "l, first_part); // %u REDUCE_AXIS ADD of %u MUL\n",
                          p->width, product->reduce, fb_program_inst (p->source->program, product->reduce)->src[0]);
  fb_cpu_line (p, indent, "}");
}

/* The sums of a tile, a block of the summed axes at a time. */
static void
append_sums (FbPanels *p, guint indent)
{
  const FbProduct *product = p->product;
  const FbAxes *sums = &product->sums;
  gint64 extent = p->source->extents[sums->vars[product->split]], below = sums->block / product->chunk;
  fb_cpu_line (p, indent, "i64 first_part = 1;");
  for (guint i = 0; i < product->split; i++)
    fb_cpu_line (p, indent, "for (i64 i%u = 0; i%u < %" G_GINT64_FORMAT "l; i%u++)", sums->vars[i], sums->vars[i],
                 p->source->extents[sums->vars[i]], sums->vars[i]);
  if (extent > product->chunk)
    fb_cpu_line (p, indent, "for (i64 sum0 = 0; sum0 < %" G_GINT64_FORMAT "l; sum0 += %" G_GINT64_FORMAT "l)", extent,
                 product->chunk);
  fb_cpu_line (p, indent, "{");
  if (extent % product->chunk != 0)
    fb_cpu_line (p, indent + 1, "const i64 sum1 = MIN2 (sum0 + %" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT "l);",
                 product->chunk, extent);
  else if (extent > product->chunk)
    fb_cpu_line (p, indent + 1, "const i64 sum1 = sum0 + %" G_GINT64_FORMAT "l;", product->chunk);
  else
    fb_cpu_line (p, indent + 1, "const i64 sum0 = 0, sum1 = %" G_GINT64_FORMAT "l;", extent);
  fb_cpu_line (
      p, indent + 1,
      below > 1 ? "const i64 depth = (sum1 - sum0) * %" G_GINT64_FORMAT "l;" : "const i64 depth = sum1 - sum0;", below);
  fb_cpu_line (p, indent + 1, "{");
  append_lane_panel (p, indent + 2);
  fb_cpu_line (p, indent + 1, "}");
  if (!product->rows_plain)
    append_row_panel (p, indent + 1);
  append_multiply (p, indent + 1);
  fb_cpu_line (p, indent + 1, "first_part = 0;");
  fb_cpu_line (p, indent, "}");
}

/* What becomes of the sums. */
static void
append_results (FbPanels *p, guint indent)
{
  const FbProgram *program = p->source->program;
  g_autofree gboolean *cone = g_new (gboolean, program->insts->len);
  fb_cpu_mark_cone (program, fb_program_scope (program, p->source->root)->owner, cone);
  fb_cpu_line (p, indent, "for (i64 m = 0; m < n_rows; m++)");
  fb_cpu_line (p, indent, "{");
  fb_cpu_line (p, indent + 1, "const i64 row = row0 + m;");
  fb_cpu_append_axes (p, &p->product->rows, 0, "row", indent + 1);
  fb_cpu_append_cone (p, cone, FALSE, indent + 1);
  fb_cpu_append_lanes (p, cone, G_MAXUINT, "0", "n_lanes", indent + 1);
  fb_cpu_line (p, indent, "}");
}

/* Where the tile begins. */
static gint64
append_tile_start (FbPanels *p, guint indent)
{
  const FbProduct *product = p->product;
  const FbProgram *program = p->source->program;
  const FbAxes *blocked[2] = { &product->rows, &product->lanes };
  static const char *const names[2] = { "row", "lane" };
  gint64 tiles = 1;
  fb_cpu_line (p, indent, "i64 rest = tile;");
  for (guint i = 0; i < 2; i++)
    {
      gint64 along = (blocked[i]->total + blocked[i]->block - 1) / blocked[i]->block;
      tiles *= along;
      if (along > 1)
        fb_cpu_line (p, indent,
                     "const i64 %s0 = rest %% %" G_GINT64_FORMAT "l * %" G_GINT64_FORMAT "l; rest /= %" G_GINT64_FORMAT
                     "l;",
                     names[i], along, blocked[i]->block, along);
      else
        fb_cpu_line (p, indent, "const i64 %s0 = 0, n_%ss = %" G_GINT64_FORMAT "l;", names[i], names[i],
                     blocked[i]->total);
      if (along > 1 && blocked[i]->total % blocked[i]->block == 0)
        fb_cpu_line (p, indent, "const i64 n_%ss = %" G_GINT64_FORMAT "l;", names[i], blocked[i]->block);
      else if (along > 1)
        fb_cpu_line (p, indent, "const i64 n_%ss = MIN2 (%" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT "l - %s0);",
                     names[i], blocked[i]->block, blocked[i]->total, names[i]);
    }
  fb_cpu_line (p, indent, "const i64 padded = (n_lanes + %d) / %d * %d;", (int) p->granule - 1, (int) p->granule,
               (int) p->granule);
  for (guint i = product->outer.n; i-- > 0;)
    {
      guint v = product->outer.vars[i];
      gint64 extent = p->source->extents[v];
      tiles *= extent;
      fb_cpu_line (p, indent, "const i64 i%u = rest %% %" G_GINT64_FORMAT "l; rest /= %" G_GINT64_FORMAT "l;", v,
                   extent, extent);
    }
  guint64 all = fb_program_scope (program, fb_program_inst (program, product->reduce)->body)->all_vars;
  for (guint v = 0; v < program->n_vars; v++)
    if ((all >> v & 1) && p->source->extents[v] == 1)
      fb_cpu_line (p, indent, "const i64 i%u = 0;", v);
  return tiles;
}

static void
append_names (GString *c, const FbAxes *axes)
{
  for (guint i = 0; i < axes->n; i++)
    g_string_append_printf (c, "%si%u", i > 0 ? ", " : "", axes->vars[i]);
}

gint64
fb_cpu_append_product (FbSource *source, const FbProduct *product, guint number)
{
  guint type = fb_program_inst (source->program, product->reduce)->type;
  gsize item = fb_scalar_size (type);
  gint64 pad = LINES / (gint64) item;
  FbPanels p = { .source = source, .product = product, .type = fb_cpu_type (type), .granule = 128 / (gint64) item };
  GString *c = source->c;
  p.width = product->lanes.block + pad;
  p.row_width = (product->sums.block + pad - 1) / pad * pad + pad;
  for (guint i = 0; i < product->lanes.n; i++)
    p.lane_vars |= (guint64) 1 << product->lanes.vars[i];
  fb_cpu_find_panel_vars (&p);
  memset (source->stored, 0, source->program->insts->len * sizeof *source->stored);
  g_string_append (c, "/* sums over ");
  append_names (c, &product->sums);
  g_string_append (c, " of rows (");
  append_names (c, &product->rows);
  g_string_append (c, ") times lanes (");
  append_names (c, &product->lanes);
  g_string_append_printf (c, ") */\nvoid k%u_%u (char *const *args, i64 first, i64 last)\n{\n", number, source->root);
  fb_cpu_append_args (source);
  gint64 sums_size = product->rows.block * p.width, lanes_size = product->sums.block * p.width,
         rows_size = product->rows_plain ? 0 : product->rows.block * p.row_width;
  source->scratch = MAX (source->scratch, (gsize) (sums_size + lanes_size + rows_size) * item);
  fb_cpu_line (&p, 1, "%s *const sums = (void *)scratch, *const lanes = sums + %" G_GINT64_FORMAT "l;", p.type,
               sums_size);
  if (!product->rows_plain)
    fb_cpu_line (&p, 1, "%s *const rows = lanes + %" G_GINT64_FORMAT "l;", p.type, lanes_size);
  fb_cpu_line (&p, 1, "for (i64 tile = first; tile < last; tile++)");
  fb_cpu_line (&p, 1, "{");
  gint64 tiles = append_tile_start (&p, 2);
  append_sums (&p, 2);
  append_results (&p, 2);
  fb_cpu_line (&p, 1, "}");
  g_string_append (c, "}\n\n");
  g_free (p.vars);
  return tiles;
}
