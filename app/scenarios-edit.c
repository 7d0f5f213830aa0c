/* The list of scenarios: what the session has of it, and what a person does with it. */
#include <glib/gi18n.h>

#include "app/scenarios-private.h"

/* --- an entry --- */

void
fb_scenario_entry_free (gpointer data)
{
  FbScenarioEntry *entry = data;
  fb_scenario_free (entry->scenario);
  g_free (entry->text);
  g_free (entry->name);
  g_free (entry->backend);
  g_free (entry);
}

FbScenarioEntry *
fb_scenario_entry_new (const FbScenario *scenario, const char *text, const FbScheduleCost *cost)
{
  FbScenarioEntry *entry = g_new0 (FbScenarioEntry, 1);
  entry->scenario = scenario ? fb_scenario_copy (scenario) : NULL;
  entry->text = g_strdup (scenario ? text : _ ("as captured"));
  entry->cost = *cost;
  return entry;
}

static void
set_time (FbScenarioEntry *entry, const char *backend, double seconds)
{
  g_free (entry->backend);
  entry->backend = g_strdup (backend);
  entry->seconds = seconds;
}

static void
set_name (FbScenarioEntry *entry, const char *name)
{
  g_free (entry->name);
  entry->name = name && *name ? g_strdup (name) : NULL;
}

/* --- the session --- */

static void
take_one (FbScenarios *self, const FbStoreScenario *one)
{
  guint at = fb_scenarios_find (self, one->scenario);
  if (at == self->entries->len)
    g_ptr_array_add (self->entries, fb_scenario_entry_new (one->scenario, one->text, &one->cost));
  FbScenarioEntry *entry = g_ptr_array_index (self->entries, at);
  set_name (entry, one->name);
  set_time (entry, one->backend, one->seconds);
}

/* What the session does not have any more goes, but for what is on the screen. */
static void
drop_others (FbScenarios *self, GHashTable *there)
{
  for (guint i = self->entries->len; i-- > 1;)
    if (i != self->shown && !g_hash_table_contains (there, fb_scenarios_get (self, i)->text))
      {
        g_ptr_array_remove_index (self->entries, i);
        self->shown -= i < self->shown;
      }
}

/* As captured is the first that is stored. */
void
fb_scenarios_take_stored (FbScenarios *self)
{
  FbSessionFile *session = fb_document_get_session (self->doc, NULL);
  const GPtrArray *stored = session ? fb_session_file_get_scenarios (session) : NULL;
  g_autoptr (GHashTable) there = g_hash_table_new (g_str_hash, g_str_equal);
  FbStorePlace place;
  if (!stored || !fb_document_get_place (self->doc, &place))
    return;
  for (guint i = 0; i < stored->len; i++)
    {
      const FbStoreScenario *one = g_ptr_array_index (stored, i);
      if (one->kind != place.kind || one->row != place.row)
        continue;
      g_hash_table_add (there, one->text);
      take_one (self, one);
    }
  drop_others (self, there);
}

/* The session as @entry of the row has it. FALSE: there is none. */
static gboolean
as_stored (FbScenarios *self, const FbScenarioEntry *entry, FbStoreScenario *one)
{
  FbStorePlace place;
  if (!fb_document_get_session (self->doc, NULL) || !fb_document_get_place (self->doc, &place))
    return FALSE;
  *one = (FbStoreScenario){ .kind = place.kind,
                            .row = place.row,
                            .text = entry->scenario ? entry->text : (char *) "",
                            .scenario = entry->scenario,
                            .cost = entry->cost,
                            .name = entry->name,
                            .backend = entry->backend,
                            .seconds = entry->seconds };
  return TRUE;
}

void
fb_scenarios_store (FbScenarios *self)
{
  FbStoreScenario one;
  if (self->entries->len < 2)
    return;
  self->storing = TRUE;
  for (guint i = 0; i < self->entries->len; i++)
    if (as_stored (self, fb_scenarios_get (self, i), &one))
      fb_session_file_put_scenario (fb_document_get_session (self->doc, NULL), &one);
  self->storing = FALSE;
}

/* --- changes --- */

const char *
fb_scenario_entry_get_title (const FbScenarioEntry *entry)
{
  return entry->name ? entry->name : entry->text;
}

static void
entries_changed (FbScenarios *self)
{
  fb_scenarios_store (self);
  g_signal_emit (self, fb_scenarios_signals[FB_SCENARIOS_CHANGED], 0);
}

void
fb_scenarios_rename (FbScenarios *self, guint at, const char *name)
{
  g_return_if_fail (FB_IS_SCENARIOS (self) && at < self->entries->len);
  FbScenarioEntry *entry = g_ptr_array_index (self->entries, at);
  g_autofree char *words = name ? g_strstrip (g_strdup (name)) : NULL;
  set_name (entry, g_strcmp0 (words, entry->text) ? words : NULL);
  entries_changed (self);
}

void
fb_scenarios_remove (FbScenarios *self, guint at)
{
  FbStoreScenario one;
  g_return_if_fail (FB_IS_SCENARIOS (self) && at < self->entries->len);
  if (at == 0)
    return;
  FbScenarioEntry *entry = g_ptr_array_steal_index (self->entries, at);
  gboolean shown = at == self->shown;
  g_ptr_array_add (self->removed, entry);
  self->shown = shown ? 0 : self->shown - (at < self->shown);
  self->storing = TRUE;
  if (as_stored (self, entry, &one))
    fb_session_file_remove_scenario (fb_document_get_session (self->doc, NULL), &one);
  self->storing = FALSE;
  entries_changed (self);
  if (shown)
    fb_scenarios_show (self, NULL);
}

const FbScenarioEntry *
fb_scenarios_get_removed (FbScenarios *self)
{
  g_return_val_if_fail (FB_IS_SCENARIOS (self), NULL);
  return self->removed->len ? g_ptr_array_index (self->removed, self->removed->len - 1) : NULL;
}

void
fb_scenarios_restore (FbScenarios *self)
{
  g_return_if_fail (FB_IS_SCENARIOS (self));
  if (!self->removed->len)
    return;
  FbScenarioEntry *entry = g_ptr_array_steal_index (self->removed, self->removed->len - 1);
  /* it may have been tried again meanwhile */
  guint at = fb_scenarios_find (self, entry->scenario);
  if (at < self->entries->len)
    fb_scenario_entry_free (entry);
  else
    g_ptr_array_add (self->entries, entry);
  entries_changed (self);
  fb_scenarios_show_at (self, at);
}

void
fb_scenarios_set_time (FbScenarios *self, const char *text, const char *backend, double seconds)
{
  g_return_if_fail (FB_IS_SCENARIOS (self) && backend);
  for (guint i = 0; i < self->entries->len; i++)
    {
      FbScenarioEntry *entry = g_ptr_array_index (self->entries, i);
      if (!g_strcmp0 (entry->scenario ? entry->text : NULL, text))
        {
          set_time (entry, backend, seconds);
          entries_changed (self);
          return;
        }
    }
}
