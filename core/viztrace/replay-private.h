/* Inside of replaying: what is known of nodes from one replacing to the next. For replay.c and replace.c only. */
#pragma once

#include "core/ir/context.h"
#include "viztrace-private.h"

typedef struct
{
  FbUop *node, *now;
  guint8 stage;
} FbVizTask;

/* What is known of a node, by id. */
typedef struct _FbVizInfo
{
  FbUop *target; /* of the latest match; NULL: not matched */
  FbUop *becomes;
  guint32 done, queued, met; /* serials of the replacing in which it was */
} FbVizInfo;

struct _FbVizReplay
{
  FbVizNodes *nodes;
  const FbVizRewrite *rewrite;
  FbContext *context; /* new nodes are made there */
  gboolean derive, walk;
  FbUop *sink, *graph;
  FbVizInfo *info;
  guint32 n_info, serial, first_serial;
  guint n_targets;
  guint made_left;     /* nodes that this replacing may still rebuild */
  gboolean closed;     /* a call was met that is not looked into */
  gboolean settled;    /* replacing again would change nothing: `met` tells which nodes matter */
  GArray *tasks;       /* of FbVizTask */
  GHashTable *waiting; /* nodes to GArray of FbVizTask */
  GArray *src;
  GArray *matched; /* ids of nodes that have, or had, a target */
};

/* Of any node; room is made for it. */
FbVizInfo *fb_viz_replay_info (FbVizReplay *replay, const FbUop *uop);
/* What @root becomes when every node with a target is replaced; NULL when that has no end, or takes more memory than a trace of this size
 * may. */
FbUop *fb_viz_replace (FbVizReplay *replay, FbUop *root);
