/* What rules cost, on request: the clock, and where a pass that is measured keeps what its tries took.
 *
 * A try often takes less than a look at the clock, so a schedule is measured only when asked (core/explain/rule-times.h), and
 * the clock's own cost is taken off afterwards, from sums. */
#pragma once

#include <glib.h>
#include <time.h>

/* A count that goes on evenly and costs little to read; how many a second is for who measures to find out. */
static inline guint64
fb_ticks (void)
{
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc ();
#else
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (guint64) now.tv_sec * 1000000000u + (guint64) now.tv_nsec;
#endif
}

/* What a look at the clock, and noting what it says, adds to a try, in ticks; measured by this call, in a fraction of a
 * millisecond. */
double fb_ticks_cost (void);

typedef struct
{
  guint64 began, whole; /* the pass from beginning to end; the clock's cost is in all of these */
  guint64 n_reads;      /* of the clock while it ran */
  GArray *matches;  /* of guint64, for each match of the pass: the try that gave it, what its callback did included */
  guint64 missed[]; /* per rule: tries that gave nothing */
} FbPassTicks;
