#include "app/preferences-window.h"

#include "app/preferences.h"

struct _FbPreferencesWindow
{
  AdwPreferencesWindow parent_instance;
  AdwComboRow *color_scheme, *first_zoom;
  GtkSwitch *animate, *hide_empty_passes;
  GtkSpinButton *play_speed, *code_size;
  AdwEntryRow *dot_command;
};

G_DEFINE_FINAL_TYPE (FbPreferencesWindow, fb_preferences_window, ADW_TYPE_PREFERENCES_WINDOW)

/* Values in the order of the rows' choices. */
static const char *const color_schemes[] = { "system", "light", "dark", NULL };
static const char *const first_zooms[] = { "readable", "fit", "actual", NULL };

static gboolean
text_to_choice (GBinding *binding, const GValue *from, GValue *to, gpointer data)
{
  const char *const *values = data;
  for (guint i = 0; values[i]; i++)
    if (!g_strcmp0 (values[i], g_value_get_string (from)))
      {
        g_value_set_uint (to, i);
        return TRUE;
      }
  return FALSE;
}

static gboolean
choice_to_text (GBinding *binding, const GValue *from, GValue *to, gpointer data)
{
  const char *const *values = data;
  guint choice = g_value_get_uint (from);
  if (choice >= g_strv_length ((char **) values))
    return FALSE;
  g_value_set_string (to, values[choice]);
  return TRUE;
}

static gboolean
number_to_real (GBinding *binding, const GValue *from, GValue *to, gpointer data)
{
  g_value_set_double (to, g_value_get_uint (from));
  return TRUE;
}

static gboolean
real_to_number (GBinding *binding, const GValue *from, GValue *to, gpointer data)
{
  g_value_set_uint (to, (guint) (g_value_get_double (from) + 0.5));
  return TRUE;
}

static void
bind (FbPreferences *from, const char *key, gpointer widget, const char *property, GBindingTransformFunc to,
      GBindingTransformFunc back, const char *const *values)
{
  g_object_bind_property_full (from, key, widget, property, G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE, to, back,
                               (gpointer) values, NULL);
}

static void
fb_preferences_window_class_init (FbPreferencesWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "preferences-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FbPreferencesWindow, color_scheme);
  gtk_widget_class_bind_template_child (widget_class, FbPreferencesWindow, first_zoom);
  gtk_widget_class_bind_template_child (widget_class, FbPreferencesWindow, animate);
  gtk_widget_class_bind_template_child (widget_class, FbPreferencesWindow, hide_empty_passes);
  gtk_widget_class_bind_template_child (widget_class, FbPreferencesWindow, play_speed);
  gtk_widget_class_bind_template_child (widget_class, FbPreferencesWindow, code_size);
  gtk_widget_class_bind_template_child (widget_class, FbPreferencesWindow, dot_command);
}

static void
fb_preferences_window_init (FbPreferencesWindow *self)
{
  FbPreferences *preferences = fb_preferences_get_default ();
  gtk_widget_init_template (GTK_WIDGET (self));
  bind (preferences, "color-scheme", self->color_scheme, "selected", text_to_choice, choice_to_text, color_schemes);
  bind (preferences, "first-zoom", self->first_zoom, "selected", text_to_choice, choice_to_text, first_zooms);
  bind (preferences, "animate", self->animate, "active", NULL, NULL, NULL);
  bind (preferences, "hide-empty-passes", self->hide_empty_passes, "active", NULL, NULL, NULL);
  bind (preferences, "play-speed", self->play_speed, "value", number_to_real, real_to_number, NULL);
  bind (preferences, "code-size", self->code_size, "value", number_to_real, real_to_number, NULL);
  bind (preferences, "dot-command", self->dot_command, "text", NULL, NULL, NULL);
}

void
fb_preferences_window_present (GtkWindow *parent)
{
  static FbPreferencesWindow *window;
  if (!window)
    {
      window = g_object_new (FB_TYPE_PREFERENCES_WINDOW, NULL);
      g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
    }
  if (parent && GTK_WINDOW (window) != parent)
    gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_present (GTK_WINDOW (window));
}
