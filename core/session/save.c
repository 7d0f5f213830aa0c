/* One closed file, put in place at once. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "store-private.h"

static gboolean
fail_system (const char *path, const char *doing, int number, GError **error)
{
  FbSessionError kind = number == ENOSPC || number == EDQUOT || number == EFBIG  ? FB_SESSION_ERROR_FULL
                        : number == EROFS || number == EACCES || number == EPERM ? FB_SESSION_ERROR_READ_ONLY
                                                                                 : FB_SESSION_ERROR_WRITE;
  g_set_error (error, FB_SESSION_ERROR, kind, "%s cannot be saved: %s (%s).", path, g_strerror (number), doing);
  return FALSE;
}

/* To the disk, so that a rename never puts half a file in place of a whole one. */
static gboolean
sync_path (const char *path, int flags)
{
  int fd = g_open (path, flags | O_CLOEXEC, 0);
  if (fd < 0)
    return FALSE;
  gboolean ok = fsync (fd) == 0;
  int number = errno;
  close (fd);
  errno = number;
  return ok;
}

static gboolean
copy_into (FbStore *store, const char *temporary, const char *path, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  gboolean ok = sqlite3_prepare_v2 (store->db, "VACUUM INTO ?", -1, &stmt, NULL) == SQLITE_OK
                && sqlite3_bind_text (stmt, 1, temporary, -1, SQLITE_STATIC) == SQLITE_OK
                && sqlite3_step (stmt) == SQLITE_DONE;
  if (!ok)
    {
      g_autoptr (GError) inner = NULL;
      fb_store_fail (store, "writing a copy of it", &inner);
      /* what failed is the new file, not the one that is copied */
      const char *text = inner->message;
      if (g_str_has_prefix (text, store->path))
        text += strlen (store->path);
      g_set_error (error, FB_SESSION_ERROR, inner->code, "%s cannot be saved%s", path,
                   inner->code == FB_SESSION_ERROR_READ_ONLY ? ": its folder cannot be written." : text);
    }
  sqlite3_finalize (stmt);
  return ok;
}

/* A new, empty file beside @path, with the permissions that new files get here. */
static char *
make_beside (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  for (;;)
    {
      g_autofree char *temporary = g_strdup_printf ("%s/.%s.%08x", folder, base, g_random_int ());
      int fd = g_open (temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd >= 0)
        {
          close (fd);
          return g_steal_pointer (&temporary);
        }
      if (errno != EEXIST)
        {
          fail_system (path, "making a file in its folder", errno, error);
          return NULL;
        }
    }
}

gboolean
fb_store_save_as (FbStore *store, const char *path, GError **error)
{
  GStatBuf old;
  gboolean replaces = g_stat (path, &old) == 0;
  if (replaces && g_access (path, W_OK) != 0)
    return fail_system (path, "it may not be replaced", errno, error);
  g_autofree char *temporary = make_beside (path, error);
  if (!temporary)
    return FALSE;
  gboolean ok = copy_into (store, temporary, path, error);
  if (ok)
    {
      gboolean in_place = (!replaces || g_chmod (temporary, old.st_mode & 0777) == 0) && sync_path (temporary, O_RDWR)
                          && g_rename (temporary, path) == 0;
      ok = in_place || fail_system (path, "putting it in place", errno, error);
    }
  if (ok)
    {
      g_autofree char *folder = g_path_get_dirname (path);
      sync_path (folder, O_RDONLY | O_DIRECTORY);
    }
  else
    g_unlink (temporary);
  return ok;
}
