/* Products of matrices as C. */
#include "cpu-private.h"

#define LINES 64 /* bytes between rows of a panel, so that they do not fall on the same lines of a cache */

typedef struct
{
  FbSource *source;
  const FbProduct *product;
  const char *type;
  gint64 granule, width, row_width; /* elements: of two vectors, from row to row of the panels */
  guint64 *vars;                    /* of each instruction: what its value depends on */
  guint64 lane_vars;
  guint number;
} Panels;

static void G_GNUC_PRINTF (3, 4) line (Panels *p, guint indent, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fb_cpu_indent (p->source->c, indent);
  g_string_append_vprintf (p->source->c, format, args);
  g_string_append_c (p->source->c, '\n');
  va_end (args);
}

/* The product's sum has all variables of the root. */
static void
find_vars (Panels *p)
{
  const FbProgram *program = p->source->program;
  p->vars = g_new0 (guint64, program->insts->len);
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      if (inst->op == FB_OP_REDUCE_AXIS)
        p->vars[i] = fb_program_scope (program, inst->scope)->all_vars;
      for (guint j = 0; inst->op != FB_OP_REDUCE_AXIS && j < inst->n_src; j++)
        p->vars[i] |= p->vars[inst->src[j]];
      if (inst->index != NULL)
        p->vars[i] |= fb_cpu_index_vars (inst->index) & ~(inst->op == FB_INST_COUNT ? inst->count_vars : 0);
    }
}

/* Instructions of @cone, those that depend on variables of the lanes or those that do not. */
static void
append_cone (Panels *p, const gboolean *cone, gboolean of_lanes, guint indent)
{
  const FbProgram *program = p->source->program;
  for (guint i = 0; i < program->insts->len; i++)
    if (cone[i] && fb_program_inst (program, i)->op != FB_OP_REDUCE_AXIS
        && ((p->vars[i] & p->lane_vars) != 0 || fb_program_inst (program, i)->op == FB_OP_STORE) == of_lanes)
      fb_cpu_append_inst (p->source, i, indent);
}

static void
append_values (Panels *p, guint indent, const char *head, guint number, const char *tail)
{
  fb_cpu_indent (p->source->c, indent);
  g_string_append (p->source->c, head);
  fb_cpu_append_value (p->source, number);
  g_string_append (p->source->c, tail);
}

/* "const i64 i2 = @from / 3136l % 56l;" for each of @axes but the last @n. */
static void
append_axes (Panels *p, const FbAxes *axes, guint n, const char *from, guint indent)
{
  gint64 below = 1;
  for (guint i = axes->n; i-- > 0;)
    {
      gint64 extent = p->source->extents[axes->vars[i]];
      if (i + n < axes->n)
        {
          fb_cpu_indent (p->source->c, indent);
          g_string_append_printf (p->source->c, "const i64 i%u = ", axes->vars[i]);
          g_string_append_printf (p->source->c, below > 1 ? "%s / %" G_GINT64_FORMAT "l" : "%s", from, below);
          if (i > 0)
            g_string_append_printf (p->source->c, " %% %" G_GINT64_FORMAT "l", extent);
          g_string_append (p->source->c, ";\n");
        }
      below *= extent;
    }
}

/* Loops over the sum's variables of a block, from .split on. */
static void
append_sum_loops (Panels *p, guint indent)
{
  const FbAxes *sums = &p->product->sums;
  for (guint i = p->product->split; i < sums->n; i++)
    {
      guint v = sums->vars[i];
      if (i == p->product->split)
        line (p, indent, "for (i64 i%u = sum0; i%u < sum1; i%u++)", v, v, v);
      else
        line (p, indent, "for (i64 i%u = 0; i%u < %" G_GINT64_FORMAT "l; i%u++)", v, v, p->source->extents[v], v);
    }
}

/* Sets lo and hi to where, between l0 and end, every access of @cone is valid. FALSE: that is no range, nothing is
 * appended. */
static gboolean
append_interior (Panels *p, const gboolean *cone, guint v, guint indent)
{
  const FbProgram *program = p->source->program;
  GString *c = p->source->c;
  gboolean any = FALSE;
  gint64 coef;
  for (guint pass = 0; pass < 2; pass++)
    {
      if (pass == 1)
        line (p, indent, "i64 lo = l0, hi = end;");
      for (guint i = 0; i < program->insts->len; i++)
        {
          const FbInst *inst = fb_program_inst (program, i);
          if (!cone[i] || inst->index == NULL || inst->op == FB_INST_COUNT || !(p->vars[i] & p->lane_vars))
            continue;
          if (inst->index->never)
            return FALSE;
          if (pass == 1 && inst->index->conditions->len > 0)
            {
              line (p, indent, "{");
              fb_cpu_append_atoms (p->source, i, indent + 1);
            }
          for (guint j = 0; j < inst->index->conditions->len; j++)
            {
              const FbCondition *condition = &g_array_index (inst->index->conditions, FbCondition, j);
              any = TRUE;
              coef = fb_cpu_linear_step (inst->index, &condition->value, v);
              if (coef == G_MININT64)
                return FALSE;
              if (pass == 0)
                continue;
              fb_cpu_indent (c, indent + 1);
              g_string_append_printf (c, "{ const i64 i%u = i%u_0, at = ", v, v);
              fb_cpu_append_linear (c, inst->index, &condition->value, i);
              gint64 by = ABS (coef);
              if (coef == 0)
                g_string_append_printf (c,
                                        "; if (at < %" G_GINT64_FORMAT "l || at >= %" G_GINT64_FORMAT "l) hi = lo; }",
                                        condition->begin, condition->end);
              else if (coef > 0)
                g_string_append_printf (c,
                                        "; lo = MAX2 (lo, -floor_div (at - %" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT
                                        "l)); hi = MIN2 (hi, -floor_div (at - %" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT
                                        "l)); }",
                                        condition->begin, by, condition->end, by);
              else
                g_string_append_printf (c,
                                        "; lo = MAX2 (lo, floor_div (at - %" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT
                                        "l) + 1); hi = MIN2 (hi, floor_div (at - %" G_GINT64_FORMAT
                                        "l, %" G_GINT64_FORMAT "l) + 1); }",
                                        condition->end, by, condition->begin, by);
              g_string_append_c (c, '\n');
            }
          if (pass == 1 && inst->index->conditions->len > 0)
            line (p, indent, "}");
        }
      if (!any)
        return FALSE;
    }
  line (p, indent, "if (hi <= lo) lo = hi = end;");
  return TRUE;
}

/* The body of a loop over l: the last lane variable, the instructions, @head and the value and ";". */
static void
append_lane_body (Panels *p, const gboolean *cone, guint v, const char *head, guint value, guint indent)
{
  line (p, indent, "{");
  line (p, indent + 1, "const i64 i%u = i%u_0 + l;", v, v);
  if (value == G_MAXUINT)
    line (p, indent + 1, "const %s v%u = sums[m * %" G_GINT64_FORMAT "l + l]; // %u REDUCE_AXIS ADD", p->type,
          p->product->reduce, p->width, p->product->reduce);
  append_cone (p, cone, TRUE, indent + 1);
  if (value != G_MAXUINT)
    append_values (p, indent + 1, head, value, ";\n");
  line (p, indent, "}");
}

/* A load of the lanes from l0 to end, zeros where it is not valid: outside of lo and hi when it is @split. */
static void
append_row (Panels *p, guint v, guint number, gboolean split, guint indent)
{
  GString *c = p->source->c;
  const FbInst *load = fb_program_inst (p->source->program, number);
  line (p, indent, "{");
  line (p, indent + 1, "const i64 i%u = i%u_0;", v, v);
  fb_cpu_append_atoms (p->source, number, indent + 1);
  fb_cpu_indent (c, indent + 1);
  g_string_append_printf (c, "%s_row (to, l0, %s, end, a%d, ", p->type, split ? "lo, hi" : "l0, end", load->arg);
  fb_cpu_append_linear (c, load->index, &load->index->at, number);
  g_string_append_printf (c, ", %" G_GINT64_FORMAT "l); // %u LOAD\n", fb_cpu_step_of (load->index, v), number);
  line (p, indent, "}");
}

/* For the lanes from @first to @end: the instructions of @cone for each, and to[l] = @value; G_MAXUINT: what is done with
 * the sums. */
static void
append_lanes (Panels *p, const gboolean *cone, guint value, const char *first, const char *end, guint indent)
{
  const FbAxes *lanes = &p->product->lanes;
  guint v = lanes->vars[lanes->n - 1];
  gint64 extent = p->source->extents[v];
  const FbInst *inst = value == G_MAXUINT ? NULL : fb_program_inst (p->source->program, value);
  if (lanes->n > 1)
    {
      line (p, indent, "for (i64 l0 = %s, end; l0 < %s; l0 = end)", first, end);
      line (p, indent, "{");
      line (p, indent + 1, "const i64 lane = lane0 + l0;");
      append_axes (p, lanes, 1, "lane", indent + 1);
      line (p, indent + 1, "const i64 i%u_0 = lane %% %" G_GINT64_FORMAT "l - l0;", v, extent);
      line (p, indent + 1, "end = MIN2 (%s, %" G_GINT64_FORMAT "l - i%u_0);", end, extent, v);
    }
  else
    {
      line (p, indent, "{");
      line (p, indent + 1, "const i64 i%u_0 = lane0, l0 = %s, end = %s;", v, first, end);
    }
  gboolean row
      = inst != NULL && inst->op == FB_OP_LOAD && !inst->index->never && fb_cpu_step_of (inst->index, v) != G_MININT64;
  gboolean split = value != G_MAXUINT && append_interior (p, cone, v, indent + 1);
  if (row && (split || inst->index->conditions->len == 0))
    append_row (p, v, value, split, indent + 1);
  else if (split)
    {
      line (p, indent + 1, "for (i64 l = l0; (l = l == lo ? hi : l) < end; l++)");
      append_lane_body (p, cone, v, "to[l] = ", value, indent + 1);
      p->source->inside = TRUE;
      line (p, indent + 1, "for (i64 l = lo; l < hi; l++)");
      append_lane_body (p, cone, v, "to[l] = ", value, indent + 1);
      p->source->inside = FALSE;
    }
  else
    {
      line (p, indent + 1, "for (i64 l = l0; l < end; l++)");
      append_lane_body (p, cone, v, "to[l] = ", value, indent + 1);
    }
  line (p, indent, "}");
}

/* Variables of @axes and of the sum where a block begins: such accesses take them as one index each. */
static void
append_block_start (Panels *p, const FbAxes *axes, const char *start, guint indent)
{
  const FbAxes *sums = &p->product->sums;
  for (guint i = 0; i < axes->n; i++)
    line (p, indent, "const i64 i%u = %s;", axes->vars[i], i + 1 == axes->n ? start : "0");
  for (guint i = p->product->split; i < sums->n; i++)
    line (p, indent, "const i64 i%u = %s;", sums->vars[i],
          i + 1 == sums->n && i > p->product->split ? "0"
          : i == p->product->split                  ? "sum0"
                                                    : "0");
}

/* Do the lanes lie far apart where they are read? Then few of them are read at a time, along the sum. */
static gboolean
is_strided (Panels *p, const gboolean *cone)
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
append_lane_panel (Panels *p, guint indent)
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
      line (p, indent, "for (i64 part = 0; part < n_lanes; part += 16)");
      line (p, indent, "{");
      line (p, indent + 1, "const i64 part_end = MIN2 (part + 16, n_lanes);");
      indent++;
    }
  line (p, indent, "i64 d = 0;");
  append_sum_loops (p, indent);
  line (p, indent, "{");
  line (p, indent + 1, "%s *const restrict to = lanes + d++ * %" G_GINT64_FORMAT "l;", p->type, p->width);
  append_cone (p, cone, FALSE, indent + 1);
  append_lanes (p, cone, product->lane_value, strided ? "part" : "0", strided ? "part_end" : "n_lanes", indent + 1);
  if (product->lanes.total % p->granule != 0 && !strided)
    line (p, indent + 1, "for (i64 l = n_lanes; l < padded; l++) to[l] = 0;");
  line (p, indent, "}");
  if (strided)
    {
      indent--;
      line (p, indent, "}");
      if (product->lanes.total % p->granule != 0)
        line (p, indent,
              "for (i64 d = 0; d < depth; d++) for (i64 l = n_lanes; l < padded; l++) lanes[d * %" G_GINT64_FORMAT
              "l + l] = 0;",
              p->width);
    }
}

static void
append_row_panel (Panels *p, guint indent)
{
  const FbProduct *product = p->product;
  g_autofree gboolean *cone = g_new (gboolean, p->source->program->insts->len);
  fb_cpu_mark_cone (p->source->program, product->row_value, cone);
  line (p, indent, "for (i64 m = 0; m < n_rows; m++)");
  line (p, indent, "{");
  line (p, indent + 1, "const i64 row = row0 + m;");
  append_axes (p, &product->rows, 0, "row", indent + 1);
  line (p, indent + 1, "%s *restrict to = rows + m * %" G_GINT64_FORMAT "l;", p->type, p->row_width);
  append_sum_loops (p, indent + 1);
  line (p, indent + 1, "{");
  append_cone (p, cone, FALSE, indent + 2);
  append_values (p, indent + 2, "*to++ = ", product->row_value, ";\n");
  line (p, indent + 1, "}");
  line (p, indent, "}");
}

static void
append_multiply (Panels *p, guint indent)
{
  const FbProduct *product = p->product;
  GString *c = p->source->c;
  line (p, indent, "{");
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
  line (p, indent, "}");
}

/* The sums of a tile, a block of the summed axes at a time. */
static void
append_sums (Panels *p, guint indent)
{
  const FbProduct *product = p->product;
  const FbAxes *sums = &product->sums;
  gint64 extent = p->source->extents[sums->vars[product->split]], below = sums->block / product->chunk;
  line (p, indent, "i64 first_part = 1;");
  for (guint i = 0; i < product->split; i++)
    line (p, indent, "for (i64 i%u = 0; i%u < %" G_GINT64_FORMAT "l; i%u++)", sums->vars[i], sums->vars[i],
          p->source->extents[sums->vars[i]], sums->vars[i]);
  if (extent > product->chunk)
    line (p, indent, "for (i64 sum0 = 0; sum0 < %" G_GINT64_FORMAT "l; sum0 += %" G_GINT64_FORMAT "l)", extent,
          product->chunk);
  line (p, indent, "{");
  if (extent % product->chunk != 0)
    line (p, indent + 1, "const i64 sum1 = MIN2 (sum0 + %" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT "l);", product->chunk,
          extent);
  else if (extent > product->chunk)
    line (p, indent + 1, "const i64 sum1 = sum0 + %" G_GINT64_FORMAT "l;", product->chunk);
  else
    line (p, indent + 1, "const i64 sum0 = 0, sum1 = %" G_GINT64_FORMAT "l;", extent);
  line (p, indent + 1,
        below > 1 ? "const i64 depth = (sum1 - sum0) * %" G_GINT64_FORMAT "l;" : "const i64 depth = sum1 - sum0;",
        below);
  line (p, indent + 1, "{");
  append_lane_panel (p, indent + 2);
  line (p, indent + 1, "}");
  if (!product->rows_plain)
    append_row_panel (p, indent + 1);
  append_multiply (p, indent + 1);
  line (p, indent + 1, "first_part = 0;");
  line (p, indent, "}");
}

/* What becomes of the sums. */
static void
append_results (Panels *p, guint indent)
{
  const FbProgram *program = p->source->program;
  g_autofree gboolean *cone = g_new (gboolean, program->insts->len);
  fb_cpu_mark_cone (program, fb_program_scope (program, p->source->root)->owner, cone);
  line (p, indent, "for (i64 m = 0; m < n_rows; m++)");
  line (p, indent, "{");
  line (p, indent + 1, "const i64 row = row0 + m;");
  append_axes (p, &p->product->rows, 0, "row", indent + 1);
  append_cone (p, cone, FALSE, indent + 1);
  append_lanes (p, cone, G_MAXUINT, "0", "n_lanes", indent + 1);
  line (p, indent, "}");
}

/* Where the tile begins. */
static gint64
append_tile_start (Panels *p, guint indent)
{
  const FbProduct *product = p->product;
  const FbProgram *program = p->source->program;
  const FbAxes *blocked[2] = { &product->rows, &product->lanes };
  static const char *const names[2] = { "row", "lane" };
  gint64 tiles = 1;
  line (p, indent, "i64 rest = tile;");
  for (guint i = 0; i < 2; i++)
    {
      gint64 along = (blocked[i]->total + blocked[i]->block - 1) / blocked[i]->block;
      tiles *= along;
      if (along > 1)
        line (p, indent,
              "const i64 %s0 = rest %% %" G_GINT64_FORMAT "l * %" G_GINT64_FORMAT "l; rest /= %" G_GINT64_FORMAT "l;",
              names[i], along, blocked[i]->block, along);
      else
        line (p, indent, "const i64 %s0 = 0, n_%ss = %" G_GINT64_FORMAT "l;", names[i], names[i], blocked[i]->total);
      if (along > 1 && blocked[i]->total % blocked[i]->block == 0)
        line (p, indent, "const i64 n_%ss = %" G_GINT64_FORMAT "l;", names[i], blocked[i]->block);
      else if (along > 1)
        line (p, indent, "const i64 n_%ss = MIN2 (%" G_GINT64_FORMAT "l, %" G_GINT64_FORMAT "l - %s0);", names[i],
              blocked[i]->block, blocked[i]->total, names[i]);
    }
  line (p, indent, "const i64 padded = (n_lanes + %d) / %d * %d;", (int) p->granule - 1, (int) p->granule,
        (int) p->granule);
  for (guint i = product->outer.n; i-- > 0;)
    {
      guint v = product->outer.vars[i];
      gint64 extent = p->source->extents[v];
      tiles *= extent;
      line (p, indent, "const i64 i%u = rest %% %" G_GINT64_FORMAT "l; rest /= %" G_GINT64_FORMAT "l;", v, extent,
            extent);
    }
  guint64 all = fb_program_scope (program, fb_program_inst (program, product->reduce)->body)->all_vars;
  for (guint v = 0; v < program->n_vars; v++)
    if ((all >> v & 1) && p->source->extents[v] == 1)
      line (p, indent, "const i64 i%u = 0;", v);
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
  Panels p = { .source = source, .product = product, .type = fb_cpu_type (type), .granule = 128 / (gint64) item };
  GString *c = source->c;
  p.width = product->lanes.block + pad;
  p.row_width = (product->sums.block + pad - 1) / pad * pad + pad;
  for (guint i = 0; i < product->lanes.n; i++)
    p.lane_vars |= (guint64) 1 << product->lanes.vars[i];
  find_vars (&p);
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
  line (&p, 1, "%s *const sums = (void *)scratch, *const lanes = sums + %" G_GINT64_FORMAT "l;", p.type, sums_size);
  if (!product->rows_plain)
    line (&p, 1, "%s *const rows = lanes + %" G_GINT64_FORMAT "l;", p.type, lanes_size);
  line (&p, 1, "for (i64 tile = first; tile < last; tile++)");
  line (&p, 1, "{");
  gint64 tiles = append_tile_start (&p, 2);
  append_sums (&p, 2);
  append_results (&p, 2);
  line (&p, 1, "}");
  g_string_append (c, "}\n\n");
  g_free (p.vars);
  return tiles;
}
