/* The view of the graph, by actions and keys: collapse, hide, extract, undo; what is exported and copied. */
#include <glib/gstdio.h>
#include <string.h>

#include "app/export-job.h"
#include "util.h"

static FbWindow *
open_sample (const char *name, const char *pass, guint step)
{
  g_autofree char *path = test_sample (name);
  return test_open (path, 0, pass, step);
}

static const FbGraph *
shown (FbWindow *window)
{
  return fb_canvas_get_scene (window->canvas)->graph;
}

static void
select_op (FbWindow *window, const char *title)
{
  const FbGraph *graph = shown (window);
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (!strcmp (graph->nodes[i].title, title))
      {
        fb_document_select (window->doc, graph->nodes[i].uop);
        test_settle (window);
        return;
      }
  g_assert_not_reached ();
}

static guint
n_with_title (FbWindow *window, const char *title)
{
  guint n = 0;
  for (guint32 i = 0; i < shown (window)->n_nodes; i++)
    n += !strcmp (shown (window)->nodes[i].title, title);
  return n;
}

static gboolean
enabled (FbWindow *window, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), action);
}

static void
test_hide (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", NULL, 19);
  guint32 n = shown (window)->n_nodes;
  g_assert_false (enabled (window, "show-all"));
  select_op (window, "EXP2");
  test_do (window, "hide", NULL);
  g_assert_cmpuint (shown (window)->n_nodes, ==, n - 1);
  g_assert_cmpuint (n_with_title (window, "EXP2"), ==, 0);
  /* it stays hidden, also where it was rebuilt meanwhile */
  test_do (window, "first-step", NULL);
  g_assert_cmpuint (n_with_title (window, "EXP2"), ==, 0);
  test_do (window, "last-step", NULL);
  g_assert_cmpuint (n_with_title (window, "EXP2"), ==, 0);
  g_assert_true (enabled (window, "show-all"));
  test_do (window, "show-all", NULL);
  g_assert_cmpuint (n_with_title (window, "EXP2"), ==, 1);
  /* back, and back again, and on */
  test_do (window, "undo-view", NULL);
  g_assert_cmpuint (n_with_title (window, "EXP2"), ==, 0);
  test_do (window, "undo-view", NULL);
  g_assert_cmpuint (n_with_title (window, "EXP2"), ==, 1);
  test_do (window, "undo-view", NULL);
  test_do (window, "redo-view", NULL);
  g_assert_cmpuint (n_with_title (window, "EXP2"), ==, 0);
  test_close (window);
}

static void
test_extract (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", NULL, 19);
  guint32 n = shown (window)->n_nodes;
  g_assert_false (enabled (window, "grow"));
  select_op (window, "RECIP");
  test_do (window, "extract", NULL);
  /* its source and its two users */
  g_assert_cmpuint (shown (window)->n_nodes, ==, 4);
  test_do (window, "grow", "1");
  g_assert_cmpuint (shown (window)->n_nodes, >, 4);
  test_do (window, "grow", "-1");
  g_assert_cmpuint (shown (window)->n_nodes, ==, 4);
  test_do (window, "grow", "-1");
  g_assert_cmpuint (shown (window)->n_nodes, ==, 1);
  for (guint i = 0; i < 3; i++)
    test_do (window, "undo-view", NULL);
  g_assert_cmpuint (shown (window)->n_nodes, ==, 4);
  test_do (window, "undo-view", NULL);
  g_assert_cmpuint (shown (window)->n_nodes, ==, n);
  test_close (window);
}

static void
test_collapse (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", NULL, 19);
  guint32 n = shown (window)->n_nodes;
  /* VIEW MUL ADD MUL EXP2 ADD RECIP: one source and one user each, but RECIP, which has two users */
  select_op (window, "EXP2");
  test_do (window, "collapse", NULL);
  g_assert_cmpuint (n_with_title (window, "chain"), ==, 1);
  g_assert_cmpuint (shown (window)->n_nodes, ==, n - 6);
  guint32 card = fb_canvas_get_selected (window->canvas);
  g_assert_cmpuint (card, <, shown (window)->n_nodes);
  g_assert_cmpstr (shown (window)->nodes[card].title, ==, "chain");
  /* the same card in another step */
  test_do (window, "previous-step", NULL);
  g_assert_cmpuint (n_with_title (window, "chain"), ==, 1);
  select_op (window, "chain");
  test_do (window, "collapse", NULL);
  g_assert_cmpuint (n_with_title (window, "chain"), ==, 0);
  /* two by hand, with what lies between */
  fb_document_go (window->doc, 0, 19);
  test_settle (window);
  select_op (window, "BUFFER");
  test_do (window, "mark", NULL);
  select_op (window, "RECIP");
  test_do (window, "collapse", NULL);
  g_assert_cmpuint (n_with_title (window, "group"), ==, 1);
  test_do (window, "open-all", NULL);
  g_assert_cmpuint (shown (window)->n_nodes, ==, n);
  test_close (window);
}

/* The three kernels of the sample, as the schedule has them. */
static void
test_kernels (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", "kernels", 0);
  test_do (window, "collapse-kernels", NULL);
  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *title = g_strdup_printf ("kernel %u", i);
      g_assert_cmpuint (n_with_title (window, title), ==, 1);
    }
  /* three buffers, three kernels, the sink */
  g_assert_cmpuint (shown (window)->n_nodes, ==, 7);
  select_op (window, "kernel 1");
  test_do (window, "collapse", NULL);
  g_assert_cmpuint (n_with_title (window, "kernel 1"), ==, 0);
  g_assert_cmpuint (n_with_title (window, "kernel 2"), ==, 1);
  test_do (window, "frame-kernels", NULL);
  select_op (window, "RECIP");
  g_assert_cmpuint (shown (window)->nodes[fb_canvas_get_selected (window->canvas)].kernel, ==, 1);
  g_assert_true (shown (window)->nodes[fb_canvas_get_selected (window->canvas)].realized);
  test_do (window, "collapse-kernels", NULL);
  g_assert_cmpuint (n_with_title (window, "kernel 2"), ==, 0);
  test_close (window);
}

static void
done (GObject *source, GAsyncResult *result, gpointer data)
{
  *(gboolean *) data = fb_document_export_finish (FB_DOCUMENT (source), result, NULL);
}

static void
test_export (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", NULL, 19);
  static const char *const names[] = { "a.svg", "a.png", "a.dot", "a.html", "a.txt" };
  static const char *const begins[] = { "<?xml", "\211PNG", "digraph", "<!DOCTYPE html>", "UOp(Ops.SINK" };
  g_autofree char *folder = g_dir_make_tmp ("fusebox-export-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL), *text = NULL;
      FbExportFormat format;
      gboolean ok = FALSE;
      g_assert_true (fb_export_format_of (path, &format));
      fb_document_export (window->doc, format, path, FALSE, done, &ok);
      test_settle (window);
      g_assert_true (ok);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (g_str_has_prefix (text, begins[i]));
      g_unlink (path);
    }
  FbExportFormat format;
  g_assert_false (fb_export_format_of ("picture", &format));
  g_assert_false (fb_export_format_of ("picture.jpg", &format));
  g_rmdir (folder);
  /* what cannot be written is said, and nothing is left busy */
  fb_window_export (window, "/nowhere/at/all.svg");
  test_settle (window);
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  test_close (window);
}

static void
printed (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **) data = fb_document_print_finish (FB_DOCUMENT (source), result, NULL);
}

static void
test_copy (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", NULL, 19);
  g_autoptr (GPtrArray) uops = g_ptr_array_new ();
  g_autofree char *line = NULL, *deep = NULL;
  select_op (window, "RECIP");
  g_ptr_array_add (uops, fb_document_get_selected (window->doc));
  fb_document_print (window->doc, uops, FALSE, printed, &line);
  fb_document_print (window->doc, uops, TRUE, printed, &deep);
  while (!line || !deep)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (line, ==, "UOp(Ops.RECIP, dtypes.float, arg=None, src=(ADD))\n");
  g_assert_true (g_str_has_prefix (deep, "UOp(Ops.RECIP, dtypes.float, arg=None, src=("));
  g_assert_nonnull (strstr (deep, "Ops.BUFFER"));
  test_close (window);
}

static void
test_menu (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = open_sample ("lerp.db", NULL, 19);
  select_op (window, "RECIP");
  test_do (window, "graph-menu", NULL);
  GtkWidget *menu = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (window->canvas)); child;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER_MENU (child))
      menu = child;
  g_assert_nonnull (menu);
  g_assert_true (gtk_widget_get_visible (menu));
  gtk_popover_popdown (GTK_POPOVER (menu));
  test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/view/hide", test_hide);
  g_test_add_func ("/app/view/extract", test_extract);
  g_test_add_func ("/app/view/collapse", test_collapse);
  g_test_add_func ("/app/view/kernels", test_kernels);
  g_test_add_func ("/app/view/export", test_export);
  g_test_add_func ("/app/view/copy", test_copy);
  g_test_add_func ("/app/view/menu", test_menu);
  return g_test_run ();
}
