/* Graphviz on request: the cards of the pass stand where dot puts them. */
#pragma once

#include "app/document.h"

/* Asks dot to place what is on the screen; the steps of the pass then keep to it. Off the main loop, with Cancel; the layout stays as it
 * is when it fails. */
void fb_document_refine (FbDocument *doc, GAsyncReadyCallback done, gpointer data);
gboolean fb_document_refine_finish (FbDocument *doc, GAsyncResult *result, GError **error);
/* The pass is laid out as dot had it; then fb_document_unrefine() goes back to our own layout. */
gboolean fb_document_is_refined (FbDocument *doc);
void fb_document_unrefine (FbDocument *doc);
