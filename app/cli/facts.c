/* Facts of rows and files, gathered and printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"
#include "trace-json.h"

void
fb_row_facts_free (FbRowFacts *facts)
{
  if (facts == NULL)
    return;
  g_free (facts->options);
  g_free (facts->options_json);
  g_free (facts->name);
  g_free (facts->error);
  g_free (facts);
}

static char *
options_text (const FbCaptureRow *row)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < row->vars->len; i++)
    {
      const FbContextVar *var = &g_array_index (row->vars, FbContextVar, i);
      if (var->known && var->value == var->default_value)
        continue;
      g_autofree char *name = fb_cli_clean_text (var->name);
      g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, text->len > 0 ? " " : "", name, var->value);
    }
  return g_string_free (text, FALSE);
}

FbRowFacts *
fb_row_facts_new (FbContext *context, FbCaptureRow *row, const GError *error)
{
  FbRowFacts *facts = g_new0 (FbRowFacts, 1);
  if (row == NULL)
    {
      facts->error = g_strdup (error->message);
      return facts;
    }
  facts->nodes = fb_cli_count_nodes (context, row->sink);
  facts->kernels = row->kind == FB_ROW_KERNEL ? 1 : row->kernels->len;
  facts->options = options_text (row);
  GString *json = g_string_new (NULL);
  fb_trace_append_options (json, row);
  facts->options_json = g_string_free (json, FALSE);
  facts->name = g_strdup (row->kernel_name);
  facts->release = row->release;
  facts->release_detected = row->release_detected;
  facts->ops_by_value = row->ops_by_value;
  facts->protocol = row->protocol;
  return facts;
}

void
fb_file_totals_init (FbFileTotals *totals)
{
  *totals = (FbFileTotals){ .options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
}

void
fb_file_totals_clear (FbFileTotals *totals)
{
  g_hash_table_unref (totals->options);
}

static void
count_options (FbFileTotals *totals, const char *text)
{
  g_auto (GStrv) options = g_strsplit (text, " ", -1);
  for (char **option = options; *option != NULL; option++)
    if (**option != '\0')
      {
        guint n = GPOINTER_TO_UINT (g_hash_table_lookup (totals->options, *option));
        g_hash_table_insert (totals->options, g_strdup (*option), GUINT_TO_POINTER (n + 1));
      }
}

void
fb_file_totals_add (FbFileTotals *totals, const FbRowFacts *facts)
{
  totals->rows++;
  if (facts->error != NULL)
    {
      totals->unreadable++;
      return;
    }
  totals->nodes += facts->nodes;
  totals->kernels += facts->kernels;
  if (facts->nodes > totals->largest_nodes)
    {
      totals->largest_row = facts->row;
      totals->largest_nodes = facts->nodes;
      totals->largest_kernels = facts->kernels;
    }
  totals->release = facts->release;
  totals->release_detected = facts->release_detected;
  totals->by_name |= !facts->ops_by_value;
  totals->by_value |= facts->ops_by_value;
  count_options (totals, facts->options);
}

static char *
count_text (FbRowKind kind, guint n)
{
  switch (kind)
    {
    case FB_ROW_SCHEDULE:
      return g_strdup_printf (ngettext ("%u schedule", "%u schedules", n), n);
    case FB_ROW_GRAPH:
      return g_strdup_printf (ngettext ("%u graph", "%u graphs", n), n);
    case FB_ROW_KERNEL:
      return g_strdup_printf (ngettext ("%u kernel", "%u kernels", n), n);
    case FB_ROW_TRACE:
      return g_strdup_printf (ngettext ("%u context", "%u contexts", n), n);
    }
  g_return_val_if_reached (NULL);
}

void
fb_info_print_head (FbCapture *capture)
{
  g_autofree char *path = fb_cli_clean_text (fb_capture_path (capture));
  guint64 bytes = 0;
  GString *rows = g_string_new (NULL);
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
    {
      guint n = fb_capture_n_rows (capture, kind);
      for (guint row = 1; row <= n; row++)
        bytes += fb_capture_row_info (capture, kind, row)->size;
      if (n == 0)
        continue;
      g_autofree char *part = count_text (kind, n);
      g_string_append_printf (rows, "%s%s", rows->len > 0 ? ", " : "", part);
    }
  g_autofree char *size = g_format_size (bytes);
  fb_cli_print ("%s\n", path);
  fb_cli_print (_ ("  format    %s\n"), fb_capture_format (capture));
  fb_cli_print (_ ("  rows      %s, %s\n"), rows->str, size);
  fflush (stdout);
  g_string_free (rows, TRUE);
}

static int
compare_options (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
print_options (const FbFileTotals *totals)
{
  guint n_names;
  g_autofree gpointer *names = g_hash_table_get_keys_as_array (totals->options, &n_names);
  qsort (names, n_names, sizeof *names, compare_options);
  for (guint i = 0; i < n_names; i++)
    {
      const char *option = names[i];
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (totals->options, option));
      if (n == totals->rows)
        fb_cli_print ("%s%s\n", i == 0 ? _ ("  options   ") : "            ", option);
      else
        fb_cli_print (ngettext ("%s%s in %u row\n", "%s%s in %u rows\n", n),
                      i == 0 ? _ ("  options   ") : "            ", option, n);
    }
}

void
fb_info_print_totals (const FbFileTotals *totals)
{
  if (totals->unreadable > 0)
    fb_cli_print (_ ("  failed    %u of them cannot be read\n"), totals->unreadable);
  if (totals->release == NULL)
    return;
  fb_cli_print (_ ("  ops       %s, numbered as in tinygrad %s (%s)\n"),
                !totals->by_value ? _ ("by name")
                : totals->by_name ? _ ("by name and by value")
                                  : _ ("by value"),
                totals->release, totals->release_detected ? _ ("detected") : _ ("asked for"));
  fb_cli_print (_ ("  nodes     %llu\n"), (unsigned long long) totals->nodes);
  fb_cli_print (_ ("  kernels   %llu\n"), (unsigned long long) totals->kernels);
  print_options (totals);
}
