/* Which kernel runs before which. */
#include "cases.h"

#include "core/ir/context-private.h"

/* An ASSIGN of the kernel graph: to buffer @number, from a kernel over it and one or two sources. */
static FbUop *
writes (FbContext *c, gint64 number, FbUop *x, FbUop *y)
{
  FbUop *b = buffer (c, number, 4), *src[] = { b, x, y };
  FbUop *kernel = fb_uop_new (c, FB_OP_KERNEL, FB_DTYPE (VOID), y ? 3 : 2, src,
                              fb_arg_new_kernel (c, fb_alu1 (c, FB_OP_SIN, b), fb_arg_new_tuple (c, 0, NULL)));

  return assign_to (c, b, kernel);
}

/* The kernels of this graph. */
static FbKernels
kernels_of (FbContext *c, FbUop *sink)
{
  return (FbKernels){ .graph = sink,
                      .realized = fb_node_list_acquire (c),
                      .stored = fb_node_list_acquire (c),
                      .assigns = fb_kernel_graph_assigns (c, sink),
                      .overwrites = TRUE };
}

/* The graph with readers before writers. */
static FbUop *
order_assigns (FbContext *c, FbUop *sink)
{
  FbKernels kernels = kernels_of (c, sink);
  g_autoptr (GPtrArray) nodes = NULL;
  guint n = 0;

  g_assert_true (fb_order_assigns (c, &kernels));
  sink = kernels.graph;
  nodes = fb_uop_toposort (c, sink);
  for (guint i = 0; i < nodes->len; i++)
    if (((FbUop *) g_ptr_array_index (nodes, i))->op == FB_OP_ASSIGN)
      g_assert_true (kernels.assigns->at[n++] == g_ptr_array_index (nodes, i));
  g_assert_cmpuint (kernels.assigns->n, ==, n);
  fb_kernels_clear (c, &kernels);
  return sink;
}

static FbNodeList *
order_kernels (FbContext *c, FbUop *sink)
{
  FbKernels kernels = kernels_of (c, sink);
  FbNodeList *order = fb_order_kernels (c, &kernels);

  fb_kernels_clear (c, &kernels);
  return order;
}

/* The numbers of the buffers written, in run order. */
static char *
run_order (FbContext *c, FbUop *sink)
{
  FbNodeList *order = order_kernels (c, sink);
  GString *text = g_string_new (NULL);

  g_assert_nonnull (order);
  for (guint i = 0; i < order->n; i++)
    {
      const FbUop *b = order->at[i]->src[0]->base;
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? " " : "", b->src[1]->arg.i);
    }
  fb_node_list_release (c, order);
  return g_string_free (text, FALSE);
}

/* Breadth first: all that waits for nothing, then what waited only for that. */
static void
test_breadth_first (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *first = writes (c, 1, b, NULL), *chain = writes (c, 2, first, NULL), *last, *other;
  g_autofree char *order = NULL;

  chain = writes (c, 3, chain, NULL);
  other = writes (c, 4, b, NULL);
  last = writes (c, 5, chain, other);
  order = run_order (c, SINK (c, last, writes (c, 6, other, NULL)));
  g_assert_cmpstr (order, ==, "1 4 2 6 3 5");
}

static void
test_no_assigns (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sink = SINK (c, writes (c, 1, buffer (c, 0, 4), NULL));

  g_assert_true (order_assigns (c, sink) == sink);
}

/* A kernel reads a buffer, another overwrites it: the edge is added to the writer. */
static void
test_reader_before_writer (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *writer = writes (c, 0, buffer (c, 1, 4), NULL), *reader = writes (c, 2, b, NULL);
  FbUop *sink = order_assigns (c, SINK (c, writer, reader)), *src[3];

  g_assert_false (fb_context_failed (c));
  src[0] = writer->src[0];
  src[1] = writer->src[1];
  src[2] = reader;
  g_assert_true (sink->src[0] == fb_uop_new (c, FB_OP_ASSIGN, FB_DTYPE (FLOAT32), 3, src, FB_ARG_NIL));
  g_assert_true (sink->src[1] == reader);
  /* met in this order nothing is to be added: the writer is not known when the reader is looked at */
  g_assert_true (order_assigns (c, SINK (c, reader, writer)) == SINK (c, reader, writer));
}

static void
test_two_readers (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *writer = writes (c, 0, buffer (c, 1, 4), NULL), *sink;
  FbUop *first = writes (c, 2, b, NULL), *second = writes (c, 3, b, NULL);

  sink = order_assigns (c, SINK (c, writer, first, second));
  g_assert_false (fb_context_failed (c));
  g_assert_cmpuint (sink->src[0]->n_src, ==, 4);
  g_assert_true (sink->src[0]->src[2] == first);
  g_assert_true (sink->src[0]->src[3] == second);
}

/* A kernel may read its own buffer. */
static void
test_own_buffer (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *sink = SINK (c, writes (c, 0, buffer (c, 0, 4), NULL));

  g_assert_true (order_assigns (c, sink) == sink);
}

/* Both the old and the new value of a buffer are wanted. */
static void
test_cycle (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *old = buffer (c, 0, 4), *fresh = assign_to (c, old, fb_alu1 (c, FB_OP_SIN, buffer (c, 1, 4)));
  FbUop *target = buffer (c, 2, 4), *sink = SINK (c, assign_to (c, target, fb_alu2 (c, FB_OP_ADD, old, fresh)));
  g_autoptr (FbSchedule) schedule = schedule_of (c, sink);

  g_assert_error (schedule->error, FB_ERROR, FB_ERROR_CYCLE);
  g_assert_true (schedule->error_uop == target);
  g_assert_nonnull (strstr (schedule->error->message, "#2"));
}

/* Two buffers swapped: each kernel reads what the other writes. The edge that was added decides the graph, not the order
 * of the queue, as in the reference. */
static void
test_swap (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = buffer (c, 0, 4), *b = buffer (c, 1, 4);
  FbUop *sink = SINK (c, assign_to (c, a, fb_alu1 (c, FB_OP_SIN, b)), assign_to (c, b, fb_alu1 (c, FB_OP_SQRT, a)));
  g_autoptr (FbSchedule) schedule = schedule_of (c, sink);
  g_autofree char *text = NULL;
  const FbUop *first;

  g_assert_no_error (schedule->error);
  first = schedule->kernel_graph->src[0];
  g_assert_cmpuint (first->n_src, ==, 3);
  g_assert_true (first->src[2] == schedule->kernel_graph->src[1]);
  text = kernels_text (schedule);
  g_assert_cmpstr (text, ==, "0(4) = sqrt(1(4))\n0(4) = sin(1(4))");
}

/* What no kernel is, among the assigns of a kernel graph. */
static void
test_no_kernel (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 4), *assign = assign_to (c, b, fb_view (c, b, SHAPE (c, 2, 2)));
  g_autoptr (GError) error = NULL;

  g_assert_null (order_kernels (c, SINK (c, assign)));
  g_assert_true (fb_context_error_uop (c) == assign);
  fb_context_take_error (c, &error);
  g_assert_error (error, FB_ERROR, FB_ERROR_VERIFY);
}

void
add_order_tests (void)
{
  g_test_add_func ("/passes/order/breadth-first", test_breadth_first);
  g_test_add_func ("/passes/order/no-assigns", test_no_assigns);
  g_test_add_func ("/passes/order/reader-before-writer", test_reader_before_writer);
  g_test_add_func ("/passes/order/two-readers", test_two_readers);
  g_test_add_func ("/passes/order/own-buffer", test_own_buffer);
  g_test_add_func ("/passes/order/cycle", test_cycle);
  g_test_add_func ("/passes/order/swap", test_swap);
  g_test_add_func ("/passes/order/no-kernel", test_no_kernel);
}
