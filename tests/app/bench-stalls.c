/* How long the main loop is away: `bench-stalls [FILE]` opens a file (gpt2_train of the corpus, else a sample), steps through it, searches
 * it, writes its trace and saves its session meanwhile, and prints for each what share of the main loop's turns took how long.
 * Needs a display. */
#include <glib/gstdio.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "util.h"

#define STEPS 150

static GArray *turns; /* of double, ms */
static gint64 woken;  /* µs of this thread's processor time, which other programs do not lengthen */

static gint64
processor_time (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static int
timed_poll (GPollFD *fds, guint n, int timeout)
{
  if (woken)
    {
      double ms = (double) (processor_time () - woken) / 1000;
      g_array_append_val (turns, ms);
    }
  int ready = poll ((struct pollfd *) fds, n, timeout);
  woken = processor_time ();
  return ready;
}

static void
set_gone (gpointer data, GObject *where)
{
  *(gboolean *) data = TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static void
report (const char *what, gint64 since)
{
  g_array_sort (turns, compare);
  guint n = turns->len, over = 0;
  for (guint i = 0; i < n; i++)
    over += g_array_index (turns, double, i) > 16;
  if (n)
    g_print ("%-28s %6.0f ms, %5u turns: median %5.2f, 99%% %6.2f, longest %6.2f ms, %u over 16 ms\n", what,
             (double) (g_get_monotonic_time () - since) / 1000, n, g_array_index (turns, double, n / 2),
             g_array_index (turns, double, n * 99 / 100), g_array_index (turns, double, n - 1), over);
  g_array_set_size (turns, 0);
}

static void
step_on (FbWindow *window, guint steps)
{
  for (guint i = 0; i < steps; i++)
    {
      g_action_group_activate_action (G_ACTION_GROUP (window), "next-step", NULL);
      while (!fb_document_is_settled (window->doc))
        g_main_context_iteration (NULL, TRUE);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
}

/* Activates win.@action and runs the main loop until everything is done. */
static void
act (FbWindow *window, const char *action, const char *target)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), action, target ? g_variant_new_string (target) : NULL);
  while (!fb_window_is_settled (window))
    g_main_context_iteration (NULL, TRUE);
  test_wait (100);
}

int
main (int argc, char **argv)
{
  if (!gtk_init_check ())
    {
      g_print ("no display\n");
      return 0;
    }
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  g_autofree char *path = argc > 1 ? g_strdup (argv[1])
                          : corpus ? g_build_filename (corpus, "model.gpt2_train.db", NULL)
                                   : test_sample ("mlp_train.db");
  guint steps = argc > 2 ? (guint) atoi (argv[2]) : STEPS;
  g_autofree char *folder = g_dir_make_tmp ("fusebox-bench-XXXXXX", NULL);
  g_autofree char *saved = g_build_filename (folder, "saved.fusebox", NULL);
  turns = g_array_new (FALSE, FALSE, sizeof (double));
  test_has_display ();
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  g_main_context_set_poll_func (NULL, timed_poll);
  gint64 start = g_get_monotonic_time ();
  fb_window_open (window, path, 0, NULL, 0);
  test_settle (window);
  report ("opened", start);
  start = g_get_monotonic_time ();
  while (!fb_window_is_session_settled (window))
    g_main_context_iteration (NULL, TRUE);
  report ("trace written", start);
  start = g_get_monotonic_time ();
  step_on (window, steps);
  report ("steps", start);
  start = g_get_monotonic_time ();
  act (window, "search-all", "-op:ADD");
  for (guint i = 0; i < 20; i++)
    act (window, "next-hit", NULL);
  report ("search, 20 of many hits", start);
  act (window, "close-search", NULL);
  start = g_get_monotonic_time ();
  act (window, "add-breakpoint", "is:growth");
  act (window, "continue", NULL);
  act (window, "show-rules", NULL);
  report ("breakpoint, rules", start);
  start = g_get_monotonic_time ();
  act (window, "inspector-tab", "lineage");
  step_on (window, 20);
  report ("steps with lineage", start);
  start = g_get_monotonic_time ();
  fb_window_save_session (window, saved);
  step_on (window, 5);
  while (!fb_window_is_session_settled (window))
    g_main_context_iteration (NULL, TRUE);
  report ("saved, while stepping", start);
  start = g_get_monotonic_time ();
  gboolean gone = FALSE;
  g_object_weak_ref (G_OBJECT (window), set_gone, &gone);
  gtk_window_close (GTK_WINDOW (window));
  while (!gone)
    g_main_context_iteration (NULL, TRUE);
  report ("closed", start);
  fb_session_files_finish ();
  GStatBuf info;
  if (g_stat (saved, &info) == 0)
    g_print ("session of %.0f kB\n", (double) info.st_size / 1024);
  g_unlink (saved);
  g_rmdir (folder);
  g_array_unref (turns);
  return 0;
}
