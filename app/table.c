#include "app/table.h"

#include <string.h>

#include "app/index-model.h"
#include "app/text-cell.h"
#include "app/text-scale.h"

/* Cells that are made at a time, between frames. */
#define SLICE_CELLS 30

struct _FbTable
{
  GtkWidget parent_instance;
  FbIndexModel *rows;
  GtkColumnView *view;
  GtkSingleSelection *selection;
  FbTableCells cells;
  FbTableColumn *columns;
  GPtrArray *views; /* of GtkColumnViewColumn, by column; those that are shown are in the view */
  gboolean quiet;   /* the selection is ours */
  guint n_rows;     /* listed while the table is on the screen, which it costs time to get ready for */
  guint wanted;     /* row selected; it may still be to come */
};

G_DEFINE_FINAL_TYPE (FbTable, fb_table, GTK_TYPE_WIDGET)

static guint selected_signal, activated_signal;

/* What a column's functions are given. */
typedef struct
{
  FbTable *table; /* borrowed: it owns the column */
  guint column;
} Cell;

static Cell *
cell_new (FbTable *table, guint column)
{
  Cell *cell = g_new (Cell, 1);
  *cell = (Cell){ table, column };
  return cell;
}

static void
cell_free (gpointer cell, GClosure *closure)
{
  g_free (cell);
}

static void
set_up (GtkSignalListItemFactory *factory, GtkListItem *item, const Cell *cell)
{
  const FbTableColumn *column = &cell->table->columns[cell->column];
  GtkWidget *text
      = fb_text_cell_new (column->number && column->width > 0, column->code ? "fb-small-code" : "fb-number", NULL);
  if (column->width < 0)
    fb_text_cell_set_width_chars (FB_TEXT_CELL (text), 3, G_MAXUINT);
  gtk_list_item_set_child (item, text);
}

static void
bind (GtkSignalListItemFactory *factory, GtkListItem *item, const Cell *cell)
{
  const FbTableCells *cells = &cell->table->cells;
  guint row = fb_index_item_get (gtk_list_item_get_item (item));
  /* one that is about to go may be of other cells */
  g_autofree char *text = row < cell->table->n_rows ? cells->text (row, cell->column, cells->data) : NULL;
  fb_text_cell_set_text (FB_TEXT_CELL (gtk_list_item_get_child (item)), text);
}

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Cell *cell = data;
  const FbTableCells *cells = &cell->table->cells;
  guint x = fb_index_item_get ((FbIndexItem *) a), y = fb_index_item_get ((FbIndexItem *) b);
  if (cell->table->columns[cell->column].number)
    {
      double p = cells->value (x, cell->column, cells->data), q = cells->value (y, cell->column, cells->data);
      return (p > q) - (p < q);
    }
  g_autofree char *p = cells->text (x, cell->column, cells->data), *q = cells->text (y, cell->column, cells->data);
  return strcmp (p, q);
}

static void
add_column (FbTable *self, guint at)
{
  const FbTableColumn *column = &self->columns[at];
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect_data (factory, "setup", G_CALLBACK (set_up), cell_new (self, at), cell_free, 0);
  g_signal_connect_data (factory, "bind", G_CALLBACK (bind), cell_new (self, at), cell_free, 0);
  GtkColumnViewColumn *view = gtk_column_view_column_new (column->title, factory);
  if (column->width > 0)
    gtk_column_view_column_set_fixed_width (view, (int) (column->width * fb_text_scale ()));
  else
    gtk_column_view_column_set_expand (view, column->width == 0);
  gtk_column_view_column_set_resizable (view, TRUE);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, cell_new (self, at), g_free));
  gtk_column_view_column_set_sorter (view, sorter);
  gtk_column_view_append_column (self->view, view);
  g_ptr_array_add (self->views, view);
}

static void
selection_changed (FbTable *self)
{
  FbIndexItem *item = gtk_single_selection_get_selected_item (self->selection);
  if (self->quiet)
    return;
  self->wanted = item ? fb_index_item_get (item) : G_MAXUINT;
  if (item)
    g_signal_emit (self, selected_signal, 0, self->wanted);
}

static void
row_activated (FbTable *self)
{
  guint row = fb_table_get_selected (self);
  if (row != G_MAXUINT)
    g_signal_emit (self, activated_signal, 0, row);
}

guint
fb_table_get_selected (FbTable *self)
{
  g_return_val_if_fail (FB_IS_TABLE (self), G_MAXUINT);
  return self->wanted;
}

static void
list_rows (FbTable *self)
{
  self->quiet = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fb_index_model_set_size (self->rows, self->n_rows);
  else
    fb_index_model_drain (self->rows);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->quiet = FALSE;
}

void
fb_table_set_n_rows (FbTable *self, guint n)
{
  g_return_if_fail (FB_IS_TABLE (self));
  self->n_rows = n;
  self->wanted = G_MAXUINT;
  list_rows (self);
}

/* The row that is wanted, where it stands now; FALSE when it is not there. */
static gboolean
select_wanted (FbTable *self)
{
  guint row = self->wanted;
  GListModel *model = G_LIST_MODEL (self->selection);
  guint n = g_list_model_get_n_items (model), at = GTK_INVALID_LIST_POSITION;
  for (guint i = 0; i < n && at == GTK_INVALID_LIST_POSITION && row != G_MAXUINT; i++)
    {
      g_autoptr (FbIndexItem) item = g_list_model_get_item (model, i);
      if (fb_index_item_get (item) == row)
        at = i;
    }
  self->quiet = TRUE;
  gtk_single_selection_set_selected (self->selection, at);
  self->quiet = FALSE;
  /* the list inside of the view */
  if (at != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->view)), "list.scroll-to-item", "u", at);
  return at != GTK_INVALID_LIST_POSITION;
}

void
fb_table_select (FbTable *self, guint row)
{
  g_return_if_fail (FB_IS_TABLE (self));
  self->wanted = row;
  select_wanted (self);
}

/* More rows have come by themselves. */
static void
rows_came (FbTable *self)
{
  if (!self->quiet && self->wanted != G_MAXUINT && !gtk_single_selection_get_selected_item (self->selection))
    select_wanted (self);
}

GtkWidget *
fb_table_new (const char *label, guint n_columns, const FbTableColumn *columns, const FbTableCells *cells)
{
  FbTable *self = g_object_new (FB_TYPE_TABLE, NULL);
  self->cells = *cells;
  self->columns = g_memdup2 (columns, n_columns * sizeof *columns);
  self->rows = fb_index_model_new ();
  self->wanted = G_MAXUINT;
  fb_index_model_set_gradual (self->rows, MAX (2, SLICE_CELLS / n_columns));
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  GtkSortListModel *sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)),
                                                      g_object_ref (gtk_column_view_get_sorter (self->view)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "fb-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  for (guint i = 0; i < n_columns; i++)
    add_column (self, i);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (selection_changed), self,
                           G_CONNECT_SWAPPED);
  /* after the selection has heard of it */
  g_signal_connect_object (self->rows, "items-changed", G_CALLBACK (rows_came), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->view));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

void
fb_table_show_column (FbTable *self, guint column, gboolean shown)
{
  g_return_if_fail (FB_IS_TABLE (self) && column < self->views->len);
  GtkColumnViewColumn *view = g_ptr_array_index (self->views, column);
  guint before = 0;
  if (shown == (gtk_column_view_column_get_column_view (view) != NULL))
    return;
  /* one that is only hidden still takes its room (GTK 4.8) */
  for (guint i = 0; i < column; i++)
    before += gtk_column_view_column_get_column_view (g_ptr_array_index (self->views, i)) != NULL;
  if (shown)
    gtk_column_view_insert_column (self->view, before, view);
  else
    gtk_column_view_remove_column (self->view, view);
}

void
fb_table_hide_head (FbTable *self)
{
  g_return_if_fail (FB_IS_TABLE (self));
  gtk_widget_set_visible (gtk_widget_get_first_child (GTK_WIDGET (self->view)), FALSE);
}

static void
fb_table_map (GtkWidget *widget)
{
  FbTable *self = FB_TABLE (widget);
  GTK_WIDGET_CLASS (fb_table_parent_class)->map (widget);
  if (fb_index_model_get_size (self->rows) != self->n_rows)
    {
      list_rows (self);
      select_wanted (self);
    }
}

static gboolean
fb_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (FB_TABLE (widget)->view));
}

static void
fb_table_dispose (GObject *object)
{
  FbTable *self = FB_TABLE (object);
  GtkWidget *child;
  self->quiet = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (fb_table_parent_class)->dispose (object);
}

static void
fb_table_finalize (GObject *object)
{
  g_free (FB_TABLE (object)->columns);
  g_ptr_array_unref (FB_TABLE (object)->views);
  G_OBJECT_CLASS (fb_table_parent_class)->finalize (object);
}

static void
fb_table_class_init (FbTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_table_finalize;
  widget_class->grab_focus = fb_table_grab_focus;
  widget_class->map = fb_table_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  selected_signal
      = g_signal_new ("selected", FB_TYPE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  activated_signal
      = g_signal_new ("activated", FB_TYPE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
fb_table_init (FbTable *self)
{
  self->views = g_ptr_array_new_with_free_func (g_object_unref);
}
