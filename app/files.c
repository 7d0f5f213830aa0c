#include "app/files.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>
#include <string.h>

/* Characters of a name in a menu. */
#define LONGEST_NAME 60

static char *
samples_folder (void)
{
  const char *asked = g_getenv ("FUSEBOX_SAMPLES");
  if (asked && *asked)
    return g_strdup (asked);
  if (g_file_test (FUSEBOX_DATADIR "/samples", G_FILE_TEST_IS_DIR))
    return g_strdup (FUSEBOX_DATADIR "/samples");
  /* Run from where it was built. */
  return g_strdup (FUSEBOX_SOURCE_SAMPLES);
}

/* The one to start with first, the others by name. */
static int
compare_paths (gconstpointer a, gconstpointer b)
{
  const char *x = *(const char *const *) a, *y = *(const char *const *) b;
  gboolean first = g_str_has_suffix (x, "/lerp.db"), second = g_str_has_suffix (y, "/lerp.db");
  return first != second ? second - first : strcmp (x, y);
}

GPtrArray *
fb_files_samples (void)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = samples_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".db"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

static int
compare_visits (gconstpointer a, gconstpointer b)
{
  GDateTime *x = gtk_recent_info_get_visited ((GtkRecentInfo *) a),
            *y = gtk_recent_info_get_visited ((GtkRecentInfo *) b);
  return x && y ? g_date_time_compare (y, x) : 0;
}

GPtrArray *
fb_files_recent (guint most)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GList *items = g_list_sort (gtk_recent_manager_get_items (gtk_recent_manager_get_default ()), compare_visits);
  for (GList *l = items; l && paths->len < most; l = l->next)
    {
      GtkRecentInfo *info = l->data;
      if (!gtk_recent_info_has_application (info, "fusebox") || !gtk_recent_info_is_local (info)
          || !gtk_recent_info_exists (info))
        continue;
      char *path = g_filename_from_uri (gtk_recent_info_get_uri (info), NULL, NULL);
      if (path)
        g_ptr_array_add (paths, path);
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  return paths;
}

void
fb_files_note_opened (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *uri = g_file_get_uri (file);
  GtkRecentData data = { .mime_type = (char *) "application/octet-stream",
                         .app_name = (char *) "fusebox",
                         .app_exec = (char *) "fusebox %f" };
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

const char *
fb_files_sample_about (const char *path)
{
  static const struct
  {
    const char *name, *about;
  } samples[] = {
    { "attention.db", N_ ("layer norm, masked attention and a residual") },
    { "convnet_train.db", N_ ("a training step of a convolutional network") },
    { "embedding.db", N_ ("an embedding lookup") },
    { "in_place.db", N_ ("assigns into a buffer and into a part of one") },
    { "kv_cache.db", N_ ("a symbolic length in shapes and masks") },
    { "lerp.db", N_ ("a*(1-g) + b*g: why is it more than one kernel?") },
    { "mlp_train.db", N_ ("a training step of a two-layer network") },
    { "pad_unsafe.db", N_ ("padding over functions that keep no zeros") },
    { "two_devices.db", N_ ("a matrix product over two devices") },
    { "views.db", N_ ("views of views that do not merge") },
  };
  g_autofree char *name = g_path_get_basename (path);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    if (!strcmp (samples[i].name, name))
      return _ (samples[i].about);
  return NULL;
}

char *
fb_files_folder_name (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);
  if (length > 1 && g_str_has_prefix (folder, home) && (folder[length] == '\0' || folder[length] == '/'))
    {
      g_autofree char *short_folder = g_strconcat ("~", folder + length, NULL);
      return g_filename_display_name (short_folder);
    }
  return g_filename_display_name (folder);
}

/* The middle of what is too long for a menu is left out. */
static char *
shorten (const char *name)
{
  glong length = g_utf8_strlen (name, -1);
  if (length <= LONGEST_NAME)
    return g_strdup (name);
  g_autofree char *start = g_utf8_substring (name, 0, LONGEST_NAME / 2);
  g_autofree char *end = g_utf8_substring (name, length - LONGEST_NAME / 2, length);
  return g_strconcat (start, "…", end, NULL);
}

char *
fb_files_menu_name (const char *path, GPtrArray *paths)
{
  g_autofree char *name = g_path_get_basename (path);
  guint n_same = 0;
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *other = g_path_get_basename (g_ptr_array_index (paths, i));
      n_same += !strcmp (name, other);
    }
  g_autofree char *display = g_filename_display_name (name);
  g_autofree char *text = shorten (display);
  if (n_same > 1)
    {
      g_autofree char *folder = fb_files_folder_name (path);
      g_autofree char *short_folder = shorten (folder);
      char *both = g_strconcat (text, " — ", short_folder, NULL);
      g_free (text);
      text = both;
    }
  GString *escaped = g_string_new (text);
  g_string_replace (escaped, "_", "__", 0);
  return g_string_free (escaped, FALSE);
}

char *
fb_files_chosen (GtkNativeDialog *dialog, int response)
{
  g_autoptr (GFile) file
      = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;
  return file ? g_file_get_path (file) : NULL;
}
