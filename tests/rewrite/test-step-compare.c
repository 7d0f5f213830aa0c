/* The difference between any two graphs: every node of both is told exactly once, and so is every edge. */
#include "core/capture/capture.h"
#include "core/rewrite/stepper.h"
#include "core/schedule.h"
#include "tests/graph-util.h"

static guint
count_edges (const GPtrArray *nodes)
{
  guint n = 0;

  for (guint i = 0; i < nodes->len; i++)
    n += ((const FbUop *) g_ptr_array_index (nodes, i))->n_src;
  return n;
}

/* Holds of any comparison. */
static void
check_accounts (const FbStep *step)
{
  g_autoptr (GPtrArray) old = fb_uop_toposort (step->context, step->before_sink);
  g_autoptr (GPtrArray) new = fb_uop_toposort (step->context, step->after_sink);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  FbStepEdges edges = fb_step_count_edges (step);
  guint gone = step->n_marks[FB_MARK_REPLACED] + step->n_marks[FB_MARK_GONE], kept;

  kept = step->n_marks[FB_MARK_SAME] + step->n_marks[FB_MARK_REBUILT];
  g_assert_cmpuint (kept + step->n_marks[FB_MARK_NEW], ==, new->len);
  g_assert_cmpuint (kept + gone, ==, old->len);
  g_assert_cmpuint (step->nodes->len, ==, new->len + gone);
  g_assert_cmpuint (edges.n_same + edges.n_new, ==, count_edges (new));
  g_assert_cmpuint (edges.n_same + edges.n_gone, ==, count_edges (old));
  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);

      g_assert_true (g_hash_table_add (seen, node->node));
      g_assert_true ((node->mark == FB_MARK_REBUILT) == (node->was != NULL));
      if (node->was)
        {
          g_assert_true (g_hash_table_add (seen, node->was));
          g_assert_cmpuint (node->was->op, ==, node->node->op);
          g_assert_true (node->was != node->node);
        }
      if (i < new->len)
        g_assert_true (node->node == g_ptr_array_index (new, i));
    }
}

static FbMark
mark_of (const FbStep *step, const FbUop *uop)
{
  for (guint i = 0; i < step->nodes->len; i++)
    if (g_array_index (step->nodes, FbStepNode, i).node == uop)
      return g_array_index (step->nodes, FbStepNode, i).mark;
  g_assert_not_reached ();
}

static void
test_marks (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 12), *reshape = fb_movement (c, FB_OP_RESHAPE, b, DIMS (c, 3, 4));
  FbUop *sine = fb_alu1 (c, FB_OP_SIN, reshape), *root = fb_alu1 (c, FB_OP_SQRT, sine);
  /* the movement has gone, and what used it stands on what it moved */
  FbUop *sine2 = fb_alu1 (c, FB_OP_SIN, b), *root2 = fb_alu1 (c, FB_OP_SQRT, sine2);
  g_autoptr (FbStep) step = fb_step_new_compare (c, sink_of (c, root), sink_of (c, root2));
  FbStepEdges edges = fb_step_count_edges (step);

  check_accounts (step);
  g_assert_cmpint (mark_of (step, b), ==, FB_MARK_SAME);
  g_assert_cmpint (mark_of (step, sine2), ==, FB_MARK_REBUILT);
  g_assert_cmpint (mark_of (step, root2), ==, FB_MARK_REBUILT);
  g_assert_cmpint (mark_of (step, reshape), ==, FB_MARK_REPLACED);
  g_assert_cmpuint (step->n_marks[FB_MARK_NEW], ==, 0);
  /* sine2 has b instead of reshape, which had b */
  g_assert_cmpuint (edges.n_new, ==, 1);
  g_assert_cmpuint (edges.n_gone, ==, 2);
}

static void
test_below_movements (void)
{
  /* what stands under movements that changed is still found */
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = buffer (c, 0, 12), *b = buffer (c, 1, 12);
  FbUop *x = fb_alu2 (c, FB_OP_ADD, fb_alu1 (c, FB_OP_SIN, a), b),
        *y = fb_alu2 (c, FB_OP_ADD, fb_alu1 (c, FB_OP_SIN, b), b);
  FbUop *old = fb_alu1 (c, FB_OP_SQRT, fb_movement (c, FB_OP_RESHAPE, x, DIMS (c, 3, 4)));
  FbUop *new = fb_alu1 (
      c, FB_OP_SQRT, fb_movement (c, FB_OP_RESHAPE, fb_movement (c, FB_OP_RESHAPE, y, DIMS (c, 2, 6)), DIMS (c, 6, 2)));
  g_autoptr (FbStep) step = fb_step_new_compare (c, sink_of (c, old), sink_of (c, new));

  check_accounts (step);
  g_assert_cmpint (mark_of (step, y), ==, FB_MARK_REBUILT);
  g_assert_cmpint (mark_of (step, new), ==, FB_MARK_REBUILT);
}

static void
test_same (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sink = sink_of (c, fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)));
  g_autoptr (FbStep) step = fb_step_new_compare (c, sink, sink);

  check_accounts (step);
  g_assert_cmpuint (step->n_marks[FB_MARK_SAME], ==, step->nodes->len);
  g_assert_null (step->rule);
  g_assert_true (step->before == NULL && step->after == NULL);
}

/* Of two steps of any passes, also the one after the other: what the step itself left is the same here. */
static void
test_samples (void)
{
  static const char *const names[] = { "attention.db", "convnet_train.db", "mlp_train.db", "kv_cache.db" };
  const char *samples = g_getenv ("FUSEBOX_SAMPLES");
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

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
      for (guint i = 0; i < 40; i++)
        {
          const FbPass *p = fb_schedule_pass (
              schedule, (guint) g_rand_int_range (rand, 0, (gint32) MIN (6, schedule->passes->len)));
          const FbPass *q
              = i % 2 ? p
                      : fb_schedule_pass (schedule, (guint) g_rand_int_range (rand, 0, (gint32) schedule->passes->len));
          guint s = (guint) g_rand_int_range (rand, 0, (gint32) p->matches->len + 1);
          guint t = (guint) g_rand_int_range (rand, 0, (gint32) q->matches->len + 1);
          g_autoptr (FbStep) from = fb_step_new (c, p, s, NULL), to = fb_step_new (c, q, t, NULL);
          g_autoptr (FbStep) there = fb_step_new_compare_steps (c, from, to),
                             back = fb_step_new_compare_steps (c, to, from);

          check_accounts (there);
          check_accounts (back);
          g_assert_cmpuint (there->n_marks[FB_MARK_SAME], ==, back->n_marks[FB_MARK_SAME]);
        }
      for (guint s = 1; s <= fb_schedule_pass (schedule, 0)->matches->len; s += 3)
        {
          const FbPass *pass = fb_schedule_pass (schedule, 0);
          g_autoptr (FbStep) from = fb_step_new (c, pass, s - 1, NULL), to = fb_step_new (c, pass, s, NULL);
          g_autoptr (FbStep) step = fb_step_new_compare_steps (c, from, to);

          check_accounts (step);
          g_assert_cmpuint (step->n_marks[FB_MARK_SAME], ==, to->n_marks[FB_MARK_SAME]);
          g_assert_cmpuint (step->n_marks[FB_MARK_NEW], <=, to->n_marks[FB_MARK_NEW] + 1);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/step-compare/same", test_same);
  g_test_add_func ("/core/step-compare/marks", test_marks);
  g_test_add_func ("/core/step-compare/below-movements", test_below_movements);
  g_test_add_func ("/core/step-compare/samples", test_samples);
  return g_test_run ();
}
