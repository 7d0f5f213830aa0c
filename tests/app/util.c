#include "util.h"

#include <glib/gstdio.h>

/* A slow machine under sanitizers. */
#define PATIENCE_S 60

static FbApplication *app;

gboolean
test_has_display (void)
{
  static int has = -1;
  if (has < 0)
    has = gtk_init_check ();
  if (!has)
    {
      g_test_skip ("no display");
      return FALSE;
    }
  if (!app)
    {
      app = fb_application_new (FB_APPLICATION_STANDALONE);
      g_assert_true (g_application_register (G_APPLICATION (app), NULL, NULL));
      g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
    }
  return TRUE;
}

char *
test_sample (const char *name)
{
  const char *folder = g_getenv ("FUSEBOX_SAMPLES");
  g_assert_nonnull (folder);
  return g_build_filename (folder, name, NULL);
}

/* Rows of lists come frame by frame. */
static gboolean
is_settled (FbWindow *window)
{
  return fb_document_is_settled (window->doc) && fb_pass_panel_is_settled (window->pass_panel)
         && fb_drawer_panel_is_settled (window->drawer);
}

void
test_settle (FbWindow *window)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  while (!is_settled (window))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static gboolean
time_up (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
test_wait (guint ms)
{
  gboolean done = FALSE;
  g_timeout_add (ms, time_up, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

FbWindow *
test_open (const char *path, guint row, const char *pass, guint step)
{
  FbWindow *window = fb_window_new (app);
  fb_window_set_size (window, 1440, 900);
  gtk_window_present (GTK_WINDOW (window));
  if (path)
    fb_window_open (window, path, row, pass, step);
  test_settle (window);
  /* The first sizes are given out. */
  for (guint i = 0; i < 40 && path && !window->allocated; i++)
    test_wait (50);
  test_wait (150);
  return window;
}

void
test_close (FbWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
test_do (FbWindow *window, const char *action, const char *parameter)
{
  g_autoptr (GError) error = NULL;
  GVariant *value = parameter ? g_variant_parse (NULL, parameter, NULL, NULL, &error) : NULL;
  g_assert_no_error (error);
  g_assert_true (g_action_group_has_action (G_ACTION_GROUP (window), action));
  g_action_group_activate_action (G_ACTION_GROUP (window), action, value);
  test_settle (window);
  if (value)
    g_variant_unref (value);
}

GtkWidget *
test_find (GtkWidget *root, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = test_find (child, type);
      if (found)
        return found;
    }
  return NULL;
}

void
test_remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        test_remove_folder (inner);
      else
        g_unlink (inner);
    }
  g_assert_cmpint (g_rmdir (path), ==, 0);
}
