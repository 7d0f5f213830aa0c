/* The inspector's page about the rule that made this step. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_RULE_PAGE (fb_rule_page_get_type ())
G_DECLARE_FINAL_TYPE (FbRulePage, fb_rule_page, FB, RULE_PAGE, GtkWidget)

void fb_rule_page_set_document (FbRulePage *page, FbDocument *doc);
/* @view NULL: nothing is open. Borrowed for the call. */
void fb_rule_page_set_view (FbRulePage *page, const FbStepView *view);
