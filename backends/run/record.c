#include "record-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MOST_KEPT ((gsize) 4 << 30)

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
  record->saved = g_array_new (FALSE, FALSE, sizeof (FbSaved));
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

guint8 *
fb_record_data (FbRecord *record, guint buffer)
{
  g_return_val_if_fail (buffer < record->n_buffers, NULL);
  record->touched[record->buffers[buffer].base] = TRUE;
  return fb_record_live_data (record, buffer);
}

gsize
fb_record_kept (const FbRecord *record)
{
  return record->kept;
}

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
        FbSaved saved = { .kernel = number, .base = buffer->base, .start = buffer->offset, .size = buffer->bytes };
        if (record->touched[buffer->base])
          saved.was = save (record, fb_record_live_data (record, kernel->buffers[i]), buffer->bytes, &saved.at)
                          ? FB_WAS_SAVED
                          : FB_WAS_NOT_KEPT;
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
        fb_value_stats (buffer->type, buffer->size, fb_record_live_data (record, kernel->buffers[i]), &kernel->stats,
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
          && !fb_value_stats (buffer->type, buffer->size, fb_record_live_data (record, i), &buffer->initial,
                              cancellable))
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
