/* Which kernel runs before which: a reader of a buffer's old value before the kernel that overwrites it
 * (schedule.py:411-424), then breadth first (schedule.py:429-453). */
#include "core/ir/context-private.h"
#include "passes.h"
#include "uop-dict.h"

static gboolean
assigns_to (FbContext *context, FbUop *root, const FbUop *buffer)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (context, root);

  for (guint i = 0; i < order->len; i++)
    {
      FbUop *uop = g_ptr_array_index (order, i);
      if (uop->op == FB_OP_ASSIGN && fb_buf_uop (context, uop) == buffer)
        return TRUE;
    }
  return FALSE;
}

static FbUop *
kernel_of (FbContext *context, FbUop *assign)
{
  if (assign->n_src > 1 && assign->src[1]->op == FB_OP_KERNEL && assign->src[1]->arg.kind == FB_ARG_KERNEL)
    return assign->src[1];
  fb_context_fail (context, FB_ERROR_VERIFY, assign, "an ASSIGN in the kernel graph must hold a KERNEL");
  return NULL;
}

FbUop *
fb_order_assigns (FbContext *context, FbUop *sink)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (context, sink);
  g_autoptr (FbUopDict) assign_rep = fb_uop_dict_new (context);
  FbNodeMap *kernel_assign = fb_node_map_acquire (context);
  g_autofree FbUop **from = NULL, **to = NULL;
  guint at = 0, n = 0;

  for (guint i = 0; i < order->len && !fb_context_failed (context); i++)
    {
      FbUop *u = g_ptr_array_index (order, i), *buffer, *kernel;

      if (u->op != FB_OP_ASSIGN || !(buffer = fb_buf_uop (context, u)))
        continue;
      fb_node_map_set (kernel_assign, buffer, (guintptr) u);
      if (!(kernel = kernel_of (context, u)))
        break;
      for (guint j = 0; j < kernel->n_src; j++)
        {
          FbUop *s = kernel->src[j], *a, *after;
          g_autofree FbUop **src = NULL;

          if (s->op != FB_OP_BUFFER || s == buffer || !(a = (FbUop *) fb_node_map_get (kernel_assign, s)))
            continue;
          if (assigns_to (context, u, s))
            {
              fb_context_fail (context, FB_ERROR_CYCLE, buffer,
                               "cycle detected in graph: the kernel for BUFFER #%" G_GINT64_FORMAT
                               " must depend either on the ASSIGN to a buffer or on the BUFFER",
                               buffer->n_src > 1 && buffer->src[1]->arg.kind == FB_ARG_INT ? buffer->src[1]->arg.i
                                                                                           : -1);
              break;
            }
          src = g_new (FbUop *, a->n_src + 1);
          for (guint k = 0; k < a->n_src; k++)
            src[k] = a->src[k];
          src[a->n_src] = u;
          after = fb_replace_src (context, a, a->n_src + 1, src);
          fb_uop_dict_set (assign_rep, a, after);
          fb_node_map_set (kernel_assign, s, (guintptr) after);
        }
    }
  fb_node_map_release (context, kernel_assign);
  if (fb_context_failed (context))
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

typedef struct
{
  FbUop *assign;
  guint in_degree;
  GArray *children; /* positions in the list */
} Node;

static void
clear_node (gpointer data)
{
  Node *node = data;
  if (node->children)
    g_array_free (node->children, TRUE);
}

GPtrArray *
fb_order_kernels (FbContext *context, FbUop *sink)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (context, sink);
  g_autoptr (GArray) nodes = g_array_new (FALSE, TRUE, sizeof (Node));
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();
  FbNodeMap *position = fb_node_map_acquire (context); /* + 1 */

  g_array_set_clear_func (nodes, clear_node);
  for (guint i = 0; i < order->len && !fb_context_failed (context); i++)
    {
      Node node = { g_ptr_array_index (order, i), 0, NULL };
      FbUop *kernel;
      guint me = nodes->len;

      if (node.assign->op != FB_OP_ASSIGN || !(kernel = kernel_of (context, node.assign)))
        continue;
      for (guint j = 0; j < kernel->n_src; j++)
        {
          guintptr parent;
          if (kernel->src[j]->op != FB_OP_ASSIGN || !(parent = fb_node_map_get (position, kernel->src[j])))
            continue;
          Node *p = &g_array_index (nodes, Node, parent - 1);
          if (!p->children)
            p->children = g_array_new (FALSE, FALSE, sizeof (guint));
          g_array_append_val (p->children, me);
          node.in_degree++;
        }
      g_array_append_val (nodes, node);
      fb_node_map_set (position, node.assign, nodes->len);
    }
  fb_node_map_release (context, position);
  for (guint i = 0; i < nodes->len; i++)
    if (g_array_index (nodes, Node, i).in_degree == 0)
      g_ptr_array_add (queue, GUINT_TO_POINTER (i));
  for (guint i = 0; i < queue->len; i++)
    {
      Node *node = &g_array_index (nodes, Node, GPOINTER_TO_UINT (g_ptr_array_index (queue, i)));
      queue->pdata[i] = node->assign;
      for (guint j = 0; node->children && j < node->children->len; j++)
        {
          guint child = g_array_index (node->children, guint, j);
          if (--g_array_index (nodes, Node, child).in_degree == 0)
            g_ptr_array_add (queue, GUINT_TO_POINTER (child));
        }
    }
  if (!fb_context_failed (context) && queue->len != nodes->len)
    fb_context_fail (context, FB_ERROR_CYCLE, sink, "cycle detected in graph: %u kernels, only %u can be ordered",
                     nodes->len, queue->len);
  return fb_context_failed (context) ? NULL : g_steal_pointer (&queue);
}
