/* Graphs at steps: marks tell replaced, new, rebuilt and gone nodes apart. */
#include "core/capture/capture.h"
#include "core/rewrite/step.h"
#include "core/schedule.h"
#include "tests/graph-util.h"

typedef struct
{
  FbContext *c;
  FbSchedule *schedule;
  const FbPass *pass;
  FbUop *b, *reshape, *sine;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->c = fb_context_new ();
  f->b = buffer (f->c, 0, 12);
  f->reshape = fb_movement (f->c, FB_OP_RESHAPE, f->b, DIMS (f->c, 3, 4));
  f->sine = fb_alu1 (f->c, FB_OP_SIN, f->reshape);
  f->schedule = fb_schedule_new (f->c, sink_of (f->c, op1 (f->c, FB_OP_DETACH, f->sine)), NULL);
  f->pass = g_ptr_array_index (f->schedule->passes, 0);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  fb_schedule_free (f->schedule);
  fb_context_free (f->c);
}

static const FbStepNode *
find (const FbStep *step, FbMark mark, FbOp op)
{
  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);
      if (node->mark == mark && node->node->op == op)
        return node;
    }
  return NULL;
}

static void
test_input (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStep) step = fb_step_new (f->c, f->pass, 0, &error);

  g_assert_no_error (error);
  g_assert_null (step->rule);
  g_assert_true (step->before_sink == f->pass->sink && step->after_sink == f->pass->sink);
  g_assert_cmpuint (step->n_marks[FB_MARK_SAME], ==, step->nodes->len);
}

static void
test_replace (Fixture *f, gconstpointer data)
{
  g_autoptr (FbStep) step = fb_step_new (f->c, f->pass, 1, NULL);
  const FbStepNode *sine;

  g_assert_cmpstr (step->rule->name, ==, "movement-to-view");
  g_assert_true (step->before == f->reshape);
  g_assert_true (find (step, FB_MARK_REPLACED, FB_OP_RESHAPE)->node == f->reshape);
  g_assert_true (find (step, FB_MARK_NEW, FB_OP_VIEW)->node == step->after);
  sine = find (step, FB_MARK_REBUILT, FB_OP_SIN);
  g_assert_true (sine->was == f->sine && sine->node->src[0] == step->after);
  g_assert_nonnull (find (step, FB_MARK_REBUILT, FB_OP_DETACH));
  g_assert_nonnull (find (step, FB_MARK_REBUILT, FB_OP_SINK));
  g_assert_true (find (step, FB_MARK_SAME, FB_OP_BUFFER)->node == f->b);
  g_assert_cmpuint (step->n_marks[FB_MARK_REPLACED], ==, 1);
  g_assert_cmpuint (step->n_marks[FB_MARK_NEW], ==, 1);
  g_assert_cmpuint (step->n_marks[FB_MARK_REBUILT], ==, 3);
  g_assert_cmpuint (step->n_marks[FB_MARK_GONE], ==, 0);
}

static void
test_last (Fixture *f, gconstpointer data)
{
  guint n = f->pass->matches->len;
  g_autoptr (FbStep) step = fb_step_new (f->c, f->pass, n, NULL);

  g_assert_true (step->after_sink == f->pass->result);
  /* the detach is taken out: nothing new, the sink has another source */
  g_assert_cmpstr (step->rule->name, ==, "detach");
  g_assert_cmpuint (step->n_marks[FB_MARK_NEW], ==, 0);
  g_assert_nonnull (find (step, FB_MARK_REPLACED, FB_OP_DETACH));
}

static void
test_gone (void)
{
  /* x*0 -> 0: what only x used is gone */
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4));
  g_autoptr (FbSchedule) schedule
      = fb_schedule_new (c, sink_of (c, copy_to (c, "CPU", fb_mul_int (c, x, 0), FALSE)), NULL);
  const FbPass *pass = g_ptr_array_index (schedule->passes, 0);
  gboolean seen = FALSE;

  for (guint s = 1; s <= pass->matches->len; s++)
    {
      g_autoptr (FbStep) step = fb_step_new (c, pass, s, NULL);
      if (find (step, FB_MARK_GONE, FB_OP_SIN))
        {
          seen = TRUE;
          g_assert_nonnull (find (step, FB_MARK_GONE, FB_OP_BUFFER));
          g_assert_nonnull (find (step, FB_MARK_REPLACED, FB_OP_MUL));
        }
    }
  g_assert_true (seen);
}

static void
test_chain (void)
{
  /* the graph after step s is the graph before step s+1; the last is the result */
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = buffer (c, 0, 12);
  g_autoptr (FbSchedule) schedule = NULL;
  const FbPass *pass;
  g_autofree char *last = NULL;

  for (int i = 0; i < 5; i++)
    {
      x = fb_movement (c, FB_OP_RESHAPE, x, i % 2 ? DIMS (c, 12) : DIMS (c, 3, 4));
      x = fb_mul_int (c, fb_add_int (c, fb_alu1 (c, FB_OP_SIN, x), 0), 1);
    }
  schedule = fb_schedule_new (c, sink_of (c, x), NULL);
  g_assert_no_error (schedule->error);
  pass = g_ptr_array_index (schedule->passes, 0);
  g_assert_cmpuint (pass->matches->len, >, 20);
  for (guint s = 0; s <= pass->matches->len; s++)
    {
      g_autoptr (FbStep) step = fb_step_new (c, pass, s, NULL);
      g_autofree char *before = fb_uop_to_text (step->context, step->before_sink);
      if (last)
        g_assert_cmpstr (before, ==, last);
      g_free (last);
      last = fb_uop_to_text (step->context, step->after_sink);
      if (s == pass->matches->len)
        g_assert_true (step->after_sink == pass->result);
    }
}

static gboolean
is_shown (const FbStep *step, const FbUop *uop)
{
  for (guint i = 0; i < step->nodes->len; i++)
    if (g_array_index (step->nodes, FbStepNode, i).node == uop)
      return TRUE;
  return FALSE;
}

/* Of every pass, also bottom-up and where a rule's result was matched elsewhere before: the match is in the graphs, few nodes
 * are new, the last graph is the result. */
static void
test_samples (void)
{
  static const char *const names[] = { "attention.db", "convnet_train.db", "in_place.db" };
  const char *samples = g_getenv ("FUSEBOX_SAMPLES");
  guint n_steps = 0;

  for (guint n = 0; n < G_N_ELEMENTS (names); n++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *path = g_build_filename (samples ? samples : "data/samples", names[n], NULL);
      g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
      g_autoptr (FbContext) c = fb_context_new ();
      g_autoptr (FbCaptureRow) row = NULL;
      g_autoptr (FbSchedule) schedule = NULL;

      g_assert_no_error (error);
      row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, 1, c, &error);
      g_assert_no_error (error);
      schedule = fb_schedule_new (c, row->sink, NULL);
      g_assert_no_error (schedule->error);
      for (guint p = 0; p < schedule->passes->len; p++)
        {
          const FbPass *pass = fb_schedule_pass (schedule, p);
          for (guint s = 1; s <= pass->matches->len; s += s + 5 > pass->matches->len ? 1 : 5, n_steps++)
            {
              g_autoptr (FbStep) step = fb_step_new (c, pass, s, &error);

              g_assert_no_error (error);
              g_assert_true (is_shown (step, step->before));
              g_assert_true (is_shown (step, step->after));
              g_assert_cmpuint (step->n_marks[FB_MARK_NEW], <=, 12);
              if (s == pass->matches->len)
                g_assert_true (step->after_sink == pass->result);
            }
        }
    }
  g_assert_cmpuint (n_steps, >, 300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/core/step/input", Fixture, NULL, set_up, test_input, tear_down);
  g_test_add ("/core/step/replace", Fixture, NULL, set_up, test_replace, tear_down);
  g_test_add ("/core/step/last", Fixture, NULL, set_up, test_last, tear_down);
  g_test_add_func ("/core/step/gone", test_gone);
  g_test_add_func ("/core/step/chain", test_chain);
  g_test_add_func ("/core/step/samples", test_samples);
  return g_test_run ();
}
