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

/* ASSIGN (VIEW (BUFFER), KERNEL) for @x, which is realized. NULL with the error set. */
FbUop *fb_create_kernel (FbContext *context, FbUop *x);
/* KERNEL @x with the sources of its sources in their place, but for buffers, other kernels and what @realizes holds; NULL when
 * that is itself. */
FbUop *fb_append_to_kernel (FbContext *context, FbUop *x, const FbNodeMap *realizes);
