/* fusebox info FILE...: what is inside. */
#include <string.h>

#include "core/viztrace/viztrace.h"
#include "info.h"
#include "json.h"
#include "trace-json.h"
#include "profile.h"
#include "viz.h"

enum
{
  SHORT_TABLE = 24, /* rows listed without being asked for */
};

typedef struct
{
  FbCapture *capture;
  gboolean json, all_rows;
  FbRowKind kind; /* of the rows now read */
  FbFileTotals totals;
  GPtrArray *table; /* of FbRowFacts; at most SHORT_TABLE + 1 unless all_rows */
  GString *rows_json;
  int status;
} Info;

static gpointer
gather_row (FbContext *context, FbCaptureRow *row, const GError *error, gpointer user)
{
  return fb_row_facts_new (context, row, error);
}

static void
append_row_json (GString *json, FbCapture *capture, FbRowKind kind, guint row, const FbRowFacts *facts)
{
  const FbRowInfo *info = fb_capture_row_info (capture, kind, row);
  g_string_append_printf (json, "%s{\"kind\":\"%s\",\"row\":%u,\"key\":", json->len > 0 ? "," : "",
                          fb_cli_kind_name (kind), row);
  fb_json_append_string (json, info->key);
  g_string_append_printf (json, ",\"bytes\":%" G_GSIZE_FORMAT, info->size);
  if (facts != NULL && facts->error != NULL)
    {
      g_string_append (json, ",\"error\":");
      fb_json_append_string (json, facts->error);
    }
  else if (facts != NULL)
    {
      g_string_append_printf (json, ",\"nodes\":%u,\"kernels\":%u,\"options\":%s", facts->nodes, facts->kernels,
                              facts->options_json);
      if (facts->name != NULL)
        {
          g_string_append (json, ",\"name\":");
          fb_json_append_string (json, facts->name);
        }
    }
  g_string_append_c (json, '}');
}

static gboolean
count_row (guint row, gpointer result, gpointer user)
{
  Info *info = user;
  FbRowFacts *facts = result;
  facts->row = row;
  facts->size = fb_capture_row_info (info->capture, info->kind, row)->size;
  fb_file_totals_add (&info->totals, facts);
  if (info->json)
    append_row_json (info->rows_json, info->capture, info->kind, row, facts);
  if (facts->error != NULL)
    {
      info->status = FB_EXIT_FAILED;
      fb_cli_error ("%s", facts->error);
    }
  if (!info->json && (info->all_rows || info->table->len <= SHORT_TABLE))
    g_ptr_array_add (info->table, facts);
  else
    fb_row_facts_free (facts);
  return TRUE;
}

static void
print_table (Info *info)
{
  fb_cli_print ("\n%8s %8s %8s %10s  %s\n", _ ("row"), _ ("nodes"), _ ("kernels"), _ ("bytes"), _ ("options"));
  for (guint i = 0; i < info->table->len; i++)
    {
      const FbRowFacts *facts = g_ptr_array_index (info->table, i);
      g_autofree char *name = facts->name == NULL ? NULL : fb_cli_clean_text (facts->name);
      if (facts->error != NULL)
        fb_cli_print ("%8u %8s %8s %10" G_GSIZE_FORMAT "  %s\n", facts->row, "-", "-", facts->size, _ ("unreadable"));
      else
        fb_cli_print ("%8u %8u %8u %10" G_GSIZE_FORMAT "  %s%s%s\n", facts->row, facts->nodes, facts->kernels,
                      facts->size, name != NULL ? name : "", name != NULL ? " " : "", facts->options);
    }
}

static void
print_text (Info *info)
{
  fb_info_print_totals (&info->totals);
  if (info->all_rows || info->table->len <= SHORT_TABLE)
    print_table (info);
  else
    fb_cli_print (_ ("  largest   row %u: %u nodes, %u kernels (--rows lists all)\n"), info->totals.largest_row,
                  info->totals.largest_nodes, info->totals.largest_kernels);
}

static void
list_rows (FbCapture *capture)
{
  fb_cli_print ("\n%8s %10s  %s\n", _ ("row"), _ ("bytes"), _ ("key"));
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
    for (guint row = 1; row <= fb_capture_n_rows (capture, kind); row++)
      {
        const FbRowInfo *info = fb_capture_row_info (capture, kind, row);
        g_autofree char *key = fb_cli_clean_text (info->key);
        fb_cli_print ("%8u %10" G_GSIZE_FORMAT "  %s\n", row, info->size, key);
      }
}

static void
print_json (Info *info)
{
  FbCapture *capture = info->capture;
  const FbFileTotals *totals = &info->totals;
  GString *json = g_string_new ("{\"file\":");
  fb_json_append_string (json, fb_capture_path (capture));
  g_string_append (json, ",\"format\":");
  fb_json_append_string (json, fb_capture_format (capture));
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
    g_string_append_printf (json, ",\"%ss\":%u", fb_cli_kind_name (kind), fb_capture_n_rows (capture, kind));
  if (totals->rows > 0)
    g_string_append_printf (json,
                            ",\"unreadable\":%u,\"nodes\":%" G_GUINT64_FORMAT ",\"captured_kernels\":%" G_GUINT64_FORMAT
                            ",\"ops_by_name\":%s,\"ops_by_value\":%s",
                            totals->unreadable, totals->nodes, totals->kernels, totals->by_name ? "true" : "false",
                            totals->by_value ? "true" : "false");
  if (totals->release != NULL)
    g_string_append_printf (json, ",\"release\":\"%s\",\"release_detected\":%s", totals->release,
                            totals->release_detected ? "true" : "false");
  fb_info_append_session_json (json, capture);
  g_string_append_printf (json, ",\"rows\":[%s]}\n", info->rows_json->str);
  fb_cli_write (json->str, json->len);
  g_string_free (json, TRUE);
}

static int
info_file (const char *path, const char *release, const char *profile, guint jobs, gboolean json, gboolean all_rows,
           gboolean list)
{
  if (fb_viz_trace_sniff_file (path))
    return fb_viz_print_info (path, release, profile, json);
  if (fb_viz_profile_sniff_file (path))
    return fb_profile_print_info (path, json);
  g_autoptr (FbCapture) capture = fb_cli_open (path, release);
  if (capture == NULL)
    return FB_EXIT_FAILED;
  Info info = { .capture = capture, .json = json, .all_rows = all_rows, .status = FB_EXIT_OK };
  info.table = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_row_facts_free);
  info.rows_json = g_string_new (NULL);
  fb_file_totals_init (&info.totals);
  if (!json)
    {
      fb_info_print_head (capture);
      fb_info_print_session (capture);
    }
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
    {
      guint n = fb_capture_n_rows (capture, kind);
      info.kind = kind;
      if (list && json)
        for (guint row = 1; row <= n; row++)
          append_row_json (info.rows_json, capture, kind, row, NULL);
      else if (!list && n > 0)
        fb_cli_loop (&(FbCliLoop){
            .capture = capture,
            .release = release,
            .kind = kind,
            .first = 1,
            .last = n,
            .jobs = jobs,
            .work = gather_row,
            .deliver = count_row,
            .drop = (GDestroyNotify) fb_row_facts_free,
            .user = &info,
        });
    }
  if (json)
    print_json (&info);
  else if (list)
    list_rows (capture);
  else
    print_text (&info);
  fb_file_totals_clear (&info.totals);
  g_ptr_array_unref (info.table);
  g_string_free (info.rows_json, TRUE);
  return info.status;
}

int
fb_cli_info (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  g_autofree char *release = NULL, *profile = NULL;
  gboolean json = FALSE, rows = FALSE, list = FALSE;
  int jobs = 0, status = FB_EXIT_OK;
  const GOptionEntry entries[] = {
    { "rows", 0, 0, G_OPTION_ARG_NONE, &rows, N_ ("List every row of a large file"), NULL },
    { "list", 'l', 0, G_OPTION_ARG_NONE, &list, N_ ("Only list the rows, without reading them"), NULL },
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &jobs, N_ ("Threads; one per processor if not given"), "N" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "profile", 0, 0, G_OPTION_ARG_FILENAME, &profile,
      N_ ("Of a VIZ trace: times are in this profile; the one beside the trace if not given"), "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print one JSON object a file"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  if (!fb_cli_parse (argc, argv, entries, "FILE…", _ ("What is inside: rows, graph sizes, kernels, release, options.")))
    return FB_EXIT_FAILED;
  if (files == NULL)
    {
      fb_cli_error (_ ("info takes at least one FILE (see “fusebox info --help”)"));
      return FB_EXIT_FAILED;
    }
  for (char **file = files; *file != NULL; file++)
    {
      if (file != files && !json)
        fb_cli_print ("\n");
      int file_status = info_file (*file, release, profile, fb_cli_jobs (jobs), json, rows, list);
      status = MAX (status, file_status);
    }
  return status;
}
