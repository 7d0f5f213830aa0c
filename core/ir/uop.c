/* What follows from a node, and walks over its sources. */
#include "context-private.h"

const FbText *
fb_uop_device_name (const FbUop *uop)
{
  const FbUop *device = uop->device;
  return device && device->op == FB_OP_DEVICE && device->arg.kind == FB_ARG_STR ? device->arg.str : NULL;
}

gboolean
fb_uop_same_device (const FbUop *a, const FbUop *b)
{
  const FbUop *x = a->device, *y = b->device;

  if (x == y)
    return TRUE;
  if (!x || !y || x->op != y->op)
    return FALSE;
  if (x->op == FB_OP_DEVICE)
    return fb_arg_equal (x->arg, y->arg);
  if (x->n_src != y->n_src)
    return FALSE;
  for (guint i = 0; i < x->n_src; i++)
    {
      const FbText *p = fb_uop_device_name (x->src[i]), *q = fb_uop_device_name (y->src[i]);
      if (!p || p != q)
        return FALSE;
    }
  return TRUE;
}

FbUop *
fb_buf_uop (FbContext *context, FbUop *uop)
{
  FbUop *at = uop;

  while (at->base->op != FB_OP_BUFFER)
    {
      if (!fb_op_in (at->base->op, FB_OPS_BUFFER | FB_OP_BIT (ASSIGN)) || at->n_src == 0)
        {
          fb_context_fail (context, FB_ERROR_UNSUPPORTED, uop, "%s has no buffer", fb_op_name (at->op));
          return NULL;
        }
      at = at->src[0];
    }
  return at->base;
}

FbOp
fb_uop_reduce_op (const FbUop *uop)
{
  const FbTuple *arg = uop->op == FB_OP_REDUCE_AXIS && uop->arg.kind == FB_ARG_TUPLE ? uop->arg.tuple : NULL;
  return arg && arg->n && arg->items[0].kind == FB_ARG_OP ? arg->items[0].op : FB_OP_NONE;
}

/* An array by id of when a node was last seen, as long as there are nodes; the number that is now. */
static guint32 *
begin_walk (FbContext *context, guint32 *now)
{
  if (G_UNLIKELY (context->n_uops > context->seen_allocated))
    {
      const guint32 size = MAX (1024, MAX (context->n_uops, context->seen_allocated * 2));

      context->seen = g_renew (guint32, context->seen, size);
      memset (context->seen + context->seen_allocated, 0, sizeof (guint32) * (size - context->seen_allocated));
      context->seen_allocated = size;
    }
  if (G_UNLIKELY (++context->seen_now == 0))
    {
      memset (context->seen, 0, sizeof (guint32) * context->seen_allocated);
      context->seen_now = 1;
    }
  *now = context->seen_now;
  return context->seen;
}

static void
toposort (FbContext *context, FbUop *root, FbNodeList *order)
{
  guint32 now, depth = 0, *seen = begin_walk (context, &now);
  FbUop *uop = root, **out;
  FbUop *const *next = uop->src, *const *end = next + uop->n_src;

  /* room for every node: no look at it afterwards */
  if (order->allocated < context->n_uops)
    fb_node_list_reserve (order, context->n_uops);
  out = order->at;
  seen[root->id] = now;
  for (;;)
    {
      FbUop *source = NULL;

      while (next < end)
        {
          FbUop *s = *next++;
          guint32 *at = &seen[s->id];

          if (*at == now)
            continue;
          *at = now;
          if (s->n_src)
            {
              source = s;
              break;
            }
          *out++ = s;
        }
      if (source)
        {
          fb_walk_push (context, depth++, (FbWalkFrame){ uop, (guint32) (next - uop->src) });
          uop = source;
          next = uop->src;
          end = next + uop->n_src;
          continue;
        }
      *out++ = uop;
      if (depth == 0)
        break;
      uop = context->walk[--depth].uop;
      next = uop->src + context->walk[depth].next;
      end = uop->src + uop->n_src;
    }
  order->n = (guint32) (out - order->at);
}

FbNodeList *
fb_uop_order_once (FbContext *context, FbUop *root)
{
  FbNodeList *order = fb_node_list_acquire (context);

  toposort (context, root, order);
  return order;
}

FbNodeList *
fb_uop_order (FbContext *context, FbUop *root)
{
  FbKnownOrder *orders = context->orders, found = { root, NULL };
  guint i = 0;

  while (i < G_N_ELEMENTS (context->orders) - 1 && orders[i].root != root)
    i++;
  if (orders[i].root == root)
    found = orders[i];
  else
    {
      if (orders[i].order)
        fb_node_list_release (context, orders[i].order);
      found.order = fb_uop_order_once (context, root);
    }
  for (; i > 0; i--)
    orders[i] = orders[i - 1];
  orders[0] = found;
  found.order->refs++;
  return found.order;
}

GPtrArray *
fb_uop_toposort (FbContext *context, FbUop *root)
{
  FbNodeList *order = fb_uop_order (context, root);
  GPtrArray *array = g_ptr_array_sized_new (order->n);

  g_ptr_array_set_size (array, (gint) order->n);
  memcpy (array->pdata, order->at, sizeof *order->at * order->n);
  fb_node_list_release (context, order);
  return array;
}
