/* Views inside of core/ir. */
#pragma once

#include "sint-private.h"

/* As fb_view_create(), with one of @strides for each dimension; they are overwritten. */
const FbView *fb_view_create_strided (FbContext *context, const FbDims *shape, FbSint *strides, FbSint offset,
                                      const FbDims *mask);
/* The canonical row-major view of @shape, O(1) after the first time. */
const FbView *fb_view_row_major (FbContext *context, const FbDims *shape);
/* A movement op, not memoised: for callers that memoise the whole tracker. NULL without error: a reshape that needs a
 * second view. */
const FbView *fb_view_movement (FbContext *context, const FbView *view, FbOp op, const FbDims *arg);
/* The same, memoised where that is worth it. */
const FbView *fb_view_moved (FbContext *context, const FbView *view, FbOp op, const FbDims *arg);
/* view.py:272-314 */
const FbView *fb_view_reshape_new (FbContext *context, const FbView *view, const FbDims *shape);
/* "(2, 3)", for errors. Free with g_free. */
char *fb_dims_text (FbContext *context, const FbDims *dims);

/* @st with @view in the place of its last @n_replaced views; NULL for NULL. */
const FbShapeTracker *fb_st_with_last_view (FbContext *context, const FbShapeTracker *st, guint n_replaced,
                                            const FbView *view);

/* A result is remembered beside what it was made of, too, where that is read anyway and the table of memos would be another line of
 * memory: where all of it lives as long, and no option had its say. */
static inline gboolean
st_is_at_hand (const FbContext *context, gboolean all_int)
{
  return all_int && context->options.merge_view == 1 && !context->parent;
}

/* A mask with items; Python's `if self.mask`. */
static inline gboolean
view_is_masked (const FbView *view)
{
  return view->mask && view->mask->n;
}
