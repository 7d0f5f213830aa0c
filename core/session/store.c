#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store-private.h"

#define MAGIC "SQLite format 3"
#define HEADER_BYTES 100
#define APPLICATION_ID_AT 68
#define BUSY_MS 2000

GQuark
fb_session_error_quark (void)
{
  return g_quark_from_static_string ("fb-session-error-quark");
}

/* --- errors --- */

static FbSessionError
error_of (int code)
{
  switch (code & 0xff)
    {
    case SQLITE_FULL:
      return FB_SESSION_ERROR_FULL;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return FB_SESSION_ERROR_READ_ONLY;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return FB_SESSION_ERROR_LOCKED;
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
      return FB_SESSION_ERROR_CORRUPT;
    case SQLITE_NOTADB:
      return FB_SESSION_ERROR_NOT_SESSION;
    case SQLITE_CANTOPEN:
      return FB_SESSION_ERROR_OPEN;
    default:
      return FB_SESSION_ERROR_WRITE;
    }
}

gboolean
fb_store_fail (FbStore *store, const char *doing, GError **error)
{
  int code = store->db ? sqlite3_extended_errcode (store->db) : SQLITE_NOMEM;
  const char *says = store->db ? sqlite3_errmsg (store->db) : "out of memory";
  FbSessionError kind = error_of (code);
  switch (kind)
    {
    case FB_SESSION_ERROR_FULL:
      g_set_error (error, FB_SESSION_ERROR, kind, "%s: no room is left on its disk (%s).", store->path, doing);
      break;
    case FB_SESSION_ERROR_READ_ONLY:
      g_set_error (error, FB_SESSION_ERROR, kind, "%s cannot be written, only read (%s).", store->path, doing);
      break;
    case FB_SESSION_ERROR_LOCKED:
      g_set_error (error, FB_SESSION_ERROR, kind, "%s is being written by another program (%s).", store->path, doing);
      break;
    case FB_SESSION_ERROR_CORRUPT:
      g_set_error (error, FB_SESSION_ERROR, kind, "%s is damaged: SQLite says \"%s\" (%s).", store->path, says, doing);
      break;
    case FB_SESSION_ERROR_NOT_SESSION:
      g_set_error (error, FB_SESSION_ERROR, kind, "%s is no session.", store->path);
      break;
    default:
      g_set_error (error, FB_SESSION_ERROR, kind, "%s: SQLite says \"%s\" (%s).", store->path, says, doing);
    }
  return FALSE;
}

/* --- statements --- */

gboolean
fb_store_exec (FbStore *store, const char *sql, const char *doing, GError **error)
{
  return sqlite3_exec (store->db, sql, NULL, NULL, NULL) == SQLITE_OK || fb_store_fail (store, doing, error);
}

sqlite3_stmt *
fb_store_prepare (FbStore *store, const char *sql, GError **error)
{
  sqlite3_stmt *stmt = g_hash_table_lookup (store->statements, sql);
  if (stmt)
    return stmt;
  if (sqlite3_prepare_v3 (store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) != SQLITE_OK)
    {
      fb_store_fail (store, "preparing to read or write", error);
      return NULL;
    }
  g_hash_table_insert (store->statements, (gpointer) sql, stmt);
  return stmt;
}

gboolean
fb_store_done (FbStore *store, sqlite3_stmt *stmt, const char *doing, GError **error)
{
  int rc;
  while ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
    ;
  gboolean ok = rc == SQLITE_DONE || fb_store_fail (store, doing, error);
  sqlite3_reset (stmt);
  return ok;
}

gboolean
fb_store_row (FbStore *store, sqlite3_stmt *stmt, const char *doing, GError **error)
{
  int rc = sqlite3_step (stmt);
  if (rc == SQLITE_ROW)
    return TRUE;
  if (rc != SQLITE_DONE)
    fb_store_fail (store, doing, error);
  sqlite3_reset (stmt);
  return FALSE;
}

guint
fb_store_column_guint (sqlite3_stmt *stmt, int column)
{
  return (guint) CLAMP (sqlite3_column_int64 (stmt, column), 0, G_MAXUINT);
}

gboolean
fb_store_has_table (FbStore *store, const char *name)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", NULL);
  if (!stmt)
    return FALSE;
  sqlite3_bind_text (stmt, 1, name, -1, SQLITE_TRANSIENT);
  gboolean there = fb_store_row (store, stmt, "looking for a table", NULL);
  sqlite3_reset (stmt);
  return there;
}

void
fb_store_bind_place (sqlite3_stmt *stmt, int at, const FbStorePlace *place)
{
  sqlite3_bind_int (stmt, at, place->kind);
  sqlite3_bind_int64 (stmt, at + 1, place->row);
  sqlite3_bind_int64 (stmt, at + 2, place->pass);
  sqlite3_bind_int64 (stmt, at + 3, place->step);
}

/* --- transactions --- */

gboolean
fb_store_begin (FbStore *store, GError **error)
{
  return fb_store_exec (store, "BEGIN IMMEDIATE", "beginning to write", error);
}

gboolean
fb_store_commit (FbStore *store, GError **error)
{
  return fb_store_exec (store, "COMMIT", "finishing to write", error);
}

void
fb_store_rollback (FbStore *store)
{
  /* SQLite has rolled back by itself after some errors */
  if (!sqlite3_get_autocommit (store->db))
    sqlite3_exec (store->db, "ROLLBACK", NULL, NULL, NULL);
}

/* --- opening --- */

static void
finalize_statement (gpointer stmt)
{
  sqlite3_finalize (stmt);
}

gboolean
fb_store_sniff (const guint8 *head, gsize len)
{
  const guint8 *id = head + APPLICATION_ID_AT;
  return len >= HEADER_BYTES && !memcmp (head, MAGIC, sizeof MAGIC)
         && ((guint32) id[0] << 24 | id[1] << 16 | id[2] << 8 | id[3]) == FB_SESSION_APPLICATION_ID;
}

gboolean
fb_store_is_session (const char *path)
{
  guint8 head[HEADER_BYTES];
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  gssize got = fd < 0 ? -1 : read (fd, head, sizeof head);
  if (fd >= 0)
    close (fd);
  return got > 0 && fb_store_sniff (head, (gsize) got);
}

static gboolean
is_regular (FbStore *store, GError **error)
{
  GStatBuf info;
  if (g_stat (store->path, &info) < 0)
    g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_OPEN, "%s cannot be opened: %s.", store->path,
                 g_strerror (errno));
  else if (!S_ISREG (info.st_mode))
    g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_OPEN, "%s is not a regular file.", store->path);
  else
    return TRUE;
  return FALSE;
}

static gint64
read_pragma (FbStore *store, const char *sql)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, sql, NULL);
  gint64 value = stmt && fb_store_row (store, stmt, "reading its header", NULL) ? sqlite3_column_int64 (stmt, 0) : -1;
  if (stmt)
    sqlite3_reset (stmt);
  return value;
}

/* Is it a session, and of a version that is known? */
static gboolean
check_header (FbStore *store, GError **error)
{
  if (!fb_store_exec (store, "SELECT 1 FROM sqlite_master", "opening it", error))
    return FALSE;
  if (read_pragma (store, "PRAGMA application_id") != FB_SESSION_APPLICATION_ID)
    {
      g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_NOT_SESSION, "%s is a database, but no session.",
                   store->path);
      return FALSE;
    }
  gint64 version = read_pragma (store, "PRAGMA user_version");
  if (version < 1 || version > fb_store_current_version ())
    {
      g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_VERSION,
                   "%s is a session of version %" G_GINT64_FORMAT "; this program reads versions 1 to %u.", store->path,
                   version, fb_store_current_version ());
      return FALSE;
    }
  store->version = (guint) version;
  return TRUE;
}

static gboolean
set_up (FbStore *store, GError **error)
{
  sqlite3_extended_result_codes (store->db, 1);
  sqlite3_busy_timeout (store->db, BUSY_MS);
  /* the schema may be a stranger's: no function it names is called, no page is trusted */
  sqlite3_db_config (store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  if (!fb_store_exec (store, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=268435456", "opening it", error))
    return FALSE;
  if (store->mode != FB_STORE_CREATE && !check_header (store, error))
    return FALSE;
  if (store->mode == FB_STORE_READ || store->mode == FB_STORE_SHARE)
    return TRUE;
  /* The tables before the log, so that a file cut off in between still says what it is.
   * NORMAL: a crash of the program loses nothing; one of the machine at most the last changes, never the file. */
  return fb_store_migrate (store, error)
         && fb_store_exec (store, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL", "beginning to write it", error);
}

FbStore *
fb_store_open (const char *path, FbStoreMode mode, GError **error)
{
  g_autoptr (FbStore) store = g_new0 (FbStore, 1);
  store->path = g_strdup (path);
  store->mode = mode;
  store->statements = g_hash_table_new_full (NULL, NULL, NULL, finalize_statement);
  if (mode == FB_STORE_CREATE && g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_OPEN, "%s is there already.", path);
      return NULL;
    }
  if (mode != FB_STORE_CREATE && !is_regular (store, error))
    return NULL;
  g_autofree char *escaped = g_uri_escape_string (path, "/", FALSE);
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  /* a file that nobody writes needs no lock, and none can be had on read-only media */
  gboolean closed = !g_file_test (wal, G_FILE_TEST_EXISTS);
  g_autofree char *uri
      = g_strdup_printf ("file:%s%s", escaped, mode == FB_STORE_READ && closed ? "?mode=ro&immutable=1" : "");
  int flags = mode == FB_STORE_CREATE  ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
              : mode == FB_STORE_WRITE ? SQLITE_OPEN_READWRITE
                                       : SQLITE_OPEN_READONLY;
  if (sqlite3_open_v2 (uri, &store->db, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
    {
      fb_store_fail (store, "opening it", error);
      return NULL;
    }
  if (!set_up (store, error))
    return NULL;
  return g_steal_pointer (&store);
}

void
fb_store_free (FbStore *store)
{
  if (!store)
    return;
  g_hash_table_unref (store->statements);
  sqlite3_close (store->db);
  g_free (store->path);
  g_free (store);
}

void
fb_store_abandon (FbStore *store)
{
  sqlite3_db_config (store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

const char *
fb_store_path (const FbStore *store)
{
  return store->path;
}

guint
fb_store_version (const FbStore *store)
{
  return store->version;
}

gboolean
fb_store_check (FbStore *store, GError **error)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, "PRAGMA integrity_check(1)", error);
  if (!stmt || !fb_store_row (store, stmt, "checking it", error))
    return FALSE;
  const char *says = (const char *) sqlite3_column_text (stmt, 0);
  gboolean ok = !g_strcmp0 (says, "ok");
  if (!ok)
    g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_CORRUPT, "%s is damaged: SQLite says \"%s\".", store->path,
                 says ? says : "");
  sqlite3_reset (stmt);
  return ok;
}
