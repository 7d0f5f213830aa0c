/* What benches share: the clock, and an order of figures. */
#pragma once

#include <glib.h>
#include <time.h>

/* Milliseconds of this thread's processor time, so that a busy machine does not count. */
static inline double
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

static inline int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}
