/* Any step at once: `bench-stepper FILE [ROW [STEPS]]` goes to STEPS (1,000) random rewrites of the row's passes and prints how long
 * each takes until the graph and its marks are there, then walks all steps of the first pass in order. Processor time of one thread,
 * best of three rounds for the walk; the same steps every time. */
#include <stdio.h>
#include <stdlib.h>

#include "core/capture/capture.h"
#include "core/rewrite/stepper.h"
#include "core/schedule.h"

#include "clock.h"

#define ROUNDS 3

static int
fail (const char *what)
{
  fprintf (stderr, "bench-stepper: %s\n", what);
  return 2;
}

/* The pass and step of rewrite @index of all. */
static const FbPass *
find (const FbSchedule *schedule, guint index, guint *step)
{
  for (guint i = 0; i < schedule->passes->len; i++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, i);
      if (index < pass->matches->len)
        {
          *step = index + 1;
          return pass;
        }
      index -= pass->matches->len;
    }
  return NULL;
}

/* FALSE when a step could not be made. */
static gboolean
go_anywhere (FbContext *context, const FbSchedule *schedule, guint total, guint n)
{
  g_autofree double *times = g_new (double, n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (20043);
  g_autoptr (FbStepper) stepper = NULL;
  guint64 nodes = 0;

  for (guint i = 0; i < n; i++)
    {
      guint step = 0;
      const FbPass *pass = find (schedule, (guint) g_rand_int_range (rand, 0, (gint32) total), &step);
      double start = now ();
      FbStep *record;

      if (stepper)
        fb_stepper_set_pass (stepper, pass);
      else
        stepper = fb_stepper_new (context, pass);
      record = fb_stepper_step (stepper, step, NULL);
      times[i] = now () - start;
      if (!record)
        return FALSE;
      nodes += record->nodes->len;
      fb_step_free (record);
    }
  qsort (times, n, sizeof *times, compare_doubles);
  printf ("%u random steps of %u, %.0f nodes each: median %.2f ms, 90%% %.2f ms, slowest %.2f ms\n", n, total,
          (double) nodes / n, times[n / 2], times[n * 9 / 10], times[n - 1]);
  return TRUE;
}

static gboolean
walk (FbContext *context, const FbPass *pass)
{
  double best = 0;
  guint64 rebuilt = 0, nodes = 0;

  for (guint round = 0; round < ROUNDS; round++)
    {
      double start = now (), time;
      g_autoptr (FbStepper) stepper = fb_stepper_new (context, pass);

      rebuilt = nodes = 0;
      for (guint s = 1; s <= pass->matches->len; s++)
        {
          FbStep *step = fb_stepper_step (stepper, s, NULL);
          if (!step)
            return FALSE;
          rebuilt += step->n_marks[FB_MARK_REBUILT];
          nodes += step->nodes->len;
          fb_step_free (step);
        }
      time = now () - start;
      best = round ? MIN (best, time) : time;
    }
  if (pass->matches->len)
    printf ("all %u steps of %s in order, %.0f nodes and %.0f rebuilt each: %.0f ms, %.3f ms a step\n",
            pass->matches->len, pass->title, (double) nodes / pass->matches->len, (double) rebuilt / pass->matches->len,
            best, best / pass->matches->len);
  return TRUE;
}

int
main (int argc, char **argv)
{
  guint64 row_number = 1, n = 1000;
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCapture) capture = NULL;
  g_autoptr (FbCaptureRow) row = NULL;
  g_autoptr (FbSchedule) schedule = NULL;
  guint total = 0;

  if (argc < 2 || argc > 4 || (argc > 2 && !g_ascii_string_to_unsigned (argv[2], 10, 1, G_MAXINT, &row_number, NULL))
      || (argc > 3 && !g_ascii_string_to_unsigned (argv[3], 10, 1, 1000000, &n, NULL)))
    return fail ("usage: bench-stepper FILE [ROW [STEPS]]");
  capture = fb_capture_open (argv[1], NULL, &error);
  if (capture)
    row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, (guint) row_number, context, &error);
  if (!row)
    return fail (error->message);
  schedule = fb_schedule_new (context, row->sink, NULL);
  for (guint i = 0; i < schedule->passes->len; i++)
    total += fb_schedule_pass (schedule, i)->matches->len;
  if (schedule->error || !total)
    return fail (schedule->error ? schedule->error->message : "the row has no steps");
  if (!go_anywhere (context, schedule, total, (guint) n) || !walk (context, fb_schedule_pass (schedule, 0)))
    return fail ("a step could not be made");
  return 0;
}
