#pragma once

#include <adwaita.h>

#define FB_TYPE_APPLICATION (fb_application_get_type ())
G_DECLARE_FINAL_TYPE (FbApplication, fb_application, FB, APPLICATION, AdwApplication)

/* @standalone: no session bus, nothing of the person's is read or stored (screenshots, tests). */
FbApplication *fb_application_new (gboolean standalone);
/* A window is being shown for this file; NULL: none. */
void fb_application_open (FbApplication *app, const char *path, guint row, const char *pass, guint step);
gboolean fb_application_is_standalone (FbApplication *app);
