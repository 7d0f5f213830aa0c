/* The bar under the graph: step buttons, the heat strip, where we are. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_SCRUBBER (fb_scrubber_get_type ())
G_DECLARE_FINAL_TYPE (FbScrubber, fb_scrubber, FB, SCRUBBER, GtkWidget)

/* @doc is kept. Call once. */
void fb_scrubber_set_document (FbScrubber *scrubber, FbDocument *doc);
void fb_scrubber_set_playing (FbScrubber *scrubber, gboolean playing);
