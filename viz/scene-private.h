#pragma once

#include "scene.h"

/* Layers that one band of the edge index covers. */
#define FB_SCENE_BAND 4

typedef struct
{
  FbScene scene;
  int ref_count;
  float *box; /* of each edge: left, top, right, bottom */
  guint32 n_bands;
  guint32 *band_first; /* n_bands + 1: edges that meet band b are band_edges[band_first[b] ..) */
  guint32 *band_edges;
} FbSceneFull;

/* The index of edges, from graph and layout (scene-index.c). */
void fb_scene_index_edges (FbSceneFull *full);
/* Room that a mark takes on a card, px: 14, then 6. */
#define FB_SCENE_MARK_WIDTH 20.0f
/* A mark may make a card wider by that and by the steps that widths go in. */
#define FB_SCENE_SPARE 24.0f
/* A scene whose cards stand where @hint has them: card i in the stead of node @place[i], NONE for anywhere. @left_of: as in
 * FbLayoutInput; NULL: replaced ones beside their replacements. */
FbScene *fb_scene_new_close (FbGraph *graph, const FbMetrics *metrics, const FbLayout *hint, const guint32 *place,
                             const guint32 *left_of, GCancellable *cancellable, GError **error);
/* For each card the one that it is to stand left of: a replaced one of its new replacement; NULL when there is none. */
guint32 *fb_scene_left_of (const FbGraph *graph);
/* Columns that a text takes: 2 for wide characters, 0 for combining ones. */
guint fb_text_columns (const char *text);
