/* Results of shards joined into one. */
#include "report.h"

#include <gio/gio.h>
#include <string.h>

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, message);
  return FALSE;
}

/* Are both of the same files under the same options? */
static gboolean
belongs (const FbReplayReport *a, const FbReplayReport *b, const char *a_name, const char *b_name, GError **error)
{
  if (strcmp (a->version, b->version) != 0)
    return refuse (error, "%s is of version %s, %s of version %s", a_name, a->version, b_name, b->version);
  if (!fb_replay_options_equal (a->options, b->options))
    return refuse (error, "%s and %s were replayed with different options", a_name, b_name);
  if (a->n_shards != b->n_shards)
    return refuse (error, "%s is one of %u shards, %s one of %u", a_name, a->n_shards, b_name, b->n_shards);
  if (a->files->len != b->files->len)
    return refuse (error, "%s is of %u files, %s of %u", a_name, a->files->len, b_name, b->files->len);
  for (guint i = 0; i < a->files->len; i++)
    {
      const FbReplayFile *x = g_ptr_array_index (a->files, i), *y = g_ptr_array_index (b->files, i);
      if (strcmp (x->digest, y->digest) != 0 || x->n_rows != y->n_rows)
        return refuse (error, "file %u of %s, %s, and of %s, %s, are not the same capture", i + 1, a_name, x->path,
                       b_name, y->path);
    }
  return TRUE;
}

static gboolean
add_shards (FbReplayReport *all, const FbReplayReport *report, const char **owners, const char *name, GError **error)
{
  for (guint i = 0; i < report->shards->len; i++)
    {
      guint shard = g_array_index (report->shards, guint, i), at = 0;
      while (at < all->shards->len && g_array_index (all->shards, guint, at) < shard)
        at++;
      if (at < all->shards->len && g_array_index (all->shards, guint, at) == shard)
        return refuse (error, "shard %u/%u is in both %s and %s", shard, all->n_shards, owners[at], name);
      g_array_insert_val (all->shards, at, shard);
      memmove (owners + at + 1, owners + at, (all->shards->len - 1 - at) * sizeof *owners);
      owners[at] = name;
    }
  return TRUE;
}

static void
add_counts (FbReplayReport *all, const FbReplayReport *report)
{
  for (guint i = 0; i < report->files->len; i++)
    {
      FbReplayFile *to = g_ptr_array_index (all->files, i);
      const FbReplayFile *from = g_ptr_array_index (report->files, i);
      to->n_replayed += from->n_replayed;
      for (guint s = 0; s < FB_REPLAY_N_ROW_STATUSES; s++)
        to->statuses[s] += from->statuses[s];
    }
  for (guint s = 0; s < FB_REPLAY_N_ROW_STATUSES; s++)
    all->statuses[s] += report->statuses[s];
  for (guint c = 0; c < FB_REPLAY_N_CLASSES; c++)
    all->counts[c] += report->counts[c];
  all->n_captured += report->n_captured;
  all->n_scheduled += report->n_scheduled;
  all->n_passes += report->n_passes;
  all->n_passes_alike += report->n_passes_alike;
  all->n_matches += report->n_matches;
  all->n_matches_alike += report->n_matches_alike;
}

static FbReplayFile *
copy_file (const FbReplayFile *file)
{
  FbReplayFile *copy = g_new0 (FbReplayFile, 1);

  copy->path = g_strdup (file->path);
  copy->digest = g_strdup (file->digest);
  copy->error = g_strdup (file->error);
  copy->n_rows = file->n_rows;
  copy->n_kernel_rows = file->n_kernel_rows;
  copy->trace = file->trace;
  return copy;
}

static gint
by_row (gconstpointer a, gconstpointer b)
{
  const FbReplayRow *x = *(FbReplayRow *const *) a, *y = *(FbReplayRow *const *) b;

  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

FbReplayReport *
fb_replay_report_merge (guint n, FbReplayReport *const *reports, const char *const *names, GError **error)
{
  g_autoptr (FbReplayReport) all = NULL;
  g_autofree const char **owners = NULL;
  gsize n_owners = 0;

  g_return_val_if_fail (n > 0, NULL);
  all = fb_replay_report_new (reports[0]->options, 1, reports[0]->n_shards);
  g_array_set_size (all->shards, 0);
  g_free (all->version);
  all->version = g_strdup (reports[0]->version);
  for (guint i = 0; i < n; i++)
    n_owners += reports[i]->shards->len;
  owners = g_new0 (const char *, n_owners + 1);
  for (guint i = 0; i < reports[0]->files->len; i++)
    g_ptr_array_add (all->files, copy_file (g_ptr_array_index (reports[0]->files, i)));
  for (guint i = 0; i < n; i++)
    if (!belongs (reports[0], reports[i], names[0], names[i], error)
        || !add_shards (all, reports[i], owners, names[i], error))
      return NULL;
  for (guint i = 0; i < n; i++)
    {
      add_counts (all, reports[i]);
      /* the rows move */
      for (guint k = 0; k < reports[i]->rows->len; k++)
        g_ptr_array_add (all->rows, g_ptr_array_index (reports[i]->rows, k));
      g_ptr_array_set_free_func (reports[i]->rows, NULL);
      g_ptr_array_set_size (reports[i]->rows, 0);
    }
  g_ptr_array_sort (all->rows, by_row);
  /* rows that none of them got to: partial results of parts that are now all there add up to a whole one */
  all->partial = all->shards->len < all->n_shards || fb_replay_report_n_replayed (all) < fb_replay_report_n_rows (all);
  if (all->shards->len == all->n_shards)
    {
      all->n_shards = 1;
      g_array_set_size (all->shards, 1);
    }
  return g_steal_pointer (&all);
}
