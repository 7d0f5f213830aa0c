/* Undo and redo of how a graph is looked at: what is hidden and collapsed, and from where it is seen. */
#pragma once

#include "app/canvas.h"
#include "app/view-state.h"

typedef struct _FbViewHistory FbViewHistory;

FbViewHistory *fb_view_history_new (void);
void fb_view_history_free (FbViewHistory *history);
/* Forgets everything: another graph. */
void fb_view_history_clear (FbViewHistory *history);
/* What is left by a change that follows; @state is kept. What was undone is forgotten. */
void fb_view_history_push (FbViewHistory *history, FbViewState *state, FbCamera camera);
/* -1: undo; 1: redo. */
gboolean fb_view_history_can_go (const FbViewHistory *history, int direction);
/* Gives what is to be shown in the place of @state and @camera. @state: a reference is taken; *@to: the caller's. FALSE: there is
 * nothing. */
gboolean fb_view_history_go (FbViewHistory *history, int direction, FbViewState *state, FbCamera camera,
                             FbViewState **to, FbCamera *to_camera);
