/* The tables of a capture database and their rows. */
#include "database-private.h"

#include <gio/gio.h>
#include <string.h>

#include "release.h"

#define MAGIC "SQLite format 3"
#define BARE_ROW "pickled_row"
#define BARE_GRAPH "pickled_graph"
#define BARE_TRACE "viz_trace"

gboolean
fb_database_sniff (const guint8 *header, gsize len)
{
  return len >= sizeof MAGIC && memcmp (header, MAGIC, sizeof MAGIC) == 0;
}

/* The N of "<prefix>N", -1 when @name is something else. */
static int
parse_version (const char *name, const char *prefix)
{
  gsize len = strlen (prefix);
  guint64 n;

  if (strncmp (name, prefix, len) != 0 || !g_ascii_string_to_unsigned (name + len, 10, 0, 1000000, &n, NULL))
    return -1;
  return (int) n;
}

static gboolean
is_readable (int version)
{
  for (int r = 0; r < FB_N_RELEASES; r++)
    if (fb_release_cache_version (r) == version)
      return TRUE;
  return FALSE;
}

static gboolean
list_rows (FbDatabase *database, FbDatabaseTable *table, GError **error)
{
  char *query = sqlite3_mprintf (
      "SELECT rowid, substr(key, 1, 2048), length(val), typeof(val) FROM \"%w\" ORDER BY rowid", table->name);
  sqlite3_stmt *stmt = NULL;
  gint64 last = G_MININT64;
  int rc = sqlite3_prepare_v2 (database->db, query, -1, &stmt, NULL);

  sqlite3_free (query);
  if (rc == SQLITE_ERROR)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE,
                   "%s has a table %s, but not one of captures: %s.", database->path, table->name,
                   sqlite3_errmsg (database->db));
      return FALSE;
    }
  if (rc != SQLITE_OK)
    return fb_database_fail (database, "listing its captures", error);
  while ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
    {
      const char *key = (const char *) sqlite3_column_text (stmt, 1),
                 *type = (const char *) sqlite3_column_text (stmt, 3);
      g_autofree char *clean = g_utf8_make_valid (key ? key : "", -1);
      FbDatabaseRow row = { .info = { .kind = (FbRowKind) (table - database->tables),
                                      .key = g_string_chunk_insert (database->keys, clean),
                                      .size = (gsize) MAX (sqlite3_column_int64 (stmt, 2), 0),
                                      .rowid = sqlite3_column_int64 (stmt, 0) },
                            .is_blob = g_strcmp0 (type, "blob") == 0 };

      /* in a sound table they grow; in a forged one the walk could go round forever */
      if (table->rows->len && row.info.rowid <= last)
        {
          sqlite3_finalize (stmt);
          g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CORRUPT,
                       "%s is damaged: the rows of %s are not in order.", database->path, table->name);
          return FALSE;
        }
      last = row.info.rowid;
      g_array_append_val (table->rows, row);
    }
  sqlite3_finalize (stmt);
  return rc == SQLITE_DONE || fb_database_fail (database, "listing its captures", error);
}

static void
consider_table (FbDatabase *database, FbRowKind kind, const char *name, int version)
{
  FbDatabaseTable *table = &database->tables[kind];

  if (table->name && version <= table->version)
    return;
  g_free (table->name);
  table->name = g_strdup (name);
  table->version = version;
}

/* NULL: there is none. */
static const FbDatabaseTable *
first_table (FbDatabase *database, gboolean with_rows)
{
  for (int kind = 0; kind < FB_DATABASE_KINDS; kind++)
    {
      const FbDatabaseTable *table = &database->tables[kind];

      if (table->name && (!with_rows || table->rows->len))
        return table;
    }
  return NULL;
}

/* Finds the capture tables among whatever else is inside, and lists them. */
static gboolean
find_tables (FbDatabase *database, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (database->db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", -1,
                               &stmt, NULL);
  int other = -1;

  if (rc != SQLITE_OK)
    return fb_database_fail (database, "reading its schema", error);
  while ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
    {
      const char *name = (const char *) sqlite3_column_text (stmt, 0);
      int schedule = name ? parse_version (name, "schedule_process_replay_") : -1;
      int kernel = name ? parse_version (name, "kernel_process_replay_") : -1;
      int both = name ? parse_version (name, "process_replay_") : -1;

      if (schedule >= 0 && is_readable (schedule))
        consider_table (database, FB_ROW_SCHEDULE, name, schedule);
      else if (kernel >= 0 && is_readable (kernel))
        consider_table (database, FB_ROW_KERNEL, name, kernel);
      else if (database->session && g_strcmp0 (name, BARE_ROW) == 0)
        consider_table (database, FB_ROW_SCHEDULE, name, -1);
      else if (database->session && g_strcmp0 (name, BARE_GRAPH) == 0)
        consider_table (database, FB_ROW_GRAPH, name, -1);
      else if (database->session && g_strcmp0 (name, BARE_TRACE) == 0)
        consider_table (database, FB_ROW_TRACE, name, -1);
      else
        other = MAX (other, MAX (schedule, MAX (kernel, both)));
    }
  sqlite3_finalize (stmt);
  if (rc != SQLITE_DONE)
    return fb_database_fail (database, "reading its schema", error);
  if (!first_table (database, FALSE))
    {
      if (other >= 0)
        g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_VERSION,
                     "%s holds captures of cache version %d; this program reads 19 (tinygrad 0.10.1 to 0.10.3) and 16 "
                     "(0.10.0).",
                     database->path, other);
      else
        g_set_error (
            error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE,
            "%s is a database without captures; run the tinygrad program with CAPTURE_PROCESS_REPLAY=1 to make "
            "some.",
            database->path);
      return FALSE;
    }
  for (int kind = 0; kind < FB_DATABASE_KINDS; kind++)
    if (database->tables[kind].name && !list_rows (database, &database->tables[kind], error))
      return FALSE;
  if (!first_table (database, TRUE))
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_EMPTY, "%s holds no captures: its table %s has no rows.",
                   database->path, first_table (database, FALSE)->name);
      return FALSE;
    }
  return TRUE;
}

FbDatabase *
fb_database_open (const char *path, GError **error)
{
  g_autoptr (FbDatabase) database = g_new0 (FbDatabase, 1);

  database->path = g_strdup (path);
  database->keys = g_string_chunk_new (4096);
  for (int kind = 0; kind < FB_DATABASE_KINDS; kind++)
    {
      database->tables[kind].version = -1;
      database->tables[kind].rows = g_array_new (FALSE, FALSE, sizeof (FbDatabaseRow));
    }
  if (!fb_database_connect (database, error) || !find_tables (database, error))
    return NULL;
  return g_steal_pointer (&database);
}

void
fb_database_free (FbDatabase *database)
{
  if (!database)
    return;
  for (int kind = 0; kind < FB_DATABASE_KINDS; kind++)
    {
      FbDatabaseTable *table = &database->tables[kind];
      sqlite3_blob_close (table->blob);
      g_free (table->name);
      g_array_unref (table->rows);
    }
  sqlite3_close (database->db);
  fb_database_remove_copy (database);
  g_string_chunk_free (database->keys);
  g_free (database->copy_folder);
  g_free (database->path);
  g_free (database);
}

gboolean
fb_database_is_session (FbDatabase *database)
{
  return database->session;
}

const char *
fb_database_bare_table (FbRowKind kind)
{
  switch (kind)
    {
    case FB_ROW_SCHEDULE:
      return BARE_ROW;
    case FB_ROW_GRAPH:
      return BARE_GRAPH;
    case FB_ROW_TRACE:
      return BARE_TRACE;
    default:
      return NULL;
    }
}

const GArray *
fb_database_rows (FbDatabase *database, FbRowKind kind)
{
  return database->tables[kind].rows;
}

const char *
fb_database_table (FbDatabase *database, FbRowKind kind)
{
  return database->tables[kind].name;
}

int
fb_database_version (FbDatabase *database, FbRowKind kind)
{
  return database->tables[kind].version;
}

GBytes *
fb_database_read (FbDatabase *database, FbRowKind kind, guint row, GError **error)
{
  FbDatabaseTable *table = &database->tables[kind];
  const FbDatabaseRow *info = &g_array_index (table->rows, FbDatabaseRow, row - 1);
  g_autofree guint8 *bytes = NULL;
  int rc, size;

  if (!info->is_blob)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: row %u: its val is not a blob.",
                   database->path, row);
      return NULL;
    }
  rc = table->blob ? sqlite3_blob_reopen (table->blob, info->info.rowid) : SQLITE_ABORT;
  if (rc == SQLITE_ABORT)
    {
      sqlite3_blob_close (g_steal_pointer (&table->blob));
      rc = sqlite3_blob_open (database->db, "main", table->name, "val", info->info.rowid, 0, &table->blob);
    }
  if (rc == SQLITE_ERROR)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_ROW, "%s: row %u is no longer there: %s.", database->path,
                   row, sqlite3_errmsg (database->db));
      return NULL;
    }
  if (rc == SQLITE_OK)
    {
      size = sqlite3_blob_bytes (table->blob);
      bytes = g_try_malloc ((gsize) MAX (size, 1));
      if (!bytes)
        {
          g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s: row %u: no memory for its %d bytes.",
                       database->path, row, size);
          return NULL;
        }
      rc = sqlite3_blob_read (table->blob, bytes, size, 0);
      if (database->shared) /* an open blob is an open transaction: the writer's log could not be folded in */
        sqlite3_blob_close (g_steal_pointer (&table->blob));
      if (rc == SQLITE_OK)
        return g_bytes_new_take (g_steal_pointer (&bytes), (gsize) size);
    }
  {
    g_autofree char *doing = g_strdup_printf ("reading row %u", row);
    fb_database_fail (database, doing, error);
  }
  return NULL;
}
