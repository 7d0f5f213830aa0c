/* What is drawn: cards and edges with their places, in px at zoom 1, y down.
 *
 * Made from a graph by measuring its cards and laying them out; pure data,
 * immutable, so a worker thread makes it and any thread draws it. Card i is
 * node i of the graph, edge i is edge i. */
#pragma once

#include "graph.h"
#include "layout.h"

typedef struct
{
  float x, y, width, height;
} FbRect;

/* Widths of one character of the code font at the sizes of a card, px. Layouts depend on nothing else of a font, and text is set
 * at exactly these advances, so a picture has the same places on every machine. */
typedef struct
{
  float title_advance; /* op, 12 px bold */
  float text_advance;  /* argument, chips, dtype and shape, 11 px */
} FbMetrics;
/* 7.225 and 6.623: what most monospaced fonts have (0.602 em). */
extern const FbMetrics fb_metrics_default;

/* Where the parts of a card are; x relative to the card's left side. Widths 0 where a part is absent. */
typedef struct
{
  float bar_x;      /* kind bar, 3×14 */
  float triangle_x; /* of a collapsed card, 8 wide; else 0 */
  float mark_x;     /* 14×14 */
  float title_x, title_width;
  float argument_x, argument_width;
  float pill_x, pill_width; /* "18 users" of a hub */
  float type_x, type_width; /* right-aligned */
  float cells_x;            /* of a realized node, 14×14; else 0 */
} FbCardParts;

typedef struct _FbScene
{
  FbGraph *graph;   /* owned reference */
  FbLayout *layout; /* owned */
  FbMetrics metrics;
  FbRect bounds; /* of all cards and edges, with a margin of 12 */
} FbScene;

/* Measures, lays out, indexes. @metrics NULL for the default. @hint: a scene whose places are kept where the same nodes are (the
 * first scene of a pass for its steps, so that a step looks the same however one came to it), or NULL. Any thread; @hint and
 * @graph must not be freed meanwhile. NULL with G_IO_ERROR_CANCELLED. */
FbScene *fb_scene_new (FbGraph *graph, const FbMetrics *metrics, const FbScene *hint, GCancellable *cancellable,
                       GError **error);
/* The same with cards where @places has them, which says x and rank of every node: of a layout made elsewhere. */
FbScene *fb_scene_new_placed (FbGraph *graph, const FbMetrics *metrics, const FbLayout *places,
                              GCancellable *cancellable, GError **error);
FbScene *fb_scene_ref (FbScene *scene);
void fb_scene_unref (FbScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbScene, fb_scene_unref)

/* The rectangle of a card. */
static inline FbRect
fb_scene_card (const FbScene *scene, guint32 node)
{
  return (FbRect){ scene->layout->x[node], scene->layout->y[node], scene->layout->node_width[node],
                   FB_LAYOUT_CARD_HEIGHT };
}
/* The corners of an edge; a stub is the straight line from source to user. */
const FbPoint *fb_scene_edge (const FbScene *scene, guint32 edge, guint32 *n_points);
/* An edge drawn on demand only (of a hub, or too long). */
gboolean fb_scene_edge_is_stub (const FbScene *scene, guint32 edge);
/* The way of a stub when it is shown after all: 4 corners (down, across, down), written to @points. */
guint fb_scene_stub_route (const FbScene *scene, guint32 edge, FbPoint points[4]);

/* Cards of @scene that @before had too, the same node with the same sources (n_same), and how many of them stand elsewhere now
 * (n_moved): their middle is more than 1 px away from where it was. What a step has replaced or taken away is not counted: it
 * makes room for what came instead. @match: fb_graph_match() of the two. */
typedef struct
{
  guint n_same, n_moved;
} FbMoves;
FbMoves fb_scene_moves (const FbScene *scene, const FbScene *before, const guint32 *match);

/* The card at a point, or FB_GRAPH_NONE; @slack px around cards count too. O(log n). */
guint32 fb_scene_hit (const FbScene *scene, double x, double y, double slack);
/* For arrow keys. dx -1 or 1: the card beside @node in its layer; dy -1 or 1: its nearest source or user. FB_GRAPH_NONE when there
 * is none. */
guint32 fb_scene_neighbour (const FbScene *scene, guint32 node, int dx, int dy);
/* Cards that meet @rect, in order of layer and place, appended to @nodes (of guint32). */
void fb_scene_cards_in (const FbScene *scene, FbRect rect, GArray *nodes);
/* Edges that are always drawn (no stubs) and meet @rect (by their bounding boxes), ascending, appended to @edges (of guint32). */
void fb_scene_edges_in (const FbScene *scene, FbRect rect, GArray *edges);

/* The parts of a card and the x of each of its chips (@chip_x has room for n_chips, NULL to skip). */
void fb_scene_card_parts (const FbScene *scene, guint32 node, FbCardParts *parts, float *chip_x);
float fb_scene_chip_width (const FbScene *scene, const FbGraphChip *chip);
/* The chip of @node at a point of the scene, or -1. */
int fb_scene_hit_chip (const FbScene *scene, guint32 node, double x, double y);
/* The width a card needs, px. */
float fb_card_width (const FbGraphNode *node, const FbMetrics *metrics);

/* A bar of the minimap: cards of one layer side by side that share a mark, merged when closer than a pixel. */
typedef struct
{
  FbRect rect; /* of the scene */
  FbMark mark;
} FbMinimapBar;
/* Bars for a minimap @width×@height px large; at most one bar a pixel and mark, so any graph is cheap. Array of FbMinimapBar. */
GArray *fb_scene_minimap (const FbScene *scene, double width, double height);
