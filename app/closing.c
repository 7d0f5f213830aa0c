#include "app/closing.h"

#include "app/index-model.h"

#define OWN "fb-closing-own"
/* Rows of a store that are taken apart at a time. */
#define SLICE 8

typedef struct
{
  GtkWindow *window;
  GApplication *application; /* held; NULL: none */
  GPtrArray *lists;          /* references, to be emptied from the last one on */
} Closing;

/* All lists in @widget, outer ones first. */
static void
collect_lists (GtkWidget *widget, GPtrArray *lists)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();

  g_ptr_array_add (waiting, widget);
  for (guint i = 0; i < waiting->len; i++)
    {
      GtkWidget *at = g_ptr_array_index (waiting, i);
      if (GTK_IS_LIST_VIEW (at) || GTK_IS_COLUMN_VIEW (at))
        {
          /* what is inside are rows */
          g_ptr_array_add (lists, g_object_ref (at));
          continue;
        }
      for (GtkWidget *child = gtk_widget_get_first_child (at); child; child = gtk_widget_get_next_sibling (child))
        g_ptr_array_add (waiting, child);
    }
}

void
fb_closing_empties (GListStore *store)
{
  g_return_if_fail (G_IS_LIST_STORE (store));
  g_object_set_data (G_OBJECT (store), OWN, store);
}

/* What the rows of @list are made of, behind what selects, sorts and filters. */
static GListModel *
rows_of (GtkWidget *list)
{
  gpointer model = GTK_IS_LIST_VIEW (list) ? (gpointer) gtk_list_view_get_model (GTK_LIST_VIEW (list))
                                           : (gpointer) gtk_column_view_get_model (GTK_COLUMN_VIEW (list));

  for (;;)
    if (GTK_IS_SINGLE_SELECTION (model))
      model = gtk_single_selection_get_model (model);
    else if (GTK_IS_NO_SELECTION (model))
      model = gtk_no_selection_get_model (model);
    else if (GTK_IS_SORT_LIST_MODEL (model))
      model = gtk_sort_list_model_get_model (model);
    else if (GTK_IS_FILTER_LIST_MODEL (model))
      model = gtk_filter_list_model_get_model (model);
    else
      return model;
}

/* FALSE: there is nothing to be taken out, or it is not the window's own. */
static gboolean
drop_some (GtkWidget *list)
{
  GListModel *rows = rows_of (list);

  if (FB_IS_INDEX_MODEL (rows))
    return fb_index_model_drop_some (FB_INDEX_MODEL (rows));
  if (!rows || !g_object_get_data (G_OBJECT (rows), OWN))
    return FALSE;
  guint n = g_list_model_get_n_items (rows), gone = MIN (n, SLICE);
  g_list_store_splice (G_LIST_STORE (rows), n - gone, gone, NULL, 0);
  return n > gone;
}

static gboolean
take_apart (gpointer data)
{
  Closing *closing = data;

  if (closing->lists->len)
    {
      if (drop_some (g_ptr_array_index (closing->lists, closing->lists->len - 1)))
        return G_SOURCE_CONTINUE;
      g_autoptr (GtkWidget) list = g_ptr_array_steal_index (closing->lists, closing->lists->len - 1);
      if (GTK_IS_LIST_VIEW (list))
        gtk_list_view_set_model (GTK_LIST_VIEW (list), NULL);
      else
        gtk_column_view_set_model (GTK_COLUMN_VIEW (list), NULL);
      return G_SOURCE_CONTINUE;
    }
  gtk_window_destroy (closing->window);
  g_object_unref (closing->window);
  g_ptr_array_unref (closing->lists);
  if (closing->application)
    {
      g_application_release (closing->application);
      g_object_unref (closing->application);
    }
  g_free (closing);
  return G_SOURCE_REMOVE;
}

void
fb_close_gradually (GtkWindow *window)
{
  g_return_if_fail (GTK_IS_WINDOW (window));
  Closing *closing = g_new0 (Closing, 1);
  GtkApplication *application = gtk_window_get_application (window);

  closing->window = g_object_ref (window);
  closing->lists = g_ptr_array_new_with_free_func (g_object_unref);
  if (application)
    {
      closing->application = g_object_ref (G_APPLICATION (application));
      g_application_hold (closing->application);
      gtk_window_set_application (window, NULL);
    }
  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  collect_lists (GTK_WIDGET (window), closing->lists);
  g_idle_add (take_apart, closing);
}
