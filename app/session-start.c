#include "app/session-start.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define SUFFIX ".fusebox"
/* A killed program's session without anything to save is of use for a while only. */
#define KEEP_US (7 * G_TIME_SPAN_DAY)

char *
fb_session_folder_default (void)
{
  return g_build_filename (g_get_user_state_dir (), "fusebox", "sessions", NULL);
}

char *
fb_session_stamp (const char *path)
{
  GStatBuf info;
  if (g_stat (path, &info) != 0)
    return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ".%09ld:%" G_GUINT64_FORMAT, (gint64) info.st_size,
                          (gint64) info.st_mtim.tv_sec, info.st_mtim.tv_nsec, (guint64) info.st_ino);
}

static gboolean
stat_capture (const char *path, FbStoreCapture *capture)
{
  GStatBuf info;
  *capture = (FbStoreCapture){ .path = g_strdup (path) };
  if (g_stat (path, &info) != 0)
    return FALSE;
  capture->size = info.st_size;
  capture->modified = (gint64) info.st_mtim.tv_sec * G_USEC_PER_SEC + info.st_mtim.tv_nsec / 1000;
  return TRUE;
}

/* --- files --- */

static char *
lock_path (const char *path)
{
  return g_strconcat (path, ".lock", NULL);
}

/* -1: another document has it. */
static int
lock (const char *path)
{
  g_autofree char *name = lock_path (path);
  int fd = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      close (fd);
      fd = -1;
    }
  return fd;
}

static void
unlock (const char *path, int fd)
{
  if (fd < 0)
    return;
  /* while it is held, so that nobody loses a lock they just got */
  g_autofree char *name = lock_path (path);
  g_unlink (name);
  close (fd);
}

static void
remove_files (const char *path)
{
  static const char *const suffixes[] = { "", "-wal", "-shm" };
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat (path, suffixes[i], NULL);
      g_unlink (name);
    }
}

void
fb_session_end (const char *path, int fd, gboolean keep, gboolean temporary)
{
  if (!keep)
    remove_files (path);
  unlock (path, fd);
  if (temporary)
    {
      g_autofree char *folder = g_path_get_dirname (path);
      g_rmdir (folder);
    }
}

static GPtrArray *
list_folder (const char *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  return paths;
}

static gboolean
make_folder (const char *folder, GError **error)
{
  if (g_mkdir_with_parents (folder, 0700) == 0)
    return TRUE;
  g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_OPEN, _ ("The folder %s cannot be made: %s"), folder,
               g_strerror (errno));
  return FALSE;
}

/* --- one session --- */

void
fb_session_start_free (FbSessionStart *start)
{
  if (!start)
    return;
  g_clear_pointer (&start->bookmarks, g_ptr_array_unref);
  g_clear_pointer (&start->notes, g_ptr_array_unref);
  g_clear_pointer (&start->scenarios, g_ptr_array_unref);
  g_clear_pointer (&start->layouts, g_ptr_array_unref);
  g_clear_pointer (&start->states, g_hash_table_unref);
  if (start->store)
    {
      g_autofree char *path = g_strdup (fb_store_path (start->store));
      fb_store_free (start->store);
      unlock (path, start->lock);
    }
  g_free (start->folder);
  g_free (start->source);
  g_free (start->release);
  g_free (start->name);
  g_free (start->saved);
  g_free (start->stamp);
  g_free (start);
}

void
fb_session_start_discard (FbSessionStart *start)
{
  if (!start)
    return;
  g_autofree char *path = g_strdup (fb_store_path (start->store));
  int fd = start->lock;
  gboolean keep = start->unsaved, temporary = start->temporary;
  fb_store_free (g_steal_pointer (&start->store));
  fb_session_start_free (start);
  fb_session_end (path, fd, keep, temporary);
}

/* Reads what is inside. */
static gboolean
read_start (FbSessionStart *start, GError **error)
{
  start->bookmarks = fb_store_get_marks (start->store, FB_STORE_BOOKMARK, error);
  start->notes = start->bookmarks ? fb_store_get_marks (start->store, FB_STORE_NOTE, error) : NULL;
  start->scenarios = start->notes ? fb_store_get_scenarios (start->store, error) : NULL;
  start->layouts = start->scenarios ? fb_store_get_layouts (start->store, error) : NULL;
  start->states = start->layouts ? fb_store_get_states (start->store, error) : NULL;
  if (!start->states)
    return FALSE;
  const char *saved = g_hash_table_lookup (start->states, "saved-as");
  start->saved = g_strdup (saved);
  start->stamp = g_strdup (g_hash_table_lookup (start->states, "saved-stamp"));
  start->unsaved = g_hash_table_contains (start->states, "unsaved");
  if (!start->release)
    start->release = g_strdup (g_hash_table_lookup (start->states, "release"));
  g_auto (FbStoreCapture) capture = { NULL };
  if (!fb_store_get_capture (start->store, &capture, error))
    return FALSE;
  const char *about = start->saved ? start->saved : capture.path && *capture.path ? capture.path : start->source;
  start->name = g_filename_display_basename (about);
  return TRUE;
}

/* Opens @path, whose lock is @fd, and takes it over. */
static FbSessionStart *
take_up (const char *folder, const char *path, int fd, const char *source, const char *release, GError **error)
{
  g_autoptr (FbSessionStart) start = g_new0 (FbSessionStart, 1);
  FbStore *store = fb_store_open (path, FB_STORE_WRITE, error);
  if (!store)
    {
      unlock (path, fd);
      return NULL;
    }
  start->folder = g_strdup (folder);
  start->store = store;
  start->lock = fd;
  start->source = g_strdup (source);
  start->release = g_strdup (release);
  if (!read_start (start, error))
    return NULL;
  return g_steal_pointer (&start);
}

/* A name that is not taken, locked. */
static char *
new_path (const char *folder, int *fd, GError **error)
{
  g_autofree char *name = g_uuid_string_random ();
  g_autofree char *path = g_strconcat (folder, "/", name, SUFFIX, NULL);
  *fd = lock (path);
  if (*fd >= 0)
    return g_steal_pointer (&path);
  g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_OPEN, _ ("Nothing can be written in %s: %s"), folder,
               g_strerror (errno));
  return NULL;
}

/* Of a capture. @from: an earlier session of it, when it has changed since; its bookmarks and notes are kept. */
static FbSessionStart *
make_new (const char *folder, const char *path, const char *release, FbSessionStart *from, GError **error)
{
  int fd;
  g_autofree char *made = new_path (folder, &fd, error);
  FbStore *store = made ? fb_store_open (made, FB_STORE_CREATE, error) : NULL;
  g_auto (FbStoreCapture) capture = { NULL };
  if (!store)
    {
      if (made)
        unlock (made, fd);
      return NULL;
    }
  stat_capture (path, &capture);
  gboolean ok = fb_store_begin (store, error) && fb_store_set_capture (store, &capture, error)
                && fb_store_set_state (store, "release", release, error);
  for (guint i = 0; ok && from && i < from->bookmarks->len; i++)
    ok = fb_store_put_mark (store, FB_STORE_BOOKMARK, g_ptr_array_index (from->bookmarks, i), error);
  for (guint i = 0; ok && from && i < from->notes->len; i++)
    ok = fb_store_put_mark (store, FB_STORE_NOTE, g_ptr_array_index (from->notes, i), error);
  for (guint i = 0; ok && from && i < from->scenarios->len; i++)
    ok = fb_store_put_scenario (store, g_ptr_array_index (from->scenarios, i), error);
  if (ok && from && from->unsaved)
    ok = fb_store_set_state (store, "unsaved", "1", error);
  ok = ok && fb_store_commit (store, error);
  fb_store_free (store);
  FbSessionStart *start = ok ? take_up (folder, made, fd, path, release, error) : NULL;
  if (!ok)
    {
      remove_files (made);
      unlock (made, fd);
    }
  return start;
}

/* Of a session file: a copy of it. */
static FbSessionStart *
copy_session (const char *folder, const char *path, const char *release, GError **error)
{
  int fd;
  g_autofree char *stamp = fb_session_stamp (path);
  g_autofree char *made = new_path (folder, &fd, error);
  g_autoptr (FbStore) from = made ? fb_store_open (path, FB_STORE_READ, error) : NULL;
  FbSessionStart *start = NULL;
  /* read page by page, and so found to be sound, or not */
  if (from && fb_store_save_as (from, made, error))
    start = take_up (folder, made, fd, path, release, error);
  else if (made)
    unlock (made, fd);
  if (!start)
    {
      if (made)
        remove_files (made);
      return NULL;
    }
  g_free (start->saved);
  start->saved = g_strdup (path);
  g_free (start->stamp);
  start->stamp = g_steal_pointer (&stamp);
  g_free (start->name);
  start->name = g_filename_display_basename (path);
  start->unsaved = FALSE;
  if (!fb_store_set_state (start->store, "unsaved", NULL, error)
      || !fb_store_set_state (start->store, "saved-as", path, error)
      || !fb_store_set_state (start->store, "saved-stamp", start->stamp, error))
    g_clear_pointer (&start, fb_session_start_free);
  return start;
}

/* --- sessions left behind --- */

typedef enum
{
  NOT_ABOUT, /* another file */
  ABOUT,
  ABOUT_EARLIER, /* that file as it was before */
} About;

/* @fd: the lock of @path, which is held. */
static About
look_into (const char *path, const char *source, gboolean *unsaved)
{
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_READ, NULL);
  g_auto (FbStoreCapture) capture = { NULL };
  *unsaved = TRUE;
  if (!store || !fb_store_get_capture (store, &capture, NULL))
    return NOT_ABOUT;
  g_autofree char *saved = fb_store_get_state (store, "saved-as", NULL);
  g_autofree char *mark = fb_store_get_state (store, "unsaved", NULL);
  *unsaved = mark != NULL;
  if (g_strcmp0 (saved ? saved : capture.path, source))
    return NOT_ABOUT;
  if (saved)
    {
      g_autofree char *then = fb_store_get_state (store, "saved-stamp", NULL), *now = fb_session_stamp (saved);
      return g_strcmp0 (then, now) ? NOT_ABOUT : ABOUT;
    }
  g_auto (FbStoreCapture) now = { NULL };
  stat_capture (source, &now);
  return now.size == capture.size && now.modified == capture.modified ? ABOUT : ABOUT_EARLIER;
}

static void
forget_if_old (const char *path)
{
  GStatBuf info;
  if (g_stat (path, &info) == 0 && g_get_real_time () - (gint64) info.st_mtime * G_USEC_PER_SEC > KEEP_US)
    remove_files (path);
}

/* The session of @source that was left in @folder; NULL: none. */
static FbSessionStart *
find_left (const char *folder, const char *source, const char *release)
{
  g_autoptr (GPtrArray) paths = list_folder (folder);
  FbSessionStart *found = NULL;
  for (guint i = 0; i < paths->len && !found; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      gboolean unsaved;
      int fd = lock (path);
      if (fd < 0)
        continue;
      About about = look_into (path, source, &unsaved);
      if (about == ABOUT)
        found = take_up (folder, path, fd, source, release, NULL);
      else if (about == ABOUT_EARLIER)
        {
          g_autoptr (FbSessionStart) earlier = take_up (folder, path, fd, source, release, NULL);
          found = earlier ? make_new (folder, source, release, earlier, NULL) : NULL;
          if (found)
            {
              found->outdated = TRUE;
              remove_files (path);
            }
        }
      else
        {
          if (!unsaved)
            forget_if_old (path);
          unlock (path, fd);
        }
    }
  if (found)
    found->resumed = TRUE;
  return found;
}

/* In a folder that nobody else looks into. */
static FbSessionStart *
start_alone (const char *source, const char *release, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("fusebox-session-XXXXXX", error);
  FbSessionStart *start = !folder                        ? NULL
                          : fb_store_is_session (source) ? copy_session (folder, source, release, error)
                                                         : make_new (folder, source, release, NULL, error);
  if (start)
    start->temporary = TRUE;
  else if (folder)
    g_rmdir (folder);
  return start;
}

FbSessionStart *
fb_session_start_new (const char *folder, const char *path, const char *release, GError **error)
{
  g_autofree char *source = g_canonicalize_filename (path, NULL);
  g_autofree char *parent = g_path_get_dirname (source);
  if (!folder)
    return start_alone (source, release, error);
  if (!make_folder (folder, error))
    return NULL;
  if (!strcmp (parent, folder))
    {
      int fd = lock (source);
      if (fd < 0)
        {
          g_set_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_LOCKED, _ ("%s is open in another window."), source);
          return NULL;
        }
      FbSessionStart *start = take_up (folder, source, fd, source, release, error);
      if (start)
        start->resumed = TRUE;
      return start;
    }
  FbSessionStart *left = find_left (folder, source, release);
  if (left)
    return left;
  if (fb_store_is_session (source))
    return copy_session (folder, source, release, error);
  return make_new (folder, source, release, NULL, error);
}

/* --- where one was --- */

static gboolean
get_number (GHashTable *states, const char *name, guint64 most, guint64 *number)
{
  const char *text = g_hash_table_lookup (states, name);
  return text && g_ascii_string_to_unsigned (text, 10, 0, most, number, NULL);
}

gboolean
fb_session_get_place (GHashTable *states, FbStorePlace *place)
{
  guint64 kind, row, pass, step;
  if (!get_number (states, "kind", FB_ROW_TRACE, &kind) || !get_number (states, "row", G_MAXUINT, &row)
      || !get_number (states, "pass", G_MAXUINT, &pass) || !get_number (states, "step", G_MAXUINT, &step) || !row)
    return FALSE;
  *place = (FbStorePlace){ (FbRowKind) kind, (guint) row, (guint) pass, (guint) step };
  return TRUE;
}

const FbScenario *
fb_session_get_scenario (GHashTable *states, const GPtrArray *scenarios, const FbStorePlace *place)
{
  const char *text = g_hash_table_lookup (states, "scenario");
  for (guint i = 0; text && i < scenarios->len; i++)
    {
      const FbStoreScenario *scenario = g_ptr_array_index (scenarios, i);
      if (scenario->kind == place->kind && scenario->row == place->row && !strcmp (scenario->text, text))
        return scenario->scenario;
    }
  return NULL;
}

/* --- what was not saved --- */

void
fb_unsaved_session_free (FbUnsavedSession *session)
{
  if (!session)
    return;
  g_free (session->path);
  g_free (session->name);
  g_free (session);
}

char *
fb_unsaved_session_about (const FbUnsavedSession *session)
{
  return g_strdup_printf (
      ngettext ("%d bookmark, note or scenario", "%d bookmarks, notes and scenarios", (gulong) session->marks),
      (int) session->marks);
}

static FbUnsavedSession *
describe_unsaved (const char *path)
{
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_READ, NULL);
  g_auto (FbStoreCapture) capture = { NULL };
  g_autofree char *unsaved = store ? fb_store_get_state (store, "unsaved", NULL) : NULL;
  FbStoreCounts counts;
  GStatBuf info;
  if (!unsaved || !fb_store_get_capture (store, &capture, NULL) || !fb_store_count (store, &counts, NULL)
      || g_stat (path, &info) != 0)
    return NULL;
  g_autofree char *saved = fb_store_get_state (store, "saved-as", NULL);
  FbUnsavedSession *session = g_new (FbUnsavedSession, 1);
  *session = (FbUnsavedSession){ g_strdup (path), g_filename_display_basename (saved ? saved : capture.path),
                                 counts.bookmarks + counts.notes + counts.scenarios,
                                 (gint64) info.st_mtime * G_USEC_PER_SEC };
  return session;
}

static int
latest_first (gconstpointer a, gconstpointer b)
{
  gint64 x = (*(const FbUnsavedSession *const *) a)->when, y = (*(const FbUnsavedSession *const *) b)->when;
  return x > y ? -1 : x < y;
}

GPtrArray *
fb_session_folder_unsaved (const char *folder)
{
  GPtrArray *sessions = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_unsaved_session_free);
  g_autoptr (GPtrArray) paths = list_folder (folder);
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      int fd = lock (path);
      FbUnsavedSession *session = fd < 0 ? NULL : describe_unsaved (path);
      if (session)
        g_ptr_array_add (sessions, session);
      if (fd >= 0)
        unlock (path, fd);
    }
  g_ptr_array_sort (sessions, latest_first);
  return sessions;
}
