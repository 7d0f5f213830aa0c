/* Whole schedules: the CPU backend against the interpreter, over the samples and, when it is there, the corpus; how a run is
 * filled, ends and is refused. */
#include <math.h>

#include "backends/interp/lane.h"

#include "case.h"

/* How far two sums of the same numbers may be apart: machine epsilon times the number of roundings, of the largest
 * magnitude. Roundings are those of the longest sum of the schedule so far, since kernels feed each other. */
static double
bound (guint type, gint64 length)
{
  double epsilon = type == FB_SCALAR_FLOAT64    ? 0x1p-52
                   : type == FB_SCALAR_FLOAT32  ? 0x1p-23
                   : type == FB_SCALAR_BFLOAT16 ? 0x1p-7
                                                : 0x1p-10;
  return epsilon * (8 + 4 * sqrt ((double) length));
}

/* All buffers of two runs agree: integers exactly, floats within the bound, NaN where there is NaN. */
static void
assert_same (const FbPlan *plan, guint8 *a, guint8 *b, const char *what)
{
  gint64 length = 1;
  for (guint i = 0; i < plan->programs->len; i++)
    length = MAX (length, ((FbProgram *) g_ptr_array_index (plan->programs, i))->points);
  for (guint i = 0; i < plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (plan, i);
      const guint8 *x = fb_plan_data (plan, a, i), *y = fb_plan_data (plan, b, i);
      FbStats stats;
      if (!fb_scalar_is_float (buffer->type))
        {
          if (memcmp (x, y, buffer->bytes) != 0)
            g_error ("%s: buffer %d of %s differs", what, buffer->ordinal, fb_scalar_name (buffer->type));
          continue;
        }
      fb_stats (buffer->type, buffer->size, x, &stats);
      double scale = MAX (MAX (fabs (stats.min), fabs (stats.max)), 1), allowed = bound (buffer->type, length) * scale;
      for (gint64 e = 0; e < buffer->size; e++)
        {
          gsize at = (gsize) e * fb_scalar_size (buffer->type);
          double p = fb_lane_read (buffer->type, x + at).f, q = fb_lane_read (buffer->type, y + at).f;
          if (!(p == q || (isnan (p) && isnan (q)) || fabs (p - q) <= allowed))
            g_error ("%s: buffer %d element %" G_GINT64_FORMAT ": %.9g and %.9g", what, buffer->ordinal, e, p, q);
        }
    }
}

static void
run_on (const FbPlan *plan, FbBackend backend, const char *cache, guint threads, FbMemory *memory)
{
  g_autoptr (GError) error = NULL;
  const FbRunOptions options = { .backend = backend, .cache = cache, .threads = threads };
  fb_memory_init (memory, plan->memory, &error);
  g_assert_no_error (error);
  fb_plan_fill (plan, memory->data, 3);
  fb_run (plan, memory, &options, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
compare (const FbPlan *plan, const char *cache, const char *what)
{
  FbMemory interp, cpu;
  run_on (plan, FB_BACKEND_INTERP, cache, 2, &interp);
  run_on (plan, FB_BACKEND_CPU, cache, 2, &cpu);
  assert_same (plan, interp.data, cpu.data, what);
  fb_memory_clear (&interp);
  fb_memory_clear (&cpu);
}

static gint64
work_of (const FbPlan *plan)
{
  gint64 points = 0;
  for (guint i = 0; i < plan->steps->len; i++)
    if (fb_plan_step (plan, i)->program != NULL)
      points += fb_plan_step (plan, i)->program->points;
  return points;
}

/* Rows of @path from @first on, every @stride-th, that are small enough for the interpreter. Gives how many were run. */
static guint
compare_file (const char *path, guint first, guint stride, const char *cache)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  guint n = 0;
  g_assert_no_error (error);
  for (guint row = first; row <= fb_capture_n_rows (capture, fb_capture_main_kind (capture)); row += stride)
    {
      g_autofree char *what = g_strdup_printf ("%s row %u", path, row);
      Case k;
      if (case_init (&k, capture, row, (gsize) 1 << 28, &error) && work_of (k.plan) < 20000000
          && k.plan->programs->len < 60)
        {
          compare (k.plan, cache, what);
          n++;
        }
      else if (error != NULL)
        g_assert_cmpint (error->code, !=, FB_BACKEND_ERROR_UNSUPPORTED);
      g_clear_error (&error);
      case_clear (&k);
    }
  return n;
}

static void
test_samples (void)
{
  static const char *const names[] = { "attention", "convnet_train", "embedding",  "in_place",    "kv_cache",
                                       "lerp",      "mlp_train",     "pad_unsafe", "two_devices", "views" };
  if (!has_compiler ())
    {
      g_test_skip ("no C compiler");
      return;
    }
  g_autofree char *cache = cache_folder ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strconcat (names[i], ".db", NULL);
      g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), name, NULL);
      g_assert_cmpuint (compare_file (path, 1, 1, cache), >, 0);
    }
  remove_folder (cache);
}

static void
test_corpus (void)
{
  static const char *const names[]
      = { "random", "cpu.test_ops", "cpu.test_dtype", "cpu.test_symbolic_ops", "img.test_image_dtype" };
  const char *corpus = g_getenv ("FUSEBOX_CORPUS"), *more = g_getenv ("FUSEBOX_CORPUS_STRIDE");
  if (corpus == NULL || !has_compiler ())
    {
      g_test_skip ("no corpus, or no C compiler");
      return;
    }
  g_autofree char *cache = cache_folder ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strconcat (names[i], ".db", NULL);
      g_autofree char *path = g_build_filename (corpus, name, NULL);
      guint stride = (i == 0 ? 150 : 120) * (more == NULL ? 1 : 4);
      compare_file (path, 7, stride, cache);
    }
  remove_folder (cache);
}

/* The rule of the corpus: these are its first outputs for seed 1 and ordinal 0, state 1000003. */
static void
test_fill (void)
{
  float f[2];
  gint32 n[2];
  guint8 b[2];
  guint64 x = 1000003 + 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  fb_fill (FB_SCALAR_FLOAT32, 2, 1, 0, (guint8 *) f);
  fb_fill (FB_SCALAR_INT32, 2, 1, 0, (guint8 *) n);
  fb_fill (FB_SCALAR_BOOL, 2, 1, 0, b);
  g_assert_cmpfloat (f[0], ==, (float) ((double) (x >> 40) / 8388608.0 - 1.0));
  g_assert_cmpint (n[0], ==, x % 16);
  g_assert_cmpint (b[0], ==, x & 1);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (f[i] >= -1 && f[i] < 1 && n[i] >= 0 && n[i] < 16 && b[i] < 2);
    }
}

static void
test_memory_limit (void)
{
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  g_autoptr (GError) error = NULL;
  Case k;
  g_assert_false (case_init (&k, capture, 1, 1000, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE);
  g_assert_true (g_str_has_prefix (error->message, "kernel 1: a buffer of "));
  case_clear (&k);
}

/* The same schedule again is not compiled again, nor for other threads. */
static void
test_cached (void)
{
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  g_autoptr (GError) error = NULL;
  Case k;
  if (!has_compiler ())
    {
      g_test_skip ("no C compiler");
      return;
    }
  g_autofree char *cache = cache_folder ();
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, &error));
  for (guint i = 0; i < 2; i++)
    {
      FbMemory memory;
      FbRunReport report;
      const FbRunOptions options = { .backend = FB_BACKEND_CPU, .cache = cache, .threads = 1 + i };
      g_assert_true (fb_memory_init (&memory, k.plan->memory, &error));
      g_assert_true (fb_run (k.plan, &memory, &options, &report, NULL, &error));
      g_assert_cmpint (report.cached, ==, i == 1);
      fb_memory_clear (&memory);
    }
  case_clear (&k);
  remove_folder (cache);
}

static void
test_no_compiler (void)
{
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  Case k;
  const FbRunOptions options = { .backend = FB_BACKEND_CPU, .compiler = "no-such-compiler" };
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, &error));
  g_assert_true (fb_memory_init (&memory, k.plan->memory, &error));
  g_assert_false (fb_run (k.plan, &memory, &options, NULL, NULL, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE);
  fb_memory_clear (&memory);
  case_clear (&k);
}

/* A compiler whose programs crash, hang or end at once: the run fails in words, and we are still there. */
static void
test_child_dies (void)
{
  static const struct
  {
    const char *body;
    FbBackendError code;
  } children[] = {
    { "kill -SEGV $$", FB_BACKEND_ERROR_CRASHED },
    { "exit 0", FB_BACKEND_ERROR_CRASHED },
    { "exec sleep 600", FB_BACKEND_ERROR_TIME },
  };
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  g_autofree char *cache = cache_folder ();
  Case k;
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *compiler = g_strdup_printf ("%s/cc%u", cache, i);
      /* called as a compiler is: what follows -o is the program to make */
      g_autofree char *script = g_strdup_printf ("#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n"
                                                 "printf '#!/bin/sh\\n%s\\n' > \"$2\"\nchmod +x \"$2\"\n",
                                                 children[i].body);
      FbMemory memory;
      const FbRunOptions options = { .backend = FB_BACKEND_CPU, .cache = cache, .compiler = compiler, .seconds = 1 };
      g_file_set_contents_full (compiler, script, -1, G_FILE_SET_CONTENTS_NONE, 0755, &error);
      g_assert_no_error (error);
      g_assert_true (fb_memory_init (&memory, k.plan->memory, &error));
      g_assert_false (fb_run (k.plan, &memory, &options, NULL, NULL, &error));
      g_assert_error (error, FB_BACKEND_ERROR, (int) children[i].code);
      g_assert_true (g_str_has_prefix (error->message, "kernel 1: "));
      fb_memory_clear (&memory);
    }
  case_clear (&k);
  remove_folder (cache);
}

/* No text of a capture is in the C: names of variables and devices are. */
static void
test_no_captured_text (void)
{
  g_autoptr (FbCapture) capture = open_sample ("kv_cache.db");
  g_autoptr (GError) error = NULL;
  Case k;
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, &error));
  g_autofree char *source = fb_cpu_source (k.plan);
  g_assert_null (strstr (source, "start_pos"));
  g_assert_null (strstr (source, "CPU"));
  case_clear (&k);
}

static void
test_npy (void)
{
  g_autofree char *folder = cache_folder (), *path = g_build_filename (folder, "x.npy", NULL);
  g_autoptr (GError) error = NULL;
  const gint16 out[5] = { 1, -2, 3, -4, 5 };
  gint16 in[5] = { 0 };
  float other[5];
  g_assert_true (fb_npy_write (path, FB_SCALAR_INT16, 5, (const guint8 *) out, &error));
  g_assert_true (fb_npy_read (path, FB_SCALAR_INT16, 5, (guint8 *) in, &error));
  g_assert_cmpmem (in, sizeof in, out, sizeof out);
  g_assert_false (fb_npy_read (path, FB_SCALAR_INT16, 4, (guint8 *) in, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_false (fb_npy_read (path, FB_SCALAR_FLOAT32, 5, (guint8 *) other, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_true (truncate (path, 130) == 0);
  g_assert_false (fb_npy_read (path, FB_SCALAR_INT16, 5, (guint8 *) in, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT);
  remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/run/fill", test_fill);
  g_test_add_func ("/backends/run/npy", test_npy);
  g_test_add_func ("/backends/run/memory-limit", test_memory_limit);
  g_test_add_func ("/backends/cpu/cached", test_cached);
  g_test_add_func ("/backends/cpu/no-compiler", test_no_compiler);
  g_test_add_func ("/backends/cpu/child-dies", test_child_dies);
  g_test_add_func ("/backends/cpu/no-captured-text", test_no_captured_text);
  g_test_add_func ("/backends/cpu/agrees-on-samples", test_samples);
  g_test_add_func ("/backends/cpu/agrees-on-corpus", test_corpus);
  return g_test_run ();
}
