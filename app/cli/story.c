/* `fusebox [open] FILE` without a display: what the window shows, as text. First what is inside the file, then a row's pass
 * rewrite by rewrite; with --step one rewrite in full. */
#include <string.h>

#include "core/rewrite/step.h"
#include "viz/textdiff.h"

#include "info.h"

typedef struct
{
  FbCliRows rows;
  char *pass, *screenshot;
  int step;
  /* of the window alone */
  char *page, *against, **sets, **actions;
  int width, height;
  gboolean dark, new_process;
  double text_scale;
} StoryOptions;

enum
{
  DIFF_CONTEXT = 3,  /* same lines kept around a change */
  MAX_COLUMNS = 160, /* of the line of a node */
};

/* "RESHAPE float 64×1  (64, 1)  of EXPAND": a node in one line. */
static char *
describe (FbContext *context, FbUop *uop)
{
  GString *line = g_string_new (fb_op_name (uop->op));
  g_string_append_printf (line, " %s", uop->dtype->short_name);
  const FbShapeTracker *st = fb_uop_st (context, uop);
  const FbDims *shape = st == NULL ? NULL : fb_uop_shape (context, uop);
  /* a node without a shape is no error here */
  g_autoptr (GError) ignored = NULL;
  fb_context_take_error (context, &ignored);
  if (shape != NULL)
    {
      g_autofree char *size = fb_dims_to_display (context, shape, "×");
      g_string_append_printf (line, " %s", size);
    }
  if (uop->arg.kind != FB_ARG_NONE && uop->op != FB_OP_VIEW)
    {
      g_string_append (line, "  ");
      fb_uop_append_argstr (context, uop, line);
    }
  if (uop->op == FB_OP_VIEW && uop->arg.kind == FB_ARG_ST)
    g_string_append_printf (line, "  %s", fb_st_repr (context, uop->arg.st));
  for (guint i = 0; i < uop->n_src; i++)
    g_string_append_printf (line, "%s%s", i == 0 ? _ ("  of ") : ", ", fb_op_name (uop->src[i]->op));
  g_autofree char *clean = fb_cli_clean_text (line->str);
  g_string_free (line, TRUE);
  if (g_utf8_strlen (clean, -1) <= MAX_COLUMNS)
    return g_steal_pointer (&clean);
  *g_utf8_offset_to_pointer (clean, MAX_COLUMNS - 1) = '\0';
  return g_strconcat (clean, "…", NULL);
}

static void
print_match (FbContext *context, const FbPass *pass, guint step)
{
  const FbMatch *match = fb_pass_match (pass, step - 1);
  const FbRule *rule = fb_rule_set_rule (pass->rules, match->rule);
  g_autofree char *before = describe (context, match->before), *after = describe (context, match->after);
  fb_cli_print (_ ("\nstep %u of %u  %s: %s  (%s)\n"), step, pass->matches->len, rule->name, rule->law, rule->location);
  fb_cli_print ("  - %s\n  + %s\n", before, after);
}

static gboolean
print_step (FbContext *context, const FbPass *pass, guint number)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStep) step = fb_step_new (context, pass, number, &error);
  if (step == NULL)
    {
      fb_cli_error (_ ("step %u: %s"), number, error->message);
      return FALSE;
    }
  if (number > 0)
    print_match (context, pass, number);
  g_autofree char *before = fb_uop_to_text (step->context, step->before_sink);
  g_autofree char *after = fb_uop_to_text (step->context, step->after_sink);
  if (number == 0)
    {
      fb_cli_print ("\n%s\n", before);
      return TRUE;
    }
  fb_cli_print (_ ("  in the graph: %u replaced, %u new, %u rebuilt, %u gone\n\n"), step->n_marks[FB_MARK_REPLACED],
                step->n_marks[FB_MARK_NEW], step->n_marks[FB_MARK_REBUILT], step->n_marks[FB_MARK_GONE]);
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (before, after, DIFF_CONTEXT);
  g_autofree char *text = fb_text_diff_to_text (diff);
  fb_cli_write (text, strlen (text));
  return TRUE;
}

/* "714 rewrites in 131 passes: simplify 259, realize 0, kernels 205, and 250 in 128 passes of 32 kernels" */
static void
print_passes (const FbSchedule *schedule)
{
  guint n_kernel_passes = 0, n_kernel_rewrites = 0, n_rewrites = 0;
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < schedule->kernels->len; i++)
    n_kernel_passes += fb_schedule_kernel (schedule, i)->n_passes;
  guint n_shared = schedule->passes->len - MIN (n_kernel_passes, schedule->passes->len);
  for (guint i = 0; i < schedule->passes->len; i++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, i);
      n_rewrites += pass->matches->len;
      if (i < n_shared)
        g_string_append_printf (names, "%s%s %u", i == 0 ? "" : ", ", pass->title, pass->matches->len);
      else
        n_kernel_rewrites += pass->matches->len;
    }
  fb_cli_print (_ ("  passes    %u rewrites in %u passes: %s"), n_rewrites, schedule->passes->len, names->str);
  if (n_kernel_passes > 0)
    fb_cli_print (_ ("; %u in %u passes of %u kernels"), n_kernel_rewrites, n_kernel_passes, schedule->kernels->len);
  fb_cli_print ("\n");
}

static int
tell_pass (const StoryOptions *options, const char *path, FbContext *context, FbCaptureRow *row, guint n_rows)
{
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  g_autofree char *missing = NULL;
  if (schedule->passes->len == 0)
    {
      g_autofree char *message = fb_cli_schedule_error (path, row->row, schedule);
      fb_cli_error ("%s", message);
      return FB_EXIT_FAILED;
    }
  guint number = options->pass == NULL ? 1 : fb_cli_find_pass (schedule, options->pass, &missing);
  if (number == 0)
    {
      fb_cli_error (_ ("%s: row %u: %s"), path, row->row, missing);
      return FB_EXIT_FAILED;
    }
  const FbPass *pass = fb_schedule_pass (schedule, number - 1);
  guint n = pass->matches->len;
  print_passes (schedule);
  fb_cli_print (
      ngettext ("\nrow %u of %u, pass %u %s (%s): %u rewrite\n", "\nrow %u of %u, pass %u %s (%s): %u rewrites\n", n),
      row->row, n_rows, number, pass->title, pass->location, n);
  if (options->step > (int) n)
    {
      fb_cli_error (_ ("%s: row %u: pass %s: no step %d, it has %u"), path, row->row, pass->title, options->step, n);
      return FB_EXIT_FAILED;
    }
  if (options->step >= 0)
    return print_step (context, pass, (guint) options->step) ? FB_EXIT_OK : FB_EXIT_FAILED;
  for (guint step = 1; step <= n; step++)
    print_match (context, pass, step);
  if (pass->result != NULL)
    fb_cli_print (_ ("\n%u nodes became %u.\n"), fb_cli_count_nodes (context, pass->sink),
                  fb_cli_count_nodes (context, pass->result));
  if (schedule->error == NULL)
    return FB_EXIT_OK;
  g_autofree char *message = fb_cli_schedule_error (path, row->row, schedule);
  fb_cli_error ("%s", message);
  return FB_EXIT_FAILED;
}

static int
tell (const StoryOptions *options, const char *path)
{
  FbRowKind kind;
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_cli_open (path, options->rows.release);
  if (capture == NULL || !fb_cli_rows_resolve (&options->rows, capture, &kind))
    return FB_EXIT_FAILED;
  guint number = options->rows.row > 0 ? (guint) options->rows.row : 1;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, kind, number, context, &error);
  g_autoptr (FbRowFacts) facts = fb_row_facts_new (context, row, error);
  FbFileTotals totals;
  fb_info_print_head (capture);
  if (row == NULL)
    {
      fb_cli_error ("%s", error->message);
      return FB_EXIT_FAILED;
    }
  fb_file_totals_init (&totals);
  fb_file_totals_add (&totals, facts);
  fb_info_print_totals (&totals);
  fb_file_totals_clear (&totals);
  if (kind != FB_ROW_KERNEL)
    return tell_pass (options, path, context, row, fb_capture_n_rows (capture, kind));
  g_autofree char *text = fb_uop_to_text (context, row->sink);
  fb_cli_print ("\n%s\n", text);
  return FB_EXIT_OK;
}

int
fb_cli_story (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  StoryOptions o = { .rows = FB_CLI_ROWS_INIT, .step = -1 };
  char *open_words[argc + 1];
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o.rows.row, N_ ("The row, from 1"), "K" },
    { "kind", 0, 0, G_OPTION_ARG_STRING, &o.rows.kind_name, N_ ("schedule, graph or kernel rows"), "KIND" },
    { "pass", 'p', 0, G_OPTION_ARG_STRING, &o.pass, N_ ("The pass, by number or title"), "P" },
    { "step", 's', 0, G_OPTION_ARG_INT, &o.step, N_ ("The rewrite of the pass, from 1; 0 is its input"), "S" },
    { "screenshot", 0, 0, G_OPTION_ARG_FILENAME, &o.screenshot, N_ ("Draw the window into this file and exit"), "OUT" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o.rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "page", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &o.page, NULL, NULL },
    { "do", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING_ARRAY, &o.actions, NULL, NULL },
    { "set", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING_ARRAY, &o.sets, NULL, NULL },
    { "against", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &o.against, NULL, NULL },
    { "width", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &o.width, NULL, NULL },
    { "height", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &o.height, NULL, NULL },
    { "dark", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.dark, NULL, NULL },
    { "high-contrast", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.dark, NULL, NULL },
    { "text-scale", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_DOUBLE, &o.text_scale, NULL, NULL },
    { "new-window", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.new_process, NULL, NULL },
    { "new-process", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.new_process, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  int status = FB_EXIT_FAILED;
  for (int i = 0; i <= argc; i++)
    open_words[i] = argv[i];
  open_words[0] = (char *) "open";
  if (fb_cli_parse (argc, open_words, entries, "FILE",
                    _ ("Opens the window; without a display prints the same as text.")))
    {
      const char *path = fb_cli_one_file (files, "open");
      const char *needs = o.screenshot != NULL ? "--screenshot"
                          : o.page != NULL     ? "--page"
                          : o.against != NULL  ? "--against"
                          : o.sets != NULL     ? "--set"
                                               : NULL;
      if (path != NULL && needs != NULL)
        fb_cli_error (_ ("%s: %s needs a display"), path, needs);
      else if (path != NULL)
        status = fb_cli_finish (tell (&o, path));
    }
  fb_cli_rows_clear (&o.rows);
  g_free (o.pass);
  g_free (o.screenshot);
  g_free (o.page);
  g_free (o.against);
  g_strfreev (o.sets);
  g_strfreev (o.actions);
  return status;
}
