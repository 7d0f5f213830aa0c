/* Different kernels of captures, in batches. */
#include "kernels.h"

#include <glib/gstdio.h>

#include "core/ir/text.h"

#define BATCH 48

typedef struct
{
  GHashTable *seen;    /* kernels by AST and sizes */
  GHashTable *refused; /* reason -> count */
  KernelsBatch batch;
  GPtrArray *rows; /* that own what its programs are of */
  KernelsBackend *backends;
  guint n_backends, n_met, first, stride;
  gint64 most_points;
  char *cache;
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

/* Runs the batch, and begins another. */
static void
flush (Kernels *k)
{
  if (k->batch.plan != NULL && k->batch.plan->steps->len > 0)
    kernels_batch_compare (&k->batch, k->backends, k->n_backends, k->cache);
  g_clear_pointer (&k->batch.plan, fb_plan_free);
  k->batch.plan = empty_plan ();
  g_ptr_array_set_size (k->batch.names, 0);
  g_ptr_array_set_size (k->rows, 0);
}

/* A buffer for an argument. */
static void
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

/* The kernel with the sizes of its buffers, and what its variables are; with their bytes. Free with g_free. */
static char *
id_of (const FbSchedule *schedule, const FbKernelItem *item, gint64 *sizes, gsize *bytes)
{
  GString *id = g_string_new (NULL);
  char key[17];
  *bytes = 0;
  g_string_append (id, fb_uop_key_hex (schedule->context, item->ast, key));
  for (guint i = 0; i < item->n_buffers; i++)
    {
      const FbKernelBuffer *buffer = &item->buffers[i];
      sizes[i] = buffer->size;
      g_string_append_printf (id, " %" G_GINT64_FORMAT, buffer->size);
      *bytes += (gsize) CLAMP (buffer->size, 0, (gint64) KERNELS_MOST_BYTES) * fb_scalar_size (buffer->dtype->type);
    }
  for (guint i = 0; i < schedule->var_vals->len; i++)
    g_string_append_printf (id, " =%" G_GINT64_FORMAT, g_array_index (schedule->var_vals, FbVarVal, i).value.i);
  return g_string_free (id, FALSE);
}

/* Adds a kernel to the batch. TRUE: it is in. */
static gboolean
add_kernel (Kernels *k, const FbSchedule *schedule, guint kernel, const char *row)
{
  const FbKernelItem *item = fb_schedule_kernel (schedule, kernel);
  FbPlan *plan = k->batch.plan;
  g_autoptr (GError) error = NULL;
  gsize bytes;
  if (item->ast->op != FB_OP_SINK)
    return FALSE;
  g_autofree gint64 *sizes = g_new (gint64, item->n_buffers + 1);
  if (!g_hash_table_add (k->seen, id_of (schedule, item, sizes, &bytes)) || k->n_met++ % k->stride != k->first)
    return FALSE;
  if (bytes > KERNELS_MOST_BYTES)
    {
      refuse (k, "more memory than this test takes");
      return FALSE;
    }
  FbProgram *program
      = fb_program_new (schedule->context, item->ast, schedule->var_vals, item->n_buffers, sizes, &error);
  if (program == NULL || program->points > k->most_points)
    {
      if (program == NULL)
        g_test_message ("refused: %s kernel %u: %s", row, kernel + 1, error->message);
      refuse (k, program == NULL ? reason_of (error) : "more work than this test does");
      g_clear_pointer (&program, fb_program_free);
      return FALSE;
    }
  FbPlanStep step = { .kind = FB_STEP_PROGRAM,
                      .item = item,
                      .program = program,
                      .program_number = plan->programs->len,
                      .n_buffers = item->n_buffers };
  step.buffers = g_new (guint, MAX (step.n_buffers, 1));
  for (guint i = 0; i < step.n_buffers; i++)
    {
      step.buffers[i] = plan->buffers->len;
      gboolean written = i < program->args->len && fb_program_arg (program, i)->written;
      add_buffer (plan, &item->buffers[i], written && !fb_program_arg (program, i)->read);
    }
  g_ptr_array_add (plan->programs, program);
  g_array_append_val (plan->steps, step);
  g_ptr_array_add (k->batch.names, g_strdup_printf ("%s kernel %u", row, kernel + 1));
  return TRUE;
}

void
kernels_row_free (gpointer data)
{
  KernelsRow *row = data;
  g_clear_pointer (&row->schedule, fb_schedule_free);
  g_clear_pointer (&row->row, fb_capture_row_free);
  fb_context_free (row->context);
  g_free (row);
}

KernelsRow *
kernels_row_new (FbCapture *capture, guint number)
{
  KernelsRow *row = g_new0 (KernelsRow, 1);
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
      KernelsRow *row = kernels_row_new (capture, n);
      g_autofree char *what = g_strdup_printf ("%s row %u", name, n);
      gboolean any = FALSE;
      for (guint i = 0; i < row->schedule->kernels->len; i++)
        any |= add_kernel (k, row->schedule, i, what);
      if (any)
        g_ptr_array_add (k->rows, row);
      else
        kernels_row_free (row);
      if (k->batch.plan->steps->len >= BATCH || k->batch.plan->memory > KERNELS_MOST_BYTES)
        flush (k);
    }
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
kernels_files_in (const char *folder, const char *suffix)
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
report (const Kernels *k)
{
  GHashTableIter iter;
  gpointer reason, count;
  g_test_message ("%u different kernels met, every %u-th taken", k->n_met, k->stride);
  g_hash_table_iter_init (&iter, k->refused);
  while (g_hash_table_iter_next (&iter, &reason, &count))
    g_test_message ("not run: %u, %s", GPOINTER_TO_UINT (count), (char *) reason);
  for (guint i = 0; i < k->n_backends; i++)
    {
      const KernelsBackend *b = &k->backends[i];
      const char *name = fb_backend_name (b->backend);
      if (b->why_not != NULL)
        {
          g_test_message ("%s: %s", name, b->why_not);
          continue;
        }
      for (guint d = 0; d < b->differences->len; d++)
        g_test_message ("%s: %s", name, (char *) g_ptr_array_index (b->differences, d));
      g_test_message ("%s: %u run, outputs %u the same bits, %u within rounding (at most %.2g of the "
                      "bound), %u choices of rounded floats, %u by the order of NaNs, %u as far as rounded inputs move "
                      "them; %u differ",
                      name, b->n_run, b->n_equal, b->n_within, b->worst, b->n_rounded, b->n_nan_order, b->n_moved,
                      b->differences->len);
    }
}

static void
remove_folder (const char *folder)
{
  const char *words[] = { "rm", "-rf", folder, NULL };
  g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

void
kernels_compare_folder (const char *folder, KernelsBackend *backends, guint n, guint first, guint stride,
                        gint64 most_points)
{
  g_autoptr (GError) error = NULL;
  Kernels k = { .backends = backends, .n_backends = n, .first = first, .stride = stride, .most_points = most_points };
  k.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  k.refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  k.rows = g_ptr_array_new_with_free_func (kernels_row_free);
  k.batch.names = g_ptr_array_new_with_free_func (g_free);
  k.cache = g_dir_make_tmp ("fusebox-kernels-XXXXXX", &error);
  g_assert_no_error (error);
  flush (&k);
  g_autoptr (GPtrArray) names = kernels_files_in (folder, ".db");
  for (guint i = 0; i < names->len; i++)
    add_file (&k, folder, g_ptr_array_index (names, i));
  flush (&k);
  report (&k);
  fb_plan_free (k.batch.plan);
  g_ptr_array_unref (k.batch.names);
  g_ptr_array_unref (k.rows);
  g_hash_table_unref (k.seen);
  g_hash_table_unref (k.refused);
  remove_folder (k.cache);
  g_free (k.cache);
}
