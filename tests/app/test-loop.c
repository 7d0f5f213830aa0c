/* What opening, stepping, searching and closing cost: the longest turn of the main loop, and the time from a key press to the picture.
 * Both are told, not judged: the machine may be busy. What is checked is that what was asked for is shown, and that lists get their
 * rows, and windows lose theirs, in more turns than one. */
#include <time.h>

#include "app/node-page.h"
#include "core/ir/text.h"
#include "util.h"

typedef struct
{
  double longest, total; /* ms of processor time */
  guint turns, over;     /* over: longer than a frame at 60 Hz */
  double worst_wall;
} Turns;

static double
thread_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

/* Waiting for events costs no processor time of this thread. */
static void
turn (Turns *turns)
{
  double start = thread_ms (), time;
  g_main_context_iteration (NULL, TRUE);
  time = thread_ms () - start;
  turns->turns++;
  turns->total += time;
  turns->over += time > 16;
  turns->longest = MAX (turns->longest, time);
}

static void
settle (FbWindow *window, Turns *turns)
{
  while (!fb_document_is_settled (window->doc))
    turn (turns);
  while (g_main_context_pending (NULL))
    turn (turns);
}

static char *
capture (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  g_autofree char *large = corpus ? g_build_filename (corpus, "model.gpt2_train.db", NULL) : NULL;
  if (large && g_file_test (large, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&large);
  return test_sample ("mlp_train.db");
}

static void
report (const char *what, const Turns *turns, guint steps, gint64 wall)
{
  g_test_message (
      "%s: %u steps, %.1f ms each; main loop %.1f ms a step, longest turn %.1f ms, %u of %u turns over 16 ms", what,
      steps, wall / 1e3 / steps, turns->total / steps, turns->longest, turns->over, turns->turns);
}

static void
test_stepping (void)
{
  static const struct
  {
    const char *what, *pass;
    guint step;
    const char *action;
  } walks[] = {
    { "forwards", "1", 200, "next-step" },
    { "backwards", "1", 900, "previous-step" },
    { "kernels", "kernels", 300, "next-step" },
  };
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (path, 1, NULL, 0);
  FbRowView *row = fb_document_get_row (window->doc);
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    {
      Turns turns = { 0 };
      FbStepPosition start, now;
      g_autofree char *text = g_strdup_printf ("%s:0", walks[i].pass);
      guint steps = 25;
      g_assert_true (fb_step_position_parse (row, text, &start, NULL));
      start.step = MIN (walks[i].step, row->passes[start.pass].n_steps - 1);
      fb_document_go (window->doc, start.pass, start.step);
      test_settle (window);
      gint64 begin = g_get_monotonic_time ();
      for (guint s = 0; s < steps; s++)
        {
          g_action_group_activate_action (G_ACTION_GROUP (window), walks[i].action, NULL);
          settle (window, &turns);
          now.pass = fb_document_get_view (window->doc)->pass;
          now.step = fb_document_get_view (window->doc)->step;
          g_assert_true (fb_step_position_compare (&now, &start) != 0);
        }
      report (walks[i].what, &turns, steps, g_get_monotonic_time () - begin);
    }
  test_close (window);
}

static guint
n_rows (GtkWidget *list)
{
  guint n = 0;
  for (GtkWidget *row = gtk_widget_get_first_child (list); row; row = gtk_widget_get_next_sibling (row))
    n++;
  return n;
}

/* What happened in which order, a letter each: o a file was opened, r its row loaded, s a step was shown, t its rule told, d its
 * difference, p a frame was made. */
static void
note_opened (GString *log)
{
  g_string_append_c (log, 'o');
}

static void
note_loaded (GString *log)
{
  g_string_append_c (log, 'r');
}

static void
note_shown (GString *log)
{
  g_string_append_c (log, 's');
}

static void
note_told (GString *log)
{
  g_string_append_c (log, 't');
}

static void
note_diffed (GString *log)
{
  g_string_append_c (log, 'd');
}

static void
note_painted (GString *log)
{
  if (log->len && log->str[log->len - 1] != 'p')
    g_string_append_c (log, 'p');
}

/* The frame that shows the page of a file has no row of it to show, and that of the row comes later. Rows of a long list come in
 * several turns; all are there in the end, and the one we are at is selected. */
static void
test_opening (void)
{
  Turns turns = { 0 };
  guint most = 0, before = 0, growths = 0;
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  GtkWidget *list
      = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window->pass_panel), FB_TYPE_PASS_PANEL, "step_list"));
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  g_autoptr (GString) log = g_string_new (NULL);
  g_signal_connect_swapped (window->doc, "opened", G_CALLBACK (note_opened), log);
  g_signal_connect_swapped (window->doc, "row-loaded", G_CALLBACK (note_loaded), log);
  gulong painted = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (note_painted), log);
  gint64 begin = g_get_monotonic_time ();
  fb_window_open (window, path, 1, "1", 150);
  while (!fb_document_is_settled (window->doc) || !fb_pass_panel_is_settled (window->pass_panel)
         || g_main_context_pending (NULL))
    {
      turn (&turns);
      guint now = n_rows (list);
      if (now > before)
        {
          growths++;
          most = MAX (most, now - before);
        }
      before = now;
    }
  report ("opening", &turns, 1, g_get_monotonic_time () - begin);
  g_signal_handler_disconnect (clock, painted);
  g_signal_handlers_disconnect_by_data (window->doc, log);
  g_assert_true (g_str_has_prefix (log->str, "opr"));
  GtkSelectionModel *model = gtk_list_view_get_model (GTK_LIST_VIEW (list));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==,
                    fb_document_get_row (window->doc)->passes[0].n_steps);
  g_assert_cmpuint (gtk_single_selection_get_selected (GTK_SINGLE_SELECTION (model)), ==, 149);
  g_assert_cmpuint (growths, >, 3);
  g_assert_cmpuint (most, <, 60);
  test_close (window);
}

static void
test_searching (void)
{
  Turns turns = { 0 };
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (path, 1, NULL, 0);
  gint64 begin = g_get_monotonic_time ();
  guint n = 12;
  g_action_group_activate_action (G_ACTION_GROUP (window), "search-all", g_variant_new_string ("-op:ADD"));
  while (!fb_window_is_settled (window) || g_main_context_pending (NULL))
    turn (&turns);
  g_assert_cmpuint (fb_search_panel_get_n_hits (window->search_panel), >, 300);
  for (guint i = 0; i < n; i++)
    {
      /* now and then far away */
      g_action_group_activate_action (G_ACTION_GROUP (window), i % 3 == 2 ? "previous-hit" : "next-hit", NULL);
      while (!fb_window_is_settled (window) || g_main_context_pending (NULL))
        turn (&turns);
    }
  report ("searching", &turns, n, g_get_monotonic_time () - begin);
  g_assert_cmpuint (fb_search_panel_get_current (window->search_panel), >, 0);
  test_close (window);
}

/* Where the first rows of the list of steps are. */
static GPtrArray *
first_rows (FbWindow *window)
{
  GtkWidget *list
      = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window->pass_panel), FB_TYPE_PASS_PANEL, "step_list"));
  GPtrArray *rows = g_ptr_array_new ();
  for (GtkWidget *row = gtk_widget_get_first_child (list); row && rows->len < 4;
       row = gtk_widget_get_next_sibling (row))
    g_ptr_array_add (rows, row);
  return rows;
}

/* Rows are made once: those of one pass are written for the next. */
static void
test_rows_again (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (path, 1, "1", 0);
  FbRowView *row = fb_document_get_row (window->doc);
  g_autoptr (GPtrArray) before = first_rows (window);
  g_assert_cmpuint (before->len, ==, 4);
  g_assert_cmpuint (row->passes[2].n_steps, >, 4);
  fb_document_go (window->doc, 2, 0);
  test_settle (window);
  g_autoptr (GPtrArray) after = first_rows (window);
  for (guint i = 0; i < 4; i++)
    g_assert_true (g_ptr_array_index (before, i) == g_ptr_array_index (after, i));
  test_close (window);
}

/* The frame that shows a step does not tell of it as well. */
static void
test_frames_of_step (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (path, 1, "1", 3);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  g_autoptr (GString) log = g_string_new (NULL);
  g_signal_connect_swapped (window->doc, "step-shown", G_CALLBACK (note_shown), log);
  g_signal_connect_swapped (window->doc, "step-told", G_CALLBACK (note_told), log);
  g_signal_connect_swapped (window->doc, "diffed", G_CALLBACK (note_diffed), log);
  gulong painted = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (note_painted), log);
  for (guint i = 0; i < 5; i++)
    {
      g_string_truncate (log, 0);
      test_do (window, "next-step", NULL);
      g_assert_true (g_str_has_prefix (log->str, "sptp"));
      g_assert_nonnull (strchr (log->str, 'd'));
    }
  /* one that comes before the last was told of is told of in its stead */
  g_string_truncate (log, 0);
  g_action_group_activate_action (G_ACTION_GROUP (window), "next-step", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "next-step", NULL);
  test_settle (window);
  g_assert_cmpuint (fb_document_get_view (window->doc)->step, ==, 10);
  g_assert_cmpstr (strrchr (log->str, 't'), !=, NULL);
  g_signal_handler_disconnect (clock, painted);
  g_signal_handlers_disconnect_by_data (window->doc, log);
  test_close (window);
}

static guint
n_widgets (GtkWidget *root, GHashTable *seen)
{
  guint n = g_hash_table_add (seen, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    n += n_widgets (child, seen);
  return n;
}

/* The page of a node makes no widgets for a node like one that it has shown. */
static void
test_node_page_again (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (path, 1, "1", 0);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GtkWidget *page = test_find (GTK_WIDGET (window), FB_TYPE_NODE_PAGE);
  test_do (window, "inspector-tab", "'node'");
  for (guint i = 0; i < 30; i++)
    {
      test_do (window, "next-step", NULL);
      n_widgets (page, seen);
    }
  for (guint i = 0; i < 10; i++)
    {
      test_do (window, "previous-step", NULL);
      g_assert_nonnull (fb_document_get_node (window->doc));
      g_assert_cmpuint (n_widgets (page, seen), ==, 0);
    }
  test_close (window);
}

/* The picture is put on the screen in parts that need little memory, which share one drawing. */
static void
test_bands (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (path, 1, "1", 3);
  GtkWidget *canvas = GTK_WIDGET (window->canvas);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GTK_WIDGET_GET_CLASS (canvas)->snapshot (canvas, snapshot);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  GskRenderNode *drawing = NULL;
  float height = 0;
  g_assert_cmpint (gsk_render_node_get_node_type (node), ==, GSK_CONTAINER_NODE);
  for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
    {
      GskRenderNode *band = gsk_container_node_get_child (node, i);
      if (gsk_render_node_get_node_type (band) != GSK_CLIP_NODE)
        continue;
      g_assert_true (!drawing || gsk_clip_node_get_child (band) == drawing);
      drawing = gsk_clip_node_get_child (band);
      g_assert_cmpfloat (gsk_clip_node_get_clip (band)->size.height, <=, 128);
      g_assert_cmpfloat (gsk_clip_node_get_clip (band)->origin.y, ==, height);
      height += gsk_clip_node_get_clip (band)->size.height;
    }
  g_assert_nonnull (drawing);
  g_assert_cmpfloat (height, ==, gtk_widget_get_height (canvas));
  gsk_render_node_unref (node);
  test_close (window);
}

static void
set_gone (gpointer data, GObject *where)
{
  *(gboolean *) data = TRUE;
}

static void
test_closing (void)
{
  Turns turns = { 0 };
  gboolean gone = FALSE;
  if (!test_has_display ())
    return;
  g_autofree char *path = capture ();
  FbWindow *window = test_open (path, 1, NULL, 0);
  g_object_weak_ref (G_OBJECT (window), set_gone, &gone);
  gint64 begin = g_get_monotonic_time ();
  gtk_window_close (GTK_WINDOW (window));
  g_assert_false (gone);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window)));
  while (!gone)
    turn (&turns);
  report ("closing", &turns, 1, g_get_monotonic_time () - begin);
  g_assert_cmpuint (turns.turns, >, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/loop/opening", test_opening);
  g_test_add_func ("/app/loop/stepping", test_stepping);
  g_test_add_func ("/app/loop/searching", test_searching);
  g_test_add_func ("/app/loop/rows-again", test_rows_again);
  g_test_add_func ("/app/loop/frames-of-step", test_frames_of_step);
  g_test_add_func ("/app/loop/node-page-again", test_node_page_again);
  g_test_add_func ("/app/loop/bands", test_bands);
  g_test_add_func ("/app/loop/closing", test_closing);
  return g_test_run ();
}
