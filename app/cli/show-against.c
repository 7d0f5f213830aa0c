/* fusebox show --against: what is different between two steps, of any passes. */
#include <string.h>

#include "core/rewrite/stepper.h"
#include "show-private.h"
#include "viz/textdiff.h"

/* Lines the same around a change. */
#define CONTEXT_LINES 3

/* The place that "PASS:STEP" names; without a step the pass's result. FALSE, having complained. */
static gboolean
find_place (const FbShow *show, const FbSchedule *schedule, const char *text, const FbPass **pass, guint *step)
{
  g_autofree char *name = g_strdup (text), *missing = NULL;
  char *colon = strrchr (name, ':');
  guint number;
  guint64 value;

  if (colon != NULL)
    *colon = '\0';
  number = fb_cli_find_pass (schedule, name, &missing);
  if (number == 0)
    {
      fb_cli_error (_ ("%s: row %u: %s"), show->path, show->row->row, missing);
      return FALSE;
    }
  *pass = fb_schedule_pass (schedule, number - 1);
  *step = (*pass)->matches->len;
  if (colon == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (colon + 1, 10, 0, (*pass)->matches->len, &value, NULL))
    {
      fb_cli_error (_ ("%s: row %u: pass %s: no step %s, it has %u"), show->path, show->row->row, (*pass)->title,
                    colon + 1, (*pass)->matches->len);
      return FALSE;
    }
  *step = (guint) value;
  return TRUE;
}

static FbStep *
make_step (const FbShow *show, const FbPass *pass, guint number)
{
  g_autoptr (GError) error = NULL;
  FbStep *step = fb_step_new (show->context, pass, number, &error);

  if (step == NULL)
    fb_cli_error (_ ("%s: row %u: pass %s: step %u: %s"), show->path, show->row->row, pass->title, number,
                  error->message);
  return step;
}

static void
append_count (GString *text, guint n, const char *word)
{
  g_string_append_printf (text, "  %7u %s", n, word);
}

static void
append_title (GString *text, const FbPass *pass, guint step)
{
  if (pass->kernel)
    g_string_append_printf (text, "kernel %u, ", pass->kernel);
  g_string_append_printf (text, "%s, step %u of %u", pass->title, step, pass->matches->len);
}

static char *
describe (const FbStep *compared, const FbPass *from, guint from_step, const FbPass *to, guint to_step)
{
  FbStepEdges edges = fb_step_count_edges (compared);
  GString *text = g_string_new ("from   ");
  g_autoptr (GString) before = g_string_new (NULL), after = g_string_new (NULL);
  g_autoptr (FbTextDiff) diff = NULL;
  g_autofree char *lines = NULL;

  append_title (text, from, from_step);
  g_string_append (text, "\nto     ");
  append_title (text, to, to_step);
  g_string_append (text, "\nnodes");
  append_count (text, compared->n_marks[FB_MARK_SAME], "same");
  append_count (text, compared->n_marks[FB_MARK_REBUILT], "changed");
  append_count (text, compared->n_marks[FB_MARK_NEW], "new");
  append_count (text, compared->n_marks[FB_MARK_REPLACED] + compared->n_marks[FB_MARK_GONE], "gone");
  g_string_append (text, "\nedges");
  append_count (text, edges.n_same, "same");
  g_string_append_printf (text, "%17s", ""); /* an edge is there or not */
  append_count (text, edges.n_new, "new");
  append_count (text, edges.n_gone, "gone");
  g_string_append (text, "\n\n");
  fb_uop_append_text (compared->context, compared->before_sink, before);
  fb_uop_append_text (compared->context, compared->after_sink, after);
  diff = fb_text_diff_new (before->str, after->str, CONTEXT_LINES);
  lines = fb_text_diff_to_text (diff);
  g_string_append (text, lines);
  return g_string_free (text, FALSE);
}

int
fb_show_against (const FbShow *show, const FbSchedule *schedule, const FbPass *pass, guint number)
{
  const FbPass *from_pass;
  guint from_number;
  g_autoptr (FbStep) from = NULL, to = NULL, compared = NULL;

  if (!find_place (show, schedule, show->against, &from_pass, &from_number))
    return FB_EXIT_FAILED;
  from = make_step (show, from_pass, from_number);
  to = from != NULL ? make_step (show, pass, number) : NULL;
  if (to == NULL)
    return FB_EXIT_FAILED;
  compared = fb_step_new_compare_steps (show->context, from, to);
  if (show->format == FB_SHOW_TEXT)
    {
      g_autofree char *text = describe (compared, from_pass, from_number, pass, number);
      return fb_cli_write_out (show->out, text, strlen (text)) ? FB_EXIT_OK : FB_EXIT_FAILED;
    }
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (compared->context, compared, FB_GRAPH_OVERLAY);
  return fb_show_drawing (show, graph);
}
