/* Milliseconds of processor time from a capture to a picture: step, graph, layout, drawing, text. Usage: bench-steps FILE [ROW [PASS [STEP]]] */
#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/capture/capture.h"
#include "core/ir/text.h"
#include "core/schedule.h"
#include "viz/draw.h"
#include "viz/textdiff.h"

static double begin;

/* ms of processor time, so that a busy machine does not count */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void
start (void)
{
  begin = now ();
}

static void
stop (const char *what)
{
  printf ("%-34s %8.2f ms\n", what, now () - begin);
}

static guint32
widest_middle (const FbLayout *layout)
{
  guint32 best = 0;
  for (guint32 r = 1; r < layout->n_layers; r++)
    if (layout->layer_first[r + 1] - layout->layer_first[r] > layout->layer_first[best + 1] - layout->layer_first[best])
      best = r;
  return layout->layer_nodes[(layout->layer_first[best] + layout->layer_first[best + 1]) / 2];
}

static void
measure_drawing (const FbScene *scene)
{
  static const double zooms[] = { 1, 0.75, 0.5, 0.3, 0.1, 0 };
  g_autoptr (FbDrawer) drawer = fb_drawer_new (NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1280, 800);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (zooms); i++)
    {
      FbRect b = scene->bounds;
      double fit = MIN (1280 / b.width, 800 / b.height), zoom = zooms[i / 2] > 0 ? zooms[i / 2] : fit;
      FbDrawState state = FB_DRAW_STATE_INIT;
      char what[64];
      cairo_t *cr = cairo_create (surface);

      /* around the middle of the widest layer */
      FbRect at = fb_scene_card (scene, widest_middle (scene->layout));
      if (zoom == fit)
        at = b;
      state.zoom = zoom;
      state.visible = (FbRect){ at.x + at.width / 2 - (float) (640 / zoom), at.y + at.height / 2 - (float) (400 / zoom),
                                (float) (1280 / zoom), (float) (800 / zoom) };
      cairo_scale (cr, zoom, zoom);
      cairo_translate (cr, -state.visible.x, -state.visible.y);
      start ();
      fb_drawer_draw (drawer, cr, scene, &state);
      if (i % 2)
        {
          g_snprintf (what, sizeof what, "draw 1280x800 at zoom %.3f", zoom);
          stop (what);
        }
      cairo_destroy (cr);
    }
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  guint row_number = argc > 2 ? (guint) atoi (argv[2]) : 1, pass_number = argc > 3 ? (guint) atoi (argv[3]) : 1;
  g_autoptr (FbCapture) capture = argc > 1 ? fb_capture_open (argv[1], NULL, &error) : NULL;
  if (!capture)
    {
      fprintf (stderr, "bench-steps: %s\n", error ? error->message : "no file named");
      return 2;
    }
  start ();
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, row_number, context, &error);
  if (!row)
    {
      fprintf (stderr, "bench-steps: %s\n", error->message);
      return 2;
    }
  stop ("read");
  start ();
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  stop ("schedule");
  if (pass_number < 1 || pass_number > schedule->passes->len)
    {
      fprintf (stderr, "bench-steps: there are %u passes\n", schedule->passes->len);
      return 2;
    }
  const FbPass *pass = g_ptr_array_index (schedule->passes, pass_number - 1);
  guint step_number = argc > 4 ? MIN ((guint) atoi (argv[4]), pass->matches->len) : pass->matches->len / 2;

  start ();
  g_autoptr (FbGraph) base_graph = fb_graph_new_from_sink (context, pass->sink);
  stop ("graph of the input");
  start ();
  g_autoptr (FbScene) base = fb_scene_new (base_graph, NULL, NULL, NULL, NULL);
  stop ("scene of the input");
  guint stubs = 0;
  for (guint e = 0; e < base_graph->n_edges; e++)
    stubs += base->layout->stub[e];
  printf ("  %u cards, %u folded, %u edges (%u stubs), %u layers, %.0f x %.0f px\n", base_graph->n_nodes,
          base_graph->n_folded, base_graph->n_edges, stubs, base->layout->n_layers, base->bounds.width,
          base->bounds.height);
  measure_drawing (base);

  start ();
  g_autoptr (FbStep) step = fb_step_new (context, pass, step_number, &error);
  stop ("step");
  if (!step)
    {
      fprintf (stderr, "bench-steps: %s\n", error->message);
      return 2;
    }
  start ();
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
  stop ("graph of the step");
  start ();
  g_autoptr (FbScene) scene = fb_scene_new (graph, NULL, base, NULL, NULL);
  stop ("scene of the step, close to input");
  guint moved_x = 0, moved_y = 0, matched = 0;
  g_autofree guint32 *match = fb_graph_match (graph, base_graph);
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (match[i] != FB_GRAPH_NONE && graph->nodes[i].mark != FB_MARK_REPLACED)
      {
        FbRect a = fb_scene_card (scene, i), b = fb_scene_card (base, match[i]);
        matched++;
        moved_x += ABS (a.x + a.width / 2 - b.x - b.width / 2) > 1;
        moved_y += ABS (a.y - b.y) > 1;
      }
  printf ("  %u cards, %u known to the input; moved: %u sideways, %u up or down\n", graph->n_nodes, matched, moved_x,
          moved_y);

  start ();
  g_autofree char *before = fb_uop_to_text (step->context, step->before_sink);
  g_autofree char *after = fb_uop_to_text (step->context, step->after_sink);
  stop ("both texts");
  start ();
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (before, after, 3);
  stop ("text diff");
  printf ("  -%u +%u, %u the same%s\n", diff->n_removed, diff->n_added, diff->n_same, diff->exact ? "" : ", not exact");
  return 0;
}
