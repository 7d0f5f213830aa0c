/* What stepping costs: the longest turn of the main loop, and the time from a key press to the picture. Both are told, not judged:
 * the machine may be busy. What is checked is that every step asked for is shown. */
#include <time.h>

#include "core/ir/text.h"
#include "util.h"

typedef struct
{
  double longest, total; /* ms of processor time */
  guint turns, over;     /* over: longer than a frame at 60 Hz */
  double worst_wall;
} Turns;

static double
thread_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

/* Waiting for events costs no processor time of this thread. */
static void
turn (Turns *turns)
{
  double start = thread_ms (), time;
  g_main_context_iteration (NULL, TRUE);
  time = thread_ms () - start;
  turns->turns++;
  turns->total += time;
  turns->over += time > 16;
  turns->longest = MAX (turns->longest, time);
}

static void
settle (FbWindow *window, Turns *turns)
{
  while (!fb_document_is_settled (window->doc))
    turn (turns);
  while (g_main_context_pending (NULL))
    turn (turns);
}

static char *
capture (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  g_autofree char *large = corpus ? g_build_filename (corpus, "model.gpt2_train.db", NULL) : NULL;
  if (large && g_file_test (large, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&large);
  return test_sample ("mlp_train.db");
}

static void
report (const char *what, const Turns *turns, guint steps, gint64 wall)
{
  g_test_message (
      "%s: %u steps, %.1f ms each; main loop %.1f ms a step, longest turn %.1f ms, %u of %u turns over 16 ms", what,
      steps, wall / 1e3 / steps, turns->total / steps, turns->longest, turns->over, turns->turns);
}

static void
test_stepping (void)
{
  static const struct
  {
    const char *what, *pass;
    guint step;
    const char *action;
  } walks[] = {
    { "forwards", "1", 200, "next-step" },
    { "backwards", "1", 900, "previous-step" },
    { "kernels", "kernels", 300, "next-step" },
  };
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (path, 1, NULL, 0);
  FbRowView *row = fb_document_get_row (window->doc);
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    {
      Turns turns = { 0 };
      FbStepPosition start, now;
      g_autofree char *text = g_strdup_printf ("%s:0", walks[i].pass);
      guint steps = 25;
      g_assert_true (fb_step_position_parse (row, text, &start, NULL));
      start.step = MIN (walks[i].step, row->passes[start.pass].n_steps - 1);
      fb_document_go (window->doc, start.pass, start.step);
      test_settle (window);
      gint64 begin = g_get_monotonic_time ();
      for (guint s = 0; s < steps; s++)
        {
          g_action_group_activate_action (G_ACTION_GROUP (window), walks[i].action, NULL);
          settle (window, &turns);
          now.pass = fb_document_get_view (window->doc)->pass;
          now.step = fb_document_get_view (window->doc)->step;
          g_assert_true (fb_step_position_compare (&now, &start) != 0);
        }
      report (walks[i].what, &turns, steps, g_get_monotonic_time () - begin);
    }
  test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/loop/stepping", test_stepping);
  return g_test_run ();
}
