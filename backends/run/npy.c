/* NumPy's array files. */
#include <stdio.h>
#include <string.h>

#include "backends/interp/lane.h"

#include "array-private.h"
#include "fill.h"

/* Type of an element in a file: bfloat16, which NumPy lacks, as float. */
const char *
fb_npy_descriptor (guint type)
{
  static const char *const names[FB_N_SCALARS] = {
    [FB_SCALAR_BOOL] = "|b1",    [FB_SCALAR_INT8] = "|i1",    [FB_SCALAR_UINT8] = "|u1",    [FB_SCALAR_INT16] = "<i2",
    [FB_SCALAR_UINT16] = "<u2",  [FB_SCALAR_INT32] = "<i4",   [FB_SCALAR_UINT32] = "<u4",   [FB_SCALAR_INT64] = "<i8",
    [FB_SCALAR_UINT64] = "<u8",  [FB_SCALAR_FLOAT16] = "<f2", [FB_SCALAR_BFLOAT16] = "<f4", [FB_SCALAR_FLOAT32] = "<f4",
    [FB_SCALAR_FLOAT64] = "<f8",
  };
  return names[type];
}

/* The value after 'key': in the header's dictionary; NULL when it is not there. */
static const char *
find_value (const char *header, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("'%s':", key);
  const char *found = strstr (header, quoted);
  if (found == NULL)
    return NULL;
  found += strlen (quoted);
  while (*found == ' ')
    found++;
  return found;
}

/* "(3, 4)" as dimensions. */
static gboolean
read_shape (const char *shape, FbArrayInfo *info)
{
  if (*shape++ != '(')
    return FALSE;
  while (*shape == ' ')
    shape++;
  while (*shape != ')')
    {
      char *end;
      gint64 size = g_ascii_strtoll (shape, &end, 10);
      if (end == shape || size < 0 || size == G_MAXINT64 || info->n_dims == FB_ARRAY_MAX_DIMS)
        return FALSE;
      info->shape[info->n_dims++] = size;
      shape = end;
      while (*shape == ',' || *shape == ' ')
        shape++;
    }
  return TRUE;
}

/* "'<f4'" as a type. */
static gboolean
read_type (const char *descr, FbArrayPlace *place)
{
  if (*descr != '\'' && *descr != '"')
    return FALSE;
  char order = descr[1];
  if (order == '\0' || strchr ("<>|=", order) == NULL)
    return FALSE;
  for (guint type = 0; type < FB_N_SCALARS; type++)
    if (fb_npy_descriptor (type) != NULL && type != FB_SCALAR_BFLOAT16
        && strncmp (descr + 2, fb_npy_descriptor (type) + 1, 2) == 0 && (descr[4] == '\'' || descr[4] == '"'))
      {
        place->info.type = (guint8) type;
        place->swapped = order == '>' && fb_scalar_size (type) > 1;
        return TRUE;
      }
  return FALSE;
}

gboolean
fb_npy_parse (const char *path, const guint8 *bytes, gsize length, FbArrayPlace *place, GError **error)
{
  gsize start;
  if (length < 12 || memcmp (bytes, "\x93NUMPY", 6) != 0 || bytes[6] < 1 || bytes[6] > 3)
    return fb_array_refuse (error, path, "no .npy file");
  guint begin = bytes[6] == 1 ? 10 : 12;
  start = begin + (bytes[8] | (gsize) bytes[9] << 8);
  if (bytes[6] > 1)
    start += (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24;
  if (start > length)
    return fb_array_refuse (error, path, "the header is cut off");
  g_autofree char *header = g_strndup ((const char *) bytes + begin, start - begin);
  const char *descr = find_value (header, "descr"), *order = find_value (header, "fortran_order"),
             *shape = find_value (header, "shape");
  if (descr == NULL || order == NULL || shape == NULL || !read_shape (shape, &place->info))
    return fb_array_refuse (error, path, "the header is not understood");
  if (!read_type (descr, place))
    return fb_array_refuse (error, path, "elements of its type are not read");
  place->fortran = g_str_has_prefix (order, "True") && place->info.n_dims > 1;
  place->offset = start;
  return TRUE;
}

gboolean
fb_npy_read (const char *path, guint type, gint64 n, guint8 *data, GError **error)
{
  return fb_array_read (path, NULL, type, n, data, error);
}

gboolean
fb_npy_write (const char *path, guint type, gint64 n, const guint8 *data, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "{'descr': '%s', 'fortran_order': False, 'shape': (%" G_GINT64_FORMAT ",), }",
                          fb_npy_descriptor (type), n);
  while ((10 + text->len + 1) % 64 != 0)
    g_string_append_c (text, ' ');
  g_string_append_c (text, '\n');
  FILE *file = fopen (path, "wb");
  if (file == NULL)
    return fb_array_refuse (error, path, "%s", g_strerror (errno));
  gboolean whole = fwrite ("\x93NUMPY\x01\x00", 1, 8, file) == 8;
  const guint8 size[2] = { text->len & 255, text->len >> 8 };
  whole &= fwrite (size, 1, 2, file) == 2 && fwrite (text->str, 1, text->len, file) == text->len;
  if (type == FB_SCALAR_BFLOAT16)
    for (gint64 i = 0; i < n && whole; i++)
      {
        float value = (float) fb_lane_read (type, data + 2 * i).f;
        whole = fwrite (&value, sizeof value, 1, file) == 1;
      }
  else
    whole &= fwrite (data, fb_scalar_size (type), (gsize) n, file) == (gsize) n;
  int failed = errno;
  if (fclose (file) != 0)
    {
      whole = FALSE;
      failed = errno;
    }
  return whole ? TRUE : fb_array_refuse (error, path, "%s", g_strerror (failed));
}
