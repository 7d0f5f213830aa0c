/* Kernels of captures, run: compiled code against the interpreter, and the interpreter against the reference.
 *
 * By default a sample of the corpus's different kernels, so that it takes less than a minute; FUSEBOX_KERNELS=all runs every one, and
 * FUSEBOX_KERNELS=N every N-th. Kernels that are not run are counted by reason. */
#include <json-glib/json-glib.h>
#include <glib/gstdio.h>
#include <math.h>

#include "backends/cpu/cpu.h"
#include "backends/run/agree.h"
#include "backends/run/fill.h"
#include "core/capture/capture.h"
#include "core/ir/text.h"

#define DEFAULT_STRIDE 40
#define BATCH 48
/* What is too much for this test, in the interpreter and in memory. */
#define MOST_POINTS ((gint64) 30000000)
#define MOST_BYTES ((gsize) 1 << 28)

typedef struct
{
  GHashTable *seen;    /* kernels by AST and sizes */
  GHashTable *refused; /* reason -> count */
  FbPlan *plan;        /* of the batch */
  GPtrArray *contexts; /* that own what its programs are of */
  GPtrArray *names;    /* of its steps */
  char *cache;
  guint stride, n_met, n_run, n_equal, n_within, n_rounded, n_nan_order;
  double worst;
} Kernels;

static void
refuse (Kernels *k, const char *reason)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (k->refused, reason));
  g_hash_table_insert (k->refused, g_strdup (reason), GUINT_TO_POINTER (n + 1));
}

static FbPlan *
empty_plan (void)
{
  FbPlan *plan = g_new0 (FbPlan, 1);
  plan->buffers = g_array_new (FALSE, FALSE, sizeof (FbPlanBuffer));
  plan->steps = g_array_new (FALSE, FALSE, sizeof (FbPlanStep));
  plan->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_program_free);
  return plan;
}

static void
run_on (const FbPlan *plan, FbBackend backend, const char *cache, gint64 *max_of_nan, FbMemory *memory)
{
  g_autoptr (GError) error = NULL;
  const FbRunOptions options = { .backend = backend, .cache = cache, .max_of_nan = max_of_nan, .seconds = 60 };
  g_assert_true (fb_memory_init (memory, plan->memory, &error));
  fb_plan_fill (plan, memory->data, 1);
  fb_run (plan, memory, &options, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
compare_step (Kernels *k, guint i, FbMemory *interp, FbMemory *cpu, gint64 max_of_nan)
{
  const FbPlanStep *step = fb_plan_step (k->plan, i);
  FbAgreeRule rule = fb_agree_rule (step->program);
  rule.inputs = 1;
  rule.max_of_nan = max_of_nan > 0;
  for (guint b = 0; b < step->n_buffers; b++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (k->plan, step->buffers[b]);
      FbAgreement g;
      if (b >= step->program->args->len || !fb_program_arg (step->program, b)->written)
        continue;
      fb_agree (buffer->type, buffer->size, fb_plan_data (k->plan, interp->data, step->buffers[b]),
                fb_plan_data (k->plan, cpu->data, step->buffers[b]), NULL, &rule, &g);
      if (g.beyond > 0)
        g_error ("%s: element %" G_GINT64_FORMAT ": %.9g in the interpreter, %.9g compiled; allowed is %.3g",
                 (char *) g_ptr_array_index (k->names, i), g.first, g.a, g.b, g.bound);
      k->n_equal += g.equal == g.size;
      k->n_within += g.within > 0;
      k->n_rounded += g.rounded > 0;
      k->n_nan_order += g.nan_order > 0;
      k->worst = MAX (k->worst, g.nan_order + g.rounded > 0 ? 0 : g.largest_of_bound);
    }
  k->n_run++;
}

/* Runs the batch on both, and begins another. */
static void
flush (Kernels *k)
{
  FbMemory interp, cpu;
  if (k->plan->steps->len > 0)
    {
      g_autofree gint64 *max_of_nan = g_new0 (gint64, k->plan->steps->len);
      run_on (k->plan, FB_BACKEND_INTERP, NULL, max_of_nan, &interp);
      run_on (k->plan, FB_BACKEND_CPU, k->cache, NULL, &cpu);
      for (guint i = 0; i < k->plan->steps->len; i++)
        compare_step (k, i, &interp, &cpu, max_of_nan[i]);
      fb_memory_clear (&interp);
      fb_memory_clear (&cpu);
    }
  g_clear_pointer (&k->plan, fb_plan_free);
  k->plan = empty_plan ();
  g_ptr_array_set_size (k->contexts, 0);
  g_ptr_array_set_size (k->names, 0);
}

/* A buffer for an argument. FALSE: too large. */
static gboolean
add_buffer (FbPlan *plan, const FbKernelBuffer *used, gboolean output)
{
  FbPlanBuffer buffer = { .base = plan->buffers->len,
                          .type = (guint8) used->dtype->type,
                          .size = used->size,
                          .ordinal = (int) plan->n_ordinals++,
                          .starts_as_output = output,
                          .place = plan->memory };
  buffer.bytes = (gsize) used->size * fb_scalar_size (buffer.type);
  plan->memory += (buffer.bytes + 511) / 256 * 256;
  g_array_append_val (plan->buffers, buffer);
  return plan->memory < 4 * MOST_BYTES;
}

static const char *
reason_of (const GError *error)
{
  static const char *const reasons[] = {
    [FB_BACKEND_ERROR_UNSUPPORTED] = "an op or a type that no kernel has",
    [FB_BACKEND_ERROR_BOUNDS] = "an access outside of its buffer",
    [FB_BACKEND_ERROR_SIZE] = "too large",
    [FB_BACKEND_ERROR_VARIABLE] = "a variable without value",
    [FB_BACKEND_ERROR_SHAPE] = "shapes that do not fit",
  };
  return error->code < (int) G_N_ELEMENTS (reasons) && reasons[error->code] ? reasons[error->code] : "another error";
}

/* Adds a kernel to the batch. TRUE: it is in. */
static gboolean
add_kernel (Kernels *k, const FbSchedule *schedule, guint number, const char *name)
{
  const FbKernelItem *item = fb_schedule_kernel (schedule, number);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) id = g_string_new (NULL);
  char key[17];
  gsize bytes = 0;
  if (item->ast->op != FB_OP_SINK)
    return FALSE;
  g_autofree gint64 *sizes = g_new (gint64, item->buffers->len);
  g_string_append (id, fb_uop_key_hex (schedule->context, item->ast, key));
  for (guint i = 0; i < item->buffers->len; i++)
    {
      const FbKernelBuffer *buffer = &g_array_index (item->buffers, FbKernelBuffer, i);
      sizes[i] = buffer->size;
      g_string_append_printf (id, " %" G_GINT64_FORMAT, buffer->size);
      bytes += (gsize) CLAMP (buffer->size, 0, (gint64) MOST_BYTES) * fb_scalar_size (buffer->dtype->type);
    }
  for (guint i = 0; i < schedule->var_vals->len; i++)
    g_string_append_printf (id, " =%" G_GINT64_FORMAT, g_array_index (schedule->var_vals, FbVarVal, i).value.i);
  if (!g_hash_table_add (k->seen, g_strdup (id->str)) || k->n_met++ % k->stride != 0)
    return FALSE;
  if (bytes > MOST_BYTES)
    {
      refuse (k, "more memory than this test takes");
      return FALSE;
    }
  FbProgram *program
      = fb_program_new (schedule->context, item->ast, schedule->var_vals, item->buffers->len, sizes, &error);
  if (program == NULL || program->points > MOST_POINTS)
    {
      refuse (k, program == NULL ? reason_of (error) : "more work than this test does");
      g_clear_pointer (&program, fb_program_free);
      return FALSE;
    }
  FbPlanStep step = { .kind = FB_STEP_PROGRAM,
                      .item = item,
                      .program = program,
                      .program_number = k->plan->programs->len,
                      .n_buffers = item->buffers->len };
  step.buffers = g_new (guint, MAX (step.n_buffers, 1));
  for (guint i = 0; i < step.n_buffers; i++)
    {
      step.buffers[i] = k->plan->buffers->len;
      gboolean written = i < program->args->len && fb_program_arg (program, i)->written;
      add_buffer (k->plan, &g_array_index (item->buffers, FbKernelBuffer, i),
                  written && !fb_program_arg (program, i)->read);
    }
  g_ptr_array_add (k->plan->programs, program);
  g_array_append_val (k->plan->steps, step);
  g_ptr_array_add (k->names, g_strdup_printf ("%s kernel %u", name, number + 1));
  return TRUE;
}

/* What a row's kernels are of; lives as long as the batch. */
typedef struct
{
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule;
} Row;

static void
row_free (gpointer data)
{
  Row *row = data;
  g_clear_pointer (&row->schedule, fb_schedule_free);
  g_clear_pointer (&row->row, fb_capture_row_free);
  fb_context_free (row->context);
  g_free (row);
}

static Row *
row_new (FbCapture *capture, guint number)
{
  Row *row = g_new0 (Row, 1);
  g_autoptr (GError) error = NULL;
  row->context = fb_context_new ();
  row->row = fb_capture_read_row (capture, fb_capture_main_kind (capture), number, row->context, &error);
  g_assert_no_error (error);
  row->schedule = fb_schedule_new (row->context, row->row->sink, NULL);
  g_assert_no_error (row->schedule->error);
  return row;
}

static void
add_file (Kernels *k, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  if (fb_capture_main_kind (capture) == FB_ROW_KERNEL)
    return;
  for (guint n = 1; n <= fb_capture_n_rows (capture, fb_capture_main_kind (capture)); n++)
    {
      Row *row = row_new (capture, n);
      g_autofree char *what = g_strdup_printf ("%s row %u", name, n);
      gboolean any = FALSE;
      for (guint i = 0; i < row->schedule->kernels->len; i++)
        any |= add_kernel (k, row->schedule, i, what);
      if (any)
        g_ptr_array_add (k->contexts, row);
      else
        row_free (row);
      if (k->plan->steps->len >= BATCH || k->plan->memory > MOST_BYTES)
        flush (k);
    }
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
files_in (const char *folder, const char *suffix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_strings);
  return names;
}

static void
compare_folder (const char *folder, guint stride)
{
  g_autofree char *compiler = fb_cpu_find_compiler (NULL);
  g_autoptr (GError) error = NULL;
  if (compiler == NULL)
    {
      g_test_skip ("no C compiler");
      return;
    }
  Kernels k = { .stride = stride };
  k.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  k.refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  k.contexts = g_ptr_array_new_with_free_func (row_free);
  k.names = g_ptr_array_new_with_free_func (g_free);
  k.plan = empty_plan ();
  k.cache = g_dir_make_tmp ("fusebox-kernels-XXXXXX", &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) names = files_in (folder, ".db");
  for (guint i = 0; i < names->len; i++)
    add_file (&k, folder, g_ptr_array_index (names, i));
  flush (&k);
  g_test_message ("%u different kernels met, every %u-th taken: %u run, outputs %u the same bits, %u within rounding "
                  "(at most %.2g of the bound), %u choices of rounded floats, %u by the order of NaNs",
                  k.n_met, k.stride, k.n_run, k.n_equal, k.n_within, k.worst, k.n_rounded, k.n_nan_order);
  GHashTableIter iter;
  gpointer reason, count;
  g_hash_table_iter_init (&iter, k.refused);
  while (g_hash_table_iter_next (&iter, &reason, &count))
    g_test_message ("not run: %u, %s", GPOINTER_TO_UINT (count), (char *) reason);
  g_assert_cmpuint (k.n_run, >, 0);
  fb_plan_free (k.plan);
  g_hash_table_unref (k.seen);
  g_hash_table_unref (k.refused);
  g_ptr_array_unref (k.contexts);
  g_ptr_array_unref (k.names);
  g_autoptr (GPtrArray) left = files_in (k.cache, "");
  for (guint i = 0; i < left->len; i++)
    {
      g_autofree char *path = g_build_filename (k.cache, g_ptr_array_index (left, i), NULL);
      g_unlink (path);
    }
  g_rmdir (k.cache);
  g_free (k.cache);
}

/* --- against the reference's numbers --- */

typedef struct
{
  JsonArray *want;
  const FbPlan *plan;
  FbMemory memory;
  gint64 *max_of_nan;
  gboolean *tainted; /* of each base: what is in it depends on the order of NaNs */
  const char *what;
  gint64 length;
  guint n_same, n_tainted;
  double worst;
} Truth;

static double
number (JsonNode *node)
{
  return json_node_get_node_type (node) == JSON_NODE_NULL ? NAN : json_node_get_double (node);
}

static double
member (JsonObject *object, const char *name)
{
  return number (json_object_get_member (object, name));
}

/* Does the kernel read what depends on the order of NaNs, or make it? */
static gboolean
is_tainted (Truth *t, guint kernel)
{
  const FbPlanStep *step = fb_plan_step (t->plan, kernel);
  gboolean tainted = t->max_of_nan[kernel] > 0;
  for (guint i = 1; i < step->n_buffers; i++)
    tainted |= t->tainted[fb_plan_buffer (t->plan, step->buffers[i])->base];
  if (step->program != NULL && step->program->args->len > 0 && fb_program_arg (step->program, 0)->read)
    tainted |= t->tainted[fb_plan_buffer (t->plan, step->buffers[0])->base];
  t->tainted[fb_plan_buffer (t->plan, step->buffers[0])->base] = tainted;
  return tainted;
}

static gboolean
compare_truth (guint kernel, G_GNUC_UNUSED double seconds, gpointer user)
{
  Truth *t = user;
  const FbPlanStep *step = fb_plan_step (t->plan, kernel);
  const FbPlanBuffer *buffer = fb_plan_buffer (t->plan, step->buffers[0]);
  JsonObject *want = json_array_get_object_element (t->want, kernel);
  JsonArray *values = json_object_get_array_member (want, "values");
  FbStats got;
  fb_stats (buffer->type, buffer->size, fb_plan_data (t->plan, t->memory.data, step->buffers[0]), &got);
  g_assert_cmpint (json_object_get_int_member (want, "size"), ==, buffer->size);
  if (step->program != NULL)
    t->length += fb_agree_rule (step->program).length;
  if (is_tainted (t, kernel))
    {
      t->n_tainted++;
      return TRUE;
    }
  t->n_same++;
  /* kernels feed each other, so lengths add up; the reference's own exp2, log2 and sin are good for 2^-20 */
  double scale = MAX (MAX (fabs (got.min), fabs (got.max)), 1), allowed = 0;
  if (fb_scalar_is_float (buffer->type))
    {
      double u = buffer->type == FB_SCALAR_FLOAT16 ? 0x1p-11 : buffer->type == FB_SCALAR_BFLOAT16 ? 0x1p-8 : 0x1p-24;
      allowed = (2 * u * (8 + 4 * sqrt ((double) t->length)) + 0x1p-20) * scale;
    }
  if (got.nan != json_object_get_int_member (want, "nan") || got.inf != json_object_get_int_member (want, "inf"))
    g_error ("%s kernel %u: %" G_GINT64_FORMAT " NaN and %" G_GINT64_FORMAT " inf, not %g and %g", t->what, kernel + 1,
             got.nan, got.inf, member (want, "nan"), member (want, "inf"));
  for (guint i = 0; i < got.n_samples; i++)
    {
      double a = number (json_array_get_element (values, i)), b = got.values[i];
      if (a == b || (isnan (a) && isnan (b)))
        continue;
      t->worst = MAX (t->worst, allowed > 0 ? fabs (a - b) / allowed : INFINITY);
      if (!(fabs (a - b) <= allowed))
        g_error ("%s kernel %u: element %" G_GINT64_FORMAT " is %.9g, not %.9g; allowed is %.3g", t->what, kernel + 1,
                 got.at[i], b, a, allowed);
    }
  return TRUE;
}

static void
compare_row (Truth *t, FbCapture *capture, JsonObject *row)
{
  g_autoptr (GError) error = NULL;
  Row *read = row_new (capture, (guint) json_object_get_int_member (row, "row"));
  g_autoptr (FbPlan) plan = fb_plan_new (read->schedule, (gsize) 1 << 31, &error);
  g_assert_no_error (error);
  gint64 points = 0;
  for (guint i = 0; i < plan->steps->len; i++)
    points += fb_plan_step (plan, i)->program ? fb_plan_step (plan, i)->program->points : 0;
  t->want = json_object_get_array_member (row, "kernels");
  t->plan = plan;
  t->length = 0;
  t->max_of_nan = g_new0 (gint64, MAX (plan->steps->len, 1));
  t->tainted = g_new0 (gboolean, MAX (plan->buffers->len, 1));
  g_assert_cmpuint (json_array_get_length (t->want), ==, plan->steps->len);
  if (points < 10 * MOST_POINTS)
    {
      const FbRunOptions options
          = { .backend = FB_BACKEND_INTERP, .max_of_nan = t->max_of_nan, .after = compare_truth, .user = t };
      g_assert_true (fb_memory_init (&t->memory, plan->memory, &error));
      fb_plan_fill (plan, t->memory.data, (guint64) json_object_get_int_member (row, "seed"));
      fb_run (plan, &t->memory, &options, NULL, NULL, &error);
      g_assert_no_error (error);
      fb_memory_clear (&t->memory);
    }
  g_free (t->max_of_nan);
  g_free (t->tainted);
  row_free (read);
}

static void
compare_with_truth (const char *folder, const char *truths, guint stride)
{
  g_autoptr (GPtrArray) names = files_in (truths, ".truth.json");
  Truth t = { 0 };
  guint rows = 0;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *json = g_build_filename (truths, name, NULL);
      g_autofree char *database
          = g_strdup_printf ("%s/%.*s.db", folder, (int) (strlen (name) - strlen (".truth.json")), name);
      g_autoptr (JsonParser) parser = json_parser_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (FbCapture) capture = fb_capture_open (database, NULL, &error);
      g_assert_no_error (error);
      /* Python writes NaN as it is */
      g_autofree char *text = NULL;
      g_file_get_contents (json, &text, NULL, &error);
      g_assert_no_error (error);
      g_autoptr (GString) clean = g_string_new (text);
      g_string_replace (clean, "-Infinity", "-1e999", 0);
      g_string_replace (clean, "Infinity", "1e999", 0);
      g_string_replace (clean, "NaN", "null", 0);
      json_parser_load_from_data (parser, clean->str, -1, &error);
      g_assert_no_error (error);
      JsonArray *array = json_node_get_array (json_parser_get_root (parser));
      for (guint r = 0; r < json_array_get_length (array); r++, rows++)
        if (rows % stride == 0)
          {
            JsonObject *row = json_array_get_object_element (array, r);
            g_autofree char *what
                = g_strdup_printf ("%s row %" G_GINT64_FORMAT, name, json_object_get_int_member (row, "row"));
            t.what = what;
            compare_row (&t, capture, row);
          }
    }
  g_test_message (
      "%u kernels agree with the reference, at most %.2g of what is allowed apart; %u depend on the order of "
      "NaNs",
      t.n_same, t.worst, t.n_tainted);
  g_assert_cmpuint (t.n_same, >, 0);
}

/* --- */

static guint
stride_from (const char *variable, guint otherwise)
{
  const char *text = g_getenv (variable);
  if (text == NULL)
    return otherwise;
  return strcmp (text, "all") == 0 ? 1 : MAX (1, (guint) g_ascii_strtoull (text, NULL, 10));
}

static void
test_samples (void)
{
  compare_folder (g_getenv ("FUSEBOX_SAMPLES"), 1);
}

static void
test_corpus (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  if (corpus != NULL)
    compare_folder (corpus, stride_from ("FUSEBOX_KERNELS", DEFAULT_STRIDE * stride_from ("FUSEBOX_CORPUS_STRIDE", 1)));
  else
    g_test_skip ("FUSEBOX_CORPUS is not set");
}

static void
test_truth (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  if (corpus != NULL)
    compare_with_truth (corpus, corpus, stride_from ("FUSEBOX_CORPUS_STRIDE", 1));
  else
    g_test_skip ("FUSEBOX_CORPUS is not set");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/samples/compiled", test_samples);
  g_test_add_func ("/kernels/corpus/compiled", test_corpus);
  g_test_add_func ("/kernels/corpus/reference", test_truth);
  return g_test_run ();
}
