/* The rows of the open file: row, nodes, kernels, options. Searched by row number, option or key.
 *
 * Rows are decoded when they come into view, or all of them, in the background, when a search needs what is inside. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_CAPTURE_LIST (fb_capture_list_get_type ())
G_DECLARE_FINAL_TYPE (FbCaptureList, fb_capture_list, FB, CAPTURE_LIST, GtkWidget)

/* Signal `picked` (): a row was chosen and is being loaded. */

/* @doc is kept. Call once. */
void fb_capture_list_set_document (FbCaptureList *list, FbDocument *doc);
/* Puts the keyboard in the search entry. */
void fb_capture_list_focus_search (FbCaptureList *list);
/* Scrolls to the row that is shown. */
void fb_capture_list_reveal (FbCaptureList *list);
