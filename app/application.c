#include "app/application.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "app/application-private.h"
#include "app/screenshot.h"
#include "app/settings.h"
#include "app/window.h"
#include "viz/palette.h"

#define EXIT_FAILED 2

struct _FbApplication
{
  AdwApplication parent_instance;
  gboolean standalone;
  GtkCssProvider *palette;
};

G_DEFINE_FINAL_TYPE (FbApplication, fb_application, ADW_TYPE_APPLICATION)

/* --- style --- */

static void
load_palette (FbApplication *self)
{
  g_autofree char *css = fb_palette_to_css (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  gtk_css_provider_load_from_data (self->palette, css, -1);
}

static void
style_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *style = g_variant_get_string (parameter, NULL);
  AdwColorScheme scheme = ADW_COLOR_SCHEME_DEFAULT;
  if (!strcmp (style, "light"))
    scheme = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (!strcmp (style, "dark"))
    scheme = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
  g_simple_action_set_state (action, parameter);
}

/* --- actions --- */

static void
quit_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));
  for (GList *l = windows; l; l = l->next)
    gtk_window_close (GTK_WINDOW (l->data));
  g_list_free (windows);
}

static void
about_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWidget *about = g_object_new (ADW_TYPE_ABOUT_WINDOW, "application-name", "Fusebox", "application-icon",
                                   FUSEBOX_APP_ID, "version", FUSEBOX_VERSION, "license-type", GTK_LICENSE_MIT_X11,
                                   "developer-name", _ ("The Fusebox developers"), "comments",
                                   _ ("Steps through the rewrites that turn tensor graphs into kernels."), NULL);
  gtk_window_set_transient_for (GTK_WINDOW (about), gtk_application_get_active_window (GTK_APPLICATION (data)));
  gtk_window_present (GTK_WINDOW (about));
}

static const GActionEntry app_actions[] = {
  { .name = "quit", .activate = quit_activated },
  { .name = "about", .activate = about_activated },
  { .name = "style", .activate = style_activated, .parameter_type = "s", .state = "'system'" },
};

/* --- life --- */

FbApplication *
fb_application_new (gboolean standalone)
{
  FbApplication *self = g_object_new (FB_TYPE_APPLICATION, "application-id", FUSEBOX_APP_ID, "flags",
                                      G_APPLICATION_NON_UNIQUE, "resource-base-path", FUSEBOX_RESOURCE_BASE, NULL);
  self->standalone = standalone;
  return self;
}

gboolean
fb_application_is_standalone (FbApplication *self)
{
  return self->standalone;
}

void
fb_application_open (FbApplication *self, const char *path, guint row, const char *pass, guint step)
{
  FbWindow *window = fb_window_new (self);
  gtk_window_present (GTK_WINDOW (window));
  if (path)
    fb_window_open (window, path, row, pass, step);
}

static void
fb_application_activate (GApplication *app)
{
  if (!gtk_application_get_active_window (GTK_APPLICATION (app)))
    fb_application_open (FB_APPLICATION (app), NULL, 0, NULL, 0);
}

static void
fb_application_startup (GApplication *app)
{
  FbApplication *self = FB_APPLICATION (app);
  G_APPLICATION_CLASS (fb_application_parent_class)->startup (app);
  /* No desktop has chosen a font: GTK's own default is wide and blurred at 13 px. */
  GtkSettings *gtk_settings = gtk_settings_get_default ();
  g_autofree char *font = NULL;
  g_object_get (gtk_settings, "gtk-font-name", &font, NULL);
  if (!g_strcmp0 (font, "Sans 10"))
    g_object_set (gtk_settings, "gtk-font-name", "Noto Sans, Cantarell, Sans 10", NULL);
  if (self->standalone)
    g_object_set (gtk_settings, "gtk-decoration-layout", "appmenu:close", NULL);
  gtk_window_set_default_icon_name (FUSEBOX_APP_ID);

  self->palette = gtk_css_provider_new ();
  load_palette (self);
  /* Below style.css and the high-contrast sheets, which may redefine tokens. */
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (self->palette),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (load_palette), self,
                           G_CONNECT_SWAPPED);
  g_action_map_add_action_entries (G_ACTION_MAP (self), app_actions, G_N_ELEMENTS (app_actions), self);
  if (!self->standalone)
    {
      FbSettings settings;
      fb_settings_init (&settings, 0);
      fb_settings_load (&settings);
      g_action_group_activate_action (G_ACTION_GROUP (self), "style", g_variant_new_string (settings.style));
      fb_settings_clear (&settings);
    }
  static const struct
  {
    const char *action, *keys[3];
  } accels[] = {
    { "win.open", { "<Control>o" } },
    { "window.close", { "<Control>w" } },
    { "app.quit", { "<Control>q" } },
    { "win.show-inspector", { "F9" } },
    { "win.show-passes", { "<Shift>F9" } },
    { "win.show-drawer", { "<Control>F9" } },
    { "win.back", { "<Alt>Left" } },
    { "win.forward", { "<Alt>Right" } },
    { "win.previous-row", { "<Control>Page_Up" } },
    { "win.next-row", { "<Control>Page_Down" } },
    { "win.copy-key", { "<Control>k" } },
    { "win.copy-diff", { "<Control><Shift>c" } },
    { "win.search", { "<Control>f" } },
    { "win.replay", { "<Control>r" } },
    { "win.show-source", { "<Control>u" } },
    { "win.show-help-overlay", { "<Control>question" } },
    { "win.cancel", { "<Control>period" } },
  };
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action, (const char **) accels[i].keys);
}

static void
fb_application_finalize (GObject *object)
{
  g_clear_object (&FB_APPLICATION (object)->palette);
  G_OBJECT_CLASS (fb_application_parent_class)->finalize (object);
}

static void
fb_application_class_init (FbApplicationClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_application_finalize;
  G_APPLICATION_CLASS (klass)->activate = fb_application_activate;
  G_APPLICATION_CLASS (klass)->startup = fb_application_startup;
}

static void
fb_application_init (FbApplication *self)
{
}

/* --- the command line --- */

typedef struct
{
  char **files;
  char **sets;
  char *pass, *page, *screenshot, *release;
  int row, step, width, height;
  gboolean dark;
} Options;

static void
clear_options (Options *o)
{
  g_strfreev (o->files);
  g_strfreev (o->sets);
  g_free (o->pass);
  g_free (o->page);
  g_free (o->screenshot);
  g_free (o->release);
}

static gboolean
parse (int argc, char **argv, Options *o, GError **error)
{
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o->row, N_ ("The row, from 1"), "K" },
    { "pass", 'p', 0, G_OPTION_ARG_STRING, &o->pass, N_ ("The pass, by number or title"), "P" },
    { "step", 's', 0, G_OPTION_ARG_INT, &o->step, N_ ("The rewrite of the pass, from 1; 0 is its input"), "S" },
    { "page", 0, 0, G_OPTION_ARG_STRING, &o->page, N_ ("What of the window: steps, source or replay"), "PAGE" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->sets, N_ ("Replay with this option instead of the captured one"),
      "NAME=VALUE" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o->release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "screenshot", 0, 0, G_OPTION_ARG_FILENAME, &o->screenshot, N_ ("Draw the window into this file and exit"),
      "OUT" },
    { "width", 0, 0, G_OPTION_ARG_INT, &o->width, N_ ("Width of the window, px"), "W" },
    { "height", 0, 0, G_OPTION_ARG_INT, &o->height, N_ ("Height of the window, px"), "H" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &o->dark, N_ ("In the dark style"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->files, NULL, "[FILE]" },
    { NULL },
  };
  static const char *const pages[] = { "steps", "source", "replay", NULL };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ ("Opens the window; without a display prints the same as text."));
  /* A copy: without a display the caller reads argv again. */
  g_autofree char **copy = g_memdup2 (argv, (argc + 1) * sizeof (char *));
  char **rest = copy;
  if (!g_option_context_parse (context, &argc, &rest, error))
    return FALSE;
  if (o->files && o->files[1])
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("one file at a time, %s is one too many"),
                 o->files[1]);
  else if (o->row < 0 || o->step < 0)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("rows count from 1, steps from 0"));
  else if (o->screenshot && !o->files)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--screenshot needs a file to show"));
  else if (o->page && !g_strv_contains (pages, o->page))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("there is no page “%s” (steps, source or replay)"),
                 o->page);
  else if (o->page && !o->files)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--page needs a file to show"));
  else if (o->sets && g_strcmp0 (o->page, "replay"))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--set is for --page replay"));
  else if (o->width < 0 || o->height < 0 || o->width > 8192 || o->height > 8192)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("a window of %d×%d px cannot be drawn"), o->width,
                 o->height);
  else
    return TRUE;
  return FALSE;
}

static int
run_window (Options *o)
{
  g_autoptr (FbApplication) app = fb_application_new (FALSE);
  g_autoptr (GError) error = NULL;
  if (!g_application_register (G_APPLICATION (app), NULL, &error))
    {
      g_printerr ("fusebox: %s\n", error->message);
      return EXIT_FAILED;
    }
  if (o->dark)
    g_action_group_activate_action (G_ACTION_GROUP (app), "style", g_variant_new_string ("dark"));
  FbWindow *window = fb_window_new (app);
  if (o->width && o->height)
    gtk_window_set_default_size (GTK_WINDOW (window), o->width, o->height);
  gtk_window_present (GTK_WINDOW (window));
  if (o->files)
    {
      fb_window_set_release (window, o->release);
      fb_window_open (window, o->files[0], o->row, o->pass, o->step);
      fb_window_turn_to (window, o->page, o->sets);
    }
  char *arguments[] = { (char *) "fusebox", NULL };
  return g_application_run (G_APPLICATION (app), 1, arguments);
}

int
fb_application_main (int argc, char **argv)
{
  Options o = { NULL };
  g_autoptr (GError) error = NULL;
  int status = EXIT_FAILED;
  if (!parse (argc, argv, &o, &error))
    {
      g_printerr ("fusebox: %s\n", error->message);
      clear_options (&o);
      return EXIT_FAILED;
    }
  /* Software drawing gives the same picture everywhere. */
  if (o.screenshot)
    g_setenv ("GSK_RENDERER", "cairo", TRUE);
  if (!gtk_init_check ())
    status = -1;
  else if (o.screenshot)
    status = fb_screenshot_run (&(FbScreenshot){ .path = o.files[0],
                                                 .row = o.row,
                                                 .pass = o.pass,
                                                 .step = o.step,
                                                 .page = o.page,
                                                 .options = o.sets,
                                                 .release = o.release,
                                                 .out = o.screenshot,
                                                 .width = o.width ? o.width : 1440,
                                                 .height = o.height ? o.height : 900,
                                                 .dark = o.dark },
                                &error)
                 ? 0
                 : EXIT_FAILED;
  else
    status = run_window (&o);
  if (error)
    g_printerr ("fusebox: %s\n", error->message);
  clear_options (&o);
  return status;
}
