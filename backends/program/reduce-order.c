/* The part of the reference's optimiser that decides how reduces are unrolled, for a device without local memory. */
#include "reduce-order.h"

#include "core/symbolic/symbolic.h"

/* Dimensions of the kernel as the optimiser has them now. */
typedef struct
{
  guint first, last; /* of the AST: those it was merged from, or is a part of */
} Axis;

typedef struct
{
  FbContext *context;
  GPtrArray *buffers, *reduces; /* FbUop */
  GPtrArray *sts;               /* FbShapeTracker: of each buffer, then of each reduce its result and its source */
  guint full;                   /* whose shape is the kernel's */
  guint upcasted;               /* axes at the end that are unrolled */
  GArray *axes;                 /* of Axis */
} Optimizer;

static const FbDims *
shape_of (const Optimizer *o, guint st)
{
  return ((const FbShapeTracker *) g_ptr_array_index (o->sts, st))->shape;
}

static const FbDims *
full_shape (const Optimizer *o)
{
  return shape_of (o, o->full);
}

static guint
first_upcast (const Optimizer *o)
{
  return full_shape (o)->n - o->upcasted;
}

/* kernel.py:115 */
static guint
first_reduce (const Optimizer *o)
{
  guint end = first_upcast (o);
  for (guint i = 0; i < end; i++)
    if (fb_sint_ne (o->context, shape_of (o, 0)->at[i], full_shape (o)->at[i], TRUE))
      return i;
  return end;
}

/* The product of the axes from @begin to @end of @shape. Symbolic: what it may be at most. -1: more than 62 bits. */
static gint64
points (Optimizer *o, const FbDims *shape, guint begin, guint end)
{
  FbSint product = fb_sint_prod (o->context, end - begin, shape->at + begin);
  if (!fb_sint_is_int (product))
    product = fb_sint_vmax (o->context, product);
  return fb_context_failed (o->context) || !fb_sint_is_int (product) ? -1 : fb_sint_int (product);
}

/* Every tracker reshaped so that axis @i of the new shape has @items (of the tracker's own), then permuted. */
static gboolean
apply_all (Optimizer *o, const FbDims *(*reshape) (Optimizer *o, const FbDims *shape, gpointer data), gpointer data,
           const FbDims *permutation)
{
  for (guint i = 0; i < o->sts->len; i++)
    {
      const FbShapeTracker *st = g_ptr_array_index (o->sts, i);
      const FbDims *shape = reshape == NULL ? st->shape : reshape (o, st->shape, data);
      if (shape != NULL && shape != st->shape)
        st = fb_st_reshape (o->context, st, shape);
      if (shape != NULL && st != NULL && permutation != NULL)
        st = fb_st_permute (o->context, st, permutation);
      if (shape == NULL || st == NULL || fb_context_failed (o->context))
        return FALSE;
      g_ptr_array_index (o->sts, i) = (gpointer) st;
    }
  return TRUE;
}

static const FbDims *
without_ones (Optimizer *o, const FbDims *shape, gpointer data)
{
  const gboolean *ones = data;
  g_autofree FbSint *items = g_new (FbSint, MAX (shape->n, 1));
  guint n = 0;
  for (guint i = 0; i < shape->n; i++)
    if (!ones[i])
      items[n++] = shape->at[i];
  return fb_dims_new (o->context, n, items);
}

/* kernel.py:195 */
static gboolean
drop_ones (Optimizer *o)
{
  const FbDims *full = full_shape (o);
  guint begin = first_upcast (o), n = full->n, kept = 0;
  g_autofree gboolean *ones = g_new (gboolean, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      ones[i] = fb_sint_is (full->at[i], 1);
      if (!ones[i])
        g_array_index (o->axes, Axis, kept++) = g_array_index (o->axes, Axis, i);
      else if (i >= begin)
        o->upcasted--;
    }
  g_array_set_size (o->axes, kept);
  return kept == n || apply_all (o, without_ones, ones, NULL);
}

typedef struct
{
  guint axis;
  gint64 amount;
} Split;

static const FbDims *
split_axis (Optimizer *o, const FbDims *shape, gpointer data)
{
  const Split *split = data;
  g_autofree FbSint *items = g_new (FbSint, shape->n + 1);
  for (guint i = 0, n = 0; i < shape->n; i++)
    {
      FbSint size = shape->at[i];
      if (i != split->axis)
        items[n++] = size;
      else
        {
          if (!fb_sint_is_int (size))
            return NULL;
          gboolean many = fb_sint_int (size) > 1;
          items[n++] = fb_sint (many ? fb_sint_int (size) / split->amount : 1);
          items[n++] = fb_sint (many ? split->amount : 1);
        }
    }
  return fb_dims_new (o->context, shape->n + 1, items);
}

/* Unrolls @amount of @axis, 0 for all of it: a new axis at the end (kernel.py:185 shift_to). */
static gboolean
unroll (Optimizer *o, guint axis, gint64 amount)
{
  const FbDims *full = full_shape (o);
  gint64 size = fb_sint_is_int (full->at[axis]) ? fb_sint_int (full->at[axis]) : 0;
  Split split = { axis, amount == 0 ? size : amount };
  if (size < 2 || size % split.amount != 0)
    return FALSE;
  guint n = full->n + 1;
  g_autofree FbSint *order = g_new (FbSint, n);
  for (guint i = 0, at = 0; i < n; i++)
    if (i != axis + 1)
      order[at++] = fb_sint (i);
  order[n - 1] = fb_sint (axis + 1);
  Axis part = g_array_index (o->axes, Axis, axis);
  g_array_append_val (o->axes, part);
  if (!apply_all (o, split_axis, &split, fb_dims_new (o->context, n, order)))
    return FALSE;
  o->upcasted++;
  return drop_ones (o);
}

static const FbDims *
merged_shape (Optimizer *o, const FbDims *shape, gpointer data)
{
  const gboolean *joins = data;
  g_autofree FbSint *items = g_new (FbSint, MAX (shape->n, 1));
  guint n = 0;
  for (guint i = 0; i < shape->n; i++)
    if (i > 0 && joins[i])
      items[n - 1] = fb_sint_mul (o->context, items[n - 1], shape->at[i]);
    else
      items[n++] = shape->at[i];
  return fb_dims_new (o->context, n, items);
}

/* kernel.py:205: neighbours that are one in every tracker */
static gboolean
merge_neighbours (Optimizer *o)
{
  guint n = full_shape (o)->n, reduce = first_reduce (o), kept = 1;
  g_autofree gboolean *joins = g_new (gboolean, MAX (n, 1));
  for (guint i = 1; i < n; i++)
    joins[i] = i != reduce;
  for (guint s = 0; s < o->sts->len; s++)
    {
      const FbShapeTracker *st = g_ptr_array_index (o->sts, s);
      const FbRealStride *strides = fb_st_real_strides (o->context, st, FALSE);
      if (strides == NULL)
        return FALSE;
      for (guint i = 1; i < n; i++)
        {
          const FbRealStride *last = &strides[i - 1];
          gboolean one = strides[i].known && last->known;
          if (one && fb_sint_is (strides[i].stride, 0))
            one = fb_sint_is (last->stride, 0);
          else if (one)
            one = fb_sint_same (last->stride, fb_sint_mul (o->context, st->shape->at[i], strides[i].stride));
          joins[i] &= one;
        }
    }
  for (guint i = 1; i < n; i++)
    if (joins[i])
      g_array_index (o->axes, Axis, kept - 1).last = g_array_index (o->axes, Axis, i).last;
    else
      g_array_index (o->axes, Axis, kept++) = g_array_index (o->axes, Axis, i);
  if (n == 0)
    return TRUE;
  g_array_set_size (o->axes, kept);
  return apply_all (o, merged_shape, joins, NULL);
}

/* shapetracker.py:118 */
static gboolean
is_masked (Optimizer *o, const FbShapeTracker *st, guint axis)
{
  gboolean any = FALSE;
  FbUop *valid = NULL;
  for (guint i = 0; i < st->n; i++)
    any |= st->views[i]->mask != NULL;
  if (!any || fb_st_index_uops (o->context, st, NULL, &valid) == NULL || valid == NULL)
    return FALSE;
  valid = fb_rewrite (o->context, valid, fb_symbolic_flat (), NULL, FALSE, NULL);
  if (valid == NULL)
    return FALSE;
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (o->context, valid);
  for (guint i = 0; i < nodes->len; i++)
    {
      const FbUop *uop = g_ptr_array_index (nodes, i);
      if (uop->op == FB_OP_RANGE && uop->arg.kind == FB_ARG_INT && uop->arg.i == axis)
        return TRUE;
    }
  return FALSE;
}

/* kernel.py:495: short axes that are masked */
static gboolean
unroll_masked (Optimizer *o)
{
  const FbDims *full = full_shape (o);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  gint64 product = 1;
  for (guint axis = 0; axis < first_reduce (o); axis++)
    {
      gboolean masked = FALSE;
      gint64 size = fb_sint_is_int (full->at[axis]) ? fb_sint_int (full->at[axis]) : G_MAXINT32;
      if (size > 7 || product * size > 49)
        continue;
      for (guint i = 0; i < o->sts->len && !masked; i++)
        masked = is_masked (o, g_ptr_array_index (o->sts, i), axis);
      if (!masked)
        continue;
      product *= size;
      g_array_append_val (found, axis);
    }
  for (guint i = found->len; i-- > 0;)
    if (!unroll (o, g_array_index (found, guint, i), 0))
      return FALSE;
  return TRUE;
}

/* Is @axis one along which a buffer does not move, none of whose unrolled axes is one? */
static gboolean
is_shared (Optimizer *o, guint axis)
{
  for (guint i = 0; i < o->sts->len; i++)
    {
      const FbShapeTracker *st = g_ptr_array_index (o->sts, i);
      if (!fb_sint_is (st->views[st->n - 1]->strides->at[axis], 0))
        continue;
      const FbRealStride *strides = fb_st_real_strides (o->context, st, FALSE);
      gboolean still = FALSE;
      for (guint j = first_upcast (o); strides != NULL && j < st->shape->n; j++)
        still |= strides[j].known && fb_sint_is (strides[j].stride, 0);
      if (!still)
        return TRUE;
    }
  return FALSE;
}

/* kernel.py:505: 3 or 4 of the axis along which the fewest buffers move, and the least */
static gboolean
unroll_shared (Optimizer *o)
{
  guint64 done = 0;
  for (;;)
    {
      gint64 best[4] = { 0 };
      gboolean any = FALSE;
      guint reduce = first_reduce (o);
      gint64 outputs = points (o, shape_of (o, 0), 0, reduce);
      if (fb_context_failed (o->context))
        return FALSE;
      if (outputs < 1024)
        return TRUE;
      for (guint axis = 0; axis < MIN (reduce, 64); axis++)
        for (gint64 amount = 3; amount <= 4; amount++)
          {
            FbSint size = full_shape (o)->at[axis];
            if ((done >> axis & 1) || !fb_sint_is_int (size) || fb_sint_int (size) % amount != 0
                || !is_shared (o, axis))
              continue;
            gint64 choice[4] = { 0, 0, axis, amount };
            for (guint i = 0; i < o->sts->len; i++)
              {
                const FbShapeTracker *st = g_ptr_array_index (o->sts, i);
                FbSint stride = st->views[st->n - 1]->strides->at[axis];
                if (!fb_sint_is_int (stride) || __builtin_add_overflow (choice[1], fb_sint_int (stride), &choice[1]))
                  return FALSE;
                choice[0] += fb_sint_int (stride) > 0;
              }
            for (guint i = 0; i < 4; i++)
              if (!any || choice[i] != best[i])
                {
                  if (!any || choice[i] < best[i])
                    memcpy (best, choice, sizeof best);
                  break;
                }
            any = TRUE;
          }
      if (!any)
        return TRUE;
      done |= (guint64) 1 << best[2];
      if (!unroll (o, (guint) best[2], best[3]))
        return FALSE;
    }
}

/* kernel.py:520 */
static gboolean
unroll_reduced (Optimizer *o)
{
  const FbDims *full = full_shape (o);
  guint last = first_upcast (o) - 1;
  if (first_reduce (o) >= first_upcast (o) || (o->upcasted > 0 && points (o, full, first_upcast (o), full->n) >= 64))
    return TRUE;
  if (!fb_sint_is_int (full->at[last]))
    return TRUE;
  gint64 size = fb_sint_int (full->at[last]);
  if (size > 32)
    return size % 4 != 0 || unroll (o, last, 4);
  if (!unroll (o, last, 0))
    return FALSE;
  if (first_reduce (o) >= first_upcast (o) || size > 3)
    return TRUE;
  last = first_upcast (o) - 1;
  full = full_shape (o);
  return !fb_sint_is_int (full->at[last]) || fb_sint_int (full->at[last]) > 3 || unroll (o, last, 0);
}

/* The trackers of the kernel, and which is of its shape (kernel.py:50-64). */
static gboolean
collect (Optimizer *o, GPtrArray *nodes)
{
  const FbUop *early = NULL;
  for (guint i = nodes->len; i-- > 0;)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      if (!fb_op_in (uop->op, FB_OPS_BUFFER))
        continue;
      const FbShapeTracker *st = fb_uop_st (o->context, uop);
      if (st == NULL || (uop->n_src > 0 && uop->src[0]->dtype->kind == FB_DTYPE_IMAGE))
        return FALSE;
      g_ptr_array_add (o->buffers, uop);
      g_ptr_array_add (o->sts, (gpointer) st);
    }
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *reduce = g_ptr_array_index (nodes, i);
      if (reduce->op != FB_OP_REDUCE_AXIS || reduce->n_src != 1)
        continue;
      const FbShapeTracker *result = fb_uop_st (o->context, reduce), *source = fb_uop_st (o->context, reduce->src[0]);
      if (result == NULL || source == NULL)
        return FALSE;
      g_ptr_array_add (o->reduces, reduce);
      g_ptr_array_add (o->sts, (gpointer) result);
      g_ptr_array_add (o->sts, (gpointer) source);
      g_autoptr (GPtrArray) before = early == NULL ? fb_uop_toposort (o->context, reduce->src[0]) : NULL;
      for (guint j = 0; before != NULL && j < before->len && early == NULL; j++)
        if (fb_op_in (((FbUop *) g_ptr_array_index (before, j))->op, FB_OPS_BUFFER))
          early = g_ptr_array_index (before, j);
    }
  if (o->buffers->len == 0 || (early != NULL && !g_ptr_array_find (o->buffers, early, &o->full)))
    return FALSE;
  for (guint i = 0; i < o->sts->len; i++)
    if (shape_of (o, i)->n != full_shape (o)->n || shape_of (o, i)->has_zero)
      return FALSE;
  return TRUE;
}

/* kernel.py:66 */
static gboolean
move_reduced_last (Optimizer *o)
{
  const FbDims *full = full_shape (o), *output = shape_of (o, 0);
  guint n = 0;
  g_autofree FbSint *order = g_new (FbSint, MAX (full->n, 1));
  for (guint reduced = 0; reduced < 2; reduced++)
    for (guint i = 0; i < full->n; i++)
      if (fb_sint_ne (o->context, full->at[i], output->at[i], TRUE) == (gboolean) reduced)
        {
          Axis axis = { i, i };
          order[n++] = fb_sint (i);
          g_array_append_val (o->axes, axis);
        }
  return apply_all (o, NULL, NULL, fb_dims_new (o->context, n, order));
}

/* Does anything that @reduce is made of change along @axis? */
static gboolean
is_used (Optimizer *o, FbUop *reduce, guint axis)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (o->context, reduce->src[0]);
  for (guint i = 0; i < nodes->len; i++)
    {
      guint at;
      if (!g_ptr_array_find (o->buffers, g_ptr_array_index (nodes, i), &at))
        continue;
      const FbRealStride *strides = fb_st_real_strides (o->context, g_ptr_array_index (o->sts, at), FALSE);
      if (strides == NULL || !strides[axis].known || !fb_sint_is (strides[axis].stride, 0))
        return TRUE;
    }
  return FALSE;
}

/* What has become of reduce number @r. */
static FbReduceFold
read_fold (Optimizer *o, guint r, FbReduceOrder *order)
{
  FbReduceFold fold = { 1, TRUE };
  const FbDims *result = shape_of (o, o->buffers->len + 2 * r), *source = shape_of (o, o->buffers->len + 2 * r + 1);
  const Axis *before = NULL;
  for (guint i = 0; i < source->n; i++)
    {
      const Axis *axis = &g_array_index (o->axes, Axis, i);
      if (!fb_sint_ne (o->context, result->at[i], source->at[i], TRUE))
        continue;
      if (i < first_upcast (o))
        {
          fold.alone &= !is_used (o, g_ptr_array_index (o->reduces, r), i);
          continue;
        }
      fold.fold *= fb_sint_int (source->at[i]);
      if (before != NULL && before->first > axis->first)
        {
          order->swapped = TRUE;
          order->outer = before->first;
          order->inner = axis->first;
        }
      before = axis;
    }
  return fold;
}

static void
add_unrolled (Optimizer *o, GArray *unrolled)
{
  const FbDims *full = full_shape (o), *output = shape_of (o, 0);
  for (guint i = first_upcast (o); i < full->n; i++)
    {
      const Axis *axis = &g_array_index (o->axes, Axis, i);
      FbUnrolled add = { axis->first == axis->last ? (int) axis->first : -1, fb_sint_int (full->at[i]),
                         fb_sint_ne (o->context, full->at[i], output->at[i], TRUE) };
      g_array_append_val (unrolled, add);
    }
}

static gboolean
is_asked_for (const FbUop *uop)
{
  return uop->op == FB_OP_REDUCE_AXIS && fb_uop_reduce_op (uop) == FB_OP_MAX && fb_scalar_is_float (uop->dtype->type);
}

void
fb_reduce_order_init (FbReduceOrder *order, FbContext *context, GPtrArray *nodes)
{
  Optimizer o = { .context = context };
  gboolean any = FALSE;
  *order = (FbReduceOrder){ .folds = g_hash_table_new_full (NULL, NULL, NULL, g_free),
                            .unrolled = g_array_new (FALSE, FALSE, sizeof (FbUnrolled)) };
  for (guint i = 0; i < nodes->len && !any; i++)
    any = is_asked_for (g_ptr_array_index (nodes, i));
  if (!any || fb_context_failed (context))
    return;
  o.buffers = g_ptr_array_new ();
  o.reduces = g_ptr_array_new ();
  o.sts = g_ptr_array_new ();
  o.axes = g_array_new (FALSE, FALSE, sizeof (Axis));
  if (collect (&o, nodes) && move_reduced_last (&o) && drop_ones (&o) && merge_neighbours (&o) && unroll_masked (&o)
      && unroll_shared (&o) && unroll_reduced (&o))
    {
      add_unrolled (&o, order->unrolled);
      for (guint i = 0; i < o.reduces->len; i++)
        {
          FbUop *reduce = g_ptr_array_index (o.reduces, i);
          FbReduceFold fold = read_fold (&o, i, order);
          if (is_asked_for (reduce))
            g_hash_table_insert (order->folds, reduce, g_memdup2 (&fold, sizeof fold));
        }
    }
  if (fb_context_failed (context))
    {
      fb_context_take_error (context, NULL);
      g_hash_table_remove_all (order->folds);
      g_array_set_size (order->unrolled, 0);
      order->swapped = FALSE;
    }
  g_ptr_array_unref (o.buffers);
  g_ptr_array_unref (o.reduces);
  g_ptr_array_unref (o.sts);
  g_array_unref (o.axes);
}

void
fb_reduce_order_clear (FbReduceOrder *order)
{
  g_clear_pointer (&order->folds, g_hash_table_unref);
  g_clear_pointer (&order->unrolled, g_array_unref);
}

FbReduceFold
fb_reduce_order_fold (const FbReduceOrder *order, const FbUop *reduce)
{
  const FbReduceFold *fold = g_hash_table_lookup (order->folds, reduce);
  return fold == NULL ? (FbReduceFold){ 1, FALSE } : *fold;
}
