/* What a buffer is compared with. */
#include "app/buffer-view-private.h"

#include <glib/gi18n.h>

static void
against_clear (gpointer data)
{
  FbAgainst *against = data;
  g_free (against->label);
  g_clear_pointer (&against->run, fb_run_unref);
}

GArray *
fb_buffer_view_againsts_new (void)
{
  GArray *againsts = g_array_new (FALSE, FALSE, sizeof (FbAgainst));
  g_array_set_clear_func (againsts, against_clear);
  return againsts;
}

static void
add_against (FbBufferView *self, char *label, FbRun *run, FbBackend backend, guint moment, gboolean is_backend)
{
  FbAgainst against = { label, run ? fb_run_ref (run) : NULL, backend, moment, is_backend };
  g_array_append_val (self->againsts, against);
}

void
fb_buffer_view_list_against (FbBufferView *self)
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
                   backend, fb_buffer_view_get_moment (self), TRUE);
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

void
fb_buffer_view_read_other (FbBufferView *self)
{
  const FbAgainst *against = &g_array_index (self->againsts, FbAgainst, self->against);
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

void
fb_buffer_view_renew_against (FbBufferView *self, const char *label)
{
  fb_buffer_view_list_against (self);
  self->against = 0;
  for (guint i = 1; i < self->againsts->len; i++)
    {
      const FbAgainst *against = &g_array_index (self->againsts, FbAgainst, i);
      gboolean wanted = against->is_backend && (int) against->backend == self->wanted_backend && against->run;
      if (wanted || (!g_strcmp0 (against->label, label) && against->run))
        self->against = i;
      if (wanted)
        self->wanted_backend = -1;
    }
}

void
fb_buffer_view_set_against (FbBufferView *self, guint at)
{
  g_return_if_fail (FB_IS_BUFFER_VIEW (self));
  if (at >= self->againsts->len || at == self->against)
    return;
  const FbAgainst *against = &g_array_index (self->againsts, FbAgainst, at);
  if (at > 0 && !against->run)
    {
      self->wanted_backend = (int) against->backend;
      fb_runs_start_beside (self->runs, against->backend);
      return;
    }
  self->against = at;
  fb_buffer_view_read_other (self);
  fb_buffer_view_look_again (self);
}

guint
fb_buffer_view_get_n_against (FbBufferView *self)
{
  return self->againsts->len;
}

const char *
fb_buffer_view_get_against_label (FbBufferView *self, guint at)
{
  return at < self->againsts->len ? g_array_index (self->againsts, FbAgainst, at).label : NULL;
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
