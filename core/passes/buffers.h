/* What the rules of buffer ops make, for those who run them by hand. */
#pragma once

#include "core/ir/context-private.h"
#include "passes.h"

/* The rules, in the order of their table. */
typedef enum
{
  FB_BUFFER_TO_LOAD,
  FB_SINK_OF_COPY,
  FB_SINK_TO_STORE,
} FbBufferRule;

typedef struct
{
  const FbDType *dtype;
  gint64 size;
  guint index;
  FbUop *load; /* NULL: nothing is remembered here */
} FbKnownLoad;

typedef struct
{
  const FbDType *dtype;
  const FbDims *shape; /* NULL: nothing is remembered here */
  FbUop *global, *view;
} FbKnownStore;

/* What was made before: kernels of a model use buffers of few sizes, in the same places. */
typedef struct
{
  FbKnownLoad *loads;
  FbKnownStore *stores;
  guint load_mask, store_mask;
} FbLoads;

/* For @n_kernels; memory is from @arena. */
void fb_loads_init (FbLoads *loads, FbArena *arena, guint n_kernels);
/* A load of all of BUFFER @x, which is added to @buffers unless it is the first of them, the output. @loads may be NULL. NULL
 * with the error set. */
FbUop *fb_buffer_to_load (FbContext *context, FbUop *x, FbNodeList *buffers, FbLoads *loads);
/* A SINK of a store of @value where one of @x, of the same shape and dtype, belongs. @loads may be NULL. NULL with the error
 * set. */
FbUop *fb_sink_to_store (FbContext *context, FbUop *x, FbUop *value, FbLoads *loads);
