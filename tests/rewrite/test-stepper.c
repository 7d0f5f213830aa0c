/* The stepper gives exactly what substituting from the start gives: graphs, marks, order; forwards, backwards, anywhere. */
#include "core/capture/capture.h"
#include "core/ir/text.h"
#include "core/rewrite/stepper.h"
#include "core/schedule.h"
#include "linear-step.h"
#include "tests/graph-util.h"

/* A node of two contexts over one parent: the same key. */
static void
assert_same_node (const FbStep *a, FbUop *x, const FbStep *b, FbUop *y)
{
  if (x == y)
    return;
  g_assert_true (x && y);
  g_assert_cmpmem (fb_uop_key (a->context, x), 32, fb_uop_key (b->context, y), 32);
}

static void
assert_same_step (const FbStep *a, const FbStep *b)
{
  g_assert_cmpuint (a->nodes->len, ==, b->nodes->len);
  for (guint i = 0; i < a->nodes->len; i++)
    {
      const FbStepNode *x = &g_array_index (a->nodes, FbStepNode, i), *y = &g_array_index (b->nodes, FbStepNode, i);

      g_assert_cmpuint (x->mark, ==, y->mark);
      assert_same_node (a, x->node, b, y->node);
      assert_same_node (a, x->was, b, y->was);
    }
  for (guint mark = 0; mark < G_N_ELEMENTS (a->n_marks); mark++)
    g_assert_cmpuint (a->n_marks[mark], ==, b->n_marks[mark]);
  g_assert_true (a->rule == b->rule);
  g_assert_cmpuint (a->step, ==, b->step);
  assert_same_node (a, a->before, b, b->before);
  assert_same_node (a, a->after, b, b->after);
  assert_same_node (a, a->after_sink, b, b->after_sink);
  assert_same_node (a, a->before_sink, b, b->before_sink);
}

static void
check_step (FbContext *context, FbStepper *stepper, guint number)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStep) step = fb_stepper_step (stepper, number, &error);
  FbStep *linear = linear_step_new (context, fb_stepper_pass (stepper), number);

  g_assert_no_error (error);
  assert_same_step (step, linear);
  linear_step_free (linear);
}

/* In order, then back, then here and there. A pass of many steps: every @stride-th is compared. */
static guint
check_pass (FbContext *context, FbStepper *stepper, guint stride, GRand *rand)
{
  const FbPass *pass = fb_stepper_pass (stepper);
  guint n = pass->matches->len, checked = 0;

  for (guint s = 0; s <= n; s++)
    if (s % stride == 0 || s == n || n < 20)
      {
        check_step (context, stepper, s);
        checked++;
      }
    else
      {
        g_autoptr (FbStep) step = fb_stepper_step (stepper, s, NULL);
        g_assert_nonnull (step);
      }
  for (guint i = 0; i < MIN (n, 4); i++)
    check_step (context, stepper, n - i);
  for (guint i = 0; i < MIN (n, 6); i++)
    check_step (context, stepper, g_rand_int_range (rand, 0, n + 1));
  return checked;
}

static guint
check_row (FbCapture *capture, guint number, guint most, GRand *rand)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, number, c, &error);
  g_autoptr (FbSchedule) schedule = NULL;
  g_autoptr (FbStepper) stepper = NULL;
  guint checked = 0;

  g_assert_no_error (error);
  schedule = fb_schedule_new (c, row->sink, NULL);
  for (guint p = 0; p < schedule->passes->len; p++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, p);

      /* one stepper goes from pass to pass; now and then a new one */
      if (p % 7 == 3)
        g_clear_pointer (&stepper, fb_stepper_free);
      if (stepper)
        fb_stepper_set_pass (stepper, pass);
      else
        stepper = fb_stepper_new (c, pass);
      checked += check_pass (c, stepper, 1 + pass->matches->len / most, rand);
    }
  return checked;
}

static void
test_samples (void)
{
  static const char *const names[]
      = { "attention.db", "convnet_train.db", "in_place.db", "kv_cache.db",  "mlp_train.db",
          "embedding.db", "views.db",         "lerp.db",     "pad_unsafe.db" };
  const char *samples = g_getenv ("FUSEBOX_SAMPLES");
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint checked = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *path = g_build_filename (samples ? samples : "data/samples", names[i], NULL);
      g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);

      g_assert_no_error (error);
      checked += check_row (capture, 1, 60, rand);
    }
  g_test_message ("%u steps compared", checked);
  g_assert_cmpuint (checked, >, 500);
}

static void
test_corpus (void)
{
  static const char *const names[]
      = { "cpu.test_ops.db",       "cpu.test_schedule.db",   "cpu.test_multitensor.db", "cpu.test_nn.db",
          "cpu.test_assign.db",    "cpu.test_setitem.db",    "cpu.test_conv.db",        "cpu.test_optim.db",
          "cpu.test_fusion_op.db", "cpu.test_linearizer.db", "model.gpt2_train.db" };
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  /* a slow build looks at few rows of few files */
  gboolean slow = g_getenv ("FUSEBOX_CORPUS_STRIDE") != NULL;
  guint n_files = slow ? 5 : G_N_ELEMENTS (names), rows_of_each = slow ? 2 : 20;
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  guint checked = 0, n_rows = 0;

  if (!corpus)
    {
      g_test_skip ("FUSEBOX_CORPUS is not set");
      return;
    }
  for (guint i = 0; i < n_files; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *path = g_build_filename (corpus, names[i], NULL);
      g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
      guint n;

      g_assert_no_error (error);
      n = fb_capture_n_rows (capture, FB_ROW_SCHEDULE);
      for (guint row = 1; row <= n; row += 1 + n / rows_of_each, n_rows++)
        checked += check_row (capture, row, g_test_slow () ? G_MAXUINT - 1 : 20, rand);
    }
  g_test_message ("%u steps of %u rows compared", checked, n_rows);
  g_assert_cmpuint (checked, >, slow ? 100 : 1000);
}

/* Steps hold what they need: they outlive the stepper and each other. */
static void
test_lives (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = buffer (c, 0, 12);
  g_autoptr (FbSchedule) schedule = NULL;
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_step_free);
  FbStepper *stepper;
  const FbPass *pass;

  for (int i = 0; i < 40; i++)
    {
      x = fb_movement (c, FB_OP_RESHAPE, x, i % 2 ? DIMS (c, 12) : DIMS (c, 3, 4));
      x = fb_mul_int (c, fb_add_int (c, fb_alu1 (c, FB_OP_SIN, x), 0), 1);
    }
  schedule = fb_schedule_new (c, sink_of (c, x), NULL);
  pass = fb_schedule_pass (schedule, 0);
  stepper = fb_stepper_new (c, pass);
  for (guint s = 0; s <= pass->matches->len; s++)
    {
      FbStep *step = fb_stepper_step (stepper, (s * 7) % (pass->matches->len + 1), NULL);
      g_assert_nonnull (step);
      g_ptr_array_add (steps, step);
    }
  fb_stepper_free (stepper);
  for (guint i = 0; i < steps->len; i++)
    {
      const FbStep *step = g_ptr_array_index (steps, i);
      FbStep *linear = linear_step_new (c, pass, step->step);
      assert_same_step (step, linear);
      linear_step_free (linear);
    }
}

/* A node that stands for itself in the end has no graph: an error, and the stepper is as good as new. */
static void
test_cycle (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)), *y = fb_alu1 (c, FB_OP_SQRT, x);
  FbPass *pass = fb_pass_new ("test", "test", TRUE, sink_of (c, x), fb_simplify_pass_rules ());
  const FbMatch matches[] = { { x, y, 0, 0, 0 }, { y->src[0]->src[0], buffer (c, 1, 4), 0, 0, 0 } };
  g_autoptr (GError) error = NULL;
  FbStepper *stepper;
  FbStep *step;

  fb_pass_add_matches (pass, fb_context_arena (c), 2, matches);
  stepper = fb_stepper_new (c, pass);
  for (int i = 0; i < 3; i++)
    {
      g_assert_null (fb_stepper_step (stepper, 1 + i % 2, &error));
      g_assert_error (error, FB_ERROR, FB_ERROR_DIVERGES);
      g_clear_error (&error);
      step = fb_stepper_step (stepper, 0, &error);
      g_assert_no_error (error);
      fb_step_free (step);
    }
  fb_stepper_free (stepper);
  fb_pass_free (pass);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/stepper/lives", test_lives);
  g_test_add_func ("/core/stepper/cycle", test_cycle);
  g_test_add_func ("/core/stepper/samples", test_samples);
  g_test_add_func ("/core/stepper/corpus", test_corpus);
  return g_test_run ();
}
