#include "app/settings.h"

/* Of the canvas, at least, px. */
#define CANVAS_WIDTH 424

typedef struct
{
  const char *key;
  gsize offset;
  int least, most; /* both 0: a switch */
} Field;

#define FIELD(key, name, least, most)                    \
  {                                                      \
    key, G_STRUCT_OFFSET (FbSettings, name), least, most \
  }
static const Field fields[] = {
  FIELD ("window-width", width, 640, 32767),         FIELD ("window-height", height, 420, 32767),
  FIELD ("window-maximized", maximized, 0, 0),       FIELD ("passes-width", passes_width, 180, 4096),
  FIELD ("passes-height", passes_height, 96, 4096),  FIELD ("inspector-width", inspector_width, 264, 4096),
  FIELD ("drawer-height", drawer_height, 108, 4096), FIELD ("show-passes", show_passes, 0, 0),
  FIELD ("show-inspector", show_inspector, 0, 0),    FIELD ("show-drawer", show_drawer, 0, 0),
  FIELD ("side-by-side", side_by_side, 0, 0),        FIELD ("whole-graph", whole_graph, 0, 0),
};

gboolean
fb_settings_fits (GSettingsSchema *schema)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (!g_settings_schema_has_key (schema, fields[i].key))
      return FALSE;
  return TRUE;
}

void
fb_settings_init (FbSettings *settings, int width, double text_scale)
{
  gboolean narrow = width > 0 && width < 1200;
  int passes = narrow ? 188 : 212, inspector = narrow ? 264 : 308;
  /* Larger text needs wider panels, as long as the canvas keeps what it needs. */
  double room = (width > 0 ? width : 1440) - CANVAS_WIDTH;
  double scale = CLAMP (0.4 + 0.6 * text_scale, 1, MAX (1, room / (passes + inspector)));
  *settings = (FbSettings){ .passes_width = (int) (passes * scale),
                            .inspector_width = (int) (inspector * scale),
                            .drawer_height = (int) (180 * CLAMP (text_scale, 1, 1.5)),
                            .show_passes = TRUE,
                            .show_inspector = TRUE,
                            .show_drawer = TRUE };
}

void
fb_settings_load (FbSettings *settings, GSettings *store)
{
  for (guint i = 0; store && i < G_N_ELEMENTS (fields); i++)
    {
      int *value = &G_STRUCT_MEMBER (int, settings, fields[i].offset);
      if (!fields[i].most)
        *value = g_settings_get_boolean (store, fields[i].key);
      else
        {
          int stored = g_settings_get_int (store, fields[i].key);
          if (stored >= fields[i].least && stored <= fields[i].most)
            *value = stored;
        }
    }
}

void
fb_settings_save (const FbSettings *settings, GSettings *store)
{
  for (guint i = 0; store && i < G_N_ELEMENTS (fields); i++)
    {
      int value = G_STRUCT_MEMBER (int, settings, fields[i].offset);
      if (!fields[i].most)
        g_settings_set_boolean (store, fields[i].key, value);
      else
        g_settings_set_int (store, fields[i].key, value);
    }
}
