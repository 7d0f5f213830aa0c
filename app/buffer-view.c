#include "app/buffer-view-private.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (FbBufferView, fb_buffer_view, G_TYPE_OBJECT)

static guint changed_signal, sliced_signal, seen_signal, moved_signal;

/* --- looking --- */

static void
looked (GObject *source, GAsyncResult *result, gpointer data)
{
  FbBufferView *self = FB_BUFFER_VIEW (source);
  FbBufferSight *sight = fb_buffer_look_finish (result, NULL);
  if (self->looking != g_task_get_cancellable (G_TASK (result)))
    {
      g_clear_pointer (&sight, fb_buffer_sight_free);
      return;
    }
  g_clear_object (&self->looking);
  if (!sight)
    return;
  g_clear_pointer (&self->facts, fb_buffer_facts_unref);
  self->facts = sight->facts;
  g_atomic_ref_count_inc (&self->facts->refs);
  g_clear_pointer (&self->sight, fb_buffer_sight_free);
  self->sight = sight;
  g_signal_emit (self, seen_signal, 0);
}

static void
look (FbBufferView *self)
{
  if (self->looking)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  if (!self->data || !self->watched)
    return;
  const FbBufferLook what = {
    .type = fb_buffer_view_get_scalar (self),
    .data = self->data,
    .other = self->other,
    .slice = self->slice,
    .difference = self->difference,
    .width = self->width,
    .height = self->height,
    .ink = self->ink,
    .dark = self->dark,
    .facts = self->facts,
  };
  self->looking = g_cancellable_new ();
  fb_buffer_look_async (&what, self->looking, looked, G_OBJECT (self));
}

void
fb_buffer_view_look_again (FbBufferView *self)
{
  g_signal_emit (self, changed_signal, 0);
  look (self);
}

/* --- what is looked at --- */

static void
keep_slice (FbBufferView *self)
{
  if (self->run && self->buffer < self->run->n_buffers && self->data && !self->probed)
    g_hash_table_insert (self->slices, g_memdup2 (&self->run->buffers[self->buffer].key, sizeof (guint64)),
                         g_memdup2 (&self->slice, sizeof self->slice));
}

static void
take_slice (FbBufferView *self)
{
  const FbRunBuffer *buffer = &self->run->buffers[self->buffer];
  const FbSlice *kept = g_hash_table_lookup (self->slices, &buffer->key);
  gint64 size = fb_record_buffer (self->run->record, self->buffer)->size;
  if (kept && fb_slice_size (kept) == size)
    self->slice = *kept;
  else
    fb_slice_init (&self->slice, buffer->n_dims, buffer->shape);
}

/* Reads the contents again. */
static void
update (FbBufferView *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *label = self->against < self->againsts->len
                               ? g_strdup (g_array_index (self->againsts, FbAgainst, self->against).label)
                               : NULL;
  g_clear_pointer (&self->data, g_bytes_unref);
  g_clear_pointer (&self->data_error, g_free);
  g_clear_pointer (&self->sight, fb_buffer_sight_free);
  self->element = -1;
  FbRun *run = self->run;
  if (self->probed)
    {
      self->data = g_bytes_ref (self->probed->data);
      fb_slice_init (&self->slice, self->probed->n_dims, self->probed->shape);
    }
  else if (run && run->ended && run->record && self->kernel && self->buffer < run->n_buffers)
    {
      self->data = fb_record_read (run->record, self->buffer, fb_buffer_view_get_moment (self), &error);
      if (self->data)
        take_slice (self);
      else
        self->data_error = g_strdup (error->message);
    }
  fb_buffer_view_renew_against (self, label);
  fb_buffer_view_read_other (self);
  fb_buffer_view_look_again (self);
}

guint
fb_buffer_view_output_of (const FbRun *run, guint kernel)
{
  const FbRecordKernel *k = fb_record_kernel (run->record, kernel - 1);
  for (guint i = 0; i < k->n_buffers; i++)
    if (k->written[i])
      return k->buffers[i];
  return k->n_buffers > 0 ? k->buffers[0] : G_MAXUINT;
}

static void
end_probe (FbBufferView *self)
{
  g_clear_pointer (&self->probed, fb_probed_unref);
}

void
fb_buffer_view_set_probed (FbBufferView *self, FbProbed *probed)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (probed == self->probed || (probed && !self->run))
    return;
  keep_slice (self);
  end_probe (self);
  if (probed)
    {
      self->probed = fb_probed_ref (probed);
      if (probed->kernel && probed->kernel <= self->run->n_kernels)
        self->kernel = probed->kernel;
    }
  self->buffer = self->kernel ? fb_buffer_view_output_of (self->run, self->kernel) : G_MAXUINT;
  update (self);
}

FbProbed *
fb_buffer_view_get_probed (FbBufferView *self)
{
  return self->probed;
}

void
fb_buffer_view_set_kernel (FbBufferView *self, guint kernel)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (!self->run || !self->run->ended || kernel == 0 || kernel > self->run->n_kernels
      || (kernel == self->kernel && !self->probed))
    return;
  keep_slice (self);
  end_probe (self);
  self->kernel = kernel;
  self->buffer = fb_buffer_view_output_of (self->run, kernel);
  self->after = TRUE;
  update (self);
}

void
fb_buffer_view_set_buffer (FbBufferView *self, guint buffer)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (!self->run || buffer >= self->run->n_buffers || (buffer == self->buffer && !self->probed))
    return;
  keep_slice (self);
  end_probe (self);
  self->buffer = buffer;
  update (self);
}

void
fb_buffer_view_set_after (FbBufferView *self, gboolean after)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  gint64 element = self->element;
  if ((self->after == after && !self->probed) || !self->kernel)
    return;
  keep_slice (self);
  end_probe (self);
  self->after = after;
  update (self);
  fb_buffer_view_set_element (self, element);
}

guint
fb_buffer_view_find_write (FbBufferView *self, int direction)
{
  g_return_val_if_fail (FB_IS_BUFFER_VIEW (self), 0);
  if (!self->data || self->probed)
    return 0;
  /* before a kernel that writes it, that one is the next */
  guint moment = direction < 0 && !self->after ? self->kernel : fb_buffer_view_get_moment (self);
  return fb_record_find_write (self->run->record, self->buffer, moment, direction);
}

gboolean
fb_buffer_view_travel (FbBufferView *self, int direction)
{
  guint kernel = fb_buffer_view_find_write (self, direction);
  gint64 element = self->element;
  if (!kernel)
    return FALSE;
  keep_slice (self);
  self->kernel = kernel;
  self->after = TRUE;
  update (self);
  fb_buffer_view_set_element (self, element);
  return TRUE;
}

void
fb_buffer_view_set_difference (FbBufferView *self, gboolean difference)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (self->difference == difference)
    return;
  self->difference = difference;
  fb_buffer_view_look_again (self);
}

void
fb_buffer_view_set_slice (FbBufferView *self, const FbSlice *slice)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self) && slice);
  if (!self->data || fb_slice_size (slice) != fb_slice_size (&self->slice))
    return;
  self->slice = *slice;
  g_signal_emit (self, sliced_signal, 0);
  look (self);
}

gboolean
fb_buffer_view_set_shape (FbBufferView *self, const char *text)
{
  g_return_val_if_fail (FB_IS_BUFFER_VIEW (self), FALSE);
  guint n;
  gint64 shape[FB_SLICE_DIMS];
  if (!self->data || !fb_shape_parse (text, fb_slice_size (&self->slice), &n, shape))
    return FALSE;
  FbSlice slice;
  fb_slice_init (&slice, n, shape);
  fb_buffer_view_set_slice (self, &slice);
  return TRUE;
}

void
fb_buffer_view_set_element (FbBufferView *self, gint64 element)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  gint64 row, column;
  FbSlice slice = self->slice;
  if (!self->data || element < 0 || !fb_slice_find (&slice, element, &row, &column))
    element = -1;
  else if (memcmp (slice.at, self->slice.at, sizeof slice.at))
    fb_buffer_view_set_slice (self, &slice);
  self->element = element;
  g_signal_emit (self, moved_signal, 0);
}

void
fb_buffer_view_set_size (FbBufferView *self, guint width, guint height, guint ink)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (self->width == width && self->height == height && self->ink == ink)
    return;
  self->width = width;
  self->height = height;
  self->ink = ink;
  look (self);
}

void
fb_buffer_view_set_dark (FbBufferView *self, gboolean dark)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (self->dark == dark)
    return;
  self->dark = dark;
  look (self);
}

void
fb_buffer_view_set_watched (FbBufferView *self, gboolean watched)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (self->watched == watched)
    return;
  self->watched = watched;
  look (self);
}

/* --- following the runs --- */

static void
runs_changed (FbBufferView *self)
{
  FbRun *run = fb_runs_get_current (self->runs);
  gboolean same = run == self->run, again = run && self->run && !g_strcmp0 (run->scenario, self->run->scenario);
  if (run && !run->ended && (same || again))
    return; /* what is there stays until the new one has ended */
  keep_slice (self);
  end_probe (self);
  guint kernel = again ? self->kernel : 0, buffer = again ? self->buffer : G_MAXUINT;
  gint64 element = self->element;
  gboolean after = self->after || !again;
  if (run)
    fb_run_ref (run);
  g_clear_pointer (&self->run, fb_run_unref);
  self->run = run;
  self->kernel = kernel;
  self->buffer = buffer;
  self->after = after;
  if (run && run->ended && run->record && run->n_kernels > 0 && (kernel == 0 || kernel > run->n_kernels))
    {
      self->kernel = CLAMP (run->n_done, 1, run->n_kernels);
      self->buffer = fb_buffer_view_output_of (run, self->kernel);
    }
  update (self);
  if (again)
    fb_buffer_view_set_element (self, element);
}

/* --- the object --- */

FbBufferView *
fb_buffer_view_new (FbRuns *runs)
{
  FbBufferView *self = g_object_new (FB_TYPE_BUFFER_VIEW, NULL);
  self->runs = g_object_ref (runs);
  g_signal_connect_object (runs, "changed", G_CALLBACK (runs_changed), self, G_CONNECT_SWAPPED);
  return self;
}

static void
fb_buffer_view_dispose (GObject *object)
{
  FbBufferView *self = FB_BUFFER_VIEW (object);
  if (self->looking)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_object (&self->runs);
  g_clear_pointer (&self->run, fb_run_unref);
  end_probe (self);
  G_OBJECT_CLASS (fb_buffer_view_parent_class)->dispose (object);
}

static void
fb_buffer_view_finalize (GObject *object)
{
  FbBufferView *self = FB_BUFFER_VIEW (object);
  g_clear_pointer (&self->data, g_bytes_unref);
  g_clear_pointer (&self->other, g_bytes_unref);
  g_clear_pointer (&self->facts, fb_buffer_facts_unref);
  g_clear_pointer (&self->sight, fb_buffer_sight_free);
  g_free (self->data_error);
  g_free (self->other_error);
  g_array_unref (self->againsts);
  g_hash_table_unref (self->slices);
  G_OBJECT_CLASS (fb_buffer_view_parent_class)->finalize (object);
}

static void
fb_buffer_view_class_init (FbBufferViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_buffer_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_buffer_view_finalize;
  guint *const signals[] = { &changed_signal, &sliced_signal, &seen_signal, &moved_signal };
  static const char *const names[] = { "changed", "sliced", "seen", "moved" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    *signals[i] = g_signal_new (names[i], FB_TYPE_BUFFER_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_buffer_view_init (FbBufferView *self)
{
  self->buffer = G_MAXUINT;
  self->after = TRUE;
  self->element = -1;
  self->wanted_backend = -1;
  self->againsts = fb_buffer_view_againsts_new ();
  self->slices = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  fb_buffer_view_list_against (self);
}
