#include "app/open-options.h"

#include <glib/gi18n.h>

#define LARGEST 8192

void
fb_open_options_clear (FbOpenOptions *o)
{
  g_strfreev (o->files);
  g_strfreev (o->sets);
  g_strfreev (o->actions);
  g_free (o->pass);
  g_free (o->page);
  g_free (o->against);
  g_free (o->screenshot);
  g_free (o->release);
  *o = (FbOpenOptions){ NULL };
}

static gboolean
wrong (GError **error, char *message)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
  g_free (message);
  return FALSE;
}

static gboolean
check (const FbOpenOptions *o, GError **error)
{
  static const char *const pages[] = { "steps", "source", "replay", NULL };
  gboolean several = o->files && o->files[0] && o->files[1];
  if (o->new_window && (o->files || o->screenshot))
    return wrong (error, g_strdup (_ ("--new-window is for no file")));
  if (o->watch && (o->new_window || o->screenshot || several))
    return wrong (error, g_strdup (_ ("--watch is for one folder, or none")));
  if (o->row < 0 || o->step < 0)
    return wrong (error, g_strdup (_ ("rows count from 1, steps from 0")));
  if (o->screenshot && !o->files)
    return wrong (error, g_strdup (_ ("--screenshot needs a file to show")));
  if (several && o->screenshot)
    return wrong (error, g_strdup_printf (_ ("one file at a time, %s is one too many"), o->files[1]));
  if (several && (o->row || o->step || o->pass || o->page))
    return wrong (error, g_strdup (_ ("--row, --pass, --step and --page are for one file")));
  if (o->page && !g_strv_contains (pages, o->page))
    return wrong (error, g_strdup_printf (_ ("there is no page “%s” (steps, source or replay)"), o->page));
  if (o->page && !o->files)
    return wrong (error, g_strdup (_ ("--page needs a file to show")));
  if (o->against && (!o->files || several || o->page))
    return wrong (error, g_strdup (_ ("--against is for one file, and shows a page of its own")));
  if (o->sets && g_strcmp0 (o->page, "replay"))
    return wrong (error, g_strdup (_ ("--set is for --page replay")));
  if (o->width < 0 || o->height < 0 || o->width > LARGEST || o->height > LARGEST)
    return wrong (error, g_strdup_printf (_ ("a window of %d×%d px cannot be drawn"), o->width, o->height));
  if ((o->high_contrast || o->text_scale) && !o->screenshot)
    return wrong (error, g_strdup (_ ("--high-contrast and --text-scale are for --screenshot")));
  if (o->actions && !o->screenshot)
    return wrong (error, g_strdup (_ ("--do is for --screenshot")));
  if (o->text_scale && !(o->text_scale >= 0.5 && o->text_scale <= 3))
    return wrong (error, g_strdup (_ ("text is scaled by 0.5 to 3")));
  return TRUE;
}

gboolean
fb_open_options_parse (FbOpenOptions *o, int argc, char *const *argv, GError **error)
{
  *o = (FbOpenOptions){ NULL };
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o->row, N_ ("The row, from 1"), "K" },
    { "pass", 'p', 0, G_OPTION_ARG_STRING, &o->pass, N_ ("The pass, by number or title"), "P" },
    { "step", 's', 0, G_OPTION_ARG_INT, &o->step, N_ ("The rewrite of the pass, from 1; 0 is its input"), "S" },
    { "page", 0, 0, G_OPTION_ARG_STRING, &o->page, N_ ("What of the window: steps, source or replay"), "PAGE" },
    { "against", 0, 0, G_OPTION_ARG_FILENAME, &o->against,
      N_ ("The VIZ trace beside this one, which is A; the file is B"), "A.pkl" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->sets, N_ ("Replay with this option instead of the captured one"),
      "NAME=VALUE" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o->release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "width", 0, 0, G_OPTION_ARG_INT, &o->width, N_ ("Width of the window, px"), "W" },
    { "height", 0, 0, G_OPTION_ARG_INT, &o->height, N_ ("Height of the window, px"), "H" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &o->dark, N_ ("In the dark style"), NULL },
    { "watch", 0, 0, G_OPTION_ARG_NONE, &o->watch,
      N_ ("Show each trace that a run leaves in the folder, or in the temp folder"), NULL },
    { "new-window", 0, 0, G_OPTION_ARG_NONE, &o->new_window, N_ ("Another window, with nothing open"), NULL },
    { "new-process", 0, 0, G_OPTION_ARG_NONE, &o->new_process, N_ ("Not in the program that is already running"),
      NULL },
    { "screenshot", 0, 0, G_OPTION_ARG_FILENAME, &o->screenshot, N_ ("Draw the window into this file and exit"),
      "OUT" },
    { "high-contrast", 0, 0, G_OPTION_ARG_NONE, &o->high_contrast, N_ ("A screenshot in high contrast"), NULL },
    { "do", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->actions,
      N_ ("A screenshot after this action of the window, as in menus: collapse-kernels, grow(1)"), "ACTION" },
    { "text-scale", 0, 0, G_OPTION_ARG_DOUBLE, &o->text_scale, N_ ("A screenshot with larger text"), "FACTOR" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->files, NULL, N_ ("[FILE…]") },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ ("Opens the window; without a display prints the same as text."));
  /* A copy: without a display the caller reads argv again. */
  g_autofree char **rest = g_memdup2 (argv, (argc + 1) * sizeof (char *));
  char **words = rest;
  return g_option_context_parse (context, &argc, &words, error) && check (o, error);
}
