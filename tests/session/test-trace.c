/* The trace in a session is the trace of the schedule. */
#include <string.h>

#include "core/ir/text.h"
#include "util.h"

static guint64
key_of (FbContext *context, FbUop *uop)
{
  char hex[17];
  return g_ascii_strtoull (fb_uop_key_hex (context, uop, hex), NULL, 16);
}

static void
compare_node (FbStore *store, FbContext *context, FbUop *uop)
{
  g_autoptr (GError) error = NULL;
  g_auto (FbStoreNode) node = { 0 };
  g_assert_true (fb_store_get_node (store, key_of (context, uop), &node, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (node.op, ==, fb_op_name (uop->op));
  g_assert_cmpstr (node.dtype, ==, uop->dtype->repr);
  g_assert_cmpuint (node.n_src, ==, uop->n_src);
  for (guint i = 0; i < uop->n_src; i++)
    g_assert_cmphex (node.src[i], ==, key_of (context, uop->src[i]));
  if (uop->arg.kind == FB_ARG_KERNEL)
    return;
  g_autoptr (GString) arg = g_string_new (NULL);
  fb_uop_append_argstr (context, uop, arg);
  g_assert_cmpstr (node.arg, ==, arg->str);
}

static void
compare (const char *sample)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_session_new (folder, sample), *original = test_sample (sample);
  g_auto (TestRow) row;
  test_row_init (&row, original);
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_READ, &error);
  g_assert_no_error (error);
  guint n_steps = 0, n_passes = row.schedule->passes->len;
  for (guint p = 0; p < n_passes; p++)
    {
      const FbPass *pass = fb_schedule_pass (row.schedule, p);
      g_autoptr (GPtrArray) nodes = fb_uop_toposort (row.context, pass->sink);
      for (guint i = 0; i < nodes->len; i++)
        compare_node (store, row.context, g_ptr_array_index (nodes, i));
      for (guint s = 1; s <= pass->matches->len; s++)
        {
          const FbMatch *match = fb_pass_match (pass, s - 1);
          FbStorePlace place = { FB_ROW_SCHEDULE, 1, p, s };
          g_auto (FbStoreStep) step = { NULL };
          g_assert_true (fb_store_get_step (store, &place, &step, &error));
          g_assert_cmpstr (step.rule, ==, fb_rule_set_rule (pass->rules, match->rule)->name);
          g_assert_cmphex (step.before, ==, key_of (row.context, match->before));
          g_assert_cmphex (step.after, ==, key_of (row.context, match->after));
          compare_node (store, row.context, match->after);
          n_steps++;
        }
      FbStorePlace beyond = { FB_ROW_SCHEDULE, 1, p, pass->matches->len + 1 };
      g_auto (FbStoreStep) none = { NULL };
      g_assert_false (fb_store_get_step (store, &beyond, &none, NULL));
    }
  FbStoreCounts counts;
  g_assert_true (fb_store_count (store, &counts, &error));
  g_assert_cmpint (counts.traces, ==, 1);
  g_assert_cmpint (counts.passes, ==, n_passes);
  g_assert_cmpint (counts.steps, ==, n_steps);
  g_assert_cmpint (counts.kernels, ==, row.schedule->kernels->len);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

static void
test_samples (void)
{
  compare ("lerp.db");
  compare ("mlp_train.db");
  compare ("kv_cache.db");
  compare ("two_devices.db");
}

/* Rows alike share their nodes; a row that is there is not written again. */
static void
test_nodes_once (void)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_session_new (folder, "lerp.db"), *original = test_sample ("lerp.db");
  g_auto (TestRow) row;
  test_row_init (&row, original);
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_WRITE, &error);
  FbStoreCounts once, again, twice;
  g_assert_true (fb_store_count (store, &once, &error));
  g_assert_true (fb_store_put_trace (store, FB_ROW_SCHEDULE, 1, row.context, row.schedule, NULL, &error));
  g_assert_true (fb_store_count (store, &again, &error));
  g_assert_cmpmem (&once, sizeof once, &again, sizeof again);
  g_assert_true (fb_store_put_trace (store, FB_ROW_SCHEDULE, 2, row.context, row.schedule, NULL, &error));
  g_assert_true (fb_store_count (store, &twice, &error));
  g_assert_no_error (error);
  g_assert_cmpint (twice.nodes, ==, once.nodes);
  g_assert_cmpint (twice.steps, ==, 2 * once.steps);
  g_assert_cmpint (twice.traces, ==, 2);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

/* A trace that is cancelled leaves nothing. */
static void
test_cancelled (void)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "a.fusebox", NULL), *original = test_sample ("lerp.db");
  g_auto (TestRow) row;
  test_row_init (&row, original);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_CREATE, &error);
  g_cancellable_cancel (cancellable);
  g_assert_true (fb_store_begin (store, &error));
  g_assert_false (fb_store_put_trace (store, FB_ROW_SCHEDULE, 1, row.context, row.schedule, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  fb_store_rollback (store);
  FbStoreCounts counts;
  g_assert_true (fb_store_count (store, &counts, NULL));
  g_assert_cmpint (counts.nodes, ==, 0);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/trace/samples", test_samples);
  g_test_add_func ("/session/trace/nodes-once", test_nodes_once);
  g_test_add_func ("/session/trace/cancelled", test_cancelled);
  return g_test_run ();
}
