/* A part of a graph, and groups of its nodes as one card: what a person has hidden, collapsed, extracted. */
#pragma once

#include "graph.h"

/* Nodes that share a card. */
typedef struct
{
  FbGroupKind kind;
  guint64 key;    /* of the card, the same from step to step; not 0 */
  guint32 number; /* of a kernel, from 1; else 0 */
} FbGroup;

typedef struct
{
  const guint8 *hidden;  /* of each node; NULL: none is */
  const guint32 *group;  /* of each node its group, or FB_GRAPH_NONE; NULL: none has one */
  const FbGroup *groups; /* @n_groups of them; one that has a single member shows that, unless it is a kernel */
  guint32 n_groups;
  const guint32 *kernel;  /* of each node the kernel that computes it, from 1, 0 for none; NULL: not known */
  const guint8 *realized; /* of each node; NULL when @kernel is */
} FbShownInput;

/* What is left of @whole, which is kept. A group that would be source and user of the same card is shown member by member. NULL
 * when nothing is left. Linear but for such groups. Any thread. */
FbGraph *fb_graph_new_shown (FbGraph *whole, const FbShownInput *input);
/* The graph that @graph shows a part of; itself when it is whole. */
FbGraph *fb_graph_get_whole (FbGraph *graph);
/* The card that shows node @node of the whole graph; FB_GRAPH_NONE when it is hidden. */
guint32 fb_graph_card_of (const FbGraph *graph, guint32 node);
/* Nodes of the whole graph that have no card. */
guint32 fb_graph_n_hidden (const FbGraph *graph);
/* Nodes of the whole graph that @card shows, sources first, appended to @nodes (of guint32). */
void fb_graph_members (const FbGraph *graph, guint32 card, GArray *nodes);

/* --- sets of nodes: an array of n_nodes flags, changed in place --- */

/* Adds what is at most @radius edges away. From hubs, and from what has very many sources, only what @set began with is followed. */
void fb_graph_grow (const FbGraph *graph, guint8 *set, guint radius);
/* Adds what lies on a way from one node of @set to another, so that as one card it is no cycle. */
void fb_graph_close (const FbGraph *graph, guint8 *set);
/* The nodes before and after @node that have one source and one user each: nothing but a line. Buffers and the sink are no part of
 * it, nor is what the step changed. Returns their number; @set is cleared first. */
guint32 fb_graph_chain (const FbGraph *graph, guint32 node, guint8 *set);
/* All chains of at least @least nodes: of each node the number of its chain, or FB_GRAPH_NONE, into @chain; returns how many. */
guint32 fb_graph_chains (const FbGraph *graph, guint32 least, guint32 *chain);
