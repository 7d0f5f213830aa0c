/* Probes: a fused value is that of the unfused graph, over the samples; the inputs an element read; where a NaN comes from. */
#include <math.h>

#include "backends/interp/lane.h"
#include "backends/probe/origin.h"
#include "backends/probe/reads.h"
#include "backends/probe/verify.h"
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

/* Scheduled and filled; the context and the row's graph are there. */
static void
case_ready (Case *k, FbUop *sink)
{
  g_autoptr (GError) error = NULL;
  k->schedule = fb_schedule_new (k->context, sink, NULL);
  g_assert_no_error (k->schedule->error);
  k->plan = fb_plan_new (k->schedule, G_MAXSIZE, &error);
  g_assert_no_error (error);
  fb_memory_init (&k->memory, k->plan->memory, &error);
  g_assert_no_error (error);
  fb_plan_fill (k->plan, k->memory.data, 1);
}

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
  case_ready (k, k->row->sink);
}

static void
case_clear (Case *k)
{
  fb_memory_clear (&k->memory);
  fb_plan_free (k->plan);
  fb_schedule_free (k->schedule);
  g_clear_pointer (&k->row, fb_capture_row_free);
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
  const FbRunOptions options = { .backend = FB_BACKEND_INTERP, .threads = 1 };
  for (guint i = 0; i < pairs->len; i++)
    {
      const FbUnfused *pair = &g_array_index (pairs, FbUnfused, i);
      g_autoptr (FbProbe) probe = fb_probe_new (c->k.schedule, c->k.plan, kernel, pair->node, 0, &error);
      g_assert_no_error (error);
      g_autoptr (FbProbeValue) value = fb_probe_run_memory (probe, c->k.plan, c->before, &options, NULL, &error);
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

/* A row of 3 padded by one on each side, read back to front, and the sum of its neighbours: element 0 is made of the pad, and of
 * elements 2 and 1. */
static void
test_reads (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  const FbView *views[] = {
    fb_view_create (c, DIMS (c, 7), DIMS (c, -1), fb_sint (3), DIMS (c, 1, 4)),
    fb_view_create (c, DIMS (c, 3, 3), DIMS (c, 1, 1), fb_sint (0), NULL),
  };
  FbUop *x = load_view (c, 1, FB_DTYPE (FLOAT32), 3, fb_st_new (c, 2, views));
  FbUop *y = load_view (c, 2, FB_DTYPE (FLOAT32), 1,
                        fb_st_from_view (c, fb_view_create (c, DIMS (c, 3, 3), DIMS (c, 0, 0), fb_sint (0), NULL)));
  FbUop *sum = reduce (c, FB_OP_ADD, fb_alu2 (c, FB_OP_MUL, x, y), DIMS (c, 1));
  g_autoptr (FbProgram) program = program_of (c, kernel_of (c, sum, DIMS (c, 3, 1)), &error, 3, (gint64[]){ 3, 3, 1 });
  g_assert_no_error (error);
  gboolean more;
  static const FbRead want[3][4] = { { { 1, 1, 1 }, { 1, 2, 1 }, { 2, 0, 3 } },
                                     { { 1, 0, 1 }, { 1, 1, 1 }, { 1, 2, 1 }, { 2, 0, 3 } },
                                     { { 1, 0, 1 }, { 1, 1, 1 }, { 2, 0, 3 } } };
  static const guint n_want[] = { 3, 4, 3 };
  for (guint element = 0; element < 3; element++)
    {
      g_autoptr (GArray) reads = fb_reads_new (program, element, 100, &more, &error);
      g_assert_no_error (error);
      g_assert_false (more);
      g_assert_cmpuint (reads->len, ==, n_want[element]);
      for (guint i = 0; i < reads->len; i++)
        {
          const FbRead *read = &g_array_index (reads, FbRead, i);
          g_assert_cmpuint (read->arg, ==, want[element][i].arg);
          g_assert_cmpint (read->element, ==, want[element][i].element);
          g_assert_cmpint (read->times, ==, want[element][i].times);
        }
    }
  g_autoptr (GArray) few = fb_reads_new (program, 1, 2, &more, &error);
  g_assert_cmpuint (few->len, ==, 2);
  g_assert_true (more);
  g_assert_null (fb_reads_new (program, 3, 2, &more, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_BOUNDS);
}

/* A probe only reads; it says what is too large, and what has no value. */
static void
test_probe_limits (void)
{
  Case k = { 0 };
  case_init (&k, "lerp.db", 1);
  g_autoptr (GPtrArray) nodes = fb_probe_nodes (k.schedule, 0);
  g_autofree guint8 *before = g_memdup2 (k.memory.data, k.memory.size);
  const FbRunOptions options = { .backend = FB_BACKEND_INTERP, .threads = 1 };
  g_assert_cmpuint (nodes->len, >, 1);
  for (guint i = 0; i < nodes->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FbProbe) probe = fb_probe_new (k.schedule, k.plan, 0, g_ptr_array_index (nodes, i), 0, &error);
      g_assert_no_error (error);
      g_autoptr (FbProbeValue) value = fb_probe_run_memory (probe, k.plan, k.memory.data, &options, NULL, &error);
      g_assert_no_error (error);
      gint64 size = 1;
      for (guint d = 0; d < value->n_dims; d++)
        size *= value->shape[d];
      g_assert_cmpint (size, ==, value->size);
    }
  g_assert_cmpmem (before, k.memory.size, k.memory.data, k.memory.size);
  g_autoptr (GError) error = NULL;
  g_assert_null (fb_probe_new (k.schedule, k.plan, 0, g_ptr_array_index (nodes, nodes->len - 1), 8, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE);
  g_clear_error (&error);
  g_assert_null (fb_probe_new (k.schedule, k.plan, 0, fb_schedule_kernel (k.schedule, 0)->ast, 0, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SHAPE);
  case_clear (&k);
}

/* Two kernels: the sum of x, then log2 (sum - x), which is NaN where x is larger. */
static void
test_origin (void)
{
  Case k = { .context = fb_context_new () };
  FbContext *c = k.context;
  g_autoptr (GError) error = NULL;
  FbUop *x = fb_movement (c, FB_OP_RESHAPE, buffer (c, 1, 4), DIMS (c, 4));
  FbUop *sum = op1 (c, FB_OP_CONTIGUOUS, reduce (c, FB_OP_ADD, x, DIMS (c, 0)));
  FbUop *all = fb_movement (c, FB_OP_EXPAND, sum, DIMS (c, 4));
  FbUop *less = fb_alu2 (c, FB_OP_ADD, all, op1 (c, FB_OP_NEG, x)), *log = op1 (c, FB_OP_LOG2, less);
  case_ready (&k, sink_of (c, op1 (c, FB_OP_SQRT, fb_alu2 (c, FB_OP_MUL, log, log))));
  g_assert_cmpuint (k.plan->steps->len, ==, 2);
  const FbRunOptions options = { .backend = FB_BACKEND_INTERP, .threads = 1 };
  const float finite[4] = { 1, 2, -4, 3 }, input[4] = { 1, NAN, 1, NAN }, zero[4] = { 3, 1, 0, -1 };
  int in = -1;
  for (guint i = 0; i < k.plan->buffers->len; i++)
    if (!fb_plan_buffer (k.plan, i)->starts_as_output)
      in = (int) i;
  guint8 *data = fb_plan_data (k.plan, k.memory.data, (guint) in);
  FbOrigin origin;

  memcpy (data, finite, sizeof finite);
  g_assert_true (fb_find_origin (k.schedule, k.plan, &k.memory, FB_ORIGIN_NAN, &options, 0, &origin, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (origin.place, ==, FB_ORIGIN_NODE);
  g_assert_cmpuint (origin.kernel, ==, 1);
  g_assert_cmpint (origin.node->op, ==, FB_OP_LOG2);
  g_assert_cmpint (origin.count, ==, 1);
  g_assert_cmpint (origin.element, ==, 3); /* 2 - 3 */
  g_assert_cmpuint (origin.n_sources, ==, 1);
  g_assert_cmpfloat (origin.sources[0], ==, -1);
  fb_origin_clear (&origin);

  memcpy (data, input, sizeof input);
  g_assert_true (fb_find_origin (k.schedule, k.plan, &k.memory, FB_ORIGIN_NAN, &options, 0, &origin, NULL, &error));
  g_assert_cmpint (origin.place, ==, FB_ORIGIN_INPUT);
  g_assert_cmpuint (origin.buffer, ==, in);
  g_assert_cmpint (origin.element, ==, 1);
  g_assert_cmpint (origin.count, ==, 2);
  fb_origin_clear (&origin);

  /* log2 (0), and no NaN anywhere */
  memcpy (data, zero, sizeof zero);
  g_assert_true (fb_find_origin (k.schedule, k.plan, &k.memory, FB_ORIGIN_INF, &options, 0, &origin, NULL, &error));
  g_assert_cmpint (origin.place, ==, FB_ORIGIN_NODE);
  g_assert_cmpint (origin.node->op, ==, FB_OP_LOG2);
  g_assert_cmpint (origin.element, ==, 0);
  g_assert_cmpfloat (origin.sources[0], ==, 0);
  fb_origin_clear (&origin);
  g_assert_true (fb_find_origin (k.schedule, k.plan, &k.memory, FB_ORIGIN_NAN, &options, 0, &origin, NULL, &error));
  g_assert_cmpint (origin.place, ==, FB_ORIGIN_NOWHERE);
  fb_origin_clear (&origin);
  case_clear (&k);
}

static FbVerification *
verify (Case *k, gboolean graph)
{
  g_autoptr (GError) error = NULL;
  const FbVerifyOptions options
      = { .against_graph = graph, .other = FB_BACKEND_INTERP, .run = { .backend = FB_BACKEND_INTERP, .threads = 1 } };
  fb_plan_fill (k->plan, k->memory.data, 1);
  FbVerification *out = fb_verify (k->schedule, k->plan, &k->memory, &options, NULL, &error);
  g_assert_no_error (error);
  return out;
}

static void
test_verify_samples (void)
{
  static const char *const names[] = { "convnet_train.db", "in_place.db", "kv_cache.db", "two_devices.db" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint row = 1; row <= count_rows (names[i]); row++)
      for (int graph = 0; graph < 2; graph++)
        {
          Case k = { 0 };
          case_init (&k, names[i], row);
          g_autoptr (FbVerification) out = verify (&k, graph);
          g_assert_cmpint (out->kernel, ==, -1);
          g_assert_cmpint (out->pass, ==, -1);
          g_assert_cmpuint (out->n_outcomes[FB_OUTCOME_EQUAL] + out->n_outcomes[FB_OUTCOME_WITHIN], ==,
                            k.plan->steps->len);
          case_clear (&k);
        }
}

/* A product made of the first sum there is. */
static FbUop *
wrong_version (FbContext *c, FbUop *root, FbUop **sum, FbUop **product)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (c, root);
  for (guint i = 0; i < nodes->len && *sum == NULL; i++)
    if (((FbUop *) g_ptr_array_index (nodes, i))->op == FB_OP_ADD)
      *sum = g_ptr_array_index (nodes, i);
  g_assert_nonnull (*sum);
  *product = fb_uop_new (c, FB_OP_MUL, (*sum)->dtype, (*sum)->n_src, (*sum)->src, FB_ARG_NIL);
  return fb_substitute (c, root, 1, sum, product);
}

static void
add_match (FbContext *c, FbPass *pass, FbUop *before, FbUop *after)
{
  const FbMatch match = { .before = before, .after = after };
  fb_pass_add_matches (pass, fb_context_arena (c), 1, &match);
}

/* A kernel whose last pass is wrong: the kernel, the pass and the rewrite are named. */
static void
test_verify_pass (void)
{
  Case k = { 0 };
  g_autoptr (GError) error = NULL;
  FbUop *sum = NULL, *product = NULL;
  case_init (&k, "lerp.db", 1);
  guint kernel = 0;
  FbKernelItem *item = fb_schedule_kernel (k.schedule, kernel);
  guint number = item->first_pass + item->n_passes - 1;
  FbPass *pass = fb_schedule_pass (k.schedule, number);
  item->ast = pass->result = wrong_version (k.context, item->ast, &sum, &product);
  add_match (k.context, pass, sum, product);
  fb_plan_free (k.plan);
  k.plan = fb_plan_new (k.schedule, G_MAXSIZE, &error);
  g_assert_no_error (error);
  g_autoptr (FbVerification) out = verify (&k, TRUE);
  g_assert_cmpint (out->kernel, ==, kernel);
  g_assert_cmpint (out->pass, ==, number);
  g_assert_cmpuint (out->step, ==, pass->matches->len);
  g_assert_cmpuint (out->n_outcomes[FB_OUTCOME_DIFFERENT], ==, 1);
  case_clear (&k);
}

/* The same in simplification, which is looked at as a whole. */
static void
test_verify_simplify (void)
{
  Case k = { 0 };
  FbUop *sum = NULL, *product = NULL;
  case_init (&k, "lerp.db", 1);
  FbPass *pass = fb_schedule_pass (k.schedule, 0);
  pass->result = wrong_version (k.context, pass->result, &sum, &product);
  add_match (k.context, pass, sum, product);
  g_autoptr (FbVerification) out = verify (&k, TRUE);
  g_assert_cmpint (out->simplified.outcome, ==, FB_OUTCOME_DIFFERENT);
  g_assert_cmpint (out->pass, ==, 0);
  g_assert_cmpuint (out->step, ==, pass->matches->len);
  g_assert_cmpint (out->kernel, ==, -1);
  case_clear (&k);
}

/* The bound: what rounding may do passes, a term left out does not. */
static void
test_agree (void)
{
  enum
  {
    N = 1000
  };
  float a[3], b[3], terms[N];
  FbAgreement g;
  double sum = 0, back = 0;
  float forth = 0;
  fb_fill (FB_SCALAR_FLOAT32, N, 5, 1, (guint8 *) terms);
  for (guint i = 0; i < N; i++)
    {
      forth += terms[i];
      sum += (double) terms[i];
      back = (float) (back + (double) terms[N - 1 - i]);
    }
  const FbAgreeRule rule = { .length = N, .inputs = 1 };
  a[0] = (float) sum, a[1] = NAN, a[2] = 0.0f;
  b[0] = forth, b[1] = NAN, b[2] = -0.0f;
  fb_agree (FB_SCALAR_FLOAT32, 3, (guint8 *) a, (guint8 *) b, NULL, &rule, &g);
  g_assert_cmpint (g.beyond, ==, 0);
  g_assert_cmpint (g.equal + g.within, ==, 3);
  g_assert_cmpint (g.within, >=, 1);
  b[0] = (float) back - terms[7];
  fb_agree (FB_SCALAR_FLOAT32, 1, (guint8 *) a, (guint8 *) b, NULL, &rule, &g);
  g_assert_cmpint (g.beyond, ==, 1);
  g_assert_cmpint (g.first, ==, 0);
  /* a NaN on one side is a difference; where a MAX met one nothing is said, not even of what is equal */
  b[0] = NAN;
  fb_agree (FB_SCALAR_FLOAT32, 1, (guint8 *) a, (guint8 *) b, NULL, &rule, &g);
  g_assert_cmpint (g.beyond, ==, 1);
  const FbAgreeRule no_rule = { .length = N, .max_of_nan = TRUE };
  fb_agree (FB_SCALAR_FLOAT32, 3, (guint8 *) a, (guint8 *) b, NULL, &no_rule, &g);
  g_assert_cmpint (g.beyond + g.equal + g.within, ==, 0);
  g_assert_cmpint (g.nan_order, ==, 3);
  const FbAgreeRule choice = { .length = N, .chooses = TRUE };
  b[0] = a[0] + 1;
  fb_agree (FB_SCALAR_FLOAT32, 1, (guint8 *) a, (guint8 *) b, NULL, &choice, &g);
  g_assert_cmpint (g.rounded, ==, 1);
  g_assert_cmpint (g.beyond, ==, 0);
  const gint32 x[2] = { 1, 2 }, y[2] = { 1, 3 };
  fb_agree (FB_SCALAR_INT32, 2, (const guint8 *) x, (const guint8 *) y, NULL, &rule, &g);
  g_assert_cmpint (g.equal, ==, 1);
  g_assert_cmpint (g.beyond, ==, 1);
  g_assert_cmpint (g.first, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/probe/equals-unfused", test_unfused);
  g_test_add_func ("/backends/probe/limits", test_probe_limits);
  g_test_add_func ("/backends/probe/reads", test_reads);
  g_test_add_func ("/backends/probe/origin", test_origin);
  g_test_add_func ("/backends/verify/samples", test_verify_samples);
  g_test_add_func ("/backends/verify/pass-and-step", test_verify_pass);
  g_test_add_func ("/backends/verify/simplify", test_verify_simplify);
  g_test_add_func ("/backends/agree/bound", test_agree);
  return g_test_run ();
}
