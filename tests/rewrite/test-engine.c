/* The engine and the matcher: order of matches, order of rewriting, termination, depth. */
#include "core/rewrite/engine.h"
#include "core/rewrite/pattern-macros.h"
#include "tests/graph-util.h"

static FbUop *
keep_nothing (FbRewriter *rw, FbUop *const *m)
{
  g_ptr_array_add (rw->user, m[FB_x]);
  g_ptr_array_add (rw->user, m[FB_y]);
  return NULL;
}

static FbUop *
take_x (FbRewriter *rw, FbUop *const *m)
{
  return m[FB_x];
}

static FbUop *
take_y (FbRewriter *rw, FbUop *const *m)
{
  return m[FB_y];
}

static FbUop *
swap (FbRewriter *rw, FbUop *const *m)
{
  return fb_uop_new (rw->context, FB_OP_SUB, m[FB_x]->dtype, 2, (FbUop *[]){ m[FB_y], m[FB_x] }, FB_ARG_NIL);
}

static FbUop *
wrap (FbRewriter *rw, FbUop *const *m)
{
  return fb_alu1 (rw->context, FB_OP_NEG, m[FB_root]);
}

/* Runs one rule over x op y; returns the result. */
static FbUop *
run (FbContext *c, const FbRule *rules, guint n, FbUop *uop, gpointer user, gboolean bottom_up, FbPass **pass)
{
  FbRuleSet *set = fb_rule_set_new ("test", 1, &(FbRuleTable){ rules, n });
  FbUop *result;

  *pass = fb_pass_new ("test.py:1", "test", bottom_up, uop, set);
  result = fb_rewrite (c, uop, set, user, bottom_up, *pass);
  g_assert_true (result == (*pass)->result);
  return result;
}

static const FbRule permutations_rules[] = {
  RULE ("any-order", "", COMM (ADD, VAR (x), VAR (y)), keep_nothing, "1"),
  RULE ("in-order", "", BINARY (ADD, VAR (y), VAR (x)), keep_nothing, "2"),
};

static void
test_permutations (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GPtrArray) seen = g_ptr_array_new ();
  FbUop *a = buffer (c, 0, 4), *b = buffer (c, 1, 4), *sum = fb_alu2 (c, FB_OP_ADD, a, b);
  FbPass *pass;
  FbUop *expected[] = { a, b, b, a, b, a };

  g_assert_true (run (c, permutations_rules, 2, sum, seen, FALSE, &pass) == sum);
  g_assert_cmpuint (seen->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < seen->len; i++)
    g_assert_true (g_ptr_array_index (seen, i) == expected[i]);
  g_assert_cmpuint (pass->tries[0], ==, 1);
  g_assert_cmpuint (pass->matches->len, ==, 0);
  fb_pass_free (pass);
}

static const FbRule nested_permutations_rules[] = {
  RULE ("x+(x*y) -> y", "", COMM (ADD, VAR (x), COMM (MUL, VAR (x), VAR (y))), take_y, "1"),
};

static void
test_nested_permutations (void)
{
  /* x is met twice: only the order that binds it to one node matches */
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = buffer (c, 0, 4), *b = buffer (c, 1, 4);
  FbUop *left = fb_alu2 (c, FB_OP_ADD, fb_alu2 (c, FB_OP_MUL, b, a), a);
  FbUop *other = fb_alu2 (c, FB_OP_ADD, fb_alu2 (c, FB_OP_MUL, b, b), a);
  FbPass *pass;

  g_assert_true (run (c, nested_permutations_rules, 1, left, NULL, FALSE, &pass) == b);
  g_assert_cmpuint (pass->matches->len, ==, 1);
  fb_pass_free (pass);
  g_assert_true (run (c, nested_permutations_rules, 1, other, NULL, FALSE, &pass) == other);
  fb_pass_free (pass);
}

static const FbRule early_reject_rules[] = {
  RULE ("x+0 -> x", "", COMM (ADD, VAR (x), INT (0)), take_x, "1"),
};

static void
test_early_reject (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_const_int (c, FB_DTYPE (INT32), 3),
        *var = fb_variable (c, "i", fb_arg_int (0), fb_arg_int (9), FB_DTYPE (INT32));
  FbUop *sum = fb_alu2 (c, FB_OP_ADD, fb_alu2 (c, FB_OP_ADD, var, var), fb_alu2 (c, FB_OP_ADD, var, x));
  FbPass *pass;

  g_assert_true (run (c, early_reject_rules, 1, sum, NULL, FALSE, &pass) == sum);
  /* only var+3 has a constant among its sources */
  g_assert_cmpuint (pass->tries[0], ==, 1);
  g_assert_cmpuint (pass->fired[0], ==, 0);
  fb_pass_free (pass);
}

static const FbRule python_equality_of_args_rules[] = {
  RULE ("x*1 -> x", "", COMM (MUL, VAR (x), INT (1)), take_x, "1"),
};

static void
test_python_equality_of_args (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_variable (c, "f", fb_arg_float (0), fb_arg_float (9), FB_DTYPE (FLOAT32));
  FbUop *one = fb_const (c, FB_DTYPE (FLOAT32), fb_arg_float (1.0));
  FbPass *pass;

  g_assert_true (run (c, python_equality_of_args_rules, 1, fb_alu2 (c, FB_OP_MUL, one, x), NULL, FALSE, &pass) == x);
  fb_pass_free (pass);
}

static const FbRule dtype_and_repeat_rules[] = {
  RULE ("ints", "", OP (SINK, ALL_SRC (VAR_T (x, FB_DT_INTS))), take_x, "1"),
};

static void
test_dtype_and_repeat (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *i = fb_const_int (c, FB_DTYPE (INT32), 3), *f = fb_const (c, FB_DTYPE (FLOAT32), fb_arg_float (1));
  FbUop *same[] = { i, i, i }, *mixed[] = { i, f };
  FbPass *pass;
  FbUop *sink = fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), 2, mixed, FB_ARG_NIL);

  g_assert_true (run (c, dtype_and_repeat_rules, 1, sink, NULL, FALSE, &pass) == sink);
  fb_pass_free (pass);
  sink = fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), 3, same, FB_ARG_NIL);
  g_assert_true (run (c, dtype_and_repeat_rules, 1, sink, NULL, FALSE, &pass) == i);
  fb_pass_free (pass);
}

static const FbRule top_down_order_rules[] = {
  RULE ("x+0 -> x", "", COMM (ADD, VAR (x), INT (0)), take_x, "1"),
  RULE ("x-x -> x", "", TWICE (SUB, VAR (x)), take_x, "2"),
};

static void
test_top_down_order (void)
{
  /* sources are rewritten first, then the rebuilt node is matched */
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_variable (c, "i", fb_arg_int (0), fb_arg_int (9), FB_DTYPE (INT32));
  FbUop *plus = fb_add_int (c, x, 0), *root = fb_alu2 (c, FB_OP_SUB, plus, x);
  FbPass *pass;

  g_assert_true (run (c, top_down_order_rules, 2, root, NULL, FALSE, &pass) == x);
  g_assert_cmpuint (pass->matches->len, ==, 2);
  g_assert_true (fb_pass_match (pass, 0)->before == plus);
  g_assert_true (fb_pass_match (pass, 1)->before == fb_alu2 (c, FB_OP_SUB, x, x));
  fb_pass_free (pass);
}

static const FbRule bottom_up_order_rules[] = {
  RULE ("-x -> x", "", OP (NEG, SRC (VAR (x))), take_x, "1"),
};

static void
test_bottom_up_order (void)
{
  /* the node itself first, to a fixpoint; what it became has its sources rewritten after */
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *inner = fb_alu1 (c, FB_OP_NEG, b), *outer = fb_alu1 (c, FB_OP_NEG, inner);
  FbPass *pass;

  g_assert_true (run (c, bottom_up_order_rules, 1, outer, NULL, TRUE, &pass) == b);
  g_assert_cmpuint (pass->matches->len, ==, 2);
  g_assert_true (fb_pass_match (pass, 0)->before == outer);
  g_assert_true (fb_pass_match (pass, 1)->before == inner);
  fb_pass_free (pass);
}

static void
expect_divergence (const FbRule *rules, gboolean bottom_up)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  FbUop *root
      = fb_uop_new (c, FB_OP_SUB, FB_DTYPE (FLOAT32), 2, (FbUop *[]){ buffer (c, 0, 4), buffer (c, 1, 4) }, FB_ARG_NIL);
  FbPass *pass;

  g_assert_null (run (c, rules, 1, root, NULL, bottom_up, &pass));
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_DIVERGES);
  g_assert_nonnull (strstr (error->message, rules[0].name));
  fb_pass_free (pass);
}

static const FbRule divergence_back_and_forth[]
    = { RULE ("x-y -> y-x", "", BINARY (SUB, VAR (x), VAR (y)), swap, "1") };

static const FbRule divergence_growing[]
    = { RULE ("x -> -x", "", OPS (FB_OP_BIT (SUB) | FB_OP_BIT (NEG), NAMED (root)), wrap, "1") };

static void
test_divergence (void)
{

  expect_divergence (divergence_back_and_forth, FALSE);
  expect_divergence (divergence_back_and_forth, TRUE);
  expect_divergence (divergence_growing, FALSE);
  expect_divergence (divergence_growing, TRUE);
}

/* 1/x -> a chain of *user NEG over sqrt(x), all of them new nodes. */
static FbUop *
to_chain (FbRewriter *rw, FbUop *const *m)
{
  FbUop *uop = fb_alu1 (rw->context, FB_OP_SQRT, m[FB_x]);

  for (guint i = 0; i < *(const guint *) rw->user; i++)
    uop = fb_alu1 (rw->context, FB_OP_NEG, uop);
  return uop;
}

static const FbRule deep_replacement_rules[] = {
  RULE ("1/x -> -...-sqrt(x)", "", OP (RECIP, SRC (VAR (x))), to_chain, "1"),
  RULE ("sqrt(x) -> x", "", OP (SQRT, SRC (VAR (x))), take_x, "2"),
};

/* What a rule makes is rewritten in turn, however deep it is: first what it stands on, then what stands on that. */
static void
test_deep_replacement (void)
{
  const guint lengths[] = { 1, 15, 16, 17, 500 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      guint length = lengths[i];
      FbUop *x = buffer (c, 0, 4), *inverse = fb_alu1 (c, FB_OP_RECIP, x), *root = fb_alu1 (c, FB_OP_EXP2, inverse);
      FbUop *chain = x, *result;
      FbPass *pass;

      result = run (c, deep_replacement_rules, 2, root, &length, FALSE, &pass);
      for (guint k = 0; k < length; k++)
        chain = fb_alu1 (c, FB_OP_NEG, chain);
      g_assert_true (result == fb_alu1 (c, FB_OP_EXP2, chain));
      g_assert_cmpuint (pass->matches->len, ==, 2);
      g_assert_true (fb_pass_match (pass, 0)->before == inverse);
      g_assert_cmpuint (fb_pass_match (pass, 0)->end_new - fb_pass_match (pass, 0)->first_new, ==, length + 1);
      g_assert_true (fb_pass_match (pass, 1)->after == x);
      g_assert_cmpuint (pass->tries[1], ==, 1);
      /* the same without a trace, where the whole graph is gone into like that */
      g_assert_true (fb_rewrite (c, root, pass->rules, &length, FALSE, NULL) == result);
      fb_pass_free (pass);
    }
}

static void
test_substitute (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = buffer (c, 0, 4), *b = buffer (c, 1, 4);
  FbUop *root = fb_alu2 (c, FB_OP_ADD, fb_alu1 (c, FB_OP_NEG, a), a);

  g_assert_true (fb_substitute (c, root, 1, &a, &b) == fb_alu2 (c, FB_OP_ADD, fb_alu1 (c, FB_OP_NEG, b), b));
  g_assert_true (fb_substitute (c, root, 1, &b, &a) == root);
}

static const FbRule deep_rules[] = {
  RULE ("x*1 -> x", "", COMM (MUL, VAR (x), INT (1)), take_x, "1"),
};

static void
test_deep (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_variable (c, "i", fb_arg_int (0), fb_arg_int (9), FB_DTYPE (INT32)), *root = x;
  FbPass *pass;

  for (int i = 0; i < 500000; i++)
    root = fb_alu1 (c, FB_OP_NEG, fb_mul_int (c, root, 1));
  root = run (c, deep_rules, 1, root, NULL, FALSE, &pass);
  g_assert_nonnull (root);
  g_assert_cmpuint (pass->matches->len, ==, 500000);
  g_assert_true (pass->result->src[0]->op == FB_OP_NEG);
  fb_pass_free (pass);
}

static const struct
{
  const FbPattern *pattern;
  const char *text;
} pattern_texts[] = {
  { COMM (ADD, VAR (x), INT (0)), "ADD[x, 0]" },
  { OPS (FB_OPS_MOVEMENT, NAMED (mov), SRC (VAR (x))), "MOVEMENT(x) as mov" },
  { LT (VAR_T (x, FB_DT_INTS), CVAR (c)), "CMPLT(x: ints, VCONST|CONST as c): bool" },
  { OPS (FB_OPS_ALL & ~FB_OP_BIT (SINK), NAMED (root)), "ANY BUT SINK as root" },
};

static void
test_pattern_text (void)
{

  for (guint i = 0; i < G_N_ELEMENTS (pattern_texts); i++)
    {
      g_autofree char *text = fb_pattern_to_text (pattern_texts[i].pattern);
      g_assert_cmpstr (text, ==, pattern_texts[i].text);
    }
}

/* Long enough for any clock, and for what else a machine does. */
static FbUop *
dawdle (FbRewriter *rw, FbUop *const *m)
{
  g_usleep (20000);
  return m[FB_y];
}

static const FbRule measured_rules[] = {
  RULE ("x*y: never", "", BINARY (MUL, VAR (x), VAR (y)), take_x, "1"),
  RULE ("x+y: nothing", "", BINARY (ADD, VAR (x), VAR (y)), keep_nothing, "2"),
  RULE ("x+y -> y, slowly", "", BINARY (ADD, VAR (x), VAR (y)), dawdle, "3"),
};

/* A pass that is measured does the same; what a try took is in its match, or with what its rule missed. */
static void
test_measured (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GPtrArray) seen = g_ptr_array_new ();
  FbUop *a = buffer (c, 0, 4), *b = buffer (c, 1, 4), *sum = fb_alu2 (c, FB_OP_ADD, a, b);
  FbRuleSet *set = fb_rule_set_new ("measured", 1, &(FbRuleTable){ measured_rules, G_N_ELEMENTS (measured_rules) });
  FbPass *pass = fb_pass_new ("test.py:1", "test", FALSE, sum, set);
  const FbPassTicks *ticks;
  guint64 slow;

  g_assert_null (pass->ticks);
  fb_pass_measure (pass);
  g_assert_true (fb_rewrite (c, sum, set, seen, FALSE, pass) == b);
  ticks = pass->ticks;
  g_assert_cmpuint (ticks->matches->len, ==, pass->matches->len);
  g_assert_cmpuint (ticks->matches->len, ==, 1);
  slow = g_array_index (ticks->matches, guint64, 0);
  g_assert_cmpuint (slow, >, ticks->missed[1]);
  g_assert_cmpuint (ticks->whole, >=, slow + ticks->missed[1]);
  g_assert_cmpuint (ticks->missed[0] + ticks->missed[2], ==, 0);
  g_assert_cmpuint (pass->tries[0], ==, 0);
  /* one before the first try, one after each */
  g_assert_cmpuint (ticks->n_reads, ==, 3);
  fb_pass_free (pass);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/engine/permutations", test_permutations);
  g_test_add_func ("/core/engine/nested-permutations", test_nested_permutations);
  g_test_add_func ("/core/engine/early-reject", test_early_reject);
  g_test_add_func ("/core/engine/python-equality-of-args", test_python_equality_of_args);
  g_test_add_func ("/core/engine/dtype-and-repeat", test_dtype_and_repeat);
  g_test_add_func ("/core/engine/top-down-order", test_top_down_order);
  g_test_add_func ("/core/engine/bottom-up-order", test_bottom_up_order);
  g_test_add_func ("/core/engine/divergence", test_divergence);
  g_test_add_func ("/core/engine/deep-replacement", test_deep_replacement);
  g_test_add_func ("/core/engine/substitute", test_substitute);
  g_test_add_func ("/core/engine/deep", test_deep);
  g_test_add_func ("/core/engine/pattern-text", test_pattern_text);
  g_test_add_func ("/core/engine/measured", test_measured);
  return g_test_run ();
}
