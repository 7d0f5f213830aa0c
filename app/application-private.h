#pragma once

#include <adwaita.h>

#define FB_TYPE_APPLICATION (fb_application_get_type ())
G_DECLARE_FINAL_TYPE (FbApplication, fb_application, FB, APPLICATION, AdwApplication)

typedef enum
{
  FB_APPLICATION_SHARED,     /* files asked for later, by other processes, open in this one */
  FB_APPLICATION_OWN,        /* of one process */
  FB_APPLICATION_STANDALONE, /* and nothing of the person's is read or stored: screenshots, tests */
} FbApplicationKind;

typedef struct _FbWindow FbWindow;

FbApplication *fb_application_new (FbApplicationKind kind);
gboolean fb_application_is_standalone (FbApplication *app);
/* Shows an empty window; borrowed. */
FbWindow *fb_application_new_window (FbApplication *app);
/* Shows @path in the window that has it open, else in one that shows nothing, else in a new one; borrowed. @release NULL: detected;
 * @row from 1 (0: the first), @pass a number or a title (NULL: the first), @step from 0. Of a file that is already shown without
 * any of these the place stays. */
FbWindow *fb_application_open (FbApplication *app, const char *path, const char *release, guint row, const char *pass,
                               guint step);
