/* fusebox verify FILE: do the kernels compute what the graph says, or what another backend does? */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/probe/verify.h"
#include "backends/run/fill.h"

#include "cli-private.h"
#include "json.h"
#include "run-probe.h"

typedef struct
{
  FbCliRows rows;
  char *backend, *against, *seed, *memory;
  int threads, seconds;
  double steps;
  gboolean json;
} Options;

typedef struct
{
  const Options *options;
  const char *path;
  FbBackend backend, other;
  gboolean against_graph;
  guint64 seed;
  gsize memory;
  gboolean many; /* rows: one line each */
  guint rows, n_different, n_refused, n_kernels[FB_N_OUTCOMES];
  const FbPlan *plan;
  gboolean quiet;
} Verifying;

/* "graph" or the name of a backend. */
static const char *
against_name (const Verifying *v)
{
  return v->against_graph ? "graph" : fb_backend_name (v->other);
}

static void
print_difference (const FbVerifiedKernel *verified)
{
  const FbAgreement *g = &verified->agreement;
  if (verified->outcome == FB_OUTCOME_REFUSED)
    fb_cli_print ("  %s", verified->why);
  else if (verified->outcome == FB_OUTCOME_WITHIN && g->rounded > 0)
    fb_cli_print (_ ("  %lld of %lld elements; it makes choices of rounded floats"), (long long) g->rounded,
                  (long long) g->size);
  else if (verified->outcome == FB_OUTCOME_WITHIN)
    fb_cli_print (_ ("  by %.3g at most, where %.3g is allowed"), g->largest, g->bound);
  else if (verified->outcome == FB_OUTCOME_NAN_ORDER)
    fb_cli_print (_ ("  a MAX met a NaN: what it gives depends on the order"));
  else if (verified->outcome == FB_OUTCOME_DIFFERENT)
    fb_cli_print (_ ("  %lld of %lld elements, first %lld: %.9g, not %.9g; allowed is %.3g"), (long long) g->beyond,
                  (long long) g->size, (long long) g->first, g->b, g->a, g->bound);
  fb_cli_print ("\n");
}

static gboolean
after_kernel (guint kernel, const FbVerifiedKernel *verified, gpointer user)
{
  const Verifying *v = user;
  const FbPlanBuffer *buffer = fb_plan_buffer (v->plan, verified->buffer);
  if (v->quiet)
    return TRUE;
  g_autofree char *type
      = g_strdup_printf ("%s × %" G_GINT64_FORMAT, fb_dtype_scalars[buffer->type].short_name, buffer->size);
  fb_cli_print ("%6u  b%-4d %-22s %s", kernel + 1, buffer->ordinal, type, fb_outcome_name (verified->outcome));
  print_difference (verified);
  return TRUE;
}

static void
append_verified (GString *json, const FbVerifiedKernel *verified)
{
  const FbAgreement *g = &verified->agreement;
  g_string_append_printf (json, "\"verdict\":\"%s\"", fb_outcome_name (verified->outcome));
  if (verified->outcome == FB_OUTCOME_REFUSED)
    {
      g_string_append (json, ",\"why\":");
      fb_json_append_string (json, verified->why);
      return;
    }
  g_string_append_printf (json,
                          ",\"size\":%" G_GINT64_FORMAT ",\"equal\":%" G_GINT64_FORMAT ",\"within\":%" G_GINT64_FORMAT
                          ",\"rounded\":%" G_GINT64_FORMAT ",\"nan_order\":%" G_GINT64_FORMAT
                          ",\"beyond\":%" G_GINT64_FORMAT ",\"bound\":",
                          g->size, g->equal, g->within, g->rounded, g->nan_order, g->beyond);
  fb_cli_append_number (json, g->bound);
  g_string_append (json, ",\"largest\":");
  fb_cli_append_number (json, g->largest);
  g_string_append_printf (json, ",\"largest_ulps\":%" G_GINT64_FORMAT ",\"first\":%" G_GINT64_FORMAT, g->largest_ulps,
                          g->first);
  if (g->first >= 0)
    {
      g_string_append (json, ",\"want\":");
      fb_cli_append_number (json, g->a);
      g_string_append (json, ",\"got\":");
      fb_cli_append_number (json, g->b);
    }
}

static void
append_place (const FbSchedule *schedule, const FbVerification *out, GString *json)
{
  const FbPass *pass = out->pass < 0 ? NULL : fb_schedule_pass (schedule, (guint) out->pass);
  if (pass == NULL)
    return;
  g_string_append_printf (json, ",\"pass\":%d,\"title\":\"%s\",\"step\":%u", out->pass + 1, pass->title, out->step);
  if (out->step > 0)
    g_string_append_printf (json, ",\"rule\":\"%s\"",
                            fb_rule_set_rule (pass->rules, fb_pass_match (pass, out->step - 1)->rule)->name);
}

static void
print_json (const Verifying *v, guint row, const FbSchedule *schedule, const FbVerification *out)
{
  g_autoptr (GString) json = g_string_new ("{\"file\":");
  fb_json_append_string (json, v->path);
  g_string_append_printf (json, ",\"row\":%u,\"seed\":%" G_GUINT64_FORMAT ",\"backend\":\"%s\",\"against\":\"%s\"", row,
                          v->seed, fb_backend_name (v->backend), against_name (v));
  if (v->against_graph)
    {
      g_string_append (json, ",\"simplify\":{");
      append_verified (json, &out->simplified);
      g_string_append_c (json, '}');
    }
  append_place (schedule, out, json);
  g_string_append (json, ",\"kernels\":[");
  for (guint i = 0; i < out->kernels->len; i++)
    {
      g_string_append_printf (json, "%s{\"kernel\":%u,", i ? "," : "", i + 1);
      append_verified (json, &g_array_index (out->kernels, FbVerifiedKernel, i));
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}\n");
  fb_cli_write (json->str, json->len);
}

static void
print_summary (const Verifying *v, guint row, const FbSchedule *schedule, const FbVerification *out)
{
  if (v->many)
    fb_cli_print (_ ("row %u: "), row);
  fb_cli_print (_ ("%u kernels on %s against the %s: %u equal, %u within rounding, %u differ"), out->kernels->len,
                fb_backend_name (v->backend), against_name (v), out->n_outcomes[FB_OUTCOME_EQUAL],
                out->n_outcomes[FB_OUTCOME_WITHIN], out->n_outcomes[FB_OUTCOME_DIFFERENT]);
  if (out->n_outcomes[FB_OUTCOME_NAN_ORDER] > 0)
    fb_cli_print (_ (", %u by the order of NaNs"), out->n_outcomes[FB_OUTCOME_NAN_ORDER]);
  if (out->n_outcomes[FB_OUTCOME_REFUSED] > 0)
    fb_cli_print (_ (", %u not compared"), out->n_outcomes[FB_OUTCOME_REFUSED]);
  fb_cli_print ("\n");
  if (v->against_graph && out->simplified.outcome >= FB_OUTCOME_NAN_ORDER)
    {
      fb_cli_print (_ ("simplification: %s"), fb_outcome_name (out->simplified.outcome));
      print_difference (&out->simplified);
    }
  if (out->pass >= 0)
    {
      const FbPass *pass = fb_schedule_pass (schedule, (guint) out->pass);
      fb_cli_print (_ ("numbers first differ in pass %d, %s"), out->pass + 1, pass->title);
      if (pass->kernel > 0)
        fb_cli_print (_ (" of kernel %u"), pass->kernel);
      if (out->step > 0)
        fb_cli_print (_ (", at step %u, rule %s"), out->step,
                      fb_rule_set_rule (pass->rules, fb_pass_match (pass, out->step - 1)->rule)->name);
      fb_cli_print ("\n");
    }
  else if (out->kernel >= 0 && v->against_graph)
    fb_cli_print (_ ("no pass changes the numbers of kernel %d: it is the backend that does\n"), out->kernel + 1);
}

/* A row that cannot be verified. */
static void
refuse_row (Verifying *v, guint row, const char *why)
{
  v->n_refused++;
  if (!v->many)
    fb_cli_error (_ ("%s: row %u: %s"), v->path, row, why);
  else if (v->options->json)
    {
      g_autoptr (GString) json = g_string_new ("{\"file\":");
      fb_json_append_string (json, v->path);
      g_string_append_printf (json, ",\"row\":%u,\"refused\":", row);
      fb_json_append_string (json, why);
      g_string_append (json, "}\n");
      fb_cli_write (json->str, json->len);
    }
  else
    fb_cli_print (_ ("row %u: not compared: %s\n"), row, why);
}

static void
verify_plan (Verifying *v, guint row, const FbSchedule *schedule, const FbPlan *plan)
{
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  const guint threads = (guint) MAX (v->options->threads, 0);
  const FbVerifyOptions options = {
    .against_graph = v->against_graph,
    .other = v->other,
    .run
    = { .backend = v->backend, .threads = threads, .seconds = (guint) MAX (v->options->seconds, 0), .apart = TRUE },
    .limits = { .bytes = v->memory, .steps = (gint64) v->options->steps, .threads = threads },
    .after = after_kernel,
    .user = v,
  };
  if (!fb_memory_init (&memory, plan->memory, &error))
    {
      refuse_row (v, row, error->message);
      return;
    }
  fb_plan_fill (plan, memory.data, v->seed);
  v->plan = plan;
  v->quiet = v->many || v->options->json;
  g_autoptr (FbVerification) out = fb_verify (schedule, plan, &memory, &options, NULL, &error);
  if (out == NULL)
    refuse_row (v, row, error->message);
  else
    {
      if (v->options->json)
        print_json (v, row, schedule, out);
      else
        print_summary (v, row, schedule, out);
      for (guint i = 0; i < FB_N_OUTCOMES; i++)
        v->n_kernels[i] += out->n_outcomes[i];
      v->n_different += out->kernel >= 0 || out->pass >= 0;
    }
  fb_memory_clear (&memory);
}

static void
verify_row (Verifying *v, FbCapture *capture, FbRowKind kind, guint row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) decoded = fb_capture_read_row (capture, kind, row, context, &error);
  g_autoptr (FbSchedule) schedule = decoded == NULL ? NULL : fb_schedule_new (context, decoded->sink, NULL);
  g_autoptr (FbPlan) plan = NULL;
  v->rows++;
  if (schedule != NULL && schedule->error == NULL)
    plan = fb_plan_new (schedule, v->memory, &error);
  if (plan != NULL)
    verify_plan (v, row, schedule, plan);
  else
    refuse_row (v, row, error != NULL ? error->message : schedule->error->message);
}

/* The backends and the seed. FALSE: the error was printed. */
static gboolean
read_options (Verifying *v)
{
  const Options *o = v->options;
  char *end = NULL;
  if (o->backend != NULL && (v->backend = fb_backend_from_name (o->backend)) == FB_N_BACKENDS)
    {
      fb_cli_error (_ ("no backend “%s”"), o->backend);
      return FALSE;
    }
  v->against_graph = o->against == NULL || strcmp (o->against, "graph") == 0;
  if (!v->against_graph && (v->other = fb_backend_from_name (o->against)) == FB_N_BACKENDS)
    {
      fb_cli_error (_ ("--against is graph or the name of a backend, not “%s”"), o->against);
      return FALSE;
    }
  if (o->seed != NULL)
    v->seed = g_ascii_strtoull (o->seed, &end, 10);
  if (end != NULL && (end == o->seed || *end != '\0'))
    {
      fb_cli_error (_ ("--seed is a number, not “%s”"), o->seed);
      return FALSE;
    }
  v->memory = o->memory == NULL ? fb_plan_default_limit () : (gsize) (g_ascii_strtod (o->memory, NULL) * 1e6);
  g_autofree char *compiler = v->backend == FB_BACKEND_CPU ? fb_cpu_find_compiler (NULL) : NULL;
  if (v->backend == FB_BACKEND_CPU && compiler == NULL)
    {
      fb_cli_error (_ ("no C compiler (cc, gcc or clang) is installed: the interpreter runs"));
      v->backend = FB_BACKEND_INTERP;
    }
  return TRUE;
}

static int
verify_file (Verifying *v, char **files)
{
  FbRowKind kind;
  v->path = fb_cli_one_file (files, "verify");
  g_autoptr (FbCapture) capture = v->path == NULL ? NULL : fb_cli_open (v->path, v->options->rows.release);
  if (capture == NULL || !fb_cli_rows_resolve (&v->options->rows, capture, &kind))
    return FB_EXIT_FAILED;
  if (kind == FB_ROW_KERNEL)
    {
      fb_cli_error (_ ("%s: a kernel row is one kernel without its buffers; verify the schedule it is from"), v->path);
      return FB_EXIT_FAILED;
    }
  guint row = (guint) MAX (v->options->rows.row, 0), n = fb_capture_n_rows (capture, kind);
  v->many = row == 0 && n > 1;
  if (v->many)
    fb_cli_progress_begin (v->path, n);
  for (guint i = row ? row : 1; i <= (row ? row : n); i++)
    {
      fb_cli_progress_hide ();
      verify_row (v, capture, kind, i);
      if (v->many)
        fb_cli_progress_set (i);
    }
  if (v->many)
    fb_cli_progress_end ();
  if (v->many && !v->options->json)
    fb_cli_print (_ ("verified %u rows: %u agree, %u differ, %u not compared; of their kernels %u equal, %u within "
                     "rounding, %u differ, %u by the order of NaNs\n"),
                  v->rows, v->rows - v->n_different - v->n_refused, v->n_different, v->n_refused,
                  v->n_kernels[FB_OUTCOME_EQUAL], v->n_kernels[FB_OUTCOME_WITHIN], v->n_kernels[FB_OUTCOME_DIFFERENT],
                  v->n_kernels[FB_OUTCOME_NAN_ORDER]);
  if (v->n_different > 0)
    return FB_EXIT_DIFFERENT;
  return v->n_refused == v->rows ? FB_EXIT_FAILED : FB_EXIT_OK;
}

int
fb_cli_verify (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  Options o = { .rows = FB_CLI_ROWS_INIT };
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o.rows.row, N_ ("The row, from 1; all if not given"), "K" },
    { "backend", 'b', 0, G_OPTION_ARG_STRING, &o.backend, N_ ("What runs the kernels: cpu (the default) or interp"),
      "NAME" },
    { "against", 'a', 0, G_OPTION_ARG_STRING, &o.against,
      N_ ("What they are compared with: graph (the default), the unfused graph; or a backend"), "WHAT" },
    { "seed", 's', 0, G_OPTION_ARG_STRING, &o.seed, N_ ("What inputs are filled from (1)"), "S" },
    { "threads", 'j', 0, G_OPTION_ARG_INT, &o.threads, N_ ("Threads; one per processor if not given"), "N" },
    { "time-limit", 0, 0, G_OPTION_ARG_INT, &o.seconds, N_ ("End the run when a kernel takes longer"), "SECONDS" },
    { "memory-limit", 0, 0, G_OPTION_ARG_STRING, &o.memory, N_ ("What all buffers may take together"), "MB" },
    { "step-limit", 0, 0, G_OPTION_ARG_DOUBLE, &o.steps,
      N_ ("Values of the graph that take more steps, of about a nanosecond, are not compared"), "N" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o.rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &o.json, N_ ("Print JSON, a line per row"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  int status = FB_EXIT_FAILED;
  if (fb_cli_parse (argc, argv, entries, "FILE",
                    _ ("Runs a row's kernels and compares every output, element by element, with the unfused graph or "
                       "with another backend; names the first pass and rewrite whose numbers differ.")))
    {
      Verifying v = { .options = &o, .backend = FB_BACKEND_CPU, .seed = 1 };
      status = read_options (&v) ? verify_file (&v, files) : FB_EXIT_FAILED;
    }
  fb_cli_rows_clear (&o.rows);
  g_free (o.backend);
  g_free (o.against);
  g_free (o.seed);
  g_free (o.memory);
  return fb_cli_finish (status);
}
