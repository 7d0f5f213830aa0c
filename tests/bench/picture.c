/* From a step to its picture: `bench-picture FILE [ROW [STEPS]]` goes to STEPS (1,000) random rewrites of the row's passes and prints
 * what each part of showing one costs: the step, its graph, its scene, the difference as text. What the steps of a pass share, the
 * places of its cards, is made when the pass is first met, and told apart. Processor time of one thread; the same steps every time. */
#include <stdio.h>
#include <stdlib.h>

#include "core/capture/capture.h"
#include "core/ir/text.h"
#include "core/rewrite/stepper.h"
#include "core/schedule.h"
#include "viz/places.h"
#include "viz/textdiff.h"

#include "clock.h"

enum
{
  STEP,
  GRAPH,
  SCENE,
  DIFF,
  ALL,
  PLACES,
  N_PARTS
};
static const char *const names[N_PARTS]
    = { "step", "graph", "scene", "text diff of the replaced", "all of these", "places, once a pass" };

static int
fail (const char *what)
{
  fprintf (stderr, "bench-picture: %s\n", what);
  return 2;
}

/* The pass and step of rewrite @index of all. */
static guint
find (const FbSchedule *schedule, guint index, guint *step)
{
  guint pass = 0;
  while (index >= fb_schedule_pass (schedule, pass)->matches->len)
    index -= fb_schedule_pass (schedule, pass++)->matches->len;
  *step = index + 1;
  return pass;
}

static void
add (GArray *parts[], int part, double ms)
{
  g_array_append_val (parts[part], ms);
}

/* FALSE when it could not be made. */
static gboolean
show (FbStepper *stepper, const FbPlaces *places, guint number, GArray *parts[])
{
  double times[5];
  times[0] = now ();
  g_autoptr (FbStep) step = fb_stepper_step (stepper, number, NULL);
  if (!step)
    return FALSE;
  times[1] = now ();
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
  times[2] = now ();
  g_autoptr (FbScene) scene = fb_places_scene (places, graph, step->context, number, number - 1, NULL, NULL);
  times[3] = now ();
  g_autofree char *before = fb_uop_to_text (step->context, step->before);
  g_autofree char *after = fb_uop_to_text (step->context, step->after);
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (before, after, 3);
  times[4] = now ();
  for (int i = STEP; i <= DIFF; i++)
    add (parts, i, times[i + 1] - times[i]);
  add (parts, ALL, times[4] - times[0]);
  return scene && diff;
}

int
main (int argc, char **argv)
{
  guint64 row_number = 1, n = 1000;
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCapture) capture = NULL;
  g_autoptr (FbCaptureRow) row = NULL;
  guint total = 0;
  GArray *parts[N_PARTS];

  if (argc < 2 || argc > 4 || (argc > 2 && !g_ascii_string_to_unsigned (argv[2], 10, 1, G_MAXINT, &row_number, NULL))
      || (argc > 3 && !g_ascii_string_to_unsigned (argv[3], 10, 1, 1000000, &n, NULL)))
    return fail ("usage: bench-picture FILE [ROW [STEPS]]");
  capture = fb_capture_open (argv[1], NULL, &error);
  if (capture)
    row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, (guint) row_number, context, &error);
  if (!row)
    return fail (error->message);
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  for (guint i = 0; i < schedule->passes->len; i++)
    total += fb_schedule_pass (schedule, i)->matches->len;
  if (schedule->error || !total)
    return fail (schedule->error ? schedule->error->message : "the row has no steps");
  double begin = now ();
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  printf ("history, once a row: %.1f ms\n", now () - begin);
  for (int i = 0; i < N_PARTS; i++)
    parts[i] = g_array_new (FALSE, FALSE, sizeof (double));

  g_autoptr (GRand) rand = g_rand_new_with_seed (20043);
  g_autofree FbPlaces **places = g_new0 (FbPlaces *, schedule->passes->len);
  g_autoptr (FbStepper) stepper = fb_stepper_new (context, fb_schedule_pass (schedule, 0));
  gboolean made = TRUE;
  for (guint i = 0; i < n && made; i++)
    {
      guint step, pass = find (schedule, (guint) g_rand_int_range (rand, 0, (gint32) total), &step);
      if (!places[pass])
        {
          begin = now ();
          places[pass] = fb_places_new (history, pass, NULL, NULL, NULL);
          add (parts, PLACES, now () - begin);
        }
      fb_stepper_set_pass (stepper, fb_schedule_pass (schedule, pass));
      made = places[pass] && show (stepper, places[pass], step, parts);
    }
  for (int i = 0; i < N_PARTS; i++)
    {
      g_array_sort (parts[i], compare_doubles);
      guint len = parts[i]->len;
      if (len)
        printf ("%-28s median %6.2f ms, 90%% %6.2f ms, slowest %6.2f ms\n", names[i],
                g_array_index (parts[i], double, len / 2), g_array_index (parts[i], double, len * 9 / 10),
                g_array_index (parts[i], double, len - 1));
      g_array_unref (parts[i]);
    }
  for (guint i = 0; i < schedule->passes->len; i++)
    fb_places_unref (places[i]);
  return made ? 0 : fail ("a step could not be made");
}
