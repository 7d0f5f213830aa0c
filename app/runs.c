#include "app/runs-private.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "backends/cpu/cpu.h"

G_DEFINE_FINAL_TYPE (FbRuns, fb_runs, G_TYPE_OBJECT)

static guint changed_signal, ended_signal, progressed_signal;

static const char *
scenario_now (FbRuns *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  return row ? row->scenario_text : NULL;
}

/* --- being busy --- */

static void
show_progress (FbRuns *self)
{
  const FbRun *run = self->running;
  guint done = run ? g_atomic_int_get (&run->n_done) : 0;
  g_autofree char *words = NULL;
  if (!run)
    words = g_strdup (_ ("Preparing the kernels"));
  else if (done == 0 && run->backend == FB_BACKEND_CPU)
    words = g_strdup_printf (ngettext ("Compiling %s kernel", "Compiling %s kernels", run->n_kernels),
                             fb_count (run->n_kernels));
  else
    /* Translators: of a run: kernel 3 of 120 */
    words = g_strdup_printf (_ ("Running kernel %s of %s"), fb_count (MIN (done + 1, run->n_kernels)),
                             fb_count (run->n_kernels));
  self->waiting = TRUE;
  fb_document_set_busy (self->doc, FB_WAIT_RUN, TRUE, run ? (double) done / MAX (run->n_kernels, 1) : 0, words);
}

void
fb_runs_progressed (FbRuns *self)
{
  show_progress (self);
  g_signal_emit (self, progressed_signal, 0);
}

static void
stop_waiting (FbRuns *self)
{
  self->waiting = FALSE;
  fb_document_set_busy (self->doc, FB_WAIT_RUN, FALSE, 0, NULL);
}

/* The document was told to cancel everything. */
static void
busy_changed (FbRuns *self)
{
  if (self->doc && self->waiting && !(self->doc->waits & (1u << FB_WAIT_RUN)))
    fb_runs_cancel (self);
}

/* --- running --- */

static void
ended (GObject *source, GAsyncResult *result, gpointer data)
{
  FbRuns *self = FB_RUNS (source);
  FbRunJob *job = g_task_get_task_data (G_TASK (result));
  FbRun *run = job->run;
  fb_runs_let_go_of_row (self, run);
  run->ended = TRUE;
  if (run != self->running)
    return;
  g_clear_pointer (&self->running, fb_run_unref);
  g_clear_object (&self->cancellable);
  if (run->record)
    fb_runs_add_ended (self, run);
  else
    {
      g_free (self->refusal);
      self->refusal = g_strdup (run->error->message);
      if (self->current == run)
        fb_runs_look_at (self, NULL);
    }
  stop_waiting (self);
  g_signal_emit (self, ended_signal, 0, run);
  g_signal_emit (self, changed_signal, 0);
}

typedef struct
{
  FbRowView *row;
  FbBackend backend;
} Planning;

static void
planning_free (gpointer data)
{
  Planning *planning = data;
  g_clear_pointer (&planning->row, fb_row_view_unref);
  g_free (planning);
}

static void
plan_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Planning *planning = data;
  GError *error = NULL;
  FbRun *run = fb_run_new (planning->row, planning->backend, fb_plan_default_limit (), &error);
  if (run)
    g_task_return_pointer (task, run, (GDestroyNotify) fb_run_unref);
  else
    g_task_return_error (task, error);
}

static void
planned (GObject *source, GAsyncResult *result, gpointer data)
{
  FbRuns *self = FB_RUNS (source);
  g_autoptr (GError) error = NULL;
  Planning *planning = g_task_get_task_data (G_TASK (result));
  g_autoptr (FbRun) run = g_task_propagate_pointer (G_TASK (result), &error);
  gboolean mine = self->cancellable && self->cancellable == g_task_get_cancellable (G_TASK (result));
  fb_document_discard (self->doc, g_steal_pointer (&planning->row), (GDestroyNotify) fb_row_view_unref);
  if (!run || !mine)
    {
      if (run)
        fb_runs_let_go_of_row (self, run);
      if (!mine)
        return;
      g_clear_object (&self->cancellable);
      self->refusal = g_strdup (error->message);
      fb_runs_look_at (self, NULL);
      stop_waiting (self);
      g_signal_emit (self, changed_signal, 0);
      return;
    }
  g_autofree char *compiler = run->backend == FB_BACKEND_CPU ? fb_cpu_find_compiler (NULL) : NULL;
  if (run->backend == FB_BACKEND_CPU && !compiler)
    run->backend = FB_BACKEND_INTERP;
  run->device = self->device;
  run->seed = fb_run_inputs_get_seed (self->inputs);
  FbRunJob *job = fb_run_job_new (self, run);
  self->running = fb_run_ref (run);
  if (!self->beside)
    fb_runs_look_at (self, run);
  show_progress (self);
  g_signal_emit (self, changed_signal, 0);
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, ended, NULL);
  /* what was done until it was cancelled is looked at */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, fb_run_job_free);
  g_task_run_in_thread (task, fb_run_job);
}

gboolean
fb_runs_can_run (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), FALSE);
  const FbRowView *row = fb_document_get_row (self->doc);
  return row && row->kind == FB_ROW_SCHEDULE && row->schedule && !row->schedule->error
         && row->schedule->kernels->len > 0;
}

/* Nobody waits for it any more: it ends as soon as it can, unseen. */
static void
drop_running (FbRuns *self)
{
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->running && self->current == self->running)
    fb_runs_look_at (self, NULL);
  g_clear_pointer (&self->running, fb_run_unref);
  if (self->waiting)
    stop_waiting (self);
}

static void
start (FbRuns *self, FbBackend backend, gboolean beside)
{
  drop_running (self);
  if (!fb_runs_can_run (self))
    return;
  FbRowView *row = fb_document_get_row (self->doc);
  g_clear_pointer (&self->refusal, g_free);
  self->cancellable = g_cancellable_new ();
  self->row_number = row->number;
  Planning *planning = g_new0 (Planning, 1);
  *planning = (Planning){ fb_row_view_ref (row), backend };
  self->beside = beside;
  show_progress (self);
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, planned, NULL);
  g_task_set_task_data (task, planning, planning_free);
  fb_worker_push (self->doc->worker, task, FB_URGENT, plan_job);
}

void
fb_runs_start (FbRuns *self)
{
  g_return_if_fail (FB_IS_RUNS (self));
  start (self, self->backend, FALSE);
}

void
fb_runs_start_on (FbRuns *self, FbBackend backend)
{
  g_return_if_fail (FB_IS_RUNS (self));
  fb_runs_set_backend (self, backend);
  fb_runs_start (self);
}

void
fb_runs_start_beside (FbRuns *self, FbBackend backend)
{
  g_return_if_fail (FB_IS_RUNS (self));
  start (self, backend, TRUE);
}

void
fb_runs_cancel (FbRuns *self)
{
  g_return_if_fail (FB_IS_RUNS (self));
  if (!self->cancellable)
    return;
  g_cancellable_cancel (self->cancellable);
  if (self->running)
    return; /* it ends as soon as it can, and says how far it came */
  g_clear_object (&self->cancellable);
  stop_waiting (self);
}

gboolean
fb_runs_is_running (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), FALSE);
  return self->cancellable != NULL;
}

FbBackend
fb_runs_get_backend (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), FB_BACKEND_CPU);
  return self->backend;
}

void
fb_runs_set_backend (FbRuns *self, FbBackend backend)
{
  g_return_if_fail (FB_IS_RUNS (self) && backend < FB_N_BACKENDS);
  if (self->backend == backend)
    return;
  self->backend = backend;
  FbRun *run = fb_runs_find (self, scenario_now (self), backend);
  if (run)
    fb_runs_look_at (self, run);
  g_signal_emit (self, changed_signal, 0);
}

char *
fb_runs_get_choice (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  const char *name = fb_backend_name (self->backend);
  return self->backend == FB_BACKEND_OPENCL && self->device ? g_strdup_printf ("%s:%u", name, self->device)
                                                            : g_strdup (name);
}

gboolean
fb_runs_set_choice (FbRuns *self, const char *text)
{
  g_return_val_if_fail (FB_IS_RUNS (self), FALSE);
  FbBackend backend;
  guint device;
  if (!fb_backend_parse (text, &backend, &device))
    return FALSE;
  self->device = device;
  fb_runs_set_backend (self, backend);
  return TRUE;
}

/* --- the object --- */

FbRunInputs *
fb_runs_get_inputs (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  return self->inputs;
}

/* A run of another row is nobody's. */
static void
forget (FbRuns *self)
{
  drop_running (self);
  g_ptr_array_set_size (self->ended, 0);
  g_hash_table_remove_all (self->ordinals);
  g_clear_pointer (&self->refusal, g_free);
  fb_runs_look_at (self, NULL);
  self->row_number = 0;
}

/* The same row under another scenario keeps its runs. */
static void
row_loaded (FbRuns *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  if (!row || row->number != self->row_number)
    forget (self);
  else if (!self->current || g_strcmp0 (self->current->scenario, row->scenario_text))
    {
      FbRun *run = NULL;
      for (guint i = 0; i < self->ended->len && !run; i++)
        if (!g_strcmp0 (fb_runs_get (self, i)->scenario, row->scenario_text))
          run = fb_runs_get (self, i);
      fb_runs_look_at (self, run);
    }
  g_signal_emit (self, changed_signal, 0);
}

FbRuns *
fb_runs_new (FbDocument *doc)
{
  FbRuns *self = g_object_new (FB_TYPE_RUNS, NULL);
  self->doc = g_object_ref (doc);
  self->inputs = fb_run_inputs_new (doc);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "busy", G_CALLBACK (busy_changed), self, G_CONNECT_SWAPPED);
  return self;
}

static void
fb_runs_dispose (GObject *object)
{
  FbRuns *self = FB_RUNS (object);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->running, fb_run_unref);
  g_clear_pointer (&self->current, fb_run_unref);
  g_clear_object (&self->inputs);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_runs_parent_class)->dispose (object);
}

static void
fb_runs_finalize (GObject *object)
{
  FbRuns *self = FB_RUNS (object);
  g_ptr_array_unref (self->ended);
  g_hash_table_unref (self->ordinals);
  g_free (self->refusal);
  G_OBJECT_CLASS (fb_runs_parent_class)->finalize (object);
}

static void
fb_runs_class_init (FbRunsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_runs_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_runs_finalize;
  changed_signal = g_signal_new ("changed", FB_TYPE_RUNS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ended_signal
      = g_signal_new ("ended", FB_TYPE_RUNS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  progressed_signal = g_signal_new ("progressed", FB_TYPE_RUNS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_runs_init (FbRuns *self)
{
  self->backend = FB_BACKEND_CPU;
  self->ended = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_run_unref);
  self->ordinals = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}
