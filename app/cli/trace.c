/* fusebox trace FILE: every rewrite, one JSON object a row. */
#include "cli-private.h"
#include "core/viztrace/viztrace.h"
#include "trace-json.h"
#include "viz.h"

typedef struct
{
  const char *path;
  const char *pass; /* --pass, NULL for all */
  int status;
} Tracing;

typedef struct
{
  GString *json;
  char *error; /* why the row has no trace, or why its trace stops */
} RowTrace;

static void
row_trace_free (gpointer data)
{
  RowTrace *trace = data;
  g_string_free (trace->json, TRUE);
  g_free (trace->error);
  g_free (trace);
}

static gpointer
trace_row (FbContext *context, FbCaptureRow *row, const GError *error, gpointer user)
{
  Tracing *tracing = user;
  RowTrace *trace = g_new0 (RowTrace, 1);
  trace->json = g_string_new (NULL);
  if (row == NULL)
    {
      trace->error = g_strdup (error->message);
      return trace;
    }
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  g_autofree char *missing = NULL;
  guint only = 0;
  if (tracing->pass != NULL && (only = fb_cli_find_pass (schedule, tracing->pass, &missing)) == 0)
    {
      trace->error = g_strdup_printf (_ ("%s: row %u: %s"), tracing->path, row->row, missing);
      return trace;
    }
  if (schedule->error != NULL)
    trace->error = fb_cli_schedule_error (tracing->path, row->row, schedule);
  fb_trace_append_row (trace->json, context, row, schedule, only);
  g_string_append_c (trace->json, '\n');
  return trace;
}

static gboolean
print_row (guint row, gpointer result, gpointer user)
{
  Tracing *tracing = user;
  RowTrace *trace = result;
  if (trace->json->len > 0)
    fb_cli_write (trace->json->str, trace->json->len);
  if (trace->error != NULL)
    {
      tracing->status = FB_EXIT_FAILED;
      fb_cli_error ("%s", trace->error);
    }
  row_trace_free (trace);
  return TRUE;
}

int
fb_cli_trace (int argc, char **argv)
{
  g_auto (FbCliRows) rows = FB_CLI_ROWS_INIT;
  g_auto (GStrv) files = NULL;
  g_autofree char *pass = NULL, *profile = NULL;
  gboolean json = FALSE;
  int jobs = 0;
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &rows.row, N_ ("Only this row, from 1"), "K" },
    { "pass", 'p', 0, G_OPTION_ARG_STRING, &pass, N_ ("Only this pass, by number or title"), "P" },
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &jobs, N_ ("Threads; one per processor if not given"), "N" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "profile", 0, 0, G_OPTION_ARG_FILENAME, &profile,
      N_ ("Of a VIZ trace: print the times in this profile with the kernels"), "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print JSON, as this command always does"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  if (!fb_cli_parse (argc, argv, entries, "FILE", _ ("Every rewrite of every pass as JSON lines, one a row.")))
    return FB_EXIT_FAILED;
  const char *path = fb_cli_one_file (files, "trace");
  if (path != NULL && fb_viz_trace_sniff_file (path))
    return fb_viz_print_trace (path, rows.release, profile, rows.row);
  g_autoptr (FbCapture) capture = path == NULL ? NULL : fb_cli_open (path, rows.release);
  FbRowKind kind;
  if (capture == NULL || !fb_cli_rows_resolve (&rows, capture, &kind))
    return FB_EXIT_FAILED;
  if (kind == FB_ROW_KERNEL)
    {
      fb_cli_error (_ ("%s: kernel rows have been scheduled already, there is no trace"), path);
      return FB_EXIT_FAILED;
    }

  Tracing tracing = { .path = path, .pass = pass };
  guint n = fb_capture_n_rows (capture, kind);
  fb_cli_loop (&(FbCliLoop){
      .capture = capture,
      .release = rows.release,
      .kind = kind,
      .first = rows.row > 0 ? (guint) rows.row : 1,
      .last = rows.row > 0 ? (guint) rows.row : n,
      .jobs = fb_cli_jobs (jobs),
      .work = trace_row,
      .deliver = print_row,
      .drop = row_trace_free,
      .user = &tracing,
  });
  return tracing.status;
}
