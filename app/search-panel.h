/* The search bar above the graph: a question (core/query/query.h) about this graph or about every step, and its hits as a list. Enter and
 * Shift+Enter walk them; those of all steps are ticked in the scrubber. */
#pragma once

#include "app/document.h"

#include <gtk/gtk.h>

#define FB_TYPE_SEARCH_PANEL (fb_search_panel_get_type ())
G_DECLARE_FINAL_TYPE (FbSearchPanel, fb_search_panel, FB, SEARCH_PANEL, GtkWidget)

/* Once. */
void fb_search_panel_set_document (FbSearchPanel *panel, FbDocument *doc);
/* Shows it and gives it the keyboard. */
void fb_search_panel_open (FbSearchPanel *panel);
/* Hides it, with the ticks; the text stays. */
void fb_search_panel_close (FbSearchPanel *panel);
gboolean fb_search_panel_is_open (FbSearchPanel *panel);
/* Shows the hits of @text; @all_steps: of every step. */
void fb_search_panel_search (FbSearchPanel *panel, const char *text, gboolean all_steps);
void fb_search_panel_set_all_steps (FbSearchPanel *panel, gboolean all_steps);
/* Goes to the next (1) or the last (-1) hit, round about; at first from where we are. */
void fb_search_panel_walk (FbSearchPanel *panel, int direction);
/* Hits now; the one that was gone to last, from 1, 0: none yet. */
guint fb_search_panel_get_n_hits (FbSearchPanel *panel);
guint fb_search_panel_get_current (FbSearchPanel *panel);
/* What was typed has been answered. */
gboolean fb_search_panel_is_settled (FbSearchPanel *panel);
/* Signals: `closed`; `picked`, a hit was gone to: it is to be in view; `missed`, there is none. */
