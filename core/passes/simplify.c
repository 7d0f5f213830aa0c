/* Pass 1: movement removal and simplification (schedule.py:20-81, called at :374).
 *
 * Movement ops become views of their base, constants fold, what has no elements
 * becomes 0. Every rule keeps shape and, but for images that cannot be images,
 * dtype. Termination: each rule removes a node or an op of a finite order
 * (movement > view > base), or replaces a source by one already contiguous. */
#include "core/ir/context-private.h"
#include "core/ir/number.h"
#include "core/rewrite/pattern-macros.h"
#include "core/symbolic/symbolic.h"
#include "passes.h"

#include <string.h>

static FbUop *
movement_to_view (FbRewriter *rw, FbUop *const *m)
{
  return fb_view (rw->context, m[FB_x], fb_uop_st (rw->context, m[FB_mov]));
}

static FbUop *
empty_mask_to_zero (FbRewriter *rw, FbUop *const *m)
{
  const FbShapeTracker *st = fb_uop_st (rw->context, m[FB_view]);
  const FbDims *mask = st && st->n ? st->views[st->n - 1]->mask : NULL;

  for (guint i = 0; mask && i < mask->n; i += 2)
    if (fb_sint_is_int (mask->at[i]) && fb_sint_same (mask->at[i], mask->at[i + 1]))
      return fb_const_like_int (rw->context, m[FB_view], 0);
  return NULL;
}

/* Does it have a shape with no elements? */
static gboolean
is_empty (FbContext *context, FbUop *uop)
{
  const FbShapeTracker *st = fb_uop_st (context, uop);

  if (!st)
    return FALSE;
  return st->shape->all_int ? st->shape->has_zero : fb_uop_size (context, uop) == 0;
}

static FbUop *
empty_to_zero (FbRewriter *rw, FbUop *const *m)
{
  FbUop *root = m[FB_root];

  if (!is_empty (rw->context, root) || !fb_uop_st (rw->context, root->base))
    return NULL;
  if (root->base->op == FB_OP_CONST && fb_arg_equal (root->base->arg, fb_arg_int (0)))
    return NULL;
  return fb_const_like_int (rw->context, root, 0);
}

static FbUop *
take_source (FbRewriter *rw, FbUop *const *m)
{
  FbUop *uop = m[FB_x] ? m[FB_x] : m[FB_root];
  return uop->n_src ? uop->src[0] : NULL;
}

static FbUop *
reduce_of_empty (FbRewriter *rw, FbUop *const *m)
{
  FbUop *reduce = m[FB_reduce];
  FbArg identity;

  if (!is_empty (rw->context, m[FB_x]) || fb_uop_size (rw->context, reduce) == 0)
    return NULL;
  switch (fb_uop_reduce_op (reduce))
    { /* ops.py:187 */
    case FB_OP_ADD:
      identity = fb_arg_int (0);
      break;
    case FB_OP_MUL:
      identity = fb_arg_int (1);
      break;
    case FB_OP_MAX:
      identity = fb_dtype_min (rw->context, reduce->dtype);
      break;
    default:
      fb_context_fail (rw->context, FB_ERROR_UNSUPPORTED, reduce, "a reduce by %s has no identity element",
                       fb_op_name (fb_uop_reduce_op (reduce)));
      return NULL;
    }
  return fb_const_like (rw->context, reduce, fb_num_as_const (rw->context, identity, reduce->dtype));
}

static FbUop *
collapse_stride_0_reduce (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  const FbShapeTracker *st = fb_uop_st (context, m[FB_x]);
  const FbDims *axes = fb_uop_axes (context, m[FB_reduce]), *shape;
  FbSint *bounds, prod = fb_sint (1);
  FbUop *ret;

  if (!st || !axes)
    {
      fb_context_fail (context, FB_ERROR_SHAPELESS, m[FB_reduce], "REDUCE_AXIS needs a source with a shape, and axes");
      return NULL;
    }
  shape = st->shape;
  for (guint i = 0; i < st->n; i++)
    if (st->views[i]->mask)
      return NULL;
  for (guint i = 0; i < axes->n; i++)
    {
      if (!fb_sint_is_int (axes->at[i]) || fb_sint_int (axes->at[i]) < 0 || fb_sint_int (axes->at[i]) >= shape->n)
        return NULL;
      if (!fb_sint_is (st->views[st->n - 1]->strides->at[fb_sint_int (axes->at[i])], 0))
        return NULL;
    }
  if (!shape->all_int)
    return NULL;
  bounds = g_newa (FbSint, MAX (2 * (gsize) shape->n, 1));
  for (guint i = 0; i < shape->n; i++)
    {
      bounds[2 * i] = fb_sint (0);
      bounds[2 * i + 1] = shape->at[i];
    }
  for (guint i = 0; i < axes->n; i++)
    {
      prod = fb_sint_mul (context, prod, shape->at[fb_sint_int (axes->at[i])]);
      bounds[2 * fb_sint_int (axes->at[i]) + 1] = fb_sint (1);
    }
  ret = fb_movement (context, FB_OP_SHRINK, m[FB_x], fb_dims_new (context, 2u * shape->n, bounds));
  if (!ret || fb_context_failed (context))
    return NULL;
  switch (fb_uop_reduce_op (m[FB_reduce]))
    {
    case FB_OP_ADD:
      return fb_alu2 (context, FB_OP_MUL, ret, fb_const_like (context, ret, fb_sint_to_arg (prod)));
    case FB_OP_MUL:
      return fb_alu2 (context, FB_OP_POW, ret, fb_const_like (context, ret, fb_sint_to_arg (prod)));
    case FB_OP_MAX:
      return ret;
    default:
      return NULL;
    }
}

static FbUop *
copy_of_const (FbRewriter *rw, FbUop *const *m)
{
  return fb_const_like (rw->context, m[FB_root], m[FB_x]->arg);
}

static FbUop *
copy_to_same_device (FbRewriter *rw, FbUop *const *m)
{
  FbArg arg = m[FB_copy]->arg;

  if (!m[FB_copyin]->device || !m[FB_copy]->device)
    {
      fb_context_fail (rw->context, FB_ERROR_DEVICE, m[FB_copy], "COPY of something that is on no device");
      return NULL;
    }
  if (!fb_uop_same_device (m[FB_copyin], m[FB_copy]) || (arg.kind == FB_ARG_BOOL && arg.i))
    return NULL;
  return m[FB_copyin];
}

static FbUop *
cast_of_contiguous_image (FbRewriter *rw, FbUop *const *m)
{
  FbUop *base = m[FB_base];

  if (!base || m[FB_cast]->dtype->kind != FB_DTYPE_IMAGE || base->dtype->kind != FB_DTYPE_IMAGE)
    return NULL;
  return fb_view (rw->context, base, fb_uop_st (rw->context, m[FB_vm]));
}

static FbUop *
image_to_base (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *u = m[FB_u];
  const FbShapeTracker *st;
  const FbRealStride *strides;
  const FbDims *shape;

  if (!(shape = fb_uop_shape (context, u)) || !(st = fb_uop_st (context, u)))
    return NULL;
  if (fb_sint_ne (context, fb_sint_prod (context, shape->n, shape->at), fb_sint (u->dtype->size), TRUE))
    return fb_replace_dtype (context, u, u->dtype->base);
  if (!(strides = fb_st_real_strides (context, st, FALSE)))
    return NULL;
  for (guint i = 0; i < shape->n; i++)
    if (strides[i].known && fb_sint_is (strides[i].stride, 1) && fb_sint_is_int (shape->at[i])
        && fb_sint_int (shape->at[i]) % 4 == 0)
      return NULL;
  return fb_replace_dtype (context, u, u->dtype->base);
}

static FbUop *
contiguous_buffer_view (FbRewriter *rw, FbUop *const *m)
{
  const FbShapeTracker *st = fb_uop_st (rw->context, m[FB_view]);

  if (!st || !st->contiguous)
    return NULL;
  return fb_st_size (rw->context, st) == fb_uop_size (rw->context, m[FB_buf]) ? m[FB_view] : NULL;
}

/* Remembers that a contiguous copy of a permuted base exists; replaces nothing. */
static FbUop *
remember_contiguous (FbRewriter *rw, FbUop *const *m)
{
  FbUop *src = m[FB_src], *view;
  const FbShapeTracker *st = fb_uop_st (rw->context, src), *inverse;
  const FbDims *shape = st ? fb_uop_shape (rw->context, src->base) : NULL;

  if (!shape || !(inverse = fb_st_invert (rw->context, st, shape)))
    return NULL;
  view = fb_view (rw->context, m[FB_contig], inverse);
  if (view)
    fb_node_map_set (rw->user, src->base, (guintptr) view);
  return NULL;
}

static FbUop *
use_contiguous (FbRewriter *rw, FbUop *const *m)
{
  FbUop *alu = m[FB_alu], *src[3];
  gboolean changed = FALSE;

  for (guint i = 0; i < alu->n_src && i < G_N_ELEMENTS (src); i++)
    {
      guintptr known = fb_node_map_get (rw->user, alu->src[i]);
      src[i] = known ? (FbUop *) known : alu->src[i];
      changed |= src[i] != alu->src[i];
    }
  return changed && alu->n_src <= G_N_ELEMENTS (src) ? fb_replace_src (rw->context, alu, alu->n_src, src) : NULL;
}

static FbUop *
disk_buffer_view (FbRewriter *rw, FbUop *const *m)
{
  const FbText *device = fb_uop_device_name (m[FB_root]);

  if (!m[FB_root]->device)
    {
      fb_context_fail (rw->context, FB_ERROR_DEVICE, m[FB_root], "%s of something that is on no device",
                       fb_op_name (m[FB_root]->op));
      return NULL;
    }
  if (!device || !g_str_has_prefix (device->bytes, "DISK"))
    return NULL;
  return fb_replace_op (rw->context, m[FB_root], FB_OP_BUFFER_VIEW);
}

static const FbRule movement_rules[] = {
  RULE ("movement-to-view", "mov(x) -> view(x)", OPS (FB_OPS_MOVEMENT, NAMED (mov), SRC (VAR (x))), movement_to_view,
        "schedule.py:77"),
  RULE_IF (MASKED, "empty-mask", "view(x) -> 0 if its mask is empty", OP (VIEW, NAMED (view)), empty_mask_to_zero,
           "schedule.py:80"),
};

static const FbRule tensor_rules[] = {
  RULE_IF (UNSIZED, "no-elements", "x -> 0 if it has no elements", OPS (FB_OPS_ALL & ~FB_OP_BIT (SINK), NAMED (root)),
           empty_to_zero, "schedule.py:42"),
  RULE ("detach", "detach(x) -> x, contiguous_backward(x) -> x",
        OPS (FB_OP_BIT (DETACH) | FB_OP_BIT (CONTIGUOUS_BACKWARD), NAMED (x)), take_source, "schedule.py:45"),
  RULE ("reduce-of-nothing", "reduce(x) -> identity if x has no elements",
        OP (REDUCE_AXIS, NAMED (reduce), SRC (VAR (x))), reduce_of_empty, "schedule.py:48"),
  RULE ("stride-0-reduce", "sum(expand(x)) -> x*n, prod -> x**n, max -> x",
        OP (REDUCE_AXIS, NAMED (reduce), SRC (VAR (x))), collapse_stride_0_reduce, "schedule.py:20"),
  RULE ("copy-of-const", "copy(c) -> c on the destination", OP (COPY, NAMED (root), SRC (ANY, CVAR (x))), copy_of_const,
        "schedule.py:52"),
  RULE ("copy-in-place", "copy(x) -> x on the same device, unless a clone",
        OP (COPY, NAMED (copy), SRC (ANY, VAR (copyin))), copy_to_same_device, "schedule.py:55"),
  RULE ("cast-of-image", "cast(view(contiguous(x))) -> view(contiguous(x)) if both are images",
        OP (CAST, NAMED (cast), SRC (OP (VIEW, NAMED (vm), ALL_SRC (OP (CONTIGUOUS, NAMED (base)))))),
        cast_of_contiguous_image, "schedule.py:58"),
  RULE ("not-an-image", "image x -> float x if sizes differ or no unit-stride axis is a multiple of 4",
        OPS (FB_OPS_ALL & ~(FB_OP_BIT (BUFFER) | FB_OP_BIT (VIEW) | FB_OP_BIT (CONST) | FB_OP_BIT (DEVICE)), NAMED (u),
             TYPED (FB_DT_IMAGE)),
        image_to_base, "schedule.py:60"),
  RULE ("contiguous-buffer", "contiguous(view(buffer)) -> view(buffer) if it is all of it",
        OP (CONTIGUOUS, NAMED (root), SRC (OP (VIEW, NAMED (view), SRC (OP (BUFFER, NAMED (buf)))))),
        contiguous_buffer_view, "schedule.py:64"),
  RULE ("already-contiguous", "contiguous(x) -> x if x is contiguous, a buffer or a copy",
        OP (CONTIGUOUS, NAMED (root), SRC (OPS (FB_OP_BIT (CONTIGUOUS) | FB_OP_BIT (BUFFER) | FB_OP_BIT (COPY)))),
        take_source, "schedule.py:66"),
  RULE ("remember-contiguous", "contiguous(view(x)): x may be read through it",
        OP (CONTIGUOUS, NAMED (contig), SRC (OP (VIEW, NAMED (src)))), remember_contiguous, "schedule.py:32"),
  RULE_IF (SOURCE_MARKED, "use-contiguous", "alu(x) -> alu(view(contiguous(view(x))))", OPS (FB_OPS_ALU, NAMED (alu)),
           use_contiguous, "schedule.py:34"),
  RULE ("disk-view", "bitcast(x), contiguous(x) -> buffer_view(x) on DISK",
        OPS (FB_OP_BIT (BITCAST) | FB_OP_BIT (CONTIGUOUS), NAMED (root)), disk_buffer_view, "schedule.py:72"),
};

const FbRuleSet *
fb_simplify_pass_rules (void)
{
  static FbRuleSet *set;

  if (g_once_init_enter (&set))
    {
      const FbRuleTable tables[] = {
        fb_merge_views_rules,
        FB_RULE_TABLE (movement_rules),
        fb_symbolic_simple_rules,
        FB_RULE_TABLE (tensor_rules),
      };
      g_once_init_leave (&set, fb_rule_set_new ("remove_movement_ops + sym", G_N_ELEMENTS (tables), tables));
    }
  return set;
}

FbUop **
fb_simplify_pass_run (FbContext *context, FbUop *sink, FbPass *pass)
{
  FbNodeMap *contiguous = fb_node_map_acquire (context);
  FbUop **map = fb_rewrite_map (context, sink, fb_simplify_pass_rules (), contiguous, contiguous, pass);

  fb_node_map_release (context, contiguous);
  return map;
}
