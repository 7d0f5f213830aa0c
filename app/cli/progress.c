/* The progress bar. One at a time, drawn by the main thread only. */
#include <stdio.h>
#include <unistd.h>

#include "cli-private.h"

enum
{
  BAR_WIDTH = 30,
  SHOW_AFTER_MS = 300, /* short work shows no bar */
  REDRAW_MS = 80,
};

static struct
{
  char *what;
  guint total, done;
  gint64 begun, drawn;
  gboolean active, visible;
} bar;

void
fb_cli_progress_begin (const char *what, guint total)
{
  fb_cli_progress_end ();
  bar.active = total > 1 && isatty (STDERR_FILENO);
  bar.what = fb_cli_clean_text (what);
  bar.total = total;
  bar.done = 0;
  bar.begun = bar.drawn = g_get_monotonic_time ();
}

void
fb_cli_progress_hide (void)
{
  if (bar.visible)
    fputs ("\r\033[K", stderr);
  bar.visible = FALSE;
}

void
fb_cli_progress_set (guint done)
{
  if (!bar.active)
    return;
  gint64 now = g_get_monotonic_time ();
  bar.done = MIN (done, bar.total);
  if (now - bar.begun < SHOW_AFTER_MS * 1000 || now - bar.drawn < REDRAW_MS * 1000)
    return;
  bar.drawn = now;
  int filled = (int) ((guint64) BAR_WIDTH * bar.done / bar.total);
  double rate = bar.done / ((double) (now - bar.begun) / G_USEC_PER_SEC);
  fprintf (stderr, "\r\033[K[%.*s%.*s] %u/%u %s", filled, "##############################", BAR_WIDTH - filled,
           "..............................", bar.done, bar.total, bar.what);
  if (bar.done > 0)
    fprintf (stderr, _ (", %.*f a second, %.0f s left"), rate < 10 ? 1 : 0, rate, (bar.total - bar.done) / rate);
  fflush (stderr);
  bar.visible = TRUE;
}

void
fb_cli_progress_end (void)
{
  fb_cli_progress_hide ();
  bar.active = FALSE;
  g_clear_pointer (&bar.what, g_free);
}
