#include "app/accessible.h"

#include <string.h>

#include "app/tip.h"

static const char *
icon_of (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget))
    return gtk_button_get_icon_name (GTK_BUTTON (widget));
  if (GTK_IS_MENU_BUTTON (widget))
    return gtk_menu_button_get_icon_name (GTK_MENU_BUTTON (widget));
  return NULL;
}

gboolean
fb_accessible_name_button (GtkWidget *widget)
{
  const char *tip = fb_tip_get (widget);
  if (!tip || !icon_of (widget))
    return FALSE;
  g_autofree char *name = g_strdup (tip);
  char *keys = strrchr (name, '(');
  if (keys && keys > name && g_str_has_suffix (name, ")"))
    *keys = '\0';
  g_strstrip (name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return TRUE;
}

void
fb_accessible_name_buttons (GtkWidget *root)
{
  g_return_if_fail (GTK_IS_WIDGET (root));
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();
  g_ptr_array_add (stack, root);
  while (stack->len)
    {
      GtkWidget *widget = g_ptr_array_steal_index_fast (stack, stack->len - 1);
      fb_accessible_name_button (widget);
      for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
        g_ptr_array_add (stack, child);
    }
}
