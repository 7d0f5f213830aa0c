/* Every step of the row as one cell: how much it touched, whether the graph grew or shrank, what is marked, where we are. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

/* What the height of a bar says. */
typedef enum
{
  FB_HEAT_TOUCHED, /* nodes replaced, new and rebuilt */
  FB_HEAT_GROWTH,  /* nodes more or less */
  FB_HEAT_TIME,    /* how long the match took, once that is known (rule-timing.h) */
  FB_HEAT_TRIES,   /* how often the rule was tried in the pass for each time it fired */
} FbHeatKind;

#define FB_TYPE_HEAT_STRIP (fb_heat_strip_get_type ())
G_DECLARE_FINAL_TYPE (FbHeatStrip, fb_heat_strip, FB, HEAT_STRIP, GtkWidget)

/* @doc is kept. Call once. */
void fb_heat_strip_set_document (FbHeatStrip *strip, FbDocument *doc);
void fb_heat_strip_set_kind (FbHeatStrip *strip, FbHeatKind kind);
