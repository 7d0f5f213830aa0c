#include "counterfactual.h"

#include <stdlib.h>
#include <string.h>

#include "core/ir/text.h"

/* Options that make the scheduler fuse more. */
static const char *const options[] = { "DONT_REALIZE_EXPAND=1", "FUSE_ARANGE=1", "FUSE_CONV_BW=1" };

/* A row with one option set; NULL run: that fails. */
typedef struct
{
  FbScenario *change;
  FbScenarioRun *run;
} Trial;

struct _FbCounterfactuals
{
  const FbScenarioRow *row;
  FbScenarioRun *base;
  FbWhy *why;       /* of the base */
  FbContext *spare; /* for what is tried */
  Trial trials[G_N_ELEMENTS (options)];
};

FbCounterfactuals *
fb_counterfactuals_new (const FbScenarioRow *row, GCancellable *cancellable, GError **error)
{
  FbCounterfactuals *all;
  FbScenarioRun *base = fb_scenario_run (row, NULL, NULL, cancellable, error);

  if (!base)
    return NULL;
  all = g_new0 (FbCounterfactuals, 1);
  all->row = row;
  all->base = base;
  all->why = fb_why_new (base->schedule);
  all->spare = fb_context_new ();
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      all->trials[i].change = fb_scenario_new ();
      fb_replay_options_parse (all->trials[i].change->options, options[i], NULL);
      all->trials[i].run = fb_scenario_run (row, all->trials[i].change, NULL, cancellable, NULL);
    }
  return all;
}

void
fb_counterfactuals_free (FbCounterfactuals *all)
{
  if (!all)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      fb_scenario_free (all->trials[i].change);
      fb_scenario_run_free (all->trials[i].run);
    }
  fb_why_free (all->why);
  fb_scenario_run_free (all->base);
  fb_context_free (all->spare);
  g_free (all);
}

const FbScenarioRun *
fb_counterfactuals_base (const FbCounterfactuals *all)
{
  return all->base;
}

static void
counterfactual_free (gpointer data)
{
  FbCounterfactual *statement = data;

  fb_scenario_free (statement->change);
  g_free (statement);
}

static gboolean
fuses (const FbScenarioRun *run, guint32 place)
{
  FbUop *node = fb_scenario_node (run->schedule, place);
  return node && !fb_ledger_realized (run->schedule->ledger, node);
}

static void
state (GPtrArray *statements, const FbScenario *change, const FbScheduleCost *cost)
{
  FbCounterfactual *statement = g_new (FbCounterfactual, 1);

  statement->change = fb_scenario_copy (change);
  statement->cost = *cost;
  g_ptr_array_add (statements, statement);
}

static int
by_kernels (gconstpointer a, gconstpointer b)
{
  const FbCounterfactual *x = *(FbCounterfactual *const *) a, *y = *(FbCounterfactual *const *) b;

  /* fewer kernels gone is the smaller change; a forced node changes nothing else */
  if (x->cost.n_kernels != y->cost.n_kernels)
    return x->cost.n_kernels > y->cost.n_kernels ? -1 : 1;
  return (int) y->change->fuse->len - (int) x->change->fuse->len;
}

/* Forcing helps where the scheduler chose: not where the program asks for a store, nor where values would change. */
static gboolean
may_be_forced (const FbLedger *ledger, const FbUop *node)
{
  for (guint i = 0; i < ledger->len; i++)
    {
      const FbDecision *d = &ledger->at[i];
      gboolean chosen = d->reason == FB_REASON_EXPAND
                        || (d->reason >= FB_REASON_REDUCE_DOWNSTREAM && d->reason <= FB_REASON_REDUCE_NO_STORE);

      if (d->node == node && d->kind == FB_DECISION_REALIZE && !chosen)
        return FALSE;
    }
  return TRUE;
}

static void
try_forcing (FbCounterfactuals *all, guint32 place, GPtrArray *statements, GCancellable *cancellable)
{
  g_autoptr (FbScenario) change = fb_scenario_new ();
  FbScenarioRun *run;

  g_array_append_val (change->fuse, place);
  run = fb_scenario_run (all->row, change, g_steal_pointer (&all->spare), cancellable, NULL);
  if (!run)
    {
      all->spare = fb_context_new ();
      return;
    }
  if (fuses (run, place))
    state (statements, change, &run->cost);
  all->spare = fb_scenario_run_free_keep (run);
}

GPtrArray *
fb_counterfactuals_of (FbCounterfactuals *all, FbUop *node, GCancellable *cancellable)
{
  GPtrArray *statements = g_ptr_array_new_with_free_func (counterfactual_free);
  guint32 place = fb_why_place (all->why, node);

  if (fuses (all->base, place))
    return statements;
  if (may_be_forced (all->base->schedule->ledger, node))
    try_forcing (all, place, statements, cancellable);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (all->trials[i].run && fuses (all->trials[i].run, place))
      state (statements, all->trials[i].change, &all->trials[i].run->cost);
  g_ptr_array_sort (statements, by_kernels);
  return statements;
}

gboolean
fb_counterfactual_holds (const FbScenarioRow *row, const FbCounterfactual *statement, const char *key)
{
  g_autoptr (FbScenarioRun) run = fb_scenario_run (row, statement->change, NULL, NULL, NULL);
  const FbScheduleCost *stated = &statement->cost;
  gboolean found = FALSE;
  char hex[17];

  if (!run || run->cost.n_kernels != stated->n_kernels || run->cost.flops != stated->flops
      || run->cost.bytes_read != stated->bytes_read || run->cost.bytes_written != stated->bytes_written)
    return FALSE;
  for (guint i = 0; i < run->schedule->realizes->len; i++)
    if (strcmp (fb_uop_key_hex (run->context, g_ptr_array_index (run->schedule->realizes, i), hex), key) == 0)
      return FALSE;
  /* and it is still there, computed by somebody */
  g_autoptr (FbWhy) why = fb_why_new (run->schedule);
  for (guint i = 0; i < fb_why_nodes (why)->len && !found; i++)
    {
      FbUop *node = g_ptr_array_index (fb_why_nodes (why), i);
      found = strcmp (fb_uop_key_hex (run->context, node, hex), key) == 0 && fb_why_verdict (why, node).n_kernels > 0;
    }
  return found;
}
