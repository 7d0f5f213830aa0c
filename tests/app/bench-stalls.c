/* How long the main loop is away: `bench-stalls [FILE [STEPS]]` opens a file (gpt2_train of the corpus, else a sample), does in it what
 * people do, and prints for each kind of thing how many turns of the main loop took how long, and how much of the longest went into
 * the phases of a frame: styles, places, picture. Needs a display. */
#include <glib/gstdio.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "util.h"

#define STEPS 150

/* What ends phases of a frame. */
static const char *const phases[] = { "before-paint", "update", "layout", "paint" };

/* ms */
typedef struct
{
  double all, phases[G_N_ELEMENTS (phases)];
} Turn;

static GArray *turns; /* of Turn */
static gint64 since;  /* µs: when what is measured began */
static gint64 woken;  /* µs of this thread's processor time, which other programs do not lengthen */
static Turn now;      /* the one under way */
static gint64 phase_began;

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
      now.all = (double) (processor_time () - woken) / 1000;
      g_array_append_val (turns, now);
    }
  int ready = poll ((struct pollfd *) fds, n, timeout);
  woken = phase_began = processor_time ();
  now = (Turn){ 0 };
  return ready;
}

static void
phase_ended (GdkFrameClock *clock, gpointer phase)
{
  gint64 time = processor_time ();
  now.phases[GPOINTER_TO_UINT (phase)] += (double) (time - phase_began) / 1000;
  phase_began = time;
}

static void
set_gone (gpointer data, GObject *where)
{
  *(gboolean *) data = TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = ((const Turn *) a)->all, y = ((const Turn *) b)->all;
  return x < y ? -1 : x > y;
}

static void
begin (void)
{
  g_array_set_size (turns, 0);
  since = g_get_monotonic_time ();
}

/* What was done since the last one. */
static void
report (const char *what)
{
  guint n = turns->len, over = 0;
  g_array_sort (turns, compare);
  for (guint i = 0; i < n; i++)
    over += g_array_index (turns, Turn, i).all > 16;
  if (n)
    {
      const Turn *longest = &g_array_index (turns, Turn, n - 1);
      g_print (
          "%-24s %6.0f ms, %5u turns: median %5.2f, 99%% %6.2f, longest %6.2f ms (styles %5.2f, places %5.2f, picture "
          "%5.2f), %u over 16 ms\n",
          what, (double) (g_get_monotonic_time () - since) / 1000, n, g_array_index (turns, Turn, n / 2).all,
          g_array_index (turns, Turn, n * 99 / 100).all, longest->all, longest->phases[1], longest->phases[2],
          longest->phases[3], over);
    }
  begin ();
}

static void
settle (FbWindow *window)
{
  while (!fb_document_is_settled (window->doc))
    g_main_context_iteration (NULL, TRUE);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
do_steps (FbWindow *window, const char *action, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_action_group_activate_action (G_ACTION_GROUP (window), action, NULL);
      settle (window);
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
  turns = g_array_new (FALSE, FALSE, sizeof (Turn));
  test_has_display ();
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    g_signal_connect_after (gtk_widget_get_frame_clock (GTK_WIDGET (window)), phases[i], G_CALLBACK (phase_ended),
                            GUINT_TO_POINTER (i));
  g_main_context_set_poll_func (NULL, timed_poll);
  begin ();
  fb_window_open (window, path, 0, NULL, 0);
  test_settle (window);
  report ("open");
  while (!fb_window_is_session_settled (window))
    g_main_context_iteration (NULL, TRUE);
  report ("write the trace");
  do_steps (window, "next-step", steps);
  report ("step");
  do_steps (window, "next-pass", 4);
  do_steps (window, "next-kernel", 10);
  do_steps (window, "last-step", 1);
  do_steps (window, "previous-step", 10);
  report ("passes, kernels");
  fb_document_go (window->doc, 0, 1);
  settle (window);
  test_wait (300);
  report ("back to the first pass");
  act (window, "collapse-kernels", NULL);
  act (window, "undo", NULL);
  act (window, "fit", NULL);
  act (window, "zoom-reset", NULL);
  report ("lay out otherwise");
  act (window, "search-all", "-op:ADD");
  for (guint i = 0; i < 20; i++)
    act (window, "next-hit", NULL);
  report ("search, 20 of many hits");
  act (window, "close-search", NULL);
  act (window, "add-breakpoint", "is:growth");
  act (window, "continue", NULL);
  report ("breakpoints");
  act (window, "show-rules", NULL);
  report ("rules page");
  act (window, "drawer-tab", "kernels");
  act (window, "drawer-tab", "nodes");
  act (window, "drawer-tab", "source");
  act (window, "drawer-tab", "diff");
  report ("drawer pages");
  act (window, "inspector-tab", "lineage");
  do_steps (window, "next-step", 20);
  report ("step with lineage");
  act (window, "inspector-tab", "why");
  act (window, "inspector-tab", "node");
  do_steps (window, "next-step", 5);
  report ("inspector pages");
  fb_window_save_session (window, saved);
  do_steps (window, "next-step", 5);
  while (!fb_window_is_session_settled (window))
    g_main_context_iteration (NULL, TRUE);
  report ("save while stepping");
  gboolean gone = FALSE;
  g_object_weak_ref (G_OBJECT (window), set_gone, &gone);
  gtk_window_close (GTK_WINDOW (window));
  while (!gone)
    g_main_context_iteration (NULL, TRUE);
  report ("close");
  fb_session_files_finish ();
  GStatBuf info;
  if (g_stat (saved, &info) == 0)
    g_print ("session of %.0f kB\n", (double) info.st_size / 1024);
  g_unlink (saved);
  g_rmdir (folder);
  g_array_unref (turns);
  return 0;
}
