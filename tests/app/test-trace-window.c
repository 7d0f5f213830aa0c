/* A VIZ trace in the window: whatever works on a captured row works on its contexts. */
#include <glib/gstdio.h>
#include <string.h>

#include "app/ansi.h"
#include "app/lineage-page.h"
#include "core/viztrace/viztrace.h"
#include "util.h"

static const char *const samples[] = { "relu.v0.10.2.pkl", "relu.v0.11.0.pkl", "relu.v0.13.0.pkl", "relu.2026-08.pkl" };

static char *
trace_sample (const char *name)
{
  g_autofree char *file = g_build_filename ("traces", name, NULL);

  return test_sample (file);
}

/* The first pass of the row with at least @n steps. */
static guint
pass_with_steps (FbWindow *window, guint n)
{
  const FbRowView *row = fb_document_get_row (window->doc);

  for (guint i = 0; i < row->n_passes; i++)
    if (row->passes[i].n_steps >= n)
      return i;
  g_assert_not_reached ();
}

/* Every step of every pass of every context can be looked at, and its graph is what the trace's own replay makes of it. */
static void
check_row (FbWindow *window)
{
  const FbRowView *row = fb_document_get_row (window->doc);

  g_assert_cmpuint (row->kind, ==, FB_ROW_TRACE);
  for (guint pass = 0; pass < row->n_passes; pass++)
    for (guint step = 0; step <= row->passes[pass].n_steps; step++)
      {
        const FbStepView *view;

        fb_document_jump (window->doc, pass, step);
        test_settle (window);
        test_assert_at (window, pass, step);
        view = fb_document_get_view (window->doc);
        g_assert_nonnull (view->record);
        g_assert_nonnull (view->scene);
      }
}

static void
test_steps (void)
{
  if (!test_has_display ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = trace_sample (samples[i]);
      FbWindow *window = test_open (path, 1, NULL, 0);

      for (guint row = 1; row <= fb_document_get_n_rows (window->doc); row++)
        {
          fb_document_load (window->doc, row);
          test_settle (window);
          check_row (window);
        }
      test_close (window);
    }
}

/* --- finding --- */

static void
test_search (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = trace_sample ("relu.v0.13.0.pkl"), *query = NULL;
  FbWindow *window = test_open (path, 2, NULL, 0);
  FbSearchPanel *panel = window->search_panel;
  FbRowView *row = fb_document_get_row (window->doc);
  guint pass = pass_with_steps (window, 1), n = 0, at_pass, at_step;
  const FbPass *first = row->passes[pass].pass;
  guint32 rule = fb_pass_match (first, 0)->rule;
  const char *name = fb_rule_set_rule (first->rules, rule)->name;

  for (guint i = 0; i < row->n_passes; i++)
    for (guint s = 0; s < row->passes[i].n_steps; s++)
      n += fb_pass_match (row->passes[i].pass, s)->rule == rule;
  test_do (window, "search", NULL);
  query = g_strdup_printf ("'rule=%s'", name);
  test_do (window, "search-all", query);
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), ==, n);
  test_do (window, "next-hit", NULL);
  fb_document_get_position (window->doc, &at_pass, &at_step);
  g_assert_cmpuint (at_step, >, 0);
  g_assert_cmpuint (fb_pass_match (row->passes[at_pass].pass, at_step - 1)->rule, ==, rule);
  /* ops that only releases of today have */
  test_do (window, "search-all", "'op:RANGE'");
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), >, 0);
  test_do (window, "search-all", "'op:NOSUCHOP'");
  g_assert_cmpuint (fb_search_panel_get_n_hits (panel), ==, 0);
  test_do (window, "close-search", NULL);
  test_close (window);
}

static void
test_breakpoints (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = trace_sample ("relu.v0.13.0.pkl");
  FbWindow *window = test_open (path, 3, NULL, 0);
  FbRowView *row = fb_document_get_row (window->doc);
  guint pass = pass_with_steps (window, 1), at_pass, at_step;

  fb_document_jump (window->doc, pass, 1);
  test_settle (window);
  test_do (window, "break-on-rule", NULL);
  g_assert_cmpuint (fb_step_marks_get_n (fb_document_get_marks (window->doc), FB_STEP_BREAK), >, 0);
  test_do (window, "first-step", NULL);
  test_do (window, "add-breakpoint", "'op:SOURCE'");
  for (guint i = 0; i < 100; i++)
    {
      const FbMatch *match;

      test_do (window, "continue", NULL);
      fb_document_get_position (window->doc, &at_pass, &at_step);
      match = fb_pass_match (row->passes[at_pass].pass, at_step - 1);
      if (match->rule != fb_pass_match (row->passes[pass].pass, 0)->rule)
        break;
    }
  g_assert_cmpstr (fb_op_name (fb_document_get_selected (window->doc)->op), ==, "SOURCE");
  test_close (window);
}

static void
test_lineage (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = trace_sample ("relu.2026-08.pkl");
  FbWindow *window = test_open (path, 2, NULL, 0);
  guint pass = pass_with_steps (window, 1);
  FbLineagePage *page;

  fb_document_jump (window->doc, pass, 1);
  test_settle (window);
  test_do (window, "inspector-tab", "'lineage'");
  test_wait (100);
  test_settle (window);
  page = FB_LINEAGE_PAGE (test_find (GTK_WIDGET (window->inspector), FB_TYPE_LINEAGE_PAGE));
  g_assert_cmpuint (fb_lineage_page_get_n_links (page), >, 0);
  test_close (window);
}

/* --- what the trace tells --- */

static void
test_source (void)
{
  if (!test_has_display ())
    return;
  for (guint i = 1; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = trace_sample (samples[i]);
      FbWindow *window = test_open (path, 1, NULL, 0);
      guint n = fb_document_get_n_rows (window->doc);

      g_assert_null (fb_document_get_row (window->doc)->row->source);
      /* the last context is the kernel */
      fb_document_load (window->doc, n);
      test_settle (window);
      g_assert_nonnull (strstr (fb_document_get_row (window->doc)->row->source, "void r_2("));
      test_do (window, "show-source", NULL);
      g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "show-source"));
      test_close (window);
    }
}

static void
test_names (void)
{
  static const char name[] = "r_\x1b[34m2\x1b[0m\x1b[90m_\x1b[0m\x1b[31m16\x1b[0m", plain[] = "r_2_16";
  g_autofree char *made = fb_viz_plain_name (name);
  g_autoptr (PangoAttrList) colors = fb_ansi_attributes (name, FALSE);
  g_autoptr (PangoAttrList) none = fb_ansi_attributes (plain, TRUE);
  g_autoptr (PangoAttrIterator) iter = pango_attr_list_get_iterator (colors);
  static const int runs[][2] = { { 2, 3 }, { 3, 4 }, { 4, 6 } };
  guint n = 0;

  g_assert_cmpstr (made, ==, plain);
  g_assert_null (pango_attr_list_get_attributes (none));
  do
    {
      int start, end;

      if (!pango_attr_iterator_get (iter, PANGO_ATTR_FOREGROUND))
        continue;
      pango_attr_iterator_range (iter, &start, &end);
      g_assert_cmpuint (n, <, G_N_ELEMENTS (runs));
      g_assert_cmpint (start, ==, runs[n][0]);
      g_assert_cmpint (end, ==, runs[n][1]);
      n++;
    }
  while (pango_attr_iterator_next (iter));
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (runs));
}

/* --- keeping --- */

static void
settle_session (FbWindow *window)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (!fb_window_is_session_settled (window))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static guint
n_marks (FbWindow *window)
{
  FbSessionFile *session = fb_document_get_session (window->doc, NULL);

  return g_list_model_get_n_items (fb_session_file_get_marks (session, FB_STORE_BOOKMARK));
}

/* The session holds the trace, so the trace itself may go. */
static void
test_session (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *sample = trace_sample ("relu.v0.13.0.pkl"), *folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "rewrites.pkl", NULL), *bytes = NULL;
  g_autofree char *saved = g_build_filename (folder, "mine.fusebox", NULL);
  gsize len;
  FbWindow *window;
  guint pass, n_rows;

  g_assert_true (g_file_get_contents (sample, &bytes, &len, NULL)
                 && g_file_set_contents (path, bytes, (gssize) len, NULL));
  window = test_open (path, 3, NULL, 0);
  n_rows = fb_document_get_n_rows (window->doc);
  pass = pass_with_steps (window, 2);
  fb_document_jump (window->doc, pass, 2);
  test_settle (window);
  test_do (window, "toggle-bookmark", NULL);
  g_assert_cmpuint (n_marks (window), ==, 1);
  fb_window_save_session (window, saved);
  settle_session (window);
  test_close (window);
  fb_session_files_finish ();
  g_assert_cmpint (g_unlink (path), ==, 0);

  g_assert_true (fb_viz_trace_sniff_file (saved));
  window = test_open (saved, 0, NULL, 0);
  g_assert_cmpuint (fb_document_get_n_rows (window->doc), ==, n_rows);
  g_assert_cmpuint (fb_document_get_row_number (window->doc), ==, 3);
  test_assert_at (window, pass, 2);
  g_assert_cmpuint (n_marks (window), ==, 1);
  test_close (window);
  fb_session_files_finish ();
  g_unlink (saved);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_export (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *sample = trace_sample ("relu.2026-08.pkl"), *folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  FbWindow *window = test_open (sample, 2, NULL, 0);
  static const char *const names[] = { "a.svg", "a.png", "a.dot" };

  fb_document_jump (window->doc, pass_with_steps (window, 1), 1);
  test_settle (window);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *to = g_build_filename (folder, names[i], NULL), *bytes = NULL;
      gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
      gsize len = 0;

      fb_window_export (window, to);
      while (!g_file_get_contents (to, &bytes, &len, NULL) || !len)
        {
          g_clear_pointer (&bytes, g_free);
          g_assert_cmpint (g_get_monotonic_time (), <, end);
          g_main_context_iteration (NULL, FALSE);
        }
      test_settle (window);
      g_assert_cmpint (g_unlink (to), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/trace-window/every-step-of-every-release", test_steps);
  g_test_add_func ("/app/trace-window/search", test_search);
  g_test_add_func ("/app/trace-window/breakpoints", test_breakpoints);
  g_test_add_func ("/app/trace-window/lineage", test_lineage);
  g_test_add_func ("/app/trace-window/source", test_source);
  g_test_add_func ("/app/trace-window/names-in-colour", test_names);
  g_test_add_func ("/app/trace-window/session-holds-the-trace", test_session);
  g_test_add_func ("/app/trace-window/export", test_export);
  return g_test_run ();
}
