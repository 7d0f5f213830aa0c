/* Nodes: interning by Python's equality, text, keys, shapes. */
#include "tests/graph-util.h"

#include <math.h>

static char *
hex (FbContext *c, FbUop *uop)
{
  const guint8 *key = fb_uop_key (c, uop);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < 32; i++)
    g_string_append_printf (text, "%02x", key[i]);
  return g_string_free (text, FALSE);
}

static FbUop *
float_const (FbContext *c, FbArg arg)
{
  return fb_uop_new (c, FB_OP_CONST, FB_DTYPE (FLOAT32), 0, NULL, arg);
}

static void
test_equality (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *zero = float_const (c, fb_arg_float (0.0));
  FbArg nan = fb_arg_new_nan (c), other_nan = fb_arg_new_nan (c);
  FbArg one_two[] = { fb_arg_int (1), fb_arg_int (2) }, true_two[] = { fb_arg_bool (TRUE), fb_arg_float (2.0) };
  FbArg a = fb_arg_new_tuple (c, 2, one_two), b = fb_arg_new_tuple (c, 2, true_two);
  g_autofree char *text = NULL;

  g_assert_true (float_const (c, fb_arg_float (-0.0)) == zero);
  g_assert_true (float_const (c, fb_arg_int (0)) == zero);
  g_assert_true (float_const (c, fb_arg_bool (FALSE)) == zero);
  g_assert_true (float_const (c, fb_arg_float (1.0)) != zero);
  g_assert_true (float_const (c, nan) == float_const (c, nan));
  g_assert_true (float_const (c, nan) != float_const (c, other_nan));
  /* equal tuples of other types are other tuples, and yet make the same node: the first one prints */
  g_assert_true (a.tuple != b.tuple);
  g_assert_true (fb_arg_equal (a, b));
  g_assert_true (float_const (c, a) == float_const (c, b));
  text = fb_uop_to_text (c, float_const (c, b));
  g_assert_cmpstr (text, ==, "UOp(Ops.CONST, dtypes.float, arg=(1, 2), src=())");
}

static void
test_text (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 16);
  FbUop *v = fb_view (c, b, fb_st_from_shape (c, DIMS (c, 4, 4)));
  FbUop *r = reduce (c, FB_OP_ADD, fb_alu2 (c, FB_OP_ADD, v, v), DIMS (c, 0, 1));
  g_autofree char *text = fb_uop_to_text (c, r);

  g_assert_cmpstr (text, ==,
                   "UOp(Ops.REDUCE_AXIS, dtypes.float, arg=(Ops.ADD, (0, 1)), src=(\n"
                   "  UOp(Ops.ADD, dtypes.float, arg=None, src=(\n"
                   "    x1:=UOp(Ops.VIEW, dtypes.float, arg=ShapeTracker(views=(View(shape=(4, 4), strides=(4, 1), "
                   "offset=0, mask=None, contiguous=True),)), src=(\n"
                   "      UOp(Ops.BUFFER, dtypes.float, arg=16, src=(\n"
                   "        UOp(Ops.DEVICE, dtypes.void, arg='CPU', src=()),\n"
                   "        UOp(Ops.UNIQUE, dtypes.void, arg=0, src=()),)),)),\n"
                   "     x1,)),))");
}

static void
test_key (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *v = fb_view (c, buffer (c, 0, 16), fb_st_from_shape (c, DIMS (c, 4, 4)));
  FbUop *var = fb_variable (c, "i", fb_arg_int (1), fb_arg_int (10), FB_DTYPE (INT32));
  FbSint symbolic[] = { fb_sint_uop (var), fb_sint (4) };
  g_autofree char *one = hex (c, float_const (c, fb_arg_float (1.0)));
  g_autofree char *sum = hex (c, reduce (c, FB_OP_ADD, fb_alu2 (c, FB_OP_ADD, v, v), DIMS (c, 0, 1)));
  g_autofree char *quoted = hex (c, device (c, "it's"));
  g_autofree char *shape
      = hex (c, fb_st_to_uop (c, fb_st_from_shape (c, fb_dims_new (c, G_N_ELEMENTS (symbolic), symbolic))));

  g_assert_cmpstr (one, ==, "7a36e9eaa18a1e7d8750db8236d60aebf49cd4a956cb710468bc48bd92c816fe");
  g_assert_cmpstr (sum, ==, "eab9d467034d6de3e59821ddd228a71fbe3554876fd097c0a6f83bdfb6adccd7");
  g_assert_cmpstr (quoted, ==, "c926c3cf3d4e52e6668190ff26d89530828cd4e90a0ae113ccc2dce44c8e81b1");
  g_assert_cmpstr (shape, ==, "15e52e3c4c7baa7f30a933578c6736e935af5aa37df03a75ff992b187e0ae6c1");
}

static void
test_strings (void)
{
  static const struct
  {
    const char *text, *repr;
  } cases[] = {
    { "plain", "'plain'" },         { "it's", "\"it's\"" },
    { "\"it's\"", "'\"it\\'s\"'" }, { "a\\b\n\t\r\x01\x7f", "'a\\\\b\\n\\t\\r\\x01\\x7f'" },
    { "é×\xc2\xa0", "'é×\\xa0'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      fb_append_str_repr (cases[i].text, strlen (cases[i].text), text);
      g_assert_cmpstr (text->str, ==, cases[i].repr);
    }
  {
    g_autofree char *bytes = fb_bytes_repr ((const guint8 *) "M9\x80'\n\\", 6);
    g_assert_cmpstr (bytes, ==, "b\"M9\\x80'\\n\\\\\"");
  }
}

static void
test_shapes (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 12), *x = fb_movement (c, FB_OP_RESHAPE, b, DIMS (c, 3, 4));
  FbUop *wide = fb_cast (c, x, FB_DTYPE (FLOAT64));
  FbUop *half = fb_uop_new (c, FB_OP_BITCAST, FB_DTYPE (FLOAT16), 1, &x, FB_ARG_NIL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (fb_uop_size (c, b), ==, 12);
  g_assert_true (fb_uop_shape (c, wide) == DIMS (c, 3, 4));
  g_assert_true (fb_uop_shape (c, half) == DIMS (c, 3, 8));
  g_assert_true (fb_uop_shape (c, reduce (c, FB_OP_MAX, x, DIMS (c, 1))) == DIMS (c, 3, 1));
  g_assert_true (x->base == b && wide->base == wide);
  g_assert_true (fb_movement (c, FB_OP_RESHAPE, x, DIMS (c, 3, 4)) == x);
  g_assert_null (fb_uop_st (c, device (c, "CPU")));
  g_assert_false (fb_context_failed (c));
  g_assert_null (fb_uop_shape (c, device (c, "CPU")));
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_SHAPELESS);
}

static void
test_shape_mismatch (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sum = fb_alu2 (c, FB_OP_ADD, buffer (c, 0, 12), buffer (c, 1, 13));
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_uop_st (c, sum));
  g_assert_true (fb_context_error_uop (c) == sum);
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "(12) and (13)"));
}

static void
test_device_const (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_movement (c, FB_OP_RESHAPE, buffer (c, 0, 12), DIMS (c, 3, 4));
  FbUop *two = fb_const_like_int (c, x, 2);

  g_assert_cmpint (two->op, ==, FB_OP_EXPAND);
  g_assert_cmpint (two->src[0]->op, ==, FB_OP_RESHAPE);
  g_assert_true (fb_uop_shape (c, two) == DIMS (c, 3, 4));
  g_assert_true (fb_arg_identical (two->base->arg, fb_arg_float (2.0)));
  g_assert_true (fb_uop_same_device (two, x));
  g_assert_cmpint (fb_const_int (c, FB_DTYPE (INT32), 2)->n_src, ==, 0);
}

static void
test_overlay (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 12);
  g_autoptr (FbContext) overlay = fb_context_new_overlay (c);
  FbUop *neg = fb_alu1 (overlay, FB_OP_NEG, b);
  guint32 before = fb_context_n_uops (c);

  g_assert_true (buffer (overlay, 0, 12) == b);
  g_assert_cmpuint (neg->id, >=, before);
  g_assert_cmpuint (fb_context_n_uops (c), ==, before);
  g_assert_null (fb_uop_lookup (c, FB_OP_NEG, FB_DTYPE (FLOAT32), 1, &b, FB_ARG_NIL));
  g_assert_true (fb_context_uop (overlay, b->id) == b && fb_context_uop (overlay, neg->id) == neg);
}

#define DEEP 1000000

static void
test_deep_chain (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = buffer (c, 0, 4), *one = fb_const_like_int (c, x, 1);
  g_autoptr (GPtrArray) order = NULL;
  char key[17];

  for (int i = 0; i < DEEP; i++)
    x = fb_alu2 (c, FB_OP_ADD, x, one);
  g_assert_true (fb_uop_shape (c, x) == DIMS (c, 4));
  g_assert_cmpuint (strlen (fb_uop_key_hex (c, x, key)), ==, 16);
  order = fb_uop_toposort (c, x);
  g_assert_cmpuint (order->len, >, DEEP);
}

static void
test_reset (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autofree char *first = hex (c, buffer (c, 41, 12)), *again = NULL;

  g_assert_cmpint (fb_context_next_unique (c), ==, 42);
  fb_context_reset (c);
  g_assert_cmpuint (fb_context_n_uops (c), ==, 0);
  g_assert_cmpint (fb_context_next_unique (c), ==, 0);
  again = hex (c, buffer (c, 41, 12));
  g_assert_cmpstr (first, ==, again);
}

static void
test_op_groups (void)
{
  g_assert_cmpint (fb_op_from_name ("ADD", -1), ==, FB_OP_ADD);
  g_assert_cmpint (fb_op_from_name ("ADDX", 3), ==, FB_OP_ADD);
  g_assert_cmpint (fb_op_from_name ("NOPE", -1), ==, FB_OP_NONE);
  for (int op = 1; op < FB_N_OPS; op++)
    {
      g_assert_cmpint (fb_op_from_name (fb_op_name (op), -1), ==, op);
      g_assert_true (fb_op_in (op, FB_OPS_ALL));
    }
  g_assert_false (fb_op_in (FB_OP_CAST, FB_OPS_ALU));
  g_assert_true (fb_op_in (FB_OP_POW, FB_OPS_ALU));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/uop/equality", test_equality);
  g_test_add_func ("/core/uop/text", test_text);
  g_test_add_func ("/core/uop/key", test_key);
  g_test_add_func ("/core/uop/strings", test_strings);
  g_test_add_func ("/core/uop/shapes", test_shapes);
  g_test_add_func ("/core/uop/shape-mismatch", test_shape_mismatch);
  g_test_add_func ("/core/uop/device-const", test_device_const);
  g_test_add_func ("/core/uop/overlay", test_overlay);
  g_test_add_func ("/core/uop/deep-chain", test_deep_chain);
  g_test_add_func ("/core/uop/reset", test_reset);
  g_test_add_func ("/core/uop/op-groups", test_op_groups);
  return g_test_run ();
}
