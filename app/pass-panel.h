/* The passes of the row, and below them the steps of the pass we are in. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_PASS_PANEL (fb_pass_panel_get_type ())
G_DECLARE_FINAL_TYPE (FbPassPanel, fb_pass_panel, FB, PASS_PANEL, GtkWidget)

/* @doc is kept. Call once. */
void fb_pass_panel_set_document (FbPassPanel *panel, FbDocument *doc);
/* All rows are listed, and those of where we are in view. */
gboolean fb_pass_panel_is_settled (FbPassPanel *panel);
/* Height of the passes above the steps, px. */
int fb_pass_panel_get_split (FbPassPanel *panel);
/* Whether the person, or the one before, chose it. */
gboolean fb_pass_panel_was_split (FbPassPanel *panel);
void fb_pass_panel_set_split (FbPassPanel *panel, int height);
