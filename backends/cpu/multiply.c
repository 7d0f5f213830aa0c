/* The part of generated C that multiplies panels. */
#include "cpu-private.h"

/* TYPE stands for the type of the elements. The sum runs over k in order; a product and its sum are rounded once where the
 * processor does so. */
static const char text[]
    = "/* sums[row][lane] += rows[row][k] * lanes[k][lane] over k: a tile of rows by two vectors stays in registers "
      "*/\n"
      "typedef TYPE TYPE_v __attribute__ ((vector_size (VECTOR)));\n"
      "#define LANES ((long)(VECTOR / sizeof (TYPE)))\n"
      "FUSED INLINE void TYPE_tile (const long n, long depth, const TYPE *rows, long row_step, long step,\n"
      "                             const TYPE *lanes, TYPE *sums, long width, long first) {\n"
      "  TYPE_v x[TILE], y[TILE];\n"
      "  FUSE\n"
      "  UNROLL for (long r = 0; r < n; r++) {\n"
      "    x[r] = first ? (TYPE_v){ 0 } : *(TYPE_v *)(sums + r * width);\n"
      "    y[r] = first ? (TYPE_v){ 0 } : *(TYPE_v *)(sums + r * width + LANES);\n"
      "  }\n"
      "  for (long k = 0; k < depth; k++, rows += step, lanes += width) {\n"
      "    const TYPE_v p = *(const TYPE_v *)lanes, q = *(const TYPE_v *)(lanes + LANES);\n"
      "    UNROLL for (long r = 0; r < n; r++) {\n"
      "      const TYPE row = rows[r * row_step];\n"
      "      x[r] += row * p;\n"
      "      y[r] += row * q;\n"
      "    }\n"
      "  }\n"
      "  UNROLL for (long r = 0; r < n; r++) {\n"
      "    *(TYPE_v *)(sums + r * width) = x[r];\n"
      "    *(TYPE_v *)(sums + r * width + LANES) = y[r];\n"
      "  }\n"
      "}\n"
      "FUSED static void TYPE_multiply (long n_rows, long n_lanes, long depth, const TYPE *rows, long row_step,\n"
      "                                 long step, const TYPE *lanes, TYPE *sums, long width, long first) {\n"
      "  long r = 0;\n"
      "  for (; r + TILE <= n_rows; r += TILE)\n"
      "    for (long l = 0; l < n_lanes; l += 2 * LANES)\n"
      "      TYPE_tile (TILE, depth, rows + r * row_step, row_step, step, lanes + l, sums + r * width + l, width, "
      "first);\n"
      "  for (; r + 2 <= n_rows; r += 2)\n"
      "    for (long l = 0; l < n_lanes; l += 2 * LANES)\n"
      "      TYPE_tile (2, depth, rows + r * row_step, row_step, step, lanes + l, sums + r * width + l, width, "
      "first);\n"
      "  for (; r < n_rows; r++)\n"
      "    for (long l = 0; l < n_lanes; l += 2 * LANES)\n"
      "      TYPE_tile (1, depth, rows + r * row_step, row_step, step, lanes + l, sums + r * width + l, width, "
      "first);\n"
      "}\n"
      "#undef LANES\n\n";

void
fb_cpu_append_multiply (GString *c, guint type)
{
  g_auto (GStrv) parts = g_strsplit (text, "TYPE", -1);
  g_autofree char *typed = g_strjoinv (fb_cpu_type (type), parts);
  g_string_append (c, typed);
}
