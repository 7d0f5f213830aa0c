/* What each tensor of the input becomes: a movement of a buffer, or a constant (schedule.py:383-409). */
#include "core/ir/context-private.h"
#include "passes.h"
#include "uop-dict.h"

struct _FbBecomes
{
  FbContext *context;
  FbUop *const *tensor_map;
  guint n_map;
  FbUopDict *map;
  /* the tensors that became a simplified node, a list: the first one by node, then the next one by id */
  FbNodeMap *first, *last;
  FbUop **next;
};

/* The first node of @tensor's toposort that became a view like @value of the same base (schedule.py:393). */
static FbUop *
backtrack (FbBecomes *b, FbUop *tensor, FbUop *value)
{
  typedef struct
  {
    FbUop *uop;
    guint32 next;
  } Frame;
  FbContext *context = b->context;
  const FbShapeTracker *st = fb_uop_st (context, value);
  FbNodeMap *seen = fb_node_map_acquire (context);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  Frame frame = { tensor, 0 };
  FbUop *found = NULL;

  g_array_append_val (stack, frame);
  fb_node_map_set (seen, tensor, 1);
  while (stack->len && !found)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);
      FbUop *uop = top->uop, *became;

      if (top->next < uop->n_src)
        {
          FbUop *s = uop->src[top->next++];
          if (!fb_node_map_get (seen, s))
            {
              fb_node_map_set (seen, s, 1);
              frame = (Frame){ s, 0 };
              g_array_append_val (stack, frame);
            }
          continue;
        }
      g_array_set_size (stack, stack->len - 1);
      became = uop->id < b->n_map ? b->tensor_map[uop->id] : NULL;
      if (became && became->base == value->base && fb_uop_st (context, became) == st)
        found = uop;
    }
  fb_node_map_release (context, seen);
  return found;
}

FbBecomes *
fb_becomes_new (FbContext *context, FbUop *big_sink, FbUop *const *tensor_map, guint n_map)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (context, big_sink);
  FbBecomes *b = g_new0 (FbBecomes, 1);

  b->context = context;
  b->tensor_map = tensor_map;
  b->n_map = n_map;
  b->map = fb_uop_dict_new (context);
  b->first = fb_node_map_acquire (context);
  b->last = fb_node_map_acquire (context);
  b->next = g_new0 (FbUop *, n_map);
  for (guint i = order->len; i-- > 0;)
    {
      FbUop *k = g_ptr_array_index (order, i), *v = tensor_map[k->id];
      FbUop *last = (FbUop *) fb_node_map_get (b->last, v);
      const FbDims *shape;

      if (last)
        b->next[last->id] = k;
      else
        fb_node_map_set (b->first, v, (guintptr) k);
      fb_node_map_set (b->last, v, (guintptr) k);
      if (k == v)
        continue;
      if (v->base->op == FB_OP_BUFFER)
        {
          FbUop *to = v->op == FB_OP_VIEW ? backtrack (b, k, v) : v;
          if (to && to != k)
            fb_uop_dict_set (b->map, k, to);
        }
      else if (v->base->op == FB_OP_CONST && (shape = fb_uop_shape (context, v)) && shape->all_int)
        fb_uop_dict_set (b->map, k, v);
    }
  return b;
}

void
fb_becomes_free (FbBecomes *b)
{
  if (!b)
    return;
  fb_uop_dict_free (b->map);
  fb_node_map_release (b->context, b->first);
  fb_node_map_release (b->context, b->last);
  g_free (b->next);
  g_free (b);
}

gboolean
fb_becomes_add_kernels (FbBecomes *b, FbUop *sink, FbUop *const *kernel_map, guint n_kernel_map)
{
  FbContext *context = b->context;
  g_autoptr (GPtrArray) order = fb_uop_toposort (context, sink);

  for (guint i = order->len; i-- > 0;)
    {
      FbUop *k = g_ptr_array_index (order, i), *v = k->id < n_kernel_map ? kernel_map[k->id] : NULL;
      FbUop *tensor;

      if (!v || k == v || v->op != FB_OP_ASSIGN)
        continue;
      if (!(tensor = (FbUop *) fb_node_map_get (b->first, k)))
        {
          fb_context_fail (context, FB_ERROR_UNSUPPORTED, k, "%s is realized but is no tensor of the input",
                           fb_op_name (k->op));
          return FALSE;
        }
      for (; tensor; tensor = b->next[tensor->id])
        {
          FbUop *to = NULL;
          const FbDims *shape;

          if (tensor->op == FB_OP_ASSIGN && tensor->n_src)
            to = tensor->src[0];
          else if ((shape = fb_uop_shape (context, tensor)))
            to = fb_movement (context, FB_OP_RESHAPE, fb_buf_uop (context, v), shape);
          if (!to || fb_context_failed (context))
            return FALSE;
          fb_uop_dict_set (b->map, tensor, to);
        }
    }
  return TRUE;
}

guint
fb_becomes_size (const FbBecomes *b)
{
  return fb_uop_dict_size (b->map);
}
