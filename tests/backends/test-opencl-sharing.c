/* Sums that work-groups share, and products in tiles, cut as for a processor and as for a GPU. Elements are small integers, so that
 * sums are exact in any order and every bit must agree with the interpreter's. */
#include <string.h>

#include "backends/run/run.h"

#include "case.h"
#include "many.h"

/* Adds a kernel over buffers of @types; the first is its output. */
static void
add (Many *many, FbContext *c, FbUop *kernel, guint n, const guint8 *types, const gint64 *sizes, const char *name)
{
  g_autoptr (GError) error = NULL;
  guint buffers[3];
  FbProgram *program = program_of (c, kernel, &error, n, sizes);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    buffers[i] = many_add_buffer (many, types[i], sizes[i]);
  many_add (many, program, n, buffers, g_strdup (name));
}

/* A product of matrices. @turned: they lie the other way in their buffers. */
static void
add_product (Many *many, FbContext *c, const FbDType *dtype, gint64 m, gint64 n, gint64 k, gboolean turned)
{
  const FbDims *shape = DIMS (c, m, n, k);
  const FbDims *row_steps = turned ? DIMS (c, 1, 0, m) : DIMS (c, k, 0, 1);
  const FbDims *lane_steps = turned ? DIMS (c, 0, k, 1) : DIMS (c, 0, 1, n);
  FbUop *factors[] = { load_view (c, 1, dtype, m * k, strided (c, shape, row_steps)),
                       load_view (c, 2, dtype, k * n, strided (c, shape, lane_steps)) };
  FbUop *sum = reduce (c, FB_OP_ADD, fb_uop_new (c, FB_OP_MUL, dtype, 2, factors, FB_ARG_NIL), DIMS (c, 2));
  FbUop *more[] = { sum, load_view (c, 1, dtype, m * k, strided (c, DIMS (c, m, n, 1), DIMS (c, 1, 0, 0))) };
  FbUop *value = fb_uop_new (c, FB_OP_ADD, dtype, 2, more, FB_ARG_NIL);
  add (many, c, kernel_of (c, value, DIMS (c, m, n, 1)), 3, (guint8[]){ dtype->type, dtype->type, dtype->type },
       (gint64[]){ m * n, m * k, k * n }, "product");
}

/* A sum, product or maximum over the axes @axes of an array of @shape, which leaves @left. */
static void
add_reduce (Many *many, FbContext *c, FbOp op, const FbDType *dtype, const FbDims *shape, const FbDims *axes,
            const FbDims *left)
{
  FbUop *value = reduce (c, op, load (c, 1, dtype, shape), axes);
  add (many, c, kernel_of (c, value, left), 2, (guint8[]){ dtype->type, dtype->type },
       (gint64[]){ left->prod, shape->prod }, fb_op_name (op));
}

/* Two reduces in one loop, and one inside another: of each row the sum and the largest; the sum of each row's largest. */
static void
add_two_reduces (Many *many, FbContext *c)
{
  const FbDType *dtype = FB_DTYPE (INT32);
  const guint8 types[] = { dtype->type, dtype->type };
  const FbDims *shape = DIMS (c, 3, 700);
  FbUop *all = load (c, 1, dtype, shape);
  FbUop *pair[] = { reduce (c, FB_OP_ADD, all, DIMS (c, 1)), reduce (c, FB_OP_MAX, all, DIMS (c, 1)) };
  FbUop *value = fb_uop_new (c, FB_OP_ADD, dtype, 2, pair, FB_ARG_NIL);
  add (many, c, kernel_of (c, value, DIMS (c, 3, 1)), 2, types, (gint64[]){ 3, 2100 }, "two reduces");
  value = reduce (c, FB_OP_ADD, reduce (c, FB_OP_MAX, load (c, 1, dtype, DIMS (c, 300, 7)), DIMS (c, 1)), DIMS (c, 0));
  add (many, c, kernel_of (c, value, DIMS (c, 1, 1)), 2, types, (gint64[]){ 1, 2100 }, "nested reduces");
}

static void
make (Many *many, FbContext *c)
{
  many_init (many);
  add_product (many, c, FB_DTYPE (FLOAT32), 16, 16, 16, FALSE);
  add_product (many, c, FB_DTYPE (FLOAT32), 100, 131, 45, TRUE);
  add_product (many, c, FB_DTYPE (INT32), 33, 65, 70, FALSE);
  add_product (many, c, FB_DTYPE (FLOAT64), 17, 40, 33, TRUE);
  /* rows; few columns; axes with others between them; fewer terms than a group has */
  add_reduce (many, c, FB_OP_ADD, FB_DTYPE (FLOAT32), DIMS (c, 5, 1000), DIMS (c, 1), DIMS (c, 5, 1));
  add_reduce (many, c, FB_OP_ADD, FB_DTYPE (INT8), DIMS (c, 513, 3), DIMS (c, 0), DIMS (c, 1, 3));
  add_reduce (many, c, FB_OP_ADD, FB_DTYPE (INT64), DIMS (c, 9, 4, 100), DIMS (c, 0, 2), DIMS (c, 1, 4, 1));
  add_reduce (many, c, FB_OP_ADD, FB_DTYPE (FLOAT64), DIMS (c, 200, 256), DIMS (c, 1), DIMS (c, 200, 1));
  add_reduce (many, c, FB_OP_MUL, FB_DTYPE (INT32), DIMS (c, 2, 300), DIMS (c, 1), DIMS (c, 2, 1));
  add_reduce (many, c, FB_OP_MAX, FB_DTYPE (INT16), DIMS (c, 4, 999), DIMS (c, 1), DIMS (c, 4, 1));
  add_reduce (many, c, FB_OP_MAX, FB_DTYPE (FLOAT32), DIMS (c, 4, 999), DIMS (c, 1), DIMS (c, 4, 1));
  add_two_reduces (many, c);
}

/* Which kernels are shared, and how. */
static void
test_chosen (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  Many many;
  make (&many, c);
  g_autoptr (FbOpenclSource) source = fb_opencl_source_new (&many.plan);
  for (guint i = 0; i < source->launches->len; i++)
    {
      const FbOpenclLaunch *launch = &g_array_index (source->launches, FbOpenclLaunch, i);
      const char *name = g_ptr_array_index (many.names, launch->program);
      guint type = fb_plan_buffer (&many.plan, fb_plan_step (&many.plan, launch->program)->buffers[0])->type;
      FbOpenclSharing wanted = strcmp (name, "product") == 0                            ? FB_OPENCL_TILES
                               : strcmp (name, "MAX") == 0 && fb_scalar_is_float (type) ? FB_OPENCL_ITEMS
                                                                                        : FB_OPENCL_GROUPS;
      g_assert_cmpint (launch->sharing, ==, wanted);
    }
  many_clear (&many);
}

static void
test_agrees (gconstpointer as)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  FbMemory memory[2];
  Many many;
  if (!has_device ())
    return;
  make (&many, c);
  g_autofree char *cache = cache_folder ();
  g_setenv ("FUSEBOX_OPENCL_AS", as, TRUE);
  for (guint i = 0; i < 2; i++)
    {
      const FbRunOptions options
          = { .backend = i == 0 ? FB_BACKEND_INTERP : FB_BACKEND_OPENCL, .cache = cache, .threads = 2 };
      g_assert_true (fb_memory_init (&memory[i], many.plan.memory, &error));
      for (guint s = 0; s < many.plan.steps->len; s++)
        for (guint b = 1; b < fb_plan_step (&many.plan, s)->n_buffers; b++)
          {
            guint buffer = fb_plan_step (&many.plan, s)->buffers[b];
            const FbPlanBuffer *filled = fb_plan_buffer (&many.plan, buffer);
            fill_small (filled->type, filled->size, fb_plan_data (&many.plan, memory[i].data, buffer));
          }
      fb_run (&many.plan, &memory[i], &options, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  g_unsetenv ("FUSEBOX_OPENCL_AS");
  for (guint s = 0; s < many.plan.steps->len; s++)
    {
      guint output = fb_plan_step (&many.plan, s)->buffers[0];
      gsize bytes = fb_plan_buffer (&many.plan, output)->bytes;
      if (memcmp (fb_plan_data (&many.plan, memory[0].data, output), fb_plan_data (&many.plan, memory[1].data, output),
                  bytes)
          != 0)
        g_error ("kernel %u, %s, differs", s + 1, (char *) g_ptr_array_index (many.names, s));
    }
  fb_memory_clear (&memory[0]);
  fb_memory_clear (&memory[1]);
  many_clear (&many);
  remove_folder (cache);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/opencl/sharing/chosen", test_chosen);
  g_test_add_data_func ("/backends/opencl/sharing/agrees", "device", test_agrees);
  g_test_add_data_func ("/backends/opencl/sharing/agrees-as-gpu", "gpu", test_agrees);
  return g_test_run ();
}
