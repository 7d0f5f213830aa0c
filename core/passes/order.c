/* Which kernel runs before which: a reader of a buffer's old value before the kernel that overwrites it
 * (schedule.py:411-424), then breadth first (schedule.py:429-453). */
#include "core/ir/context-private.h"
#include "passes.h"
#include "uop-dict.h"

static gboolean
assigns_to (FbContext *context, FbUop *root, const FbUop *buffer)
{
  FbNodeList *order = fb_uop_order_once (context, root);
  gboolean found = FALSE;

  for (guint i = 0; i < order->n && !found; i++)
    found = order->at[i]->op == FB_OP_ASSIGN && fb_buf_uop (context, order->at[i]) == buffer;
  fb_node_list_release (context, order);
  return found;
}

static FbUop *
kernel_of (FbContext *context, FbUop *assign)
{
  if (assign->n_src > 1 && assign->src[1]->op == FB_OP_KERNEL && assign->src[1]->arg.kind == FB_ARG_KERNEL)
    return assign->src[1];
  fb_context_fail (context, FB_ERROR_VERIFY, assign, "an ASSIGN in the kernel graph must hold a KERNEL");
  return NULL;
}

static void
cycle_at (FbContext *context, const FbUop *buffer)
{
  fb_context_fail (context, FB_ERROR_CYCLE, buffer,
                   "cycle detected in graph: the kernel for BUFFER #%" G_GINT64_FORMAT
                   " must depend either on the ASSIGN to a buffer or on the BUFFER",
                   buffer->n_src > 1 && buffer->src[1]->arg.kind == FB_ARG_INT ? buffer->src[1]->arg.i : -1);
}

/* @a with @u, which reads what @a overwrites, as one source more. */
static FbUop *
put_after (FbContext *context, FbUop *a, FbUop *u)
{
  g_autofree FbUop **src = g_new (FbUop *, a->n_src + 1);

  for (guint k = 0; k < a->n_src; k++)
    src[k] = a->src[k];
  src[a->n_src] = u;
  return fb_replace_src (context, a, a->n_src + 1, src);
}

/* Those of @assigns that must wait for others, and what they become, into @assign_rep. FALSE on error. */
static gboolean
find_waiting (FbContext *context, const FbNodeList *assigns, FbNodeMap *kernel_assign, FbUopDict *assign_rep)
{
  for (guint i = 0; i < assigns->n && !fb_context_failed (context); i++)
    {
      FbUop *u = assigns->at[i], *buffer = fb_buf_uop (context, u), *kernel;

      if (!buffer)
        continue;
      fb_node_map_set (kernel_assign, buffer, (guintptr) u);
      if (!(kernel = kernel_of (context, u)))
        break;
      for (guint j = 0; j < kernel->n_src; j++)
        {
          FbUop *s = kernel->src[j], *a, *after;

          if (s->op != FB_OP_BUFFER || s == buffer || !(a = (FbUop *) fb_node_map_get (kernel_assign, s)))
            continue;
          if (assigns_to (context, u, s))
            {
              cycle_at (context, buffer);
              break;
            }
          after = put_after (context, a, u);
          fb_uop_dict_set (assign_rep, a, after);
          fb_node_map_set (kernel_assign, s, (guintptr) after);
        }
    }
  return !fb_context_failed (context);
}

/* The graph with what @assign_rep says, and its ASSIGNs. FALSE on error. */
static gboolean
replace_assigns (FbContext *context, const FbUopDict *assign_rep, FbKernels *kernels)
{
  const guint n = fb_uop_dict_size (assign_rep);
  g_autofree FbUop **from = g_new (FbUop *, n), **to = g_new (FbUop *, n);
  guint at = 0;

  for (guint i = 0; i < n; i++)
    {
      from[i] = fb_uop_dict_next (assign_rep, &at);
      to[i] = fb_uop_dict_get (assign_rep, from[i]);
    }
  kernels->graph = fb_substitute (context, kernels->graph, n, from, to);
  if (!kernels->graph || !fb_verify_kernel_graph (context, kernels->graph))
    return FALSE;
  fb_node_list_release (context, kernels->assigns);
  kernels->assigns = fb_kernel_graph_assigns (context, kernels->graph);
  return TRUE;
}

FbNodeList *
fb_kernel_graph_assigns (FbContext *context, FbUop *sink)
{
  FbNodeList *order = fb_uop_order (context, sink), *assigns = fb_node_list_acquire (context);

  for (guint i = 0; i < order->n; i++)
    if (order->at[i]->op == FB_OP_ASSIGN)
      fb_node_list_add (assigns, order->at[i]);
  fb_node_list_release (context, order);
  return assigns;
}

gboolean
fb_order_assigns (FbContext *context, FbKernels *kernels)
{
  g_autoptr (FbUopDict) assign_rep = NULL;
  FbNodeMap *kernel_assign;
  gboolean ok;

  if (!kernels->overwrites)
    return TRUE;
  assign_rep = fb_uop_dict_new (context);
  kernel_assign = fb_node_map_acquire (context);
  ok = find_waiting (context, kernels->assigns, kernel_assign, assign_rep);
  fb_node_map_release (context, kernel_assign);
  return ok && (fb_uop_dict_size (assign_rep) == 0 || replace_assigns (context, assign_rep, kernels));
}

/* An ASSIGN of the kernel graph among the others: those that wait for it are a list, by position. */
typedef struct
{
  FbUop *assign;
  guint in_degree;
  guint first_child, last_child; /* positions of Edges, + 1; 0 for none */
} Node;

typedef struct
{
  guint child;
  guint next;
} Edge;

typedef struct
{
  Node *nodes;
  Edge *edges;
  guint n_nodes, n_edges;
} Dependencies;

static void
add_dependency (Dependencies *d, guint parent, guint child)
{
  Node *p = &d->nodes[parent];

  d->edges[d->n_edges++] = (Edge){ child, 0 };
  if (p->first_child)
    d->edges[p->last_child - 1].next = d->n_edges;
  else
    p->first_child = d->n_edges;
  p->last_child = d->n_edges;
  d->nodes[child].in_degree++;
}

/* FALSE on error. @position: of an ASSIGN, + 1. */
static gboolean
find_dependencies (FbContext *context, const FbNodeList *assigns, FbNodeMap *position, Dependencies *d)
{
  guint n_edges = 0;

  for (guint i = 0; i < assigns->n; i++)
    {
      FbUop *kernel = kernel_of (context, assigns->at[i]);
      if (!kernel)
        return FALSE;
      n_edges += kernel->n_src;
    }
  d->nodes = fb_arena_alloc (&context->arena, sizeof (Node) * assigns->n);
  d->edges = fb_arena_alloc (&context->arena, sizeof (Edge) * n_edges);
  for (guint i = 0; i < assigns->n; i++)
    {
      FbUop *assign = assigns->at[i], *kernel = assign->src[1];

      d->nodes[d->n_nodes++] = (Node){ .assign = assign };
      for (guint j = 0; j < kernel->n_src; j++)
        {
          guint parent = kernel->src[j]->op == FB_OP_ASSIGN ? (guint) fb_node_map_get (position, kernel->src[j]) : 0;
          if (parent)
            add_dependency (d, parent - 1, i);
        }
      fb_node_map_set (position, assign, i + 1);
    }
  return TRUE;
}

/* The ASSIGNs, breadth first, into @queue; fewer than there are on a cycle. */
static void
breadth_first (FbContext *context, Dependencies *d, FbNodeList *queue)
{
  Node **waiting = fb_arena_alloc (&context->arena, sizeof *waiting * d->n_nodes);
  guint n = 0;

  for (guint i = 0; i < d->n_nodes; i++)
    if (d->nodes[i].in_degree == 0)
      waiting[n++] = &d->nodes[i];
  for (guint i = 0; i < n; i++)
    {
      fb_node_list_add (queue, waiting[i]->assign);
      for (guint e = waiting[i]->first_child; e; e = d->edges[e - 1].next)
        if (--d->nodes[d->edges[e - 1].child].in_degree == 0)
          waiting[n++] = &d->nodes[d->edges[e - 1].child];
    }
}

FbNodeList *
fb_order_kernels (FbContext *context, const FbKernels *kernels)
{
  FbNodeMap *position = fb_node_map_acquire (context);
  FbNodeList *queue = fb_node_list_acquire (context);
  Dependencies d = { NULL };

  if (find_dependencies (context, kernels->assigns, position, &d))
    breadth_first (context, &d, queue);
  fb_node_map_release (context, position);
  if (!fb_context_failed (context) && queue->n != d.n_nodes)
    fb_context_fail (context, FB_ERROR_CYCLE, kernels->graph,
                     "cycle detected in graph: %u kernels, only %u can be ordered", d.n_nodes, queue->n);
  if (!fb_context_failed (context))
    return queue;
  fb_node_list_release (context, queue);
  return NULL;
}
