/* The hits of a search as a list. */
#include "app/search-panel-private.h"
#include "app/search-row.h"

/* Rows are written between frames, so many at a time. */
#define SLICE 16

static void
set_up (GtkListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, fb_search_row_new ());
}

/* Those around the hit that was gone to are seen first. */
static guint
distance_of (FbSearchPanel *self, guint number)
{
  guint here = self->current ? self->current - 1 : 0;
  return number > here ? number - here : here - number;
}

static gboolean
write_rows (gpointer data)
{
  FbSearchPanel *self = data;
  GHashTableIter iter;
  gpointer row, number;
  guint furthest = 0;
  /* the nearest ones: those within a distance that so many have */
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (guint));
  g_hash_table_iter_init (&iter, self->unwritten);
  while (g_hash_table_iter_next (&iter, NULL, &number))
    {
      guint distance = distance_of (self, GPOINTER_TO_UINT (number));
      guint i = distances->len;
      while (i > 0 && g_array_index (distances, guint, i - 1) > distance)
        i--;
      if (i < SLICE)
        g_array_insert_val (distances, i, distance);
      if (distances->len > SLICE)
        g_array_set_size (distances, SLICE);
    }
  if (distances->len)
    furthest = g_array_index (distances, guint, distances->len - 1);
  g_hash_table_iter_init (&iter, self->unwritten);
  while (g_hash_table_iter_next (&iter, &row, &number))
    {
      if (distance_of (self, GPOINTER_TO_UINT (number)) > furthest)
        continue;
      if (GPOINTER_TO_UINT (number) < fb_search_panel_get_n_hits (self))
        fb_search_row_show (row, fb_document_get_row (self->doc), self->answer->scope,
                            fb_answer_row (self->answer, GPOINTER_TO_UINT (number)));
      g_hash_table_iter_remove (&iter);
    }
  if (g_hash_table_size (self->unwritten))
    return G_SOURCE_CONTINUE;
  self->write_source = 0;
  return G_SOURCE_REMOVE;
}

/* A list binds two hundred rows at once when it goes to a place far away, of which few are seen. */
static void
bind (GtkListItemFactory *factory, GtkListItem *item, FbSearchPanel *self)
{
  guint number = fb_index_item_get (gtk_list_item_get_item (item));
  fb_search_row_clear (gtk_list_item_get_child (item));
  g_hash_table_insert (self->unwritten, gtk_list_item_get_child (item), GUINT_TO_POINTER (number));
  if (!self->write_source)
    self->write_source = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, write_rows, self, NULL);
}

static void
unbind (GtkListItemFactory *factory, GtkListItem *item, FbSearchPanel *self)
{
  g_hash_table_remove (self->unwritten, gtk_list_item_get_child (item));
}

/* A list scrolls only to rows that it has given places to. */
static gboolean
scroll (gpointer data)
{
  FbSearchPanel *self = data;
  self->scroll_source = 0;
  if (self->current)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", self->current - 1);
  return G_SOURCE_REMOVE;
}

/* The row of the hit that was gone to, once it is there. */
void
fb_search_panel_show_current (FbSearchPanel *self)
{
  if (!self->current || self->current > g_list_model_get_n_items (G_LIST_MODEL (self->hits)))
    return;
  gtk_single_selection_set_selected (self->selection, self->current - 1);
  if (!self->scroll_source)
    self->scroll_source = g_idle_add_full (GTK_PRIORITY_RESIZE + 15, scroll, self, NULL);
}

/* More rows have come by themselves. */
static void
rows_came (FbSearchPanel *self)
{
  if (self->current && gtk_single_selection_get_selected (self->selection) != self->current - 1)
    fb_search_panel_show_current (self);
}

void
fb_search_panel_init_list (FbSearchPanel *self)
{
  self->unwritten = g_hash_table_new (NULL, NULL);
  self->hits = fb_index_model_new ();
  fb_index_model_set_gradual (self->hits);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->hits)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  /* after the selection has heard of it */
  g_signal_connect_object (self->hits, "items-changed", G_CALLBACK (rows_came), self, G_CONNECT_SWAPPED);
}
