/* Kernels run in the window, and their buffers looked at. */
#include "backends/run/fill.h"
#include "util.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static FbWindow *
open_sample (const char *name)
{
  g_autofree char *path = test_sample (name);
  return test_has_display () ? test_open (path, 1, NULL, 0) : NULL;
}

/* What the viewer looks at, element @at of it. */
static double
value_at (FbWindow *window, gint64 at)
{
  GBytes *data = fb_buffer_view_get_data (window->buffer_view, NULL);
  double value;
  g_assert_nonnull (data);
  fb_values_read (fb_buffer_view_get_scalar (window->buffer_view), g_bytes_get_data (data, NULL), at, 1, &value);
  return value;
}

/* Nothing is made until the page is on the screen. */
static const FbBufferFacts *
wait_for_facts (FbWindow *window)
{
  for (guint i = 0; i < 1000; i++)
    {
      const FbBufferFacts *facts = fb_buffer_view_get_facts (window->buffer_view);
      if (facts && fb_buffer_view_is_settled (window->buffer_view))
        return facts;
      test_wait (10);
    }
  g_assert_not_reached ();
}

/* A picture is made when there is a place for it, which is when the page has been drawn once. */
static const FbBufferSight *
wait_for_sight (FbWindow *window)
{
  for (guint i = 0; i < 1000; i++)
    {
      const FbBufferSight *sight = fb_buffer_view_get_sight (window->buffer_view);
      if (sight && sight->picture && fb_buffer_view_is_settled (window->buffer_view))
        return sight;
      test_wait (10);
    }
  g_assert_not_reached ();
}

static void
run_on (FbWindow *window, const char *backend)
{
  g_autofree char *parameter = g_strdup_printf ("'%s'", backend);
  test_do (window, "run-backend", parameter);
  test_do (window, "run", NULL);
}

static void
test_look (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  FbBufferView *view = window->buffer_view;
  g_assert_null (fb_buffer_view_get_run (view));
  run_on (window, "interp");
  const FbRun *run = fb_runs_get_current (window->runs);
  g_assert_nonnull (run);
  g_assert_no_error (run->error);
  g_assert_true (run->ended);
  g_assert_null (run->plan);
  g_assert_null (run->row);
  g_assert_cmpuint (run->n_kernels, ==, 3);
  g_assert_cmpstr (fb_drawer_panel_get_tab (window->drawer), ==, "buffers");
  /* the last kernel, what it stores, afterwards */
  g_assert_cmpuint (fb_buffer_view_get_kernel (view), ==, 3);
  const FbRunBuffer *buffer = &run->buffers[fb_buffer_view_get_buffer (view)];
  g_assert_cmpstr (buffer->name, ==, "#3");
  g_assert_cmpstr (buffer->text, ==, "float 64×64");
  g_assert_true (fb_buffer_view_get_after (view));
  const FbBufferFacts *facts = wait_for_facts (window);
  g_assert_cmpint (facts->stats.size, ==, 4096);
  g_assert_cmpfloat (facts->stats.min, ==, fb_record_kernel (run->record, 2)->stats.min);
  g_assert_nonnull (wait_for_sight (window)->picture);
  double last = value_at (window, 17);
  g_assert_cmpfloat (last, !=, 0);
  /* before it: nothing had been stored */
  test_do (window, "toggle-moment", NULL);
  g_assert_false (fb_buffer_view_get_after (view));
  g_assert_cmpfloat (value_at (window, 17), ==, 0);
  g_assert_cmpint (wait_for_facts (window)->stats.zero, ==, 4096);
  test_do (window, "next-write", NULL);
  g_assert_true (fb_buffer_view_get_after (view));
  g_assert_cmpfloat (value_at (window, 17), ==, last);
  g_assert_false (fb_buffer_view_travel (view, 1));
  g_assert_false (fb_buffer_view_travel (view, -1));
  test_close (window);
}

/* An input is looked at, as numbers of another shape, slice by slice. */
static void
test_slices (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  FbBufferView *view = window->buffer_view;
  run_on (window, "interp");
  const FbRun *run = fb_runs_get_current (window->runs);
  const FbRecordKernel *kernel = fb_record_kernel (run->record, 2);
  for (guint i = 0; i < kernel->n_buffers; i++)
    if (!strcmp (run->buffers[kernel->buffers[i]].name, "#0"))
      fb_buffer_view_set_buffer (view, kernel->buffers[i]);
  test_settle (window);
  g_assert_cmpstr (run->buffers[fb_buffer_view_get_buffer (view)].name, ==, "#0");
  double before = value_at (window, 4095);
  g_assert_false (fb_buffer_view_set_shape (view, "63×65"));
  g_assert_true (fb_buffer_view_set_shape (view, "16x16x-1"));
  test_settle (window);
  g_assert_cmpint (fb_slice_n_rows (fb_buffer_view_get_slice (view)), ==, 16);
  /* to an element of another plane */
  test_do (window, "buffer-element", "'[15, 15, 15]'");
  g_assert_cmpint (fb_buffer_view_get_slice (view)->at[0], ==, 15);
  g_assert_cmpint (fb_buffer_view_get_element (view), ==, 4095);
  g_assert_cmpfloat (value_at (window, 4095), ==, before);
  /* the shape is kept while one looks elsewhere */
  test_do (window, "run-kernel", "1");
  g_assert_cmpuint (fb_buffer_view_get_kernel (view), ==, 1);
  test_do (window, "run-kernel", "3");
  for (guint i = 0; i < kernel->n_buffers; i++)
    if (!strcmp (run->buffers[kernel->buffers[i]].name, "#0"))
      fb_buffer_view_set_buffer (view, kernel->buffers[i]);
  g_assert_cmpuint (fb_buffer_view_get_slice (view)->n_dims, ==, 3);
  test_close (window);
}

/* Another backend is run by choosing it, and the two are told apart. */
static void
test_compare (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  FbBufferView *view = window->buffer_view;
  run_on (window, "cpu");
  if (fb_runs_get_current (window->runs)->backend != FB_BACKEND_CPU)
    {
      g_test_skip ("no C compiler");
      test_close (window);
      return;
    }
  test_do (window, "against", "'interp'");
  g_assert_cmpuint (fb_runs_get_n (window->runs), ==, 2);
  g_assert_cmpuint (fb_runs_get_current (window->runs)->backend, ==, FB_BACKEND_CPU);
  g_assert_cmpstr (fb_buffer_view_get_against_label (view, fb_buffer_view_get_against (view)), ==, "interp");
  const FbBufferFacts *facts = wait_for_facts (window);
  g_assert_true (facts->compared);
  g_assert_cmpint (facts->comparison.n_special, ==, 0);
  g_assert_cmpfloat (facts->comparison.max_abs, <, 1e-5);
  test_do (window, "buffer-mode", "'difference'");
  g_assert_cmpfloat (wait_for_sight (window)->most, ==, facts->comparison.max_abs);
  /* against what it held before: everything that is not zero */
  test_do (window, "against", "'before kernel 3'");
  facts = wait_for_facts (window);
  g_assert_cmpint (facts->comparison.n_differ, ==, facts->stats.size - facts->stats.zero);
  test_close (window);
}

/* The same inputs under another scenario: what the program asked for comes out the same. */
static void
test_scenario (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  FbBufferView *view = window->buffer_view;
  run_on (window, "interp");
  g_autoptr (FbScenario) scenario = fb_scenarios_with_option (window->scenarios, "DONT_REALIZE_EXPAND=1");
  fb_scenarios_show (window->scenarios, scenario);
  test_settle (window);
  g_assert_null (fb_runs_get_current (window->runs));
  g_assert_cmpstr (fb_scenarios_get (window->scenarios, 0)->backend, ==, "interp");
  g_assert_cmpfloat (fb_scenarios_get (window->scenarios, 0)->seconds, >=, 0);
  g_assert_null (fb_scenarios_get (window->scenarios, 1)->backend);
  run_on (window, "interp");
  g_assert_cmpuint (fb_runs_get_current (window->runs)->n_kernels, <, 3);
  g_assert_cmpstr (fb_scenarios_get (window->scenarios, 1)->backend, ==, "interp");
  gboolean compared = FALSE;
  for (guint i = 1; i < fb_buffer_view_get_n_against (view); i++)
    if (g_str_has_suffix (fb_buffer_view_get_against_label (view, i), ", interp"))
      {
        fb_buffer_view_set_against (view, i);
        test_settle (window);
        compared = TRUE;
        g_assert_cmpfloat (wait_for_facts (window)->comparison.max_abs, <, 1e-5);
        g_assert_cmpint (wait_for_facts (window)->stats.zero, <, 4096);
      }
  g_assert_true (compared);
  /* back to what was captured: its run is still there */
  fb_scenarios_show_at (window->scenarios, 0);
  test_settle (window);
  g_assert_nonnull (fb_runs_get_current (window->runs));
  g_assert_cmpuint (fb_runs_get_current (window->runs)->n_kernels, ==, 3);
  test_close (window);
}

/* The buffer goes into files of all kinds; another name is refused in words. */
static void
test_save (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  g_autofree char *folder = g_dir_make_tmp ("fusebox-run-XXXXXX", NULL);
  static const char *const names[] = { "a.npy", "a.csv", "a.png" };
  static const char *const heads[] = { "\x93NUMPY", "", "\x89PNG" };
  run_on (window, "interp");
  wait_for_facts (window);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL), *bytes = NULL;
      gsize size;
      fb_window_save_buffer (window, path);
      test_settle (window);
      g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
      g_assert_true (!memcmp (bytes, heads[i], strlen (heads[i])));
      if (i == 0)
        {
          g_autofree guint8 *back = g_malloc (4096 * 4);
          GBytes *data = fb_buffer_view_get_data (window->buffer_view, NULL);
          g_assert_true (fb_npy_read (path, FB_SCALAR_FLOAT32, 4096, back, NULL));
          g_assert_cmpmem (back, 4096 * 4, g_bytes_get_data (data, NULL), g_bytes_get_size (data));
        }
      g_unlink (path);
    }
  g_assert_false (gtk_revealer_get_reveal_child (window->banner));
  fb_window_save_buffer (window, "a.jpeg");
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  g_rmdir (folder);
  test_close (window);
}

/* What a person put into an input is what the kernels read; a NaN is found where it comes from. The session keeps it. */
static void
test_inputs (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  FbBufferView *view = window->buffer_view;
  FbRunInputs *inputs = fb_runs_get_inputs (window->runs);
  guint kernel, buffer, gate = fb_run_inputs_find (inputs, "#2");
  g_assert_cmpuint (fb_run_inputs_get_n (inputs), ==, 3);
  g_assert_cmpuint (gate, !=, G_MAXUINT);
  g_assert_cmpint (fb_run_inputs_get (inputs, gate)->size, ==, 64);
  test_do (window, "input", "'#2 constant 0.5'");
  fb_run_inputs_edit (inputs, gate, 17, "nan");
  fb_run_inputs_set_seed (inputs, 7);
  run_on (window, "interp");
  const FbRun *run = fb_runs_get_current (window->runs);
  g_assert_cmpuint (run->seed, ==, 7);
  g_assert_true (fb_buffer_view_find_nan (view, &kernel, &buffer));
  g_assert_cmpuint (kernel, ==, 1);
  g_assert_cmpint (fb_record_kernel (run->record, 2)->stats.nan, ==, 64);
  test_do (window, "run-kernel", "1");
  for (guint i = 0; i < run->n_buffers; i++)
    if (!strcmp (run->buffers[i].name, "#2"))
      fb_buffer_view_set_buffer (view, i);
  g_assert_cmpuint (fb_buffer_view_get_input (view), ==, gate);
  g_assert_cmpfloat (value_at (window, 3), ==, 0.5);
  g_assert_true (isnan (value_at (window, 17)));
  /* what kernels write is no input */
  test_do (window, "run-kernel", "3");
  g_assert_cmpuint (fb_buffer_view_get_input (view), ==, G_MAXUINT);
  FbSessionFile *session = fb_document_get_session (window->doc, NULL);
  g_assert_cmpstr (fb_session_file_get_state (session, "input.0.1.#2"), ==, "constant '0.5' '17=nan'");
  g_assert_cmpstr (fb_session_file_get_state (session, "input.0.1.seed"), ==, "7");
  /* what cannot be is refused in words, by the panel or by the run */
  test_do (window, "input", "'#2 constant'");
  g_assert_true (gtk_revealer_get_reveal_child (window->banner));
  test_do (window, "input", "'#2 file /no/such.npy'");
  run_on (window, "interp");
  g_assert_nonnull (fb_runs_get_current (window->runs)->error);
  g_assert_true (g_str_has_prefix (fb_runs_get_current (window->runs)->error->message, "#2: "));
  test_do (window, "input", "'#2 fill'");
  g_assert_null (fb_session_file_get_state (session, "input.0.1.#2"));
  test_close (window);
}

/* The C of a kernel names the node of its lines; going to one selects it, in whatever pass one is. */
static void
test_code (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  FbCodePage *page = fb_drawer_panel_get_code (window->drawer);
  test_do (window, "drawer-tab", "'code'");
  for (guint i = 0; i < 1000 && !fb_code_page_get_text (page); i++)
    test_wait (10);
  const char *text = fb_code_page_get_text (page);
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "EXP2"));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n_nodes = 0;
  for (guint i = 0; lines[i]; i++)
    {
      if (!fb_code_page_go_to_line (page, i))
        continue;
      test_settle (window);
      n_nodes++;
      if (!g_str_has_suffix (lines[i], " EXP2"))
        continue;
      g_assert_cmpuint (fb_document_get_selected (window->doc)->op, ==, FB_OP_EXP2);
      FbRowView *row = fb_document_get_row (window->doc);
      g_assert_cmpuint (row->passes[fb_document_get_view (window->doc)->pass].kernel, ==, 1);
    }
  g_assert_cmpuint (n_nodes, >, 5);
  /* with the kernel that one looks at */
  run_on (window, "interp");
  test_do (window, "run-kernel", "3");
  g_assert_cmpuint (fb_code_page_get_kernel (page), ==, 3);
  test_close (window);
}

/* Any backend may be asked for; one that has no device says so, and the window goes on. */
static void
test_backends (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  g_assert_false (fb_runs_set_choice (window->runs, "gpu"));
  g_assert_true (fb_runs_set_choice (window->runs, "opencl:99"));
  g_autofree char *choice = fb_runs_get_choice (window->runs);
  g_assert_cmpstr (choice, ==, "opencl:99");
  test_do (window, "run", NULL);
  const FbRun *run = fb_runs_get_current (window->runs);
  g_assert_nonnull (run->error);
  g_assert_cmpuint (run->n_done, ==, 0);
  run_on (window, "interp");
  g_assert_no_error (fb_runs_get_current (window->runs)->error);
  test_close (window);
}

/* Cancelled at once, and run again: the window goes on, also when it is closed in the middle. */
static void
test_cancel (void)
{
  FbWindow *window = open_sample ("convnet_train.db");
  if (!window)
    return;
  test_do (window, "run-backend", "'interp'");
  g_action_group_activate_action (G_ACTION_GROUP (window), "run", NULL);
  g_assert_true (fb_runs_is_running (window->runs));
  test_do (window, "cancel", NULL);
  g_assert_false (fb_runs_is_running (window->runs));
  g_assert_true (fb_window_is_settled (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "run", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "run", NULL);
  test_settle (window);
  const FbRun *run = fb_runs_get_current (window->runs);
  g_assert_no_error (run->error);
  g_assert_cmpuint (run->n_done, ==, run->n_kernels);
  g_action_group_activate_action (G_ACTION_GROUP (window), "run", NULL);
  test_wait (20);
  test_close (window);
}

/* Every sample runs, and every buffer of every kernel can be looked at. */
static void
test_samples (void)
{
  static const char *const names[] = { "attention.db", "embedding.db",  "in_place.db",    "kv_cache.db",
                                       "mlp_train.db", "pad_unsafe.db", "two_devices.db", "views.db" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      FbWindow *window = open_sample (names[i]);
      if (!window)
        return;
      FbBufferView *view = window->buffer_view;
      run_on (window, "interp");
      const FbRun *run = fb_runs_get_current (window->runs);
      g_assert_nonnull (run);
      g_assert_no_error (run->error);
      for (guint kernel = 1; kernel <= run->n_kernels; kernel += MAX (1, run->n_kernels / 4))
        {
          const FbRecordKernel *facts = fb_record_kernel (run->record, kernel - 1);
          fb_buffer_view_set_kernel (view, kernel);
          for (guint b = 0; b < facts->n_buffers; b++)
            {
              fb_buffer_view_set_buffer (view, facts->buffers[b]);
              g_assert_nonnull (fb_buffer_view_get_data (view, NULL));
              g_assert_cmpint (wait_for_facts (window)->stats.size, ==,
                               fb_record_buffer (run->record, facts->buffers[b])->size);
            }
        }
      test_close (window);
    }
}

/* Selects the last node of @op in the graph on the screen. */
static void
select_op (FbWindow *window, FbOp op)
{
  const FbGraph *graph = fb_step_view_whole (fb_document_get_view (window->doc));
  FbUop *found = NULL;
  for (guint i = 0; i < graph->n_nodes; i++)
    if (graph->nodes[i].uop->op == op)
      found = graph->nodes[i].uop;
  g_assert_nonnull (found);
  fb_document_select (window->doc, found);
  test_settle (window);
  /* it is described a little later */
  for (guint i = 0;
       i < 1000 && (!fb_document_get_node (window->doc) || fb_document_get_node (window->doc)->uop != found); i++)
    test_wait (10);
}

/* Asks for the value of the selected node, and waits for one of @kernel. */
static FbProbed *
probe (FbWindow *window, guint kernel)
{
  test_do (window, "probe", NULL);
  for (guint i = 0; i < 2000; i++)
    {
      FbProbed *probed = fb_buffer_view_get_probed (window->buffer_view);
      if (probed && probed->kernel == kernel && fb_window_is_run_settled (window))
        return probed;
      test_wait (10);
    }
  g_assert_not_reached ();
}

/* A value that fusion removed: the row is run for it, it is shown in place of a buffer, and compared with the unfused one. */
static void
test_probe (void)
{
  FbWindow *window = open_sample ("lerp.db");
  if (!window)
    return;
  FbBufferView *view = window->buffer_view;
  const FbRowView *row = fb_document_get_row (window->doc);
  guint pass = 0;
  while (pass < row->n_passes && !(row->passes[pass].kernel == 1 && !strcmp (row->passes[pass].pass->title, "fix-ups")))
    pass++;
  g_assert_cmpuint (pass, <, row->n_passes);
  test_do (window, "run-backend", "'interp'");
  fb_document_go (window->doc, pass, row->passes[pass].n_steps);
  test_settle (window);
  select_op (window, FB_OP_EXP2);
  FbProbed *probed = probe (window, 1);
  g_assert_nonnull (probed);
  g_assert_cmpuint (probed->kernel, ==, 1);
  g_assert_true (g_str_has_prefix (probed->name, "EXP2 "));
  g_assert_nonnull (probed->unfused);
  g_assert_nonnull (strstr (probed->verdict, "bit for bit"));
  g_assert_cmpuint (fb_buffer_view_get_scalar (view), ==, FB_SCALAR_FLOAT32);
  g_assert_cmpint (wait_for_facts (window)->stats.size, ==, 64);
  g_assert_cmpfloat (fb_buffer_view_get_facts (view)->stats.min, >, 0);
  test_do (window, "against", "'unfused'");
  const FbBufferFacts *facts = wait_for_facts (window);
  g_assert_true (facts->compared);
  g_assert_cmpint (facts->comparison.n_differ, ==, 0);

  /* a node of the whole graph: what the last kernel stores */
  fb_document_go (window->doc, 0, 0);
  for (guint i = 0; i < 1000 && fb_document_get_view (window->doc)->pass != 0; i++)
    test_wait (10);
  test_settle (window);
  select_op (window, FB_OP_ADD);
  probed = probe (window, 0);
  g_assert_nonnull (probed);
  g_assert_cmpuint (probed->kernel, ==, 0);
  g_assert_cmpint (probed->size, ==, 4096);
  double whole = value_at (window, 17);
  /* a kernel that is chosen ends it */
  test_do (window, "run-kernel", "3");
  g_assert_null (fb_buffer_view_get_probed (view));
  g_assert_cmpfloat (value_at (window, 17), ==, whole);
  test_close (window);
}

/* A row that is one kernel has nothing to run. */
static void
test_nothing (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  g_assert_false (fb_runs_can_run (window->runs));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "run"));
  fb_runs_start (window->runs);
  g_assert_false (fb_runs_is_running (window->runs));
  test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/run/look", test_look);
  g_test_add_func ("/app/run/slices", test_slices);
  g_test_add_func ("/app/run/compare", test_compare);
  g_test_add_func ("/app/run/scenario", test_scenario);
  g_test_add_func ("/app/run/save", test_save);
  g_test_add_func ("/app/run/inputs", test_inputs);
  g_test_add_func ("/app/run/code", test_code);
  g_test_add_func ("/app/run/backends", test_backends);
  g_test_add_func ("/app/run/cancel", test_cancel);
  g_test_add_func ("/app/run/samples", test_samples);
  g_test_add_func ("/app/run/probe", test_probe);
  g_test_add_func ("/app/run/nothing", test_nothing);
  return g_test_run ();
}
