/* What each tensor of the input becomes: a movement of a buffer, or a constant (schedule.py:383-409). */
#include "core/ir/context-private.h"
#include "passes.h"
#include "uop-dict.h"

struct _FbBecomes
{
  FbContext *context;
  FbUop *const *tensor_map;
  guint n_map;
  FbUopDict *map; /* to a constant, to where it was before, or to the ASSIGN that stores it */
  /* the tensors that became a simplified node, a list: the first one by node, then the next one by id */
  FbNodeMap *first, *last;
  FbUop **next;
};

/* The first node of @tensor's toposort that became a view like @value of the same base (schedule.py:393). */
static FbUop *
backtrack (FbBecomes *b, FbUop *tensor, FbUop *value)
{
  FbContext *context = b->context;
  const FbShapeTracker *st = fb_uop_st (context, value);
  FbNodeList *order = fb_uop_order_once (context, tensor);
  FbUop *found = NULL;

  for (guint i = 0; i < order->n && !found; i++)
    {
      FbUop *uop = order->at[i], *became = uop->id < b->n_map ? b->tensor_map[uop->id] : NULL;
      if (became && became->base == value->base && fb_uop_st (context, became) == st)
        found = uop;
    }
  fb_node_list_release (context, order);
  return found;
}

FbBecomes *
fb_becomes_new (FbContext *context, FbUop *big_sink, FbUop *const *tensor_map, guint n_map)
{
  FbNodeList *order = fb_uop_order (context, big_sink);
  FbBecomes *b = g_new0 (FbBecomes, 1);

  b->context = context;
  b->tensor_map = tensor_map;
  b->n_map = n_map;
  b->map = fb_uop_dict_new (context);
  b->first = fb_node_map_acquire (context);
  b->last = fb_node_map_acquire (context);
  b->next = g_new0 (FbUop *, n_map);
  for (guint i = order->n; i-- > 0;)
    {
      FbUop *k = order->at[i], *v = tensor_map[k->id];
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
  fb_node_list_release (context, order);
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

/* Can nothing be wrong with a buffer of this many elements in that shape? */
static gboolean
surely_fits (const FbUop *buffer, const FbDims *shape)
{
  gint64 size = 1;

  if (!shape->all_int || shape->has_zero || buffer->arg.kind != FB_ARG_INT)
    return FALSE;
  for (guint i = 0; i < shape->n; i++)
    if (__builtin_mul_overflow (size, fb_sint_int (shape->at[i]), &size))
      return FALSE;
  return size == buffer->arg.i;
}

/* Has @tensor, which is stored as @v, its shape there? What it becomes is the target of an ASSIGN, or else a reshape of the
 * buffer: nobody asks for that node, only for how many there are. FALSE on error. */
static gboolean
is_stored (FbContext *context, FbUop *tensor, FbUop *v)
{
  const FbDims *shape;
  FbUop *buffer;

  if (tensor->op == FB_OP_ASSIGN && tensor->n_src)
    return TRUE;
  shape = fb_uop_shape (context, tensor);
  buffer = shape ? fb_buf_uop (context, v) : NULL;
  return buffer && (surely_fits (buffer, shape) || fb_movement (context, FB_OP_RESHAPE, buffer, shape));
}

static gboolean
add_kernel (FbBecomes *b, FbUop *k, FbUop *v)
{
  FbUop *tensor = (FbUop *) fb_node_map_get (b->first, k);

  if (!tensor)
    {
      fb_context_fail (b->context, FB_ERROR_UNSUPPORTED, k, "%s is realized but is no tensor of the input",
                       fb_op_name (k->op));
      return FALSE;
    }
  for (; tensor; tensor = b->next[tensor->id])
    {
      if (!is_stored (b->context, tensor, v) || fb_context_failed (b->context))
        return FALSE;
      fb_uop_dict_set (b->map, tensor, v);
    }
  return TRUE;
}

gboolean
fb_becomes_add_kernels (FbBecomes *b, FbUop *sink, const FbNodeMap *kernel_map)
{
  FbNodeList *order = fb_uop_order (b->context, sink);
  gboolean ok = TRUE;

  for (guint i = order->n; i-- > 0 && ok;)
    {
      FbUop *k = order->at[i], *v = (FbUop *) fb_node_map_get (kernel_map, k);

      if (v && k != v && v->op == FB_OP_ASSIGN)
        ok = add_kernel (b, k, v);
    }
  fb_node_list_release (b->context, order);
  return ok;
}

guint
fb_becomes_size (const FbBecomes *b)
{
  return fb_uop_dict_size (b->map);
}
