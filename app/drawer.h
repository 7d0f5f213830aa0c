/* The drawer under the graph: what a step changed, as text; a kernel's source; the graph as a table; rules; breakpoints. */
#pragma once

#include <gtk/gtk.h>

#include "app/breakpoint-set.h"
#include "app/buffer-page.h"
#include "app/code-page.h"
#include "app/scenario-list.h"

#define FB_TYPE_DRAWER_PANEL (fb_drawer_panel_get_type ())
G_DECLARE_FINAL_TYPE (FbDrawerPanel, fb_drawer_panel, FB, DRAWER_PANEL, GtkWidget)

/* @doc and @scenarios are kept. Call once. */
void fb_drawer_panel_set_document (FbDrawerPanel *drawer, FbDocument *doc, FbScenarios *scenarios);
void fb_drawer_panel_set_breakpoints (FbDrawerPanel *drawer, FbBreakpointSet *breakpoints);
/* What its page of buffers looks at. Once. */
void fb_drawer_panel_set_buffers (FbDrawerPanel *drawer, FbBufferView *view);
/* Opens what sets the inputs of a run. */
void fb_drawer_panel_show_inputs (FbDrawerPanel *drawer);
/* The page of rules lists those of the pass where we are, or, as at first, those of all passes. */
void fb_drawer_panel_set_rules_of_pass (FbDrawerPanel *drawer, gboolean of_pass);
/* The page of buffers. */
FbBufferPage *fb_drawer_panel_get_buffers (FbDrawerPanel *drawer);
void fb_drawer_panel_set_side_by_side (FbDrawerPanel *drawer, gboolean side_by_side);
/* "diff", "kernels", "nodes", "scenarios", "buffers", "code", "rules", "breakpoints", "log", or "source" of a row that has one. */
void fb_drawer_panel_set_tab (FbDrawerPanel *drawer, const char *tab);
/* As above. */
const char *fb_drawer_panel_get_tab (FbDrawerPanel *drawer);
/* The list of nodes takes the keyboard; FALSE: it had it already. */
gboolean fb_drawer_panel_focus_nodes (FbDrawerPanel *drawer);
/* The same of "rules" and "breakpoints". */
gboolean fb_drawer_panel_focus_page (FbDrawerPanel *drawer, const char *page);
/* A line for the log. */
void fb_drawer_panel_log (FbDrawerPanel *drawer, const char *text);
/* Selects what a kernel, numbered from 1, stores. FALSE: there is no such kernel. */
gboolean fb_drawer_panel_select_kernel (FbDrawerPanel *drawer, guint kernel);
gboolean fb_drawer_panel_has_source (FbDrawerPanel *drawer);
/* The page of scenarios. */
FbScenarioList *fb_drawer_panel_get_scenarios (FbDrawerPanel *drawer);
/* Its lists have all their rows. */
gboolean fb_drawer_panel_is_settled (FbDrawerPanel *panel);
/* The page of generated code. */
FbCodePage *fb_drawer_panel_get_code (FbDrawerPanel *drawer);
/* Copies what the tab shows as text. FALSE: there is none. */
gboolean fb_drawer_panel_copy (FbDrawerPanel *drawer);
