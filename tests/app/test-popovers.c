/* What opens over the page of buffers, with the keys and clicks a person makes: inputs of a run, axes of the table, an element of an
 * input. */
#include "keys.h"

#include <math.h>
#include <string.h>

#include "app/buffer-grid.h"

static char *private_folder;

static FbWindow *
open_run (const char *name)
{
  if (!test_has_keys ())
    return NULL;
  g_autofree char *path = test_sample (name);
  private_folder = g_dir_make_tmp ("fusebox-popovers-XXXXXX", NULL);
  FbWindow *window = test_open_focused (path, private_folder);
  test_do (window, "run-backend", "'interp'");
  test_press (window, "F8");
  for (guint i = 0; i < 1000 && (fb_runs_is_running (window->runs) || !fb_runs_get_current (window->runs)); i++)
    test_wait (10);
  test_settle_all (window);
  g_assert_no_error (fb_runs_get_current (window->runs)->error);
  return window;
}

static void
close_run (FbWindow *window)
{
  test_close (window);
  test_remove_folder (private_folder);
  g_clear_pointer (&private_folder, g_free);
}

/* The popover that is open, of the window or of what is in @widget; NULL: none. */
static GtkWidget *
popover (GtkWidget *widget)
{
  return test_find_seen (widget, GTK_TYPE_POPOVER, 0);
}

/* Types @text in place of what is in @entry, and Return. */
static void
enter (FbWindow *window, GtkWidget *entry, const char *text)
{
  test_click (window, entry, 0.4, 0.5);
  test_press (window, "ctrl+a");
  test_send_keys (window, "type", text);
  test_press (window, "Return");
}

static void
look_at (FbWindow *window, const char *name)
{
  const FbRun *run = fb_runs_get_current (window->runs);
  for (guint i = 0; i < run->n_buffers; i++)
    if (!strcmp (run->buffers[i].name, name))
      fb_buffer_view_set_buffer (window->buffer_view, i);
  test_settle_all (window);
}

static double
value_at (FbWindow *window, gint64 at)
{
  double value;
  GBytes *data = fb_buffer_view_get_data (window->buffer_view, NULL);
  g_assert_nonnull (data);
  fb_values_read (fb_buffer_view_get_scalar (window->buffer_view), g_bytes_get_data (data, NULL), at, 1, &value);
  return value;
}

static void
wait_run (FbWindow *window, const FbRun *before)
{
  for (guint i = 0; i < 1000; i++)
    {
      const FbRun *run = fb_runs_get_current (window->runs);
      if (run && run != before && run->ended && !fb_runs_is_running (window->runs))
        break;
      test_wait (10);
    }
  test_settle_all (window);
}

static const char *
input_text (FbWindow *window, guint at, char **text)
{
  g_free (*text);
  return *text = fb_input_print (fb_run_inputs_get (fb_runs_get_inputs (window->runs), at)->input);
}

/* An input of another kind with other numbers, one that is refused in words, and a run with them. */
static void
test_inputs (void)
{
  FbWindow *window = open_run ("lerp.db");
  g_autofree char *text = NULL;
  if (!window)
    return;
  guint gate = fb_run_inputs_find (fb_runs_get_inputs (window->runs), "#2");
  test_press (window, "shift+i");
  GtkWidget *open = popover (GTK_WIDGET (window));
  g_assert_nonnull (open);
  GtkWidget *kind = test_find_seen (open, GTK_TYPE_DROP_DOWN, gate),
            *entry = test_find_seen (open, GTK_TYPE_ENTRY, gate);
  g_assert_nonnull (kind);
  g_assert_nonnull (entry);
  g_assert_false (gtk_widget_get_sensitive (entry));
  /* the list of kinds opens on a click; the second is a constant */
  test_click (window, kind, 0.5, 0.5);
  test_press (window, "Down");
  test_press (window, "Return");
  g_assert_cmpstr (input_text (window, gate, &text), ==, "constant '0'");
  g_assert_true (gtk_widget_get_sensitive (entry));
  enter (window, entry, "0.25");
  g_assert_cmpstr (input_text (window, gate, &text), ==, "constant '0.25'");
  enter (window, entry, "many");
  g_assert_true (gtk_widget_has_css_class (entry, "error") || !strcmp (text, "constant '0.25'"));
  enter (window, entry, "0.75");
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  const FbRun *before = fb_runs_get_current (window->runs);
  /* the last button runs with them */
  GtkWidget *button = NULL, *next;
  for (guint i = 0; (next = test_find_seen (open, GTK_TYPE_BUTTON, i)); i++)
    if (!g_strcmp0 (gtk_button_get_label (GTK_BUTTON (next)), "Run with these"))
      button = next;
  g_assert_nonnull (button);
  test_click (window, button, 0.5, 0.5);
  wait_run (window, before);
  test_press (window, "Escape");
  g_assert_null (popover (GTK_WIDGET (window)));
  test_do (window, "run-kernel", "1");
  look_at (window, "#2");
  g_assert_cmpfloat (value_at (window, 3), ==, 0.75);
  close_run (window);
}

/* Another shape, one that does not fit, axes exchanged, and another plane. */
static void
test_axes (void)
{
  FbWindow *window = open_run ("lerp.db");
  if (!window)
    return;
  test_press (window, "shift+x");
  GtkWidget *open = popover (GTK_WIDGET (window));
  g_assert_nonnull (open);
  GtkWidget *shape = test_find_seen (open, GTK_TYPE_ENTRY, 0);
  enter (window, shape, "63x65");
  g_assert_true (gtk_widget_has_css_class (shape, "error"));
  enter (window, shape, "8x16x32");
  g_assert_false (gtk_widget_has_css_class (shape, "error"));
  const FbSlice *slice = fb_buffer_view_get_slice (window->buffer_view);
  g_assert_cmpuint (slice->n_dims, ==, 3);
  g_assert_cmpint (fb_slice_n_rows (slice), ==, 16);
  /* rows along the first axis: the plane is now one of the second */
  test_click (window, test_find_seen (open, GTK_TYPE_DROP_DOWN, 0), 0.5, 0.5);
  test_press (window, "Up");
  test_press (window, "Return");
  slice = fb_buffer_view_get_slice (window->buffer_view);
  g_assert_cmpint (slice->rows, ==, 0);
  g_assert_cmpint (fb_slice_n_rows (slice), ==, 8);
  GtkWidget *plane = test_find_seen (open, GTK_TYPE_SPIN_BUTTON, 0);
  g_assert_nonnull (plane);
  test_click (window, plane, 0.9, 0.5); /* its button for one more */
  g_assert_cmpint (fb_buffer_view_get_slice (window->buffer_view)->at[1], ==, 1);
  test_press (window, "Escape");
  g_assert_null (popover (GTK_WIDGET (window)));
  close_run (window);
}

/* A cell is clicked and edited; what is no number stays in the field. */
static void
test_edit (void)
{
  FbWindow *window = open_run ("lerp.db");
  if (!window)
    return;
  test_do (window, "run-kernel", "1");
  look_at (window, "#2");
  GtkWidget *page = GTK_WIDGET (fb_drawer_panel_get_buffers (window->drawer));
  GtkWidget *grid = test_find_seen (page, FB_TYPE_BUFFER_GRID, 0);
  g_assert_nonnull (grid);
  g_assert_cmpint (fb_buffer_view_get_element (window->buffer_view), ==, -1);
  /* the first row, below the head */
  test_click (window, grid, 0.3, 36.0 / gtk_widget_get_height (grid));
  gint64 element = fb_buffer_view_get_element (window->buffer_view);
  g_assert_cmpint (element, >=, 0);
  test_press (window, "Return");
  GtkWidget *open = popover (page), *entry = test_find_seen (open, GTK_TYPE_ENTRY, 0);
  g_assert_nonnull (entry);
  enter (window, entry, "much");
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  g_assert_nonnull (popover (page));
  const FbRun *before = fb_runs_get_current (window->runs);
  enter (window, entry, "nan");
  wait_run (window, before);
  g_assert_null (popover (page));
  g_assert_cmpint (fb_buffer_view_get_element (window->buffer_view), ==, element);
  g_assert_true (isnan (value_at (window, element)));
  /* what a kernel writes is no input: nothing opens */
  test_do (window, "run-kernel", "3");
  test_do (window, "buffer-element", "'[3, 4]'");
  test_press (window, "shift+e");
  g_assert_null (popover (page));
  close_run (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/popovers/inputs", test_inputs);
  g_test_add_func ("/app/popovers/axes", test_axes);
  g_test_add_func ("/app/popovers/edit", test_edit);
  return g_test_run ();
}
