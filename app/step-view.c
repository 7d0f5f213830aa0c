#include "app/step-view.h"

#include <string.h>

#include "app/bindings.h"
#include "app/step-follow.h"
#include "core/ir/text.h"

const FbShapeTracker *
fb_tracker_of (FbContext *context, FbUop *uop)
{
  const FbShapeTracker *st = fb_uop_st (context, uop);
  if (!st)
    fb_context_take_error (context, NULL);
  return st;
}

char *
fb_node_type_text (FbContext *context, FbUop *uop)
{
  const FbShapeTracker *st = fb_tracker_of (context, uop);
  if (!st || !st->shape->n)
    return g_strdup (uop->dtype->short_name);
  g_autofree char *shape = fb_dims_to_display (context, st->shape, "×");
  return g_strdup_printf ("%s %s", uop->dtype->short_name, shape);
}

FbMark
fb_step_view_mark (const FbStepView *view, const FbUop *uop)
{
  const FbGraph *graph = fb_step_view_whole (view);
  guint32 card = fb_graph_find (graph, uop);
  return card == FB_GRAPH_NONE || graph->nodes[card].uop != uop ? FB_MARK_SAME : graph->nodes[card].mark;
}

static void
clear_link (gpointer data)
{
  g_free (((FbNodeLink *) data)->type);
}

GArray *
fb_node_links_new (void)
{
  GArray *links = g_array_new (FALSE, FALSE, sizeof (FbNodeLink));
  g_array_set_clear_func (links, clear_link);
  return links;
}

void
fb_node_link_add (GArray *links, const FbStepView *view, const char *name, FbUop *uop)
{
  FbContext *context = fb_step_view_context (view);
  FbNodeLink link = { .name = name,
                      .uop = uop,
                      .op = fb_op_name (uop->op),
                      .kind = fb_op_kind (uop->op),
                      .mark = fb_step_view_mark (view, uop) };
  link.type = fb_node_type_text (context, uop);
  fb_uop_key_hex (context, uop, link.key);
  g_array_append_val (links, link);
}

static GArray *
match_links (const FbStepView *view)
{
  GArray *links = fb_node_links_new ();
  const FbMatch *match = fb_step_view_match (view);
  if (!match)
    return links;
  g_autoptr (GArray) bindings = fb_bindings_new (view->record->context, view->row->passes[view->pass].pass, match);
  gboolean named = bindings->len && g_array_index (bindings, FbBinding, 0).uop == match->before;
  if (!named)
    fb_node_link_add (links, view, "match", match->before);
  for (guint i = 0; i < bindings->len; i++)
    {
      const FbBinding *binding = &g_array_index (bindings, FbBinding, i);
      fb_node_link_add (links, view, binding->name, binding->uop);
    }
  if (match->after)
    fb_node_link_add (links, view, "result", match->after);
  return links;
}

/* The card that shows the same node as @selection did in @before's scene. */
static guint32
follow (const FbGraph *graph, const FbStepView *before, const FbSelection *selection)
{
  guint32 rebuilt = FB_GRAPH_NONE;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      if (graph->nodes[i].key == selection->key)
        return i;
      if (graph->nodes[i].was_key == selection->key)
        rebuilt = i;
    }
  if (rebuilt != FB_GRAPH_NONE || !before)
    return rebuilt;
  /* What was replaced lives on in its replacement. */
  const FbGraph *old = fb_step_view_whole (before);
  guint32 card = selection->uop ? fb_graph_find (old, selection->uop) : FB_GRAPH_NONE;
  if (card == FB_GRAPH_NONE || old->nodes[card].becomes == FB_GRAPH_NONE)
    return FB_GRAPH_NONE;
  guint64 key = old->nodes[old->nodes[card].becomes].key;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (graph->nodes[i].key == key || graph->nodes[i].was_key == key)
      return i;
  return FB_GRAPH_NONE;
}

/* What @selection became, or was, where there is a history of the row to tell. */
static FbUop *
follow_history (FbStepView *view, FbStepView *before, const FbSelection *selection)
{
  if (!before || before->row != view->row || !view->row->index || before->pass >= view->row->n_passes)
    return NULL;
  guint32 life = fb_step_view_find_life (before, selection->uop);
  return life == FB_LIFE_NONE ? NULL : fb_step_view_find_node (view, life);
}

static FbUop *
select_in (FbStepView *view, FbStepView *before, const FbSelection *selection, gboolean *kept)
{
  const FbGraph *graph = fb_step_view_whole (view);
  FbUop *wanted = NULL;
  if (selection && selection->wanted_life)
    wanted = fb_step_view_find_node (view, selection->wanted_life - 1);
  if (wanted)
    {
      *kept = TRUE;
      return wanted;
    }
  if (selection && selection->mine && (selection->uop || selection->key))
    {
      *kept = TRUE;
      if (selection->uop && fb_graph_find (graph, selection->uop) != FB_GRAPH_NONE)
        return selection->uop;
      FbUop *followed = follow_history (view, before, selection);
      if (followed)
        return followed;
      guint32 card = follow (graph, before, selection);
      if (card != FB_GRAPH_NONE)
        return graph->nodes[card].uop;
      *kept = FALSE;
    }
  /* Otherwise what the step is about. */
  if (!view->record || !view->record->after)
    return NULL;
  FbUop *about = view->side == FB_GRAPH_BEFORE ? view->record->before : view->record->after;
  return fb_graph_find (graph, about) != FB_GRAPH_NONE ? about : NULL;
}

gboolean
fb_step_wanted_equal (const FbStepWanted *a, const FbStepWanted *b)
{
  return fb_step_position_equal (a->at, b->at) && a->side == b->side && a->both == b->both && a->compares == b->compares
         && (!a->compares || fb_step_position_equal (a->from, b->from));
}

/* The step, or what is different since another. */
static FbStep *
make_record (FbRowView *row, const FbStepWanted *wanted, GError **error)
{
  g_autoptr (FbStep) step = fb_row_view_step (row, FB_STEPS_OF_PERSON, wanted->at.pass, wanted->at.step, error);
  if (!step || !wanted->compares)
    return g_steal_pointer (&step);
  /* By the stepper of searches: the person's stays where the next step will be asked for. */
  g_autoptr (FbStep) from = fb_row_view_step (row, FB_STEPS_OF_SEARCH, wanted->from.pass, wanted->from.step, error);
  return from ? fb_step_new_compare_steps (row->context, from, step) : NULL;
}

FbStepView *
fb_step_view_new (FbRowView *row, const FbStepWanted *wanted, FbViewBase *base, FbStepView *before,
                  const FbSelection *selection, FbMetrics metrics, GCancellable *cancellable, GError **error)
{
  g_autoptr (FbStepView) view = g_new0 (FbStepView, 1);
  gint64 begin = g_get_monotonic_time ();
  g_atomic_ref_count_init (&view->refs);
  view->row = fb_row_view_ref (row);
  view->wanted = *wanted;
  view->pass = wanted->at.pass;
  view->step = wanted->at.step;
  view->side = wanted->side;
  view->base = fb_view_base_ref (base);
  g_autoptr (FbGraph) graph = NULL;
  if (view->pass < row->n_passes)
    {
      view->record = make_record (row, wanted, error);
      if (!view->record)
        return NULL;
      graph = fb_graph_new_from_step (view->record->context, view->record, view->side);
    }
  else
    graph = fb_graph_new_from_sink (row->context, row->row->sink);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  const FbGraph *whole = before && before->row == row ? fb_step_view_whole (before) : NULL;
  FbStepGraph step = { graph, fb_step_view_context (view), view->step, view->step ? view->step - 1 : 0 };
  if (wanted->compares)
    step.former = wanted->from.pass == view->pass ? wanted->from.step : view->step;
  view->scene = fb_view_base_scene (base, &step, whole, &metrics, cancellable, error);
  if (!view->scene)
    return NULL;
  if (wanted->both && view->record)
    {
      g_autoptr (FbGraph) left = fb_graph_new_from_step (view->record->context, view->record, FB_GRAPH_BEFORE);
      view->left = fb_scene_new (left, &metrics, view->scene, cancellable, error);
      if (!view->left)
        return NULL;
    }
  view->match = match_links (view);
  view->selected = select_in (view, before, selection, &view->kept);
  if (before && before->row == row)
    {
      view->from = fb_graph_match (view->scene->graph, before->scene->graph);
      view->from_scene = fb_scene_ref (before->scene);
      view->moves = fb_scene_moves (view->scene, before->scene, view->from);
    }
  view->ms = (double) (g_get_monotonic_time () - begin) / 1000;
  return g_steal_pointer (&view);
}

FbStepView *
fb_step_view_ref (FbStepView *view)
{
  g_atomic_ref_count_inc (&view->refs);
  return view;
}

void
fb_step_view_unref (FbStepView *view)
{
  if (!view || !g_atomic_ref_count_dec (&view->refs))
    return;
  g_clear_pointer (&view->scene, fb_scene_unref);
  g_clear_pointer (&view->left, fb_scene_unref);
  g_clear_pointer (&view->from_scene, fb_scene_unref);
  g_clear_pointer (&view->base, fb_view_base_unref);
  g_clear_pointer (&view->match, g_array_unref);
  g_clear_pointer (&view->record, fb_step_free);
  g_clear_pointer (&view->row, fb_row_view_unref);
  g_free (view->from);
  g_free (view);
}

const FbGraph *
fb_step_view_whole (const FbStepView *view)
{
  return fb_graph_get_whole (view->scene->graph);
}

const FbPassView *
fb_step_view_pass (const FbStepView *view)
{
  return view->pass < view->row->n_passes ? &view->row->passes[view->pass] : NULL;
}

const FbMatch *
fb_step_view_match (const FbStepView *view)
{
  const FbPassView *pass = fb_step_view_pass (view);
  if (!pass || view->step == 0 || view->step > pass->n_steps)
    return NULL;
  return fb_pass_match (pass->pass, view->step - 1);
}

FbContext *
fb_step_view_context (const FbStepView *view)
{
  return view->record ? view->record->context : view->row->context;
}

gboolean
fb_step_measure (FbRowView *row, guint pass, guint step, guint *touched, int *growth)
{
  g_autoptr (FbStep) record = fb_row_view_step (row, FB_STEPS_OF_HEAT, pass, step, NULL);
  if (!record)
    return FALSE;
  *touched = record->n_marks[FB_MARK_REPLACED] + record->n_marks[FB_MARK_NEW] + record->n_marks[FB_MARK_REBUILT];
  *growth = (int) record->n_marks[FB_MARK_NEW] - (int) record->n_marks[FB_MARK_REPLACED]
            - (int) record->n_marks[FB_MARK_GONE];
  return TRUE;
}

/* The nodes whose texts are compared; FALSE: nothing is. */
static gboolean
find_compared (const FbStepView *view, FbDiffScope scope, FbUop **before, FbUop **after)
{
  const FbStep *record = view->record;
  gboolean compares = view->wanted.compares, uop = scope == FB_SCOPE_UOP && !compares;
  if (!record || (!compares && (!record->before || !record->after)))
    return FALSE;
  *before = uop ? record->before : record->before_sink;
  *after = uop ? record->after : record->after_sink;
  return TRUE;
}

FbTextDiff *
fb_step_view_diff (FbStepView *view, FbDiffScope scope)
{
  FbUop *old, *new;
  if (!find_compared (view, scope, &old, &new))
    return NULL;
  g_autofree char *before = fb_uop_to_text (view->record->context, old);
  g_autofree char *after = fb_uop_to_text (view->record->context, new);
  return fb_text_diff_new (before, after, 3);
}

static guint64
short_key (FbContext *context, FbUop *uop)
{
  guint64 key;
  memcpy (&key, fb_uop_key (context, uop), sizeof key);
  return GUINT64_FROM_BE (key);
}

gboolean
fb_step_view_diff_keys (FbStepView *view, FbDiffScope scope, guint64 *before, guint64 *after)
{
  FbUop *old, *new;
  if (!find_compared (view, scope, &old, &new))
    return FALSE;
  *before = short_key (view->record->context, old);
  *after = short_key (view->record->context, new);
  return TRUE;
}
