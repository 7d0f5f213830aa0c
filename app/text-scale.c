#include "app/text-scale.h"

/* gtk-xft-dpi is in 1024ths; this is what a factor of 1 has. */
#define USUAL_DPI (96 * 1024.0)

double
fb_text_scale (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi = 0;
  if (settings)
    g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? CLAMP (dpi / USUAL_DPI, 0.5, 3) : 1;
}
