/* What the tensors of the input become: a movement of a buffer, or a constant (schedule.py:383-409). Nobody asks for those nodes,
 * only for how many there are. */
#include "core/ir/context-private.h"
#include "passes.h"

/* A tensor that became a node which is realized, or may be stored without. */
typedef struct _Tensor
{
  FbUop *uop;
  gboolean counted;
  struct _Tensor *next;
} Tensor;

struct _FbBecomes
{
  FbContext *context;
  FbUop *const *tensor_map;
  guint n_map;
  FbNodeMap *tensors; /* of a realized node: the Tensors that became it */
  guint n;            /* tensors that became a constant, what was there before, or what a kernel stores */
};

/* Did @uop become a view like @value, which is of a buffer? */
static gboolean
shows_same (FbBecomes *b, const FbUop *uop, const FbUop *value, const FbShapeTracker *st)
{
  FbUop *became = uop->id < b->n_map ? b->tensor_map[uop->id] : NULL;
  return became && became->base == value->base && fb_uop_st (b->context, became) == st;
}

/* Did a node below @tensor become a view like @value (schedule.py:393)? */
static gboolean
was_there (FbBecomes *b, FbUop *tensor, FbUop *value)
{
  FbContext *context = b->context;
  const FbShapeTracker *st = fb_uop_st (context, value);
  FbUop *uop = tensor;
  FbNodeList *order;
  gboolean found = FALSE;

  /* mostly there is only one way down, to a buffer */
  for (;; uop = uop->src[0])
    {
      gboolean deeper = FALSE;

      for (guint i = 0; i < uop->n_src && !found; i++)
        {
          found = shows_same (b, uop->src[i], value, st);
          deeper |= uop->src[i]->n_src > 0;
        }
      if (found || !deeper)
        return found;
      if (uop->n_src > 1)
        break;
    }
  order = fb_uop_order_once (context, uop);
  for (guint i = 0; i + 1 < order->n && !found; i++)
    found = shows_same (b, order->at[i], value, st);
  fb_node_list_release (context, order);
  return found;
}

/* Does tensor @k, of which the first pass made @v, become something without a kernel? */
static gboolean
is_at_hand (FbBecomes *b, FbUop *k, FbUop *v)
{
  const FbDims *shape;

  if (k == v)
    return FALSE;
  if (v->base->op == FB_OP_BUFFER)
    return v->op != FB_OP_VIEW || was_there (b, k, v);
  return v->base->op == FB_OP_CONST && (shape = fb_uop_shape (b->context, v)) && shape->all_int;
}

FbBecomes *
fb_becomes_new (FbContext *context, FbUop *big_sink, FbUop *const *tensor_map, guint n_map, const FbNodeMap *realizes)
{
  FbNodeList *order = fb_uop_order (context, big_sink);
  FbBecomes *b = fb_arena_alloc (&context->arena, sizeof *b);

  *b = (FbBecomes){ context, tensor_map, n_map, fb_node_map_acquire (context) };
  for (guint i = 0; i < order->n; i++)
    {
      FbUop *k = order->at[i], *v = tensor_map[k->id];
      const gboolean counted = is_at_hand (b, k, v);
      Tensor *tensor;

      b->n += counted;
      if (!fb_node_map_get (realizes, v) && v->op != FB_OP_ASSIGN)
        continue;
      tensor = fb_arena_alloc (&context->arena, sizeof *tensor);
      *tensor = (Tensor){ k, counted, (Tensor *) fb_node_map_get (b->tensors, v) };
      fb_node_map_set (b->tensors, v, (guintptr) tensor);
    }
  fb_node_list_release (context, order);
  return b;
}

void
fb_becomes_free (FbBecomes *b)
{
  if (b)
    fb_node_map_release (b->context, b->tensors);
}

/* Is @shape, of as many elements as @buffer has, a plain one? Then nothing can be wrong with a reshape to it. */
static gboolean
is_all_of (const FbUop *buffer, const FbDims *shape)
{
  return shape->all_int && !shape->has_zero && buffer->arg.kind == FB_ARG_INT && shape->prod == buffer->arg.i;
}

/* Has @tensor, of which the first pass made @k, which is stored as @v, its shape there? That pass keeps shapes, and knows those
 * of what it made. What the tensor becomes is the target of an ASSIGN, or else a reshape of the buffer: nobody asks for that
 * node, only for how many there are. FALSE on error. */
static gboolean
is_stored (FbContext *context, const FbUop *tensor, FbUop *k, FbUop *v)
{
  const FbDims *shape;
  FbUop *buffer;

  if (tensor->op == FB_OP_ASSIGN && tensor->n_src)
    return TRUE;
  shape = fb_uop_shape (context, k);
  buffer = shape ? fb_buf_uop (context, v) : NULL;
  return buffer && (is_all_of (buffer, shape) || fb_movement (context, FB_OP_RESHAPE, buffer, shape));
}

static gboolean
add_kernel (FbBecomes *b, FbUop *k, FbUop *v)
{
  Tensor *tensor = (Tensor *) fb_node_map_get (b->tensors, k);

  if (!tensor)
    {
      fb_context_fail (b->context, FB_ERROR_UNSUPPORTED, k, "%s is realized but is no tensor of the input",
                       fb_op_name (k->op));
      return FALSE;
    }
  for (; tensor; tensor = tensor->next)
    {
      if (!is_stored (b->context, tensor->uop, k, v) || fb_context_failed (b->context))
        return FALSE;
      b->n += !tensor->counted;
    }
  return TRUE;
}

gboolean
fb_becomes_add_kernels (FbBecomes *b, const FbKernels *kernels)
{
  for (guint i = kernels->realized->n; i-- > 0;)
    if (!add_kernel (b, kernels->realized->at[i], kernels->stored->at[i]))
      return FALSE;
  return TRUE;
}

guint
fb_becomes_size (const FbBecomes *b)
{
  return b->n;
}
