/* A kernel's program: its AST as a loop nest, with plain numbers and proven accesses.
 *
 * Every dimension of the kernel with more than one point is a loop variable. A value depends on the variables of the
 * dimensions in which its shape is more than 1. Scopes are nests of loops: a root scope runs over the points of a
 * STORE, and a REDUCE owns a scope that runs over its axes inside the scope its result lives in. A node is computed in
 * the outermost scope that has all its variables; one needed in two scopes that are not inside each other is computed
 * in both.
 *
 * Within a scope the values come first, then the loops they need, by level: what has level 0 needs no loop of the
 * scope, a loop of level 0 needs values of level 0 only, values of level 1 need loops of level 0, and so on.
 *
 * An access is part of a program only when an interval proves it inside its argument, wherever its mask lets it be
 * reached. Programs are immutable and hold no node's memory except for `uop`, which is for people. */
#pragma once

#include "core/schedule.h"

#include "index.h"

/* A value of a scalar type: integers and bools sign- or zero-extended by their type, floats as double. */
typedef union
{
  gint64 i;
  double f;
} FbLane;

/* An instruction that is no op of the AST: .constant times the number of points of .count_vars at which .index is valid.
 * It is what a sum of a constant over a mask comes to, as aranges are made of. */
#define FB_INST_COUNT FB_N_OPS

#define FB_PROGRAM_MAX_VARS 63
#define FB_PROGRAM_MAX_DEPTH 64 /* of scopes in scopes */

typedef struct
{
  guint16 op;       /* FbOp */
  guint8 type;      /* FbScalarType of the result */
  guint8 n_src;     /* of instructions */
  guint8 reduce_op; /* of REDUCE_AXIS */
  guint src[3];
  guint scope;     /* where it is computed */
  guint level;     /* in its scope */
  int arg;         /* of LOAD and STORE: the argument; else -1 */
  FbIndex *index;  /* of LOAD, STORE, VALID and FB_INST_COUNT */
  FbLane constant; /* of CONST and FB_INST_COUNT */
  guint64 count_vars;
  guint body; /* of REDUCE_AXIS: its scope */
  /* Of REDUCE_AXIS: so many points in a row are folded among themselves before what comes of them is folded into the result,
   * which starts as the identity. 0: all of them, and that is the result. Other than 1 for MAX of floats alone (reduce-order.h). */
  gint64 fold;
  /* Of it, for each point of the program's .unrolled, from .heads of its .heads on: the points of a fold, as bits, at which it begins
   * anew. One alone is that of all; none: it begins at its first point. */
  guint heads, n_heads;
  FbUop *uop; /* what it is in the AST; borrowed */
} FbInst;

/* Loops of a scope over the same variables, run as one: @n_reduces REDUCE_AXIS instructions from @first of .reduces. */
typedef struct
{
  guint64 vars;
  guint level;
  GArray *reduces; /* of guint */
} FbLoop;

/* A dimension that the reference unrolls, as a whole or so many points of it (reduce-order.h). */
typedef struct
{
  int var; /* -1: none */
  gint64 amount;
  gboolean reduced;
} FbUnrolled;

typedef struct
{
  int parent;       /* scope, -1 for a root */
  guint64 vars;     /* its own variables */
  guint64 all_vars; /* with its parents' */
  guint n_levels, depth;
  guint owner;   /* instruction: the REDUCE_AXIS; of a root the first STORE */
  guint need;    /* level of the parent's values it needs */
  GArray *insts; /* of guint, without reduces, sources first */
  GArray *loops; /* of FbLoop, by level */
} FbScope;

typedef struct
{
  gboolean used, written, read;
  guint8 type; /* FbScalarType */
  gint64 size; /* elements it must have: one more than the last it reaches */
} FbProgramArg;

typedef struct
{
  guint n_vars;
  gint64 extents[FB_PROGRAM_MAX_VARS]; /* of each variable */
  GArray *args;                        /* of FbProgramArg, by number */
  GArray *insts;                       /* of FbInst, sources first */
  GArray *scopes;                      /* of FbScope */
  GArray *unrolled; /* of FbUnrolled: those not reduced, the last one fastest in what reduces have for each point */
  GArray *heads;    /* of guint */
  gint64 points;    /* how often the scope runs that runs most */
  FbArena arena;
} FbProgram;

#define fb_program_inst(program, i) (&g_array_index ((program)->insts, FbInst, i))
#define fb_program_scope(program, i) (&g_array_index ((program)->scopes, FbScope, i))
#define fb_program_arg(program, i) (&g_array_index ((program)->args, FbProgramArg, i))

/* The program of @ast, a SINK of STOREs, with variables replaced by @var_vals (of FbVarVal), for arguments of @sizes
 * elements. NULL: it is refused, and the error names node and range. */
FbProgram *fb_program_new (FbContext *context, FbUop *ast, const GArray *var_vals, guint n_sizes, const gint64 *sizes,
                           GError **error);
void fb_program_free (FbProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbProgram, fb_program_free)

/* Bytes of an element in a buffer; 0 for void. */
guint fb_scalar_size (FbScalarType type);
static inline gboolean
fb_scalar_is_float (guint type)
{
  return type >= FB_SCALAR_FLOAT16;
}
static inline gboolean
fb_scalar_is_unsigned (guint type)
{
  return type == FB_SCALAR_BOOL || type == FB_SCALAR_UINT8 || type == FB_SCALAR_UINT16 || type == FB_SCALAR_UINT32
         || type == FB_SCALAR_UINT64;
}
/* "float", "unsigned char": as the reference names it. */
const char *fb_scalar_name (FbScalarType type);
/* Product of the extents of the variables in @vars. */
gint64 fb_program_points (const FbProgram *program, guint64 vars);
/* The integer as its type holds it: the low bits, extended. */
static inline gint64
fb_wrap (guint type, gint64 value)
{
  switch (type)
    {
    case FB_SCALAR_BOOL:
      return value != 0;
    case FB_SCALAR_INT8:
      return (gint8) value;
    case FB_SCALAR_UINT8:
      return (guint8) value;
    case FB_SCALAR_INT16:
      return (gint16) value;
    case FB_SCALAR_UINT16:
      return (guint16) value;
    case FB_SCALAR_INT32:
      return (gint32) value;
    case FB_SCALAR_UINT32:
      return (guint32) value;
    default:
      return value;
    }
}
