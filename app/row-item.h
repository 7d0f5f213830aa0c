/* Which item of an FbIndexModel a row of a list was written for. */
#pragma once

#include <gtk/gtk.h>

/* FALSE: the child of @item has not been written for the item that it has now; it is noted that it will be. Lists bind a row anew when
 * only its number in the list has changed, hundreds at a time. */
gboolean fb_row_item_is_shown (GtkListItem *item);
