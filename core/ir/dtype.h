/* Data types: scalars, vectors, pointers and images (dtype.py:20-70).
 *
 * A dtype is immutable and interned: equal types are the same pointer within a
 * context, and the scalars are the same pointer everywhere. */
#pragma once

#include "arena.h"

typedef struct _FbContext FbContext;

typedef enum
{
  FB_SCALAR_VOID,
  FB_SCALAR_BOOL,
  FB_SCALAR_INT8,
  FB_SCALAR_UINT8,
  FB_SCALAR_INT16,
  FB_SCALAR_UINT16,
  FB_SCALAR_INT32,
  FB_SCALAR_UINT32,
  FB_SCALAR_INT64,
  FB_SCALAR_UINT64,
  FB_SCALAR_FLOAT16,
  FB_SCALAR_BFLOAT16,
  FB_SCALAR_FLOAT32,
  FB_SCALAR_FLOAT64,
  FB_N_SCALARS
} FbScalarType;

typedef enum
{
  FB_DTYPE_PLAIN, /* a scalar or a vector of them */
  FB_DTYPE_PTR,
  FB_DTYPE_IMAGE,
} FbDTypeKind;

typedef struct _FbDType FbDType;
struct _FbDType
{
  FbDTypeKind kind;
  FbScalarType type;     /* of the elements; for an image float32, which its base is */
  guint32 position;      /* in an FbDTypeSet */
  int priority;          /* of promotion */
  int itemsize;          /* bytes; of a vector the whole; of a pointer or image that of one element */
  const char *name;      /* the name in C ("unsigned char", "float4", "imageh") */
  char fmt;              /* struct format character, 0 when there is none */
  int count;             /* lanes of a vector, 1 otherwise */
  int v;                 /* lanes of a vector of pointers, 1 otherwise */
  gboolean local;        /* pointer into local memory */
  gint64 size;           /* elements behind a pointer or image, -1 when unlimited */
  const FbDType *scalar; /* the lane type of a vector; itself otherwise (dtype.py:43) */
  const FbDType *base;   /* what a pointer or image points to; itself otherwise */
  int n_shape;           /* of an image */
  const gint64 *shape;
  gboolean half;          /* image of half floats (imageh) */
  const char *repr;       /* "dtypes.float", "dtypes.int.ptr(16)", ... Python's repr */
  const char *short_name; /* "float", "int.vec(4)", as cards show it */
};

extern const FbDType fb_dtype_scalars[FB_N_SCALARS];
#define FB_DTYPE(TYPE) (&fb_dtype_scalars[FB_SCALAR_##TYPE])

/* Sets of scalar types, for patterns. */
typedef guint32 FbDTypeSet;
#define FB_DT_BIT(TYPE) (1u << FB_SCALAR_##TYPE)
#define FB_DT_FLOATS (FB_DT_BIT (FLOAT16) | FB_DT_BIT (BFLOAT16) | FB_DT_BIT (FLOAT32) | FB_DT_BIT (FLOAT64))
#define FB_DT_UINTS (FB_DT_BIT (UINT8) | FB_DT_BIT (UINT16) | FB_DT_BIT (UINT32) | FB_DT_BIT (UINT64))
#define FB_DT_SINTS (FB_DT_BIT (INT8) | FB_DT_BIT (INT16) | FB_DT_BIT (INT32) | FB_DT_BIT (INT64))
#define FB_DT_INTS (FB_DT_UINTS | FB_DT_SINTS)
/* of whatever elements */
#define FB_DT_POINTER (1u << FB_N_SCALARS)
#define FB_DT_IMAGE (1u << (FB_N_SCALARS + 1))

/* The position of @dtype in such a set, below 16. */
static inline guint32
fb_dtype_position (const FbDType *dtype)
{
  G_STATIC_ASSERT (FB_N_SCALARS + 2 <= 16);
  return dtype->position;
}

/* dtype itself or its scalar is in @set, as a pattern tests it (ops.py:800). Pointers and images are no scalars. */
static inline gboolean
fb_dtype_in (const FbDType *dtype, FbDTypeSet set)
{
  return (set >> fb_dtype_position (dtype)) & 1;
}

/* dtype.py:75-83; an image is a float, a pointer is neither */
static inline gboolean
fb_dtype_is_float (const FbDType *dtype)
{
  return dtype->kind == FB_DTYPE_IMAGE || fb_dtype_in (dtype, FB_DT_FLOATS);
}
static inline gboolean
fb_dtype_is_int (const FbDType *dtype)
{
  return fb_dtype_in (dtype, FB_DT_INTS);
}
static inline gboolean
fb_dtype_is_unsigned (const FbDType *dtype)
{
  return fb_dtype_in (dtype, FB_DT_UINTS);
}

/* Derived types, interned in @context. @lanes 1 gives @dtype back.
 * fb_dtype_vec of a pointer makes a vector of pointers (dtype.py:37, :55). */

const FbDType *fb_dtype_vec (FbContext *context, const FbDType *dtype, int lanes);
/* dtype.py:41; an image is its own pointer (dtype.py:67). */
const FbDType *fb_dtype_ptr (FbContext *context, const FbDType *dtype, gint64 size, gboolean local);
/* dtype.py:139; size is the product of the shape. */
const FbDType *fb_dtype_image (FbContext *context, gboolean half, int n_shape, const gint64 *shape);
