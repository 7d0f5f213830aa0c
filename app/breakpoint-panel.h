/* The breakpoints as a list: a new one by a question, on and off, away with it. A page of the drawer. */
#pragma once

#include "app/breakpoint-set.h"

#include <gtk/gtk.h>

#define FB_TYPE_BREAKPOINT_PANEL (fb_breakpoint_panel_get_type ())
G_DECLARE_FINAL_TYPE (FbBreakpointPanel, fb_breakpoint_panel, FB, BREAKPOINT_PANEL, GtkWidget)

/* Once. */
void fb_breakpoint_panel_set_breakpoints (FbBreakpointPanel *panel, FbBreakpointSet *breakpoints);
