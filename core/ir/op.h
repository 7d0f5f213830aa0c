/* The operations of a tensor graph, as one table.
 *
 * The number of an op is its value in tinygrad 0.10.2 (ops.py:94); it orders
 * symbolic terms (`tuplize`, ops.py:282) and prints in keys, so it must not
 * change. Other releases are translated on reading (core/capture/release.h). */
#pragma once

#include <glib.h>

/* clang-format never settles on such a list. */
/* clang-format off */
#define FB_FOR_EACH_OP(X) \
  X (NAME) X (SINK) X (CONTIGUOUS) X (CONTIGUOUS_BACKWARD) X (DETACH) X (KERNEL) X (UNIQUE) X (EMPTY) X (COPY) \
  X (BUFFER_VIEW) X (BLOCK) X (BLOCKSTART) X (BLOCKFORK) X (BLOCKEND) X (RESHAPE) X (PERMUTE) X (EXPAND) X (PAD) \
  X (SHRINK) X (FLIP) X (UNROLL) X (CONTRACT) X (VIEW) X (DEFINE_GLOBAL) X (BUFFER) X (DEFINE_VAR) \
  X (DEFINE_LOCAL) X (DEFINE_ACC) X (VALID) X (SPECIAL) X (NOOP) X (REDUCE_AXIS) X (GEP) X (VECTORIZE) X (CAT) \
  X (CAST) X (BITCAST) X (EXP2) X (LOG2) X (SIN) X (SQRT) X (RECIP) X (NEG) X (LOAD) X (STORE) X (INDEX) X (WMMA) \
  X (ADD) X (MUL) X (IDIV) X (MAX) X (MOD) X (CMPLT) X (CMPNE) X (XOR) X (SHL) X (SHR) X (OR) X (AND) X (THREEFRY) \
  X (SUB) X (FDIV) X (POW) X (WHERE) X (MULACC) X (ASSIGN) X (BIND) X (BARRIER) X (RANGE) X (IF) X (ENDRANGE) \
  X (ENDIF) X (VCONST) X (CONST) X (DEVICE) X (MULTI) X (CUSTOM)
/* clang-format on */

typedef enum
{
  FB_OP_NONE = 0,
#define X(op) FB_OP_##op,
  FB_FOR_EACH_OP (X)
#undef X
      FB_N_OPS
} FbOp;

/* The number of the op called @name of some other release (core/ir/foreign.h), the same for equal names, above all of the known.
 * When a process met too many names, FB_OP_UNNAMED. May be called by any thread. */
#define FB_OP_UNNAMED ((FbOp) FB_N_OPS)
FbOp fb_op_foreign (const char *name);
/* The same of a name that was met; FB_OP_NONE when it was not. */
FbOp fb_op_foreign_met (const char *name);
/* The known op of the same name, for how it looks; FB_OP_NONE when there is none. */
FbOp fb_op_like (FbOp op);

/* A set of ops; constant expressions, so that rule tables are static data. */
__extension__ typedef unsigned __int128 FbOpSet;

#define FB_OP_BIT(op) ((FbOpSet) 1 << FB_OP_##op)
static inline gboolean
fb_op_in (guint op, FbOpSet set)
{
  guint64 half = op < 64 ? (guint64) set : (guint64) (set >> 64);
  return (half >> (op & 63)) & 1;
}

/* ops.py:156, GroupOp */
#define FB_OPS_UNARY \
  (FB_OP_BIT (EXP2) | FB_OP_BIT (LOG2) | FB_OP_BIT (SIN) | FB_OP_BIT (SQRT) | FB_OP_BIT (RECIP) | FB_OP_BIT (NEG))
#define FB_OPS_BINARY                                                                                           \
  (FB_OP_BIT (ADD) | FB_OP_BIT (MUL) | FB_OP_BIT (IDIV) | FB_OP_BIT (MAX) | FB_OP_BIT (MOD) | FB_OP_BIT (CMPLT) \
   | FB_OP_BIT (CMPNE) | FB_OP_BIT (XOR) | FB_OP_BIT (SHL) | FB_OP_BIT (SHR) | FB_OP_BIT (OR) | FB_OP_BIT (AND) \
   | FB_OP_BIT (THREEFRY) | FB_OP_BIT (SUB) | FB_OP_BIT (FDIV) | FB_OP_BIT (POW))
#define FB_OPS_TERNARY (FB_OP_BIT (WHERE) | FB_OP_BIT (MULACC))
#define FB_OPS_ALU (FB_OPS_UNARY | FB_OPS_BINARY | FB_OPS_TERNARY)
#define FB_OPS_IRREDUCIBLE (FB_OP_BIT (CONST) | FB_OP_BIT (DEFINE_VAR) | FB_OP_BIT (SPECIAL) | FB_OP_BIT (RANGE))
#define FB_OPS_MOVEMENT                                                                                  \
  (FB_OP_BIT (RESHAPE) | FB_OP_BIT (EXPAND) | FB_OP_BIT (PERMUTE) | FB_OP_BIT (PAD) | FB_OP_BIT (SHRINK) \
   | FB_OP_BIT (FLIP))
#define FB_OPS_BUFFER \
  (FB_OP_BIT (LOAD) | FB_OP_BIT (STORE) | FB_OP_BIT (VALID) | FB_OP_BIT (CONST) | FB_OP_BIT (DEFINE_VAR))
#define FB_OPS_COMMUTATIVE                                                                                     \
  (FB_OP_BIT (ADD) | FB_OP_BIT (MUL) | FB_OP_BIT (MAX) | FB_OP_BIT (CMPNE) | FB_OP_BIT (XOR) | FB_OP_BIT (AND) \
   | FB_OP_BIT (OR))
#define FB_OPS_ASSOCIATIVE (FB_OP_BIT (ADD) | FB_OP_BIT (MUL) | FB_OP_BIT (AND) | FB_OP_BIT (OR) | FB_OP_BIT (MAX))
#define FB_OPS_IDEMPOTENT (FB_OP_BIT (OR) | FB_OP_BIT (AND) | FB_OP_BIT (MAX))
#define FB_OPS_UNSAFE_PAD (FB_OP_BIT (RECIP) | FB_OP_BIT (LOG2) | FB_OP_BIT (EXP2) | FB_OP_BIT (IDIV) | FB_OP_BIT (POW))
#define FB_OPS_ALL ((((FbOpSet) 1 << FB_N_OPS) - 1) & ~(FbOpSet) 1)

/* What an op is for, as a person sorts them; colours the cards of a graph. */
typedef enum
{
  FB_KIND_BUFFER,
  FB_KIND_LOAD,
  FB_KIND_STORE,
  FB_KIND_CONST,
  FB_KIND_ALU,
  FB_KIND_REDUCE,
  FB_KIND_VIEW,
  FB_KIND_MOVEMENT,
  FB_KIND_ASSIGN,
  FB_KIND_COPY,
  FB_KIND_KERNEL,
  FB_N_KINDS
} FbOpKind;

/* "ADD"; static text. */
const char *fb_op_name (FbOp op);
/* The op with this name, FB_OP_NONE when there is none. @len -1: NUL-terminated. */
FbOp fb_op_from_name (const char *name, gssize len);
FbOpKind fb_op_kind (FbOp op);
