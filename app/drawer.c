#include "app/drawer.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "app/breakpoint-panel.h"
#include "app/buffer-page.h"
#include "app/cli/count.h"
#include "app/diff-view.h"
#include "app/kernel-source.h"
#include "app/kernel-table.h"
#include "app/log-page.h"
#include "app/node-list.h"
#include "app/rules-table.h"
#include "app/tip.h"

struct _FbDrawerPanel
{
  GtkWidget parent_instance;
  GtkLabel *removed, *added, *same, *none;
  GtkLabel *node_count;
  GtkWidget *rule_controls, *measure;
  GtkWidget *counts, *source_tab, *code_tab, *scopes, *layouts, *copy;
  GtkEditable *node_filter;
  GtkStack *stack;
  FbKernelSource *source;
  FbNodeList *nodes;
  FbLogPage *log;
  FbRulesTable *rules;
  FbBreakpointPanel *breakpoints;
  FbKernelTable *kernels;
  FbScenarioList *scenarios;
  FbBufferPage *buffers;
  FbCodePage *code;
  FbBufferBar *buffer_bar;
  const char *tab; /* as fb_drawer_panel_set_tab() has it */
  FbDiffView *diff_view;
  FbDocument *doc;
};

G_DEFINE_FINAL_TYPE (FbDrawerPanel, fb_drawer_panel, GTK_TYPE_WIDGET)

static const char *
why_nothing (FbDrawerPanel *self)
{
  FbStepView *view = fb_document_get_view (self->doc);
  if (!view)
    return "";
  const FbPassView *pass = fb_step_view_pass (view);
  if (!pass)
    return _ ("No step made this graph.");
  if (!pass->n_steps)
    return fb_row_view_decides (view->row, view->pass) ? _ ("This pass replaces nothing: it decides what is stored.")
                                                       : "";
  return view->step ? _ ("The text is the same before and after this step.")
                    : _ ("The graph before the first step. → steps on.");
}

static gboolean
shows (FbDrawerPanel *self, const char *tab)
{
  return !strcmp (self->tab, tab);
}

static void
diffed (FbDrawerPanel *self)
{
  const FbTextDiff *diff = fb_document_get_diff (self->doc);
  gboolean changed = diff && (diff->n_removed || diff->n_added);
  gboolean shown = shows (self, "diff");
  fb_diff_view_set_diff (self->diff_view, diff);
  gtk_stack_set_visible_child_name (self->stack, shown && !changed ? "none" : self->tab);
  gtk_widget_set_opacity (self->counts, changed && shown ? 1 : 0);
  if (!changed)
    {
      gtk_label_set_label (self->none, why_nothing (self));
      return;
    }
  g_autofree char *removed = g_strdup_printf ("−%s", fb_count (diff->n_removed));
  g_autofree char *added = g_strdup_printf ("+%s", fb_count (diff->n_added));
  g_autofree char *same
      = g_strdup_printf (ngettext ("%s line the same", "%s lines the same", diff->n_same), fb_count (diff->n_same));
  gtk_label_set_label (self->removed, removed);
  gtk_label_set_label (self->added, added);
  gtk_label_set_label (self->same, same);
}

static void
nodes_counted (FbDrawerPanel *self)
{
  guint n_shown, n_all;
  if (!shows (self, "nodes"))
    return;
  fb_node_list_get_counts (self->nodes, &n_shown, &n_all);
  g_autofree char *text = n_shown == n_all
                              ? g_strdup_printf (ngettext ("%s node", "%s nodes", n_all), fb_count (n_all))
                              /* Translators: of a filtered list: shown, all */
                              : g_strdup_printf (_ ("%s of %s nodes"), fb_count (n_shown), fb_count (n_all));
  gtk_label_set_label (self->node_count, text);
  fb_tip_set (GTK_WIDGET (self->node_count), NULL);
}

static void
rules_counted (FbDrawerPanel *self)
{
  guint n_matched, n_all;
  if (!shows (self, "rules"))
    return;
  FbRuleTiming *timing = fb_document_get_timing (self->doc);
  g_autofree char *runs = fb_rule_timing_describe (timing);
  gtk_widget_set_visible (self->measure, fb_rule_timing_can_start (timing) || fb_rule_timing_is_running (timing));
  fb_rules_table_get_counts (self->rules, &n_matched, &n_all);
  g_autofree char *all = g_strdup (fb_count (n_all));
  /* Translators: rules that matched, of all rules */
  g_autofree char *text = g_strdup_printf (ngettext ("%s of %s rule matched", "%s of %s rules matched", n_all),
                                           fb_count (n_matched), all);
  /* Translators: two statements, with a dot between them */
  g_autofree char *both = runs ? g_strdup_printf (_ ("%s · %s"), text, runs) : g_strdup (text);
  gtk_label_set_label (self->node_count, both);
  fb_tip_set (GTK_WIDGET (self->node_count), both);
}

void
fb_drawer_panel_set_tab (FbDrawerPanel *self, const char *tab)
{
  g_return_if_fail (FB_IS_DRAWER_PANEL (self));
  static const char *const lists[]
      = { "nodes", "rules", "breakpoints", "log", "kernels", "scenarios", "buffers", "code" };
  self->tab = "diff";
  if (!strcmp (tab, "source") && fb_drawer_panel_has_source (self))
    self->tab = "source";
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (!strcmp (tab, lists[i]))
      self->tab = lists[i];
  gboolean source = shows (self, "source") || shows (self, "code"), nodes = shows (self, "nodes"),
           rules = shows (self, "rules");
  gtk_widget_set_visible (self->counts, !nodes && !rules);
  gtk_widget_set_visible (GTK_WIDGET (self->buffer_bar), shows (self, "buffers"));
  gtk_widget_set_visible (self->scopes, shows (self, "diff"));
  gtk_widget_set_visible (self->layouts, shows (self, "diff"));
  gtk_widget_set_visible (self->copy, source || shows (self, "diff") || shows (self, "log") || shows (self, "kernels"));
  gtk_widget_set_visible (GTK_WIDGET (self->node_count), nodes || rules);
  gtk_widget_set_visible (GTK_WIDGET (self->node_filter), nodes);
  gtk_widget_set_visible (self->rule_controls, rules);
  fb_tip_set (self->copy, shows (self, "log")       ? _ ("Copy the log (Ctrl+Shift+C)")
                          : shows (self, "kernels") ? _ ("Copy the table (Ctrl+Shift+C)")
                          : source                  ? _ ("Copy the source (Ctrl+Shift+C)")
                                                    : _ ("Copy the difference (Ctrl+Shift+C)"));
  diffed (self);
  if (nodes)
    nodes_counted (self);
  else if (rules)
    rules_counted (self);
}

const char *
fb_drawer_panel_get_tab (FbDrawerPanel *self)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), NULL);
  return self->tab;
}

/* The page has the keyboard somewhere. */
static gboolean
has_focus (FbDrawerPanel *self, GtkWidget *page)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  return focus && gtk_widget_is_ancestor (focus, page);
}

gboolean
fb_drawer_panel_focus_page (FbDrawerPanel *self, const char *page)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), FALSE);
  GtkWidget *widget = !strcmp (page, "rules") ? GTK_WIDGET (self->rules) : GTK_WIDGET (self->breakpoints);
  return !has_focus (self, widget) && gtk_widget_grab_focus (widget);
}

/* A question that lists where the rule fires. */
static void
rule_activated (FbDrawerPanel *self, const char *question)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.search-all", "s", question);
}

void
fb_drawer_panel_set_rules_of_pass (FbDrawerPanel *self, gboolean of_pass)
{
  g_return_if_fail (FB_IS_DRAWER_PANEL (self));
  fb_rules_table_set_of_pass (self->rules, of_pass);
}

void
fb_drawer_panel_set_breakpoints (FbDrawerPanel *self, FbBreakpointSet *breakpoints)
{
  g_return_if_fail (FB_IS_DRAWER_PANEL (self));
  fb_breakpoint_panel_set_breakpoints (self->breakpoints, breakpoints);
}

/* --- the list of nodes --- */

gboolean
fb_drawer_panel_focus_nodes (FbDrawerPanel *self)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), FALSE);
  return !has_focus (self, GTK_WIDGET (self->nodes)) && gtk_widget_grab_focus (GTK_WIDGET (self->nodes));
}

static void
nodes_filtered (FbDrawerPanel *self)
{
  fb_node_list_set_filter (self->nodes, gtk_editable_get_text (self->node_filter));
}

/* Enter and Escape lead from the field to the list. */
static void
filter_left (FbDrawerPanel *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->nodes));
}

static void
filter_stopped (FbDrawerPanel *self)
{
  gtk_editable_set_text (self->node_filter, "");
  filter_left (self);
}

static void
node_activated (FbDrawerPanel *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.reveal", NULL);
}

gboolean
fb_drawer_panel_select_kernel (FbDrawerPanel *self, guint kernel)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), FALSE);
  return fb_kernel_table_select (self->kernels, kernel);
}

FbScenarioList *
fb_drawer_panel_get_scenarios (FbDrawerPanel *self)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), NULL);
  return self->scenarios;
}

gboolean
fb_drawer_panel_is_settled (FbDrawerPanel *self)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), TRUE);
  return fb_node_list_is_settled (self->nodes);
}

FbCodePage *
fb_drawer_panel_get_code (FbDrawerPanel *self)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), NULL);
  return self->code;
}

gboolean
fb_drawer_panel_has_source (FbDrawerPanel *self)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), FALSE);
  FbRowView *row = fb_document_get_row (self->doc);
  return row && row->row->source && *row->row->source;
}

/* What has a source and no steps is looked at for the source. */
static void
row_loaded (FbDrawerPanel *self)
{
  gboolean has = fb_drawer_panel_has_source (self), steps = has && fb_document_get_row (self->doc)->schedule;
  /* the difference of the last row is gone */
  diffed (self);
  gtk_widget_set_visible (self->source_tab, has);
  gtk_widget_set_visible (self->code_tab, fb_code_page_has_code (self->code));
  if (has)
    fb_kernel_source_set_row (self->source, fb_document_get_row (self->doc)->row);
  if (!steps && (has || shows (self, "source")))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.drawer-tab", "s", has ? "source" : "diff");
}

gboolean
fb_drawer_panel_copy (FbDrawerPanel *self)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), FALSE);
  if (shows (self, "code"))
    {
      const char *code = fb_code_page_get_text (self->code);
      if (code)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), code);
      return code != NULL;
    }
  if (shows (self, "source"))
    return fb_kernel_source_copy (self->source);
  if (shows (self, "log"))
    {
      g_autofree char *lines = fb_log_page_get_text (self->log);
      gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), lines);
      return TRUE;
    }
  if (shows (self, "kernels"))
    {
      g_autofree char *table = fb_kernel_table_to_text (self->kernels);
      if (table)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), table);
      return table != NULL;
    }
  const FbTextDiff *diff = fb_document_get_diff (self->doc);
  if (!diff)
    return FALSE;
  g_autofree char *text = fb_text_diff_to_text (diff);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  return TRUE;
}

void
fb_drawer_panel_log (FbDrawerPanel *self, const char *text)
{
  g_return_if_fail (FB_IS_DRAWER_PANEL (self));
  fb_log_page_add (self->log, text);
}

void
fb_drawer_panel_set_buffers (FbDrawerPanel *self, FbBufferView *view)
{
  g_return_if_fail (FB_IS_DRAWER_PANEL (self));
  fb_buffer_page_set_view (self->buffers, view);
  fb_buffer_bar_set_view (self->buffer_bar, view);
  fb_kernel_table_set_runs (self->kernels, fb_buffer_view_get_runs (view));
  fb_scenario_list_set_runs (self->scenarios, fb_buffer_view_get_runs (view));
}

void
fb_drawer_panel_show_inputs (FbDrawerPanel *self)
{
  g_return_if_fail (FB_IS_DRAWER_PANEL (self));
  fb_buffer_bar_show_inputs (self->buffer_bar);
}

FbBufferPage *
fb_drawer_panel_get_buffers (FbDrawerPanel *self)
{
  g_return_val_if_fail (FB_IS_DRAWER_PANEL (self), NULL);
  return self->buffers;
}

void
fb_drawer_panel_set_side_by_side (FbDrawerPanel *self, gboolean side_by_side)
{
  g_return_if_fail (FB_IS_DRAWER_PANEL (self));
  fb_diff_view_set_side_by_side (self->diff_view, side_by_side);
}

void
fb_drawer_panel_set_document (FbDrawerPanel *self, FbDocument *doc, FbScenarios *scenarios)
{
  g_return_if_fail (FB_IS_DRAWER_PANEL (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  fb_code_page_set_document (self->code, doc);
  fb_node_list_set_document (self->nodes, doc);
  fb_log_page_set_document (self->log, doc);
  fb_rules_table_set_document (self->rules, doc);
  fb_kernel_table_set_document (self->kernels, doc);
  fb_scenario_list_set_document (self->scenarios, doc, scenarios);
  g_signal_connect_object (fb_document_get_timing (doc), "changed", G_CALLBACK (rules_counted), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "diffed", G_CALLBACK (diffed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "opened", G_CALLBACK (diffed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
}

static void
fb_drawer_panel_dispose (GObject *object)
{
  FbDrawerPanel *self = FB_DRAWER_PANEL (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_drawer_panel_parent_class)->dispose (object);
}

static void
fb_drawer_panel_class_init (FbDrawerPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_drawer_panel_dispose;
  g_type_ensure (ADW_TYPE_SQUEEZER);
  g_type_ensure (FB_TYPE_BUFFER_BAR);
  g_type_ensure (FB_TYPE_BUFFER_PAGE);
  g_type_ensure (FB_TYPE_CODE_PAGE);
  g_type_ensure (FB_TYPE_DIFF_VIEW);
  g_type_ensure (FB_TYPE_KERNEL_SOURCE);
  g_type_ensure (FB_TYPE_LOG_PAGE);
  g_type_ensure (FB_TYPE_NODE_LIST);
  g_type_ensure (FB_TYPE_RULES_TABLE);
  g_type_ensure (FB_TYPE_BREAKPOINT_PANEL);
  g_type_ensure (FB_TYPE_KERNEL_TABLE);
  g_type_ensure (FB_TYPE_SCENARIO_LIST);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "drawer.ui");
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, removed);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, added);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, same);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, none);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, counts);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, source_tab);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, scopes);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, layouts);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, copy);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, source);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, nodes);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, log);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, rules);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, breakpoints);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, kernels);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, scenarios);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, buffers);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, code);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, code_tab);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, buffer_bar);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, node_count);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, rule_controls);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, measure);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, node_filter);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, FbDrawerPanel, diff_view);
}

static void
fb_drawer_panel_init (FbDrawerPanel *self)
{
  self->tab = "diff";
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->nodes, "counted", G_CALLBACK (nodes_counted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->nodes, "activated", G_CALLBACK (node_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rules, "counted", G_CALLBACK (rules_counted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rules, "activated", G_CALLBACK (rule_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->node_filter, "search-changed", G_CALLBACK (nodes_filtered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->node_filter, "activate", G_CALLBACK (filter_left), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->node_filter, "stop-search", G_CALLBACK (filter_stopped), self, G_CONNECT_SWAPPED);
}
