#include "database.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "release.h"

#define MAGIC "SQLite format 3"
#define HEADER_BYTES 100
#define APPLICATION_ID_AT 68
#define SESSION_ID "Fuse"
#define BARE_ROW "pickled_row"
#define BARE_GRAPH "pickled_graph"
#define N_KINDS 3
#define MAX_VALUE ((gint64) 1024 * 1024 * 1024)

typedef struct
{
  char *name; /* NULL when the file has none */
  int version;
  GArray *rows;
  sqlite3_blob *blob; /* of the last read */
} Table;

struct _FbDatabase
{
  char *path;
  char *copy_folder; /* of the private copy, NULL when the file itself is open */
  gboolean shared;   /* another program may be writing */
  gboolean session;
  sqlite3 *db;
  GStringChunk *keys;
  Table tables[N_KINDS];
};

gboolean
fb_database_sniff (const guint8 *header, gsize len)
{
  return len >= sizeof MAGIC && memcmp (header, MAGIC, sizeof MAGIC) == 0;
}

static gboolean
fail_sqlite (FbDatabase *database, const char *doing, GError **error)
{
  int code = sqlite3_errcode (database->db) & 0xff;
  FbCaptureError kind = code == SQLITE_CORRUPT || code == SQLITE_FORMAT ? FB_CAPTURE_ERROR_CORRUPT
                        : code == SQLITE_NOTADB                         ? FB_CAPTURE_ERROR_NOT_CAPTURE
                                                                        : FB_CAPTURE_ERROR_OPEN;

  if (kind == FB_CAPTURE_ERROR_CORRUPT)
    g_set_error (error, FB_CAPTURE_ERROR, kind, "%s is damaged: SQLite says \"%s\" while %s.", database->path,
                 sqlite3_errmsg (database->db), doing);
  else if (kind == FB_CAPTURE_ERROR_NOT_CAPTURE)
    g_set_error (error, FB_CAPTURE_ERROR, kind, "%s begins like a SQLite database but is none.", database->path);
  else
    g_set_error (error, FB_CAPTURE_ERROR, kind, "%s cannot be read: SQLite says \"%s\" while %s.", database->path,
                 sqlite3_errmsg (database->db), doing);
  return FALSE;
}

static gint64
size_beside (const char *path, const char *suffix)
{
  g_autofree char *name = g_strconcat (path, suffix, NULL);
  GStatBuf info;

  return g_stat (name, &info) == 0 ? (gint64) info.st_size : -1;
}

/* Opens @path and looks at the schema: a log that cannot be used shows only then. */
static int
open_sqlite (FbDatabase *database, const char *path, int flags, const char *parameters)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/", FALSE);
  g_autofree char *uri = g_strdup_printf ("file:%s%s", escaped, parameters);
  int rc;

  g_clear_pointer (&database->db, sqlite3_close);
  rc = sqlite3_open_v2 (uri, &database->db, flags | SQLITE_OPEN_URI, NULL);
  if (rc != SQLITE_OK)
    return rc;
  sqlite3_extended_result_codes (database->db, 1);
  sqlite3_busy_timeout (database->db, 2000);
  /* the schema is a stranger's: no function it names is called, no page is trusted */
  sqlite3_db_config (database->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (database->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_limit (database->db, SQLITE_LIMIT_LENGTH, (int) MAX_VALUE);
  return sqlite3_exec (database->db, "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON; SELECT 1 FROM sqlite_master", NULL,
                       NULL, NULL);
}

static gboolean
copy_file (const char *from, const char *to, GError **error)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  return g_file_copy (source, target, G_FILE_COPY_TARGET_DEFAULT_PERMS, NULL, NULL, NULL, error);
}

/* A log without its index, or a journal left by a crash: recovering needs to write, so that happens in a copy. */
static gboolean
open_copy (FbDatabase *database, GError **error)
{
  static const char *const suffixes[] = { "", "-wal", "-journal" };
  g_autoptr (GError) local = NULL;
  g_autofree char *copy = NULL;

  database->copy_folder = g_dir_make_tmp ("fusebox-XXXXXX", &local);
  if (!database->copy_folder)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN,
                   "%s was left by a program that did not finish, and there is no room for a copy to recover: %s",
                   database->path, local->message);
      return FALSE;
    }
  copy = g_build_filename (database->copy_folder, "capture.db", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *from = g_strconcat (database->path, suffixes[i], NULL);
      g_autofree char *to = g_strconcat (copy, suffixes[i], NULL);

      if (i && size_beside (from, "") < 0)
        continue;
      if (!copy_file (from, to, &local))
        {
          g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s cannot be copied to be recovered: %s", from,
                       local->message);
          return FALSE;
        }
    }
  if (open_sqlite (database, copy, SQLITE_OPEN_READWRITE, "") != SQLITE_OK)
    return fail_sqlite (database, "recovering a copy of it", error);
  return TRUE;
}

static gboolean
open_ladder (FbDatabase *database, GError **error)
{
  int rc;

  if (size_beside (database->path, "-wal") <= 0 && size_beside (database->path, "-journal") <= 0)
    {
      if (open_sqlite (database, database->path, SQLITE_OPEN_READONLY, "?mode=ro&immutable=1") != SQLITE_OK)
        return fail_sqlite (database, "opening it", error);
      return TRUE;
    }
  rc = open_sqlite (database, database->path, SQLITE_OPEN_READONLY, "?mode=ro&readonly_shm=1");
  database->shared = TRUE;
  if (rc == SQLITE_OK)
    return TRUE;
  if ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY)
    return open_copy (database, error);
  return fail_sqlite (database, "opening it", error);
}

/* A file cut short says so better than SQLite does. */
static gboolean
check_length (FbDatabase *database, GError **error)
{
  guint8 h[HEADER_BYTES];
  FILE *file = g_fopen (database->path, "rb");
  gsize got = file ? fread (h, 1, sizeof h, file) : 0;
  guint64 pages, page_size;
  gint64 size;

  if (file)
    fclose (file);
  size = size_beside (database->path, "");
  if (got == sizeof h)
    {
      database->session = memcmp (h + APPLICATION_ID_AT, SESSION_ID, 4) == 0;
      page_size = (guint64) h[16] << 8 | h[17];
      page_size = page_size == 1 ? 65536 : page_size;
      pages = (guint64) h[28] << 24 | (guint64) h[29] << 16 | (guint64) h[30] << 8 | h[31];
      /* the count is right only if the last writer knew of it (offsets 24 and 92) */
      if (memcmp (h + 24, h + 92, 4) != 0 || pages == 0 || size < 0 || (guint64) size >= pages * page_size
          || size_beside (database->path, "-wal") > 0)
        return TRUE;
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CORRUPT,
                   "%s is cut short: it has %" G_GINT64_FORMAT " of %" G_GUINT64_FORMAT " bytes.", database->path, size,
                   pages * page_size);
      return FALSE;
    }
  g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CORRUPT,
               "%s is cut short: it ends within the header of a database.", database->path);
  return FALSE;
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
list_rows (FbDatabase *database, Table *table, GError **error)
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
    return fail_sqlite (database, "listing its captures", error);
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
  return rc == SQLITE_DONE || fail_sqlite (database, "listing its captures", error);
}

static void
consider_table (FbDatabase *database, FbRowKind kind, const char *name, int version)
{
  Table *table = &database->tables[kind];

  if (table->name && version <= table->version)
    return;
  g_free (table->name);
  table->name = g_strdup (name);
  table->version = version;
}

/* NULL: there is none. */
static const Table *
first_table (FbDatabase *database, gboolean with_rows)
{
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      const Table *table = &database->tables[kind];

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
    return fail_sqlite (database, "reading its schema", error);
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
      else
        other = MAX (other, MAX (schedule, MAX (kernel, both)));
    }
  sqlite3_finalize (stmt);
  if (rc != SQLITE_DONE)
    return fail_sqlite (database, "reading its schema", error);
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
  for (int kind = 0; kind < N_KINDS; kind++)
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
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      database->tables[kind].version = -1;
      database->tables[kind].rows = g_array_new (FALSE, FALSE, sizeof (FbDatabaseRow));
    }
  if (!check_length (database, error) || !open_ladder (database, error) || !find_tables (database, error))
    return NULL;
  return g_steal_pointer (&database);
}

void
fb_database_free (FbDatabase *database)
{
  if (!database)
    return;
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      Table *table = &database->tables[kind];
      sqlite3_blob_close (table->blob);
      g_free (table->name);
      g_array_unref (table->rows);
    }
  sqlite3_close (database->db);
  if (database->copy_folder)
    {
      static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };

      for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
        {
          g_autofree char *file = g_strconcat (database->copy_folder, "/capture.db", suffixes[i], NULL);
          g_unlink (file);
        }
      g_rmdir (database->copy_folder);
    }
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
  return kind == FB_ROW_SCHEDULE ? BARE_ROW : kind == FB_ROW_GRAPH ? BARE_GRAPH : NULL;
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
  Table *table = &database->tables[kind];
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
    fail_sqlite (database, doing, error);
  }
  return NULL;
}
