/* Loops over the lanes of a block of a product. */
#include "panels-private.h"

void
fb_cpu_line (FbPanels *p, guint indent, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fb_cpu_indent (p->source->c, indent);
  g_string_append_vprintf (p->source->c, format, args);
  g_string_append_c (p->source->c, '\n');
  va_end (args);
}

/* The product's sum has all variables of the root. */
void
fb_cpu_find_panel_vars (FbPanels *p)
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
void
fb_cpu_append_cone (FbPanels *p, const gboolean *cone, gboolean of_lanes, guint indent)
{
  const FbProgram *program = p->source->program;
  for (guint i = 0; i < program->insts->len; i++)
    if (cone[i] && fb_program_inst (program, i)->op != FB_OP_REDUCE_AXIS
        && ((p->vars[i] & p->lane_vars) != 0 || fb_program_inst (program, i)->op == FB_OP_STORE) == of_lanes)
      fb_cpu_append_inst (p->source, i, indent);
}

void
fb_cpu_append_assignment (FbPanels *p, guint indent, const char *head, guint number, const char *tail)
{
  fb_cpu_indent (p->source->c, indent);
  g_string_append (p->source->c, head);
  fb_cpu_append_value (p->source, number);
  g_string_append (p->source->c, tail);
}

/* "const i64 i2 = @from / 3136l % 56l;" for each of @axes but the last @n. */
void
fb_cpu_append_axes (FbPanels *p, const FbAxes *axes, guint n, const char *from, guint indent)
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

/* Sets lo and hi to where, between l0 and end, every access of @cone is valid. FALSE: that is no range, nothing is
 * appended. */
static gboolean
append_interior (FbPanels *p, const gboolean *cone, guint v, guint indent)
{
  const FbProgram *program = p->source->program;
  GString *c = p->source->c;
  gboolean any = FALSE;
  gint64 coef;
  for (guint pass = 0; pass < 2; pass++)
    {
      if (pass == 1)
        fb_cpu_line (p, indent, "i64 lo = l0, hi = end;");
      for (guint i = 0; i < program->insts->len; i++)
        {
          const FbInst *inst = fb_program_inst (program, i);
          if (!cone[i] || inst->index == NULL || inst->op == FB_INST_COUNT || !(p->vars[i] & p->lane_vars))
            continue;
          if (inst->index->never)
            return FALSE;
          if (pass == 1 && inst->index->conditions->len > 0)
            {
              fb_cpu_line (p, indent, "{");
              fb_cpu_line (p, indent + 1, "const i64 i%u = i%u_0;", v, v);
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
              g_string_append (c, "{ const i64 at = ");
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
            fb_cpu_line (p, indent, "}");
        }
      if (!any)
        return FALSE;
    }
  fb_cpu_line (p, indent, "if (hi <= lo) lo = hi = end;");
  return TRUE;
}

/* The body of a loop over l: the last lane variable, the instructions, @head and the value and ";". */
static void
append_lane_body (FbPanels *p, const gboolean *cone, guint v, const char *head, guint value, guint indent)
{
  fb_cpu_line (p, indent, "{");
  fb_cpu_line (p, indent + 1, "const i64 i%u = i%u_0 + l;", v, v);
  if (value == G_MAXUINT)
    fb_cpu_line (p, indent + 1, "const %s v%u = sums[m * %" G_GINT64_FORMAT "l + l]; // %u REDUCE_AXIS ADD", p->type,
                 p->product->reduce, p->width, p->product->reduce);
  fb_cpu_append_cone (p, cone, TRUE, indent + 1);
  if (value != G_MAXUINT)
    fb_cpu_append_assignment (p, indent + 1, head, value, ";\n");
  fb_cpu_line (p, indent, "}");
}

/* A load of the lanes from l0 to end, zeros where it is not valid: outside of lo and hi when it is @split. */
static void
append_row (FbPanels *p, guint v, guint number, gboolean split, guint indent)
{
  GString *c = p->source->c;
  const FbInst *load = fb_program_inst (p->source->program, number);
  fb_cpu_line (p, indent, "{");
  fb_cpu_line (p, indent + 1, "const i64 i%u = i%u_0;", v, v);
  fb_cpu_append_atoms (p->source, number, indent + 1);
  fb_cpu_indent (c, indent + 1);
  g_string_append_printf (c, "%s_row (to, l0, %s, end, a%d, ", p->type, split ? "lo, hi" : "l0, end", load->arg);
  fb_cpu_append_linear (c, load->index, &load->index->at, number);
  g_string_append_printf (c, ", %" G_GINT64_FORMAT "l); // %u LOAD\n", fb_cpu_step_of (load->index, v), number);
  fb_cpu_line (p, indent, "}");
}

/* For the lanes from @first to @end: the instructions of @cone for each, and to[l] = @value; G_MAXUINT: what is done with
 * the sums. */
void
fb_cpu_append_lanes (FbPanels *p, const gboolean *cone, guint value, const char *first, const char *end, guint indent)
{
  const FbAxes *lanes = &p->product->lanes;
  guint v = lanes->vars[lanes->n - 1];
  gint64 extent = p->source->extents[v];
  const FbInst *inst = value == G_MAXUINT ? NULL : fb_program_inst (p->source->program, value);
  if (lanes->n > 1)
    {
      fb_cpu_line (p, indent, "for (i64 l0 = %s, end; l0 < %s; l0 = end)", first, end);
      fb_cpu_line (p, indent, "{");
      fb_cpu_line (p, indent + 1, "const i64 lane = lane0 + l0;");
      fb_cpu_append_axes (p, lanes, 1, "lane", indent + 1);
      fb_cpu_line (p, indent + 1, "const i64 i%u_0 = lane %% %" G_GINT64_FORMAT "l - l0;", v, extent);
      fb_cpu_line (p, indent + 1, "end = MIN2 (%s, %" G_GINT64_FORMAT "l - i%u_0);", end, extent, v);
    }
  else
    {
      fb_cpu_line (p, indent, "{");
      fb_cpu_line (p, indent + 1, "const i64 i%u_0 = lane0, l0 = %s, end = %s;", v, first, end);
    }
  gboolean row
      = inst != NULL && inst->op == FB_OP_LOAD && !inst->index->never && fb_cpu_step_of (inst->index, v) != G_MININT64;
  gboolean split = value != G_MAXUINT && append_interior (p, cone, v, indent + 1);
  if (row && (split || inst->index->conditions->len == 0))
    append_row (p, v, value, split, indent + 1);
  else if (split)
    {
      fb_cpu_line (p, indent + 1, "for (i64 l = l0; (l = l == lo ? hi : l) < end; l++)");
      append_lane_body (p, cone, v, "to[l] = ", value, indent + 1);
      p->source->inside = TRUE;
      fb_cpu_line (p, indent + 1, "for (i64 l = lo; l < hi; l++)");
      append_lane_body (p, cone, v, "to[l] = ", value, indent + 1);
      p->source->inside = FALSE;
    }
  else
    {
      fb_cpu_line (p, indent + 1, "for (i64 l = l0; l < end; l++)");
      append_lane_body (p, cone, v, "to[l] = ", value, indent + 1);
    }
  fb_cpu_line (p, indent, "}");
}
