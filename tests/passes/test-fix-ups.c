/* Per kernel: what a kernel may not contain is taken out, and what it must not do is refused. */
#include "cases.h"

static void
assert_fixed (FbContext *c, FbUop *x, const char *rules, FbUop *expected)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (FbVarVal));
  g_autofree char *fired = NULL, *got = NULL, *want = fb_uop_to_text (c, expected);
  FbUop *result = rewrite_by (c, x, fb_fix_ups_pass_rules (), values, FALSE, &fired);

  got = fb_uop_to_text (c, result);
  g_assert_cmpstr (got, ==, want);
  g_assert_true (result == expected);
  g_assert_cmpstr (fired, ==, rules);
}

static void
test_simplify_view (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbView *views[] = { SHAPE (c, 3, 4)->views[0], SHAPE (c, 12)->views[0] };

  assert_fixed (c, load (c, 1, 12, fb_st_new (c, 2, views)), "simplify-view", load (c, 1, 12, SHAPE (c, 12)));
}

/* A bound variable in a view becomes the variable, and its value is noted. */
static void
test_unbind_view (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (FbVarVal));
  FbUop *bind = bound (c, "i", 3), *result;
  FbSint shape[] = { fb_sint_uop (bind), fb_sint (4) };
  const FbShapeTracker *st = fb_st_from_shape (c, fb_dims_new (c, 2, shape));
  g_autofree char *fired = NULL;

  result = rewrite_by (c, load (c, 1, 40, st), fb_fix_ups_pass_rules (), values, FALSE, &fired);
  shape[0] = fb_sint_uop (bind->src[0]);
  g_assert_true (result == load (c, 1, 40, fb_st_from_shape (c, fb_dims_new (c, 2, shape))));
  g_assert_cmpstr (fired, ==, "simplify-view");
  g_assert_cmpuint (values->len, ==, 1);
  g_assert_true (g_array_index (values, FbVarVal, 0).var == bind->src[0]);
  g_assert_cmpint (g_array_index (values, FbVarVal, 0).value.i, ==, 3);
}

static void
test_dropped (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = load (c, 1, 4, SHAPE (c, 4)), *view = device (c, "CPU"), *one, *bare;
  const FbShapeTracker *st = fb_st_expand (c, SHAPE (c, 1), DIMS (c, 4));

  assert_fixed (c, op1 (c, FB_OP_CONTIGUOUS, x), "drop-contiguous", x);
  assert_fixed (c, assign_to (c, load (c, 0, 4, SHAPE (c, 4)), x), "drop-assign", x);
  view = NODE (c, VIEW, FB_DTYPE (VOID), fb_arg_st (st), view);
  bare = fb_st_to_uop (c, st);
  one = NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (1), view);
  assert_fixed (c, one, "drop-device", fb_replace_src (c, one, 1, &bare));
}

/* Only what a kernel is given may be an image. */
static void
test_image (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDType *image = fb_dtype_image (c, FALSE, 3, (const gint64[]){ 2, 4, 4 });
  FbUop *global = fb_uop_new (c, FB_OP_DEFINE_GLOBAL, image, 0, NULL, fb_arg_int (1));
  FbUop *x = NODE (c, LOAD, image, FB_ARG_NIL, global, fb_st_to_uop (c, SHAPE (c, 32)));
  FbUop *expected = fb_replace_dtype (c, x, FB_DTYPE (FLOAT32));

  assert_fixed (c, fb_alu1 (c, FB_OP_SIN, x), "image-to-float image-to-float", fb_alu1 (c, FB_OP_SIN, expected));
}

/* A kernel that writes argument 0 may read it in place only. */
static void
test_self_operand (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbShapeTracker *square = SHAPE (c, 4, 4), *turned = fb_st_permute (c, square, DIMS (c, 1, 0)), *st;
  FbUop *x = load (c, 0, 16, square), *bad;

  assert_fixed (c, x, "", x);
  /* another argument may be read in any way */
  x = load (c, 1, 16, turned);
  assert_fixed (c, x, "", x);
  bad = load (c, 0, 16, turned);
  assert_rewrite_fails (c, bad, fb_fix_ups_pass_rules (), NULL, FB_ERROR_SELF_OPERAND, bad->src[1]);
  /* expanded dimensions do not count */
  x = load (c, 0, 4, fb_st_expand (c, SHAPE (c, 4, 1), DIMS (c, 4, 3)));
  assert_fixed (c, x, "", x);
  /* a part in its place, zeros around it */
  st = fb_st_pad (c, fb_st_shrink (c, SHAPE (c, 4), DIMS (c, 1, 3)), DIMS (c, 1, 1));
  g_assert_nonnull (st->views[0]->mask);
  x = load (c, 0, 4, st);
  assert_fixed (c, x, "", x);
  /* a part in another place */
  st = fb_st_pad (c, fb_st_shrink (c, SHAPE (c, 4), DIMS (c, 1, 3)), DIMS (c, 0, 2));
  bad = load (c, 0, 4, st);
  assert_rewrite_fails (c, bad, fb_fix_ups_pass_rules (), NULL, FB_ERROR_SELF_OPERAND, bad->src[1]);
  /* two views */
  st = fb_st_reshape (c, turned, DIMS (c, 16));
  g_assert_cmpuint (st->n, ==, 2);
  bad = load (c, 0, 16, st);
  assert_rewrite_fails (c, bad, fb_fix_ups_pass_rules (), NULL, FB_ERROR_SELF_OPERAND, bad->src[1]);
}

void
add_fix_ups_tests (void)
{
  g_test_add_func ("/passes/fix-ups/simplify-view", test_simplify_view);
  g_test_add_func ("/passes/fix-ups/unbind-view", test_unbind_view);
  g_test_add_func ("/passes/fix-ups/dropped", test_dropped);
  g_test_add_func ("/passes/fix-ups/image", test_image);
  g_test_add_func ("/passes/fix-ups/self-operand", test_self_operand);
}
