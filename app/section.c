#include "app/section.h"

#include "app/glyph.h"

#define KEY_COLUMN 72

void
fb_box_clear (GtkBox *box)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))))
    gtk_box_remove (box, child);
}

GtkWidget *
fb_label_new (const char *text, const char *first_class, const char *second_class)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (first_class)
    gtk_widget_add_css_class (label, first_class);
  if (second_class)
    gtk_widget_add_css_class (label, second_class);
  return label;
}

void
fb_label_never_hyphenate (GtkLabel *label)
{
  PangoAttrList *attrs = pango_attr_list_new ();
  pango_attr_list_insert (attrs, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attrs);
  pango_attr_list_unref (attrs);
}

GtkBox *
fb_section_add (GtkBox *page)
{
  if (gtk_widget_get_first_child (GTK_WIDGET (page)))
    {
      GtkWidget *line = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
      gtk_widget_set_margin_start (line, 12);
      gtk_widget_set_margin_end (line, 12);
      gtk_box_append (page, line);
    }
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_add_css_class (section, "fb-section");
  gtk_box_append (page, section);
  return GTK_BOX (section);
}

void
fb_section_add_title (GtkBox *section, const char *title, const char *note)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = fb_label_new (title, "fb-strong", NULL);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (line), label);
  if (note)
    gtk_box_append (GTK_BOX (line), fb_label_new (note, "fb-caption", "fb-dim"));
  gtk_box_append (section, line);
}

GtkGrid *
fb_section_add_keys (GtkBox *section)
{
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_widget_add_css_class (grid, "fb-keys");
  gtk_box_append (section, grid);
  return GTK_GRID (grid);
}

static int
count_rows (GtkGrid *keys)
{
  int n = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (keys)); child;
       child = gtk_widget_get_next_sibling (child))
    n++;
  return n / 2;
}

GtkWidget *
fb_keys_add (GtkGrid *keys, const char *key, const char *value, gboolean code)
{
  int row = count_rows (keys);
  GtkWidget *name = fb_label_new (key, "fb-dim", NULL);
  gtk_label_set_yalign (GTK_LABEL (name), 0);
  gtk_widget_set_size_request (name, KEY_COLUMN, -1);
  gtk_grid_attach (keys, name, 0, row, 1, 1);
  GtkWidget *label = fb_label_new (value, code ? "fb-code" : "fb-number", NULL);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  fb_label_never_hyphenate (GTK_LABEL (label));
  /* Selectable text is for the mouse and Ctrl+C, not a stop of the Tab key. */
  gtk_widget_set_focusable (label, FALSE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_grid_attach (keys, label, 1, row, 1, 1);
  return label;
}

static void
row_clicked (GtkButton *button, FbDocument *doc)
{
  fb_document_select (doc, g_object_get_data (G_OBJECT (button), "node"));
}

GtkWidget *
fb_node_row_new (FbDocument *doc, const char *lead, const FbNodeLink *link)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  if (lead)
    {
      GtkWidget *label = fb_label_new (lead, "fb-code", "fb-dim");
      gtk_label_set_width_chars (GTK_LABEL (label), link->name ? 6 : 2);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (line), label);
    }
  GtkWidget *sign = link->mark == FB_MARK_SAME ? fb_glyph_new_kind (link->kind) : fb_glyph_new_mark (link->mark);
  gtk_widget_set_size_request (sign, 14, 14);
  gtk_box_append (GTK_BOX (line), sign);
  gtk_box_append (GTK_BOX (line), fb_label_new (link->op, "fb-code", "fb-strong"));
  GtkWidget *type = fb_label_new (link->type, "fb-small-code", "fb-dim");
  gtk_label_set_ellipsize (GTK_LABEL (type), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (type, TRUE);
  gtk_box_append (GTK_BOX (line), type);
  g_autofree char *key = g_strndup (link->key, 8);
  gtk_box_append (GTK_BOX (line), fb_label_new (key, "fb-small-code", "fb-dim"));
  GtkWidget *button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), line);
  gtk_widget_add_css_class (button, "fb-node");
  g_autofree char *tip = g_strdup_printf ("%s %s\n%s", link->op, link->type, link->key);
  gtk_widget_set_tooltip_text (button, tip);
  g_object_set_data (G_OBJECT (button), "node", link->uop);
  g_signal_connect_object (button, "clicked", G_CALLBACK (row_clicked), doc, 0);
  return button;
}
