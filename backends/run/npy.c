/* NumPy's array files. */
#include <stdio.h>
#include <string.h>

#include "backends/interp/lane.h"

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

static gboolean
refuse (GError **error, const char *path, const char *why)
{
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT, "%s: %s", path, why);
  return FALSE;
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

/* The number of elements of "(3, 4)", -1 when it is no shape. */
static gint64
count_elements (const char *shape)
{
  gint64 count = 1;
  if (*shape++ != '(')
    return -1;
  while (*shape != ')')
    {
      char *end;
      gint64 size = g_ascii_strtoll (shape, &end, 10);
      if (end == shape || size < 0 || __builtin_mul_overflow (count, size, &count))
        return -1;
      shape = end;
      while (*shape == ',' || *shape == ' ')
        shape++;
    }
  return count;
}

gboolean
fb_npy_read (const char *path, guint type, gint64 n, guint8 *data, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  if (file == NULL)
    return FALSE;
  const guint8 *bytes = (const guint8 *) g_mapped_file_get_contents (file);
  gsize length = g_mapped_file_get_length (file), start;
  if (length < 12 || memcmp (bytes, "\x93NUMPY", 6) != 0 || bytes[6] < 1 || bytes[6] > 3)
    return refuse (error, path, "no .npy file");
  if (bytes[6] == 1)
    start = 10 + (bytes[8] | (gsize) bytes[9] << 8);
  else
    start = 12 + (bytes[8] | (gsize) bytes[9] << 8 | (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24);
  if (start > length)
    return refuse (error, path, "the header is cut off");
  guint begin = bytes[6] == 1 ? 10 : 12;
  g_autofree char *header = g_strndup ((const char *) bytes + begin, start - begin);
  const char *descr = find_value (header, "descr"), *order = find_value (header, "fortran_order"),
             *shape = find_value (header, "shape"), *wanted = fb_npy_descriptor (type);
  if (descr == NULL || order == NULL || shape == NULL)
    return refuse (error, path, "the header is not understood");
  if (strncmp (descr + 1, wanted, strlen (wanted)) != 0)
    {
      g_autofree char *why = g_strdup_printf ("the buffer takes elements of type %s", wanted);
      return refuse (error, path, why);
    }
  if (g_str_has_prefix (order, "True"))
    return refuse (error, path, "arrays in Fortran order are not read");
  gint64 count = count_elements (shape);
  gsize item = type == FB_SCALAR_BFLOAT16 ? 4 : fb_scalar_size (type);
  if (count != n)
    {
      g_autofree char *why
          = g_strdup_printf ("%" G_GINT64_FORMAT " elements for a buffer of %" G_GINT64_FORMAT, count, n);
      return refuse (error, path, why);
    }
  if ((length - start) / item < (gsize) n)
    return refuse (error, path, "the file is cut off");
  if (type != FB_SCALAR_BFLOAT16)
    memcpy (data, bytes + start, (gsize) n * item);
  else
    for (gint64 i = 0; i < n; i++)
      fb_lane_write (type, data + 2 * i, fb_lane_read (FB_SCALAR_FLOAT32, bytes + start + 4 * i));
  return TRUE;
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
    return refuse (error, path, g_strerror (errno));
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
  return whole ? TRUE : refuse (error, path, g_strerror (failed));
}
