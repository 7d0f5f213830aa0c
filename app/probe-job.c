#include "app/probe-job.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/document-private.h"
#include "backends/interp/evaluator.h"
#include "backends/probe/unfused.h"
#include "backends/run/agree.h"
#include "core/ir/text.h"

/* The worker is needed for steps: what takes longer is not made there. */
#define MOST_STEPS ((gint64) 1 << 30)
#define MOST_BYTES ((gsize) 1 << 30)
#define MOST_PAIRED ((gint64) 1 << 23)
#define KERNEL_SECONDS 60

/* Contents of a buffer at a moment. */
typedef struct
{
  guint buffer, moment;
  GBytes *bytes;
} Content;

typedef struct
{
  FbDocument *doc;
  FbStepView *view; /* holds the node; the worker's to free */
  FbUop *node;
  FbRun *run;
  guint kernel; /* from 1; 0: none */
  FbProbe *probe;
  GArray *contents; /* of Content */
  FbProbed *out;
  FbAgreeRule rule;
} Job;

FbProbed *
fb_probed_ref (FbProbed *probed)
{
  g_atomic_ref_count_inc (&probed->refs);
  return probed;
}

void
fb_probed_unref (FbProbed *probed)
{
  if (!g_atomic_ref_count_dec (&probed->refs))
    return;
  g_clear_pointer (&probed->data, g_bytes_unref);
  g_clear_pointer (&probed->unfused, g_bytes_unref);
  g_free (probed->shape);
  g_free (probed->name);
  g_free (probed->unfused_name);
  g_free (probed->verdict);
  g_free (probed);
}

static void
clear_content (gpointer data)
{
  g_clear_pointer (&((Content *) data)->bytes, g_bytes_unref);
}

static void
job_free (gpointer data)
{
  Job *job = data;
  if (job->view)
    fb_document_discard (job->doc, job->view, (GDestroyNotify) fb_step_view_unref);
  g_clear_pointer (&job->run, fb_run_unref);
  g_clear_pointer (&job->probe, fb_probe_free);
  g_clear_pointer (&job->out, fb_probed_unref);
  g_array_unref (job->contents);
  g_object_unref (job->doc);
  g_free (job);
}

/* What a buffer held, kept as long as the job. */
static const guint8 *
contents_at (guint buffer, guint moment, gpointer user)
{
  Job *job = user;
  for (guint i = 0; i < job->contents->len; i++)
    {
      const Content *known = &g_array_index (job->contents, Content, i);
      if (known->buffer == buffer && known->moment == moment)
        return g_bytes_get_data (known->bytes, NULL);
    }
  Content content = { buffer, moment, fb_record_read (job->run->record, buffer, moment, NULL) };
  if (!content.bytes)
    return NULL;
  g_array_append_val (job->contents, content);
  return g_bytes_get_data (content.bytes, NULL);
}

static char *
name_of (FbContext *context, FbUop *uop)
{
  char key[17];
  return g_strdup_printf ("%s %.8s", fb_op_name (uop->op), fb_uop_key_hex (context, uop, key));
}

static FbProbed *
probed_new (Job *job, guint type, guint n_dims, const gint64 *shape, gint64 size)
{
  FbProbed *probed = g_new0 (FbProbed, 1);
  g_atomic_ref_count_init (&probed->refs);
  probed->type = (guint8) type;
  probed->n_dims = n_dims;
  probed->shape = g_memdup2 (shape, MAX (n_dims, 1) * sizeof *shape);
  probed->size = size;
  probed->kernel = job->kernel;
  probed->name = name_of (fb_step_view_context (job->view), job->node);
  return probed;
}

/* The node of the kernel as it is run that is the same; NULL: there is none. */
static FbUop *
find_in_kernel (Job *job, const FbSchedule *schedule)
{
  const guint8 *key = fb_uop_key (fb_step_view_context (job->view), job->node);
  g_autoptr (GPtrArray) nodes = fb_probe_nodes (schedule, job->kernel - 1);
  for (guint i = 0; i < nodes->len; i++)
    if (nodes->pdata[i] == job->node || !memcmp (fb_uop_key (schedule->context, nodes->pdata[i]), key, 32))
      return nodes->pdata[i];
  return NULL;
}

/* Sets what the unfused graph makes of the node, element by element. */
static void
add_unfused (Job *job, const FbSchedule *schedule, const FbPlan *plan, FbUop *node, GCancellable *cancellable)
{
  const FbEvaluatorLimits limits = { .bytes = MOST_BYTES, .steps = MOST_STEPS };
  g_autoptr (GArray) pairs = fb_unfused_new (schedule, job->kernel - 1, MOST_PAIRED, NULL);
  const FbUnfused *pair = NULL;
  for (guint i = 0; pairs && i < pairs->len && !pair; i++)
    if (g_array_index (pairs, FbUnfused, i).node == node)
      pair = &g_array_index (pairs, FbUnfused, i);
  if (!pair || pair->size != job->out->size)
    return;
  g_autoptr (FbEvaluator) evaluator
      = fb_unfused_evaluator_new (schedule, plan, job->kernel - 1, contents_at, job, &limits);
  const FbGraphValue *value = fb_evaluator_get (evaluator, pair->graph, cancellable, NULL);
  if (!value || value->type != job->out->type)
    return;
  gsize item = fb_scalar_size (value->type);
  guint8 *data = g_try_malloc0 (MAX ((gsize) pair->size * item, 1));
  for (gint64 i = 0; data && i < pair->size; i++)
    if (pair->elements[i] >= 0 && pair->elements[i] < value->size)
      memcpy (data + (gsize) i * item, value->data + (gsize) pair->elements[i] * item, item);
  if (!data)
    return;
  job->out->unfused = g_bytes_new_take (data, (gsize) pair->size * item);
  job->out->unfused_name = name_of (schedule->context, pair->graph);
  job->rule = fb_agree_rule (fb_plan_step (job->probe->plan, 0)->program);
  job->rule.inputs = 1;
  job->rule.max_of_nan = fb_evaluator_max_of_nan (evaluator) > 0;
}

/* A probe to be run, with what it reads. */
static gboolean
prepare_probe (Job *job, const FbSchedule *schedule, const FbPlan *plan, FbUop *node, GCancellable *cancellable,
               GError **error)
{
  job->probe = fb_probe_new (schedule, plan, job->kernel - 1, node, 0, error);
  if (!job->probe)
    return FALSE;
  for (guint i = 0; i < job->probe->n_args; i++)
    if (job->probe->reads[i] && !contents_at (job->probe->buffers[i], job->kernel - 1, job))
      {
        g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT, _ ("The run did not keep what kernel %u read."),
                     job->kernel);
        return FALSE;
      }
  job->out = probed_new (job, job->probe->type, job->probe->n_dims, job->probe->shape, job->probe->size);
  add_unfused (job, schedule, plan, node, cancellable);
  return TRUE;
}

/* A node of a graph on the way: the interpreter's word. */
static gboolean
evaluate (Job *job, const FbSchedule *schedule, const FbPlan *plan, GCancellable *cancellable, GError **error)
{
  const FbEvaluatorLimits limits = { .bytes = MOST_BYTES, .steps = MOST_STEPS };
  g_autoptr (FbEvaluator) evaluator = fb_evaluator_new (fb_step_view_context (job->view), schedule->var_vals, &limits);
  guint moment = job->kernel ? job->kernel - 1 : 0;
  for (guint i = 0; i < plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (plan, i);
      const guint8 *data = contents_at (i, moment, job);
      if (data)
        fb_evaluator_set_value (evaluator, buffer->buffer, buffer->type, buffer->size, data);
    }
  const FbPlanStep *step = job->kernel ? fb_plan_step (plan, job->kernel - 1) : NULL;
  for (guint i = 0; step && i < step->n_buffers; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (plan, step->buffers[i]);
      const guint8 *data = contents_at (step->buffers[i], moment, job);
      if (data)
        fb_evaluator_set_argument (evaluator, i, buffer->type, buffer->size, data);
    }
  const FbGraphValue *value = fb_evaluator_get (evaluator, job->node, cancellable, error);
  if (!value)
    return FALSE;
  job->out = probed_new (job, value->type, value->n_dims, value->shape, value->size);
  job->out->data = g_bytes_new (value->data, (gsize) value->size * fb_scalar_size (value->type));
  return TRUE;
}

static void
prepare (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  const FbSchedule *schedule = job->view->row->schedule;
  GError *error = NULL;
  g_autoptr (FbPlan) plan = fb_plan_new (schedule, G_MAXSIZE, &error);
  gboolean done = FALSE;
  if (plan && (plan->steps->len != job->run->n_kernels || plan->buffers->len != job->run->n_buffers))
    g_set_error_literal (&error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT, _ ("The run is of another schedule."));
  else if (plan)
    {
      FbUop *node = job->kernel ? find_in_kernel (job, schedule) : NULL;
      done = node ? prepare_probe (job, schedule, plan, node, cancellable, &error)
                  : evaluate (job, schedule, plan, cancellable, &error);
    }
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* In words, how the probed value and the unfused one agree. */
static void
judge (Job *job)
{
  FbProbed *out = job->out;
  FbAgreement g;
  if (!out->unfused)
    return;
  fb_agree (out->type, out->size, g_bytes_get_data (out->unfused, NULL), g_bytes_get_data (out->data, NULL), NULL,
            &job->rule, &g);
  if (g.nan_order)
    out->verdict = g_strdup (_ ("a MAX met a NaN: the order decides"));
  else if (g.beyond)
    out->verdict = g_strdup_printf (_ ("not the unfused %s"), out->unfused_name);
  else if (g.within)
    out->verdict = g_strdup_printf (_ ("the unfused %s, within rounding"), out->unfused_name);
  else
    out->verdict = g_strdup_printf (_ ("the unfused %s, bit for bit"), out->unfused_name);
}

static void
run_probe (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  const FbRunOptions options
      = { .backend = job->run->backend, .seconds = KERNEL_SECONDS, .memory = fb_plan_default_limit (), .apart = TRUE };
  g_autofree const guint8 **contents = g_new0 (const guint8 *, MAX (job->probe->n_args, 1));
  for (guint i = 0; i < job->probe->n_args; i++)
    if (job->probe->reads[i])
      contents[i] = contents_at (job->probe->buffers[i], job->kernel - 1, job);
  g_autoptr (FbProbeValue) value = fb_probe_run (job->probe, contents, &options, cancellable, &error);
  if (value)
    {
      job->out->data = g_bytes_new_take (g_steal_pointer (&value->data), value->bytes);
      judge (job);
      g_task_return_pointer (task, g_steal_pointer (&job->out), (GDestroyNotify) fb_probed_unref);
    }
  else
    g_task_return_error (task, error);
}

/* The worker's part is done; @data is the task that the caller waits for. */
static void
prepared (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Job *job = g_task_get_task_data (task);
  GError *error = NULL;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_error (task, error);
  else if (job->probe)
    g_task_run_in_thread (task, run_probe);
  else
    g_task_return_pointer (task, g_steal_pointer (&job->out), (GDestroyNotify) fb_probed_unref);
}

gboolean
fb_probe_job_can (FbDocument *doc)
{
  const FbNodeInfo *node = fb_document_get_node (doc);
  const FbRowView *row = fb_document_get_row (doc);
  return node && row && row->schedule && node->view->row == row && node->shape && fb_probe_has_value (node->uop);
}

static void
no_free (gpointer data)
{
}

void
fb_probe_job_async (FbDocument *doc, FbRun *run, GCancellable *cancellable, GAsyncReadyCallback done, gpointer data)
{
  g_return_if_fail (fb_probe_job_can (doc) && run && run->ended && run->record);
  const FbNodeInfo *node = fb_document_get_node (doc);
  GTask *task = g_task_new (doc, cancellable, done, data);
  Job *job = g_new0 (Job, 1);
  job->doc = g_object_ref (doc);
  job->view = fb_step_view_ref (node->view);
  job->node = node->uop;
  job->run = fb_run_ref (run);
  job->kernel = job->view->row->passes[job->view->pass].kernel;
  job->contents = g_array_new (FALSE, FALSE, sizeof (Content));
  g_array_set_clear_func (job->contents, clear_content);
  g_task_set_task_data (task, job, job_free);
  /* it lives as long as the task that the caller waits for */
  g_autoptr (GTask) first = g_task_new (doc, cancellable, prepared, task);
  g_task_set_task_data (first, job, no_free);
  fb_worker_push (doc->worker, first, FB_DETAIL, prepare);
}

FbProbed *
fb_probe_job_finish (FbDocument *doc, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
