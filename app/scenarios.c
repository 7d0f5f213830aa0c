#include "app/scenarios.h"

#include <glib/gi18n.h>
#include <string.h>

/* What tries of one row share. */
typedef struct
{
  gatomicrefcount refs;
  GMutex mutex; /* one try at a time */
  GBytes *bytes;
  FbScenarioRow row;
  FbCounterfactuals *tries; /* made by the first try */
} Lab;

struct _FbScenarios
{
  GObject parent_instance;
  FbDocument *doc; /* borrowed: lives in a window of it */
  Lab *lab;
  guint row_number;
  GCancellable *cancellable;
  GHashTable *answers; /* place + 1: GPtrArray of FbCounterfactual; asked for and not known: absent */
  GHashTable *asked;
  GPtrArray *entries; /* of FbScenarioEntry */
  guint shown;
};

G_DEFINE_FINAL_TYPE (FbScenarios, fb_scenarios, G_TYPE_OBJECT)

static guint answered_signal, changed_signal;

static Lab *
lab_ref (Lab *lab)
{
  g_atomic_ref_count_inc (&lab->refs);
  return lab;
}

static void
lab_unref (gpointer data)
{
  Lab *lab = data;
  if (!lab || !g_atomic_ref_count_dec (&lab->refs))
    return;
  fb_counterfactuals_free (lab->tries);
  g_bytes_unref (lab->bytes);
  g_mutex_clear (&lab->mutex);
  g_free (lab);
}

static Lab *
lab_new (const FbRowView *row)
{
  Lab *lab = g_new0 (Lab, 1);
  g_atomic_ref_count_init (&lab->refs);
  g_mutex_init (&lab->mutex);
  lab->bytes = g_bytes_ref (row->bytes);
  lab->row = (FbScenarioRow){ lab->bytes, "row", row->row->release };
  return lab;
}

static void
entry_free (gpointer data)
{
  FbScenarioEntry *entry = data;
  fb_scenario_free (entry->scenario);
  g_free (entry->text);
  g_free (entry);
}

static void
add_entry (FbScenarios *self, const FbScenario *scenario, const char *text, const FbScheduleCost *cost)
{
  FbScenarioEntry *entry = g_new0 (FbScenarioEntry, 1);
  entry->scenario = scenario ? fb_scenario_copy (scenario) : NULL;
  entry->text = g_strdup (scenario ? text : _ ("as captured"));
  entry->cost = *cost;
  g_ptr_array_add (self->entries, entry);
}

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

static gboolean
has_entry (FbScenarios *self, const FbScenario *scenario, guint *at)
{
  for (*at = 0; *at < self->entries->len; (*at)++)
    if (same_scenario (fb_scenarios_get (self, *at)->scenario, scenario))
      return TRUE;
  return FALSE;
}

/* Those that the session has of the row; as captured is the first that is stored. */
static void
take_stored (FbScenarios *self)
{
  FbSessionFile *session = fb_document_get_session (self->doc, NULL);
  const GPtrArray *stored = session ? fb_session_file_get_scenarios (session) : NULL;
  FbStorePlace place;
  guint at;
  if (!stored || !fb_document_get_place (self->doc, &place))
    return;
  for (guint i = 0; i < stored->len; i++)
    {
      const FbStoreScenario *one = g_ptr_array_index (stored, i);
      if (one->kind == place.kind && one->row == place.row && !has_entry (self, one->scenario, &at))
        add_entry (self, one->scenario, one->text, &one->cost);
    }
}

/* Once something else than the row as it was captured was looked at, the session has both. */
static void
store_entries (FbScenarios *self)
{
  FbSessionFile *session = fb_document_get_session (self->doc, NULL);
  FbStorePlace place;
  if (!session || self->entries->len < 2 || !fb_document_get_place (self->doc, &place))
    return;
  for (guint i = 0; i < self->entries->len; i++)
    {
      const FbScenarioEntry *entry = g_ptr_array_index (self->entries, i);
      FbStoreScenario one
          = { place.kind, place.row, entry->scenario ? entry->text : (char *) "", entry->scenario, entry->cost };
      fb_session_file_put_scenario (session, &one);
    }
}

static void
forget_row (FbScenarios *self)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_clear_pointer (&self->lab, lab_unref);
  g_hash_table_remove_all (self->answers);
  g_hash_table_remove_all (self->asked);
  g_ptr_array_set_size (self->entries, 0);
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
      self->lab = lab_new (row);
      self->row_number = row->number;
      take_stored (self);
    }
  if (row && row->bytes)
    {
      if (!has_entry (self, row->scenario, &at))
        {
          const FbRowWhy *why = row->why;
          FbScheduleCost cost = { 0 };
          if (why)
            cost = (FbScheduleCost){ why->n_kernels, why->bytes_read, why->bytes_written, why->flops, why->peak_bytes };
          add_entry (self, row->scenario, row->scenario_text, &cost);
        }
      self->shown = at;
      store_entries (self);
    }
  g_signal_emit (self, changed_signal, 0);
}

/* Another window on the same file looked at one more. */
static void
scenarios_changed (FbScenarios *self)
{
  if (!self->lab)
    return;
  take_stored (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
opened (FbScenarios *self)
{
  FbSessionFile *session = fb_document_get_session (self->doc, NULL);
  forget_row (self);
  if (session)
    g_signal_connect_object (session, "scenarios-changed", G_CALLBACK (scenarios_changed), self, G_CONNECT_SWAPPED);
}

/* --- asking --- */

typedef struct
{
  Lab *lab;
  guint32 place;
} Ask;

static void
ask_free (gpointer data)
{
  Ask *ask = data;
  lab_unref (ask->lab);
  g_free (ask);
}

static void
ask_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Ask *ask = data;
  Lab *lab = ask->lab;
  GError *error = NULL;
  GPtrArray *answers = NULL;
  g_mutex_lock (&lab->mutex);
  if (!lab->tries)
    lab->tries = fb_counterfactuals_new (&lab->row, cancellable, &error);
  if (lab->tries && !g_cancellable_set_error_if_cancelled (cancellable, &error))
    {
      FbUop *node = fb_scenario_node (fb_counterfactuals_base (lab->tries)->schedule, ask->place);
      if (node)
        answers = fb_counterfactuals_of (lab->tries, node, cancellable);
    }
  g_mutex_unlock (&lab->mutex);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, answers ? answers : g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref);
}

static void
asked (GObject *source, GAsyncResult *result, gpointer data)
{
  FbScenarios *self = FB_SCENARIOS (source);
  const Ask *ask = g_task_get_task_data (G_TASK (result));
  g_autoptr (GPtrArray) answers = g_task_propagate_pointer (G_TASK (result), NULL);
  if (ask->lab != self->lab)
    return;
  g_hash_table_remove (self->asked, GUINT_TO_POINTER (ask->place + 1));
  if (!answers)
    return;
  g_hash_table_insert (self->answers, GUINT_TO_POINTER (ask->place + 1), g_steal_pointer (&answers));
  g_signal_emit (self, answered_signal, 0, ask->place);
}

void
fb_scenarios_ask (FbScenarios *self, guint32 place)
{
  g_return_if_fail (FB_IS_SCENARIOS (self));
  if (!self->lab || g_hash_table_contains (self->asked, GUINT_TO_POINTER (place + 1))
      || fb_scenarios_get_answers (self, place))
    return;
  g_hash_table_add (self->asked, GUINT_TO_POINTER (place + 1));
  Ask *ask = g_new0 (Ask, 1);
  ask->lab = lab_ref (self->lab);
  ask->place = place;
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, asked, NULL);
  g_task_set_task_data (task, ask, ask_free);
  g_task_run_in_thread (task, ask_job);
}

const GPtrArray *
fb_scenarios_get_answers (FbScenarios *self, guint32 place)
{
  g_return_val_if_fail (FB_IS_SCENARIOS (self), NULL);
  return g_hash_table_lookup (self->answers, GUINT_TO_POINTER (place + 1));
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
  g_clear_pointer (&self->lab, lab_unref);
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
  G_OBJECT_CLASS (fb_scenarios_parent_class)->finalize (object);
}

static void
fb_scenarios_class_init (FbScenariosClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_scenarios_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_scenarios_finalize;
  answered_signal = g_signal_new ("answered", FB_TYPE_SCENARIOS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_UINT);
  changed_signal = g_signal_new ("changed", FB_TYPE_SCENARIOS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_scenarios_init (FbScenarios *self)
{
  self->cancellable = g_cancellable_new ();
  self->answers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  self->asked = g_hash_table_new (NULL, NULL);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
}
