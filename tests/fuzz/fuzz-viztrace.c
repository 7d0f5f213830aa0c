/* Any bytes as a VIZ trace: an error, or contexts whose rewrites can be gone through match by match. */
#include "fuzz.h"

#include "core/viztrace/compare.h"

enum
{
  MAX_MATCHES = 64, /* gone through in a rewrite */
};

static void
go_through (FbVizNodes *nodes, const FbVizRewrite *rewrite)
{
  g_autoptr (GError) error = NULL;
  FbUop *sink = fb_viz_nodes_sink (nodes, rewrite, &error);

  g_assert ((sink == NULL) == (error != NULL));
  if (!sink)
    return;
  g_autoptr (FbVizReplay) replay = fb_viz_replay_new (nodes, rewrite, sink);
  for (guint i = 0; i < MIN (rewrite->n_matches, MAX_MATCHES); i++)
    {
      FbVizMatch match;

      if (!fb_viz_nodes_match (nodes, rewrite, i, &match, &error))
        {
          g_assert (error != NULL);
          return;
        }
      if (!fb_viz_replay_apply (replay, &match))
        return;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbVizTrace) trace = fb_viz_trace_new (bytes, "fuzz", NULL, &error);

  g_assert ((trace == NULL) == (error != NULL));
  if (!trace)
    return 0;
  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    {
      const FbVizContext *group = fb_viz_trace_context (trace, i);
      g_autoptr (FbContext) context = fb_context_new ();
      g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);

      for (guint k = 0; k < group->n_rewrites; k++)
        go_through (nodes, &group->rewrites[k]);
    }
  /* a trace is like itself as far as it can be read */
  g_autoptr (FbVizComparison) comparison = fb_viz_comparison_new (trace, trace, NULL, NULL, NULL, &error);
  g_assert (comparison != NULL);
  g_assert (fb_viz_comparison_count (comparison, FB_VIZ_ONLY_A) == fb_viz_comparison_count (comparison, FB_VIZ_ONLY_B));
  return 0;
}
