#include "scenario.h"

#include "core/ir/context-private.h"
#include "core/ir/text.h"

G_DEFINE_QUARK (fb - scenario - error - quark, fb_scenario_error)

FbScenario *
fb_scenario_new (void)
{
  FbScenario *scenario = g_new (FbScenario, 1);

  scenario->options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  scenario->realize = g_array_new (FALSE, FALSE, sizeof (guint32));
  scenario->fuse = g_array_new (FALSE, FALSE, sizeof (guint32));
  return scenario;
}

FbScenario *
fb_scenario_copy (const FbScenario *scenario)
{
  FbScenario *copy = g_new (FbScenario, 1);

  copy->options = g_array_copy (scenario->options);
  copy->realize = g_array_copy (scenario->realize);
  copy->fuse = g_array_copy (scenario->fuse);
  return copy;
}

void
fb_scenario_free (FbScenario *scenario)
{
  if (!scenario)
    return;
  g_array_unref (scenario->options);
  g_array_unref (scenario->realize);
  g_array_unref (scenario->fuse);
  g_free (scenario);
}

FbUop *
fb_scenario_node (const FbSchedule *schedule, guint32 place)
{
  FbNodeList *order = fb_uop_order (schedule->context, schedule->tensor_map[schedule->big_sink->id]);
  FbUop *node = place < order->n ? order->at[place] : NULL;

  fb_node_list_release (schedule->context, order);
  return node;
}

/* Was every forced choice honoured? */
static gboolean
check_forced (const FbSchedule *schedule, const FbScenario *scenario, GError **error)
{
  char key[17];

  for (guint side = 0; side < 2; side++)
    {
      const GArray *places = side ? scenario->fuse : scenario->realize;

      for (guint i = 0; i < places->len; i++)
        {
          guint32 place = g_array_index (places, guint32, i);
          FbUop *node = fb_scenario_node (schedule, place);
          const FbDecision *verdict = node ? fb_ledger_verdict (schedule->ledger, node) : NULL;
          gboolean realized = verdict && verdict->kind == FB_DECISION_REALIZE;

          if (node && realized == (side == 0))
            continue;
          if (!node)
            g_set_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_REFUSED, "the graph has no node %u", place);
          else if (side)
            g_set_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_REFUSED, "%s %s cannot be fused: %s (%s)",
                         fb_op_name (node->op), fb_uop_key_hex (schedule->context, node, key),
                         fb_reason_name (verdict->reason), fb_reason_location (verdict->reason));
          else
            g_set_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_REFUSED, "%s %s cannot be realized: %s",
                         fb_op_name (node->op), fb_uop_key_hex (schedule->context, node, key),
                         verdict ? fb_reason_name (verdict->reason) : "it is not in the simplified graph");
          return FALSE;
        }
    }
  return TRUE;
}

void
fb_scenario_apply (const FbScenario *scenario, FbContext *context, FbForced *forced)
{
  fb_replay_options_apply (scenario->options, context);
  *forced
      = (FbForced){ (const guint32 *) (gpointer) scenario->realize->data,
                    (const guint32 *) (gpointer) scenario->fuse->data, scenario->realize->len, scenario->fuse->len };
}

gboolean
fb_scenario_check (const FbSchedule *schedule, const FbScenario *scenario, GError **error)
{
  if (schedule->error)
    {
      const GPtrArray *passes = schedule->passes;
      const FbPass *last = passes->len ? g_ptr_array_index (passes, passes->len - 1) : NULL;

      g_set_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_SCHEDULE, "pass %s: %s", last ? last->title : "-",
                   schedule->error->message);
      return FALSE;
    }
  return check_forced (schedule, scenario, error);
}

static gboolean
run_scheduler (FbScenarioRun *run, const FbScenario *scenario, GCancellable *cancellable, GError **error)
{
  g_autoptr (FbScenario) captured = scenario ? NULL : fb_scenario_new ();
  FbForced forced = { NULL };

  scenario = scenario ? scenario : captured;
  fb_scenario_apply (scenario, run->context, &forced);
  run->schedule = fb_schedule_new_forced (run->context, run->row->sink, &forced, cancellable);
  if (!fb_scenario_check (run->schedule, scenario, error))
    return FALSE;
  fb_schedule_cost (run->schedule, &run->cost, NULL, NULL);
  return TRUE;
}

FbScenarioRun *
fb_scenario_run (const FbScenarioRow *row, const FbScenario *scenario, FbContext *context, GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (FbScenarioRun) run = g_new0 (FbScenarioRun, 1);
  g_autoptr (GError) reading = NULL;

  run->context = context ? context : fb_context_new ();
  run->row = fb_capture_read_bytes (row->bytes, row->what, row->release, run->context, &reading);
  if (!run->row)
    {
      g_set_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_READ, "%s", reading->message);
      return NULL;
    }
  return run_scheduler (run, scenario, cancellable, error) ? g_steal_pointer (&run) : NULL;
}

FbContext *
fb_scenario_run_free_keep (FbScenarioRun *run)
{
  FbContext *context = run->context;

  fb_schedule_free (run->schedule);
  if (run->row)
    fb_capture_row_free (run->row);
  fb_context_reset (context);
  g_free (run);
  return context;
}

void
fb_scenario_run_free (FbScenarioRun *run)
{
  if (run)
    fb_context_free (fb_scenario_run_free_keep (run));
}

char *
fb_scenario_to_text (const FbScenario *scenario, const FbSchedule *schedule)
{
  GString *text = g_string_new (NULL);
  char key[17];

  for (guint i = 0; i < scenario->options->len; i++)
    {
      const FbReplayOption *option = &g_array_index (scenario->options, FbReplayOption, i);
      g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, text->len ? ", " : "", option->name, option->value);
    }
  for (guint side = 0; side < 2; side++)
    {
      const GArray *places = side ? scenario->fuse : scenario->realize;
      for (guint i = 0; i < places->len; i++)
        {
          FbUop *node = fb_scenario_node (schedule, g_array_index (places, guint32, i));
          if (node)
            g_string_append_printf (text, "%s%s %s", text->len ? ", " : "", side ? "fuse" : "realize",
                                    fb_uop_key_hex (schedule->context, node, key));
        }
    }
  return g_string_free (text, FALSE);
}
