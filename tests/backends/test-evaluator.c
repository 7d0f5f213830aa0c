/* The unfused graph's values: every movement op by its definition, views, reduces, and what is refused. */
#include "backends/interp/evaluator.h"

#include "kernel.h"

typedef struct
{
  FbContext *c;
  GArray *none;
  FbEvaluator *e;
  FbUop *x; /* 2x3 of float, 1 to 6 */
  float data[6];
} Fixture;

static void
set_up (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  f->c = fb_context_new ();
  f->none = g_array_new (FALSE, FALSE, sizeof (FbVarVal));
  f->e = fb_evaluator_new (f->c, f->none, NULL);
  FbUop *base = buffer (f->c, 1, 6);
  for (guint i = 0; i < 6; i++)
    f->data[i] = (float) (i + 1);
  fb_evaluator_set_value (f->e, base, FB_SCALAR_FLOAT32, 6, (const guint8 *) f->data);
  f->x = fb_movement (f->c, FB_OP_RESHAPE, base, DIMS (f->c, 2, 3));
}

static void
tear_down (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  fb_evaluator_free (f->e);
  g_array_unref (f->none);
  fb_context_free (f->c);
}

static void
assert_value (Fixture *f, FbUop *node, guint n, const float *want)
{
  g_autoptr (GError) error = NULL;
  const FbGraphValue *value = fb_evaluator_get (f->e, node, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (value->type, ==, FB_SCALAR_FLOAT32);
  g_assert_cmpmem (value->data, (gsize) value->size * 4, want, n * sizeof *want);
}
#define ASSERT_VALUE(f, node, ...) \
  assert_value (f, node, sizeof ((float[]){ __VA_ARGS__ }) / sizeof (float), (const float[]){ __VA_ARGS__ })

static void
test_movement (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  FbContext *c = f->c;
  FbUop *x = f->x;
  FbUop *turned = fb_movement (c, FB_OP_PERMUTE, x, DIMS (c, 1, 0));
  ASSERT_VALUE (f, turned, 1, 4, 2, 5, 3, 6);
  ASSERT_VALUE (f, fb_movement (c, FB_OP_RESHAPE, turned, DIMS (c, 2, 1, 3)), 1, 4, 2, 5, 3, 6);
  ASSERT_VALUE (f, fb_movement (c, FB_OP_PAD, x, DIMS (c, 1, 0, 0, 1)), 0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0);
  ASSERT_VALUE (f, fb_movement (c, FB_OP_SHRINK, x, DIMS (c, 1, 2, 1, 3)), 5, 6);
  ASSERT_VALUE (f, fb_movement (c, FB_OP_FLIP, x, DIMS (c, 0, 1)), 3, 2, 1, 6, 5, 4);
  FbUop *column = fb_movement (c, FB_OP_SHRINK, x, DIMS (c, 0, 2, 0, 1));
  ASSERT_VALUE (f, fb_movement (c, FB_OP_EXPAND, column, DIMS (c, 2, 2)), 1, 1, 4, 4);
}

/* What is padded is 0 whatever is computed inside: 1 / x is not infinite there. */
static void
test_pad_of_value (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  FbUop *inverse = op1 (f->c, FB_OP_RECIP, f->x);
  FbUop *padded = fb_movement (f->c, FB_OP_PAD, inverse, DIMS (f->c, 0, 0, 1, 0));
  ASSERT_VALUE (f, padded, 0, 1, 0.5f, 1 / 3.0f, 0, 0.25f, 0.2f, 1 / 6.0f);
}

/* 6 elements padded to 8, cut in 4 rows of 2, whose order is turned: a view of a view. */
static void
test_view (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  FbContext *c = f->c;
  const FbView *views[] = {
    fb_view_create (c, DIMS (c, 8), DIMS (c, 1), fb_sint (-1), DIMS (c, 1, 7)),
    fb_view_create (c, DIMS (c, 4, 2), DIMS (c, -2, 1), fb_sint (6), NULL),
  };
  FbUop *view = fb_view (c, f->x->src[0], fb_st_new (c, 2, views));
  gint64 size;
  g_autoptr (GError) error = NULL;
  ASSERT_VALUE (f, view, 6, 0, 4, 5, 2, 3, 0, 1);
  g_autofree gint64 *elements = fb_evaluator_elements (f->e, view, &size, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (elements, (gsize) size * 8, ((gint64[]){ 5, -1, 3, 4, 1, 2, -1, 0 }), 64);
}

static void
test_reduce (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  FbContext *c = f->c;
  FbUop *sum = reduce (c, FB_OP_ADD, f->x, DIMS (c, 1));
  ASSERT_VALUE (f, sum, 6, 15);
  ASSERT_VALUE (f, reduce (c, FB_OP_MAX, f->x, DIMS (c, 0)), 4, 5, 6);
  ASSERT_VALUE (f, reduce (c, FB_OP_MUL, f->x, DIMS (c, 0, 1)), 720);
  FbUop *back = fb_movement (c, FB_OP_EXPAND, sum, DIMS (c, 2, 3));
  ASSERT_VALUE (f, fb_alu2 (c, FB_OP_ADD, f->x, back), 7, 8, 9, 19, 20, 21);
  /* nothing is the identity */
  FbUop *empty = fb_movement (c, FB_OP_SHRINK, f->x, DIMS (c, 0, 2, 1, 1));
  ASSERT_VALUE (f, reduce (c, FB_OP_MUL, empty, DIMS (c, 1)), 1, 1);
}

/* Longer than any unit, and used twice at every step: neither recursion nor doubling. */
static void
test_deep (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  FbUop *x = fb_movement (f->c, FB_OP_SHRINK, f->x, DIMS (f->c, 0, 1, 0, 1));
  for (guint i = 0; i < 100000; i++)
    x = i % 3 == 2 ? fb_alu2 (f->c, FB_OP_MAX, x, x) : op1 (f->c, FB_OP_NEG, x);
  ASSERT_VALUE (f, x, -1);
}

/* A view past the end is found when it runs, wherever it is used. */
static void
test_outside (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  FbContext *c = f->c;
  g_autoptr (GError) error = NULL;
  const FbView *view = fb_view_create (c, DIMS (c, 7), NULL, fb_sint (0), NULL);
  FbUop *node = op1 (c, FB_OP_NEG, fb_view (c, f->x->src[0], fb_st_from_view (c, view)));
  g_assert_null (fb_evaluator_get (f->e, node, NULL, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_BOUNDS);
}

static void
test_refused (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  FbContext *c = f->c;
  FbUop *pair[] = { f->x, f->x };
  FbUop *const none[] = { buffer (c, 2, 4), fb_uop_new (c, FB_OP_XOR, FB_DTYPE (FLOAT32), 2, pair, FB_ARG_NIL),
                          fb_uop_new (c, FB_OP_GEP, FB_DTYPE (FLOAT32), 1, pair, FB_ARG_NIL) };
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (fb_evaluator_get (f->e, none[i], NULL, &error));
      g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED);
    }
}

static void
test_limits (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  FbContext *c = f->c;
  const FbEvaluatorLimits limits = { .bytes = 1000, .steps = 1000 };
  g_autoptr (FbEvaluator) e = fb_evaluator_new (c, f->none, &limits);
  FbUop *x = fb_movement (c, FB_OP_RESHAPE, f->x, DIMS (c, 6, 1));
  FbUop *wide = fb_movement (c, FB_OP_EXPAND, x, DIMS (c, 6, 1000));
  fb_evaluator_set_value (e, f->x->src[0], FB_SCALAR_FLOAT32, 6, (const guint8 *) f->data);
  FbUop *const none[] = { op1 (c, FB_OP_NEG, wide), reduce (c, FB_OP_ADD, wide, DIMS (c, 1)) };
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (fb_evaluator_get (e, none[i], NULL, &error));
      g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE);
    }
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/backends/evaluator/movement", test_movement);
  ADD ("/backends/evaluator/pad-of-value", test_pad_of_value);
  ADD ("/backends/evaluator/view-of-view", test_view);
  ADD ("/backends/evaluator/reduce", test_reduce);
  ADD ("/backends/evaluator/deep", test_deep);
  ADD ("/backends/evaluator/outside", test_outside);
  ADD ("/backends/evaluator/refused", test_refused);
  ADD ("/backends/evaluator/limits", test_limits);
  return g_test_run ();
}
