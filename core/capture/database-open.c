/* Getting at a database that may be in use, left behind by a crash, on read-only media or cut short. */
#include "database-private.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define HEADER_BYTES 100
#define APPLICATION_ID_AT 68
#define SESSION_ID "Fuse"
#define MAX_VALUE ((gint64) 1024 * 1024 * 1024)

gboolean
fb_database_fail (FbDatabase *database, const char *doing, GError **error)
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
    return fb_database_fail (database, "recovering a copy of it", error);
  return TRUE;
}

static gboolean
open_ladder (FbDatabase *database, GError **error)
{
  int rc;

  if (size_beside (database->path, "-wal") <= 0 && size_beside (database->path, "-journal") <= 0)
    {
      if (open_sqlite (database, database->path, SQLITE_OPEN_READONLY, "?mode=ro&immutable=1") != SQLITE_OK)
        return fb_database_fail (database, "opening it", error);
      return TRUE;
    }
  rc = open_sqlite (database, database->path, SQLITE_OPEN_READONLY, "?mode=ro&readonly_shm=1");
  database->shared = TRUE;
  if (rc == SQLITE_OK)
    return TRUE;
  if ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY)
    return open_copy (database, error);
  return fb_database_fail (database, "opening it", error);
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

void
fb_database_remove_copy (FbDatabase *database)
{
  static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };

  if (!database->copy_folder)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *file = g_strconcat (database->copy_folder, "/capture.db", suffixes[i], NULL);
      g_unlink (file);
    }
  g_rmdir (database->copy_folder);
}

gboolean
fb_database_connect (FbDatabase *database, GError **error)
{
  return check_length (database, error) && open_ladder (database, error);
}
