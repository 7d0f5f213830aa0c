/* fusebox explain FILE: why nodes are stored or fused, and what would fuse them. */
#include "explain-private.h"

gboolean
fb_cli_explain_row (FbCapture *capture, const FbCliRows *rows, guint *row, GBytes **bytes)
{
  g_autoptr (GError) error = NULL;
  FbRowKind kind;

  if (!fb_cli_rows_resolve (rows, capture, &kind))
    return FALSE;
  if (kind == FB_ROW_KERNEL)
    {
      fb_cli_error (_ ("%s: kernel rows have been scheduled already, nothing was decided in them"),
                    fb_capture_path (capture));
      return FALSE;
    }
  if (rows->row == 0 && fb_capture_n_rows (capture, kind) > 1)
    {
      fb_cli_error (_ ("%s has %u rows: say which one with --row"), fb_capture_path (capture),
                    fb_capture_n_rows (capture, kind));
      return FALSE;
    }
  *row = rows->row ? (guint) rows->row : 1;
  *bytes = fb_capture_read_blob (capture, kind, *row, &error);
  if (*bytes == NULL)
    fb_cli_error ("%s", error->message);
  return *bytes != NULL;
}

typedef struct
{
  FbCliRows rows;
  char *node, *other;
  int kernel, kernel_2, jobs;
  gboolean json, all, quick, audit;
} Options;

/* The node that --node or --kernel names; NULL for none, or when @failed is set and the error printed. */
static FbUop *
find_node (const FbWhy *why, const char *path, guint row, const char *key, int kernel, gboolean *failed)
{
  g_autoptr (GError) error = NULL;
  FbUop *node = NULL;

  if (key)
    {
      node = fb_why_find (why, key, &error);
      if (!node)
        fb_cli_error (_ ("%s: row %u: %s"), path, row, error->message);
    }
  else if (kernel)
    {
      node = kernel > 0 ? fb_why_stored (why, (guint) kernel) : NULL;
      if (!node)
        fb_cli_error (_ ("%s: row %u: there is no kernel %d"), path, row, kernel);
    }
  *failed |= (key || kernel) && !node;
  return node;
}

static int
explain (const Options *options, FbCapture *capture)
{
  FbCliExplain asked = { fb_capture_path (capture), 0, options->json, options->all, options->quick, NULL, NULL };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  gboolean failed = FALSE;

  if (!fb_cli_explain_row (capture, &options->rows, &asked.row, &bytes))
    return FB_EXIT_FAILED;
  const FbScenarioRow row = { bytes, asked.path, options->rows.release };
  g_autoptr (FbCounterfactuals) tries = fb_counterfactuals_new (&row, NULL, &error);
  if (tries == NULL)
    {
      fb_cli_error (_ ("%s: row %u: %s"), asked.path, asked.row, error->message);
      return FB_EXIT_FAILED;
    }
  const FbSchedule *schedule = fb_counterfactuals_base (tries)->schedule;
  g_autoptr (FbWhy) why = fb_why_new (schedule);
  asked.node = find_node (why, asked.path, asked.row, options->node, options->kernel, &failed);
  asked.other = find_node (why, asked.path, asked.row, options->other, options->kernel_2, &failed);
  if (failed)
    return FB_EXIT_FAILED;
  FbCliAnswer answer = { &asked, tries, schedule, schedule->context, why };
  fb_schedule_cost (schedule, &answer.cost, &answer.kernels, &answer.lives);
  if (options->json)
    fb_cli_explain_json (&answer);
  else
    fb_cli_explain_text (&answer);
  g_array_unref (answer.lives);
  g_free (answer.kernels);
  return FB_EXIT_OK;
}

static int
run (const Options *options, char **files)
{
  if (options->audit)
    {
      if (files == NULL)
        {
          fb_cli_error (_ ("explain --audit takes at least one FILE"));
          return FB_EXIT_FAILED;
        }
      return fb_cli_explain_audit ((const char *const *) files, options->rows.release, fb_cli_jobs (options->jobs),
                                   options->json);
    }
  if ((options->other && !options->node) || (options->kernel_2 && !options->kernel)
      || (options->node && options->kernel))
    {
      fb_cli_error (_ ("a pair is --node with --and, or --kernel with --and-kernel"));
      return FB_EXIT_FAILED;
    }
  const char *path = fb_cli_one_file (files, "explain");
  g_autoptr (FbCapture) capture = path == NULL ? NULL : fb_cli_open (path, options->rows.release);
  return capture == NULL ? FB_EXIT_FAILED : explain (options, capture);
}

int
fb_cli_explain (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  Options o = { .rows = FB_CLI_ROWS_INIT };
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o.rows.row, N_ ("The row, from 1"), "K" },
    { "node", 'n', 0, G_OPTION_ARG_STRING, &o.node, N_ ("Only this node, by the first hex digits of its key"), "KEY" },
    { "and", 0, 0, G_OPTION_ARG_STRING, &o.other, N_ ("… and this one: are they fused, and what is between them"),
      "KEY" },
    { "kernel", 'k', 0, G_OPTION_ARG_INT, &o.kernel, N_ ("Only what this kernel stores, from 1"), "I" },
    { "and-kernel", 0, 0, G_OPTION_ARG_INT, &o.kernel_2, N_ ("… and this one"), "I" },
    { "all", 'a', 0, G_OPTION_ARG_NONE, &o.all, N_ ("The fused nodes too"), NULL },
    { "quick", 'q', 0, G_OPTION_ARG_NONE, &o.quick, N_ ("Do not try what would fuse them"), NULL },
    { "audit", 0, 0, G_OPTION_ARG_NONE, &o.audit,
      N_ ("All rows of all FILEs: count verdicts and try every statement again"), NULL },
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &o.jobs, N_ ("Threads for --audit; one per processor if not given"), "N" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o.rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &o.json, N_ ("Print JSON"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  int status = FB_EXIT_FAILED;
  if (fb_cli_parse (argc, argv, entries, "FILE",
                    _ ("Why each kernel is one: which node it stores, who asked, what would fuse it.")))
    status = run (&o, files);
  fb_cli_rows_clear (&o.rows);
  g_free (o.node);
  g_free (o.other);
  return status;
}
