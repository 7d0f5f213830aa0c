/* fusebox run FILE: a row's kernels executed, and what each of them wrote. */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/run/fill.h"
#include "backends/run/run.h"

#include "cli-private.h"
#include "json.h"
#include "run-probe.h"

typedef struct
{
  FbCliRows rows;
  char *backend, *seed, *dump, *memory;
  char *probe, *reads; /* instead of a run: look inside */
  gboolean find_nan;
  char **inputs;
  int threads, seconds;
  gboolean json;
} Options;

typedef struct
{
  const Options *options;
  const char *path;
  const FbSchedule *schedule;
  FbPlan *plan;
  FbMemory memory;
  FbBackend backend;
  guint64 seed;
  GString *json; /* the kernels' objects; NULL for text */
  double compile_seconds, run_seconds;
  gboolean failed;
} Running;

static void
append_step (Running *running, guint number, const FbStats *stats, double seconds)
{
  const FbPlanStep *step = fb_plan_step (running->plan, number);
  const FbPlanBuffer *output = fb_plan_buffer (running->plan, step->buffers[0]);
  GString *json = running->json;
  g_string_append_printf (json, "%s{\"kernel\":%u,\"op\":\"%s\",\"out_ordinal\":%d,\"dtype\":", number ? "," : "",
                          number, fb_op_name (step->item->ast->op), output->ordinal);
  fb_json_append_string (json, fb_dtype_scalars[output->type].repr);
  g_string_append_printf (json, ",\"size\":%" G_GINT64_FORMAT ",\"nan\":%" G_GINT64_FORMAT ",\"inf\":%" G_GINT64_FORMAT,
                          stats->size, stats->nan, stats->inf);
  fb_cli_append_member (json, "sum", stats->sum);
  fb_cli_append_member (json, "abs", stats->abs);
  fb_cli_append_member (json, "min", stats->any_finite ? stats->min : NAN);
  fb_cli_append_member (json, "max", stats->any_finite ? stats->max : NAN);
  g_string_append (json, ",\"at\":[");
  for (guint i = 0; i < stats->n_samples; i++)
    g_string_append_printf (json, "%s%" G_GINT64_FORMAT, i ? "," : "", stats->at[i]);
  g_string_append (json, "],\"values\":[");
  for (guint i = 0; i < stats->n_samples; i++)
    {
      g_string_append (json, i ? "," : "");
      fb_cli_append_number (json, stats->values[i]);
    }
  g_string_append_c (json, ']');
  fb_cli_append_member (json, "run_ms", seconds * 1e3);
  g_string_append_c (json, '}');
}

static void
print_step (Running *running, guint number, const FbStats *stats, double seconds)
{
  const FbPlanStep *step = fb_plan_step (running->plan, number);
  const FbPlanBuffer *output = fb_plan_buffer (running->plan, step->buffers[0]);
  const char *kind = step->kind == FB_STEP_PROGRAM ? "" : fb_op_name (step->item->ast->op);
  g_autofree char *type
      = g_strdup_printf ("%s × %" G_GINT64_FORMAT, fb_dtype_scalars[output->type].short_name, stats->size);
  fb_cli_print ("%6u  %-11s  b%-4d %-22s %10.3f ms", number + 1, kind, output->ordinal, type, seconds * 1e3);
  if (stats->any_finite)
    fb_cli_print (_ ("  %.6g to %.6g, mean %.6g"), stats->min, stats->max,
                  stats->sum / (double) (stats->size - stats->nan - stats->inf));
  if (stats->nan > 0)
    fb_cli_print ("  %" G_GINT64_FORMAT " NaN", stats->nan);
  if (stats->inf > 0)
    fb_cli_print ("  %" G_GINT64_FORMAT " inf", stats->inf);
  fb_cli_print ("\n");
}

static gboolean
dump_output (const Running *running, guint number, const FbPlanBuffer *output, const guint8 *data)
{
  g_autofree char *name = g_strdup_printf ("k%04u.npy", number);
  g_autofree char *path = g_build_filename (running->options->dump, name, NULL);
  g_autoptr (GError) error = NULL;
  if (fb_npy_write (path, output->type, output->size, data, &error))
    return TRUE;
  fb_cli_error ("%s", error->message);
  return FALSE;
}

static gboolean
after_step (guint number, double seconds, gpointer user)
{
  Running *running = user;
  const FbPlanStep *step = fb_plan_step (running->plan, number);
  const FbPlanBuffer *output = fb_plan_buffer (running->plan, step->buffers[0]);
  const guint8 *data = fb_plan_data (running->plan, running->memory.data, step->buffers[0]);
  FbStats stats;
  running->run_seconds += seconds;
  fb_stats (output->type, output->size, data, &stats);
  fb_cli_progress_hide ();
  if (running->json != NULL)
    append_step (running, number, &stats, seconds);
  else
    print_step (running, number, &stats, seconds);
  if (running->options->dump != NULL && !dump_output (running, number, output, data))
    running->failed = TRUE;
  fb_cli_progress_set (number + 1);
  return !running->failed;
}

/* "3=x.npy" into the base buffer with that ordinal. */
static gboolean
load_input (const Running *running, const char *text)
{
  g_autoptr (GError) error = NULL;
  char *end;
  guint64 ordinal = g_ascii_strtoull (text, &end, 10);
  if (end == text || *end != '=' || end[1] == '\0')
    {
      fb_cli_error (_ ("--input is ORDINAL=FILE.npy, not “%s”"), text);
      return FALSE;
    }
  for (guint i = 0; i < running->plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (running->plan, i);
      if (buffer->base != i || (guint64) buffer->ordinal != ordinal)
        continue;
      if (fb_npy_read (end + 1, buffer->type, buffer->size, fb_plan_data (running->plan, running->memory.data, i),
                       &error))
        return TRUE;
      fb_cli_error ("%s", error->message);
      return FALSE;
    }
  fb_cli_error (_ ("--input %s: there are buffers 0 to %u"), text, running->plan->n_ordinals - 1);
  return FALSE;
}

/* What was asked for instead of a run. */
static int
look_inside (const Running *running, guint row, const FbRunOptions *run)
{
  const Options *options = running->options;
  FbRunOptions quiet = *run;
  quiet.after = NULL;
  FbMemory memory = running->memory;
  const FbCliProbe probe = {
    .path = running->path,
    .dump = options->dump,
    .row = row,
    .seed = running->seed,
    .json = options->json,
    .run = &quiet,
    .schedule = running->schedule,
    .plan = running->plan,
    .memory = &memory,
  };
  if (options->find_nan)
    return fb_cli_probe_origin (&probe);
  return options->probe != NULL ? fb_cli_probe (&probe, options->probe) : fb_cli_probe_reads (&probe, options->reads);
}

/* The exit status. */
static int
run_plan (Running *running, guint row)
{
  const Options *options = running->options;
  g_autoptr (GError) error = NULL;
  FbRunReport report;
  if (!fb_memory_init (&running->memory, running->plan->memory, &error))
    {
      fb_cli_error (_ ("%s: row %u: %s"), running->path, row, error->message);
      return FB_EXIT_FAILED;
    }
  fb_plan_fill (running->plan, running->memory.data, running->seed);
  for (char **input = options->inputs; input && *input; input++)
    if (!load_input (running, *input))
      return FB_EXIT_FAILED;
  if (options->dump != NULL && g_mkdir_with_parents (options->dump, 0777) != 0)
    {
      fb_cli_error (_ ("%s: the folder cannot be made"), options->dump);
      return FB_EXIT_FAILED;
    }
  g_autofree char *compiler = running->backend == FB_BACKEND_CPU ? fb_cpu_find_compiler (NULL) : NULL;
  if (running->backend == FB_BACKEND_CPU && compiler == NULL)
    {
      fb_cli_error (_ ("no C compiler (cc, gcc or clang) is installed: the interpreter runs"));
      running->backend = FB_BACKEND_INTERP;
    }
  const FbRunOptions run = {
    .backend = running->backend,
    .threads = (guint) MAX (options->threads, 0),
    .seconds = (guint) MAX (options->seconds, 0),
    .after = after_step,
    .user = running,
  };
  if (options->find_nan || options->probe != NULL || options->reads != NULL)
    return look_inside (running, row, &run);
  fb_cli_progress_begin (running->path, running->plan->steps->len);
  gboolean done = fb_run (running->plan, &running->memory, &run, &report, NULL, &error);
  fb_cli_progress_end ();
  if (!done)
    fb_cli_error (_ ("%s: row %u: %s"), running->path, row, error->message);
  if (done && running->json == NULL)
    fb_cli_print (_ ("%u kernels on %s: compiled in %.1f ms, ran in %.3f ms\n"), running->plan->steps->len,
                  fb_backend_name (running->backend), report.compile_seconds * 1e3, running->run_seconds * 1e3);
  running->compile_seconds = report.compile_seconds;
  return done && !running->failed ? FB_EXIT_OK : FB_EXIT_FAILED;
}

static void
print_json (const Running *running, guint row)
{
  g_autoptr (GString) json = g_string_new ("{\"file\":");
  fb_json_append_string (json, running->path);
  g_string_append_printf (json, ",\"row\":%u,\"seed\":%" G_GUINT64_FORMAT ",\"backend\":\"%s\"", row, running->seed,
                          fb_backend_name (running->backend));
  fb_cli_append_member (json, "compile_ms", running->compile_seconds * 1e3);
  fb_cli_append_member (json, "run_ms", running->run_seconds * 1e3);
  g_string_append_printf (json, ",\"kernels\":[%s]}\n", running->json->str);
  fb_cli_write (json->str, json->len);
}

static int
run_row (Running *running, FbCapture *capture, FbRowKind kind, guint row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) decoded = fb_capture_read_row (capture, kind, row, context, &error);
  if (decoded == NULL)
    {
      fb_cli_error ("%s", error->message);
      return FB_EXIT_FAILED;
    }
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, decoded->sink, NULL);
  if (schedule->error != NULL)
    {
      g_autofree char *text = fb_cli_schedule_error (running->path, row, schedule);
      fb_cli_error ("%s", text);
      return FB_EXIT_FAILED;
    }
  gsize limit = fb_plan_default_limit ();
  if (running->options->memory != NULL)
    limit = (gsize) (g_ascii_strtod (running->options->memory, NULL) * 1e6);
  g_autoptr (FbPlan) plan = fb_plan_new (schedule, limit, &error);
  if (plan == NULL)
    {
      fb_cli_error (_ ("%s: row %u: %s"), running->path, row, error->message);
      return FB_EXIT_FAILED;
    }
  const Options *options = running->options;
  gboolean look = options->find_nan || options->probe != NULL || options->reads != NULL;
  running->schedule = schedule;
  running->plan = plan;
  running->json = options->json && !look ? g_string_new (NULL) : NULL;
  int status = run_plan (running, row);
  if (status == FB_EXIT_OK && running->json != NULL)
    print_json (running, row);
  if (running->json != NULL)
    g_string_free (running->json, TRUE);
  fb_memory_clear (&running->memory);
  return status;
}

/* The row to run and its file. */
static int
run_file (const Options *options, char **files)
{
  Running running = { .options = options, .backend = FB_BACKEND_CPU, .seed = 1 };
  FbRowKind kind;
  char *end = NULL;
  if (options->backend != NULL && (running.backend = fb_backend_from_name (options->backend)) == FB_N_BACKENDS)
    {
      fb_cli_error (_ ("no backend “%s”"), options->backend);
      return FB_EXIT_FAILED;
    }
  if (options->seed != NULL)
    running.seed = g_ascii_strtoull (options->seed, &end, 10);
  if (end != NULL && (end == options->seed || *end != '\0'))
    {
      fb_cli_error (_ ("--seed is a number, not “%s”"), options->seed);
      return FB_EXIT_FAILED;
    }
  running.path = fb_cli_one_file (files, "run");
  g_autoptr (FbCapture) capture = running.path == NULL ? NULL : fb_cli_open (running.path, options->rows.release);
  if (capture == NULL || !fb_cli_rows_resolve (&options->rows, capture, &kind))
    return FB_EXIT_FAILED;
  if (kind == FB_ROW_KERNEL)
    {
      fb_cli_error (_ ("%s: a kernel row is one kernel without its buffers; run the schedule it is from"),
                    running.path);
      return FB_EXIT_FAILED;
    }
  if (options->rows.row == 0 && fb_capture_n_rows (capture, kind) > 1)
    {
      fb_cli_error (_ ("%s has %u rows: say which one with --row"), running.path, fb_capture_n_rows (capture, kind));
      return FB_EXIT_FAILED;
    }
  return run_row (&running, capture, kind, (guint) MAX (options->rows.row, 1));
}

/* `--json -` is `--json`: JSON goes to standard output. */
static void
drop_dash (char **files)
{
  guint kept = 0;
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    if (strcmp (files[i], "-") == 0)
      g_free (files[i]);
    else
      files[kept++] = files[i];
  if (files != NULL)
    files[kept] = NULL;
}

int
fb_cli_run (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  Options o = { .rows = FB_CLI_ROWS_INIT };
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o.rows.row, N_ ("The row, from 1"), "K" },
    { "backend", 'b', 0, G_OPTION_ARG_STRING, &o.backend, N_ ("cpu: compiled C, or interp"), "NAME" },
    { "seed", 's', 0, G_OPTION_ARG_STRING, &o.seed, N_ ("What inputs are filled from (1)"), "S" },
    { "input", 'i', 0, G_OPTION_ARG_FILENAME_ARRAY, &o.inputs, N_ ("Buffer ORD holds this array"), "ORD=FILE.npy" },
    { "dump", 'd', 0, G_OPTION_ARG_FILENAME, &o.dump, N_ ("Write what each kernel wrote to this folder"), "DIR" },
    { "probe", 'p', 0, G_OPTION_ARG_STRING, &o.probe,
      N_ ("Show a value inside a kernel, or of the graph, by its key; a kernel alone lists its nodes"), "KERNEL:KEY" },
    { "reads", 0, 0, G_OPTION_ARG_STRING, &o.reads, N_ ("Show what an element of a buffer was computed from"),
      "ORD[I,J]" },
    { "find-nan", 0, 0, G_OPTION_ARG_NONE, &o.find_nan, N_ ("Show where the first NaN and infinity come from"), NULL },
    { "threads", 'j', 0, G_OPTION_ARG_INT, &o.threads, N_ ("Threads; one per processor if not given"), "N" },
    { "time-limit", 0, 0, G_OPTION_ARG_INT, &o.seconds, N_ ("End the run when a kernel takes longer"), "SECONDS" },
    { "memory-limit", 0, 0, G_OPTION_ARG_STRING, &o.memory, N_ ("What all buffers may take together"), "MB" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o.rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &o.json, N_ ("Print JSON"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  int status = FB_EXIT_FAILED;
  if (fb_cli_parse (
          argc, argv, entries, "FILE",
          _ ("Runs every kernel of a row on filled or loaded buffers: what each wrote, and how long it took.")))
    {
      if (o.json)
        drop_dash (files);
      status = run_file (&o, files);
    }
  fb_cli_rows_clear (&o.rows);
  g_free (o.backend);
  g_free (o.seed);
  g_free (o.dump);
  g_free (o.probe);
  g_free (o.reads);
  g_free (o.memory);
  g_strfreev (o.inputs);
  return status;
}
