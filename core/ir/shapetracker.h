/* A ShapeTracker: a stack of views (shapetracker.py). Immutable, interned, memoised like FbView. */
#pragma once

#include "view.h"

/* What rules ask of a tracker before anything else. */
typedef enum
{
  FB_ST_CONTIGUOUS = 1,
  FB_ST_MASKED = 2,   /* its last view has a mask */
  FB_ST_UNSIZED = 4,  /* its shape is symbolic or has a dimension of 0: it may have no elements */
  FB_ST_COMPOUND = 8, /* several views, or a node in one: it may be simplified */
} FbShapeTrackerTraits;

typedef struct _FbShapeTrackerMoves FbShapeTrackerMoves;

struct _FbShapeTracker
{
  guint32 hash;
  guint32 n;
  guint8 contiguous;   /* one view, contiguous */
  guint8 all_int;      /* no node in any view */
  guint8 traits;       /* FbShapeTrackerTraits */
  guint8 moved_by;     /* FbOp */
  const FbDims *shape; /* of the last view */
  gint64 size;         /* memo of fb_st_size, -2 until asked */
  /* memo of fb_st_movement: the first move, by which op and dims, and the next few; NULL until asked */
  const FbDims *moved_dims;
  const FbShapeTracker *moved_to;
  FbShapeTrackerMoves *moves;
  /* memo of fb_st_add: the latest that this was added to, and their sum */
  const FbShapeTracker *inner, *sum;
  char *repr;  /* memo of its text (core/ir/text.c), NULL until asked */
  FbUop *uop;  /* memo of fb_st_to_uop, */
  guint64 row; /* for what the context held then, 0 for never */
  const FbView *views[];
};

const FbShapeTracker *fb_st_new (FbContext *context, guint n, const FbView *const *views);
const FbShapeTracker *fb_st_from_view (FbContext *context, const FbView *view);
/* shapetracker.py:76 */
const FbShapeTracker *fb_st_from_shape (FbContext *context, const FbDims *shape);
/* @inner + @outer (shapetracker.py:63) */
const FbShapeTracker *fb_st_add (FbContext *context, const FbShapeTracker *inner, const FbShapeTracker *outer);
/* shapetracker.py:123 */
const FbShapeTracker *fb_st_simplify (FbContext *context, const FbShapeTracker *st);
/* shapetracker.py:68; NULL when there is no inverse */
const FbShapeTracker *fb_st_invert (FbContext *context, const FbShapeTracker *st, const FbDims *out_shape);
/* shapetracker.py:82 */
gboolean fb_st_consecutive (FbContext *context, const FbShapeTracker *st);
/* shapetracker.py:88 */
gint64 fb_st_size (FbContext *context, const FbShapeTracker *st);
/* shapetracker.py:90: the shape with 1 at each of the axes */
const FbDims *fb_st_reduce (FbContext *context, const FbShapeTracker *st, guint n_axes, const gint64 *axes);
/* The row-major tracker of that shape. @axes: all ints. */
const FbShapeTracker *fb_st_reduced (FbContext *context, const FbShapeTracker *st, const FbDims *axes);
/* shapetracker.py:98: elements of the smallest buffer that holds all it reaches */
gint64 fb_st_real_size (FbContext *context, const FbShapeTracker *st);
/* shapetracker.py:130-143: a movement op applied. @arg as in view.h for the op. */
const FbShapeTracker *fb_st_movement (FbContext *context, const FbShapeTracker *st, FbOp op, const FbDims *arg);
const FbShapeTracker *fb_st_pad (FbContext *context, const FbShapeTracker *st, const FbDims *arg);
const FbShapeTracker *fb_st_shrink (FbContext *context, const FbShapeTracker *st, const FbDims *arg);
const FbShapeTracker *fb_st_expand (FbContext *context, const FbShapeTracker *st, const FbDims *shape);
const FbShapeTracker *fb_st_permute (FbContext *context, const FbShapeTracker *st, const FbDims *axes);
const FbShapeTracker *fb_st_flip (FbContext *context, const FbShapeTracker *st, const FbDims *arg);
const FbShapeTracker *fb_st_reshape (FbContext *context, const FbShapeTracker *st, const FbDims *shape);
/* shapetracker.py:33 views_to_indexed_uops: the index as a node, its validity in @valid. @idxs NULL for RANGEs. */
FbUop *fb_st_index_uops (FbContext *context, const FbShapeTracker *st, FbUop *const *idxs, FbUop **valid);
/* shapetracker.py:41: a stride per dimension. A stride that is not one number is None: then known[i] is FALSE. */
typedef struct
{
  gboolean known;
  FbSint stride;
} FbRealStride;
/* Memoised; as many as dimensions; owned by the context. */
const FbRealStride *fb_st_real_strides (FbContext *context, const FbShapeTracker *st, gboolean ignore_valid);
/* shapetracker.py:105, :110 */
void fb_st_vars (FbContext *context, const FbShapeTracker *st, GPtrArray *vars);
const FbShapeTracker *fb_st_unbind (FbContext *context, const FbShapeTracker *st, GPtrArray *binds);
