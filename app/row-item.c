#include "app/row-item.h"

#include "app/index-model.h"

#define ITEM "fb-row-item"
#define VERSION "fb-row-version"

gboolean
fb_row_item_is_shown (GtkListItem *item)
{
  GObject *child = G_OBJECT (gtk_list_item_get_child (item));
  FbIndexItem *now = gtk_list_item_get_item (item);
  gpointer version = GUINT_TO_POINTER (fb_index_item_get_version (now));

  if (g_object_get_data (child, ITEM) == now && g_object_get_data (child, VERSION) == version)
    return TRUE;
  /* held, so that no other item comes to lie at its address */
  g_object_set_data_full (child, ITEM, g_object_ref (now), g_object_unref);
  g_object_set_data (child, VERSION, version);
  return FALSE;
}
