/* Breakpoints of a window: questions (core/query/query.h), each of which stops at the steps where such a thing happens. They stay from row
 * to row and from file to file; their stops are red dots in the scrubber.
 *
 * A GListModel of FbBreakpoint. */
#pragma once

#include "app/document.h"

#define FB_TYPE_BREAKPOINT (fb_breakpoint_get_type ())
G_DECLARE_FINAL_TYPE (FbBreakpoint, fb_breakpoint, FB, BREAKPOINT, GObject)

/* "rule=movement-to-view" */
const char *fb_breakpoint_get_text (FbBreakpoint *breakpoint);
gboolean fb_breakpoint_get_enabled (FbBreakpoint *breakpoint);
/* FALSE: the row was not searched yet. */
gboolean fb_breakpoint_get_n_stops (FbBreakpoint *breakpoint, guint *n_stops);
/* Signal: changed. */

#define FB_TYPE_BREAKPOINT_SET (fb_breakpoint_set_get_type ())
G_DECLARE_FINAL_TYPE (FbBreakpointSet, fb_breakpoint_set, FB, BREAKPOINT_SET, GObject)

FbBreakpointSet *fb_breakpoint_set_new (FbDocument *doc);
/* FALSE, and why in @error, when @text is no question. What is there already is enabled. */
gboolean fb_breakpoint_set_add (FbBreakpointSet *set, const char *text, GError **error);
void fb_breakpoint_set_remove (FbBreakpointSet *set, FbBreakpoint *breakpoint);
void fb_breakpoint_set_enable (FbBreakpointSet *set, FbBreakpoint *breakpoint, gboolean enabled);
/* NULL: there is none with this text. Borrowed. */
FbBreakpoint *fb_breakpoint_set_find (FbBreakpointSet *set, const char *text);
guint fb_breakpoint_set_get_n_enabled (FbBreakpointSet *set);
/* Goes to the next (1) or the last (-1) stop from where we are, and selects what it is about. The breakpoint that stops there, borrowed;
 * NULL: there is no such step. */
FbBreakpoint *fb_breakpoint_set_walk (FbBreakpointSet *set, int direction);
/* Every breakpoint has looked at the row. */
gboolean fb_breakpoint_set_is_settled (FbBreakpointSet *set);
