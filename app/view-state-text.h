/* A view of the graph as text, for sessions. */
#pragma once

#include "app/view-state.h"

/* Free with g_free. */
char *fb_view_state_to_text (const FbViewState *state);
/* NULL: it makes no sense. */
FbViewState *fb_view_state_from_text (const char *text);
