/* Traces as they are written. */
#include "watch.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* The trace and the profile of a run are written one after the other; this long nothing more came. */
#define QUIET_MS 250

static const char trace_name[] = "rewrites.pkl", profile_name[] = "profile.pkl";

struct _FbVizWatch
{
  char *folder;
  GFileMonitor *monitor;
  FbVizWatchFunc func;
  gpointer data;
  GHashTable *touched; /* names of traces that changed, or whose profile did, since the last time */
  GSource *later;
  GMainContext *context;
};

/* "rewrites.pkl.me" of itself and of "profile.pkl.me"; NULL: neither. Free with g_free. */
static char *
trace_of (const char *name)
{
  if (g_str_has_prefix (name, trace_name))
    return g_strdup (name);
  if (g_str_has_prefix (name, profile_name))
    return g_strconcat (trace_name, name + strlen (profile_name), NULL);
  return NULL;
}

/* A pickle ends with a stop; one that is still being written does not yet. */
static gboolean
is_complete (const char *path)
{
  FILE *file = g_fopen (path, "rb");
  int last = EOF;

  if (!file)
    return FALSE;
  if (fseek (file, -1, SEEK_END) == 0)
    last = fgetc (file);
  fclose (file);
  return last == '.';
}

static gboolean
tell (gpointer data)
{
  FbVizWatch *watch = data;
  g_autoptr (GHashTable) touched = watch->touched;
  GHashTableIter iter;
  gpointer name;

  watch->touched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_clear_pointer (&watch->later, g_source_unref);
  g_hash_table_iter_init (&iter, touched);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      g_autofree char *path = g_build_filename (watch->folder, name, NULL);

      /* one that goes on will change again */
      if (is_complete (path))
        {
          watch->func (path, watch->data);
          /* the function may have ended the watch; one file a run is all there is */
          break;
        }
    }
  return G_SOURCE_REMOVE;
}

static void
changed (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, FbVizWatch *watch)
{
  GFile *subject = event == G_FILE_MONITOR_EVENT_RENAMED && other ? other : file;
  g_autofree char *name = g_file_get_basename (subject), *trace = trace_of (name);

  if (!trace || event == G_FILE_MONITOR_EVENT_DELETED || event == G_FILE_MONITOR_EVENT_MOVED_OUT
      || event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    return;
  g_hash_table_add (watch->touched, g_steal_pointer (&trace));
  if (watch->later)
    {
      g_source_destroy (watch->later);
      g_source_unref (watch->later);
    }
  watch->later = g_timeout_source_new (QUIET_MS);
  g_source_set_callback (watch->later, tell, watch, NULL);
  g_source_attach (watch->later, watch->context);
}

FbVizWatch *
fb_viz_watch_new (const char *folder, FbVizWatchFunc func, gpointer data, GError **error)
{
  const char *path = folder ? folder : g_get_tmp_dir ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileMonitor) monitor = NULL;
  FbVizWatch *watch;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY, "%s is no folder.", path);
      return NULL;
    }
  if (!(monitor = g_file_monitor_directory (file, G_FILE_MONITOR_WATCH_MOVES, NULL, error)))
    return NULL;
  watch = g_new0 (FbVizWatch, 1);
  watch->folder = g_strdup (path);
  watch->func = func;
  watch->data = data;
  watch->touched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  watch->context = g_main_context_ref_thread_default ();
  watch->monitor = g_steal_pointer (&monitor);
  /* events of many writes become few */
  g_file_monitor_set_rate_limit (watch->monitor, QUIET_MS / 2);
  g_signal_connect (watch->monitor, "changed", G_CALLBACK (changed), watch);
  return watch;
}

void
fb_viz_watch_free (FbVizWatch *watch)
{
  if (!watch)
    return;
  if (watch->later)
    g_source_destroy (watch->later);
  g_clear_pointer (&watch->later, g_source_unref);
  g_signal_handlers_disconnect_by_data (watch->monitor, watch);
  g_file_monitor_cancel (watch->monitor);
  g_object_unref (watch->monitor);
  g_hash_table_unref (watch->touched);
  g_main_context_unref (watch->context);
  g_free (watch->folder);
  g_free (watch);
}

const char *
fb_viz_watch_folder (const FbVizWatch *watch)
{
  return watch->folder;
}

char *
fb_viz_newest_trace (const char *folder)
{
  const char *path = folder ? folder : g_get_tmp_dir ();
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  char *newest = NULL;
  gint64 newest_time = 0;
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *file = NULL;
      GStatBuf info;
      gint64 time;

      if (!g_str_has_prefix (name, trace_name))
        continue;
      file = g_build_filename (path, name, NULL);
      if (g_stat (file, &info) != 0 || !S_ISREG (info.st_mode) || !is_complete (file))
        continue;
      time = (gint64) info.st_mtim.tv_sec * G_USEC_PER_SEC + info.st_mtim.tv_nsec / 1000;
      if (!newest || time > newest_time || (time == newest_time && strcmp (file, newest) > 0))
        {
          g_free (newest);
          newest = g_steal_pointer (&file);
          newest_time = time;
        }
    }
  return newest;
}
