/* A report as JSON; core/replay/README.md describes it. */
#include "report.h"

static void
append_string (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *p = valid; *p; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (c == '"' || c == '\\')
        g_string_append_printf (json, "\\%c", (char) c);
      else if (c >= 0x20 && c < 0x7f)
        g_string_append_c (json, (char) c);
      else if (c < 0x10000)
        g_string_append_printf (json, "\\u%04x", c);
      else
        g_string_append_printf (json, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
                                0xdc00 + ((c - 0x10000) & 0x3ff));
    }
  g_string_append_c (json, '"');
}

static void
append_member (GString *json, const char *name, const char *text)
{
  g_string_append_printf (json, "\"%s\":", name);
  append_string (json, text);
}

static void
append_statuses (GString *json, const guint *statuses)
{
  for (guint i = 0; i < FB_REPLAY_N_ROW_STATUSES; i++)
    g_string_append_printf (json, ",\"%s\":%u", fb_replay_row_status_name (i), statuses[i]);
}

static void
append_file (GString *json, const FbReplayFile *file)
{
  g_string_append_c (json, '{');
  append_member (json, "path", file->path);
  g_string_append_c (json, ',');
  append_member (json, "digest", file->digest);
  if (file->error)
    {
      g_string_append_c (json, ',');
      append_member (json, "error", file->error);
    }
  g_string_append_printf (json, ",\"rows\":%u,\"kernel_rows\":%u,\"replayed\":%u", file->n_rows, file->n_kernel_rows,
                          file->n_replayed);
  append_statuses (json, file->statuses);
  g_string_append (json, file->trace ? ",\"trace\":true}" : "}");
}

/* Kernels count from 1, as --ast does. */
static void
append_places (GString *json, const char *name, guint n, const guint *places)
{
  g_string_append_printf (json, ",\"%s\":[", name);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (json, "%s%u", i ? "," : "", places[i] + 1);
  g_string_append_c (json, ']');
}

static void
append_difference (GString *json, const FbReplayDifference *difference)
{
  g_string_append_c (json, '{');
  append_member (json, "class", fb_replay_class_name (difference->class));
  append_places (json, "captured", difference->n_captured, difference->captured);
  append_places (json, "scheduled", difference->n_scheduled, difference->scheduled);
  g_string_append_printf (json, ",\"signature\":\"%016" G_GINT64_MODIFIER "x\",", difference->signature);
  append_member (json, "detail", difference->detail);
  g_string_append_c (json, '}');
}

static void
append_error (GString *json, const FbReplayRow *row)
{
  g_string_append (json, ",\"error\":{");
  append_member (json, "kind", row->error_kind);
  g_string_append_c (json, ',');
  append_member (json, "message", row->error_message);
  g_string_append_c (json, ',');
  append_member (json, "pass", row->error_pass);
  g_string_append_c (json, ',');
  append_member (json, "op", row->error_op);
  g_string_append_c (json, ',');
  append_member (json, "node", row->error_node);
  g_string_append_c (json, '}');
}

static void
append_pass (GString *json, const FbReplayPass *pass)
{
  g_string_append_c (json, '{');
  append_member (json, "pass", pass->title);
  g_string_append_printf (json, ",\"kernel\":%u,\"recorded\":%u,\"scheduled\":%u,\"match\":%u,", pass->kernel,
                          pass->n_recorded, pass->n_here, pass->first);
  append_member (json, "rule_recorded", pass->rule_recorded);
  g_string_append_c (json, ',');
  append_member (json, "rule_scheduled", pass->rule_here);
  g_string_append_c (json, '}');
}

static void
append_passes (GString *json, const FbReplayPasses *passes)
{
  g_string_append_printf (json,
                          ",\"passes\":{\"recorded\":%u,\"scheduled\":%u,\"alike\":%u,\"matches\":%" G_GUINT64_FORMAT
                          ",\"matches_alike\":%" G_GUINT64_FORMAT ",\"others\":%u,\"different\":[",
                          passes->n_recorded, passes->n_here, passes->n_alike, passes->n_matches,
                          passes->n_matches_alike, passes->n_others);
  for (guint i = 0; i < passes->different->len; i++)
    {
      g_string_append (json, i ? "," : "");
      append_pass (json, g_ptr_array_index (passes->different, i));
    }
  g_string_append (json, "]}");
}

static void
append_row (GString *json, const FbReplayRow *row)
{
  gboolean first = TRUE;

  g_string_append_printf (json, "{\"file\":%u,\"row\":%u,", row->file, row->row);
  if (row->context)
    g_string_append_printf (json, "\"context\":%u,", row->context);
  append_member (json, "key", row->key);
  g_string_append_c (json, ',');
  append_member (json, "status", fb_replay_row_status_name (row->status));
  g_string_append_printf (json, ",\"captured\":%u,\"scheduled\":%u", row->n_captured, row->n_scheduled);
  if (row->status == FB_REPLAY_ROW_FAILED)
    append_error (json, row);
  if (row->status == FB_REPLAY_ROW_CHANGED)
    {
      g_string_append_printf (json, ",\"signature\":\"%016" G_GINT64_MODIFIER "x\",\"classes\":{", row->signature);
      for (guint i = 0; i < FB_REPLAY_N_CLASSES; i++)
        if (row->counts[i])
          {
            g_string_append_printf (json, "%s\"%s\":%u", first ? "" : ",", fb_replay_class_name (i), row->counts[i]);
            first = FALSE;
          }
      g_string_append (json, "},\"differences\":[");
      for (guint i = 0; i < row->differences->len; i++)
        {
          g_string_append (json, i ? "," : "");
          append_difference (json, g_ptr_array_index (row->differences, i));
        }
      g_string_append_c (json, ']');
      if (row->passes)
        append_passes (json, row->passes);
    }
  g_string_append_c (json, '}');
}

static void
append_group (GString *json, const FbReplayGroup *group, const FbReplayReport *report)
{
  g_autofree char *text = fb_replay_group_to_text (group, report);

  g_string_append_printf (json, "{\"signature\":\"%016" G_GINT64_MODIFIER "x\",\"captures\":%u,", group->signature,
                          group->rows->len);
  append_member (json, "text", text);
  g_string_append (json, ",\"rows\":[");
  for (guint i = 0; i < group->rows->len; i++)
    {
      const FbReplayRow *row = g_ptr_array_index (group->rows, i);
      g_string_append_printf (json, "%s[%u,%u]", i ? "," : "", row->file, row->row);
    }
  g_string_append (json, "]}");
}

static void
append_head (GString *json, const FbReplayReport *report)
{
  g_string_append (json, "{\"format\":\"fusebox replay 1\",");
  append_member (json, "version", report->version);
  g_string_append (json, ",\"options\":{");
  for (guint i = 0; i < report->options->len; i++)
    {
      const FbReplayOption *option = &g_array_index (report->options, FbReplayOption, i);
      g_string_append_printf (json, "%s\"%s\":%" G_GINT64_FORMAT, i ? "," : "", option->name, option->value);
    }
  g_string_append (json, "},\"shards\":[");
  for (guint i = 0; i < report->shards->len; i++)
    g_string_append_printf (json, "%s%u", i ? "," : "", g_array_index (report->shards, guint, i));
  g_string_append_printf (json, "],\"of\":%u,\"partial\":%s", report->n_shards, report->partial ? "true" : "false");
}

static void
append_totals (GString *json, const FbReplayReport *report)
{
  g_string_append_printf (json, ",\n\"totals\":{\"rows\":%u,\"replayed\":%u", fb_replay_report_n_rows (report),
                          fb_replay_report_n_replayed (report));
  append_statuses (json, report->statuses);
  g_string_append_printf (json, ",\"captured\":%" G_GUINT64_FORMAT ",\"scheduled\":%" G_GUINT64_FORMAT ",\"classes\":{",
                          report->n_captured, report->n_scheduled);
  for (guint i = 0; i < FB_REPLAY_N_CLASSES; i++)
    g_string_append_printf (json, "%s\"%s\":%" G_GUINT64_FORMAT, i ? "," : "", fb_replay_class_name (i),
                            report->counts[i]);
  g_string_append_c (json, '}');
  if (report->n_passes)
    g_string_append_printf (json,
                            ",\"passes\":%" G_GUINT64_FORMAT ",\"passes_alike\":%" G_GUINT64_FORMAT
                            ",\"matches\":%" G_GUINT64_FORMAT ",\"matches_alike\":%" G_GUINT64_FORMAT,
                            report->n_passes, report->n_passes_alike, report->n_matches, report->n_matches_alike);
  g_string_append_c (json, '}');
}

char *
fb_replay_report_to_json (const FbReplayReport *report)
{
  GString *json = g_string_new (NULL);
  g_autoptr (GPtrArray) groups = fb_replay_report_groups (report);

  append_head (json, report);
  append_totals (json, report);
  g_string_append (json, ",\n\"files\":[");
  for (guint i = 0; i < report->files->len; i++)
    {
      g_string_append (json, i ? ",\n" : "\n");
      append_file (json, g_ptr_array_index (report->files, i));
    }
  g_string_append (json, "],\n\"rows\":[");
  for (guint i = 0; i < report->rows->len; i++)
    {
      g_string_append (json, i ? ",\n" : "\n");
      append_row (json, g_ptr_array_index (report->rows, i));
    }
  g_string_append (json, "],\n\"groups\":[");
  for (guint i = 0; i < groups->len; i++)
    {
      g_string_append (json, i ? ",\n" : "\n");
      append_group (json, g_ptr_array_index (groups, i), report);
    }
  g_string_append (json, "]}\n");
  return g_string_free (json, FALSE);
}
