#include "app/node-list.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/node-list-private.h"
#include "app/text-cell.h"

/* After which a row that does not come is not waited for. */
#define MOST_FRAMES 20

G_DEFINE_FINAL_TYPE (FbNodeList, fb_node_list, GTK_TYPE_WIDGET)

static guint counted_signal, activated_signal;

/* --- rows --- */

static const FbGraph *
graph_of (FbNodeList *self)
{
  return self->scene ? self->scene->graph : NULL;
}

static gboolean
is_shown (gpointer item, gpointer data)
{
  FbNodeList *self = data;
  return self->needle && fb_node_list_has_text (self, fb_index_item_get (item), self->needle);
}

/* A line in the place of the table says why it is empty. */
static void
counted (FbNodeList *self)
{
  guint n_shown, n_all;
  fb_node_list_get_counts (self, &n_shown, &n_all);
  gtk_label_set_label (self->nothing, n_all ? _ ("No node matches") : _ ("No graph"));
  gtk_stack_set_visible_child_name (self->stack, n_shown || !self->scene ? "table" : "nothing");
  g_signal_emit (self, counted_signal, 0);
}

void
fb_node_list_get_counts (FbNodeList *self, guint *n_shown, guint *n_all)
{
  g_return_if_fail (FB_IS_NODE_LIST (self));
  *n_all = self->scene ? self->scene->graph->n_nodes : 0;
  /* rows come bit by bit, and are as good as there */
  *n_shown = self->needle ? g_list_model_get_n_items (G_LIST_MODEL (self->filtered)) : *n_all;
}

/* The row on the screen whose number in the table is @at; NULL: it has none yet. */
static GtkWidget *
find_row (FbNodeList *self, guint at)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->table));
  for (guint i = 0; i < self->key_cells->len; i++)
    {
      GtkListItem *cell = g_ptr_array_index (self->key_cells, i);
      if (gtk_list_item_get_position (cell) != at)
        continue;
      GtkWidget *row = gtk_list_item_get_child (cell);
      while (row && gtk_widget_get_parent (row) != list)
        row = gtk_widget_get_parent (row);
      return row;
    }
  return NULL;
}

/* The row of what is selected in the document may be among those that have not come. */
static gboolean
is_coming (FbNodeList *self)
{
  return self->scene && fb_document_get_selected (self->doc)
         && fb_index_model_get_size (self->rows) > g_list_model_get_n_items (G_LIST_MODEL (self->rows));
}

/* Once a frame, until the table has sizes and a row for what is selected. The keyboard goes there when it is in the list. */
static gboolean
settle (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  FbNodeList *self = FB_NODE_LIST (widget);
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->table));
  guint at = gtk_single_selection_get_selected (self->selection);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  gboolean inside = focus && gtk_widget_is_ancestor (focus, list);
  if (at == GTK_INVALID_LIST_POSITION && is_coming (self))
    return G_SOURCE_CONTINUE;
  GtkWidget *row = at == GTK_INVALID_LIST_POSITION ? NULL : find_row (self, at);
  gboolean done = at == GTK_INVALID_LIST_POSITION || !self->frames || (row && gtk_widget_get_height (list) > 0);
  if (at != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", at);
  if (done && row && (inside || self->wants_focus))
    gtk_widget_grab_focus (row);
  if (!done)
    {
      self->frames--;
      return G_SOURCE_CONTINUE;
    }
  self->settling = 0;
  self->wants_focus = FALSE;
  return G_SOURCE_REMOVE;
}

static void
settle_later (FbNodeList *self)
{
  self->frames = MOST_FRAMES;
  if (!self->settling)
    self->settling = gtk_widget_add_tick_callback (GTK_WIDGET (self), settle, NULL, NULL);
}

/* The row of what is selected in the document. */
static void
follow (FbNodeList *self)
{
  const FbGraph *graph = graph_of (self);
  FbUop *uop = fb_document_get_selected (self->doc);
  guint32 card = graph && uop ? fb_graph_find (graph, uop) : FB_GRAPH_NONE;
  guint at = GTK_INVALID_LIST_POSITION, n = g_list_model_get_n_items (G_LIST_MODEL (self->sorted));
  for (guint i = 0; card != FB_GRAPH_NONE && i < n && at == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr (FbIndexItem) item = g_list_model_get_item (G_LIST_MODEL (self->sorted), i);
      if (fb_index_item_get (item) == card)
        at = i;
    }
  self->following = TRUE;
  gtk_single_selection_set_selected (self->selection, at);
  self->following = FALSE;
  if (at != GTK_INVALID_LIST_POSITION)
    settle_later (self);
}

static gboolean
follow_now (gpointer data)
{
  FbNodeList *self = data;
  self->follow_source = 0;
  follow (self);
  return G_SOURCE_REMOVE;
}

/* More rows have come by themselves, that of what is selected perhaps among them. */
static void
rows_came (FbNodeList *self)
{
  if (self->scene && !self->following && !self->follow_source && fb_document_get_selected (self->doc)
      && gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION)
    self->follow_source = g_idle_add (follow_now, self);
}

/* All rows have been looked at; the models that follow hear of it after this. */
static void
filtering (FbNodeList *self)
{
  if (self->scene && !self->follow_source && !gtk_filter_list_model_get_pending (self->filtered))
    self->follow_source = g_idle_add (follow_now, self);
}

static void
row_selected (FbNodeList *self)
{
  FbIndexItem *item = gtk_single_selection_get_selected_item (self->selection);
  const FbGraph *graph = graph_of (self);
  if (self->following || !item || !graph || fb_index_item_get (item) >= graph->n_nodes)
    return;
  FbUop *uop = graph->nodes[fb_index_item_get (item)].uop;
  FbUop *selected = fb_document_get_selected (self->doc);
  /* A constant folded into the card is more than the card. */
  if (uop && (!selected || fb_graph_find (graph, selected) != fb_index_item_get (item)))
    fb_document_select (self->doc, uop);
}

static void
row_activated (FbNodeList *self)
{
  row_selected (self);
  g_signal_emit (self, activated_signal, 0);
}

/* --- keys --- */

static void
keys_listed (GObject *source, GAsyncResult *result, gpointer data)
{
  FbNodeList *self = data;
  g_autoptr (GArray) keys = fb_document_list_keys_finish (FB_DOCUMENT (source), result, NULL);
  /* Of an older picture, or the list is gone by now. */
  if (keys && g_task_get_cancellable (G_TASK (result)) == self->cancellable)
    {
      char text[17];
      g_clear_pointer (&self->keys, g_array_unref);
      self->keys = g_steal_pointer (&keys);
      for (guint i = 0; i < self->key_cells->len; i++)
        {
          GtkListItem *cell = g_ptr_array_index (self->key_cells, i);
          guint card = fb_index_item_get (gtk_list_item_get_item (cell));
          fb_text_cell_set_text (FB_TEXT_CELL (gtk_list_item_get_child (cell)),
                                 fb_node_list_key_text (self, card, text));
        }
      if (self->needle)
        gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_LESS_STRICT);
    }
  g_object_unref (self);
}

static void
forget (FbNodeList *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->keys, g_array_unref);
  g_clear_pointer (&self->scene, fb_scene_unref);
}

/* Takes what the document shows, if somebody can see it. */
static void
update (FbNodeList *self)
{
  FbStepView *view = self->doc ? fb_document_get_view (self->doc) : NULL;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    view = NULL;
  if (view && view->scene == self->scene)
    return;
  self->following = TRUE;
  forget (self);
  self->scene = view ? fb_scene_ref (view->scene) : NULL;
  if (view)
    fb_index_model_set_size (self->rows, view->scene->graph->n_nodes);
  else
    fb_index_model_drain (self->rows);
  self->following = FALSE;
  if (view)
    {
      self->cancellable = g_cancellable_new ();
      fb_document_list_keys_async (self->doc, self->cancellable, keys_listed, g_object_ref (self));
    }
  follow (self);
  counted (self);
}

void
fb_node_list_set_filter (FbNodeList *self, const char *text)
{
  g_return_if_fail (FB_IS_NODE_LIST (self));
  g_autofree char *trimmed = text ? g_strstrip (g_strdup (text)) : NULL;
  g_free (self->needle);
  self->needle = trimmed && *trimmed ? g_utf8_casefold (trimmed, -1) : NULL;
  self->following = TRUE;
  gtk_filter_list_model_set_filter (self->filtered, NULL);
  if (self->needle)
    gtk_filter_list_model_set_filter (self->filtered, GTK_FILTER (self->filter));
  self->following = FALSE;
  follow (self);
  counted (self);
}

gboolean
fb_node_list_is_settled (FbNodeList *self)
{
  g_return_val_if_fail (FB_IS_NODE_LIST (self), TRUE);
  return !self->scene
         || (fb_index_model_get_size (self->rows) == g_list_model_get_n_items (G_LIST_MODEL (self->rows))
             && !self->settling && !self->follow_source);
}

/* --- the widget --- */

void
fb_node_list_set_document (FbNodeList *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_NODE_LIST (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "step-told", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "selected", G_CALLBACK (follow), self, G_CONNECT_SWAPPED);
}

/* Heads of columns are for the mouse. */
static void
sort_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fb_node_list_sort_by (FB_NODE_LIST (widget), g_variant_get_uint32 (parameter));
  settle_later (FB_NODE_LIST (widget));
}

static gboolean
fb_node_list_grab_focus (GtkWidget *widget)
{
  FbNodeList *self = FB_NODE_LIST (widget);
  if (gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION && !is_coming (self))
    gtk_single_selection_set_selected (self->selection, 0);
  self->wants_focus = TRUE;
  settle_later (self);
  return gtk_widget_grab_focus (GTK_WIDGET (self->table));
}

static void
fb_node_list_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_node_list_parent_class)->map (widget);
  update (FB_NODE_LIST (widget));
}

static void
fb_node_list_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_node_list_parent_class)->unmap (widget);
  update (FB_NODE_LIST (widget));
}

static void
fb_node_list_dispose (GObject *object)
{
  FbNodeList *self = FB_NODE_LIST (object);
  GtkWidget *child;
  g_clear_handle_id (&self->follow_source, g_source_remove);
  if (self->rows)
    {
      g_signal_handlers_disconnect_by_data (self->rows, self);
      g_signal_handlers_disconnect_by_data (self->filtered, self);
      g_signal_handlers_disconnect_by_data (self->selection, self);
      fb_index_model_set_size (self->rows, 0);
    }
  forget (self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  g_clear_object (&self->selection);
  g_clear_object (&self->filter);
  g_clear_object (&self->rows);
  g_clear_object (&self->doc);
  g_clear_pointer (&self->needle, g_free);
  G_OBJECT_CLASS (fb_node_list_parent_class)->dispose (object);
}

static void
fb_node_list_finalize (GObject *object)
{
  g_ptr_array_unref (FB_NODE_LIST (object)->key_cells);
  g_free (FB_NODE_LIST (object)->columns);
  G_OBJECT_CLASS (fb_node_list_parent_class)->finalize (object);
}

static void
fb_node_list_class_init (FbNodeListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  object_class->dispose = fb_node_list_dispose;
  object_class->finalize = fb_node_list_finalize;
  widget_class->map = fb_node_list_map;
  widget_class->unmap = fb_node_list_unmap;
  widget_class->grab_focus = fb_node_list_grab_focus;
  counted_signal = g_signal_new ("counted", FB_TYPE_NODE_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  activated_signal
      = g_signal_new ("activated", FB_TYPE_NODE_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "nodes.sort", "u", sort_action);
  for (guint column = 0; column < 8; column++)
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + column, GDK_ALT_MASK, "nodes.sort", "u", column);
}

static void
fb_node_list_init (FbNodeList *self)
{
  self->key_cells = g_ptr_array_new ();
  self->rows = fb_index_model_new ();
  fb_index_model_set_gradual (self->rows, 5);
  self->filter = gtk_custom_filter_new (is_shown, self, NULL);
  self->filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)), NULL);
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  self->sorted = gtk_sort_list_model_new (G_LIST_MODEL (self->filtered),
                                          g_object_ref (gtk_column_view_get_sorter (self->table)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->sorted));
  /* Both in slices between frames: a list of any length keeps the window alive. */
  gtk_filter_list_model_set_incremental (self->filtered, TRUE);
  gtk_sort_list_model_set_incremental (self->sorted, TRUE);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->selection));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "fb-table");
  fb_node_list_add_columns (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Nodes of the graph"),
                                  -1);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (row_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filtered, "notify::pending", G_CALLBACK (filtering), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filtered, "items-changed", G_CALLBACK (counted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "items-changed", G_CALLBACK (rows_came), self, G_CONNECT_SWAPPED);

  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  gtk_stack_add_named (self->stack, scrolled, "table");
  self->nothing = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->nothing), "fb-dim");
  gtk_widget_set_valign (GTK_WIDGET (self->nothing), GTK_ALIGN_START);
  gtk_widget_set_margin_top (GTK_WIDGET (self->nothing), 24);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->nothing), "nothing");
}
