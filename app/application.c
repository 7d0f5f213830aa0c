#include "app/application.h"

#include <glib/gi18n.h>
#include <malloc.h>

#include "app/application-private.h"
#include "app/open-options.h"
#include "app/preferences-window.h"
#include "app/preferences.h"
#include "app/screenshot.h"
#include "app/watch.h"
#include "app/window.h"
#include "core/viztrace/watch.h"
#include "viz/palette.h"

#define EXIT_FAILED 2

struct _FbApplication
{
  AdwApplication parent_instance;
  gboolean standalone;
  GtkCssProvider *palette, *code_size;
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
apply_color_scheme (FbApplication *self)
{
  const char *scheme = fb_preferences_get_color_scheme (fb_preferences_get_default ());
  AdwColorScheme adw = ADW_COLOR_SCHEME_DEFAULT;
  if (!strcmp (scheme, "light"))
    adw = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (!strcmp (scheme, "dark"))
    adw = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), adw);
}

/* Sizes as in style.css, times the person's. */
static void
apply_code_size (FbApplication *self)
{
  guint percent = fb_preferences_get_code_size (fb_preferences_get_default ());
  g_autofree char *css
      = g_strdup_printf (".fb-code { font-size: %u.%02upt; } .fb-small-code { font-size: %u.%02upt; }",
                         9 * percent / 100, 9 * percent % 100, 825 * percent / 10000, 825 * percent / 100 % 100);
  gtk_css_provider_load_from_data (self->code_size, percent == 100 ? "" : css, -1);
}

/* --- actions --- */

static void
new_window_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_application_new_window (FB_APPLICATION (data));
}

static void
preferences_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_preferences_window_present (gtk_application_get_active_window (GTK_APPLICATION (data)));
}

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
  { .name = "new-window", .activate = new_window_activated },
  { .name = "preferences", .activate = preferences_activated },
};

/* --- life --- */

FbApplication *
fb_application_new (FbApplicationKind kind)
{
  GApplicationFlags flags = G_APPLICATION_HANDLES_COMMAND_LINE;
  if (kind != FB_APPLICATION_SHARED)
    flags |= G_APPLICATION_NON_UNIQUE;
  FbApplication *self = g_object_new (FB_TYPE_APPLICATION, "application-id", FUSEBOX_APP_ID, "flags", flags,
                                      "resource-base-path", FUSEBOX_RESOURCE_BASE, NULL);
  self->standalone = kind == FB_APPLICATION_STANDALONE;
  return self;
}

gboolean
fb_application_is_standalone (FbApplication *self)
{
  return self->standalone;
}

FbWindow *
fb_application_new_window (FbApplication *self)
{
  g_return_val_if_fail (FB_IS_APPLICATION (self), NULL);
  FbWindow *window = fb_window_new (self);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

/* One that shows the file already; else one that shows nothing; else NULL. */
static FbWindow *
window_for (FbApplication *self, const char *path)
{
  FbWindow *empty = NULL;
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l; l = l->next)
    {
      if (!FB_IS_WINDOW (l->data))
        continue;
      FbDocument *doc = fb_window_get_document (l->data);
      const char *shown = fb_document_get_path (doc);
      g_autofree char *canonical = shown ? g_canonicalize_filename (shown, NULL) : NULL;
      if (!g_strcmp0 (canonical, path) && !fb_document_is_opening (doc))
        return l->data;
      if (!empty && !shown && !fb_document_is_busy (doc, NULL, NULL, NULL))
        empty = l->data;
    }
  return empty;
}

FbWindow *
fb_application_open (FbApplication *self, const char *path, const char *release, guint row, const char *pass,
                     guint step)
{
  g_return_val_if_fail (FB_IS_APPLICATION (self) && path, NULL);
  g_autofree char *canonical = g_canonicalize_filename (path, NULL);
  FbWindow *window = window_for (self, canonical);
  gboolean shown = window && fb_document_get_path (fb_window_get_document (window));
  if (!window)
    window = fb_window_new (self);
  gtk_window_present (GTK_WINDOW (window));
  if (!shown || row || pass || step || release)
    {
      fb_window_set_release (window, release);
      fb_window_open (window, path, row, pass, step);
    }
  return window;
}

static void
fb_application_activate (GApplication *app)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (app));
  if (window)
    gtk_window_present (window);
  else
    fb_application_new_window (FB_APPLICATION (app));
}

static char *
path_of (const char *word, GApplicationCommandLine *line)
{
  g_autoptr (GFile) file
      = line ? g_application_command_line_create_file_for_arg (line, word) : g_file_new_for_commandline_arg (word);
  char *path = g_file_get_path (file);
  return path ? path : g_strdup (word);
}

/* The folder given, or that of the file given, which is opened first. */
static void
watch_runs (FbApplication *self, const FbOpenOptions *o, GApplicationCommandLine *line)
{
  g_autofree char *path = o->files ? path_of (o->files[0], line) : NULL;
  gboolean is_folder = path && g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *folder = is_folder || !path ? g_strdup (path) : g_path_get_dirname (path);
  g_autofree char *newest = path && !is_folder ? g_strdup (path) : fb_viz_newest_trace (folder);
  FbWindow *window = newest ? fb_application_open (self, newest, o->release, o->row, o->pass, o->step)
                            : fb_application_new_window (self);
  if (o->width && o->height)
    gtk_window_set_default_size (GTK_WINDOW (window), o->width, o->height);
  fb_window_watch (window, folder);
}

static void
open_all (FbApplication *self, const FbOpenOptions *o, GApplicationCommandLine *line)
{
  if (o->dark)
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  if (o->new_window)
    {
      fb_application_new_window (self);
      return;
    }
  if (o->watch)
    {
      watch_runs (self, o, line);
      return;
    }
  if (!o->files)
    {
      fb_application_activate (G_APPLICATION (self));
      return;
    }
  for (guint i = 0; o->files[i]; i++)
    {
      g_autofree char *path = path_of (o->files[i], line);
      FbWindow *window = fb_application_open (self, path, o->release, o->row, o->pass, o->step);
      if (o->width && o->height)
        gtk_window_set_default_size (GTK_WINDOW (window), o->width, o->height);
      char *against[] = { o->against, NULL };
      fb_window_turn_to (window, o->against ? "traces" : o->page, o->against ? against : o->sets);
    }
}

/* Of this process, or of another one that has gone by now. */
static int
fb_application_command_line (GApplication *app, GApplicationCommandLine *line)
{
  FbOpenOptions o;
  g_autoptr (GError) error = NULL;
  int argc;
  g_auto (GStrv) argv = g_application_command_line_get_arguments (line, &argc);
  gboolean ok = fb_open_options_parse (&o, argc, argv, &error);
  if (ok)
    open_all (FB_APPLICATION (app), &o, line);
  else
    g_application_command_line_printerr (line, "fusebox: %s\n", error->message);
  fb_open_options_clear (&o);
  return ok ? 0 : EXIT_FAILED;
}

/* Every frame takes and gives back pictures of several megabytes. To ask the system for each and return it costs more than drawing
 * most of them: it clears the pages, and stops the threads that compute meanwhile. */
static void
keep_large_memory (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, 32 * 1024 * 1024);
  mallopt (M_TRIM_THRESHOLD, 64 * 1024 * 1024);
#endif
}

static void
fb_application_startup (GApplication *app)
{
  keep_large_memory ();
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

  FbPreferences *preferences = fb_preferences_get_default ();
  if (!self->standalone)
    {
      fb_preferences_load_default ();
      apply_color_scheme (self);
    }
  g_signal_connect_object (preferences, "notify::color-scheme", G_CALLBACK (apply_color_scheme), self,
                           G_CONNECT_SWAPPED);
  self->code_size = gtk_css_provider_new ();
  apply_code_size (self);
  g_signal_connect_object (preferences, "notify::code-size", G_CALLBACK (apply_code_size), self, G_CONNECT_SWAPPED);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (self->code_size),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);

  self->palette = gtk_css_provider_new ();
  load_palette (self);
  /* Below style.css and the high-contrast sheets, which may redefine tokens. */
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (self->palette),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (load_palette), self,
                           G_CONNECT_SWAPPED);
  g_action_map_add_action_entries (G_ACTION_MAP (self), app_actions, G_N_ELEMENTS (app_actions), self);
  g_autoptr (GPropertyAction) style = g_property_action_new ("style", preferences, "color-scheme");
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (style));
  static const struct
  {
    const char *action, *keys[3];
  } accels[] = {
    { "app.new-window", { "<Control>n" } },
    { "app.preferences", { "<Control>comma" } },
    { "win.open", { "<Control>o" } },
    { "win.save", { "<Control>s" } },
    { "win.save-buffer('npy')", { "<Control><Alt>s" } },
    { "win.save-as", { "<Control><Shift>s" } },
    { "win.show-bookmarks", { "<Control>b" } },
    { "win.edit-note", { "<Control>m" } },
    { "win.duplicate", { "<Control><Shift>n" } },
    { "window.close", { "<Control>w" } },
    { "app.quit", { "<Control>q" } },
    { "win.show-inspector", { "F9" } },
    { "win.show-passes", { "<Shift>F9" } },
    { "win.show-drawer", { "<Control>F9" } },
    /* not among the keys of the window: panes take F8 for themselves */
    { "win.run", { "F8" } },
    { "win.break-on-rule", { "F7" } },
    { "win.back", { "<Alt>Left" } },
    { "win.forward", { "<Alt>Right" } },
    { "win.previous-row", { "<Control>Page_Up" } },
    { "win.next-row", { "<Control>Page_Down" } },
    { "win.undo-view", { "<Control>z" } },
    { "win.redo-view", { "<Control><Shift>z" } },
    { "win.graph-menu", { "<Shift>F10" } },
    { "win.copy-key", { "<Control>k" } },
    { "win.copy-node", { "<Control>c" } },
    { "win.copy-subgraph", { "<Control><Shift>c" } },
    { "win.export::svg", { "<Control>e" } },
    { "win.export::html", { "<Control><Shift>e" } },
    { "win.search", { "<Control>f" } },
    { "win.previous-hit", { "<Shift>F3" } },
    { "win.continue-back", { "<Shift>F5" } },
    { "win.replay", { "<Control>r" } },
    { "win.watch", { "<Control><Shift>r" } },
    { "win.compare-runs", { "<Control>d" } },
    { "win.compare-trace", { "<Control><Shift>d" } },
    { "win.show-source", { "<Control>u" } },
    { "win.go-to-step", { "<Control>l" } },
    { "win.show-help-overlay", { "<Control>question" } },
    { "win.cancel", { "<Control>period" } },
  };
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action, (const char **) accels[i].keys);
}

static void
fb_application_shutdown (GApplication *app)
{
  fb_session_files_finish ();
  g_settings_sync ();
  G_APPLICATION_CLASS (fb_application_parent_class)->shutdown (app);
}

static void
fb_application_finalize (GObject *object)
{
  g_clear_object (&FB_APPLICATION (object)->code_size);
  g_clear_object (&FB_APPLICATION (object)->palette);
  G_OBJECT_CLASS (fb_application_parent_class)->finalize (object);
}

static void
fb_application_class_init (FbApplicationClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_application_finalize;
  G_APPLICATION_CLASS (klass)->activate = fb_application_activate;
  G_APPLICATION_CLASS (klass)->startup = fb_application_startup;
  G_APPLICATION_CLASS (klass)->shutdown = fb_application_shutdown;
  G_APPLICATION_CLASS (klass)->command_line = fb_application_command_line;
}

static void
fb_application_init (FbApplication *self)
{
}

/* --- the program --- */

int
fb_application_main (int argc, char **argv)
{
  FbOpenOptions o;
  g_autoptr (GError) error = NULL;
  int status = EXIT_FAILED;
  char *against[] = { NULL, NULL };
  if (!fb_open_options_parse (&o, argc, argv, &error))
    {
      g_printerr ("fusebox: %s\n", error->message);
      fb_open_options_clear (&o);
      return EXIT_FAILED;
    }
  against[0] = o.against;
  if (o.screenshot)
    {
      /* Software drawing gives the same picture everywhere, and nothing but the options decides how it looks. */
      g_setenv ("GSK_RENDERER", "cairo", TRUE);
      g_setenv ("ADW_DISABLE_PORTAL", "1", TRUE);
      g_setenv ("ADW_DEBUG_HIGH_CONTRAST", o.high_contrast ? "1" : "0", TRUE);
    }
  if (!gtk_init_check ())
    status = -1;
  else if (o.screenshot)
    status = fb_screenshot_run (&(FbScreenshot){ .path = o.files[0],
                                                 .row = o.row,
                                                 .pass = o.pass,
                                                 .step = o.step,
                                                 .page = o.against ? "traces" : o.page,
                                                 .options = o.against ? against : o.sets,
                                                 .actions = o.actions,
                                                 .release = o.release,
                                                 .out = o.screenshot,
                                                 .width = o.width ? o.width : 1440,
                                                 .height = o.height ? o.height : 900,
                                                 .text_scale = o.text_scale ? o.text_scale : 1,
                                                 .dark = o.dark },
                                &error)
                 ? 0
                 : EXIT_FAILED;
  else
    {
      g_autoptr (FbApplication) app = fb_application_new (o.new_process ? FB_APPLICATION_OWN : FB_APPLICATION_SHARED);
      status = g_application_run (G_APPLICATION (app), argc, argv);
    }
  if (error)
    g_printerr ("fusebox: %s\n", error->message);
  fb_open_options_clear (&o);
  return status;
}
