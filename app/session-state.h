/* How a window stands, as texts of its session. */
#pragma once

#include "app/window-private.h"

void fb_session_state_store (FbWindow *window, FbSessionFile *session);
/* Panels, tabs, switches: when the file is opened. */
void fb_session_state_restore_panels (FbWindow *window, FbSessionFile *session);
/* What is hidden and collapsed: when the row is loaded, before a step of it is shown. */
void fb_session_state_restore_graph (FbWindow *window, FbSessionFile *session);
/* Where dot put cards: whenever a row is loaded, after the above. */
void fb_session_state_restore_layouts (FbWindow *window, FbSessionFile *session);
/* Selection and camera: when the step is shown, if it is the one that the session was left at. */
void fb_session_state_restore_view (FbWindow *window, FbSessionFile *session);
