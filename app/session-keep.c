/* What a session keeps besides bookmarks and notes: scenarios, layouts, where one was; and which sessions windows have open. */
#include <string.h>

#include "app/session-file-private.h"

/* --- scenarios and layouts --- */

const GPtrArray *
fb_session_file_get_scenarios (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), NULL);
  return self->start->scenarios;
}

/* n for none. */
static guint
find_scenario (const GPtrArray *all, const FbStoreScenario *scenario)
{
  guint at = 0;
  while (at < all->len && !fb_store_scenario_matches (g_ptr_array_index (all, at), scenario))
    at++;
  return at;
}

static void
write_scenario (FbSessionFile *self, const FbStoreScenario *scenario, gboolean remove)
{
  fb_session_file_push (self, FB_SESSION_CHANGE, fb_scenario_job_run, fb_scenario_job_new (scenario, remove),
                        fb_scenario_job_free, NULL);
  g_signal_emit (self, fb_session_signals[FB_SESSION_SCENARIOS_CHANGED], 0);
  fb_session_file_set_unsaved (self, TRUE);
}

void
fb_session_file_put_scenario (FbSessionFile *self, const FbStoreScenario *scenario)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && scenario);
  GPtrArray *all = self->start->scenarios;
  if (!self->session)
    return;
  guint at = find_scenario (all, scenario);
  if (at < all->len && fb_store_scenario_equal (g_ptr_array_index (all, at), scenario))
    return;
  if (at < all->len)
    {
      fb_store_scenario_free (g_ptr_array_index (all, at));
      all->pdata[at] = fb_store_scenario_copy (scenario);
    }
  else
    g_ptr_array_add (all, fb_store_scenario_copy (scenario));
  write_scenario (self, scenario, FALSE);
}

void
fb_session_file_remove_scenario (FbSessionFile *self, const FbStoreScenario *scenario)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && scenario);
  GPtrArray *all = self->start->scenarios;
  guint at = find_scenario (all, scenario);
  if (!self->session || at == all->len)
    return;
  g_ptr_array_remove_index (all, at);
  write_scenario (self, scenario, TRUE);
}

const GPtrArray *
fb_session_file_get_layouts (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), NULL);
  return self->start->layouts;
}

static gboolean
same_pass (const FbStorePlace *a, const FbStorePlace *b)
{
  return a->kind == b->kind && a->row == b->row && a->pass == b->pass;
}

void
fb_session_file_put_layout (FbSessionFile *self, const FbStoreLayout *layout)
{
  g_return_if_fail (FB_IS_SESSION_FILE (self) && layout);
  GPtrArray *all = self->start->layouts;
  if (!self->session)
    return;
  for (guint i = all->len; i-- > 0;)
    if (same_pass (&((FbStoreLayout *) g_ptr_array_index (all, i))->place, &layout->place))
      g_ptr_array_remove_index (all, i);
  if (layout->placed->len)
    {
      FbStoreLayout *copy = g_memdup2 (layout, sizeof *layout);
      g_array_ref (copy->placed);
      g_ptr_array_add (all, copy);
    }
  fb_session_file_push (self, FB_SESSION_CHANGE, fb_layout_job_run, fb_layout_job_new (layout), fb_layout_job_free,
                        NULL);
}

gboolean
fb_session_file_get_place (FbSessionFile *self, FbStorePlace *place, const FbScenario **scenario)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self) && place, FALSE);
  if (!fb_session_get_place (self->states, place))
    return FALSE;
  if (scenario)
    *scenario = fb_session_get_scenario (self->states, self->start->scenarios, place);
  return TRUE;
}

const char *
fb_session_file_get_path (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self), NULL);
  return self->path;
}

/* --- windows on one file --- */

static GPtrArray *open_files; /* of FbSessionFile, borrowed; main thread */

void
fb_session_file_register (FbSessionFile *self)
{
  if (!open_files)
    open_files = g_ptr_array_new ();
  g_ptr_array_add (open_files, self);
}

void
fb_session_file_unregister (FbSessionFile *self)
{
  g_ptr_array_remove (open_files, self);
  if (!open_files->len)
    g_clear_pointer (&open_files, g_ptr_array_unref);
}

static gboolean
is_kept_in (const FbSessionFile *self, const char *folder)
{
  return folder ? !self->start->temporary && !g_strcmp0 (self->start->folder, folder) : self->start->temporary;
}

FbSessionFile *
fb_session_file_find_open (const char *folder, const char *path)
{
  g_return_val_if_fail (path, NULL);
  g_autofree char *source = g_canonicalize_filename (path, NULL);
  for (guint i = 0; open_files && i < open_files->len; i++)
    {
      FbSessionFile *file = g_ptr_array_index (open_files, i);
      if (is_kept_in (file, folder)
          && (!strcmp (file->start->source, source) || !g_strcmp0 (file->start->saved, source)
              || !strcmp (file->path, source)))
        return file;
    }
  return NULL;
}

FbSessionFile *
fb_session_file_join (FbSessionFile *self)
{
  g_return_val_if_fail (FB_IS_SESSION_FILE (self) && self->session, NULL);
  self->n_users++;
  return g_object_ref (self);
}
