/* What a VIZ trace costs: to open it, to see the first graph of a rewrite, to go through its steps; and the memory for all of it.
 *
 * usage: bench-traces TRACE [STEPS]
 *
 * Prints the rewrite with the most matches, which is the one looked at, and processor time in seconds. The first graph is one with its
 * cards and edges, as the viewers of releases send it to the browser, whose layout is not measured; `laid-out` is that with the places of
 * the cards. `step` is the graph at a step, with what is different about it; `drawn` is the same with cards,
 * places, edges, and the text of what was replaced and what by, compared. */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "app/row-view.h"
#include "core/ir/text.h"
#include "core/viztrace/viztrace.h"
#include "viz/scene.h"
#include "viz/textdiff.h"

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static void
stage (gpointer data, double fraction, const char *words)
{
}

static void
find_longest (const char *path, guint *context, guint *rewrite)
{
  g_autoptr (FbVizTrace) trace = fb_viz_trace_open (path, NULL, NULL);
  guint most = 0;

  *context = *rewrite = 0;
  for (guint i = 0; trace && i < fb_viz_trace_n_contexts (trace); i++)
    for (guint k = 0; k < fb_viz_trace_context (trace, i)->n_rewrites; k++)
      if (fb_viz_trace_context (trace, i)->rewrites[k].n_matches > most)
        {
          most = fb_viz_trace_context (trace, i)->rewrites[k].n_matches;
          *context = i;
          *rewrite = k;
        }
}

static FbScene *
draw (FbRowView *row, const FbStep *step, const FbScene *hint)
{
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (row->context, step, FB_GRAPH_OVERLAY);

  return fb_scene_new (graph, NULL, hint, NULL, NULL);
}

int
main (int argc, char **argv)
{
  guint context, rewrite, wanted = argc > 2 ? (guint) atoi (argv[2]) : 100, n = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (FbScene) first = NULL;
  double start, opened, made, shown, worst = 0, steps = 0, drawn = 0;

  if (argc < 2)
    {
      g_printerr ("usage: bench-traces TRACE [STEPS]\n");
      return 2;
    }
  find_longest (argv[1], &context, &rewrite);
  start = now ();
  g_autoptr (FbCapture) capture = fb_capture_open_any (argv[1], NULL, &error);
  if (!capture)
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  opened = now ();
  FbRowView *row = fb_row_view_new (capture, FB_ROW_TRACE, context + 1, NULL, stage, NULL, NULL, &error);
  if (!row || rewrite >= row->n_passes)
    {
      g_printerr ("%s\n", error ? error->message : "the trace lacks a part");
      return 2;
    }
  {
    FbStep *step = fb_row_view_step (row, FB_STEPS_OF_PERSON, rewrite, 0, &error);
    if (!step)
      {
        g_printerr ("%s\n", error->message);
        return 2;
      }
    {
      g_autoptr (FbGraph) graph = fb_graph_new_from_step (row->context, step, FB_GRAPH_OVERLAY);
      made = now ();
    }
    first = draw (row, step, NULL);
    fb_step_free (step);
  }
  shown = now ();
  for (n = 0; n < MIN (wanted, row->passes[rewrite].n_steps); n++)
    {
      double before = now ();
      g_autoptr (FbStep) step = fb_row_view_step (row, FB_STEPS_OF_PERSON, rewrite, n + 1, &error);
      double stepped = now ();
      const FbMatch *match = fb_pass_match (row->passes[rewrite].pass, n);
      g_autoptr (FbScene) scene = NULL;
      g_autofree char *old_text = NULL, *new_text = NULL;

      /* where the viewer of the release stops, too */
      if (!step)
        break;
      scene = draw (row, step, first);
      old_text = fb_uop_to_text (row->context, match->before);
      new_text = fb_uop_to_text (row->context, match->after);
      fb_text_diff_free (fb_text_diff_new (old_text, new_text, 3));
      worst = MAX (worst, stepped - before);
      steps += stepped - before;
      drawn += now () - before;
    }
  {
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    g_print ("context %u\nrewrite %u\nmatches %u\nnodes %u\nopen %.6f\nfirst %.6f\nlaid-out %.6f\nstep "
             "%.6f\nworst-step %.6f\ndrawn "
             "%.6f\nsteps %u\n"
             "memory %ld\n",
             context + 1, rewrite + 1, row->passes[rewrite].n_steps, first->graph->n_nodes, opened - start,
             made - opened, shown - opened, n ? steps / n : 0, worst, n ? drawn / n : 0, n, usage.ru_maxrss * 1024);
  }
  fb_row_view_unref (row);
  return 0;
}
