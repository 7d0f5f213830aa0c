/* Where the first NaN, or the first infinity, comes from. */
#pragma once

#include "probe.h"

typedef enum
{
  FB_ORIGIN_NAN,
  FB_ORIGIN_INF, /* made of finite numbers: constants that are infinite, and what is made of them, do not count */
} FbOriginKind;

typedef enum
{
  FB_ORIGIN_NOWHERE, /* no kernel writes one */
  FB_ORIGIN_INPUT,   /* an input holds one */
  FB_ORIGIN_KERNEL,  /* a kernel does, but in none of its nodes was it found */
  FB_ORIGIN_NODE,
} FbOriginPlace;

typedef struct
{
  FbOriginPlace place;
  guint buffer;   /* of INPUT: in the plan; of a kernel what it writes */
  guint kernel;   /* of KERNEL and NODE, from 0 */
  FbUop *node;    /* of NODE: the first, sources first; borrowed */
  gint64 element; /* the first, in the node's index space, or in the buffer */
  gint64 count;   /* how many there are */
  guint n_dims;   /* of NODE */
  gint64 *shape;  /* of NODE; owned */
  double value;
  guint n_sources;
  double sources[3]; /* of NODE, element-wise: what it was made of there */
  guint n_skipped;   /* nodes too large to be looked at before it */
} FbOrigin;
void fb_origin_clear (FbOrigin *origin);

/* Runs @plan over @memory, filled, and stops where the first one appears. Uses the schedule's context. @limit: bytes a probe may
 * take, 0: fb_plan_default_limit(). FALSE: the run failed, or it was cancelled. */
gboolean fb_find_origin (const FbSchedule *schedule, const FbPlan *plan, FbMemory *memory, FbOriginKind kind,
                         const FbRunOptions *options, gsize limit, FbOrigin *origin, GCancellable *cancellable,
                         GError **error);
