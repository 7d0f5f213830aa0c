/* Times of rules: what can be said of them whatever the machine does. */
#include "explain-tests.h"

#include "core/explain/rule-times.h"

typedef struct
{
  GBytes *bytes;
  FbScenarioRow row;
  FbContext *context;
  FbCaptureRow *read;
  FbSchedule *schedule;
} Sample;

static void
set_up (Sample *sample, gconstpointer name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);

  g_assert_no_error (error);
  sample->bytes = fb_capture_read_blob (capture, FB_ROW_SCHEDULE, 1, &error);
  g_assert_no_error (error);
  sample->row = (FbScenarioRow){ sample->bytes, "sample", NULL };
  sample->context = fb_context_new ();
  sample->read = fb_capture_read_bytes (sample->bytes, "sample", NULL, sample->context, &error);
  g_assert_no_error (error);
  sample->schedule = fb_schedule_new (sample->context, sample->read->sink, NULL);
  g_assert_null (sample->schedule->error);
}

static void
tear_down (Sample *sample, gconstpointer name)
{
  fb_schedule_free (sample->schedule);
  fb_capture_row_free (sample->read);
  fb_context_free (sample->context);
  g_bytes_unref (sample->bytes);
}

static void
count_runs (guint n_runs, double fraction, gpointer data)
{
  guint *n = data;

  g_assert_cmpuint (n_runs, ==, *n + 1);
  *n = n_runs;
}

/* The sums of what is said of passes are what is said of rules. */
static void
assert_sums (const Sample *sample, const FbRuleTimes *times)
{
  const FbSchedule *schedule = sample->schedule;
  g_autoptr (GArray) totals = fb_rule_totals (schedule, 0, schedule->passes->len, times);
  guint64 matches = 0, tries = 0, timed = 0, all_matches = 0, all_tries = 0, ran_tries = 0;
  double seconds = 0, all_seconds = 0;

  for (guint i = 0; i < totals->len; i++)
    {
      const FbRuleTotal *total = &g_array_index (totals, FbRuleTotal, i);
      for (guint k = 0; k < i; k++)
        g_assert_true (g_array_index (totals, FbRuleTotal, k).rule != total->rule);
      g_assert_cmpuint (total->timed_tries, <=, total->tries);
      g_assert_true (total->tries > 0 || total->seconds <= 0);
      matches += total->matches;
      tries += total->tries;
      timed += total->timed_tries;
      seconds += total->seconds;
    }
  for (guint i = 0; i < schedule->passes->len; i++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, i);
      all_matches += pass->matches->len;
      for (guint k = 0; k < fb_rule_set_n_rules (pass->rules); k++)
        {
          all_tries += pass->tries[k];
          if (times->passes[i].ran == i)
            {
              ran_tries += pass->tries[k];
              all_seconds += (double) times->passes[i].rules[k];
            }
        }
    }
  g_assert_cmpuint (matches, ==, all_matches);
  g_assert_cmpuint (tries, ==, all_tries);
  g_assert_cmpuint (timed, ==, ran_tries);
  g_assert_cmpfloat_with_epsilon (seconds, all_seconds, 1e-6 * all_seconds);
  g_assert_cmpfloat (seconds, >, 0);
  g_assert_cmpfloat_with_epsilon (fb_rule_totals_seconds (times, 0, times->n_passes), times->seconds,
                                  1e-6 * times->seconds);
}

static void
test_sums (Sample *sample, gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  guint n_runs = 0, n_repeated = 0;
  g_autoptr (FbRuleTimes) times = fb_rule_times_new (&sample->row, NULL, count_runs, &n_runs, NULL, &error);
  const FbSchedule *schedule = sample->schedule;

  g_assert_no_error (error);
  g_assert_cmpuint (times->n_runs, ==, n_runs);
  g_assert_cmpuint (times->n_passes, ==, schedule->passes->len);
  for (guint i = 0; i < times->n_passes; i++)
    {
      const FbPassTimes *pass = &times->passes[i];
      double in_matches = 0, in_rules = 0;

      g_assert_cmpuint (pass->n_matches, ==, fb_schedule_pass (schedule, i)->matches->len);
      n_repeated += pass->ran != i;
      /* a pass that repeats another has its times */
      g_assert_true (pass->matches == times->passes[pass->ran].matches);
      g_assert_cmpuint (times->passes[pass->ran].ran, ==, pass->ran);
      for (guint k = 0; k < pass->n_matches; k++)
        in_matches += (double) pass->matches[k];
      for (guint k = 0; k < fb_rule_set_n_rules (fb_schedule_pass (schedule, i)->rules); k++)
        in_rules += (double) pass->rules[k];
      g_assert_cmpfloat (in_matches, <=, in_rules * 1.0001);
    }
  if (g_str_equal (name, "attention.db"))
    g_assert_cmpuint (n_repeated, >, 0);
  assert_sums (sample, times);
}

/* Under a scenario it is the scenario's passes that are timed. */
static void
test_scenario (Sample *sample, gconstpointer name)
{
  g_autoptr (FbScenario) scenario = fb_scenario_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FbScenarioRun) run = NULL;
  g_autoptr (FbRuleTimes) times = NULL;

  g_assert_true (fb_replay_options_parse (scenario->options, "DONT_REALIZE_EXPAND=1", &error));
  run = fb_scenario_run (&sample->row, scenario, NULL, NULL, &error);
  g_assert_no_error (error);
  times = fb_rule_times_new (&sample->row, scenario, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (times->n_passes, ==, run->schedule->passes->len);
  g_assert_cmpuint (times->n_passes, <, sample->schedule->passes->len);
}

static void
cancel (guint n_runs, double fraction, gpointer data)
{
  g_cancellable_cancel (data);
}

static void
test_cancel (Sample *sample, gconstpointer name)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_rule_times_new (&sample->row, NULL, cancel, cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_bad_row (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("no pickle", 9);
  const FbScenarioRow row = { bytes, "bad", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_rule_times_new (&row, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_READ);
}

#define ADD(path, name, func) g_test_add ("/explain/rule-times/" path, Sample, name, set_up, func, tear_down)

void
add_rule_times_tests (void)
{
  ADD ("sums", "lerp.db", test_sums);
  ADD ("repeated", "attention.db", test_sums);
  ADD ("scenario", "lerp.db", test_scenario);
  ADD ("cancel", "lerp.db", test_cancel);
  g_test_add_func ("/explain/rule-times/bad-row", test_bad_row);
}
