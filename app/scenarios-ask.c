/* What would fuse a node, found by trying in a thread. */
#include "app/scenarios-private.h"

static FbScenarioLab *
lab_ref (FbScenarioLab *lab)
{
  g_atomic_ref_count_inc (&lab->refs);
  return lab;
}

void
fb_scenario_lab_unref (gpointer data)
{
  FbScenarioLab *lab = data;
  if (!lab || !g_atomic_ref_count_dec (&lab->refs))
    return;
  fb_counterfactuals_free (lab->tries);
  g_bytes_unref (lab->bytes);
  g_mutex_clear (&lab->mutex);
  g_free (lab);
}

FbScenarioLab *
fb_scenario_lab_new (const FbRowView *row)
{
  FbScenarioLab *lab = g_new0 (FbScenarioLab, 1);
  g_atomic_ref_count_init (&lab->refs);
  g_mutex_init (&lab->mutex);
  lab->bytes = g_bytes_ref (row->bytes);
  lab->row = (FbScenarioRow){ lab->bytes, "row", row->row->release };
  return lab;
}

typedef struct
{
  FbScenarioLab *lab;
  guint32 place;
} Ask;

static void
ask_free (gpointer data)
{
  Ask *ask = data;
  fb_scenario_lab_unref (ask->lab);
  g_free (ask);
}

static void
ask_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Ask *ask = data;
  FbScenarioLab *lab = ask->lab;
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
  g_signal_emit (self, fb_scenarios_signals[FB_SCENARIOS_ANSWERED], 0, ask->place);
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
