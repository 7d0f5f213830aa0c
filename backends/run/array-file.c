#include "array-private.h"

#include <stdarg.h>
#include <string.h>

#include "backends/interp/lane.h"

/* A header of NumPy is some hundred bytes. */
#define HEADER_MAX 65536

gboolean
fb_array_refuse (GError **error, const char *path, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *why = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT, "%s: %s", path, why);
  return FALSE;
}

gboolean
fb_array_place_finish (FbArrayPlace *place, gsize length)
{
  gint64 bytes;
  place->info.count = 1;
  for (guint d = 0; d < place->info.n_dims; d++)
    if (place->info.shape[d] < 0
        || __builtin_mul_overflow (place->info.count, place->info.shape[d], &place->info.count))
      return FALSE;
  if (__builtin_mul_overflow (place->info.count, (gint64) fb_scalar_size (place->info.type), &bytes))
    return FALSE;
  place->bytes = (gsize) bytes;
  return place->offset <= length && place->bytes <= length - place->offset;
}

void
fb_array_place_clear (FbArrayPlace *place)
{
  g_clear_pointer (&place->info.name, g_free);
}

/* A file in memory. */
typedef struct
{
  GMappedFile *map;
  const guint8 *bytes;
  gsize length;
  gboolean is_zip, is_npy;
  GArray *members; /* of FbZipMember */
  GArray *places;  /* of FbArrayPlace; of a ZIP where in the member */
} File;

static void
member_clear (gpointer data)
{
  g_free (((FbZipMember *) data)->name);
}

static void
file_clear (File *file)
{
  g_clear_pointer (&file->map, g_mapped_file_unref);
  g_clear_pointer (&file->members, g_array_unref);
  g_clear_pointer (&file->places, g_array_unref);
}

/* The places of the members, by their headers. */
static gboolean
read_members (File *file, const char *path, GError **error)
{
  for (guint i = 0; i < file->members->len; i++)
    {
      const FbZipMember *member = &g_array_index (file->members, FbZipMember, i);
      FbArrayPlace place = { 0 };
      gsize got;
      g_autofree guint8 *start = fb_zip_unpack (path, file->bytes, member, HEADER_MAX, &got, error);
      if (start == NULL || !fb_npy_parse (path, start, got, &place, error))
        return FALSE;
      place.info.name = g_strdup (member->name);
      if (!fb_array_place_finish (&place, member->size))
        {
          fb_array_place_clear (&place);
          return fb_array_refuse (error, path, "“%s” is cut off", member->name);
        }
      g_array_append_val (file->places, place);
    }
  return TRUE;
}

static gboolean
file_open (File *file, const char *path, GError **error)
{
  g_autoptr (GError) failed = NULL;
  *file = (File){ .map = g_mapped_file_new (path, FALSE, &failed) };
  if (file->map == NULL)
    {
      g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT, failed->message);
      return FALSE;
    }
  file->bytes = (const guint8 *) g_mapped_file_get_contents (file->map);
  file->length = g_mapped_file_get_length (file->map);
  file->members = g_array_new (FALSE, TRUE, sizeof (FbZipMember));
  file->places = g_array_new (FALSE, TRUE, sizeof (FbArrayPlace));
  g_array_set_clear_func (file->members, member_clear);
  g_array_set_clear_func (file->places, (GDestroyNotify) fb_array_place_clear);
  file->is_npy = file->length >= 6 && memcmp (file->bytes, "\x93NUMPY", 6) == 0;
  file->is_zip = file->length >= 4 && memcmp (file->bytes, "PK", 2) == 0;
  if (file->is_npy)
    {
      FbArrayPlace place = { 0 };
      if (!fb_npy_parse (path, file->bytes, file->length, &place, error))
        return FALSE;
      if (!fb_array_place_finish (&place, file->length))
        return fb_array_refuse (error, path, "the file is cut off");
      g_array_append_val (file->places, place);
      return TRUE;
    }
  if (file->is_zip)
    return fb_zip_parse (path, file->bytes, file->length, file->members, error) && read_members (file, path, error);
  return fb_safetensors_parse (path, file->bytes, file->length, file->places, error);
}

static void
info_free (gpointer data)
{
  g_free (((FbArrayInfo *) data)->name);
  g_free (data);
}

GPtrArray *
fb_array_list (const char *path, GError **error)
{
  GPtrArray *list = NULL;
  File file;
  if (file_open (&file, path, error))
    {
      list = g_ptr_array_new_with_free_func (info_free);
      for (guint i = 0; i < file.places->len; i++)
        {
          FbArrayInfo *info = g_memdup2 (&g_array_index (file.places, FbArrayPlace, i).info, sizeof *info);
          info->name = g_strdup (info->name);
          g_ptr_array_add (list, info);
        }
    }
  file_clear (&file);
  return list;
}

/* Where element @i, in C order, is in the file, in elements. */
static gint64
file_element (const FbArrayPlace *place, gint64 i)
{
  gint64 rest = i, at = 0, below = place->info.count;
  if (!place->fortran)
    return i;
  for (guint d = place->info.n_dims; d-- > 0;)
    {
      below /= MAX (place->info.shape[d], 1);
      at += rest % place->info.shape[d] * below;
      rest /= place->info.shape[d];
    }
  return at;
}

/* Does an integer of type @from fit into @type? */
static gboolean
fits (guint type, guint from, gint64 value)
{
  if (fb_wrap (type, value) != value)
    return FALSE;
  /* a sign is lost, or got, at 64 bits only */
  return value >= 0 || (from == FB_SCALAR_UINT64) == (type == FB_SCALAR_UINT64);
}

static gboolean
convert (const char *path, const FbArrayPlace *place, const guint8 *bytes, guint type, guint8 *data, GError **error)
{
  guint from = place->info.type;
  gsize item = fb_scalar_size (from), to = fb_scalar_size (type);
  if (fb_scalar_is_float (from) != fb_scalar_is_float (type))
    return fb_array_refuse (error, path, "it holds %s, and the buffer takes %s", fb_scalar_name (from),
                            fb_scalar_name (type));
  if (from == type && !place->fortran && !place->swapped && type != FB_SCALAR_BOOL)
    {
      memcpy (data, bytes, place->bytes);
      return TRUE;
    }
  for (gint64 i = 0; i < place->info.count; i++)
    {
      const guint8 *source = bytes + (gsize) file_element (place, i) * item;
      guint8 turned[8];
      for (gsize b = 0; place->swapped && b < item; b++)
        turned[b] = source[item - 1 - b];
      FbLane lane = fb_lane_read (from, place->swapped ? turned : source);
      if (fb_scalar_is_float (type))
        lane.f = fb_round (type, lane.f);
      else if (!fits (type, from, lane.i))
        return fb_array_refuse (error, path, "element %" G_GINT64_FORMAT " does not fit into %s", i,
                                fb_scalar_name (type));
      fb_lane_write (type, data + (gsize) i * to, lane);
    }
  return TRUE;
}

/* The place of array @name; -1: there is none, and the error says what there is. */
static int
find_array (const File *file, const char *path, const char *name, GError **error)
{
  for (guint i = 0; i < file->places->len; i++)
    {
      const char *other = g_array_index (file->places, FbArrayPlace, i).info.name;
      if (name == NULL ? file->places->len == 1 : other != NULL && strcmp (other, name) == 0)
        return (int) i;
    }
  if (name != NULL)
    fb_array_refuse (error, path, "it has no array “%s”", name);
  else if (file->places->len == 0)
    fb_array_refuse (error, path, "it has no arrays");
  else
    fb_array_refuse (error, path, "it has %u arrays: say which one, as in “#%s”", file->places->len,
                     g_array_index (file->places, FbArrayPlace, 0).info.name);
  return -1;
}

static gboolean
read_array (File *file, const char *path, const char *name, guint type, gint64 n, guint8 *data, GError **error)
{
  int at = find_array (file, path, name, error);
  if (at < 0)
    return FALSE;
  const FbArrayPlace *place = &g_array_index (file->places, FbArrayPlace, at);
  if (place->info.count != n)
    return fb_array_refuse (error, path, "%" G_GINT64_FORMAT " elements for a buffer of %" G_GINT64_FORMAT,
                            place->info.count, n);
  if (!file->is_zip)
    return convert (path, place, file->bytes + place->offset, type, data, error);
  gsize got;
  g_autofree guint8 *unpacked = fb_zip_unpack (path, file->bytes, &g_array_index (file->members, FbZipMember, at),
                                               place->offset + place->bytes, &got, error);
  if (unpacked == NULL)
    return FALSE;
  if (got != place->offset + place->bytes)
    return fb_array_refuse (error, path, "“%s” is cut off", place->info.name);
  return convert (path, place, unpacked + place->offset, type, data, error);
}

gboolean
fb_array_read (const char *path, const char *name, guint type, gint64 n, guint8 *data, GError **error)
{
  File file;
  gboolean done = file_open (&file, path, error) && read_array (&file, path, name, type, n, data, error);
  file_clear (&file);
  return done;
}
