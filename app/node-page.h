/* The inspector's page about the selected node. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_NODE_PAGE (fb_node_page_get_type ())
G_DECLARE_FINAL_TYPE (FbNodePage, fb_node_page, FB, NODE_PAGE, GtkWidget)

void fb_node_page_set_document (FbNodePage *page, FbDocument *doc);
/* The document describes another node, or none. */
void fb_node_page_update (FbNodePage *page);
