/* How much each step touches and how the graph grows, measured while nothing else is to be done. */
#include "app/document-private.h"

/* Heat is measured a slice at a time; measuring every step of a very large row would keep a processor busy for minutes. */
#define HEAT_SLICE_US 40000
#define HEAT_BUDGET_US (20 * G_USEC_PER_SEC)
#define FIRST_STRIDE 64

typedef struct
{
  guint step; /* index among all of the row */
  guint32 touched;
  gint32 growth;
} Measured;

typedef struct
{
  FbRowView *row;
  FbWorker *worker;
  guint stride, next;
  GArray *measured; /* of Measured */
  gint64 spent;
} HeatJob;

static void
free_heat_job (gpointer data)
{
  HeatJob *job = data;
  g_clear_pointer (&job->row, fb_row_view_unref);
  g_array_unref (job->measured);
  g_free (job);
}

/* Every 64th step, so that the strip has its shape soon, then all in order, where each costs least. */
static void
next_step_to_measure (HeatJob *job)
{
  job->next += job->stride;
  if (job->next < job->row->n_steps)
    return;
  job->stride = job->stride > 1 ? 1 : 0;
  job->next = 0;
}

static void
heat_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  HeatJob *job = data;
  gint64 start = g_get_monotonic_time ();
  while (job->stride)
    {
      if (job->next < job->row->n_steps)
        {
          Measured item = { .step = job->next };
          guint pass, step, touched = 0;
          fb_row_view_locate (job->row, job->next + 1, &pass, &step);
          if (fb_step_measure (job->row, pass, step, &touched, &item.growth))
            {
              item.touched = touched;
              g_array_append_val (job->measured, item);
            }
        }
      next_step_to_measure (job);
      if (g_get_monotonic_time () > start + HEAT_SLICE_US || fb_worker_should_yield (job->worker, FB_IDLE)
          || g_cancellable_is_cancelled (cancellable))
        break;
    }
  job->spent = g_get_monotonic_time () - start;
  g_task_return_boolean (task, TRUE);
}

static void
measured (GObject *source, GAsyncResult *result, gpointer data)
{
  FbDocument *doc = FB_DOCUMENT (source);
  HeatJob *job = g_task_get_task_data (G_TASK (result));
  gboolean ok = g_task_propagate_boolean (G_TASK (result), NULL);
  FbRowView *row = g_steal_pointer (&job->row);
  if (ok && row == doc->row)
    {
      FbHeat *heat = &doc->heat;
      for (guint i = 0; i < job->measured->len; i++)
        {
          const Measured *item = &g_array_index (job->measured, Measured, i);
          heat->touched[item->step] = item->touched;
          heat->growth[item->step] = item->growth;
          heat->most = MAX (heat->most, item->touched);
        }
      heat->n_known += job->measured->len;
      doc->heat_spent += job->spent;
      doc->heat_next = job->next;
      doc->heat_stride = doc->heat_spent > HEAT_BUDGET_US ? 0 : job->stride;
      g_signal_emit (doc, fb_document_signals[FB_SIGNAL_HEAT], 0);
      fb_document_request_heat (doc);
    }
  fb_document_discard (doc, row, (GDestroyNotify) fb_row_view_unref);
}

void
fb_document_begin_heat (FbDocument *doc)
{
  guint n = doc->row->n_steps;
  doc->heat.touched = g_new (guint32, n + 1);
  doc->heat.growth = g_new0 (gint32, n + 1);
  for (guint i = 0; i < n; i++)
    doc->heat.touched[i] = FB_HEAT_UNKNOWN;
  doc->heat_stride = n ? FIRST_STRIDE : 0;
  doc->heat_next = 0;
  doc->heat_spent = 0;
}

void
fb_document_request_heat (FbDocument *doc)
{
  if (!doc->row || !doc->heat_stride)
    return;
  HeatJob *job = g_new0 (HeatJob, 1);
  job->row = fb_row_view_ref (doc->row);
  job->worker = doc->worker;
  job->stride = doc->heat_stride;
  job->next = doc->heat_next;
  job->measured = g_array_new (FALSE, FALSE, sizeof (Measured));
  g_autoptr (GTask) task = g_task_new (doc, doc->row_cancellable, measured, NULL);
  g_task_set_task_data (task, job, free_heat_job);
  fb_worker_push (doc->worker, task, FB_IDLE, heat_job);
}
