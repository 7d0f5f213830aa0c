/* Arrays in files: .npy, a member of an .npz, a tensor of a .safetensors. Nothing in a file is trusted: every offset and size is
 * checked against the file before it is used, and no more is unpacked than the array that is asked for may have. */
#pragma once

#include "backends/program/program.h"

#define FB_ARRAY_MAX_DIMS 32

typedef struct
{
  char *name;   /* NULL in an .npy */
  guint8 type;  /* FbScalarType */
  guint n_dims; /* in C order of dimensions, whatever the order of elements */
  gint64 shape[FB_ARRAY_MAX_DIMS];
  gint64 count; /* elements */
} FbArrayInfo;

/* What the file has, as FbArrayInfo; of an .npz in the order of its directory. NULL: it is no such file, or is damaged. Free with
 * g_ptr_array_unref. */
GPtrArray *fb_array_list (const char *path, GError **error);
/* The array @name of the file into @n elements of @type at @data; NULL: the only one. Integers are taken as integers of another size
 * where each fits, floats are rounded to @type. FALSE: another number of elements, another kind of number, or no such array. */
gboolean fb_array_read (const char *path, const char *name, guint type, gint64 n, guint8 *data, GError **error);
