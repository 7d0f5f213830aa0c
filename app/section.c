#include "app/section.h"

#include "app/glyph.h"
#include "app/text-cell.h"

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
fb_section_set_visible (GtkBox *section, gboolean visible)
{
  GtkWidget *line = gtk_widget_get_prev_sibling (GTK_WIDGET (section));
  gtk_widget_set_visible (GTK_WIDGET (section), visible);
  if (line)
    gtk_widget_set_visible (line, visible);
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

void
fb_section_set_title (GtkBox *section, const char *title, const char *note)
{
  GtkWidget *line = gtk_widget_get_first_child (GTK_WIDGET (section));
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (line)), title);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (line)), note);
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

void
fb_keys_set (GtkWidget *value, const char *text)
{
  gtk_widget_set_visible (value, text != NULL);
  gtk_widget_set_visible (gtk_widget_get_prev_sibling (value), text != NULL);
  if (text)
    gtk_label_set_label (GTK_LABEL (value), text);
}

/* Characters of a node's row that ask for room. */
#define MOST_LEAD 16
#define MOST_TYPE 64
#define KEY_LETTERS 8

/* What a node's row shows, attached to its button. */
typedef struct
{
  FbDocument *doc; /* the row lives in a window of it */
  FbTextCell *lead, *op, *type, *key;
  FbGlyph *sign;
  FbUop *uop;
  char full_key[17];
} NodeRow;

static NodeRow *
node_row (GtkWidget *button)
{
  return g_object_get_data (G_OBJECT (button), "row");
}

static void
row_clicked (GtkButton *button)
{
  const NodeRow *row = node_row (GTK_WIDGET (button));
  fb_document_select (row->doc, row->uop);
}

/* Made when asked for: setting texts that nobody reads would take a good part of a step. */
static gboolean
query_row_tooltip (GtkWidget *button, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const NodeRow *row = node_row (button);
  g_autofree char *tip = g_strdup_printf ("%s %s\n%s", fb_text_cell_get_text (row->op),
                                          fb_text_cell_get_text (row->type), row->full_key);
  gtk_tooltip_set_text (tooltip, tip);
  return TRUE;
}

/* Not a label: a step sets the texts of several rows, and shaping them to say how wide they are would take longer than the step.
 * All of it is shown where @most is 0. */
static FbTextCell *
append_cell (GtkBox *box, const char *first_class, const char *second_class, guint least, guint most)
{
  GtkWidget *cell = fb_text_cell_new (0, first_class, second_class);
  fb_text_cell_set_width_chars (FB_TEXT_CELL (cell), least, most);
  if (!most)
    fb_text_cell_set_ellipsize (FB_TEXT_CELL (cell), PANGO_ELLIPSIZE_NONE);
  gtk_box_append (box, cell);
  return FB_TEXT_CELL (cell);
}

void
fb_node_row_set (GtkWidget *button, const char *lead, const FbNodeLink *link)
{
  NodeRow *row = node_row (button);
  gtk_widget_set_visible (GTK_WIDGET (row->lead), lead != NULL);
  if (lead)
    {
      fb_text_cell_set_text (row->lead, lead);
      fb_text_cell_set_width_chars (row->lead, link->name ? 6 : 2, MOST_LEAD);
    }
  if (link->mark == FB_MARK_SAME)
    fb_glyph_set_kind (row->sign, link->kind);
  else
    fb_glyph_set_mark (row->sign, link->mark);
  fb_text_cell_set_text (row->op, link->op);
  fb_text_cell_set_text (row->type, link->type);
  g_strlcpy (row->full_key, link->key, sizeof row->full_key);
  g_autofree char *key = g_strndup (link->key, KEY_LETTERS);
  fb_text_cell_set_text (row->key, key);
  row->uop = link->uop;
  g_autofree char *name = g_strjoin (" ", lead ? lead : "", link->op, link->type, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, g_strstrip (name), -1);
}

GtkWidget *
fb_node_row_new (FbDocument *doc, const char *lead, const FbNodeLink *link)
{
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8));
  GtkWidget *button = gtk_button_new ();
  NodeRow *row = g_new0 (NodeRow, 1);
  row->doc = doc;
  row->lead = append_cell (line, "fb-code", "fb-dim", 2, MOST_LEAD);
  row->sign = FB_GLYPH (fb_glyph_new_kind (link->kind));
  gtk_widget_set_size_request (GTK_WIDGET (row->sign), 14, 14);
  gtk_box_append (line, GTK_WIDGET (row->sign));
  row->op = append_cell (line, "fb-code", "fb-strong", 1, 0);
  row->type = append_cell (line, "fb-small-code", "fb-dim", 3, MOST_TYPE);
  gtk_widget_set_hexpand (GTK_WIDGET (row->type), TRUE);
  row->key = append_cell (line, "fb-small-code", "fb-dim", KEY_LETTERS, 0);
  gtk_button_set_child (GTK_BUTTON (button), GTK_WIDGET (line));
  gtk_widget_add_css_class (button, "fb-node");
  gtk_widget_set_has_tooltip (button, TRUE);
  g_object_set_data_full (G_OBJECT (button), "row", row, g_free);
  g_signal_connect (button, "query-tooltip", G_CALLBACK (query_row_tooltip), NULL);
  g_signal_connect (button, "clicked", G_CALLBACK (row_clicked), NULL);
  fb_node_row_set (button, lead, link);
  return button;
}

void
fb_node_rows_set (GtkBox *rows, FbDocument *doc, const GArray *links, gboolean numbered)
{
  GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (rows));
  for (guint i = 0; i < links->len; i++)
    {
      const FbNodeLink *link = &g_array_index (links, FbNodeLink, i);
      char number[16];
      const char *lead = numbered ? number : link->name;
      g_snprintf (number, sizeof number, "%u", i);
      if (row)
        fb_node_row_set (row, lead, link);
      else
        {
          row = fb_node_row_new (doc, lead, link);
          gtk_box_append (rows, row);
        }
      gtk_widget_set_visible (row, TRUE);
      row = gtk_widget_get_next_sibling (row);
    }
  for (; row; row = gtk_widget_get_next_sibling (row))
    gtk_widget_set_visible (row, FALSE);
}
