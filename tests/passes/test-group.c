/* Grouping: which node a reduce is stored as, and when it gets a kernel of its own. */
#include "cases.h"

/* sum over the second axis of (4,4) floats of buffer @number: shape (4,1) */
static FbUop *
row_sums (FbContext *c, gint64 number)
{
  return SUM (c, SHAPED (c, number, 4, 4), 1);
}

static void
test_elementwise_chain (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_alu1 (c, FB_OP_SQRT, fb_alu2 (c, FB_OP_ADD, row_sums (c, 0), SHAPED (c, 1, 4, 1)));

  assert_kernels (c, SINK (c, x), "0(4,1) = sqrt(add(sum[1](1(4,4)), 2(4,1)))");
}

static void
test_two_outputs (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sum = row_sums (c, 0);

  assert_kernels (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, sum), fb_alu1 (c, FB_OP_SIN, sum)),
                  "0(4,1) = sum[1](1(4,4))\n"
                  "0(4,1) = exp2(1(4,1))\n"
                  "0(4,1) = sin(1(4,1))");
}

/* The second output reads the first: the search ends at the first. */
static void
test_output_of_output (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *power = fb_alu1 (c, FB_OP_EXP2, row_sums (c, 0));

  assert_kernels (c, SINK (c, power, fb_alu1 (c, FB_OP_SIN, power)),
                  "0(4,1) = exp2(sum[1](1(4,4)))\n"
                  "0(4,1) = sin(1(4,1))");
}

/* The output already holds a reduce: the second is on its own, and is not chased. */
static void
test_two_reduces (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *second = fb_alu1 (c, FB_OP_SQRT, row_sums (c, 1));

  assert_kernels (c, SINK (c, fb_alu2 (c, FB_OP_ADD, row_sums (c, 0), second)),
                  "0(4,1) = sum[1](1(4,4))\n"
                  "0(4,1) = add(sum[1](1(4,4)), sqrt(2(4,1)))");
}

static void
test_reduce_of_reduce (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *power = fb_alu1 (c, FB_OP_EXP2, SUM (c, SHAPED (c, 0, 2, 3, 4), 2));

  /* chased down to exp2, the last before the second reduce */
  assert_kernels (c, SINK (c, reduce (c, FB_OP_MAX, power, DIMS (c, 1))),
                  "0(2,3,1) = exp2(sum[2](1(2,3,4)))\n"
                  "0(2,1,1) = max[1](1(2,3,1))");
}

static void
test_read_in_two_ways (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sum = SUM (c, SHAPED (c, 0, 4, 4, 2), 2);

  assert_kernels (c, SINK (c, fb_alu2 (c, FB_OP_ADD, sum, PERMUTE (c, sum, 1, 0, 2))),
                  "0(4,4,1) = sum[2](1(4,4,2))\n"
                  "0(4,4,1) = add(1(4,4,1), 1(4,4,1):1,4,0)");
}

static void
test_read_turned (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sum = SUM (c, SHAPED (c, 0, 4, 3, 2), 2);

  assert_kernels (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, PERMUTE (c, sum, 1, 0, 2))),
                  "0(4,3,1) = sum[2](1(4,3,2))\n"
                  "0(3,4,1) = exp2(1(3,4,1):1,3,0)");
}

/* Read in another shape of as many elements, it is still one kernel. */
static void
test_read_reshaped (void)
{
  g_autoptr (FbContext) c = fb_context_new ();

  assert_kernels (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, RESHAPE (c, row_sums (c, 0), 2, 2))),
                  "0(4,1) = exp2(sum[1](1(4,4)))");
}

static void
test_read_expanded (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *wide = EXPAND (c, row_sums (c, 0), 4, 3);

  fb_context_options (c)->dont_realize_expand = 1;
  assert_kernels (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, wide)),
                  "0(4,1) = sum[1](1(4,4))\n"
                  "0(4,3) = exp2(1(4,3):1,0)");
}

/* Realized on its own, the reduce takes along what is computed of it alone. */
static void
test_chase (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *root = fb_alu1 (c, FB_OP_SQRT, row_sums (c, 0)), *power = fb_alu1 (c, FB_OP_EXP2, root);
  FbUop *sine = fb_alu1 (c, FB_OP_SIN, root);
  g_autoptr (FbSchedule) schedule = schedule_of (c, SINK (c, power, sine));
  g_autofree char *text = kernels_text (schedule);

  g_assert_cmpstr (text, ==,
                   "0(4,1) = sqrt(sum[1](1(4,4)))\n"
                   "0(4,1) = exp2(1(4,1))\n"
                   "0(4,1) = sin(1(4,1))");
  g_assert_cmpuint (schedule->realizes->len, ==, 3);
  g_assert_true (g_ptr_array_index (schedule->realizes, 2) == schedule->tensor_map[root->id]);
}

static FbUop *
half_sums (FbContext *c)
{
  FbUop *b = fb_movement (c, FB_OP_RESHAPE, buffer_on (c, "CPU", 0, 16, FB_DTYPE (FLOAT16)), DIMS (c, 4, 4));
  return SUM (c, b, 1);
}

/* A cast to a wider type is done after the store, one to a narrower type before. */
static void
test_chase_cast (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *wide = fb_cast (c, half_sums (c), FB_DTYPE (FLOAT32));
  FbUop *narrow = fb_cast (c, row_sums (c, 1), FB_DTYPE (FLOAT16));

  assert_kernels (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, wide), fb_alu1 (c, FB_OP_SIN, wide)),
                  "0(4,1) = sum[1](1(4,4))\n"
                  "0(4,1) = exp2(cast[float](1(4,1)))\n"
                  "0(4,1) = sin(cast[float](1(4,1)))");
  assert_kernels (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, narrow), fb_alu1 (c, FB_OP_SIN, narrow)),
                  "0(4,1) = cast[half](sum[1](1(4,4)))\n"
                  "0(4,1) = exp2(1(4,1))\n"
                  "0(4,1) = sin(1(4,1))");
}

/* The chase ends at a user that reads another number of elements. */
static void
test_chase_ends (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *root = fb_alu1 (c, FB_OP_SQRT, row_sums (c, 0)), *part = SHRINK (c, root, 1, 3, 0, 1);

  assert_kernels (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, part)),
                  "0(4,1) = sqrt(sum[1](1(4,4)))\n"
                  "0(2,1) = exp2(1(2,1):1,0+1)");
}

static void
test_double_reduce (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *inner = SUM (c, SHAPED (c, 0, 2, 3, 4), 2), *sink = SINK (c, SUM (c, RESHAPE (c, inner, 2, 3), 1));

  assert_kernels (c, sink,
                  "0(2,3,1) = sum[2](1(2,3,4))\n"
                  "0(2,1) = sum[1](1(2,3))");
  fb_context_options (c)->fuse_conv_bw = 1;
  assert_kernels (c, sink, "0(2,1,1) = sum[1,2](1(2,3,4))");
  /* not through a plain source, which has no view to take away */
  assert_kernels (c, SINK (c, SUM (c, inner, 1)),
                  "0(2,3,1) = sum[2](1(2,3,4))\n"
                  "0(2,1,1) = sum[1](1(2,3,1))");
  /* nor when somebody else reads it */
  assert_kernels (c, SINK (c, SUM (c, RESHAPE (c, inner, 2, 3), 1), fb_alu1 (c, FB_OP_SIN, inner)),
                  "0(2,3,1) = sum[2](1(2,3,4))\n"
                  "0(2,1) = sum[1](1(2,3))\n"
                  "0(2,3,1) = sin(1(2,3,1))");
}

/* 0, 1, 2 ... as a sum over a triangle of ones: shape (@n,1) */
static FbUop *
counted (FbContext *c, gint64 n)
{
  FbUop *one = const_of_shape (c, 1, DIMS (c, 1, n));

  one = fb_movement (c, FB_OP_PAD, one, DIMS (c, 0, 0, n - 1, 0));
  one = fb_movement (c, FB_OP_EXPAND, one, DIMS (c, n, 2 * n - 1));
  one = fb_movement (c, FB_OP_RESHAPE, one, DIMS (c, n * (2 * n - 1)));
  one = fb_movement (c, FB_OP_SHRINK, one, DIMS (c, 0, n * (2 * n - 2)));
  one = fb_movement (c, FB_OP_RESHAPE, one, DIMS (c, n, 2 * n - 2));
  one = fb_movement (c, FB_OP_SHRINK, one, DIMS (c, 0, n, 0, n));
  return SUM (c, one, 1);
}

static void
test_fuse_arange (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *n = counted (c, 3), *b = SHAPED (c, 0, 3, 1);
  FbUop *sink = SINK (c, fb_alu2 (c, FB_OP_ADD, n, b), fb_alu2 (c, FB_OP_MUL, n, b));
  g_autoptr (GString) one = g_string_new ("sum[1](where(valid(3,5):0,0&0:3,2:5>(3,3):4,1, 1.0, 0.0))");
  g_autofree char *fused = g_strdup_printf ("0(3,1) = add(%s, 1(3,1))\n0(3,1) = mul(%s, 1(3,1))", one->str, one->str);
  g_autofree char *apart = g_strdup_printf ("0(3,1) = %s\n"
                                            "0(3,1) = add(1(3,1), 2(3,1))\n"
                                            "0(3,1) = mul(1(3,1), 2(3,1))",
                                            one->str);

  assert_kernels (c, sink, apart);
  fb_context_options (c)->fuse_arange = 1;
  assert_kernels (c, sink, fused);
}

/* What nothing reads is stored, also with the option. */
static void
test_fuse_arange_output (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *n = counted (c, 3);

  fb_context_options (c)->fuse_arange = 1;
  assert_kernels (c, SINK (c, n), "0(3,1) = sum[1](where(valid(3,5):0,0&0:3,2:5>(3,3):4,1, 1.0, 0.0))");
  assert_kernels (c, SINK (c, fb_alu2 (c, FB_OP_ADD, n, SHAPED (c, 0, 3, 1))),
                  "0(3,1) = add(sum[1](where(valid(3,5):0,0&0:3,2:5>(3,3):4,1, 1.0, 0.0)), 1(3,1))");
}

/* Taken away twice: by being counted, and by being a double reduce. */
static void
test_fused_twice (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *n = counted (c, 4), *sink = SINK (c, SUM (c, RESHAPE (c, n, 2, 2), 1));

  fb_context_options (c)->fuse_arange = fb_context_options (c)->fuse_conv_bw = 1;
  assert_fails (c, sink, FB_ERROR_UNSUPPORTED, NULL);
}

static void
test_assign (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *target = SHAPED (c, 0, 4, 1), *sum = row_sums (c, 1);

  /* its own old value may be read */
  assert_kernels (c, SINK (c, assign_to (c, target, fb_alu2 (c, FB_OP_ADD, sum, target))),
                  "0(4,1) = add(sum[1](1(4,4)), 0(4,1))");
}

/* The reduce reads a buffer that is assigned to elsewhere: it is on its own, and not chased. */
static void
test_other_assign (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *other = SHAPED (c, 1, 4, 4), *root = fb_alu1 (c, FB_OP_SQRT, SUM (c, other, 1));
  FbUop *second = assign_to (c, other, fb_alu1 (c, FB_OP_SIN, SHAPED (c, 2, 4, 4)));

  assert_kernels (c, SINK (c, assign_to (c, SHAPED (c, 0, 4, 1), root), second),
                  "0(4,1) = sum[1](1(4,4))\n"
                  "0(4,4) = sin(1(4,4))\n"
                  "0(4,1) = sqrt(1(4,1))");
}

/* The reduce reads the very buffer that its kernel is assigned to. */
static void
test_own_target (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *target = SHAPED (c, 0, 4, 1), *x = fb_alu2 (c, FB_OP_MUL, EXPAND (c, target, 4, 4), SHAPED (c, 1, 4, 4));

  assert_kernels (c, SINK (c, assign_to (c, target, SUM (c, x, 1))), "0(4,1) = sum[1](mul(0(4,4):1,0, 1(4,4)))");
}

/* Only what the reduce itself reads counts. */
static void
test_other_assign_beside (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *other = SHAPED (c, 2, 4, 1), *x = fb_alu2 (c, FB_OP_ADD, row_sums (c, 1), other);
  FbUop *second = assign_to (c, other, fb_alu1 (c, FB_OP_SIN, SHAPED (c, 3, 4, 1)));

  assert_kernels (c, SINK (c, second, assign_to (c, SHAPED (c, 0, 4, 1), x)),
                  "0(4,1) = add(sum[1](1(4,4)), 2(4,1))\n"
                  "0(4,1) = sin(1(4,1))");
}

void
add_group_tests (void)
{
  g_test_add_func ("/passes/group/elementwise-chain", test_elementwise_chain);
  g_test_add_func ("/passes/group/two-outputs", test_two_outputs);
  g_test_add_func ("/passes/group/output-of-output", test_output_of_output);
  g_test_add_func ("/passes/group/two-reduces", test_two_reduces);
  g_test_add_func ("/passes/group/reduce-of-reduce", test_reduce_of_reduce);
  g_test_add_func ("/passes/group/read-in-two-ways", test_read_in_two_ways);
  g_test_add_func ("/passes/group/read-turned", test_read_turned);
  g_test_add_func ("/passes/group/read-reshaped", test_read_reshaped);
  g_test_add_func ("/passes/group/read-expanded", test_read_expanded);
  g_test_add_func ("/passes/group/chase", test_chase);
  g_test_add_func ("/passes/group/chase-cast", test_chase_cast);
  g_test_add_func ("/passes/group/chase-ends", test_chase_ends);
  g_test_add_func ("/passes/group/double-reduce", test_double_reduce);
  g_test_add_func ("/passes/group/fuse-arange", test_fuse_arange);
  g_test_add_func ("/passes/group/fuse-arange-output", test_fuse_arange_output);
  g_test_add_func ("/passes/group/fused-twice", test_fused_twice);
  g_test_add_func ("/passes/group/assign", test_assign);
  g_test_add_func ("/passes/group/other-assign", test_other_assign);
  g_test_add_func ("/passes/group/own-target", test_own_target);
  g_test_add_func ("/passes/group/other-assign-beside", test_other_assign_beside);
}
