#include "app/scenarios-private.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (FbScenarios, fb_scenarios, G_TYPE_OBJECT)

guint fb_scenarios_signals[FB_SCENARIOS_N_SIGNALS];

static gboolean
same_arrays (const GArray *a, const GArray *b)
{
  return a->len == b->len
         && (a->len == 0 || !memcmp (a->data, b->data, a->len * g_array_get_element_size ((GArray *) a)));
}

static gboolean
same_scenario (const FbScenario *a, const FbScenario *b)
{
  if (!a || !b)
    return a == b;
  return fb_replay_options_equal (a->options, b->options) && same_arrays (a->realize, b->realize)
         && same_arrays (a->fuse, b->fuse);
}

guint
fb_scenarios_find (FbScenarios *self, const FbScenario *scenario)
{
  guint at = 0;
  while (at < self->entries->len && !same_scenario (fb_scenarios_get (self, at)->scenario, scenario))
    at++;
  return at;
}

static void
forget_row (FbScenarios *self)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_clear_pointer (&self->lab, fb_scenario_lab_unref);
  g_hash_table_remove_all (self->answers);
  g_hash_table_remove_all (self->asked);
  g_ptr_array_set_size (self->entries, 0);
  g_ptr_array_set_size (self->removed, 0);
  self->shown = 0;
  self->row_number = 0;
}

/* The row is there, under whatever scenario. */
static void
row_loaded (FbScenarios *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  guint at = 0;
  if (!row || row->number != self->row_number)
    forget_row (self);
  if (row && row->bytes && !self->lab)
    {
      self->lab = fb_scenario_lab_new (row);
      self->row_number = row->number;
      fb_scenarios_take_stored (self);
    }
  if (row && row->bytes)
    {
      at = fb_scenarios_find (self, row->scenario);
      if (at == self->entries->len)
        {
          const FbRowWhy *why = row->why;
          FbScheduleCost cost = { 0 };
          if (why)
            cost = (FbScheduleCost){ why->n_kernels, why->bytes_read, why->bytes_written, why->flops, why->peak_bytes };
          g_ptr_array_add (self->entries, fb_scenario_entry_new (row->scenario, row->scenario_text, &cost));
        }
      self->shown = at;
      fb_scenarios_store (self);
    }
  g_signal_emit (self, fb_scenarios_signals[FB_SCENARIOS_CHANGED], 0);
}

/* Another window on the same file looked at one more, or changed one. */
static void
scenarios_changed (FbScenarios *self)
{
  if (!self->lab || self->storing)
    return;
  fb_scenarios_take_stored (self);
  g_signal_emit (self, fb_scenarios_signals[FB_SCENARIOS_CHANGED], 0);
}

static void
opened (FbScenarios *self)
{
  FbSessionFile *session = fb_document_get_session (self->doc, NULL);
  forget_row (self);
  if (session)
    g_signal_connect_object (session, "scenarios-changed", G_CALLBACK (scenarios_changed), self, G_CONNECT_SWAPPED);
}

/* --- the list --- */

guint
fb_scenarios_get_n (FbScenarios *self)
{
  g_return_val_if_fail (FB_IS_SCENARIOS (self), 0);
  return self->entries->len;
}

const FbScenarioEntry *
fb_scenarios_get (FbScenarios *self, guint at)
{
  g_return_val_if_fail (FB_IS_SCENARIOS (self), NULL);
  return at < self->entries->len ? g_ptr_array_index (self->entries, at) : NULL;
}

guint
fb_scenarios_get_shown (FbScenarios *self)
{
  g_return_val_if_fail (FB_IS_SCENARIOS (self), 0);
  return self->shown;
}

void
fb_scenarios_show (FbScenarios *self, const FbScenario *scenario)
{
  g_return_if_fail (FB_IS_SCENARIOS (self));
  fb_document_load_scenario (self->doc, scenario);
}

void
fb_scenarios_show_at (FbScenarios *self, guint at)
{
  const FbScenarioEntry *entry = fb_scenarios_get (self, at);
  if (entry && at != self->shown)
    fb_scenarios_show (self, entry->scenario);
}

GBytes *
fb_scenarios_dup_row (FbScenarios *self, FbScenarioRow *row)
{
  g_return_val_if_fail (FB_IS_SCENARIOS (self) && row, NULL);
  if (!self->lab)
    return NULL;
  *row = self->lab->row;
  return g_bytes_ref (self->lab->bytes);
}

static FbScenario *
copy_shown (FbScenarios *self)
{
  const FbScenarioEntry *entry = fb_scenarios_get (self, self->shown);
  return entry && entry->scenario ? fb_scenario_copy (entry->scenario) : fb_scenario_new ();
}

FbScenario *
fb_scenarios_with_option (FbScenarios *self, const char *setting)
{
  g_return_val_if_fail (FB_IS_SCENARIOS (self), NULL);
  FbScenario *scenario = copy_shown (self);
  fb_replay_options_parse (scenario->options, setting, NULL);
  return scenario;
}

/* A node has one choice: the other is taken back. */
static gboolean
take_out (GArray *places, guint32 place)
{
  for (guint i = 0; i < places->len; i++)
    if (g_array_index (places, guint32, i) == place)
      {
        g_array_remove_index (places, i);
        return TRUE;
      }
  return FALSE;
}

FbScenario *
fb_scenarios_with_node (FbScenarios *self, guint32 place, gboolean fuse)
{
  g_return_val_if_fail (FB_IS_SCENARIOS (self), NULL);
  FbScenario *scenario = copy_shown (self);
  if (!take_out (fuse ? scenario->realize : scenario->fuse, place))
    g_array_append_val (fuse ? scenario->fuse : scenario->realize, place);
  return scenario;
}

/* --- the object --- */

FbScenarios *
fb_scenarios_new (FbDocument *doc)
{
  FbScenarios *self = g_object_new (FB_TYPE_SCENARIOS, NULL);
  self->doc = doc;
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "opened", G_CALLBACK (opened), self, G_CONNECT_SWAPPED);
  return self;
}

static void
fb_scenarios_dispose (GObject *object)
{
  FbScenarios *self = FB_SCENARIOS (object);
  g_cancellable_cancel (self->cancellable);
  g_clear_pointer (&self->lab, fb_scenario_lab_unref);
  G_OBJECT_CLASS (fb_scenarios_parent_class)->dispose (object);
}

static void
fb_scenarios_finalize (GObject *object)
{
  FbScenarios *self = FB_SCENARIOS (object);
  g_object_unref (self->cancellable);
  g_hash_table_unref (self->answers);
  g_hash_table_unref (self->asked);
  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->removed);
  G_OBJECT_CLASS (fb_scenarios_parent_class)->finalize (object);
}

static void
fb_scenarios_class_init (FbScenariosClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_scenarios_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_scenarios_finalize;
  fb_scenarios_signals[FB_SCENARIOS_ANSWERED] = g_signal_new ("answered", FB_TYPE_SCENARIOS, G_SIGNAL_RUN_LAST, 0, NULL,
                                                              NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  fb_scenarios_signals[FB_SCENARIOS_CHANGED]
      = g_signal_new ("changed", FB_TYPE_SCENARIOS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_scenarios_init (FbScenarios *self)
{
  self->cancellable = g_cancellable_new ();
  self->answers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  self->asked = g_hash_table_new (NULL, NULL);
  self->entries = g_ptr_array_new_with_free_func (fb_scenario_entry_free);
  self->removed = g_ptr_array_new_with_free_func (fb_scenario_entry_free);
}
