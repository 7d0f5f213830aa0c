#include "app/replay-pair.h"

#include <glib/gi18n.h>

#include "core/ir/text.h"

/* Lines the same around a change. */
#define CONTEXT_LINES 3

FbReplayKernels *
fb_replay_kernels_new (const char *path, const char *release, guint row, const GArray *options,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (FbCapture) capture = fb_capture_open_any (path, release, error);
  if (!capture)
    return NULL;
  g_autoptr (FbReplayKernels) kernels = g_new0 (FbReplayKernels, 1);
  g_atomic_ref_count_init (&kernels->refs);
  kernels->row = row;
  kernels->context = fb_context_new ();
  kernels->captured = fb_capture_read_row (capture, fb_replay_file_kind (capture), row, kernels->context, error);
  if (!kernels->captured || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  fb_replay_options_apply (options, kernels->context);
  kernels->schedule = fb_schedule_new (kernels->context, kernels->captured->sink, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&kernels);
}

FbReplayKernels *
fb_replay_kernels_ref (FbReplayKernels *kernels)
{
  g_atomic_ref_count_inc (&kernels->refs);
  return kernels;
}

void
fb_replay_kernels_unref (FbReplayKernels *kernels)
{
  if (!kernels || !g_atomic_ref_count_dec (&kernels->refs))
    return;
  g_clear_pointer (&kernels->schedule, fb_schedule_free);
  g_clear_pointer (&kernels->captured, fb_capture_row_free);
  g_clear_pointer (&kernels->context, fb_context_free);
  g_free (kernels);
}

/* --- the pair --- */

static FbScene *
draw (FbContext *context, const FbStep *step, FbUop *alone, FbGraphView view, FbMetrics metrics, const FbScene *hint,
      GCancellable *cancellable, GError **error)
{
  g_autoptr (FbGraph) graph
      = alone ? fb_graph_new_from_sink (context, alone) : fb_graph_new_from_step (context, step, view);
  return fb_scene_new (graph, &metrics, hint, cancellable, error);
}

FbReplayPair *
fb_replay_pair_new (FbReplayKernels *kernels, guint captured, guint scheduled, FbMetrics metrics,
                    GCancellable *cancellable, GError **error)
{
  FbContext *context = kernels->context;
  const GPtrArray *old = kernels->captured->kernels;
  FbUop *before = captured < old->len ? g_ptr_array_index (old, captured) : NULL;
  FbUop *after
      = scheduled < kernels->schedule->kernels->len ? fb_schedule_kernel (kernels->schedule, scheduled)->ast : NULL;
  if ((!before && captured != FB_NO_KERNEL) || (!after && scheduled != FB_NO_KERNEL) || (!before && !after))
    {
      /* The file is not the one that was replayed. */
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Row %u has no such kernel any more; replay it again"),
                   kernels->row);
      return NULL;
    }
  g_autoptr (FbReplayPair) pair = g_new0 (FbReplayPair, 1);
  pair->kernels = fb_replay_kernels_ref (kernels);
  g_autoptr (FbStep) step = before && after ? fb_step_new_compare (context, before, after) : NULL;
  gboolean ok = TRUE;
  if (before)
    ok = (pair->captured
          = draw (context, step, after ? NULL : before, FB_GRAPH_BEFORE, metrics, NULL, cancellable, error))
         != NULL;
  if (ok && after)
    ok = (pair->scheduled
          = draw (context, step, before ? NULL : after, FB_GRAPH_AFTER, metrics, pair->captured, cancellable, error))
         != NULL;
  if (!ok)
    return NULL;
  g_autofree char *old_text = before ? fb_uop_to_text (context, before) : g_strdup ("");
  g_autofree char *new_text = after ? fb_uop_to_text (context, after) : g_strdup ("");
  pair->diff = fb_text_diff_new (old_text, new_text, CONTEXT_LINES);
  return g_steal_pointer (&pair);
}

void
fb_replay_pair_free (FbReplayPair *pair)
{
  if (!pair)
    return;
  g_clear_pointer (&pair->captured, fb_scene_unref);
  g_clear_pointer (&pair->scheduled, fb_scene_unref);
  g_clear_pointer (&pair->diff, fb_text_diff_free);
  g_clear_pointer (&pair->kernels, fb_replay_kernels_unref);
  g_free (pair);
}
