/* The columns of the replay page's table, and what they sort by. */
#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/replay-item.h"
#include "app/replay-page-private.h"
#include "app/text-scale.h"
#include "app/tip.h"

typedef char *(*TextFunc) (const FbReplayRow *row);

static char *
row_text (const FbReplayRow *row)
{
  return g_strdup (fb_count (fb_replay_row_number (row)));
}

static int
compare_numbers (guint64 a, guint64 b)
{
  return (a > b) - (a < b);
}

/* Rows that are alike in what is asked stay in the order of the file: sorting is stable. */
static int
by_row (gconstpointer a, gconstpointer b, gpointer data)
{
  return compare_numbers (fb_replay_item_get_row ((gpointer) a)->row, fb_replay_item_get_row ((gpointer) b)->row);
}

static int
by_kernels (gconstpointer a, gconstpointer b, gpointer data)
{
  const FbReplayRow *x = fb_replay_item_get_row ((gpointer) a), *y = fb_replay_item_get_row ((gpointer) b);
  int order = compare_numbers (x->n_captured, y->n_captured);
  return order ? order : compare_numbers (x->n_scheduled, y->n_scheduled);
}

static int
by_changes (gconstpointer a, gconstpointer b, gpointer data)
{
  const FbReplayRow *x = fb_replay_item_get_row ((gpointer) a), *y = fb_replay_item_get_row ((gpointer) b);
  if (x->status != y->status)
    return compare_numbers (x->status, y->status);
  int order = compare_numbers (x->differences->len, y->differences->len);
  for (guint class = 0; !order && class < FB_REPLAY_N_CLASSES; class ++)
    order = compare_numbers (x->counts[class], y->counts[class]);
  return order;
}

static int
by_message (gconstpointer a, gconstpointer b, gpointer data)
{
  g_autofree char *x = fb_replay_item_message_text (fb_replay_item_get_row ((gpointer) a));
  g_autofree char *y = fb_replay_item_message_text (fb_replay_item_get_row ((gpointer) b));
  return g_utf8_collate (x, y);
}

static const struct
{
  const char *title;
  TextFunc text;
  GCompareDataFunc compare;
  int width; /* px; 0: what is left */
  gboolean number, dim;
} columns[] = {
  { N_ ("Row"), row_text, by_row, 50, TRUE, FALSE },
  { N_ ("Kernels"), fb_replay_item_kernels_text, by_kernels, 68, TRUE, FALSE },
  { N_ ("Changes"), fb_replay_item_changes_text, by_changes, 124, FALSE, FALSE },
  { N_ ("Message"), fb_replay_item_message_text, by_message, 0, FALSE, TRUE },
};

static void
set_up (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  guint column = GPOINTER_TO_UINT (data);
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), columns[column].number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "fb-number");
  gtk_widget_add_css_class (label, "fb-caption");
  if (columns[column].dim)
    gtk_widget_add_css_class (label, "fb-dim");
  gtk_list_item_set_child (item, label);
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  guint column = GPOINTER_TO_UINT (data);
  const FbReplayRow *row = fb_replay_item_get_row (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = columns[column].text (row);
  gtk_label_set_label (GTK_LABEL (label), text);
  fb_tip_set (label, *text && !columns[column].number ? text : NULL);
  if (row->status == FB_REPLAY_ROW_FAILED && columns[column].text == fb_replay_item_changes_text)
    gtk_widget_add_css_class (label, "fb-removed");
  else
    gtk_widget_remove_css_class (label, "fb-removed");
}

void
fb_replay_page_add_columns (FbReplayPage *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_signal_connect (factory, "setup", G_CALLBACK (set_up), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind), GUINT_TO_POINTER (i));
      g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (_ (columns[i].title), factory);
      g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (columns[i].compare, NULL, NULL));
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_resizable (column, TRUE);
      if (columns[i].width)
        gtk_column_view_column_set_fixed_width (column, (int) (columns[i].width * MIN (fb_text_scale (), 1.5)));
      else
        gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (self->table, column);
    }
}
