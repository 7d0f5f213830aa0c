/* What the viewer shows of a buffer, made off the main loop: statistics, a histogram, a comparison, the picture of a slice. */
#pragma once

#include <gdk/gdk.h>

#include "backends/values/compare.h"
#include "backends/values/slice.h"
#include "backends/values/values.h"

/* What does not depend on the slice. Immutable. */
typedef struct
{
  gatomicrefcount refs;
  FbValueStats stats;
  FbHistogram histogram;
  gboolean compared;
  FbValueComparison comparison;
} FbBufferFacts;
void fb_buffer_facts_unref (FbBufferFacts *facts);

typedef struct
{
  guint type;
  GBytes *data;
  GBytes *other; /* of the same type and size, to be compared with; NULL: none */
  FbSlice slice;
  gboolean difference; /* the picture is of how far apart they are */
  guint width, height; /* px of the picture; 0: none */
  guint ink;           /* px of a line */
  gboolean dark;
  FbBufferFacts *facts; /* known already; NULL: to be found */
} FbBufferLook;

typedef struct
{
  FbBufferFacts *facts;
  GdkTexture *picture; /* NULL: none */
  double most;         /* the end of its scale */
} FbBufferSight;
void fb_buffer_sight_free (FbBufferSight *sight);

/* @look is copied; what it points to is referenced. */
void fb_buffer_look_async (const FbBufferLook *look, GCancellable *cancellable, GAsyncReadyCallback done,
                           gpointer source);
/* NULL: cancelled. */
FbBufferSight *fb_buffer_look_finish (GAsyncResult *result, GError **error);
/* The same at once. Blocks; NULL: cancelled. */
FbBufferSight *fb_buffer_look (const FbBufferLook *look, GCancellable *cancellable);
