#include "core/ir/context.h"
#include "core/ir/number.h"

#include <math.h>
#include <string.h>

static void
append (GString *text, FbArg a)
{
  switch (a.kind)
    {
    case FB_ARG_NONE:
      g_string_append (text, "None");
      break;
    case FB_ARG_BOOL:
      g_string_append (text, a.i ? "True" : "False");
      break;
    case FB_ARG_FLOAT:
      fb_num_append_float (text, a.f);
      break;
    case FB_ARG_TUPLE:
      g_string_append_c (text, '(');
      for (guint i = 0; i < a.tuple->n; i++)
        {
          g_string_append (text, i ? ", " : "");
          append (text, a.tuple->items[i]);
        }
      g_string_append_c (text, ')');
      break;
    default:
      fb_num_append_int (text, a);
    }
}

/* A number from Python's text for it: "3", "True", "2.5", "-inf", an integer of any size. */
static FbArg
number (FbContext *context, const char *text)
{
  FbArg value = fb_arg_int (0);
  gboolean negative = *text == '-';

  if (strcmp (text, "True") == 0 || strcmp (text, "False") == 0)
    return fb_arg_bool (*text == 'T');
  if (strcmp (text, "nan") == 0)
    return fb_arg_new_nan (context);
  if (strpbrk (text, ".einf"))
    return fb_arg_float (g_ascii_strtod (text, NULL));
  for (const char *p = text + negative; *p; p++)
    {
      value = fb_num_mul (context, value, fb_arg_int (10));
      value = fb_num_add (context, value, fb_arg_int (*p - '0'));
    }
  return negative ? fb_num_neg (context, value) : value;
}

static void
assert_number (FbContext *context, const char *what, FbArg got, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append (text, got);
  if (strcmp (text->str, expected) != 0)
    g_error ("%s is %s, not %s", what, text->str, expected);
  g_assert_true (fb_context_failed (context) == (strcmp (expected, "None") == 0));
}

#define I63 "9223372036854775808"
#define I64 "18446744073709551616"

typedef FbArg (*Operator) (FbContext *, FbArg, FbArg);

/* "None": an error. */
static void
test_arithmetic (void)
{
  static const struct
  {
    Operator op;
    const char *a, *b, *result;
  } cases[] = {
    { fb_num_add, "2", "3", "5" },
    { fb_num_add, "True", "True", "2" },
    { fb_num_add, "9223372036854775807", "1", I63 },
    { fb_num_add, I63, "-1", "9223372036854775807" },
    { fb_num_add, "1", "0.5", "1.5" },
    { fb_num_add, "9007199254740993", "0.0", "9007199254740992.0" },
    { fb_num_sub, "-9223372036854775808", "1", "-9223372036854775809" },
    { fb_num_sub, "0", "-9223372036854775808", I63 },
    { fb_num_mul, "4294967296", "4294967296", I64 },
    { fb_num_mul, I64, I64, "340282366920938463463374607431768211456" },
    { fb_num_mul, I64, "0", "0" },
    { fb_num_mul, "-0.0", "1", "-0.0" },
    { fb_num_floordiv, "-7", "2", "-4" },
    { fb_num_floordiv, "7", "-2", "-4" },
    { fb_num_floordiv, "-9223372036854775808", "-1", I63 },
    { fb_num_floordiv, "-" I64, "3", "-6148914691236517206" },
    { fb_num_floordiv, "-7.5", "2", "-4.0" },
    { fb_num_floordiv, "1.0", "0.1", "9.0" },
    { fb_num_floordiv, "1", "0", "None" },
    { fb_num_floordiv, "1", "0.0", "None" },
    { fb_num_mod, "-7", "2", "1" },
    { fb_num_mod, "7", "-2", "-1" },
    { fb_num_mod, "-9223372036854775808", "-1", "0" },
    { fb_num_mod, "-" I64, "3", "2" },
    { fb_num_mod, "-7.5", "2", "0.5" },
    { fb_num_mod, "4.0", "-2.0", "-0.0" },
    { fb_num_mod, "5", "False", "None" },
    { fb_num_shl, "1", "62", "4611686018427387904" },
    { fb_num_shl, "1", "63", I63 },
    { fb_num_shl, "-1", "63", "-9223372036854775808" },
    { fb_num_shl, "0", I64, "0" },
    { fb_num_shl, "1", "100000", "None" },
    { fb_num_shl, "1", "-1", "None" },
    { fb_num_shl, "1.0", "1", "None" },
    { fb_num_shr, "-1", "100", "-1" },
    { fb_num_shr, I64, "60", "16" },
    { fb_num_shr, "-" I64, I64, "-1" },
    { fb_num_and, "True", "True", "True" },
    { fb_num_and, "True", "3", "1" },
    { fb_num_and, "-1", I64, I64 },
    { fb_num_or, "6", "1", "7" },
    { fb_num_xor, "-1", I63, "-9223372036854775809" },
    { fb_num_xor, "1.0", "1", "None" },
    { fb_num_gcd, "-12", "18", "6" },
    { fb_num_gcd, "0", "0", "0" },
    { fb_num_gcd, "-9223372036854775808", "0", I63 },
    { fb_num_gcd, I64, "6", "2" },
    { fb_num_gcd, "1.0", "2", "None" },
    { fb_num_truediv, "1", "3", "0.3333333333333333" },
    { fb_num_truediv, "-" I64, "3", "-6.148914691236517e+18" },
    { fb_num_truediv, "9007199254740993", "1", "9007199254740992.0" },
    { fb_num_truediv, "9007199254740995", "9007199254740993", "1.0000000000000002" },
    { fb_num_truediv, "1", "0", "None" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbContext) context = fb_context_new ();
      FbArg a = number (context, cases[i].a), b = number (context, cases[i].b);
      g_autofree char *what = g_strdup_printf ("case %u (%s, %s)", i, cases[i].a, cases[i].b);

      assert_number (context, what, cases[i].op (context, a, b), cases[i].result);
    }
}

/* Quotients at the edges of a double's range: rounded once. */
static void
test_division_of_big (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbArg one = fb_arg_int (1), huge = fb_num_shl (context, one, fb_arg_int (1074));

  assert_number (context, "2**-1074", fb_num_truediv (context, one, huge), "5e-324");
  huge = fb_num_add (context, fb_num_shl (context, huge, one), one);
  assert_number (context, "less than half of that", fb_num_truediv (context, one, huge), "0.0");
  assert_number (context, "and below 0", fb_num_truediv (context, fb_arg_int (-1), huge), "-0.0");
  assert_number (context, "its logarithm", fb_num_log2 (context, huge), "1075.0");
  assert_number (context, "no digits left", fb_num_truediv (context, one, fb_num_shl (context, one, fb_arg_int (9000))),
                 "0.0");
  assert_number (context, "0/x", fb_num_floordiv (context, fb_arg_float (0), fb_arg_float (-2)), "-0.0");
  assert_number (context, "too large", fb_num_truediv (context, huge, one), "None");
}

static void
test_compare (void)
{
  static const struct
  {
    const char *a, *b;
    int order;
  } cases[] = {
    { "1", "True", 0 },
    { "0.0", "-0.0", 0 },
    { "1", "1.0", 0 },
    { "9007199254740993", "9007199254740992.0", 1 },
    { "9223372036854775807", "9223372036854775808.0", -1 },
    { I63, "9223372036854775808.0", 0 },
    { "-" I63, "-9223372036854775808.0", 0 },
    { I64, "18446744073709551616.0", 0 },
    { "18446744073709551617", "18446744073709551616.0", 1 },
    { I64, "inf", -1 },
    { "-" I64, "-inf", 1 },
    { "-1", "-0.5", -1 },
    { "-9223372036854775808", "-1e+19", 1 },
    { "3", "3.5", -1 },
    { "-3", "-3.5", 1 },
    { I64, "-" I64, 1 },
    { "1", "nan", 2 },
    { I64, "nan", 2 },
    { "nan", "nan", 2 },
  };
  g_autoptr (FbContext) context = fb_context_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FbArg a = number (context, cases[i].a), b = number (context, cases[i].b);
      int order = cases[i].order;

      g_assert_cmpint (fb_num_cmp (a, b), ==, order);
      g_assert_cmpint (fb_num_cmp (b, a), ==, order == 2 ? 2 : -order);
      g_assert_true (fb_num_equal (a, b) == (order == 0));
      if (order == 0)
        g_assert_cmpuint (fb_num_hash (a), ==, fb_num_hash (b));
      g_assert_true (fb_num_equal (a, a));
    }
}

/* min and max keep the first of equals, which shows when one is a bool. */
static void
test_min_max (void)
{
  g_assert_cmpint (fb_num_min (fb_arg_bool (TRUE), fb_arg_int (1)).kind, ==, FB_ARG_BOOL);
  g_assert_cmpint (fb_num_max (fb_arg_int (1), fb_arg_bool (TRUE)).kind, ==, FB_ARG_INT);
  g_assert_cmpint (fb_num_max (fb_arg_int (1), fb_arg_int (2)).i, ==, 2);
  g_assert_true (isnan (fb_num_max (fb_arg_float (NAN), fb_arg_int (2)).f));
  g_assert_cmpint (fb_num_max (fb_arg_int (2), fb_arg_float (NAN)).i, ==, 2);
}

static void
test_interned (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbArg a = number (context, I64), b;
  FbContext *overlay = fb_context_new_overlay (context);
  static const guint8 bytes[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0 };

  b = fb_num_mul (context, fb_arg_int (G_GINT64_CONSTANT (1) << 32), fb_arg_int (G_GINT64_CONSTANT (1) << 32));
  g_assert_true (a.big == b.big);
  g_assert_true (fb_arg_int_from_bytes (context, bytes, sizeof bytes).big == a.big);
  g_assert_true (number (overlay, I64).big == a.big);
  fb_context_free (overlay);
}

static void
test_from_bytes (void)
{
  static const struct
  {
    guint len;
    guint8 bytes[10];
    const char *value;
  } cases[] = {
    { 0, { 0 }, "0" },
    { 1, { 0xff }, "-1" },
    { 1, { 0x7f }, "127" },
    { 2, { 0xff, 0 }, "255" },
    { 2, { 0, 0x80 }, "-32768" },
    { 8, { 0, 0, 0, 0, 0, 0, 0, 0x80 }, "-9223372036854775808" },
    { 9, { 0, 0, 0, 0, 0, 0, 0, 0x80, 0 }, I63 },
    { 9, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0xff }, "-9223372036854775809" },
    { 10, { 1, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, "-18446744073709551615" },
  };
  g_autoptr (FbContext) context = fb_context_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_number (context, "bytes", fb_arg_int_from_bytes (context, cases[i].bytes, cases[i].len), cases[i].value);
}

static void
test_convert (void)
{
  static const struct
  {
    FbScalarType type;
    const char *value, *constant;
  } cases[] = {
    { FB_SCALAR_INT32, "2.75", "2" },      { FB_SCALAR_INT32, "-2.75", "-2" },
    { FB_SCALAR_INT8, "300", "300" }, /* not cut to the type */
    { FB_SCALAR_INT32, "True", "1" },      { FB_SCALAR_INT64, "1e+20", "100000000000000000000" },
    { FB_SCALAR_INT32, "nan", "None" },    { FB_SCALAR_INT32, "inf", "None" },
    { FB_SCALAR_FLOAT32, "3", "3.0" },     { FB_SCALAR_FLOAT16, I64, "1.8446744073709552e+19" },
    { FB_SCALAR_FLOAT32, "-0.0", "-0.0" }, { FB_SCALAR_BOOL, "nan", "True" },
    { FB_SCALAR_BOOL, "0.0", "False" },    { FB_SCALAR_VOID, "7", "True" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbContext) context = fb_context_new ();
      FbArg value = number (context, cases[i].value);
      assert_number (context, cases[i].value, fb_num_as_const (context, value, &fb_dtype_scalars[cases[i].type]),
                     cases[i].constant);
    }
}

static void
test_convert_tuple (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (GError) error = NULL;
  FbArg items[] = { fb_arg_float (1.5), fb_arg_bool (TRUE), fb_arg_int (3) };
  FbArg tuple = fb_arg_new_tuple (context, 3, items);

  assert_number (context, "a tuple", fb_num_as_const (context, tuple, fb_dtype_vec (context, FB_DTYPE (INT32), 3)),
                 "(1, 1, 3)");
  fb_num_as_const (context, tuple, FB_DTYPE (INT32));
  g_assert_true (fb_context_take_error (context, &error));
}

static void
test_dtype_range (void)
{
  static const struct
  {
    FbScalarType type;
    const char *min, *max;
  } cases[] = {
    { FB_SCALAR_BOOL, "False", "True" },
    { FB_SCALAR_VOID, "False", "True" },
    { FB_SCALAR_INT8, "-128", "127" },
    { FB_SCALAR_UINT16, "0", "65535" },
    { FB_SCALAR_INT64, "-" I63, "9223372036854775807" },
    { FB_SCALAR_UINT64, "0", "18446744073709551615" },
    { FB_SCALAR_FLOAT32, "-inf", "inf" },
  };
  g_autoptr (FbContext) context = fb_context_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FbDType *dtype = &fb_dtype_scalars[cases[i].type];
      assert_number (context, dtype->repr, fb_dtype_min (context, dtype), cases[i].min);
      assert_number (context, dtype->repr, fb_dtype_max (context, dtype), cases[i].max);
    }
}

static void
test_alu (void)
{
  static const struct
  {
    FbOp op;
    const char *a, *b, *c, *result;
  } cases[] = {
    { FB_OP_NEG, "3", NULL, NULL, "-3" },
    { FB_OP_SUB, "3", "5", NULL, "-2" },
    { FB_OP_MULACC, "3", "5", "1", "16" },
    { FB_OP_WHERE, "0.5", "5", "True", "5" },
    { FB_OP_WHERE, "0", "5", "True", "True" },
    { FB_OP_CMPLT, "3", "5", NULL, "True" },
    { FB_OP_CMPNE, "nan", "nan", NULL, "True" },
    { FB_OP_MAX, "True", "1", NULL, "True" },
    { FB_OP_IDIV, "-7", "2", NULL, "-3" },
    { FB_OP_IDIV, "7", "-2", NULL, "-3" },
    { FB_OP_IDIV, "7", "0", NULL, "0" },
    { FB_OP_IDIV, "7.5", "-2", NULL, "-3.0" },
    { FB_OP_MOD, "-7", "2", NULL, "-1" },
    { FB_OP_MOD, "7", "-2", NULL, "1" },
    { FB_OP_MOD, "7", "0", NULL, "None" },
    { FB_OP_MOD, "inf", "2", NULL, "None" },
    { FB_OP_RECIP, "-0.0", NULL, NULL, "-inf" },
    { FB_OP_RECIP, "0", NULL, NULL, "inf" },
    { FB_OP_RECIP, "4", NULL, NULL, "0.25" },
    { FB_OP_SQRT, "2", NULL, NULL, "1.4142135623730951" },
    { FB_OP_SQRT, "-1", NULL, NULL, "nan" },
    { FB_OP_SIN, "inf", NULL, NULL, "nan" },
    { FB_OP_SIN, "1.0", NULL, NULL, "0.8414709848078965" },
    { FB_OP_LOG2, "0", NULL, NULL, "-inf" },
    { FB_OP_LOG2, "-1", NULL, NULL, "nan" },
    { FB_OP_LOG2, I64, NULL, NULL, "64.0" },
    { FB_OP_SHR, "-5", "1", NULL, "-3" },
    { FB_OP_OR, "False", "True", NULL, "True" },
    { FB_OP_AND, "6", "3", NULL, "2" },
    { FB_OP_EXP2, "-" I64, NULL, NULL, "0.0" },
    { FB_OP_POW, "-2.0", "3.0", NULL, "-8.0" },
    { FB_OP_POW, "nan", "2", NULL, "nan" },
    { FB_OP_POW, I64, "0", NULL, "1" },
    { FB_OP_EXP2, "64", NULL, NULL, I64 },
    { FB_OP_EXP2, "-1", NULL, NULL, "0.5" },
    { FB_OP_EXP2, "1024.0", NULL, NULL, "inf" },
    { FB_OP_EXP2, "100000", NULL, NULL, "None" },
    { FB_OP_POW, "-2", "3", NULL, "-8" },
    { FB_OP_POW, "-1", I64, NULL, "1" },
    { FB_OP_POW, "2", "-2", NULL, "0.25" },
    { FB_OP_POW, "0", "-1", NULL, "inf" },
    { FB_OP_POW, "-8.0", "0.5", NULL, "nan" },
    { FB_OP_POW, "-0.0", "3.0", NULL, "-0.0" },
    { FB_OP_POW, "-inf", "3.0", NULL, "-inf" },
    { FB_OP_POW, "-inf", "-3.0", NULL, "-0.0" },
    { FB_OP_POW, "0.5", "inf", NULL, "0.0" },
    { FB_OP_POW, "1.0", "nan", NULL, "1.0" },
    { FB_OP_POW, "nan", "0.0", NULL, "1.0" },
    { FB_OP_POW, "1e+200", "2.0", NULL, "None" },
    { FB_OP_POW, "-1e+200", "2.5", NULL, "None" },
    { FB_OP_POW, "3", I64, NULL, "None" },
    { FB_OP_THREEFRY, "3", "3", NULL, "None" },
    { FB_OP_FDIV, "3", "3", NULL, "None" },
    { FB_OP_ADD, "3", "3", "3", "None" },
    { FB_OP_LOAD, "3", NULL, NULL, "None" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbContext) context = fb_context_new ();
      const char *text[] = { cases[i].a, cases[i].b, cases[i].c };
      g_autofree char *what = g_strdup_printf ("%s of %s", fb_op_name (cases[i].op), cases[i].a);
      FbArg operands[3];
      guint n = 0;

      while (n < 3 && text[n])
        {
          operands[n] = number (context, text[n]);
          n++;
        }
      assert_number (context, what, fb_num_exec_alu (context, cases[i].op, FB_DTYPE (FLOAT32), n, operands),
                     cases[i].result);
    }
}

/* Lanes are cut to the type; a scalar serves every lane. */
static void
test_alu_lanes (void)
{
  static const struct
  {
    FbScalarType type;
    FbOp op;
    const char *a, *b, *c, *result;
  } cases[] = {
    { FB_SCALAR_INT8, FB_OP_ADD, "100", "-128", "100", "(-28, -56)" },
    { FB_SCALAR_UINT8, FB_OP_MUL, "16", "-1", "17", "(240, 16)" },
    { FB_SCALAR_INT32, FB_OP_MUL, "-" I64, "1", "0", "(0, 0)" },
    { FB_SCALAR_UINT8, FB_OP_MUL, "-18446744073709551617", "1", "0", "(255, 0)" },
    { FB_SCALAR_UINT64, FB_OP_MUL, "9223372036854775807", "1", "2", "(9223372036854775807, 18446744073709551614)" },
    { FB_SCALAR_BOOL, FB_OP_ADD, "2", "-2", "0", "(False, True)" },
    { FB_SCALAR_FLOAT32, FB_OP_ADD, "0.1", "0.0", "1e+39", "(0.10000000149011612, inf)" },
    { FB_SCALAR_FLOAT16, FB_OP_ADD, "0.1", "0.0", "65520.0", "(0.0999755859375, inf)" },
    { FB_SCALAR_FLOAT16, FB_OP_MUL, "3e-08", "1.0", "2.0", "(5.960464477539063e-08, 5.960464477539063e-08)" },
    { FB_SCALAR_BFLOAT16, FB_OP_ADD, "0.1", "0.0", "1e+39", "(0.099609375, inf)" },
    { FB_SCALAR_FLOAT64, FB_OP_ADD, "0.1", "0.2", "0.0", "(0.30000000000000004, 0.1)" },
    { FB_SCALAR_INT32, FB_OP_RECIP, "2", NULL, NULL, "None" }, /* a float is no int */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbContext) context = fb_context_new ();
      const FbDType *dtype = fb_dtype_vec (context, &fb_dtype_scalars[cases[i].type], 2);
      FbArg lanes[2], operands[2] = { number (context, cases[i].a) };

      if (cases[i].b)
        {
          lanes[0] = number (context, cases[i].b);
          lanes[1] = number (context, cases[i].c);
          operands[1] = fb_arg_new_tuple (context, 2, lanes);
        }
      assert_number (context, dtype->repr, fb_num_exec_alu (context, cases[i].op, dtype, cases[i].b ? 2 : 1, operands),
                     cases[i].result);
    }
}

static void
test_alu_refuses (void)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbArg one = fb_arg_int (1), operands[4] = { one, one, one, one };
  const FbDType *dtype = fb_dtype_vec (context, FB_DTYPE (INT32), 3);

  g_assert_cmpint (fb_num_exec_alu (context, FB_OP_ADD, dtype, 4, operands).kind, ==, FB_ARG_NONE);
  operands[0] = fb_arg_new_tuple (context, 2, operands); /* a lane short */
  g_assert_cmpint (fb_num_exec_alu (context, FB_OP_ADD, dtype, 2, operands).kind, ==, FB_ARG_NONE);
  operands[0] = fb_arg_str (context, "1", -1);
  g_assert_cmpint (fb_num_exec_alu (context, FB_OP_ADD, FB_DTYPE (INT32), 2, operands).kind, ==, FB_ARG_NONE);
  g_assert_true (fb_context_failed (context));
}

static void
test_float_text (void)
{
  static const char *const texts[] = { "0.0",
                                       "-0.0",
                                       "1.0",
                                       "-1.5",
                                       "0.1",
                                       "0.0001",
                                       "1e-05",
                                       "1.5e-07",
                                       "123456789.125",
                                       "1e+16",
                                       "1.5e+16",
                                       "1e+22",
                                       "1e+23",
                                       "inf",
                                       "-inf",
                                       "5e-324",
                                       "2.2250738585072014e-308",
                                       "1.7976931348623157e+308",
                                       "5.684341886080802e-14",
                                       "9.5367431640625e-07",
                                       "1e+100",
                                       "0.3333333333333333",
                                       "2.5e-323",
                                       "9007199254740991.0",
                                       "9007199254740992.0",
                                       "1234567890123456.8",
                                       "9999999999999998.0",
                                       "4.149515568880993e+180",
                                       "9.109e-31" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      fb_num_append_float (text, g_ascii_strtod (texts[i], NULL));
      g_assert_cmpstr (text->str, ==, texts[i]);
    }
}

/* Any double reads back from its text, and no shorter text does: one digit less does not. */
static void
test_float_text_random (void)
{
  for (guint i = 0; i < 20000; i++)
    {
      guint64 bits = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
      g_autoptr (GString) text = g_string_new (NULL);
      char shorter[64], format[16];
      guint digits = 0;
      double value;

      if (i < 2048)
        value = ldexp (1, (int) i - 1074);
      else
        memcpy (&value, &bits, sizeof value);
      if (!isfinite (value))
        continue;
      fb_num_append_float (text, value);
      g_assert_true (g_ascii_strtod (text->str, NULL) == value);
      if (!strchr (text->str, 'e'))
        continue;
      for (const char *p = text->str; *p != 'e'; p++)
        digits += g_ascii_isdigit (*p);
      if (digits < 2)
        continue;
      g_snprintf (format, sizeof format, "%%.%ue", digits - 2);
      g_assert_true (g_ascii_strtod (g_ascii_formatd (shorter, sizeof shorter, format, value), NULL) != value);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/number/arithmetic", test_arithmetic);
  g_test_add_func ("/core/number/division-of-big", test_division_of_big);
  g_test_add_func ("/core/number/compare", test_compare);
  g_test_add_func ("/core/number/min-max", test_min_max);
  g_test_add_func ("/core/number/interned", test_interned);
  g_test_add_func ("/core/number/from-bytes", test_from_bytes);
  g_test_add_func ("/core/number/convert", test_convert);
  g_test_add_func ("/core/number/convert/tuple", test_convert_tuple);
  g_test_add_func ("/core/number/dtype-range", test_dtype_range);
  g_test_add_func ("/core/number/alu", test_alu);
  g_test_add_func ("/core/number/alu/lanes", test_alu_lanes);
  g_test_add_func ("/core/number/alu/refused", test_alu_refuses);
  g_test_add_func ("/core/number/float-text", test_float_text);
  g_test_add_func ("/core/number/float-text/random", test_float_text_random);
  return g_test_run ();
}
