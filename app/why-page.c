#include "app/why-page.h"

#include <glib/gi18n.h>

#include "app/cli/why-text.h"
#include "app/cli/count.h"
#include "app/section.h"
#include "app/tip.h"

struct _FbWhyPage
{
  GtkWidget parent_instance;
  GtkStack *stack;
  GtkBox *box;
  GtkLabel *none;
  FbDocument *doc;
  FbScenarios *scenarios;
};

G_DEFINE_FINAL_TYPE (FbWhyPage, fb_why_page, GTK_TYPE_WIDGET)

static const FbNodeWhy *
current (FbWhyPage *self)
{
  const FbNodeInfo *node = fb_document_get_node (self->doc);
  return node ? node->why : NULL;
}

static GtkWidget *
wrapped_label (const char *text, const char *style)
{
  GtkWidget *label = fb_label_new (text, style, NULL);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  fb_label_never_hyphenate (GTK_LABEL (label));
  return label;
}

static const char *
verdict_word (FbVerdictKind kind)
{
  switch (kind)
    {
    case FB_VERDICT_REALIZED:
      return _ ("Realized");
    case FB_VERDICT_FUSED:
      return _ ("Fused");
    default:
      return _ ("Nothing to compute");
    }
}

static void
add_verdict (FbWhyPage *self, const FbNodeWhy *why)
{
  GtkBox *section = fb_section_add (self->box);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_box_append (GTK_BOX (line), fb_label_new (verdict_word (why->kind), "fb-strong", NULL));
  if (*why->reason)
    {
      GtkWidget *reason = fb_label_new (why->reason, "fb-code", "fb-reason");
      gtk_label_set_ellipsize (GTK_LABEL (reason), PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (line), reason);
    }
  GtkWidget *space = gtk_label_new (NULL);
  gtk_widget_set_hexpand (space, TRUE);
  gtk_box_append (GTK_BOX (line), space);
  if (why->number)
    {
      /* Translators: place of a node among those that are stored */
      g_autofree char *place = g_strdup_printf (_ ("verdict %s of %s"), fb_count (why->number), fb_count (why->of));
      gtk_box_append (GTK_BOX (line), fb_label_new (place, "fb-caption", "fb-dim"));
    }
  gtk_box_append (section, line);
  if (!why->exact)
    {
      g_autofree char *about
          = g_strdup_printf (_ ("This node is a part of a kernel. About what that kernel stores, %s:"), why->type);
      gtk_box_append (section, wrapped_label (about, "fb-dim"));
    }
  gtk_box_append (section, wrapped_label (why->sentence, NULL));
  GtkGrid *keys = fb_section_add_keys (section);
  if (*why->location)
    gtk_widget_add_css_class (fb_keys_add (keys, _ ("Reference"), why->location, TRUE), "fb-link");
  if (why->kernel)
    {
      g_autofree char *kernel = g_strdup_printf (_ ("kernel %u"), why->kernel);
      fb_keys_add (keys, _ ("Stored by"), kernel, FALSE);
    }
  else if (*why->kernels && why->kind == FB_VERDICT_FUSED)
    {
      /* Translators: numbers of kernels */
      g_autofree char *kernels = g_strdup_printf (_ ("kernel %s"), why->kernels);
      fb_keys_add (keys, _ ("Computed in"), kernels, FALSE);
    }
}

static const char *
answer_word (const FbWhyTest *test)
{
  switch (test->answer)
    {
    case FB_TEST_YES:
      return _ ("yes");
    case FB_TEST_NO:
      return _ ("no");
    default:
      return _ ("not reached");
    }
}

static void
add_tests (FbWhyPage *self, const FbNodeWhy *why)
{
  if (!why->tests->len)
    return;
  GtkBox *section = fb_section_add (self->box);
  fb_section_add_title (section, _ ("Tests, in order"), NULL);
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_widget_add_css_class (grid, "fb-keys");
  for (guint i = 0; i < why->tests->len; i++)
    {
      const FbWhyTest *test = &g_array_index (why->tests, FbWhyTest, i);
      gboolean reached = test->answer != FB_TEST_NOT_REACHED;
      GtkWidget *what = fb_label_new (test->what, reached ? NULL : "fb-dim", NULL);
      gtk_label_set_wrap (GTK_LABEL (what), TRUE);
      gtk_widget_set_hexpand (what, TRUE);
      GtkWidget *value = fb_label_new (test->value, "fb-code", "fb-dim");
      gtk_label_set_xalign (GTK_LABEL (value), 1);
      GtkWidget *answer = fb_label_new (answer_word (test), test->decided ? "fb-strong" : "fb-dim", NULL);
      gtk_label_set_xalign (GTK_LABEL (answer), 1);
      gtk_grid_attach (GTK_GRID (grid), what, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), value, 1, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), answer, 2, (int) i, 1, 1);
    }
  gtk_box_append (section, grid);
}

/* --- what would change it --- */

static void
try_clicked (GtkButton *button, FbWhyPage *self)
{
  fb_scenarios_show (self->scenarios, g_object_get_data (G_OBJECT (button), "scenario"));
}

static void
add_try_button (FbWhyPage *self, GtkWidget *line, FbScenario *scenario)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Try it"));
  g_object_set_data_full (G_OBJECT (button), "scenario", scenario, (GDestroyNotify) fb_scenario_free);
  gtk_widget_add_css_class (button, "fb-try");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  fb_tip_set (button, _ ("Schedule the row so, and show it (Shift+Y)"));
  g_signal_connect (button, "clicked", G_CALLBACK (try_clicked), self);
  gtk_box_append (GTK_BOX (line), button);
}

static void
add_change (GtkGrid *keys, const char *name, gint64 before, gint64 after)
{
  const char *a = fb_count (before), *b = fb_count (after);
  g_autofree char *text = g_strdup_printf ("%s → %s", a, b);
  fb_keys_add (keys, name, text, FALSE);
}

static void
add_statement (FbWhyPage *self, GtkBox *section, const FbCounterfactual *statement)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  const FbScenarioEntry *base = fb_scenarios_get (self->scenarios, 0);
  gboolean forced = statement->change->fuse->len > 0;
  g_autofree char *change
      = forced ? g_strdup (_ ("Fuse this node only")) : fb_scenario_to_text (statement->change, row->schedule);
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_widget_add_css_class (card, "fb-change");
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *title = fb_label_new (change, "fb-strong", forced ? NULL : "fb-code");
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (line), title);
  add_try_button (self, line, fb_scenario_copy (statement->change));
  gtk_box_append (GTK_BOX (card), line);
  GtkGrid *keys = fb_section_add_keys (GTK_BOX (card));
  add_change (keys, _ ("kernels"), base->cost.n_kernels, statement->cost.n_kernels);
  add_change (keys, _ ("bytes"), base->cost.bytes_read + base->cost.bytes_written,
              statement->cost.bytes_read + statement->cost.bytes_written);
  add_change (keys, _ ("FLOPs"), base->cost.flops, statement->cost.flops);
  add_change (keys, _ ("peak bytes"), base->cost.peak_bytes, statement->cost.peak_bytes);
  gtk_box_append (section, card);
}

static void
add_fusing (FbWhyPage *self, const FbNodeWhy *why)
{
  GtkBox *section = fb_section_add (self->box);
  fb_section_add_title (section, _ ("What would fuse it"), NULL);
  if (fb_scenarios_get_shown (self->scenarios) != 0)
    {
      gtk_box_append (section, wrapped_label (_ ("Asked of the row as captured; this is another scenario."), "fb-dim"));
      return;
    }
  const GPtrArray *answers = fb_scenarios_get_answers (self->scenarios, why->place);
  if (!answers)
    {
      gtk_box_append (section, fb_label_new (_ ("Trying…"), "fb-dim", NULL));
      fb_scenarios_ask (self->scenarios, why->place);
      return;
    }
  for (guint i = 0; i < answers->len; i++)
    add_statement (self, section, g_ptr_array_index (answers, i));
  if (!answers->len)
    gtk_box_append (section,
                    wrapped_label (why->asked_for ? _ ("Nothing: the program asks for it to be stored.")
                                   : why->unsafe  ? _ ("Nothing known. Fused alone, it would give other values.")
                                                  : _ ("Nothing known: options and this node alone were tried."),
                                   "fb-dim"));
}

static void
add_storing (FbWhyPage *self, const FbNodeWhy *why)
{
  GtkBox *section = fb_section_add (self->box);
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class (card, "fb-change");
  GtkWidget *title = fb_label_new (_ ("Store this node"), "fb-strong", NULL);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (card), title);
  add_try_button (self, card, fb_scenarios_with_node (self->scenarios, why->place, FALSE));
  fb_section_add_title (section, _ ("What if"), NULL);
  gtk_box_append (section, card);
}

static void
add_pair (FbWhyPage *self, const FbNodeWhy *why)
{
  if (!why->pair_text)
    return;
  GtkBox *section = fb_section_add (self->box);
  fb_section_add_title (section, _ ("With the marked node"), NULL);
  gtk_box_append (section, wrapped_label (why->pair_text, NULL));
  for (guint i = 0; i < why->deciding->len; i++)
    gtk_box_append (section, wrapped_label (g_ptr_array_index (why->deciding, i), "fb-change"));
}

static void
refresh (FbWhyPage *self)
{
  const FbNodeInfo *node = fb_document_get_node (self->doc);
  const FbRowView *row = fb_document_get_row (self->doc);
  const FbNodeWhy *why = current (self);
  fb_box_clear (self->box);
  gtk_stack_set_visible_child_name (self->stack, why ? "why" : "none");
  if (!why)
    {
      gtk_label_set_label (self->none, !node               ? _ ("Select a node")
                                       : !row || !row->why ? _ ("Nothing was decided about this graph.")
                                                           : _ ("This node is gone before anything is decided."));
      return;
    }
  add_verdict (self, why);
  add_pair (self, why);
  add_tests (self, why);
  if (why->kind == FB_VERDICT_REALIZED)
    add_fusing (self, why);
  else if (why->kind == FB_VERDICT_FUSED)
    add_storing (self, why);
}

void
fb_why_page_update (FbWhyPage *self)
{
  g_return_if_fail (FB_IS_WHY_PAGE (self));
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    refresh (self);
}

gboolean
fb_why_page_try (FbWhyPage *self)
{
  g_return_val_if_fail (FB_IS_WHY_PAGE (self), FALSE);
  const FbNodeWhy *why = current (self);
  if (!why || why->kind == FB_VERDICT_NO_WORK)
    return FALSE;
  if (why->kind == FB_VERDICT_FUSED)
    {
      g_autoptr (FbScenario) scenario = fb_scenarios_with_node (self->scenarios, why->place, FALSE);
      fb_scenarios_show (self->scenarios, scenario);
      return TRUE;
    }
  const GPtrArray *answers
      = fb_scenarios_get_shown (self->scenarios) == 0 ? fb_scenarios_get_answers (self->scenarios, why->place) : NULL;
  if (!answers || !answers->len)
    return FALSE;
  const FbCounterfactual *first = g_ptr_array_index (answers, 0);
  fb_scenarios_show (self->scenarios, first->change);
  return TRUE;
}

static void
answered (FbWhyPage *self, guint place)
{
  const FbNodeWhy *why = current (self);
  if (why && why->place == place)
    fb_why_page_update (self);
}

void
fb_why_page_set_document (FbWhyPage *self, FbDocument *doc, FbScenarios *scenarios)
{
  g_return_if_fail (FB_IS_WHY_PAGE (self) && !self->doc);
  self->doc = g_object_ref (doc);
  self->scenarios = g_object_ref (scenarios);
  g_signal_connect_object (scenarios, "answered", G_CALLBACK (answered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (scenarios, "changed", G_CALLBACK (fb_why_page_update), self, G_CONNECT_SWAPPED);
}

/* What was not seen was not kept up to date. */
static void
fb_why_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_why_page_parent_class)->map (widget);
  refresh (FB_WHY_PAGE (widget));
}

static void
fb_why_page_dispose (GObject *object)
{
  FbWhyPage *self = FB_WHY_PAGE (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  g_clear_object (&self->scenarios);
  G_OBJECT_CLASS (fb_why_page_parent_class)->dispose (object);
}

static void
fb_why_page_class_init (FbWhyPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_why_page_dispose;
  widget_class->map = fb_why_page_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fb_why_page_init (FbWhyPage *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->box));
  self->none = GTK_LABEL (fb_label_new (NULL, "fb-dim", NULL));
  gtk_label_set_wrap (self->none, TRUE);
  gtk_label_set_xalign (self->none, 0.5);
  gtk_label_set_justify (self->none, GTK_JUSTIFY_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->none), GTK_ALIGN_START);
  gtk_widget_set_margin_top (GTK_WIDGET (self->none), 24);
  gtk_widget_set_margin_start (GTK_WIDGET (self->none), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->none), 12);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, scrolled, "why");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->none), "none");
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
}
