/* Any bytes as a VIZ trace: an error, or contexts whose rewrites can be gone through match by match, and stepped through as passes in any
 * order. */
#include "fuzz.h"

#include "core/query/history.h"
#include "core/replay/passes.h"
#include "core/rewrite/stepper.h"
#include "core/viztrace/compare.h"
#include "core/viztrace/viztrace-schedule.h"

enum
{
  MAX_MATCHES = 64, /* gone through in a rewrite */
  MAX_PASSES = 16,  /* stepped through in a context */
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

static void
step_through (FbContext *context, const FbPass *pass)
{
  g_autoptr (FbStepper) stepper = fb_stepper_new (context, pass);
  guint n = MIN (pass->matches->len, MAX_MATCHES);

  /* forwards, then every third backwards */
  for (guint i = 0; i < 2 * n + 1; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FbStep) step = i > n && i % 3 ? NULL : fb_stepper_step (stepper, i <= n ? i : 2 * n - i, &error);

      g_assert (!step || step->after_sink);
    }
}

static void
schedule (FbVizNodes *nodes, FbContext *context, guint index)
{
  g_autoptr (FbSchedule) made = fb_viz_schedule_new (nodes, index, NULL);
  g_autoptr (FbHistory) history = fb_history_new (made, NULL);

  g_assert (history != NULL);
  for (guint i = 0; i < MIN (made->passes->len, MAX_PASSES); i++)
    step_through (context, fb_schedule_pass (made, i));
}

/* A context that is a schedule of the release whose scheduler we have, as if it had been captured. */
static void
replay (FbVizTrace *trace, guint index)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FbRecorded) recorded = NULL;

  if (!fb_viz_trace_is_schedule (trace, index))
    return;
  recorded = fb_recorded_new (trace, index, context, &error);
  g_assert ((recorded == NULL) == (error != NULL));
  if (!recorded)
    return;
  g_autoptr (FbSchedule) made = fb_schedule_new (context, recorded->sink, NULL);
  FbReplayPasses *passes = fb_replay_passes_new (recorded, made);
  g_autofree char *text = fb_replay_passes_to_text (passes);

  g_assert (*text);
  fb_replay_passes_free (passes);
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
      schedule (nodes, context, i);
      replay (trace, i);
    }
  /* a trace is like itself as far as it can be read */
  g_autoptr (FbVizComparison) comparison = fb_viz_comparison_new (trace, trace, NULL, NULL, NULL, &error);
  g_assert (comparison != NULL);
  g_assert (fb_viz_comparison_count (comparison, FB_VIZ_ONLY_A) == fb_viz_comparison_count (comparison, FB_VIZ_ONLY_B));
  return 0;
}
