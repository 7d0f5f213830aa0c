/* How files get into the window and out of it: dropped, chosen, exported. */
#include <glib/gstdio.h>
#include <string.h>

#include "fixture.h"

/* --- dropping --- */

static GtkDropTarget *
drop_target_of (FbWindow *window)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (window));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (GTK_IS_DROP_TARGET (controller))
        return GTK_DROP_TARGET (controller); /* the window keeps it */
    }
  return NULL;
}

/* What GTK does when files are let go over the window. */
static gboolean
drop (FbWindow *window, const char *const *paths, const char *uri)
{
  GSList *files = NULL;
  for (; paths && *paths; paths++)
    files = g_slist_append (files, g_file_new_for_path (*paths));
  if (uri)
    files = g_slist_append (files, g_file_new_for_uri (uri));
  GdkFileList *list = gdk_file_list_new_from_list (files);
  GValue value = G_VALUE_INIT;
  GdkDragAction action = 0;
  gboolean taken = FALSE;
  GtkDropTarget *target = drop_target_of (window);
  g_assert_nonnull (target);
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, list);
  g_signal_emit_by_name (target, "enter", 10.0, 10.0, &action);
  g_assert_cmpint (action, ==, GDK_ACTION_COPY);
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (window->stack), "fb-drop"));
  g_signal_emit_by_name (target, "leave");
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (window->stack), "fb-drop"));
  g_signal_emit_by_name (target, "drop", &value, 10.0, 10.0, &taken);
  g_value_unset (&value);
  g_slist_free_full (files, g_object_unref);
  test_settle (window);
  return taken;
}

static guint
n_windows (FbWindow *window)
{
  return g_list_length (gtk_application_get_windows (gtk_window_get_application (GTK_WINDOW (window))));
}

static void
test_drop (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *lerp = test_sample ("lerp.db"), *views = test_sample ("views.db"),
                  *bad = test_file_new ("no capture");
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  g_assert_true (drop (window, (const char *const[]){ lerp, NULL }, NULL));
  g_assert_cmpstr (fb_document_get_name (window->doc), ==, "lerp.db");
  /* onto a window that shows something: the first in it, each other in one of its own */
  guint n = n_windows (window);
  g_assert_true (drop (window, (const char *const[]){ views, lerp, NULL }, NULL));
  g_assert_cmpstr (fb_document_get_name (window->doc), ==, "views.db");
  g_assert_cmpuint (n_windows (window), ==, n + 1);
  GList *all = gtk_application_get_windows (gtk_window_get_application (GTK_WINDOW (window)));
  FbWindow *other = all->data == window ? all->next->data : all->data;
  test_settle (other);
  g_assert_cmpstr (fb_document_get_name (other->doc), ==, "lerp.db");
  test_close (other);
  /* what is no capture is told, and what was open stays */
  g_assert_true (drop (window, (const char *const[]){ bad, NULL }, NULL));
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  g_assert_cmpstr (fb_document_get_name (window->doc), ==, "views.db");
  g_assert_true (drop (window, NULL, "https://example.org/capture.db"));
  g_assert_nonnull (strstr (gtk_label_get_label (window->banner_label), "https://example.org/capture.db"));
  g_unlink (bad);
  test_close (window);
}

/* --- choosing --- */

static void
respond (GtkFileChooserNative *chooser, int response)
{
  g_signal_emit_by_name (chooser, "response", response);
}

/* A chooser knows of a file once it has read its folder. */
static void
choose (GtkFileChooserNative *chooser, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  for (gboolean chosen = FALSE; !chosen;)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      gtk_file_chooser_set_file (GTK_FILE_CHOOSER (chooser), file, NULL);
      test_wait (100);
      g_autoptr (GFile) now = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
      chosen = now && g_file_equal (now, file);
    }
}

static void
test_choose (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  fb_window_choose_file (window);
  g_assert_nonnull (window->chooser);
  respond (window->chooser, GTK_RESPONSE_CANCEL);
  g_assert_null (window->chooser);
  g_assert_null (fb_document_get_name (window->doc));
  fb_window_choose_file (window);
  choose (window->chooser, lerp);
  respond (window->chooser, GTK_RESPONSE_ACCEPT);
  g_assert_null (window->chooser);
  test_settle (window);
  g_assert_cmpstr (fb_document_get_name (window->doc), ==, "lerp.db");
  test_close (window);
}

/* Saving and exporting propose a name; it is taken as it stands. */
static void
test_choose_names (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db"), *session = test_in_folder ("lerp.fusebox"),
                  *picture = test_in_folder ("lerp-simplify-3-to-simplify-9.svg");
  FbWindow *window = test_open_in_folder (lerp, NULL, 9);
  g_autoptr (GFile) folder = g_file_new_for_path (test_folder_get ());
  test_do (window, "save-as", NULL);
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (window->save_chooser), folder, NULL);
  test_wait (300);
  respond (window->save_chooser, GTK_RESPONSE_ACCEPT);
  test_settle_session (window);
  g_assert_true (fb_store_is_session (session));
  test_do (window, "compare-with", "'1:3'");
  test_do (window, "export", "'svg'");
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (window->export_chooser), folder, NULL);
  test_wait (300);
  respond (window->export_chooser, GTK_RESPONSE_ACCEPT);
  test_settle (window);
  g_assert_true (g_file_test (picture, G_FILE_TEST_EXISTS));
  test_close_session (window);
  test_folder_drop ();
}

/* --- the difference of any two steps --- */

static char *export(FbWindow *window, const char *name)
{
  g_autofree char *path = test_in_folder (name), *parameter = g_strdup_printf ("'%s'", path);
  char *content = NULL;
  test_do (window, "export-to", parameter);
  test_settle (window);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  return content;
}

static void
test_differences (void)
{
  if (!test_has_display ())
    return;
  test_folder_make ();
  g_autofree char *lerp = test_sample ("lerp.db");
  FbWindow *window = test_open (lerp, 0, "kernels", 2);
  test_do (window, "compare-with", "'1:3'");
  FbStepView *view = fb_document_get_view (window->doc);
  g_assert_cmpuint (view->record->n_marks[FB_MARK_REPLACED] + view->record->n_marks[FB_MARK_GONE], >, 0);
  g_autofree char *text = export(window, "a.diff");
  g_assert_true (g_str_has_prefix (text, "--- simplify 3\n+++ kernels 2\n"));
  g_autoptr (FbTextDiff) diff = fb_step_view_diff (view, FB_SCOPE_GRAPH);
  g_autofree char *lines = fb_text_diff_to_text (diff);
  g_assert_true (g_str_has_suffix (text, lines));
  /* side by side on the screen, in a picture both in one: what is gone is in it too */
  test_do (window, "side", "'both'");
  g_assert_nonnull (fb_document_get_view (window->doc)->left);
  g_autofree char *both = export(window, "both.dot");
  test_do (window, "side", "'after'");
  g_autofree char *after = export(window, "after.dot");
  test_do (window, "side", "'overlay'");
  g_autofree char *overlay = export(window, "overlay.dot");
  g_assert_cmpstr (both, ==, overlay);
  g_assert_cmpuint (strlen (after), <, strlen (both));
  g_autofree char *svg = export(window, "both.svg"), *png = export(window, "both.png");
  g_assert_nonnull (strstr (svg, "<svg"));
  g_assert_cmpmem (png, 4, "\x89PNG", 4);
  /* a step of its own, and its input, which differs from nothing */
  test_do (window, "compare", NULL);
  g_autofree char *step = export(window, "step.diff");
  g_assert_true (g_str_has_prefix (step, "--- kernels 1\n+++ kernels 2\n"));
  test_do (window, "first-step", NULL);
  g_autofree char *none = test_in_folder ("none.diff"), *parameter = g_strdup_printf ("'%s'", none);
  fb_document_go (window->doc, 0, 0);
  test_settle (window);
  test_do (window, "export-to", parameter);
  test_settle (window);
  g_assert_false (g_file_test (none, G_FILE_TEST_EXISTS));
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  test_close (window);
  test_folder_drop ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/files/drop", test_drop);
  g_test_add_func ("/app/files/choose", test_choose);
  g_test_add_func ("/app/files/choose-names", test_choose_names);
  g_test_add_func ("/app/files/differences", test_differences);
  return g_test_run ();
}
