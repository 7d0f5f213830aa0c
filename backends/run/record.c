#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MOST_KEPT ((gsize) 4 << 30)

typedef enum
{
  WAS_ZERO,
  WAS_SAVED,
  WAS_NOT_KEPT,
} Was;

/* What a range held before a kernel wrote it. */
typedef struct
{
  guint kernel; /* from 0 */
  guint base;
  gsize start, size; /* bytes in the base */
  Was was;
  gsize at; /* in the file */
} Saved;

struct _FbRecord
{
  gatomicrefcount refs;
  FbMemory memory;
  guint n_buffers, n_kernels;
  FbRecordBuffer *buffers;
  FbRecordKernel *kernels;
  gboolean *touched; /* of each base: something has been written, or filled in, so that it is not all zeros */
  GArray *saved;     /* of Saved, in the order of kernels */
  int file;          /* -1: none yet */
  gsize kept, limit;
};

gsize
fb_record_default_limit (void)
{
  struct statvfs info;
  if (statvfs (g_get_tmp_dir (), &info) != 0)
    return MOST_KEPT / 8;
  return MIN (MOST_KEPT, (gsize) info.f_bavail * info.f_frsize / 4);
}

static void
describe_kernel (FbRecordKernel *kernel, const FbPlanStep *step)
{
  kernel->kind = step->kind;
  kernel->n_buffers = step->n_buffers;
  kernel->buffers = g_memdup2 (step->buffers, step->n_buffers * sizeof *step->buffers);
  kernel->written = g_new0 (gboolean, step->n_buffers + 1);
  kernel->read = g_new0 (gboolean, step->n_buffers + 1);
  for (guint i = 0; i < step->n_buffers; i++)
    {
      kernel->written[i] = i == 0 && step->kind == FB_STEP_COPY;
      kernel->read[i] = i > 0 && step->kind != FB_STEP_PROGRAM;
      if (step->kind != FB_STEP_PROGRAM || i >= step->program->args->len)
        continue;
      const FbProgramArg *arg = fb_program_arg (step->program, i);
      kernel->written[i] = arg->used && arg->written;
      kernel->read[i] = arg->used && arg->read;
    }
}

FbRecord *
fb_record_new (const FbPlan *plan, gsize keep_limit, GError **error)
{
  FbMemory memory;
  if (!fb_memory_init (&memory, plan->memory, error))
    return NULL;
  FbRecord *record = g_new0 (FbRecord, 1);
  g_atomic_ref_count_init (&record->refs);
  record->memory = memory;
  record->n_buffers = plan->buffers->len;
  record->n_kernels = plan->steps->len;
  record->buffers = g_new0 (FbRecordBuffer, MAX (record->n_buffers, 1));
  record->kernels = g_new0 (FbRecordKernel, MAX (record->n_kernels, 1));
  record->touched = g_new0 (gboolean, MAX (record->n_buffers, 1));
  record->saved = g_array_new (FALSE, FALSE, sizeof (Saved));
  record->file = -1;
  record->limit = keep_limit;
  for (guint i = 0; i < record->n_buffers; i++)
    {
      const FbPlanBuffer *from = fb_plan_buffer (plan, i);
      record->buffers[i] = (FbRecordBuffer){
        .type = from->type,
        .size = from->size,
        .bytes = from->bytes,
        .base = from->base,
        .offset = (gsize) from->offset,
        .place = from->place,
        .ordinal = from->ordinal,
        .starts_as_output = from->starts_as_output,
      };
    }
  for (guint i = 0; i < record->n_kernels; i++)
    describe_kernel (&record->kernels[i], fb_plan_step (plan, i));
  return record;
}

FbRecord *
fb_record_ref (FbRecord *record)
{
  g_atomic_ref_count_inc (&record->refs);
  return record;
}

void
fb_record_unref (FbRecord *record)
{
  if (!g_atomic_ref_count_dec (&record->refs))
    return;
  for (guint i = 0; i < record->n_kernels; i++)
    {
      g_free (record->kernels[i].buffers);
      g_free (record->kernels[i].written);
      g_free (record->kernels[i].read);
    }
  fb_memory_clear (&record->memory);
  if (record->file >= 0)
    close (record->file);
  g_array_unref (record->saved);
  g_free (record->buffers);
  g_free (record->kernels);
  g_free (record->touched);
  g_free (record);
}

guint
fb_record_n_buffers (const FbRecord *record)
{
  return record->n_buffers;
}

const FbRecordBuffer *
fb_record_buffer (const FbRecord *record, guint buffer)
{
  g_return_val_if_fail (buffer < record->n_buffers, NULL);
  return &record->buffers[buffer];
}

guint
fb_record_n_kernels (const FbRecord *record)
{
  return record->n_kernels;
}

const FbRecordKernel *
fb_record_kernel (const FbRecord *record, guint kernel)
{
  g_return_val_if_fail (kernel < record->n_kernels, NULL);
  return &record->kernels[kernel];
}

static guint8 *
live_data (const FbRecord *record, guint buffer)
{
  const FbRecordBuffer *b = &record->buffers[buffer];
  return record->memory.data + record->buffers[b->base].place + b->offset;
}

guint8 *
fb_record_data (FbRecord *record, guint buffer)
{
  g_return_val_if_fail (buffer < record->n_buffers, NULL);
  record->touched[record->buffers[buffer].base] = TRUE;
  return live_data (record, buffer);
}

gsize
fb_record_kept (const FbRecord *record)
{
  return record->kept;
}

/* --- saving --- */

/* A file that is gone when nobody has it open any more, also after a crash. */
static int
open_file (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "fusebox-buffers-XXXXXX", NULL);
  int file = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0)
    g_unlink (path);
  return file;
}

/* Parts begin on pages, so that each can be mapped. */
static gboolean
save (FbRecord *record, const guint8 *data, gsize size, gsize *at)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE), start = (record->kept + page - 1) / page * page;
  if (size > record->limit || start > record->limit - size)
    return FALSE;
  if (record->file < 0 && (record->file = open_file ()) < 0)
    return FALSE;
  for (gsize done = 0; done < size;)
    {
      gssize wrote = pwrite (record->file, data + done, size - done, (off_t) (start + done));
      if (wrote < 0 && errno == EINTR)
        continue;
      if (wrote <= 0)
        return FALSE;
      done += (gsize) wrote;
    }
  *at = start;
  record->kept = start + size;
  return TRUE;
}

/* Keeps what kernel @number is about to overwrite. */
static void
before_kernel (FbRecord *record, guint number)
{
  const FbRecordKernel *kernel = &record->kernels[number];
  for (guint i = 0; i < kernel->n_buffers; i++)
    if (kernel->written[i])
      {
        const FbRecordBuffer *buffer = &record->buffers[kernel->buffers[i]];
        Saved saved = { .kernel = number, .base = buffer->base, .start = buffer->offset, .size = buffer->bytes };
        if (record->touched[buffer->base])
          saved.was = save (record, live_data (record, kernel->buffers[i]), buffer->bytes, &saved.at) ? WAS_SAVED
                                                                                                      : WAS_NOT_KEPT;
        g_array_append_val (record->saved, saved);
      }
  for (guint i = 0; i < kernel->n_buffers; i++)
    record->touched[record->buffers[kernel->buffers[i]].base] |= kernel->written[i];
}

typedef struct
{
  FbRecord *record;
  const FbRunOptions *options;
  GCancellable *cancellable;
} Running;

static gboolean
after_kernel (guint number, double seconds, gpointer user)
{
  Running *running = user;
  FbRecord *record = running->record;
  FbRecordKernel *kernel = &record->kernels[number];
  kernel->seconds = seconds;
  kernel->state = FB_RECORD_DONE;
  for (guint i = 0; i < kernel->n_buffers; i++)
    if (kernel->written[i])
      {
        const FbRecordBuffer *buffer = &record->buffers[kernel->buffers[i]];
        fb_value_stats (buffer->type, buffer->size, live_data (record, kernel->buffers[i]), &kernel->stats,
                        running->cancellable);
        break;
      }
  if (number + 1 < record->n_kernels)
    before_kernel (record, number + 1);
  return running->options->after == NULL || running->options->after (number, seconds, running->options->user);
}

gboolean
fb_record_run (FbRecord *record, const FbPlan *plan, const FbRunOptions *options, FbRunReport *report,
               GCancellable *cancellable, GError **error)
{
  FbRunOptions used = *options;
  Running running = { record, options, cancellable };
  used.after = after_kernel;
  used.user = &running;
  for (guint i = 0; i < record->n_buffers; i++)
    {
      FbRecordBuffer *buffer = &record->buffers[i];
      if (buffer->base == i && record->touched[i]
          && !fb_value_stats (buffer->type, buffer->size, live_data (record, i), &buffer->initial, cancellable))
        return !g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  if (record->n_kernels > 0)
    before_kernel (record, 0);
  if (fb_run (plan, &record->memory, &used, report, cancellable, error))
    return TRUE;
  guint at = 0;
  while (at < record->n_kernels && record->kernels[at].state == FB_RECORD_DONE)
    at++;
  if (at < record->n_kernels)
    record->kernels[at].state = FB_RECORD_FAILED;
  return FALSE;
}

/* --- reading --- */

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
covers (const Saved *saved, const FbRecordBuffer *buffer)
{
  return saved->base == buffer->base && saved->start <= buffer->offset
         && saved->start + saved->size >= buffer->offset + buffer->bytes;
}

static gboolean
overlaps (const Saved *saved, const FbRecordBuffer *buffer)
{
  return saved->base == buffer->base && saved->start < buffer->offset + buffer->bytes
         && saved->start + saved->size > buffer->offset;
}

/* What was saved, mapped; zeros that take no memory. */
static void *
map_saved (const FbRecord *record, const Saved *saved, gsize size)
{
  void *map = saved->was == WAS_ZERO ? mmap (NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                     : mmap (NULL, size, PROT_READ, MAP_SHARED, record->file, (off_t) saved->at);
  return map == MAP_FAILED ? NULL : map;
}

static GBytes *
read_saved (FbRecord *record, const Saved *saved, const FbRecordBuffer *buffer, GError **error)
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
lay_over (const FbRecord *record, const Saved *saved, const FbRecordBuffer *buffer, guint8 *copy)
{
  gsize start = MAX (saved->start, buffer->offset);
  gsize end = MIN (saved->start + saved->size, buffer->offset + buffer->bytes);
  if (saved->was == WAS_ZERO)
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
  memcpy (copy, live_data (record, number), buffer->bytes);
  /* the latest first: the earliest has the last word */
  for (guint i = last + 1; i-- > first;)
    {
      const Saved *saved = &g_array_index (record->saved, Saved, i);
      if (overlaps (saved, buffer) && !lay_over (record, saved, buffer, copy))
        {
          g_free (copy);
          return no_memory (buffer->bytes, error);
        }
    }
  return g_bytes_new_take (copy, buffer->bytes);
}

static GBytes *
not_kept (const FbRecord *record, const Saved *saved, GError **error)
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
  while (first < record->saved->len && g_array_index (record->saved, Saved, first).kernel < moment)
    first++;
  for (guint i = first; i < record->saved->len; i++)
    {
      const Saved *saved = &g_array_index (record->saved, Saved, i);
      if (!overlaps (saved, buffer))
        continue;
      if (saved->was == WAS_NOT_KEPT)
        return not_kept (record, saved, error);
      if (covers (saved, buffer))
        return parts ? read_composed (record, number, first, i, error) : read_saved (record, saved, buffer, error);
      parts = TRUE;
    }
  if (parts)
    return read_composed (record, number, first, record->saved->len - 1, error);
  View *view = g_new0 (View, 1);
  view->record = fb_record_ref (record);
  return g_bytes_new_with_free_func (live_data (record, number), buffer->bytes, view_free, view);
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
