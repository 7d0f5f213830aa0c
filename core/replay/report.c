#include "report.h"

static void
free_file (gpointer data)
{
  FbReplayFile *file = data;

  g_free (file->path);
  g_free (file->digest);
  g_free (file->error);
  g_free (file);
}

FbReplayReport *
fb_replay_report_new (const GArray *options, guint shard, guint n_shards)
{
  FbReplayReport *report = g_new0 (FbReplayReport, 1);

  report->version = g_strdup (FUSEBOX_VERSION);
  report->options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  g_array_append_vals (report->options, options->data, options->len);
  report->n_shards = n_shards;
  report->shards = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (report->shards, shard);
  report->files = g_ptr_array_new_with_free_func (free_file);
  report->rows = g_ptr_array_new_with_free_func (fb_replay_row_free);
  return report;
}

void
fb_replay_report_free (FbReplayReport *report)
{
  if (!report)
    return;
  g_free (report->version);
  g_array_free (report->options, TRUE);
  g_array_free (report->shards, TRUE);
  g_ptr_array_unref (report->files);
  g_ptr_array_unref (report->rows);
  g_free (report);
}

FbRowKind
fb_replay_file_kind (FbCapture *capture)
{
  if (fb_capture_n_rows (capture, FB_ROW_SCHEDULE))
    return FB_ROW_SCHEDULE;
  return fb_capture_n_rows (capture, FB_ROW_GRAPH) ? FB_ROW_GRAPH : FB_ROW_KERNEL;
}

guint
fb_replay_file_context (FbCapture *capture, guint row)
{
  const FbRowInfo *info = fb_capture_trace (capture) ? fb_capture_row_info (capture, FB_ROW_SCHEDULE, row) : NULL;
  return info ? (guint) info->rowid : 0;
}

/* Tells files apart without decoding them. */
static char *
digest_rows (FbCapture *capture)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GBytes) trace = fb_capture_trace_bytes (capture);

  if (trace)
    return g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, trace);
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
    for (guint row = 1; row <= fb_capture_n_rows (capture, kind); row++)
      {
        const FbRowInfo *info = fb_capture_row_info (capture, kind, row);
        g_autofree char *line = g_strdup_printf ("%d %" G_GSIZE_FORMAT " %s\n", kind, info->size, info->key);
        g_checksum_update (checksum, (const guchar *) line, -1);
      }
  return g_strdup (g_checksum_get_string (checksum));
}

void
fb_replay_report_add_file (FbReplayReport *report, const char *path, FbCapture *capture, const GError *error)
{
  FbReplayFile *file = g_new0 (FbReplayFile, 1);
  FbRowKind kind;

  file->path = g_strdup (path);
  if (capture)
    {
      kind = fb_replay_file_kind (capture);
      file->n_rows = kind == FB_ROW_KERNEL ? 0 : fb_capture_n_rows (capture, kind);
      file->n_kernel_rows = fb_capture_n_rows (capture, FB_ROW_KERNEL);
      file->trace = fb_capture_trace (capture) != NULL;
      if (file->trace)
        file->n_kernel_rows = fb_capture_n_rows (capture, FB_ROW_TRACE) - file->n_rows;
    }
  else
    file->error = g_strdup (error->message);
  file->digest = capture ? digest_rows (capture) : g_strdup ("");
  g_ptr_array_add (report->files, file);
}

const FbReplayRow *
fb_replay_report_add_row (FbReplayReport *report, FbReplayRow *row)
{
  FbReplayFile *file = g_ptr_array_index (report->files, row->file);

  file->n_replayed++;
  file->statuses[row->status]++;
  report->statuses[row->status]++;
  for (guint i = 0; i < FB_REPLAY_N_CLASSES; i++)
    report->counts[i] += row->counts[i];
  if (row->passes)
    {
      report->n_passes += row->passes->n_recorded;
      report->n_passes_alike += row->passes->n_alike;
      report->n_matches += row->passes->n_matches;
      report->n_matches_alike += row->passes->n_matches_alike;
    }
  if (row->status == FB_REPLAY_ROW_IDENTICAL || row->status == FB_REPLAY_ROW_CHANGED)
    {
      report->n_captured += row->n_captured;
      report->n_scheduled += row->n_scheduled;
    }
  if (row->status == FB_REPLAY_ROW_IDENTICAL)
    {
      fb_replay_row_free (row);
      return NULL;
    }
  g_ptr_array_add (report->rows, row);
  return row;
}

guint
fb_replay_report_n_replayed (const FbReplayReport *report)
{
  guint n = 0;

  for (guint i = 0; i < FB_REPLAY_N_ROW_STATUSES; i++)
    n += report->statuses[i];
  return n;
}

guint
fb_replay_report_n_rows (const FbReplayReport *report)
{
  guint64 n_rows = 0, n = 0;

  for (guint i = 0; i < report->files->len; i++)
    n_rows += ((const FbReplayFile *) g_ptr_array_index (report->files, i))->n_rows;
  for (guint i = 0; i < report->shards->len; i++)
    {
      guint shard = g_array_index (report->shards, guint, i);
      n += n_rows >= shard ? (n_rows - shard) / report->n_shards + 1 : 0;
    }
  return (guint) n;
}

static void
free_group (gpointer data)
{
  FbReplayGroup *group = data;

  g_ptr_array_unref (group->rows);
  g_free (group);
}

static gint
by_size (gconstpointer a, gconstpointer b)
{
  const FbReplayGroup *x = *(FbReplayGroup *const *) a, *y = *(FbReplayGroup *const *) b;
  const FbReplayRow *p = g_ptr_array_index (x->rows, 0), *q = g_ptr_array_index (y->rows, 0);

  if (x->rows->len != y->rows->len)
    return x->rows->len > y->rows->len ? -1 : 1;
  if (p->file != q->file)
    return p->file < q->file ? -1 : 1;
  return (p->row > q->row) - (p->row < q->row);
}

GPtrArray *
fb_replay_report_groups (const FbReplayReport *report)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (free_group);
  g_autoptr (GHashTable) by_signature = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < report->rows->len; i++)
    {
      FbReplayRow *row = g_ptr_array_index (report->rows, i);
      FbReplayGroup *group;
      /* where only passes differ there is no change of kernels to have in common */
      if (row->status != FB_REPLAY_ROW_CHANGED || !row->differences->len)
        continue;
      group = g_hash_table_lookup (by_signature, &row->signature);
      if (!group)
        {
          group = g_new (FbReplayGroup, 1);
          group->signature = row->signature;
          group->rows = g_ptr_array_new ();
          g_hash_table_insert (by_signature, &group->signature, group);
          g_ptr_array_add (groups, group);
        }
      g_ptr_array_add (group->rows, row);
    }
  g_ptr_array_sort (groups, by_size);
  return groups;
}

char *
fb_replay_report_summary (const FbReplayReport *report)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "replayed %u captures: %u identical, %u changed, %u failed",
                   fb_replay_report_n_replayed (report), report->statuses[FB_REPLAY_ROW_IDENTICAL],
                   report->statuses[FB_REPLAY_ROW_CHANGED], report->statuses[FB_REPLAY_ROW_FAILED]);
  if (report->statuses[FB_REPLAY_ROW_UNCOMPARED])
    g_string_append_printf (text, ", %u without captured kernels", report->statuses[FB_REPLAY_ROW_UNCOMPARED]);
  return g_string_free (text, FALSE);
}

char *
fb_replay_report_passes_summary (const FbReplayReport *report)
{
  if (!report->n_passes)
    return NULL;
  return g_strdup_printf ("passes of traces: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " alike, %" G_GUINT64_FORMAT
                          " of %" G_GUINT64_FORMAT " matches",
                          report->n_passes_alike, report->n_passes, report->n_matches_alike, report->n_matches);
}

/* "x.db: row 3", "rewrites.pkl: context 17" */
static char *
name_row (const FbReplayRow *row, const char *path)
{
  return g_strdup_printf (row->context ? "%s: context %u" : "%s: row %u", path, fb_replay_row_number (row));
}

static void
append_failure (GString *text, const FbReplayRow *row)
{
  g_string_append_printf (text, "failed: %s", row->error_kind);
  if (*row->error_pass)
    g_string_append_printf (text, ": pass %s", row->error_pass);
  g_string_append_printf (text, ": %s", row->error_message);
  if (*row->error_node)
    g_string_append_printf (text, ", node %s %s", row->error_op, row->error_node);
}

char *
fb_replay_row_to_text (const FbReplayRow *row, const char *path)
{
  g_autofree char *name = name_row (row, path), *counts = NULL, *passes = NULL;
  GString *text;

  /* the reader's errors name file and row themselves */
  if (row->status == FB_REPLAY_ROW_FAILED && g_str_has_prefix (row->error_message, path))
    return g_strdup (row->error_message);
  text = g_string_new (NULL);
  g_string_printf (text, "%s: ", name);
  if (row->status == FB_REPLAY_ROW_FAILED)
    append_failure (text, row);
  else if (row->status == FB_REPLAY_ROW_UNCOMPARED)
    g_string_append_printf (text, "no kernels captured, %u scheduled", row->n_scheduled);
  else
    {
      counts = fb_replay_counts_to_text (row->counts);
      g_string_append_printf (text, "%s: %u → %u kernels: %s", fb_replay_row_status_name (row->status), row->n_captured,
                              row->n_scheduled, counts);
      passes = row->passes ? fb_replay_passes_to_text (row->passes) : NULL;
      if (passes)
        g_string_append_printf (text, "; %s", passes);
    }
  return g_string_free (text, FALSE);
}

char *
fb_replay_group_to_text (const FbReplayGroup *group, const FbReplayReport *report)
{
  const FbReplayRow *row = g_ptr_array_index (group->rows, 0);
  const FbReplayFile *file = g_ptr_array_index (report->files, row->file);
  g_autofree char *name = NULL;
  GString *text = g_string_new (NULL);

  g_string_printf (text,
                   group->rows->len > 1 ? "same change in %u captures: " : "change in %u capture: ", group->rows->len);
  for (guint i = 0; i < row->differences->len && i < 3; i++)
    {
      const FbReplayDifference *difference = g_ptr_array_index (row->differences, i);
      g_string_append_printf (text, "%s%s%s%s", i ? "; " : "", fb_replay_class_name (difference->class),
                              *difference->detail ? " " : "", difference->detail);
    }
  if (row->differences->len > 3)
    g_string_append_printf (text, "; %u more differences", row->differences->len - 3);
  name = name_row (row, file->path);
  g_string_append_printf (text, " (first in %s)", name);
  return g_string_free (text, FALSE);
}
