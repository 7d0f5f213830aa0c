#include "app/export-job.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/document-private.h"
#include "core/ir/text.h"
#include "viz/export.h"
#include "viz/report.h"

/* What a report may take of the worker's time before others get their turn, µs. */
#define SLICE_US 40000

static const char *const extensions[FB_N_EXPORT_FORMATS] = { "svg", "png", "dot", "html", "txt", "diff" };

const char *
fb_export_format_extension (FbExportFormat format)
{
  g_return_val_if_fail (format < FB_N_EXPORT_FORMATS, NULL);
  return extensions[format];
}

gboolean
fb_export_format_of (const char *path, FbExportFormat *format)
{
  const char *dot = strrchr (path, '.');
  for (guint i = 0; dot && i < FB_N_EXPORT_FORMATS; i++)
    if (!g_ascii_strcasecmp (dot + 1, extensions[i]))
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

typedef struct
{
  FbDocument *doc; /* borrowed: the task holds it */
  FbStepView *view;
  FbExportFormat format;
  char *path;
  gboolean dark;
  FbReport *report;
  GByteArray *page;
  guint n_done, n_steps;
  GPtrArray *uops; /* to be printed */
  gboolean deep;
} Job;

static void
free_job (gpointer data)
{
  Job *job = data;
  g_clear_pointer (&job->page, g_byte_array_unref);
  g_clear_pointer (&job->uops, g_ptr_array_unref);
  g_free (job->path);
  g_free (job);
}

/* In the main thread, when all is done: nodes of the step and of the row's context are the worker's. */
static void
let_go (GAsyncResult *result)
{
  Job *job = g_task_get_task_data (G_TASK (result));
  if (job)
    fb_document_discard (job->doc, g_steal_pointer (&job->view), (GDestroyNotify) fb_step_view_unref);
}

static Job *
new_job (FbDocument *doc, GTask *task)
{
  Job *job = g_new0 (Job, 1);
  job->doc = doc;
  job->view = fb_step_view_ref (doc->view);
  g_task_set_task_data (task, job, free_job);
  return job;
}

static gboolean
nothing_shown (FbDocument *doc, GTask *task)
{
  if (doc->view)
    return FALSE;
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("There is no graph to write"));
  g_object_unref (task);
  return TRUE;
}

/* --- pictures and text --- */

static void
write_bytes (GTask *task, const char *path, const void *bytes, gsize len)
{
  GError *error = NULL;
  if (g_file_set_contents (path, bytes, (gssize) len, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Of two graphs side by side, one with what is new and what is gone. NULL with an error. */
static FbScene *
scene_of (const Job *job, GCancellable *cancellable, GError **error)
{
  const FbStepView *view = job->view;
  if (!view->left || !view->record)
    return fb_scene_ref (view->scene);
  g_autoptr (FbGraph) whole = fb_graph_new_from_step (view->record->context, view->record, FB_GRAPH_OVERLAY);
  g_autoptr (FbGraph) shown = fb_view_state_apply (view->base->state, whole, NULL, view->base->kernels);
  return fb_scene_new (shown, &view->scene->metrics, view->scene, cancellable, error);
}

/* "--- simplify 3", "+++ kernel 1, fix-ups 2", and the lines. NULL with an error. */
static char *
diff_text (const Job *job, GError **error)
{
  FbStepView *view = job->view;
  g_autoptr (FbTextDiff) diff = fb_step_view_diff (view, FB_SCOPE_GRAPH);
  if (!diff)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("The input of a pass differs from nothing"));
      return NULL;
    }
  FbStepPosition from = view->wanted.compares ? view->wanted.from : (FbStepPosition){ view->pass, view->step - 1 };
  g_autofree char *before = fb_pass_view_title (&view->row->passes[from.pass]);
  g_autofree char *after = fb_pass_view_title (&view->row->passes[view->pass]);
  g_autofree char *lines = fb_text_diff_to_text (diff);
  return g_strdup_printf ("--- %s %u\n+++ %s %u\n%s", before, from.step, after, view->step, lines);
}

static void
write_picture (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  FbExportOptions options = FB_EXPORT_OPTIONS_INIT;
  GError *error = NULL;
  options.dark = job->dark;
  g_autoptr (FbScene) scene = scene_of (job, cancellable, &error);
  if (!scene)
    {
      g_task_return_error (task, error);
      return;
    }
  if (job->format == FB_EXPORT_PNG)
    {
      g_autoptr (GBytes) png = fb_export_png (scene, &options, &error);
      if (png)
        write_bytes (task, job->path, g_bytes_get_data (png, NULL), g_bytes_get_size (png));
      else
        g_task_return_error (task, error);
      return;
    }
  g_autofree char *text = NULL;
  if (job->format == FB_EXPORT_SVG)
    text = fb_export_svg (scene, &options, NULL);
  else if (job->format == FB_EXPORT_DOT)
    text = fb_export_dot (scene->graph, job->dark);
  else if (job->format == FB_EXPORT_DIFF)
    text = diff_text (job, &error);
  else
    {
      FbUop *sink = job->view->record ? job->view->record->after_sink : job->view->row->row->sink;
      text = fb_uop_to_text (fb_step_view_context (job->view), sink);
    }
  if (text)
    write_bytes (task, job->path, text, strlen (text));
  else
    g_task_return_error (task, error);
}

/* --- the report, a slice at a time --- */

static void push_slice (GTask *task);

static void
take (Job *job)
{
  g_autoptr (GBytes) bytes = fb_report_take (job->report);
  if (bytes)
    g_byte_array_append (job->page, g_bytes_get_data (bytes, NULL), (guint) g_bytes_get_size (bytes));
}

static void
begin_report (Job *job)
{
  const FbPassView *pass = fb_step_view_pass (job->view);
  const FbRowSummary *summary = &job->view->row->summary;
  g_autofree char *row = g_strdup_printf ("row %u · %u nodes → %u kernels", job->view->row->number, summary->n_nodes,
                                          summary->n_kernels);
  const char *name = fb_document_get_name (job->doc);
  FbReportInfo info = { name ? name : "", row, "Fusebox " FUSEBOX_VERSION, job->doc->metrics };
  job->n_steps = pass->n_steps;
  job->page = g_byte_array_new ();
  job->report = fb_report_new (job->view->row->context, pass->pass, 1, pass->n_steps, &info);
}

static void
report_slice (GTask *slice, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = g_task_get_task_data (data);
  gint64 end = g_get_monotonic_time () + SLICE_US;
  GError *error = NULL;
  gboolean more = TRUE;
  while (more && g_get_monotonic_time () < end && !g_cancellable_is_cancelled (cancellable))
    {
      more = fb_report_add (job->report, &job->n_done, &error);
      take (job);
    }
  if (error)
    g_task_return_error (slice, error);
  else
    g_task_return_boolean (slice, more);
}

static void
free_report (gpointer data)
{
  fb_report_free (data);
}

static void
write_page (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  write_bytes (task, job->path, job->page->data, job->page->len);
}

static void
slice_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Job *job = g_task_get_task_data (task);
  GError *error = NULL;
  gboolean more = g_task_propagate_boolean (G_TASK (result), &error);
  if (!error && more)
    {
      /* Translators: how many steps of how many are written */
      g_autofree char *words = g_strdup_printf (_ ("Writing step %u of %u"), job->n_done, job->n_steps);
      fb_document_set_busy (job->doc, FB_WAIT_EXPORT, TRUE, (double) job->n_done / MAX (job->n_steps, 1), words);
      push_slice (g_steal_pointer (&task));
      return;
    }
  /* it holds nodes of the row's context */
  fb_document_discard (job->doc, g_steal_pointer (&job->report), free_report);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_run_in_thread (task, write_page);
}

/* Takes @task. */
static void
push_slice (GTask *task)
{
  Job *job = g_task_get_task_data (task);
  g_autoptr (GTask) slice = g_task_new (job->doc, g_task_get_cancellable (task), slice_done, task);
  g_task_set_task_data (slice, task, NULL);
  fb_worker_push (job->doc->worker, slice, FB_IDLE, report_slice);
}

/* --- asking for it --- */

void
fb_document_export (FbDocument *doc, FbExportFormat format, const char *path, gboolean dark, GAsyncReadyCallback done,
                    gpointer data)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc) && path && format < FB_N_EXPORT_FORMATS);
  GTask *task = g_task_new (doc, doc->cancellable, done, data);
  if (nothing_shown (doc, task))
    return;
  Job *job = new_job (doc, task);
  job->format = format;
  job->path = g_strdup (path);
  job->dark = dark;
  if (format == FB_EXPORT_HTML && !fb_step_view_pass (job->view))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("A report is of a pass, and this row has none"));
      g_object_unref (task);
      return;
    }
  g_autofree char *base = g_path_get_basename (path), *words = g_strdup_printf (_ ("Writing %s"), base);
  fb_document_set_busy (doc, FB_WAIT_EXPORT, TRUE, 0, words);
  if (format == FB_EXPORT_HTML)
    {
      begin_report (job);
      push_slice (task);
      return;
    }
  /* text and new graphs need the context's thread, other pictures are made of the scene alone */
  if (format == FB_EXPORT_TEXT || format == FB_EXPORT_DIFF || job->view->left)
    fb_worker_push (doc->worker, task, FB_URGENT, write_picture);
  else
    g_task_run_in_thread (task, write_picture);
  g_object_unref (task);
}

gboolean
fb_document_export_finish (FbDocument *doc, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, doc), FALSE);
  fb_document_set_busy (doc, FB_WAIT_EXPORT, FALSE, 0, NULL);
  let_go (result);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* "UOp(Ops.MUL, dtypes.float, arg=None, src=(VIEW, CONST))" */
static void
append_line (FbContext *context, FbUop *uop, GString *out)
{
  g_autofree char *text = fb_uop_to_text (context, uop);
  const char *end = strchr (text, '\n');
  if (!end)
    {
      g_string_append_printf (out, "%s\n", text);
      return;
    }
  g_string_append_len (out, text, end - text);
  for (guint i = 0; i < uop->n_src; i++)
    g_string_append_printf (out, "%s%s", i ? ", " : "", fb_op_name (uop->src[i]->op));
  g_string_append (out, "))\n");
}

static void
print_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  FbContext *context = fb_step_view_context (job->view);
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < job->uops->len; i++)
    {
      FbUop *uop = g_ptr_array_index (job->uops, i);
      if (!job->deep)
        append_line (context, uop, out);
      else
        {
          fb_uop_append_text (context, uop, out);
          g_string_append_c (out, '\n');
        }
    }
  g_task_return_pointer (task, g_string_free (out, FALSE), g_free);
}

void
fb_document_print (FbDocument *doc, const GPtrArray *uops, gboolean deep, GAsyncReadyCallback done, gpointer data)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc) && uops);
  GTask *task = g_task_new (doc, doc->cancellable, done, data);
  if (nothing_shown (doc, task))
    return;
  Job *job = new_job (doc, task);
  job->deep = deep;
  job->uops = g_ptr_array_new ();
  for (guint i = 0; i < uops->len; i++)
    g_ptr_array_add (job->uops, g_ptr_array_index (uops, i));
  fb_worker_push (doc->worker, task, FB_URGENT, print_job);
  g_object_unref (task);
}

char *
fb_document_print_finish (FbDocument *doc, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, doc), NULL);
  let_go (result);
  return g_task_propagate_pointer (G_TASK (result), error);
}
