/* What the parts of the graph builder share. */
#pragma once

#include "graph.h"

/* From pointers to list positions; open addressing, never more than half full. */
typedef struct
{
  const FbUop **keys;
  guint32 *values;
  guint32 mask;
} FbUopMap;

/* A graph with what only the files of the builder see. */
typedef struct
{
  FbGraph graph;
  int ref_count;
  GStringChunk *texts;
  FbGraphChip *chips;
  FbUopMap map;  /* uop -> item */
  guint32 *host; /* item -> node it is shown in */
  guint32 n_items;
  FbGraph *whole;    /* of a graph that shows a part of another one: that one, owned; then map and host are its */
  guint32 *shown_in; /* node of it -> card, or FB_GRAPH_NONE */
} FbGraphFull;

void fb_uop_map_init (FbUopMap *map, guint32 n);
void fb_uop_map_clear (FbUopMap *map);
void fb_uop_map_put (FbUopMap *map, const FbUop *uop, guint32 value);
/* FB_GRAPH_NONE when absent */
guint32 fb_uop_map_get (const FbUopMap *map, const FbUop *uop);

/* Text of cards (graph-text.c). All append to @text. */
void fb_graph_append_type (FbContext *context, FbUop *uop, GString *text);
void fb_graph_append_argument (FbContext *context, const FbUop *uop, GString *text);
void fb_graph_append_number (FbArg value, GString *text);
/* Cuts what follows @start to @max characters, the last one "…"; line ends and other controls become spaces. */
void fb_graph_cut (GString *text, gsize start, guint max);
/* The CONST or VCONST at the end of a folded chain, NULL when there is none. */
const FbUop *fb_graph_constant_of (const FbUop *uop);
/* The order of the sources of @op means something to a reader. */
gboolean fb_graph_order_counts (const FbUop *uop);

/* Hash of (op, dtype, arg) without sources, independent of addresses. */
guint64 fb_graph_own_key (const FbUop *uop);

/* Of any nodes, sources before users, each once with all its sources; all marked FB_MARK_SAME. Of @touched ones (by index; NULL for
 * none) those that would be folded have a card too, and what hangs on them, while their users still show them as chips; @touched then
 * says which these are. */
FbGraph *fb_graph_new_from_nodes (FbContext *context, FbUop *const *uops, guint32 n, FbUop *root, guint8 *touched);

/* Sets n_users, first_out, n_out and out from the edges (@n_edges of them at @edges, which graph->edges need not be yet). Returns
 * FALSE when they form a cycle. */
gboolean fb_graph_index_edges (FbGraph *graph, const FbGraphEdge *edges, guint32 n_edges);
