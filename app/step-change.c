/* Which step changes a node. */
#include "app/step-view.h"

static guint64
key_of (const FbGraph *graph, FbUop *uop, guint64 otherwise)
{
  guint32 card = fb_graph_find (graph, uop);
  return card == FB_GRAPH_NONE ? otherwise : graph->nodes[card].key;
}

/* The node of @graph with this key; NULL when no card has it. */
static FbUop *
find_key (const FbGraph *graph, guint64 key)
{
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (graph->nodes[i].key == key && graph->nodes[i].mark != FB_MARK_REPLACED && graph->nodes[i].mark != FB_MARK_GONE)
      return graph->nodes[i].uop;
  return NULL;
}

static gboolean
changes_key (const FbGraph *graph, guint64 key)
{
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (graph->nodes[i].mark != FB_MARK_SAME && (graph->nodes[i].key == key || graph->nodes[i].was_key == key))
      return TRUE;
  return FALSE;
}

static gboolean
keeps_node (const FbStep *record, const FbUop *uop)
{
  for (guint i = 0; i < record->nodes->len; i++)
    if (g_array_index (record->nodes, FbStepNode, i).node == uop)
      return g_array_index (record->nodes, FbStepNode, i).mark == FB_MARK_SAME;
  return FALSE;
}

/* Neighbouring steps share a context, and a node that stays is the same there: only when another context is begun, the node is to
 * be found again by its key. */
static guint
find_change_forwards (FbStepView *view, guint64 key, GCancellable *cancellable)
{
  const FbPassView *pass = fb_step_view_pass (view);
  const FbUop *uop = NULL;
  g_autoptr (FbStep) last = NULL; /* while it lives, so do its context and @uop */
  for (guint step = view->step + 1; step <= pass->n_steps && !g_cancellable_is_cancelled (cancellable); step++)
    {
      g_autoptr (FbStep) record = fb_row_view_step (view->row, FB_STEPS_OF_SEARCH, view->pass, step, NULL);
      if (!record)
        return 0;
      if (uop && record->context == last->context)
        {
          if (!keeps_node (record, uop))
            return step;
        }
      else
        {
          g_autoptr (FbGraph) graph = fb_graph_new_from_step (record->context, record, FB_GRAPH_OVERLAY);
          if (changes_key (graph, key))
            return step;
          uop = find_key (graph, key);
        }
      fb_step_free (last);
      last = g_steal_pointer (&record);
    }
  return 0;
}

static guint
find_change_backwards (FbStepView *view, guint64 key, GCancellable *cancellable)
{
  /* The first step to look at is the one that made the node what it is now. */
  for (guint step = view->step; step >= 1 && !g_cancellable_is_cancelled (cancellable); step--)
    {
      g_autoptr (FbStep) record = fb_row_view_step (view->row, FB_STEPS_OF_SEARCH, view->pass, step, NULL);
      if (!record)
        return 0;
      g_autoptr (FbGraph) graph = fb_graph_new_from_step (record->context, record, FB_GRAPH_OVERLAY);
      if (step != view->step)
        {
          if (changes_key (graph, key))
            return step;
          continue;
        }
      /* The step on the screen changed it: go on from what it was before. */
      for (guint32 i = 0; i < graph->n_nodes; i++)
        {
          const FbGraphNode *node = &graph->nodes[i];
          if (node->mark == FB_MARK_SAME || (node->key != key && node->was_key != key))
            continue;
          if (node->mark == FB_MARK_REBUILT)
            key = node->was_key;
          else if (node->mark == FB_MARK_NEW)
            key = key_of (graph, record->before, key);
          break;
        }
    }
  return 0;
}

guint
fb_step_view_find_change (FbStepView *view, guint64 key, int direction, GCancellable *cancellable)
{
  if (!fb_step_view_pass (view))
    return 0;
  return direction > 0 ? find_change_forwards (view, key, cancellable) : find_change_backwards (view, key, cancellable);
}
