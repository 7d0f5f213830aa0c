/* Where the cards of a pass stand: layouts that a person asked for, and places that took a while to find. */
#include <math.h>

#include "store-private.h"

/* A stranger's file may place no more cards than that, and none further out. */
#define MOST_CARDS 1000000
#define FURTHEST 1e8f

void
fb_store_layout_free (FbStoreLayout *layout)
{
  if (!layout)
    return;
  g_array_unref (layout->placed);
  g_free (layout);
}

static void
bind_pass (sqlite3_stmt *stmt, const FbStorePlace *place)
{
  sqlite3_bind_int (stmt, 1, place->kind);
  sqlite3_bind_int64 (stmt, 2, place->row);
  sqlite3_bind_int64 (stmt, 3, place->pass);
}

gboolean
fb_store_put_layout (FbStore *store, const FbStoreLayout *layout, GError **error)
{
  sqlite3_stmt *old = fb_store_prepare (store, "DELETE FROM layout WHERE kind = ? AND row = ? AND pass = ?", error);
  sqlite3_stmt *stmt
      = old ? fb_store_prepare (store,
                                "INSERT OR REPLACE INTO layout (kind, row, pass, step, side, node, x, y, layer)"
                                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                error)
            : NULL;
  if (!stmt)
    return FALSE;
  bind_pass (old, &layout->place);
  if (!fb_store_done (store, old, "storing a layout", error))
    return FALSE;
  bind_pass (stmt, &layout->place);
  sqlite3_bind_int64 (stmt, 4, layout->place.step);
  sqlite3_bind_int64 (stmt, 5, layout->side);
  for (guint i = 0; i < layout->placed->len; i++)
    {
      const FbStorePlaced *placed = &g_array_index (layout->placed, FbStorePlaced, i);
      sqlite3_bind_int64 (stmt, 6, (gint64) placed->node);
      sqlite3_bind_double (stmt, 7, placed->x);
      sqlite3_bind_double (stmt, 8, placed->y);
      sqlite3_bind_int64 (stmt, 9, placed->layer);
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

static gboolean
is_of (const FbStoreLayout *layout, const FbStoreLayout *other)
{
  return layout->place.kind == other->place.kind && layout->place.row == other->place.row
         && layout->place.pass == other->place.pass && layout->place.step == other->place.step
         && layout->side == other->side;
}

GPtrArray *
fb_store_get_layouts (FbStore *store, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_store_layout_free);
  FbStoreLayout *last = NULL;
  GError *local = NULL;
  guint n = 0;
  sqlite3_stmt *stmt = fb_store_prepare (
      store, "SELECT kind, row, pass, step, side, node, x, y, layer FROM layout ORDER BY kind, row, pass, node", error);
  if (!stmt)
    return NULL;
  while (n++ < MOST_CARDS && fb_store_row (store, stmt, "reading its layouts", &local))
    {
      gint64 layer = sqlite3_column_int64 (stmt, 8);
      FbStoreLayout here = { .place = { .kind = (FbRowKind) CLAMP (sqlite3_column_int (stmt, 0), 0, FB_ROW_TRACE),
                                        .row = fb_store_column_guint (stmt, 1),
                                        .pass = fb_store_column_guint (stmt, 2),
                                        .step = fb_store_column_guint (stmt, 3) },
                             .side = fb_store_column_guint (stmt, 4) };
      FbStorePlaced placed = { .node = (guint64) sqlite3_column_int64 (stmt, 5),
                               .x = (float) sqlite3_column_double (stmt, 6),
                               .y = (float) sqlite3_column_double (stmt, 7),
                               .layer = (guint32) layer };
      if (!is_sound (&placed, layer))
        continue;
      if (!last || !is_of (last, &here))
        {
          here.placed = g_array_new (FALSE, FALSE, sizeof (FbStorePlaced));
          last = g_memdup2 (&here, sizeof here);
          g_ptr_array_add (all, last);
        }
      g_array_append_val (last->placed, placed);
    }
  sqlite3_reset (stmt);
  if (local)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  return g_steal_pointer (&all);
}

gboolean
fb_store_put_places (FbStore *store, guint64 digest, GBytes *data, GError **error)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, "INSERT OR IGNORE INTO places (digest, data) VALUES (?, ?)", error);
  gsize size;
  const void *bytes = g_bytes_get_data (data, &size);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int64 (stmt, 1, (gint64) digest);
  sqlite3_bind_blob64 (stmt, 2, bytes ? bytes : "", size, SQLITE_TRANSIENT);
  return fb_store_done (store, stmt, "storing places", error);
}

GBytes *
fb_store_get_places (FbStore *store, guint64 digest, GError **error)
{
  GBytes *data = NULL;
  if (!fb_store_has_table (store, "places"))
    return NULL;
  sqlite3_stmt *stmt = fb_store_prepare (store, "SELECT data FROM places WHERE digest = ?", error);
  if (!stmt)
    return NULL;
  sqlite3_bind_int64 (stmt, 1, (gint64) digest);
  if (fb_store_row (store, stmt, "reading places", error))
    data = g_bytes_new (sqlite3_column_blob (stmt, 0), (gsize) sqlite3_column_bytes (stmt, 0));
  sqlite3_reset (stmt);
  return data;
}
