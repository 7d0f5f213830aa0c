/* A run that can be looked at afterwards. */
#include <string.h>

#include "backends/run/record.h"

#include "case.h"

static void
open_case (Case *k, const char *name)
{
  g_autoptr (FbCapture) capture = open_sample (name);
  g_autoptr (GError) error = NULL;
  g_assert_true (case_init (k, capture, 1, (gsize) 1 << 30, &error));
}

typedef struct
{
  const FbPlan *plan;
  FbRecord *record;
  GPtrArray *copies; /* of GBytes: every buffer after each kernel, in order */
} Watch;

static void
copy_all (Watch *watch)
{
  for (guint i = 0; i < watch->plan->buffers->len; i++)
    {
      const FbRecordBuffer *buffer = fb_record_buffer (watch->record, i);
      const FbRecordBuffer *base = fb_record_buffer (watch->record, buffer->base);
      /* by way of the base: asking for the buffer's memory would count as filling it */
      GBytes *all = fb_record_read (watch->record, buffer->base, G_MAXUINT, NULL);
      g_assert_cmpuint (g_bytes_get_size (all), ==, base->bytes);
      g_ptr_array_add (watch->copies,
                       g_bytes_new ((const guint8 *) g_bytes_get_data (all, NULL) + buffer->offset, buffer->bytes));
      g_bytes_unref (all);
    }
}

static gboolean
watch_kernel (guint kernel, double seconds, gpointer user)
{
  copy_all (user);
  return TRUE;
}

static FbRecord *
run_record (const FbPlan *plan, gsize limit, Watch *watch)
{
  g_autoptr (GError) error = NULL;
  FbRecord *record = fb_record_new (plan, limit, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < fb_record_n_buffers (record); i++)
    {
      const FbRecordBuffer *buffer = fb_record_buffer (record, i);
      if (buffer->base == i && !buffer->starts_as_output)
        fb_fill (buffer->type, buffer->size, 1, buffer->ordinal, fb_record_data (record, i));
    }
  FbRunOptions options = { .backend = FB_BACKEND_INTERP };
  if (watch)
    {
      *watch = (Watch){ plan, record, g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref) };
      options.after = watch_kernel;
      options.user = watch;
      copy_all (watch);
    }
  g_assert_true (fb_record_run (record, plan, &options, NULL, NULL, &error));
  g_assert_no_error (error);
  return record;
}

/* Every buffer at every moment is what it was then. */
static void
test_record (gconstpointer name)
{
  Case k;
  Watch watch;
  open_case (&k, name);
  FbRecord *record = run_record (k.plan, (gsize) 1 << 30, &watch);
  guint n = fb_record_n_buffers (record), n_kernels = fb_record_n_kernels (record);
  g_assert_cmpuint (watch.copies->len, ==, n * (n_kernels + 1));
  for (guint moment = 0; moment <= n_kernels; moment++)
    for (guint i = 0; i < n; i++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (GBytes) bytes = fb_record_read (record, i, moment, &error);
        g_assert_no_error (error);
        g_assert_true (g_bytes_equal (bytes, g_ptr_array_index (watch.copies, moment * n + i)));
      }
  for (guint i = 0; i < n_kernels; i++)
    {
      const FbRecordKernel *kernel = fb_record_kernel (record, i);
      g_assert_cmpuint (kernel->state, ==, FB_RECORD_DONE);
      g_assert_true (kernel->kind == FB_STEP_VIEW || kernel->written[0]);
      if (kernel->kind == FB_STEP_VIEW)
        continue;
      g_assert_cmpuint (fb_record_find_write (record, kernel->buffers[0], i, 1), ==, i + 1);
      g_assert_cmpuint (fb_record_find_write (record, kernel->buffers[0], i + 2, -1), >=, i + 1);
    }
  /* what was read stays when the record goes */
  g_autoptr (GBytes) last = fb_record_read (record, 0, n_kernels, NULL);
  fb_record_unref (record);
  g_assert_true (g_bytes_equal (last, g_ptr_array_index (watch.copies, n_kernels * n)));
  g_ptr_array_unref (watch.copies);
  case_clear (&k);
}

/* Without room for them earlier contents are refused in words, the last ones are there. */
static void
test_record_limit (void)
{
  Case k;
  open_case (&k, "in_place.db");
  g_autoptr (FbRecord) kept = run_record (k.plan, (gsize) 1 << 30, NULL);
  g_autoptr (FbRecord) record = run_record (k.plan, 0, NULL);
  g_assert_cmpuint (fb_record_kept (kept), >, 0);
  g_assert_cmpuint (fb_record_kept (record), ==, 0);
  guint n_refused = 0;
  for (guint i = 0; i < fb_record_n_buffers (record); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) first = fb_record_read (record, i, 0, &error);
      g_autoptr (GBytes) last = fb_record_read (record, i, fb_record_n_kernels (record), NULL);
      g_assert_nonnull (last);
      if (first)
        continue;
      n_refused++;
      g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE);
      g_assert_nonnull (strstr (error->message, "not kept"));
    }
  g_assert_cmpuint (n_refused, >, 0);
  case_clear (&k);
}

static gboolean
stop_at_once (guint kernel, double seconds, gpointer user)
{
  g_cancellable_cancel (user);
  return TRUE;
}

/* A run that was cancelled says where it stopped. */
static void
test_record_cancelled (void)
{
  Case k;
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  open_case (&k, "lerp.db");
  g_autoptr (FbRecord) record = fb_record_new (k.plan, 0, &error);
  const FbRunOptions options = { .backend = FB_BACKEND_INTERP, .after = stop_at_once, .user = cancellable };
  g_assert_false (fb_record_run (record, k.plan, &options, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fb_record_kernel (record, 0)->state, ==, FB_RECORD_DONE);
  g_assert_cmpuint (fb_record_kernel (record, 1)->state, ==, FB_RECORD_FAILED);
  g_assert_cmpuint (fb_record_kernel (record, 2)->state, ==, FB_RECORD_WAITING);
  g_assert_cmpuint (fb_record_find_write (record, fb_record_kernel (record, 2)->buffers[0], 0, 1), ==, 0);
  case_clear (&k);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/backends/record/lerp", "lerp.db", test_record);
  g_test_add_data_func ("/backends/record/in-place", "in_place.db", test_record);
  g_test_add_data_func ("/backends/record/kv-cache", "kv_cache.db", test_record);
  g_test_add_data_func ("/backends/record/two-devices", "two_devices.db", test_record);
  g_test_add_func ("/backends/record/limit", test_record_limit);
  g_test_add_func ("/backends/record/cancelled", test_record_cancelled);
  return g_test_run ();
}
