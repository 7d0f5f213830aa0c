/* Probes: a fused value is that of the unfused graph, over the samples; the inputs an element read; where a NaN comes from. */
#include <math.h>

#include "backends/probe/unfused.h"
#include "backends/run/agree.h"
#include "backends/run/fill.h"
#include "core/capture/capture.h"

#include "kernel.h"

typedef struct
{
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule;
  FbPlan *plan;
  FbMemory memory;
} Case;

static void
case_init (Case *k, const char *sample, guint row)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), sample, NULL);
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  k->context = fb_context_new ();
  k->row = fb_capture_read_row (capture, fb_capture_main_kind (capture), row, k->context, &error);
  g_assert_no_error (error);
  k->schedule = fb_schedule_new (k->context, k->row->sink, NULL);
  g_assert_no_error (k->schedule->error);
  k->plan = fb_plan_new (k->schedule, G_MAXSIZE, &error);
  g_assert_no_error (error);
  fb_memory_init (&k->memory, k->plan->memory, &error);
  g_assert_no_error (error);
  fb_plan_fill (k->plan, k->memory.data, 1);
}

static void
case_clear (Case *k)
{
  fb_memory_clear (&k->memory);
  fb_plan_free (k->plan);
  fb_schedule_free (k->schedule);
  fb_capture_row_free (k->row);
  fb_context_free (k->context);
}

static guint
count_rows (const char *sample)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), sample, NULL);
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  return fb_capture_n_rows (capture, fb_capture_main_kind (capture));
}

typedef struct
{
  Case k;
  FbUnfusedRun *unfused;
  guint8 *before; /* the memory before the kernel that runs */
  guint n_kernels, n_values, n_nodes, n_paired, n_exact;
} Comparison;

static void
assert_agrees (const FbAgreement *g, const char *what, guint kernel, const FbUop *node)
{
  if (g->beyond + g->nan_order > 0)
    g_error ("%s kernel %u %s: element %" G_GINT64_FORMAT ": %.9g and %.9g, allowed %.3g", what, kernel + 1,
             node ? fb_op_name (node->op) : "output", g->first, g->a, g->b, g->bound);
}

/* Every node of the kernel that stands for one of the graph, probed. */
static void
compare_nodes (Comparison *c, guint kernel, FbEvaluator *evaluator, const FbAgreeRule *rule)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) pairs = fb_unfused_new (c->k.schedule, kernel, 1 << 22, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) nodes = fb_probe_nodes (c->k.schedule, kernel);
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  const FbProbeOptions options = { .run = { .backend = FB_BACKEND_INTERP, .threads = 1 } };
  for (guint i = 0; i < pairs->len; i++)
    {
      const FbUnfused *pair = &g_array_index (pairs, FbUnfused, i);
      g_autoptr (FbProbeValue) value
          = fb_probe_run (c->k.schedule, c->k.plan, c->before, kernel, pair->node, &options, NULL, &error);
      g_assert_no_error (error);
      const FbGraphValue *graph = fb_evaluator_get (evaluator, pair->graph, NULL, &error);
      g_assert_no_error (error);
      FbAgreement g;
      g_assert_cmpint (value->size, ==, pair->size);
      g_assert_cmpint (value->type, ==, graph->type);
      fb_agree (value->type, value->size, graph->data, value->data, pair->elements, rule, &g);
      assert_agrees (&g, "node", kernel, pair->node);
      c->n_values++;
      c->n_exact += g.equal == g.size;
      g_hash_table_add (met, pair->node);
    }
  c->n_nodes += nodes->len;
  c->n_paired += g_hash_table_size (met);
}

static gboolean
after_kernel (guint kernel, G_GNUC_UNUSED double seconds, gpointer user)
{
  Comparison *c = user;
  g_autoptr (GError) error = NULL;
  const FbPlanStep *step = fb_plan_step (c->k.plan, kernel);
  const FbPlanBuffer *buffer = fb_plan_buffer (c->k.plan, step->buffers[0]);
  const guint8 *data = fb_plan_data (c->k.plan, c->k.memory.data, step->buffers[0]);
  FbEvaluator *evaluator = fb_unfused_run_evaluator (c->unfused, kernel);
  const FbGraphValue *value = fb_evaluator_get (evaluator, fb_unfused_stored (c->k.schedule, kernel), NULL, &error);
  g_assert_no_error (error);
  FbAgreeRule rule = { .length = 1, .inputs = 1 };
  if (step->program != NULL)
    rule = fb_agree_rule (step->program);
  rule.inputs = 1;
  gint64 n;
  g_autofree gint64 *written = fb_unfused_written (c->unfused, kernel, &n, &error);
  g_assert_no_error (error);
  FbAgreement g;
  g_assert_cmpint (n, ==, value->size);
  fb_agree (buffer->type, n, data, value->data, written, &rule, &g);
  assert_agrees (&g, "output", kernel, NULL);
  if (step->program != NULL)
    compare_nodes (c, kernel, evaluator, &rule);
  fb_unfused_run_after (c->unfused, kernel, c->k.memory.data);
  memcpy (c->before, c->k.memory.data, c->k.memory.size);
  c->n_kernels++;
  return TRUE;
}

static void
compare_row (Comparison *c, const char *sample, guint row)
{
  g_autoptr (GError) error = NULL;
  case_init (&c->k, sample, row);
  c->unfused = fb_unfused_run_new (c->k.schedule, c->k.plan, c->k.memory.data, NULL);
  c->before = g_memdup2 (c->k.memory.data, c->k.memory.size);
  const FbRunOptions options = { .backend = FB_BACKEND_INTERP, .threads = 1, .after = after_kernel, .user = c };
  fb_run (c->k.plan, &c->k.memory, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_free (c->before);
  fb_unfused_run_free (c->unfused);
  case_clear (&c->k);
}

static void
test_unfused (void)
{
  static const char *const names[] = { "attention", "convnet_train", "embedding",  "in_place",    "kv_cache",
                                       "lerp",      "mlp_train",     "pad_unsafe", "two_devices", "views" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *sample = g_strconcat (names[i], ".db", NULL);
      Comparison c = { 0 };
      for (guint row = 1; row <= count_rows (sample); row++)
        compare_row (&c, sample, row);
      g_test_message ("%s: %u kernels, %u of %u nodes have an unfused counterpart, %u of %u values are the same bits",
                      sample, c.n_kernels, c.n_paired, c.n_nodes, c.n_exact, c.n_values);
      g_assert_cmpuint (c.n_kernels, >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/probe/equals-unfused", test_unfused);
  return g_test_run ();
}
