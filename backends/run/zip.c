/* Members of a ZIP, stored or deflated, as NumPy writes .npz: its directory is at the end of the file. */
#include <gio/gio.h>
#include <string.h>

#include "array-private.h"

#define END_SIZE 22
#define ENTRY_SIZE 46
#define LOCAL_SIZE 30
#define MEMBERS_MAX 65535

static guint64
number (const guint8 *bytes, guint n)
{
  guint64 value = 0;
  for (guint i = n; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

/* Where the directory ends: it may be followed by a comment. */
static const guint8 *
find_end (const guint8 *bytes, gsize length)
{
  for (gsize back = END_SIZE; back <= length && back <= END_SIZE + 65535; back++)
    if (memcmp (bytes + length - back, "PK\5\6", 4) == 0)
      return bytes + length - back;
  return NULL;
}

/* Sizes that do not fit 32 bits are in a field of their own, in this order, those that are all ones. */
static gboolean
read_large (const guint8 *extra, gsize n, guint64 *size, guint64 *packed, guint64 *local)
{
  guint64 *const numbers[] = { size, packed, local };
  while (n >= 4)
    {
      gsize field = (gsize) number (extra + 2, 2), used = 4;
      if (field > n - 4)
        return FALSE;
      for (guint i = 0; number (extra, 2) == 1 && i < G_N_ELEMENTS (numbers); i++)
        if (*numbers[i] == G_MAXUINT32)
          {
            if (used + 8 > field + 4)
              return FALSE;
            *numbers[i] = number (extra + used, 8);
            used += 8;
          }
      extra += field + 4;
      n -= field + 4;
    }
  return TRUE;
}

/* Where the bytes of a member begin: after a header of its own, whose name and fields may be of other lengths. */
static gboolean
find_data (const guint8 *bytes, gsize length, guint64 local, FbZipMember *member)
{
  if (local > length || length - local < LOCAL_SIZE || memcmp (bytes + local, "PK\3\4", 4) != 0)
    return FALSE;
  gsize header = LOCAL_SIZE + (gsize) number (bytes + local + 26, 2) + (gsize) number (bytes + local + 28, 2);
  if (header > length - local || member->packed > length - local - header)
    return FALSE;
  member->offset = (gsize) local + header;
  return TRUE;
}

gboolean
fb_zip_parse (const char *path, const guint8 *bytes, gsize length, GArray *members, GError **error)
{
  const guint8 *end = find_end (bytes, length);
  if (end == NULL)
    return fb_array_refuse (error, path, "the ZIP has no directory");
  guint64 at = number (end + 16, 4), n = number (end + 10, 2);
  gsize before_end = (gsize) (end - bytes);
  if (at == G_MAXUINT32 && before_end >= 20 + 56 && memcmp (end - 20, "PK\6\7", 4) == 0)
    {
      guint64 large = number (end - 12, 8);
      if (large > before_end - 76 || memcmp (bytes + large, "PK\6\6", 4) != 0)
        return fb_array_refuse (error, path, "the directory of the ZIP is damaged");
      n = number (bytes + large + 32, 8);
      at = number (bytes + large + 48, 8);
    }
  for (guint64 i = 0; i < MIN (n, MEMBERS_MAX); i++)
    {
      if (at > before_end || before_end - at < ENTRY_SIZE || memcmp (bytes + at, "PK\1\2", 4) != 0)
        return fb_array_refuse (error, path, "the directory of the ZIP is damaged");
      const guint8 *entry = bytes + at;
      gsize name = (gsize) number (entry + 28, 2), extra = (gsize) number (entry + 30, 2),
            comment = (gsize) number (entry + 32, 2);
      guint64 packed = number (entry + 20, 4), size = number (entry + 24, 4), local = number (entry + 42, 4);
      guint method = (guint) number (entry + 10, 2);
      if (name + extra + comment > before_end - at - ENTRY_SIZE
          || !read_large (entry + ENTRY_SIZE + name, extra, &size, &packed, &local))
        return fb_array_refuse (error, path, "the directory of the ZIP is damaged");
      at += ENTRY_SIZE + name + extra + comment;
      const char *text = (const char *) entry + ENTRY_SIZE;
      if (name < 4 || memcmp (text + name - 4, ".npy", 4) != 0)
        continue;
      g_autofree char *raw = g_strndup (text, name - 4);
      FbZipMember member = { .packed = packed, .size = size, .deflated = method == 8 };
      if ((method != 0 && method != 8) || (number (entry + 8, 2) & 1))
        return fb_array_refuse (error, path, "it is packed in a way that is not known, or encrypted");
      if (!find_data (bytes, length, local, &member) || (method == 0 && packed != size))
        return fb_array_refuse (error, path, "a member of the ZIP is cut off");
      member.name = g_utf8_make_valid (raw, -1);
      g_array_append_val (members, member);
    }
  return TRUE;
}

guint8 *
fb_zip_unpack (const char *path, const guint8 *bytes, const FbZipMember *member, gsize wanted, gsize *got,
               GError **error)
{
  gsize size = MIN (wanted, member->size), used = 0;
  g_autofree guint8 *out = g_try_malloc (MAX (size, 1));
  *got = 0;
  if (out == NULL)
    {
      fb_array_refuse (error, path, "no memory for “%s”", member->name);
      return NULL;
    }
  if (!member->deflated)
    {
      memcpy (out, bytes + member->offset, size);
      *got = size;
      return g_steal_pointer (&out);
    }
  g_autoptr (GZlibDecompressor) inflate = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW);
  GConverterResult result = G_CONVERTER_CONVERTED;
  while (*got < size && result == G_CONVERTER_CONVERTED)
    {
      gsize read = 0, wrote = 0;
      g_autoptr (GError) failed = NULL;
      result = g_converter_convert (G_CONVERTER (inflate), bytes + member->offset + used, member->packed - used,
                                    out + *got, size - *got, G_CONVERTER_INPUT_AT_END, &read, &wrote, &failed);
      if (result == G_CONVERTER_ERROR || (read == 0 && wrote == 0))
        {
          fb_array_refuse (error, path, "“%s” is damaged", member->name);
          return NULL;
        }
      used += read;
      *got += wrote;
    }
  return g_steal_pointer (&out);
}
