/* Each class of difference, from kernels built for it. */
#include "core/replay/compare.h"
#include "core/replay/options.h"
#include "tests/graph-util.h"

typedef struct
{
  FbContext *c;
  FbUop *captured[64], *scheduled[64];
  guint n_captured, n_scheduled;
} Lists;

static void
set_up (Lists *lists, gconstpointer data)
{
  lists->c = fb_context_new ();
}

static void
tear_down (Lists *lists, gconstpointer data)
{
  fb_context_free (lists->c);
}

static FbUop *
argument (FbContext *c, gint64 number, gint64 size)
{
  return fb_uop_new (c, FB_OP_DEFINE_GLOBAL, fb_dtype_ptr (c, FB_DTYPE (FLOAT32), size, FALSE), 0, NULL,
                     fb_arg_int (number));
}

static FbUop *
load_shaped (FbContext *c, gint64 number, gint64 size, const FbDims *shape)
{
  FbUop *src[] = { argument (c, number, size), fb_st_to_uop (c, fb_st_from_shape (c, shape)) };
  return fb_uop_new (c, FB_OP_LOAD, FB_DTYPE (FLOAT32), 2, src, FB_ARG_NIL);
}

static FbUop *
load (FbContext *c, gint64 number, gint64 size)
{
  return load_shaped (c, number, size, DIMS (c, size));
}

static FbUop *
kernel_shaped (FbContext *c, gint64 size, const FbDims *shape, FbUop *value)
{
  FbUop *src[] = { argument (c, 0, size), fb_st_to_uop (c, fb_st_from_shape (c, shape)), value };
  return sink_of (c, fb_uop_new (c, FB_OP_STORE, FB_DTYPE (VOID), 3, src, FB_ARG_NIL));
}

static FbUop *
kernel (FbContext *c, gint64 size, FbUop *value)
{
  return kernel_shaped (c, size, DIMS (c, size), value);
}

static FbUop *
number (FbContext *c, double value)
{
  return fb_const (c, FB_DTYPE (FLOAT32), fb_arg_float (value));
}

static void
capture (Lists *lists, FbUop *ast)
{
  lists->captured[lists->n_captured++] = ast;
}

static void
schedule (Lists *lists, FbUop *ast)
{
  lists->scheduled[lists->n_scheduled++] = ast;
}

static FbComparison *
compare (Lists *lists)
{
  FbComparison *comparison
      = fb_comparison_new (lists->c, lists->n_captured, lists->captured, lists->n_scheduled, lists->scheduled);
  guint n_captured = comparison->counts[FB_REPLAY_IDENTICAL], n_scheduled = n_captured;

  /* every kernel is accounted for, once */
  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const FbReplayDifference *difference = g_ptr_array_index (comparison->differences, i);
      n_captured += difference->n_captured;
      n_scheduled += difference->n_scheduled;
      g_assert_cmpuint (difference->signature, !=, 0);
    }
  g_assert_cmpuint (n_captured, ==, lists->n_captured);
  g_assert_cmpuint (n_scheduled, ==, lists->n_scheduled);
  g_assert_true ((comparison->signature != 0) == (comparison->differences->len > 0));
  g_assert_false (fb_context_failed (lists->c));
  return comparison;
}

static const FbReplayDifference *
only_difference (const FbComparison *comparison, FbReplayClass class, guint n_identical)
{
  const FbReplayDifference *difference;

  g_assert_cmpuint (comparison->differences->len, ==, 1);
  difference = g_ptr_array_index (comparison->differences, 0);
  g_assert_cmpstr (fb_replay_class_name (difference->class), ==, fb_replay_class_name (class));
  g_assert_cmpuint (comparison->counts[class], ==, 1);
  g_assert_cmpuint (comparison->counts[FB_REPLAY_IDENTICAL], ==, n_identical);
  return difference;
}

static FbUop *
twice (FbContext *c, gint64 number_of_argument, gint64 size, double factor)
{
  return fb_alu2 (c, FB_OP_MUL, load (c, number_of_argument, size), number (c, factor));
}

static void
test_identical (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;

  for (guint i = 0; i < 2; i++)
    {
      capture (lists, kernel (c, 8, twice (c, 1, 8, 2)));
      schedule (lists, kernel (c, 8, twice (c, 1, 8, 2)));
    }
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpuint (comparison->counts[FB_REPLAY_IDENTICAL], ==, 2);
  g_assert_cmpuint (comparison->differences->len, ==, 0);
  g_assert_cmpuint (comparison->signature, ==, 0);
}

static FbUop *
add_nan (FbContext *c, FbUop *x, FbArg nan)
{
  return fb_alu2 (c, FB_OP_ADD, x, fb_const (c, FB_DTYPE (FLOAT32), nan));
}

/* Every NaN object is a node of its own, and all print the same. */
static void
test_nan (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;
  FbUop *a = kernel (c, 8, add_nan (c, load (c, 1, 8), fb_arg_new_nan (c)));
  FbUop *b = kernel (c, 8, add_nan (c, load (c, 1, 8), fb_arg_new_nan (c)));

  g_assert_true (a != b);
  capture (lists, a);
  schedule (lists, b);
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpuint (comparison->counts[FB_REPLAY_IDENTICAL], ==, 1);
}

/* One NaN used twice prints as x0:=, two do not. */
static void
test_shared_nan (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;
  FbArg nan = fb_arg_new_nan (c);
  FbUop *x = load (c, 1, 8);

  capture (lists, kernel (c, 8, fb_alu2 (c, FB_OP_MUL, add_nan (c, x, nan), fb_const (c, FB_DTYPE (FLOAT32), nan))));
  schedule (lists, kernel (c, 8, add_nan (c, x, fb_arg_new_nan (c))));
  schedule (lists, kernel (c, 8,
                           fb_alu2 (c, FB_OP_MUL, add_nan (c, x, fb_arg_new_nan (c)),
                                    fb_const (c, FB_DTYPE (FLOAT32), fb_arg_new_nan (c)))));
  g_autofree char *one = fb_uop_to_text (c, lists->captured[0]), *two = fb_uop_to_text (c, lists->scheduled[1]);
  g_assert_cmpstr (one, !=, two);
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpuint (comparison->counts[FB_REPLAY_IDENTICAL], ==, 0);
}

static void
test_renumbered (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;

  capture (lists, kernel (c, 8, fb_alu2 (c, FB_OP_MUL, op1 (c, FB_OP_EXP2, load (c, 1, 8)), load (c, 2, 8))));
  schedule (lists, kernel (c, 8, fb_alu2 (c, FB_OP_MUL, op1 (c, FB_OP_EXP2, load (c, 2, 8)), load (c, 1, 8))));
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpstr (only_difference (comparison, FB_REPLAY_RENUMBERED, 0)->detail, ==,
                   "DEFINE_GLOBAL 1 → 2; DEFINE_GLOBAL 2 → 1");
}

/* x*x and x*y are not the same under any numbering. */
static void
test_not_renumbered (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;

  capture (lists, kernel (c, 8, fb_alu2 (c, FB_OP_MUL, load (c, 1, 8), load (c, 1, 8))));
  schedule (lists, kernel (c, 8, fb_alu2 (c, FB_OP_MUL, load (c, 1, 8), load (c, 2, 8))));
  g_autoptr (FbComparison) comparison = compare (lists);
  only_difference (comparison, FB_REPLAY_REWRITTEN, 0);
}

static void
test_reordered (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;
  FbUop *asts[5];

  for (guint i = 0; i < 5; i++)
    capture (lists, asts[i] = kernel (c, 8, twice (c, 1, 8, 2.0 + i)));
  /* the fourth moved to the front: the others kept their order */
  for (guint i = 0; i < 5; i++)
    schedule (lists, asts[(const guint[]){ 3, 0, 1, 2, 4 }[i]]);
  g_autoptr (FbComparison) comparison = compare (lists);
  const FbReplayDifference *difference = only_difference (comparison, FB_REPLAY_REORDERED, 4);
  g_assert_cmpuint (difference->captured[0], ==, 3);
  g_assert_cmpuint (difference->scheduled[0], ==, 0);
}

/* Kernels that stay in order around one that went are not reordered. */
static void
test_gone (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;

  for (guint i = 0; i < 3; i++)
    {
      FbUop *ast = kernel (c, 8 + i, twice (c, 1, 8 + i, 2));
      capture (lists, ast);
      if (i != 1)
        schedule (lists, ast);
    }
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpuint (only_difference (comparison, FB_REPLAY_GONE, 2)->captured[0], ==, 1);
}

static void
test_new (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;

  capture (lists, kernel (c, 8, twice (c, 1, 8, 2)));
  schedule (lists, kernel (c, 16, op1 (c, FB_OP_SQRT, load (c, 1, 16))));
  schedule (lists, lists->captured[0]);
  g_autoptr (FbComparison) comparison = compare (lists);
  const FbReplayDifference *difference = only_difference (comparison, FB_REPLAY_NEW, 1);
  g_assert_cmpuint (difference->scheduled[0], ==, 0);
  g_assert_cmpstr (difference->detail, ==, "[SQRT]");
}

static void
test_views (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;
  FbUop *sum = reduce (c, FB_OP_ADD, load_shaped (c, 1, 24, DIMS (c, 4, 6)), DIMS (c, 1));

  capture (lists, kernel_shaped (c, 4, DIMS (c, 4, 1), sum));
  sum = reduce (c, FB_OP_ADD, load_shaped (c, 1, 24, DIMS (c, 6, 4)), DIMS (c, 0));
  schedule (lists, kernel_shaped (c, 4, DIMS (c, 1, 4), sum));
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpstr (only_difference (comparison, FB_REPLAY_VIEWS, 0)->detail, ==,
                   "VIEW (4, 1) by (1, 0) → (1, 4) by (0, 1); VIEW (4, 6) by (6, 1) → (6, 4) by (4, 1); "
                   "REDUCE_AXIS (Ops.ADD, (1,)) → (Ops.ADD, (0,))");
}

/* A VIEW in between is a view, too; and so is another size, when nothing else is like the kernel. */
static void
test_views_between (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;
  FbUop *x = load_shaped (c, 1, 24, DIMS (c, 4, 6));

  capture (lists, kernel (c, 24, op1 (c, FB_OP_SQRT, x)));
  schedule (lists,
            kernel (c, 48, op1 (c, FB_OP_SQRT, fb_view (c, load (c, 1, 48), fb_st_from_shape (c, DIMS (c, 48))))));
  g_autoptr (FbComparison) comparison = compare (lists);
  only_difference (comparison, FB_REPLAY_VIEWS, 0);
}

static void
test_constants (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;

  capture (lists, kernel (c, 8, twice (c, 1, 8, 2)));
  schedule (lists, kernel (c, 8, twice (c, 1, 8, 3)));
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpstr (only_difference (comparison, FB_REPLAY_CONSTANTS, 0)->detail, ==, "CONST 2.0 → 3.0");
}

static void
test_rewritten (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;
  FbUop *x = load (c, 1, 8);

  capture (lists, kernel (c, 8, fb_alu2 (c, FB_OP_MUL, op1 (c, FB_OP_EXP2, x), x)));
  schedule (lists, kernel (c, 8, fb_alu2 (c, FB_OP_MUL, op1 (c, FB_OP_EXP2, x), op1 (c, FB_OP_SQRT, x))));
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpstr (only_difference (comparison, FB_REPLAY_REWRITTEN, 0)->detail, ==, "[EXP2, MUL] → [EXP2, SQRT, MUL]");
}

/* sum (sqrt (x)) + 1 as one kernel, and as three */
static void
add_fused (FbContext *c, FbUop **asts)
{
  FbUop *sum = reduce (c, FB_OP_ADD, op1 (c, FB_OP_SQRT, load (c, 1, 32)), DIMS (c, 0));
  asts[0] = kernel (c, 1, fb_alu2 (c, FB_OP_ADD, sum, number (c, 1)));
}

static void
add_parts (FbContext *c, FbUop **asts)
{
  asts[0] = kernel (c, 32, op1 (c, FB_OP_SQRT, load (c, 1, 32)));
  asts[1] = kernel (c, 1, reduce (c, FB_OP_ADD, load (c, 1, 32), DIMS (c, 0)));
  asts[2] = kernel (c, 1, fb_alu2 (c, FB_OP_ADD, load (c, 1, 1), number (c, 1)));
}

static void
test_split (Lists *lists, gconstpointer data)
{
  add_fused (lists->c, lists->captured);
  add_parts (lists->c, lists->scheduled);
  lists->n_captured = 1;
  lists->n_scheduled = 3;
  g_autoptr (FbComparison) comparison = compare (lists);
  const FbReplayDifference *difference = only_difference (comparison, FB_REPLAY_SPLIT, 0);
  g_assert_cmpuint (difference->n_captured, ==, 1);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (difference->scheduled[i], ==, i);
}

static void
test_merged (Lists *lists, gconstpointer data)
{
  add_parts (lists->c, lists->captured);
  add_fused (lists->c, lists->scheduled);
  lists->n_captured = 3;
  lists->n_scheduled = 1;
  capture (lists, kernel (lists->c, 5, twice (lists->c, 1, 5, 2)));
  schedule (lists, lists->captured[3]);
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpstr (only_difference (comparison, FB_REPLAY_MERGED, 1)->detail, ==,
                   "[SQRT] + [REDUCE ADD] + [ADD] → [REDUCE ADD, SQRT, ADD]");
}

/* A value that was stored once and is now computed in both kernels that use it. */
static void
test_merged_shared (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;
  FbUop *x = load (c, 1, 32), *value = op1 (c, FB_OP_SQRT, op1 (c, FB_OP_EXP2, x));

  capture (lists, kernel (c, 32, value));
  capture (lists, kernel (c, 32, fb_alu2 (c, FB_OP_MUL, x, load (c, 2, 32))));
  capture (lists, kernel (c, 1, reduce (c, FB_OP_MAX, x, DIMS (c, 0))));
  schedule (lists, kernel (c, 32, fb_alu2 (c, FB_OP_MUL, value, load (c, 2, 32))));
  schedule (lists, kernel (c, 1, reduce (c, FB_OP_MAX, value, DIMS (c, 0))));
  g_autoptr (FbComparison) comparison = compare (lists);
  const FbReplayDifference *difference = only_difference (comparison, FB_REPLAY_MERGED, 0);
  g_assert_cmpuint (difference->n_captured, ==, 3);
  g_assert_cmpuint (difference->n_scheduled, ==, 2);
}

/* What came before a kernel is a part of it only when the kernel that replaced it does the same. */
static void
test_not_merged (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;

  capture (lists, kernel (c, 32, op1 (c, FB_OP_SIN, load (c, 1, 32))));
  capture (lists, kernel (c, 1, reduce (c, FB_OP_ADD, load (c, 1, 32), DIMS (c, 0))));
  schedule (lists, kernel (c, 1, reduce (c, FB_OP_ADD, op1 (c, FB_OP_SQRT, load (c, 1, 32)), DIMS (c, 0))));
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpuint (comparison->counts[FB_REPLAY_GONE], ==, 1);
  g_assert_cmpuint (comparison->counts[FB_REPLAY_REWRITTEN], ==, 1);
}

/* A copy is no part of a kernel that computes. */
static void
test_copy (Lists *lists, gconstpointer data)
{
  FbContext *c = lists->c;

  capture (lists, copy_to (c, "CPU:1", load (c, 1, 32), FALSE));
  capture (lists, kernel (c, 1, reduce (c, FB_OP_ADD, load (c, 1, 32), DIMS (c, 0))));
  schedule (lists, lists->captured[1]);
  g_autoptr (FbComparison) comparison = compare (lists);
  g_assert_cmpstr (only_difference (comparison, FB_REPLAY_GONE, 1)->detail, ==, "[COPY]");
}

static guint64
signature_of_constants (gint64 size, double before, double after)
{
  Lists lists = { .c = fb_context_new () };
  guint64 signature;

  capture (&lists, kernel (lists.c, size, twice (lists.c, 1, size, before)));
  schedule (&lists, kernel (lists.c, size, twice (lists.c, 1, size, after)));
  g_autoptr (FbComparison) comparison = compare (&lists);
  signature = comparison->signature;
  fb_context_free (lists.c);
  return signature;
}

/* The same change has the same signature, whatever the sizes and values; another has another. */
static void
test_signature (Lists *lists, gconstpointer data)
{
  guint64 signature = signature_of_constants (8, 2, 3);

  g_assert_cmpuint (signature_of_constants (64, 5, 7), ==, signature);
  capture (lists, kernel (lists->c, 8, fb_alu2 (lists->c, FB_OP_ADD, load (lists->c, 1, 8), number (lists->c, 2))));
  schedule (lists, kernel (lists->c, 8, fb_alu2 (lists->c, FB_OP_ADD, load (lists->c, 1, 8), number (lists->c, 3))));
  g_autoptr (FbComparison) comparison = compare (lists);
  only_difference (comparison, FB_REPLAY_CONSTANTS, 0);
  g_assert_cmpuint (comparison->signature, !=, signature);
}

static FbUop *
chain (FbContext *c, guint length, double last)
{
  FbUop *x = load (c, 1, 8);

  for (guint i = 0; i < length; i++)
    x = op1 (c, i % 2 ? FB_OP_SQRT : FB_OP_SIN, x);
  return kernel (c, 8, fb_alu2 (c, FB_OP_ADD, x, number (c, last)));
}

/* Nothing recurses on depth. */
static void
test_deep (Lists *lists, gconstpointer data)
{
  capture (lists, chain (lists->c, 1000000, 1));
  schedule (lists, chain (lists->c, 1000000, 2));
  g_autoptr (FbComparison) comparison = compare (lists);
  only_difference (comparison, FB_REPLAY_CONSTANTS, 0);
}

/* Thousands of kernels that are like each other but not the same: effort is bounded. */
static void
test_wide (Lists *lists, gconstpointer data)
{
  enum
  {
    N = 20000
  };
  FbContext *c = lists->c;
  g_autofree FbUop **captured = g_new (FbUop *, N), **scheduled = g_new (FbUop *, N);

  for (guint i = 0; i < N; i++)
    {
      FbUop *x = twice (c, 1, 8, 2.0 + i);
      captured[i] = kernel (c, 8, op1 (c, FB_OP_SQRT, x));
      scheduled[i] = kernel (c, 8, op1 (c, FB_OP_SQRT, op1 (c, FB_OP_SIN, x)));
    }
  g_autoptr (FbComparison) comparison = fb_comparison_new (c, N, captured, N, scheduled);
  g_assert_cmpuint (comparison->counts[FB_REPLAY_REWRITTEN], ==, N);
}

static void
test_class_names (void)
{
  FbReplayClass class;

  for (guint i = 0; i < FB_REPLAY_N_CLASSES; i++)
    {
      g_assert_true (fb_replay_class_from_name (fb_replay_class_name (i), &class));
      g_assert_cmpint (class, ==, i);
    }
  g_assert_true (fb_replay_class_from_name ("Views-Only", &class) && class == FB_REPLAY_VIEWS);
  g_assert_true (fb_replay_class_from_name ("constants", &class) && class == FB_REPLAY_CONSTANTS);
  g_assert_false (fb_replay_class_from_name ("", &class));
  g_assert_false (fb_replay_class_from_name ("view", &class));
  g_assert_false (fb_replay_class_from_name ("news", &class));
}

static void
test_options (void)
{
  g_autoptr (GArray) options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  g_autoptr (FbContext) c = fb_context_new ();
  const char *const bad[]
      = { "FUSE_ARANGE", "FUSE_ARANGE=", "FUSE_ARANGE=2", "FUSE_ARANGE=1x", "=1", "FUSE=1", "IMAGE=-1" };

  g_assert_true (fb_replay_options_parse (options, "FUSE_ARANGE=0", NULL));
  g_assert_true (fb_replay_options_parse (options, "REDUCEOP_SPLIT_THRESHOLD=4000000000", NULL));
  g_assert_true (fb_replay_options_parse (options, "FUSE_ARANGE=1", NULL));
  g_assert_cmpuint (options->len, ==, 2);
  fb_replay_options_apply (options, c);
  g_assert_cmpint (fb_context_options (c)->fuse_arange, ==, 1);
  g_assert_cmpint (fb_context_options (c)->split_reduceop, ==, 1);
  g_assert_cmpint (fb_context_options (c)->reduceop_split_threshold, ==, G_GINT64_CONSTANT (4000000000));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (fb_replay_options_parse (options, bad[i], &error));
      g_assert_nonnull (error);
    }
}

#define ADD(name, function) g_test_add ("/replay/compare/" name, Lists, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("identical", test_identical);
  ADD ("identical-nan", test_nan);
  ADD ("shared-nan-prints-otherwise", test_shared_nan);
  ADD ("renumbered", test_renumbered);
  ADD ("not-renumbered", test_not_renumbered);
  ADD ("reordered", test_reordered);
  ADD ("gone", test_gone);
  ADD ("new", test_new);
  ADD ("views-only", test_views);
  ADD ("views-only-between", test_views_between);
  ADD ("constants-only", test_constants);
  ADD ("rewritten", test_rewritten);
  ADD ("split", test_split);
  ADD ("merged", test_merged);
  ADD ("merged-shared", test_merged_shared);
  ADD ("not-merged", test_not_merged);
  ADD ("copy", test_copy);
  ADD ("signature", test_signature);
  ADD ("deep", test_deep);
  ADD ("wide", test_wide);
  g_test_add_func ("/replay/class-names", test_class_names);
  g_test_add_func ("/replay/options", test_options);
  return g_test_run ();
}
