/* How many tensors of the input become a movement of a buffer, or a constant. */
#include "cases.h"

static void
assert_becomes (FbContext *c, FbUop *sink, guint expected)
{
  g_autoptr (FbSchedule) schedule = schedule_of (c, sink);

  g_assert_no_error (schedule->error);
  g_assert_cmpuint (schedule->n_becomes, ==, expected);
}

/* What is realized, not what it is computed from. */
static void
test_realized (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *sine = fb_alu1 (c, FB_OP_SIN, fb_alu1 (c, FB_OP_SQRT, b));

  assert_becomes (c, SINK (c, sine), 1);
  assert_becomes (c, SINK (c, b), 0);
}

/* Tensors that simplified to the same node each become its buffer. */
static void
test_several_tensors (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sine = fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)), *same = op1 (c, FB_OP_DETACH, sine);
  FbUop *again = fb_alu2 (c, FB_OP_MUL, same, const_of_shape (c, 1, DIMS (c, 4)));

  /* sin, detach, the product; and the two movements of the constant 1 that became one */
  assert_becomes (c, SINK (c, again), 5);
}

/* A movement of a movement becomes the first that shows the same of the buffer. */
static void
test_movements (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 12), *shaped_b = RESHAPE (c, b, 3, 4), *turned = PERMUTE (c, shaped_b, 1, 0);

  /* nothing shows what this shows before */
  assert_becomes (c, SINK (c, turned), 0);
  /* turned back, it is the shaped one; back in its first shape, the buffer */
  assert_becomes (c, SINK (c, PERMUTE (c, turned, 1, 0)), 1);
  assert_becomes (c, SINK (c, RESHAPE (c, PERMUTE (c, turned, 1, 0), 12)), 2);
}

static void
test_constants (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *two = const_of_shape (c, 2, NO_DIMS (c)), *three = const_of_shape (c, 3, NO_DIMS (c));

  assert_becomes (c, SINK (c, two), 0);
  assert_becomes (c, SINK (c, fb_alu2 (c, FB_OP_ADD, two, three)), 1);
}

/* A constant of a size not known is none: only those on the way to it, of one element, are. */
static void
test_symbolic_constants (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbSint size = fb_sint_uop (bound (c, "i", 3));
  const FbDims *shape = fb_dims_new (c, 1, &size);
  FbUop *two = fb_movement (c, FB_OP_EXPAND, RESHAPE (c, const_of_shape (c, 2, NO_DIMS (c)), 1), shape);
  FbUop *three = fb_movement (c, FB_OP_EXPAND, RESHAPE (c, const_of_shape (c, 3, NO_DIMS (c)), 1), shape);

  assert_becomes (c, SINK (c, fb_alu2 (c, FB_OP_ADD, two, three)), 2);
}

static void
test_assign (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4);

  assert_becomes (c, SINK (c, assign_to (c, b, fb_alu1 (c, FB_OP_SIN, b))), 1);
}

/* x**-5 is made of 1/x, which is no tensor of the input: if that is what the reduce is stored as, nobody knows what has
 * become of it. */
static void
test_no_tensor (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sum = SUM (c, SHAPED (c, 0, 4, 4), 1);
  FbUop *fifth = fb_alu2 (c, FB_OP_POW, sum, const_of_shape (c, -5, DIMS (c, 4, 1)));
  FbUop *fourth = fb_alu2 (c, FB_OP_POW, sum, const_of_shape (c, -4, DIMS (c, 4, 1)));
  g_autoptr (FbSchedule) schedule = schedule_of (c, SINK (c, fifth, fourth));

  g_assert_error (schedule->error, FB_ERROR, FB_ERROR_UNSUPPORTED);
  g_assert_cmpint (schedule->error_uop->op, ==, FB_OP_RECIP);
}

void
add_becomes_tests (void)
{
  g_test_add_func ("/passes/becomes/realized", test_realized);
  g_test_add_func ("/passes/becomes/several-tensors", test_several_tensors);
  g_test_add_func ("/passes/becomes/movements", test_movements);
  g_test_add_func ("/passes/becomes/constants", test_constants);
  g_test_add_func ("/passes/becomes/symbolic-constants", test_symbolic_constants);
  g_test_add_func ("/passes/becomes/assign", test_assign);
  g_test_add_func ("/passes/becomes/no-tensor", test_no_tensor);
}
