/* Going from step to step, and selecting. */
#include <glib/gi18n.h>

#include "app/document-private.h"

typedef struct
{
  FbFile *file;
  FbRowView *row;
  FbStepWanted wanted;
  FbViewState *state;
  FbViewBase *base; /* in: of this pass and state, or NULL; out: the same, made */
  FbStepView *before;
  FbSelection selection;
  FbMetrics metrics;
  guint generation;
} StepJob;

static void
free_step_job (gpointer data)
{
  StepJob *job = data;
  g_clear_pointer (&job->file, fb_file_unref);
  g_clear_pointer (&job->row, fb_row_view_unref);
  g_clear_pointer (&job->state, fb_view_state_unref);
  g_clear_pointer (&job->base, fb_view_base_unref);
  g_clear_pointer (&job->before, fb_step_view_unref);
  g_free (job);
}

static GBytes *
read_places (guint64 digest, gpointer file)
{
  FbStore *session = fb_file_get_session (file);
  return session ? fb_store_get_places (session, digest, NULL) : NULL;
}

/* Those that the worker found, once. */
static void
keep_places (FbDocument *doc, FbViewBase *base)
{
  g_autoptr (GBytes) places = base ? g_steal_pointer (&base->to_keep) : NULL;
  if (places && doc->session)
    fb_session_file_put_places (doc->session, base->digest, places);
}

static void
step_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  StepJob *job = data;
  GError *error = NULL;
  if (!job->base)
    job->base = fb_view_base_new (job->row, job->wanted.at.pass, job->state, &job->metrics, read_places, job->file,
                                  cancellable, &error);
  FbStepView *view = NULL;
  if (!error)
    view = fb_step_view_new (job->row, &job->wanted, job->base, job->before, &job->selection, job->metrics, cancellable,
                             &error);
  if (view)
    g_task_return_pointer (task, view, (GDestroyNotify) fb_step_view_unref);
  else
    g_task_return_error (task, error);
}

static FbStepWanted
wanted (const FbDocument *doc)
{
  return (FbStepWanted){ .at = { doc->pass, doc->step },
                         .compares = doc->compares,
                         .from = doc->compare_from,
                         .side = doc->both ? FB_GRAPH_AFTER : doc->side,
                         .both = doc->both };
}

static gboolean
shows_wanted (const FbDocument *doc)
{
  FbStepWanted now = wanted (doc);
  return doc->view && fb_step_wanted_equal (&doc->view->wanted, &now);
}

static void
take_selection (FbDocument *doc, FbUop *uop, gboolean mine)
{
  guint64 key = 0;
  if (uop)
    {
      const FbGraph *graph = fb_step_view_whole (doc->view);
      guint32 card = fb_graph_find (graph, uop);
      key = card == FB_GRAPH_NONE ? 0 : graph->nodes[card].key;
    }
  doc->selection = (FbSelection){ uop, key, mine, 0 };
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_SELECTED], 0);
}

void
fb_document_go_on_in_time (FbDocument *doc)
{
  if (doc->pace)
    doc->pace (doc, doc->pace_data);
  else
    fb_document_go_on (doc);
}

void
fb_document_go_on (FbDocument *doc)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  FbUntold told = doc->untold;
  if (doc->row_waits)
    {
      fb_document_take_loaded (doc);
      if (told != FB_UNTOLD_NOTHING)
        fb_document_go_on_in_time (doc);
      return;
    }
  if (told == FB_UNTOLD_NOTHING)
    return;
  doc->untold--;
  if (told == FB_UNTOLD_ALL)
    {
      if (doc->view)
        g_signal_emit (doc, fb_document_signals[FB_SIGNAL_STEP_TOLD], 0);
      fb_document_request_node (doc);
      fb_document_go_on_in_time (doc);
      return;
    }
  doc->details--;
  fb_document_request_diff (doc);
}

/* A step that comes before all was told of the last one is told of in its stead. */
static void
begin_to_tell (FbDocument *doc)
{
  FbUntold before = doc->untold;
  doc->untold = FB_UNTOLD_ALL;
  if (before != FB_UNTOLD_NOTHING)
    return;
  doc->details++;
  fb_document_go_on_in_time (doc);
}

void
fb_document_set_pace (FbDocument *doc, FbDocumentPace pace, gpointer data)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  doc->pace = pace;
  doc->pace_data = data;
  if (pace)
    return;
  doc->row_waits = FALSE;
  g_clear_object (&doc->loaded);
  if (!doc->untold)
    return;
  doc->untold = FB_UNTOLD_NOTHING;
  doc->details--;
}

static void
stepped (GObject *source, GAsyncResult *result, gpointer data)
{
  FbDocument *doc = FB_DOCUMENT (source);
  StepJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  FbStepView *view = g_task_propagate_pointer (G_TASK (result), &error);
  FbViewBase *base = g_steal_pointer (&job->base);
  fb_document_discard (doc, g_steal_pointer (&job->before), (GDestroyNotify) fb_step_view_unref);
  fb_document_discard (doc, g_steal_pointer (&job->row), (GDestroyNotify) fb_row_view_unref);
  if (job->generation != doc->step_generation)
    {
      fb_document_discard (doc, base, (GDestroyNotify) fb_view_base_unref);
      fb_document_discard (doc, view, (GDestroyNotify) fb_step_view_unref);
      return;
    }
  doc->step_running = FALSE;
  fb_document_discard (doc, doc->base, (GDestroyNotify) fb_view_base_unref);
  doc->base = base;
  keep_places (doc, base);
  if (!view)
    {
      fb_document_set_busy (doc, FB_WAIT_STEP, FALSE, 0, NULL);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
      fb_document_fail (doc, error->message);
      /* Back to what is on the screen, or nothing would ever be shown again. */
      if (doc->view)
        {
          doc->pass = doc->view->pass;
          doc->step = doc->view->step;
          g_signal_emit (doc, fb_document_signals[FB_SIGNAL_MOVED], 0);
        }
      return;
    }
  gboolean mine = view->kept;
  /* A selection made while this was under way counts for the view it was made in; it is carried on from there. */
  fb_document_discard (doc, doc->view, (GDestroyNotify) fb_step_view_unref);
  doc->view = view;
  doc->partner = NULL;
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_STEP_SHOWN], 0);
  guint32 life = doc->selection.wanted_life;
  take_selection (doc, view->selected, mine);
  /* asked for meanwhile: the next view is to have it */
  if (life != job->selection.wanted_life)
    doc->selection.wanted_life = life;
  begin_to_tell (doc);
  if (!shows_wanted (doc) || view->base->state != doc->view_state || doc->selection.wanted_life)
    fb_document_request_step (doc);
  else
    fb_document_set_busy (doc, FB_WAIT_STEP, FALSE, 0, NULL);
}

void
fb_document_request_step (FbDocument *doc)
{
  if (!doc->row || doc->step_running)
    return;
  doc->step_running = TRUE;
  StepJob *job = g_new0 (StepJob, 1);
  job->file = fb_file_ref (doc->file);
  job->row = fb_row_view_ref (doc->row);
  job->wanted = wanted (doc);
  job->state = fb_view_state_ref (doc->view_state);
  if (doc->base && doc->base->pass == doc->pass && doc->base->state == doc->view_state)
    job->base = fb_view_base_ref (doc->base);
  job->before = doc->view ? fb_step_view_ref (doc->view) : NULL;
  job->selection = doc->selection;
  job->metrics = doc->metrics;
  job->generation = ++doc->step_generation;
  g_autofree char *words = g_strdup_printf (_ ("Laying out %u nodes"), doc->row->summary.n_nodes);
  fb_document_set_busy (doc, FB_WAIT_STEP, TRUE, 0.7, words);
  g_autoptr (GTask) task = g_task_new (doc, doc->cancellable, stepped, NULL);
  g_task_set_task_data (task, job, free_step_job);
  fb_worker_push (doc->worker, task, FB_URGENT, step_job);
}

/* --- position --- */

void
fb_document_get_position (FbDocument *doc, guint *pass, guint *step)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  *pass = doc->pass;
  *step = doc->step;
}

void
fb_document_go (FbDocument *doc, guint pass, guint step)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (!doc->row)
    return;
  guint n = doc->row->n_passes;
  doc->pass = n ? MIN (pass, n - 1) : 0;
  doc->step = n ? MIN (step, doc->row->passes[doc->pass].n_steps) : 0;
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_MOVED], 0);
  if (!shows_wanted (doc))
    fb_document_request_step (doc);
}

gboolean
fb_document_step_by (FbDocument *doc, int direction)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  if (!doc->row || !doc->row->n_passes)
    return FALSE;
  guint pass = doc->pass, step = doc->step;
  if (direction > 0)
    {
      while (step >= doc->row->passes[pass].n_steps)
        {
          if (++pass >= doc->row->n_passes)
            return FALSE;
          step = 0;
        }
      step++;
    }
  else if (step > 0)
    step--;
  else
    {
      /* The input of a pass is the result of the one before. */
      do
        if (pass-- == 0)
          return FALSE;
      while (!doc->row->passes[pass].n_steps);
      step = doc->row->passes[pass].n_steps;
    }
  fb_document_go (doc, pass, step);
  return TRUE;
}

gboolean
fb_document_pass_by (FbDocument *doc, int direction)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  if (!doc->row || (direction < 0 ? doc->pass == 0 : doc->pass + 1 >= doc->row->n_passes))
    return FALSE;
  fb_document_jump (doc, doc->pass + direction, 0);
  return TRUE;
}

void
fb_document_set_side (FbDocument *doc, FbGraphView side)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (doc->side == side)
    return;
  doc->side = side;
  fb_document_request_step (doc);
}

void
fb_document_set_both (FbDocument *doc, gboolean both)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (doc->both == both)
    return;
  doc->both = both;
  fb_document_request_step (doc);
}

void
fb_document_set_compare (FbDocument *doc, const FbStepPosition *from)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (!doc->row || (!from && !doc->compares) || (from && !fb_step_position_exists (doc->row, *from)))
    return;
  doc->compares = from != NULL;
  if (from)
    doc->compare_from = *from;
  g_signal_emit (doc, fb_document_signals[FB_SIGNAL_MOVED], 0);
  if (!shows_wanted (doc))
    fb_document_request_step (doc);
}

gboolean
fb_document_get_compare (FbDocument *doc, FbStepPosition *from)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  if (doc->compares && from)
    *from = doc->compare_from;
  return doc->compares;
}

void
fb_document_set_view_state (FbDocument *doc, FbViewState *state)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc) && state);
  if (state == doc->view_state)
    return;
  fb_view_state_ref (state);
  fb_view_state_unref (doc->view_state);
  doc->view_state = state;
  fb_document_request_step (doc);
}

FbViewState *
fb_document_get_view_state (FbDocument *doc)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), NULL);
  return doc->view_state;
}

/* --- history of jumps --- */

/* history[history_at] is where we are, steps since the last jump included. */
static void
update_history (FbDocument *doc)
{
  FbPlace here = { doc->row_number, doc->pass, doc->step };
  if (doc->history->len == 0)
    g_array_append_val (doc->history, here);
  else
    g_array_index (doc->history, FbPlace, doc->history_at) = here;
}

void
fb_document_note_jump (FbDocument *doc, guint row, guint pass, guint step)
{
  update_history (doc);
  FbPlace there = { row, pass, step };
  g_array_set_size (doc->history, doc->history_at + 1);
  g_array_append_val (doc->history, there);
  doc->history_at++;
}

void
fb_document_jump (FbDocument *doc, guint pass, guint step)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (!doc->row || (pass == doc->pass && step == doc->step))
    return;
  fb_document_note_jump (doc, doc->row_number, pass, step);
  fb_document_go (doc, pass, step);
}

gboolean
fb_document_can_travel (FbDocument *doc, int direction)
{
  g_return_val_if_fail (FB_IS_DOCUMENT (doc), FALSE);
  return direction < 0 ? doc->history_at > 0 : doc->history_at + 1 < doc->history->len;
}

void
fb_document_travel (FbDocument *doc, int direction)
{
  if (!fb_document_can_travel (doc, direction))
    return;
  update_history (doc);
  doc->history_at += direction;
  FbPlace place = g_array_index (doc->history, FbPlace, doc->history_at);
  if (place.row == doc->row_number && doc->row)
    fb_document_go (doc, place.pass, place.step);
  else
    fb_document_load_at (doc, place.row, place.pass, place.step);
}

/* --- the selection --- */

void
fb_document_select (FbDocument *doc, FbUop *uop)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (!doc->view || (uop == doc->selection.uop && doc->selection.mine))
    return;
  /* A click on what an older picture showed. */
  if (uop && fb_graph_find (fb_step_view_whole (doc->view), uop) == FB_GRAPH_NONE)
    return;
  take_selection (doc, uop, TRUE);
  fb_document_request_node (doc);
}

void
fb_document_set_partner (FbDocument *doc, FbUop *uop)
{
  g_return_if_fail (FB_IS_DOCUMENT (doc));
  if (uop && (!doc->view || fb_graph_find (fb_step_view_whole (doc->view), uop) == FB_GRAPH_NONE))
    uop = NULL;
  if (uop == doc->partner)
    return;
  doc->partner = uop;
  fb_document_request_node (doc);
}
