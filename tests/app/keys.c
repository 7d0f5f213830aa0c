#include "keys.h"

#include <gdk/x11/gdkx.h>

gboolean
test_has_keys (void)
{
  g_autofree char *xdotool = g_find_program_in_path ("xdotool");
  if (!test_has_display ())
    return FALSE;
  if (!xdotool)
    {
      g_test_skip ("no xdotool");
      return FALSE;
    }
  return TRUE;
}

void
test_settle_all (FbWindow *window)
{
  test_settle (window);
  while (!fb_window_is_settled (window) || !fb_window_is_query_settled (window)
         || !fb_window_is_session_settled (window))
    g_main_context_iteration (NULL, TRUE);
}

static void
ended (GObject *process, GAsyncResult *result, gpointer data)
{
  g_assert_true (g_subprocess_wait_check_finish (G_SUBPROCESS (process), result, NULL));
  *(gboolean *) data = TRUE;
}

/* Runs xdotool with @argv, and waits for what comes of it. */
static void
send (FbWindow *window, const char *const *argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  gboolean done = FALSE;
  g_subprocess_wait_check_async (process, NULL, ended, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  /* Events are on their way when xdotool has ended. */
  test_wait (150);
  test_settle_all (window);
}

void
test_send_keys (FbWindow *window, const char *how, const char *what)
{
  const char *argv[] = { "xdotool", how, "--delay", "20", what, NULL };
  send (window, argv);
}

void
test_click (FbWindow *window, GtkWidget *widget, double x, double y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  GdkSurface *surface = gtk_native_get_surface (native);
  double left, top, dx, dy;
  g_assert_true (GDK_IS_X11_SURFACE (surface));
  g_assert_true (gtk_widget_get_mapped (widget));
  gtk_widget_translate_coordinates (widget, GTK_WIDGET (native), x * gtk_widget_get_width (widget),
                                    y * gtk_widget_get_height (widget), &left, &top);
  gtk_native_get_surface_transform (native, &dx, &dy);
  g_autofree char *id = g_strdup_printf ("%lu", gdk_x11_surface_get_xid (surface)),
                  *across = g_strdup_printf ("%d", (int) (left + dx)), *down = g_strdup_printf ("%d", (int) (top + dy));
  const char *move[] = { "xdotool", "mousemove", "--window", id, across, down, NULL },
             *click[] = { "xdotool", "click", "1", NULL };
  send (window, move);
  send (window, click);
}

GtkWidget *
test_find_seen (GtkWidget *widget, GType type, guint at)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);
  for (; child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = NULL;
      guint n = 0;
      if (!gtk_widget_get_mapped (child))
        continue;
      if (G_TYPE_CHECK_INSTANCE_TYPE (child, type) && at-- == 0)
        return child;
      /* those inside come after it */
      while ((found = test_find_seen (child, type, n)))
        {
          if (n == at)
            return found;
          n++;
        }
      at -= n;
    }
  return NULL;
}

void
test_press (FbWindow *window, const char *key)
{
  test_send_keys (window, "key", key);
}

FbWindow *
test_open_focused (const char *path, const char *private)
{
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  fb_document_set_session_folder (window->doc, private);
  fb_window_open (window, path, 0, NULL, 0);
  test_settle_all (window);
  for (guint i = 0; i < 100 && !gtk_window_is_active (GTK_WINDOW (window)); i++)
    {
      gtk_window_present (GTK_WINDOW (window));
      test_wait (50);
    }
  test_wait (200);
  return window;
}
