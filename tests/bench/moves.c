/* How many of the cards that a step does not change move from step to step of a pass, and what a step's graph and scene cost in
 * processor time. Usage: bench-moves [--passes] [--rows N] [--steps N] FILE...
 *
 * Every pass of every N-th row is looked at: all its steps, or of a longer one STEPS (400) neighbouring pairs, evenly spread. A line a
 * file says for how many passes the median step moves no more than the goal (2 %), and which does worst; --passes adds a line for
 * each pass. A card moves when its middle does; cards that the step replaces are no unchanged ones, they make room on purpose. */
#include <stdio.h>
#include <stdlib.h>

#include "core/capture/capture.h"
#include "core/rewrite/stepper.h"
#include "core/schedule.h"
#include "viz/places.h"

#include "clock.h"

#define GOAL 2.0 /* per cent */

static gboolean list_passes;
static int row_stride = 1, most_steps = 400;
static char **files;
static const GOptionEntry entries[] = {
  { "passes", 0, 0, G_OPTION_ARG_NONE, &list_passes, "A line for each pass", NULL },
  { "rows", 0, 0, G_OPTION_ARG_INT, &row_stride, "Look at every N-th row", "N" },
  { "steps", 0, 0, G_OPTION_ARG_INT, &most_steps, "At most so many steps of a pass", "N" },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
  { NULL },
};

typedef struct
{
  guint passes, good;
  double worst;
  char *worst_pass;
  GArray *medians; /* of passes, per cent */
  GArray *shares;  /* of all steps, per cent */
  GArray *times;   /* of all steps, ms */
} Tally;

static double
at (GArray *values, double part)
{
  g_array_sort (values, compare_doubles);
  return values->len ? g_array_index (values, double, (guint) (part * (values->len - 1))) : 0;
}

static void
tally_init (Tally *tally)
{
  *tally = (Tally){ .worst = -1 };
  tally->medians = g_array_new (FALSE, FALSE, sizeof (double));
  tally->shares = g_array_new (FALSE, FALSE, sizeof (double));
  tally->times = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
tally_clear (Tally *tally)
{
  g_array_unref (tally->medians);
  g_array_unref (tally->shares);
  g_array_unref (tally->times);
  g_free (tally->worst_pass);
}

static void
tally_add (Tally *tally, double median, const char *pass)
{
  tally->passes++;
  tally->good += median <= GOAL;
  g_array_append_val (tally->medians, median);
  if (median > tally->worst)
    {
      tally->worst = median;
      g_free (tally->worst_pass);
      tally->worst_pass = g_strdup (pass);
    }
}

static void
tally_print (const char *name, Tally *tally)
{
  printf ("%-32s %5u of %5u passes within %.0f %% (%.1f %%), worst %5.1f %%", name, tally->good, tally->passes, GOAL,
          tally->passes ? 100.0 * tally->good / tally->passes : 100, MAX (tally->worst, 0));
  if (tally->worst > GOAL)
    printf (" (%s)", tally->worst_pass);
  printf ("; all steps: 90th percentile %.1f %%, graph and scene median %.2f ms\n", at (tally->shares, 0.9),
          at (tally->times, 0.5));
}

static FbScene *
show (FbStepper *stepper, guint number, const FbPlaces *places, FbStep **step, double *ms)
{
  *step = fb_stepper_step (stepper, number, NULL);
  if (!*step)
    return NULL;
  double begin = now ();
  g_autoptr (FbGraph) graph = fb_graph_new_from_step ((*step)->context, *step, FB_GRAPH_OVERLAY);
  FbScene *scene = fb_places_scene (places, graph, (*step)->context, number, number ? number - 1 : 0, NULL, NULL);
  *ms = now () - begin;
  return scene;
}

/* FALSE when a step cannot be made. */
static gboolean
measure (const FbHistory *history, guint number, const char *name, Tally *tally, Tally *all)
{
  FbContext *context = history->schedule->context;
  const FbPass *pass = fb_schedule_pass (history->schedule, number);
  g_autoptr (FbGraph) input = fb_graph_new_from_sink (context, pass->sink);
  g_autoptr (FbPlaces) base = fb_places_new (history, number, NULL, NULL, NULL);
  g_autoptr (FbStepper) stepper = fb_stepper_new (context, pass);
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (double));
  FbStep *step_before = NULL, *step = NULL;
  FbScene *before = NULL;
  guint last = G_MAXUINT, n = pass->matches->len, n_looked = MIN (n, (guint) most_steps);
  double ms;

  for (guint k = 0; k < n_looked; k++)
    {
      guint s = 1 + (guint) ((guint64) k * n / n_looked);
      if (last != s - 1)
        {
          g_clear_pointer (&before, fb_scene_unref);
          g_clear_pointer (&step_before, fb_step_free);
          before = show (stepper, s - 1, base, &step_before, &ms);
        }
      g_autoptr (FbScene) scene = show (stepper, s, base, &step, &ms);
      if (!before || !scene)
        return FALSE;
      g_autofree guint32 *match = fb_graph_match (scene->graph, before->graph);
      FbMoves moves = fb_scene_moves (scene, before, match);
      double share = moves.n_same ? 100.0 * moves.n_moved / moves.n_same : 0;
      g_array_append_val (shares, share);
      g_array_append_val (tally->shares, share);
      g_array_append_val (all->shares, share);
      g_array_append_val (tally->times, ms);
      g_array_append_val (all->times, ms);
      fb_scene_unref (before);
      fb_step_free (step_before);
      before = g_steal_pointer (&scene);
      step_before = step;
      last = s;
    }
  g_clear_pointer (&before, fb_scene_unref);
  g_clear_pointer (&step_before, fb_step_free);
  double median = at (shares, 0.5);
  tally_add (tally, median, name);
  tally_add (all, median, name);
  if (list_passes)
    printf ("  %-40s %5u steps %6u cards, %6u places: median %5.2f %%, 90th percentile %5.2f %%, most %5.2f %%\n", name,
            n, input->n_nodes, fb_places_count (base), median, at (shares, 0.9), at (shares, 1));
  return TRUE;
}

static gboolean
measure_row (FbCapture *capture, guint number, Tally *tally, Tally *all, GError **error)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, number, context, error);
  if (!row)
    return FALSE;
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  for (guint i = 0; i < schedule->passes->len; i++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, i);
      g_autofree char *name = g_strdup_printf ("row %u, pass %u, %s", number, i + 1, pass->title);
      if (pass->matches->len && !measure (history, i, name, tally, all))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: a step could not be made", name);
          return FALSE;
        }
    }
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) options = g_option_context_new ("FILE...");
  Tally all;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error) || !files)
    {
      fprintf (stderr, "bench-moves: %s\n", error ? error->message : "no file named");
      return 2;
    }
  row_stride = MAX (row_stride, 1);
  most_steps = MAX (most_steps, 1);
  tally_init (&all);
  for (guint f = 0; files[f]; f++)
    {
      g_autoptr (FbCapture) capture = fb_capture_open (files[f], NULL, &error);
      g_autofree char *name = g_path_get_basename (files[f]);
      Tally tally;
      guint n = capture ? fb_capture_n_rows (capture, FB_ROW_SCHEDULE) : 0;

      tally_init (&tally);
      for (guint r = 1; r <= n && !error; r += (guint) row_stride)
        measure_row (capture, r, &tally, &all, &error);
      if (error)
        {
          fprintf (stderr, "bench-moves: %s: %s\n", name, error->message);
          return 2;
        }
      if (tally.passes)
        tally_print (name, &tally);
      fflush (stdout);
      tally_clear (&tally);
    }
  if (files[1])
    tally_print ("together", &all);
  tally_clear (&all);
  return 0;
}
