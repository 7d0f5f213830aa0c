/* Files, windows and processes: the command line of the window, what a menu calls files, one process for a session. */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/files.h"
#include "app/open-options.h"
#include "app/preferences-window.h"
#include "app/preferences.h"
#include "util.h"

/* --- options --- */

static char *
refused (const char *line)
{
  FbOpenOptions o;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) argv = NULL;
  int argc;
  g_assert_true (g_shell_parse_argv (line, &argc, &argv, NULL));
  gboolean ok = fb_open_options_parse (&o, argc, argv, &error);
  g_assert_true (ok == (error == NULL));
  fb_open_options_clear (&o);
  return ok ? NULL : g_strdup (error->message);
}

static void
test_options (void)
{
  FbOpenOptions o;
  g_autoptr (GError) error = NULL;
  char *argv[] = { (char *) "fusebox",
                   (char *) "a.db",
                   (char *) "--row",
                   (char *) "3",
                   (char *) "--pass=kernels",
                   (char *) "--step",
                   (char *) "7",
                   (char *) "--dark",
                   (char *) "--width",
                   (char *) "800",
                   NULL };
  g_assert_true (fb_open_options_parse (&o, G_N_ELEMENTS (argv) - 1, argv, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (o.files[0], ==, "a.db");
  g_assert_null (o.files[1]);
  g_assert_cmpint (o.row, ==, 3);
  g_assert_cmpint (o.step, ==, 7);
  g_assert_cmpstr (o.pass, ==, "kernels");
  g_assert_true (o.dark);
  g_assert_cmpint (o.width, ==, 800);
  /* what was given is not touched: without a display somebody else reads it */
  g_assert_cmpstr (argv[1], ==, "a.db");
  fb_open_options_clear (&o);
  static const char *const good[] = { "fusebox", "fusebox a b c", "fusebox a --page replay --set FUSE_ARANGE=1",
                                      "fusebox a --screenshot x.png --text-scale 1.5 --high-contrast" };
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *message = refused (good[i]);
      g_assert_null (message);
    }
  static const struct
  {
    const char *line, *names;
  } bad[] = {
    { "fusebox a --row -1", "rows" },
    { "fusebox a --new-window", "--new-window" },
    { "fusebox a --step -2", "steps" },
    { "fusebox --screenshot x.png", "--screenshot" },
    { "fusebox a b --screenshot x.png", "b" },
    { "fusebox a b --row 2", "--row" },
    { "fusebox a --page nowhere", "nowhere" },
    { "fusebox --page replay", "--page" },
    { "fusebox a --set X=1", "--set" },
    { "fusebox a --width 9000 --height 10", "9000" },
    { "fusebox a --text-scale 2", "--text-scale" },
    { "fusebox a --screenshot x.png --text-scale 9", "0.5" },
    { "fusebox a --no-such-option", "--no-such-option" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *message = refused (bad[i].line);
      g_assert_nonnull (message);
      g_assert_nonnull (strstr (message, bad[i].names));
    }
}

/* --- names of files --- */

static void
test_names (void)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autofree char *long_path = g_strconcat ("/x/", "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij",
                                            "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij.db", NULL);
  g_autofree char *mine = g_build_filename (g_get_home_dir (), "runs", "cache.db", NULL);
  g_ptr_array_add (paths, (char *) "/data/kv_cache.db");
  g_ptr_array_add (paths, mine);
  g_ptr_array_add (paths, (char *) "/data/cache.db");
  g_ptr_array_add (paths, long_path);
  static const char *const names[] = { "kv__cache.db", "cache.db — ~/runs", "cache.db — /data" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = fb_files_menu_name (g_ptr_array_index (paths, i), paths);
      g_assert_cmpstr (name, ==, names[i]);
    }
  g_autofree char *shortened = fb_files_menu_name (long_path, paths);
  g_assert_cmpint (g_utf8_strlen (shortened, -1), <=, 61);
  g_assert_true (g_str_has_suffix (shortened, ".db"));
  g_assert_nonnull (strstr (shortened, "…"));
}

/* --- windows --- */

static guint
n_windows (GtkApplication *app)
{
  guint n = 0;
  for (GList *l = gtk_application_get_windows (app); l; l = l->next)
    n += FB_IS_WINDOW (l->data);
  return n;
}

static void
test_windows (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *lerp = test_sample ("lerp.db"), *views = test_sample ("views.db");
  FbWindow *first = test_open (NULL, 0, NULL, 0);
  FbApplication *app = FB_APPLICATION (gtk_window_get_application (GTK_WINDOW (first)));
  /* an empty window takes the file, the next file gets another window */
  g_assert_true (fb_application_open (app, lerp, NULL, 0, NULL, 0) == first);
  test_settle (first);
  g_assert_cmpstr (fb_document_get_name (first->doc), ==, "lerp.db");
  FbWindow *second = fb_application_open (app, views, NULL, 0, NULL, 0);
  g_assert_true (second != first);
  test_settle (second);
  g_assert_cmpuint (n_windows (GTK_APPLICATION (app)), ==, 2);
  /* the same file again: where it is; with a place: there */
  test_do (first, "next-step", NULL);
  g_assert_true (fb_application_open (app, lerp, NULL, 0, NULL, 0) == first);
  test_settle (first);
  test_assert_at (first, 0, 1);
  g_assert_true (fb_application_open (app, lerp, NULL, 1, "1", 5) == first);
  test_settle (first);
  test_assert_at (first, 0, 5);
  g_assert_cmpuint (n_windows (GTK_APPLICATION (app)), ==, 2);
  test_close (second);
  test_close (first);
}

/* The same place in another window, which then goes its own way. */
static void
test_duplicate (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *first = test_open (lerp, 0, "kernels", 4);
  guint pass, step;
  fb_document_get_position (first->doc, &pass, &step);
  GtkApplication *app = gtk_window_get_application (GTK_WINDOW (first));
  test_do (first, "duplicate", NULL);
  FbWindow *second = NULL;
  for (GList *l = gtk_application_get_windows (app); l; l = l->next)
    if (FB_IS_WINDOW (l->data) && l->data != first)
      second = l->data;
  g_assert_nonnull (second);
  test_settle (second);
  test_assert_at (second, pass, step);
  test_do (second, "next-step", NULL);
  test_assert_at (second, pass, step + 1);
  test_assert_at (first, pass, step);
  test_close (second);
  test_close (first);
}

/* --- preferences --- */

static GtkWidget *
find_widget (GtkWidget *widget, GType type, guint *skip)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && !(*skip)--)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type, skip);
      if (found)
        return found;
    }
  return NULL;
}

static GtkWidget *
nth (GtkWindow *window, GType type, guint n)
{
  GtkWidget *found = find_widget (GTK_WIDGET (window), type, &n);
  g_assert_nonnull (found);
  return found;
}

/* Every row changes its preference, and what it is for. */
static void
test_preferences (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *window = test_open (lerp, 0, NULL, 3);
  FbPreferences *preferences = fb_preferences_get_default ();
  fb_preferences_window_present (GTK_WINDOW (window));
  GtkWindow *dialog = NULL;
  g_autoptr (GListModel) all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) one = g_list_model_get_item (all, i);
      if (FB_IS_PREFERENCES_WINDOW (one))
        dialog = one;
    }
  g_assert_nonnull (dialog);
  g_assert_false (gtk_window_get_modal (dialog));
  AdwComboRow *scheme = ADW_COMBO_ROW (nth (dialog, ADW_TYPE_COMBO_ROW, 0));
  adw_combo_row_set_selected (scheme, 2);
  g_assert_cmpstr (fb_preferences_get_color_scheme (preferences), ==, "dark");
  g_assert_true (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  adw_combo_row_set_selected (scheme, 1);
  g_assert_false (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  /* the menu sets the same */
  g_action_group_activate_action (G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (window))), "style",
                                  g_variant_new_string ("dark"));
  g_assert_cmpuint (adw_combo_row_get_selected (scheme), ==, 2);
  g_object_set (preferences, "color-scheme", "system", NULL);

  AdwComboRow *zoom = ADW_COMBO_ROW (nth (dialog, ADW_TYPE_COMBO_ROW, 1));
  adw_combo_row_set_selected (zoom, 2);
  g_assert_cmpstr (fb_preferences_get_first_zoom (preferences), ==, "actual");
  test_do (window, "open-path", "''");
  fb_window_open (window, lerp, 0, NULL, 0);
  test_settle (window);
  test_wait (100);
  g_assert_cmpfloat_with_epsilon (fb_canvas_get_zoom (window->canvas), 1, 1e-9);
  g_object_set (preferences, "first-zoom", "readable", NULL);
  g_assert_cmpuint (adw_combo_row_get_selected (zoom), ==, 0);

  gtk_switch_set_active (GTK_SWITCH (nth (dialog, GTK_TYPE_SWITCH, 0)), FALSE);
  g_assert_false (fb_preferences_get_animate (preferences));
  gtk_switch_set_active (GTK_SWITCH (nth (dialog, GTK_TYPE_SWITCH, 1)), TRUE);
  g_assert_true (fb_preferences_get_hide_empty_passes (preferences));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (nth (dialog, GTK_TYPE_SPIN_BUTTON, 0)), 150);
  g_assert_cmpuint (fb_preferences_get_code_size (preferences), ==, 150);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (nth (dialog, GTK_TYPE_SPIN_BUTTON, 1)), 12);
  g_assert_cmpuint (fb_preferences_get_play_speed (preferences), ==, 12);
  g_object_set (preferences, "animate", TRUE, "hide-empty-passes", FALSE, "code-size", 100, "play-speed", 4, NULL);
  /* asked for again, it is the same window */
  fb_preferences_window_present (GTK_WINDOW (window));
  gtk_window_destroy (dialog);
  test_close (window);
}

/* --- processes --- */

static GSubprocess *
launch (GSubprocessLauncher *launcher, const char *file, const char *option)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *process
      = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("FUSEBOX_BIN"), "open", file, option, NULL);
  g_assert_no_error (error);
  return process;
}

static gboolean
owns_name (GDBusConnection *bus)
{
  g_autoptr (GVariant) answer
      = g_dbus_connection_call_sync (bus, "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "NameHasOwner",
                                     g_variant_new ("(s)", FUSEBOX_APP_ID), G_VARIANT_TYPE ("(b)"), 0, -1, NULL, NULL);
  gboolean owned = FALSE;
  if (answer)
    g_variant_get (answer, "(b)", &owned);
  return owned;
}

/* With a session bus, a later command hands its files to the program that runs, and ends. */
static void
test_one_process (void)
{
  g_autofree char *daemon = g_find_program_in_path ("dbus-daemon");
  if (!test_has_display ())
    return;
  if (!daemon)
    {
      g_test_skip ("no dbus-daemon");
      return;
    }
  g_autofree char *lerp = test_sample ("lerp.db");
  g_autofree char *home = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) bus = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                                                  NULL, daemon, "--session", "--nofork", "--print-address", NULL);
  g_assert_nonnull (bus);
  g_autoptr (GDataInputStream) output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (bus));
  g_autofree char *address = g_data_input_stream_read_line (output, NULL, NULL, NULL);
  g_assert_nonnull (address);
  static const char *const folders[] = { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME" };
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    g_subprocess_launcher_setenv (launcher, folders[i], home, TRUE);
  g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS", address, TRUE);
  g_autoptr (GDBusConnection) connection = g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
      NULL, NULL);
  g_assert_nonnull (connection);
  g_autoptr (GSubprocess) first = launch (launcher, lerp, NULL);
  for (guint i = 0; i < 600 && !owns_name (connection); i++)
    g_usleep (50000);
  g_assert_true (owns_name (connection));
  g_autoptr (GSubprocess) second = launch (launcher, lerp, "--step=4");
  g_assert_true (g_subprocess_wait (second, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (second), ==, 0);
  /* what is wrong with the command line is told where it was typed */
  g_autoptr (GSubprocess) wrong = launch (launcher, lerp, "--step=-4");
  g_assert_true (g_subprocess_wait (wrong, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (wrong), ==, 2);
  g_assert_true (owns_name (connection));
  g_subprocess_send_signal (first, SIGTERM);
  g_subprocess_wait (first, NULL, NULL);
  g_assert_true (g_subprocess_get_if_signaled (first));
  g_assert_true (g_dbus_connection_close_sync (connection, NULL, NULL));
  g_clear_object (&connection);
  g_subprocess_force_exit (bus);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/application/options", test_options);
  g_test_add_func ("/app/application/names", test_names);
  g_test_add_func ("/app/application/windows", test_windows);
  g_test_add_func ("/app/application/duplicate", test_duplicate);
  g_test_add_func ("/app/application/preferences", test_preferences);
  g_test_add_func ("/app/application/one-process", test_one_process);
  return g_test_run ();
}
