/* The panel about the selected node and the rule of this step. */
#pragma once

#include <gtk/gtk.h>

#include "app/scenarios.h"

#define FB_TYPE_INSPECTOR (fb_inspector_get_type ())
G_DECLARE_FINAL_TYPE (FbInspector, fb_inspector, FB, INSPECTOR, GtkWidget)

/* @doc and @scenarios are kept. Call once. */
void fb_inspector_set_document (FbInspector *inspector, FbDocument *doc, FbScenarios *scenarios);
/* Shows the first thing that would change the verdict of the node. FALSE: there is none, or it is not known yet. */
gboolean fb_inspector_try (FbInspector *inspector);
/* "node", "rule" or "why" */
void fb_inspector_set_tab (FbInspector *inspector, const char *tab);
/* The note about the node or the step, whichever tab shows: gives it the keyboard; writes down what was typed. */
void fb_inspector_edit_note (FbInspector *inspector);
void fb_inspector_flush_note (FbInspector *inspector);
/* Copies the selected node's key, 64 hex digits. FALSE: nothing is selected. */
gboolean fb_inspector_copy_key (FbInspector *inspector);
