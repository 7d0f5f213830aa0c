/* What was done and how long it took, line by line, the newest last: steps shown, layouts, how many nodes moved, failures. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_LOG_PAGE (fb_log_page_get_type ())
G_DECLARE_FINAL_TYPE (FbLogPage, fb_log_page, FB, LOG_PAGE, GtkWidget)

/* @doc is kept. Call once. */
void fb_log_page_set_document (FbLogPage *page, FbDocument *doc);
/* One line; the time is put before it. */
void fb_log_page_add (FbLogPage *page, const char *text);
/* All lines. Free with g_free. */
char *fb_log_page_get_text (FbLogPage *page);
