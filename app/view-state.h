/* What a person has hidden, collapsed or taken out of the graph, in words that hold from step to step.
 *
 * A state is a value: it is changed only while it has one owner, then shared, so that going back to an earlier one is taking it
 * again. The sets in it know nodes by their keys, and learn, whenever a graph is shown, the keys of what their nodes became. */
#pragma once

#include "app/view-places.h"
#include "core/schedule.h"
#include "viz/graph-shown.h"

/* A set of nodes. Reference counted, any thread. */
typedef struct _FbNodeSet FbNodeSet;

FbNodeSet *fb_node_set_new (FbGroupKind kind);
FbNodeSet *fb_node_set_ref (FbNodeSet *set);
void fb_node_set_unref (FbNodeSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbNodeSet, fb_node_set_unref)
/* @key: of a node of a whole graph. */
void fb_node_set_add (FbNodeSet *set, guint64 key);
gboolean fb_node_set_has (FbNodeSet *set, guint64 key);
/* Of guint64, ascending; free with g_array_unref. */
GArray *fb_node_set_get_keys (FbNodeSet *set);
/* The card that it is when it is collapsed. */
FbGroup fb_node_set_group (FbNodeSet *set);

typedef struct
{
  gatomicrefcount refs;
  gboolean chains;   /* every chain is one card */
  gboolean kernels;  /* every kernel is one card */
  gboolean frames;   /* kernels are told by frames and colours */
  GPtrArray *hidden; /* of FbNodeSet */
  GPtrArray *groups; /* of FbNodeSet, collapsed one by one */
  GPtrArray *opened; /* of FbNodeSet: not collapsed though they are of a chain or a kernel */
  FbNodeSet *focus;  /* nothing else is shown but it and what is at most @radius edges away; NULL: everything */
  guint radius;
  GPtrArray *placed; /* of FbViewPlaces: passes whose cards stand where dot put them, each once */
} FbViewState;

FbViewState *fb_view_state_new (void);
/* The same, to be changed. Of other cards dot has said nothing: nothing is placed. */
FbViewState *fb_view_state_copy (const FbViewState *state);
/* The same with cards of the pass of @places standing there; @places NULL: those of @pass where our own layout has them. */
FbViewState *fb_view_state_copy_placed (const FbViewState *state, FbViewPlaces *places, guint pass);
/* NULL: our own layout. Borrowed. */
FbViewPlaces *fb_view_state_get_places (const FbViewState *state, guint pass);
FbViewState *fb_view_state_ref (FbViewState *state);
void fb_view_state_unref (FbViewState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbViewState, fb_view_state_unref)
/* Cards stand for one node each, and are those of the whole graph but for hidden ones. */
gboolean fb_view_state_has_places (const FbViewState *state);
/* The whole graph, node by node. */
gboolean fb_view_state_is_plain (const FbViewState *state);

/* Which kernel computes which node, for the graphs of one pass. */
typedef struct _FbKernelMap FbKernelMap;
/* @input: the whole graph of the pass's input, which is kept. NULL when the pass is not about the graph that kernels are cut from, or none are. */
FbKernelMap *fb_kernel_map_new (const FbSchedule *schedule, guint pass, FbGraph *input);
FbKernelMap *fb_kernel_map_ref (FbKernelMap *map);
void fb_kernel_map_unref (FbKernelMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbKernelMap, fb_kernel_map_unref)

/* @whole has something of what was extracted. */
gboolean fb_view_state_has_focus (const FbViewState *state, const FbGraph *whole);
/* @whole as @state has it: itself when there is nothing to leave out. Its nodes are followed from @before (a whole graph shown
 * earlier, or NULL); @kernels may be NULL. Never NULL: of what would leave nothing, everything is shown. Any thread. */
FbGraph *fb_view_state_apply (const FbViewState *state, FbGraph *whole, const FbGraph *before, FbKernelMap *kernels);
