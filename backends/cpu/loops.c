/* Loops of sums as C. */
#include "cpu-private.h"

/* Copies of a sum's body side by side, at most in instructions. */
#define MAX_COPIES 160

static void append_scope (FbSource *source, guint scope, guint indent);

static void
append_for (GString *c, const char *name, guint v, gint64 extent, guint indent)
{
  fb_cpu_indent (c, indent);
  g_string_append_printf (c, "for (i64 %s%u = 0; %s%u < %" G_GINT64_FORMAT "l; %s%u++)\n", name, v, name, v, extent,
                          name, v);
}

/* Variables for the sums of @loop, at what they start with. */
static void
append_accumulators (FbSource *source, const FbLoop *loop, guint indent)
{
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      const FbInst *reduce = fb_program_inst (source->program, number);
      fb_cpu_indent (source->c, indent);
      g_string_append_printf (source->c, "%s v%u = ", fb_cpu_type (reduce->type), number);
      fb_cpu_append_identity (source->c, reduce->reduce_op, reduce->type);
      g_string_append_printf (source->c, "; // %u REDUCE_AXIS %s\n", number, fb_op_name (reduce->reduce_op));
      if (reduce->fold > 1)
        {
          fb_cpu_indent (source->c, indent);
          g_string_append_printf (source->c, "%s m%u = v%u;\n", fb_cpu_type (reduce->type), number, number);
        }
    }
}

/* Which float comes out of a MAX depends on the order where it is a zero, and where a NaN was met, unless points are folded one by one
 * into -inf: those pass NaNs over. */
static gboolean
depends_on_order (const FbInst *reduce)
{
  return reduce->reduce_op == FB_OP_MAX && fb_scalar_is_float (reduce->type);
}

/* The bodies of @loop's reduces, each followed by its accumulation. @into: the accumulator's name, of the number. @parted: in parts,
 * and whether a NaN was met. */
static void
append_bodies (FbSource *source, const FbLoop *loop, const char *prefix, const char *suffix, gboolean parted,
               guint indent)
{
  const FbProgram *program = source->program;
  GString *c = source->c;
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      const FbInst *reduce = fb_program_inst (program, number);
      g_autofree char *into = g_strdup_printf ("%s%u%s", prefix, number, suffix);
      g_autoptr (GString) value = g_string_new (NULL);
      fb_cpu_indent (c, indent);
      g_string_append (c, "{\n");
      append_scope (source, reduce->body, indent + 1);
      source->c = value;
      fb_cpu_append_value (source, reduce->src[0]);
      source->c = c;
      fb_cpu_indent (c, indent + 1);
      if (reduce->fold == 1 || parted)
        {
          fb_cpu_append_accumulate (c, reduce->reduce_op, reduce->type, into, value->str);
          if (reduce->fold != 1)
            {
              fb_cpu_indent (c, indent + 1);
              g_string_append_printf (c, "nan%u%s |= %s != %s;\n", number, suffix, value->str, value->str);
            }
        }
      else
        {
          g_autofree char *partial = g_strdup_printf ("m%u%s", number, suffix);
          fb_cpu_append_fold (source, loop, number, into, partial, value->str);
        }
      fb_cpu_indent (c, indent);
      g_string_append (c, "}\n");
    }
}

static void
append_in_order (FbSource *source, const FbLoop *loop, guint indent)
{
  for (guint v = 0; v < source->program->n_vars; v++)
    if (loop->vars >> v & 1)
      append_for (source->c, "i", v, source->extents[v], indent);
  fb_cpu_indent (source->c, indent);
  g_string_append (source->c, "{\n");
  append_bodies (source, loop, "v", "", FALSE, indent + 1);
  fb_cpu_indent (source->c, indent);
  g_string_append (source->c, "}\n");
}

/* A loop where it stands: one point after the other. */
static void
append_plain_loop (FbSource *source, const FbLoop *loop, guint indent)
{
  append_accumulators (source, loop, indent);
  append_in_order (source, loop, indent);
}

/* After the parts of reduce @number: once more in order, where it matters. */
static void
append_again (FbSource *source, const FbLoop *loop, guint number, guint indent)
{
  GString *c = source->c;
  const FbInst *reduce = fb_program_inst (source->program, number);
  FbLoop alone = *loop;
  alone.reduces = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (alone.reduces, number);
  fb_cpu_indent (c, indent);
  g_string_append_printf (c, reduce->fold != 1 ? "if (v%u == 0 || any%u)\n" : "if (v%u == 0)\n", number, number);
  fb_cpu_indent (c, indent);
  g_string_append_printf (c, "{\n");
  fb_cpu_indent (c, indent + 1);
  g_string_append_printf (c, "v%u = ", number);
  fb_cpu_append_identity (c, reduce->reduce_op, reduce->type);
  g_string_append (c, ";\n");
  append_in_order (source, &alone, indent + 1);
  fb_cpu_indent (c, indent);
  g_string_append_printf (c, "}\n");
  g_array_unref (alone.reduces);
}

/* A sum in parts that become vectors: their order is not that of the axes. */
static void
append_parted_loop (FbSource *source, const FbLoop *loop, guint indent)
{
  GString *c = source->c;
  const FbProgram *program = source->program;
  guint last = (guint) fb_cpu_last_var (loop->vars);
  gint64 extent = source->extents[last], parts = extent >= 256 ? 64 : 16;
  append_accumulators (source, loop, indent);
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      const FbInst *reduce = fb_program_inst (program, number);
      fb_cpu_indent (c, indent);
      g_string_append_printf (c, "%s p%u[%d];\n", fb_cpu_type (reduce->type), number, (int) parts);
      fb_cpu_indent (c, indent);
      g_string_append_printf (c, "for (i64 q = 0; q < %d; q++) p%u[q] = v%u;\n", (int) parts, number, number);
      if (reduce->fold != 1)
        {
          fb_cpu_indent (c, indent);
          g_string_append_printf (c, "%s nan%u[%d] = { 0 }, any%u = 0;\n",
                                  reduce->type == FB_SCALAR_FLOAT64 ? "i64" : "i32", number, (int) parts, number);
        }
    }
  for (guint v = 0; v < last; v++)
    if (loop->vars >> v & 1)
      append_for (c, "i", v, source->extents[v], indent);
  fb_cpu_indent (c, indent);
  g_string_append (c, "{\n");
  fb_cpu_indent (c, indent + 1);
  g_string_append_printf (c, "i64 k = 0;\n");
  fb_cpu_indent (c, indent + 1);
  g_string_append_printf (c, "for (; k + %d <= %" G_GINT64_FORMAT "l; k += %d)\n", (int) parts, extent, (int) parts);
  fb_cpu_indent (c, indent + 2);
  g_string_append_printf (c, "for (i64 q = 0; q < %d; q++)\n", (int) parts);
  fb_cpu_indent (c, indent + 2);
  g_string_append_printf (c, "{ const i64 i%u = k + q;\n", last);
  append_bodies (source, loop, "p", "[q]", TRUE, indent + 3);
  fb_cpu_indent (c, indent + 2);
  g_string_append (c, "}\n");
  if (extent % parts != 0)
    {
      fb_cpu_indent (c, indent + 1);
      g_string_append_printf (c, "for (i64 q = 0; q < %" G_GINT64_FORMAT "l; q++)\n", extent % parts);
      fb_cpu_indent (c, indent + 1);
      g_string_append_printf (c, "{ const i64 i%u = k + q;\n", last);
      append_bodies (source, loop, "p", "[q]", TRUE, indent + 2);
      fb_cpu_indent (c, indent + 1);
      g_string_append (c, "}\n");
    }
  fb_cpu_indent (c, indent);
  g_string_append (c, "}\n");
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      const FbInst *reduce = fb_program_inst (program, number);
      g_autofree char *into = g_strdup_printf ("v%u", number), *from = g_strdup_printf ("p%u[q]", number);
      fb_cpu_indent (c, indent);
      g_string_append_printf (c, "for (i64 q = 0; q < %d; q++) ", (int) parts);
      fb_cpu_append_accumulate (c, reduce->reduce_op, reduce->type, into, from);
      if (reduce->fold != 1)
        {
          fb_cpu_indent (c, indent);
          g_string_append_printf (c, "for (i64 q = 0; q < %d; q++) any%u |= nan%u[q];\n", (int) parts, number, number);
        }
      if (depends_on_order (reduce))
        append_again (source, loop, number, indent);
    }
}

/* Values and loops of a scope inside a root's, level by level. */
static void
append_scope (FbSource *source, guint number, guint indent)
{
  const FbScope *scope = fb_program_scope (source->program, number);
  for (guint level = 0; level < MAX (scope->n_levels, 1); level++)
    {
      for (guint i = 0; i < scope->insts->len; i++)
        {
          guint inst = g_array_index (scope->insts, guint, i);
          if (fb_program_inst (source->program, inst)->level == level)
            fb_cpu_append_inst (source, inst, indent);
        }
      for (guint i = 0; i < scope->loops->len; i++)
        {
          const FbLoop *loop = &g_array_index (scope->loops, FbLoop, i);
          if (loop->level == level)
            append_plain_loop (source, loop, indent);
        }
    }
}

/* Opens the loop over the tile's lanes. */
void
fb_cpu_open_lanes (FbSource *source, guint indent)
{
  fb_cpu_indent (source->c, indent);
  g_string_append (source->c, "for (i64 l = 0; l < n; l++)\n");
  fb_cpu_indent (source->c, indent);
  g_string_append (source->c, "{\n");
  if (source->tiling.lane >= 0)
    {
      fb_cpu_indent (source->c, indent + 1);
      g_string_append_printf (source->c, "const i64 i%d = b%d + l;\n", source->tiling.lane, source->tiling.lane);
    }
}

void
fb_cpu_close_block (FbSource *source, guint indent)
{
  fb_cpu_indent (source->c, indent);
  g_string_append (source->c, "}\n");
}

/* Opens a block for copy @copy of the second variable. */
void
fb_cpu_open_copy (FbSource *source, guint copy, guint indent)
{
  source->copy = copy;
  fb_cpu_indent (source->c, indent);
  g_string_append (source->c, "{\n");
  if (source->tiling.second >= 0)
    {
      fb_cpu_indent (source->c, indent + 1);
      g_string_append_printf (source->c, "const i64 i%d = b%d + %u;\n", source->tiling.second, source->tiling.second,
                              copy);
    }
}

/* A loop of the root with the lanes innermost, @copies of its body at a time. */
static void
append_lane_loop (FbSource *source, const FbLoop *loop, guint indent)
{
  GString *c = source->c;
  const FbProgram *program = source->program;
  guint last = (guint) fb_cpu_last_var (loop->vars), unroll = source->tiling.unroll;
  gint64 extent = source->extents[last];
  guint fit = MAX (MAX_COPIES / MAX (fb_cpu_loop_insts (program, loop) * unroll, 1), 1);
  guint copies = (guint) MIN (extent <= 8 ? MAX (extent, 1) : 4, fit);
  fb_cpu_open_lanes (source, indent);
  for (guint u = 0; u < unroll; u++)
    for (guint i = 0; i < loop->reduces->len; i++)
      {
        guint number = g_array_index (loop->reduces, guint, i);
        const FbInst *reduce = fb_program_inst (program, number);
        fb_cpu_indent (c, indent + 1);
        g_string_append_printf (c, "r%u[%u][l] = ", number, u);
        fb_cpu_append_identity (c, reduce->reduce_op, reduce->type);
        g_string_append_printf (c, "; // %u REDUCE_AXIS %s\n", number, fb_op_name (reduce->reduce_op));
        if (reduce->fold > 1)
          {
            fb_cpu_indent (c, indent + 1);
            g_string_append_printf (c, "m%u[%u][l] = r%u[%u][l];\n", number, u, number, u);
          }
      }
  fb_cpu_close_block (source, indent);
  for (guint v = 0; v < last; v++)
    if (loop->vars >> v & 1)
      append_for (c, "i", v, source->extents[v], indent);
  fb_cpu_indent (c, indent);
  g_string_append (c, "{\n");
  fb_cpu_indent (c, indent + 1);
  g_string_append (c, "i64 k = 0;\n");
  for (guint pass = 0; pass < 2; pass++)
    {
      guint n = pass == 0 ? copies : 1;
      if (pass == 1 && (copies == 1 || extent % copies == 0))
        break;
      fb_cpu_indent (c, indent + 1);
      g_string_append_printf (c, "for (; k + %u <= %" G_GINT64_FORMAT "l; k += %u)\n", n, extent, n);
      fb_cpu_open_lanes (source, indent + 1);
      for (guint copy = 0; copy < n; copy++)
        for (guint u = 0; u < unroll; u++)
          {
            g_autofree char *suffix = g_strdup_printf ("[%u][l]", u);
            fb_cpu_open_copy (source, u, indent + 2);
            fb_cpu_indent (c, indent + 3);
            g_string_append_printf (c, "const i64 i%u = k + %u;\n", last, copy);
            append_bodies (source, loop, "r", suffix, FALSE, indent + 3);
            fb_cpu_close_block (source, indent + 2);
          }
      fb_cpu_close_block (source, indent + 1);
    }
  fb_cpu_close_block (source, indent);
}

void
fb_cpu_append_root_loop (FbSource *source, const FbLoop *loop, guint indent)
{
  const FbProgram *program = source->program;
  int last = fb_cpu_last_var (loop->vars);
  if (!source->tiling.inner && last >= 0)
    {
      append_lane_loop (source, loop, indent);
      return;
    }
  fb_cpu_open_lanes (source, indent);
  if (last >= 0 && fb_cpu_loop_is_flat (program, loop) && source->extents[last] >= 32)
    append_parted_loop (source, loop, indent + 1);
  else
    append_plain_loop (source, loop, indent + 1);
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      fb_cpu_indent (source->c, indent + 1);
      g_string_append_printf (source->c, "r%u[0][l] = v%u;\n", number, number);
    }
  fb_cpu_close_block (source, indent);
}
