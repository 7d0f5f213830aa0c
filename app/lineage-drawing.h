/* A node with what led to it above and what it became below, as small cards with lines. A card is a button. */
#pragma once

#include "app/document-query.h"

#include <gtk/gtk.h>

#define FB_TYPE_LINEAGE_DRAWING (fb_lineage_drawing_get_type ())
G_DECLARE_FINAL_TYPE (FbLineageDrawing, fb_lineage_drawing, FB, LINEAGE_DRAWING, GtkWidget)

/* @trace is read here and not kept; NULL: nothing is drawn. */
void fb_lineage_drawing_set_trace (FbLineageDrawing *drawing, const FbTrace *trace);
/* Where the card of the node asked for is: its middle, in px; FALSE: there is none. */
gboolean fb_lineage_drawing_get_focus (FbLineageDrawing *drawing, double *x, double *y);
/* Signal: picked (guint node), a card was clicked. */
