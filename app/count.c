#include "app/count.h"

#define N_BUFFERS 16

const char *
fb_count (guint64 number)
{
  static _Thread_local char buffers[N_BUFFERS][32];
  static _Thread_local guint next;
  char *text = buffers[next++ % N_BUFFERS];
  char *at = text + sizeof buffers[0] - 1;
  *at = '\0';
  for (guint digits = 0;; digits++)
    {
      if (digits && digits % 3 == 0)
        *--at = ',';
      *--at = '0' + number % 10;
      number /= 10;
      if (!number)
        return at;
    }
}
