/* The drawer's page of the C that runs a kernel. Where the cursor is, the node that the line computes is selected. */
#pragma once

#include "app/document.h"

#include <gtk/gtk.h>

#define FB_TYPE_CODE_PAGE (fb_code_page_get_type ())
G_DECLARE_FINAL_TYPE (FbCodePage, fb_code_page, FB, CODE_PAGE, GtkWidget)

/* Once. */
void fb_code_page_set_document (FbCodePage *page, FbDocument *doc);
/* TRUE: the row has kernels. */
gboolean fb_code_page_has_code (FbCodePage *page);
/* Shows the code of kernel @kernel, from 1, made when the page is seen. */
void fb_code_page_set_kernel (FbCodePage *page, guint kernel);
/* 0: none yet. */
guint fb_code_page_get_kernel (FbCodePage *page);
/* NULL: not made yet. */
const char *fb_code_page_get_text (FbCodePage *page);
/* As if the cursor went to that line, from 0. FALSE: it computes no node. */
gboolean fb_code_page_go_to_line (FbCodePage *page, guint line);
gboolean fb_code_page_is_settled (FbCodePage *page);
