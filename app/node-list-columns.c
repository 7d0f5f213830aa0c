/* The columns of the list of nodes: what they show and what they sort by. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/glyph.h"
#include "app/index-model.h"
#include "app/node-list-private.h"
#include "app/text-cell.h"
#include "app/text-scale.h"
#include "app/tip.h"

typedef enum
{
  NUMBER,
  OP,
  DTYPE,
  SHAPE,
  ARGUMENT,
  MARK,
  USERS,
  KEY,
  N_COLUMNS,
} Column;

static const struct
{
  const char *title;
  int width; /* px at the usual text size; 0: what is left */
  gboolean number, code;
} columns[N_COLUMNS] = {
  [NUMBER] = { N_ ("Number"), 78, TRUE, FALSE }, [OP] = { N_ ("Op"), 150, FALSE, TRUE },
  [DTYPE] = { N_ ("Dtype"), 90, FALSE, TRUE },   [SHAPE] = { N_ ("Shape"), 130, FALSE, TRUE },
  [ARGUMENT] = { N_ ("Arg"), 0, FALSE, TRUE },   [MARK] = { N_ ("Change"), 110, FALSE, FALSE },
  [USERS] = { N_ ("Users"), 72, TRUE, FALSE },   [KEY] = { N_ ("Key"), 156, FALSE, TRUE },
};

static const FbGraphNode *
node_at (FbNodeList *self, guint card)
{
  return self->scene && card < self->scene->graph->n_nodes ? &self->scene->graph->nodes[card] : NULL;
}

const char *
fb_node_list_key_text (FbNodeList *self, guint card, char out[17])
{
  guint64 key = self->keys && card < self->keys->len ? g_array_index (self->keys, guint64, card) : 0;
  /* A dash is for what is not known yet. */
  if (key)
    g_snprintf (out, 17, "%016" G_GINT64_MODIFIER "x", key);
  else
    g_strlcpy (out, "–", 17);
  return out;
}

/* Where "float 64×64" has its shape; "" for none. */
static const char *
shape_of (const FbGraphNode *node)
{
  const char *space = strchr (node->type, ' ');
  return space ? space + 1 : "";
}

/* The argument, then the constants that are folded into the card. */
static char *
argument_text (const FbGraphNode *node)
{
  GString *text = g_string_new (node->argument);
  for (guint32 i = 0; i < node->n_chips; i++)
    g_string_append_printf (text, "%s%s", text->len ? "  " : "", node->chips[i].text);
  return g_string_free (text, FALSE);
}

static char *
cell_text (FbNodeList *self, guint card, Column column)
{
  const FbGraphNode *node = node_at (self, card);
  char key[17];
  if (!node)
    return g_strdup ("");
  switch (column)
    {
    case NUMBER:
      return g_strdup (fb_count (card + 1));
    case OP:
      return g_strdup (node->title);
    case DTYPE:
      return g_strndup (node->type, strcspn (node->type, " "));
    case SHAPE:
      return g_strdup (shape_of (node));
    case ARGUMENT:
      return argument_text (node);
    case MARK:
      return g_strdup (_ (fb_mark_name (node->mark)));
    case USERS:
      return g_strdup (fb_count (node->n_users));
    default:
      return g_strdup (fb_node_list_key_text (self, card, key));
    }
}

gboolean
fb_node_list_has_text (FbNodeList *self, guint card, const char *needle)
{
  for (Column column = OP; column < N_COLUMNS; column++)
    {
      if (column == USERS)
        continue;
      g_autofree char *text = cell_text (self, card, column);
      g_autofree char *folded = g_utf8_casefold (text, -1);
      if (strstr (folded, needle))
        return TRUE;
    }
  return FALSE;
}

/* --- sorting --- */

/* What a column's functions are given. */
typedef struct _FbNodeListColumn
{
  FbNodeList *list; /* borrowed: it owns the table */
  Column column;
} Order;

static int
compare_numbers (gint64 a, gint64 b)
{
  return (a > b) - (a < b);
}

static int
compare_shapes (const char *a, const char *b)
{
  /* "64×64" after "8×8": dimension by dimension. */
  while (*a && *b)
    {
      char *after_a, *after_b;
      guint64 x = g_ascii_strtoull (a, &after_a, 10), y = g_ascii_strtoull (b, &after_b, 10);
      if (after_a == a || after_b == b)
        return strcmp (a, b);
      if (x != y)
        return x < y ? -1 : 1;
      a = *after_a ? g_utf8_next_char (after_a) : after_a;
      b = *after_b ? g_utf8_next_char (after_b) : after_b;
    }
  return (*a != 0) - (*b != 0);
}

static int
compare_cells (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  guint card_a = fb_index_item_get ((FbIndexItem *) a), card_b = fb_index_item_get ((FbIndexItem *) b);
  const FbGraphNode *x = node_at (order->list, card_a), *y = node_at (order->list, card_b);
  if (!x || !y)
    return 0;
  switch (order->column)
    {
    case OP:
      return strcmp (x->title, y->title);
    case DTYPE:
      return strcmp (x->type, y->type);
    case SHAPE:
      return compare_shapes (shape_of (x), shape_of (y));
    case ARGUMENT:
      {
        g_autofree char *text_a = argument_text (x), *text_b = argument_text (y);
        return strcmp (text_a, text_b);
      }
    case MARK:
      return compare_numbers (x->mark, y->mark);
    case USERS:
      return compare_numbers (x->n_users, y->n_users);
    case KEY:
      {
        char key_a[17], key_b[17];
        return strcmp (fb_node_list_key_text (order->list, card_a, key_a),
                       fb_node_list_key_text (order->list, card_b, key_b));
      }
    default:
      return compare_numbers (card_a, card_b);
    }
}

/* --- cells --- */

static void
set_up (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = ((Order *) data)->column;
  GtkWidget *text
      = fb_text_cell_new (columns[column].number, columns[column].code ? "fb-code" : "fb-caption", "fb-number");
  if (column != OP)
    {
      gtk_list_item_set_child (item, text);
      return;
    }
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (box), fb_glyph_new_kind (FB_KIND_BUFFER));
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (box), text);
  gtk_list_item_set_child (item, box);
}

static void
mark_colour (GtkWidget *cell, FbMark mark)
{
  gtk_widget_remove_css_class (cell, "fb-removed");
  gtk_widget_remove_css_class (cell, "fb-added");
  gtk_widget_remove_css_class (cell, "fb-dim");
  if (mark == FB_MARK_REPLACED || mark == FB_MARK_GONE)
    gtk_widget_add_css_class (cell, "fb-removed");
  else if (mark == FB_MARK_NEW)
    gtk_widget_add_css_class (cell, "fb-added");
  else if (mark == FB_MARK_SAME)
    gtk_widget_add_css_class (cell, "fb-dim");
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const Order *order = data;
  guint card = fb_index_item_get (gtk_list_item_get_item (item));
  GtkWidget *child = gtk_list_item_get_child (item),
            *cell = order->column == OP ? gtk_widget_get_last_child (child) : child;
  const FbGraphNode *node = node_at (order->list, card);
  g_autofree char *text = cell_text (order->list, card, order->column);
  fb_text_cell_set_text (FB_TEXT_CELL (cell), text);
  if (order->column == ARGUMENT)
    fb_tip_set (cell, *text ? text : NULL);
  if (order->column == OP && node)
    fb_glyph_set_kind (FB_GLYPH (gtk_widget_get_first_child (child)), node->kind);
  if (order->column == MARK && node)
    mark_colour (cell, node->mark);
  if (order->column == KEY)
    g_ptr_array_add (order->list->key_cells, item);
}

static void
unbind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const Order *order = data;
  if (order->column == KEY)
    g_ptr_array_remove_fast (order->list->key_cells, item);
}

void
fb_node_list_sort_by (FbNodeList *self, guint column)
{
  GListModel *views = gtk_column_view_get_columns (self->table);
  g_autoptr (GtkColumnViewColumn) view = g_list_model_get_item (views, column);
  if (!view)
    return;
  self->descending = self->sorted_by == column && !self->descending;
  self->sorted_by = column;
  gtk_column_view_sort_by_column (self->table, view, self->descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

void
fb_node_list_add_columns (FbNodeList *self)
{
  self->columns = g_new (Order, N_COLUMNS);
  for (Column column = 0; column < N_COLUMNS; column++)
    {
      Order *order = &self->columns[column];
      *order = (Order){ self, column };
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_signal_connect (factory, "setup", G_CALLBACK (set_up), order);
      g_signal_connect (factory, "bind", G_CALLBACK (bind), order);
      g_signal_connect (factory, "unbind", G_CALLBACK (unbind), order);
      g_autoptr (GtkColumnViewColumn) view = gtk_column_view_column_new (_ (columns[column].title), factory);
      g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_cells, order, NULL));
      gtk_column_view_column_set_sorter (view, sorter);
      gtk_column_view_column_set_resizable (view, TRUE);
      if (columns[column].width)
        gtk_column_view_column_set_fixed_width (view, (int) (columns[column].width * MIN (fb_text_scale (), 1.5)));
      else
        gtk_column_view_column_set_expand (view, TRUE);
      gtk_column_view_append_column (self->table, view);
    }
}
