#include "app/search-row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/glyph.h"
#include "app/text-cell.h"

static FbTextCell *
add_cell (GtkWidget *box, float xalign, const char *first_class, const char *second_class)
{
  GtkWidget *cell = fb_text_cell_new (xalign, first_class, second_class);
  gtk_box_append (GTK_BOX (box), cell);
  return FB_TEXT_CELL (cell);
}

/* A type or the name of a rule is not given the room for more. */
#define MOST_CHARS 40
#define MADE "+"
#define REPLACED "−"
#define CHANGED "~"

/* Where and what in words; made when it is asked for, since lists show many rows and few tooltips. */
static gboolean
query_tooltip (GtkWidget *box, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  GtkWidget *place = gtk_widget_get_first_child (box);
  const char *sign = fb_text_cell_get_text (FB_TEXT_CELL (gtk_widget_get_next_sibling (place)));
  const char *what = !strcmp (sign, MADE)       ? _ ("made by the step")
                     : !strcmp (sign, REPLACED) ? _ ("replaced by the step")
                     : !strcmp (sign, CHANGED)  ? _ ("matches as its sources change")
                                                : NULL;
  if (!what)
    return FALSE;
  g_autofree char *text = g_strdup_printf ("%s\n%s", fb_text_cell_get_text (FB_TEXT_CELL (place)), what);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

GtkWidget *
fb_search_row_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  fb_text_cell_set_width_chars (add_cell (box, 0, "fb-number", "fb-dim"), 22, 22);
  fb_text_cell_set_width_chars (add_cell (box, 0, "fb-code", "fb-strong"), 1, 1);
  gtk_box_append (GTK_BOX (box), fb_glyph_new_kind (FB_KIND_ALU));
  fb_text_cell_set_ellipsize (add_cell (box, 0, "fb-code", "fb-strong"), PANGO_ELLIPSIZE_NONE);
  FbTextCell *type = add_cell (box, 0, "fb-small-code", "fb-dim"), *rule = add_cell (box, 1, "fb-small-code", "fb-dim");
  fb_text_cell_set_width_chars (type, 3, MOST_CHARS);
  gtk_widget_set_hexpand (GTK_WIDGET (type), TRUE);
  fb_text_cell_set_width_chars (rule, 3, MOST_CHARS);
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
show_sign (FbTextCell *cell, FbRowView *view, FbAskScope scope, const FbAnswerRow *row)
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
  fb_text_cell_set_text (cell, sign);
  gtk_widget_remove_css_class (GTK_WIDGET (cell), "fb-added");
  gtk_widget_remove_css_class (GTK_WIDGET (cell), "fb-removed");
  if (hit->made || replaced)
    gtk_widget_add_css_class (GTK_WIDGET (cell), hit->made ? "fb-added" : "fb-removed");
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
  fb_text_cell_set_text (FB_TEXT_CELL (place), where);
  gtk_widget_set_visible (place, *where != 0);
  show_sign (FB_TEXT_CELL (sign), view, scope, row);
  fb_glyph_set_kind (FB_GLYPH (kind), row->kind);
  fb_text_cell_set_text (FB_TEXT_CELL (op), row->op);
  fb_text_cell_set_text (FB_TEXT_CELL (type), row->type);
  fb_text_cell_set_text (FB_TEXT_CELL (rule), row->rule && scope != FB_ASK_GRAPH ? row->rule->name : "");
}
