/* Layouts that a person asked for: where the cards of a pass stand. */
#include <math.h>

#include "store-private.h"

/* A stranger's file may place no more cards than that, and none further out. */
#define MOST_CARDS 1000000
#define FURTHEST 1e8

static void
bind_pass (sqlite3_stmt *stmt, const FbStorePlace *place)
{
  sqlite3_bind_int (stmt, 1, place->kind);
  sqlite3_bind_int64 (stmt, 2, place->row);
  sqlite3_bind_int64 (stmt, 3, place->pass);
}

gboolean
fb_store_put_layout (FbStore *store, const FbStorePlace *place, const FbStorePlaced *placed, guint n, GError **error)
{
  sqlite3_stmt *old = fb_store_prepare (store, "DELETE FROM layout WHERE kind = ? AND row = ? AND pass = ?", error);
  sqlite3_stmt *stmt
      = old ? fb_store_prepare (store, "INSERT OR REPLACE INTO layout VALUES (?, ?, ?, ?, ?, ?, ?)", error) : NULL;
  if (!stmt)
    return FALSE;
  bind_pass (old, place);
  if (!fb_store_done (store, old, "storing a layout", error))
    return FALSE;
  bind_pass (stmt, place);
  for (guint i = 0; i < n; i++)
    {
      sqlite3_bind_int64 (stmt, 4, (gint64) placed[i].node);
      sqlite3_bind_double (stmt, 5, placed[i].x);
      sqlite3_bind_double (stmt, 6, placed[i].y);
      sqlite3_bind_int64 (stmt, 7, placed[i].layer);
      if (!fb_store_done (store, stmt, "storing a layout", error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_sound (const FbStorePlaced *placed, gint64 layer)
{
  return isfinite (placed->x) && isfinite (placed->y) && fabsf (placed->x) < FURTHEST && fabsf (placed->y) < FURTHEST
         && layer >= 0 && layer < MOST_CARDS;
}

GArray *
fb_store_get_layout (FbStore *store, const FbStorePlace *place, GError **error)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (FbStorePlaced));
  GError *local = NULL;
  sqlite3_stmt *stmt = fb_store_prepare (
      store, "SELECT node, x, y, layer FROM layout WHERE kind = ? AND row = ? AND pass = ? ORDER BY node", error);
  if (!stmt)
    return NULL;
  bind_pass (stmt, place);
  while (all->len < MOST_CARDS && fb_store_row (store, stmt, "reading a layout", &local))
    {
      gint64 layer = sqlite3_column_int64 (stmt, 3);
      FbStorePlaced placed = { .node = (guint64) sqlite3_column_int64 (stmt, 0),
                               .x = (float) sqlite3_column_double (stmt, 1),
                               .y = (float) sqlite3_column_double (stmt, 2),
                               .layer = (guint32) layer };
      if (is_sound (&placed, layer))
        g_array_append_val (all, placed);
    }
  sqlite3_reset (stmt);
  if (local)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  return g_steal_pointer (&all);
}

GArray *
fb_store_get_layouts (FbStore *store, GError **error)
{
  g_autoptr (GArray) all = g_array_new (FALSE, TRUE, sizeof (FbStorePlace));
  GError *local = NULL;
  sqlite3_stmt *stmt = fb_store_prepare (store, "SELECT DISTINCT kind, row, pass FROM layout", error);
  if (!stmt)
    return NULL;
  while (fb_store_row (store, stmt, "reading its layouts", &local))
    {
      FbStorePlace place = { .kind = (FbRowKind) CLAMP (sqlite3_column_int (stmt, 0), 0, FB_ROW_TRACE),
                             .row = fb_store_column_guint (stmt, 1),
                             .pass = fb_store_column_guint (stmt, 2) };
      g_array_append_val (all, place);
    }
  if (local)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  return g_steal_pointer (&all);
}
