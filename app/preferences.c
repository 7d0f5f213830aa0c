#include "app/preferences.h"

#include <string.h>
/* GSettings keeps its backends behind this. */
#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>

#include "app/settings.h"

struct _FbPreferences
{
  GObject parent_instance;
  GSettings *settings; /* NULL: nothing is kept */
  char *color_scheme, *first_zoom, *dot_command;
  gboolean animate, hide_empty_passes;
  guint play_speed, code_size;
};

enum
{
  PROP_COLOR_SCHEME = 1,
  PROP_ANIMATE,
  PROP_PLAY_SPEED,
  PROP_HIDE_EMPTY_PASSES,
  PROP_CODE_SIZE,
  PROP_FIRST_ZOOM,
  PROP_DOT_COMMAND,
  N_PROPS,
};
static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (FbPreferences, fb_preferences, G_TYPE_OBJECT)

/* --- where they are kept --- */

/* With every key: one of an older version may lie in the system's folders. */
static GSettingsSchema *
find_schema (GSettingsSchemaSource *source)
{
  GSettingsSchema *schema = source ? g_settings_schema_source_lookup (source, FUSEBOX_APP_ID, TRUE) : NULL;
  for (guint i = 1; schema && i < N_PROPS; i++)
    if (!g_settings_schema_has_key (schema, g_param_spec_get_name (props[i])))
      g_clear_pointer (&schema, g_settings_schema_unref);
  if (schema && !fb_settings_fits (schema))
    g_clear_pointer (&schema, g_settings_schema_unref);
  return schema;
}

static GSettingsSchema *
find_schema_anywhere (void)
{
  GSettingsSchemaSource *usual = g_settings_schema_source_get_default ();
  GSettingsSchema *schema = find_schema (usual);
  /* Installed where nobody else looks, or run from where it was built. */
  static const char *const folders[] = { FUSEBOX_SCHEMADIR, FUSEBOX_BUILD_SCHEMADIR };
  for (guint i = 0; !schema && i < G_N_ELEMENTS (folders); i++)
    {
      GSettingsSchemaSource *source = g_settings_schema_source_new_from_directory (folders[i], usual, TRUE, NULL);
      schema = find_schema (source);
      g_clear_pointer (&source, g_settings_schema_source_unref);
    }
  return schema;
}

/* Dconf writes through the session bus; without one a file does. */
static gboolean
has_session_bus (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  g_autofree char *socket = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);
  return (address && *address) || g_file_test (socket, G_FILE_TEST_EXISTS);
}

static GSettings *
open_settings (void)
{
  GSettingsSchema *schema = find_schema_anywhere ();
  if (!schema)
    {
      g_debug ("no schema %s, preferences are not kept", FUSEBOX_APP_ID);
      return NULL;
    }
  GSettingsBackend *backend = NULL;
  if (!g_getenv ("GSETTINGS_BACKEND") && !has_session_bus ())
    {
      g_autofree char *path = g_build_filename (g_get_user_config_dir (), "fusebox", "settings.ini", NULL);
      backend = g_keyfile_settings_backend_new (path, g_settings_schema_get_path (schema), "fusebox");
    }
  GSettings *settings = g_settings_new_full (schema, backend, NULL);
  g_clear_object (&backend);
  g_settings_schema_unref (schema);
  return settings;
}

void
fb_preferences_load_default (void)
{
  FbPreferences *self = fb_preferences_get_default ();
  if (self->settings)
    return;
  self->settings = open_settings ();
  for (guint i = 1; self->settings && i < N_PROPS; i++)
    g_settings_bind (self->settings, g_param_spec_get_name (props[i]), self, g_param_spec_get_name (props[i]),
                     G_SETTINGS_BIND_DEFAULT);
}

FbPreferences *
fb_preferences_get_default (void)
{
  static FbPreferences *preferences;
  if (!preferences)
    preferences = g_object_new (FB_TYPE_PREFERENCES, NULL);
  return preferences;
}

GSettings *
fb_preferences_get_settings (FbPreferences *self)
{
  g_return_val_if_fail (FB_IS_PREFERENCES (self), NULL);
  return self->settings;
}

/* --- values --- */

const char *
fb_preferences_get_color_scheme (FbPreferences *self)
{
  g_return_val_if_fail (FB_IS_PREFERENCES (self), "system");
  return self->color_scheme;
}

gboolean
fb_preferences_get_animate (FbPreferences *self)
{
  g_return_val_if_fail (FB_IS_PREFERENCES (self), TRUE);
  return self->animate;
}

guint
fb_preferences_get_play_speed (FbPreferences *self)
{
  g_return_val_if_fail (FB_IS_PREFERENCES (self), 4);
  return self->play_speed;
}

gboolean
fb_preferences_get_hide_empty_passes (FbPreferences *self)
{
  g_return_val_if_fail (FB_IS_PREFERENCES (self), FALSE);
  return self->hide_empty_passes;
}

guint
fb_preferences_get_code_size (FbPreferences *self)
{
  g_return_val_if_fail (FB_IS_PREFERENCES (self), 100);
  return self->code_size;
}

const char *
fb_preferences_get_first_zoom (FbPreferences *self)
{
  g_return_val_if_fail (FB_IS_PREFERENCES (self), "readable");
  return self->first_zoom;
}

const char *
fb_preferences_get_dot_command (FbPreferences *self)
{
  g_return_val_if_fail (FB_IS_PREFERENCES (self), "dot");
  return *self->dot_command ? self->dot_command : "dot";
}

/* --- the object --- */

/* Where a value lives: of a string a char **, of a switch a gboolean *, else a guint *. */
static gpointer
field (FbPreferences *self, guint id)
{
  switch (id)
    {
    case PROP_COLOR_SCHEME:
      return &self->color_scheme;
    case PROP_ANIMATE:
      return &self->animate;
    case PROP_PLAY_SPEED:
      return &self->play_speed;
    case PROP_HIDE_EMPTY_PASSES:
      return &self->hide_empty_passes;
    case PROP_CODE_SIZE:
      return &self->code_size;
    case PROP_FIRST_ZOOM:
      return &self->first_zoom;
    default:
      return &self->dot_command;
    }
}

static void
fb_preferences_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FbPreferences *self = FB_PREFERENCES (object);
  if (id >= N_PROPS)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (G_VALUE_HOLDS_STRING (value))
    {
      char **text = field (self, id);
      const char *asked = g_value_get_string (value);
      if (!g_strcmp0 (*text, asked))
        return;
      g_free (*text);
      *text = g_strdup (asked ? asked : "");
      g_object_notify_by_pspec (object, pspec);
    }
  else
    {
      guint *number = field (self, id);
      guint asked = G_VALUE_HOLDS_BOOLEAN (value) ? (guint) g_value_get_boolean (value) : g_value_get_uint (value);
      if (*number == asked)
        return;
      *number = asked;
      g_object_notify_by_pspec (object, pspec);
    }
}

static void
fb_preferences_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FbPreferences *self = FB_PREFERENCES (object);
  if (id >= N_PROPS)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (G_VALUE_HOLDS_STRING (value))
    g_value_set_string (value, *(char **) field (self, id));
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    g_value_set_boolean (value, *(gboolean *) field (self, id));
  else
    g_value_set_uint (value, *(guint *) field (self, id));
}

static void
fb_preferences_finalize (GObject *object)
{
  FbPreferences *self = FB_PREFERENCES (object);
  g_clear_object (&self->settings);
  g_free (self->color_scheme);
  g_free (self->first_zoom);
  g_free (self->dot_command);
  G_OBJECT_CLASS (fb_preferences_parent_class)->finalize (object);
}

static void
fb_preferences_class_init (FbPreferencesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->set_property = fb_preferences_set_property;
  object_class->get_property = fb_preferences_get_property;
  object_class->finalize = fb_preferences_finalize;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  props[PROP_COLOR_SCHEME] = g_param_spec_string ("color-scheme", NULL, NULL, "system", flags);
  props[PROP_ANIMATE] = g_param_spec_boolean ("animate", NULL, NULL, TRUE, flags);
  props[PROP_PLAY_SPEED] = g_param_spec_uint ("play-speed", NULL, NULL, 1, 30, 4, flags);
  props[PROP_HIDE_EMPTY_PASSES] = g_param_spec_boolean ("hide-empty-passes", NULL, NULL, FALSE, flags);
  props[PROP_CODE_SIZE] = g_param_spec_uint ("code-size", NULL, NULL, 60, 300, 100, flags);
  props[PROP_FIRST_ZOOM] = g_param_spec_string ("first-zoom", NULL, NULL, "readable", flags);
  props[PROP_DOT_COMMAND] = g_param_spec_string ("dot-command", NULL, NULL, "dot", flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
fb_preferences_init (FbPreferences *self)
{
}
