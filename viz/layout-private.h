/* The working state of a layout, handed from phase to phase:
 * layout-rank.c -> layout-order.c (or layout-hint.c) -> layout-place.c -> layout-route.c.
 *
 * Vertices are nodes (0 .. n-1) and dummies (n ..): a dummy is where the trunk of
 * a node passes a layer. Links join vertices of adjacent layers; a link's lower
 * end is a dummy or, with a port, a node. A card that stands left of another one
 * is carried by it: both are one item in the order of their layer. */
#pragma once

#include "layout.h"

#define NONE FB_LAYOUT_NONE
#define GAP_LINES 8.0 /* between two lines that pass a layer */

typedef struct
{
  guint32 up, down; /* vertices */
  guint32 edge;     /* of the input, when the lower end is a node; else NONE */
  float port;       /* of the lower end, relative to its centre */
  gboolean main;    /* from the deepest of the sources: the line that is to run straight */
} FbLink;

typedef struct
{
  float key;
  guint32 item;
} FbRanked;

typedef struct
{
  const FbLayoutInput *in;
  GCancellable *cancellable;
  guint32 n, n_edges;

  guint32 *in_first, *in_edge;   /* edges by user */
  guint32 *out_first, *out_edge; /* edges by source */
  guint32 *carries;              /* of each node the one immediately beside it, or NONE */
  guint8 *right_side;            /* of each node: what it carries stands right of it, not left */
  guint32 *carrier;              /* of each node the item it belongs to: itself, or who carries it */
  guint32 *topo;                 /* items, sources first */
  guint32 n_topo;
  guint8 *stub;    /* of each edge */
  guint32 longest; /* as the layout has it */

  guint32 *depth; /* of each node: longest way from a source */
  guint32 *rank;  /* of each vertex */
  guint32 n_layers;
  guint32 n_vertices;
  guint32 *trunk_first; /* of each node its dummies, minus n */
  FbLink *links;        /* by lower vertex */
  guint32 n_links;
  guint32 *up_first;            /* of each vertex, into links */
  guint32 *down_first, *down;   /* of each vertex, links below it */
  guint32 *layer_first, *layer; /* items of each layer, left to right */
  guint32 *pos;                 /* of each vertex, the place of its item in the layer */

  double *x;                 /* centre of each vertex */
  double *hint_x;            /* where the hint has it, NAN for nowhere; NULL without a hint */
  float *left, *right;       /* reach of each item around the centre of its vertex */
  float *room_before;        /* px kept free left of each item; NULL for none */
  double *layer_y, *track_y; /* of layers; of the across-line that leaves each vertex */
} FbWork;

/* FALSE when there is a cycle. Sets carries, carrier, topo, rank, n_layers, stub. */
gboolean fb_layout_rank (FbWork *w);
/* Dummies and links. */
void fb_layout_make_links (FbWork *w);
/* Sets down_first and down from links; again after links have changed places. */
void fb_layout_index_down (FbWork *w);
/* Orders items within layers; FALSE when cancelled. */
gboolean fb_layout_order (FbWork *w);
/* The same by the places of a hint (layout-hint.c). Sets hint_x. @ranked and @spare: room for the widest layer. */
void fb_layout_order_by_hint (FbWork *w, FbRanked *ranked, FbRanked *spare);
/* By key, stable; nearly sorted input is cheap. */
void fb_layout_sort_ranked (FbRanked *a, FbRanked *spare, guint32 n);
/* Sets pos of the items of a layer and what they carry. */
void fb_layout_number_layer (FbWork *w, guint32 r);
/* Room for what comes to stand beside cards (layout-room.c): kept in room_before, and found by the hint, in right_side. */
void fb_layout_keep_room (FbWork *w);
void fb_layout_choose_sides (FbWork *w);
/* Straight runs, by moving x within what neighbours leave (layout-straight.c); FALSE when cancelled. */
gboolean fb_layout_straighten (FbWork *w);
/* Ports, from x (layout-ports.c). */
void fb_layout_set_ports (FbWork *w);
/* Sets x and ports; FALSE when cancelled. */
gboolean fb_layout_place (FbWork *w);
/* Tracks, layer_y, routes into @layout. */
void fb_layout_route (FbWork *w, FbLayout *layout);

static inline guint32
fb_layout_item (const FbWork *w, guint32 vertex)
{
  return vertex < w->n ? w->carrier[vertex] : vertex;
}
/* The members of an item one after the other: the vertex, then the card it carries, then NONE. */
static inline guint32
fb_layout_next_member (const FbWork *w, guint32 item, guint32 member)
{
  return member == item && item < w->n ? w->carries[item] : NONE;
}
/* Where a member's centre is relative to that of its item. */
static inline double
fb_layout_member_offset (const FbWork *w, guint32 item, guint32 member)
{
  if (member == item)
    return 0;
  double offset = w->in->width[item] / 2 + FB_LAYOUT_BECOMES + w->in->width[member] / 2;
  return w->right_side[item] ? offset : -offset;
}
/* px between the centres of two items, one right after the other. */
static inline double
fb_layout_distance (const FbWork *w, guint32 a, guint32 b)
{
  double gap = a < w->n || b < w->n ? FB_LAYOUT_CARD_GAP : GAP_LINES;
  gap += (a < w->n ? w->in->spare / 2 : 0) + (b < w->n ? w->in->spare / 2 : 0);
  if (w->room_before)
    gap += w->room_before[b];
  return w->right[a] + gap + w->left[b];
}
static inline void
fb_layout_set_x (FbWork *w, guint32 item, double x)
{
  w->x[item] = x;
  if (item < w->n && w->carries[item] != NONE)
    w->x[w->carries[item]] = x + fb_layout_member_offset (w, item, w->carries[item]);
}
