/* Why, what it costs, and what if: on the shipped samples. */
#include "explain-tests.h"

#include <string.h>

#include "core/ir/text.h"

typedef struct
{
  GBytes *bytes;
  FbScenarioRow row;
} Sample;

static Sample *
sample_new (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), name, NULL);
  g_autoptr (FbCapture) capture = NULL;
  g_autoptr (GError) error = NULL;
  Sample *sample = g_new0 (Sample, 1);

  capture = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  sample->bytes = fb_capture_read_blob (capture, FB_ROW_SCHEDULE, 1, &error);
  g_assert_no_error (error);
  sample->row = (FbScenarioRow){ sample->bytes, "sample", NULL };
  return sample;
}

static void
sample_free (Sample *sample)
{
  g_bytes_unref (sample->bytes);
  g_free (sample);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sample, sample_free)

static void
assert_cost (const FbScheduleCost *cost, guint n, gint64 read, gint64 written, gint64 flops, gint64 peak)
{
  g_assert_cmpuint (cost->n_kernels, ==, n);
  g_assert_cmpint (cost->bytes_read, ==, read);
  g_assert_cmpint (cost->bytes_written, ==, written);
  g_assert_cmpint (cost->flops, ==, flops);
  g_assert_cmpint (cost->peak_bytes, ==, peak);
}

/* a*(1-g)+b*g with a gate of one value a row: counted by hand. */
static void
test_cost (void)
{
  g_autoptr (Sample) sample = sample_new ("lerp.db");
  g_autoptr (GError) error = NULL;
  g_autoptr (FbScenarioRun) run = fb_scenario_run (&sample->row, NULL, NULL, NULL, &error);
  g_autoptr (GArray) lives = NULL;
  FbKernelCost cost;

  g_assert_no_error (error);
  /* two ops of 64 and six of 64, three of 4,096; inputs 2*16384+256, output 16384, gate and its complement 256 each */
  assert_cost (&run->cost, 3, 256 + 256 + 33280, 256 + 256 + 16384, 128 + 384 + 12288, 33024 + 16384 + 512);
  fb_kernel_cost (run->context, fb_schedule_kernel (run->schedule, 2), &cost);
  g_assert_cmpint (cost.bytes_read, ==, 2 * 16384 + 2 * 256);
  g_assert_cmpuint (cost.ops[FB_OP_MUL], ==, 2);
  g_assert_cmpuint (cost.ops[FB_OP_ADD], ==, 1);
  g_assert_cmpfloat (cost.recompute, ==, 1);
  g_autofree FbKernelCost *each = NULL;
  fb_schedule_cost (run->schedule, &run->cost, &each, &lives);
  g_assert_cmpuint (lives->len, ==, 6);
  g_assert_cmpmem (&each[2], sizeof each[2], &cost, sizeof cost);
}

/* All in one kernel, the gate is computed 64 times for each of its values. */
static void
test_recompute (void)
{
  g_autoptr (Sample) sample = sample_new ("lerp.db");
  g_autoptr (FbScenario) scenario = fb_scenario_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FbScenarioRun) run = NULL;
  FbKernelCost cost;

  g_assert_true (fb_replay_options_parse (scenario->options, "DONT_REALIZE_EXPAND=1", &error));
  run = fb_scenario_run (&sample->row, scenario, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_cost (&run->cost, 1, 2 * 16384 + 256, 16384, 11 * 4096, 2 * 16384 + 256 + 16384);
  fb_kernel_cost (run->context, fb_schedule_kernel (run->schedule, 0), &cost);
  g_assert_cmpfloat (cost.recompute, ==, 64);
}

static FbUop *
find (const FbWhy *why, FbOp op)
{
  FbUop *found = NULL;

  for (guint i = 0; i < fb_why_nodes (why)->len; i++)
    if (((FbUop *) g_ptr_array_index (fb_why_nodes (why), i))->op == op)
      found = g_ptr_array_index (fb_why_nodes (why), i);
  g_assert_nonnull (found);
  return found;
}

static void
test_pairs (void)
{
  g_autoptr (Sample) sample = sample_new ("lerp.db");
  g_autoptr (FbScenarioRun) run = fb_scenario_run (&sample->row, NULL, NULL, NULL, NULL);
  g_autoptr (FbWhy) why = fb_why_new (run->schedule);
  FbUop *gate = find (why, FB_OP_RECIP), *power = find (why, FB_OP_EXP2), *out = fb_why_stored (why, 3);
  FbUop *complement = fb_why_stored (why, 2);
  g_autoptr (FbPair) in_gate = fb_why_pair (why, gate, power), through = fb_why_pair (why, power, out);
  g_autoptr (FbPair) self = fb_why_pair (why, gate, gate), buffers = NULL;

  g_assert_cmpuint (in_gate->kind, ==, FB_PAIR_FUSED);
  g_assert_true (in_gate->up == power && in_gate->down == gate);
  g_assert_cmpuint (in_gate->kernels->len, ==, 1);
  g_assert_cmpuint (through->kind, ==, FB_PAIR_SEPARATED);
  g_assert_cmpuint (through->deciding->len, ==, 2);
  g_assert_true (((const FbDecision *) g_ptr_array_index (through->deciding, 0))->node == gate);
  g_assert_true (((const FbDecision *) g_ptr_array_index (through->deciding, 1))->node == complement);
  g_assert_cmpuint (self->kind, ==, FB_PAIR_SAME);
  buffers = fb_why_pair (why, run->schedule->kernels->len ? fb_why_stored (why, 1) : NULL, complement);
  g_assert_cmpuint (buffers->kind, ==, FB_PAIR_SEPARATED);
}

static void
test_find (void)
{
  g_autoptr (Sample) sample = sample_new ("lerp.db");
  g_autoptr (FbScenarioRun) run = fb_scenario_run (&sample->row, NULL, NULL, NULL, NULL);
  g_autoptr (FbWhy) why = fb_why_new (run->schedule);
  FbUop *gate = find (why, FB_OP_RECIP);
  g_autoptr (GError) error = NULL;
  char key[17];

  fb_uop_key_hex (run->context, gate, key);
  g_assert_true (fb_why_find (why, key, &error) == gate);
  key[8] = '\0';
  g_assert_true (fb_why_find (why, key, &error) == gate);
  /* a node of the input is found as what it became */
  for (guint id = 0; id < run->schedule->n_tensor_map; id++)
    if (run->schedule->tensor_map[id] && fb_context_uop (run->context, id)->op == FB_OP_EXPAND)
      {
        FbUop *expand = fb_context_uop (run->context, id);
        g_assert_true (fb_why_find (why, fb_uop_key_hex (run->context, expand, key), &error)
                       == run->schedule->tensor_map[id]->base);
      }
  g_assert_no_error (error);
  g_assert_null (fb_why_find (why, "0123456789abcdef", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (fb_why_find (why, "abc", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (fb_why_find (why, "node", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
}

/* A choice that the program itself made cannot be taken back; one of the scheduler can. */
static void
test_forced (void)
{
  g_autoptr (Sample) sample = sample_new ("lerp.db");
  g_autoptr (FbScenarioRun) run = fb_scenario_run (&sample->row, NULL, NULL, NULL, NULL), with = NULL;
  g_autoptr (FbWhy) why = fb_why_new (run->schedule);
  guint32 gate = fb_why_place (why, find (why, FB_OP_RECIP)), power = fb_why_place (why, find (why, FB_OP_EXP2));
  guint32 out = fb_why_place (why, fb_why_stored (why, 3)), beyond = 100000;
  g_autoptr (FbScenario) fuse = fb_scenario_new (), realize = fb_scenario_new (), refused = fb_scenario_new ();
  g_autoptr (FbScenario) nowhere = fb_scenario_new ();
  g_autoptr (GError) error = NULL;

  g_array_append_val (fuse->fuse, gate);
  with = fb_scenario_run (&sample->row, fuse, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_cost (&with->cost, 2, 256 + 33280, 256 + 16384, 8 * 64 + 9 * 4096, 33024 + 16384 + 256);
  fb_scenario_run_free (g_steal_pointer (&with));

  g_array_append_val (realize->realize, power);
  with = fb_scenario_run (&sample->row, realize, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (with->cost.n_kernels, ==, 4);
  g_assert_cmpuint (fb_ledger_verdict (with->schedule->ledger, fb_scenario_node (with->schedule, power))->reason, ==,
                    FB_REASON_FORCED);
  fb_scenario_run_free (g_steal_pointer (&with));

  g_array_append_val (refused->fuse, out);
  g_assert_null (fb_scenario_run (&sample->row, refused, NULL, NULL, &error));
  g_assert_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_REFUSED);
  g_assert_nonnull (strstr (error->message, "output"));
  g_clear_error (&error);
  g_array_append_val (nowhere->realize, beyond);
  g_assert_null (fb_scenario_run (&sample->row, nowhere, NULL, NULL, &error));
  g_assert_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_REFUSED);
}

static void
test_bad_row (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\x80\x04.", 3);
  FbScenarioRow row = { bytes, "rubbish", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_scenario_run (&row, NULL, NULL, NULL, &error));
  g_assert_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_READ);
  g_clear_error (&error);
  g_assert_null (fb_counterfactuals_new (&row, NULL, &error));
  g_assert_error (error, FB_SCENARIO_ERROR, FB_SCENARIO_ERROR_READ);
}

/* Every statement about every sample holds, and a statement with another number does not. */
static void
test_statements (void)
{
  static const char *const names[]
      = { "lerp.db",      "attention.db", "mlp_train.db", "convnet_train.db", "pad_unsafe.db",
          "embedding.db", "views.db",     "in_place.db",  "kv_cache.db",      "two_devices.db" };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (Sample) sample = sample_new (names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (FbCounterfactuals) tries = fb_counterfactuals_new (&sample->row, NULL, &error);
      const FbScenarioRun *base = fb_counterfactuals_base (tries);
      g_autoptr (FbWhy) why = fb_why_new (base->schedule);
      FbLedgerAudit audit = fb_why_audit (why);

      g_assert_no_error (error);
      g_assert_true (audit.replays);
      g_assert_cmpuint (audit.n_unknown, ==, 0);
      g_assert_cmpuint (audit.n_verdicts, >, 0);
      for (guint k = 0; k < base->schedule->realizes->len; k++)
        {
          FbUop *node = g_ptr_array_index (base->schedule->realizes, k);
          g_autoptr (GPtrArray) statements = fb_counterfactuals_of (tries, node, NULL);
          char key[17];

          fb_uop_key_hex (base->context, node, key);
          for (guint s = 0; s < statements->len; s++, n++)
            {
              FbCounterfactual *statement = g_ptr_array_index (statements, s);
              g_assert_true (fb_counterfactual_holds (&sample->row, statement, key));
              statement->cost.flops++;
              g_assert_false (fb_counterfactual_holds (&sample->row, statement, key));
            }
        }
    }
  g_assert_cmpuint (n, >, 20);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/explain/cost/lerp", test_cost);
  g_test_add_func ("/explain/cost/recompute", test_recompute);
  g_test_add_func ("/explain/pairs", test_pairs);
  g_test_add_func ("/explain/find", test_find);
  g_test_add_func ("/explain/forced", test_forced);
  g_test_add_func ("/explain/bad-row", test_bad_row);
  g_test_add_func ("/explain/statements", test_statements);
  add_reason_tests ();
  add_rule_times_tests ();
  status = g_test_run ();
  coverage_free ();
  return status;
}
