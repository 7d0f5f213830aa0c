#include "app/rule-page.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/rule-timing.h"
#include "app/section.h"
#include "app/text-cell.h"
#include "app/tip.h"
#include "core/viztrace/profile.h"

/* As many step buttons as a person takes in; more are reached by the arrows. */
#define MOST_CHIPS 21

struct _FbRulePage
{
  GtkWidget parent_instance;
  GtkStack *stack;
  GtkBox *box;
  GtkLabel *none;

  /* Kept from step to step: making widgets takes longer than all the rest of a step. */
  const FbPass *pass; /* whose rule is described in the first section */
  guint32 rule;
  GtkLabel *name, *place, *law;
  GtkWidget *reference, *pattern, *matches, *time;
  GtkBox *match_rows;
  GtkWidget *previous, *next;
  GtkWidget *chips[MOST_CHIPS];
  GtkLabel *more;
  FbDocument *doc;
};

G_DEFINE_FINAL_TYPE (FbRulePage, fb_rule_page, GTK_TYPE_WIDGET)

/* How long this match took, and its rule in all of the pass. */
static void
show_time (FbRulePage *self, const FbStepView *view)
{
  FbRuleTiming *timing = fb_document_get_timing (self->doc);
  double seconds = fb_rule_timing_get_step (timing, view->pass, view->step);
  if (seconds < 0)
    {
      fb_keys_set (self->time, NULL);
      return;
    }
  gboolean measured = fb_rule_timing_get (timing) != NULL;
  g_autofree char *this_one = fb_viz_time_text (seconds);
  g_autofree char *of_all = fb_viz_time_text (fb_rule_timing_get_rule (timing, view->pass, view->step));
  /* Translators: how long this match took, how long all tries, or all matches, of the rule in the pass did */
  g_autofree char *text
      = g_strdup_printf (measured ? _ ("%s, all tries %s") : _ ("%s, all of them %s"), this_one, of_all);
  g_autofree char *tip = fb_rule_timing_describe (timing);
  fb_tip_set (self->time, tip);
  fb_keys_set (self->time, text);
}

static void
show_rule (FbRulePage *self, const FbPass *pass, const FbMatch *match)
{
  if (self->pass == pass && self->rule == match->rule)
    return;
  self->pass = pass;
  self->rule = match->rule;
  const FbRule *rule = fb_rule_set_rule (pass->rules, match->rule);
  gtk_label_set_label (self->name, rule->name);
  fb_tip_set (GTK_WIDGET (self->name), rule->name);
  /* Translators: place of a rule in its table */
  g_autofree char *place = g_strdup_printf (_ ("row %u of %u"), match->rule + 1, fb_rule_set_n_rules (pass->rules));
  /* a VIZ trace tells where a pattern is, and how long its matches took */
  gboolean foreign = pass->replacing != NULL;
  gtk_label_set_label (self->place, foreign ? "" : place);
  gtk_label_set_label (self->law, rule->law);
  gtk_widget_set_visible (GTK_WIDGET (self->law), *rule->law);
  fb_tip_set (self->reference, foreign ? _ ("File and line in the tinygrad that left this trace")
                                       : _ ("File and line in tinygrad v0.10.2"));
  fb_keys_set (self->reference, rule->location);
  g_autofree char *pattern = fb_pattern_to_text (rule->pattern);
  fb_keys_set (self->pattern, foreign ? NULL : pattern);
  /* Translators: how often a rule's pattern fitted a node, how often it was tried, how many steps of the pass it made */
  guint32 fired = pass->fired[match->rule];
  g_autofree char *matches
      = foreign
            ? g_strdup_printf (_ ("%s of %s steps"), fb_count (fired), fb_count (pass->matches->len))
            : g_strdup_printf (_ ("%s of %s tries, %s of %s steps"), fb_count (fired),
                               fb_count (pass->tries[match->rule]), fb_count (fired), fb_count (pass->matches->len));
  fb_keys_set (self->matches, matches);
}

static void
chip_clicked (GtkButton *button, FbRulePage *self)
{
  guint pass, step = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "step"));
  guint now;
  fb_document_get_position (self->doc, &pass, &now);
  fb_document_jump (self->doc, pass, step);
}

static void
aim (GtkWidget *button, guint step)
{
  g_object_set_data (G_OBJECT (button), "step", GUINT_TO_POINTER (step));
  gtk_widget_set_sensitive (button, step != 0);
}

static void
show_chips (FbRulePage *self, const GArray *steps, guint here)
{
  /* Page by page: they stand still while one steps along them. */
  guint first = here / MOST_CHIPS * MOST_CHIPS;
  guint end = MIN (first + MOST_CHIPS, steps->len);
  for (guint i = 0; i < MOST_CHIPS; i++)
    {
      GtkWidget *chip = self->chips[i];
      gtk_widget_set_visible (gtk_widget_get_parent (chip), first + i < end);
      if (first + i >= end)
        continue;
      guint step = g_array_index (steps, guint, first + i);
      if (GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (chip), "step")) != step)
        {
          const char *number = fb_count (step);
          fb_text_cell_set_text (FB_TEXT_CELL (gtk_button_get_child (GTK_BUTTON (chip))), number);
          gtk_accessible_update_property (GTK_ACCESSIBLE (chip), GTK_ACCESSIBLE_PROPERTY_LABEL, number, -1);
          aim (chip, step);
        }
      if (first + i == here)
        gtk_widget_add_css_class (chip, "fb-here");
      else
        gtk_widget_remove_css_class (chip, "fb-here");
    }
  guint hidden = steps->len - (end - first);
  g_autofree char *more = g_strdup_printf (_ ("and %s more"), fb_count (hidden));
  gtk_label_set_label (self->more, more);
  gtk_widget_set_visible (GTK_WIDGET (self->more), hidden > 0);
}

static void
show_steps (FbRulePage *self, const FbStepView *view, const FbMatch *match)
{
  const FbPass *pass = fb_step_view_pass (view)->pass;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint));
  guint here = 0;
  for (guint i = 0; i < pass->matches->len; i++)
    if (fb_pass_match (pass, i)->rule == match->rule)
      {
        guint step = i + 1;
        if (step == view->step)
          here = steps->len;
        g_array_append_val (steps, step);
      }
  aim (self->previous, here > 0 ? g_array_index (steps, guint, here - 1) : 0);
  aim (self->next, here + 1 < steps->len ? g_array_index (steps, guint, here + 1) : 0);
  show_chips (self, steps, here);
}

/* "120 tries of 12 rules, and none applied"; "" where nobody counted. That nothing changed is said over the graph. Free with g_free. */
static char *
tries_in_vain (const FbPass *pass)
{
  guint64 tries = 0;
  guint n_rules = 0;
  for (guint i = 0; i < fb_rule_set_n_rules (pass->rules) && !pass->replacing; i++)
    {
      tries += pass->tries[i];
      n_rules += pass->tries[i] > 0;
    }
  if (!n_rules)
    return g_strdup ("");
  g_autofree char *all = g_strdup (fb_count ((gint64) tries));
  /* Translators: how often rules were tried in a pass, how many rules */
  return g_strdup_printf (
      ngettext ("%s tries of %s rule, and none applied.", "%s tries of %s rules, and none applied.", n_rules), all,
      fb_count (n_rules));
}

static void
refresh (FbRulePage *self)
{
  const FbStepView *view = fb_document_get_view (self->doc);
  const FbMatch *match = view ? fb_step_view_match (view) : NULL;
  gtk_stack_set_visible_child_name (self->stack, match ? "rule" : "none");
  if (!match)
    {
      const FbPassView *pass = view ? fb_step_view_pass (view) : NULL;
      /* Passes go with their row: another may come to lie at the same address. */
      self->pass = NULL;
      if (!view)
        gtk_label_set_label (self->none, "");
      else if (!pass)
        gtk_label_set_label (self->none, _ ("No rule made this graph: it is shown as captured."));
      else if (!pass->n_steps && fb_row_view_decides (view->row, view->pass))
        gtk_label_set_label (self->none, _ ("This pass replaces nothing: it decides what is stored. Why says "
                                            "what was decided about the selected node."));
      else if (!pass->n_steps)
        {
          g_autofree char *tries = tries_in_vain (pass->pass);
          gtk_label_set_label (self->none, tries);
        }
      else
        gtk_label_set_label (self->none, _ ("The graph before the first step. → steps on."));
      return;
    }
  show_rule (self, fb_step_view_pass (view)->pass, match);
  show_time (self, view);
  fb_node_rows_set (self->match_rows, self->doc, view->match, FALSE);
  show_steps (self, view, match);
}

void
fb_rule_page_update (FbRulePage *self)
{
  g_return_if_fail (FB_IS_RULE_PAGE (self));
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    refresh (self);
  else
    self->pass = NULL;
}

/* What was not seen was not kept up to date. */
static void
fb_rule_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_rule_page_parent_class)->map (widget);
  refresh (FB_RULE_PAGE (widget));
}

void
fb_rule_page_set_document (FbRulePage *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_RULE_PAGE (self) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (fb_document_get_timing (doc), "changed", G_CALLBACK (fb_rule_page_update), self,
                           G_CONNECT_SWAPPED);
}

static void
fb_rule_page_dispose (GObject *object)
{
  FbRulePage *self = FB_RULE_PAGE (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_rule_page_parent_class)->dispose (object);
}

static void
fb_rule_page_class_init (FbRulePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_rule_page_dispose;
  widget_class->map = fb_rule_page_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
arrow_button (FbRulePage *self, const char *icon, const char *tip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "fb-panel-button");
  fb_tip_set (button, tip);
  g_signal_connect_object (button, "clicked", G_CALLBACK (chip_clicked), self, 0);
  return button;
}

static void
make_steps_section (FbRulePage *self)
{
  GtkBox *section = fb_section_add (self->box);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *title = fb_label_new (_ ("Fires at step"), "fb-strong", NULL);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (head), title);
  self->previous = arrow_button (self, "go-previous-symbolic", _ ("Last step of this rule (R)"));
  self->next = arrow_button (self, "go-next-symbolic", _ ("Next step of this rule (r)"));
  gtk_box_append (GTK_BOX (head), self->previous);
  gtk_box_append (GTK_BOX (head), self->next);
  gtk_box_append (section, head);
  GtkFlowBox *flow = GTK_FLOW_BOX (gtk_flow_box_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (flow), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Fires at step"), -1);
  gtk_flow_box_set_selection_mode (flow, GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (flow, 7);
  gtk_flow_box_set_min_children_per_line (flow, 5);
  gtk_flow_box_set_homogeneous (flow, TRUE);
  gtk_flow_box_set_row_spacing (flow, 5);
  gtk_flow_box_set_column_spacing (flow, 5);
  for (guint i = 0; i < MOST_CHIPS; i++)
    {
      /* no label: there are many, and each would shape its number to say how wide it is */
      GtkWidget *chip = gtk_button_new (), *number = fb_text_cell_new (0.5, NULL, NULL);
      fb_text_cell_set_ellipsize (FB_TEXT_CELL (number), PANGO_ELLIPSIZE_NONE);
      fb_text_cell_set_width_chars (FB_TEXT_CELL (number), 1, 9);
      gtk_button_set_child (GTK_BUTTON (chip), number);
      gtk_widget_add_css_class (chip, "fb-chip");
      g_signal_connect_object (chip, "clicked", G_CALLBACK (chip_clicked), self, 0);
      gtk_flow_box_insert (flow, chip, -1);
      /* The button takes the focus, not the cell around it. */
      gtk_widget_set_focusable (gtk_widget_get_parent (chip), FALSE);
      self->chips[i] = chip;
    }
  gtk_box_append (section, GTK_WIDGET (flow));
  self->more = GTK_LABEL (fb_label_new ("", "fb-caption", "fb-dim"));
  gtk_box_append (section, GTK_WIDGET (self->more));
}

static void
make_stop_section (FbRulePage *self)
{
  GtkBox *section = fb_section_add (self->box);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *stop = gtk_switch_new ();
  GtkWidget *title = fb_label_new (_ ("Stop when this rule fires"), NULL, NULL);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_set_valign (stop, GTK_ALIGN_CENTER);
  fb_tip_set (stop, _ ("A breakpoint; F5 goes on to the next stop (F7)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (stop), "win.break-on-rule");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (stop), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title, NULL, -1);
  gtk_box_append (GTK_BOX (line), title);
  gtk_box_append (GTK_BOX (line), stop);
  gtk_box_append (section, line);
}

static void
make_rule_section (FbRulePage *self)
{
  GtkBox *section = fb_section_add (self->box);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *name = fb_label_new ("", "fb-code", "fb-strong");
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (GTK_LABEL (name), TRUE);
  gtk_widget_set_focusable (name, FALSE);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (head), name);
  GtkWidget *place = fb_label_new ("", "fb-caption", "fb-dim");
  gtk_box_append (GTK_BOX (head), place);
  gtk_box_append (section, head);

  GtkWidget *law = fb_label_new ("", "fb-code", "fb-law");
  gtk_label_set_wrap (GTK_LABEL (law), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (law), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (law), TRUE);
  fb_label_never_hyphenate (GTK_LABEL (law));
  gtk_widget_set_focusable (law, FALSE);
  gtk_box_append (section, law);

  GtkGrid *keys = fb_section_add_keys (section);
  GtkWidget *reference = fb_keys_add (keys, _ ("Reference"), "", TRUE);
  gtk_widget_add_css_class (reference, "fb-link");
  fb_tip_set (reference, _ ("File and line in tinygrad v0.10.2"));
  self->name = GTK_LABEL (name);
  self->place = GTK_LABEL (place);
  self->law = GTK_LABEL (law);
  self->reference = reference;
  self->pattern = fb_keys_add (keys, _ ("Pattern"), "", TRUE);
  self->matches = fb_keys_add (keys, _ ("Matches"), "", FALSE);
  self->time = fb_keys_add (keys, _ ("Time"), "", FALSE);
}

static void
fb_rule_page_init (FbRulePage *self)
{
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  make_rule_section (self);
  GtkBox *match = fb_section_add (self->box);
  fb_section_add_title (match, _ ("This match"), NULL);
  self->match_rows = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (match, GTK_WIDGET (self->match_rows));
  make_steps_section (self);
  make_stop_section (self);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->box));
  gtk_stack_add_named (self->stack, scrolled, "rule");
  self->none = GTK_LABEL (fb_label_new ("", "fb-dim", NULL));
  gtk_label_set_wrap (self->none, TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->none), GTK_ALIGN_START);
  gtk_widget_set_margin_top (GTK_WIDGET (self->none), 14);
  gtk_widget_set_margin_start (GTK_WIDGET (self->none), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->none), 12);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->none), "none");
  gtk_stack_set_visible_child_name (self->stack, "none");
}
