#include "app/runs.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/document-private.h"
#include "backends/cpu/cpu.h"

/* Runs that are kept; each holds the memory of its buffers. */
#define MOST_RUNS 8
/* A kernel that takes longer is ended; a person can cancel before. */
#define KERNEL_SECONDS 600
/* A compiler that takes longer hangs. */
#define COMPILE_SECONDS 600

struct _FbRuns
{
  GObject parent_instance;
  FbDocument *doc; /* also while a run outlives its window */
  FbRunInputs *inputs;
  FbBackend backend;
  guint device; /* of OpenCL */
  guint row_number;
  GCancellable *cancellable; /* of the run under way; NULL: none */
  FbRun *running;            /* under way and begun; NULL */
  GPtrArray *ended;          /* of FbRun, the latest first */
  FbRun *current;
  gboolean beside; /* the run under way is not to be looked at by itself */
  char *refusal;
  GHashTable *ordinals; /* KEY of a captured buffer: its ordinal + 1 in the first run, which later ones fill it by */
  gboolean waiting;     /* the document says that a run is under way */
};

G_DEFINE_FINAL_TYPE (FbRuns, fb_runs, G_TYPE_OBJECT)

static guint changed_signal, ended_signal, progressed_signal;

/* What the thread that runs is given. */
typedef struct
{
  FbRuns *runs; /* owned by the task */
  FbRun *run;
  GArray *ordinals;   /* of int, of each buffer */
  GHashTable *inputs; /* name of a buffer: text of what fills it */
  gint noted;         /* atomic: the main loop has yet to see how far it is */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  g_clear_pointer (&job->run, fb_run_unref);
  g_clear_pointer (&job->ordinals, g_array_unref);
  g_clear_pointer (&job->inputs, g_hash_table_unref);
  g_free (job);
}

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

/* --- the list --- */

static void
set_current (FbRuns *self, FbRun *run)
{
  if (run)
    fb_run_ref (run);
  g_clear_pointer (&self->current, fb_run_unref);
  self->current = run;
}

/* What the run holds of the row is the worker's to free. */
static void
let_go_of_row (FbRuns *self, FbRun *run)
{
  g_clear_pointer (&run->plan, fb_plan_free);
  fb_document_discard (self->doc, g_steal_pointer (&run->row), (GDestroyNotify) fb_row_view_unref);
}

static void
add_ended (FbRuns *self, FbRun *run)
{
  for (guint i = 0; i < self->ended->len; i++)
    {
      const FbRun *other = g_ptr_array_index (self->ended, i);
      if (other->backend == run->backend && !g_strcmp0 (other->scenario, run->scenario))
        g_ptr_array_remove_index (self->ended, i--);
    }
  g_ptr_array_insert (self->ended, 0, fb_run_ref (run));
  if (self->ended->len > MOST_RUNS)
    g_ptr_array_set_size (self->ended, MOST_RUNS);
}

guint
fb_runs_get_n (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), 0);
  return self->ended->len;
}

FbRun *
fb_runs_get (FbRuns *self, guint at)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  return at < self->ended->len ? g_ptr_array_index (self->ended, at) : NULL;
}

FbRun *
fb_runs_find (FbRuns *self, const char *scenario, FbBackend backend)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  for (guint i = 0; i < self->ended->len; i++)
    {
      FbRun *run = g_ptr_array_index (self->ended, i);
      if (run->backend == backend && !g_strcmp0 (run->scenario, scenario))
        return run;
    }
  return NULL;
}

double
fb_runs_get_seconds (FbRuns *self, const char *scenario)
{
  g_return_val_if_fail (FB_IS_RUNS (self), -1);
  for (guint i = 0; i < self->ended->len; i++)
    {
      const FbRun *run = g_ptr_array_index (self->ended, i);
      if (!g_strcmp0 (run->scenario, scenario) && !run->error)
        return run->total_seconds;
    }
  return -1;
}

FbRun *
fb_runs_get_current (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  return self->current;
}

void
fb_runs_set_current (FbRuns *self, FbRun *run)
{
  g_return_if_fail (FB_IS_RUNS (self));
  if (run == self->current)
    return;
  set_current (self, run);
  g_signal_emit (self, changed_signal, 0);
}

const char *
fb_runs_get_refusal (FbRuns *self)
{
  g_return_val_if_fail (FB_IS_RUNS (self), NULL);
  return self->refusal;
}

/* --- running --- */

static gboolean
progressed (gpointer data)
{
  Job *job = g_task_get_task_data (data);
  g_atomic_int_set (&job->noted, 0);
  if (job->runs->running == job->run)
    {
      show_progress (job->runs);
      g_signal_emit (job->runs, progressed_signal, 0);
    }
  return G_SOURCE_REMOVE;
}

static gboolean
after_kernel (guint kernel, double seconds, gpointer user)
{
  GTask *task = user;
  Job *job = g_task_get_task_data (task);
  job->run->total_seconds += seconds;
  g_atomic_int_set (&job->run->n_done, kernel + 1);
  if (g_atomic_int_compare_and_exchange (&job->noted, 0, 1))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, progressed, g_object_ref (task), g_object_unref);
  return TRUE;
}

static gboolean
fill_buffer (const Job *job, guint number, GError **error)
{
  FbRecord *record = job->run->record;
  const FbRecordBuffer *buffer = fb_record_buffer (record, number);
  const char *name = job->run->buffers[number].name, *text = g_hash_table_lookup (job->inputs, name);
  g_autoptr (FbInput) input = text ? fb_input_parse (text, error) : fb_input_new ();
  if (input
      && fb_input_apply (input, buffer->type, buffer->size, job->run->seed, g_array_index (job->ordinals, int, number),
                         fb_record_data (record, number), error))
    return TRUE;
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

static gboolean
fill (const Job *job, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < fb_record_n_buffers (job->run->record); i++)
    {
      const FbRecordBuffer *buffer = fb_record_buffer (job->run->record, i);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (buffer->base == i && !buffer->starts_as_output && !fill_buffer (job, i, error))
        return FALSE;
    }
  return TRUE;
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  FbRun *run = job->run;
  GError *error = NULL;
  const FbRunOptions options = { .backend = run->backend,
                                 .device = run->device,
                                 .seconds = KERNEL_SECONDS,
                                 .compile_seconds = COMPILE_SECONDS,
                                 .memory = fb_plan_default_limit (),
                                 .after = after_kernel,
                                 .user = task };
  run->record = fb_record_new (run->plan, fb_record_default_limit (), &error);
  if (run->record && fill (job, cancellable, &error))
    fb_record_run (run->record, run->plan, &options, &run->report, cancellable, &error);
  run->error = error;
  g_task_return_boolean (task, TRUE);
}

static void
ended (GObject *source, GAsyncResult *result, gpointer data)
{
  FbRuns *self = FB_RUNS (source);
  Job *job = g_task_get_task_data (G_TASK (result));
  FbRun *run = job->run;
  let_go_of_row (self, run);
  run->ended = TRUE;
  if (run != self->running)
    return;
  g_clear_pointer (&self->running, fb_run_unref);
  g_clear_object (&self->cancellable);
  if (run->record)
    add_ended (self, run);
  else
    {
      g_free (self->refusal);
      self->refusal = g_strdup (run->error->message);
      if (self->current == run)
        set_current (self, NULL);
    }
  stop_waiting (self);
  g_signal_emit (self, ended_signal, 0, run);
  g_signal_emit (self, changed_signal, 0);
}

/* Buffers of the captured graph are filled alike in every scenario, so that their runs can be compared. */
static void
choose_ordinals (FbRuns *self, Job *job)
{
  job->ordinals = g_array_new (FALSE, FALSE, sizeof (int));
  for (guint i = 0; i < job->run->n_buffers; i++)
    {
      const FbRunBuffer *buffer = &job->run->buffers[i];
      int ordinal = fb_plan_buffer (job->run->plan, i)->ordinal;
      gpointer known = g_hash_table_lookup (self->ordinals, &buffer->key);
      if (known)
        ordinal = GPOINTER_TO_INT (known) - 1;
      else if (buffer->captured)
        g_hash_table_insert (self->ordinals, g_memdup2 (&buffer->key, sizeof buffer->key),
                             GINT_TO_POINTER (ordinal + 1));
      g_array_append_val (job->ordinals, ordinal);
    }
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
        let_go_of_row (self, run);
      if (!mine)
        return;
      g_clear_object (&self->cancellable);
      self->refusal = g_strdup (error->message);
      set_current (self, NULL);
      stop_waiting (self);
      g_signal_emit (self, changed_signal, 0);
      return;
    }
  g_autofree char *compiler = run->backend == FB_BACKEND_CPU ? fb_cpu_find_compiler (NULL) : NULL;
  if (run->backend == FB_BACKEND_CPU && !compiler)
    run->backend = FB_BACKEND_INTERP;
  Job *job = g_new0 (Job, 1);
  job->runs = self;
  job->run = fb_run_ref (run);
  run->device = self->device;
  run->seed = fb_run_inputs_get_seed (self->inputs);
  job->inputs = fb_run_inputs_copy (self->inputs);
  choose_ordinals (self, job);
  self->running = fb_run_ref (run);
  if (!self->beside)
    set_current (self, run);
  show_progress (self);
  g_signal_emit (self, changed_signal, 0);
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, ended, NULL);
  /* what was done until it was cancelled is looked at */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
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
    set_current (self, NULL);
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
    set_current (self, run);
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
  set_current (self, NULL);
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
      set_current (self, run);
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
