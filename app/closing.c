#include "app/closing.h"

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

static gboolean
take_apart (gpointer data)
{
  Closing *closing = data;

  if (closing->lists->len)
    {
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
