/* fusebox whatif FILE: the row as captured beside the row with other options or forced choices. */
#include "core/replay/row.h"

#include "count.h"
#include "explain-private.h"

typedef struct
{
  FbCliRows rows;
  char **set, **realize, **fuse;
  gboolean json;
} Options;

/* The nodes that --realize or --fuse name, by place. FALSE: the error was printed. */
static gboolean
add_nodes (GArray *places, const FbWhy *why, const char *path, guint row, char **keys)
{
  for (; keys && *keys; keys++)
    {
      g_autoptr (GError) error = NULL;
      FbUop *node = fb_why_find (why, *keys, &error);
      if (node == NULL)
        {
          fb_cli_error (_ ("%s: row %u: %s"), path, row, error->message);
          return FALSE;
        }
      guint32 place = fb_why_place (why, node);
      g_array_append_val (places, place);
    }
  return TRUE;
}

static FbScenario *
read_scenario (const Options *options, const FbScenarioRun *base, const char *path, guint row)
{
  g_autoptr (FbScenario) scenario = fb_scenario_new ();
  g_autoptr (FbWhy) why = fb_why_new (base->schedule);
  g_autoptr (GError) error = NULL;

  for (char **text = options->set; text && *text; text++)
    if (!fb_replay_options_parse (scenario->options, *text, &error))
      {
        fb_cli_error ("%s", error->message);
        return NULL;
      }
  if (!add_nodes (scenario->realize, why, path, row, options->realize)
      || !add_nodes (scenario->fuse, why, path, row, options->fuse))
    return NULL;
  return g_steal_pointer (&scenario);
}

static void
print_line (const char *name, gint64 before, gint64 after)
{
  const char *a = fb_count (before), *b = fb_count (after);
  double ratio = before ? (double) after / (double) before : 0;

  if (before == after || before == 0)
    fb_cli_print ("  %-16s %20s %20s\n", name, a, b);
  else
    fb_cli_print ("  %-16s %20s %20s   ×%.3g\n", name, a, b, ratio);
}

/* Nodes in one schedule's realizes that are not in the other's. */
static void
print_difference (const FbScenarioRun *from, const FbScenarioRun *to, const char *words)
{
  g_autoptr (FbWhy) why = fb_why_new (from->schedule);

  for (guint i = 0; i < from->schedule->realizes->len; i++)
    {
      FbUop *node = g_ptr_array_index (from->schedule->realizes, i);
      FbUop *same = fb_scenario_node (to->schedule, fb_why_place (why, node));
      char key[17];

      if (same && fb_ledger_realized (to->schedule->ledger, same))
        continue;
      g_autofree char *text = fb_why_node_text (from->context, node);
      fb_cli_print ("  %s %s  %s\n", words, text, fb_uop_key_hex (from->context, node, key));
    }
}

/* The kernels that were captured with the row beside those of the scenario; NULL when none were captured. */
static FbComparison *
compare_kernels (const FbScenarioRun *with)
{
  const GPtrArray *captured = with->row->kernels;
  guint n = with->schedule->kernels->len;
  g_autofree FbUop **asts = g_new (FbUop *, n + 1);

  if (captured->len == 0)
    return NULL;
  for (guint i = 0; i < n; i++)
    asts[i] = fb_schedule_kernel (with->schedule, i)->ast;
  return fb_comparison_new (with->context, captured->len, (FbUop *const *) captured->pdata, n, asts);
}

static void
append_places (GString *text, guint n, const guint *places)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i ? ", " : "", places[i] + 1);
}

static void
print_comparison (const FbComparison *comparison)
{
  g_autofree char *counts = fb_replay_counts_to_text (comparison->counts);

  fb_cli_print (_ ("  the kernels: %s\n"), counts);
  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const FbReplayDifference *difference = g_ptr_array_index (comparison->differences, i);
      g_autoptr (GString) from = g_string_new (NULL), to = g_string_new (NULL);

      append_places (from, difference->n_captured, difference->captured);
      append_places (to, difference->n_scheduled, difference->scheduled);
      fb_cli_print ("    %s → %s  %s%s%s\n", from->len ? from->str : "–", to->len ? to->str : "–",
                    fb_replay_class_name (difference->class), *difference->detail ? ": " : "", difference->detail);
    }
}

static void
append_comparison (GString *json, const FbComparison *comparison)
{
  g_string_append (json, ",\"differences\":[");
  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const FbReplayDifference *difference = g_ptr_array_index (comparison->differences, i);

      g_string_append_printf (json, "%s{\"class\":\"%s\",\"captured\":[", i ? "," : "",
                              fb_replay_class_name (difference->class));
      append_places (json, difference->n_captured, difference->captured);
      g_string_append (json, "],\"then\":[");
      append_places (json, difference->n_scheduled, difference->scheduled);
      g_string_append (json, "],\"detail\":");
      fb_json_append_string (json, difference->detail);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

static void
print_text (const char *path, guint row, const char *change, const FbScenarioRun *base, const FbScenarioRun *with)
{
  fb_cli_print (_ ("%s: row %u: %s\n"), path, row, *change ? change : _ ("nothing changed"));
  fb_cli_print ("  %-16s %20s %20s\n", "", _ ("as captured"), _ ("then"));
  print_line (_ ("kernels"), base->cost.n_kernels, with->cost.n_kernels);
  print_line (_ ("bytes read"), base->cost.bytes_read, with->cost.bytes_read);
  print_line (_ ("bytes written"), base->cost.bytes_written, with->cost.bytes_written);
  print_line (_ ("FLOPs"), base->cost.flops, with->cost.flops);
  print_line (_ ("peak bytes"), base->cost.peak_bytes, with->cost.peak_bytes);
  print_difference (base, with, _ ("fused now:   "));
  print_difference (with, base, _ ("realized now:"));
  g_autoptr (FbComparison) comparison = compare_kernels (with);
  if (comparison)
    print_comparison (comparison);
}

static void
print_json (const char *path, guint row, const char *change, const FbScenarioRun *base, const FbScenarioRun *with)
{
  GString *json = g_string_new ("{\"file\":");

  fb_json_append_string (json, path);
  g_string_append_printf (json, ",\"row\":%u,\"change\":", row);
  fb_json_append_string (json, change);
  g_string_append (json, ",\"captured\":{");
  fb_cli_append_cost_json (json, &base->cost);
  g_string_append (json, "},\"then\":{");
  fb_cli_append_cost_json (json, &with->cost);
  g_string_append (json, "},\"realized\":[");
  for (guint i = 0; i < with->schedule->realizes->len; i++)
    {
      g_string_append (json, i ? "," : "");
      fb_cli_append_node_json (json, with->context, g_ptr_array_index (with->schedule->realizes, i));
    }
  g_string_append_c (json, ']');
  g_autoptr (FbComparison) comparison = compare_kernels (with);
  if (comparison)
    append_comparison (json, comparison);
  g_string_append (json, "}\n");
  fb_cli_write (json->str, json->len);
  g_string_free (json, TRUE);
}

static int
what_if (const Options *options, FbCapture *capture)
{
  const char *path = fb_capture_path (capture);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  guint number;

  if (!fb_cli_explain_row (capture, &options->rows, &number, &bytes))
    return FB_EXIT_FAILED;
  const FbScenarioRow row = { bytes, path, options->rows.release };
  g_autoptr (FbScenarioRun) base = fb_scenario_run (&row, NULL, NULL, NULL, &error);
  if (base == NULL)
    {
      fb_cli_error (_ ("%s: row %u: %s"), path, number, error->message);
      return FB_EXIT_FAILED;
    }
  g_autoptr (FbScenario) scenario = read_scenario (options, base, path, number);
  if (scenario == NULL)
    return FB_EXIT_FAILED;
  g_autoptr (FbScenarioRun) with = fb_scenario_run (&row, scenario, NULL, NULL, &error);
  if (with == NULL)
    {
      fb_cli_error (_ ("%s: row %u: %s"), path, number, error->message);
      return FB_EXIT_FAILED;
    }
  g_autofree char *change = fb_scenario_to_text (scenario, base->schedule);
  if (options->json)
    print_json (path, number, change, base, with);
  else
    print_text (path, number, change, base, with);
  return FB_EXIT_OK;
}

int
fb_cli_whatif (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  Options o = { .rows = FB_CLI_ROWS_INIT };
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o.rows.row, N_ ("The row, from 1"), "K" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o.set, N_ ("An option of the scheduler, in place of the row's"),
      "NAME=VALUE" },
    { "realize", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.realize,
      N_ ("Store this node, by the first hex digits of its key"), "KEY" },
    { "fuse", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.fuse, N_ ("Do not store this node"), "KEY" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o.rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &o.json, N_ ("Print JSON"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  int status = FB_EXIT_FAILED;
  if (fb_cli_parse (argc, argv, entries, "FILE",
                    _ ("Schedules a row with options or single choices changed: kernels, bytes, FLOPs.")))
    {
      const char *path = fb_cli_one_file (files, "whatif");
      g_autoptr (FbCapture) capture = path == NULL ? NULL : fb_cli_open (path, o.rows.release);
      status = capture == NULL ? FB_EXIT_FAILED : what_if (&o, capture);
    }
  fb_cli_rows_clear (&o.rows);
  g_strfreev (o.set);
  g_strfreev (o.realize);
  g_strfreev (o.fuse);
  return status;
}
