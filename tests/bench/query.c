/* Questions over every step: `bench-query FILE [ROW]` prepares the row and asks, among others for each kind of term. Processor time of one
 * thread; the best of three rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/capture/capture.h"
#include "core/query/lineage.h"
#include "core/query/query.h"

#define ROUNDS 3

/* Milliseconds. */
static double
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

static int
fail (const char *what)
{
  fprintf (stderr, "bench-query: %s\n", what);
  return 2;
}

static void
ask (const FbQueryIndex *index, const char *text)
{
  g_autoptr (FbQuery) query = fb_query_new (text, NULL, NULL);
  double best = G_MAXDOUBLE;
  guint n = 0;
  for (guint round = 0; round < ROUNDS; round++)
    {
      double begin = now ();
      g_autoptr (GArray) hits = fb_query_all (index, query, NULL);
      best = MIN (best, now () - begin);
      n = hits->len;
    }
  printf ("%-32s %8u hits %8.2f ms\n", text, n, best);
}

/* Of every node of the first pass. */
static void
trace (const FbHistory *history)
{
  double most = 0, sum = 0;
  guint32 n = history->first_life[1];
  for (guint32 life = 0; life < n; life++)
    {
      double begin = now ();
      fb_lineage_free (fb_lineage_new (history, life, 60));
      double took = now () - begin;
      sum += took;
      most = MAX (most, took);
    }
  printf ("%-32s %8u nodes %7.3f ms on average, %.2f ms at most\n", "lineage", n, sum / MAX (n, 1), most);
}

int
main (int argc, char **argv)
{
  static const char *const questions[]
      = { "op:ADD",     "exp2",        "movement",          "shape=(768,)",     "dtype:ints",    "arg:1.0",
          "key:123456", "VIEW(CONST)", "ADD(x, MUL(y, z))", "ALU(ALU(ALU(x)))", "rule:movement", "is:growth",
          "is:again",   "-op:ADD" };
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = argc > 1 ? fb_capture_open (argv[1], NULL, &error) : NULL;
  if (!capture)
    return fail (error ? error->message : "bench-query FILE [ROW]");
  g_autoptr (FbContext) context = fb_context_new ();
  guint number = argc > 2 ? (guint) atoi (argv[2]) : 1;
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, number, context, &error);
  if (!row)
    return fail (error->message);
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  if (schedule->error)
    return fail (schedule->error->message);
  double begin = now ();
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  g_autoptr (FbQueryIndex) index = fb_query_index_new (history);
  printf ("%-32s %8u lives %7.2f ms\n", "prepared", history->lives->len, now () - begin);
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    ask (index, questions[i]);
  trace (history);
  return 0;
}
