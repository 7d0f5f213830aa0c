/* A hit of a search as a row of a list: where, what happens to the node there, the node, the rule. */
#pragma once

#include "app/document-query.h"

#include <gtk/gtk.h>

GtkWidget *fb_search_row_new (void);
/* @view: the row of the capture that the hit is of. */
void fb_search_row_show (GtkWidget *row, FbRowView *view, FbAskScope scope, const FbAnswerRow *hit);
