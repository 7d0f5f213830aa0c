/* Arguments: options, files, rows and passes as a person names them. */
#include <string.h>

#include "cli-private.h"

enum
{
  MAX_TITLES = 8, /* passes named in an error: there are four a kernel */
};

gboolean
fb_cli_parse (int argc, char **argv, const GOptionEntry *entries, const char *arguments, const char *summary)
{
  g_autoptr (GOptionContext) options = g_option_context_new (arguments);
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_strdup_printf ("fusebox %s", argv[0]);
  g_auto (GStrv) words = g_new0 (char *, argc + 1);
  for (int i = 0; i < argc; i++)
    words[i] = g_strdup (argv[i]);
  g_option_context_set_summary (options, summary);
  g_option_context_add_main_entries (options, entries, GETTEXT_PACKAGE);
  g_set_prgname (program);
  gboolean ok = g_option_context_parse_strv (options, &words, &error);
  g_set_prgname ("fusebox");
  if (!ok)
    fb_cli_error (_ ("%s (see “%s --help”)"), error->message, program);
  return ok;
}

void
fb_cli_rows_clear (FbCliRows *rows)
{
  g_free (rows->kind_name);
  g_free (rows->release);
}

const char *
fb_cli_kind_name (FbRowKind kind)
{
  switch (kind)
    {
    case FB_ROW_SCHEDULE:
      return "schedule";
    case FB_ROW_GRAPH:
      return "graph";
    case FB_ROW_KERNEL:
      return "kernel";
    case FB_ROW_TRACE:
      return "context";
    }
  g_return_val_if_reached ("");
}

static gboolean
find_kind (const char *name, FbRowKind *kind)
{
  for (FbRowKind k = FB_ROW_SCHEDULE; k <= FB_ROW_KERNEL; k++)
    if (strcmp (name, fb_cli_kind_name (k)) == 0)
      {
        *kind = k;
        return TRUE;
      }
  return FALSE;
}

gboolean
fb_cli_rows_resolve (const FbCliRows *rows, FbCapture *capture, FbRowKind *kind)
{
  const char *path = fb_capture_path (capture);
  *kind = fb_capture_main_kind (capture);
  if (rows->kind_name != NULL && !find_kind (rows->kind_name, kind))
    {
      fb_cli_error (_ ("--kind is schedule, graph or kernel, not “%s”"), rows->kind_name);
      return FALSE;
    }
  guint n = fb_capture_n_rows (capture, *kind);
  if (n == 0)
    {
      fb_cli_error (_ ("%s: no rows of kind %s"), path, fb_cli_kind_name (*kind));
      return FALSE;
    }
  if (rows->row < 0 || (guint) rows->row > n)
    {
      fb_cli_error (_ ("%s: row %d: no such row, the file has %u"), path, rows->row, n);
      return FALSE;
    }
  return TRUE;
}

const char *
fb_cli_one_file (char **files, const char *command)
{
  if (files != NULL && files[0] != NULL && files[1] == NULL)
    return files[0];
  fb_cli_error (_ ("%s takes one FILE (see “fusebox %s --help”)"), command, command);
  return NULL;
}

guint
fb_cli_jobs (int asked)
{
  return asked > 0 ? (guint) MIN (asked, 64) : MIN (g_get_num_processors (), 16);
}

guint
fb_cli_find_pass (const FbSchedule *schedule, const char *text, char **message)
{
  guint n = schedule->passes->len;
  guint64 number;
  if (n > 0 && g_ascii_string_to_unsigned (text, 10, 1, n, &number, NULL))
    return (guint) number;
  g_autoptr (GString) titles = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    {
      const FbPass *pass = g_ptr_array_index (schedule->passes, i);
      if (g_ascii_strcasecmp (text, pass->title) == 0)
        return i + 1;
      if (i < MAX_TITLES)
        g_string_append_printf (titles, "%s%u %s", i == 0 ? "" : ", ", i + 1, pass->title);
    }
  if (n > MAX_TITLES)
    g_string_append_printf (titles, " … %u", n);
  *message = g_strdup_printf (_ ("no pass “%s” (%s)"), text, titles->str);
  return 0;
}
