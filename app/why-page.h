/* The inspector's page that says why the selected node is stored or fused, and what would change that. */
#pragma once

#include "app/scenarios.h"

#include <gtk/gtk.h>

#define FB_TYPE_WHY_PAGE (fb_why_page_get_type ())
G_DECLARE_FINAL_TYPE (FbWhyPage, fb_why_page, FB, WHY_PAGE, GtkWidget)

/* Once. */
void fb_why_page_set_document (FbWhyPage *page, FbDocument *doc, FbScenarios *scenarios);
void fb_why_page_update (FbWhyPage *page);
/* Shows the first change that would fuse the node, or stores it if it is fused. FALSE: there is none, or it is not known yet. */
gboolean fb_why_page_try (FbWhyPage *page);
