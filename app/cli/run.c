/* fusebox run FILE: a row's kernels executed, and what each of them wrote. */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/run/input.h"
#include "backends/run/kernel-row.h"
#include "backends/run/limits.h"

#include "run-private.h"
#include "run-probe.h"

/* A compiler that takes longer hangs. */
#define COMPILE_SECONDS 600

static gboolean
dump_output (const FbRunning *running, guint number, const FbPlanBuffer *output, const guint8 *data)
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
  FbRunning *running = user;
  const FbPlanStep *step = fb_plan_step (running->plan, number);
  const FbPlanBuffer *output = fb_plan_buffer (running->plan, step->buffers[0]);
  const guint8 *data = fb_plan_data (running->plan, running->memory.data, step->buffers[0]);
  FbStats stats;
  running->run_seconds += seconds;
  fb_stats (output->type, output->size, data, &stats);
  fb_cli_progress_hide ();
  if (running->json != NULL)
    fb_run_append_step (running, number, &stats, seconds);
  else
    fb_run_print_step (running, number, &stats, seconds);
  if (running->options->dump != NULL && !dump_output (running, number, output, data))
    running->failed = TRUE;
  fb_cli_progress_set (number + 1);
  return !running->failed;
}

/* The base buffer with this ordinal; -1: there is none. */
static int
find_ordinal (const FbPlan *plan, guint64 ordinal)
{
  for (guint i = 0; i < plan->buffers->len; i++)
    if (fb_plan_buffer (plan, i)->base == i && (guint64) fb_plan_buffer (plan, i)->ordinal == ordinal)
      return (int) i;
  return -1;
}

/* @text as a session keeps it, or an array file by its name alone. */
static gboolean
apply_input (const FbRunning *running, guint buffer, const char *text)
{
  const FbPlanBuffer *used = fb_plan_buffer (running->plan, buffer);
  gboolean is_file = strstr (text, ".npz#") != NULL || strstr (text, ".safetensors#") != NULL
                     || g_str_has_suffix (text, ".npy") || g_str_has_suffix (text, ".npz")
                     || g_str_has_suffix (text, ".safetensors");
  g_autofree char *quoted = g_shell_quote (text), *file = g_strconcat ("file ", quoted, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbInput) input = fb_input_parse (is_file && !g_str_has_prefix (text, "file ") ? file : text, &error);
  if (input != NULL
      && fb_input_apply (input, used->type, used->size, running->seed, used->ordinal,
                         fb_plan_data (running->plan, running->memory.data, buffer), &error))
    return TRUE;
  fb_cli_error (_ ("buffer %d: %s"), used->ordinal, error->message);
  return FALSE;
}

/* Labels and indices are what they are compared with. */
static gboolean
apply_limits (const FbRunning *running)
{
  g_autofree gint64 *limits = fb_plan_index_limits (running->plan);
  for (guint i = 0; i < running->plan->buffers->len; i++)
    {
      g_autofree char *text = g_strdup_printf ("uniform 0 %" G_GINT64_FORMAT, limits[i]);
      if (limits[i] > 0 && !apply_input (running, i, text))
        return FALSE;
    }
  return TRUE;
}

/* "3=x.npy" into the base buffer with that ordinal, "*=constant 0" into all inputs, "auto". */
static gboolean
load_input (const FbRunning *running, const char *text)
{
  char *end;
  guint64 ordinal = g_ascii_strtoull (text, &end, 10);
  if (strcmp (text, "auto") == 0)
    return apply_limits (running);
  if (g_str_has_prefix (text, "*="))
    {
      for (guint i = 0; i < running->plan->buffers->len; i++)
        if (fb_plan_buffer (running->plan, i)->base == i && !fb_plan_buffer (running->plan, i)->starts_as_output
            && !apply_input (running, i, text + 2))
          return FALSE;
      return TRUE;
    }
  if (end == text || *end != '=' || end[1] == '\0')
    {
      fb_cli_error (_ ("--input is auto, ORDINAL=INPUT or *=INPUT, not “%s”"), text);
      return FALSE;
    }
  int buffer = find_ordinal (running->plan, ordinal);
  if (buffer >= 0)
    return apply_input (running, (guint) buffer, end + 1);
  fb_cli_error (_ ("--input %s: there are buffers 0 to %u"), text, running->plan->n_ordinals - 1);
  return FALSE;
}

/* What was asked for instead of a run. */
static int
look_inside (const FbRunning *running, guint row, const FbRunOptions *run)
{
  const FbRunArguments *options = running->options;
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
run_plan (FbRunning *running, guint row)
{
  const FbRunArguments *options = running->options;
  g_autoptr (GError) error = NULL;
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
    .device = running->device,
    .seconds = (guint) MAX (options->seconds, 0),
    .compile_seconds = COMPILE_SECONDS,
    .memory = fb_plan_default_limit (),
    .apart = TRUE,
    .after = after_step,
    .user = running,
  };
  if (options->find_nan || options->probe != NULL || options->reads != NULL)
    return look_inside (running, row, &run);
  fb_cli_progress_begin (running->path, running->plan->steps->len);
  gboolean done = fb_run (running->plan, &running->memory, &run, &running->report, NULL, &error);
  fb_cli_progress_end ();
  if (!done)
    fb_cli_error (_ ("%s: row %u: %s"), running->path, row, error->message);
  if (done && running->json == NULL)
    fb_cli_print (_ ("%u kernels on %s: compiled in %.1f ms, ran in %.3f ms\n"), running->plan->steps->len,
                  fb_backend_name (running->backend), running->report.compile_seconds * 1e3,
                  running->run_seconds * 1e3);
  return done && !running->failed ? FB_EXIT_OK : FB_EXIT_FAILED;
}

static int
run_row (FbRunning *running, FbCapture *capture, FbRowKind kind, guint row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) decoded = fb_capture_read_row (capture, kind, row, context, &error);
  if (decoded == NULL)
    {
      fb_cli_error ("%s", error->message);
      return FB_EXIT_FAILED;
    }
  g_autoptr (FbSchedule) schedule = kind == FB_ROW_KERNEL ? fb_kernel_schedule_new (context, decoded->sink, &error)
                                                          : fb_schedule_new (context, decoded->sink, NULL);
  if (schedule == NULL)
    {
      fb_cli_error (_ ("%s: row %u: %s"), running->path, row, error->message);
      return FB_EXIT_FAILED;
    }
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
  const FbRunArguments *options = running->options;
  gboolean look = options->find_nan || options->probe != NULL || options->reads != NULL;
  running->schedule = schedule;
  running->plan = plan;
  running->json = options->json && !look ? g_string_new (NULL) : NULL;
  int status = run_plan (running, row);
  if (status == FB_EXIT_OK && running->json != NULL)
    fb_run_print_json (running, row);
  if (running->json != NULL)
    g_string_free (running->json, TRUE);
  fb_memory_clear (&running->memory);
  return status;
}

/* The row to run and its file. */
static int
run_file (const FbRunArguments *options, char **files)
{
  FbRunning running = { .options = options, .backend = FB_BACKEND_CPU, .seed = 1 };
  FbRowKind kind;
  char *end = NULL;
  if (options->backend != NULL && !fb_backend_parse (options->backend, &running.backend, &running.device))
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
  FbRunArguments o = { .rows = FB_CLI_ROWS_INIT };
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o.rows.row, N_ ("The row, from 1"), "K" },
    { "backend", 'b', 0, G_OPTION_ARG_STRING, &o.backend, N_ ("cpu: compiled C, opencl, opencl:N or interp"), "NAME" },
    { "devices", 0, 0, G_OPTION_ARG_NONE, &o.devices, N_ ("List the OpenCL devices and their numbers"), NULL },
    { "seed", 's', 0, G_OPTION_ARG_STRING, &o.seed, N_ ("What inputs are filled from (1)"), "S" },
    { "input", 'i', 0, G_OPTION_ARG_FILENAME_ARRAY, &o.inputs,
      N_ ("What buffer ORD holds: an array file, const:V, range, uniform:A:B, normal:M:D; auto: indices in their "
          "range"),
      "ORD=INPUT" },
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
      status = o.devices ? fb_run_print_devices (o.json) : run_file (&o, files);
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
