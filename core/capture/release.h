/* Op numbers by release of tinygrad.
 *
 * Python 3.10, 3.12 and 3.13 pickle an op as its number, which differs between
 * releases; 3.11 pickles its name. Nodes always carry the numbers of v0.10.2
 * (core/ir/op.h). */
#pragma once

#include "core/ir/context.h"

#define FB_N_RELEASES 4
/* In the order in which they are tried. */
typedef enum
{
  FB_RELEASE_0_10_2,
  FB_RELEASE_0_10_3,
  FB_RELEASE_0_10_1,
  FB_RELEASE_0_10_0,
} FbRelease;

/* "v0.10.2"; static */
const char *fb_release_name (int release);
/* The release called @name ("v0.10.1" or "0.10.1"), -1 when it is not known. */
int fb_release_from_name (const char *name);
/* The version in the names of its cache tables (helpers.py VERSION): 19, for 0.10.0 16. */
int fb_release_cache_version (int release);
/* The name of the op with number @value, NULL when @release has none; static. */
const char *fb_release_op_name (int release, gint64 value);
/* The op with number @value: FB_OP_NONE when @release has none, or v0.10.2 does not have it. */
FbOp fb_release_op (int release, gint64 value);
/* The number of @op in @release, 0 when it does not have it. */
int fb_release_op_value (int release, FbOp op);

/* Python's text of the bytes of UOp.key (ops.py:264) as @release computes it: the number of each op is part of what is
 * hashed. Free with g_free. */
char *fb_release_key_text (FbContext *context, FbUop *root, int release);
