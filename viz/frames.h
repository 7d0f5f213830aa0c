/* Kernels in frames: what lies behind the cards of a kernel and the lines between them. */
#pragma once

#include "scene.h"

/* A piece of a frame. Pieces of a kernel overlap: drawn in the frame's line colour a px larger, then in its fill, all of all kernels,
 * they are one shape with an outline, and never behind a card of another kernel. */
typedef struct
{
  FbRect rect;
  guint32 kernel; /* from 1 */
  gboolean card;  /* rounded; else a line's */
} FbFramePiece;

/* The name of a kernel, beside the first of its cards, or above it where there is no room. */
typedef struct
{
  FbRect rect;
  guint32 kernel, card;
  gboolean above;
} FbFrameLabel;

/* Appends the pieces of @nodes and @edges (of guint32, nodes by layer and place) to @pieces (of FbFramePiece). Collapsed cards are not
 * framed. */
void fb_frame_pieces (const FbScene *scene, const GArray *nodes, const GArray *edges, GArray *pieces);
/* Appends labels (of FbFrameLabel) for the kernels of @nodes, and for those that stand beside a card the piece behind them. @scale:
 * scene px per px of text. Labels that would cover each other are left out. */
void fb_frame_labels (const FbScene *scene, const GArray *nodes, float scale, GArray *labels, GArray *pieces);
/* "kernel 12"; @text has room for 24. */
void fb_frame_name (guint32 kernel, char text[24]);
