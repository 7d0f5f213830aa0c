/* Times of this program alone: `bench-core STRIDE FILE...` prints "read SECONDS", "first-pass SECONDS", "schedule SECONDS" and
 * counts, for bench.py to set beside the reference. Only the work is timed: the bytes are in memory before. Then the largest row is
 * scheduled a few times more: "largest SECONDS" is the median. */
#include <stdio.h>
#include <stdlib.h>

#include "core/capture/capture.h"
#include "core/passes/passes.h"
#include "core/schedule.h"

#include "clock.h"

#define LARGEST_RUNS 15

typedef struct
{
  double read, pass, schedule;
  guint rows;
  guint64 nodes, rewrites, passes;
  guint largest; /* nodes of the row in @bytes */
  GBytes *bytes;
} Times;

static double
seconds_since (double start)
{
  return (now () - start) / 1e3;
}

/* What measuring an interval adds to it: asking for the time goes to the kernel, and a small row is read in ten times that. */
static double
clock_cost (void)
{
  double total = 0;
  enum
  {
    N = 20000
  };
  for (int i = 0; i < N; i++)
    {
      double start = now ();
      total += seconds_since (start);
    }
  return total / N;
}

/* The first pass alone, with its trace. */
static gboolean
measure_first_pass (FbContext *context, FbUop *sink, Times *times)
{
  double start = now ();
  FbPass *pass = fb_pass_new ("schedule.py:374", "simplify", FALSE, sink, fb_simplify_pass_rules ());
  g_autofree FbUop **map = fb_simplify_pass_run (context, sink, pass);
  times->pass += seconds_since (start);
  times->rewrites += pass->matches->len;
  fb_pass_free (pass);
  return map != NULL;
}

/* A whole schedule, of a graph just read: nothing is left over from an earlier run. */
static gboolean
measure_schedule (FbContext *context, GBytes *bytes, Times *times, GError **error)
{
  fb_context_reset (context);
  g_autoptr (FbCaptureRow) row = fb_capture_read_bytes (bytes, "bench", NULL, context, error);
  if (row == NULL)
    return FALSE;
  double start = now ();
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  times->schedule += seconds_since (start);
  times->passes += schedule->passes->len;
  if (schedule->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&schedule->error));
  return FALSE;
}

static gboolean
measure_row (FbCapture *capture, guint number, FbContext *context, Times *times, GError **error)
{
  g_autoptr (GBytes) bytes = fb_capture_read_blob (capture, FB_ROW_SCHEDULE, number, error);
  if (bytes == NULL)
    return FALSE;
  /* dropping the graph before is not reading; the reference is not charged for it either */
  fb_context_reset (context);
  double start = now ();
  g_autoptr (FbCaptureRow) row = fb_capture_read_bytes (bytes, "bench", NULL, context, error);
  times->read += seconds_since (start);
  if (row == NULL)
    return FALSE;
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, row->sink);
  times->rows++;
  times->nodes += nodes->len;
  if (nodes->len > times->largest)
    {
      times->largest = nodes->len;
      g_clear_pointer (&times->bytes, g_bytes_unref);
      times->bytes = g_bytes_ref (bytes);
    }
  if (!measure_first_pass (context, row->sink, times))
    {
      fb_context_take_error (context, error);
      return FALSE;
    }
  return measure_schedule (context, bytes, times, error);
}

static gboolean
measure_file (const char *path, guint stride, FbContext *context, Times *times, GError **error)
{
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, error);
  if (capture == NULL)
    return FALSE;
  for (guint row = 1; row <= fb_capture_n_rows (capture, FB_ROW_SCHEDULE); row += stride)
    if (!measure_row (capture, row, context, times, error))
      {
        g_prefix_error (error, "%s row %u: ", path, row);
        return FALSE;
      }
  return TRUE;
}

/* The median of several schedules of the largest row, in seconds; -1 on error. */
static double
measure_largest (FbContext *context, GBytes *bytes, GError **error)
{
  double runs[LARGEST_RUNS];

  for (guint i = 0; i < LARGEST_RUNS; i++)
    {
      Times once = { 0 };
      if (!measure_schedule (context, bytes, &once, error))
        return -1;
      runs[i] = once.schedule;
    }
  qsort (runs, LARGEST_RUNS, sizeof *runs, compare_doubles);
  return runs[LARGEST_RUNS / 2];
}

int
main (int argc, char **argv)
{
  Times times = { 0 };
  double largest = 0;
  g_autoptr (FbContext) context = fb_context_new ();
  guint stride = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 0;
  if (stride == 0 || argc < 3)
    {
      fprintf (stderr, "usage: bench-core STRIDE FILE...\n");
      return 2;
    }
  for (int i = 2; i < argc; i++)
    {
      g_autoptr (GError) error = NULL;
      if (!measure_file (argv[i], stride, context, &times, &error))
        {
          fprintf (stderr, "bench-core: %s\n", error->message);
          return 2;
        }
    }
  if (times.bytes)
    {
      g_autoptr (GError) error = NULL;
      largest = measure_largest (context, times.bytes, &error);
      g_bytes_unref (times.bytes);
      if (largest < 0)
        {
          fprintf (stderr, "bench-core: %s\n", error->message);
          return 2;
        }
    }
  double cost = clock_cost () * times.rows; /* one interval of each kind a row */
  times.read -= cost;
  times.pass -= cost;
  times.schedule -= cost;
  printf ("read %.6f\nfirst-pass %.6f\nschedule %.6f\n", times.read, times.pass, times.schedule);
  printf ("rows %u\nnodes %" G_GUINT64_FORMAT "\nrewrites %" G_GUINT64_FORMAT "\npasses %" G_GUINT64_FORMAT "\n",
          times.rows, times.nodes, times.rewrites, times.passes);
  printf ("largest-nodes %u\nlargest %.6f\n", times.largest, largest);
  return 0;
}
