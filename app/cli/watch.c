/* fusebox watch: what each run left, and what is different since the one before. */
#include "cli-private.h"
#include "core/viztrace/watch.h"
#include "diff.h"
#include "profile.h"
#include "viz.h"

typedef struct
{
  GMainLoop *loop;
  FbVizTrace *before; /* of the last run; NULL: none yet */
  int left;           /* runs still to come; negative: no end */
} Watching;

static void
print_run (Watching *watching, FbVizTrace *trace)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M:%S");
  gboolean failed = FALSE;
  g_autoptr (FbVizProfile) profile = fb_profile_of_trace (NULL, fb_viz_trace_path (trace), &failed);

  /* Translators: time, file, release, number of contexts, of matches */
  fb_cli_print (_ ("%s  %s: tinygrad %s, %u contexts, %lu matches\n"), time, fb_viz_trace_path (trace),
                fb_viz_trace_release (trace), fb_viz_trace_n_contexts (trace), (gulong) fb_viz_trace_n_matches (trace));
  if (profile)
    fb_profile_print_line (profile, trace);
  if (watching->before)
    {
      g_autoptr (FbVizComparison) comparison = fb_viz_comparison_new (watching->before, trace, NULL, NULL, NULL, NULL);
      fb_diff_print (comparison, FALSE);
    }
}

static void
run_ended (const char *path, gpointer data)
{
  Watching *watching = data;
  g_autoptr (GError) error = NULL;
  FbVizTrace *trace = fb_viz_trace_open (path, NULL, &error);

  if (!trace)
    {
      fb_cli_error ("%s", error->message);
      return;
    }
  print_run (watching, trace);
  fb_cli_finish (FB_EXIT_OK);
  g_clear_pointer (&watching->before, fb_viz_trace_unref);
  watching->before = trace;
  if (watching->left > 0 && --watching->left == 0)
    g_main_loop_quit (watching->loop);
}

/* What is there already is what the first run is compared with. */
static void
take_newest (Watching *watching, const char *folder)
{
  g_autofree char *newest = fb_viz_newest_trace (folder);

  if (newest)
    watching->before = fb_viz_trace_open (newest, NULL, NULL);
}

int
fb_cli_watch (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  gboolean flag = FALSE;
  int runs = 0;
  const GOptionEntry entries[] = {
    { "runs", 'n', 0, G_OPTION_ARG_INT, &runs, N_ ("End after this many runs"), "N" },
    { "watch", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &flag, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  g_autoptr (FbVizWatch) watch = NULL;
  g_autoptr (GError) error = NULL;
  Watching watching = { NULL, NULL, -1 };

  if (!fb_cli_parse (
          argc, argv, entries, "[FOLDER]",
          _ ("Waits for runs that leave a VIZ trace (rewrites.pkl) in the folder, the temp folder if none is "
             "given, and prints what is different since the run before.")))
    return FB_EXIT_FAILED;
  if (runs < 0 || (files && files[1]))
    {
      fb_cli_error (_ ("watch takes one folder, and a number of runs from 1 (see “fusebox watch --help”)"));
      return FB_EXIT_FAILED;
    }
  if (runs > 0)
    watching.left = runs;
  watching.loop = g_main_loop_new (NULL, FALSE);
  watch = fb_viz_watch_new (files ? files[0] : NULL, run_ended, &watching, &error);
  if (watch)
    {
      take_newest (&watching, files ? files[0] : NULL);
      fb_cli_print (_ ("Waiting for runs that leave a trace in %s\n"), fb_viz_watch_folder (watch));
      fb_cli_finish (FB_EXIT_OK);
      g_main_loop_run (watching.loop);
    }
  else
    fb_cli_error ("%s", error->message);
  g_clear_pointer (&watching.before, fb_viz_trace_unref);
  g_main_loop_unref (watching.loop);
  return watch ? FB_EXIT_OK : FB_EXIT_FAILED;
}
