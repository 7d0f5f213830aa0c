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
/* Columns that a text takes: 2 for wide characters, 0 for combining ones. */
guint fb_text_columns (const char *text);
