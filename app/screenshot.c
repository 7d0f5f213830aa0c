#include "app/screenshot.h"

#include <glib/gi18n.h>

#include "app/application-private.h"
#include "app/window.h"

/* How long to wait for the heat strip of a capture with very many steps. */
#define HEAT_S 4
/* Frames in which a window takes the size asked for, if the display has room for it. */
#define MOST_SIZES 200
/* Longer than any capture takes, shorter than a test's patience. */
#define TIMEOUT_S 120

typedef struct
{
  const FbScreenshot *what;
  FbApplication *app;
  FbWindow *window;
  GMainLoop *loop;
  char *failure; /* what the window complained about */
  gboolean timed_out;
  gint64 settled; /* when all but the heat strip was done, µs; 0: not yet */
  guint quiet;    /* frames since everything was done */
  guint n_sizes;  /* how often another size was asked for */
  gboolean too_large;
  gboolean turned; /* to the page asked for */
  guint n_done;    /* actions */
  GError *no_page; /* why not */
} Session;

static gboolean
give_up (gpointer data)
{
  Session *session = data;
  session->timed_out = TRUE;
  g_main_loop_quit (session->loop);
  return G_SOURCE_CONTINUE;
}

static void
failed (FbDocument *doc, const char *message, Session *session)
{
  if (!session->failure)
    session->failure = g_strdup (message);
}

static gboolean
do_action (Session *session, const char *detailed)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  if (!g_action_parse_detailed_name (detailed, &name, &target, &session->no_page))
    return FALSE;
  if (!g_action_group_has_action (G_ACTION_GROUP (session->window), name))
    {
      g_set_error (&session->no_page, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("the window has no action “%s”"), name);
      return FALSE;
    }
  g_action_group_activate_action (G_ACTION_GROUP (session->window), name, target);
  return TRUE;
}

/* Called once a frame: ready when all work is done, the size is right and a few frames have passed since. */
static gboolean
watch (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Session *session = data;
  GtkWidget *content = adw_application_window_get_content (ADW_APPLICATION_WINDOW (widget));
  int dx = session->what->width - gtk_widget_get_width (content);
  int dy = session->what->height - gtk_widget_get_height (content);
  if (dx || dy)
    {
      /* A frame the toolkit draws around windows is not part of the size asked for. */
      int width, height;
      gtk_window_get_default_size (GTK_WINDOW (widget), &width, &height);
      gtk_window_set_default_size (GTK_WINDOW (widget), width + dx, height + dy);
      if (session->n_sizes++ == MOST_SIZES)
        {
          session->too_large = TRUE;
          g_main_loop_quit (session->loop);
          return G_SOURCE_REMOVE;
        }
    }
  FbDocument *doc = fb_window_get_document (FB_WINDOW (widget));
  if (!session->turned && !dx && !dy && fb_document_is_settled (doc) && fb_document_get_view (doc))
    {
      g_autoptr (GError) error = NULL;
      session->turned = TRUE;
      if (session->what->page
          && !fb_window_show_page (session->window, session->what->page, session->what->options, &error))
        {
          session->no_page = g_steal_pointer (&error);
          g_main_loop_quit (session->loop);
          return G_SOURCE_REMOVE;
        }
    }
  else if (session->turned && session->what->actions && session->what->actions[session->n_done]
           && fb_window_is_settled (session->window))
    {
      if (!do_action (session, session->what->actions[session->n_done++]))
        {
          g_main_loop_quit (session->loop);
          return G_SOURCE_REMOVE;
        }
      session->quiet = 0;
      return G_SOURCE_CONTINUE;
    }
  gboolean done = fb_window_is_settled (session->window) && (fb_document_get_view (doc) || session->failure);
  if (!done)
    session->settled = 0;
  else if (!session->settled)
    session->settled = g_get_monotonic_time ();
  done
      = done && (fb_document_is_measured (doc) || g_get_monotonic_time () > session->settled + HEAT_S * G_USEC_PER_SEC);
  session->quiet = done && !dx && !dy ? session->quiet + 1 : 0;
  if (session->quiet < 4)
    return G_SOURCE_CONTINUE;
  g_main_loop_quit (session->loop);
  return G_SOURCE_REMOVE;
}

static void
draw (GtkWidget *widget, GtkSnapshot *snapshot, double x, double y, double width, double height)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  gtk_snapshot_restore (snapshot);
}

/* Popovers have surfaces of their own above the window's. @x, @y: where the surface that @widget is in begins in the picture. */
static void
draw_popovers (GtkWidget *widget, GtkSnapshot *snapshot, double x, double y)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      double left = x, top = y, dx, dy;
      if (!gtk_widget_get_mapped (child))
        continue;
      if (GTK_IS_POPOVER (child))
        {
          GdkPopup *popup = GDK_POPUP (gtk_native_get_surface (GTK_NATIVE (child)));
          gtk_native_get_surface_transform (GTK_NATIVE (child), &dx, &dy);
          left += gdk_popup_get_position_x (popup);
          top += gdk_popup_get_position_y (popup);
          draw (child, snapshot, left + dx, top + dy, gtk_widget_get_width (child), gtk_widget_get_height (child));
        }
      draw_popovers (child, snapshot, left, top);
    }
}

static gboolean
save (GtkWidget *content, const FbScreenshot *what, GError **error)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GtkNative *window = gtk_widget_get_native (content);
  double x, y, dx, dy;
  draw (content, snapshot, 0, 0, what->width, what->height);
  gtk_native_get_surface_transform (window, &dx, &dy);
  gtk_widget_translate_coordinates (content, GTK_WIDGET (window), 0, 0, &x, &y);
  draw_popovers (GTK_WIDGET (window), snapshot, -x - dx, -y - dy);
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (content));
  if (!node || !renderer)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("the window has nothing to draw"));
      return FALSE;
    }
  g_autoptr (GdkTexture) texture
      = gsk_renderer_render_texture (renderer, node, &GRAPHENE_RECT_INIT (0, 0, what->width, what->height));
  g_autoptr (GBytes) png = gdk_texture_save_to_png_bytes (texture);
  return g_file_set_contents (what->out, g_bytes_get_data (png, NULL), g_bytes_get_size (png), error);
}

gboolean
fb_screenshot_run (const FbScreenshot *what, GError **error)
{
  Session session = { .what = what, .loop = g_main_loop_new (NULL, FALSE) };
  session.app = fb_application_new (FB_APPLICATION_STANDALONE);
  gboolean ok = g_application_register (G_APPLICATION (session.app), NULL, error);
  if (ok)
    {
      AdwColorScheme scheme = what->dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT;
      adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
      g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink", FALSE, NULL);
      if (what->text_scale != 1)
        {
          int dpi;
          g_object_get (gtk_settings_get_default (), "gtk-xft-dpi", &dpi, NULL);
          g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int) (dpi * what->text_scale), NULL);
        }
      session.window = fb_window_new (session.app);
      fb_window_set_size (session.window, what->width, what->height);
      fb_window_set_release (session.window, what->release);
      FbDocument *doc = fb_window_get_document (session.window);
      g_signal_connect (doc, "failed", G_CALLBACK (failed), &session);
      /* Where the pointer happens to be is not part of the picture. */
      gtk_widget_set_can_target (adw_application_window_get_content (ADW_APPLICATION_WINDOW (session.window)), FALSE);
      gtk_window_present (GTK_WINDOW (session.window));
      fb_window_open (session.window, what->path, what->row, what->pass, what->step);
      gtk_widget_add_tick_callback (GTK_WIDGET (session.window), watch, &session, NULL);
      guint timeout = g_timeout_add_seconds (TIMEOUT_S, give_up, &session);
      g_main_loop_run (session.loop);
      g_source_remove (timeout);
      if (session.timed_out)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, _ ("%s: not shown within %d s"), what->path, TIMEOUT_S);
          ok = FALSE;
        }
      else if (session.no_page)
        {
          g_propagate_error (error, session.no_page);
          ok = FALSE;
        }
      else if (session.too_large)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("no window of %d×%d px fits on this display"),
                       what->width, what->height);
          ok = FALSE;
        }
      else if (!fb_document_get_view (doc) || !fb_document_reached (doc))
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, session.failure);
          ok = FALSE;
        }
      else
        ok = save (adw_application_window_get_content (ADW_APPLICATION_WINDOW (session.window)), what, error);
      gtk_window_destroy (GTK_WINDOW (session.window));
    }
  g_object_unref (session.app);
  fb_session_files_finish ();
  g_main_loop_unref (session.loop);
  g_free (session.failure);
  return ok;
}
