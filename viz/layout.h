/* Layered layout: sources above, users below, edges of straight lines.
 *
 * The algorithm alone, on plain arrays; scene.h puts cards and their text around
 * it. Ranks from ASAP and ALAP bounds plus tightening; one trunk of dummies
 * shared by all long edges of a source; order by depth first search, 8
 * barycentre sweeps and transposition; x by isotonic regression; across-lines of
 * one gap on tracks of their own. Everything is O(n log n) or better in nodes,
 * edges and dummies, and dummies are bounded: the longest edges become stubs
 * when there would be too many.
 *
 * Pure: no globals, no recursion, the same answer for the same input. */
#pragma once

#include <gio/gio.h>

/* px */
#define FB_LAYOUT_CARD_HEIGHT 24.0
#define FB_LAYOUT_CARD_GAP 12.0   /* between cards of a layer */
#define FB_LAYOUT_GAP_CHAIN 16.0  /* between layers where all edges are straight */
#define FB_LAYOUT_GAP_ACROSS 28.0 /* between layers where one track goes across */
#define FB_LAYOUT_TRACK 6.0       /* between tracks of a gap */
#define FB_LAYOUT_RADIUS 8.0      /* of an edge's corners, when drawn */
#define FB_LAYOUT_BECOMES 26.0    /* between a replaced card and its replacement */

#define FB_LAYOUT_NONE G_MAXUINT32

typedef struct
{
  float x, y;
} FbPoint;

typedef struct
{
  guint32 source, user; /* nodes; source != user */
  guint32 port;         /* order among the sources of the user, when places decide nothing */
  gboolean stub;        /* counts for ranks only; drawn on demand (of a hub) */
} FbLayoutEdge;

typedef struct
{
  guint32 n_nodes, n_edges;
  const float *width;        /* of each node, px */
  const FbLayoutEdge *edges; /* in any order; no cycles (FB_LAYOUT_ERROR_CYCLE) */
  const guint32 *left_of;    /* of each node the node it stands immediately left of, or NONE; NULL for none at all.
                               * Dropped where an edge forbids it; right of it where a hint leaves room only there. */
  float spare;       /* px kept free beside each card, so that later layouts with wider cards can keep its places */
  const float *room; /* px kept free on one side of each node, for what may come to stand there; NULL for none */
  const struct _FbLayout
      *hint; /* an earlier layout to stay close to, or NULL; without layer_y its heights do not count */
  const guint8
      *hint_loose; /* of each node: the hint is a wish, that gives way to those of its sources and users; or NULL */
  const guint32 *hint_node; /* of each node its number in @hint, or NONE */
} FbLayoutInput;

typedef struct _FbLayout
{
  guint32 n_nodes, n_edges, n_layers;
  guint32 longest;           /* edges that reach over more layers are stubs; G_MAXUINT32: none reaches too far */
  float left, width, height; /* of everything; y begins at 0, and so does x unless a hint put things further left */
  float *x, *y;              /* of each node, its upper left corner */
  float *node_width;
  guint32 *rank;  /* of each node, its layer */
  float *layer_y; /* of each layer, its upper side; rising */
  guint32 *
      layer_first; /* n_layers + 1: nodes of layer r are layer_nodes[layer_first[r] .. layer_first[r + 1]), left to right */
  guint32 *layer_nodes;
  guint32 *route_first; /* n_edges + 1: corners of edge e are points[route_first[e] .. route_first[e + 1]):
                         * from the lower side of its source to the port on the upper side of its user, by turns vertical and
                         * horizontal; at least 2; a stub has 2: where it leaves and where it would enter */
  FbPoint *points;
  guint32 *trunk_first; /* n_nodes + 1: the line that long edges of node i share passes the layers below it at
                         * trunk_x[trunk_first[i] .. trunk_first[i + 1]) */
  float *trunk_x;
  guint8 *stub; /* of each edge: asked for, or too long to be drawn */
} FbLayout;

typedef enum
{
  FB_LAYOUT_ERROR_CYCLE,
} FbLayoutError;
#define FB_LAYOUT_ERROR (fb_layout_error_quark ())
GQuark fb_layout_error_quark (void);

/* NULL with an error when cancelled (G_IO_ERROR_CANCELLED) or when the edges form a cycle. Any thread. */
FbLayout *fb_layout_new (const FbLayoutInput *input, GCancellable *cancellable, GError **error);
void fb_layout_free (FbLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbLayout, fb_layout_free)
