/* Hashes of kernels that leave out a part of what they say.
 *
 * Private to core/replay. A hash covers the tree below a node; buffers count by the order in which they are first used,
 * so two kernels that differ in their numbers alone hash the same. */
#pragma once

#include "core/ir/context.h"

typedef enum
{
  FB_BLUR_NOTHING = 0,
  FB_BLUR_NUMBERS = 1 << 0,   /* which buffer, too */
  FB_BLUR_VIEWS = 1 << 1,     /* shape trackers, reduced axes, and whether a VIEW is there at all */
  FB_BLUR_SIZES = 1 << 2,     /* of buffers and images */
  FB_BLUR_CONSTANTS = 1 << 3, /* values */
  FB_BLUR_ALL = FB_BLUR_NUMBERS | FB_BLUR_VIEWS | FB_BLUR_SIZES | FB_BLUR_CONSTANTS,
} FbBlur;

static inline guint64
fb_signature_mix (guint64 hash, guint64 value)
{
  hash = (hash ^ value) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  hash ^= hash >> 29;
  hash *= G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  return hash ^ (hash >> 32);
}

guint64 fb_signature_text (const char *text);
/* Of what a buffer holds: the element and, unless sizes are blurred, how many. */
guint64 fb_signature_dtype (const FbDType *dtype, FbBlur blur);
/* Of the whole, such that two kernels have the same only if they print the same, sharing included: NaN objects are alike.
 * Within a context. */
guint64 fb_signature_print (FbContext *context, const GPtrArray *nodes);
/* One hash for each of @nodes, which are in the order of fb_uop_toposort, into @hashes. With views blurred they are the
 * same in every process. Linear in the nodes. */
void fb_signature_nodes (FbContext *context, const GPtrArray *nodes, FbBlur blur, guint64 *hashes);
