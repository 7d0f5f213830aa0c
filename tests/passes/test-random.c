/* What must hold for the schedule of any graph, on random ones. */
#include "core/ir/text.h"
#include "random-graph.h"

#define N_GRAPHS 1000
/* Ops of the tensor graph that no kernel holds. */
#define TENSOR_OPS                                                                                        \
  (FB_OPS_MOVEMENT | FB_OP_BIT (ASSIGN) | FB_OP_BIT (CONTIGUOUS) | FB_OP_BIT (CONTIGUOUS_BACKWARD)        \
   | FB_OP_BIT (DETACH) | FB_OP_BIT (BIND) | FB_OP_BIT (BUFFER) | FB_OP_BIT (UNIQUE) | FB_OP_BIT (KERNEL) \
   | FB_OP_BIT (MULTI))

/* The kernels of a schedule, or its error, as text. */
static char *
schedule_text (FbSchedule *schedule)
{
  GString *text = g_string_new (NULL);

  if (schedule->error)
    g_string_append_printf (text, "error %d: %s\n", schedule->error->code, schedule->error->message);
  for (guint i = 0; i < schedule->kernels->len && !schedule->error; i++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, i);

      fb_uop_append_text (schedule->context, item->ast, text);
      for (guint k = 0; k < item->n_buffers; k++)
        fb_uop_append_text (schedule->context, item->buffers[k].buffer, text);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* An access is to an argument of the kernel, and stays within its buffer. */
static void
check_access (FbContext *c, const FbKernelItem *item, FbUop *access)
{
  const FbUop *global = access->src[0];
  const FbKernelBuffer *buffer;

  g_assert_cmpint (global->op, ==, FB_OP_DEFINE_GLOBAL);
  g_assert_cmpint (global->arg.i, >=, 0);
  g_assert_cmpint (global->arg.i, <, item->n_buffers);
  buffer = &item->buffers[global->arg.i];
  g_assert_cmpint (fb_st_real_size (c, fb_uop_st (c, access->src[1])), <=, buffer->size);
  g_assert_false (fb_context_failed (c));
  g_assert_true (buffer->dtype == global->dtype->base);
  /* an assign to a part of a buffer stores as many elements as the part has */
  if (access->op == FB_OP_LOAD)
    g_assert_cmpint (global->dtype->size, ==, buffer->size);
  else
    g_assert_cmpint (global->dtype->size, <=, buffer->size);
}

static void
check_kernel (FbContext *c, const FbKernelItem *item)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (c, item->ast);
  g_autofree gboolean *used = g_new0 (gboolean, item->n_buffers);
  gboolean sink = item->ast->op == FB_OP_SINK;

  g_assert_true (sink || item->ast->op == FB_OP_COPY || item->ast->op == FB_OP_BUFFER_VIEW);
  if (sink)
    {
      g_assert_cmpuint (item->ast->n_src, ==, 1);
      g_assert_cmpint (item->ast->src[0]->op, ==, FB_OP_STORE);
    }
  used[0] = !sink;
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);

      g_assert_false (fb_op_in (uop->op, TENSOR_OPS));
      /* a copy keeps a view of something that was not realized, as in the reference */
      if (uop->op == FB_OP_VIEW && sink)
        g_assert_cmpuint (uop->n_src, ==, 0);
      if (uop->op == FB_OP_DEVICE)
        g_assert_false (sink);
      if (uop->op == FB_OP_STORE)
        g_assert_true (uop == item->ast->src[0]);
      if (uop->op == FB_OP_LOAD || uop->op == FB_OP_STORE)
        {
          check_access (c, item, uop);
          used[uop->src[0]->arg.i] = TRUE;
        }
    }
  for (guint i = 0; i < item->n_buffers; i++)
    g_assert_true (used[i]);
}

/* A buffer that did not exist before is written before it is read. */
static void
check_order (FbSchedule *schedule, gint64 n_before)
{
  g_autoptr (GHashTable) written = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, i);

      for (guint k = 1; k < item->n_buffers; k++)
        {
          FbUop *buffer = item->buffers[k].buffer;
          if (buffer->src[1]->arg.i >= n_before)
            g_assert_true (g_hash_table_contains (written, buffer));
        }
      g_hash_table_add (written, item->buffers[0].buffer);
    }
}

static gint64
n_buffers (FbContext *c, FbUop *sink)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (c, sink);
  gint64 n = 0;

  for (guint i = 0; i < nodes->len; i++)
    if (((FbUop *) g_ptr_array_index (nodes, i))->op == FB_OP_UNIQUE)
      n = MAX (n, ((FbUop *) g_ptr_array_index (nodes, i))->arg.i + 1);
  return n;
}

static void
test_properties (void)
{
  guint n_scheduled = 0, n_kernels = 0;

  for (guint32 seed = 0; seed < N_GRAPHS; seed++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      FbUop *sink = random_graph (c, seed);
      gint64 n_before = n_buffers (c, sink);
      g_autoptr (FbSchedule) schedule = fb_schedule_new (c, sink, NULL);

      g_assert_false (fb_context_failed (c));
      if (schedule->error)
        {
          g_assert_true (schedule->error->domain == FB_ERROR);
          continue;
        }
      n_scheduled++;
      n_kernels += schedule->kernels->len;
      for (guint i = 0; i < schedule->kernels->len; i++)
        check_kernel (c, fb_schedule_kernel (schedule, i));
      check_order (schedule, n_before);
    }
  /* the graphs are such that the scheduler has something to do */
  g_assert_cmpuint (n_scheduled, >, N_GRAPHS * 8 / 10);
  g_assert_cmpuint (n_kernels, >, N_GRAPHS * 2);
  g_test_message ("%u graphs of %u, %u kernels", n_scheduled, N_GRAPHS, n_kernels);
}

/* Nothing depends on where nodes lie in memory, or on what was scheduled before. */
static void
test_same_twice (void)
{
  g_autoptr (FbContext) reused = fb_context_new ();

  for (guint32 seed = 0; seed < N_GRAPHS; seed++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      g_autoptr (FbSchedule) first = fb_schedule_new (c, random_graph (c, seed), NULL), second = NULL;
      g_autofree char *text = schedule_text (first), *again = NULL;

      fb_context_reset (reused);
      fb_options_init (fb_context_options (reused));
      second = fb_schedule_new (reused, random_graph (reused, seed), NULL);
      again = schedule_text (second);
      g_assert_cmpstr (text, ==, again);
    }
}

typedef struct
{
  char *texts[N_GRAPHS / 10];
} Texts;

static gpointer
schedule_some (gpointer data)
{
  Texts *texts = data;

  for (guint32 seed = 0; seed < G_N_ELEMENTS (texts->texts); seed++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      g_autoptr (FbSchedule) schedule = fb_schedule_new (c, random_graph (c, seed), NULL);
      texts->texts[seed] = schedule_text (schedule);
    }
  return NULL;
}

/* Contexts of two threads share nothing. */
static void
test_two_threads (void)
{
  Texts texts[2];
  GThread *threads[2];

  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("schedule", schedule_some, &texts[i]);
  for (guint i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  for (guint seed = 0; seed < G_N_ELEMENTS (texts[0].texts); seed++)
    {
      g_assert_cmpstr (texts[0].texts[seed], ==, texts[1].texts[seed]);
      g_free (texts[0].texts[seed]);
      g_free (texts[1].texts[seed]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/random/properties", test_properties);
  g_test_add_func ("/random/same-twice", test_same_twice);
  g_test_add_func ("/random/two-threads", test_two_threads);
  return g_test_run ();
}
