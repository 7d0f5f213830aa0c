#include "cost.h"

#include "core/ir/context-private.h"

/* Dimensions of a node that its value depends on, a bit each; those beyond count as needed. */
typedef guint64 Dims;
#define MAX_DIMS 62

/* The largest value of a size, 0 or more. */
static gint64
largest (FbContext *context, FbSint size)
{
  FbArg most;

  if (fb_sint_is_int (size))
    return MAX (fb_sint_int (size), 0);
  most = fb_uop_vmax (context, fb_sint_get_uop (size));
  return most.kind == FB_ARG_INT ? MAX (most.i, 0) : 0;
}

static gint64
times (gint64 a, gint64 b)
{
  gint64 product;
  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

static gint64
plus (gint64 a, gint64 b)
{
  gint64 sum;
  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

/* The product of those dimensions of @shape that are in @dims. */
static gint64
count (FbContext *context, const FbDims *shape, Dims dims)
{
  gint64 n = 1;

  for (guint i = 0; i < shape->n; i++)
    if (i >= MAX_DIMS || (dims >> i & 1))
      n = times (n, largest (context, shape->at[i]));
  return n;
}

#define ALL_DIMS (~(Dims) 0)

/* Those along which a view moves in what it views, or masks. */
static Dims
dims_of_st (const FbShapeTracker *st)
{
  const FbView *last = st->views[st->n - 1];
  Dims dims = 0;

  for (guint i = 0; i < last->shape->n && i < MAX_DIMS; i++)
    {
      gboolean masked
          = last->mask
            && !(fb_sint_is (last->mask->at[2 * i], 0) && fb_sint_same (last->mask->at[2 * i + 1], last->shape->at[i]));
      if (masked || !fb_sint_is (last->strides->at[i], 0))
        dims |= (Dims) 1 << i;
    }
  return dims;
}

/* Distinct elements that a view reaches, at most. */
static gint64
reached (FbContext *context, const FbShapeTracker *st)
{
  const FbView *last = st->views[st->n - 1];
  gint64 n = 1;

  for (guint i = 0; i < last->shape->n; i++)
    {
      gint64 size = largest (context, last->shape->at[i]);

      if (fb_sint_is (last->strides->at[i], 0))
        size = MIN (size, 1);
      else if (last->mask && fb_sint_is_int (last->mask->at[2 * i]) && fb_sint_is_int (last->mask->at[2 * i + 1]))
        size = MIN (size, MAX (fb_sint_int (last->mask->at[2 * i + 1]) - fb_sint_int (last->mask->at[2 * i]), 0));
      n = times (n, size);
    }
  return n;
}

static const FbShapeTracker *
view_of (const FbUop *buffer_op)
{
  for (guint i = 0; i < buffer_op->n_src; i++)
    if (buffer_op->src[i]->op == FB_OP_VIEW && buffer_op->src[i]->arg.kind == FB_ARG_ST)
      return buffer_op->src[i]->arg.st;
  return NULL;
}

typedef struct
{
  FbContext *context;
  const FbKernelItem *item;
  FbKernelCost *cost;
  FbNodeMap *dims;  /* of a node + 1, since 0 is "absent" */
  gint64 *elements; /* read of each buffer */
} Counting;

static void
set_dims (Counting *c, const FbUop *uop, Dims dims)
{
  fb_node_map_set (c->dims, uop, (guintptr) (dims + 1));
}

static Dims
get_dims (Counting *c, const FbUop *uop)
{
  Dims dims = (Dims) fb_node_map_get (c->dims, uop);
  return dims ? dims - 1 : 0;
}

/* An op done for every element of @shape, of which those along @dims differ. */
static void
add_work (Counting *c, const FbDims *shape, Dims dims)
{
  gint64 all = count (c->context, shape, ALL_DIMS), distinct = count (c->context, shape, dims);

  c->cost->flops = plus (c->cost->flops, all);
  if (distinct > 0)
    c->cost->recompute = MAX (c->cost->recompute, (double) all / (double) distinct);
}

static void
count_buffer_op (Counting *c, FbUop *uop)
{
  const FbShapeTracker *st = view_of (uop);
  FbUop *global = uop->n_src ? uop->src[0] : NULL;
  gint64 n = st ? reached (c->context, st) : 0;

  if (st)
    set_dims (c, uop, dims_of_st (st));
  if (!st || !global || global->op != FB_OP_DEFINE_GLOBAL || global->arg.kind != FB_ARG_INT || global->arg.i < 0
      || global->arg.i >= c->item->n_buffers)
    return;
  if (uop->op == FB_OP_LOAD)
    c->elements[global->arg.i] = plus (c->elements[global->arg.i], n);
  else
    c->cost->bytes_written = plus (c->cost->bytes_written, times (n, global->dtype->base->itemsize));
}

static void
count_node (Counting *c, FbUop *uop)
{
  const FbShapeTracker *st;
  Dims dims = 0;

  if (fb_op_in (uop->op, FB_OP_BIT (LOAD) | FB_OP_BIT (STORE) | FB_OP_BIT (VALID)))
    {
      count_buffer_op (c, uop);
      return;
    }
  for (guint i = 0; i < uop->n_src; i++)
    dims |= get_dims (c, uop->src[i]);
  if (uop->op == FB_OP_REDUCE_AXIS)
    {
      const FbDims *axes = fb_uop_axes (c->context, uop);

      c->cost->ops[uop->op]++;
      if ((st = fb_uop_st (c->context, uop->src[0])))
        add_work (c, st->shape, dims);
      for (guint i = 0; axes && i < axes->n; i++)
        if (fb_sint_is_int (axes->at[i]) && fb_sint_int (axes->at[i]) >= 0 && fb_sint_int (axes->at[i]) < MAX_DIMS)
          dims &= ~((Dims) 1 << fb_sint_int (axes->at[i]));
    }
  else if (fb_op_in (uop->op, FB_OPS_ALU | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST)))
    {
      c->cost->ops[uop->op]++;
      if (fb_op_in (uop->op, FB_OPS_ALU) && (st = fb_uop_st (c->context, uop)))
        add_work (c, st->shape, dims);
    }
  else if (uop->op == FB_OP_VIEW && uop->n_src && uop->arg.kind == FB_ARG_ST)
    dims = dims_of_st (uop->arg.st);
  set_dims (c, uop, dims);
}

static gint64
buffer_bytes (const FbKernelBuffer *buffer)
{
  return times (MAX (buffer->size, 0), buffer->dtype->itemsize);
}

void
fb_kernel_cost (FbContext *context, const FbKernelItem *item, FbKernelCost *cost)
{
  FbNodeList *order;
  Counting c = { context, item, cost };

  *cost = (FbKernelCost){ .recompute = 1 };
  if (item->ast->op == FB_OP_BUFFER_VIEW)
    return;
  if (item->ast->op == FB_OP_COPY)
    {
      if (item->n_buffers > 1)
        cost->bytes_read = buffer_bytes (&item->buffers[1]);
      if (item->n_buffers > 0)
        cost->bytes_written = buffer_bytes (&item->buffers[0]);
      return;
    }
  c.dims = fb_node_map_acquire (context);
  c.elements = g_new0 (gint64, item->n_buffers + 1);
  order = fb_uop_order_once (context, item->ast);
  for (guint i = 0; i < order->n; i++)
    count_node (&c, order->at[i]);
  for (guint i = 0; i < item->n_buffers; i++)
    {
      const FbKernelBuffer *buffer = &item->buffers[i];
      gint64 n = MIN (c.elements[i], MAX (buffer->size, 0));

      cost->bytes_read = plus (cost->bytes_read, times (n, buffer->dtype->itemsize));
    }
  fb_node_list_release (context, order);
  fb_node_map_release (context, c.dims);
  g_free (c.elements);
}

static FbBufferLife *
life_of (GArray *lives, FbNodeMap *at, const FbKernelBuffer *buffer)
{
  guint position = (guint) fb_node_map_get (at, buffer->buffer);
  FbBufferLife life = { buffer->buffer, buffer_bytes (buffer), 0, 0, FALSE };

  if (!position)
    {
      g_array_append_val (lives, life);
      position = lives->len;
      fb_node_map_set (at, buffer->buffer, position);
    }
  return &g_array_index (lives, FbBufferLife, position - 1);
}

static void
note_outputs (const FbSchedule *schedule, FbNodeMap *outputs)
{
  for (guint i = 0; i < schedule->ledger->len; i++)
    if (schedule->ledger->at[i].reason == FB_REASON_OUTPUT)
      fb_node_map_set (outputs, schedule->ledger->at[i].node, 1);
}

static gint64
peak_of (const GArray *lives, guint n_kernels)
{
  g_autofree gint64 *change = g_new0 (gint64, n_kernels + 2);
  gint64 now = 0, peak = 0;

  for (guint i = 0; i < lives->len; i++)
    {
      const FbBufferLife *life = &g_array_index (lives, FbBufferLife, i);

      if (life->stays)
        now = plus (now, life->bytes);
      else
        {
          change[life->created] = plus (change[life->created], life->bytes);
          change[life->last_used + 1] -= life->bytes;
        }
    }
  peak = now;
  for (guint k = 1; k <= n_kernels; k++)
    {
      now = plus (now, change[k]);
      peak = MAX (peak, now);
    }
  return peak;
}

void
fb_schedule_cost (const FbSchedule *schedule, FbScheduleCost *cost, FbKernelCost **kernels, GArray **lives)
{
  FbContext *context = schedule->context;
  FbKernelCost *each = kernels ? g_new0 (FbKernelCost, schedule->kernels->len + 1) : NULL;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (FbBufferLife));
  FbNodeMap *at = fb_node_map_acquire (context), *outputs = fb_node_map_acquire (context);

  *cost = (FbScheduleCost){ .n_kernels = schedule->kernels->len };
  if (schedule->ledger)
    note_outputs (schedule, outputs);
  for (guint k = 0; k < schedule->kernels->len; k++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, k);
      FbKernelCost one;

      if (!item->ast)
        continue;
      fb_kernel_cost (context, item, &one);
      if (each)
        each[k] = one;
      cost->bytes_read = plus (cost->bytes_read, one.bytes_read);
      cost->bytes_written = plus (cost->bytes_written, one.bytes_written);
      cost->flops = plus (cost->flops, one.flops);
      for (guint i = 0; i < item->n_buffers; i++)
        {
          FbBufferLife *life = life_of (all, at, &item->buffers[i]);

          if (i == 0 && life->last_used == 0 && item->assign->src[1]->arg.kernel->ast->op != FB_OP_ASSIGN)
            life->created = k + 1;
          life->stays
              |= life->created == 0 || (i == 0 && fb_node_map_get (outputs, item->assign->src[1]->arg.kernel->ast));
          life->last_used = k + 1;
          /* a part of another buffer takes no room of its own */
          if (i == 0 && item->ast->op == FB_OP_BUFFER_VIEW)
            life->bytes = 0;
        }
    }
  cost->peak_bytes = peak_of (all, schedule->kernels->len);
  fb_node_map_release (context, at);
  fb_node_map_release (context, outputs);
  if (kernels)
    *kernels = each;
  if (lives)
    *lives = all;
  else
    g_array_unref (all);
}
