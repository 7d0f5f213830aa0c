/* The list of nodes, beside the canvas. */
#include <string.h>

#include "app/node-list-private.h"
#include "util.h"

static FbNodeList *
find_list (GtkWidget *widget)
{
  if (FB_IS_NODE_LIST (widget))
    return FB_NODE_LIST (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      FbNodeList *found = find_list (child);
      if (found)
        return found;
    }
  return NULL;
}

/* Waits until filtering and sorting are done as well. */
static void
settle (FbWindow *window, FbNodeList *list)
{
  test_settle (window);
  while (gtk_filter_list_model_get_pending (list->filtered) || gtk_sort_list_model_get_pending (list->sorted)
         || list->settling || list->follow_source)
    g_main_context_iteration (NULL, TRUE);
}

static FbWindow *
open_list (const char *sample, guint step, FbNodeList **list)
{
  g_autofree char *path = test_sample (sample);
  FbWindow *window = test_open (path, 0, NULL, step);
  *list = find_list (GTK_WIDGET (window));
  g_assert_nonnull (*list);
  guint n_shown, n_all;
  fb_node_list_get_counts (*list, &n_shown, &n_all);
  g_assert_cmpuint (n_all, ==, 0);
  test_do (window, "show-nodes", NULL);
  settle (window, *list);
  return window;
}

static guint
card_at (FbNodeList *list, guint position)
{
  g_autoptr (FbIndexItem) item = g_list_model_get_item (G_LIST_MODEL (list->sorted), position);
  g_assert_nonnull (item);
  return fb_index_item_get (item);
}

static const FbGraphNode *
node_at (FbNodeList *list, guint position)
{
  return &list->scene->graph->nodes[card_at (list, position)];
}

static guint
n_rows (FbNodeList *list)
{
  return g_list_model_get_n_items (G_LIST_MODEL (list->sorted));
}

static void
test_rows (void)
{
  if (!test_has_display ())
    return;
  FbNodeList *list;
  FbWindow *window = open_list ("lerp.db", 19, &list);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_cmpuint (n_rows (list), ==, graph->n_nodes);
  /* every key is that of the node */
  g_assert_nonnull (list->keys);
  for (guint i = 0; i < graph->n_nodes; i++)
    {
      char key[17];
      fb_document_select (window->doc, graph->nodes[i].uop);
      test_settle (window);
      g_assert_true (g_str_has_prefix (fb_document_get_node (window->doc)->key, fb_node_list_key_text (list, i, key)));
    }
  /* another step, another graph */
  test_do (window, "first-step", NULL);
  settle (window, list);
  g_assert_cmpuint (n_rows (list), ==, fb_document_get_view (window->doc)->scene->graph->n_nodes);
  /* a hidden list holds nothing */
  test_do (window, "show-drawer", NULL);
  g_assert_cmpuint (n_rows (list), ==, 0);
  test_do (window, "show-drawer", NULL);
  settle (window, list);
  g_assert_cmpuint (n_rows (list), >, 0);
  test_close (window);
}

/* What is selected here is selected there. */
static void
test_selection (void)
{
  if (!test_has_display ())
    return;
  FbNodeList *list;
  FbWindow *window = open_list ("lerp.db", 19, &list);
  gtk_single_selection_set_selected (list->selection, 3);
  test_settle (window);
  g_assert_true (fb_document_get_selected (window->doc) == node_at (list, 3)->uop);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  fb_document_select (window->doc, graph->nodes[graph->root].uop);
  settle (window, list);
  guint at = gtk_single_selection_get_selected (list->selection);
  g_assert_cmpuint (card_at (list, at), ==, graph->root);
  test_do (window, "clear-selection", NULL);
  g_assert_cmpuint (gtk_single_selection_get_selected (list->selection), ==, GTK_INVALID_LIST_POSITION);
  /* a constant that is folded into a card selects the card's row and stays selected itself */
  for (guint i = 0; i < graph->n_nodes; i++)
    if (graph->nodes[i].n_chips)
      {
        FbUop *chip = graph->nodes[i].chips[0].uop;
        fb_document_select (window->doc, chip);
        settle (window, list);
        g_assert_cmpuint (card_at (list, gtk_single_selection_get_selected (list->selection)), ==,
                          fb_graph_find (graph, chip));
        g_assert_true (fb_document_get_selected (window->doc) == chip);
        break;
      }
  test_close (window);
}

static void
test_sorting (void)
{
  if (!test_has_display ())
    return;
  FbNodeList *list;
  FbWindow *window = open_list ("mlp_train.db", 40, &list);
  guint n = n_rows (list);
  /* op, up and down; the same again is the other way round */
  gtk_widget_activate_action (GTK_WIDGET (list), "nodes.sort", "u", 1);
  settle (window, list);
  for (guint i = 1; i < n; i++)
    g_assert_cmpint (strcmp (node_at (list, i - 1)->title, node_at (list, i)->title), <=, 0);
  gtk_widget_activate_action (GTK_WIDGET (list), "nodes.sort", "u", 1);
  settle (window, list);
  for (guint i = 1; i < n; i++)
    g_assert_cmpint (strcmp (node_at (list, i - 1)->title, node_at (list, i)->title), >=, 0);
  /* users are numbers: 10 after 9 */
  gtk_widget_activate_action (GTK_WIDGET (list), "nodes.sort", "u", 6);
  settle (window, list);
  for (guint i = 1; i < n; i++)
    g_assert_cmpuint (node_at (list, i - 1)->n_users, <=, node_at (list, i)->n_users);
  /* shapes by their dimensions: 8×8 before 64×64 */
  gtk_widget_activate_action (GTK_WIDGET (list), "nodes.sort", "u", 3);
  settle (window, list);
  guint64 last = 0;
  for (guint i = 0; i < n; i++)
    {
      const char *shape = strchr (node_at (list, i)->type, ' ');
      guint64 first = shape ? g_ascii_strtoull (shape + 1, NULL, 10) : 0;
      g_assert_cmpuint (first, >=, last);
      last = first;
    }
  g_assert_cmpuint (last, >, 9);
  /* a column that is not there */
  gtk_widget_activate_action (GTK_WIDGET (list), "nodes.sort", "u", 99);
  g_assert_cmpuint (n_rows (list), ==, n);
  test_close (window);
}

static void
test_filter (void)
{
  if (!test_has_display ())
    return;
  FbNodeList *list;
  FbWindow *window = open_list ("lerp.db", 19, &list);
  guint n = n_rows (list), n_shown, n_all;
  fb_node_list_set_filter (list, " reshape ");
  settle (window, list);
  fb_node_list_get_counts (list, &n_shown, &n_all);
  g_assert_cmpuint (n_all, ==, n);
  g_assert_cmpuint (n_shown, ==, 1);
  g_assert_cmpstr (node_at (list, 0)->title, ==, "RESHAPE");
  /* marks are words, keys are found by their start */
  fb_node_list_set_filter (list, "rebuilt");
  settle (window, list);
  g_assert_cmpuint (n_rows (list), ==, 3);
  fb_node_list_set_filter (list, "6aec94726098872e");
  settle (window, list);
  g_assert_cmpuint (n_rows (list), ==, 1);
  g_assert_cmpstr (node_at (list, 0)->title, ==, "VIEW");
  fb_node_list_set_filter (list, "no such node");
  settle (window, list);
  g_assert_cmpuint (n_rows (list), ==, 0);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (list->stack), ==, "nothing");
  fb_node_list_set_filter (list, "");
  settle (window, list);
  g_assert_cmpuint (n_rows (list), ==, n);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (list->stack), ==, "table");
  test_close (window);
}

/* The keyboard goes to the row of the selected node, and back to the canvas. */
static void
test_focus (void)
{
  if (!test_has_display ())
    return;
  FbNodeList *list;
  FbWindow *window = open_list ("lerp.db", 19, &list);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));
  g_assert_nonnull (focus);
  g_assert_true (gtk_widget_is_ancestor (focus, GTK_WIDGET (list)));
  guint at = gtk_single_selection_get_selected (list->selection), n_found = 0;
  for (guint i = 0; i < list->key_cells->len; i++)
    {
      GtkListItem *cell = g_ptr_array_index (list->key_cells, i);
      gboolean here = gtk_widget_is_ancestor (gtk_list_item_get_child (cell), focus);
      g_assert_true (here == (gtk_list_item_get_position (cell) == at));
      n_found += here;
    }
  g_assert_cmpuint (n_found, ==, 1);
  test_do (window, "show-nodes", NULL);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == GTK_WIDGET (window->canvas));
  test_close (window);
}

/* Rows come bit by bit: the list waits for that of what is selected, and selects nothing else meanwhile. */
static void
test_late_row (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("mlp_train.db");
  FbWindow *window = test_open (path, 0, NULL, 40);
  FbNodeList *list = find_list (GTK_WIDGET (window));
  FbUop *selected = fb_document_get_selected (window->doc);
  g_assert_nonnull (selected);
  test_do (window, "show-nodes", NULL);
  settle (window, list);
  test_wait (300);
  g_assert_true (fb_document_get_selected (window->doc) == selected);
  FbIndexItem *item = gtk_single_selection_get_selected_item (list->selection);
  const FbGraph *graph = fb_document_get_view (window->doc)->scene->graph;
  g_assert_nonnull (item);
  g_assert_cmpuint (fb_index_item_get (item), ==, fb_graph_find (graph, selected));
  g_assert_cmpuint (fb_index_item_get (item), >, 10);
  test_close (window);
}

/* A graph of thousands of nodes: only rows on the screen have widgets. */
static void
test_many (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  g_autofree char *path = corpus ? g_build_filename (corpus, "model.gpt2_train.db", NULL) : NULL;
  if (!test_has_display ())
    return;
  if (!path || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("no corpus");
      return;
    }
  FbWindow *window = test_open (path, 0, NULL, 1);
  FbNodeList *list = find_list (GTK_WIDGET (window));
  test_do (window, "show-nodes", NULL);
  settle (window, list);
  g_assert_cmpuint (n_rows (list), >, 3000);
  g_assert_cmpuint (list->key_cells->len, <, 500);
  gtk_widget_activate_action (GTK_WIDGET (list), "nodes.sort", "u", 7);
  settle (window, list);
  char a[17], b[17];
  for (guint i = 1; i < n_rows (list); i++)
    {
      fb_node_list_key_text (list, card_at (list, i - 1), a);
      fb_node_list_key_text (list, card_at (list, i), b);
      g_assert_cmpint (strcmp (a, b), <=, 0);
    }
  test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/nodes/rows", test_rows);
  g_test_add_func ("/app/nodes/selection", test_selection);
  g_test_add_func ("/app/nodes/sorting", test_sorting);
  g_test_add_func ("/app/nodes/filter", test_filter);
  g_test_add_func ("/app/nodes/focus", test_focus);
  g_test_add_func ("/app/nodes/late-row", test_late_row);
  g_test_add_func ("/app/nodes/many", test_many);
  return g_test_run ();
}
