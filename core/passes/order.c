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

/* The ASSIGNs in @order that must wait for others, and what they become, into @assign_rep. FALSE on error. */
static gboolean
find_waiting (FbContext *context, const FbNodeList *order, FbNodeMap *kernel_assign, FbUopDict *assign_rep)
{
  for (guint i = 0; i < order->n && !fb_context_failed (context); i++)
    {
      FbUop *u = order->at[i], *buffer, *kernel;

      if (u->op != FB_OP_ASSIGN || !(buffer = fb_buf_uop (context, u)))
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

FbUop *
fb_order_assigns (FbContext *context, FbUop *sink)
{
  FbNodeList *order = fb_uop_order (context, sink);
  g_autoptr (FbUopDict) assign_rep = fb_uop_dict_new (context);
  FbNodeMap *kernel_assign = fb_node_map_acquire (context);
  g_autofree FbUop **from = NULL, **to = NULL;
  gboolean ok = find_waiting (context, order, kernel_assign, assign_rep);
  guint at = 0, n = 0;

  fb_node_map_release (context, kernel_assign);
  fb_node_list_release (context, order);
  if (!ok)
    return NULL;
  if (fb_uop_dict_size (assign_rep) == 0)
    return sink;
  from = g_new (FbUop *, fb_uop_dict_size (assign_rep));
  to = g_new (FbUop *, fb_uop_dict_size (assign_rep));
  for (FbUop *key; (key = fb_uop_dict_next (assign_rep, &at)); n++)
    {
      from[n] = key;
      to[n] = fb_uop_dict_get (assign_rep, key);
    }
  sink = fb_substitute (context, sink, n, from, to);
  return sink && fb_verify_kernel_graph (context, sink) ? sink : NULL;
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
find_dependencies (FbContext *context, const FbNodeList *order, FbNodeMap *position, Dependencies *d)
{
  guint n_nodes = 0, n_edges = 0;

  for (guint i = 0; i < order->n; i++)
    if (order->at[i]->op == FB_OP_ASSIGN)
      {
        FbUop *kernel = kernel_of (context, order->at[i]);
        if (!kernel)
          return FALSE;
        n_nodes++;
        n_edges += kernel->n_src;
      }
  d->nodes = g_new (Node, n_nodes + 1);
  d->edges = g_new (Edge, n_edges + 1);
  for (guint i = 0; i < order->n; i++)
    {
      FbUop *assign = order->at[i], *kernel;
      guint me = d->n_nodes;

      if (assign->op != FB_OP_ASSIGN)
        continue;
      kernel = assign->src[1];
      d->nodes[d->n_nodes++] = (Node){ .assign = assign };
      for (guint j = 0; j < kernel->n_src; j++)
        {
          guint parent = (guint) fb_node_map_get (position, kernel->src[j]);
          if (parent)
            add_dependency (d, parent - 1, me);
        }
      fb_node_map_set (position, assign, d->n_nodes);
    }
  return TRUE;
}

/* The ASSIGNs, breadth first; fewer than there are on a cycle. */
static GPtrArray *
breadth_first (Dependencies *d)
{
  g_autoptr (GPtrArray) queue = g_ptr_array_sized_new (d->n_nodes);
  guint n = 0;

  g_ptr_array_set_size (queue, (gint) d->n_nodes);
  for (guint i = 0; i < d->n_nodes; i++)
    if (d->nodes[i].in_degree == 0)
      queue->pdata[n++] = &d->nodes[i];
  for (guint i = 0; i < n; i++)
    {
      Node *node = queue->pdata[i];
      queue->pdata[i] = node->assign;
      for (guint e = node->first_child; e; e = d->edges[e - 1].next)
        if (--d->nodes[d->edges[e - 1].child].in_degree == 0)
          queue->pdata[n++] = &d->nodes[d->edges[e - 1].child];
    }
  g_ptr_array_set_size (queue, (gint) n);
  return g_steal_pointer (&queue);
}

GPtrArray *
fb_order_kernels (FbContext *context, FbUop *sink)
{
  FbNodeList *order = fb_uop_order (context, sink);
  FbNodeMap *position = fb_node_map_acquire (context);
  g_autoptr (GPtrArray) queue = NULL;
  Dependencies d = { NULL };

  if (find_dependencies (context, order, position, &d))
    queue = breadth_first (&d);
  if (queue && queue->len != d.n_nodes)
    fb_context_fail (context, FB_ERROR_CYCLE, sink, "cycle detected in graph: %u kernels, only %u can be ordered",
                     d.n_nodes, queue->len);
  fb_node_map_release (context, position);
  fb_node_list_release (context, order);
  g_free (d.nodes);
  g_free (d.edges);
  return fb_context_failed (context) ? NULL : g_steal_pointer (&queue);
}
