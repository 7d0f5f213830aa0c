/* Where the capture is from, and its rows: in tables named and formed as captures have them, so that a session is one. */
#include <string.h>

#include "store-private.h"

void
fb_store_capture_clear (FbStoreCapture *capture)
{
  g_clear_pointer (&capture->path, g_free);
}

gboolean
fb_store_set_capture (FbStore *store, const FbStoreCapture *capture, GError **error)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, "INSERT OR REPLACE INTO capture VALUES (1, ?, ?, ?, ?)", error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_text (stmt, 1, capture->path, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64 (stmt, 2, capture->size);
  sqlite3_bind_int64 (stmt, 3, capture->modified);
  sqlite3_bind_int (stmt, 4, capture->stored);
  return fb_store_done (store, stmt, "noting its capture", error);
}

gboolean
fb_store_get_capture (FbStore *store, FbStoreCapture *capture, GError **error)
{
  GError *local = NULL;
  *capture = (FbStoreCapture){ NULL };
  sqlite3_stmt *stmt = fb_store_prepare (store, "SELECT path, size, modified, stored FROM capture", error);
  if (!stmt)
    return FALSE;
  if (!fb_store_row (store, stmt, "reading of its capture", &local))
    {
      if (local)
        g_propagate_error (error, local);
      return !local;
    }
  const char *path = (const char *) sqlite3_column_text (stmt, 0);
  capture->path = g_strdup (path ? path : "");
  capture->size = sqlite3_column_int64 (stmt, 1);
  capture->modified = sqlite3_column_int64 (stmt, 2);
  capture->stored = sqlite3_column_int (stmt, 3);
  sqlite3_reset (stmt);
  return TRUE;
}

static gboolean
copy_rows (FbStore *store, FbCapture *capture, FbRowKind kind, sqlite3_stmt *stmt, GCancellable *cancellable,
           GError **error)
{
  guint n = fb_capture_n_rows (capture, kind);
  for (guint row = 1; row <= n; row++)
    {
      const FbRowInfo *info = fb_capture_row_info (capture, kind, row);
      g_autoptr (GError) local = NULL;
      g_autoptr (GBytes) bytes = NULL;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      bytes = fb_capture_read_blob (capture, kind, row, &local);
      /* what is no row stays none, and those after it keep their numbers */
      if (!bytes && !g_error_matches (local, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT))
        {
          g_set_error_literal (error, FB_SESSION_ERROR, FB_SESSION_ERROR_CAPTURE, local->message);
          return FALSE;
        }
      sqlite3_bind_int64 (stmt, 1, info->rowid);
      sqlite3_bind_text (stmt, 2, info->key, -1, SQLITE_STATIC);
      if (bytes)
        sqlite3_bind_blob64 (stmt, 3, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), SQLITE_STATIC);
      else
        sqlite3_bind_null (stmt, 3);
      gboolean ok = fb_store_done (store, stmt, "storing the capture", error);
      sqlite3_clear_bindings (stmt);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

/* A VIZ trace is one pickle, whatever contexts it has. */
static gboolean
copy_trace (FbStore *store, GBytes *bytes, sqlite3_stmt *stmt, GError **error)
{
  sqlite3_bind_int64 (stmt, 1, 1);
  sqlite3_bind_text (stmt, 2, "", -1, SQLITE_STATIC);
  sqlite3_bind_blob64 (stmt, 3, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), SQLITE_STATIC);
  return fb_store_done (store, stmt, "storing the trace", error);
}

gboolean
fb_store_put_rows (FbStore *store, FbCapture *capture, GCancellable *cancellable, GError **error)
{
  g_autoptr (GBytes) trace = fb_capture_trace_bytes (capture);
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_TRACE; kind++)
    {
      const char *table = fb_capture_table (capture, kind);
      if (!table || fb_store_has_table (store, table))
        continue;
      char *create = sqlite3_mprintf ("CREATE TABLE \"%w\" (key TEXT, val BLOB)", table);
      char *insert = sqlite3_mprintf ("INSERT INTO \"%w\" (rowid, key, val) VALUES (?, ?, ?)", table);
      sqlite3_stmt *stmt = NULL;
      gboolean ok = fb_store_exec (store, create, "storing the capture", error);
      if (ok && sqlite3_prepare_v2 (store->db, insert, -1, &stmt, NULL) != SQLITE_OK)
        ok = fb_store_fail (store, "storing the capture", error);
      if (ok)
        ok = trace ? copy_trace (store, trace, stmt, error)
                   : copy_rows (store, capture, kind, stmt, cancellable, error);
      sqlite3_finalize (stmt);
      sqlite3_free (create);
      sqlite3_free (insert);
      if (!ok)
        return FALSE;
    }
  return fb_store_exec (store, "UPDATE capture SET stored = 1", "storing the capture", error);
}
