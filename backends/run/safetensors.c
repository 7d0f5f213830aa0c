/* The header of a .safetensors: 8 bytes of length, then a JSON object from names to dtype, shape and place. */
#include <string.h>

#include "array-private.h"

#define HEADER_MAX (100 << 20)
#define TENSORS_MAX 1000000

/* What is left of the text. */
typedef struct
{
  const char *at, *end;
} Scan;

static void
skip_space (Scan *scan)
{
  while (scan->at < scan->end && strchr (" \t\r\n", *scan->at) != NULL && *scan->at != '\0')
    scan->at++;
}

/* Is @c next? Then it is taken. */
static gboolean
take (Scan *scan, char c)
{
  skip_space (scan);
  if (scan->at >= scan->end || *scan->at != c)
    return FALSE;
  scan->at++;
  return TRUE;
}

/* A string, with escapes of one character undone and others left as they are; NULL: none is next. */
static char *
take_string (Scan *scan)
{
  if (!take (scan, '"'))
    return NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (; scan->at < scan->end && *scan->at != '"'; scan->at++)
    {
      if (*scan->at == '\\' && scan->at + 1 < scan->end)
        {
          scan->at++;
          if (strchr ("\"\\/", *scan->at) == NULL)
            g_string_append_c (text, '\\');
        }
      g_string_append_c (text, *scan->at);
    }
  return take (scan, '"') ? g_utf8_make_valid (text->str, (gssize) text->len) : NULL;
}

static gboolean
take_number (Scan *scan, gint64 *number)
{
  guint n = 0;
  *number = 0;
  skip_space (scan);
  for (; scan->at < scan->end && g_ascii_isdigit (*scan->at); scan->at++, n++)
    if (__builtin_mul_overflow (*number, 10, number) || __builtin_add_overflow (*number, *scan->at - '0', number))
      return FALSE;
  return n > 0;
}

/* "[1,2]", at most @max numbers; -1: it is something else. */
static int
take_numbers (Scan *scan, guint max, gint64 *numbers)
{
  guint n = 0;
  if (!take (scan, '['))
    return -1;
  if (take (scan, ']'))
    return 0;
  do
    if (n == max || !take_number (scan, &numbers[n++]))
      return -1;
  while (take (scan, ','));
  return take (scan, ']') ? (int) n : -1;
}

/* An object of strings, which says something about the file. */
static gboolean
skip_metadata (Scan *scan)
{
  if (!take (scan, '{'))
    return FALSE;
  if (take (scan, '}'))
    return TRUE;
  do
    {
      g_autofree char *name = take_string (scan);
      g_autofree char *value = name != NULL && take (scan, ':') ? take_string (scan) : NULL;
      if (value == NULL)
        return FALSE;
    }
  while (take (scan, ','));
  return take (scan, '}');
}

static guint
type_of (const char *name)
{
  static const char *const names[FB_N_SCALARS] = {
    [FB_SCALAR_BOOL] = "BOOL",   [FB_SCALAR_INT8] = "I8",       [FB_SCALAR_UINT8] = "U8",
    [FB_SCALAR_INT16] = "I16",   [FB_SCALAR_UINT16] = "U16",    [FB_SCALAR_INT32] = "I32",
    [FB_SCALAR_UINT32] = "U32",  [FB_SCALAR_INT64] = "I64",     [FB_SCALAR_UINT64] = "U64",
    [FB_SCALAR_FLOAT16] = "F16", [FB_SCALAR_BFLOAT16] = "BF16", [FB_SCALAR_FLOAT32] = "F32",
    [FB_SCALAR_FLOAT64] = "F64",
  };
  for (guint i = 0; i < FB_N_SCALARS; i++)
    if (names[i] != NULL && strcmp (names[i], name) == 0)
      return i;
  return FB_SCALAR_VOID;
}

/* {"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}. */
static gboolean
take_tensor (Scan *scan, FbArrayPlace *place, gint64 *ends)
{
  guint seen = 0;
  if (!take (scan, '{'))
    return FALSE;
  do
    {
      g_autofree char *key = take_string (scan);
      if (key == NULL || !take (scan, ':'))
        return FALSE;
      if (strcmp (key, "dtype") == 0)
        {
          g_autofree char *type = take_string (scan);
          place->info.type = type == NULL ? FB_SCALAR_VOID : (guint8) type_of (type);
          seen |= 1;
        }
      else if (strcmp (key, "shape") == 0)
        {
          int n = take_numbers (scan, FB_ARRAY_MAX_DIMS, place->info.shape);
          place->info.n_dims = (guint) MAX (n, 0);
          seen |= n < 0 ? 0 : 2;
        }
      else if (strcmp (key, "data_offsets") == 0)
        seen |= take_numbers (scan, 2, ends) == 2 ? 4 : 0;
      else
        return FALSE;
    }
  while (take (scan, ','));
  return take (scan, '}') && seen == 7;
}

gboolean
fb_safetensors_parse (const char *path, const guint8 *bytes, gsize length, GArray *places, GError **error)
{
  guint64 header;
  if (length < 10)
    return fb_array_refuse (error, path, "neither .npy nor .npz nor .safetensors");
  memcpy (&header, bytes, sizeof header);
  header = GUINT64_FROM_LE (header);
  if (header > HEADER_MAX || header > length - 8 || bytes[8] != '{')
    return fb_array_refuse (error, path, "neither .npy nor .npz nor .safetensors");
  Scan scan = { (const char *) bytes + 8, (const char *) bytes + 8 + header };
  gsize data = 8 + (gsize) header;
  take (&scan, '{');
  if (take (&scan, '}'))
    return TRUE;
  do
    {
      FbArrayPlace place = { .info.name = take_string (&scan) };
      gint64 ends[2] = { 0, 0 };
      gboolean good = place.info.name != NULL && take (&scan, ':');
      if (good && strcmp (place.info.name, "__metadata__") == 0)
        {
          g_free (place.info.name);
          if (!skip_metadata (&scan))
            return fb_array_refuse (error, path, "the header is damaged at byte %" G_GSIZE_FORMAT,
                                    (gsize) (scan.at - (const char *) bytes));
          continue;
        }
      good = good && places->len < TENSORS_MAX && take_tensor (&scan, &place, ends);
      if (!good)
        {
          fb_array_place_clear (&place);
          return fb_array_refuse (error, path, "the header is damaged at byte %" G_GSIZE_FORMAT,
                                  (gsize) (scan.at - (const char *) bytes));
        }
      place.offset = data + (gsize) ends[0];
      /* what is not known is listed by no one, and harms nobody */
      gboolean known = place.info.type != FB_SCALAR_VOID;
      good = ends[0] <= ends[1] && (guint64) ends[1] <= length - data
             && (!known || (fb_array_place_finish (&place, length) && place.bytes == (gsize) (ends[1] - ends[0])));
      if (good && known)
        g_array_append_val (places, place);
      else
        fb_array_place_clear (&place);
      if (!good)
        return fb_array_refuse (error, path, "the place of a tensor is outside the file, or not of its size");
    }
  while (take (&scan, ','));
  return take (&scan, '}') ? TRUE : fb_array_refuse (error, path, "the header is damaged at its end");
}
