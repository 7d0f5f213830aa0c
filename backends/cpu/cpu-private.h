/* What the files that write C share. */
#pragma once

#include "cpu.h"

/* How the loops of a root scope are cut: a tile is up to .lanes consecutive values of the lane variable and up to .unroll of
 * another one. Sums run with the lanes innermost, so that compilers make vectors of them and their order stays. */
typedef struct
{
  int lane, second; /* variables; -1 for none */
  gint64 lanes;
  guint unroll;
  gboolean inner; /* lanes are no use: each sum runs by itself, in parts */
} FbTiling;

typedef struct
{
  GString *c;
  const FbProgram *program;
  gint64 extents[FB_PROGRAM_MAX_VARS]; /* of each variable: merged ones run inside another, and have 1 */
  guint root;
  FbTiling tiling;
  gsize scratch; /* bytes that each thread needs */
  gboolean alias;
  gboolean *uniform; /* of each instruction: the same over a tile, computed before its loops */
  gboolean *stored;  /* in an array over the tile, since another loop needs it */
  guint copy;        /* of .unroll */
} FbSource;

FbTiling fb_cpu_tiling (const FbSource *source, guint root);
/* Variables that an access really depends on. */
guint64 fb_cpu_index_vars (const FbIndex *index);
/* What the access does when variable @v steps by one: elements, or G_MININT64 when that is not linear. */
gint64 fb_cpu_step_of (const FbIndex *index, guint v);
/* Sets .extents: two variables that every access takes as one, outer * extent + inner, become one longer loop. */
void fb_cpu_merge_vars (FbSource *source);
/* Has the loop nested loops, or none? */
gboolean fb_cpu_loop_is_flat (const FbProgram *program, const FbLoop *loop);
guint fb_cpu_loop_insts (const FbProgram *program, const FbLoop *loop);
int fb_cpu_last_var (guint64 vars);

/* "float", as values are held; "u16", as buffers hold them. */
const char *fb_cpu_type (guint type);
const char *fb_cpu_stored_type (guint type);
/* Appends how instruction @number's value is read here. */
void fb_cpu_append_value (FbSource *source, guint number);
/* Appends the statements that compute instruction @number: "const float v3 = v1 + v2; // 3 ADD". */
void fb_cpu_append_inst (FbSource *source, guint number, guint indent);
/* Appends x = op (x, y) of a reduce. */
void fb_cpu_append_accumulate (GString *c, guint op, guint type, const char *into, const char *value);
void fb_cpu_append_identity (GString *c, guint op, guint type);
void fb_cpu_append_const (GString *c, guint type, FbLane value);
void fb_cpu_indent (GString *c, guint indent);

/* Of the access of instruction @number: an expression; the divisions it needs, as variables; whether it is valid here, "1"
 * where it always is; of FB_INST_COUNT the count, as variable n@number. */
void fb_cpu_append_linear (GString *c, const FbIndex *index, const FbLinear *linear, guint number);
void fb_cpu_append_atoms (FbSource *source, guint number, guint indent);
void fb_cpu_append_conditions (FbSource *source, guint number);
void fb_cpu_append_count (FbSource *source, guint number, guint indent);

/* A loop of the root: its sums end in the arrays of their reduces. */
void fb_cpu_append_root_loop (FbSource *source, const FbLoop *loop, guint indent);
/* Opens the loop over a tile's lanes, and a block for copy @copy of the second variable. */
void fb_cpu_open_lanes (FbSource *source, guint indent);
void fb_cpu_open_copy (FbSource *source, guint copy, guint indent);
void fb_cpu_close_block (FbSource *source, guint indent);
