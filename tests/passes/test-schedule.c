/* Whole schedules: devices, disks, images, variables; every kind of error; graphs deep and wide. */
#include "cases.h"

static const FbKernelBuffer *
kernel_buffer (FbSchedule *schedule, guint kernel, guint i)
{
  const FbKernelItem *item = fb_schedule_kernel (schedule, kernel);

  g_assert_cmpuint (i, <, item->n_buffers);
  return &item->buffers[i];
}

static void
assert_text (FbSchedule *schedule, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_no_error (schedule->error);
  text = kernels_text (schedule);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_nothing (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (FbSchedule) schedule = schedule_of (c, SINK (c, buffer (c, 0, 4)));

  assert_text (schedule, "");
  g_assert_null (schedule->kernel_graph);
  g_assert_cmpuint (schedule->realizes->len, ==, 0);
}

/* What belongs to which kernel. */
static void
test_passes (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *inner = op1 (c, FB_OP_CONTIGUOUS, fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)));
  g_autoptr (FbSchedule) schedule = schedule_of (c, SINK (c, fb_alu1 (c, FB_OP_SQRT, inner)));
  static const char *const titles[] = { "buffer ops", "views left", "views right", "fix-ups" };

  assert_text (schedule, "0(4) = sin(1(4))\n0(4) = sqrt(1(4))");
  g_assert_cmpuint (schedule->passes->len, ==, 3 + 2 * G_N_ELEMENTS (titles));
  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, i);

      g_assert_cmpuint (item->first_pass, ==, 3 + i * G_N_ELEMENTS (titles));
      g_assert_cmpuint (item->n_passes, ==, G_N_ELEMENTS (titles));
      g_assert_true (fb_schedule_pass (schedule, item->first_pass + 3)->result == item->ast);
      for (guint k = 0; k < G_N_ELEMENTS (titles); k++)
        {
          const FbPass *pass = fb_schedule_pass (schedule, item->first_pass + k);
          g_assert_cmpstr (pass->title, ==, titles[k]);
          g_assert_cmpuint (pass->kernel, ==, i + 1);
        }
    }
  /* the second reads what the first wrote */
  g_assert_true (kernel_buffer (schedule, 1, 1)->buffer == kernel_buffer (schedule, 0, 0)->buffer);
}

static void
test_two_devices (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sine = fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)), *copy = copy_to (c, "CPU:1", sine, FALSE);
  g_autoptr (FbSchedule) schedule = schedule_of (c, SINK (c, fb_alu1 (c, FB_OP_SQRT, copy)));

  assert_text (schedule, "0(4) = sin(1(4))\n"
                         "copy(1(4))\n"
                         "0(4) = sqrt(1(4))");
  g_assert_cmpstr (kernel_buffer (schedule, 0, 0)->device, ==, "CPU");
  g_assert_cmpstr (kernel_buffer (schedule, 1, 0)->device, ==, "CPU:1");
  g_assert_cmpstr (kernel_buffer (schedule, 1, 1)->device, ==, "CPU");
  g_assert_cmpstr (kernel_buffer (schedule, 2, 0)->device, ==, "CPU:1");
}

/* Tensors over two devices, each shard computed where it lies. */
static void
test_shards (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *src[] = { fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4)),
                   fb_alu1 (c, FB_OP_SIN, buffer_on (c, "CPU:1", 1, 4, FB_DTYPE (FLOAT32))) };
  FbUop *sink = SINK (c, src[0], src[1], copy_to (c, "CPU", src[1], FALSE));
  g_autoptr (FbSchedule) schedule = schedule_of (c, sink);

  assert_text (schedule, "0(4) = sin(1(4))\n"
                         "0(4) = sin(1(4))\n"
                         "copy(1(4))");
  g_assert_cmpstr (kernel_buffer (schedule, 0, 0)->device, ==, "CPU");
  g_assert_cmpstr (kernel_buffer (schedule, 1, 1)->device, ==, "CPU:1");
  g_assert_cmpstr (kernel_buffer (schedule, 2, 0)->device, ==, "CPU");
}

/* A part of a file as another dtype is a buffer inside the file's, then it is copied. */
static void
test_disk (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *file = buffer_on (c, "DISK:/data", 0, 64, FB_DTYPE (UINT8)), *part = SHRINK (c, file, 16, 48), *floats;
  g_autoptr (FbSchedule) schedule = NULL;

  floats = NODE (c, BITCAST, FB_DTYPE (FLOAT32), FB_ARG_NIL, part);
  schedule = schedule_of (c, SINK (c, copy_to (c, "CPU", floats, FALSE)));
  assert_text (schedule, "buffer_view(1(32):1+16)\n"
                         "copy(1(8))");
  g_assert_cmpint (kernel_buffer (schedule, 0, 0)->size, ==, 8);
  g_assert_true (kernel_buffer (schedule, 0, 0)->dtype == FB_DTYPE (FLOAT32));
  g_assert_cmpint (kernel_buffer (schedule, 0, 1)->size, ==, 64);
  g_assert_true (kernel_buffer (schedule, 1, 1)->buffer == kernel_buffer (schedule, 0, 0)->buffer);
  g_assert_cmpstr (kernel_buffer (schedule, 1, 0)->device, ==, "CPU");
}

/* Sizes that are known at the run only: the variable stays in the views, its value is told apart. */
static void
test_variable (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbSint bounds[] = { fb_sint (0), fb_sint_uop (bound (c, "i", 3)), fb_sint (0), fb_sint (4) };
  FbUop *x = fb_movement (c, FB_OP_SHRINK, SHAPED (c, 0, 10, 4), fb_dims_new (c, 4, bounds));
  g_autoptr (FbSchedule) schedule = schedule_of (c, SINK (c, fb_alu1 (c, FB_OP_SIN, x)));
  const FbVarVal *value;

  assert_text (schedule, "0(i,4) = sin(1(i,4))");
  /* room for the largest */
  g_assert_cmpint (kernel_buffer (schedule, 0, 0)->size, ==, 40);
  g_assert_cmpuint (schedule->var_vals->len, ==, 1);
  value = &g_array_index (schedule->var_vals, FbVarVal, 0);
  g_assert_cmpint (value->var->op, ==, FB_OP_DEFINE_VAR);
  g_assert_cmpint (value->value.i, ==, 3);
}

/* A variable as a value, and one as an offset. */
static void
test_variable_value (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *bind = bound (c, "i", 3), *j = bound (c, "j", 2), *view = device (c, "CPU"), *var, *x;
  FbSint bounds[] = { fb_sint_uop (j), fb_sint_add (c, fb_sint_uop (j), fb_sint (1)) };
  g_autoptr (FbSchedule) schedule = NULL;

  view = NODE (c, VIEW, FB_DTYPE (VOID), fb_arg_st (fb_st_from_shape (c, NO_DIMS (c))), view);
  var = fb_replace_src (c, bind->src[0], 1, &view);
  bind = NODE (c, BIND, FB_DTYPE (INT32), FB_ARG_NIL, var, fb_const_int (c, FB_DTYPE (INT32), 3));
  x = fb_movement (c, FB_OP_SHRINK, buffer_on (c, "CPU", 0, 20, FB_DTYPE (INT32)), fb_dims_new (c, 2, bounds));
  x = fb_alu2 (c, FB_OP_ADD, x, RESHAPE (c, bind, 1));
  schedule = schedule_of (c, SINK (c, x));
  assert_text (schedule, "0(1) = add(1(1):0+j, i)");
  g_assert_cmpuint (schedule->var_vals->len, ==, 2);
}

/* An image is one while stored and loaded, in between numbers are floats. */
static void
test_image (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDType *image = fb_dtype_image (c, FALSE, 3, (const gint64[]){ 2, 4, 4 });
  FbUop *b = RESHAPE (c, buffer_on (c, "GPU", 0, 32, FB_DTYPE (FLOAT32)), 2, 16), *stored;
  g_autoptr (FbSchedule) schedule = NULL;

  stored = op1 (c, FB_OP_CONTIGUOUS, NODE (c, CAST, image, FB_ARG_NIL, b));
  schedule = schedule_of (c, SINK (c, fb_alu1 (c, FB_OP_SIN, fb_cast (c, stored, FB_DTYPE (FLOAT32)))));
  assert_text (schedule, "0(2,16) = cast[float](1(2,16))\n"
                         "0(2,16) = sin(cast[float](1(2,16)))");
  g_assert_true (kernel_buffer (schedule, 0, 0)->dtype == image);
  g_assert_cmpint (kernel_buffer (schedule, 0, 0)->size, ==, 32);
  g_assert_true (kernel_buffer (schedule, 1, 1)->dtype == image);
  g_assert_true (kernel_buffer (schedule, 1, 0)->dtype == FB_DTYPE (FLOAT32));
}

/* A reduce that a view is pushed through is split when it is long, and merged again when both parts are in one kernel. */
static void
test_split_reduce (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sum = SUM (c, SHAPED (c, 0, 4, 3, 64), 2), *x;

  fb_context_options (c)->dont_realize_expand = 1;
  x = SINK (c, fb_alu1 (c, FB_OP_SIN, PERMUTE (c, sum, 1, 0, 2)));
  assert_kernels (c, x, "0(4,3,1) = sum[2](1(4,3,64))\n0(3,4,1) = sin(1(3,4,1):1,3,0)");
}

/* --- errors --- */

typedef struct
{
  FbUop *sink;
  FbUop *wrong; /* the node the error names; NULL: not told */
} Wrong;

static Wrong
two_shapes (FbContext *c)
{
  FbUop *x = fb_alu2 (c, FB_OP_ADD, buffer (c, 0, 3), buffer (c, 1, 4));
  return (Wrong){ SINK (c, fb_alu1 (c, FB_OP_SIN, x)), x };
}

static Wrong
bad_reshape (FbContext *c)
{
  FbUop *x = NODE (c, RESHAPE, FB_DTYPE (FLOAT32), fb_arg_tuple (fb_dims_to_tuple (c, DIMS (c, 5))), buffer (c, 0, 4));
  return (Wrong){ SINK (c, x), NULL };
}

static Wrong
huge_buffer (FbContext *c)
{
  FbUop *b = buffer (c, 0, G_MAXINT64);
  return (Wrong){ SINK (c, fb_alu1 (c, FB_OP_SIN, b)), b };
}

static Wrong
view_of_device (FbContext *c)
{
  FbUop *x = NODE (c, RESHAPE, FB_DTYPE (VOID), fb_arg_tuple (fb_dims_to_tuple (c, DIMS (c, 1))), device (c, "CPU"));
  return (Wrong){ SINK (c, x), x };
}

static Wrong
copy_from_nowhere (FbContext *c)
{
  FbUop *x = NODE (c, CONTIGUOUS, FB_DTYPE (FLOAT32), FB_ARG_NIL, fb_const (c, FB_DTYPE (FLOAT32), fb_arg_float (1)));
  x = NODE (c, COPY, FB_DTYPE (FLOAT32), fb_arg_bool (FALSE), device (c, "CPU"), x);
  return (Wrong){ SINK (c, x), NULL };
}

static Wrong
nan_as_int (FbContext *c)
{
  FbUop *view = device (c, "CPU"), *x;

  view = NODE (c, VIEW, FB_DTYPE (VOID), fb_arg_st (fb_st_from_shape (c, NO_DIMS (c))), view);
  x = NODE (c, CONST, FB_DTYPE (FLOAT32), fb_arg_new_nan (c), view);
  x = fb_cast (c, x, FB_DTYPE (INT32));
  return (Wrong){ SINK (c, x), x };
}

static Wrong
pointers (FbContext *c)
{
  FbUop *b = buffer_on (c, "CPU", 0, 4, fb_dtype_ptr (c, FB_DTYPE (FLOAT32), 4, FALSE));
  return (Wrong){ SINK (c, op1 (c, FB_OP_SIN, b)), NULL };
}

/* A part of what no buffer holds. */
static Wrong
part_of_nothing (FbContext *c)
{
  FbUop *x = fb_alu1 (c, FB_OP_SIN, buffer (c, 0, 4));
  FbUop *view = NODE (c, BUFFER_VIEW, FB_DTYPE (FLOAT32), FB_ARG_NIL, fb_alu2 (c, FB_OP_ADD, x, x));
  return (Wrong){ SINK (c, view), NULL };
}

static Wrong
lanes_that_differ (FbContext *c)
{
  FbArg lanes[] = { fb_arg_float (1), fb_arg_float (2) };
  FbUop *x
      = fb_uop_new (c, FB_OP_VCONST, fb_dtype_vec (c, FB_DTYPE (FLOAT32), 2), 0, NULL, fb_arg_new_tuple (c, 2, lanes));
  return (Wrong){ SINK (c, fb_cast (c, x, fb_dtype_vec (c, FB_DTYPE (FLOAT32), 4))), NULL };
}

static Wrong
too_large (FbContext *c)
{
  FbUop *x = fb_alu1 (c, FB_OP_SIN, SHAPED (c, 0, 4, 1, 1));
  const gint64 huge = G_GINT64_CONSTANT (1) << 40;
  return (Wrong){ SINK (c, fb_alu1 (c, FB_OP_SIN, EXPAND (c, x, 4, huge, huge))), NULL };
}

static Wrong
fused_twice (FbContext *c)
{
  FbUop *x = fb_movement (c, FB_OP_PAD, const_of_shape (c, 1, DIMS (c, 4)), DIMS (c, 1, 0));
  FbUop *sum = SUM (c, EXPAND (c, RESHAPE (c, x, 1, 5), 4, 5), 1);

  fb_context_options (c)->fuse_arange = fb_context_options (c)->fuse_conv_bw = 1;
  return (Wrong){ SINK (c, SUM (c, RESHAPE (c, sum, 2, 2), 1)), sum };
}

/* Ones above the diagonal. */
static FbUop *
triangle (FbContext *c)
{
  FbUop *x = fb_movement (c, FB_OP_PAD, const_of_shape (c, 1, DIMS (c, 1, 2)), DIMS (c, 0, 0, 1, 0));

  x = SHRINK (c, RESHAPE (c, EXPAND (c, x, 2, 3), 6), 0, 4);
  return RESHAPE (c, x, 2, 2);
}

/* Two reduces fused into one kernel, one seen through a view: the view goes from one to the other and back. */
static Wrong
view_between_reduces (FbContext *c)
{
  FbUop *sum = fb_alu2 (c, FB_OP_ADD, RESHAPE (c, SUM (c, triangle (c), 1), 1, 2), SUM (c, triangle (c), 0));

  fb_context_options (c)->fuse_arange = 1;
  return (Wrong){ SINK (c, fb_alu1 (c, FB_OP_EXP2, sum), fb_alu1 (c, FB_OP_SIN, sum)), NULL };
}

static Wrong
old_and_new (FbContext *c)
{
  FbUop *old = buffer (c, 0, 4), *fresh = assign_to (c, old, fb_alu1 (c, FB_OP_SIN, buffer (c, 1, 4)));
  FbUop *target = buffer (c, 2, 4);
  return (Wrong){ SINK (c, assign_to (c, target, fb_alu2 (c, FB_OP_ADD, old, fresh))), target };
}

static Wrong
turned_onto_itself (FbContext *c)
{
  FbUop *x = SHAPED (c, 0, 4, 4);
  return (Wrong){ SINK (c, assign_to (c, x, fb_alu1 (c, FB_OP_SIN, PERMUTE (c, x, 1, 0)))), NULL };
}

static Wrong
unlike_reduces (FbContext *c)
{
  FbUop *sum = SUM (c, SHAPED (c, 0, 2, 3, 4), 2);

  fb_context_options (c)->fuse_conv_bw = 1;
  return (Wrong){ SINK (c, reduce (c, FB_OP_MAX, RESHAPE (c, sum, 2, 3), DIMS (c, 1))), NULL };
}

static Wrong
inner_sum_wanted (FbContext *c)
{
  FbUop *sum = SUM (c, SHAPED (c, 0, 2, 3, 4), 2);

  fb_context_options (c)->fuse_conv_bw = 1;
  return (Wrong){ SINK (c, sum, SUM (c, RESHAPE (c, sum, 2, 3), 1)), NULL };
}

static const struct
{
  const char *name;
  FbError code;
  Wrong (*make) (FbContext *c);
} errors[] = {
  { "two-shapes", FB_ERROR_SHAPE, two_shapes },
  { "bad-reshape", FB_ERROR_SHAPE, bad_reshape },
  { "huge-buffer", FB_ERROR_SHAPE, huge_buffer },
  { "view-of-device", FB_ERROR_SHAPELESS, view_of_device },
  { "copy-from-nowhere", FB_ERROR_DEVICE, copy_from_nowhere },
  { "nan-as-int", FB_ERROR_ARITHMETIC, nan_as_int },
  { "pointers", FB_ERROR_DTYPE, pointers },
  { "part-of-nothing", FB_ERROR_SHAPE, part_of_nothing },
  { "lanes-that-differ", FB_ERROR_DTYPE, lanes_that_differ },
  { "too-large", FB_ERROR_OVERFLOW, too_large },
  { "view-between-reduces", FB_ERROR_DIVERGES, view_between_reduces },
  { "fused-twice", FB_ERROR_UNSUPPORTED, fused_twice },
  { "unlike-reduces", FB_ERROR_UNSUPPORTED, unlike_reduces },
  { "old-and-new", FB_ERROR_CYCLE, old_and_new },
  { "turned-onto-itself", FB_ERROR_SELF_OPERAND, turned_onto_itself },
  { "inner-sum-wanted", FB_ERROR_VERIFY, inner_sum_wanted },
};

static void
test_error (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (FbContext) c = fb_context_new ();
  Wrong wrong = errors[i].make (c);
  FbUop *fine = SINK (c, fb_alu1 (c, FB_OP_SIN, buffer (c, 90, 4)));

  g_assert_false (fb_context_failed (c));
  /* it fails again in the same way, and leaves the context usable */
  for (guint again = 0; again < 2; again++)
    {
      g_autoptr (FbSchedule) schedule = schedule_of (c, wrong.sink);

      g_assert_error (schedule->error, FB_ERROR, (int) errors[i].code);
      g_assert_cmpstr (schedule->error->message, !=, "");
      g_assert_nonnull (schedule->error_uop);
      /* the node itself, or what the first pass has made of it */
      if (wrong.wrong && schedule->tensor_map && wrong.wrong->id < schedule->n_tensor_map)
        wrong.wrong = schedule->tensor_map[wrong.wrong->id];
      if (wrong.wrong)
        g_assert_true (schedule->error_uop == wrong.wrong);
      g_assert_false (fb_context_failed (c));
    }
  assert_kernels (c, fine, "0(4) = sin(1(4))");
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (2000);
  g_cancellable_cancel (data);
  return NULL;
}

/* Cancelled before it starts, and while it runs: what was done is there, no kernel is. */
static void
test_cancel (void)
{
  for (guint before = 0; before < 2; before++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (FbSchedule) schedule = NULL;
      FbUop *x = buffer (c, 0, 4);
      GThread *thread = NULL;

      for (int i = 0; i < 300000; i++)
        x = fb_alu1 (c, FB_OP_SIN, x);
      if (before)
        g_cancellable_cancel (cancellable);
      else
        thread = g_thread_new ("cancel", cancel_soon, cancellable);
      /* on a busy machine the thread may come late: then the next run is the one */
      do
        {
          fb_schedule_free (schedule);
          schedule = fb_schedule_new (c, sink_of (c, x), cancellable);
        }
      while (!schedule->error && thread);
      g_clear_pointer (&thread, g_thread_join);
      g_assert_error (schedule->error, FB_ERROR, FB_ERROR_CANCELLED);
      g_assert_null (schedule->error_uop);
      g_assert_cmpuint (schedule->passes->len, >=, 1);
      g_assert_false (fb_context_failed (c));
      assert_kernels (c, SINK (c, fb_alu1 (c, FB_OP_SIN, buffer (c, 90, 4))), "0(4) = sin(1(4))");
    }
}

/* --- size --- */

static void
test_deep (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (FbSchedule) schedule = NULL;
  FbUop *b = buffer (c, 0, 4), *x = b;

  for (int i = 0; i < 200000; i++)
    x = i % 2 ? fb_alu2 (c, FB_OP_ADD, x, b) : fb_alu1 (c, FB_OP_SIN, x);
  schedule = fb_schedule_new (c, sink_of (c, x), NULL);
  g_assert_no_error (schedule->error);
  g_assert_cmpuint (schedule->kernels->len, ==, 1);
  g_assert_cmpuint (fb_schedule_kernel (schedule, 0)->n_buffers, ==, 2);
}

/* A reduce far above what it is stored as. */
static void
test_deep_reduce (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (FbSchedule) schedule = NULL;
  FbUop *x = SUM (c, SHAPED (c, 0, 4, 4), 1);

  for (int i = 0; i < 100000; i++)
    x = fb_alu1 (c, FB_OP_SIN, x);
  schedule = fb_schedule_new (c, sink_of (c, x), NULL);
  g_assert_no_error (schedule->error);
  g_assert_cmpuint (schedule->kernels->len, ==, 1);
  g_assert_cmpuint (schedule->realizes->len, ==, 1);
}

/* A constant with 100,000 users, in one kernel, and as many kernels. */
static void
test_wide (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *two = const_of_shape (c, 2, DIMS (c, 4)), *x = b;
  g_autofree FbUop **outputs = g_new (FbUop *, 100000);

  for (guint i = 0; i < 100000; i++)
    x = fb_alu2 (c, FB_OP_MUL, fb_alu1 (c, FB_OP_SIN, x), two);
  {
    g_autoptr (FbSchedule) schedule = fb_schedule_new (c, sink_of (c, x), NULL);
    g_assert_no_error (schedule->error);
    g_assert_cmpuint (schedule->kernels->len, ==, 1);
  }
  for (guint i = 0; i < 100000; i++)
    outputs[i] = fb_alu2 (c, FB_OP_MUL, buffer (c, 1 + i, 4), two);
  {
    g_autoptr (FbSchedule) schedule
        = fb_schedule_new (c, fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), 100000, outputs, FB_ARG_NIL), NULL);
    g_assert_no_error (schedule->error);
    g_assert_cmpuint (schedule->kernels->len, ==, 100000);
  }
}

/* A kernel of very many buffers. */
static void
test_many_buffers (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (FbSchedule) schedule = NULL;
  const guint n = 1 << 17;
  g_autofree FbUop **level = g_new (FbUop *, n);

  for (guint i = 0; i < n; i++)
    level[i] = buffer (c, i, 4);
  for (guint k = n / 2; k; k /= 2)
    for (guint i = 0; i < k; i++)
      level[i] = fb_alu2 (c, FB_OP_ADD, level[2 * i], level[2 * i + 1]);
  schedule = fb_schedule_new (c, sink_of (c, level[0]), NULL);
  g_assert_no_error (schedule->error);
  g_assert_cmpuint (schedule->kernels->len, ==, 1);
  g_assert_cmpuint (fb_schedule_kernel (schedule, 0)->n_buffers, ==, n + 1);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/nothing", test_nothing);
  g_test_add_func ("/schedule/passes", test_passes);
  g_test_add_func ("/schedule/two-devices", test_two_devices);
  g_test_add_func ("/schedule/shards", test_shards);
  g_test_add_func ("/schedule/disk", test_disk);
  g_test_add_func ("/schedule/variable", test_variable);
  g_test_add_func ("/schedule/variable-value", test_variable_value);
  g_test_add_func ("/schedule/image", test_image);
  g_test_add_func ("/schedule/split-reduce", test_split_reduce);
  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      g_autofree char *path = g_strconcat ("/schedule/error/", errors[i].name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_error);
    }
  g_test_add_func ("/schedule/cancel", test_cancel);
  g_test_add_func ("/schedule/deep", test_deep);
  g_test_add_func ("/schedule/deep-reduce", test_deep_reduce);
  g_test_add_func ("/schedule/wide", test_wide);
  g_test_add_func ("/schedule/many-buffers", test_many_buffers);
  status = g_test_run ();
  coverage_free ();
  return status;
}
