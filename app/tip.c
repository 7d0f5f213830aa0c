#include "app/tip.h"

#define TIP "fb-tip"

const char *
fb_tip_get (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), TIP);
}

static gboolean
query (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const char *text = fb_tip_get (widget);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void
fb_tip_set (GtkWidget *widget, const char *text)
{
  if (!gtk_widget_get_has_tooltip (widget))
    {
      g_signal_connect (widget, "query-tooltip", G_CALLBACK (query), NULL);
      gtk_widget_set_has_tooltip (widget, TRUE);
    }
  g_object_set_data_full (G_OBJECT (widget), TIP, g_strdup (text), g_free);
}
