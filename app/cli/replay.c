/* fusebox replay FILE...: every captured schedule recomputed and compared, kernel by kernel. */
#include <stdio.h>
#include <string.h>

#include "replay-private.h"

typedef struct
{
  char **files, **sets, **fail_on;
  char *release, *shard_text, *json; /* json: NULL for none, "-" for standard output */
  gboolean merge;
  int jobs;

  GArray *options;
  guint shard, n_shards;
  gboolean fails[FB_REPLAY_N_CLASSES]; /* classes that count as differences */
} Arguments;

static void
arguments_clear (Arguments *arguments)
{
  g_strfreev (arguments->files);
  g_strfreev (arguments->sets);
  g_strfreev (arguments->fail_on);
  g_free (arguments->release);
  g_free (arguments->shard_text);
  g_free (arguments->json);
  g_clear_pointer (&arguments->options, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static char *json_path;

/* --json alone, or with "-", is standard output. */
static gboolean
take_json (const char *name, const char *value, gpointer data, GError **error)
{
  g_free (json_path);
  json_path = g_strdup (value && *value ? value : "-");
  return TRUE;
}

static gboolean
resolve_shard (Arguments *arguments)
{
  g_auto (GStrv) parts = NULL;
  guint64 shard = 1, n_shards = 1;
  gboolean ok = TRUE;

  if (arguments->shard_text)
    {
      parts = g_strsplit (arguments->shard_text, "/", 3);
      ok = g_strv_length (parts) == 2 && g_ascii_string_to_unsigned (parts[1], 10, 1, 1000000, &n_shards, NULL)
           && g_ascii_string_to_unsigned (parts[0], 10, 1, n_shards, &shard, NULL);
    }
  if (!ok)
    fb_cli_error (_ ("--shard is I/N with I from 1 to N, not “%s”"), arguments->shard_text);
  arguments->shard = (guint) shard;
  arguments->n_shards = (guint) n_shards;
  return ok;
}

static gboolean
resolve_classes (Arguments *arguments)
{
  for (guint i = FB_REPLAY_IDENTICAL + 1; i < FB_REPLAY_N_CLASSES; i++)
    arguments->fails[i] = arguments->fail_on == NULL;
  for (guint i = 0; arguments->fail_on && arguments->fail_on[i]; i++)
    {
      g_auto (GStrv) words = g_strsplit (arguments->fail_on[i], ",", -1);
      for (guint k = 0; words[k]; k++)
        {
          FbReplayClass class;
          if (!fb_replay_class_from_name (words[k], &class) || class == FB_REPLAY_IDENTICAL)
            {
              g_autoptr (GString) names = g_string_new (NULL);
              for (guint c = FB_REPLAY_IDENTICAL + 1; c < FB_REPLAY_N_CLASSES; c++)
                g_string_append_printf (names, "%s%s", names->len ? ", " : "", fb_replay_class_name (c));
              fb_cli_error (_ ("--fail-on is one of %s, not “%s”"), names->str, words[k]);
              return FALSE;
            }
          arguments->fails[class] = TRUE;
        }
    }
  return TRUE;
}

static gboolean
resolve_options (Arguments *arguments)
{
  arguments->options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  for (guint i = 0; arguments->sets && arguments->sets[i]; i++)
    {
      g_autoptr (GError) error = NULL;
      if (!fb_replay_options_parse (arguments->options, arguments->sets[i], &error))
        {
          fb_cli_error ("--set: %s", error->message);
          return FALSE;
        }
    }
  return TRUE;
}

/* `--json a.db b.db` must not write over a capture. */
static gboolean
may_write (const char *path)
{
  FILE *file;
  int first;

  if (!path || strcmp (path, "-") == 0 || !g_file_test (path, G_FILE_TEST_IS_REGULAR) || !(file = fopen (path, "rb")))
    return TRUE;
  first = fgetc (file);
  fclose (file);
  if (first == EOF || first == '{')
    return TRUE;
  fb_cli_error (_ ("--json: %s exists and is no result of replay: not overwritten"), path);
  return FALSE;
}

static gboolean
write_json (const char *path, const FbReplayReport *report)
{
  g_autofree char *json = fb_replay_report_to_json (report);

  return fb_cli_write_out (path, json, strlen (json));
}

static gboolean
parse_arguments (int argc, char **argv, Arguments *arguments)
{
  const GOptionEntry entries[] = {
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &arguments->jobs, N_ ("Threads; one per processor if not given"), "N" },
    { "shard", 0, 0, G_OPTION_ARG_STRING, &arguments->shard_text, N_ ("Only every N-th row, from the I-th on"), "I/N" },
    { "fail-on", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments->fail_on,
      N_ ("Exit with 1 for differences of this class only; may be repeated"), "CLASS" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments->sets,
      N_ ("Schedule with this option, whatever was captured; may be repeated"), "OPTION=VALUE" },
    { "json", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, take_json,
      N_ ("Write the result as JSON; to standard output without OUT or with “-”"), "OUT" },
    { "merge", 0, 0, G_OPTION_ARG_NONE, &arguments->merge, N_ ("Join results of shards, which the FILEs are"), NULL },
    { "release", 0, 0, G_OPTION_ARG_STRING, &arguments->release, N_ ("Whose op numbers to assume (v0.10.2)"),
      "VERSION" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments->files, NULL, NULL },
    { NULL },
  };
  gboolean ok = fb_cli_parse (argc, argv, entries, "FILE…",
                              _ ("Recomputes every captured schedule and compares it with the captured kernels."));
  guint kept = 0;

  arguments->json = g_steal_pointer (&json_path);
  if (!ok || !resolve_shard (arguments) || !resolve_classes (arguments) || !resolve_options (arguments)
      || !may_write (arguments->json))
    return FALSE;
  /* the "-" of `--json -` */
  for (guint i = 0; arguments->files && arguments->files[i]; i++)
    if (arguments->json && strcmp (arguments->json, "-") == 0 && strcmp (arguments->files[i], "-") == 0)
      g_free (arguments->files[i]);
    else
      arguments->files[kept++] = arguments->files[i];
  if (!kept)
    {
      fb_cli_error (_ ("replay takes at least one FILE (see “fusebox replay --help”)"));
      return FALSE;
    }
  arguments->files[kept] = NULL;
  if (arguments->merge && (arguments->shard_text || arguments->sets))
    {
      fb_cli_error (_ ("--merge joins results as they are: it takes no --shard and no --set"));
      return FALSE;
    }
  return TRUE;
}

static gboolean
prints_text (const Arguments *arguments)
{
  return !arguments->json || strcmp (arguments->json, "-") != 0;
}

static void
tell_row (const FbReplayRow *row, const char *path, gpointer user)
{
  const Arguments *arguments = user;
  g_autofree char *line = fb_replay_row_to_text (row, path), *clean = NULL;

  if (row->status == FB_REPLAY_ROW_FAILED)
    fb_cli_error ("%s", line);
  else if (prints_text (arguments))
    {
      clean = fb_cli_clean_text (line);
      fb_cli_print ("%s\n", clean);
      fflush (stdout);
    }
}

static void
tell_file (const FbReplayFile *file, gpointer user)
{
  const Arguments *arguments = user;
  g_autofree char *clean = fb_cli_clean_text (file->path);

  if (file->error)
    fb_cli_error ("%s", file->error);
  else if (prints_text (arguments) && file->trace)
    fb_cli_print (_ ("%s: skipped: a trace with no schedule of tinygrad v0.10.2, which is the one recomputed here\n"),
                  clean);
  else if (prints_text (arguments))
    fb_cli_print (_ ("%s: skipped: %u kernel rows, nothing to schedule\n"), clean, file->n_kernel_rows);
}

static void
tell_groups (const FbReplayReport *report)
{
  g_autoptr (GPtrArray) groups = fb_replay_report_groups (report);

  for (guint i = 0; i < groups->len; i++)
    {
      const FbReplayGroup *group = g_ptr_array_index (groups, i);
      g_autofree char *line = NULL, *clean = NULL;
      if (group->rows->len < 2)
        break;
      line = fb_replay_group_to_text (group, report);
      clean = fb_cli_clean_text (line);
      fb_cli_print ("%s\n", clean);
    }
}

/* What a trace does not tell. */
static void
tell_trace (const FbReplayFile *file)
{
  g_autofree char *clean = fb_cli_clean_text (file->path);

  if (!file->trace || !file->n_rows)
    return;
  if (file->n_kernel_rows)
    fb_cli_print (_ ("%s: %u contexts are no schedules and were not replayed\n"), clean, file->n_kernel_rows);
  fb_cli_print (_ ("%s: a trace holds no options: the defaults were taken where --set says nothing else\n"), clean);
}

/* What is said at the end, and the exit code. */
static int
finish (const Arguments *arguments, const FbReplayReport *report)
{
  g_autofree char *summary = fb_replay_report_summary (report), *passes = fb_replay_report_passes_summary (report);
  int status = report->statuses[FB_REPLAY_ROW_FAILED] ? FB_EXIT_FAILED : FB_EXIT_OK;

  for (guint i = 0; i < FB_REPLAY_N_CLASSES; i++)
    if (arguments->fails[i] && report->counts[i])
      status = MAX (status, FB_EXIT_DIFFERENT);
  if (!arguments->fail_on && report->n_passes_alike < report->n_passes)
    status = MAX (status, FB_EXIT_DIFFERENT);
  for (guint i = 0; i < report->files->len; i++)
    if (((const FbReplayFile *) g_ptr_array_index (report->files, i))->error)
      status = FB_EXIT_FAILED;
  if (report->partial)
    status = FB_EXIT_FAILED;
  if (prints_text (arguments))
    tell_groups (report);
  if (arguments->json && !write_json (arguments->json, report))
    status = FB_EXIT_FAILED;
  if (report->partial && report->shards->len < report->n_shards && arguments->merge)
    fb_cli_error (_ ("only %u of %u shards were merged"), report->shards->len, report->n_shards);
  if (report->partial)
    fb_cli_error (_ ("stopped after %u of %u"), fb_replay_report_n_replayed (report), fb_replay_report_n_rows (report));
  for (guint i = 0; i < report->files->len && prints_text (arguments); i++)
    tell_trace (g_ptr_array_index (report->files, i));
  /* the words of a contract with scripts: not translated */
  if (prints_text (arguments) && passes)
    fb_cli_print ("%s\n", passes);
  if (prints_text (arguments))
    fb_cli_print ("%s\n", summary);
  return status;
}

static int
merge (const Arguments *arguments)
{
  g_autoptr (GPtrArray) reports = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_replay_report_free);
  g_autoptr (FbReplayReport) all = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; arguments->files[i]; i++)
    {
      FbReplayReport *report = fb_cli_replay_read (arguments->files[i], &error);
      if (!report)
        {
          fb_cli_error ("%s", error->message);
          return FB_EXIT_FAILED;
        }
      g_ptr_array_add (reports, report);
    }
  all = fb_replay_report_merge (reports->len, (FbReplayReport *const *) reports->pdata,
                                (const char *const *) arguments->files, &error);
  if (!all)
    {
      fb_cli_error ("%s", error->message);
      return FB_EXIT_FAILED;
    }
  for (guint i = 0; i < all->files->len; i++)
    {
      const FbReplayFile *file = g_ptr_array_index (all->files, i);
      if (!file->n_rows)
        tell_file (file, (gpointer) arguments);
    }
  for (guint i = 0; i < all->rows->len; i++)
    {
      const FbReplayRow *row = g_ptr_array_index (all->rows, i);
      const FbReplayFile *file = g_ptr_array_index (all->files, row->file);
      tell_row (row, file->path, (gpointer) arguments);
    }
  return finish (arguments, all);
}

int
fb_cli_replay (int argc, char **argv)
{
  g_auto (Arguments) arguments = { 0 };
  g_autoptr (FbReplayReport) report = NULL;

  if (!parse_arguments (argc, argv, &arguments))
    return FB_EXIT_FAILED;
  if (arguments.merge)
    return merge (&arguments);
  report = fb_replay_report_new (arguments.options, arguments.shard, arguments.n_shards);
  fb_cli_replay_run (&(FbCliReplay){
      .paths = (const char *const *) arguments.files,
      .release = arguments.release,
      .jobs = fb_cli_jobs (arguments.jobs),
      .report = report,
      .told = tell_row,
      .told_file = tell_file,
      .user = &arguments,
  });
  return finish (&arguments, report);
}
