/* Steps and nodes of the traces in a session, by their places and keys. */
#include <string.h>

#include "store-private.h"

void
fb_store_step_clear (FbStoreStep *step)
{
  g_clear_pointer (&step->rule, g_free);
}

static gboolean
not_there (FbStore *store, const char *what, GError **error)
{
  if (!error || !*error)
    g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_CAPTURE, "%s holds no such %s.", store->path, what);
  return FALSE;
}

gboolean
fb_store_get_step (FbStore *store, const FbStorePlace *place, FbStoreStep *step, GError **error)
{
  *step = (FbStoreStep){ NULL };
  g_return_val_if_fail (place->step >= 1, FALSE);
  sqlite3_stmt *stmt = fb_store_prepare (store,
                                         "SELECT rule.name, before, after FROM pass"
                                         " JOIN step ON step.id = first_step + ?4 - 1 JOIN rule ON rule.id = step.rule"
                                         " WHERE kind = ?1 AND row = ?2 AND number = ?3 AND n_steps >= ?4",
                                         error);
  if (!stmt)
    return FALSE;
  fb_store_bind_place (stmt, 1, place);
  if (!fb_store_row (store, stmt, "reading a step", error))
    return not_there (store, "step", error);
  step->rule = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
  step->before = (guint64) sqlite3_column_int64 (stmt, 1);
  step->after = (guint64) sqlite3_column_int64 (stmt, 2);
  sqlite3_reset (stmt);
  return TRUE;
}

void
fb_store_node_clear (FbStoreNode *node)
{
  g_clear_pointer (&node->op, g_free);
  g_clear_pointer (&node->dtype, g_free);
  g_clear_pointer (&node->arg, g_free);
  g_clear_pointer (&node->src, g_free);
}

gboolean
fb_store_get_node (FbStore *store, guint64 key, FbStoreNode *node, GError **error)
{
  *node = (FbStoreNode){ .key = key };
  sqlite3_stmt *stmt = fb_store_prepare (
      store, "SELECT op, dtype, text, src FROM node JOIN argument ON argument.id = argument WHERE node.id = ?", error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int64 (stmt, 1, (gint64) key);
  if (!fb_store_row (store, stmt, "reading a node", error))
    return not_there (store, "node", error);
  node->op = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
  node->dtype = g_strdup ((const char *) sqlite3_column_text (stmt, 1));
  node->arg = g_strdup ((const char *) sqlite3_column_text (stmt, 2));
  node->n_src = (guint) sqlite3_column_bytes (stmt, 3) / sizeof (guint64);
  node->src = g_new (guint64, node->n_src + 1);
  const guint64 *src = sqlite3_column_blob (stmt, 3);
  for (guint i = 0; i < node->n_src; i++)
    {
      guint64 word;
      memcpy (&word, src + i, sizeof word);
      node->src[i] = GUINT64_FROM_BE (word);
    }
  sqlite3_reset (stmt);
  return TRUE;
}
