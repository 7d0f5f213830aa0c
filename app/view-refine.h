/* Graphviz on request: the cards of the pass stand where dot puts them. */
#pragma once

#include "app/document.h"

/* Asks dot to place what is on the screen; off the main loop, with Cancel. */
void fb_document_refine (FbDocument *doc, GAsyncReadyCallback done, gpointer data);
/* The view with these places: the steps of the pass keep to them. NULL with an error. */
FbViewState *fb_document_refine_finish (FbDocument *doc, GAsyncResult *result, GError **error);
/* The pass is laid out as dot had it; then fb_document_unrefine() is the view with our own layout. */
gboolean fb_document_is_refined (FbDocument *doc);
FbViewState *fb_document_unrefine (FbDocument *doc);
