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
  gsize scratch;    /* bytes that each thread needs */
  guint multiplied; /* bits of FbScalarType: whose panels are multiplied */
  gboolean inside;  /* every access is valid here */
  gboolean alias;
  gboolean *uniform; /* of each instruction: the same over a tile, computed before its loops */
  gboolean *stored;  /* in an array over the tile, since another loop needs it */
  guint copy;        /* of .unroll */
} FbSource;

#define FB_PRODUCT_MAX_AXES FB_PROGRAM_MAX_VARS

/* Variables that are walked as one index, the last one fastest. */
typedef struct
{
  guint n, vars[FB_PRODUCT_MAX_AXES];
  gint64 total; /* points */
  gint64 block; /* of those, at a time */
} FbAxes;

/* Elements from one row or lane to the next, and from one point of the sum to the next. */
typedef struct
{
  gint64 step, sum_step;
} FbMatrix;

/* A sum of products in which each factor lacks variables of the result: a matrix product, a convolution and the gradients of
 * both. The factor that has .rows and not .lanes is read as one matrix, the other one, evaluated through its views and
 * masks, is copied to a panel of .sums times .lanes, once for all rows. A tile of rows and lanes then stays in registers
 * while the sum runs, in the order of its axes. */
typedef struct
{
  guint reduce;                /* instruction */
  guint row_value, lane_value; /* instructions: the factors */
  FbAxes rows, lanes, outer;   /* of the result; outer ones are in both factors or were left over */
  FbAxes sums;                 /* of the sum; .block: points of the variables from .split on */
  guint split;                 /* place in .sums.vars: blocks are so many of it, and all of those after it */
  gint64 chunk;
  gboolean rows_plain, lanes_plain; /* is the factor a matrix in a buffer? Rows are then read where they are */
  FbMatrix row_matrix, lane_matrix;
} FbProduct;

/* FALSE: root scope @source->root is none, or too small for it to pay. */
gboolean fb_cpu_find_product (const FbSource *source, FbProduct *product);
/* Appends function k@number_ROOT that computes a range of tiles; gives their number. */
gint64 fb_cpu_append_product (FbSource *source, const FbProduct *product, guint number);
/* Marks in @cone the instructions that @number needs, itself too, without what a REDUCE_AXIS needs. */
void fb_cpu_mark_cone (const FbProgram *program, guint number, gboolean *cone);
/* The fixed part of C that multiplies panels of @type. */
void fb_cpu_append_multiply (GString *c, guint type);

FbTiling fb_cpu_tiling (const FbSource *source, guint root);
/* Variables that an access really depends on. */
guint64 fb_cpu_index_vars (const FbIndex *index);
/* What the access does when variable @v steps by one: elements, or G_MININT64 when that is not linear. */
gint64 fb_cpu_step_of (const FbIndex *index, guint v);
/* The same of one of its expressions. */
gint64 fb_cpu_linear_step (const FbIndex *index, const FbLinear *linear, guint v);
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
/* Appends the statements that compute instruction @number: "float v3 = v1 + v2; // 3 ADD". */
void fb_cpu_append_inst (FbSource *source, guint number, guint indent);
/* Appends x = op (x, y) of a reduce. */
void fb_cpu_append_accumulate (GString *c, guint op, guint type, const char *into, const char *value);
/* The same of a reduce whose .fold is not 1, at the point where the loops of @loop are; @partial: what came of the points of a fold
 * so far, where it is not all of them. */
void fb_cpu_append_fold (FbSource *source, const FbLoop *loop, guint number, const char *into, const char *partial,
                         const char *value);
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
/* Appends the kernel's arguments as pointers. */
void fb_cpu_append_args (FbSource *source);
/* Opens the loop over a tile's lanes, and a block for copy @copy of the second variable. */
void fb_cpu_open_lanes (FbSource *source, guint indent);
void fb_cpu_open_copy (FbSource *source, guint copy, guint indent);
void fb_cpu_close_block (FbSource *source, guint indent);
