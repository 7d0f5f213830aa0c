/* How large the person wants text, as a factor of the usual size: 1, 1.5, 2. */
#pragma once

#include <gtk/gtk.h>

/* Of the display's settings. `notify::gtk-xft-dpi` of the GtkSettings says when it changes. */
double fb_text_scale (void);
