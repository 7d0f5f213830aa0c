/* What the rules of kernel creation make, for those who run them by hand. */
#pragma once

#include "core/ir/context-private.h"
#include "passes.h"

/* The rules, in the order of their set. */
typedef enum
{
  FB_KERNEL_VIEW_OF_VIEW,
  FB_KERNEL_IDENTITY_VIEW,
  FB_KERNEL_VIEW_OF_CONST,
  FB_KERNEL_CREATE,
  FB_KERNEL_APPEND,
} FbKernelRule;

/* ASSIGN (VIEW (BUFFER), KERNEL) for @x, which is realized; @metadata is what the KERNEL carries, a tuple. NULL with the error
 * set. */
FbUop *fb_create_kernel (FbContext *context, FbUop *x, FbArg metadata);

/* Does a KERNEL keep source @s, rather than take in what that is made of: is it a buffer, another kernel's or realized? */
static inline gboolean
fb_kernel_keeps (const FbUop *s, const FbNodeMap *realizes)
{
  return s->op == FB_OP_BUFFER || fb_node_map_get (realizes, s)
         || (s->op == FB_OP_ASSIGN && s->n_src > 1 && s->src[1]->op == FB_OP_KERNEL);
}
