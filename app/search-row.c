#include "app/search-row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/glyph.h"
#include "app/section.h"

static GtkWidget *
add_label (GtkWidget *box, const char *first_class, const char *second_class)
{
  GtkWidget *label = fb_label_new (NULL, first_class, second_class);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

#define MADE "+"
#define REPLACED "−"
#define CHANGED "~"

/* Where and what in words; made when it is asked for, since lists show many rows and few tooltips. */
static gboolean
query_tooltip (GtkWidget *box, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  GtkWidget *place = gtk_widget_get_first_child (box);
  const char *sign = gtk_label_get_label (GTK_LABEL (gtk_widget_get_next_sibling (place)));
  const char *what = !strcmp (sign, MADE)       ? _ ("made by the step")
                     : !strcmp (sign, REPLACED) ? _ ("replaced by the step")
                     : !strcmp (sign, CHANGED)  ? _ ("matches as its sources change")
                                                : NULL;
  if (!what)
    return FALSE;
  g_autofree char *text = g_strdup_printf ("%s\n%s", gtk_label_get_label (GTK_LABEL (place)), what);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

GtkWidget *
fb_search_row_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *place = add_label (box, "fb-number", "fb-dim");
  gtk_label_set_width_chars (GTK_LABEL (place), 22);
  gtk_label_set_max_width_chars (GTK_LABEL (place), 22);
  GtkWidget *sign = add_label (box, "fb-code", "fb-strong");
  gtk_label_set_width_chars (GTK_LABEL (sign), 1);
  gtk_box_append (GTK_BOX (box), fb_glyph_new_kind (FB_KIND_ALU));
  gtk_label_set_ellipsize (GTK_LABEL (add_label (box, "fb-code", "fb-strong")), PANGO_ELLIPSIZE_NONE);
  GtkWidget *type = add_label (box, "fb-small-code", "fb-dim");
  gtk_widget_set_hexpand (type, TRUE);
  GtkWidget *rule = add_label (box, "fb-small-code", "fb-dim");
  gtk_label_set_xalign (GTK_LABEL (rule), 1);
  gtk_widget_set_has_tooltip (box, TRUE);
  g_signal_connect (box, "query-tooltip", G_CALLBACK (query_tooltip), NULL);
  return box;
}

/* "simplify 19", "kernel 3, fix-ups 1", "simplify, input" */
static char *
place_text (FbRowView *view, FbAskScope scope, const FbAnswerRow *row)
{
  if (scope == FB_ASK_GRAPH)
    return g_strdup ("");
  const FbPassView *pass = &view->passes[row->hit.pass];
  g_autofree char *title = fb_pass_view_title (pass);
  if (row->hit.step == 0)
    /* Translators: the graph that a pass, named, is given */
    return g_strdup_printf (_ ("%s, input"), title);
  /* Translators: title of a pass, number of a step */
  return g_strdup_printf (_ ("%s %s"), title, fb_count (row->hit.step));
}

/* What the step did to the node. */
static void
show_sign (GtkLabel *label, FbRowView *view, FbAskScope scope, const FbAnswerRow *row)
{
  const FbHit *hit = &row->hit;
  const char *sign = "";
  gboolean replaced = FALSE;
  if (scope != FB_ASK_GRAPH && hit->step)
    {
      const FbPass *pass = view->passes[hit->pass].pass;
      replaced = !hit->made && fb_pass_match (pass, hit->step - 1)->before == hit->uop;
      sign = hit->made ? MADE : replaced ? REPLACED : CHANGED;
    }
  gtk_label_set_label (label, sign);
  gtk_widget_remove_css_class (GTK_WIDGET (label), "fb-added");
  gtk_widget_remove_css_class (GTK_WIDGET (label), "fb-removed");
  if (hit->made || replaced)
    gtk_widget_add_css_class (GTK_WIDGET (label), hit->made ? "fb-added" : "fb-removed");
}

void
fb_search_row_clear (GtkWidget *box)
{
  for (GtkWidget *child = gtk_widget_get_first_child (box); child; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LABEL (child))
      gtk_label_set_label (GTK_LABEL (child), "");
}

void
fb_search_row_show (GtkWidget *box, FbRowView *view, FbAskScope scope, const FbAnswerRow *row)
{
  GtkWidget *place = gtk_widget_get_first_child (box);
  GtkWidget *sign = gtk_widget_get_next_sibling (place);
  GtkWidget *kind = gtk_widget_get_next_sibling (sign);
  GtkWidget *op = gtk_widget_get_next_sibling (kind);
  GtkWidget *type = gtk_widget_get_next_sibling (op);
  GtkWidget *rule = gtk_widget_get_next_sibling (type);
  g_autofree char *where = place_text (view, scope, row);
  gtk_label_set_label (GTK_LABEL (place), where);
  gtk_widget_set_visible (place, *where != 0);
  show_sign (GTK_LABEL (sign), view, scope, row);
  fb_glyph_set_kind (FB_GLYPH (kind), row->kind);
  gtk_label_set_label (GTK_LABEL (op), row->op);
  gtk_label_set_label (GTK_LABEL (type), row->type);
  gtk_label_set_label (GTK_LABEL (rule), row->rule && scope != FB_ASK_GRAPH ? row->rule->name : "");
}
