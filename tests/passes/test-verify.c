/* The kernel graph holds only what it may: each kind of node, right and wrong. */
#include "cases.h"

static FbUop *
bare (FbContext *c, FbOp op, const FbDType *dtype, FbArg arg)
{
  return fb_uop_new (c, op, dtype, 0, NULL, arg);
}

static FbUop *
kernel_over (FbContext *c, FbUop *ast, FbUop *source)
{
  return NODE (c, KERNEL, FB_DTYPE (VOID), fb_arg_new_kernel (c, ast, fb_arg_new_tuple (c, 0, NULL)), source);
}

/* The first node that does not fit is named; NULL for all fit. */
static void
check (FbContext *c, FbUop *node, const FbUop *wrong)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (fb_verify_kernel_graph (c, sink_of (c, node)), ==, wrong == NULL);
  g_assert_cmpint (fb_context_failed (c), ==, wrong != NULL);
  if (!wrong)
    return;
  g_assert_true (fb_context_error_uop (c) == wrong);
  fb_context_take_error (c, &error);
  g_assert_error (error, FB_ERROR, FB_ERROR_VERIFY);
  g_assert_nonnull (strstr (error->message, fb_op_name (wrong->op)));
}

static void
test_right (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *sine = fb_alu1 (c, FB_OP_SIN, b), *view = fb_view (c, b, SHAPE (c, 2, 2));
  FbUop *kernel = kernel_over (c, sine, b), *assign = assign_to (c, view, kernel);

  check (c, assign, NULL);
  check (c, kernel_over (c, sine, assign), NULL);
  check (c, NODE (c, ASSIGN, FB_DTYPE (FLOAT32), FB_ARG_NIL, b, kernel, assign), NULL);
  check (c, const_of_shape (c, 1, NO_DIMS (c)), NULL);
  check (c, bare (c, FB_OP_VIEW, FB_DTYPE (VOID), fb_arg_st (SHAPE (c, 2, 2))), NULL);
}

static void
test_wrong (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *sine = fb_alu1 (c, FB_OP_SIN, b), *view = fb_view (c, b, SHAPE (c, 2, 2)), *wrong;

  check (c, sine, sine);
  wrong = bare (c, FB_OP_UNIQUE, FB_DTYPE (INT32), fb_arg_int (1));
  check (c, wrong, wrong);
  wrong = bare (c, FB_OP_DEVICE, FB_DTYPE (FLOAT32), fb_arg_str (c, "CPU", -1));
  check (c, wrong, wrong);
  wrong = bare (c, FB_OP_DEVICE, FB_DTYPE (VOID), fb_arg_int (1));
  check (c, wrong, wrong);
  wrong = NODE (c, BUFFER, FB_DTYPE (FLOAT32), fb_arg_int (4), device (c, "CPU"));
  check (c, wrong, wrong);
  wrong = NODE (c, BUFFER, FB_DTYPE (FLOAT32), fb_arg_int (4), b->src[1], b->src[0]);
  check (c, wrong, wrong);
  wrong = fb_uop_new (c, FB_OP_BUFFER, FB_DTYPE (FLOAT32), 2, b->src, fb_arg_bool (TRUE));
  check (c, wrong, wrong);
  wrong = kernel_over (c, sine, view);
  check (c, wrong, wrong);
  wrong = NODE (c, ASSIGN, FB_DTYPE (FLOAT32), FB_ARG_NIL, b, const_of_shape (c, 1, NO_DIMS (c)));
  check (c, wrong, wrong);
  wrong = NODE (c, VIEW, FB_DTYPE (INT32), fb_arg_st (SHAPE (c, 2, 2)), b);
  check (c, wrong, wrong);
}

/* A constant is of its dtype's type: float, int or bool, not one that is equal to it. */
static void
test_constants (void)
{
  static const struct
  {
    FbScalarType dtype;
    FbArg arg;
    gboolean fits;
  } rows[] = {
    { FB_SCALAR_FLOAT32, { .kind = FB_ARG_FLOAT, .f = 1 }, TRUE },
    { FB_SCALAR_FLOAT32, fb_arg_int (1), FALSE },
    { FB_SCALAR_FLOAT32, fb_arg_bool (1), FALSE },
    { FB_SCALAR_INT32, fb_arg_int (1), TRUE },
    { FB_SCALAR_INT32, { .kind = FB_ARG_FLOAT, .f = 1 }, FALSE },
    { FB_SCALAR_INT32, fb_arg_bool (1), FALSE },
    { FB_SCALAR_BOOL, fb_arg_bool (1), TRUE },
    { FB_SCALAR_BOOL, fb_arg_int (1), FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      FbUop *x = bare (c, FB_OP_CONST, &fb_dtype_scalars[rows[i].dtype], rows[i].arg);

      check (c, x, rows[i].fits ? NULL : x);
    }
}

/* From a graph: the inner of two fused sums is also an output, so that it remains among the kernels. */
static void
test_fused_output (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *inner = SUM (c, SHAPED (c, 0, 2, 3, 4), 2), *sink = SINK (c, inner, SUM (c, RESHAPE (c, inner, 2, 3), 1));
  g_autoptr (FbSchedule) schedule = NULL;

  fb_context_options (c)->fuse_conv_bw = 1;
  schedule = schedule_of (c, sink);
  g_assert_error (schedule->error, FB_ERROR, FB_ERROR_VERIFY);
  g_assert_cmpint (schedule->error_uop->op, ==, FB_OP_REDUCE_AXIS);
  /* the passes that ran are there to be looked at */
  g_assert_cmpuint (schedule->passes->len, ==, 3);
  g_assert_cmpuint (schedule->kernels->len, ==, 0);
}

void
add_verify_tests (void)
{
  g_test_add_func ("/passes/verify/right", test_right);
  g_test_add_func ("/passes/verify/wrong", test_wrong);
  g_test_add_func ("/passes/verify/constants", test_constants);
  g_test_add_func ("/passes/verify/fused-output", test_fused_output);
}
