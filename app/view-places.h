/* Where dot put the cards of a step: the other steps of its pass keep to that. Immutable, reference counted, any thread. */
#pragma once

#include "core/session/store.h"
#include "viz/scene.h"

typedef struct
{
  gatomicrefcount refs;
  FbStorePlace place; /* whose step it was */
  FbGraphView side;
  FbScene *scene; /* as dot placed it; NULL: read from a session, and to be made of: */
  GArray *placed; /* of FbStorePlaced, by key of the card */
} FbViewPlaces;

FbViewPlaces *fb_view_places_new (const FbStorePlace *place, FbGraphView side, FbScene *scene);
/* NULL: it makes no sense. */
FbViewPlaces *fb_view_places_new_from_store (const FbStoreLayout *layout);
FbViewPlaces *fb_view_places_ref (FbViewPlaces *places);
void fb_view_places_unref (FbViewPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbViewPlaces, fb_view_places_unref)
/* The scene of @graph, of that step, with cards where @places has them. NULL without an error: it has other cards. */
FbScene *fb_view_places_scene (const FbViewPlaces *places, FbGraph *graph, const FbMetrics *metrics,
                               GCancellable *cancellable, GError **error);
