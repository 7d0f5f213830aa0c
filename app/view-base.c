#include "app/view-base.h"

/* Nodes of a pass whose places take long enough to find to be kept. */
#define KEEP_FROM 1000

/* The cards of the step that dot was asked about, where it put them. NULL without an error: they are not those any more. */
static FbScene *
placed_scene (FbRowView *row, const FbViewPlaces *places, const FbViewBase *base, const FbMetrics *metrics,
              GCancellable *cancellable, GError **error)
{
  if (places->scene)
    return fb_scene_ref (places->scene);
  if (places->place.step > row->passes[base->pass].n_steps)
    return NULL;
  g_autoptr (FbStep) step = fb_row_view_step (row, FB_STEPS_OF_SEARCH, base->pass, places->place.step, NULL);
  if (!step)
    return NULL;
  g_autoptr (FbGraph) whole = fb_graph_new_from_step (step->context, step, places->side);
  g_autoptr (FbGraph) shown = fb_view_state_apply (base->state, whole, NULL, base->kernels);
  return fb_view_places_scene (places, shown, metrics, cancellable, error);
}

/* FALSE with an error. */
static gboolean
find_places (FbViewBase *base, FbRowView *row, const FbMetrics *metrics, FbPlacesGet get, gpointer data,
             GCancellable *cancellable, GError **error)
{
  const FbHistory *history = fb_row_view_get_history (row);
  gboolean keeps = get && history->first_life[base->pass + 1] - history->first_life[base->pass] >= KEEP_FROM;
  if (keeps)
    {
      base->digest = fb_places_digest (history, base->pass, metrics);
      g_autoptr (GBytes) kept = get (base->digest, data);
      base->places = kept ? fb_places_new_from_bytes (history, base->pass, metrics, kept) : NULL;
    }
  if (base->places)
    return TRUE;
  base->places = fb_places_new (history, base->pass, metrics, cancellable, error);
  if (base->places && keeps)
    base->to_keep = fb_places_to_bytes (base->places);
  return base->places != NULL;
}

FbViewBase *
fb_view_base_new (FbRowView *row, guint pass, FbViewState *state, const FbMetrics *metrics, FbPlacesGet get,
                  gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (FbViewBase) base = g_new0 (FbViewBase, 1);
  g_atomic_ref_count_init (&base->refs);
  base->pass = pass;
  base->state = fb_view_state_ref (state);
  if (pass >= row->n_passes)
    return g_steal_pointer (&base);
  g_autoptr (FbGraph) input = fb_graph_new_from_sink (row->context, row->passes[pass].pass->sink);
  if (state->kernels || state->frames)
    base->kernels = fb_kernel_map_new (row->schedule, pass, input);
  const FbViewPlaces *places = fb_view_state_get_places (state, pass);
  if (places)
    {
      GError *local = NULL;
      base->scene = placed_scene (row, places, base, metrics, cancellable, &local);
      if (local)
        {
          g_propagate_error (error, local);
          return NULL;
        }
      if (base->scene)
        return g_steal_pointer (&base);
    }
  if (state->focus && !fb_view_state_has_focus (state, input))
    return g_steal_pointer (&base);
  if (fb_view_state_has_places (state))
    return find_places (base, row, metrics, get, data, cancellable, error) ? g_steal_pointer (&base) : NULL;
  FbStepGraph graph = { input, row->context, 0, 0 };
  g_autoptr (FbScene) scene = fb_view_base_scene (base, &graph, NULL, metrics, cancellable, error);
  return scene ? g_steal_pointer (&base) : NULL;
}

FbViewBase *
fb_view_base_ref (FbViewBase *base)
{
  g_atomic_ref_count_inc (&base->refs);
  return base;
}

void
fb_view_base_unref (FbViewBase *base)
{
  if (!base || !g_atomic_ref_count_dec (&base->refs))
    return;
  g_clear_pointer (&base->scene, fb_scene_unref);
  g_clear_pointer (&base->places, fb_places_unref);
  g_clear_pointer (&base->kernels, fb_kernel_map_unref);
  g_clear_pointer (&base->state, fb_view_state_unref);
  g_clear_pointer (&base->to_keep, g_bytes_unref);
  g_free (base);
}

FbScene *
fb_view_base_scene (FbViewBase *base, const FbStepGraph *graph, const FbGraph *before, const FbMetrics *metrics,
                    GCancellable *cancellable, GError **error)
{
  g_autoptr (FbGraph) shown = fb_view_state_apply (base->state, graph->whole, before, base->kernels);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (base->places)
    return fb_places_scene (base->places, shown, graph->context, graph->step, graph->former, cancellable, error);
  FbScene *scene = fb_scene_new (shown, metrics, base->scene, cancellable, error);
  if (scene && !base->scene)
    base->scene = fb_scene_ref (scene);
  return scene;
}
