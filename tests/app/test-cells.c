/* Cells of lists: text that is shaped only where it is seen, and what room it asks for. */
#include "app/text-cell.h"
#include "app/tip.h"
#include "util.h"

#define N_ROWS 150

static gboolean
has_text (GskRenderNode *node)
{
  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_TEXT_NODE:
      return TRUE;
    case GSK_TRANSFORM_NODE:
      return has_text (gsk_transform_node_get_child (node));
    case GSK_CLIP_NODE:
      return has_text (gsk_clip_node_get_child (node));
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        if (has_text (gsk_container_node_get_child (node, i)))
          return TRUE;
      return FALSE;
    default:
      return FALSE;
    }
}

static gboolean
is_drawn (GtkWidget *cell)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (cell);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, 100, 20);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  gboolean drawn = node && has_text (node);
  g_clear_pointer (&node, gsk_render_node_unref);
  return drawn;
}

static void
set_up (GtkListItemFactory *factory, GtkListItem *item, GtkWidget **cells)
{
  gtk_list_item_set_child (item, fb_text_cell_new (0, "fb-code", NULL));
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, GtkWidget **cells)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  fb_text_cell_set_text (FB_TEXT_CELL (cell), gtk_string_object_get_string (gtk_list_item_get_item (item)));
  cells[gtk_list_item_get_position (item)] = cell;
}

/* Rows far away have no picture, and get one as the list goes there. */
static void
test_scrolling (void)
{
  GtkWidget *cells[N_ROWS] = { NULL };
  if (!test_has_display ())
    return;
  GtkStringList *strings = gtk_string_list_new (NULL);
  for (guint i = 0; i < N_ROWS; i++)
    {
      g_autofree char *text = g_strdup_printf ("row %u", i);
      gtk_string_list_append (strings, text);
    }
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), cells);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), cells);
  GtkWidget *list = gtk_list_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (strings))), factory);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  GtkWidget *window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 200, 200);
  gtk_window_set_child (GTK_WINDOW (window), scrolled);
  gtk_window_present (GTK_WINDOW (window));
  test_wait (200);
  g_assert_nonnull (cells[0]);
  g_assert_true (is_drawn (cells[0]));
  g_assert_nonnull (cells[N_ROWS - 1]);
  g_assert_false (is_drawn (cells[N_ROWS - 1]));
  gtk_widget_activate_action (list, "list.scroll-to-item", "u", N_ROWS - 1);
  test_wait (200);
  g_assert_true (is_drawn (cells[N_ROWS - 1]));
  g_assert_false (is_drawn (cells[0]));
  gtk_window_destroy (GTK_WINDOW (window));
  test_wait (50);
}

static void
measure (GtkWidget *cell, int *minimum, int *natural)
{
  gtk_widget_measure (cell, GTK_ORIENTATION_HORIZONTAL, -1, minimum, natural, NULL, NULL);
}

/* Characters are counted: an ellipsis takes what is too long, unless the text is to be whole. */
static void
test_room (void)
{
  int least, most, before;
  if (!test_has_display ())
    return;
  GtkWidget *widget = g_object_ref_sink (fb_text_cell_new (0, "fb-code", NULL));
  FbTextCell *cell = FB_TEXT_CELL (widget);
  fb_text_cell_set_text (cell, "REDUCE_AXIS");
  measure (widget, &least, &most);
  g_assert_cmpint (least, ==, 0);
  g_assert_cmpint (most, ==, 0);
  fb_text_cell_set_width_chars (cell, 3, 40);
  measure (widget, &least, &most);
  g_assert_cmpint (least, >, 0);
  g_assert_cmpint (most, >, 3 * least);
  before = most;
  fb_text_cell_set_text (cell, "ADD");
  measure (widget, &least, &most);
  g_assert_cmpint (most, ==, least);
  fb_text_cell_set_ellipsize (cell, PANGO_ELLIPSIZE_NONE);
  fb_text_cell_set_text (cell, "REDUCE_AXIS");
  measure (widget, &least, &most);
  g_assert_cmpint (least, ==, most);
  g_assert_cmpint (most, ==, before);
  g_assert_cmpstr (fb_text_cell_get_text (cell), ==, "REDUCE_AXIS");
  g_object_unref (widget);
}

/* A tip is what is said last; a button that is only an icon is named by it. */
static void
test_tips (void)
{
  if (!test_has_display ())
    return;
  GtkWidget *label = g_object_ref_sink (gtk_label_new ("x"));
  fb_tip_set (label, NULL);
  g_assert_false (gtk_widget_get_has_tooltip (label));
  fb_tip_set (label, "one");
  g_assert_true (gtk_widget_get_has_tooltip (label));
  fb_tip_set (label, "two");
  g_assert_cmpstr (fb_tip_get (label), ==, "two");
  fb_tip_set (label, NULL);
  g_assert_null (fb_tip_get (label));
  gtk_widget_set_tooltip_text (label, "of the file");
  g_assert_cmpstr (fb_tip_get (label), ==, "of the file");
  g_object_unref (label);
  GtkWidget *button = g_object_ref_sink (gtk_button_new_from_icon_name ("edit-delete-symbolic"));
  fb_tip_set (button, "Remove (Delete)");
  g_autofree char *difference
      = gtk_test_accessible_check_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Remove");
  g_assert_cmpstr (difference, ==, NULL);
  g_object_unref (button);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/cells/scrolling", test_scrolling);
  g_test_add_func ("/app/cells/room", test_room);
  g_test_add_func ("/app/cells/tips", test_tips);
  return g_test_run ();
}
