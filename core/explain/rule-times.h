/* How long each rule takes on a row: it is scheduled again and again, every try timed, until the figures settle. */
#pragma once

#include "scenario.h"

/* Of one pass. What the clock itself cost is taken off. */
typedef struct
{
  guint
      ran; /* index of the pass these are times of: its own, or that of an earlier one which it repeats, for kernels of
                      the same AST are lowered once */
  double seconds; /* from beginning to end: rules, and going from node to node */
  float *rules;   /* per rule of the pass's set: all its tries, in seconds; shared with the pass that ran */
  float *matches; /* per match: the try that gave it, what its callback made included; likewise */
  guint n_matches;
} FbPassTimes;

typedef struct
{
  guint n_runs;
  gboolean settled; /* FALSE: the last runs still found shorter times */
  double seconds;   /* of all passes that ran */
  guint n_passes;
  FbPassTimes *passes; /* in the order of the schedule's */
} FbRuleTimes;

/* Told after each run, in the calling thread; @fraction: of the longest that it may take. */
typedef void (*FbRuleTimesFunc) (guint n_runs, double fraction, gpointer data);

/* Measures @row under @scenario (NULL: as captured), each run in a context of its own. Of every time the shortest counts: what
 * else the machine did is not in it. Blocks, seconds at most unless a run takes that long. NULL with an error of FB_SCENARIO_ERROR
 * or G_IO_ERROR_CANCELLED. A schedule that fails is measured as far as it goes. @told may be NULL. */
FbRuleTimes *fb_rule_times_new (const FbScenarioRow *row, const FbScenario *scenario, FbRuleTimesFunc told,
                                gpointer data, GCancellable *cancellable, GError **error);
void fb_rule_times_free (FbRuleTimes *times);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbRuleTimes, fb_rule_times_free)

/* What is known of a rule over some passes. */
typedef struct
{
  const FbRule *rule;
  guint64 tries, matches;
  double seconds;      /* of tries that were made; 0 without times */
  guint64 timed_tries; /* of @tries those that were made: repeated passes make none */
} FbRuleTotal;

/* The rules of passes [@first, @end) of @schedule, in the order of their sets, each once though it be in several: of FbRuleTotal.
 * @times: of a schedule of the same row under the same scenario, or NULL. Where passes have `seconds` of their own (VIZ traces),
 * those count. Free with g_array_unref. */
GArray *fb_rule_totals (const FbSchedule *schedule, guint first, guint end, const FbRuleTimes *times);
/* Of the same passes the time from beginning to end, those that repeat each other counted once. */
double fb_rule_totals_seconds (const FbRuleTimes *times, guint first, guint end);
