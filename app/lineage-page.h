/* The Lineage page of the inspector: where the selected node came from and what it became, drawn and as a list. */
#pragma once

#include "app/document.h"

#include <gtk/gtk.h>

#define FB_TYPE_LINEAGE_PAGE (fb_lineage_page_get_type ())
G_DECLARE_FINAL_TYPE (FbLineagePage, fb_lineage_page, FB, LINEAGE_PAGE, GtkWidget)

/* Once. Asks for lineage while it is on the screen. */
void fb_lineage_page_set_document (FbLineagePage *page, FbDocument *doc);
/* Links in the list. */
guint fb_lineage_page_get_n_links (FbLineagePage *page);
/* Goes to link @i of the list, from 0. */
void fb_lineage_page_open_link (FbLineagePage *page, guint i);
