/* Building reduces: which axes remain, and when a long reduce is split in two. */
#include "cases.h"

#include "core/passes/reduce.h"

#define REDUCED(c, x, ...)                                                                \
  fb_reduce (c, x, FB_OP_ADD, sizeof ((const gint64[]){ __VA_ARGS__ }) / sizeof (gint64), \
             (const gint64[]){ __VA_ARGS__ })

static void
test_axes (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = SHAPED (c, 0, 2, 1, 3);

  /* sorted, those of size 1 left out */
  g_assert_true (REDUCED (c, x, 2, 1, 0) == SUM (c, x, 0, 2));
  g_assert_true (REDUCED (c, x, 1) == x);
  g_assert_true (fb_reduce (c, x, FB_OP_ADD, 0, NULL) == x);
  g_assert_false (fb_context_failed (c));
  g_assert_null (fb_reduce (c, NULL, FB_OP_ADD, 0, NULL));
}

static void
test_no_such_axis (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;

  fb_context_options (c)->split_reduceop = 0;
  g_assert_null (REDUCED (c, SHAPED (c, 0, 2, 3), 2));
  fb_context_take_error (c, &error);
  g_assert_error (error, FB_ERROR, FB_ERROR_SHAPE);
}

/* x reduced over its first axis, @divisor of it split off to the end and reduced after */
static FbUop *
split (FbContext *c, FbUop *x, gint64 length, gint64 divisor)
{
  FbUop *turned = PERMUTE (c, RESHAPE (c, x, divisor, length / divisor), 1, 0);
  return RESHAPE (c, SUM (c, SUM (c, turned, 0), 1), 1);
}

static void
test_split (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = buffer (c, 0, 32768), *shorter = buffer (c, 1, 32767);

  g_assert_true (REDUCED (c, x, 0) == split (c, x, 32768, 256));
  g_assert_true (REDUCED (c, shorter, 0) == SUM (c, shorter, 0));
}

static void
test_options (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbOptions *options = fb_context_options (c);
  FbUop *x = buffer (c, 0, 512);

  options->reduceop_split_threshold = 512;
  g_assert_true (REDUCED (c, x, 0) == split (c, x, 512, 256));
  options->reduceop_split_size = 4; /* at most 16 outputs */
  g_assert_true (REDUCED (c, x, 0) == split (c, x, 512, 16));
  options->reduceop_split_size = 3;
  g_assert_true (REDUCED (c, x, 0) == split (c, x, 512, 8));
  options->reduceop_split_size = 2;
  g_assert_true (REDUCED (c, x, 0) == SUM (c, x, 0));
  options->reduceop_split_size = 22;
  options->split_reduceop = 0;
  g_assert_true (REDUCED (c, x, 0) == SUM (c, x, 0));
  options->split_reduceop = 1;
  options->reduceop_split_threshold = 513;
  g_assert_true (REDUCED (c, x, 0) == SUM (c, x, 0));
}

/* The largest divisor from 256 down to 8, of the first axis that has one and is not expanded. */
static void
test_divisor (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x, *expected;

  fb_context_options (c)->reduceop_split_threshold = 64;
  x = buffer (c, 0, 7 * 11 * 13);
  g_assert_true (REDUCED (c, x, 0) == split (c, x, 7 * 11 * 13, 143));
  x = buffer (c, 0, 257); /* prime */
  g_assert_true (REDUCED (c, x, 0) == SUM (c, x, 0));
  x = EXPAND (c, SHAPED (c, 0, 1, 64), 64, 64);
  expected = PERMUTE (c, RESHAPE (c, x, 64, 64, 1), 0, 2, 1);
  expected = RESHAPE (c, SUM (c, SUM (c, expected, 0), 2), 1, 1);
  g_assert_cmpint (REDUCED (c, x, 0, 1)->op, ==, FB_OP_RESHAPE);
  g_assert_true (REDUCED (c, x, 0, 1) == expected);
}

/* Neither over several devices nor of a size not known. */
static void
test_not_split (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *src[] = { buffer (c, 0, 64), buffer_on (c, "CPU:1", 1, 64, FB_DTYPE (FLOAT32)) }, *multi, *x;
  FbArg real[] = { fb_arg_bool (TRUE), fb_arg_bool (TRUE) }, arg[] = { fb_arg_int (0), FB_ARG_NIL };
  FbSint shape[] = { fb_sint_uop (bound (c, "i", 3)->src[0]), fb_sint (64) };

  fb_context_options (c)->reduceop_split_threshold = 8;
  arg[1] = fb_arg_new_tuple (c, 2, real);
  multi = fb_uop_new (c, FB_OP_MULTI, FB_DTYPE (FLOAT32), 2, src, fb_arg_new_tuple (c, 2, arg));
  g_assert_true (REDUCED (c, multi, 0) == SUM (c, multi, 0));
  x = load (c, 1, 640, fb_st_from_shape (c, fb_dims_new (c, 2, shape)));
  g_assert_true (REDUCED (c, x, 1) == SUM (c, x, 1));
  g_assert_false (fb_context_failed (c));
}

void
add_reduce_tests (void)
{
  g_test_add_func ("/passes/reduce/axes", test_axes);
  g_test_add_func ("/passes/reduce/no-such-axis", test_no_such_axis);
  g_test_add_func ("/passes/reduce/split", test_split);
  g_test_add_func ("/passes/reduce/options", test_options);
  g_test_add_func ("/passes/reduce/divisor", test_divisor);
  g_test_add_func ("/passes/reduce/not-split", test_not_split);
}
