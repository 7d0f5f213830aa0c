/* Rows of the pass panel. */
#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/pass-panel-private.h"
#include "app/step-sign.h"
#include "app/tip.h"

/* Passes within passes are set in no further than this. */
#define MOST_INSET 5

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

static GtkWidget *
nth_child (GtkWidget *box, guint n)
{
  GtkWidget *child = gtk_widget_get_first_child (box);
  while (n--)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkLabel *
nth_label (GtkWidget *box, guint n)
{
  return GTK_LABEL (nth_child (box, n));
}

static void
set_number (GtkLabel *label, guint number)
{
  gtk_label_set_label (label, fb_count (number));
}

static void
triangle_clicked (GtkButton *button, GtkListItem *item)
{
  FbPassPanel *self = FB_PASS_PANEL (gtk_widget_get_ancestor (GTK_WIDGET (button), FB_TYPE_PASS_PANEL));
  fb_pass_panel_toggle (self, fb_index_item_get (gtk_list_item_get_item (item)));
}

void
fb_pass_panel_set_up_pass (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
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
  GtkWidget *triangle = gtk_button_new ();
  gtk_widget_add_css_class (triangle, "fb-triangle");
  gtk_widget_add_css_class (triangle, "flat");
  gtk_widget_set_focusable (triangle, FALSE);
  gtk_widget_set_valign (triangle, GTK_ALIGN_CENTER);
  g_signal_connect (triangle, "clicked", G_CALLBACK (triangle_clicked), item);
  gtk_box_prepend (GTK_BOX (box), triangle);
  gtk_list_item_set_child (item, box);
}

static void
set_dim (GtkLabel *label, gboolean dim)
{
  if (dim)
    gtk_widget_add_css_class (GTK_WIDGET (label), "fb-dim");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (label), "fb-dim");
}

void
fb_pass_panel_bind_pass (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint entry = fb_index_item_get (gtk_list_item_get_item (item));
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *triangle = gtk_widget_get_first_child (box);
  GtkLabel *number = nth_label (box, 1), *title = nth_label (box, 2), *line = nth_label (box, 3);
  GtkLabel *steps = nth_label (box, 4);
  gboolean head = entry & FB_PASS_HEAD;
  if (!row || (!head && entry >= row->n_passes))
    return;
  gtk_widget_set_visible (triangle, head);
  gtk_widget_set_visible (GTK_WIDGET (number), !head);
  guint n_steps = 0;
  if (head)
    {
      guint kernel = entry & ~FB_PASS_HEAD, first = 0, n = fb_passes_of_kernel (row, kernel, &first);
      gboolean open = fb_pass_panel_is_open (self, kernel);
      for (guint i = first; i < first + n; i++)
        n_steps += row->passes[i].n_steps;
      g_autofree char *text = g_strdup_printf (_ ("kernel %u"), kernel);
      gtk_label_set_label (title, text);
      gtk_label_set_label (line, "");
      gtk_button_set_icon_name (GTK_BUTTON (triangle), open ? "pan-down-symbolic" : "pan-end-symbolic");
      fb_tip_set (triangle, open ? _ ("Hide its passes (Enter)") : _ ("Show its passes (Enter)"));
      fb_tip_set (box, NULL);
    }
  else
    {
      const FbPassView *pass = &row->passes[entry];
      n_steps = pass->n_steps;
      gtk_label_set_label (number, pass->kernel ? "" : fb_count (entry + 1));
      gtk_label_set_label (title, pass->pass->title);
      gtk_label_set_label (line, pass->line);
      g_autofree char *name = fb_pass_view_title (pass);
      g_autofree char *tip = g_strdup_printf ("%s · %s", name, pass->pass->location);
      fb_tip_set (box, tip);
    }
  guint inset = head ? 0 : row->passes[entry].kernel ? 2 : MIN (row->passes[entry].pass->depth, MOST_INSET);
  gtk_widget_set_margin_start (GTK_WIDGET (title), (int) inset * 6);
  set_number (steps, n_steps);
  set_dim (title, !n_steps);
  set_dim (steps, !n_steps);
}

void
fb_pass_panel_set_up_step (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *number = add_label (box, 1, "fb-small-code", "fb-dim");
  gtk_label_set_width_chars (GTK_LABEL (number), 2);
  GtkWidget *sign = fb_step_sign_new (fb_document_get_marks (self->doc));
  gtk_widget_set_margin_start (sign, 3);
  gtk_widget_set_margin_end (sign, 3);
  gtk_box_append (GTK_BOX (box), sign);
  GtkWidget *what = add_label (box, 0, "fb-small-code", "fb-what");
  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (what, TRUE);
  GtkWidget *shape = add_label (box, 1, "fb-small-code", "fb-dim");
  gtk_label_set_ellipsize (GTK_LABEL (shape), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (shape), 9);
  gtk_widget_set_margin_start (shape, 6);
  gtk_list_item_set_child (item, box);
}

void
fb_pass_panel_bind_step (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
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
  fb_step_sign_set_position (FB_STEP_SIGN (nth_child (box, 1)), (FbStepPosition){ self->steps_of, i + 1 });
  gtk_label_set_label (nth_label (box, 2), what);
  const char *shape = pass->step_shape[i];
  gtk_label_set_label (nth_label (box, 3), shape ? shape : "");
  g_autofree char *tip = g_strdup_printf ("%s\n%s: %s", what, rule->name, rule->law);
  fb_tip_set (box, tip);
}
