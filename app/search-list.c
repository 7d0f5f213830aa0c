/* The hits of a search as a list. */
#include "app/search-panel-private.h"
#include "app/row-item.h"
#include "app/search-row.h"

static void
set_up (GtkListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, fb_search_row_new ());
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, FbSearchPanel *self)
{
  guint number = fb_index_item_get (gtk_list_item_get_item (item));
  if (number < fb_search_panel_get_n_hits (self) && !fb_row_item_is_shown (item))
    fb_search_row_show (gtk_list_item_get_child (item), fb_document_get_row (self->doc), self->answer->scope,
                        fb_answer_row (self->answer, number));
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
  self->hits = fb_index_model_new ();
  fb_index_model_set_gradual (self->hits, 8);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->hits)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  /* after the selection has heard of it */
  g_signal_connect_object (self->hits, "items-changed", G_CALLBACK (rows_came), self, G_CONNECT_SWAPPED);
}
