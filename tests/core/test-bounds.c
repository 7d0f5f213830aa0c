#include "expr.h"

#include "core/ir/number.h"
#include "core/ir/text.h"

#include <string.h>

static char *
number_text (FbContext *context, FbArg number)
{
  GString *text = g_string_new (NULL);

  fb_arg_append_repr (context, number, text);
  return g_string_free (text, FALSE);
}

static void
assert_bounds (FbContext *context, const char *what, FbUop *uop, const char *min, const char *max)
{
  const FbBounds *bounds = fb_uop_bounds (context, uop);
  g_autofree char *low = number_text (context, bounds->min), *high = number_text (context, bounds->max);

  if (strcmp (low, min) != 0 || strcmp (high, max) != 0)
    g_error ("%s is in %s ... %s, not %s ... %s", what, low, high, min, max);
  g_assert_true (fb_uop_bounds (context, uop) == bounds);
  g_assert_false (fb_context_failed (context));
}

/* As Python prints them: True is not 1. */
static void
test_expressions (void)
{
  static const struct
  {
    const char *expr, *min, *max;
  } cases[] = {
    { "x", "0", "15" },
    { "i", "0", "3" },
    { "7", "7", "7" },
    { "2.5", "2.5", "2.5" },
    { "vec(3,-1)", "-1", "3" },
    { "p", "False", "True" },
    { "x+n", "-8", "23" },
    { "x*n", "-120", "120" },
    { "n*n", "-64", "64" },
    { "l*l*l*l", "0", "1461501637330902918203684832716283019655932542976" },
    { "l*-9*l", "-10880332376531662572355584", "0" },
    { "p*q", "0", "1" },
    { "x//4", "0", "3" },
    { "n//3", "-3", "2" },
    { "x//-4", "-3", "0" },
    { "x//w", "0", "2147483647" },
    { "x//n", "-2147483648", "0" },
    { "x%4", "0", "3" },
    { "n%4", "-3", "3" },
    { "x%w", "0", "2" },
    { "x%n", "-2147483648", "2147483647" },
    { "max(x,n)", "0", "15" },
    { "SHL(n,2)", "-32", "32" },
    { "SHR(n,2)", "-2", "2" },
    { "SHL(n,i)", "-2147483648", "2147483647" },
    { "x<16", "True", "True" },
    { "x<3", "False", "True" },
    { "x<0", "False", "False" },
    { "x!=16", "True", "True" },
    { "5!=5", "False", "False" },
    { "x!=5", "False", "True" },
    { "f<f", "False", "True" },
    { "f+f", "-inf", "inf" },
    { "p|(x<16)", "True", "True" },
    { "p&(x<0)", "False", "False" },
    { "x|3", "-2147483648", "2147483647" },
    { "u^u", "0", "4294967295" },
    { "ulong(u)", "0", "18446744073709551615" },
    { "long(u)", "-9223372036854775808", "9223372036854775807" },
    { "uchar(u)", "0", "255" },
    { "bool(u)", "False", "True" },
    { "p ? x : n", "-8", "15" },
    { "p ? 1.0 : 2.0", "-inf", "inf" },
    { "v", "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbContext) context = fb_context_new ();
      if (strcmp (cases[i].expr, "v") == 0) /* two lanes of 64 bits, taken as one of 128: as the reference does */
        {
          const FbDType *dtype = fb_dtype_vec (context, FB_DTYPE (INT64), 2);
          assert_bounds (context, "v", fb_uop_new (context, FB_OP_LOAD, dtype, 0, NULL, FB_ARG_NIL), cases[i].min,
                         cases[i].max);
        }
      else
        assert_bounds (context, cases[i].expr, test_expr (context, cases[i].expr), cases[i].min, cases[i].max);
    }
}

static void
test_other_ops (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbUop *x = test_expr (context, "x"), *n = test_expr (context, "n"), *src[] = { x, n };
  FbArg special[] = { fb_arg_str (context, "g0", -1), fb_arg_int (8) };
  FbUop *uop;

  uop = fb_uop_new (context, FB_OP_BIND, x->dtype, 2, (FbUop *[]){ x, test_expr (context, "5") }, FB_ARG_NIL);
  assert_bounds (context, "BIND", uop, "0", "15");
  uop = fb_uop_new (context, FB_OP_VECTORIZE, fb_dtype_vec (context, x->dtype, 2), 2, src, FB_ARG_NIL);
  assert_bounds (context, "VECTORIZE", uop, "-8", "15");
  uop = fb_range (context, FB_DTYPE (INT32), fb_sint (2), fb_sint_uop (x), 0);
  assert_bounds (context, "RANGE", uop, "2", "14");
  uop = fb_uop_new (context, FB_OP_SPECIAL, FB_DTYPE (INT32), 0, NULL, fb_arg_new_tuple (context, 2, special));
  assert_bounds (context, "SPECIAL", uop, "0", "7");
  special[1] = fb_arg_uop (x);
  uop = fb_uop_new (context, FB_OP_SPECIAL, FB_DTYPE (INT32), 0, NULL, fb_arg_new_tuple (context, 2, special));
  assert_bounds (context, "SPECIAL", uop, "0", "15");
  uop = fb_uop_new (context, FB_OP_DEFINE_VAR, FB_DTYPE (UINT8), 0, NULL, FB_ARG_NIL);
  assert_bounds (context, "DEFINE_VAR", uop, "0", "255");
}

/* Refused each time it is asked, and never a crash. */
static void
test_malformed (void)
{
  static const FbOp ops[] = { FB_OP_CONST,     FB_OP_VCONST, FB_OP_ADD, FB_OP_WHERE,  FB_OP_RANGE,
                              FB_OP_VECTORIZE, FB_OP_BIND,   FB_OP_SHL, FB_OP_SPECIAL };
  g_autoptr (FbContext) context = fb_context_new ();

  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      FbUop *bad = fb_uop_new (context, ops[i], FB_DTYPE (INT32), 0, NULL, fb_arg_str (context, "?", -1));
      FbUop *user = fb_alu2 (context, FB_OP_ADD, bad, bad);
      for (guint again = 0; again < 2; again++)
        {
          g_autoptr (GError) error = NULL;
          g_assert_nonnull (fb_uop_bounds (context, user));
          g_assert_true (fb_context_take_error (context, &error));
        }
    }
  for (guint again = 0; again < 2; again++)
    {
      g_autoptr (GError) error = NULL;
      fb_uop_bounds (context, test_expr (context, "SHL(x,-1)"));
      g_assert_true (fb_context_take_error (context, &error));
    }
}

/* Bounds of a node of the parent context are remembered there, and outlive the overlay. */
static void
test_overlay (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbUop *uop = test_expr (context, "l*l*l");
  FbContext *overlay = fb_context_new_overlay (context);
  FbUop *more = fb_alu2 (overlay, FB_OP_MUL, uop, uop);

  assert_bounds (overlay, "(l*l*l)*(l*l*l)", more, "0",
                 "1766847064778384329583297500742918515827483896875618958121606201292619776");
  fb_context_free (overlay);
  assert_bounds (context, "l*l*l", uop, "0", "1329227995784915872903807060280344576");
}

static void
test_deep (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbUop *uop = test_expr (context, "x");
  FbUop *wide[64];

  for (guint i = 0; i < 1000000; i++)
    uop = fb_add_int (context, uop, i & 1 ? 3 : -2);
  assert_bounds (context, "a chain", uop, "500000", "500015");
  uop = test_expr (context, "n");
  for (guint i = 0; i < 200; i++) /* 2**200 paths */
    {
      for (guint j = 0; j < G_N_ELEMENTS (wide); j++)
        wide[j] = uop;
      uop = fb_uop_new (context, FB_OP_VECTORIZE, FB_DTYPE (INT32), G_N_ELEMENTS (wide), wide, FB_ARG_NIL);
    }
  assert_bounds (context, "a ladder", uop, "-8", "8");
}

/* Beyond any size a real graph reaches, an error instead of all memory. */
static void
test_too_large (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (GError) error = NULL;
  FbUop *uop = test_expr (context, "l");

  for (guint i = 0; i < 20; i++)
    uop = fb_alu2 (context, FB_OP_MUL, uop, uop);
  fb_uop_bounds (context, uop);
  g_assert_true (fb_context_take_error (context, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_OVERFLOW);
}

static int
sign (int c)
{
  return c == FB_COMPARE_REFUSED ? 2 : (c > 0) - (c < 0);
}

static void
test_order (void)
{
  static const struct
  {
    const char *a, *b;
    int order;
  } cases[] = {
    { "x", "x", 0 },
    { "x", "y", -1 },
    { "x", "3", -1 },
    { "3", "2", 1 },
    { "x+y", "x*y", -1 },
    { "x+y", "x+z", -1 },
    { "(x+y)+x", "(x+y)+y", -1 },
    { "i", "j", -1 },
    { "i", "x", 1 },
    { "3", "3.0", -1 },
    { "2.5", "3", -1 },
    { "vec(1,2)", "vec(1,3)", -1 },
    { "u*2", "x*2", 1 },
    { "int(f)", "long(f)", -1 },
    { "vec(1,2)", "vec(1,2,3)", -1 },
    { "f<g", "f!=g", -1 },
    { "-3", "-2", -1 },
  };
  g_autoptr (FbContext) context = fb_context_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FbUop *a = test_expr (context, cases[i].a), *b = test_expr (context, cases[i].b);
      if (sign (fb_uop_compare (a, b)) != cases[i].order || sign (fb_uop_compare (b, a)) != -cases[i].order)
        g_error ("%s and %s are in the wrong order", cases[i].a, cases[i].b);
    }
}

static FbUop *
load (FbContext *context, FbArg arg)
{
  return fb_uop_new (context, FB_OP_LOAD, FB_DTYPE (FLOAT32), 0, NULL, arg);
}

static void
test_no_order (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbArg nan = fb_arg_new_nan (context), text = fb_arg_str (context, "a", -1);
  FbArg pair[] = { fb_arg_int (1), text }, other[] = { fb_arg_int (1), fb_arg_int (2) };

  g_assert_cmpint (fb_uop_compare (load (context, nan), load (context, fb_arg_int (1))), ==, 0);
  g_assert_cmpint (fb_uop_compare (load (context, text), load (context, fb_arg_int (1))), ==, FB_COMPARE_REFUSED);
  g_assert_cmpint (fb_uop_compare (load (context, FB_ARG_NIL), load (context, text)), ==, FB_COMPARE_REFUSED);
  g_assert_cmpint (fb_uop_compare (load (context, fb_arg_new_tuple (context, 2, pair)),
                                   load (context, fb_arg_new_tuple (context, 2, other))),
                   ==, FB_COMPARE_REFUSED);
  g_assert_cmpint (fb_uop_compare (load (context, fb_arg_str (context, "ab", -1)), load (context, text)), >, 0);
}

/* Types order by priority, size, name, format and lanes; where nothing of that differs, neither is less. */
static void
test_order_of_dtypes (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  const FbDType *f = FB_DTYPE (FLOAT32), *pointer = fb_dtype_ptr (context, f, 8, FALSE);
  const gint64 shape[] = { 2, 2, 4 };
  const FbDType *ordered[] = { FB_DTYPE (VOID),
                               FB_DTYPE (INT8),
                               f,
                               fb_dtype_vec (context, f, 2),
                               fb_dtype_vec (context, f, 4),
                               FB_DTYPE (FLOAT64),
                               fb_dtype_image (context, TRUE, 3, shape),
                               fb_dtype_image (context, FALSE, 3, shape) };
  FbUop *a, *b;

  for (guint i = 0; i < G_N_ELEMENTS (ordered); i++)
    for (guint j = 0; j < G_N_ELEMENTS (ordered); j++)
      {
        a = fb_uop_new (context, FB_OP_LOAD, ordered[i], 0, NULL, FB_ARG_NIL);
        b = fb_uop_new (context, FB_OP_LOAD, ordered[j], 0, NULL, FB_ARG_NIL);
        g_assert_cmpint (sign (fb_uop_compare (a, b)), ==, (i > j) - (i < j));
        a = load (context, (FbArg){ .kind = FB_ARG_DTYPE, .dtype = ordered[i] });
        b = load (context, (FbArg){ .kind = FB_ARG_DTYPE, .dtype = ordered[j] });
        g_assert_cmpint (sign (fb_uop_compare (a, b)), ==, (i > j) - (i < j));
      }
  a = fb_uop_new (context, FB_OP_LOAD, f, 0, NULL, FB_ARG_NIL);
  b = fb_uop_new (context, FB_OP_LOAD, pointer, 0, NULL, FB_ARG_NIL);
  g_assert_true (a != b);
  g_assert_cmpint (fb_uop_compare (a, b), ==, 0);
  a = load (context, fb_arg_op (FB_OP_ADD));
  b = load (context, fb_arg_op (FB_OP_MUL));
  g_assert_cmpint (fb_uop_compare (a, b), <, 0);
}

static void
test_order_of_sources (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbUop *x = test_expr (context, "x"), *src[] = { x, x };
  FbUop *one = fb_uop_new (context, FB_OP_SINK, FB_DTYPE (VOID), 1, src, FB_ARG_NIL);
  FbUop *two = fb_uop_new (context, FB_OP_SINK, FB_DTYPE (VOID), 2, src, FB_ARG_NIL);

  g_assert_cmpint (fb_uop_compare (one, two), <, 0);
  g_assert_cmpint (fb_uop_compare (two, one), >, 0);
}

static void
test_order_deep (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbUop *a = test_expr (context, "x"), *b = test_expr (context, "y");

  for (guint i = 0; i < 1000000; i++)
    {
      a = fb_alu2 (context, FB_OP_MUL, a, a);
      b = fb_alu2 (context, FB_OP_MUL, b, b);
    }
  g_assert_cmpint (fb_uop_compare (a, b), <, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/bounds/expressions", test_expressions);
  g_test_add_func ("/core/bounds/other-ops", test_other_ops);
  g_test_add_func ("/core/bounds/malformed", test_malformed);
  g_test_add_func ("/core/bounds/overlay", test_overlay);
  g_test_add_func ("/core/bounds/deep", test_deep);
  g_test_add_func ("/core/bounds/too-large", test_too_large);
  g_test_add_func ("/core/order/expressions", test_order);
  g_test_add_func ("/core/order/refused", test_no_order);
  g_test_add_func ("/core/order/dtypes", test_order_of_dtypes);
  g_test_add_func ("/core/order/sources", test_order_of_sources);
  g_test_add_func ("/core/order/deep", test_order_deep);
  return g_test_run ();
}
