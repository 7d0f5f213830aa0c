/* Building reduces (ops.py:396-421). */
#pragma once

#include "core/ir/context.h"

/* x.r(op, axes): a REDUCE_AXIS, or two where splitting a long one gives more parallel work; @x itself when nothing is
 * reduced. NULL with the error set on failure. */
FbUop *fb_reduce (FbContext *context, FbUop *x, FbOp op, guint n_axes, const gint64 *axes);
