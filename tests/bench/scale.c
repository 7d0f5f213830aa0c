/* Time and memory by size: `bench-scale [NODES...]` schedules stacks of layers of about so many nodes, smallest first, and
 * prints for each the kernels, the times of the first pass and of the whole schedule, what the context holds at the end and by
 * how much the process grew, per node of the input.
 * What grows faster than the graph shows as a figure that rises. */
#include <sys/resource.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/schedule.h"
#include "tests/graph-util.h"

#define ROWS 4
#define WIDTH 8

/* Nanoseconds of processor time of this thread. */
static double
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static double
peak_bytes (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss * 1024;
}

static FbUop *
reshape (FbContext *c, FbUop *x, const FbDims *shape)
{
  return fb_movement (c, FB_OP_RESHAPE, x, shape);
}

static FbUop *
expand (FbContext *c, FbUop *x, const FbDims *shape)
{
  return fb_movement (c, FB_OP_EXPAND, x, shape);
}

/* x + relu (x @ w + b), with weights of its own */
static FbUop *
layer (FbContext *c, FbUop *x, gint64 number)
{
  const FbDims *product = DIMS (c, ROWS, WIDTH, WIDTH), *shape = DIMS (c, ROWS, WIDTH);
  FbUop *w = reshape (c, buffer (c, 2 * number + 1, WIDTH * WIDTH), DIMS (c, 1, WIDTH, WIDTH));
  FbUop *b = reshape (c, buffer (c, 2 * number + 2, WIDTH), DIMS (c, 1, WIDTH));
  FbUop *y = expand (c, reshape (c, x, DIMS (c, ROWS, 1, WIDTH)), product);

  y = fb_alu2 (c, FB_OP_MUL, y, expand (c, w, product));
  y = reshape (c, reduce (c, FB_OP_ADD, y, DIMS (c, 2)), shape);
  y = fb_alu2 (c, FB_OP_ADD, y, expand (c, b, shape));
  y = fb_alu2 (c, FB_OP_MAX, y, fb_const_like_int (c, y, 0));
  return fb_alu2 (c, FB_OP_ADD, x, y);
}

static FbUop *
stack_of_layers (FbContext *c, guint nodes)
{
  FbUop *x = reshape (c, buffer (c, 0, ROWS * WIDTH), DIMS (c, ROWS, WIDTH));

  for (gint64 i = 0; fb_context_n_uops (c) < nodes; i++)
    x = layer (c, x, i);
  return sink_of (c, fb_uop_new (c, FB_OP_CONTIGUOUS, x->dtype, 1, &x, FB_ARG_NIL));
}

static double
first_pass (guint nodes)
{
  g_autoptr (FbContext) context = fb_context_new ();
  FbUop *sink = stack_of_layers (context, nodes);
  FbPass *pass = fb_pass_new ("schedule.py:374", "simplify", FALSE, sink, fb_simplify_pass_rules ());
  double start = now ();
  g_autofree FbUop **map = fb_simplify_pass_run (context, sink, pass);
  double time = now () - start;

  fb_pass_free (pass);
  return map ? time : -1;
}

static gboolean
measure (guint nodes)
{
  double pass = first_pass (nodes), before = peak_bytes ();
  g_autoptr (FbContext) context = fb_context_new ();
  FbUop *sink = stack_of_layers (context, nodes);
  double n = fb_context_n_uops (context), start = now ();
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, sink, NULL);
  double time = now () - start;

  if (schedule->error || pass < 0)
    {
      fprintf (stderr, "bench-scale: %s\n", schedule->error ? schedule->error->message : "the first pass failed");
      return FALSE;
    }
  printf ("%7.0f nodes %6u kernels   first pass %6.0f ns   schedule %6.0f ns   memory %6.0f bytes   peak %6.0f bytes\n",
          n, schedule->kernels->len, pass / n, time / n, (double) fb_context_memory (context) / n,
          (peak_bytes () - before) / n);
  return TRUE;
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000 };

  if (argc < 2)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      if (!measure (sizes[i]))
        return 2;
  for (int i = 1; i < argc; i++)
    {
      guint nodes = (guint) strtoul (argv[i], NULL, 10);
      if (nodes == 0 || nodes > 10000000)
        {
          fprintf (stderr, "usage: bench-scale [NODES...]\n");
          return 2;
        }
      if (!measure (nodes))
        return 2;
    }
  return 0;
}
