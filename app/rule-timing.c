#include "app/rule-timing.h"

#include <glib/gi18n.h>

#include "app/document-private.h"

struct _FbRuleTiming
{
  GObject parent_instance;
  FbDocument *doc; /* borrowed: lives in a window of it */
  FbRowView *row;  /* whose times these are; only to be compared */
  FbRuleTimes *times;
  GCancellable *cancellable; /* of the measuring under way; NULL: none */
  gboolean waiting;          /* the document says so */
};

G_DEFINE_FINAL_TYPE (FbRuleTiming, fb_rule_timing, G_TYPE_OBJECT)

static guint changed_signal;

static FbRowView *
row_now (FbRuleTiming *self)
{
  return self->doc ? fb_document_get_row (self->doc) : NULL;
}

/* --- measuring --- */

/* What the thread is given. */
typedef struct
{
  FbRuleTiming *timing; /* owned by the task */
  GCancellable *cancellable;
  GBytes *bytes;
  char *release;
  FbScenario *scenario;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  g_bytes_unref (job->bytes);
  g_free (job->release);
  fb_scenario_free (job->scenario);
  g_free (job);
}

/* From the thread to the main loop: how far it is. */
typedef struct
{
  FbRuleTiming *timing;
  GCancellable *cancellable;
  guint n_runs;
  double fraction;
} Progress;

static void
progress_free (gpointer data)
{
  Progress *progress = data;
  g_object_unref (progress->timing);
  g_object_unref (progress->cancellable);
  g_free (progress);
}

static void
show_busy (FbRuleTiming *self, guint run, double fraction)
{
  /* Translators: of measuring how long rules take: the number of the run under way */
  g_autofree char *words = g_strdup_printf (_ ("Timing the rules, run %u"), run);
  self->waiting = TRUE;
  fb_document_set_busy (self->doc, FB_WAIT_TIMES, TRUE, fraction, words);
}

static gboolean
show_progress (gpointer data)
{
  const Progress *progress = data;
  if (progress->timing->cancellable == progress->cancellable)
    show_busy (progress->timing, progress->n_runs + 1, progress->fraction);
  return G_SOURCE_REMOVE;
}

static void
told (guint n_runs, double fraction, gpointer data)
{
  const Job *job = data;
  Progress *progress = g_new (Progress, 1);
  *progress = (Progress){ g_object_ref (job->timing), g_object_ref (job->cancellable), n_runs, fraction };
  g_idle_add_full (G_PRIORITY_DEFAULT, show_progress, progress, progress_free);
}

static void
measure_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  const FbScenarioRow row = { job->bytes, "row", job->release };
  GError *error = NULL;
  FbRuleTimes *times = fb_rule_times_new (&row, job->scenario, told, job, cancellable, &error);
  if (times)
    g_task_return_pointer (task, times, (GDestroyNotify) fb_rule_times_free);
  else
    g_task_return_error (task, error);
}

static void
stop_waiting (FbRuleTiming *self)
{
  g_clear_object (&self->cancellable);
  if (!self->waiting)
    return;
  self->waiting = FALSE;
  if (self->doc)
    fb_document_set_busy (self->doc, FB_WAIT_TIMES, FALSE, 0, NULL);
}

static void
measured (GObject *source, GAsyncResult *result, gpointer data)
{
  FbRuleTiming *self = FB_RULE_TIMING (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbRuleTimes) times = g_task_propagate_pointer (G_TASK (result), &error);
  if (!self->cancellable || self->cancellable != g_task_get_cancellable (G_TASK (result)))
    return;
  stop_waiting (self);
  self->times = g_steal_pointer (&times);
  if (error && self->doc)
    fb_document_fail (self->doc, error->message);
  g_signal_emit (self, changed_signal, 0);
}

static void
cancel (FbRuleTiming *self)
{
  if (!self->cancellable)
    return;
  g_cancellable_cancel (self->cancellable);
  stop_waiting (self);
}

/* The document was told to cancel everything. */
static void
busy_changed (FbRuleTiming *self)
{
  if (!self->waiting || self->doc->waits & (1u << FB_WAIT_TIMES))
    return;
  cancel (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
forget (FbRuleTiming *self)
{
  cancel (self);
  g_clear_pointer (&self->times, fb_rule_times_free);
  self->row = row_now (self);
  g_signal_emit (self, changed_signal, 0);
}

gboolean
fb_rule_timing_can_start (FbRuleTiming *self)
{
  g_return_val_if_fail (FB_IS_RULE_TIMING (self), FALSE);
  const FbRowView *row = row_now (self);
  return row && row->bytes && row->n_passes && !self->times && !self->cancellable;
}

void
fb_rule_timing_start (FbRuleTiming *self)
{
  g_return_if_fail (FB_IS_RULE_TIMING (self));
  if (!fb_rule_timing_can_start (self))
    return;
  const FbRowView *row = row_now (self);
  self->cancellable = g_cancellable_new ();
  Job *job = g_new0 (Job, 1);
  *job = (Job){ self, self->cancellable, g_bytes_ref (row->bytes), g_strdup (row->row->release),
                row->scenario ? fb_scenario_copy (row->scenario) : NULL };
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, measured, NULL);
  g_task_set_task_data (task, job, job_free);
  show_busy (self, 1, 0);
  g_task_run_in_thread (task, measure_job);
  g_signal_emit (self, changed_signal, 0);
}

gboolean
fb_rule_timing_is_running (FbRuleTiming *self)
{
  g_return_val_if_fail (FB_IS_RULE_TIMING (self), FALSE);
  return self->cancellable != NULL;
}

/* --- what is known --- */

const FbRuleTimes *
fb_rule_timing_get (FbRuleTiming *self)
{
  g_return_val_if_fail (FB_IS_RULE_TIMING (self), NULL);
  return self->row == row_now (self) ? self->times : NULL;
}

/* Of pass @at of the row; NULL: not known. */
static const FbPassTimes *
pass_times (FbRuleTiming *self, guint at)
{
  const FbRuleTimes *times = fb_rule_timing_get (self);
  const FbPassTimes *pass = times && at < times->n_passes ? &times->passes[at] : NULL;
  return pass && pass->matches ? pass : NULL;
}

gboolean
fb_rule_timing_has_times (FbRuleTiming *self)
{
  g_return_val_if_fail (FB_IS_RULE_TIMING (self), FALSE);
  const FbRowView *row = row_now (self);
  for (guint i = 0; row && row->row->nodes && i < row->n_passes; i++)
    if (row->passes[i].pass->seconds)
      return TRUE;
  return fb_rule_timing_get (self) != NULL;
}

double
fb_rule_timing_get_step (FbRuleTiming *self, guint at, guint step)
{
  g_return_val_if_fail (FB_IS_RULE_TIMING (self), -1);
  const FbRowView *row = row_now (self);
  const FbPassTimes *times = pass_times (self, at);
  if (!row || at >= row->n_passes || step == 0 || step > row->passes[at].n_steps)
    return -1;
  if (row->passes[at].pass->seconds)
    return (double) MAX (row->passes[at].pass->seconds[step - 1], 0);
  return times && step <= times->n_matches ? (double) times->matches[step - 1] : -1;
}

double
fb_rule_timing_get_rule (FbRuleTiming *self, guint at, guint step)
{
  const FbPass *pass;
  guint32 rule;
  double seconds = 0;
  if (fb_rule_timing_get_step (self, at, step) < 0)
    return -1;
  pass = row_now (self)->passes[at].pass;
  rule = fb_pass_match (pass, step - 1)->rule;
  if (!pass->seconds)
    return (double) pass_times (self, at)->rules[rule];
  for (guint i = 0; i < pass->matches->len; i++)
    if (fb_pass_match (pass, i)->rule == rule)
      seconds += (double) MAX (pass->seconds[i], 0);
  return seconds;
}

char *
fb_rule_timing_describe (FbRuleTiming *self)
{
  const FbRuleTimes *times = fb_rule_timing_get (self);
  if (!times)
    return NULL;
  /* Translators: of times: how often everything was run to find the shortest; then the same where that was not often enough */
  return g_strdup_printf (times->settled ? ngettext ("the shortest of %u run", "the shortest of %u runs", times->n_runs)
                                         : ngettext ("the shortest of %u run, not settled",
                                                     "the shortest of %u runs, not settled", times->n_runs),
                          times->n_runs);
}

/* --- the object --- */

FbRuleTiming *
fb_rule_timing_new (FbDocument *doc)
{
  FbRuleTiming *self = g_object_new (FB_TYPE_RULE_TIMING, NULL);
  g_set_weak_pointer (&self->doc, doc);
  self->row = row_now (self);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (forget), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "opened", G_CALLBACK (forget), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "busy", G_CALLBACK (busy_changed), self, G_CONNECT_SWAPPED);
  return self;
}

static void
fb_rule_timing_dispose (GObject *object)
{
  FbRuleTiming *self = FB_RULE_TIMING (object);
  cancel (self);
  g_clear_weak_pointer (&self->doc);
  G_OBJECT_CLASS (fb_rule_timing_parent_class)->dispose (object);
}

static void
fb_rule_timing_finalize (GObject *object)
{
  fb_rule_times_free (FB_RULE_TIMING (object)->times);
  G_OBJECT_CLASS (fb_rule_timing_parent_class)->finalize (object);
}

static void
fb_rule_timing_class_init (FbRuleTimingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_rule_timing_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_rule_timing_finalize;
  changed_signal
      = g_signal_new ("changed", FB_TYPE_RULE_TIMING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_rule_timing_init (FbRuleTiming *self)
{
}
