#include "app/page-keys.h"

#define ZOOM_STEP 1.25
#define DATA "fb-page-keys"

static gboolean
key_pressed (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, GtkWidget *page)
{
  const FbPageKeys *keys = g_object_get_data (G_OBJECT (page), DATA);
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK))
    return GDK_EVENT_PROPAGATE;
  switch (keyval)
    {
    case GDK_KEY_n:
    case GDK_KEY_N:
      if (!keys->move (page, keyval == GDK_KEY_n ? 1 : -1))
        gtk_widget_error_bell (page);
      return GDK_EVENT_STOP;
    case GDK_KEY_space:
      keys->zoom (page, 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      keys->zoom (page, ZOOM_STEP);
      return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      keys->zoom (page, 1 / ZOOM_STEP);
      return GDK_EVENT_STOP;
    default:
      return keys->press (page, keyval) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
    }
}

/* The lists would take this one for themselves. */
static gboolean
list_key_pressed (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, GtkWidget *page)
{
  return keyval == GDK_KEY_space ? key_pressed (controller, keyval, code, state, page) : GDK_EVENT_PROPAGATE;
}

static void
listen (GtkWidget *page, GtkWidget *widget, GtkPropagationPhase phase, GCallback callback)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, phase);
  g_signal_connect_object (keys, "key-pressed", callback, page, 0);
  gtk_widget_add_controller (widget, keys);
}

void
fb_page_keys_add (GtkWidget *page, const FbPageKeys *keys, guint n_lists, GtkWidget *const *lists)
{
  g_return_if_fail (GTK_IS_WIDGET (page) && keys);
  g_object_set_data (G_OBJECT (page), DATA, (gpointer) keys);
  listen (page, page, GTK_PHASE_BUBBLE, G_CALLBACK (key_pressed));
  for (guint i = 0; i < n_lists; i++)
    listen (page, lists[i], GTK_PHASE_CAPTURE, G_CALLBACK (list_key_pressed));
}
