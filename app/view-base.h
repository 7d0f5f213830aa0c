/* What the steps of a pass have in common: where cards stand, which kernel computes what, how the person wants to see it. Made and
 * used by the worker; reference counted. */
#pragma once

#include "app/row-view.h"
#include "app/view-state.h"
#include "viz/places.h"

typedef struct
{
  gatomicrefcount refs;
  guint pass;
  FbViewState *state;
  FbScene *scene;       /* of the pass's input, or of the step that dot placed, or, when that has nothing of what is
                         * extracted, the first one made; may be NULL */
  FbPlaces *places;     /* of all steps; NULL: cards are as @scene has them */
  FbKernelMap *kernels; /* NULL: not asked for, or none */
  GBytes *to_keep;      /* the places, if they took a while and are new; NULL: there is nothing to keep */
  guint64 digest;       /* of those */
} FbViewBase;

/* Places by their digest, as somebody keeps them; NULL: they are not there. */
typedef GBytes *(*FbPlacesGet) (guint64 digest, gpointer data);

/* Blocks; worker only. NULL with an error. Places of a large pass are asked of @get, which may be NULL. */
FbViewBase *fb_view_base_new (FbRowView *row, guint pass, FbViewState *state, const FbMetrics *metrics, FbPlacesGet get,
                              gpointer data, GCancellable *cancellable, GError **error);
FbViewBase *fb_view_base_ref (FbViewBase *base);
void fb_view_base_unref (FbViewBase *base);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbViewBase, fb_view_base_unref)
/* The graph of step @step with its nodes from @context; @former: the step that what is left over is from. */
typedef struct
{
  FbGraph *whole;
  FbContext *context;
  guint step, former;
} FbStepGraph;
/* The scene of a graph of the pass, with nodes followed from @before (a whole graph shown earlier, or NULL). */
FbScene *fb_view_base_scene (FbViewBase *base, const FbStepGraph *graph, const FbGraph *before,
                             const FbMetrics *metrics, GCancellable *cancellable, GError **error);
