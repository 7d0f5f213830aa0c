/* fusebox show FILE: a graph or a kernel, as Python prints it or as a drawing. */
#include <string.h>

#include "show-private.h"
#include "viz/report.h"

typedef struct
{
  FbCliRows rows;
  int ast, step;
  char *pass, *format, *out, *against;
  gboolean dark;
} ShowOptions;

static const char *const format_names[FB_SHOW_N_FORMATS] = { "text", "dot", "svg", "png", "html" };

static gboolean
find_format (const char *name, FbShowFormat *format)
{
  for (*format = FB_SHOW_TEXT; *format < FB_SHOW_N_FORMATS; (*format)++)
    if (name == NULL || strcmp (name, format_names[*format]) == 0)
      return TRUE;
  fb_cli_error (_ ("--format is text, dot, svg, png or html, not “%s”"), name);
  return FALSE;
}

static int
write_text (const ShowOptions *options, FbContext *context, FbUop *sink)
{
  GString *text = g_string_new (NULL);
  fb_uop_append_text (context, sink, text);
  g_string_append_c (text, '\n');
  gboolean ok = fb_cli_write_out (options->out, text->str, text->len);
  g_string_free (text, TRUE);
  return ok ? FB_EXIT_OK : FB_EXIT_FAILED;
}

int
fb_show_drawing (const FbShow *show, FbGraph *graph)
{
  g_autoptr (GError) error = NULL;
  FbExportOptions export = FB_EXPORT_OPTIONS_INIT;
  export.dark = show->dark;
  gboolean ok = FALSE;
  if (show->format == FB_SHOW_DOT)
    {
      g_autofree char *dot = fb_export_dot (graph, show->dark);
      return fb_cli_write_out (show->out, dot, strlen (dot)) ? FB_EXIT_OK : FB_EXIT_FAILED;
    }
  g_autoptr (FbScene) scene = fb_scene_new (graph, NULL, NULL, NULL, &error);
  if (scene != NULL && show->format == FB_SHOW_SVG)
    {
      gsize len;
      g_autofree char *svg = fb_export_svg (scene, &export, &len);
      return fb_cli_write_out (show->out, svg, len) ? FB_EXIT_OK : FB_EXIT_FAILED;
    }
  g_autoptr (GBytes) png = scene == NULL ? NULL : fb_export_png (scene, &export, &error);
  if (png == NULL)
    fb_cli_error ("%s", error->message);
  else
    ok = fb_cli_write_out (show->out, g_bytes_get_data (png, NULL), g_bytes_get_size (png));
  return ok ? FB_EXIT_OK : FB_EXIT_FAILED;
}

/* @options as they are for a row. */
static FbShow
show_of (const ShowOptions *options, FbShowFormat format, const char *path, FbContext *context, const FbCaptureRow *row)
{
  return (FbShow){ path, context, row, format, options->against, options->out, options->dark };
}

static int
write_drawing (const ShowOptions *options, FbShowFormat format, FbGraph *graph)
{
  FbShow show = show_of (options, format, NULL, NULL, NULL);
  return fb_show_drawing (&show, graph);
}

static int
show_sink (const ShowOptions *options, FbShowFormat format, FbContext *context, FbUop *sink)
{
  if (format == FB_SHOW_TEXT)
    return write_text (options, context, sink);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (context, sink);
  return write_drawing (options, format, graph);
}

/* The pass as a page, or only @options->step of it. */
static int
write_report (const ShowOptions *options, const char *path, FbContext *context, const FbCaptureRow *row,
              const FbSchedule *schedule, const FbPass *pass)
{
  g_autofree char *name = g_path_get_basename (path), *file = fb_cli_clean_text (name);
  g_autofree char *about = g_strdup_printf ("row %u · %u nodes → %u kernels", row->row,
                                            fb_cli_count_nodes (context, row->sink), schedule->kernels->len);
  FbReportInfo info = { file, about, "Fusebox " FUSEBOX_VERSION, fb_metrics_default };
  guint first = options->step > 0 ? (guint) options->step : 1;
  guint last = options->step > 0 ? (guint) options->step : pass->matches->len, done = 0;
  g_autoptr (FbReport) report = fb_report_new (context, pass, first, last, &info);
  g_autoptr (GByteArray) page = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  fb_cli_progress_begin (_ ("steps"), last + 1 - first);
  do
    {
      g_autoptr (GBytes) bytes = fb_report_take (report);
      if (bytes != NULL)
        g_byte_array_append (page, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      fb_cli_progress_set (done);
    }
  while (fb_report_add (report, &done, &error));
  fb_cli_progress_end ();
  if (error != NULL)
    {
      fb_cli_error (_ ("%s: row %u: pass %s: step %u: %s"), path, row->row, pass->title, first + done, error->message);
      return FB_EXIT_FAILED;
    }
  return fb_cli_write_out (options->out, (const char *) page->data, page->len) ? FB_EXIT_OK : FB_EXIT_FAILED;
}

/* The graph after @options->step matches of a pass; without a step, its result. */
static int
show_pass (const ShowOptions *options, FbShowFormat format, const char *path, FbContext *context,
           const FbCaptureRow *row)
{
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  g_autofree char *missing = NULL;
  guint number = fb_cli_find_pass (schedule, options->pass, &missing);
  if (number == 0)
    {
      fb_cli_error (_ ("%s: row %u: %s"), path, row->row, missing);
      return FB_EXIT_FAILED;
    }
  const FbPass *pass = g_ptr_array_index (schedule->passes, number - 1);
  if (options->step < 0 && pass->result == NULL)
    {
      g_autofree char *message = fb_cli_schedule_error (path, row->row, schedule);
      fb_cli_error ("%s", message);
      return FB_EXIT_FAILED;
    }
  if (options->step < 0 && format != FB_SHOW_HTML && options->against == NULL)
    return show_sink (options, format, context, pass->result);
  if (options->step >= 0 && (guint) options->step > pass->matches->len)
    {
      fb_cli_error (_ ("%s: row %u: pass %s: no step %d, it has %u"), path, row->row, pass->title, options->step,
                    pass->matches->len);
      return FB_EXIT_FAILED;
    }

  if (format == FB_SHOW_HTML)
    return write_report (options, path, context, row, schedule, pass);
  if (options->against != NULL)
    {
      FbShow show = show_of (options, format, path, context, row);
      return fb_show_against (&show, schedule, pass, options->step < 0 ? pass->matches->len : (guint) options->step);
    }
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStep) step = fb_step_new (context, pass, (guint) options->step, &error);
  if (step == NULL)
    {
      fb_cli_error (_ ("%s: row %u: pass %s: step %d: %s"), path, row->row, pass->title, options->step, error->message);
      return FB_EXIT_FAILED;
    }
  if (format == FB_SHOW_TEXT)
    return write_text (options, step->context, step->after_sink);
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
  return write_drawing (options, format, graph);
}

static int
show_row (const ShowOptions *options, FbShowFormat format, FbCapture *capture, FbRowKind kind)
{
  const char *path = fb_capture_path (capture);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, kind, (guint) options->rows.row, context, &error);
  if (row == NULL)
    {
      fb_cli_error ("%s", error->message);
      return FB_EXIT_FAILED;
    }
  if (options->ast > 0)
    {
      if ((guint) options->ast > row->kernels->len)
        {
          fb_cli_error (_ ("%s: row %u: no kernel %d, it has %u"), path, row->row, options->ast, row->kernels->len);
          return FB_EXIT_FAILED;
        }
      return show_sink (options, format, context, g_ptr_array_index (row->kernels, (guint) options->ast - 1));
    }
  if (options->pass == NULL)
    return show_sink (options, format, context, row->sink);
  if (kind == FB_ROW_KERNEL)
    {
      fb_cli_error (_ ("%s: kernel rows have been scheduled already, there are no passes"), path);
      return FB_EXIT_FAILED;
    }
  return show_pass (options, format, path, context, row);
}

static int
show (ShowOptions *options, char **files)
{
  FbShowFormat format;
  FbRowKind kind;
  if (!find_format (options->format, &format))
    return FB_EXIT_FAILED;
  const char *path = fb_cli_one_file (files, "show");
  if (path == NULL)
    return FB_EXIT_FAILED;
  if (options->ast < 0 || (options->ast > 0 && options->pass != NULL) || (options->step >= 0 && options->pass == NULL))
    {
      fb_cli_error (options->ast < 0     ? _ ("kernels count from 1")
                    : options->step >= 0 ? _ ("--step needs --pass")
                                         : _ ("--ast and --pass exclude each other"));
      return FB_EXIT_FAILED;
    }
  if (format == FB_SHOW_HTML && options->pass == NULL)
    {
      fb_cli_error (_ ("--format html is a report of a pass: say which one with --pass"));
      return FB_EXIT_FAILED;
    }
  if (options->against != NULL && (options->pass == NULL || format == FB_SHOW_HTML))
    {
      fb_cli_error (options->pass == NULL ? _ ("--against needs --pass") : _ ("--against is not for --format html"));
      return FB_EXIT_FAILED;
    }
  g_autoptr (FbCapture) capture = fb_cli_open (path, options->rows.release);
  if (capture == NULL || !fb_cli_rows_resolve (&options->rows, capture, &kind))
    return FB_EXIT_FAILED;
  if (options->rows.row == 0)
    {
      if (fb_capture_n_rows (capture, kind) > 1)
        {
          fb_cli_error (_ ("%s has %u rows: say which one with --row"), path, fb_capture_n_rows (capture, kind));
          return FB_EXIT_FAILED;
        }
      options->rows.row = 1;
    }
  return show_row (options, format, capture, kind);
}

int
fb_cli_show (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  ShowOptions o = { .rows = FB_CLI_ROWS_INIT, .step = -1 };
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o.rows.row, N_ ("The row, from 1"), "K" },
    { "kind", 0, 0, G_OPTION_ARG_STRING, &o.rows.kind_name, N_ ("schedule, graph or kernel rows"), "KIND" },
    { "ast", 'a', 0, G_OPTION_ARG_INT, &o.ast, N_ ("The captured kernel, from 1, instead of the graph"), "I" },
    { "pass", 'p', 0, G_OPTION_ARG_STRING, &o.pass, N_ ("The graph after this pass, by number or title"), "P" },
    { "step", 's', 0, G_OPTION_ARG_INT, &o.step, N_ ("… after this many rewrites of the pass; 0 is its input"), "S" },
    { "against", 0, 0, G_OPTION_ARG_STRING, &o.against, N_ ("… and what is different from step S of pass P"), "P:S" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, N_ ("text, dot, svg, png, or html: a report of the pass"),
      "FORMAT" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &o.dark, N_ ("Draw on a dark ground"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.out, N_ ("Write to this file instead of standard output"), "OUT" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o.rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  int status = FB_EXIT_FAILED;
  if (fb_cli_parse (argc, argv, entries, "FILE",
                    _ ("A graph or a kernel of a row, exactly as Python prints it or drawn.")))
    status = show (&o, files);
  fb_cli_rows_clear (&o.rows);
  g_free (o.pass);
  g_free (o.format);
  g_free (o.against);
  g_free (o.out);
  return status;
}
