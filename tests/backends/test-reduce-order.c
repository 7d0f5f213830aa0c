/* MAX of floats with NaNs and zeros of both signs: the order the reference would take them in, and all backends in that order. */
#include <math.h>

#include "backends/opencl/opencl.h"
#include "backends/run/run.h"

#include "case.h"
#include "kernel.h"

#define MAX_DIMS 4

static gboolean has_opencl;

typedef struct
{
  const char *law;
  guint n;
  gint64 shape[MAX_DIMS], strides[MAX_DIMS]; /* of what is read */
  guint axes;                                /* bits: those that are reduced */
  gint64 fold;                               /* points that are folded among themselves; 0: all of them */
  gboolean swapped;                          /* the last two reduced axes, the last one outside */
  gint64 pad;                                /* elements before the first one, which are -inf: of the last axis */
  gboolean window;                           /* ... or of what both axes step through */
} OrderCase;

static const OrderCase cases[] = {
  { "what is before the first element is no first point", 2, { 5, 8 }, { 6, 1 }, 2, 0, FALSE, 2 },
  { "also of windows that reach over the edge", 2, { 5, 3 }, { 1, 1 }, 2, 0, FALSE, 2, TRUE },
  { "where it is not known there it is", 2, { 40, 3 }, { 1, 1 }, 2, 0, FALSE, 2, TRUE },
  { "up to 32 points are unrolled as a whole", 2, { 5, 32 }, { 32, 1 }, 2, 0, FALSE },
  { "more are unrolled by 4", 2, { 5, 36 }, { 36, 1 }, 2, 4, FALSE },
  { "many more too", 2, { 3, 400 }, { 400, 1 }, 2, 4, FALSE },
  { "where 4 divides them", 2, { 5, 33 }, { 33, 1 }, 2, 1, FALSE },
  { "and neither do 4 of many", 2, { 2, 1001 }, { 1001, 1 }, 2, 1, FALSE },
  { "a reduced axis may come first", 2, { 36, 5 }, { 5, 1 }, 1, 4, FALSE },
  { "and have many lanes", 2, { 36, 300 }, { 300, 1 }, 1, 4, FALSE },
  { "with few points", 2, { 6, 300 }, { 300, 1 }, 1, 0, FALSE },
  { "axes that lie behind each other are one", 3, { 5, 16, 6 }, { 96, 6, 1 }, 6, 4, FALSE },
  { "also as a whole", 3, { 5, 3, 6 }, { 18, 6, 1 }, 6, 0, FALSE },
  { "others are not, and the last one is unrolled", 3, { 5, 16, 6 }, { 160, 10, 1 }, 6, 6, FALSE },
  { "by 4 or as a whole", 3, { 5, 6, 36 }, { 240, 40, 1 }, 6, 4, FALSE },
  { "two of at most 3 points both are, the last one outside", 3, { 5, 3, 2 }, { 12, 4, 1 }, 6, 0, TRUE },
  { "with loops around them", 4, { 5, 7, 3, 3 }, { 128, 16, 4, 1 }, 14, 9, TRUE },
  { "a third one is not", 4, { 4, 3, 3, 3 }, { 64, 16, 4, 1 }, 14, 9, TRUE },
  { "reduced axes go behind the others", 4, { 3, 5, 2, 4 }, { 1, 30, 12, 3 }, 5, 0, TRUE },
  { "an axis that nothing changes along needs no loop", 2, { 5, 36 }, { 1, 0 }, 2, 0, FALSE },
  { "one of two that is used does", 3, { 5, 40, 36 }, { 40, 1, 0 }, 6, 4, FALSE },
};

/* NaNs, zeros of both signs and a few numbers. */
static float
element (gint64 i, guint seed)
{
  static const float values[] = { NAN, -0.0f, 0, NAN, -1, NAN, 1, -INFINITY, NAN, -0.0f, 0, -2 };
  guint32 x = (guint32) (i + 1) * 2654435761u + seed * 40503u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  /* some have few numbers, some few NaNs */
  guint of = 3 + seed % (G_N_ELEMENTS (values) - 2);
  return values[x % of];
}

/* Is it known to be -inf where the loops of the reduce are unrolled, and maybe those of the result? */
static gboolean
is_beyond (const OrderCase *k, const gint64 *at, gboolean *known)
{
  gint64 place = k->window ? at[0] + at[1] : at[k->n - 1];
  *known = place < k->pad && (!k->window || k->shape[0] <= 7);
  return place < k->pad;
}

/* An element counts unless it is a NaN or the first of its fold is; of equal ones the first is taken. A fold that is alone is NaN when
 * its first element is. */
static float
law_of_max (const OrderCase *k, const gint64 *at, const float *data)
{
  gint64 points = 1, order[MAX_DIMS], n = 0;
  for (guint d = 0; d < k->n; d++)
    if (k->axes >> d & 1)
      {
        order[n++] = d;
        points *= k->shape[d];
      }
  if (k->swapped)
    {
      gint64 last = order[n - 1];
      order[n - 1] = order[n - 2];
      order[n - 2] = last;
    }
  gint64 fold = k->fold == 0 ? points : k->fold;
  float result = -INFINITY, first = 0;
  gboolean found = FALSE;
  for (gint64 p = 0; p < points; p++)
    {
      gint64 index = k->window ? -k->pad : -k->pad * k->strides[k->n - 1], rest = p, place[MAX_DIMS];
      gboolean known, beyond;
      memcpy (place, at, sizeof place);
      for (gint64 i = n; i-- > 0;)
        {
          place[order[i]] = rest % k->shape[order[i]];
          rest /= k->shape[order[i]];
        }
      for (guint d = 0; d < k->n; d++)
        index += place[d] * k->strides[d];
      beyond = is_beyond (k, place, &known);
      float value = beyond ? -INFINITY : data[index];
      if (p % fold == 0 || !found)
        {
          first = value;
          found = !known;
        }
      if (k->fold == 0 && isnan (first))
        return NAN;
      if (!isnan (first) && !isnan (value) && (p == 0 || value > result))
        result = value;
    }
  return result;
}

static void
check_run (FbPlan *plan, const OrderCase *k, FbBackend backend, const char *cache, guint seed)
{
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  const FbRunOptions options
      = { .backend = backend, .cache = cache, .threads = 2, .seconds = 100, .compile_seconds = 300 };
  g_assert_true (fb_memory_init (&memory, plan->memory, &error));
  float *result = (float *) fb_plan_data (plan, memory.data, 0), *data = (float *) fb_plan_data (plan, memory.data, 1);
  for (gint64 i = 0; i < fb_plan_buffer (plan, 1)->size; i++)
    data[i] = element (i, seed);
  fb_run (plan, &memory, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < fb_plan_buffer (plan, 0)->size; i++)
    {
      gint64 at[MAX_DIMS] = { 0 }, rest = i;
      for (guint d = k->n; d-- > 0;)
        if (!(k->axes >> d & 1))
          {
            at[d] = rest % k->shape[d];
            rest /= k->shape[d];
          }
      float want = law_of_max (k, at, data);
      if (isnan (want) ? !isnan (result[i]) : result[i] != want || !signbit (result[i]) != !signbit (want))
        g_error ("%s: element %" G_GINT64_FORMAT " is %g, not %g, seed %u", k->law, i, (double) result[i],
                 (double) want, seed);
    }
  fb_memory_clear (&memory);
}

/* What the case reads, with -inf before it. */
static FbUop *
read_case (FbContext *c, const OrderCase *k, gint64 size)
{
  const FbDims *shape = dims_of (c, k->n, k->shape), *strides = dims_of (c, k->n, k->strides);
  const FbShapeTracker *st = strided (c, shape, strides);
  if (k->pad > 0)
    {
      const FbView *windows = fb_view_create (c, shape, strides, fb_sint (0), NULL);
      const FbView *views[] = { k->window ? fb_view_create (c, DIMS (c, size + k->pad), DIMS (c, 1), fb_sint (-k->pad),
                                                            DIMS (c, k->pad, size + k->pad))
                                          : fb_view_create (c, shape, strides, fb_sint (-k->pad),
                                                            DIMS (c, 0, k->shape[0], k->pad, k->shape[1])),
                                windows };
      st = fb_st_new (c, k->window ? 2 : 1, views);
    }
  FbUop *read = load_view (c, 1, FB_DTYPE (FLOAT32), size, st), *view = fb_st_to_uop (c, st);
  if (k->pad == 0)
    return read;
  FbUop *src[] = { fb_uop_new (c, FB_OP_VALID, FB_DTYPE (BOOL), 1, &view, FB_ARG_NIL), read,
                   constant (c, FB_DTYPE (FLOAT32), fb_arg_float (-INFINITY), shape) };
  return fb_uop_new (c, FB_OP_WHERE, FB_DTYPE (FLOAT32), 3, src, FB_ARG_NIL);
}

static void
test_case (gconstpointer data)
{
  const OrderCase *k = data;
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *cache = cache_folder ();
  gint64 sizes[2] = { 1, 1 }, outputs[MAX_DIMS], axes[MAX_DIMS];
  guint n_axes = 0;
  for (guint d = 0; d < k->n; d++)
    {
      gboolean reduced = k->axes >> d & 1;
      outputs[d] = reduced ? 1 : k->shape[d];
      if (reduced)
        axes[n_axes++] = d;
      sizes[0] *= outputs[d];
      sizes[1] += (k->shape[d] - 1) * k->strides[d];
    }
  sizes[1] -= k->pad;
  FbUop *max = reduce (c, FB_OP_MAX, read_case (c, k, sizes[1]), dims_of (c, n_axes, axes));
  FbProgram *program = program_of (c, kernel_of (c, max, dims_of (c, k->n, outputs)), &error, 2, sizes);
  g_assert_no_error (error);
  g_autoptr (FbPlan) plan = plan_of (program, FB_SCALAR_FLOAT32, 2, sizes);
  const FbInst *inst = NULL;
  for (guint i = 0; i < program->insts->len; i++)
    if (fb_program_inst (program, i)->op == FB_OP_REDUCE_AXIS)
      inst = fb_program_inst (program, i);
  g_assert_cmpint (inst->fold, ==, k->fold);
  for (guint seed = 0; seed < 12; seed++)
    {
      check_run (plan, k, FB_BACKEND_INTERP, cache, seed);
      if (has_compiler ())
        check_run (plan, k, FB_BACKEND_CPU, cache, seed);
      if (has_opencl && seed == 5)
        check_run (plan, k, FB_BACKEND_OPENCL, cache, seed);
    }
  remove_folder (cache);
}

/* Other reduces are not asked after: their order does not show. */
static void
test_others (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = DIMS (c, 5, 8), *axes = DIMS (c, 1);
  const gint64 sizes[] = { 5, 40 };
  const struct
  {
    FbOp op;
    const FbDType *dtype;
    gint64 fold;
  } others[] = { { FB_OP_MAX, FB_DTYPE (INT32), 1 },
                 { FB_OP_ADD, FB_DTYPE (FLOAT32), 1 },
                 { FB_OP_MAX, FB_DTYPE (FLOAT16), 0 },
                 { FB_OP_MAX, FB_DTYPE (FLOAT64), 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = NULL;
      FbUop *x = reduce (c, others[i].op, load (c, 1, others[i].dtype, shape), axes);
      g_autoptr (FbProgram) program = program_of (c, kernel_of (c, x, DIMS (c, 5, 1)), &error, 2, sizes);
      g_assert_no_error (error);
      for (guint j = 0; j < program->insts->len; j++)
        if (fb_program_inst (program, j)->op == FB_OP_REDUCE_AXIS)
          g_assert_cmpint (fb_program_inst (program, j)->fold, ==, others[i].fold);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GPtrArray) devices = fb_opencl_devices (NULL, NULL);
  has_opencl = devices != NULL && devices->len > 0;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup (cases[i].law), *path = g_strconcat ("/backends/reduce-order/", name, NULL);
      g_strdelimit (path, " ,", '-');
      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/backends/reduce-order/others", test_others);
  return g_test_run ();
}
