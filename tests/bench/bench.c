/* Times of this program alone: `bench-core STRIDE FILE...` prints "read SECONDS", "first-pass SECONDS" and counts, for bench.py
 * to set beside the reference. Only the work is timed: the bytes are in memory before. */
#include <stdio.h>
#include <stdlib.h>

#include "core/capture/capture.h"
#include "core/schedule.h"

typedef struct
{
  double read, pass;
  guint rows;
  guint64 nodes, rewrites;
} Times;

static double
now (void)
{
  return (double) g_get_monotonic_time () * 1e-6;
}

static gboolean
measure_row (FbCapture *capture, guint number, FbContext *context, Times *times, GError **error)
{
  g_autoptr (GBytes) bytes = fb_capture_read_blob (capture, FB_ROW_SCHEDULE, number, error);
  if (bytes == NULL)
    return FALSE;
  double start = now ();
  fb_context_reset (context);
  g_autoptr (FbCaptureRow) row = fb_capture_read_bytes (bytes, "bench", NULL, context, error);
  times->read += now () - start;
  if (row == NULL)
    return FALSE;

  start = now ();
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  times->pass += now () - start;
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, row->sink);
  times->rows++;
  times->nodes += nodes->len;
  if (schedule->passes->len > 0)
    times->rewrites += ((FbPass *) g_ptr_array_index (schedule->passes, 0))->matches->len;
  if (schedule->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&schedule->error));
  return FALSE;
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

int
main (int argc, char **argv)
{
  Times times = { 0 };
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
  printf ("read %.6f\nfirst-pass %.6f\nrows %u\nnodes %" G_GUINT64_FORMAT "\nrewrites %" G_GUINT64_FORMAT "\n",
          times.read, times.pass, times.rows, times.nodes, times.rewrites);
  return 0;
}
