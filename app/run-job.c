/* The thread that runs kernels for the window. */
#include "app/runs-private.h"

/* A kernel that takes longer is ended; a person can cancel before. */
#define KERNEL_SECONDS 600
/* A compiler that takes longer hangs. */
#define COMPILE_SECONDS 600

void
fb_run_job_free (gpointer data)
{
  FbRunJob *job = data;
  g_clear_pointer (&job->run, fb_run_unref);
  g_clear_pointer (&job->ordinals, g_array_unref);
  g_clear_pointer (&job->inputs, g_hash_table_unref);
  g_free (job);
}

/* Buffers of the captured graph are filled alike in every scenario, so that their runs can be compared. */
static void
choose_ordinals (FbRuns *self, FbRunJob *job)
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

FbRunJob *
fb_run_job_new (FbRuns *self, FbRun *run)
{
  FbRunJob *job = g_new0 (FbRunJob, 1);
  job->runs = self;
  job->run = fb_run_ref (run);
  job->inputs = fb_run_inputs_copy (self->inputs);
  choose_ordinals (self, job);
  return job;
}

static gboolean
progressed (gpointer data)
{
  FbRunJob *job = g_task_get_task_data (data);
  g_atomic_int_set (&job->noted, 0);
  if (job->runs->running == job->run)
    fb_runs_progressed (job->runs);
  return G_SOURCE_REMOVE;
}

static gboolean
after_kernel (guint kernel, double seconds, gpointer user)
{
  GTask *task = user;
  FbRunJob *job = g_task_get_task_data (task);
  job->run->total_seconds += seconds;
  g_atomic_int_set (&job->run->n_done, kernel + 1);
  if (g_atomic_int_compare_and_exchange (&job->noted, 0, 1))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, progressed, g_object_ref (task), g_object_unref);
  return TRUE;
}

static gboolean
fill_buffer (const FbRunJob *job, guint number, GError **error)
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
fill (const FbRunJob *job, GCancellable *cancellable, GError **error)
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

void
fb_run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FbRunJob *job = data;
  FbRun *run = job->run;
  GError *error = NULL;
  const FbRunOptions options = { .backend = run->backend,
                                 .device = run->device,
                                 .seconds = KERNEL_SECONDS,
                                 .compile_seconds = COMPILE_SECONDS,
                                 .memory = fb_plan_default_limit (),
                                 .apart = TRUE,
                                 .after = after_kernel,
                                 .user = task };
  run->record = fb_record_new (run->plan, fb_record_default_limit (), &error);
  if (run->record && fill (job, cancellable, &error))
    fb_record_run (run->record, run->plan, &options, &run->report, cancellable, &error);
  run->error = error;
  g_task_return_boolean (task, TRUE);
}
