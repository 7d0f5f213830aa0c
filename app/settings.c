#include "app/settings.h"

#define GROUP "window"

typedef struct
{
  const char *key;
  gsize offset;
  int least, most;
} IntField;

#define FIELD(name, least, most)                          \
  {                                                       \
#name, G_STRUCT_OFFSET(FbSettings, name), least, most \
  }
static const IntField int_fields[] = {
  FIELD (width, 640, 32767),          FIELD (height, 420, 32767),        FIELD (passes_width, 180, 4096),
  FIELD (inspector_width, 264, 4096), FIELD (drawer_height, 108, 4096),  FIELD (passes_height, 96, 4096),
  FIELD (maximized, FALSE, TRUE),     FIELD (show_passes, FALSE, TRUE),  FIELD (show_inspector, FALSE, TRUE),
  FIELD (show_drawer, FALSE, TRUE),   FIELD (side_by_side, FALSE, TRUE), FIELD (whole_graph, FALSE, TRUE),
};

static char *
settings_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "fusebox", "window.ini", NULL);
}

void
fb_settings_init (FbSettings *settings, int width)
{
  gboolean narrow = width > 0 && width < 1200;
  *settings = (FbSettings){ .passes_width = narrow ? 188 : 212,
                            .inspector_width = narrow ? 264 : 308,
                            .drawer_height = 180,
                            .show_passes = TRUE,
                            .show_inspector = TRUE,
                            .show_drawer = TRUE,
                            .style = g_strdup ("system") };
}

void
fb_settings_load (FbSettings *settings)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = settings_path ();
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (int_fields); i++)
    {
      g_autoptr (GError) error = NULL;
      int value = g_key_file_get_integer (file, GROUP, int_fields[i].key, &error);
      if (!error && value >= int_fields[i].least && value <= int_fields[i].most)
        G_STRUCT_MEMBER (int, settings, int_fields[i].offset) = value;
    }
  char *style = g_key_file_get_string (file, GROUP, "style", NULL);
  if (style)
    {
      g_free (settings->style);
      settings->style = style;
    }
}

void
fb_settings_save (const FbSettings *settings)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  for (guint i = 0; i < G_N_ELEMENTS (int_fields); i++)
    g_key_file_set_integer (file, GROUP, int_fields[i].key, G_STRUCT_MEMBER (int, settings, int_fields[i].offset));
  g_key_file_set_string (file, GROUP, "style", settings->style);
  g_autofree char *path = settings_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, 0700);
  g_key_file_save_to_file (file, path, NULL);
}

void
fb_settings_clear (FbSettings *settings)
{
  g_clear_pointer (&settings->style, g_free);
}
