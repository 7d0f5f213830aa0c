/* The bar under the graph: step buttons, the heat strip, where we are. */
#pragma once

#include <gtk/gtk.h>

#include "app/heat-strip.h"

#define FB_TYPE_SCRUBBER (fb_scrubber_get_type ())
G_DECLARE_FINAL_TYPE (FbScrubber, fb_scrubber, FB, SCRUBBER, GtkWidget)

/* @doc is kept. Call once. */
void fb_scrubber_set_document (FbScrubber *scrubber, FbDocument *doc);
void fb_scrubber_set_playing (FbScrubber *scrubber, gboolean playing);
/* What the heat strip shows. */
void fb_scrubber_set_heat (FbScrubber *scrubber, FbHeatKind kind);
/* Asks for a step by its number; nothing when there are none. */
void fb_scrubber_ask_step (FbScrubber *scrubber);
