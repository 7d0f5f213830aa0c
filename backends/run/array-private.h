/* What the readers of array files share. */
#pragma once

#include "array-file.h"

typedef struct
{
  FbArrayInfo info;
  gboolean fortran, swapped; /* the first dimension fastest; the highest byte first */
  gsize offset, bytes;       /* of the elements, in what they were found in */
} FbArrayPlace;

/* Sets @error: "PATH: why". Returns FALSE. */
gboolean fb_array_refuse (GError **error, const char *path, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Sets the number of elements; FALSE: it overflows, or the elements do not fill .bytes from .offset of @length bytes. */
gboolean fb_array_place_finish (FbArrayPlace *place, gsize length);
void fb_array_place_clear (FbArrayPlace *place);

/* An .npy in @bytes, which may be cut off after its header. */
gboolean fb_npy_parse (const char *path, const guint8 *bytes, gsize length, FbArrayPlace *place, GError **error);
/* The tensors of a .safetensors, as FbArrayPlace. */
gboolean fb_safetensors_parse (const char *path, const guint8 *bytes, gsize length, GArray *places, GError **error);

/* A member of a ZIP. */
typedef struct
{
  char *name; /* without ".npy" */
  gsize offset, packed, size;
  gboolean deflated;
} FbZipMember;
/* Members whose names end in ".npy", as FbZipMember. */
gboolean fb_zip_parse (const char *path, const guint8 *bytes, gsize length, GArray *members, GError **error);
/* The first @wanted bytes of the member, or all; free with g_free. NULL: it is damaged. @got: how many they are. */
guint8 *fb_zip_unpack (const char *path, const guint8 *bytes, const FbZipMember *member, gsize wanted, gsize *got,
                       GError **error);
