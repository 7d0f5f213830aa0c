/* The tables, version by version. Scripts of versions that were released never change: a change is a new script. */
#include "store-private.h"

/* Rows of captures are in tables of their own, made when they are stored (store-capture.c). */
static const char version_1[] = "PRAGMA application_id = " G_STRINGIFY (
    FB_SESSION_APPLICATION_ID) ";"
                               "CREATE TABLE capture (id INTEGER PRIMARY KEY CHECK (id = 1), path TEXT NOT NULL, size "
                               "INTEGER NOT NULL,"
                               " modified INTEGER NOT NULL, stored INTEGER NOT NULL);"
                               "CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
                               "CREATE TABLE bookmark (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT "
                               "NULL, pass INTEGER NOT "
                               "NULL,"
                               " step INTEGER NOT NULL, node INTEGER, text TEXT NOT NULL, changed INTEGER NOT NULL);"
                               "CREATE TABLE note (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT "
                               "NULL, pass INTEGER NOT NULL,"
                               " step INTEGER NOT NULL, node INTEGER, text TEXT NOT NULL, changed INTEGER NOT NULL);";

/* Traces, and room for what comes of them. */
static const char version_2[]
    = "CREATE TABLE argument (id INTEGER PRIMARY KEY, text TEXT NOT NULL);"
      "CREATE TABLE node (id INTEGER PRIMARY KEY, op TEXT NOT NULL, dtype TEXT NOT NULL, argument INTEGER NOT NULL,"
      " src BLOB NOT NULL);"
      "CREATE TABLE rule (id INTEGER PRIMARY KEY, name TEXT NOT NULL, law TEXT NOT NULL, location TEXT NOT NULL);"
      "CREATE TABLE pass (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL, number INTEGER NOT NULL,"
      " title TEXT NOT NULL, location TEXT NOT NULL, kernel INTEGER, bottom_up INTEGER NOT NULL, sink INTEGER NOT NULL,"
      " result INTEGER, first_step INTEGER NOT NULL, n_steps INTEGER NOT NULL);"
      "CREATE UNIQUE INDEX pass_place ON pass (kind, row, number);"
      "CREATE TABLE step (id INTEGER PRIMARY KEY, rule INTEGER NOT NULL, before INTEGER NOT NULL, after INTEGER NOT "
      "NULL);"
      "CREATE TABLE lineage (step INTEGER NOT NULL, node INTEGER NOT NULL);"
      "CREATE INDEX lineage_node ON lineage (node);"
      "CREATE TABLE kernel (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL, number INTEGER NOT "
      "NULL,"
      " ast INTEGER, assign INTEGER, buffers TEXT NOT NULL);"
      "CREATE TABLE decision (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL, node INTEGER NOT "
      "NULL,"
      " verdict TEXT NOT NULL, reason TEXT NOT NULL, evidence TEXT NOT NULL);"
      "CREATE TABLE layout (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL, pass INTEGER NOT NULL,"
      " step INTEGER NOT NULL, name TEXT NOT NULL, node INTEGER NOT NULL, x REAL NOT NULL, y REAL NOT NULL);"
      "CREATE TABLE diff (id INTEGER PRIMARY KEY, before INTEGER NOT NULL, after INTEGER NOT NULL, n_removed INTEGER "
      "NOT"
      " NULL, n_added INTEGER NOT NULL, n_same INTEGER NOT NULL, exact INTEGER NOT NULL, spans BLOB NOT NULL);"
      "CREATE UNIQUE INDEX diff_nodes ON diff (before, after);"
      "CREATE TABLE diff_line (diff INTEGER NOT NULL, number INTEGER NOT NULL, mark INTEGER NOT NULL,"
      " old_line INTEGER NOT NULL, new_line INTEGER NOT NULL, pair INTEGER NOT NULL, first_span INTEGER NOT NULL,"
      " n_spans INTEGER NOT NULL, text, PRIMARY KEY (diff, number)) WITHOUT ROWID;"
      "CREATE TABLE run (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL, kernel INTEGER NOT NULL,"
      " backend TEXT NOT NULL, started INTEGER NOT NULL, duration INTEGER NOT NULL, outcome TEXT NOT NULL);"
      "CREATE TABLE buffer (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, number INTEGER NOT NULL, dtype TEXT NOT NULL,"
      " shape TEXT NOT NULL, data BLOB NOT NULL);";

/* Verdicts and figures of a trace, layouts that were asked for, scenarios. */
static const char version_3[]
    = "DROP TABLE decision;"
      "CREATE TABLE decision (kind INTEGER NOT NULL, row INTEGER NOT NULL, number INTEGER NOT NULL, node INTEGER NOT "
      "NULL,"
      " because INTEGER, other INTEGER, verdict TEXT NOT NULL, changed INTEGER NOT NULL, reason TEXT NOT NULL,"
      " location TEXT NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL, stop INTEGER NOT NULL,"
      " PRIMARY KEY (kind, row, number)) WITHOUT ROWID;"
      "CREATE INDEX decision_node ON decision (node);"
      "ALTER TABLE kernel ADD COLUMN bytes_read INTEGER;"
      "ALTER TABLE kernel ADD COLUMN bytes_written INTEGER;"
      "ALTER TABLE kernel ADD COLUMN flops INTEGER;"
      "ALTER TABLE kernel ADD COLUMN recompute REAL;"
      "DROP TABLE layout;"
      "CREATE TABLE layout (kind INTEGER NOT NULL, row INTEGER NOT NULL, pass INTEGER NOT NULL, node INTEGER NOT NULL,"
      " step INTEGER NOT NULL, side INTEGER NOT NULL, x REAL NOT NULL, y REAL NOT NULL, layer INTEGER NOT NULL,"
      " PRIMARY KEY (kind, row, pass, node)) WITHOUT ROWID;"
      "CREATE TABLE scenario (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL, text TEXT NOT NULL,"
      " options TEXT NOT NULL, realize TEXT NOT NULL, fuse TEXT NOT NULL, kernels INTEGER NOT NULL,"
      " bytes_read INTEGER NOT NULL, bytes_written INTEGER NOT NULL, flops INTEGER NOT NULL,"
      " peak_bytes INTEGER NOT NULL);"
      "CREATE UNIQUE INDEX scenario_text ON scenario (kind, row, text);";

/* What a person calls a scenario, and how long its kernels took where they were run last. */
static const char version_4[] = "ALTER TABLE scenario ADD COLUMN name TEXT;"
                                "ALTER TABLE scenario ADD COLUMN seconds REAL;"
                                "ALTER TABLE scenario ADD COLUMN backend TEXT;";

/* Where the cards of large passes stand, by a number for all that this follows from. */
static const char version_5[] = "CREATE TABLE places (digest INTEGER PRIMARY KEY, data BLOB NOT NULL);";

static const char *const scripts[] = { version_1, version_2, version_3, version_4, version_5 };

guint
fb_store_current_version (void)
{
  return G_N_ELEMENTS (scripts);
}

gboolean
fb_store_migrate (FbStore *store, GError **error)
{
  guint version = store->version;
  while (version < G_N_ELEMENTS (scripts))
    {
      g_autofree char *doing = g_strdup_printf ("bringing it to version %u", version + 1);
      g_autofree char *mark = g_strdup_printf ("PRAGMA user_version = %u", version + 1);
      if (!fb_store_begin (store, error))
        return FALSE;
      if (!fb_store_exec (store, scripts[version], doing, error) || !fb_store_exec (store, mark, doing, error)
          || !fb_store_commit (store, error))
        {
          fb_store_rollback (store);
          return FALSE;
        }
      version++;
    }
  store->version = version;
  return TRUE;
}
