/* Per kernel: bound variables become variables, views are pushed to the loads and constants. */
#include "cases.h"

/* The pass over @x gives exactly @expected, by the rule named first; the variables found are in @values, when not NULL. */
static void
assert_left (FbContext *c, FbUop *x, const char *first, FbUop *expected, GArray *values)
{
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (FbVarVal));
  g_autofree char *fired = NULL, *got = NULL, *want = fb_uop_to_text (c, expected);
  FbUop *result = rewrite_by (c, x, fb_views_left_pass_rules (), values ? values : own, FALSE, &fired);

  got = fb_uop_to_text (c, result);
  g_assert_cmpstr (got, ==, want);
  g_assert_true (result == expected);
  g_assert_true (g_str_has_prefix (fired, first));
}

static const FbShapeTracker *
turned (FbContext *c)
{
  return fb_st_permute (c, SHAPE (c, 3, 4), DIMS (c, 1, 0));
}

static void
test_unbind (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (FbVarVal));
  FbUop *bind = bound (c, "i", 3), *again = bound (c, "i", 5), *other = bound (c, "j", 4);
  const FbVarVal *value;

  assert_left (c, fb_alu1 (c, FB_OP_NEG, bind), "unbind", fb_alu1 (c, FB_OP_NEG, bind->src[0]), values);
  assert_left (c, other, "unbind", other->src[0], values);
  g_assert_cmpuint (values->len, ==, 2);
  value = &g_array_index (values, FbVarVal, 0);
  g_assert_true (value->var == bind->src[0]);
  g_assert_cmpint (value->value.i, ==, 3);
  /* bound anew, it keeps its place */
  assert_left (c, again, "unbind", bind->src[0], values);
  g_assert_cmpuint (values->len, ==, 2);
  g_assert_cmpint (g_array_index (values, FbVarVal, 0).value.i, ==, 5);
  g_assert_true (g_array_index (values, FbVarVal, 1).var == other->src[0]);
}

/* A variable on a device, whose shape goes when its value is noted. */
static void
test_unbind_on_device (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (FbVarVal));
  FbUop *view = device (c, "CPU"), *var = bound (c, "i", 3)->src[0], *on_device, *bind;

  view = NODE (c, VIEW, FB_DTYPE (VOID), fb_arg_st (fb_st_from_shape (c, NO_DIMS (c))), view);
  on_device = fb_replace_src (c, var, 1, &view);
  bind = NODE (c, BIND, FB_DTYPE (INT32), FB_ARG_NIL, on_device, fb_const_int (c, FB_DTYPE (INT32), 3));
  assert_left (c, bind, "unbind", on_device, values);
  g_assert_true (g_array_index (values, FbVarVal, 0).var == var);
}

/* A pad of a constant is the constant where the view is valid, and 0 elsewhere. */
static void
test_view_of_const (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *plain = fb_st_to_uop (c, fb_st_expand (c, SHAPE (c, 1), DIMS (c, 4))), *masked, *valid, *expected;
  const FbShapeTracker *padded = fb_st_pad (c, fb_st_expand (c, SHAPE (c, 1), DIMS (c, 4)), DIMS (c, 1, 2));
  FbUop *wide = fb_st_to_uop (c, fb_st_expand (c, SHAPE (c, 1), DIMS (c, 7)));

  masked = fb_view (c, NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (3), plain), padded);
  valid = NODE (c, VALID, FB_DTYPE (BOOL), FB_ARG_NIL, fb_st_to_uop (c, padded));
  expected = fb_alu3 (c, FB_OP_WHERE, valid, NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (3), wide),
                      NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (0), wide));
  assert_left (c, masked, "view-of-const-to-valid", expected, NULL);
}

static void
test_unmasked_const (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbShapeTracker *st = fb_st_expand (c, SHAPE (c, 1), DIMS (c, 4));
  FbUop *x = NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (3), fb_st_to_uop (c, SHAPE (c, 1)));

  assert_left (c, fb_view (c, x, st), "view-of-const",
               NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (3), fb_st_to_uop (c, st)), NULL);
}

/* Sources get the view added to their own; those without a shape stay. */
static void
test_view_of_elementwise (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = load (c, 1, 12, SHAPE (c, 3, 4)), *b = load (c, 2, 3, SHAPE (c, 3, 1));
  const FbShapeTracker *wide = fb_st_expand (c, SHAPE (c, 3, 1), DIMS (c, 3, 4));
  FbUop *x = fb_alu2 (c, FB_OP_ADD, a, fb_view (c, b, wide)), *expected;

  expected
      = fb_alu2 (c, FB_OP_ADD, load (c, 1, 12, turned (c)), load (c, 2, 3, fb_st_permute (c, wide, DIMS (c, 1, 0))));
  assert_left (c, fb_view (c, x, turned (c)), "view-of-buffer-op", expected, NULL);
  /* a number without a device has no shape */
  x = NODE (c, MUL, FB_DTYPE (FLOAT32), FB_ARG_NIL, a, fb_const (c, FB_DTYPE (FLOAT32), fb_arg_float (2)));
  expected = fb_alu2 (c, FB_OP_MUL, load (c, 1, 12, turned (c)), x->src[1]);
  assert_left (c, fb_view (c, x, turned (c)), "view-of-elementwise", expected, NULL);
  x = fb_cast (c, a, FB_DTYPE (INT32));
  assert_left (c, fb_view (c, x, turned (c)), "view-of-elementwise",
               fb_cast (c, load (c, 1, 12, turned (c)), FB_DTYPE (INT32)), NULL);
}

static void
test_view_of_load (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbShapeTracker *st = fb_st_flip (c, SHAPE (c, 3, 4), DIMS (c, 1, 0));

  assert_left (c, fb_view (c, load (c, 1, 12, st), turned (c)), "view-of-buffer-op",
               load (c, 1, 12, fb_st_permute (c, st, DIMS (c, 1, 0))), NULL);
}

/* A reduce is not passed: its views are for the next pass. */
static void
test_reduce_stays (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = SUM (c, load (c, 1, 24, SHAPE (c, 3, 4, 2)), 2);

  x = fb_view (c, x, fb_st_permute (c, SHAPE (c, 3, 4, 1), DIMS (c, 1, 0, 2)));
  assert_left (c, x, "", x, NULL);
}

static void
test_merged_views (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = SUM (c, load (c, 1, 24, SHAPE (c, 3, 4, 2)), 2), *over;
  const FbShapeTracker *st = fb_st_permute (c, SHAPE (c, 3, 4, 1), DIMS (c, 1, 0, 2));

  over = NODE (c, VIEW, FB_DTYPE (FLOAT32), fb_arg_st (fb_st_permute (c, SHAPE (c, 4, 3, 1), DIMS (c, 2, 1, 0))),
               fb_view (c, x, st));
  assert_left (c, over, "view-of-view", fb_view (c, x, fb_st_permute (c, st, DIMS (c, 2, 1, 0))), NULL);
  assert_left (c, fb_view (c, x, SHAPE (c, 3, 4, 1)), "identity-view", x, NULL);
}

void
add_views_left_tests (void)
{
  g_test_add_func ("/passes/views-left/unbind", test_unbind);
  g_test_add_func ("/passes/views-left/unbind-on-device", test_unbind_on_device);
  g_test_add_func ("/passes/views-left/view-of-const", test_view_of_const);
  g_test_add_func ("/passes/views-left/unmasked-const", test_unmasked_const);
  g_test_add_func ("/passes/views-left/view-of-elementwise", test_view_of_elementwise);
  g_test_add_func ("/passes/views-left/view-of-load", test_view_of_load);
  g_test_add_func ("/passes/views-left/reduce-stays", test_reduce_stays);
  g_test_add_func ("/passes/views-left/merged-views", test_merged_views);
}
