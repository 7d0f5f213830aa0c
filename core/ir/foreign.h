/* Nodes of releases whose operations this program does not know by meaning.
 *
 * Such a node has the op FB_OP_FOREIGN and the dtype void; what it is, in words, is its arg. Two nodes of one context are the
 * same when op, dtype, arg and tag are (by Python's equality) and so are their sources, so everything that asks of nodes only
 * whether they are the same, and what their sources are, works on them: steps, differences, layout. */
#pragma once

#include "uop.h"

/* In no set of ops, and beyond every table of them. */
#define FB_OP_FOREIGN ((FbOp) FB_N_OPS)

/* The arg of a foreign node, of kind FB_ARG_OPAQUE. Owned by whoever read the node, as long as its context. */
typedef struct
{
  FbOpaque opaque;   /* its repr is the text of the arg, "None" for none */
  const char *op;    /* "ADD" */
  FbOp like;         /* the op of that name in v0.10.2, for its colour; FB_OP_NONE: there is none */
  const char *dtype; /* "float", "int.ptr(16)" */
  const char *tag;   /* NULL for none */
} FbForeign;

/* NULL when @uop is a node of tinygrad 0.10.2. */
static inline const FbForeign *
fb_uop_foreign (const FbUop *uop)
{
  return uop->op == FB_OP_FOREIGN ? (const FbForeign *) (gconstpointer) uop->arg.opaque : NULL;
}
