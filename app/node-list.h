/* The graph as a table: a row for each card, for those who cannot see the canvas, and for sorting and filtering.
 *
 * What is selected here is selected on the canvas, and the other way round. */
#pragma once

#include "app/document.h"

#include <gtk/gtk.h>

#define FB_TYPE_NODE_LIST (fb_node_list_get_type ())
G_DECLARE_FINAL_TYPE (FbNodeList, fb_node_list, FB, NODE_LIST, GtkWidget)

/* Once. The rows are made when the list is on the screen. */
void fb_node_list_set_document (FbNodeList *list, FbDocument *doc);
/* Shows the nodes only that have @text in their op, argument, type, mark or key; "" or NULL: all. */
void fb_node_list_set_filter (FbNodeList *list, const char *text);
/* All rows have come, and it is where it goes to. */
gboolean fb_node_list_is_settled (FbNodeList *list);
/* Rows shown now, and of how many; nothing is shown, and nothing counted, while the list is hidden. */
void fb_node_list_get_counts (FbNodeList *list, guint *n_shown, guint *n_all);
/* Signal `counted`: those changed. Signal `activated`: a row was opened by Enter or a double click; it is selected. */
