/* Data types from their fields. */
#include "pickle-private.h"

/* Lanes of a vector: generous, the reference unrolls to a few hundred. */
#define MAX_LANES 65536
#define MAX_IMAGE_DIMS 8

/* DType (priority, itemsize, name, fmt, count, _scalar), dtype.py:20; a scalar is known by its name. */
static const FbDType *
make_plain_dtype (FbPickle *pickle, guint32 n, const FbValue *a)
{
  const FbDType *dtype = NULL;

  if (n != 6 || a[1].kind != FB_VALUE_INT || a[2].kind != FB_VALUE_TEXT || a[4].kind != FB_VALUE_INT)
    return NULL;
  if (a[5].kind == FB_VALUE_NONE)
    {
      for (int i = 0; i < FB_N_SCALARS && !dtype; i++)
        if (a[2].n && a[2].bytes[0] == (guint8) fb_dtype_scalars[i].name[0]
            && fb_value_is_text (&a[2], fb_dtype_scalars[i].name))
          dtype = &fb_dtype_scalars[i];
      if (!dtype)
        fb_pickle_fail (pickle, "the data type \"%.*s\" is not known", (int) MIN (a[2].n, 64u),
                        (const char *) a[2].bytes);
      return dtype && a[4].i == 1 && a[1].i == dtype->itemsize ? dtype : NULL;
    }
  if (a[5].kind != FB_VALUE_DTYPE || a[4].i < 2 || a[4].i > MAX_LANES)
    return NULL;
  dtype = a[5].dtype;
  if (dtype->kind != FB_DTYPE_PLAIN || dtype->count != 1 || dtype == FB_DTYPE (VOID)
      || a[1].i != dtype->itemsize * a[4].i)
    return NULL;
  return fb_dtype_vec (pickle->context, dtype, (int) a[4].i);
}

/* PtrDType (..., _scalar, _base, local, v, size) and ImageDType (..., shape), dtype.py:47, :65. Before 0.10.1 a pointer
 * had no size. */
static const FbDType *
make_pointer_dtype (FbPickle *pickle, guint32 n, const FbValue *a, gboolean image)
{
  gint64 size = -1, shape[MAX_IMAGE_DIMS], product = 1;
  const FbTupleCell *dims;

  if (n < 9 || n > (image ? 11 : 10) || a[6].kind != FB_VALUE_DTYPE || a[7].kind != FB_VALUE_BOOL
      || a[8].kind != FB_VALUE_INT || a[8].i < 1 || a[8].i > MAX_LANES)
    return NULL;
  if (a[8].i > 1) /* the scalar of a vector of pointers is the pointer */
    return a[5].kind == FB_VALUE_DTYPE && a[5].dtype->kind != FB_DTYPE_PLAIN && a[5].dtype->v == 1
               ? fb_dtype_vec (pickle->context, a[5].dtype, (int) a[8].i)
               : NULL;
  if (n > 9 && a[9].kind == FB_VALUE_INT)
    size = a[9].i;
  if (a[6].dtype->kind != FB_DTYPE_PLAIN || size < -1)
    return NULL;
  if (!image)
    return fb_dtype_ptr (pickle->context, a[6].dtype, size, a[7].i != 0);
  if (a[n - 1].kind != FB_VALUE_TUPLE || a[6].dtype != FB_DTYPE (FLOAT32)
      || !(fb_value_is_text (&a[2], "imageh") || fb_value_is_text (&a[2], "imagef")))
    return NULL;
  dims = a[n - 1].tuple;
  if (dims->n > MAX_IMAGE_DIMS)
    return NULL;
  for (guint32 i = 0; i < dims->n; i++)
    {
      shape[i] = dims->items[i].i;
      if (dims->items[i].kind != FB_VALUE_INT || shape[i] < 0 || __builtin_mul_overflow (product, shape[i], &product))
        return NULL;
    }
  return fb_dtype_image (pickle->context, fb_value_is_text (&a[2], "imageh"), (int) dims->n, shape);
}

gboolean
fb_pickle_make_dtype (FbPickle *pickle, FbClassId class, guint32 n, const FbValue *a, FbValue *result)
{
  const FbDType *dtype = class == FB_CLASS_DTYPE ? make_plain_dtype (pickle, n, a)
                                                 : make_pointer_dtype (pickle, n, a, class == FB_CLASS_IMAGE_DTYPE);

  if (!dtype)
    return fb_pickle_fail (pickle, "the fields of a data type do not make one of tinygrad v0.10.2");
  fb_value_set_pointer (result, FB_VALUE_DTYPE, dtype);
  return TRUE;
}
