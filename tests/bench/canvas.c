/* Milliseconds a frame of the canvas: panning and zooming a graph of many cards, drawn as the window draws it. Processor time of the
 * main thread from the beginning of a frame to its end, so that a busy machine does not count. Needs a display.
 * Usage: bench-canvas [NODES [FRAMES]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <adwaita.h>

#include "app/canvas.h"

#define WIDTH 1280
#define HEIGHT 800

typedef struct
{
  GMainLoop *loop;
  FbCanvas *canvas;
  FbCamera from; /* of the movement under way */
  double dx, dy, factor;
  guint frame, n_frames;
  double begin;
  GArray *times; /* of double, ms */
} Bench;

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

/* Two sources a node, mostly near ones, as kernels' graphs are; one constant that every tenth node uses. */
static FbUop *
make_graph (FbContext *context, guint n)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  const FbDType *dtype = FB_DTYPE (FLOAT32);
  FbUop *hub = fb_uop_new (context, FB_OP_DEFINE_VAR, dtype, 0, NULL, fb_arg_int (0));
  g_ptr_array_add (nodes, hub);
  while (nodes->len + 1 < n)
    {
      guint reach = MIN (nodes->len, 400);
      FbUop *a = g_ptr_array_index (nodes, nodes->len - 1 - g_rand_int_range (rand, 0, (gint32) reach));
      FbUop *b = nodes->len % 10
                     ? g_ptr_array_index (nodes, nodes->len - 1 - g_rand_int_range (rand, 0, (gint32) reach))
                     : hub;
      FbUop *src[] = { a, b };
      FbUop *node = nodes->len % 23 == 1
                        ? fb_uop_new (context, FB_OP_DEFINE_VAR, dtype, 0, NULL, fb_arg_int (nodes->len))
                        : fb_uop_new (context, nodes->len % 3 ? FB_OP_ADD : FB_OP_MUL, dtype, 2, src, FB_ARG_NIL);
      g_ptr_array_add (nodes, node);
    }
  return fb_uop_new (context, FB_OP_SINK, FB_DTYPE (VOID), nodes->len, (FbUop *const *) nodes->pdata, FB_ARG_NIL);
}

static void
frame_begins (GdkFrameClock *clock, Bench *bench)
{
  bench->begin = now ();
}

static void
frame_ends (GdkFrameClock *clock, Bench *bench)
{
  double ms = now () - bench->begin;
  /* the first frames warm up */
  if (bench->frame > 3)
    g_array_append_val (bench->times, ms);
  if (++bench->frame > bench->n_frames + 3)
    g_main_loop_quit (bench->loop);
}

static gboolean
move (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Bench *bench = data;
  double part = sin ((double) bench->frame / bench->n_frames * 2 * G_PI);
  FbCamera camera = bench->from;
  camera.zoom *= pow (bench->factor, part);
  camera.x += bench->dx * part / camera.zoom;
  camera.y += bench->dy * part / camera.zoom;
  fb_canvas_set_camera (bench->canvas, camera);
  return G_SOURCE_CONTINUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static void
measure (Bench *bench, const char *name, FbCamera from, double dx, double dy, double factor)
{
  guint tick;
  bench->from = from;
  bench->dx = dx;
  bench->dy = dy;
  bench->factor = factor;
  bench->frame = 0;
  g_array_set_size (bench->times, 0);
  tick = gtk_widget_add_tick_callback (GTK_WIDGET (bench->canvas), move, bench, NULL);
  g_main_loop_run (bench->loop);
  gtk_widget_remove_tick_callback (GTK_WIDGET (bench->canvas), tick);
  g_array_sort (bench->times, compare);
  guint n = bench->times->len;
  printf ("%-34s median %6.1f ms, 95th percentile %6.1f ms, most %6.1f ms\n", name,
          g_array_index (bench->times, double, n / 2), g_array_index (bench->times, double, n * 95 / 100),
          g_array_index (bench->times, double, n - 1));
}

static FbCamera
around (FbRect rect, double zoom)
{
  return (FbCamera){ rect.x + rect.width / 2 - WIDTH / zoom / 2, rect.y + rect.height / 2 - HEIGHT / zoom / 2, zoom };
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) MAX (atoi (argv[1]), 10) : 20000;
  Bench bench = { .n_frames = argc > 2 ? (guint) MAX (atoi (argv[2]), 10) : 120 };
  if (!gtk_init_check ())
    {
      printf ("no display: the canvas is not measured\n");
      return 0;
    }
  adw_init ();
  g_autoptr (FbContext) context = fb_context_new ();
  FbUop *sink = make_graph (context, n);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (context, sink);
  double begin = now ();
  g_autoptr (FbScene) scene = fb_scene_new (graph, NULL, NULL, NULL, NULL);
  printf ("%u cards, %u edges, %u layers, laid out in %.0f ms\n", graph->n_nodes, graph->n_edges,
          scene->layout->n_layers, now () - begin);
  GtkWidget *window = gtk_window_new ();
  bench.canvas = g_object_new (FB_TYPE_CANVAS, NULL);
  bench.loop = g_main_loop_new (NULL, FALSE);
  bench.times = g_array_new (FALSE, FALSE, sizeof (double));
  fb_canvas_set_animated (bench.canvas, FALSE);
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (bench.canvas));
  gtk_window_present (GTK_WINDOW (window));
  fb_canvas_set_scene (bench.canvas, scene);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  g_signal_connect (clock, "before-paint", G_CALLBACK (frame_begins), &bench);
  g_signal_connect (clock, "after-paint", G_CALLBACK (frame_ends), &bench);

  FbRect bounds = scene->bounds;
  double fit = MIN (WIDTH / bounds.width, HEIGHT / bounds.height);
  measure (&bench, "pan at 1:1", around (bounds, 1), 2000, 1500, 1);
  measure (&bench, "pan at 0.5", around (bounds, 0.5), 2000, 1500, 1);
  measure (&bench, "pan at 0.25", around (bounds, 0.25), 2000, 1500, 1);
  measure (&bench, "pan at 0.1", around (bounds, 0.1), 500, 400, 1);
  measure (&bench, "pan with everything in view", around (bounds, fit), 200, 100, 1);
  measure (&bench, "zoom from 0.05 to 1.25", around (bounds, 0.25), 0, 0, 5);
  g_main_loop_unref (bench.loop);
  g_array_unref (bench.times);
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
