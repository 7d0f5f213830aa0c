/* How many of the cards that a step does not change move from step to step of a pass, and what a step's scene costs in processor
 * time. Usage: bench-moves FILE [ROW [PASS [STRIDE]]]; every STRIDE-th step is looked at, beside the one before it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/capture/capture.h"
#include "core/schedule.h"
#include "viz/scene.h"

/* ms of processor time, so that a busy machine does not count */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static double
at (GArray *values, double part)
{
  g_array_sort (values, compare_doubles);
  return values->len ? g_array_index (values, double, (guint) (part * (values->len - 1))) : 0;
}

typedef struct
{
  FbStep *step;
  FbScene *scene;
} Shown;

static void
clear (Shown *shown)
{
  g_clear_pointer (&shown->scene, fb_scene_unref);
  g_clear_pointer (&shown->step, fb_step_free);
}

static gboolean
show (FbContext *context, const FbPass *pass, guint number, const FbScene *hint, Shown *shown, double *ms)
{
  shown->step = fb_step_new (context, pass, number, NULL);
  if (!shown->step)
    return FALSE;
  double begin = now ();
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (shown->step->context, shown->step, FB_GRAPH_OVERLAY);
  shown->scene = fb_scene_new (graph, NULL, hint, NULL, NULL);
  *ms = now () - begin;
  return shown->scene != NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  guint row_number = argc > 2 ? (guint) atoi (argv[2]) : 1, pass_number = argc > 3 ? (guint) atoi (argv[3]) : 1;
  guint stride = argc > 4 ? MAX (atoi (argv[4]), 1) : 1;
  g_autoptr (FbCapture) capture = argc > 1 ? fb_capture_open (argv[1], NULL, &error) : NULL;
  g_autoptr (FbCaptureRow) row
      = capture ? fb_capture_read_row (capture, FB_ROW_SCHEDULE, row_number, context, &error) : NULL;
  if (!row)
    {
      fprintf (stderr, "bench-moves: %s\n", error ? error->message : "no file named");
      return 2;
    }
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  if (pass_number < 1 || pass_number > schedule->passes->len)
    {
      fprintf (stderr, "bench-moves: there are %u passes\n", schedule->passes->len);
      return 2;
    }
  const FbPass *pass = fb_schedule_pass (schedule, pass_number - 1);
  g_autoptr (FbGraph) input = fb_graph_new_from_sink (context, pass->sink);
  g_autoptr (FbScene) base = fb_scene_new (input, NULL, NULL, NULL, NULL);
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  Shown before = { NULL, NULL }, after = { NULL, NULL };
  guint last = G_MAXUINT;

  for (guint s = 1; s <= pass->matches->len; s += stride)
    {
      double ms;
      if (last != s - 1)
        {
          clear (&before);
          if (!show (context, pass, s - 1, base, &before, &ms))
            return 2;
        }
      if (!show (context, pass, s, base, &after, &ms))
        return 2;
      g_array_append_val (times, ms);
      g_autofree guint32 *match = fb_graph_match (after.scene->graph, before.scene->graph);
      FbMoves moves = fb_scene_moves (after.scene, before.scene, match);
      double share = moves.n_same ? 100.0 * moves.n_moved / moves.n_same : 0;
      g_array_append_val (shares, share);
      clear (&before);
      before = after;
      after = (Shown){ NULL, NULL };
      last = s;
    }
  clear (&before);
  printf ("pass %u (%s): %u steps of %u looked at, %u cards\n", pass_number, pass->title, shares->len,
          pass->matches->len, input->n_nodes);
  printf ("unchanged cards that move: median %.2f %%, 90th percentile %.2f %%, most %.2f %%\n", at (shares, 0.5),
          at (shares, 0.9), at (shares, 1));
  printf ("graph and scene of a step: median %.2f ms, 90th percentile %.2f ms, most %.2f ms\n", at (times, 0.5),
          at (times, 0.9), at (times, 1));
  return 0;
}
