#include "app/buffer-view.h"

#include <glib/gi18n.h>
#include <string.h>

/* Something to compare with. */
typedef struct
{
  char *label;
  FbRun *run; /* NULL: nothing, or a backend that was not run */
  FbBackend backend;
  guint moment;
  gboolean is_backend;
} Against;

struct _FbBufferView
{
  GObject parent_instance;
  FbRuns *runs;
  FbRun *run;
  guint kernel, buffer; /* kernel 0, buffer G_MAXUINT: none */
  gboolean after;
  FbProbed *probed; /* looked at in place of the buffer; NULL: the buffer is */
  GBytes *data, *other;
  char *data_error, *other_error;
  GArray *againsts; /* of Against; the first is nothing */
  guint against;
  int wanted_backend; /* to be compared with when it has run; -1: none */
  gboolean difference;
  FbSlice slice;
  GHashTable *slices; /* KEY of a buffer: FbSlice as it was left */
  gint64 element;
  guint width, height, ink;
  gboolean dark, watched;
  FbBufferFacts *facts; /* of data and other */
  FbBufferSight *sight;
  GCancellable *looking; /* NULL: nothing under way */
};

G_DEFINE_FINAL_TYPE (FbBufferView, fb_buffer_view, G_TYPE_OBJECT)

static guint changed_signal, sliced_signal, seen_signal, moved_signal;

static void
against_clear (gpointer data)
{
  Against *against = data;
  g_free (against->label);
  g_clear_pointer (&against->run, fb_run_unref);
}

static guint
moment_of (const FbBufferView *self)
{
  return self->after ? self->kernel : self->kernel - 1;
}

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

static void
add_against (FbBufferView *self, char *label, FbRun *run, FbBackend backend, guint moment, gboolean is_backend)
{
  Against against = { label, run ? fb_run_ref (run) : NULL, backend, moment, is_backend };
  g_array_append_val (self->againsts, against);
}

static void
list_against (FbBufferView *self)
{
  const FbRun *run = self->run;
  g_array_set_size (self->againsts, 0);
  /* Translators: a buffer compared with nothing */
  add_against (self, g_strdup (_ ("nothing")), NULL, 0, 0, FALSE);
  if (self->probed && self->probed->unfused)
    add_against (self, g_strdup (_ ("unfused")), self->run, run->backend, 0, FALSE);
  if (self->probed)
    return;
  if (!run || self->buffer >= run->n_buffers || !run->ended)
    return;
  for (FbBackend backend = 0; backend < FB_N_BACKENDS; backend++)
    if (backend != run->backend)
      add_against (self, g_strdup (fb_backend_name (backend)), fb_runs_find (self->runs, run->scenario, backend),
                   backend, moment_of (self), TRUE);
  if (self->after)
    add_against (self, g_strdup_printf (_ ("before kernel %u"), self->kernel), self->run, run->backend,
                 self->kernel - 1, FALSE);
  else
    add_against (self, g_strdup_printf (_ ("after kernel %u"), self->kernel), self->run, run->backend, self->kernel,
                 FALSE);
  for (guint i = 0; i < fb_runs_get_n (self->runs); i++)
    {
      FbRun *other = fb_runs_get (self->runs, i);
      if (!g_strcmp0 (other->scenario, run->scenario) || fb_run_find_buffer (other, run, self->buffer) == G_MAXUINT)
        continue;
      add_against (self,
                   g_strdup_printf ("%s, %s", other->scenario ? other->scenario : _ ("as captured"),
                                    fb_backend_name (other->backend)),
                   other, other->backend, other->n_kernels, FALSE);
    }
}

static void
read_other (FbBufferView *self)
{
  const Against *against = &g_array_index (self->againsts, Against, self->against);
  g_autoptr (GError) error = NULL;
  g_clear_pointer (&self->other, g_bytes_unref);
  g_clear_pointer (&self->other_error, g_free);
  g_clear_pointer (&self->facts, fb_buffer_facts_unref);
  if (!against->run || !self->data)
    return;
  if (self->probed)
    {
      self->other = g_bytes_ref (self->probed->unfused);
      return;
    }
  guint buffer = fb_run_find_buffer (against->run, self->run, self->buffer);
  if (buffer == G_MAXUINT)
    self->other_error = g_strdup (_ ("It has no such buffer."));
  else if (!(self->other = fb_record_read (against->run->record, buffer, against->moment, &error)))
    self->other_error = g_strdup (error->message);
}

/* The same thing to compare with as before, where there still is one. */
static void
renew_against (FbBufferView *self, const char *label)
{
  list_against (self);
  self->against = 0;
  for (guint i = 1; i < self->againsts->len; i++)
    {
      const Against *against = &g_array_index (self->againsts, Against, i);
      gboolean wanted = against->is_backend && (int) against->backend == self->wanted_backend && against->run;
      if (wanted || (!g_strcmp0 (against->label, label) && against->run))
        self->against = i;
      if (wanted)
        self->wanted_backend = -1;
    }
}

/* Reads the contents again. */
static void
update (FbBufferView *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *label = self->against < self->againsts->len
                               ? g_strdup (g_array_index (self->againsts, Against, self->against).label)
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
      self->data = fb_record_read (run->record, self->buffer, moment_of (self), &error);
      if (self->data)
        take_slice (self);
      else
        self->data_error = g_strdup (error->message);
    }
  renew_against (self, label);
  read_other (self);
  g_signal_emit (self, changed_signal, 0);
  look (self);
}

/* The first buffer that kernel @kernel writes, or whatever it has. */
static guint
output_of (const FbRun *run, guint kernel)
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
  self->buffer = self->kernel ? output_of (self->run, self->kernel) : G_MAXUINT;
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
  self->buffer = output_of (self->run, kernel);
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
  guint moment = direction < 0 && !self->after ? self->kernel : moment_of (self);
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
fb_buffer_view_set_against (FbBufferView *self, guint at)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (at >= self->againsts->len || at == self->against)
    return;
  const Against *against = &g_array_index (self->againsts, Against, at);
  if (at > 0 && !against->run)
    {
      self->wanted_backend = (int) against->backend;
      fb_runs_start_beside (self->runs, against->backend);
      return;
    }
  self->against = at;
  read_other (self);
  g_signal_emit (self, changed_signal, 0);
  look (self);
}

void
fb_buffer_view_set_difference (FbBufferView *self, gboolean difference)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (self->difference == difference)
    return;
  self->difference = difference;
  g_signal_emit (self, changed_signal, 0);
  look (self);
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
      self->buffer = output_of (run, self->kernel);
    }
  update (self);
  if (again)
    fb_buffer_view_set_element (self, element);
}

/* --- getting --- */

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
      || fb_record_find_write (self->run->record, self->buffer, moment_of (self) + 1, -1))
    return G_MAXUINT;
  return fb_run_inputs_find (fb_runs_get_inputs (self->runs), self->run->buffers[self->buffer].name);
}

guint
fb_buffer_view_get_n_against (FbBufferView *self)
{
  return self->againsts->len;
}

const char *
fb_buffer_view_get_against_label (FbBufferView *self, guint at)
{
  return at < self->againsts->len ? g_array_index (self->againsts, Against, at).label : NULL;
}

guint
fb_buffer_view_get_against (FbBufferView *self)
{
  return self->against;
}

GBytes *
fb_buffer_view_get_other (FbBufferView *self, const char **error)
{
  if (error)
    *error = self->other_error;
  return self->other;
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
      *buffer = output_of (run, i + 1);
      return TRUE;
    }
  return FALSE;
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
  self->againsts = g_array_new (FALSE, FALSE, sizeof (Against));
  g_array_set_clear_func (self->againsts, against_clear);
  self->slices = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  list_against (self);
}
