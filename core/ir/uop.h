/* A node of a tensor graph (`UOp`, ops.py:243).
 *
 * Nodes are immutable and hash-consed in their context by (op, dtype, sources,
 * arg) with Python's equality on arg, so "the same" is pointer equality. They
 * are owned by the context's arena: borrow them, never free them. Fields may be
 * read, never written; derived ones marked `memo` are reached by functions.
 *
 * No function here recurses on graph depth. */
#pragma once

#include "shapetracker.h"

struct _FbUop
{
  guint16 op;      /* FbOp */
  guint16 n_users; /* that hang from it */
  guint32 n_src;
  guint32 id; /* creation number in the context, from 0: index of side tables, and the order of creation */
  const FbDType *dtype;
  FbArg arg;
  FbUop *users,
      *next_user; /* where nodes are found: the latest that hangs from this one, and the one before beside it (intern.c) */
  FbUop *base;    /* under views and movement ops, or itself (ops.py:511) */
  FbUop *device;            /* the DEVICE or MULTI node that decides where this lives, NULL for none (ops.py:542) */
  const FbShapeTracker *st; /* memo of fb_uop_st; what is asked of fewer nodes is remembered beside them */
  FbUop *src[];
};

typedef struct _FbBounds
{
  FbArg min, max;
} FbBounds;

/* A kernel as the arg of a KERNEL node (schedule.py:195); interned by (ast, metadata). */
struct _FbKernel
{
  guint32 hash;
  FbUop *ast;
  FbArg metadata; /* a tuple */
};

/* The node, made or found. @src is copied. Never fails. */
FbUop *fb_uop_new (FbContext *context, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg);
/* The node if it exists, else NULL. */
FbUop *fb_uop_lookup (FbContext *context, FbOp op, const FbDType *dtype, guint n_src, FbUop *const *src, FbArg arg);
/* Same op, dtype and arg with other sources. */
FbUop *fb_uop_with_src (FbContext *context, const FbUop *uop, FbUop *const *src);
FbArg fb_arg_new_kernel (FbContext *context, FbUop *ast, FbArg metadata);

/* The ShapeTracker, NULL for none (ops.py:287). NULL with the context's error set when sources disagree. */
const FbShapeTracker *fb_uop_st_slow (FbContext *context, FbUop *uop);
extern const FbShapeTracker fb_st_none; /* the memo of a node that has none */
static inline const FbShapeTracker *
fb_uop_st (FbContext *context, FbUop *uop)
{
  if (G_UNLIKELY (!uop->st))
    return fb_uop_st_slow (context, uop);
  return uop->st == &fb_st_none ? NULL : uop->st;
}
/* st.shape; sets the error FB_ERROR_SHAPELESS and returns NULL when there is none (ops.py:322). */
const FbDims *fb_uop_shape (FbContext *context, FbUop *uop);
/* ops.py:324; -1 with the error set when there is none */
gint64 fb_uop_size (FbContext *context, FbUop *uop);
/* Name of the device ("CPU:1"), NULL when there is none or there are several (MULTI, ops.py:542). */
const FbText *fb_uop_device_name (const FbUop *uop);
gboolean fb_uop_same_device (const FbUop *a, const FbUop *b);
/* The BUFFER a node stores to or is a view of (ops.py:547); NULL with the error set when there is none. */
FbUop *fb_buf_uop (FbContext *context, FbUop *uop);
/* The op a REDUCE_AXIS reduces by, FB_OP_NONE for anything else. */
FbOp fb_uop_reduce_op (const FbUop *uop);
/* ops.py:349 for REDUCE_AXIS: the axes, owned by the node; NULL if it has none. */
const FbDims *fb_uop_axes (FbContext *context, const FbUop *uop);
/* Smallest and largest value (ops.py:625), memoised. Integers are exact, of any size. Never NULL: on error, which is set and
 * not remembered, False and True. */
const FbBounds *fb_uop_bounds (FbContext *context, FbUop *uop);
#define fb_uop_vmin(context, uop) (fb_uop_bounds (context, uop)->min)
#define fb_uop_vmax(context, uop) (fb_uop_bounds (context, uop)->max)
/* Order of symbolic terms: <0, 0, >0 as tuplize compares (ops.py:282); 0 also for NaNs, which are not less; or
 * FB_COMPARE_REFUSED where Python raises TypeError (a str and an int). */
#define FB_COMPARE_REFUSED G_MAXINT
int fb_uop_compare (const FbUop *a, const FbUop *b);

/* --- building, as the reference's operators do (ops.py:357-526) --- */
FbUop *fb_const (FbContext *context, const FbDType *dtype, FbArg value); /* UOp.const; a tuple makes a VCONST */
FbUop *fb_const_int (FbContext *context, const FbDType *dtype, gint64 value);
/* const_like: with the device and shape of @uop if it has a device (ops.py:357). */
FbUop *fb_const_like (FbContext *context, FbUop *uop, FbArg value);
FbUop *fb_const_like_int (FbContext *context, FbUop *uop, gint64 value);
FbUop *fb_alu1 (FbContext *context, FbOp op, FbUop *x);
FbUop *fb_alu2 (FbContext *context, FbOp op, FbUop *x, FbUop *y);
FbUop *fb_alu3 (FbContext *context, FbOp op, FbUop *x, FbUop *y, FbUop *z);
FbUop *fb_neg (FbContext *context, FbUop *x);               /* ops.py:28 */
FbUop *fb_logical_not (FbContext *context, FbUop *x);       /* ops.py:27 */
FbUop *fb_add_int (FbContext *context, FbUop *x, gint64 c); /* x + c */
FbUop *fb_mul_int (FbContext *context, FbUop *x, gint64 c); /* x * c */
FbUop *fb_lt_int (FbContext *context, FbUop *x, gint64 c);  /* x < c */
FbUop *fb_ge_int (FbContext *context, FbUop *x, gint64 c);  /* (x < c) != True */
FbUop *fb_cast (FbContext *context, FbUop *x, const FbDType *dtype);
FbUop *fb_variable (FbContext *context, const char *name, FbArg min, FbArg max, const FbDType *dtype);
FbUop *fb_range (FbContext *context, const FbDType *dtype, FbSint start, FbSint end, gint64 index);
/* A view of the base of @x (ops.py:514). */
FbUop *fb_view (FbContext *context, FbUop *x, const FbShapeTracker *st);
/* Movement; gives @x back when nothing moves (ops.py:516). @arg: dims, pairs flattened. */
FbUop *fb_movement (FbContext *context, FbOp op, FbUop *x, const FbDims *arg);
/* VIEW without sources (shapetracker.py:92). */
FbUop *fb_st_to_uop (FbContext *context, const FbShapeTracker *st);
/* The same node with one part replaced; @uop itself if nothing changes (ops.py:258). */
FbUop *fb_replace_dtype (FbContext *context, FbUop *uop, const FbDType *dtype);
FbUop *fb_replace_op (FbContext *context, FbUop *uop, FbOp op);
FbUop *fb_replace_arg (FbContext *context, FbUop *uop, FbArg arg);
FbUop *fb_replace_src (FbContext *context, FbUop *uop, guint n, FbUop *const *src);

/* --- walking --- */
/* All nodes reachable from @root, sources before users, in the order of ops.py:270. May be shared: only to be read. Free with
 * g_ptr_array_unref. */
GPtrArray *fb_uop_toposort (FbContext *context, FbUop *root);
/* A new buffer of @size elements on the device of DEVICE node @device, with the next UNIQUE number (ops.py:538). */
FbUop *fb_new_buffer (FbContext *context, FbUop *device, gint64 size, const FbDType *dtype);
