#include "app/trace-compare-pair.h"

#include "core/ir/text.h"
#include "core/rewrite/step.h"

/* Lines the same around a change. */
#define CONTEXT_LINES 3

static FbScene *
draw (FbTracePair *pair, FbUop *const graphs[2], guint side, FbMetrics metrics, GCancellable *cancellable,
      GError **error)
{
  FbContext *context = fb_viz_union_context (pair->both);
  g_autoptr (FbGraph) graph
      = pair->step ? fb_graph_new_from_step (context, pair->step, side ? FB_GRAPH_AFTER : FB_GRAPH_BEFORE)
                   : fb_graph_new_from_sink (context, graphs[side]);
  /* what is the same stands where it stands in A */
  return fb_scene_new (graph, &metrics, side ? pair->scenes[0] : NULL, cancellable, error);
}

FbTracePair *
fb_trace_pair_new (FbVizTrace *const traces[2], const FbVizRewrite *const rewrites[2], gboolean after,
                   FbMetrics metrics, GCancellable *cancellable, GError **error)
{
  g_autoptr (FbTracePair) pair = g_new0 (FbTracePair, 1);
  FbUop *graphs[2] = { NULL };
  char *texts[2];
  pair->both = fb_viz_union_new ();
  FbContext *context = fb_viz_union_context (pair->both);
  for (guint side = 0; side < 2; side++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || (rewrites[side]
            && !(graphs[side] = fb_viz_union_add (pair->both, traces[side], rewrites[side], after, error))))
      return NULL;
  if (graphs[0] && graphs[1])
    pair->step = fb_step_new_compare (context, graphs[0], graphs[1]);
  for (guint side = 0; side < 2; side++)
    if (graphs[side] && !(pair->scenes[side] = draw (pair, graphs, side, metrics, cancellable, error)))
      return NULL;
  for (guint side = 0; side < 2; side++)
    texts[side] = graphs[side] ? fb_uop_to_text (context, graphs[side]) : g_strdup ("");
  pair->diff = fb_text_diff_new (texts[0], texts[1], CONTEXT_LINES);
  g_free (texts[0]);
  g_free (texts[1]);
  return g_steal_pointer (&pair);
}

void
fb_trace_pair_free (FbTracePair *pair)
{
  if (!pair)
    return;
  for (guint side = 0; side < 2; side++)
    g_clear_pointer (&pair->scenes[side], fb_scene_unref);
  g_clear_pointer (&pair->step, fb_step_free);
  g_clear_pointer (&pair->diff, fb_text_diff_free);
  fb_viz_union_free (pair->both);
  g_free (pair);
}
