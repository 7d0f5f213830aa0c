/* Kernel creation: what is realized becomes ASSIGN(VIEW(BUFFER), KERNEL), a kernel takes in its sources level by level. */
#include "cases.h"

/* The pass over @sink with these nodes realized; what @sink became. */
static FbUop *
create (FbContext *c, FbUop *sink, guint n, FbUop *const *realized, char **fired)
{
  g_autoptr (FbUopDict) realizes = fb_uop_dict_new (c);

  for (guint i = 0; i < n; i++)
    fb_uop_dict_set (realizes, realized[i], realized[i]);
  return rewrite_by (c, sink, fb_kernels_pass_rules (), realizes, TRUE, fired);
}

/* The sources of a kernel are exactly these. */
static void
assert_sources (const FbUop *kernel, guint n, FbUop *const *src)
{
  g_assert_cmpint (kernel->op, ==, FB_OP_KERNEL);
  g_assert_cmpuint (kernel->n_src, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_true (kernel->src[i] == src[i]);
}
#define SOURCES(kernel, ...) \
  assert_sources (kernel, sizeof ((FbUop *[]){ __VA_ARGS__ }) / sizeof (FbUop *), (FbUop *[]){ __VA_ARGS__ })

static void
test_one (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = fb_view (c, buffer (c, 7, 4), SHAPE (c, 2, 2)), *sine = fb_alu1 (c, FB_OP_SIN, b), *result;
  g_autofree char *fired = NULL;
  FbUop *new_buffer;

  result = create (c, SINK (c, sine), 1, &sine, &fired)->src[0];
  /* the view of the buffer is taken in, then the buffer stands */
  g_assert_cmpstr (fired, ==, "create-kernel append-to-kernel");
  new_buffer = buffer (c, 8, 4);
  g_assert_cmpint (result->op, ==, FB_OP_ASSIGN);
  g_assert_cmpuint (result->n_src, ==, 2);
  g_assert_true (result->src[0] == fb_view (c, new_buffer, SHAPE (c, 2, 2)));
  SOURCES (result->src[1], new_buffer, b->base);
  g_assert_true (result->src[1]->arg.kernel->ast == sine);
  g_assert_cmpuint (result->src[1]->arg.kernel->metadata.tuple->n, ==, 0);
}

/* A flat output is written to the buffer itself. */
static void
test_flat (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sine = fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)), *result;
  g_autofree char *fired = NULL;

  result = create (c, SINK (c, sine), 1, &sine, &fired)->src[0];
  g_assert_true (result->src[0] == buffer (c, 1, 4));
  g_assert_cmpstr (fired, ==, "create-kernel identity-view");
}

/* Sources are in order of level, each once, the output's buffer first. */
static void
test_levels (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = buffer (c, 0, 4), *b = buffer (c, 1, 4), *d = buffer (c, 2, 4);
  FbUop *deep = fb_alu1 (c, FB_OP_SIN, fb_alu1 (c, FB_OP_SQRT, a));
  FbUop *x = fb_alu2 (c, FB_OP_ADD, fb_alu2 (c, FB_OP_MUL, deep, b), fb_alu2 (c, FB_OP_MUL, d, b)), *result;
  g_autofree char *fired = NULL;

  result = create (c, SINK (c, x), 1, &x, &fired)->src[0];
  SOURCES (result->src[1], buffer (c, 3, 4), a, b, d);
  g_assert_cmpstr (fired, ==, "create-kernel identity-view append-to-kernel append-to-kernel append-to-kernel");
}

/* What is realized is a source as a whole, and a kernel of its own. */
static void
test_stops_at_realized (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *inner = fb_alu1 (c, FB_OP_SQRT, b), *turned = fb_view (c, inner, SHAPE (c, 2, 2));
  FbUop *outer = fb_alu1 (c, FB_OP_SIN, turned), *realized[] = { inner, outer }, *sink, *first, *second;

  sink = create (c, SINK (c, inner, outer), 2, realized, NULL);
  first = sink->src[0];
  second = sink->src[1];
  SOURCES (first->src[1], first->src[0], b);
  g_assert_true (first->src[1]->arg.kernel->ast == inner);
  SOURCES (second->src[1], second->src[0]->base, first);
  g_assert_true (second->src[1]->arg.kernel->ast == outer);
}

/* An assign writes to the buffer it names. */
static void
test_assign (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *target = fb_view (c, buffer (c, 0, 4), SHAPE (c, 2, 2)), *sine = fb_alu1 (c, FB_OP_SIN, target);
  FbUop *assign = assign_to (c, target, sine), *result;

  result = create (c, SINK (c, assign), 1, &assign, NULL)->src[0];
  g_assert_true (result->src[0] == target);
  SOURCES (result->src[1], target->base);
  g_assert_true (result->src[1]->arg.kernel->ast == assign);
  g_assert_null (fb_uop_lookup (c, FB_OP_UNIQUE, FB_DTYPE (VOID), 0, NULL, fb_arg_int (1)));
}

/* New buffers are numbered above the largest of the graph, outputs later in the sink first. */
static void
test_numbers (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 40, 4), *a = buffer (c, 3, 4);
  g_autoptr (FbSchedule) schedule
      = schedule_of (c, SINK (c, fb_alu1 (c, FB_OP_SIN, b), fb_alu1 (c, FB_OP_SQRT, a), fb_alu1 (c, FB_OP_EXP2, a)));
  gint64 numbers[3];

  g_assert_no_error (schedule->error);
  g_assert_cmpuint (schedule->kernels->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, i);
      numbers[i] = item->buffers[0].buffer->src[1]->arg.i;
    }
  g_assert_cmpint (numbers[0], ==, 41);
  g_assert_cmpint (numbers[1], ==, 42);
  g_assert_cmpint (numbers[2], ==, 43);
}

/* Every kernel of many sources takes each once, however they are reached. */
static void
test_many_sources (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = buffer (c, 0, 4), *kernel;

  for (gint64 i = 1; i <= 100; i++)
    x = fb_alu2 (c, FB_OP_ADD, x, fb_alu1 (c, FB_OP_SIN, buffer (c, i % 50, 4)));
  kernel = create (c, SINK (c, x), 1, &x, NULL)->src[0]->src[1];
  g_assert_cmpuint (kernel->n_src, ==, 51);
  for (guint i = 1; i < kernel->n_src; i++)
    g_assert_cmpint (kernel->src[i]->op, ==, FB_OP_BUFFER);
}

/* The views that are merged in every pass, here. */
static void
test_view_of_view (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 12), *flat = fb_view (c, b, SHAPE (c, 3, 4));
  const FbShapeTracker *turned = fb_st_permute (c, SHAPE (c, 3, 4), DIMS (c, 1, 0));
  FbUop *over = NODE (c, VIEW, FB_DTYPE (FLOAT32), fb_arg_st (turned), flat);
  g_autofree char *fired = NULL;

  g_assert_true (create (c, SINK (c, over), 0, NULL, &fired)->src[0] == fb_view (c, b, turned));
  g_assert_cmpstr (fired, ==, "view-of-view");
}

static void
test_view_of_const (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *three = const_of_shape (c, 3, NO_DIMS (c)), *view = device (c, "CPU"), *result;
  const FbShapeTracker *st = fb_st_expand (c, fb_st_reshape (c, fb_uop_st (c, three), DIMS (c, 1)), DIMS (c, 4));
  const FbShapeTracker *padded = fb_st_pad (c, SHAPE (c, 4), DIMS (c, 1, 0));
  g_autofree char *fired = NULL;

  result = create (c, SINK (c, fb_view (c, three, st)), 0, NULL, &fired)->src[0];
  view = NODE (c, VIEW, FB_DTYPE (VOID), fb_arg_st (st), view);
  g_assert_true (result == NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (3), view));
  g_assert_cmpstr (fired, ==, "view-of-const");
  /* a mask is kept: 0 outside */
  g_clear_pointer (&fired, g_free);
  result = create (c, SINK (c, fb_view (c, result, padded)), 0, NULL, &fired)->src[0];
  g_assert_cmpint (result->op, ==, FB_OP_VIEW);
  g_assert_cmpstr (fired, ==, "");
}

/* A kernel runs on one device. */
static void
test_devices (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *src[] = { buffer (c, 0, 4), buffer_on (c, "CPU:1", 1, 4, FB_DTYPE (FLOAT32)) }, *multi, *sine;
  FbArg real[] = { fb_arg_bool (TRUE), fb_arg_bool (TRUE) }, arg[] = { fb_arg_int (0), FB_ARG_NIL };

  arg[1] = fb_arg_new_tuple (c, 2, real);
  multi = fb_uop_new (c, FB_OP_MULTI, FB_DTYPE (FLOAT32), 2, src, fb_arg_new_tuple (c, 2, arg));
  sine = fb_alu1 (c, FB_OP_SIN, multi);
  g_assert_true (fb_uop_shape (c, sine) == DIMS (c, 8));
  assert_fails (c, SINK (c, sine), FB_ERROR_DEVICE, sine);
}

static void
test_no_device (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_float (2), fb_st_to_uop (c, SHAPE (c, 4)));
  FbUop *contiguous = op1 (c, FB_OP_CONTIGUOUS, x);

  g_assert_null (contiguous->device);
  assert_fails (c, SINK (c, contiguous), FB_ERROR_DEVICE, NULL);
}

/* A kernel that takes in its sources in many steps: each of the nodes is the one that is found when it is made again. */
static void
test_deep (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = buffer (c, 7, 4);
  g_autoptr (FbSchedule) schedule = NULL;
  const FbPass *pass;

  for (guint i = 0; i < 200; i++)
    x = fb_alu1 (c, i % 2 ? FB_OP_SIN : FB_OP_SQRT, x);
  schedule = schedule_of (c, SINK (c, x));
  g_assert_no_error (schedule->error);
  pass = fb_schedule_pass (schedule, 2);
  g_assert_true (pass->rules == fb_kernels_pass_rules ());
  g_assert_cmpuint (pass->matches->len, >, 200);
  for (guint i = 0; i < pass->matches->len; i++)
    {
      FbUop *uop = fb_pass_match (pass, i)->after;
      const guint32 n = fb_context_n_uops (c);

      g_assert_true (fb_uop_new (c, uop->op, uop->dtype, uop->n_src, uop->src, uop->arg) == uop);
      g_assert_cmpuint (fb_context_n_uops (c), ==, n);
    }
}

void
add_kernels_tests (void)
{
  g_test_add_func ("/passes/kernels/deep", test_deep);
  g_test_add_func ("/passes/kernels/one", test_one);
  g_test_add_func ("/passes/kernels/flat", test_flat);
  g_test_add_func ("/passes/kernels/levels", test_levels);
  g_test_add_func ("/passes/kernels/stops-at-realized", test_stops_at_realized);
  g_test_add_func ("/passes/kernels/assign", test_assign);
  g_test_add_func ("/passes/kernels/numbers", test_numbers);
  g_test_add_func ("/passes/kernels/many-sources", test_many_sources);
  g_test_add_func ("/passes/kernels/view-of-view", test_view_of_view);
  g_test_add_func ("/passes/kernels/view-of-const", test_view_of_const);
  g_test_add_func ("/passes/kernels/several-devices", test_devices);
  g_test_add_func ("/passes/kernels/no-device", test_no_device);
}
