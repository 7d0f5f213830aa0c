/* What a buffer view says of itself. */
#include "app/buffer-view-private.h"

FbRuns *
fb_buffer_view_get_runs (FbBufferView *self)
{
  return self->runs;
}

FbRun *
fb_buffer_view_get_run (FbBufferView *self)
{
  return self->run;
}

guint
fb_buffer_view_get_kernel (FbBufferView *self)
{
  return self->kernel;
}

guint
fb_buffer_view_get_buffer (FbBufferView *self)
{
  return self->probed ? G_MAXUINT : self->buffer;
}

gboolean
fb_buffer_view_get_after (FbBufferView *self)
{
  return self->after;
}

GBytes *
fb_buffer_view_get_data (FbBufferView *self, const char **error)
{
  if (error)
    *error = self->data_error;
  return self->data;
}

guint
fb_buffer_view_get_scalar (FbBufferView *self)
{
  if (self->probed)
    return self->probed->type;
  return self->data ? fb_record_buffer (self->run->record, self->buffer)->type : FB_SCALAR_VOID;
}

guint
fb_buffer_view_get_input (FbBufferView *self)
{
  g_return_val_if_fail (FB_IS_BUFFER_VIEW (self), G_MAXUINT);
  const FbRecordBuffer *buffer
      = self->data && !self->probed ? fb_record_buffer (self->run->record, self->buffer) : NULL;
  if (!buffer || buffer->base != self->buffer || buffer->starts_as_output
      || fb_record_find_write (self->run->record, self->buffer, fb_buffer_view_get_moment (self) + 1, -1))
    return G_MAXUINT;
  return fb_run_inputs_find (fb_runs_get_inputs (self->runs), self->run->buffers[self->buffer].name);
}

const char *
fb_buffer_view_get_name (FbBufferView *self)
{
  return self->run ? fb_backend_name (self->run->backend) : NULL;
}

gboolean
fb_buffer_view_get_difference (FbBufferView *self)
{
  return self->difference;
}

const FbSlice *
fb_buffer_view_get_slice (FbBufferView *self)
{
  return self->data ? &self->slice : NULL;
}

gint64
fb_buffer_view_get_element (FbBufferView *self)
{
  return self->element;
}

const FbBufferFacts *
fb_buffer_view_get_facts (FbBufferView *self)
{
  return self->facts;
}

const FbBufferSight *
fb_buffer_view_get_sight (FbBufferView *self)
{
  return self->sight;
}

gboolean
fb_buffer_view_is_settled (FbBufferView *self)
{
  return !self->looking;
}

gboolean
fb_buffer_view_find_nan (FbBufferView *self, guint *kernel, guint *buffer)
{
  g_return_val_if_fail (FB_IS_BUFFER_VIEW (self), FALSE);
  const FbRun *run = self->run;
  for (guint i = 0; run && run->ended && run->record && i < run->n_kernels; i++)
    {
      const FbRecordKernel *k = fb_record_kernel (run->record, i);
      if (k->state != FB_RECORD_DONE || k->stats.nan == 0)
        continue;
      *kernel = i + 1;
      *buffer = fb_buffer_view_output_of (run, i + 1);
      return TRUE;
    }
  return FALSE;
}
