/* Programs: what is refused and how it is said, indices, and what the interpreter makes of ops. */
#include <math.h>

#include "backends/run/kernel-row.h"
#include "backends/run/plan.h"

#include "kernel.h"

/* Runs @kernel over @n arguments of the given sizes. */
static void
run (FbContext *c, FbUop *kernel, guint n, const gint64 *sizes, void *const *args)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbProgram) program = program_of (c, kernel, &error, n, sizes);
  g_assert_no_error (error);
  g_assert_true (fb_interp_run (program, (guint8 *const *) args, 1, NULL, &error));
  g_assert_no_error (error);
}

static void
test_in_bounds (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  const FbDims *shape = DIMS (c, 4, 5);
  /* row i, column j of a buffer whose rows are 6 apart: the last is element 3*6+4 = 22 */
  const FbView *view = fb_view_create (c, shape, DIMS (c, 6, 1), fb_sint (0), NULL);
  FbUop *kernel = kernel_of (c, load_view (c, 1, FB_DTYPE (FLOAT32), 23, fb_st_from_view (c, view)), shape);
  g_autoptr (FbProgram) program = program_of (c, kernel, &error, 2, (gint64[]){ 20, 23 });
  g_assert_no_error (error);
  g_assert_cmpint (fb_program_arg (program, 1)->size, ==, 23);
  g_assert_null (program_of (c, kernel, &error, 2, (gint64[]){ 20, 22 }));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_BOUNDS);
  g_assert_nonnull (strstr (error->message, "LOAD"));
  g_assert_nonnull (strstr (error->message, "elements 0 to 22 of argument 1, which has 22"));
}

/* A mask keeps an access inside, whatever is outside the mask. */
static void
test_mask_bounds (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = DIMS (c, 6);
  const FbView *view = fb_view_create (c, shape, DIMS (c, 1), fb_sint (-2), DIMS (c, 2, 5));
  FbUop *kernel = kernel_of (c, load_view (c, 1, FB_DTYPE (INT32), 3, fb_st_from_view (c, view)), shape);
  gint32 in[3] = { 7, 8, 9 }, out[6];
  run (c, kernel, 2, (gint64[]){ 6, 3 }, (void *[]){ out, in });
  g_assert_cmpmem (out, sizeof out, ((gint32[]){ 0, 0, 7, 8, 9, 0 }), sizeof out);
}

static void
test_too_large (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  const FbDims *shape = DIMS (c, 1000000, 1000000000);
  FbUop *kernel = kernel_of (c, constant (c, FB_DTYPE (FLOAT32), fb_arg_float (1), shape), shape);
  g_assert_null (program_of (c, kernel, &error, 1, (gint64[]){ 1000000000000000 }));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE);
}

/* A kernel whose argument claims a terabyte: it is a fine kernel, and there is no memory for it. */
static void
test_terabyte (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  const FbDims *shape = DIMS (c, 2);
  const gint64 size = (gint64) 1 << 38;
  FbUop *kernel = kernel_of (c, load_view (c, 1, FB_DTYPE (FLOAT32), size, fb_st_from_shape (c, shape)), shape);
  g_autoptr (FbSchedule) schedule = fb_kernel_schedule_new (c, kernel, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fb_schedule_kernel (schedule, 0)->n_buffers, ==, 2);
  g_assert_null (fb_plan_new (schedule, fb_plan_default_limit (), &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE);
  g_assert_nonnull (strstr (error->message, "kernel 1: a buffer of 274877906944 elements"));
}

/* A captured kernel that lacks an argument, and one that is none. */
static void
test_kernel_row (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  const FbDims *shape = DIMS (c, 3);
  g_autoptr (FbSchedule) good
      = fb_kernel_schedule_new (c, kernel_of (c, load (c, 1, FB_DTYPE (INT32), shape), shape), &error);
  g_autoptr (FbPlan) plan = fb_plan_new (good, 1 << 20, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (plan->n_ordinals, ==, 2);
  g_assert_true (fb_plan_buffer (plan, 0)->starts_as_output && !fb_plan_buffer (plan, 1)->starts_as_output);
  g_assert_null (fb_kernel_schedule_new (c, kernel_of (c, load (c, 5, FB_DTYPE (INT32), shape), shape), &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED);
}

/* What a pass left undone is refused by name. */
static void
test_movement_op (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  const FbDims *shape = DIMS (c, 6);
  FbUop *x = load (c, 1, FB_DTYPE (INT32), shape);
  FbUop *moved = fb_movement (c, FB_OP_RESHAPE, x, DIMS (c, 2, 3));
  g_assert_null (program_of (c, kernel_of (c, moved, DIMS (c, 2, 3)), &error, 2, (gint64[]){ 6, 6 }));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "RESHAPE"));
}

static void
test_refused (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = DIMS (c, 2);
  FbUop *x = load (c, 1, FB_DTYPE (FLOAT32), shape), *pair[] = { x, x };
  FbUop *wrong = fb_uop_new (c, FB_OP_XOR, FB_DTYPE (FLOAT32), 2, pair, FB_ARG_NIL);
  FbUop *kernels[] = { kernel_of (c, wrong, shape), sink_of (c, x), x };
  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (program_of (c, kernels[i], &error, 2, (gint64[]){ 2, 2 }));
      g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED);
    }
}

/* A view of a view: 3x4 padded to 5x6, flattened and cut in 10 rows of 3. */
static void
test_two_views (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbView *views[] = {
    fb_view_create (c, DIMS (c, 5, 6), DIMS (c, 4, 1), fb_sint (-5), DIMS (c, 1, 4, 1, 5)),
    fb_view_create (c, DIMS (c, 10, 3), NULL, fb_sint (0), NULL),
  };
  FbUop *kernel = kernel_of (c, load_view (c, 1, FB_DTYPE (UINT8), 12, fb_st_new (c, 2, views)), DIMS (c, 10, 3));
  guint8 in[12], out[30];
  for (guint i = 0; i < 12; i++)
    in[i] = (guint8) (i + 1);
  run (c, kernel, 2, (gint64[]){ 30, 12 }, (void *[]){ out, in });
  for (guint y = 0; y < 5; y++)
    for (guint x = 0; x < 6; x++)
      g_assert_cmpuint (out[6 * y + x], ==, y >= 1 && y < 4 && x >= 1 && x < 5 ? 4 * (y - 1) + x : 0);
}

/* An arange is a sum over a triangular mask; it is counted, not visited. */
static void
test_arange (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  const gint64 n = 3000000;
  const FbView *views[] = {
    fb_view_create (c, DIMS (c, n + 1, 2 * n - 1), DIMS (c, 0, 0), fb_sint (0), DIMS (c, 0, n + 1, n - 1, 2 * n - 1)),
    fb_view_create (c, DIMS (c, n, n), DIMS (c, 1, 2 * n), fb_sint (0), NULL),
  };
  FbUop *view = fb_st_to_uop (c, fb_st_new (c, 2, views));
  FbUop *valid = fb_uop_new (c, FB_OP_VALID, FB_DTYPE (BOOL), 1, &view, FB_ARG_NIL);
  FbUop *src[] = { valid, constant (c, FB_DTYPE (INT32), fb_arg_int (1), DIMS (c, n, n)),
                   constant (c, FB_DTYPE (INT32), fb_arg_int (0), DIMS (c, n, n)) };
  FbUop *where = fb_uop_new (c, FB_OP_WHERE, FB_DTYPE (INT32), 3, src, FB_ARG_NIL);
  FbUop *kernel = kernel_of (c, reduce (c, FB_OP_ADD, where, DIMS (c, 1)), DIMS (c, n, 1));
  g_autofree gint32 *out = g_new (gint32, n);
  run (c, kernel, 1, &n, (void *[]){ out });
  for (gint64 i = 0; i < n; i += 12345)
    g_assert_cmpint (out[i], ==, i + 1);
}

/* x - max(x) over the rows, summed: one loop needs another's result. */
static void
test_nested_reduces (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = DIMS (c, 2, 3);
  FbUop *x = load (c, 1, FB_DTYPE (INT64), shape);
  FbUop *sum = reduce (c, FB_OP_ADD, x, DIMS (c, 1)), *product = reduce (c, FB_OP_MUL, x, DIMS (c, 1));
  FbUop *most = reduce (c, FB_OP_MAX, fb_alu2 (c, FB_OP_ADD, sum, product), DIMS (c, 0));
  gint64 in[6] = { 1, 2, 3, -4, 5, 6 }, out = 0;
  run (c, kernel_of (c, most, DIMS (c, 1, 1)), 2, (gint64[]){ 1, 6 }, (void *[]){ &out, in });
  g_assert_cmpint (out, ==, 12); /* 6 + 6, not 7 - 120 */
}

typedef struct
{
  FbOp op;
  FbScalarType type;
  double a, b, want;
} Case;

static void
test_ops (void)
{
  static const Case cases[] = {
    { FB_OP_ADD, FB_SCALAR_INT8, 127, 1, -128 },
    { FB_OP_ADD, FB_SCALAR_UINT8, 255, 2, 1 },
    { FB_OP_MUL, FB_SCALAR_INT16, 300, 300, 24464 },
    { FB_OP_ADD, FB_SCALAR_BOOL, 1, 1, 1 },
    { FB_OP_SUB, FB_SCALAR_UINT32, 0, 1, 4294967295.0 },
    { FB_OP_IDIV, FB_SCALAR_INT32, -7, 2, -3 },
    { FB_OP_IDIV, FB_SCALAR_INT32, 7, 0, 0 },
    { FB_OP_IDIV, FB_SCALAR_INT32, -2147483648.0, -1, -2147483648.0 },
    { FB_OP_MOD, FB_SCALAR_INT32, -7, 2, -1 },
    { FB_OP_MOD, FB_SCALAR_UINT8, 250, 7, 5 },
    { FB_OP_SHL, FB_SCALAR_UINT8, 129, 1, 2 },
    { FB_OP_SHR, FB_SCALAR_INT32, -8, 1, -4 },
    { FB_OP_MAX, FB_SCALAR_INT8, -1, 1, 1 },
    { FB_OP_XOR, FB_SCALAR_UINT16, 5, 3, 6 },
    { FB_OP_ADD, FB_SCALAR_FLOAT16, 2048, 1, 2048 },
    { FB_OP_MUL, FB_SCALAR_FLOAT16, 65504, 2, INFINITY },
    { FB_OP_ADD, FB_SCALAR_BFLOAT16, 256, 1, 256 },
    { FB_OP_ADD, FB_SCALAR_FLOAT32, 16777216, 1, 16777216 },
    { FB_OP_ADD, FB_SCALAR_FLOAT64, 16777216, 1, 16777217 },
    { FB_OP_MUL, FB_SCALAR_FLOAT32, -0.0, 1, -0.0 },
    { FB_OP_MAX, FB_SCALAR_FLOAT32, NAN, 1, NAN },
    { FB_OP_MAX, FB_SCALAR_FLOAT32, 1, NAN, 1 },
    { FB_OP_MAX, FB_SCALAR_FLOAT32, 0.0, -0.0, 0.0 },
    { FB_OP_FDIV, FB_SCALAR_FLOAT64, 1, 0, INFINITY },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *k = &cases[i];
      FbLane a, b, want, out;
      gboolean real = fb_scalar_is_float (k->type);
      if (real)
        a.f = k->a, b.f = k->b, want.f = k->want;
      else
        a.i = (gint64) k->a, b.i = (gint64) k->b, want.i = (gint64) k->want;
      fb_lanes_alu (k->op, k->type, k->type, 1, &out, &a, &b, NULL);
      if (real && isnan (want.f))
        g_assert_true (isnan (out.f));
      else
        g_assert_cmpint (out.i, ==, want.i); /* of floats the bits, which tell zeros apart */
    }
}

static void
test_casts (void)
{
  static const struct
  {
    FbScalarType from, to;
    double value, want;
  } cases[] = {
    { FB_SCALAR_FLOAT32, FB_SCALAR_INT32, -1.9, -1 },
    { FB_SCALAR_FLOAT32, FB_SCALAR_INT32, 3e9, -2147483648.0 },
    { FB_SCALAR_FLOAT32, FB_SCALAR_UINT8, 257, 1 },
    { FB_SCALAR_FLOAT32, FB_SCALAR_UINT32, 3e9, 3e9 },
    { FB_SCALAR_FLOAT64, FB_SCALAR_BOOL, 0.25, 1 },
    { FB_SCALAR_INT32, FB_SCALAR_UINT8, -1, 255 },
    { FB_SCALAR_INT32, FB_SCALAR_FLOAT32, 16777217, 16777216 },
    { FB_SCALAR_FLOAT32, FB_SCALAR_FLOAT16, 65520, INFINITY },
    { FB_SCALAR_FLOAT32, FB_SCALAR_FLOAT16, 0x1p-25, 0 },
    { FB_SCALAR_FLOAT32, FB_SCALAR_FLOAT16, 0x1.8p-25, 0x1p-24 },
    { FB_SCALAR_FLOAT32, FB_SCALAR_BFLOAT16, 1.00390625, 1 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FbLane a, out;
      if (fb_scalar_is_float (cases[i].from))
        a.f = cases[i].value;
      else
        a.i = (gint64) cases[i].value;
      fb_lanes_alu (FB_OP_CAST, cases[i].to, cases[i].from, 1, &out, &a, NULL, NULL);
      g_assert_cmpfloat (fb_scalar_is_float (cases[i].to) ? out.f : (double) out.i, ==, cases[i].want);
    }
}

/* Every half is what reading and writing it gives. */
static void
test_halves (void)
{
  for (guint bits = 0; bits < 65536; bits++)
    if ((bits & 0x7fff) <= 0x7c00)
      {
        g_assert_cmpuint (fb_float_to_half (fb_half_to_float ((guint16) bits)), ==, bits);
        if ((bits & 0x7fff) <= 0x7f80)
          g_assert_cmpuint (fb_float_to_bfloat (fb_bfloat_to_float ((guint16) bits)), ==, bits);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/program/in-bounds", test_in_bounds);
  g_test_add_func ("/backends/program/mask-bounds", test_mask_bounds);
  g_test_add_func ("/backends/program/too-large", test_too_large);
  g_test_add_func ("/backends/program/refused", test_refused);
  g_test_add_func ("/backends/program/terabyte", test_terabyte);
  g_test_add_func ("/backends/program/kernel-row", test_kernel_row);
  g_test_add_func ("/backends/program/movement-op", test_movement_op);
  g_test_add_func ("/backends/program/two-views", test_two_views);
  g_test_add_func ("/backends/program/arange-is-counted", test_arange);
  g_test_add_func ("/backends/program/nested-reduces", test_nested_reduces);
  g_test_add_func ("/backends/interp/ops", test_ops);
  g_test_add_func ("/backends/interp/casts", test_casts);
  g_test_add_func ("/backends/interp/halves", test_halves);
  return g_test_run ();
}
