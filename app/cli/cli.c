/* Which subcommand runs, and what all of them print with. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "backends/run/run.h"

#include "cli-private.h"

static const struct
{
  const char *name;
  FbCliFunc run;
} commands[] = {
  { "info", fb_cli_info },         { "check", fb_cli_check },   { "show", fb_cli_show },
  { "trace", fb_cli_trace },       { "search", fb_cli_search }, { "lineage", fb_cli_lineage },
  { "diff", fb_cli_diff },         { "replay", fb_cli_replay }, { "explain", fb_cli_explain },
  { "whatif", fb_cli_whatif },     { "run", fb_cli_run },       { "watch", fb_cli_watch },
  { "rules", fb_cli_rules },       { "verify", fb_cli_verify }, { "help", fb_cli_help },
  { "--help", fb_cli_help },       { "-h", fb_cli_help },       { "version", fb_cli_version },
  { "--version", fb_cli_version },
};

static FbCliFunc
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (name, commands[i].name) == 0)
      return commands[i].run;
  return NULL;
}

static gboolean
has_display (void)
{
  const char *wayland = g_getenv ("WAYLAND_DISPLAY"), *x11 = g_getenv ("DISPLAY");
  return (wayland != NULL && *wayland != '\0') || (x11 != NULL && *x11 != '\0');
}

/* `fusebox replya x.db` is a slip, not a file to open. */
static gboolean
is_mistyped_command (const char *word)
{
  return word[0] != '-' && strpbrk (word, "./") == NULL && !g_file_test (word, G_FILE_TEST_EXISTS);
}

static int
open_file (int argc, char **argv, FbOpenWindow open_window)
{
  if (open_window != NULL && has_display ())
    {
      int status = open_window (argc, argv);
      if (status >= 0)
        return status;
    }
  /* a window that waits for runs has no story */
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--watch") == 0)
      return fb_cli_finish (fb_cli_watch (argc, argv));
  return fb_cli_story (argc, argv);
}

int
fb_cli_main (int argc, char **argv, FbOpenWindow open_window)
{
  setlocale (LC_ALL, "");
  /* numbers are read and written as programs write them */
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, FUSEBOX_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_prgname ("fusebox");

  if (argc < 2)
    return open_file (argc, argv, open_window);
  /* what kernels are run in; nobody else starts it */
  if (strcmp (argv[1], "executor") == 0)
    return fb_run_child (argc - 1, argv + 1);
  FbCliFunc run = find_command (argv[1]);
  if (run != NULL)
    return fb_cli_finish (run (argc - 1, argv + 1));
  if (strcmp (argv[1], "open") == 0)
    {
      argv[1] = argv[0];
      return open_file (argc - 1, argv + 1, open_window);
    }
  if (is_mistyped_command (argv[1]))
    {
      fb_cli_error (_ ("“%s” is neither a command nor a file (see “fusebox help”)"), argv[1]);
      return FB_EXIT_FAILED;
    }
  return open_file (argc, argv, open_window);
}
