/* Where the cards of a pass stand, at every one of its steps.
 *
 * All nodes that a pass ever has are laid out together, once: a node, what it is rebuilt as and what a rule puts in its stead share one
 * place, and so does what a rule makes with what it leaves unused. The graph of a step is then a part of one picture, so what a step
 * does not change cannot move, and a step looks the same however one came to it. */
#pragma once

#include "core/query/history.h"
#include "scene.h"

typedef struct _FbPlaces FbPlaces;

/* Of pass @pass, from 0. Borrows @history and uses its schedule's context, so it belongs on the thread that owns that. NULL only when
 * cancelled, with the error. Linear in the nodes and edges that the pass has at all of its steps. */
FbPlaces *fb_places_new (const FbHistory *history, guint32 pass, const FbMetrics *metrics, GCancellable *cancellable,
                         GError **error);
FbPlaces *fb_places_ref (FbPlaces *places);
void fb_places_unref (FbPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbPlaces, fb_places_unref)

/* A number for all that places follow from: the pass, node by node, the metrics, how places are found. Linear. */
guint64 fb_places_digest (const FbHistory *history, guint32 pass, const FbMetrics *metrics);
/* To be kept, and read back where the digest is the same. */
GBytes *fb_places_to_bytes (const FbPlaces *places);
/* NULL: @bytes are of another pass, another version or another machine, or make no sense. Otherwise as fb_places_new(). */
FbPlaces *fb_places_new_from_bytes (const FbHistory *history, guint32 pass, const FbMetrics *metrics, GBytes *bytes);

/* How many places there are. */
guint32 fb_places_count (const FbPlaces *places);
/* The scene of @graph, which is of step @step and has its nodes from @context, those that are left of an earlier step, @former, too.
 * Nodes that the pass does not have at either are put where there is room. Otherwise as fb_scene_new(). */
FbScene *fb_places_scene (const FbPlaces *places, FbGraph *graph, FbContext *context, guint32 step, guint32 former,
                          GCancellable *cancellable, GError **error);
