#include "app/step-follow.h"

static const FbHistory *
history_of (FbStepView *view)
{
  return view->record ? fb_query_index_history (fb_row_view_get_index (view->row)) : NULL;
}

/* The life that @uop is a version of in the graph of @step. */
static guint32
life_at (FbStepView *view, const FbHistory *history, FbUop *uop, guint step)
{
  guint32 life = fb_history_find (history, view->pass, uop);
  if (life != FB_LIFE_NONE && fb_history_is_alive (history, life, step) && step < fb_history_life (history, life)->end)
    return life;
  guint32 first = history->first_life[view->pass], n = history->first_life[view->pass + 1] - first;
  g_autofree FbUop **nodes = fb_history_nodes_at (history, view->record->context, view->pass, step);
  for (guint32 i = 0; i < n; i++)
    if (nodes[i] == uop)
      return first + i;
  return FB_LIFE_NONE;
}

guint32
fb_step_view_find_life (FbStepView *view, FbUop *uop)
{
  const FbHistory *history = history_of (view);
  if (!history || view->pass >= view->row->n_passes)
    return FB_LIFE_NONE;
  guint32 life = life_at (view, history, uop, view->step);
  return life == FB_LIFE_NONE && view->step ? life_at (view, history, uop, view->step - 1) : life;
}

static FbUop *
node_at (FbStepView *view, const FbHistory *history, guint32 life, guint step)
{
  life = fb_history_follow (history, life, view->pass, step);
  if (life == FB_LIFE_NONE)
    return NULL;
  const FbLife *l = fb_history_life (history, life);
  FbUop *node = l->uop;
  if (step >= l->end)
    {
      g_autofree FbUop **nodes = fb_history_nodes_at (history, view->record->context, view->pass, step);
      node = nodes[life - history->first_life[view->pass]];
    }
  return node && fb_graph_find (fb_step_view_whole (view), node) != FB_GRAPH_NONE ? node : NULL;
}

FbUop *
fb_step_view_find_node (FbStepView *view, guint32 life)
{
  const FbHistory *history = history_of (view);
  if (!history || view->pass >= view->row->n_passes || life >= history->lives->len)
    return NULL;
  gboolean here = fb_history_life (history, life)->pass == view->pass;
  gboolean replaced = here && view->step && !fb_history_is_alive (history, life, view->step)
                      && fb_history_is_alive (history, life, view->step - 1);
  FbUop *node = NULL;
  /* the very node, where the picture still has it */
  if (replaced)
    node = node_at (view, history, life, view->step - 1);
  return node ? node : node_at (view, history, life, view->step);
}
