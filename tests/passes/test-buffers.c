/* Per kernel: buffers become loads, the result a store. */
#include "core/ir/context-private.h"

#include "cases.h"

/* The pass over SINK(@ast) with @output as argument 0; the buffers it found, in order. */
static FbUop *
lower (FbContext *c, FbUop *ast, FbUop *output, FbNodeList **buffers, char **fired)
{
  *buffers = fb_node_list_acquire (c);
  fb_node_list_add (*buffers, output);
  return rewrite_by (c, sink_of (c, ast), fb_buffers_pass_rules (), *buffers, TRUE, fired);
}

/* Arguments are numbered as they are met, sources in order, each buffer once. */
static void
test_numbering (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *out = buffer (c, 9, 4), *a = buffer (c, 1, 4), *b = buffer (c, 2, 4);
  FbUop *x = fb_alu2 (c, FB_OP_ADD, fb_alu2 (c, FB_OP_MUL, b, a), fb_alu1 (c, FB_OP_SIN, b)), *result, *value;
  const FbShapeTracker *st = SHAPE (c, 4);
  FbNodeList *buffers;
  g_autofree char *fired = NULL;

  result = lower (c, x, out, &buffers, &fired);
  value = fb_alu2 (c, FB_OP_MUL, load (c, 1, 4, st), load (c, 2, 4, st));
  value = fb_alu2 (c, FB_OP_ADD, value, fb_alu1 (c, FB_OP_SIN, load (c, 1, 4, st)));
  g_assert_true (result == sink_of (c, store (c, 4, st, value)));
  g_assert_cmpstr (fired, ==, "sink-to-store buffer-to-load buffer-to-load");
  g_assert_cmpuint (buffers->n, ==, 3);
  g_assert_true (buffers->at[1] == b);
  g_assert_true (buffers->at[2] == a);
  fb_node_list_release (c, buffers);
}

/* The output read is argument 0. */
static void
test_output_read (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *out = buffer (c, 0, 4), *view = fb_view (c, out, SHAPE (c, 2, 2)), *result, *value;
  FbNodeList *buffers;
  g_autofree char *fired = NULL;

  result = lower (c, fb_alu1 (c, FB_OP_SIN, view), out, &buffers, &fired);
  value = fb_alu1 (c, FB_OP_SIN, fb_view (c, load (c, 0, 4, SHAPE (c, 4)), SHAPE (c, 2, 2)));
  g_assert_true (result == sink_of (c, store (c, 4, SHAPE (c, 2, 2), value)));
  g_assert_cmpuint (buffers->n, ==, 1);
  fb_node_list_release (c, buffers);
}

static void
test_copy (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = buffer (c, 0, 4), *copy = copy_to (c, "CPU:1", a, FALSE), *result;
  FbNodeList *buffers;
  g_autofree char *fired = NULL;

  result = lower (c, copy, buffer_on (c, "CPU:1", 1, 4, FB_DTYPE (FLOAT32)), &buffers, &fired);
  g_assert_true (result == copy_to (c, "CPU:1", load (c, 1, 4, SHAPE (c, 4)), FALSE));
  g_assert_cmpstr (fired, ==, "sink-of-copy buffer-to-load");
  g_assert_cmpuint (buffers->n, ==, 2);
  fb_node_list_release (c, buffers);
}

static void
test_buffer_view (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *a = buffer_on (c, "DISK:x", 0, 8, FB_DTYPE (UINT8)), *view, *result;
  FbNodeList *buffers;
  g_autofree char *fired = NULL;

  view = NODE (c, BUFFER_VIEW, FB_DTYPE (FLOAT32), FB_ARG_NIL, a);
  result = lower (c, view, buffer_on (c, "DISK:x", 1, 2, FB_DTYPE (FLOAT32)), &buffers, &fired);
  g_assert_cmpstr (fired, ==, "sink-of-copy buffer-to-load");
  g_assert_cmpint (result->op, ==, FB_OP_BUFFER_VIEW);
  g_assert_cmpint (result->src[0]->op, ==, FB_OP_LOAD);
  fb_node_list_release (c, buffers);
}

/* What is stored already stays as it is. */
static void
test_store_stays (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *ast = store (c, 4, SHAPE (c, 4), load (c, 1, 4, SHAPE (c, 4)));
  FbNodeList *buffers;
  g_autofree char *fired = NULL;

  g_assert_true (lower (c, ast, buffer (c, 0, 4), &buffers, &fired) == sink_of (c, ast));
  g_assert_cmpstr (fired, ==, "");
  fb_node_list_release (c, buffers);
}

void
add_buffers_tests (void)
{
  g_test_add_func ("/passes/buffers/numbering", test_numbering);
  g_test_add_func ("/passes/buffers/output-read", test_output_read);
  g_test_add_func ("/passes/buffers/copy", test_copy);
  g_test_add_func ("/passes/buffers/buffer-view", test_buffer_view);
  g_test_add_func ("/passes/buffers/store-stays", test_store_stays);
}
