/* A graph under construction: graph.c finds what has a card, graph-cards.c makes the cards, graph-edges.c the edges. */
#pragma once

#include "graph-private.h"

/* A node of the core before it is known whether it gets a card. */
typedef struct
{
  FbUop *uop;
  FbUop *was;
  FbMark mark;
  gboolean folded;
  gboolean shown; /* it has a card all the same */
  guint64 key, was_key;
} FbGraphItem;

typedef struct
{
  FbContext *context;
  FbGraphFull *full;
  FbGraphItem *items;
  guint32 n_items;
  guint32 *card; /* item -> node, FB_GRAPH_NONE when folded */
  FbUop *root;
  FbUop *before, *after; /* the match, or NULL */
  GArray *edges;
  GString *text;
  GHashTable *numbers; /* hash of a plain number -> its texts: a graph has many constants, and few values */
} FbGraphBuilder;

/* Nodes and chips of the graph, and card. */
void fb_graph_make_nodes (FbGraphBuilder *b);
/* Edges, by user and by source. */
void fb_graph_make_edges (FbGraphBuilder *b);

/* Of the graph before the step alone. */
static inline gboolean
fb_graph_is_left (FbMark mark)
{
  return mark == FB_MARK_REPLACED || mark == FB_MARK_GONE;
}

static inline gboolean
fb_graph_source_is_folded (FbGraphBuilder *b, const FbUop *uop)
{
  guint32 i = fb_uop_map_get (&b->full->map, uop);
  return i != FB_GRAPH_NONE && b->items[i].folded;
}

/* FB_GRAPH_NONE when it has none. */
static inline guint32
fb_graph_card_of (FbGraphBuilder *b, const FbUop *uop)
{
  guint32 i = fb_uop_map_get (&b->full->map, uop);
  return i != FB_GRAPH_NONE ? b->card[i] : FB_GRAPH_NONE;
}
