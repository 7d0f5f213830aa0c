/* Every reason of the ledger's closed list, on the smallest graph that gives it. */
#include "explain-tests.h"

static gboolean met[FB_N_REASONS];

/* The schedule of @sink, its ledger in order, every reason noted as met. */
static FbSchedule *
decided (FbContext *c, FbUop *sink)
{
  FbSchedule *schedule = schedule_of (c, sink);
  g_autoptr (FbWhy) why = NULL;
  FbLedgerAudit audit;

  g_assert_no_error (schedule->error);
  for (guint i = 0; i < schedule->ledger->len; i++)
    met[schedule->ledger->at[i].reason] = TRUE;
  why = fb_why_new (schedule);
  audit = fb_why_audit (why);
  g_assert_true (audit.replays);
  g_assert_cmpuint (audit.n_unknown, ==, 0);
  return schedule;
}

/* The verdict of the node with op @op, the only one in the simplified graph. */
static FbDecision
verdict_of (const FbSchedule *schedule, FbOp op)
{
  g_autoptr (FbWhy) why = fb_why_new (schedule);
  const GPtrArray *nodes = fb_why_nodes (why);
  const FbDecision *found = NULL;

  for (guint i = 0; i < nodes->len; i++)
    if (((FbUop *) g_ptr_array_index (nodes, i))->op == op)
      {
        g_assert_null (found);
        found = fb_ledger_verdict (schedule->ledger, g_ptr_array_index (nodes, i));
        g_assert_true (found == fb_why_verdict (why, g_ptr_array_index (nodes, i)).decision);
      }
  g_assert_nonnull (found);
  return *found;
}

static void
assert_verdict (FbContext *c, FbUop *sink, FbOp op, FbDecisionKind kind, FbReason reason)
{
  g_autoptr (FbSchedule) schedule = decided (c, sink);
  FbDecision d = verdict_of (schedule, op);

  g_assert_cmpstr (fb_reason_name (d.reason), ==, fb_reason_name (reason));
  g_assert_cmpuint (d.kind, ==, kind);
}

static void
test_asked (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *sine = fb_alu1 (c, FB_OP_SIN, b);

  assert_verdict (c, SINK (c, sine), FB_OP_SIN, FB_DECISION_REALIZE, FB_REASON_OUTPUT);
  assert_verdict (c, SINK (c, fb_alu1 (c, FB_OP_SQRT, op1 (c, FB_OP_CONTIGUOUS, sine))), FB_OP_CONTIGUOUS,
                  FB_DECISION_REALIZE, FB_REASON_CONTIGUOUS);
  assert_verdict (c, SINK (c, fb_alu1 (c, FB_OP_SQRT, assign_to (c, b, sine))), FB_OP_ASSIGN, FB_DECISION_REALIZE,
                  FB_REASON_ASSIGN);
  assert_verdict (c, SINK (c, fb_alu1 (c, FB_OP_SQRT, copy_to (c, "CPU:1", sine, FALSE))), FB_OP_COPY,
                  FB_DECISION_REALIZE, FB_REASON_COPY);
  assert_verdict (c, SINK (c, fb_alu1 (c, FB_OP_SQRT, copy_to (c, "CPU:1", sine, FALSE))), FB_OP_SIN,
                  FB_DECISION_REALIZE, FB_REASON_BEFORE_COPY);
  assert_verdict (
      c,
      SINK (c, fb_alu1 (c, FB_OP_SQRT, op1 (c, FB_OP_BUFFER_VIEW, buffer_on (c, "DISK:x", 1, 4, FB_DTYPE (FLOAT32))))),
      FB_OP_BUFFER_VIEW, FB_DECISION_REALIZE, FB_REASON_BUFFER_VIEW);
}

static void
test_expand (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *root = fb_alu1 (c, FB_OP_SQRT, SHAPED (c, 0, 4, 1));
  FbUop *sink = SINK (c, fb_alu1 (c, FB_OP_SIN, EXPAND (c, root, 4, 3)));
  g_autoptr (FbSchedule) schedule = decided (c, sink);
  FbDecision d = verdict_of (schedule, FB_OP_SQRT);

  g_assert_cmpuint (d.reason, ==, FB_REASON_EXPAND);
  g_assert_cmpint (d.a, ==, 4);
  g_assert_cmpint (d.b, ==, 12);
  g_assert_true (d.because->op == FB_OP_VIEW && d.because->src[0] == d.node);
  fb_context_options (c)->dont_realize_expand = 1;
  assert_verdict (c, sink, FB_OP_SQRT, FB_DECISION_KEEP, FB_REASON_VIEW_FITS);
}

static void
test_pads (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *power = fb_alu1 (c, FB_OP_EXP2, b), *root = fb_alu1 (c, FB_OP_SQRT, b);
  FbUop *inner = fb_alu1 (c, FB_OP_SQRT, power);
  FbUop *twice = PAD (c, RESHAPE (c, SHRINK (c, RESHAPE (c, PAD (c, inner, 1, 1), 3, 2), 0, 2, 0, 2), 4), 1, 0);

  assert_verdict (c, SINK (c, fb_alu1 (c, FB_OP_SIN, PAD (c, power, 1, 2))), FB_OP_EXP2, FB_DECISION_REALIZE,
                  FB_REASON_UNSAFE_PAD);
  assert_verdict (c, SINK (c, fb_alu1 (c, FB_OP_SIN, PAD (c, root, 1, 2))), FB_OP_SQRT, FB_DECISION_KEEP,
                  FB_REASON_PAD_SAFE);
  fb_context_options (c)->dont_realize_expand = 1;
  g_autoptr (FbSchedule) schedule
      = decided (c, SINK (c, fb_alu1 (c, FB_OP_SIN, EXPAND (c, RESHAPE (c, twice, 5, 1), 5, 3))));
  FbDecision d = verdict_of (schedule, FB_OP_SQRT);
  g_assert_cmpuint (d.reason, ==, FB_REASON_UNSAFE_MASK);
  g_assert_true (d.other->op == FB_OP_EXP2);
}

/* sum over the second axis of (4,4) floats of buffer @number: shape (4,1) */
static FbUop *
row_sums (FbContext *c, gint64 number)
{
  return SUM (c, SHAPED (c, number, 4, 4), 1);
}

static void
assert_alone (FbContext *c, FbUop *sink, FbOp stored, FbReason reason, FbChaseStop stop)
{
  g_autoptr (FbSchedule) schedule = decided (c, sink);
  FbDecision d = verdict_of (schedule, stored);

  g_assert_cmpstr (fb_reason_name (d.reason), ==, fb_reason_name (reason));
  g_assert_cmpuint (d.kind, ==, FB_DECISION_REALIZE);
  g_assert_cmpuint (d.stop, ==, stop);
  g_assert_true (d.because->op == FB_OP_REDUCE_AXIS);
}

static void
test_grouped (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (FbSchedule) schedule = decided (c, SINK (c, fb_alu1 (c, FB_OP_SQRT, row_sums (c, 0))));
  FbDecision d = verdict_of (schedule, FB_OP_REDUCE_AXIS);

  g_assert_cmpuint (d.kind, ==, FB_DECISION_KEEP);
  g_assert_cmpuint (d.reason, ==, FB_REASON_GROUPED);
  g_assert_true (d.other->op == FB_OP_SQRT);
}

static void
test_alone (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sum = row_sums (c, 0), *square = SUM (c, SHAPED (c, 0, 4, 4, 2), 2), *other = SHAPED (c, 1, 4, 4);
  FbUop *log = fb_alu1 (c, FB_OP_LOG2, sum);

  assert_alone (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, sum), fb_alu1 (c, FB_OP_SIN, sum)), FB_OP_REDUCE_AXIS,
                FB_REASON_REDUCE_OUTPUTS, FB_STOP_USERS);
  assert_alone (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, log), fb_alu1 (c, FB_OP_SIN, log)), FB_OP_LOG2,
                FB_REASON_REDUCE_OUTPUTS, FB_STOP_USERS);
  assert_alone (c, SINK (c, fb_alu2 (c, FB_OP_ADD, square, PERMUTE (c, square, 1, 0, 2))), FB_OP_REDUCE_AXIS,
                FB_REASON_REDUCE_VIEWS, FB_STOP_VIEWS);
  assert_alone (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, PERMUTE (c, square, 1, 0, 2))), FB_OP_REDUCE_AXIS,
                FB_REASON_REDUCE_NOT_CONTIGUOUS, FB_STOP_NOT_CONTIGUOUS);
  assert_alone (c,
                SINK (c, assign_to (c, SHAPED (c, 0, 4, 1), fb_alu1 (c, FB_OP_SQRT, SUM (c, other, 1))),
                      assign_to (c, other, fb_alu1 (c, FB_OP_SIN, SHAPED (c, 2, 4, 4)))),
                FB_OP_REDUCE_AXIS, FB_REASON_REDUCE_ASSIGN, FB_STOP_NONE);
  fb_context_options (c)->dont_realize_expand = 1;
  assert_alone (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, SHRINK (c, log, 1, 3, 0, 1))), FB_OP_LOG2,
                FB_REASON_REDUCE_NOT_CONTIGUOUS, FB_STOP_SIZE);
}

/* The reduce that comes first in the toposort takes the store. */
static void
test_taken (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *first = row_sums (c, 0), *second = fb_alu1 (c, FB_OP_SQRT, row_sums (c, 1));
  g_autoptr (FbSchedule) schedule = decided (c, SINK (c, fb_alu2 (c, FB_OP_ADD, second, first)));
  guint n_taken = 0;

  for (guint i = 0; i < schedule->ledger->len; i++)
    n_taken += schedule->ledger->at[i].reason == FB_REASON_REDUCE_TAKEN;
  g_assert_cmpuint (n_taken, ==, 1);
}

/* Between two reduces, what is element-wise belongs to the first. */
static void
test_downstream (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *power = fb_alu1 (c, FB_OP_EXP2, SUM (c, SHAPED (c, 0, 2, 3, 4), 2));

  assert_alone (c, SINK (c, reduce (c, FB_OP_MAX, power, DIMS (c, 1))), FB_OP_EXP2, FB_REASON_REDUCE_DOWNSTREAM,
                FB_STOP_REDUCE);
}

/* A wider type is not stored: its readers cast. */
static void
test_cast (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *root = fb_alu1 (c, FB_OP_SQRT, row_sums (c, 0)), *wide = fb_cast (c, root, FB_DTYPE (FLOAT64));

  assert_alone (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, wide), fb_alu1 (c, FB_OP_SIN, wide)), FB_OP_SQRT,
                FB_REASON_REDUCE_OUTPUTS, FB_STOP_CAST);
}

/* Seen by a store in another number of elements: an expansion that is let through, contiguous by chance of its size. */
static void
test_size (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *root = fb_alu1 (c, FB_OP_SQRT, SUM (c, SHAPED (c, 0, 6, 4), 1));
  FbUop *part = RESHAPE (c, SHRINK (c, root, 0, 4, 0, 1), 4);

  assert_alone (c, SINK (c, fb_alu1 (c, FB_OP_EXP2, part)), FB_OP_SQRT, FB_REASON_REDUCE_SIZE, FB_STOP_SIZE);
}

/* 0, 1, 2 ... as a sum over a triangle of ones: shape (@n,1) */
static FbUop *
counted (FbContext *c, gint64 n)
{
  FbUop *one = const_of_shape (c, 1, DIMS (c, 1, n));

  one = EXPAND (c, PAD (c, one, 0, 0, n - 1, 0), n, 2 * n - 1);
  one = SHRINK (c, RESHAPE (c, one, n * (2 * n - 1)), 0, n * (2 * n - 2));
  return SUM (c, SHRINK (c, RESHAPE (c, one, n, 2 * n - 2), 0, n, 0, n), 1);
}

static void
test_taken_out (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *n = counted (c, 3), *b = SHAPED (c, 0, 3, 1), *inner = SUM (c, SHAPED (c, 0, 2, 3, 4), 2);
  FbUop *double_reduce = SINK (c, SUM (c, RESHAPE (c, inner, 2, 3), 1));
  guint n_out = 0;

  fb_context_options (c)->fuse_arange = fb_context_options (c)->fuse_conv_bw = 1;
  assert_verdict (c, SINK (c, fb_alu2 (c, FB_OP_ADD, n, b), fb_alu2 (c, FB_OP_MUL, n, b)), FB_OP_REDUCE_AXIS,
                  FB_DECISION_UNREALIZE, FB_REASON_FUSE_ARANGE);
  g_autoptr (FbSchedule) schedule = decided (c, double_reduce);
  for (guint i = 0; i < schedule->ledger->len; i++)
    n_out += schedule->ledger->at[i].reason == FB_REASON_FUSE_CONV_BW && schedule->ledger->at[i].changed;
  g_assert_cmpuint (n_out, ==, 1);
}

/* What a sink reaches is read by something that is stored, so no graph gives the reason "no store"; "forced" is given in
 * test-explain.c. */
static void
test_all_met (void)
{
  for (guint i = 0; i < FB_N_REASONS; i++)
    {
      gboolean elsewhere = i == FB_REASON_FORCED || i == FB_REASON_REDUCE_NO_STORE;

      g_assert_cmpstr (fb_reason_name (i), !=, "");
      if (!met[i] && !elsewhere)
        g_test_message ("no test gives the reason %s", fb_reason_name (i));
      g_assert_true (met[i] || elsewhere);
    }
}

void
add_reason_tests (void)
{
  g_test_add_func ("/explain/reason/asked", test_asked);
  g_test_add_func ("/explain/reason/expand", test_expand);
  g_test_add_func ("/explain/reason/pads", test_pads);
  g_test_add_func ("/explain/reason/grouped", test_grouped);
  g_test_add_func ("/explain/reason/alone", test_alone);
  g_test_add_func ("/explain/reason/taken", test_taken);
  g_test_add_func ("/explain/reason/downstream", test_downstream);
  g_test_add_func ("/explain/reason/cast", test_cast);
  g_test_add_func ("/explain/reason/size", test_size);
  g_test_add_func ("/explain/reason/taken-out", test_taken_out);
  g_test_add_func ("/explain/reason/all-met", test_all_met);
}
