#include "rule-times.h"

/* Runs: at least so many, at most MOST_RUNS, and none that would begin later than this after the first. */
#define LEAST_RUNS 5
#define MOST_RUNS 100
#define LONGEST (2 * G_USEC_PER_SEC)

/* The figures have settled when so many runs in a row took off less than this share of them. */
#define SETTLED_RUNS 4
#define SETTLED_SHARE 0.01

/* The shortest of all runs, in ticks. */
typedef struct
{
  guint n_rules, n_matches;
  guint64 whole, n_reads;
  guint64 *missed; /* per rule, */
  guint32 *n_missed;
  guint64 *matches;
  guint32 *rule_of; /* and per match, by which rule */
} Shortest;

typedef struct
{
  GArray *passes;  /* of Shortest; of a pass that repeats another, one without anything */
  GArray *ran;     /* of guint, by pass */
  guint64 ticks;   /* that went by while µs did, which tells how long a tick is */
  gint64 spent_us; /* in schedules */
  double cost;     /* of a look at the clock, ticks */
} Measured;

static void
clear_shortest (gpointer data)
{
  Shortest *shortest = data;

  g_free (shortest->missed);
  g_free (shortest->n_missed);
  g_free (shortest->matches);
  g_free (shortest->rule_of);
}

static void
begin_pass (Shortest *shortest, const FbPass *pass)
{
  const FbPassTicks *ticks = pass->ticks;

  shortest->n_rules = fb_rule_set_n_rules (pass->rules);
  shortest->n_matches = MIN (pass->matches->len, ticks->matches->len);
  shortest->whole = ticks->whole;
  shortest->n_reads = ticks->n_reads;
  shortest->missed = g_memdup2 (ticks->missed, sizeof (guint64) * shortest->n_rules);
  shortest->n_missed = g_new (guint32, shortest->n_rules);
  for (guint i = 0; i < shortest->n_rules; i++)
    shortest->n_missed[i] = pass->tries[i] - pass->fired[i];
  shortest->matches = g_memdup2 (ticks->matches->data, sizeof (guint64) * shortest->n_matches);
  shortest->rule_of = g_new (guint32, shortest->n_matches);
  for (guint i = 0; i < shortest->n_matches; i++)
    shortest->rule_of[i] = fb_pass_match (pass, i)->rule;
}

static void
take_shorter (Shortest *shortest, const FbPass *pass)
{
  const FbPassTicks *ticks = pass->ticks;

  shortest->whole = MIN (shortest->whole, ticks->whole);
  for (guint i = 0; i < shortest->n_rules; i++)
    shortest->missed[i] = MIN (shortest->missed[i], ticks->missed[i]);
  for (guint i = 0; i < MIN (shortest->n_matches, ticks->matches->len); i++)
    shortest->matches[i] = MIN (shortest->matches[i], g_array_index (ticks->matches, guint64, i));
}

/* The pass that shares what it recorded with pass @at, itself when none does. */
static guint
find_ran (GHashTable *known, const FbPass *pass, guint at)
{
  gpointer first = g_hash_table_lookup (known, pass->matches);

  if (first)
    return GPOINTER_TO_UINT (first) - 1;
  g_hash_table_insert (known, pass->matches, GUINT_TO_POINTER (at + 1));
  return at;
}

static void
take_run (Measured *measured, const FbSchedule *schedule)
{
  gboolean first = measured->passes->len == 0;
  g_autoptr (GHashTable) known = first ? g_hash_table_new (NULL, NULL) : NULL;

  if (first)
    g_array_set_size (measured->passes, schedule->passes->len);
  for (guint i = 0; i < schedule->passes->len; i++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, i);
      Shortest *shortest = &g_array_index (measured->passes, Shortest, i);

      if (first)
        {
          guint ran = find_ran (known, pass, i);
          g_array_append_val (measured->ran, ran);
        }
      if (!pass->ticks)
        continue;
      if (first)
        begin_pass (shortest, pass);
      else
        take_shorter (shortest, pass);
    }
}

static double
without_clock (const Measured *measured, guint64 ticks, guint64 n_reads)
{
  return MAX (0, (double) ticks - measured->cost * (double) n_reads);
}

/* All rules together, ticks. */
static double
sum (const Measured *measured)
{
  double all = 0;

  for (guint i = 0; i < measured->passes->len; i++)
    {
      const Shortest *pass = &g_array_index (measured->passes, Shortest, i);
      for (guint k = 0; k < pass->n_rules; k++)
        all += without_clock (measured, pass->missed[k], pass->n_missed[k]);
      for (guint k = 0; k < pass->n_matches; k++)
        all += without_clock (measured, pass->matches[k], 1);
    }
  return all;
}

/* Schedules once. FALSE with an error. */
static gboolean
run (Measured *measured, const FbScenarioRow *row, const FbScenario *scenario, GCancellable *cancellable,
     GError **error)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbSchedule) schedule = NULL;
  g_autoptr (GError) reading = NULL;
  FbCaptureRow *read = fb_capture_read_bytes (row->bytes, row->what, row->release, context, &reading);
  FbForced forced = { NULL };
  guint64 began;
  gint64 began_us;

  if (!read)
    {
      g_set_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_READ, "%s", reading->message);
      return FALSE;
    }
  if (scenario)
    fb_scenario_apply (scenario, context, &forced);
  began_us = g_get_monotonic_time ();
  began = fb_ticks ();
  schedule = fb_schedule_new_measured (context, read->sink, &forced, cancellable);
  measured->ticks += fb_ticks () - began;
  measured->spent_us += g_get_monotonic_time () - began_us;
  fb_capture_row_free (read);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  take_run (measured, schedule);
  return TRUE;
}

static FbPassTimes
times_of (const Measured *measured, guint at, double second)
{
  const Shortest *shortest = &g_array_index (measured->passes, Shortest, at);
  FbPassTimes times = { at, without_clock (measured, shortest->whole, shortest->n_reads) * second };

  times.n_matches = shortest->n_matches;
  times.rules = g_new (float, shortest->n_rules);
  times.matches = g_new (float, shortest->n_matches);
  for (guint i = 0; i < shortest->n_rules; i++)
    times.rules[i] = (float) (without_clock (measured, shortest->missed[i], shortest->n_missed[i]) * second);
  for (guint i = 0; i < shortest->n_matches; i++)
    {
      times.matches[i] = (float) (without_clock (measured, shortest->matches[i], 1) * second);
      times.rules[shortest->rule_of[i]] += times.matches[i];
    }
  return times;
}

static FbRuleTimes *
result (const Measured *measured, guint n_runs, gboolean settled)
{
  FbRuleTimes *times = g_new0 (FbRuleTimes, 1);
  double second = measured->ticks ? (double) measured->spent_us / 1e6 / (double) measured->ticks : 0;

  times->n_runs = n_runs;
  times->settled = settled;
  times->n_passes = measured->passes->len;
  times->passes = g_new0 (FbPassTimes, times->n_passes);
  for (guint i = 0; i < times->n_passes; i++)
    {
      guint ran = g_array_index (measured->ran, guint, i);
      times->passes[i] = ran == i ? times_of (measured, i, second) : times->passes[ran];
      if (ran == i)
        times->seconds += times->passes[i].seconds;
    }
  return times;
}

FbRuleTimes *
fb_rule_times_new (const FbScenarioRow *row, const FbScenario *scenario, FbRuleTimesFunc told, gpointer data,
                   GCancellable *cancellable, GError **error)
{
  Measured measured = { g_array_new (FALSE, TRUE, sizeof (Shortest)), g_array_new (FALSE, FALSE, sizeof (guint)) };
  FbRuleTimes *times = NULL;
  gint64 began = g_get_monotonic_time ();
  double sums[MOST_RUNS];
  gboolean settled = FALSE;
  guint n = 0;

  g_array_set_clear_func (measured.passes, clear_shortest);
  measured.cost = fb_ticks_cost ();
  while (n < MOST_RUNS && !settled && (n < LEAST_RUNS || g_get_monotonic_time () - began < LONGEST))
    {
      if (!run (&measured, row, scenario, cancellable, error))
        goto out;
      sums[n++] = sum (&measured);
      if (told)
        told (n, MAX ((double) n / MOST_RUNS, (double) (g_get_monotonic_time () - began) / LONGEST), data);
      settled = n > SETTLED_RUNS && sums[n - 1 - SETTLED_RUNS] - sums[n - 1] <= SETTLED_SHARE * sums[n - 1];
    }
  times = result (&measured, n, settled);
out:
  g_array_unref (measured.passes);
  g_array_unref (measured.ran);
  return times;
}

void
fb_rule_times_free (FbRuleTimes *times)
{
  if (!times)
    return;
  for (guint i = 0; i < times->n_passes; i++)
    if (times->passes[i].ran == i)
      {
        g_free (times->passes[i].rules);
        g_free (times->passes[i].matches);
      }
  g_free (times->passes);
  g_free (times);
}

/* --- sums over passes --- */

/* Passes in the thousands share a few sets: their counts are summed before rules are looked up. */
typedef struct
{
  const FbRuleSet *rules;
  FbRuleTotal *totals; /* per rule of the set */
} SetTotal;

static void
clear_set_total (gpointer data)
{
  g_free (((SetTotal *) data)->totals);
}

static FbRuleTotal *
totals_of_set (GArray *sets, const FbRuleSet *rules)
{
  guint at = 0;

  while (at < sets->len && g_array_index (sets, SetTotal, at).rules != rules)
    at++;
  if (at == sets->len)
    {
      SetTotal fresh = { rules, g_new0 (FbRuleTotal, fb_rule_set_n_rules (rules) + 1) };
      g_array_append_val (sets, fresh);
    }
  return g_array_index (sets, SetTotal, at).totals;
}

/* @times: NULL where they are not known, or counted already. */
static void
add_pass (FbRuleTotal *totals, const FbPass *pass, const FbPassTimes *times)
{
  guint n = fb_rule_set_n_rules (pass->rules);

  for (guint i = 0; i < n; i++)
    {
      totals[i].tries += pass->tries[i];
      totals[i].matches += pass->fired[i];
      totals[i].timed_tries += times ? pass->tries[i] : 0;
      totals[i].seconds += times ? (double) times->rules[i] : 0;
    }
  for (guint i = 0; pass->seconds && i < pass->matches->len; i++)
    totals[fb_pass_match (pass, i)->rule].seconds += (double) MAX (pass->seconds[i], 0);
}

/* The times of pass @at, once: NULL when @counted has those of the pass that ran. */
static const FbPassTimes *
times_once (const FbRuleTimes *times, guint at, GHashTable *counted)
{
  const FbPassTimes *of_pass = times && at < times->n_passes ? &times->passes[at] : NULL;

  return of_pass && of_pass->rules && g_hash_table_add (counted, of_pass->rules) ? of_pass : NULL;
}

static void
take_set (GArray *all, GHashTable *places, const SetTotal *set)
{
  for (guint i = 0; i < fb_rule_set_n_rules (set->rules); i++)
    {
      const FbRule *rule = fb_rule_set_rule (set->rules, i);
      FbRuleTotal *sum;
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (places, rule));

      if (!at)
        {
          g_array_set_size (all, at = all->len + 1);
          g_hash_table_insert (places, (gpointer) rule, GUINT_TO_POINTER (at));
        }
      sum = &g_array_index (all, FbRuleTotal, at - 1);
      sum->rule = rule;
      sum->tries += set->totals[i].tries;
      sum->matches += set->totals[i].matches;
      sum->timed_tries += set->totals[i].timed_tries;
      sum->seconds += set->totals[i].seconds;
    }
}

GArray *
fb_rule_totals (const FbSchedule *schedule, guint first, guint end, const FbRuleTimes *times)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (FbRuleTotal));
  g_autoptr (GArray) sets = g_array_new (FALSE, FALSE, sizeof (SetTotal));
  g_autoptr (GHashTable) counted = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL); /* of rules in @all, + 1 */

  g_array_set_clear_func (sets, clear_set_total);
  for (guint i = first; i < MIN (end, schedule->passes->len); i++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, i);
      add_pass (totals_of_set (sets, pass->rules), pass, times_once (times, i, counted));
    }
  for (guint i = 0; i < sets->len; i++)
    take_set (all, places, &g_array_index (sets, SetTotal, i));
  return all;
}

double
fb_rule_totals_seconds (const FbRuleTimes *times, guint first, guint end)
{
  g_autoptr (GHashTable) counted = g_hash_table_new (NULL, NULL);
  double seconds = 0;

  for (guint i = first; i < MIN (end, times->n_passes); i++)
    if (times_once (times, i, counted))
      seconds += times->passes[i].seconds;
  return seconds;
}
