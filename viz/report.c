#include "report.h"

#include <string.h>

#include "core/ir/text.h"
#include "core/rewrite/stepper.h"
#include "viz/export-private.h"
#include "viz/graph-shown.h"
#include "viz/textdiff.h"

/* Cards of a picture. */
#define CARDS_MAX 60
/* Lines of a node's text that are compared: what a rule changes is at its top. */
#define LINES_MAX 80
#define CONTEXT 3

struct _FbReport
{
  FbContext *context;
  const FbPass *pass;
  FbStepper *stepper;
  guint first, last, next;
  FbMetrics metrics;
  GString *out;
};

static void
append_theme (GString *out, gboolean dark)
{
  static const struct
  {
    const char *name;
    FbColor color;
  } variables[] = {
    { "view", FB_COLOR_VIEW },         { "window", FB_COLOR_WINDOW },     { "text", FB_COLOR_TEXT },
    { "dim", FB_COLOR_DIM },           { "border", FB_COLOR_BORDER },     { "accent", FB_COLOR_ACCENT },
    { "canvas", FB_COLOR_CANVAS },     { "chip", FB_COLOR_CHIP },         { "new", FB_COLOR_NEW },
    { "new-tint", FB_COLOR_NEW_TINT }, { "replaced", FB_COLOR_REPLACED }, { "replaced-tint", FB_COLOR_REPLACED_TINT },
  };
  g_string_append (out, ":root{");
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_string_append_printf (out, "--%s:#%06x;", variables[i].name, fb_color_rgb (variables[i].color, dark));
  g_string_append (out, "}\n");
  fb_export_append_style (out, dark);
}

static void
append_style (GString *out)
{
  g_string_append (out, "<style>\n:root{color-scheme:light dark}\n");
  append_theme (out, FALSE);
  g_string_append (out, "@media (prefers-color-scheme:dark){\n");
  append_theme (out, TRUE);
  g_string_append (
      out, "}\n*{box-sizing:border-box}\n"
           "body{margin:0;background:var(--view);color:var(--text);font:13px/18px system-ui,sans-serif;"
           "display:grid;grid-template-columns:minmax(220px,320px) minmax(0,1fr);grid-template-rows:auto minmax(0,1fr);"
           "height:100vh}\n"
           "header{grid-column:1/3;padding:12px 24px;border-bottom:1px solid var(--border);background:var(--window)}\n"
           "h1{margin:0;font-size:18px;line-height:24px}\nh2{margin:0 0 6px;font-size:14px}\n"
           "header p,.facts{margin:0;color:var(--dim)}\n"
           "nav{overflow:auto;padding:12px;border-right:1px solid var(--border);background:var(--window)}\n"
           "nav ol{margin:0;padding:0;list-style:none;font:12px/22px monospace}\n"
           "nav a{display:flex;gap:8px;color:inherit;text-decoration:none;padding:0 "
           "6px;border-radius:4px;white-space:nowrap}\n"
           "nav a:hover{background:var(--chip)}\nnav .n{flex:none;min-width:4ch;text-align:right;color:var(--dim)}\n"
           "nav .r{overflow:hidden;text-overflow:ellipsis}\n"
           "main{overflow:auto;padding:0 24px 48px}\n"
           "section{padding:18px 0;border-bottom:1px solid var(--border)}\n"
           "section:target h2{color:var(--accent)}\n"
           "code,pre{font:12px/19px monospace}\n"
           ".law{display:inline-block;margin:0 0 6px;padding:4px 8px;background:var(--chip);border-radius:6px;"
           "white-space:pre-wrap}\n"
           ".facts span{margin-right:18px}\n"
           "figure{margin:12px 0;padding:6px;background:var(--canvas);border-radius:6px;overflow:auto}\n"
           "figure svg{display:block;margin:auto}\n"
           ".diff{margin:12px 0 0;overflow:auto;border:1px solid var(--border);border-radius:6px;padding:6px 0}\n"
           ".diff span{display:block;padding:0 12px;min-width:max-content}\n"
           ".diff .old{color:var(--replaced);background:var(--replaced-tint)}\n"
           ".diff .new{color:var(--new);background:var(--new-tint)}\n"
           ".diff .rest{color:var(--dim)}\n.diff b{text-decoration:underline}\n"
           "@media (max-width:720px){body{display:block;height:auto}nav{border-right:0;max-height:40vh}}\n"
           "@media print{body{display:block;height:auto}nav,main{overflow:visible}figure,.diff{break-inside:avoid}}\n"
           "</style>\n");
}

static void
append_list (FbReport *report)
{
  GString *out = report->out;
  g_string_append (out, "<nav><h2>Steps</h2>\n<ol>\n");
  for (guint step = report->first; step <= report->last; step++)
    {
      const FbMatch *match = fb_pass_match (report->pass, step - 1);
      const FbRule *rule = fb_rule_set_rule (report->pass->rules, match->rule);
      g_string_append_printf (out, "<li><a href=\"#s%u\" title=\"", step);
      fb_xml_append (out, rule->name);
      g_string_append_printf (out, "\"><span class=\"n\">%u</span><span class=\"r\">%s → %s</span></a></li>\n", step,
                              fb_op_name (match->before->op), match->after ? fb_op_name (match->after->op) : "None");
    }
  g_string_append (out, "</ol></nav>\n");
}

FbReport *
fb_report_new (FbContext *context, const FbPass *pass, guint first, guint last, const FbReportInfo *info)
{
  FbReport *report = g_new0 (FbReport, 1);
  GString *out = report->out = g_string_new (NULL);

  g_return_val_if_fail (first > last || (first >= 1 && last <= pass->matches->len), report);
  report->context = context;
  report->pass = pass;
  report->stepper = fb_stepper_new (context, pass);
  report->first = report->next = first;
  report->last = last;
  report->metrics = info->metrics;
  g_string_append (out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                        "style-src 'unsafe-inline'\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
  fb_xml_append (out, info->file);
  g_string_append (out, ": ");
  fb_xml_append (out, pass->title);
  g_string_append (out, "</title>\n");
  append_style (out);
  g_string_append (out, "</head>\n<body>\n<header><h1>");
  fb_xml_append (out, info->file);
  g_string_append (out, ": ");
  fb_xml_append (out, pass->title);
  if (pass->kernel)
    g_string_append_printf (out, " of kernel %u", pass->kernel);
  g_string_append (out, "</h1><p>");
  fb_xml_append (out, info->row);
  g_string_append_printf (out, " · %u steps · ", pass->matches->len);
  fb_xml_append (out, pass->location);
  g_string_append (out, " · ");
  fb_xml_append (out, info->program);
  g_string_append (out, "</p></header>\n");
  append_list (report);
  g_string_append (out, "<main>\n");
  if (first > last)
    g_string_append (out, "<p>This pass changed nothing.</p>\n</main>\n</body>\n</html>\n");
  return report;
}

void
fb_report_free (FbReport *report)
{
  if (!report)
    return;
  g_clear_pointer (&report->stepper, fb_stepper_free);
  g_string_free (report->out, TRUE);
  g_free (report);
}

/* The first lines of a text, so that a long one costs no more than a short one. */
static char *
beginning_of (FbContext *context, FbUop *uop)
{
  char *text = fb_uop_to_text (context, uop), *end = text;
  for (guint i = 0; end && i < LINES_MAX; i++)
    {
      end = strchr (end, '\n');
      end = end ? end + 1 : NULL;
    }
  if (end)
    *end = '\0';
  return text;
}

static void
append_spans (GString *out, const FbTextDiff *diff, const FbDiffRow *row)
{
  guint32 at = 0;
  for (guint32 i = 0; i <= row->n_spans; i++)
    {
      const FbDiffSpan *span = i < row->n_spans ? &diff->spans[row->first_span + i] : NULL;
      guint32 start = span ? span->start : row->len;
      g_autofree char *same = g_strndup (row->text + at, start - at);
      fb_xml_append (out, same);
      if (!span)
        break;
      g_autofree char *changed = g_strndup (row->text + start, span->len);
      g_string_append (out, "<b>");
      fb_xml_append (out, changed);
      g_string_append (out, "</b>");
      at = start + span->len;
    }
}

static void
append_diff (FbReport *report, const FbStep *step)
{
  g_autofree char *before = beginning_of (step->context, step->before), *after = NULL;
  GString *out = report->out;
  if (!step->after)
    return;
  after = beginning_of (step->context, step->after);
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (before, after, CONTEXT);
  g_string_append (out, "<pre class=\"diff\">");
  for (guint32 i = 0; i < diff->n_rows; i++)
    {
      static const char *const classes[] = { "same", "old", "new", "rest" };
      static const char signs[] = " -+";
      const FbDiffRow *row = &diff->rows[i];
      g_string_append_printf (out, "<span class=\"%s\">", classes[row->kind]);
      if (row->kind == FB_DIFF_SKIPPED)
        g_string_append_printf (out, "⋯ %u lines the same", row->len);
      else
        {
          g_string_append_printf (out, "%c ", signs[row->kind]);
          append_spans (out, diff, row);
        }
      g_string_append (out, "</span>");
    }
  g_string_append (out, "</pre>\n");
}

/* What the rule replaced and made, and what is one edge away. */
static FbGraph *
neighbourhood (FbGraph *whole)
{
  g_autofree guint8 *set = g_new0 (guint8, MAX (whole->n_nodes, 1)), *core = NULL;
  guint n = 0;

  for (guint32 i = 0; i < whole->n_nodes; i++)
    set[i] = whole->nodes[i].mark == FB_MARK_REPLACED || whole->nodes[i].mark == FB_MARK_NEW;
  core = g_memdup2 (set, MAX (whole->n_nodes, 1));
  fb_graph_grow (whole, set, 1);
  for (guint32 i = 0; i < whole->n_nodes; i++)
    n += core[i];
  for (guint32 i = 0; i < whole->n_nodes; i++)
    if (set[i] && !core[i] && ++n > CARDS_MAX)
      set[i] = FALSE;
  for (guint32 i = 0; i < whole->n_nodes; i++)
    set[i] = !set[i];
  FbShownInput input = { .hidden = set };
  FbGraph *shown = fb_graph_new_shown (whole, &input);
  return shown ? shown : fb_graph_ref (whole);
}

static gboolean
append_picture (FbReport *report, const FbStep *step, GError **error)
{
  g_autoptr (FbGraph) whole = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
  g_autoptr (FbGraph) shown = neighbourhood (whole);
  g_autoptr (FbScene) scene = fb_scene_new (shown, &report->metrics, NULL, NULL, error);
  FbExportOptions options = FB_EXPORT_OPTIONS_INIT;
  guint32 n_hidden = fb_graph_n_hidden (shown);

  if (!scene)
    return FALSE;
  g_string_append_printf (report->out,
                          "<p class=\"facts\"><span>replaced %u</span><span>new %u</span><span>rebuilt %u</span>"
                          "<span>gone %u</span><span>same %u</span>",
                          whole->n_marks[FB_MARK_REPLACED], whole->n_marks[FB_MARK_NEW],
                          whole->n_marks[FB_MARK_REBUILT], whole->n_marks[FB_MARK_GONE],
                          whole->n_marks[FB_MARK_SAME] + whole->n_folded);
  if (n_hidden)
    g_string_append_printf (report->out, "<span>%u cards farther away are not drawn</span>", n_hidden);
  g_string_append (report->out, "</p>\n<figure>");
  options.bare = TRUE;
  options.prefix = step->step;
  g_autofree char *svg = fb_export_svg (scene, &options, NULL);
  g_string_append (report->out, svg);
  g_string_append (report->out, "</figure>\n");
  return TRUE;
}

gboolean
fb_report_add (FbReport *report, guint *done, GError **error)
{
  GString *out = report->out;
  if (report->next > report->last || report->first > report->last)
    return FALSE;
  g_autoptr (FbStep) step = fb_stepper_step (report->stepper, report->next, error);
  if (!step)
    return FALSE;
  g_string_append_printf (out, "<section id=\"s%u\"><h2>%u · ", report->next, report->next);
  fb_xml_append (out, step->rule->name);
  g_string_append (out, "</h2>\n<code class=\"law\">");
  fb_xml_append (out, step->rule->law);
  g_string_append (out, "</code>\n<p class=\"facts\"><span>");
  fb_xml_append (out, step->rule->location);
  g_string_append (out, "</span></p>\n");
  if (!append_picture (report, step, error))
    return FALSE;
  append_diff (report, step);
  g_string_append (out, "</section>\n");
  if (report->next++ == report->last)
    g_string_append (out, "</main>\n</body>\n</html>\n");
  if (done)
    *done = report->next - report->first;
  return TRUE;
}

GBytes *
fb_report_take (FbReport *report)
{
  if (!report->out->len)
    return NULL;
  GBytes *bytes = g_bytes_new (report->out->str, report->out->len);
  g_string_truncate (report->out, 0);
  return bytes;
}
