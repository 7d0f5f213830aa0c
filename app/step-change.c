/* Which step changes a node. */
#include "app/step-follow.h"

gboolean
fb_step_view_find_change (FbStepView *view, FbUop *uop, int direction, FbStepPosition *found)
{
  guint32 life = fb_step_view_find_life (view, uop), pass = view->pass, step = view->step;
  if (life == FB_LIFE_NONE
      || !fb_history_find_change (fb_query_index_history (view->row->index), life, &pass, &step, direction))
    return FALSE;
  *found = (FbStepPosition){ pass, step };
  return TRUE;
}
