/* The inspector's page about the selected node. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_NODE_PAGE (fb_node_page_get_type ())
G_DECLARE_FINAL_TYPE (FbNodePage, fb_node_page, FB, NODE_PAGE, GtkWidget)

void fb_node_page_set_document (FbNodePage *page, FbDocument *doc);
/* @node NULL: nothing is selected. Borrowed for the call. */
void fb_node_page_set_node (FbNodePage *page, const FbNodeInfo *node);
