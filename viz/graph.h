/* A graph made for drawing, from nodes of the core.
 *
 * Constants, devices, unique numbers and the views of a kernel that only give
 * a shape are folded into the cards that use them; everything else is one card. All text is made when the graph is built,
 * so that later stages (measuring, layout, drawing, on any thread) never touch
 * a context. A graph is immutable and reference counted.
 *
 * FbUop pointers in it are identities, valid as long as the context (for the
 * graph of a step: the FbStep) that owns the nodes. Everything else is owned by
 * the graph. */
#pragma once

#include "core/rewrite/step.h"

/* "no node", "no edge", "no card" */
#define FB_GRAPH_NONE G_MAXUINT32
/* More users than this make a node a hub, drawn with stubs. */
#define FB_GRAPH_HUB_USERS 16
/* More sources than this are not drawn either (the sink of a training step has hundreds). */
#define FB_GRAPH_HUB_SOURCES 32

/* Which graph of a step is drawn. */
typedef enum
{
  FB_GRAPH_BEFORE,  /* before the step: the replaced node is marked, and what will be gone */
  FB_GRAPH_OVERLAY, /* after the step, plus the replaced and gone nodes */
  FB_GRAPH_AFTER,   /* after the step: new and rebuilt nodes are marked */
} FbGraphView;

typedef enum
{
  FB_EDGE_SAME,
  FB_EDGE_NEW,      /* from or to a new node, or a source of a rebuilt node that it did not have at this port before */
  FB_EDGE_REPLACED, /* from or to a replaced or gone node */
} FbEdgeState;

/* Why several nodes share a card. */
typedef enum
{
  FB_GROUP_NONE,
  FB_GROUP_HAND, /* a person said so */
  FB_GROUP_CHAIN,
  FB_GROUP_KERNEL,
} FbGroupKind;

/* A constant folded into its user. */
typedef struct
{
  const char *text; /* "1.0"; "#0 1.0" where the order of sources counts; floats with 4 decimals at most */
  const char *full; /* the value as Python prints it */
  FbUop *uop;       /* the source as the user has it (CONST, or the EXPAND, RESHAPE or VIEW over it) */
  guint32 port; /* index among the user's sources; FB_GRAPH_NONE: the value of a CONST that has a card, or the count of
                     * further constants ("+12", then uop is NULL) */
} FbGraphChip;

typedef struct
{
  FbUop *uop;
  FbOp op;
  FbOpKind kind;
  FbMark mark;
  guint64 key;          /* hash of the structure: the same in every graph and step that has this very node */
  guint64 was_key;      /* of a rebuilt node, the key of its version before the step; else 0 */
  const char *title;    /* "ADD" */
  const char *argument; /* "(1,0)", "#2", "MAX 1", of a LOAD the strides; "" for none */
  const char *type;     /* "float 64×64", "void" */
  const FbGraphChip *chips;
  guint32 n_chips;
  guint32 n_users;                       /* edges that leave it */
  guint32 becomes;                       /* of a replaced node, the node that stands for it now; else FB_GRAPH_NONE */
  guint32 first_in, n_in;                /* its sources: edges[first_in .. first_in + n_in), by port */
  guint32 first_out, n_out;              /* its users: edges[out[first_out .. first_out + n_out)] */
  gboolean hub;                          /* n_users > FB_GRAPH_HUB_USERS */
  FbGroupKind group;                     /* of a collapsed card; else FB_GROUP_NONE */
  guint32 n_members;                     /* nodes of the whole graph that this card shows: 1 but for collapsed ones */
  gboolean sources_hidden, users_hidden; /* some of them are not in this graph */
  guint32 kernel;                        /* number of the kernel that computes it, from 1; 0: none, or not known */
  gboolean realized;                     /* it is what the kernel stores */
} FbGraphNode;

typedef struct
{
  guint32 source, user; /* indices of nodes */
  guint32 port;         /* index among the user's sources */
  FbEdgeState state;
} FbGraphEdge;

typedef struct _FbGraph
{
  guint32 n_nodes, n_edges;
  FbGraphNode *nodes; /* sources before users; the replaced and gone ones of an overlay last */
  FbGraphEdge *edges; /* by user, then port */
  guint32 *out;       /* edge indices, by source, then user, then port */
  guint32 root;       /* the sink */
  guint32 n_folded;   /* nodes without a card of their own ("9 folded in") */
  guint32 n_marks[5]; /* cards by FbMark */
  FbGraphView view;
} FbGraph;

/* The graph of @step as @view shows it. Uses @context (the step's, whose memos it fills), so it belongs on the thread that owns
 * it. Never NULL. Linear in nodes and edges, no recursion. */
FbGraph *fb_graph_new_from_step (FbContext *context, const FbStep *step, FbGraphView view);
/* Everything reachable from @sink, all marked FB_MARK_SAME. */
FbGraph *fb_graph_new_from_sink (FbContext *context, FbUop *sink);
FbGraph *fb_graph_ref (FbGraph *graph);
void fb_graph_unref (FbGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbGraph, fb_graph_unref)

/* The card @uop is shown in: its own, or the first user it is folded into. FB_GRAPH_NONE when @uop is not of this graph. O(1). */
guint32 fb_graph_find (const FbGraph *graph, const FbUop *uop);
/* TRUE when @uop is of this graph but has no card of its own. */
gboolean fb_graph_is_folded (const FbGraph *graph, const FbUop *uop);
/* For each node of @graph the node of @other that is the same one: same structure, or rebuilt from it, or of the same op at the
 * same place under the sink; FB_GRAPH_NONE for none. No node of @other is given twice. Array of n_nodes; free with g_free. */
guint32 *fb_graph_match (const FbGraph *graph, const FbGraph *other);
/* The same, but what finds no such node gets one that stood in its place, of another op; these are set in @loose (of n_nodes, may be
 * NULL). For layouts, not for identity. */
guint32 *fb_graph_match_places (const FbGraph *graph, const FbGraph *other, guint8 *loose);

/* "1.0", "-1.4427", "1e-05", "inf", "True": a constant as chips show it (4 decimals at most). Free with g_free. */
char *fb_graph_number_text (FbArg value);
