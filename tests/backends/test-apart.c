/* The interpreter in a child: the same numbers as in this process, and it ends when it is to. */
#include "backends/program/bytes.h"
#include "backends/run/run.h"

#include "case.h"
#include "many.h"

/* Programs as bytes and back: the same bytes again, and no crash whatever is cut off or changed. */
static void
test_bytes (void)
{
  static const char *const names[] = { "attention.db", "embedding.db", "kv_cache.db", "pad_unsafe.db" };
  for (guint f = 0; f < G_N_ELEMENTS (names); f++)
    {
      g_autoptr (FbCapture) capture = open_sample (names[f]);
      g_autoptr (GError) error = NULL;
      Case k;
      g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, &error));
      for (guint i = 0; i < k.plan->programs->len; i++)
        {
          g_autoptr (GByteArray) first = g_byte_array_new (), second = g_byte_array_new ();
          fb_program_write (g_ptr_array_index (k.plan->programs, i), first);
          const guint8 *at = first->data;
          g_autoptr (FbProgram) again = fb_program_read (&at, first->data + first->len);
          g_assert_nonnull (again);
          g_assert_true (at == first->data + first->len);
          fb_program_write (again, second);
          g_assert_cmpuint (first->len, ==, second->len);
          for (guint cut = 0; cut < first->len; cut += 1 + first->len / 97)
            {
              at = first->data;
              g_assert_null (fb_program_read (&at, first->data + cut));
            }
          for (guint flip = 0; flip < first->len; flip += 1 + first->len / 97)
            {
              first->data[flip] ^= 0x81;
              at = first->data;
              g_autoptr (FbProgram) changed = fb_program_read (&at, first->data + first->len);
              g_assert_true (changed == NULL || changed->n_vars <= FB_PROGRAM_MAX_VARS);
              first->data[flip] ^= 0x81;
            }
        }
      case_clear (&k);
    }
}

static void
run_both (const FbPlan *plan, const char *what)
{
  FbMemory memory[2];
  g_autofree gint64 *nans[2] = { g_new0 (gint64, plan->steps->len), g_new0 (gint64, plan->steps->len) };
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      const FbRunOptions options
          = { .backend = FB_BACKEND_INTERP, .apart = i == 1, .threads = 2, .max_of_nan = nans[i], .seconds = 300 };
      g_assert_true (fb_memory_init (&memory[i], plan->memory, &error));
      fb_plan_fill (plan, memory[i].data, 1);
      fb_run (plan, &memory[i], &options, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  g_test_message ("%s: %u kernels", what, plan->steps->len);
  g_assert_true (memcmp (memory[0].data, memory[1].data, plan->memory) == 0);
  g_assert_true (memcmp (nans[0], nans[1], plan->steps->len * sizeof *nans[0]) == 0);
  fb_memory_clear (&memory[0]);
  fb_memory_clear (&memory[1]);
  g_free (nans[1]);
}

static void
test_agrees (void)
{
  static const char *const names[] = { "lerp.db", "attention.db", "embedding.db", "in_place.db", "two_devices.db" };
  for (guint f = 0; f < G_N_ELEMENTS (names); f++)
    {
      g_autoptr (FbCapture) capture = open_sample (names[f]);
      Case k;
      g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
      run_both (k.plan, names[f]);
      case_clear (&k);
    }
}

/* A sum of 10^11 terms: it does not end by itself while we watch. */
static void
add_endless (Many *many, FbContext *c)
{
  const FbDType *dtype = FB_DTYPE (FLOAT32);
  const FbDims *shape = DIMS (c, 100, 1000000, 1000);
  const FbView *view = fb_view_create (c, shape, DIMS (c, 1, 0, 0), fb_sint (0), NULL);
  FbUop *value = fb_uop_new (c, FB_OP_SIN, dtype, 1,
                             (FbUop *[]){ load_view (c, 1, dtype, 100, fb_st_from_view (c, view)) }, FB_ARG_NIL);
  FbUop *kernel = kernel_of (c, reduce (c, FB_OP_ADD, value, DIMS (c, 1, 2)), DIMS (c, 100, 1, 1));
  const gint64 sizes[] = { 100, 100 };
  g_autoptr (GError) error = NULL;
  guint buffers[2];
  FbProgram *program = program_of (c, kernel, &error, 2, sizes);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    buffers[i] = many_add_buffer (many, FB_SCALAR_FLOAT32, 100);
  many_add (many, program, 2, buffers, g_strdup ("endless"));
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (300000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_ends (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) late = NULL, cancelled = NULL;
  FbRunOptions options = { .backend = FB_BACKEND_INTERP, .apart = TRUE, .threads = 2, .seconds = 1 };
  FbMemory memory;
  Many many;
  many_init (&many);
  add_endless (&many, c);
  g_assert_true (fb_memory_init (&memory, many.plan.memory, NULL));
  g_assert_false (fb_run (&many.plan, &memory, &options, NULL, NULL, &late));
  g_assert_error (late, FB_BACKEND_ERROR, FB_BACKEND_ERROR_TIME);
  options.seconds = 0;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_false (fb_run (&many.plan, &memory, &options, NULL, cancellable, &cancelled));
  g_assert_error (cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  fb_memory_clear (&memory);
  many_clear (&many);
}

static gboolean
count_kernels (guint step, double seconds, gpointer user)
{
  guint *n = user;
  g_assert_cmpuint (step, ==, *n);
  g_assert_cmpfloat (seconds, >=, 0);
  return ++*n < 2;
}

/* Each kernel is told when it is done, and a run can stop between them. */
static void
test_progress (void)
{
  g_autoptr (FbCapture) capture = open_sample ("attention.db");
  FbMemory memory;
  guint n = 0;
  Case k;
  const FbRunOptions options
      = { .backend = FB_BACKEND_INTERP, .apart = TRUE, .threads = 1, .after = count_kernels, .user = &n };
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  g_assert_true (fb_memory_init (&memory, k.plan->memory, NULL));
  g_assert_true (fb_run (k.plan, &memory, &options, NULL, NULL, NULL));
  g_assert_cmpuint (n, ==, 2);
  fb_memory_clear (&memory);
  case_clear (&k);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/apart/bytes", test_bytes);
  g_test_add_func ("/backends/apart/agrees", test_agrees);
  g_test_add_func ("/backends/apart/ends", test_ends);
  g_test_add_func ("/backends/apart/progress", test_progress);
  return g_test_run ();
}
