/* The inspector's page about the rule that made this step. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_RULE_PAGE (fb_rule_page_get_type ())
G_DECLARE_FINAL_TYPE (FbRulePage, fb_rule_page, FB, RULE_PAGE, GtkWidget)

void fb_rule_page_set_document (FbRulePage *page, FbDocument *doc);
/* The document shows another step, or none. */
void fb_rule_page_update (FbRulePage *page);
