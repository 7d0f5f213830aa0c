#include "app/document-query.h"

#include "app/document-private.h"
#include "app/step-follow.h"
#include "core/ir/text.h"

/* More on each side of a node fit on no screen. */
#define MOST_TRACED 40

typedef struct
{
  FbRowView *row;
  FbStepView *view; /* NULL: not asked about */
  FbUop *uop;
  FbQuery *query;
  FbAskScope scope;
} Job;

/* What a job holds of the row belongs to the worker. */
static void
free_job (gpointer data)
{
  Job *job = data;
  g_clear_pointer (&job->view, fb_step_view_unref);
  g_clear_pointer (&job->row, fb_row_view_unref);
  g_clear_pointer (&job->query, fb_query_unref);
  g_free (job);
}

static GTask *
new_task (FbDocument *doc, Job *job, GCancellable *cancellable, GAsyncReadyCallback done, gpointer data)
{
  GTask *task = g_task_new (doc, cancellable, done, data);
  job->row = fb_row_view_ref (doc->row);
  job->view = doc->view && doc->view->row == doc->row ? fb_step_view_ref (doc->view) : NULL;
  g_task_set_task_data (task, job, NULL);
  doc->details++;
  return task;
}

/* The result, unless another row is there by now. */
static gpointer
finish (FbDocument *doc, GAsyncResult *result, GDestroyNotify destroy, GError **error)
{
  Job *job = g_task_get_task_data (G_TASK (result));
  gboolean late = job->row != doc->row;
  gpointer answer = g_task_propagate_pointer (G_TASK (result), error);
  doc->details--;
  fb_document_discard (doc, job, free_job);
  if (!late || !answer)
    return answer;
  destroy (answer);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "another row");
  return NULL;
}

/* --- answers --- */

void
fb_answer_free (FbAnswer *answer)
{
  if (!answer)
    return;
  g_array_unref (answer->rows);
  g_string_chunk_free (answer->texts);
  g_free (answer);
}

/* "float 64×64" */
static const char *
type_text (GStringChunk *texts, FbQueryIndex *index, FbContext *context, FbUop *uop)
{
  if (!index)
    {
      g_autofree char *text = fb_node_type_text (context, uop);
      return g_string_chunk_insert_const (texts, text);
    }
  const char *shape = fb_query_index_shape (index, uop);
  if (!shape || !*shape)
    return g_string_chunk_insert_const (texts, uop->dtype->short_name);
  g_autofree char *text = g_strdup_printf ("%s %s", uop->dtype->short_name, shape);
  return g_string_chunk_insert_const (texts, text);
}

static void
add_row (FbAnswer *answer, const Job *job, FbQueryIndex *index, const FbHit *hit)
{
  FbAnswerRow row = { .hit = *hit, .kind = fb_op_kind (hit->uop->op), .op = fb_op_name (hit->uop->op) };
  row.type = type_text (answer->texts, index, job->row->context, hit->uop);
  if (index && hit->step > 0)
    {
      const FbPass *pass = job->row->passes[hit->pass].pass;
      row.rule = fb_rule_set_rule (pass->rules, fb_pass_match (pass, hit->step - 1)->rule);
    }
  g_array_append_val (answer->rows, row);
}

/* Of the graph on the screen: the nodes as they stand there. */
static void
take_nodes_of_view (const Job *job, FbQueryIndex *index, FbAnswer *answer)
{
  if (!index)
    return;
  FbStepView *view = job->view;
  const FbHistory *history = fb_query_index_history (index);
  g_autofree FbUop **nodes = fb_history_nodes_at (history, view->record->context, view->pass, view->step);
  guint n = 0;
  for (guint i = 0; i < answer->rows->len; i++)
    {
      FbAnswerRow *row = fb_answer_row (answer, i);
      FbUop *node = nodes[row->hit.life - history->first_life[view->pass]];
      if (!node || fb_graph_find (fb_step_view_whole (view), node) == FB_GRAPH_NONE)
        continue;
      row->hit.uop = node;
      *fb_answer_row (answer, n++) = *row;
    }
  g_array_set_size (answer->rows, n);
}

static void
ask_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  FbQueryIndex *index = job->row->n_passes ? fb_row_view_get_index (job->row) : NULL;
  g_autoptr (GArray) hits = NULL;
  if (!index)
    hits = fb_query_plain (job->row->context, job->row->row->sink, job->query);
  else if (job->scope == FB_ASK_GRAPH)
    hits = fb_query_graph (index, job->query, job->view->pass, job->view->step);
  else if (job->scope == FB_ASK_ALL)
    hits = fb_query_all (index, job->query, cancellable);
  else
    hits = fb_query_stops (index, job->query, cancellable);
  FbAnswer *answer = g_new0 (FbAnswer, 1);
  answer->scope = index ? job->scope : FB_ASK_GRAPH;
  answer->rows = g_array_sized_new (FALSE, FALSE, sizeof (FbAnswerRow), hits->len);
  answer->texts = g_string_chunk_new (4096);
  for (guint i = 0; i < hits->len; i++)
    add_row (answer, job, index, &g_array_index (hits, FbHit, i));
  if (answer->scope == FB_ASK_GRAPH)
    take_nodes_of_view (job, index, answer);
  if (g_task_return_error_if_cancelled (task))
    fb_answer_free (answer);
  else
    g_task_return_pointer (task, answer, (GDestroyNotify) fb_answer_free);
}

void
fb_document_ask_async (FbDocument *doc, FbQuery *query, FbAskScope scope, GCancellable *cancellable,
                       GAsyncReadyCallback done, gpointer data)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc) && query && doc->row && (scope != FB_ASK_GRAPH || doc->view));
  Job *job = g_new0 (Job, 1);
  job->query = fb_query_ref (query);
  job->scope = scope;
  g_autoptr (GTask) task = new_task (doc, job, cancellable, done, data);
  fb_worker_push (doc->worker, task, FB_DETAIL, ask_job);
}

FbAnswer *
fb_document_ask_finish (FbDocument *doc, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && g_task_is_valid (result, doc), NULL);
  return finish (doc, result, (GDestroyNotify) fb_answer_free, error);
}

/* --- lineage --- */

void
fb_trace_free (FbTrace *trace)
{
  if (!trace)
    return;
  g_array_unref (trace->nodes);
  g_array_unref (trace->links);
  g_string_chunk_free (trace->texts);
  g_free (trace);
}

static FbTrace *
trace_of (const Job *job, FbQueryIndex *index, const FbLineage *lineage)
{
  FbTrace *trace = g_new0 (FbTrace, 1);
  trace->nodes = g_array_new (FALSE, TRUE, sizeof (FbTraceNode));
  trace->links = g_array_new (FALSE, TRUE, sizeof (FbTraceLink));
  trace->texts = g_string_chunk_new (1024);
  trace->partly = lineage->partly;
  for (guint i = 0; i < lineage->nodes->len; i++)
    {
      const FbLineageNode *node = fb_lineage_node (lineage, i);
      const FbLife *first = fb_history_life (lineage->history, node->first);
      FbUop *uop = fb_history_life (lineage->history, node->last)->uop;
      FbTraceNode item = { .kind = fb_op_kind (uop->op),
                           .op = fb_op_name (uop->op),
                           .type = type_text (trace->texts, index, job->row->context, uop),
                           .kernel = node->kernel,
                           .level = node->level,
                           .pass = first->pass,
                           .step = first->first,
                           .life = node->first };
      fb_uop_key_hex (job->row->context, uop, item.key);
      g_array_append_val (trace->nodes, item);
    }
  for (guint i = 0; i < lineage->links->len; i++)
    {
      const FbLineageLink *link = fb_lineage_link (lineage, i);
      FbTraceLink item = { link->from, link->to, link->kind, link->pass, link->step, link->is, link->rule };
      g_array_append_val (trace->links, item);
    }
  return trace;
}

static void
trace_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  FbQueryIndex *index = job->view->record ? fb_row_view_get_index (job->row) : NULL;
  guint32 life = index ? fb_step_view_find_life (job->view, job->uop) : FB_LIFE_NONE;
  FbTrace *trace = NULL;
  if (life != FB_LIFE_NONE)
    {
      g_autoptr (FbLineage) lineage = fb_lineage_new (fb_query_index_history (index), life, MOST_TRACED);
      trace = trace_of (job, index, lineage);
    }
  g_task_return_pointer (task, trace, (GDestroyNotify) fb_trace_free);
}

void
fb_document_trace_async (FbDocument *doc, GCancellable *cancellable, GAsyncReadyCallback done, gpointer data)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc) && doc->view && doc->selection.uop);
  Job *job = g_new0 (Job, 1);
  job->uop = doc->selection.uop;
  g_autoptr (GTask) task = new_task (doc, job, cancellable, done, data);
  fb_worker_push (doc->worker, task, FB_DETAIL, trace_job);
}

FbTrace *
fb_document_trace_finish (FbDocument *doc, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc) && g_task_is_valid (result, doc), NULL);
  return finish (doc, result, (GDestroyNotify) fb_trace_free, error);
}

/* --- going there --- */

void
fb_document_jump_to_life (FbDocument *doc, guint pass, guint step, guint32 life)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (!doc->row)
    return;
  doc->selection.wanted_life = life + 1;
  doc->selection.mine = TRUE;
  fb_document_jump (doc, pass, step);
  /* the place stays: only the selection is to be made */
  if (doc->view && doc->view->pass == doc->pass && doc->view->step == doc->step)
    fb_document_request_step (doc);
}

static void
prepare_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  fb_row_view_get_index (((Job *) data)->row);
  g_task_return_boolean (task, TRUE);
}

static void
prepared (GObject *source, GAsyncResult *result, gpointer data)
{
  fb_document_discard (FB_DOCUMENT (source), g_task_get_task_data (G_TASK (result)), free_job);
}

void
fb_document_prepare_answers (FbDocument *doc)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (!doc->row || !doc->row->n_passes)
    return;
  Job *job = g_new0 (Job, 1);
  job->row = fb_row_view_ref (doc->row);
  g_autoptr (GTask) task = g_task_new (doc, doc->row_cancellable, prepared, NULL);
  g_task_set_task_data (task, job, NULL);
  fb_worker_push (doc->worker, task, FB_IDLE, prepare_job);
}
