#include "kernel.h"

#include <stdlib.h>

#include "core/ir/context-private.h"

/* Operations that compute something, so that a kernel is known by them. */
#define COMPUTING (FB_OPS_ALU | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST) | FB_OP_BIT (REDUCE_AXIS) | FB_OP_BIT (WMMA))

enum
{
  MAX_SUFFIX = 256, /* nodes from the end that tell kernels apart */
};

static guint64
buffer_key (const FbDType *dtype, gint64 size)
{
  guint64 key = fb_signature_dtype (dtype->kind == FB_DTYPE_PTR ? dtype->base : dtype, FB_BLUR_NOTHING);

  return fb_signature_mix (key, (guint64) size);
}

static gint
compare_words (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;
  return x < y ? -1 : x > y;
}

static void
add_operation (FbReplayKernel *kernel, const FbUop *uop)
{
  FbOp reduce = fb_uop_reduce_op (uop);

  if (!fb_op_in (uop->op, COMPUTING))
    return;
  kernel->ops[uop->op]++;
  kernel->n_ops++;
  if (reduce != FB_OP_NONE)
    {
      kernel->ops[reduce]++;
      kernel->n_ops++;
    }
}

/* The buffer behind the first source of a LOAD or STORE, NULL when there is none. */
static const FbUop *
buffer_of (const FbUop *access)
{
  const FbUop *at = access->n_src ? access->src[0] : NULL;

  while (at && at->n_src && (at->op == FB_OP_VIEW || at->op == FB_OP_INDEX))
    at = at->src[0];
  return at && at->op == FB_OP_DEFINE_GLOBAL ? at : NULL;
}

/* A kernel that is no SINK, such as a COPY, writes what it is. */
static guint64
other_output (const FbUop *ast)
{
  const FbUop *load = ast->n_src ? ast->src[ast->n_src - 1] : NULL;
  const FbUop *view = load && load->op == FB_OP_LOAD && load->n_src > 1 ? load->src[1] : NULL;
  gint64 size = view && view->arg.kind == FB_ARG_ST ? view->arg.st->shape->prod : -1;

  if (ast->op == FB_OP_BUFFER_VIEW && load && load->dtype->itemsize > 0 && ast->dtype->itemsize > 0 && size > 0)
    size = (gint64) ((double) size * load->dtype->itemsize / ast->dtype->itemsize);
  return buffer_key (ast->dtype, size);
}

static void
add_store (FbReplayKernel *kernel, const FbUop *store, const FbNodeMap *places)
{
  const FbUop *buffer = buffer_of (store), *value = store->n_src ? store->src[store->n_src - 1] : store;
  guint64 key = buffer ? buffer_key (buffer->dtype, buffer->dtype->size) : 0;
  guint64 hash = kernel->deep[fb_node_map_get (places, value)];

  g_array_append_val (kernel->writes, key);
  g_array_append_val (kernel->values, hash);
  kernel->output = fb_signature_mix (kernel->output, key);
}

static void
add_outputs (FbContext *context, FbReplayKernel *kernel)
{
  FbNodeMap *places = fb_node_map_acquire (context);

  for (guint i = 0; i < kernel->nodes->len; i++)
    fb_node_map_set (places, g_ptr_array_index (kernel->nodes, i), i);
  kernel->computes = kernel->ast->op == FB_OP_SINK;
  for (guint i = 0; kernel->computes && i < kernel->ast->n_src; i++)
    if (kernel->ast->src[i]->op == FB_OP_STORE)
      add_store (kernel, kernel->ast->src[i], places);
    else
      kernel->computes = FALSE;
  fb_node_map_release (context, places);
  if (!kernel->computes)
    {
      guint64 key = other_output (kernel->ast);
      g_array_append_val (kernel->writes, key);
      kernel->output = fb_signature_mix (fb_signature_mix (key, kernel->ast->op),
                                         kernel->ast->n_src && kernel->ast->src[0]->op == FB_OP_DEVICE
                                                 && kernel->ast->src[0]->arg.kind == FB_ARG_STR
                                             ? fb_signature_text (kernel->ast->src[0]->arg.str->bytes)
                                             : 0);
    }
}

FbReplayKernel *
fb_replay_kernel_new (FbContext *context, FbUop *ast, guint place)
{
  FbReplayKernel *kernel = g_new0 (FbReplayKernel, 1);

  kernel->ast = ast;
  kernel->place = place;
  kernel->partner = kernel->joined = -1;
  kernel->nodes = fb_uop_toposort (context, ast);
  kernel->deep = g_new (guint64, kernel->nodes->len);
  kernel->writes = g_array_new (FALSE, FALSE, sizeof (guint64));
  kernel->reads = g_array_new (FALSE, FALSE, sizeof (guint64));
  kernel->values = g_array_new (FALSE, FALSE, sizeof (guint64));
  fb_signature_nodes (context, kernel->nodes, FB_BLUR_ALL, kernel->deep);
  kernel->structure = kernel->deep[kernel->nodes->len - 1];
  add_outputs (context, kernel);
  for (guint i = 0; i < kernel->nodes->len; i++)
    {
      const FbUop *uop = g_ptr_array_index (kernel->nodes, i), *buffer;
      add_operation (kernel, uop);
      if (uop->op == FB_OP_LOAD && (buffer = buffer_of (uop)))
        {
          guint64 key = buffer_key (buffer->dtype, buffer->dtype->size);
          g_array_append_val (kernel->reads, key);
        }
    }
  g_array_sort (kernel->reads, compare_words);
  return kernel;
}

void
fb_replay_kernel_free (gpointer data)
{
  FbReplayKernel *kernel = data;

  g_ptr_array_unref (kernel->nodes);
  g_array_free (kernel->writes, TRUE);
  g_array_free (kernel->reads, TRUE);
  g_array_free (kernel->values, TRUE);
  g_free (kernel->deep);
  g_free (kernel->sorted);
  g_free (kernel);
}

guint64
fb_replay_kernel_hash (FbContext *context, const FbReplayKernel *kernel, FbBlur blur)
{
  g_autofree guint64 *hashes = NULL;

  if (blur == FB_BLUR_ALL)
    return kernel->structure;
  hashes = g_new (guint64, kernel->nodes->len);
  fb_signature_nodes (context, kernel->nodes, blur, hashes);
  return hashes[kernel->nodes->len - 1];
}

static gboolean
find_word (const guint64 *sorted, guint n, guint64 word)
{
  return n && bsearch (&word, sorted, n, sizeof word, compare_words) != NULL;
}

gboolean
fb_replay_kernel_contains (FbReplayKernel *kernel, guint64 hash)
{
  if (!kernel->sorted)
    {
      kernel->sorted = g_memdup2 (kernel->deep, sizeof (guint64) * kernel->nodes->len);
      qsort (kernel->sorted, kernel->nodes->len, sizeof (guint64), compare_words);
    }
  return find_word (kernel->sorted, kernel->nodes->len, hash);
}

double
fb_replay_kernel_likeness (const FbReplayKernel *a, const FbReplayKernel *b)
{
  guint64 common = 0, all = (guint64) a->n_ops + b->n_ops;

  for (guint op = 0; op < FB_N_OPS; op++)
    common += MIN (a->ops[op], b->ops[op]);
  return all ? 2.0 * (double) common / (double) all : 1.0;
}

static FbUop *
skip_views (FbUop *uop)
{
  while (uop->n_src && (uop->op == FB_OP_VIEW || fb_op_in (uop->op, FB_OPS_MOVEMENT)))
    uop = uop->src[0];
  return uop;
}

double
fb_replay_kernel_suffix (FbContext *context, const FbReplayKernel *small, const FbReplayKernel *large)
{
  struct
  {
    FbUop *x, *y;
  } stack[MAX_SUFFIX];
  FbNodeMap *seen = fb_node_map_acquire (context);
  guint n = 0, visited = 0, all = 0, same = 0;

  stack[n].x = small->ast;
  stack[n++].y = large->ast;
  while (n && visited++ < MAX_SUFFIX)
    {
      FbUop *x = skip_views (stack[--n].x), *y = skip_views (stack[n].y);
      gboolean computes = fb_op_in (x->op, COMPUTING);
      if (x->op == FB_OP_LOAD || fb_node_map_get (seen, x))
        continue;
      fb_node_map_set (seen, x, 1);
      all += computes;
      if (x->op != y->op || x->n_src != y->n_src || fb_uop_reduce_op (x) != fb_uop_reduce_op (y))
        continue;
      same += computes;
      for (guint i = 0; i < x->n_src && n < MAX_SUFFIX; i++, n++)
        {
          stack[n].x = x->src[i];
          stack[n].y = y->src[i];
        }
    }
  fb_node_map_release (context, seen);
  return all ? (double) same / all : 0;
}
