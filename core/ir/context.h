/* A context: the arena that owns nodes, and the tables in which they are interned.
 *
 * One context per capture row (the first created of equal nodes is the one that
 * prints, REFERENCE trap 1). One thread at a time. */
#pragma once

#include "uop.h"

typedef enum
{
  FB_ERROR_SHAPE,     /* sources of different shapes; a reshape that does not fit; a bad view */
  FB_ERROR_SHAPELESS, /* the shape of something that has none */
  FB_ERROR_DEVICE,    /* no single device where one is needed */
  FB_ERROR_DTYPE,
  FB_ERROR_ARITHMETIC, /* division by zero on constants, int(nan), ... */
  FB_ERROR_OVERFLOW,   /* a size beyond 62 bits */
  FB_ERROR_DIVERGES,   /* rewriting does not end */
  FB_ERROR_UNSUPPORTED,
  FB_ERROR_CYCLE,        /* a cycle among kernels */
  FB_ERROR_SELF_OPERAND, /* self operand of augmented assign not contiguous */
  FB_ERROR_VERIFY,       /* the kernel graph fails its specification */
  FB_ERROR_CANCELLED,
} FbError;
#define FB_ERROR (fb_error_quark ())
GQuark fb_error_quark (void);

/* What of the environment the scheduler reads. fb_options_init sets the defaults of tinygrad 0.10.2. */
typedef struct
{
  int fuse_arange, fuse_conv_bw, dont_realize_expand, split_reduceop, image;
  gint64 reduceop_split_threshold, reduceop_split_size; /* environment only: 32768, 22 */
  int merge_view;                                       /* environment only: 1 */
} FbOptions;
void fb_options_init (FbOptions *options);

FbContext *fb_context_new (void);
/* Looks nodes up in @parent first, makes new ones of its own; @parent must outlive it and not grow meanwhile. */
FbContext *fb_context_new_overlay (FbContext *parent);
void fb_context_free (FbContext *context);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbContext, fb_context_free)
/* Empties it for the next row; every node of it is gone. Keeps memory for reuse. */
void fb_context_reset (FbContext *context);

FbArena *fb_context_arena (FbContext *context);
FbOptions *fb_context_options (FbContext *context);
/* Nodes made so far; ids are below it. */
guint32 fb_context_n_uops (FbContext *context);
/* The node with this id. */
FbUop *fb_context_uop (FbContext *context, guint32 id);
/* Bytes held for nodes and tables. */
gsize fb_context_memory (FbContext *context);
/* The number the next UNIQUE gets; reading a graph raises it above the largest seen (REFERENCE trap 2). */
gint64 fb_context_next_unique (FbContext *context);

/* The first error stays until taken. @uop: the node it is about, or NULL. */
__attribute__ ((cold)) void fb_context_fail (FbContext *context, FbError code, const FbUop *uop, const char *format,
                                             ...) G_GNUC_PRINTF (4, 5);
gboolean fb_context_failed (FbContext *context);
/* Moves the error out; FALSE (and @error untouched) if there was none. */
gboolean fb_context_take_error (FbContext *context, GError **error);
/* The node the error is about, NULL if unknown. */
const FbUop *fb_context_error_uop (FbContext *context);

/* --- for the modules of core/ir and core/symbolic: memo tables --- */
/* A memo of (kind, a, b) -> value; kinds are from FbMemo. Returns TRUE and the value when present. */
typedef enum
{
  FB_MEMO_VIEW_MERGE,
  FB_MEMO_VIEW_MINIFY,
  FB_MEMO_VIEW_INVERT,
  FB_MEMO_ST_ADD,
  FB_MEMO_ST_INVERT,
  FB_MEMO_VIEW_MOVEMENT, /* + op */
  FB_MEMO_ST_MOVEMENT = FB_MEMO_VIEW_MOVEMENT + FB_N_OPS,
  FB_MEMO_ST_REAL_STRIDES = FB_MEMO_ST_MOVEMENT + FB_N_OPS,
  FB_MEMO_ST_REAL_STRIDES_IGNORE_VALID,
  FB_MEMO_SIMPLIFY,
  FB_MEMO_KEPT = 1 << 16, /* added where keys and value hold no nodes: remembered over resets */
} FbMemo;
gboolean fb_memo_get (FbContext *context, FbMemo kind, const void *a, const void *b, const void **value);
void fb_memo_put (FbContext *context, FbMemo kind, const void *a, const void *b, const void *value);
/* Interns @view or @st by its fields (core/ir/view.c, shapetracker.c own the meaning). */
const FbView *fb_context_intern_view (FbContext *context, const FbView *proto);
const FbShapeTracker *fb_context_intern_st (FbContext *context, guint n, const FbView *const *views);
