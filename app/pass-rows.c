/* Rows of the pass panel. */
#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/pass-panel-private.h"
#include "app/row-item.h"
#include "app/step-sign.h"
#include "app/text-cell.h"
#include "app/tip.h"

/* Passes within passes are set in no further than this. */
#define MOST_INSET 5

static FbTextCell *
add_cell (GtkWidget *box, float xalign, const char *first_class, const char *second_class)
{
  GtkWidget *cell = fb_text_cell_new (xalign, first_class, second_class);
  gtk_box_append (GTK_BOX (box), cell);
  return FB_TEXT_CELL (cell);
}

static GtkWidget *
nth_child (GtkWidget *box, guint n)
{
  GtkWidget *child = gtk_widget_get_first_child (box);
  while (n--)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static FbTextCell *
nth_cell (GtkWidget *box, guint n)
{
  return FB_TEXT_CELL (nth_child (box, n));
}

static void
set_number (FbTextCell *cell, guint number)
{
  fb_text_cell_set_text (cell, fb_count (number));
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
  FbTextCell *number = add_cell (box, 1, "fb-dim", "fb-number");
  fb_text_cell_set_width_chars (number, 1, 1);
  fb_text_cell_set_ellipsize (number, PANGO_ELLIPSIZE_NONE);
  FbTextCell *title = add_cell (box, 0, NULL, NULL);
  fb_text_cell_set_width_chars (title, 3, 3);
  gtk_widget_set_hexpand (GTK_WIDGET (title), TRUE);
  fb_text_cell_set_ellipsize (add_cell (box, 1, "fb-small-code", "fb-dim"), PANGO_ELLIPSIZE_NONE);
  FbTextCell *steps = add_cell (box, 1, "fb-number", NULL);
  fb_text_cell_set_width_chars (steps, 3, 3);
  fb_text_cell_set_ellipsize (steps, PANGO_ELLIPSIZE_NONE);
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
set_dim (FbTextCell *cell, gboolean dim)
{
  if (dim == gtk_widget_has_css_class (GTK_WIDGET (cell), "fb-dim"))
    return;
  if (dim)
    gtk_widget_add_css_class (GTK_WIDGET (cell), "fb-dim");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (cell), "fb-dim");
}

void
fb_pass_panel_bind_pass (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint entry = fb_index_item_get (gtk_list_item_get_item (item));
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *triangle = gtk_widget_get_first_child (box);
  FbTextCell *number = nth_cell (box, 1), *title = nth_cell (box, 2), *line = nth_cell (box, 3);
  FbTextCell *steps = nth_cell (box, 4);
  gboolean head = entry & FB_PASS_HEAD;
  if (!row || (!head && entry >= row->n_passes) || fb_row_item_is_shown (item))
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
      fb_text_cell_set_text (title, text);
      fb_text_cell_set_text (line, "");
      const char *icon = open ? "pan-down-symbolic" : "pan-end-symbolic";
      if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (triangle)), icon))
        gtk_button_set_icon_name (GTK_BUTTON (triangle), icon);
      fb_tip_set (triangle, open ? _ ("Hide its passes (Enter)") : _ ("Show its passes (Enter)"));
      fb_tip_set (box, NULL);
    }
  else
    {
      const FbPassView *pass = &row->passes[entry];
      n_steps = pass->n_steps;
      fb_text_cell_set_text (number, pass->kernel ? "" : fb_count (entry + 1));
      fb_text_cell_set_text (title, pass->pass->title);
      fb_text_cell_set_text (line, pass->line);
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
  FbTextCell *number = add_cell (box, 1, "fb-small-code", "fb-dim");
  fb_text_cell_set_width_chars (number, 2, 2);
  fb_text_cell_set_ellipsize (number, PANGO_ELLIPSIZE_NONE);
  GtkWidget *sign = fb_step_sign_new (fb_document_get_marks (self->doc));
  gtk_widget_set_margin_start (sign, 3);
  gtk_widget_set_margin_end (sign, 3);
  gtk_box_append (GTK_BOX (box), sign);
  FbTextCell *what = add_cell (box, 0, "fb-small-code", "fb-what");
  fb_text_cell_set_width_chars (what, 3, 3);
  gtk_widget_set_hexpand (GTK_WIDGET (what), TRUE);
  FbTextCell *shape = add_cell (box, 1, "fb-small-code", "fb-dim");
  fb_text_cell_set_ellipsize (shape, PANGO_ELLIPSIZE_MIDDLE);
  fb_text_cell_set_width_chars (shape, 0, 9);
  gtk_widget_set_margin_start (GTK_WIDGET (shape), 6);
  gtk_list_item_set_child (item, box);
}

void
fb_pass_panel_bind_step (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint i = fb_index_item_get (gtk_list_item_get_item (item));
  if (!row || self->steps_of >= row->n_passes || i >= row->passes[self->steps_of].n_steps
      || fb_row_item_is_shown (item))
    return;
  const FbPassView *pass = &row->passes[self->steps_of];
  const FbMatch *match = fb_pass_match (pass->pass, i);
  const FbRule *rule = fb_rule_set_rule (pass->pass->rules, match->rule);
  GtkWidget *box = gtk_list_item_get_child (item);
  set_number (nth_cell (box, 0), i + 1);
  g_autofree char *what
      = g_strdup_printf ("%s → %s", fb_op_name (match->before->op), match->after ? fb_op_name (match->after->op) : "—");
  fb_step_sign_set_position (FB_STEP_SIGN (nth_child (box, 1)), (FbStepPosition){ self->steps_of, i + 1 });
  fb_text_cell_set_text (nth_cell (box, 2), what);
  const char *shape = pass->step_shape[i];
  fb_text_cell_set_text (nth_cell (box, 3), shape ? shape : "");
  g_autofree char *tip = g_strdup_printf ("%s\n%s: %s", what, rule->name, rule->law);
  fb_tip_set (box, tip);
}
