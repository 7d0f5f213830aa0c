/* The OpenCL backend on the first device there is, against the interpreter: over the samples, over the corpus when it is there,
 * and on values at the edges of their types. Without a device these are skipped. */
#include <math.h>

#include "backends/run/agree.h"

#include "case.h"
#include "many.h"

static void
run_on (const FbPlan *plan, FbBackend backend, const char *cache, FbMemory *memory)
{
  g_autoptr (GError) error = NULL;
  const FbRunOptions options
      = { .backend = backend, .cache = cache, .threads = 2, .seconds = 100, .compile_seconds = 300 };
  fb_memory_init (memory, plan->memory, &error);
  g_assert_no_error (error);
  fb_plan_fill (plan, memory->data, 3);
  fb_run (plan, memory, &options, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
compare (const FbPlan *plan, const char *cache, const char *what)
{
  FbMemory interp, opencl;
  FbAgreeRule rule = { .length = 1 };
  run_on (plan, FB_BACKEND_INTERP, cache, &interp);
  run_on (plan, FB_BACKEND_OPENCL, cache, &opencl);
  for (guint i = 0; i < plan->programs->len; i++)
    {
      /* kernels feed each other: the longest sum of all */
      FbAgreeRule one = fb_agree_rule (g_ptr_array_index (plan->programs, i));
      rule.length = MAX (rule.length, one.length);
      rule.chooses |= one.chooses;
    }
  for (guint i = 0; i < plan->buffers->len; i++)
    rule.inputs = MAX (rule.inputs, fb_largest (fb_plan_buffer (plan, i)->type, fb_plan_buffer (plan, i)->size,
                                                fb_plan_data (plan, interp.data, i)));
  for (guint i = 0; i < plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (plan, i);
      FbAgreement agreement;
      fb_agree (buffer->type, buffer->size, fb_plan_data (plan, interp.data, i), fb_plan_data (plan, opencl.data, i),
                NULL, &rule, &agreement);
      if (agreement.beyond > 0)
        g_error ("%s: buffer %d of %s, element %" G_GINT64_FORMAT ": %.9g and %.9g", what, buffer->ordinal,
                 fb_scalar_name (buffer->type), agreement.first, agreement.a, agreement.b);
    }
  fb_memory_clear (&interp);
  fb_memory_clear (&opencl);
}

static void
test_samples (void)
{
  static const char *const names[]
      = { "attention", "embedding", "in_place", "lerp", "pad_unsafe", "two_devices", "views" };
  g_autofree char *cache = cache_folder ();
  for (guint i = 0; i < G_N_ELEMENTS (names) && has_device (); i++)
    {
      g_autofree char *name = g_strconcat (names[i], ".db", NULL);
      g_autoptr (FbCapture) capture = open_sample (name);
      g_autoptr (GError) error = NULL;
      Case k;
      g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, &error));
      compare (k.plan, cache, name);
      case_clear (&k);
    }
  remove_folder (cache);
}

static void
test_corpus (void)
{
  static const struct
  {
    const char *name;
    guint first, stride;
  } files[] = { { "cpu.test_dtype", 5, 200 }, { "img.test_image_dtype", 2, 12 }, { "random", 11, 500 } };
  const char *corpus = g_getenv ("FUSEBOX_CORPUS"), *more = g_getenv ("FUSEBOX_CORPUS_STRIDE");
  g_autofree char *cache = cache_folder ();
  for (guint i = 0; i < G_N_ELEMENTS (files) && corpus != NULL && has_device (); i++)
    {
      g_autofree char *name = g_strconcat (files[i].name, ".db", NULL), *path = g_build_filename (corpus, name, NULL);
      g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, NULL);
      g_assert_nonnull (capture);
      guint n = fb_capture_n_rows (capture, fb_capture_main_kind (capture));
      for (guint row = files[i].first; row <= n; row += files[i].stride * (more == NULL ? 1 : 4))
        {
          g_autofree char *what = g_strdup_printf ("%s row %u", name, row);
          Case k;
          if (case_init (&k, capture, row, (gsize) 1 << 28, NULL) && k.plan->programs->len < 20)
            compare (k.plan, cache, what);
          case_clear (&k);
        }
    }
  if (corpus == NULL)
    g_test_skip ("no corpus");
  remove_folder (cache);
}

#define EDGES 16

/* Values at the edges of @type, and some between. */
static void
fill_edges (guint type, guint shift, guint8 *data)
{
  static const double floats[EDGES] = { 0.0,  -0.0, 1,     -1,  NAN,     INFINITY, -INFINITY, 1e-42,
                                        3e38, -3e9, 255.5, 257, -128.75, 65519,    0x1p-25,   16777217 };
  static const gint64 integers[EDGES]
      = { 0,          1,          -1,         2,           G_MININT8,  G_MAXINT8,  G_MAXUINT8, G_MININT16,
          G_MAXINT16, G_MININT32, G_MAXINT32, G_MAXUINT32, G_MININT64, G_MAXINT64, 7,          -13 };
  for (guint i = 0; i < EDGES * EDGES; i++)
    {
      guint at = shift ? i / EDGES : i % EDGES;
      FbLane lane;
      if (fb_scalar_is_float (type))
        lane.f = fb_round (type, floats[at]);
      else
        lane.i = fb_wrap (type, integers[at]);
      fb_lane_write (type, data + i * fb_scalar_size (type), lane);
    }
}

/* A kernel over @n buffers of these types; the first is its output. */
static void
add_kernel (Many *many, FbContext *c, FbUop *kernel, guint n, const guint8 *types, char *name)
{
  const gint64 size = EDGES * EDGES, sizes[] = { size, size, size };
  g_autoptr (GError) error = NULL;
  guint buffers[3];
  FbProgram *program = program_of (c, kernel, &error, n, sizes);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    buffers[i] = many_add_buffer (many, types[i], size);
  many_add (many, program, n, buffers, name);
}

/* Runs all of them on both backends. Outputs are equal to the bit but for NaNs and what functions with an error give. */
static void
compare_edges (const Many *many)
{
  g_autofree char *cache = cache_folder ();
  g_autoptr (GError) error = NULL;
  const FbPlan *plan = &many->plan;
  FbMemory memory[2];
  for (guint i = 0; i < 2; i++)
    {
      const FbRunOptions options
          = { .backend = i == 0 ? FB_BACKEND_INTERP : FB_BACKEND_OPENCL, .cache = cache, .threads = 1, .seconds = 100 };
      g_assert_true (fb_memory_init (&memory[i], plan->memory, &error));
      for (guint s = 0; s < plan->steps->len; s++)
        for (guint a = 1; a < fb_plan_step (plan, s)->n_buffers; a++)
          {
            guint buffer = fb_plan_step (plan, s)->buffers[a];
            fill_edges (fb_plan_buffer (plan, buffer)->type, a - 1, fb_plan_data (plan, memory[i].data, buffer));
          }
      fb_run (plan, &memory[i], &options, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  for (guint s = 0; s < plan->steps->len; s++)
    {
      guint output = fb_plan_step (plan, s)->buffers[0], type = fb_plan_buffer (plan, output)->type;
      const char *name = g_ptr_array_index (many->names, s);
      gboolean real = fb_scalar_is_float (type), exact = strstr (name, "2 of") == NULL;
      for (gint64 e = 0; e < EDGES * EDGES; e++)
        {
          gsize at = (gsize) e * fb_scalar_size (type);
          FbLane x = fb_lane_read (type, fb_plan_data (plan, memory[0].data, output) + at),
                 y = fb_lane_read (type, fb_plan_data (plan, memory[1].data, output) + at);
          gboolean same = x.i == y.i || (real && isnan (x.f) && isnan (y.f));
          if (!exact && real && !same)
            same = fabs (x.f - y.f) <= (fb_scalar_size (type) == 2 ? 1e-2 : 1e-5) * MAX (fabs (x.f), 1e-30);
          if (!same)
            g_error ("%s: element %" G_GINT64_FORMAT ": %.17g (%" G_GINT64_FORMAT ") and %.17g (%" G_GINT64_FORMAT ")",
                     name, e, real ? x.f : 0, x.i, real ? y.f : 0, y.i);
        }
    }
  fb_memory_clear (&memory[0]);
  fb_memory_clear (&memory[1]);
}

static const FbScalarType every_type[]
    = { FB_SCALAR_BOOL,     FB_SCALAR_INT8,    FB_SCALAR_UINT8,  FB_SCALAR_INT16,  FB_SCALAR_UINT16,
        FB_SCALAR_INT32,    FB_SCALAR_UINT32,  FB_SCALAR_INT64,  FB_SCALAR_UINT64, FB_SCALAR_FLOAT16,
        FB_SCALAR_BFLOAT16, FB_SCALAR_FLOAT32, FB_SCALAR_FLOAT64 };

/* 1 to @n, as a sum over a triangular mask, which is counted. */
static FbUop *
arange (FbContext *c, gint64 n)
{
  const FbView *views[] = {
    fb_view_create (c, DIMS (c, n + 1, 2 * n - 1), DIMS (c, 0, 0), fb_sint (0), DIMS (c, 0, n + 1, n - 1, 2 * n - 1)),
    fb_view_create (c, DIMS (c, n, n), DIMS (c, 1, 2 * n), fb_sint (0), NULL),
  };
  FbUop *view = fb_st_to_uop (c, fb_st_new (c, 2, views));
  FbUop *src[] = { fb_uop_new (c, FB_OP_VALID, FB_DTYPE (BOOL), 1, &view, FB_ARG_NIL),
                   constant (c, FB_DTYPE (INT32), fb_arg_int (1), DIMS (c, n, n)),
                   constant (c, FB_DTYPE (INT32), fb_arg_int (0), DIMS (c, n, n)) };
  return reduce (c, FB_OP_ADD, fb_uop_new (c, FB_OP_WHERE, FB_DTYPE (INT32), 3, src, FB_ARG_NIL), DIMS (c, 1));
}

/* Every op on every pair of edges: integers wrap, zeros keep their sign, NaN stays. */
static void
test_ops (void)
{
  static const FbOp both[] = { FB_OP_ADD, FB_OP_MUL, FB_OP_MAX, FB_OP_CMPLT, FB_OP_CMPNE },
                    real[] = { FB_OP_FDIV, FB_OP_SQRT, FB_OP_RECIP, FB_OP_EXP2, FB_OP_LOG2 },
                    whole[] = { FB_OP_IDIV, FB_OP_MOD, FB_OP_XOR, FB_OP_SHL, FB_OP_SHR };
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = DIMS (c, EDGES * EDGES);
  Many many;
  if (!has_device ())
    return;
  many_init (&many);
  for (guint t = 0; t < G_N_ELEMENTS (every_type); t++)
    for (guint o = 0; o < G_N_ELEMENTS (both) + G_N_ELEMENTS (real); o++)
      {
        const guint8 type = every_type[t];
        const FbOp op = o < G_N_ELEMENTS (both)     ? both[o]
                        : fb_scalar_is_float (type) ? real[o - G_N_ELEMENTS (both)]
                                                    : whole[o - G_N_ELEMENTS (both)];
        const FbDType *dtype = &fb_dtype_scalars[type];
        guint8 result = op == FB_OP_CMPLT || op == FB_OP_CMPNE ? FB_SCALAR_BOOL : type;
        gboolean unary = fb_op_in (op, FB_OPS_UNARY);
        FbUop *pair[] = { load (c, 1, dtype, shape), unary ? NULL : load (c, 2, dtype, shape) };
        if (type == FB_SCALAR_BOOL && (op == FB_OP_SHL || op == FB_OP_SHR))
          continue;
        /* integers of 8 and 16 bits differ only in where they are cut */
        if (type == FB_SCALAR_UINT8 || type == FB_SCALAR_INT16)
          continue;
        FbUop *value = fb_uop_new (c, op, &fb_dtype_scalars[result], unary ? 1 : 2, pair, FB_ARG_NIL);
        add_kernel (&many, c, kernel_of (c, value, shape), unary ? 2 : 3, (guint8[]){ result, type, type },
                    g_strdup_printf ("%s of %s", fb_op_name (op), fb_scalar_name (type)));
      }
  add_kernel (&many, c, kernel_of (c, arange (c, EDGES * EDGES), DIMS (c, EDGES * EDGES, 1)), 1,
              (guint8[]){ FB_SCALAR_INT32 }, g_strdup ("arange"));
  compare_edges (&many);
  many_clear (&many);
}

/* Choices between choices: a compiler that followed each use of a value to where it comes from would take 2^40 steps. */
static void
test_chain (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = DIMS (c, EDGES * EDGES);
  const FbDType *dtype = &fb_dtype_scalars[FB_SCALAR_FLOAT32];
  FbUop *pair[] = { load (c, 1, dtype, shape), load (c, 2, dtype, shape) };
  FbUop *less = fb_uop_new (c, FB_OP_CMPLT, FB_DTYPE (BOOL), 2, pair, FB_ARG_NIL);
  Many many;
  if (!has_device ())
    return;
  many_init (&many);
  for (guint i = 0; i < 40; i++)
    {
      FbUop *one[] = { less, pair[0], pair[1] }, *other[] = { less, pair[1], pair[0] };
      pair[0] = fb_uop_new (c, FB_OP_WHERE, dtype, 3, one, FB_ARG_NIL);
      pair[1] = fb_uop_new (c, FB_OP_WHERE, dtype, 3, other, FB_ARG_NIL);
    }
  add_kernel (&many, c, kernel_of (c, pair[0], shape), 3,
              (guint8[]){ FB_SCALAR_FLOAT32, FB_SCALAR_FLOAT32, FB_SCALAR_FLOAT32 }, g_strdup ("chain"));
  compare_edges (&many);
  many_clear (&many);
}

static void
test_casts (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = DIMS (c, EDGES * EDGES);
  Many many;
  if (!has_device ())
    return;
  many_init (&many);
  for (guint i = 0; i < G_N_ELEMENTS (every_type); i++)
    for (guint j = 0; j < G_N_ELEMENTS (every_type); j++)
      for (guint bits = 0; bits < 2; bits++)
        {
          const guint8 from = every_type[i], to = every_type[j];
          FbUop *x = load (c, 1, &fb_dtype_scalars[from], shape);
          if (from == to || (bits && fb_scalar_size (from) != fb_scalar_size (to)))
            continue;
          /* a part of the values' casts: compiling each takes a while */
          if (!bits && (2 * i + j) % 5 != 0)
            continue;
          FbUop *value = fb_uop_new (c, bits ? FB_OP_BITCAST : FB_OP_CAST, &fb_dtype_scalars[to], 1, &x, FB_ARG_NIL);
          add_kernel (
              &many, c, kernel_of (c, value, shape), 2, (guint8[]){ to, from },
              g_strdup_printf ("%s %s to %s", bits ? "bits" : "value", fb_scalar_name (from), fb_scalar_name (to)));
        }
  compare_edges (&many);
  many_clear (&many);
}

static void
test_no_device (void)
{
  static const struct
  {
    const char *variable, *value, *message;
  } cases[] = {
    { "OCL_ICD_VENDORS", "/nonexistent", "no OpenCL device: " },
    { "FUSEBOX_OPENCL_LIBRARY", "no-such-library.so",
      "no-such-library.so, the loader of OpenCL drivers, is not installed" },
    { "FUSEBOX_EXECUTOR", "/bin/true", "the process that runs kernels ended" },
  };
  g_autofree char *cache = cache_folder ();
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  Case k;
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *before = g_strdup (g_getenv (cases[i].variable));
      g_autoptr (GError) error = NULL;
      FbMemory memory;
      const FbRunOptions options = { .backend = FB_BACKEND_OPENCL, .cache = cache };
      g_assert_true (fb_memory_init (&memory, k.plan->memory, &error));
      g_setenv (cases[i].variable, cases[i].value, TRUE);
      g_assert_false (fb_run (k.plan, &memory, &options, NULL, NULL, &error));
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_null (fb_opencl_devices (NULL, NULL));
      if (before != NULL)
        g_setenv (cases[i].variable, before, TRUE);
      else
        g_unsetenv (cases[i].variable);
      fb_memory_clear (&memory);
    }
  case_clear (&k);
  remove_folder (cache);
}

static void
test_no_such_device (void)
{
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  g_autofree char *cache = cache_folder ();
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  Case k;
  const FbRunOptions options = { .backend = FB_BACKEND_OPENCL, .device = 1000, .cache = cache };
  if (!has_device ())
    return;
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  g_assert_true (fb_memory_init (&memory, k.plan->memory, &error));
  g_assert_false (fb_run (k.plan, &memory, &options, NULL, NULL, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_DEVICE);
  fb_memory_clear (&memory);
  case_clear (&k);
  remove_folder (cache);
}

/* Kernels with the same text are one, and none of a capture's names is in it. */
static void
test_source (void)
{
  g_autoptr (FbCapture) capture = open_sample ("kv_cache.db");
  Case k;
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  g_autoptr (FbOpenclSource) source = fb_opencl_source_new (k.plan);
  g_assert_cmpuint (source->n_kernels, >, 0);
  g_assert_cmpuint (source->n_kernels, <=, source->launches->len);
  g_assert_null (strstr (source->text, "start_pos"));
  g_assert_null (strstr (source->text, "CPU"));
  case_clear (&k);
}

static void
test_parse (void)
{
  FbBackend backend;
  guint device;
  g_assert_true (fb_backend_parse ("opencl:2", &backend, &device));
  g_assert_cmpint (backend, ==, FB_BACKEND_OPENCL);
  g_assert_cmpuint (device, ==, 2);
  g_assert_true (fb_backend_parse ("cpu", &backend, &device));
  g_assert_cmpuint (device, ==, 0);
  g_assert_false (fb_backend_parse ("cpu:1", &backend, &device));
  g_assert_false (fb_backend_parse ("opencl:x", &backend, &device));
  g_assert_false (fb_backend_parse ("opencl:-1", &backend, &device));
  g_assert_false (fb_backend_parse ("gpu", &backend, &device));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/opencl/parse", test_parse);
  g_test_add_func ("/backends/opencl/source", test_source);
  g_test_add_func ("/backends/opencl/no-device", test_no_device);
  g_test_add_func ("/backends/opencl/no-such-device", test_no_such_device);
  g_test_add_func ("/backends/opencl/ops", test_ops);
  g_test_add_func ("/backends/opencl/casts", test_casts);
  g_test_add_func ("/backends/opencl/chain", test_chain);
  g_test_add_func ("/backends/opencl/agrees-on-samples", test_samples);
  g_test_add_func ("/backends/opencl/agrees-on-corpus", test_corpus);
  return g_test_run ();
}
