/* Symbolic integers and tuples of them. */
#include "core/ir/number.h"

#include "shape-util.h"

#define LARGEST ((G_GINT64_CONSTANT (1) << 62) - 1)
#define SMALLEST (-(G_GINT64_CONSTANT (1) << 62))

static void
assert_error_taken (FbContext *context, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fb_context_take_error (context, &error));
  g_assert_error (error, FB_ERROR, code);
}

/* A node is a source in this order, and nothing else. */
static void
assert_binary (FbSint sint, FbOp op, FbUop *x, FbUop *y)
{
  FbUop *uop;

  g_assert_false (fb_sint_is_int (sint));
  uop = fb_sint_get_uop (sint);
  g_assert_cmpint (uop->op, ==, op);
  g_assert_cmpuint (uop->n_src, ==, 2);
  g_assert_true (uop->src[0] == x);
  g_assert_true (uop->src[1] == y);
}

static void
test_word (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  static const gint64 values[] = { 0, 1, -1, 4096, -4097, LARGEST, SMALLEST };
  FbUop *n = variable_n (c);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      FbSint s = fb_sint (values[i]);
      g_assert_true (fb_sint_is_int (s));
      g_assert_cmpint (fb_sint_int (s), ==, values[i]);
      g_assert_true (fb_sint_is (s, values[i]));
      g_assert_cmpint (fb_sint_to_arg (s).i, ==, values[i]);
    }
  g_assert_false (fb_sint_is_int (fb_sint_uop (n)));
  g_assert_true (fb_sint_get_uop (fb_sint_uop (n)) == n);
  g_assert_false (fb_sint_same (fb_sint_uop (n), fb_sint (1)));
  g_assert_true (fb_sint_to_uop (c, fb_sint (7)) == fb_const_int (c, FB_DTYPE (INT32), 7));
  g_assert_true (fb_sint_to_uop (c, fb_sint_uop (n)) == n);
}

static void
test_ints (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  static const struct
  {
    gint64 a, b, div, mod, ceil;
  } rows[] = {
    { 7, 2, 3, 1, 4 },    { -7, 2, -4, 1, -3 }, { 7, -2, -4, -1, -3 },
    { -7, -2, 3, -1, 4 }, { 6, 3, 2, 0, 2 },    { 0, -5, 0, 0, 0 },
  };
  FbSint items[] = { fb_sint (2), fb_sint (-3), fb_sint (5) };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      FbSint a = fb_sint (rows[i].a), b = fb_sint (rows[i].b);
      g_assert_cmpint (fb_sint_int (fb_sint_floordiv (c, a, b)), ==, rows[i].div);
      g_assert_cmpint (fb_sint_int (fb_sint_mod (c, a, b)), ==, rows[i].mod);
      g_assert_cmpint (fb_sint_int (fb_sint_ceildiv (c, a, b)), ==, rows[i].ceil);
    }
  g_assert_cmpint (fb_sint_int (fb_sint_prod (c, 3, items)), ==, -30);
  g_assert_cmpint (fb_sint_int (fb_sint_prod (c, 0, NULL)), ==, 1);
  g_assert_cmpint (fb_sint_int (fb_sint_max2 (c, items[0], items[1])), ==, 2);
  g_assert_cmpint (fb_sint_int (fb_sint_min2 (c, items[0], items[1])), ==, -3);
  g_assert_false (fb_context_failed (c));
}

/* Nothing wraps: what does not fit is an error, and 0. */
static void
test_overflow (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbSint largest = fb_sint (LARGEST), smallest = fb_sint (SMALLEST), one = fb_sint (1);

  g_assert_true (fb_sint_is (fb_sint_add (c, largest, one), 0));
  assert_error_taken (c, FB_ERROR_OVERFLOW);
  g_assert_true (fb_sint_is (fb_sint_sub (c, smallest, one), 0));
  assert_error_taken (c, FB_ERROR_OVERFLOW);
  g_assert_true (fb_sint_is (fb_sint_neg (c, smallest), 0));
  assert_error_taken (c, FB_ERROR_OVERFLOW);
  g_assert_true (
      fb_sint_is (fb_sint_mul (c, fb_sint (G_GINT64_CONSTANT (1) << 31), fb_sint (G_GINT64_CONSTANT (1) << 31)), 0));
  assert_error_taken (c, FB_ERROR_OVERFLOW);
  g_assert_true (fb_sint_is (fb_sint_floordiv (c, smallest, fb_sint (-1)), 0));
  assert_error_taken (c, FB_ERROR_OVERFLOW);
  g_assert_true (fb_sint_is (fb_sint_floordiv (c, one, fb_sint (0)), 0));
  assert_error_taken (c, FB_ERROR_ARITHMETIC);
  g_assert_true (fb_sint_is (fb_sint_mod (c, one, fb_sint (0)), 0));
  assert_error_taken (c, FB_ERROR_ARITHMETIC);

  g_assert_true (fb_sint_is (fb_sint_add (c, fb_sint (LARGEST - 1), one), LARGEST));
  g_assert_true (fb_sint_is (
      fb_sint_mul (c, fb_sint (G_GINT64_CONSTANT (1) << 31), fb_sint (-(G_GINT64_CONSTANT (1) << 31))), SMALLEST));
  g_assert_false (fb_context_failed (c));
}

/* An int becomes a constant on the side where it stands; subtraction adds the negated. */
static void
test_operands (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *n = variable_n (c), *two = fb_const_int (c, FB_DTYPE (INT32), 2),
        *minus = fb_const_int (c, FB_DTYPE (INT32), -1);
  FbUop *minus_two = fb_const_int (c, FB_DTYPE (INT32), -2);
  FbSint x = fb_sint_uop (n), i = fb_sint (2);
  FbUop *negated = fb_sint_get_uop (fb_sint_neg (c, x));

  assert_binary (fb_sint_neg (c, x), FB_OP_MUL, n, minus);
  assert_binary (fb_sint_add (c, x, i), FB_OP_ADD, n, two);
  assert_binary (fb_sint_add (c, i, x), FB_OP_ADD, two, n);
  assert_binary (fb_sint_mul (c, i, x), FB_OP_MUL, two, n);
  assert_binary (fb_sint_sub (c, x, i), FB_OP_ADD, n, minus_two);
  assert_binary (fb_sint_sub (c, i, x), FB_OP_ADD, two, negated);
  assert_binary (fb_sint_sub (c, x, x), FB_OP_ADD, n, negated);
  assert_binary (fb_sint_floordiv (c, i, x), FB_OP_IDIV, two, n);
  assert_binary (fb_sint_mod (c, x, i), FB_OP_MOD, n, two);
  /* nothing is folded on the way: 1 * n, and the sign twice */
  assert_binary (fb_sint_prod (c, 1, &x), FB_OP_MUL, fb_const_int (c, FB_DTYPE (INT32), 1), n);
  assert_binary (fb_sint_ceildiv (c, x, i), FB_OP_MUL, fb_sint_get_uop (fb_sint_floordiv (c, x, fb_sint (-2))), minus);
}

static void
test_simplify (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbSint n = fb_sint_uop (variable_n (c));

  g_assert_true (fb_sint_is (fb_sint_simplify (c, fb_sint_sub (c, n, n)), 0));
  g_assert_true (fb_sint_same (fb_sint_simplify (c, fb_sint_mul (c, fb_sint (1), n)), n));
  g_assert_true (fb_sint_is (fb_sint_simplify (c, fb_sint (5)), 5));
  /* n is 1 to 10 */
  g_assert_true (fb_sint_same (fb_sint_max2 (c, fb_sint (1), n), n));
  g_assert_true (fb_sint_is (fb_sint_max2 (c, n, fb_sint (10)), 10));
  g_assert_true (fb_sint_same (fb_sint_min2 (c, n, fb_sint (12)), n));
  g_assert_true (fb_sint_is (fb_sint_vmax (c, fb_sint_mul (c, n, fb_sint (3))), 30));
  assert_binary (fb_sint_max2 (c, fb_sint (4), n), FB_OP_MAX, fb_sint_get_uop (n),
                 fb_const_int (c, FB_DTYPE (INT32), 4));
}

/* What the range of n decides is decided; the rest is left to the caller. */
static void
test_compare (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbSint n = fb_sint_uop (variable_n (c)), five = fb_sint (5), eleven = fb_sint (11);

  for (gboolean otherwise = FALSE; otherwise <= TRUE; otherwise++)
    {
      g_assert_true (fb_sint_lt (c, n, eleven, otherwise));
      g_assert_true (fb_sint_gt (c, eleven, n, otherwise));
      g_assert_true (fb_sint_le (c, n, eleven, otherwise));
      g_assert_false (fb_sint_ge (c, n, eleven, otherwise));
      g_assert_true (fb_sint_ge (c, n, fb_sint (1), otherwise));
      g_assert_true (fb_sint_ne (c, eleven, n, otherwise));
      g_assert_false (fb_sint_ne (c, n, n, otherwise));
      g_assert_false (fb_sint_lt (c, five, five, otherwise));
      g_assert_true (fb_sint_le (c, five, five, otherwise));

      g_assert_cmpint (fb_sint_lt (c, n, five, otherwise), ==, otherwise);
      g_assert_cmpint (fb_sint_lt (c, five, n, otherwise), ==, otherwise);
      g_assert_cmpint (fb_sint_ge (c, n, five, otherwise), ==, otherwise);
      g_assert_cmpint (fb_sint_le (c, n, five, otherwise), ==, otherwise);
      g_assert_cmpint (fb_sint_ne (c, n, five, otherwise), ==, otherwise);
    }
}

static void
test_dims (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = dims_from_text (c, "2,3,4");

  g_assert_true (shape == dims_from_text (c, "2,3,4"));
  g_assert_true (shape != dims_from_text (c, "2,3"));
  g_assert_true (shape != dims_from_text (c, "4,3,2"));
  g_assert_true (shape->all_int && !shape->has_zero);
  g_assert_cmpint (shape->prod, ==, 24);
  g_assert_cmpint (dims_from_text (c, "()")->prod, ==, 1);
  g_assert_cmpint (dims_from_text (c, "2,0,4")->prod, ==, 0);
  g_assert_true (dims_from_text (c, "2,0,4")->has_zero);
  g_assert_cmpint (dims_from_text (c, "0,-1")->prod, ==, -1);
  g_assert_cmpint (dims_from_text (c, "2,n")->prod, ==, -1);
  g_assert_false (dims_from_text (c, "2,n")->all_int);
  g_assert_cmpint (dims_from_text (c, "4611686018427387903")->prod, ==, LARGEST);
  g_assert_cmpint (dims_from_text (c, "2147483648,2147483648")->prod, ==, -1);
  g_assert_cmpint (dims_from_text (c, "4611686018427387903,4611686018427387903,0")->prod, ==, 0);
}

static void
test_tuples (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *flat = dims_from_text (c, "0,2,1,n"), *found;
  const FbTuple *pairs = fb_dims_to_pairs (c, flat), *tuple = fb_dims_to_tuple (c, flat);
  FbArg flips[] = { fb_arg_bool (TRUE), fb_arg_bool (FALSE) }, mixed[2], odd[] = { fb_arg_float (1.5) };
  FbArg huge[] = { fb_arg_int (G_GINT64_CONSTANT (1) << 62) };

  g_assert_cmpuint (tuple->n, ==, 4);
  g_assert_cmpuint (pairs->n, ==, 2);
  g_assert_cmpuint (pairs->items[1].tuple->n, ==, 2);
  g_assert_true (pairs->items[1].tuple->items[1].uop == variable_n (c));
  g_assert_true (fb_tuple_to_dims (c, pairs) == flat);
  g_assert_true (fb_tuple_to_dims (c, tuple) == flat);
  g_assert_true (fb_dims_to_tuple (c, flat) == tuple);

  found = fb_tuple_to_dims (c, fb_arg_new_tuple (c, 2, flips).tuple);
  g_assert_true (found == dims_from_text (c, "1,0"));
  g_assert_true (fb_tuple_to_dims (c, fb_arg_new_tuple (c, 0, NULL).tuple) == dims_from_text (c, "()"));
  mixed[0] = fb_arg_tuple (pairs->items[0].tuple);
  mixed[1] = fb_arg_int (1);
  g_assert_null (fb_tuple_to_dims (c, fb_arg_new_tuple (c, 2, mixed).tuple));
  g_assert_null (fb_tuple_to_dims (c, fb_arg_new_tuple (c, 1, odd).tuple));
  g_assert_null (fb_tuple_to_dims (c, fb_arg_new_tuple (c, 1, huge).tuple));
  g_assert_false (fb_context_failed (c));
}

/* An overlay finds what its parent has, and leaves nothing of its own behind in it. */
static void
test_overlay (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = dims_from_text (c, "2,3"), *pads = dims_from_text (c, "1,0,0,0");
  const FbShapeTracker *st = fb_st_from_shape (c, shape), *padded;
  FbContext *overlay = fb_context_new_overlay (c);

  g_assert_true (dims_from_text (overlay, "2,3") == shape);
  g_assert_true (fb_st_from_shape (overlay, shape) == st);
  padded = fb_st_pad (overlay, st, pads);
  g_assert_true (padded == fb_st_pad (overlay, st, pads));
  g_assert_true (padded != st);
  fb_st_from_shape (overlay, pads);
  fb_dims_to_pairs (overlay, pads);
  fb_strides_for_shape (overlay, pads);
  fb_context_free (overlay);

  g_assert_null (pads->st);
  g_assert_null (pads->pairs);
  g_assert_null (pads->strides);
  assert_chain (c, "shape 2,3 pad 1,0,0,0", "(3,3) (3,1) -3 (1,3,0,3)");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sint/word", test_word);
  g_test_add_func ("/core/sint/ints", test_ints);
  g_test_add_func ("/core/sint/overflow", test_overflow);
  g_test_add_func ("/core/sint/operands", test_operands);
  g_test_add_func ("/core/sint/simplify", test_simplify);
  g_test_add_func ("/core/sint/compare", test_compare);
  g_test_add_func ("/core/sint/dims", test_dims);
  g_test_add_func ("/core/sint/tuples", test_tuples);
  g_test_add_func ("/core/sint/overlay", test_overlay);
  return g_test_run ();
}
