#include "count.h"

#define N_BUFFERS 16

const char *
fb_count (gint64 number)
{
  static _Thread_local char buffers[N_BUFFERS][32];
  static _Thread_local guint next;
  char *text = buffers[next++ % N_BUFFERS];
  char *at = text + sizeof buffers[0] - 1;
  guint64 rest = number < 0 ? -(guint64) number : (guint64) number;
  *at = '\0';
  for (guint digits = 0;; digits++)
    {
      if (digits && digits % 3 == 0)
        *--at = ',';
      *--at = (char) ('0' + rest % 10);
      rest /= 10;
      if (!rest)
        break;
    }
  if (number < 0)
    *--at = '-';
  return at;
}
