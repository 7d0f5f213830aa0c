/* The contents of buffers at a moment of a run. */
#include "record-private.h"

#include <string.h>
#include <sys/mman.h>

typedef struct
{
  FbRecord *record; /* owned; NULL: the memory stands alone */
  void *map;        /* NULL: none */
  gsize size;
} View;

static void
view_free (gpointer data)
{
  View *view = data;
  if (view->map != NULL)
    munmap (view->map, view->size);
  if (view->record != NULL)
    fb_record_unref (view->record);
  g_free (view);
}

static GBytes *
no_memory (gsize size, GError **error)
{
  g_autofree char *bytes = g_format_size_full (size, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE, "no memory for a copy of %s", bytes);
  return NULL;
}

static gboolean
covers (const FbSaved *saved, const FbRecordBuffer *buffer)
{
  return saved->base == buffer->base && saved->start <= buffer->offset
         && saved->start + saved->size >= buffer->offset + buffer->bytes;
}

static gboolean
overlaps (const FbSaved *saved, const FbRecordBuffer *buffer)
{
  return saved->base == buffer->base && saved->start < buffer->offset + buffer->bytes
         && saved->start + saved->size > buffer->offset;
}

/* What was saved, mapped; zeros that take no memory. */
static void *
map_saved (const FbRecord *record, const FbSaved *saved, gsize size)
{
  void *map = saved->was == FB_WAS_ZERO
                  ? mmap (NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                  : mmap (NULL, size, PROT_READ, MAP_SHARED, record->file, (off_t) saved->at);
  return map == MAP_FAILED ? NULL : map;
}

static GBytes *
read_saved (FbRecord *record, const FbSaved *saved, const FbRecordBuffer *buffer, GError **error)
{
  View *view = g_new0 (View, 1);
  view->record = fb_record_ref (record);
  view->size = MAX (saved->size, 1);
  view->map = map_saved (record, saved, view->size);
  if (view->map == NULL)
    {
      view_free (view);
      return no_memory (buffer->bytes, error);
    }
  return g_bytes_new_with_free_func ((guint8 *) view->map + (buffer->offset - saved->start), buffer->bytes, view_free,
                                     view);
}

/* Lays what was saved over @copy, the later contents of @buffer. */
static gboolean
lay_over (const FbRecord *record, const FbSaved *saved, const FbRecordBuffer *buffer, guint8 *copy)
{
  gsize start = MAX (saved->start, buffer->offset);
  gsize end = MIN (saved->start + saved->size, buffer->offset + buffer->bytes);
  if (saved->was == FB_WAS_ZERO)
    {
      memset (copy + (start - buffer->offset), 0, end - start);
      return TRUE;
    }
  void *map = map_saved (record, saved, saved->size);
  if (map == NULL)
    return FALSE;
  memcpy (copy + (start - buffer->offset), (guint8 *) map + (start - saved->start), end - start);
  munmap (map, saved->size);
  return TRUE;
}

/* The buffer's last contents with all that was saved from @first to @last laid over it. */
static GBytes *
read_composed (FbRecord *record, guint number, guint first, guint last, GError **error)
{
  const FbRecordBuffer *buffer = &record->buffers[number];
  guint8 *copy = g_try_malloc (MAX (buffer->bytes, 1));
  if (copy == NULL)
    return no_memory (buffer->bytes, error);
  memcpy (copy, fb_record_live_data (record, number), buffer->bytes);
  /* the latest first: the earliest has the last word */
  for (guint i = last + 1; i-- > first;)
    {
      const FbSaved *saved = &g_array_index (record->saved, FbSaved, i);
      if (overlaps (saved, buffer) && !lay_over (record, saved, buffer, copy))
        {
          g_free (copy);
          return no_memory (buffer->bytes, error);
        }
    }
  return g_bytes_new_take (copy, buffer->bytes);
}

static GBytes *
not_kept (const FbRecord *record, const FbSaved *saved, GError **error)
{
  g_autofree char *limit = g_format_size_full (record->limit, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE,
               "not kept: kernel %u wrote over it, and earlier contents may take %s together", saved->kernel + 1,
               limit);
  return NULL;
}

GBytes *
fb_record_read (FbRecord *record, guint number, guint moment, GError **error)
{
  g_return_val_if_fail (number < record->n_buffers, NULL);
  const FbRecordBuffer *buffer = &record->buffers[number];
  guint first = 0;
  gboolean parts = FALSE;
  while (first < record->saved->len && g_array_index (record->saved, FbSaved, first).kernel < moment)
    first++;
  for (guint i = first; i < record->saved->len; i++)
    {
      const FbSaved *saved = &g_array_index (record->saved, FbSaved, i);
      if (!overlaps (saved, buffer))
        continue;
      if (saved->was == FB_WAS_NOT_KEPT)
        return not_kept (record, saved, error);
      if (covers (saved, buffer))
        return parts ? read_composed (record, number, first, i, error) : read_saved (record, saved, buffer, error);
      parts = TRUE;
    }
  if (parts)
    return read_composed (record, number, first, record->saved->len - 1, error);
  View *view = g_new0 (View, 1);
  view->record = fb_record_ref (record);
  return g_bytes_new_with_free_func (fb_record_live_data (record, number), buffer->bytes, view_free, view);
}

guint
fb_record_find_write (const FbRecord *record, guint number, guint moment, int direction)
{
  g_return_val_if_fail (number < record->n_buffers, 0);
  const FbRecordBuffer *buffer = &record->buffers[number];
  guint at = direction > 0 ? moment + 1 : moment - 1;
  if (direction < 0 && moment == 0)
    return 0;
  for (; at >= 1 && at <= record->n_kernels; at += direction > 0 ? 1 : -1)
    {
      const FbRecordKernel *kernel = &record->kernels[at - 1];
      for (guint i = 0; i < kernel->n_buffers && kernel->state != FB_RECORD_WAITING; i++)
        {
          const FbRecordBuffer *other = &record->buffers[kernel->buffers[i]];
          if (kernel->written[i] && other->base == buffer->base && other->offset < buffer->offset + buffer->bytes
              && other->offset + other->bytes > buffer->offset)
            return at;
        }
    }
  return 0;
}

const FbValueStats *
fb_record_stats (const FbRecord *record, guint number, guint moment)
{
  g_return_val_if_fail (number < record->n_buffers, NULL);
  guint writer = fb_record_find_write (record, number, moment + 1, -1);
  if (writer == 0)
    {
      const FbRecordBuffer *buffer = &record->buffers[number];
      return buffer->initial.size > 0 ? &buffer->initial : NULL;
    }
  const FbRecordKernel *kernel = &record->kernels[writer - 1];
  guint first = 0;
  while (first + 1 < kernel->n_buffers && !kernel->written[first])
    first++;
  return kernel->state == FB_RECORD_DONE && kernel->buffers[first] == number ? &kernel->stats : NULL;
}
