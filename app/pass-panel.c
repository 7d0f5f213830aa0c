#include "app/pass-panel.h"

#include <glib/gi18n.h>

#include "app/index-model.h"

struct _FbPassPanel
{
  GtkWidget parent_instance;

  GtkPaned *split;
  GtkListView *pass_list, *step_list;
  GtkLabel *steps_count, *none_label;
  GtkStack *steps_stack;

  FbDocument *doc;
  FbIndexModel *passes, *steps;
  GtkSingleSelection *pass_selection, *step_selection;
  guint steps_of;     /* the pass whose steps are listed */
  gboolean following; /* selections are being set to where the document is */
};

G_DEFINE_FINAL_TYPE (FbPassPanel, fb_pass_panel, GTK_TYPE_WIDGET)

/* --- rows --- */

static GtkWidget *
add_label (GtkWidget *box, float xalign, const char *first_class, const char *second_class)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (first_class)
    gtk_widget_add_css_class (label, first_class);
  if (second_class)
    gtk_widget_add_css_class (label, second_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
set_up_pass (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *number = add_label (box, 1, "fb-dim", "fb-number");
  gtk_label_set_width_chars (GTK_LABEL (number), 1);
  GtkWidget *title = add_label (box, 0, NULL, NULL);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  add_label (box, 1, "fb-small-code", "fb-dim");
  GtkWidget *steps = add_label (box, 1, "fb-number", NULL);
  gtk_label_set_width_chars (GTK_LABEL (steps), 3);
  gtk_list_item_set_child (item, box);
}

static GtkLabel *
nth_label (GtkWidget *box, guint n)
{
  GtkWidget *child = gtk_widget_get_first_child (box);
  while (n--)
    child = gtk_widget_get_next_sibling (child);
  return GTK_LABEL (child);
}

static void
set_number (GtkLabel *label, guint number)
{
  g_autofree char *text = g_strdup_printf ("%'u", number);
  gtk_label_set_label (label, text);
}

static void
bind_pass (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint i = fb_index_item_get (gtk_list_item_get_item (item));
  if (!row || i >= row->n_passes)
    return;
  const FbPassView *pass = &row->passes[i];
  GtkWidget *box = gtk_list_item_get_child (item);
  set_number (nth_label (box, 0), i + 1);
  gtk_label_set_label (nth_label (box, 1), pass->pass->title);
  gtk_label_set_label (nth_label (box, 2), pass->line);
  set_number (nth_label (box, 3), pass->n_steps);
  for (guint n = 1; n <= 3; n += 2)
    {
      GtkWidget *label = GTK_WIDGET (nth_label (box, n));
      if (pass->n_steps)
        gtk_widget_remove_css_class (label, "fb-dim");
      else
        gtk_widget_add_css_class (label, "fb-dim");
    }
  g_autofree char *tip = g_strdup_printf ("%s · %s", pass->pass->title, pass->pass->location);
  gtk_widget_set_tooltip_text (box, tip);
}

static void
set_up_step (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *number = add_label (box, 1, "fb-small-code", "fb-dim");
  gtk_label_set_width_chars (GTK_LABEL (number), 3);
  GtkWidget *what = add_label (box, 0, "fb-small-code", NULL);
  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (what, TRUE);
  GtkWidget *shape = add_label (box, 1, "fb-small-code", "fb-dim");
  gtk_label_set_ellipsize (GTK_LABEL (shape), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (shape), 9);
  gtk_list_item_set_child (item, box);
}

static void
bind_step (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint i = fb_index_item_get (gtk_list_item_get_item (item));
  if (!row || self->steps_of >= row->n_passes || i >= row->passes[self->steps_of].n_steps)
    return;
  const FbPassView *pass = &row->passes[self->steps_of];
  const FbMatch *match = fb_pass_match (pass->pass, i);
  const FbRule *rule = fb_rule_set_rule (pass->pass->rules, match->rule);
  GtkWidget *box = gtk_list_item_get_child (item);
  set_number (nth_label (box, 0), i + 1);
  g_autofree char *what
      = g_strdup_printf ("%s → %s", fb_op_name (match->before->op), match->after ? fb_op_name (match->after->op) : "—");
  gtk_label_set_label (nth_label (box, 1), what);
  const char *shape = pass->step_shape[i];
  gtk_label_set_label (nth_label (box, 2), shape ? shape : "");
  g_autofree char *tip = g_strdup_printf ("%s\n%s: %s", what, rule->name, rule->law);
  gtk_widget_set_tooltip_text (box, tip);
}

/* --- following the document, and leading it --- */

static void
scroll_to (GtkListView *list, guint position)
{
  gtk_widget_activate_action (GTK_WIDGET (list), "list.scroll-to-item", "u", position);
}

static void
show_position (FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint pass = 0, step = 0;
  fb_document_get_position (self->doc, &pass, &step);
  self->following = TRUE;
  if (!row || !row->n_passes)
    {
      fb_index_model_set_size (self->steps, 0);
      gtk_label_set_label (self->steps_count, "");
      gtk_label_set_label (self->none_label,
                           row ? _ ("A kernel's row: it has been scheduled already, there is nothing to step through.")
                               : "");
      gtk_stack_set_visible_child_name (self->steps_stack, "none");
      self->following = FALSE;
      return;
    }
  guint n_steps = row->passes[pass].n_steps;
  if (gtk_single_selection_get_selected (self->pass_selection) != pass)
    {
      gtk_single_selection_set_selected (self->pass_selection, pass);
      scroll_to (self->pass_list, pass);
    }
  if (self->steps_of != pass || g_list_model_get_n_items (G_LIST_MODEL (self->steps)) != n_steps)
    {
      self->steps_of = pass;
      fb_index_model_set_size (self->steps, n_steps);
      gtk_label_set_label (self->none_label, _ ("This pass changed nothing."));
      gtk_stack_set_visible_child_name (self->steps_stack, n_steps ? "steps" : "none");
    }
  guint selected = step ? step - 1 : GTK_INVALID_LIST_POSITION;
  if (gtk_single_selection_get_selected (self->step_selection) != selected)
    gtk_single_selection_set_selected (self->step_selection, selected);
  if (n_steps)
    scroll_to (self->step_list, step ? step - 1 : 0);
  /* Translators: step 19 of 21 */
  g_autofree char *count = g_strdup_printf (_ ("%'u of %'u"), step, n_steps);
  gtk_label_set_label (self->steps_count, count);
  self->following = FALSE;
}

static void
row_loaded (FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  self->following = TRUE;
  self->steps_of = G_MAXUINT;
  fb_index_model_set_size (self->steps, 0);
  fb_index_model_set_size (self->passes, row ? row->n_passes : 0);
  self->following = FALSE;
}

static void
pass_picked (FbPassPanel *self)
{
  guint pass = gtk_single_selection_get_selected (self->pass_selection);
  if (!self->following && pass != GTK_INVALID_LIST_POSITION)
    fb_document_jump (self->doc, pass, 0);
}

static void
step_picked (FbPassPanel *self)
{
  guint step = gtk_single_selection_get_selected (self->step_selection);
  if (!self->following && step != GTK_INVALID_LIST_POSITION)
    fb_document_jump (self->doc, self->steps_of, step + 1);
}

static void
fill_list (FbPassPanel *self, GtkListView *list, FbIndexModel *model, GtkSingleSelection **selection, GCallback set_up,
           GCallback bind, GCallback picked)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", set_up, NULL);
  g_signal_connect_object (factory, "bind", bind, self, 0);
  gtk_list_view_set_factory (list, factory);
  g_object_unref (factory);
  *selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (model)));
  gtk_single_selection_set_autoselect (*selection, FALSE);
  gtk_single_selection_set_can_unselect (*selection, TRUE);
  g_signal_connect_object (*selection, "notify::selected", picked, self, G_CONNECT_SWAPPED);
  gtk_list_view_set_model (list, GTK_SELECTION_MODEL (*selection));
}

void
fb_pass_panel_set_document (FbPassPanel *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_PASS_PANEL (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  fill_list (self, self->pass_list, self->passes, &self->pass_selection, G_CALLBACK (set_up_pass),
             G_CALLBACK (bind_pass), G_CALLBACK (pass_picked));
  fill_list (self, self->step_list, self->steps, &self->step_selection, G_CALLBACK (set_up_step),
             G_CALLBACK (bind_step), G_CALLBACK (step_picked));
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "moved", G_CALLBACK (show_position), self, G_CONNECT_SWAPPED);
}

int
fb_pass_panel_get_split (FbPassPanel *self)
{
  return gtk_paned_get_position (self->split);
}

void
fb_pass_panel_set_split (FbPassPanel *self, int height)
{
  gtk_paned_set_position (self->split, height);
}

static void
fb_pass_panel_dispose (GObject *object)
{
  FbPassPanel *self = FB_PASS_PANEL (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->passes);
  g_clear_object (&self->steps);
  g_clear_object (&self->pass_selection);
  g_clear_object (&self->step_selection);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_pass_panel_parent_class)->dispose (object);
}

static void
fb_pass_panel_class_init (FbPassPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_pass_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "pass-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, split);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, pass_list);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, step_list);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, steps_count);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, steps_stack);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, none_label);
}

static void
fb_pass_panel_init (FbPassPanel *self)
{
  self->passes = fb_index_model_new ();
  self->steps = fb_index_model_new ();
  self->steps_of = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
}
