/* Which sums are products of matrices, and in which blocks they are computed. */
#include "cpu-private.h"

/* Rows and lanes of a block; its panels stay in a processor's second cache. */
#define MAX_ROWS 512
#define MAX_COPIED_ROWS 256
#define MAX_LANES 256
#define MAX_DEPTH 256
/* Blocks are made smaller, for threads, until there are so many. */
#define MIN_TILES 16
#define MIN_BLOCK 128

void
fb_cpu_mark_cone (const FbProgram *program, guint number, gboolean *cone)
{
  memset (cone, 0, program->insts->len * sizeof *cone);
  cone[number] = TRUE;
  for (guint i = number + 1; i-- > 0;)
    {
      const FbInst *inst = fb_program_inst (program, i);
      for (guint j = 0; cone[i] && inst->op != FB_OP_REDUCE_AXIS && j < inst->n_src; j++)
        cone[inst->src[j]] = TRUE;
    }
}

/* Variables the value of instruction @number depends on. FALSE: it needs a sum, or reads what the kernel writes. */
static gboolean
find_vars (const FbProgram *program, guint number, guint64 *vars)
{
  g_autofree gboolean *cone = g_new (gboolean, program->insts->len);
  fb_cpu_mark_cone (program, number, cone);
  *vars = 0;
  for (guint i = 0; i <= number; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      if (!cone[i])
        continue;
      if (inst->op == FB_OP_REDUCE_AXIS || (inst->op == FB_OP_LOAD && fb_program_arg (program, inst->arg)->written))
        return FALSE;
      if (inst->index != NULL)
        *vars |= fb_cpu_index_vars (inst->index) & ~(inst->op == FB_INST_COUNT ? inst->count_vars : 0);
    }
  return TRUE;
}

/* The one sum of the root, a sum of products. */
static const FbInst *
find_sum (const FbSource *source, guint *number)
{
  const FbProgram *program = source->program;
  const FbScope *scope = fb_program_scope (program, source->root);
  if (scope->loops->len != 1 || source->alias)
    return NULL;
  const FbLoop *loop = &g_array_index (scope->loops, FbLoop, 0);
  if (loop->reduces->len != 1)
    return NULL;
  *number = g_array_index (loop->reduces, guint, 0);
  const FbInst *reduce = fb_program_inst (program, *number), *product = fb_program_inst (program, reduce->src[0]);
  gboolean known = reduce->type == FB_SCALAR_FLOAT32 || reduce->type == FB_SCALAR_FLOAT64
                   || reduce->type == FB_SCALAR_INT32 || reduce->type == FB_SCALAR_UINT32;
  if (reduce->reduce_op != FB_OP_ADD || !known || product->op != FB_OP_MUL || product->scope != reduce->body
      || fb_program_scope (program, reduce->body)->loops->len > 0)
    return NULL;
  return reduce;
}

static void
add_axis (const FbSource *source, FbAxes *axes, guint v)
{
  axes->vars[axes->n++] = v;
  axes->total *= source->extents[v];
}

static gint64
store_step (const FbSource *source, guint v)
{
  gint64 step = fb_cpu_step_of (
      fb_program_inst (source->program, fb_program_scope (source->program, source->root)->owner)->index, v);
  return step == G_MININT64 ? G_MAXINT64 : ABS (step);
}

/* Variables of @vars, those with the longest steps of the store first. */
static void
set_axes (const FbSource *source, FbAxes *axes, guint64 vars)
{
  *axes = (FbAxes){ .total = 1 };
  for (guint v = 0; v < source->program->n_vars; v++)
    if ((vars >> v & 1) && source->extents[v] != 1)
      add_axis (source, axes, v);
  for (guint i = 1; i < axes->n; i++)
    for (guint j = i; j > 0 && store_step (source, axes->vars[j - 1]) < store_step (source, axes->vars[j]); j--)
      {
        guint swap = axes->vars[j];
        axes->vars[j] = axes->vars[j - 1];
        axes->vars[j - 1] = swap;
      }
}

/* Leaves as many of the last axes as make @enough points; the others become outer ones. */
static void
keep_inner (const FbSource *source, FbAxes *axes, gint64 enough, FbAxes *outer)
{
  guint first = axes->n;
  gint64 total = 1;
  while (first > 0 && total < enough)
    total *= source->extents[axes->vars[--first]];
  for (guint i = 0; i < first; i++)
    add_axis (source, outer, axes->vars[i]);
  memmove (axes->vars, axes->vars + first, (axes->n - first) * sizeof axes->vars[0]);
  axes->n -= first;
  axes->total = total;
}

static gint64
even_block (gint64 total, gint64 most, gint64 granule)
{
  gint64 blocks = (total + most - 1) / most, block = (total + blocks - 1) / blocks;
  return (block + granule - 1) / granule * granule;
}

static gint64
n_tiles (const FbProduct *product)
{
  return product->outer.total * ((product->rows.total + product->rows.block - 1) / product->rows.block)
         * ((product->lanes.total + product->lanes.block - 1) / product->lanes.block);
}

/* The step of one index over the last variables of @axes, from @first on, in a plain access. FALSE: they do not make one. */
static gboolean
find_step (const FbSource *source, const FbIndex *index, const FbAxes *axes, guint first, gint64 *step)
{
  gint64 below = 1;
  *step = axes->n > first ? fb_cpu_step_of (index, axes->vars[axes->n - 1]) : 0;
  for (guint i = axes->n; i-- > first; below *= source->extents[axes->vars[i]])
    {
      gint64 expected, is = fb_cpu_step_of (index, axes->vars[i]);
      if (is == G_MININT64 || __builtin_mul_overflow (*step, below, &expected) || expected != is)
        return FALSE;
    }
  return TRUE;
}

/* Is the factor @number a plain matrix of buffer elements: one step along @axes and one along the block of the sum? */
static gboolean
find_matrix (const FbSource *source, const FbProduct *product, guint number, const FbAxes *axes, FbMatrix *matrix)
{
  const FbInst *load = fb_program_inst (source->program, number);
  if (load->op != FB_OP_LOAD || load->index->conditions->len > 0 || load->index->never)
    return FALSE;
  for (guint i = 0; i < load->index->at.n_terms; i++)
    if (fb_index_atom (load->index, load->index->at.terms[i].atom)->kind != FB_ATOM_VAR)
      return FALSE;
  return find_step (source, load->index, axes, 0, &matrix->step)
         && find_step (source, load->index, &product->sums, product->split, &matrix->sum_step);
}

static void
set_blocks (const FbSource *source, FbProduct *product)
{
  FbAxes *sums = &product->sums;
  gint64 inner = 1, granule = 128 / fb_scalar_size (fb_program_inst (source->program, product->reduce)->type);
  product->split = sums->n - 1;
  while (product->split > 0 && inner * source->extents[sums->vars[product->split]] <= MAX_DEPTH / 2)
    inner *= source->extents[sums->vars[product->split--]];
  gint64 extent = source->extents[sums->vars[product->split]];
  product->chunk = even_block (extent, MAX (MAX_DEPTH / inner, 1), 1);
  sums->block = product->chunk * inner;
  product->rows_plain = find_matrix (source, product, product->row_value, &product->rows, &product->row_matrix);
  product->lanes_plain = find_matrix (source, product, product->lane_value, &product->lanes, &product->lane_matrix);
  gint64 most_rows = product->rows_plain ? MAX_ROWS : MAX_COPIED_ROWS, most_lanes = MAX_LANES;
  for (;;)
    {
      product->rows.block = even_block (product->rows.total, most_rows, 8);
      product->lanes.block = even_block (product->lanes.total, most_lanes, granule);
      if (n_tiles (product) >= MIN_TILES || (most_rows <= MIN_BLOCK && most_lanes <= MIN_BLOCK))
        return;
      if (product->rows.block >= product->lanes.block)
        most_rows = MAX (product->rows.block / 2, MIN_BLOCK);
      else
        most_lanes = MAX (product->lanes.block / 2, MIN_BLOCK);
      if (product->rows.total <= MIN_BLOCK)
        most_rows = MIN_BLOCK;
      if (product->lanes.total <= MIN_BLOCK)
        most_lanes = MIN_BLOCK;
    }
}

gboolean
fb_cpu_find_product (const FbSource *source, FbProduct *product)
{
  const FbProgram *program = source->program;
  guint64 all = fb_program_scope (program, source->root)->vars, a, b, lanes, rows;
  guint number;
  const FbInst *reduce = find_sum (source, &number);
  if (reduce == NULL)
    return FALSE;
  const FbInst *mul = fb_program_inst (program, reduce->src[0]);
  if (!find_vars (program, mul->src[0], &a) || !find_vars (program, mul->src[1], &b))
    return FALSE;
  *product = (FbProduct){ .reduce = number, .row_value = mul->src[0], .lane_value = mul->src[1] };
  rows = a & ~b & all;
  lanes = b & ~a & all;
  /* lanes step through memory as the store does */
  gint64 row_step = G_MAXINT64, lane_step = G_MAXINT64, n_rows = 1, n_lanes = 1;
  for (guint v = 0; v < MIN (program->n_vars, FB_PROGRAM_MAX_VARS); v++)
    {
      gint64 extent = source->extents[v];
      if (extent != 1 && (rows >> v & 1))
        {
          row_step = MIN (row_step, store_step (source, v));
          n_rows *= extent;
        }
      else if (extent != 1 && (lanes >> v & 1))
        {
          lane_step = MIN (lane_step, store_step (source, v));
          n_lanes *= extent;
        }
    }
  if (n_lanes < 16 ? n_rows > n_lanes : n_rows >= 16 && row_step < lane_step)
    {
      guint64 swap = rows;
      rows = lanes;
      lanes = swap;
      product->row_value = mul->src[1];
      product->lane_value = mul->src[0];
    }
  set_axes (source, &product->outer, all & ~(rows | lanes));
  set_axes (source, &product->rows, rows);
  set_axes (source, &product->lanes, lanes);
  product->sums = (FbAxes){ .total = 1 };
  for (guint v = 0; v < program->n_vars; v++)
    if ((fb_program_scope (program, reduce->body)->vars >> v & 1) && source->extents[v] != 1)
      add_axis (source, &product->sums, v);
  if (product->sums.n == 0 || product->sums.total < 8 || product->rows.total < 4 || product->lanes.total < 8
      || product->outer.total < 1 || product->rows.total * product->lanes.total < 64)
    return FALSE;
  keep_inner (source, &product->rows, 256, &product->outer);
  keep_inner (source, &product->lanes, MAX_LANES, &product->outer);
  set_blocks (source, product);
  return TRUE;
}
