/* What an instruction is, apart from its sources. */
#include <math.h>

#include "program-private.h"

/* The proven access of a LOAD or STORE of argument @arg, or of a VALID (-1). */
static FbIndex *
make_index (FbProgramBuilder *b, FbUop *uop, FbUop *view, int arg)
{
  if (view->op != FB_OP_VIEW || view->arg.kind != FB_ARG_ST || view->arg.st->n == 0)
    {
      fb_refuse (b->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "it has no view");
      return NULL;
    }
  const FbShapeTracker *st = view->arg.st;
  FbPlainView *views = fb_plain_views (b->context, &b->program->arena, st, b->var_vals, b->error);
  if (views == NULL)
    return NULL;
  const FbPlainView *outer = &views[st->n - 1];
  g_autofree int *vars = g_new (int, MAX (outer->n, 1));
  if (outer->n != b->n_dims)
    {
      fb_refuse (b->context, uop, FB_BACKEND_ERROR_SHAPE, b->error, "a view of %u dimensions in a kernel of %u",
                 outer->n, b->n_dims);
      return NULL;
    }
  for (guint d = 0; d < outer->n; d++)
    {
      /* the proof is about these loops and no others */
      if (outer->shape[d] != 1 && outer->shape[d] != b->full[d])
        {
          fb_refuse (b->context, uop, FB_BACKEND_ERROR_SHAPE, b->error, "its view is not of the kernel's shape");
          return NULL;
        }
      vars[d] = outer->shape[d] == 1 ? -1 : b->vars[d];
    }
  g_autoptr (GError) error = NULL;
  FbIndex *index = fb_index_new (&b->program->arena, st->n, views, vars, &error);
  if (index == NULL)
    {
      fb_refuse (b->context, uop, FB_BACKEND_ERROR_SIZE, b->error, "%s", error->message);
      return NULL;
    }
  if (arg < 0 || index->never)
    return index;
  gint64 size = b->sizes[arg];
  if (index->min >= 0 && index->max < size)
    {
      FbProgramArg *used = fb_program_arg (b->program, arg);
      used->size = MAX (used->size, index->max + 1);
      return index;
    }
  fb_refuse (b->context, uop, FB_BACKEND_ERROR_BOUNDS, b->error,
             "elements %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " of argument %d, which has %" G_GINT64_FORMAT,
             index->min, index->max, arg, size);
  fb_index_free (index);
  return NULL;
}

/* The argument a DEFINE_GLOBAL stands for, registered; -1: refused. */
static int
use_arg (FbProgramBuilder *b, FbUop *uop, FbUop *global)
{
  GArray *args = b->program->args;
  if (global->op != FB_OP_DEFINE_GLOBAL || global->arg.kind != FB_ARG_INT || global->arg.i < 0
      || global->arg.i >= b->n_sizes || global->dtype->kind == FB_DTYPE_PLAIN || global->dtype->count != 1)
    {
      fb_refuse (b->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "it is not of a kernel's argument");
      return -1;
    }
  guint number = (guint) global->arg.i;
  const FbDType *base = global->dtype->base;
  if (args->len <= number)
    g_array_set_size (args, number + 1);
  FbProgramArg *arg = fb_program_arg (b->program, number);
  if (base->type == FB_SCALAR_VOID || base->count != 1 || (arg->used && arg->type != base->type))
    {
      fb_refuse (b->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "argument %u is of several types", number);
      return -1;
    }
  arg->used = TRUE;
  arg->type = (guint8) base->type;
  return (int) number;
}

/* Everything of an instruction that does not depend on its sources. */
gboolean
fb_program_describe (FbProgramBuilder *b, FbUop *uop, FbInst *inst)
{
  const FbOpSet plain = (FB_OPS_ALU & ~FB_OP_BIT (MULACC)) | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST)
                        | FB_OP_BIT (REDUCE_AXIS) | FB_OP_BIT (CONTIGUOUS) | FB_OP_BIT (MULACC);
  inst->op = uop->op;
  inst->uop = uop;
  inst->arg = -1;
  inst->type = (guint8) uop->dtype->type;
  if (uop->dtype->count != 1 || (uop->op != FB_OP_STORE && uop->dtype->type == FB_SCALAR_VOID))
    {
      fb_refuse (b->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "%s is no type of a value",
                 uop->dtype->short_name);
      return FALSE;
    }
  if (uop->op == FB_OP_CONST || uop->op == FB_OP_DEFINE_VAR || uop->op == FB_OP_BIND)
    {
      FbArg value = uop->arg;
      inst->op = FB_OP_CONST;
      if (uop->op != FB_OP_CONST && !fb_eval_uop (b->context, uop, b->var_vals, &value, b->error))
        return FALSE;
      if (fb_lane_from_arg (b->context, value, inst->type, &inst->constant))
        return TRUE;
      fb_refuse (b->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "no constant of its type");
      return FALSE;
    }
  if (uop->op == FB_OP_VALID && uop->n_src == 1)
    return (inst->index = make_index (b, uop, uop->src[0], -1)) != NULL;
  if ((uop->op == FB_OP_LOAD && uop->n_src >= 2) || (uop->op == FB_OP_STORE && uop->n_src == 3))
    {
      inst->arg = use_arg (b, uop, uop->src[0]);
      inst->index = inst->arg < 0 ? NULL : make_index (b, uop, uop->src[1], inst->arg);
      if (inst->index == NULL)
        return FALSE;
      FbProgramArg *arg = fb_program_arg (b->program, inst->arg);
      const FbDType *moved = uop->op == FB_OP_LOAD ? uop->dtype : uop->src[2]->dtype;
      inst->type = (guint8) moved->type;
      if (moved->type != arg->type)
        {
          fb_refuse (b->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "%s in a buffer of %s", moved->short_name,
                     fb_scalar_name (arg->type));
          return FALSE;
        }
      arg->written |= uop->op == FB_OP_STORE;
      arg->read |= uop->op == FB_OP_LOAD;
      return TRUE;
    }
  if (fb_op_in (uop->op, plain) && uop->n_src >= 1 && uop->n_src <= 3)
    {
      inst->n_src = (guint8) uop->n_src;
      if (uop->op != FB_OP_REDUCE_AXIS)
        return fb_check_types (b->context, uop, b->error);
      inst->reduce_op = (guint8) fb_uop_reduce_op (uop);
      if (uop->n_src == 1 && uop->src[0]->dtype->type == uop->dtype->type
          && (inst->reduce_op == FB_OP_ADD || inst->reduce_op == FB_OP_MUL || inst->reduce_op == FB_OP_MAX))
        return TRUE;
    }
  fb_refuse (b->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "no kernel can compute it");
  return FALSE;
}

/* A sum of a constant over the points of a mask, when they can be counted: then @inst is made that. FALSE with the error
 * unset when it is something else. */
gboolean
fb_program_try_count (FbProgramBuilder *b, FbUop *uop, FbInst *inst, guint64 vars)
{
  FbUop *where = uop->src[0];
  FbLane zero;
  if (inst->reduce_op != FB_OP_ADD || where->op != FB_OP_WHERE || where->n_src != 3 || where->src[0]->op != FB_OP_VALID
      || where->src[0]->n_src != 1 || where->src[1]->op != FB_OP_CONST || where->src[2]->op != FB_OP_CONST
      || !fb_lane_from_arg (b->context, where->src[2]->arg, inst->type, &zero) || zero.i != 0
      || !fb_lane_from_arg (b->context, where->src[1]->arg, inst->type, &inst->constant))
    return FALSE;
  /* times 0 points it would not be 0, and a sum never is -0 */
  if (fb_scalar_is_float (inst->type) && (!isfinite (inst->constant.f) || inst->constant.f == 0))
    return FALSE;
  FbIndex *index = make_index (b, where->src[0], where->src[0]->src[0], -1);
  if (index == NULL)
    return FALSE;
  if (!fb_index_separable (index, vars))
    {
      fb_index_free (index);
      return FALSE;
    }
  inst->op = FB_INST_COUNT;
  inst->index = index;
  inst->n_src = 0;
  inst->count_vars = vars;
  return TRUE;
}
