/* The same node in two views: what a node of one step is called in the history of the row, and which node of another step that is. Worker
 * only. */
#pragma once

#include "app/step-view.h"

/* The life of @uop, a node of @view's graph or of the one before the step; FB_LIFE_NONE: it has none, as in rows without passes. */
guint32 fb_step_view_find_life (FbStepView *view, FbUop *uop);
/* What @life, of whatever pass, is in @view's graph; NULL: nothing. What the step replaced is found too. */
FbUop *fb_step_view_find_node (FbStepView *view, guint32 life);
