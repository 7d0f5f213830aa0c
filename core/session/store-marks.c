/* What the person adds: where they are, bookmarks, notes. */
#include "store-private.h"

/* --- states --- */

char *
fb_store_get_state (FbStore *store, const char *name, GError **error)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, "SELECT value FROM state WHERE name = ?", error);
  if (!stmt)
    return NULL;
  sqlite3_bind_text (stmt, 1, name, -1, SQLITE_TRANSIENT);
  if (!fb_store_row (store, stmt, "reading where one was", error))
    return NULL;
  char *value = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
  sqlite3_reset (stmt);
  return value;
}

gboolean
fb_store_set_state (FbStore *store, const char *name, const char *value, GError **error)
{
  sqlite3_stmt *stmt = value ? fb_store_prepare (store, "INSERT OR REPLACE INTO state VALUES (?, ?)", error)
                             : fb_store_prepare (store, "DELETE FROM state WHERE name = ?", error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_text (stmt, 1, name, -1, SQLITE_TRANSIENT);
  if (value)
    sqlite3_bind_text (stmt, 2, value, -1, SQLITE_TRANSIENT);
  return fb_store_done (store, stmt, "storing where one is", error);
}

GHashTable *
fb_store_get_states (FbStore *store, GError **error)
{
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GError *local = NULL;
  sqlite3_stmt *stmt = fb_store_prepare (store, "SELECT name, value FROM state", error);
  if (!stmt)
    return NULL;
  while (fb_store_row (store, stmt, "reading where one was", &local))
    {
      const char *name = (const char *) sqlite3_column_text (stmt, 0),
                 *value = (const char *) sqlite3_column_text (stmt, 1);
      if (name && value)
        g_hash_table_insert (states, g_strdup (name), g_strdup (value));
    }
  if (local)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  return g_steal_pointer (&states);
}

/* --- marks --- */

FbStoreMark *
fb_store_mark_copy (const FbStoreMark *mark)
{
  FbStoreMark *copy = g_memdup2 (mark, sizeof *mark);
  copy->text = g_strdup (mark->text);
  return copy;
}

void
fb_store_mark_free (FbStoreMark *mark)
{
  if (!mark)
    return;
  g_free (mark->text);
  g_free (mark);
}

GPtrArray *
fb_store_get_marks (FbStore *store, FbStoreMarkKind kind, GError **error)
{
  g_autoptr (GPtrArray) marks = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_store_mark_free);
  GError *local = NULL;
  sqlite3_stmt *stmt = fb_store_prepare (
      store,
      kind == FB_STORE_BOOKMARK ? "SELECT id, kind, row, pass, step, node, text, changed FROM bookmark ORDER BY id"
                                : "SELECT id, kind, row, pass, step, node, text, changed FROM note ORDER BY id",
      error);
  if (!stmt)
    return NULL;
  while (fb_store_row (store, stmt, "reading its bookmarks and notes", &local))
    {
      const char *text = (const char *) sqlite3_column_text (stmt, 6);
      FbStoreMark *mark = g_new (FbStoreMark, 1);
      *mark = (FbStoreMark){ .id = sqlite3_column_int64 (stmt, 0),
                             .place = { .kind = (FbRowKind) CLAMP (sqlite3_column_int (stmt, 1), 0, FB_ROW_TRACE),
                                        .row = fb_store_column_guint (stmt, 2),
                                        .pass = fb_store_column_guint (stmt, 3),
                                        .step = fb_store_column_guint (stmt, 4) },
                             .node = (guint64) sqlite3_column_int64 (stmt, 5),
                             .text = g_utf8_make_valid (text ? text : "", -1),
                             .changed = sqlite3_column_int64 (stmt, 7) };
      g_ptr_array_add (marks, mark);
    }
  if (local)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  return g_steal_pointer (&marks);
}

gboolean
fb_store_put_mark (FbStore *store, FbStoreMarkKind kind, const FbStoreMark *mark, GError **error)
{
  sqlite3_stmt *stmt
      = fb_store_prepare (store,
                          kind == FB_STORE_BOOKMARK ? "INSERT OR REPLACE INTO bookmark VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                                                    : "INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                          error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int64 (stmt, 1, mark->id);
  fb_store_bind_place (stmt, 2, &mark->place);
  if (mark->node)
    sqlite3_bind_int64 (stmt, 6, (gint64) mark->node);
  else
    sqlite3_bind_null (stmt, 6);
  sqlite3_bind_text (stmt, 7, mark->text, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64 (stmt, 8, mark->changed);
  return fb_store_done (store, stmt, "storing a bookmark or a note", error);
}

gboolean
fb_store_remove_mark (FbStore *store, FbStoreMarkKind kind, gint64 id, GError **error)
{
  sqlite3_stmt *stmt = fb_store_prepare (
      store, kind == FB_STORE_BOOKMARK ? "DELETE FROM bookmark WHERE id = ?" : "DELETE FROM note WHERE id = ?", error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int64 (stmt, 1, id);
  return fb_store_done (store, stmt, "removing a bookmark or a note", error);
}

/* --- counting --- */

gboolean
fb_store_count (FbStore *store, FbStoreCounts *counts, GError **error)
{
  static const struct
  {
    gsize offset;
    const char *table, *sql;
  } queries[] = {
#define COUNT(field, table, what) { G_STRUCT_OFFSET (FbStoreCounts, field), table, "SELECT " what " FROM " table }
    COUNT (bookmarks, "bookmark", "count (*)"),
    COUNT (notes, "note", "count (*)"),
    COUNT (traces, "pass", "count (DISTINCT row * 4 + kind)"),
    COUNT (passes, "pass", "count (*)"),
    COUNT (steps, "step", "count (*)"),
    COUNT (nodes, "node", "count (*)"),
    COUNT (kernels, "kernel", "count (*)"),
    COUNT (decisions, "decision", "count (*)"),
    COUNT (diffs, "diff", "count (*)"),
    COUNT (layouts, "layout", "count (DISTINCT (row * 4 + kind) * 65536 + pass)"),
    /* but for those of rows as they were captured */
    COUNT (scenarios, "scenario", "count (nullif (text, ''))"),
#undef COUNT
  };
  *counts = (FbStoreCounts){ .version = store->version };
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      /* files of earlier versions, opened for reading, have fewer tables */
      if (!fb_store_has_table (store, queries[i].table))
        continue;
      sqlite3_stmt *stmt = fb_store_prepare (store, queries[i].sql, error);
      if (!stmt || !fb_store_row (store, stmt, "counting what is inside", error))
        return FALSE;
      G_STRUCT_MEMBER (gint64, counts, queries[i].offset) = sqlite3_column_int64 (stmt, 0);
      sqlite3_reset (stmt);
    }
  return TRUE;
}
