#include "app/tip.h"

#include "app/accessible.h"

#define TIP "fb-tip"
#define ASKED "fb-tip-asked"

const char *
fb_tip_get (GtkWidget *widget)
{
  const char *text = g_object_get_data (G_OBJECT (widget), TIP);
  return text ? text : gtk_widget_get_tooltip_text (widget);
}

static gboolean
query (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const char *text = g_object_get_data (G_OBJECT (widget), TIP);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void
fb_tip_set (GtkWidget *widget, const char *text)
{
  gboolean had = g_object_get_data (G_OBJECT (widget), TIP) != NULL;
  if (!text && !had)
    return;
  if (!g_object_get_data (G_OBJECT (widget), ASKED))
    {
      g_object_set_data (G_OBJECT (widget), ASKED, widget);
      g_signal_connect (widget, "query-tooltip", G_CALLBACK (query), NULL);
      gtk_widget_set_has_tooltip (widget, TRUE);
    }
  g_object_set_data_full (G_OBJECT (widget), TIP, g_strdup (text), g_free);
  if (!fb_accessible_name_button (widget) && text)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}
