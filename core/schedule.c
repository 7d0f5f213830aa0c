#include "schedule.h"

#include "core/ir/context-private.h"
#include "core/passes/passes.h"

static FbPass *
add_pass (FbSchedule *schedule, const char *location, const char *title, gboolean bottom_up, FbUop *sink,
          const FbRuleSet *rules)
{
  FbPass *pass = fb_pass_new (location, title, bottom_up, sink, rules);

  g_ptr_array_add (schedule->passes, pass);
  return pass;
}

/* The pipeline: reads as the list of passes. Stops at the first that fails. */
static void
run (FbSchedule *schedule)
{
  FbContext *context = schedule->context;
  FbPass *pass;

  schedule->n_tensor_map = fb_context_n_uops (context);
  pass = add_pass (schedule, "schedule.py:374", "simplify", FALSE, schedule->big_sink, fb_simplify_pass_rules ());
  schedule->tensor_map = fb_simplify_pass_run (context, schedule->big_sink, pass);
}

FbSchedule *
fb_schedule_new (FbContext *context, FbUop *big_sink, GCancellable *cancellable)
{
  FbSchedule *schedule = g_new0 (FbSchedule, 1);

  schedule->context = context;
  schedule->big_sink = big_sink;
  schedule->passes = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_pass_free);
  context->cancellable = cancellable;
  run (schedule);
  context->cancellable = NULL;
  if (fb_context_failed (context))
    {
      schedule->error_uop = fb_context_error_uop (context);
      fb_context_take_error (context, &schedule->error);
    }
  return schedule;
}

void
fb_schedule_free (FbSchedule *schedule)
{
  if (!schedule)
    return;
  g_ptr_array_unref (schedule->passes);
  g_clear_error (&schedule->error);
  g_free (schedule->tensor_map);
  g_free (schedule);
}
