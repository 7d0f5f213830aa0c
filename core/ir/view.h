/* A View: how a flat buffer is indexed by a shape (view.py).
 *
 * Immutable and interned; equal views are the same pointer. Every operation is
 * pure and memoised per context. An operation the reference refuses sets the
 * context's error and returns NULL; one for which it returns None gives NULL
 * with no error set (fb_context_failed tells them apart). */
#pragma once

#include "sint.h"

typedef struct
{
  guint32 hash;
  guint8 contiguous;
  guint8 all_int; /* no node in any field */
  const FbDims *shape;
  const FbDims *strides; /* as long as shape */
  FbSint offset;
  const FbDims *mask;       /* 2n: begin and end per dimension, NULL for none */
  const FbShapeTracker *st; /* memo of fb_st_from_view */
} FbView;

/* Exactly these fields, as unpickled or made by View(...) (view.py:82). */
const FbView *fb_view_intern (FbContext *context, const FbDims *shape, const FbDims *strides, FbSint offset,
                              const FbDims *mask, gboolean contiguous);
/* Canonical (view.py:109); @strides NULL for row-major, @mask NULL for none. */
const FbView *fb_view_create (FbContext *context, const FbDims *shape, const FbDims *strides, FbSint offset,
                              const FbDims *mask);
/* view.py:10, :14 */
const FbDims *fb_canonicalize_strides (FbContext *context, const FbDims *shape, const FbDims *strides);
const FbDims *fb_strides_for_shape (FbContext *context, const FbDims *shape);
/* view.py:74: position of @offset in each of @n dimensions, written to @out. */
void fb_unravel (FbContext *context, guint n, const FbSint *shape, FbSint offset, FbSint *out);
/* view.py:102: elements, symbolic dimensions at their largest; -1 (and error) when that is no int. */
gint64 fb_view_size (FbContext *context, const FbView *view);
/* view.py:151 View.__add__: @inner indexed by @outer as one view, NULL when it needs two. */
const FbView *fb_view_merge (FbContext *context, const FbView *inner, const FbView *outer);
/* view.py:211 */
const FbView *fb_view_invert (FbContext *context, const FbView *view, const FbDims *out_shape);
/* view.py:218 */
const FbView *fb_view_minify (FbContext *context, const FbView *view);
/* view.py:232-314. @arg of pad and shrink: 2n; of permute the axes; of flip 0 or 1 per axis. reshape gives NULL when it
 * needs a second view. */
const FbView *fb_view_pad (FbContext *context, const FbView *view, const FbDims *arg);
const FbView *fb_view_shrink (FbContext *context, const FbView *view, const FbDims *arg);
const FbView *fb_view_permute (FbContext *context, const FbView *view, const FbDims *axes);
const FbView *fb_view_flip (FbContext *context, const FbView *view, const FbDims *arg);
const FbView *fb_view_reshape (FbContext *context, const FbView *view, const FbDims *shape);
/* view.py:90 to_indexed_uops: index and validity as nodes. @idxs: one node a dimension, or NULL for RANGEs;
 * @valid: in the validity so far (NULL for True), out with this view's mask added. Returns the index. */
FbUop *fb_view_to_indexed (FbContext *context, const FbView *view, FbUop *const *idxs, FbUop **valid);
/* view.py:135: the variables (BIND, or DEFINE_VAR not bound here) of all fields, in no particular order; appended without repeats. */
void fb_view_vars (FbContext *context, const FbView *view, GPtrArray *vars);
/* view.py:140: every BIND replaced by its variable; the BINDs found are appended to @binds without repeats. */
const FbView *fb_view_unbind (FbContext *context, const FbView *view, GPtrArray *binds);
