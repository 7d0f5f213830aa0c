/* Per kernel: views above an op become views below it, until the store takes them in. */
#include "cases.h"

static void
assert_right (FbContext *c, FbUop *x, const char *rules, FbUop *expected)
{
  g_autofree char *fired = NULL, *got = NULL, *want = fb_uop_to_text (c, expected);
  FbUop *result = rewrite_by (c, x, fb_views_right_pass_rules (), NULL, FALSE, &fired);

  got = fb_uop_to_text (c, result);
  g_assert_cmpstr (got, ==, want);
  g_assert_true (result == expected);
  g_assert_cmpstr (fired, ==, rules);
}

static void
assert_refused (FbContext *c, FbUop *x, FbError code, const FbUop *uop)
{
  assert_rewrite_fails (c, x, fb_views_right_pass_rules (), NULL, code, uop);
}

/* sin of a load of argument 1 */
static FbUop *
sine (FbContext *c, gint64 size, const FbShapeTracker *st)
{
  return fb_alu1 (c, FB_OP_SIN, load (c, 1, size, st));
}

/* The store goes over the elements in the shape the value has without its view. */
static void
test_store_of_view (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = sine (c, 4, SHAPE (c, 4, 1));

  assert_right (c, store (c, 4, SHAPE (c, 2, 2), fb_view (c, x, SHAPE (c, 2, 2))), "store-of-view view-of-view",
                store (c, 4, SHAPE (c, 4, 1), x));
}

/* What an assign stores is seen through the view of its target. */
static void
test_store_of_assign (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbShapeTracker *flipped = fb_st_flip (c, SHAPE (c, 4), DIMS (c, 1));
  FbUop *x = sine (c, 4, SHAPE (c, 4));

  assert_right (c, store (c, 4, SHAPE (c, 4), assign_to (c, load (c, 0, 4, SHAPE (c, 4)), x)), "store-of-assign",
                store (c, 4, SHAPE (c, 4), x));
  assert_right (c, store (c, 4, SHAPE (c, 4), assign_to (c, load (c, 0, 4, flipped), x)), "store-of-assign",
                store (c, 4, flipped, x));
}

/* The view is applied to what is reduced: kept dimensions in its order, reduced ones last. */
static void
test_view_of_reduce (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = SUM (c, load (c, 1, 24, SHAPE (c, 2, 4, 3)), 2), *expected;
  const FbShapeTracker *st = fb_st_permute (c, SHAPE (c, 2, 4, 1), DIMS (c, 1, 0, 2)), *moved;

  moved = fb_st_reshape (c, fb_st_permute (c, SHAPE (c, 2, 4, 3), DIMS (c, 1, 0, 2)), DIMS (c, 4, 2, 1, 3));
  expected = fb_view (c, SUM (c, load (c, 1, 24, moved), 3), SHAPE (c, 4, 2, 1));
  assert_right (c, fb_view (c, x, st), "view-of-reduce", expected);
}

/* A masked view of a reduce masks what is reduced. */
static void
test_masked_view_of_reduce (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = SUM (c, load (c, 1, 12, SHAPE (c, 4, 3)), 1), *expected;
  const FbShapeTracker *st = fb_st_pad (c, SHAPE (c, 4, 1), DIMS (c, 1, 0, 0, 0)), *moved;

  moved = fb_st_reshape (c, fb_st_pad (c, SHAPE (c, 4, 3), DIMS (c, 1, 0, 0, 0)), DIMS (c, 5, 1, 3));
  expected = fb_view (c, SUM (c, load (c, 1, 12, moved), 2), SHAPE (c, 5, 1));
  assert_right (c, fb_view (c, x, st), "view-of-reduce", expected);
}

/* A view that only reshapes is not worth it. */
static void
test_contiguous_view_of_reduce (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_view (c, SUM (c, load (c, 1, 12, SHAPE (c, 4, 3)), 1), SHAPE (c, 2, 2));

  assert_right (c, x, "", x);
}

static void
test_reduce_of_view (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = sine (c, 6, SHAPE (c, 2, 3, 1)), *expected;

  expected = fb_view (c, SUM (c, x, 1), SHAPE (c, 2, 1));
  assert_right (c, SUM (c, fb_view (c, x, SHAPE (c, 2, 3)), 1), "reduce-of-view", expected);
}

static void
test_elementwise_of_view (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = SUM (c, load (c, 1, 12, SHAPE (c, 4, 3)), 1), *y = load (c, 2, 4, SHAPE (c, 2, 2)), *expected;

  expected = fb_view (c, fb_alu2 (c, FB_OP_ADD, x, load (c, 2, 4, SHAPE (c, 4, 1))), SHAPE (c, 2, 2));
  assert_right (c, fb_alu2 (c, FB_OP_ADD, fb_view (c, x, SHAPE (c, 2, 2)), y), "elementwise-of-view", expected);
  expected = fb_view (c, fb_cast (c, x, FB_DTYPE (INT32)), SHAPE (c, 2, 2));
  assert_right (c, fb_cast (c, fb_view (c, x, SHAPE (c, 2, 2)), FB_DTYPE (INT32)), "elementwise-of-view", expected);
  expected = fb_alu1 (c, FB_OP_SIN, x);
  assert_right (c, expected, "", expected);
}

static void
test_double_reduce (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = load (c, 1, 24, SHAPE (c, 2, 3, 4));

  /* axes of the outer first */
  assert_right (c, SUM (c, SUM (c, x, 2), 1), "merge-double-reduce", SUM (c, x, 1, 2));
  assert_right (c, SUM (c, SUM (c, x, 0), 2), "merge-double-reduce", SUM (c, x, 2, 0));
}

static void
test_merged_views (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = sine (c, 12, SHAPE (c, 3, 4)), *three, *over;
  const FbShapeTracker *turned = fb_st_permute (c, SHAPE (c, 3, 4), DIMS (c, 1, 0));
  const FbShapeTracker *wide = fb_st_expand (c, SHAPE (c, 1), DIMS (c, 4));

  over = NODE (c, VIEW, FB_DTYPE (FLOAT32), fb_arg_st (fb_st_permute (c, SHAPE (c, 4, 3), DIMS (c, 1, 0))),
               fb_view (c, x, turned));
  assert_right (c, over, "view-of-view identity-view", x);
  three = NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (3), fb_st_to_uop (c, SHAPE (c, 1)));
  assert_right (c, fb_view (c, three, wide), "view-of-const",
                NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (3), fb_st_to_uop (c, wide)));
}

static void
test_refused (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = load (c, 1, 24, SHAPE (c, 2, 3, 4)), *y = sine (c, 6, SHAPE (c, 2, 3)), *bad, *view;
  const FbShapeTracker *turned = fb_st_permute (c, SHAPE (c, 2, 3), DIMS (c, 1, 0));

  bad = reduce (c, FB_OP_MAX, SUM (c, x, 2), DIMS (c, 1));
  assert_refused (c, bad, FB_ERROR_UNSUPPORTED, bad);
  bad = SUM (c, SUM (c, fb_alu1 (c, FB_OP_SIN, SUM (c, x, 2)), 1), 0);
  assert_refused (c, bad, FB_ERROR_UNSUPPORTED, bad);
  /* a view to be pushed through a reduce that is more than another shape */
  view = fb_view (c, y, turned);
  assert_refused (c, SUM (c, view, 1), FB_ERROR_UNSUPPORTED, view);
  view = fb_view (c, y, SHAPE (c, 2, 2));
  assert_refused (c, SUM (c, view, 1), FB_ERROR_UNSUPPORTED, view);
  /* sources under views of different sizes */
  bad = fb_alu2 (c, FB_OP_ADD, fb_view (c, y, SHAPE (c, 2, 2)),
                 fb_view (c, sine (c, 8, SHAPE (c, 2, 4)), SHAPE (c, 2, 2)));
  assert_refused (c, bad, FB_ERROR_SHAPE, bad);
  /* a view of what has no shape */
  view = fb_view (c, device (c, "CPU"), SHAPE (c, 2, 2));
  bad = fb_alu2 (c, FB_OP_ADD, y, view);
  assert_refused (c, fb_alu1 (c, FB_OP_NEG, view), FB_ERROR_SHAPELESS, fb_alu1 (c, FB_OP_NEG, view));
}

/* Sizes that cannot be told apart from 1: whether such an axis is reduced depends on the value of a variable. */
static void
test_undecided_axis (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbSint shape[] = { fb_sint (2), fb_sint_uop (bound (c, "i", 3)->src[0]), fb_sint (1) };
  const FbShapeTracker *deep = fb_st_from_shape (c, fb_dims_new (c, 3, shape)), *flat;

  flat = fb_st_from_shape (c, fb_dims_new (c, 2, shape));
  assert_refused (c, SUM (c, fb_view (c, sine (c, 20, deep), flat), 1), FB_ERROR_SHAPE, NULL);
}

void
add_views_right_tests (void)
{
  g_test_add_func ("/passes/views-right/store-of-view", test_store_of_view);
  g_test_add_func ("/passes/views-right/store-of-assign", test_store_of_assign);
  g_test_add_func ("/passes/views-right/view-of-reduce", test_view_of_reduce);
  g_test_add_func ("/passes/views-right/masked-view-of-reduce", test_masked_view_of_reduce);
  g_test_add_func ("/passes/views-right/contiguous-view-of-reduce", test_contiguous_view_of_reduce);
  g_test_add_func ("/passes/views-right/reduce-of-view", test_reduce_of_view);
  g_test_add_func ("/passes/views-right/elementwise-of-view", test_elementwise_of_view);
  g_test_add_func ("/passes/views-right/double-reduce", test_double_reduce);
  g_test_add_func ("/passes/views-right/merged-views", test_merged_views);
  g_test_add_func ("/passes/views-right/refused", test_refused);
  g_test_add_func ("/passes/views-right/undecided-axis", test_undecided_axis);
}
