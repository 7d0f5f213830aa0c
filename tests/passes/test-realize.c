/* What gets a buffer whatever happens: the rules of the realize pass, on graphs that are simplified already. */
#include "cases.h"

/* The realize pass over @sink; the grouper holds what it decided. */
static FbGrouper *
decide (FbContext *c, FbUop *sink)
{
  FbGrouper *grouper = fb_grouper_new (c);
  FbPass *pass = fb_pass_new ("schedule.py:139", "realize", FALSE, sink, fb_realize_pass_rules ());

  g_assert_true (fb_realize_pass_run (grouper, sink, pass));
  g_assert_false (fb_context_failed (c));
  g_assert_true (pass->result == sink);
  g_assert_cmpuint (pass->matches->len, ==, 0);
  cover (pass);
  fb_pass_free (pass);
  return grouper;
}

/* Exactly these are realized, in this order. */
static void
assert_realized (FbContext *c, FbUop *sink, guint n, FbUop *const *expected)
{
  g_autoptr (FbGrouper) grouper = decide (c, sink);
  guint at = 0;

  for (guint i = 0; i < n; i++)
    g_assert_true (fb_uop_dict_next (grouper->realizes, &at) == expected[i]);
  g_assert_null (fb_uop_dict_next (grouper->realizes, &at));
}
#define REALIZED(c, sink, ...) \
  assert_realized (c, sink, sizeof ((FbUop *[]){ __VA_ARGS__ }) / sizeof (FbUop *), (FbUop *[]){ __VA_ARGS__ })

static FbUop *
view_by (FbContext *c, FbUop *x, FbOp op, const FbDims *arg)
{
  return fb_view (c, x, fb_st_movement (c, fb_uop_st (c, x), op, arg));
}

static void
test_outputs (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *sine = fb_alu1 (c, FB_OP_SIN, b), *root = fb_alu1 (c, FB_OP_SQRT, b);
  FbUop *one = const_of_shape (c, 1, NO_DIMS (c)), *shown = fb_view (c, sine, SHAPE (c, 2, 2));

  REALIZED (c, SINK (c, b, root, one, bound (c, "i", 3), fb_view (c, b, SHAPE (c, 2, 2)), shown), root, sine);
  assert_realized (c, SINK (c, b, one), 0, NULL);
}

static void
test_always (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sine = fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)), *contiguous = op1 (c, FB_OP_CONTIGUOUS, sine);
  FbUop *copy = copy_to (c, "CPU:1", contiguous, FALSE);
  FbUop *assign = assign_to (c, buffer_on (c, "CPU:1", 1, 4, FB_DTYPE (FLOAT32)), copy);
  FbUop *disk = op1 (c, FB_OP_BUFFER_VIEW, buffer_on (c, "DISK:x", 2, 4, FB_DTYPE (FLOAT32)));
  FbUop *out = fb_alu1 (c, FB_OP_SQRT, assign);

  REALIZED (c, SINK (c, out, op1 (c, FB_OP_SIN, disk)), contiguous, copy, assign, disk, out, op1 (c, FB_OP_SIN, disk));
}

/* Only what is read by an expansion, not what is read plainly, nor a buffer or a constant. */
static void
test_before_expand (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = fb_view (c, buffer (c, 0, 4), SHAPE (c, 4, 1)), *root = fb_alu1 (c, FB_OP_SQRT, b);
  FbUop *wide = fb_alu1 (c, FB_OP_SIN, view_by (c, root, FB_OP_EXPAND, DIMS (c, 4, 3)));
  FbUop *of_buffer = fb_alu1 (c, FB_OP_SIN, view_by (c, b, FB_OP_EXPAND, DIMS (c, 4, 3)));
  FbUop *turned = fb_alu1 (c, FB_OP_SIN, view_by (c, root, FB_OP_PERMUTE, DIMS (c, 1, 0)));
  FbUop *part = fb_alu1 (c, FB_OP_SIN, view_by (c, root, FB_OP_SHRINK, DIMS (c, 1, 3, 0, 1)));
  FbUop *one = const_of_shape (c, 1, DIMS (c, 4, 1)), *wide_one;

  one = one->src[0]->src[0];
  wide_one = fb_alu1 (c, FB_OP_SIN, fb_view (c, one, SHAPE (c, 4, 3)));
  REALIZED (c, SINK (c, wide), root, wide);
  REALIZED (c, SINK (c, of_buffer), of_buffer);
  REALIZED (c, SINK (c, turned, part), turned, part);
  REALIZED (c, SINK (c, wide_one), wide_one);
  fb_context_options (c)->dont_realize_expand = 1;
  REALIZED (c, SINK (c, wide), wide);
}

/* A pad shows zeros, so what does not keep 0 at 0 is computed before. */
static void
test_unsafe_pad (void)
{
  static const FbOp unsafe[] = { FB_OP_RECIP, FB_OP_LOG2, FB_OP_EXP2, FB_OP_IDIV, FB_OP_POW };
  static const FbOp safe[] = { FB_OP_SIN, FB_OP_SQRT, FB_OP_ADD, FB_OP_MUL, FB_OP_MAX };
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = buffer (c, 0, 4), *b = buffer (c, 1, 4);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (safe); i++)
    {
      FbOp op = i < G_N_ELEMENTS (safe) ? safe[i] : unsafe[i - G_N_ELEMENTS (safe)];
      FbUop *x = fb_op_in (op, FB_OPS_UNARY) ? fb_alu1 (c, op, a) : fb_alu2 (c, op, a, b);
      FbUop *out = fb_alu1 (c, FB_OP_SIN, view_by (c, x, FB_OP_PAD, DIMS (c, 1, 2)));

      if (i < G_N_ELEMENTS (safe))
        REALIZED (c, SINK (c, out), out);
      else
        REALIZED (c, SINK (c, out), x, out);
    }
}

/* The search for what is unsafe goes through views and all sources, and ends at what is realized. */
static void
test_unsafe_pad_search (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *power = fb_alu1 (c, FB_OP_EXP2, b), *kept = op1 (c, FB_OP_CONTIGUOUS, power);
  FbUop *below = fb_alu2 (c, FB_OP_ADD, fb_alu1 (c, FB_OP_SIN, b), view_by (c, power, FB_OP_FLIP, DIMS (c, 1)));
  FbUop *cut_off = fb_alu2 (c, FB_OP_ADD, fb_alu1 (c, FB_OP_SIN, b), kept);
  FbUop *out;

  out = fb_alu1 (c, FB_OP_SIN, view_by (c, below, FB_OP_PAD, DIMS (c, 1, 0)));
  REALIZED (c, SINK (c, out), below, out);
  out = fb_alu1 (c, FB_OP_SIN, view_by (c, cut_off, FB_OP_PAD, DIMS (c, 1, 0)));
  REALIZED (c, SINK (c, out), kept, out);
  /* being realized is no excuse for the very op that is unsafe */
  out = fb_alu1 (c, FB_OP_SIN, view_by (c, power, FB_OP_PAD, DIMS (c, 1, 0)));
  REALIZED (c, SINK (c, power, out), power, out);
}

/* Asked about a node that is realized itself, there is nothing to be unsafe. */
static void
test_unsafe_pad_realized (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *power = fb_alu1 (c, FB_OP_EXP2, buffer (c, 0, 4)), *sine = fb_alu1 (c, FB_OP_SIN, power);
  g_autoptr (FbGrouper) grouper = fb_grouper_new (c);

  g_assert_true (fb_grouper_unsafe_pad (grouper, sine));
  fb_uop_dict_set (grouper->realizes, sine, sine);
  g_assert_false (fb_grouper_unsafe_pad (grouper, sine));
}

/* A padded view that also expands is one that expands. */
static void
test_pad_of_expand (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *root = fb_alu1 (c, FB_OP_SQRT, fb_view (c, buffer (c, 0, 4), SHAPE (c, 4, 1))), *out;
  const FbShapeTracker *st = fb_st_expand (c, fb_uop_st (c, root), DIMS (c, 4, 3));

  st = fb_st_pad (c, st, DIMS (c, 0, 0, 0, 2));
  g_assert_cmpuint (st->n, ==, 1);
  out = fb_alu1 (c, FB_OP_SIN, fb_view (c, root, st));
  REALIZED (c, SINK (c, out), root, out);
}

/* Views of several steps are looked at for a mask in any of them. */
static void
test_masked_views (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = fb_view (c, buffer (c, 0, 12), SHAPE (c, 3, 4)), *root = fb_alu1 (c, FB_OP_SQRT, b);
  FbUop *power = fb_alu1 (c, FB_OP_EXP2, b), *out;
  const FbShapeTracker *st = fb_uop_st (c, root);

  /* padded and flattened across the padding, then cut back to fewer elements than there were */
  st = fb_st_reshape (c, fb_st_pad (c, fb_st_permute (c, st, DIMS (c, 1, 0)), DIMS (c, 1, 1, 0, 0)), DIMS (c, 18));
  st = fb_st_shrink (c, st, DIMS (c, 1, 11));
  g_assert_cmpuint (st->n, ==, 2);
  out = fb_alu1 (c, FB_OP_SIN, fb_view (c, root, st));
  REALIZED (c, SINK (c, out), out);
  out = fb_alu1 (c, FB_OP_SIN, fb_view (c, power, st));
  REALIZED (c, SINK (c, out), power, out);
  /* no mask at all: nothing to be unsafe */
  st = fb_st_reshape (c, fb_st_permute (c, fb_uop_st (c, root), DIMS (c, 1, 0)), DIMS (c, 12));
  out = fb_alu1 (c, FB_OP_SIN, fb_view (c, power, st));
  REALIZED (c, SINK (c, out), out);
}

static void
test_before_copy (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sine = fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)), *copy = copy_to (c, "CPU:1", sine, FALSE);
  FbUop *of_buffer = copy_to (c, "CPU:1", buffer (c, 0, 4), FALSE);
  FbUop *of_view = copy_to (c, "CPU:1", fb_view (c, sine, SHAPE (c, 2, 2)), FALSE);

  REALIZED (c, SINK (c, copy), copy, sine);
  REALIZED (c, SINK (c, of_buffer), of_buffer);
  REALIZED (c, SINK (c, of_view), of_view);
}

/* Users of a reduce, and of what is computed from it, in the order met, each once, whatever the view they read it through. */
static void
test_users (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = fb_view (c, buffer (c, 0, 8), SHAPE (c, 2, 2, 2)), *sum = SUM (c, b, 2);
  FbUop *turned = view_by (c, sum, FB_OP_PERMUTE, DIMS (c, 1, 0, 2)), *root = fb_alu1 (c, FB_OP_SQRT, sum);
  FbUop *both = fb_alu2 (c, FB_OP_ADD, sum, turned), *target = fb_view (c, buffer (c, 1, 4), SHAPE (c, 2, 2, 1));
  FbUop *assign = assign_to (c, target, both);
  g_autoptr (FbGrouper) grouper = decide (c, SINK (c, root, assign));
  const FbUsers *users = fb_grouper_users (grouper, sum);

  g_assert_cmpuint (users->n, ==, 2);
  g_assert_true (users->users[0] == root);
  g_assert_true (users->users[1] == both);
  g_assert_cmpuint (fb_grouper_users (grouper, root)->n, ==, 0);
  g_assert_cmpuint (fb_grouper_users (grouper, both)->n, ==, 1);
  g_assert_true (fb_grouper_users (grouper, both)->users[0] == assign);
}

/* Many users of one node. */
static void
test_many_users (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sum = SUM (c, fb_view (c, buffer (c, 0, 8), SHAPE (c, 4, 2)), 1), *all[100];
  g_autoptr (FbGrouper) grouper = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    all[i] = fb_alu2 (c, FB_OP_MUL, sum, fb_view (c, buffer (c, 1 + i, 4), SHAPE (c, 4, 1)));
  grouper = decide (c, fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), G_N_ELEMENTS (all), all, FB_ARG_NIL));
  g_assert_cmpuint (fb_grouper_users (grouper, sum)->n, ==, G_N_ELEMENTS (all));
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_assert_true (fb_grouper_users (grouper, sum)->users[i] == all[i]);
}

void
add_realize_tests (void)
{
  g_test_add_func ("/passes/realize/outputs", test_outputs);
  g_test_add_func ("/passes/realize/always", test_always);
  g_test_add_func ("/passes/realize/before-expand", test_before_expand);
  g_test_add_func ("/passes/realize/unsafe-pad", test_unsafe_pad);
  g_test_add_func ("/passes/realize/unsafe-pad-search", test_unsafe_pad_search);
  g_test_add_func ("/passes/realize/unsafe-pad-realized", test_unsafe_pad_realized);
  g_test_add_func ("/passes/realize/pad-of-expand", test_pad_of_expand);
  g_test_add_func ("/passes/realize/masked-views", test_masked_views);
  g_test_add_func ("/passes/realize/before-copy", test_before_copy);
  g_test_add_func ("/passes/realize/users", test_users);
  g_test_add_func ("/passes/realize/many-users", test_many_users);
}
