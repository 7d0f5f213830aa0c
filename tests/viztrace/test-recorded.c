/* Schedules in traces, recomputed and compared with what was recorded. */
#include <string.h>

#include "core/ir/text.h"
#include "core/replay/row.h"
#include "core/viztrace/recorded.h"
#include "tests/capture/assemble.h"

static FbCapture *
open_sample (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "traces", name, NULL);
  g_autoptr (GError) error = NULL;
  FbCapture *capture = fb_capture_open_any (path, NULL, &error);

  g_assert_no_error (error);
  return capture;
}

static FbReplayRow *
replay (FbCapture *capture, guint row, FbContext *context)
{
  g_autoptr (GArray) options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCaptureRow) read = fb_capture_read_row (capture, FB_ROW_SCHEDULE, row, context, &error);

  g_assert_no_error (error);
  g_assert_nonnull (read->recorded);
  return fb_replay_row_new (context, read, NULL, options, NULL);
}

/* Contexts of kernels are rows of the trace, but no schedules. */
static void
test_rows (void)
{
  g_autoptr (FbCapture) capture = open_sample ("relu.v0.10.2.pkl");

  g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_TRACE), ==, 2);
  g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), ==, 1);
  g_assert_cmpint (fb_capture_main_kind (capture), ==, FB_ROW_TRACE);
  g_assert_cmpint (fb_capture_row_info (capture, FB_ROW_SCHEDULE, 1)->rowid, ==, 1);
}

/* Of a release whose scheduler is another there is nothing to recompute. */
static void
test_other_releases (void)
{
  static const char *const names[] = { "relu.v0.11.0.pkl", "relu.v0.13.0.pkl", "relu.2026-08.pkl" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (FbCapture) capture = open_sample (names[i]);
      g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), ==, 0);
    }
}

/* All passes make the recorded matches, and kernels come out the same. */
static void
test_alike (void)
{
  g_autoptr (FbCapture) capture = open_sample ("relu.v0.10.2.pkl");
  g_autoptr (FbContext) context = fb_context_new ();
  FbReplayRow *row = replay (capture, 1, context);
  g_autofree char *text = fb_replay_passes_to_text (row->passes);

  g_assert_cmpint (row->status, ==, FB_REPLAY_ROW_IDENTICAL);
  g_assert_cmpuint (row->n_captured, ==, 2);
  g_assert_cmpuint (row->n_scheduled, ==, 2);
  g_assert_cmpstr (text, ==, "11 passes, 33 matches alike");
  fb_replay_row_free (row);
}

/* --- passes that differ --- */

typedef struct
{
  FbContext *context;
  FbRecorded *recorded;
  FbSchedule *schedule;
  FbRecordedPass *passes;   /* of @recorded, to be changed */
  FbRecordedMatch *matches; /* of the first of them */
} Case;

static void
set_up (Case *test, gconstpointer user)
{
  g_autoptr (FbCapture) capture = open_sample ("relu.v0.10.2.pkl");
  g_autoptr (GError) error = NULL;

  test->context = fb_context_new ();
  test->recorded = fb_recorded_new ((FbVizTrace *) fb_capture_trace (capture), 0, test->context, &error);
  g_assert_no_error (error);
  test->schedule = fb_schedule_new (test->context, test->recorded->sink, NULL);
  test->passes = (FbRecordedPass *) test->recorded->passes;
  test->matches = (FbRecordedMatch *) test->passes[0].matches;
}

static void
tear_down (Case *test, gconstpointer user)
{
  fb_schedule_free (test->schedule);
  fb_recorded_free (test->recorded);
  fb_context_free (test->context);
}

static void
assert_text (Case *test, const char *expected)
{
  FbReplayPasses *passes = fb_replay_passes_new (test->recorded, test->schedule);
  g_autofree char *text = fb_replay_passes_to_text (passes);

  g_assert_cmpstr (text, ==, expected);
  g_assert_false (fb_replay_passes_alike (passes));
  fb_replay_passes_free (passes);
}

static void
test_other_rule (Case *test, gconstpointer user)
{
  test->matches[2].rule = "schedule.py:999";
  assert_text (test, "10 of 11 passes alike, first simplify at match 3: schedule.py:999 recorded, schedule.py:77 here");
}

static void
test_other_node (Case *test, gconstpointer user)
{
  test->matches[1].after = test->recorded->sink;
  assert_text (test, "10 of 11 passes alike, first simplify at match 2: another node by ops.py:991");
}

static void
test_fewer_matches (Case *test, gconstpointer user)
{
  test->passes[0].n_matches = 4;
  assert_text (test, "10 of 11 passes alike, first simplify at match 5: no more recorded, schedule.py:77 here");
}

static void
test_other_graph (Case *test, gconstpointer user)
{
  test->passes[4].sink = test->recorded->sink;
  assert_text (test, "10 of 11 passes alike, first views left of kernel 1 of another graph");
}

/* Which kernel is which cannot be told by its place when there are more of them. */
static void
test_other_kernels (Case *test, gconstpointer user)
{
  g_ptr_array_set_size (test->recorded->kernels, 1);
  assert_text (test, "3 of 11 passes alike, 8 not compared");
}

/* --- what cannot be read --- */

/* A trace of one context with one rewrite of schedule.py:374, whose sink is what @sink puts. */
static FbVizTrace *
make_trace (void (*sink) (GByteArray *a))
{
  GByteArray *a = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  FbVizTrace *trace;

  RAW (a, "\x80\x04]");
  pk_text (a, "create_schedule_with_vars_1");
  RAW (a, "a]](");
  pk_global (a, "tinygrad.ops", "TrackedGraphRewrite");
  RAW (a, ")\x81}(");
  pk_text (a, "loc");
  pk_text (a, "/x/schedule.py");
  RAW (a, "M\x76\x01\x86");
  pk_text (a, "sink");
  sink (a);
  pk_text (a, "matches");
  RAW (a, "]");
  pk_text (a, "bottom_up");
  RAW (a, "\x89");
  pk_text (a, "name");
  RAW (a, "Nubea\x86.");
  bytes = g_byte_array_free_to_bytes (a);
  trace = fb_viz_trace_new (bytes, "t", "v0.10.2", &error);
  g_assert_no_error (error);
  g_assert_true (fb_viz_trace_is_schedule (trace, 0));
  return trace;
}

/* UOp (Ops.@op, dtypes.void, (), arg), with the arg still to come; then end_node(). */
static void
begin_node (GByteArray *a, const char *op)
{
  pk_global (a, "tinygrad.ops", "UOp");
  RAW (a, "(");
  pk_global (a, "builtins", "getattr");
  pk_global (a, "tinygrad.ops", "Ops");
  pk_text (a, op);
  RAW (a, "\x86R");
  pk_global (a, "tinygrad.dtype", "DType");
  RAW (a, "(J\xff\xff\xff\xffK\x00");
  pk_text (a, "void");
  RAW (a, "NK\x01NtR)");
}

static void
put_sink (GByteArray *a)
{
  begin_node (a, "SINK");
  RAW (a, "NtR");
}

static void
put_unknown_op (GByteArray *a)
{
  begin_node (a, "FROBNICATE");
  RAW (a, "NtR");
}

/* The arg is a tuple with a list that holds the tuple. */
static void
put_circle (GByteArray *a)
{
  begin_node (a, "SINK");
  RAW (a, "]\x94(h\x00\x85\x94"
          "e0h\x01tR");
}

static void
assert_refused (void (*sink) (GByteArray *a), const char *why)
{
  g_autoptr (FbVizTrace) trace = make_trace (sink);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_recorded_new (trace, 0, context, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, why));
}

static void
test_nothing_done (void)
{
  g_autoptr (FbVizTrace) trace = make_trace (put_sink);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FbRecorded) recorded = fb_recorded_new (trace, 0, context, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (recorded->n_passes, ==, 1);
  g_assert_cmpuint (recorded->kernels->len, ==, 0);
  g_assert_cmpint (recorded->first_unique, ==, -1);
}

static void
test_unknown_op (void)
{
  assert_refused (put_unknown_op, "the op FROBNICATE does not exist in tinygrad v0.10.2");
}

static void
test_circle (void)
{
  assert_refused (put_circle, "t: context 1");
}

/* --- traces of the corpus --- */

static void
test_corpus (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_CORPUS"), "viz", "v0.10.2.progA.py311.pkl", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open_any (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), >, 0);
  for (guint row = 1; row <= fb_capture_n_rows (capture, FB_ROW_SCHEDULE); row++)
    {
      g_autoptr (FbContext) context = fb_context_new ();
      FbReplayRow *replayed = replay (capture, row, context);

      g_assert_cmpint (replayed->status, ==, FB_REPLAY_ROW_IDENTICAL);
      fb_replay_row_free (replayed);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add (path, Case, NULL, set_up, function, tear_down)
  g_test_add_func ("/viztrace/recorded/rows", test_rows);
  g_test_add_func ("/viztrace/recorded/other-releases", test_other_releases);
  g_test_add_func ("/viztrace/recorded/alike", test_alike);
  CASE ("/viztrace/recorded/other-rule", test_other_rule);
  CASE ("/viztrace/recorded/other-node", test_other_node);
  CASE ("/viztrace/recorded/fewer-matches", test_fewer_matches);
  CASE ("/viztrace/recorded/other-graph", test_other_graph);
  CASE ("/viztrace/recorded/other-kernels", test_other_kernels);
  g_test_add_func ("/viztrace/recorded/nothing-done", test_nothing_done);
  g_test_add_func ("/viztrace/recorded/unknown-op", test_unknown_op);
  g_test_add_func ("/viztrace/recorded/circle", test_circle);
  if (g_getenv ("FUSEBOX_CORPUS"))
    g_test_add_func ("/viztrace/recorded/corpus", test_corpus);
  return g_test_run ();
}
