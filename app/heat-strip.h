/* Every step of the row as one cell: how much it touched, whether the graph grew or shrank, where we are. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_HEAT_STRIP (fb_heat_strip_get_type ())
G_DECLARE_FINAL_TYPE (FbHeatStrip, fb_heat_strip, FB, HEAT_STRIP, GtkWidget)

/* @doc is kept. Call once. */
void fb_heat_strip_set_document (FbHeatStrip *strip, FbDocument *doc);
