/* Differences that were looked at: computed once, then read back. */
#include <string.h>

#include "store-private.h"

#define MOST_LINES 10000000

gboolean
fb_store_put_diff (FbStore *store, guint64 before, guint64 after, const FbStoreDiff *diff, GError **error)
{
  sqlite3_stmt *head
      = fb_store_prepare (store,
                          "INSERT OR IGNORE INTO diff (before, after, n_removed, n_added, n_same, exact, spans)"
                          " VALUES (?, ?, ?, ?, ?, ?, ?)",
                          error);
  sqlite3_stmt *line
      = head ? fb_store_prepare (store, "INSERT INTO diff_line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", error) : NULL;
  if (!line)
    return FALSE;
  sqlite3_bind_int64 (head, 1, (gint64) before);
  sqlite3_bind_int64 (head, 2, (gint64) after);
  sqlite3_bind_int64 (head, 3, diff->n_removed);
  sqlite3_bind_int64 (head, 4, diff->n_added);
  sqlite3_bind_int64 (head, 5, diff->n_same);
  sqlite3_bind_int (head, 6, diff->exact);
  sqlite3_bind_blob64 (head, 7, diff->n_spans ? (const void *) diff->spans : "", diff->n_spans * sizeof *diff->spans,
                       SQLITE_TRANSIENT);
  if (!fb_store_done (store, head, "storing a difference", error))
    return FALSE;
  if (!sqlite3_changes (store->db))
    return TRUE; /* it is there */
  sqlite3_bind_int64 (line, 1, sqlite3_last_insert_rowid (store->db));
  for (guint i = 0; i < diff->n_lines; i++)
    {
      const FbStoreDiffLine *row = &diff->lines[i];
      sqlite3_bind_int64 (line, 2, i);
      sqlite3_bind_int (line, 3, row->kind);
      sqlite3_bind_int64 (line, 4, row->old_line);
      sqlite3_bind_int64 (line, 5, row->new_line);
      sqlite3_bind_int64 (line, 6, row->pair);
      sqlite3_bind_int64 (line, 7, row->first_span);
      sqlite3_bind_int64 (line, 8, row->n_spans);
      if (row->text)
        sqlite3_bind_text64 (line, 9, row->text, row->len, SQLITE_STATIC, SQLITE_UTF8);
      else
        sqlite3_bind_int64 (line, 9, row->len);
      if (!fb_store_done (store, line, "storing a difference", error))
        return FALSE;
    }
  return TRUE;
}

/* The lines, with offsets into @texts in the place of texts until it no longer moves. */
static gboolean
read_lines (FbStore *store, gint64 id, GArray *lines, GArray *offsets, GByteArray *texts, GError **error)
{
  GError *local = NULL;
  sqlite3_stmt *stmt = fb_store_prepare (store,
                                         "SELECT mark, old_line, new_line, pair, first_span, n_spans, text"
                                         " FROM diff_line WHERE diff = ? ORDER BY number",
                                         error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int64 (stmt, 1, id);
  while (lines->len < MOST_LINES && fb_store_row (store, stmt, "reading a difference", &local))
    {
      gboolean text = sqlite3_column_type (stmt, 6) == SQLITE_TEXT;
      FbStoreDiffLine line = { .kind = (guint8) sqlite3_column_int (stmt, 0),
                               .old_line = (guint32) sqlite3_column_int64 (stmt, 1),
                               .new_line = (guint32) sqlite3_column_int64 (stmt, 2),
                               .pair = (guint32) sqlite3_column_int64 (stmt, 3),
                               .first_span = (guint32) sqlite3_column_int64 (stmt, 4),
                               .n_spans = (guint32) sqlite3_column_int64 (stmt, 5) };
      gssize at = text ? (gssize) texts->len : -1;
      if (text)
        {
          const guint8 *bytes = sqlite3_column_text (stmt, 6);
          line.len = (guint32) sqlite3_column_bytes (stmt, 6);
          g_byte_array_append (texts, bytes, line.len);
        }
      else
        line.len = (guint32) sqlite3_column_int64 (stmt, 6);
      g_array_append_val (lines, line);
      g_array_append_val (offsets, at);
    }
  sqlite3_reset (stmt);
  if (local)
    g_propagate_error (error, local);
  return !local;
}

/* What a stranger's file says may be anything: spans and pairs must be there. */
static gboolean
is_sound (const FbStoreDiff *diff)
{
  for (guint i = 0; i < diff->n_lines; i++)
    {
      const FbStoreDiffLine *line = &diff->lines[i];
      if ((line->pair != G_MAXUINT32 && line->pair >= diff->n_lines) || line->first_span > diff->n_spans
          || line->n_spans > diff->n_spans - line->first_span)
        return FALSE;
      for (guint s = 0; s < line->n_spans; s++)
        {
          const guint32 *span = diff->spans[line->first_span + s];
          if (!line->text || span[0] > line->len || span[1] > line->len - span[0])
            return FALSE;
        }
    }
  return TRUE;
}

FbStoreDiff *
fb_store_get_diff (FbStore *store, guint64 before, guint64 after, GError **error)
{
  sqlite3_stmt *stmt = fb_store_prepare (store,
                                         "SELECT id, n_removed, n_added, n_same, exact, spans FROM diff"
                                         " WHERE before = ? AND after = ?",
                                         error);
  if (!stmt)
    return NULL;
  sqlite3_bind_int64 (stmt, 1, (gint64) before);
  sqlite3_bind_int64 (stmt, 2, (gint64) after);
  if (!fb_store_row (store, stmt, "reading a difference", error))
    return NULL;
  FbStoreDiff *diff = g_new0 (FbStoreDiff, 1);
  gint64 id = sqlite3_column_int64 (stmt, 0);
  diff->n_removed = (guint32) sqlite3_column_int64 (stmt, 1);
  diff->n_added = (guint32) sqlite3_column_int64 (stmt, 2);
  diff->n_same = (guint32) sqlite3_column_int64 (stmt, 3);
  diff->exact = sqlite3_column_int (stmt, 4) != 0;
  gsize size = (gsize) sqlite3_column_bytes (stmt, 5);
  diff->n_spans = (guint) (size / sizeof *diff->spans);
  diff->spans = diff->n_spans ? g_memdup2 (sqlite3_column_blob (stmt, 5), size) : NULL;
  sqlite3_reset (stmt);

  GArray *lines = g_array_new (FALSE, FALSE, sizeof (FbStoreDiffLine));
  GArray *offsets = g_array_new (FALSE, FALSE, sizeof (gssize));
  GByteArray *texts = g_byte_array_new ();
  gboolean ok = read_lines (store, id, lines, offsets, texts, error);
  diff->n_lines = lines->len;
  diff->texts = g_byte_array_free_to_bytes (texts);
  const char *bytes = g_bytes_get_data (diff->texts, NULL);
  for (guint i = 0; i < lines->len; i++)
    {
      gssize at = g_array_index (offsets, gssize, i);
      if (at >= 0)
        g_array_index (lines, FbStoreDiffLine, i).text = bytes ? bytes + at : "";
    }
  diff->lines = (FbStoreDiffLine *) g_array_free (lines, FALSE);
  g_array_unref (offsets);
  if (ok && !is_sound (diff))
    {
      g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_CORRUPT, "%s: a stored difference makes no sense.",
                   store->path);
      ok = FALSE;
    }
  if (!ok)
    g_clear_pointer (&diff, fb_store_diff_free);
  return diff;
}

void
fb_store_diff_free (FbStoreDiff *diff)
{
  if (!diff)
    return;
  g_free (diff->lines);
  g_free (diff->spans);
  g_clear_pointer (&diff->texts, g_bytes_unref);
  g_free (diff);
}
