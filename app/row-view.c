#include "app/row-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/ir/foreign.h"
#include "core/ir/text.h"
#include "core/viztrace/viztrace-schedule.h"

/* Set by everyone who captures; they change no schedule. */
static const char *const of_capturing[] = { "CAPTURE_PROCESS_REPLAY", "PICKLE_BUFFERS" };

static gboolean
is_of_capturing (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_capturing); i++)
    if (!strcmp (of_capturing[i], name))
      return TRUE;
  return FALSE;
}

static char *
options_text (const FbCaptureRow *row)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < row->vars->len; i++)
    {
      const FbContextVar *var = &g_array_index (row->vars, FbContextVar, i);
      if (!var->known || var->value == var->default_value || is_of_capturing (var->name))
        continue;
      if (text->len)
        g_string_append_c (text, ' ');
      g_string_append_printf (text, "%s=%" G_GINT64_FORMAT, var->name, var->value);
    }
  return g_string_free (text, FALSE);
}

static void
summarize (FbContext *context, const FbCaptureRow *row, FbRowSummary *summary)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, row->sink);
  summary->n_nodes = nodes->len;
  summary->n_kernels = row->kernels ? row->kernels->len : 0;
  summary->options = options_text (row);
  summary->n_runs = row->n_runs;
  summary->seconds = row->seconds;
  if (row->kind == FB_ROW_TRACE)
    {
      summary->kernel = g_strdup (row->kernel_name);
      summary->colored = g_strdup (row->colored_name);
    }
  else if (row->kind == FB_ROW_KERNEL)
    summary->kernel = g_strjoin (row->kernel_name && row->renderer ? " · " : "",
                                 row->kernel_name ? row->kernel_name : "", row->renderer ? row->renderer : "", NULL);
}

FbRowSummary *
fb_row_summary_new (FbCapture *capture, FbRowKind kind, guint number, FbContext *scratch)
{
  FbRowSummary *summary = g_new0 (FbRowSummary, 1);
  g_autoptr (GError) error = NULL;
  fb_context_reset (scratch);
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, kind, number, scratch, &error);
  if (row)
    summarize (scratch, row, summary);
  else
    summary->error = g_strdup (error->message);
  return summary;
}

void
fb_row_summary_free (FbRowSummary *summary)
{
  if (!summary)
    return;
  g_free (summary->options);
  g_free (summary->kernel);
  g_free (summary->colored);
  g_free (summary->error);
  g_free (summary);
}

/* "374" of "schedule.py:374" */
static char *
line_of (const char *location)
{
  const char *colon = location ? strrchr (location, ':') : NULL;
  return g_strdup (colon ? colon + 1 : "");
}

static char *
shape_text (FbRowView *row, FbUop *uop)
{
  const FbShapeTracker *st = uop && !fb_uop_is_foreign (uop) ? fb_uop_st (row->context, uop) : NULL;
  if (!st)
    {
      /* A node whose sources disagree has no shape; that is shown, not reported. */
      fb_context_take_error (row->context, NULL);
      return NULL;
    }
  g_autofree char *text = fb_dims_to_display (row->context, st->shape, "×");
  return g_string_chunk_insert_const (row->strings, text);
}

static void
take_passes (FbRowView *row)
{
  row->n_passes = row->schedule->passes->len;
  row->passes = g_new0 (FbPassView, row->n_passes);
  for (guint i = 0; i < row->n_passes; i++)
    {
      FbPassView *view = &row->passes[i];
      view->pass = g_ptr_array_index (row->schedule->passes, i);
      view->line = line_of (view->pass->location);
      view->kernel = view->pass->kernel;
      view->n_steps = view->pass->matches->len;
      view->first = row->n_steps + 1;
      view->step_shape = g_new0 (char *, view->n_steps);
      for (guint s = 0; s < view->n_steps; s++)
        view->step_shape[s] = shape_text (row, fb_pass_match (view->pass, s)->after);
      row->n_steps += view->n_steps;
    }
}

static guint
hash_match (gconstpointer data)
{
  const FbMatch *match = data;
  return g_direct_hash (match->before) * 31 + g_direct_hash (match->after);
}

static gboolean
equal_matches (gconstpointer a, gconstpointer b)
{
  const FbMatch *x = a, *y = b;
  return x->before == y->before && x->after == y->after;
}

static void
find_repeats (FbRowView *row)
{
  g_autoptr (GHashTable) first = g_hash_table_new (hash_match, equal_matches);
  row->repeat_of = g_new0 (guint32, row->n_steps + 1);
  for (guint i = 0; i < row->n_passes; i++)
    for (guint s = 0; s < row->passes[i].n_steps; s++)
      {
        gpointer match = fb_pass_match (row->passes[i].pass, s);
        guint position = row->passes[i].first + s;
        row->repeat_of[position - 1] = GPOINTER_TO_UINT (g_hash_table_lookup (first, match));
        if (!row->repeat_of[position - 1])
          g_hash_table_insert (first, match, GUINT_TO_POINTER (position));
      }
}

/* Schedules the row, and asks why. FALSE with @error when the scenario cannot be had: a schedule that fails as captured is shown
 * up to there. */
static gboolean
schedule_row (FbRowView *row, const FbScenario *scenario, GCancellable *cancellable, GError **error)
{
  FbForced forced = { NULL };
  if (scenario)
    {
      row->scenario = fb_scenario_copy (scenario);
      fb_scenario_apply (scenario, row->context, &forced);
    }
  row->schedule = fb_schedule_new_forced (row->context, row->row->sink, &forced, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (scenario && !fb_scenario_check (row->schedule, scenario, error))
    return FALSE;
  if (scenario)
    row->scenario_text = fb_scenario_to_text (scenario, row->schedule);
  if (!row->schedule->error)
    row->why = fb_row_why_new (row->schedule);
  return TRUE;
}

FbRowView *
fb_row_view_new (FbCapture *capture, FbRowKind kind, guint number, const FbScenario *scenario, FbStageFunc stage,
                 gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (FbRowView) row = g_new0 (FbRowView, 1);
  g_atomic_ref_count_init (&row->refs);
  row->number = number;
  row->kind = kind;
  row->strings = g_string_chunk_new (4096);
  row->context = fb_context_new ();

  guint n_rows = fb_capture_n_rows (capture, kind);
  /* Translators: which row of how many */
  g_autofree char *reading = g_strdup_printf (_ ("Reading row %u of %u"), number, n_rows);
  stage (data, 0.1, reading);
  row->row = fb_capture_read_row (capture, kind, number, row->context, error);
  if (!row->row)
    return NULL;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  summarize (row->context, row->row, &row->summary);
  if (kind == FB_ROW_KERNEL || (kind != FB_ROW_TRACE && row->row->sink->op != FB_OP_SINK))
    return g_steal_pointer (&row);

  g_autofree char *scheduling = g_strdup_printf (_ ("Scheduling row %u, %u nodes"), number, row->summary.n_nodes);
  stage (data, 0.4, scheduling);
  if (kind == FB_ROW_TRACE)
    {
      row->schedule = fb_viz_schedule_new (row->row->nodes, number - 1, cancellable);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
    }
  else if (!(row->bytes = fb_capture_read_blob (capture, kind, number, error))
           || !schedule_row (row, scenario, cancellable, error))
    return NULL;
  take_passes (row);
  find_repeats (row);
  return g_steal_pointer (&row);
}

const FbHistory *
fb_row_view_get_history (FbRowView *row)
{
  if (!row->history && row->schedule)
    row->history = fb_history_new (row->schedule, NULL);
  return row->history;
}

FbQueryIndex *
fb_row_view_get_index (FbRowView *row)
{
  if (!row->index && row->schedule)
    row->index = fb_query_index_new (fb_row_view_get_history (row));
  return row->index;
}

FbStep *
fb_row_view_step (FbRowView *row, FbStepsOf who, guint pass, guint step, GError **error)
{
  const FbPass *wanted = row->passes[pass].pass;
  FbStepper **stepper = &row->steppers[who];
  if (*stepper)
    fb_stepper_set_pass (*stepper, wanted);
  else
    *stepper = fb_stepper_new (row->context, wanted);
  return fb_stepper_step (*stepper, step, error);
}

FbRowView *
fb_row_view_ref (FbRowView *row)
{
  g_atomic_ref_count_inc (&row->refs);
  return row;
}

void
fb_row_view_unref (FbRowView *row)
{
  if (!row || !g_atomic_ref_count_dec (&row->refs))
    return;
  for (guint i = 0; i < row->n_passes; i++)
    {
      g_free (row->passes[i].line);
      g_free (row->passes[i].step_shape);
    }
  g_free (row->passes);
  g_free (row->repeat_of);
  g_clear_pointer (&row->index, fb_query_index_free);
  g_clear_pointer (&row->history, fb_history_free);
  for (guint i = 0; i < FB_N_STEPS_OF; i++)
    g_clear_pointer (&row->steppers[i], fb_stepper_free);
  fb_row_why_free (row->why);
  fb_scenario_free (row->scenario);
  g_free (row->scenario_text);
  g_clear_pointer (&row->bytes, g_bytes_unref);
  g_free (row->summary.options);
  g_free (row->summary.kernel);
  g_free (row->summary.colored);
  g_clear_pointer (&row->schedule, fb_schedule_free);
  g_clear_pointer (&row->row, fb_capture_row_free);
  g_clear_pointer (&row->context, fb_context_free);
  g_string_chunk_free (row->strings);
  g_free (row);
}

gboolean
fb_row_view_decides (const FbRowView *row, guint pass)
{
  return row->why && pass < row->n_passes && row->passes[pass].pass->rules == fb_realize_pass_rules ();
}

char *
fb_pass_view_title (const FbPassView *pass)
{
  /* Translators: number of a kernel, title of a pass over it */
  return pass->kernel ? g_strdup_printf (_ ("kernel %u, %s"), pass->kernel, pass->pass->title)
                      : g_strdup (pass->pass->title);
}

guint
fb_row_view_position (const FbRowView *row, guint pass, guint step)
{
  return pass < row->n_passes ? row->passes[pass].first - 1 + step : 0;
}

void
fb_row_view_locate (const FbRowView *row, guint position, guint *pass, guint *step)
{
  guint low = 0, high = row->n_passes;

  *pass = *step = 0;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (row->passes[middle].first <= position)
        low = middle + 1;
      else
        high = middle;
    }
  /* Passes without steps begin where the next one does, and those at the end beyond all steps. */
  while (low && !row->passes[low - 1].n_steps)
    low--;
  if (!low)
    return;
  *pass = low - 1;
  *step = MIN (position - row->passes[*pass].first + 1, row->passes[*pass].n_steps);
}
