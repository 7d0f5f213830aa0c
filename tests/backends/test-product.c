/* Sums of products on the CPU backend: blocks, edges, borders and types against the interpreter. Elements are small integers,
 * also as floats, so that sums are exact and every bit must agree. */
#include <string.h>

#include "backends/run/run.h"

#include "case.h"
#include "kernel.h"

/* @kernel writes argument 0 from 1 and 2, all of @type; as a product when it @is_product. */
static void
check (FbContext *c, FbUop *kernel, guint type, const gint64 *sizes, gboolean is_product)
{
  g_autoptr (GError) error = NULL;
  FbProgram *program = program_of (c, kernel, &error, 3, sizes);
  g_assert_no_error (error);
  g_autoptr (FbPlan) plan = plan_of (program, type, 3, sizes);
  g_autofree char *source = fb_cpu_source (plan), *compiler = fb_cpu_find_compiler (NULL);
  g_assert_cmpint (strstr (source, "_multiply (n_rows") != NULL, ==, is_product);
  if (compiler == NULL)
    {
      g_test_skip ("no C compiler");
      return;
    }
  g_autofree char *cache = cache_folder ();
  FbMemory memory[2];
  for (guint i = 0; i < 2; i++)
    {
      const FbRunOptions options
          = { .backend = i == 0 ? FB_BACKEND_INTERP : FB_BACKEND_CPU, .cache = cache, .threads = 2 };
      g_assert_true (fb_memory_init (&memory[i], plan->memory, &error));
      fill_small (type, sizes[1], fb_plan_data (plan, memory[i].data, 1));
      fill_small (type, sizes[2], fb_plan_data (plan, memory[i].data, 2));
      fb_run (plan, &memory[i], &options, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpmem (memory[0].data, plan->memory, memory[1].data, plan->memory);
  fb_memory_clear (&memory[0]);
  fb_memory_clear (&memory[1]);
  remove_folder (cache);
}

typedef struct
{
  gint64 rows, lanes, sum;
  gboolean rows_turned, lanes_turned; /* the matrix lies the other way in its buffer */
} Size;

static void
check_matrices (const FbDType *dtype, const Size *size)
{
  g_autoptr (FbContext) c = fb_context_new ();
  gint64 m = size->rows, n = size->lanes, k = size->sum;
  const FbDims *shape = DIMS (c, m, n, k);
  const FbDims *row_steps = size->rows_turned ? DIMS (c, 1, 0, m) : DIMS (c, k, 0, 1);
  const FbDims *lane_steps = size->lanes_turned ? DIMS (c, 0, k, 1) : DIMS (c, 0, 1, n);
  FbUop *factors[] = { load_view (c, 1, dtype, m * k, strided (c, shape, row_steps)),
                       load_view (c, 2, dtype, k * n, strided (c, shape, lane_steps)) };
  FbUop *sum = reduce (c, FB_OP_ADD, fb_uop_new (c, FB_OP_MUL, dtype, 2, factors, FB_ARG_NIL), DIMS (c, 2));
  check (c, kernel_of (c, sum, DIMS (c, m, n, 1)), dtype->type, (gint64[]){ m * n, m * k, k * n }, TRUE);
}

/* Fewer and more than a tile, a block and a part of the sum, and what is left of each. */
static void
test_sizes (void)
{
  static const Size sizes[]
      = { { 4, 16, 8 }, { 13, 37, 300, TRUE, TRUE }, { 100, 530, 19, FALSE, TRUE }, { 600, 33, 70 } };
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    check_matrices (FB_DTYPE (FLOAT32), &sizes[i]);
}

static void
test_types (void)
{
  static const Size size = { 21, 45, 530, TRUE, FALSE };
  check_matrices (FB_DTYPE (FLOAT64), &size);
  check_matrices (FB_DTYPE (INT32), &size);
  check_matrices (FB_DTYPE (UINT32), &size);
}

/* 3x3, padded by one, steps of @step: images of 2 x 5 channels to 6. */
static void
check_convolution (gint64 step)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDType *dtype = FB_DTYPE (FLOAT32);
  gint64 size = 7, out = (size - 1) / step + 1, padded = size + 2, in = 5 * size * size;
  const FbDims *kernel_shape = DIMS (c, 2, 6, out, out, 5, 3, 3);
  const FbView *views[] = {
    fb_view_create (c, DIMS (c, 2, 5, padded, padded), DIMS (c, in, size * size, size, 1), fb_sint (-size - 1),
                    DIMS (c, 0, 2, 0, 5, 1, size + 1, 1, size + 1)),
    fb_view_create (c, kernel_shape, DIMS (c, 5 * padded * padded, 0, step * padded, step, padded * padded, padded, 1),
                    fb_sint (0), NULL),
  };
  FbUop *factors[] = { load_view (c, 1, dtype, 2 * in, fb_st_new (c, 2, views)),
                       load_view (c, 2, dtype, 270, strided (c, kernel_shape, DIMS (c, 0, 45, 0, 0, 9, 3, 1))) };
  FbUop *sum = reduce (c, FB_OP_ADD, fb_uop_new (c, FB_OP_MUL, dtype, 2, factors, FB_ARG_NIL), DIMS (c, 4, 5, 6));
  const FbDims *result = DIMS (c, 2, 6, out, out, 1, 1, 1);
  check (c, kernel_of (c, sum, result), dtype->type, (gint64[]){ 12 * out * out, 2 * in, 270 }, TRUE);
}

/* 3x3 turned round over an image that is spread to every second row and padded: an index of the last lane goes through a remainder. */
static void
check_transposed (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDType *dtype = FB_DTYPE (FLOAT32);
  const FbDims *shape = DIMS (c, 2, 1, 4, 9, 7, 4, 3, 3);
  const FbView *views[] = {
    fb_view_create (c, DIMS (c, 2, 4, 4, 2, 5, 1), DIMS (c, 80, 20, 5, 0, 1, 0), fb_sint (0),
                    DIMS (c, 0, 2, 0, 4, 0, 4, 0, 1, 0, 5, 0, 1)),
    fb_view_create (c, DIMS (c, 1, 2, 1, 4, 4, 11, 4, 9), DIMS (c, 0, 160, 0, 40, 0, 5, 0, 1), fb_sint (-12),
                    DIMS (c, 0, 1, 0, 2, 0, 1, 0, 4, 0, 4, 2, 9, 0, 4, 2, 7)),
    fb_view_create (c, shape, DIMS (c, 6336, 0, 0, 36, 1, 1584, 432, 10), fb_sint (0), NULL),
  };
  const FbView *weights = fb_view_create (c, shape, DIMS (c, 0, 0, 9, 0, 0, 36, -3, -1), fb_sint (8), NULL);
  FbUop *factors[] = { load_view (c, 1, dtype, 160, fb_st_new (c, 3, views)),
                       load_view (c, 2, dtype, 144, fb_st_from_view (c, weights)) };
  FbUop *sum = reduce (c, FB_OP_ADD, fb_uop_new (c, FB_OP_MUL, dtype, 2, factors, FB_ARG_NIL), DIMS (c, 5, 6, 7));
  check (c, kernel_of (c, sum, DIMS (c, 2, 1, 4, 9, 7, 1, 1, 1)), dtype->type, (gint64[]){ 504, 160, 144 }, TRUE);
}

static void
test_borders (void)
{
  check_convolution (1);
  check_convolution (2);
  check_transposed ();
}

/* A factor that is computed: of each element the larger of it and 0; and what becomes of the sum. */
static void
test_computed (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDType *dtype = FB_DTYPE (FLOAT32);
  const FbDims *shape = DIMS (c, 40, 50, 60), *result = DIMS (c, 40, 50, 1);
  FbUop *of[] = { load_view (c, 2, dtype, 3000, strided (c, shape, DIMS (c, 0, 1, 50))),
                  constant (c, dtype, fb_arg_float (0), shape) };
  FbUop *factors[] = { load_view (c, 1, dtype, 2400, strided (c, shape, DIMS (c, 60, 0, 1))),
                       fb_uop_new (c, FB_OP_MAX, dtype, 2, of, FB_ARG_NIL) };
  FbUop *sum = reduce (c, FB_OP_ADD, fb_uop_new (c, FB_OP_MUL, dtype, 2, factors, FB_ARG_NIL), DIMS (c, 2));
  FbUop *more[] = { sum, load_view (c, 1, dtype, 2400, strided (c, result, DIMS (c, 1, 0, 0))) };
  FbUop *value = fb_uop_new (c, FB_OP_ADD, dtype, 2, more, FB_ARG_NIL);
  check (c, kernel_of (c, value, result), dtype->type, (gint64[]){ 2000, 2400, 3000 }, TRUE);
}

/* A sum of products that is none of matrices: both factors have all variables. */
static void
test_no_matrices (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDType *dtype = FB_DTYPE (FLOAT32);
  const FbDims *shape = DIMS (c, 40, 50, 60);
  FbUop *factors[]
      = { load (c, 1, dtype, shape), load_view (c, 2, dtype, 120000, strided (c, shape, DIMS (c, 1, 40, 2000))) };
  FbUop *sum = reduce (c, FB_OP_ADD, fb_uop_new (c, FB_OP_MUL, dtype, 2, factors, FB_ARG_NIL), DIMS (c, 2));
  check (c, kernel_of (c, sum, DIMS (c, 40, 50, 1)), dtype->type, (gint64[]){ 2000, 120000, 120000 }, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/cpu/product/sizes", test_sizes);
  g_test_add_func ("/backends/cpu/product/types", test_types);
  g_test_add_func ("/backends/cpu/product/borders", test_borders);
  g_test_add_func ("/backends/cpu/product/computed", test_computed);
  g_test_add_func ("/backends/cpu/product/no-matrices", test_no_matrices);
  return g_test_run ();
}
