#include "random-graph.h"

#define MAX_NODES 40
#define MAX_ELEMENTS 400

typedef struct
{
  FbContext *c;
  GRand *rand;
  guint n;
  FbUop *nodes[MAX_NODES + 8];
  gint64 n_buffers;
} Builder;

static guint
pick (Builder *b, guint n)
{
  return (guint) g_rand_int_range (b->rand, 0, (gint32) n);
}

static FbUop *
any (Builder *b)
{
  /* late ones more often, so that graphs grow deep */
  return b->nodes[b->n - 1 - pick (b, 1 + pick (b, b->n))];
}

static const FbDims *
shape_of (Builder *b, FbUop *x)
{
  return fb_uop_shape (b->c, x);
}

static gint64
elements (const FbDims *shape)
{
  gint64 n = 1;

  for (guint i = 0; i < shape->n; i++)
    n *= fb_sint_int (shape->at[i]);
  return n;
}

static FbUop *
new_buffer (Builder *b)
{
  static const gint64 shapes[][3] = { { 4, 1, 1 }, { 2, 3, 1 }, { 4, 4, 1 }, { 2, 3, 4 }, { 6, 1, 1 }, { 8, 2, 1 } };
  static const guint8 ranks[] = { 1, 2, 2, 3, 1, 2 };
  const FbDType *dtypes[] = { FB_DTYPE (FLOAT32), FB_DTYPE (FLOAT32), FB_DTYPE (INT32), FB_DTYPE (FLOAT16) };
  guint s = pick (b, G_N_ELEMENTS (shapes));
  const FbDims *dims = dims_of (b->c, ranks[s], shapes[s]);

  return fb_movement (b->c, FB_OP_RESHAPE,
                      buffer_on (b->c, "CPU", b->n_buffers++, elements (dims), dtypes[pick (b, G_N_ELEMENTS (dtypes))]),
                      dims);
}

/* One more dimension, one less, or two swapped in size. */
static FbUop *
reshape (Builder *b, FbUop *x)
{
  const FbDims *shape = shape_of (b, x);
  FbSint dims[8];
  gint64 n = elements (shape), left = n;
  guint rank = 0;

  while (left > 1 && rank < 3)
    {
      gint64 d = 2 + (gint64) pick (b, 4);
      if (left % d == 0 && pick (b, 3))
        {
          dims[rank++] = fb_sint (d);
          left /= d;
        }
      else if (pick (b, 2))
        break;
    }
  if (left > 1 || rank == 0)
    dims[rank++] = fb_sint (left);
  if (pick (b, 4) == 0)
    dims[rank++] = fb_sint (1);
  return fb_movement (b->c, FB_OP_RESHAPE, x, fb_dims_new (b->c, rank, dims));
}

static FbUop *
permute (Builder *b, FbUop *x)
{
  const FbDims *shape = shape_of (b, x);
  FbSint order[8];

  for (guint i = 0; i < shape->n; i++)
    order[i] = fb_sint (i);
  for (guint i = shape->n; i > 1; i--)
    {
      guint k = pick (b, i);
      FbSint swapped = order[i - 1];
      order[i - 1] = order[k];
      order[k] = swapped;
    }
  return fb_movement (b->c, FB_OP_PERMUTE, x, fb_dims_new (b->c, shape->n, order));
}

static FbUop *
move (Builder *b, FbUop *x)
{
  const FbDims *shape = shape_of (b, x);
  FbSint arg[16];
  guint kind = pick (b, 6);

  if (kind == 0)
    return reshape (b, x);
  if (kind == 1)
    return permute (b, x);
  if (shape->n == 0 || shape->n > 4)
    return x;
  if (kind == 2)
    { /* expand what has size 1, after a new dimension of it */
      for (guint i = 0; i < shape->n; i++)
        arg[i] = shape->at[i];
      arg[shape->n] = fb_sint (1);
      x = fb_movement (b->c, FB_OP_RESHAPE, x, fb_dims_new (b->c, shape->n + 1u, arg));
      for (guint i = 0; i <= shape->n; i++)
        if (fb_sint_is (arg[i], 1))
          arg[i] = fb_sint (1 + pick (b, 3));
      return fb_movement (b->c, FB_OP_EXPAND, x, fb_dims_new (b->c, shape->n + 1u, arg));
    }
  for (guint i = 0; i < shape->n; i++)
    {
      gint64 size = fb_sint_int (shape->at[i]), begin = (gint64) pick (b, (guint) size);
      gint64 length = 1 + (gint64) pick (b, (guint) (size - begin));

      switch (kind)
        {
        case 3:
          arg[2 * i] = fb_sint (pick (b, 3) ? 0 : pick (b, 3));
          arg[2 * i + 1] = fb_sint (pick (b, 3) ? 0 : pick (b, 3));
          break;
        case 4:
          arg[2 * i] = fb_sint (begin);
          arg[2 * i + 1] = fb_sint (begin + length);
          break;
        default:
          arg[i] = fb_sint (pick (b, 2));
        }
    }
  if (kind == 5)
    return fb_movement (b->c, FB_OP_FLIP, x, fb_dims_new (b->c, shape->n, arg));
  return fb_movement (b->c, kind == 3 ? FB_OP_PAD : FB_OP_SHRINK, x, fb_dims_new (b->c, 2u * shape->n, arg));
}

/* @y in the shape and dtype of @x: as it is, reshaped, or instead of it a constant. */
static FbUop *
match (Builder *b, FbUop *x, FbUop *y)
{
  const FbDims *want = shape_of (b, x), *have = shape_of (b, y);
  FbUop *view;
  FbArg one;

  if (want != have && elements (want) == elements (have))
    y = fb_movement (b->c, FB_OP_RESHAPE, y, want);
  else if (want != have || pick (b, 8) == 0)
    {
      gint64 value = (gint64) pick (b, 4) - 1;
      one = fb_dtype_is_float (x->dtype)  ? fb_arg_float ((double) value)
            : x->dtype == FB_DTYPE (BOOL) ? fb_arg_bool (value)
                                          : fb_arg_int (value);
      view = device (b->c, "CPU");
      view = NODE (b->c, VIEW, FB_DTYPE (VOID), fb_arg_st (fb_st_from_shape (b->c, NO_DIMS (b->c))), view);
      y = NODE (b->c, CONST, x->dtype, one, view);
      view = const_of_shape (b->c, 0, want); /* for its movements */
      y = fb_movement (b->c, FB_OP_RESHAPE, y,
                       shape_of (b, view->n_src && view->op == FB_OP_EXPAND ? view->src[0] : view));
      y = fb_movement (b->c, FB_OP_EXPAND, y, want);
    }
  return fb_cast (b->c, y, x->dtype);
}

static FbUop *
compute (Builder *b)
{
  static const FbOp unary[] = { FB_OP_SIN, FB_OP_SQRT, FB_OP_EXP2, FB_OP_RECIP, FB_OP_LOG2 };
  static const FbOp binary[] = { FB_OP_ADD, FB_OP_MUL, FB_OP_ADD, FB_OP_MAX, FB_OP_MUL };
  FbUop *x = any (b), *y;

  if (x->dtype == FB_DTYPE (BOOL))
    x = fb_cast (b->c, x, FB_DTYPE (FLOAT32));
  if (pick (b, 2))
    return fb_alu1 (b->c, unary[pick (b, G_N_ELEMENTS (unary))],
                    fb_dtype_is_float (x->dtype) ? x : fb_cast (b->c, x, FB_DTYPE (FLOAT32)));
  y = match (b, x, any (b));
  if (pick (b, 6) == 0)
    return fb_alu3 (b->c, FB_OP_WHERE, fb_alu2 (b->c, FB_OP_CMPLT, x, y), y, match (b, y, any (b)));
  if (pick (b, 8) == 0)
    return fb_alu2 (b->c, FB_OP_CMPNE, x, y);
  return fb_alu2 (b->c, binary[pick (b, G_N_ELEMENTS (binary))], x, y);
}

static FbUop *
reduced (Builder *b)
{
  FbUop *x = any (b);
  const FbDims *shape = shape_of (b, x);
  gint64 axes[8];
  guint n = 0;

  for (guint i = 0; i < shape->n && i < 8; i++)
    if (!fb_sint_is (shape->at[i], 1) && pick (b, 2))
      axes[n++] = i;
  if (n == 0)
    return x;
  if (x->dtype == FB_DTYPE (BOOL))
    x = fb_cast (b->c, x, FB_DTYPE (INT32));
  return reduce (b->c, pick (b, 3) ? FB_OP_ADD : FB_OP_MAX, x, dims_of (b->c, n, axes));
}

/* Does it show each element of its buffer at most once? */
static gboolean
can_be_assigned (const FbUop *x)
{
  while (fb_op_in (x->op, FB_OPS_MOVEMENT & ~(FB_OP_BIT (EXPAND) | FB_OP_BIT (PAD))))
    x = x->src[0];
  return x->op == FB_OP_BUFFER;
}

/* An ASSIGN to the buffer of some node, or to a fresh one. */
static FbUop *
assigned (Builder *b)
{
  FbUop *target = b->nodes[pick (b, b->n)];

  if (!can_be_assigned (target))
    target = new_buffer (b);
  return assign_to (b->c, target, match (b, target, any (b)));
}

static FbUop *
next_node (Builder *b)
{
  switch (pick (b, 14))
    {
    case 0:
      return new_buffer (b);
    case 1:
    case 2:
    case 3:
    case 4:
      return compute (b);
    case 5:
    case 6:
      return reduced (b);
    case 7:
      return op1 (b->c, FB_OP_CONTIGUOUS, any (b));
    case 8:
      return pick (b, 3) ? op1 (b->c, FB_OP_DETACH, any (b)) : assigned (b);
    case 9:
      return fb_cast (b->c, any (b), pick (b, 2) ? FB_DTYPE (FLOAT32) : FB_DTYPE (FLOAT16));
    default:
      return move (b, any (b));
    }
}

FbUop *
random_graph (FbContext *c, guint32 seed)
{
  Builder b = { c, g_rand_new_with_seed (seed), 0, { NULL }, 0 };
  FbOptions *options = fb_context_options (c);
  guint n = 4 + pick (&b, MAX_NODES - 4), n_out = 1 + pick (&b, 3);
  FbUop *out[3], *sink;

  options->fuse_arange = pick (&b, 4) == 0;
  options->fuse_conv_bw = pick (&b, 4) == 0;
  options->dont_realize_expand = pick (&b, 4) == 0;
  options->reduceop_split_threshold = pick (&b, 4) == 0 ? 16 : 32768;
  b.nodes[b.n++] = new_buffer (&b);
  while (b.n < n)
    {
      FbUop *x = next_node (&b);
      g_assert_false (fb_context_failed (c));
      if (elements (shape_of (&b, x)) <= MAX_ELEMENTS && shape_of (&b, x)->n <= 5)
        b.nodes[b.n++] = x;
    }
  for (guint i = 0; i < n_out; i++)
    {
      out[i] = b.nodes[b.n - 1 - i];
      if (pick (&b, 10) == 0)
        out[i] = copy_to (c, "CPU:1", out[i], FALSE);
    }
  sink = fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), n_out, out, FB_ARG_NIL);
  g_rand_free (b.rand);
  return sink;
}
