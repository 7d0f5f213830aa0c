/* From an AST to instructions in scopes. */
#include "core/ir/text.h"

#include "program-private.h"

/* More would not be a kernel any more, and a shared node under nested reduces can multiply. */
#define MAX_INSTS 100000
#define MAX_POINTS ((gint64) 1 << 42)

typedef struct
{
  FbContext *context;
  const GArray *var_vals;
  FbProgram *program;
  guint n_sizes;
  const gint64 *sizes; /* elements of each argument */
  GError **error;
  GHashTable *infos;  /* FbUop -> its variables, as guint64 * */
  GHashTable *placed; /* Place -> instruction + 1 */
  guint n_dims;
  gint64 *full; /* extents of the kernel's dimensions */
  int *vars;    /* variable of each, -1 for one of a single point */
} Builder;

typedef struct
{
  FbUop *uop;
  guint scope;
} Place;

static guint
place_hash (gconstpointer data)
{
  const Place *place = data;
  return place->uop->hash * 31 + place->scope;
}

static gboolean
place_equal (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;
  return x->uop == y->uop && x->scope == y->scope;
}

static const FbDims *
node_shape (Builder *b, FbUop *uop)
{
  const FbShapeTracker *st = fb_uop_st (b->context, uop);
  if (st == NULL && fb_context_failed (b->context))
    fb_context_take_error (b->context, NULL);
  return st == NULL ? NULL : st->shape;
}

/* Nodes that are computed, as opposed to what describes them. */
static gboolean
is_value (const FbUop *uop)
{
  return uop->op != FB_OP_VIEW && uop->op != FB_OP_DEFINE_GLOBAL && uop->op != FB_OP_SINK && uop->op != FB_OP_DEVICE;
}

/* The kernel's dimensions: the largest shape over all nodes. */
static gboolean
measure (Builder *b, GPtrArray *nodes)
{
  FbProgram *program = b->program;
  gboolean any = FALSE;
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      const FbDims *shape = is_value (uop) ? node_shape (b, uop) : NULL;
      if (shape == NULL)
        continue;
      if (!any)
        {
          any = TRUE;
          b->n_dims = shape->n;
          b->full = g_new (gint64, MAX (shape->n, 1));
          b->vars = g_new (int, MAX (shape->n, 1));
          for (guint d = 0; d < shape->n; d++)
            b->full[d] = 1;
        }
      if (shape->n != b->n_dims)
        {
          fb_refuse (b->context, uop, FB_BACKEND_ERROR_SHAPE, b->error, "%u dimensions in a kernel of %u", shape->n,
                     b->n_dims);
          return FALSE;
        }
      for (guint d = 0; d < shape->n; d++)
        {
          gint64 size;
          if (!fb_eval_sint (b->context, shape->at[d], b->var_vals, &size, b->error))
            return FALSE;
          if (size < 0 || (size != 1 && b->full[d] != 1 && b->full[d] != size))
            {
              fb_refuse (b->context, uop, FB_BACKEND_ERROR_SHAPE, b->error,
                         "size %" G_GINT64_FORMAT " of dimension %u where others have %" G_GINT64_FORMAT, size, d,
                         b->full[d]);
              return FALSE;
            }
          if (size != 1)
            b->full[d] = size;
        }
    }
  for (guint d = 0; d < b->n_dims; d++)
    {
      b->vars[d] = -1;
      if (b->full[d] == 1)
        continue;
      if (program->n_vars == FB_PROGRAM_MAX_VARS)
        {
          g_set_error (b->error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE, "the kernel has more than %d dimensions",
                       FB_PROGRAM_MAX_VARS);
          return FALSE;
        }
      b->vars[d] = (int) program->n_vars;
      program->extents[program->n_vars++] = b->full[d];
    }
  return TRUE;
}

/* Variables a node of this shape may depend on. */
static gboolean
node_vars (Builder *b, FbUop *uop, guint64 *vars)
{
  const guint64 *known = g_hash_table_lookup (b->infos, uop);
  if (known != NULL)
    {
      *vars = *known;
      return TRUE;
    }
  const FbDims *shape = node_shape (b, uop);
  *vars = 0;
  for (guint d = 0; shape != NULL && d < shape->n; d++)
    {
      gint64 size;
      if (!fb_eval_sint (b->context, shape->at[d], b->var_vals, &size, b->error))
        return FALSE;
      if (size != 1 && d < b->n_dims && b->vars[d] >= 0)
        *vars |= (guint64) 1 << b->vars[d];
    }
  g_hash_table_insert (b->infos, uop, g_memdup2 (vars, sizeof *vars));
  return TRUE;
}

/* A scope of loops over @vars inside @parent; -1: too many points, the error is set. */
static int
scope_new (Builder *b, int parent, guint64 vars)
{
  FbProgram *program = b->program;
  FbScope scope = { .parent = parent, .vars = vars, .all_vars = vars };
  gint64 points = 1;
  if (parent >= 0)
    {
      scope.all_vars |= fb_program_scope (program, parent)->all_vars;
      scope.depth = fb_program_scope (program, parent)->depth + 1;
    }
  for (guint v = 0; v < program->n_vars; v++)
    if ((scope.all_vars >> v & 1)
        && (__builtin_mul_overflow (points, MAX (program->extents[v], 1), &points) || points > MAX_POINTS))
      {
        g_set_error (b->error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE,
                     "its loops have more than %" G_GINT64_FORMAT " points", MAX_POINTS);
        return -1;
      }
  program->points = MAX (program->points, points);
  scope.insts = g_array_new (FALSE, FALSE, sizeof (guint));
  scope.loops = g_array_new (FALSE, FALSE, sizeof (FbLoop));
  g_array_append_val (program->scopes, scope);
  return (int) program->scopes->len - 1;
}

/* The outermost scope around @scope that has all @vars. */
static gboolean
find_place (Builder *b, FbUop *uop, guint scope, guint64 vars, guint *place)
{
  if (vars & ~fb_program_scope (b->program, scope)->all_vars)
    {
      fb_refuse (b->context, uop, FB_BACKEND_ERROR_SHAPE, b->error, "its shape is larger than that of its use");
      return FALSE;
    }
  for (;;)
    {
      int parent = fb_program_scope (b->program, scope)->parent;
      if (parent < 0 || (vars & ~fb_program_scope (b->program, parent)->all_vars))
        break;
      scope = (guint) parent;
    }
  *place = scope;
  return TRUE;
}

/* The proven access of a LOAD or STORE of argument @arg, or of a VALID (-1). */
static FbIndex *
make_index (Builder *b, FbUop *uop, FbUop *view, int arg)
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
    vars[d] = outer->shape[d] == 1 ? -1 : b->vars[d];
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
use_arg (Builder *b, FbUop *uop, FbUop *global)
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
static gboolean
describe (Builder *b, FbUop *uop, FbInst *inst)
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
static gboolean
try_count (Builder *b, FbUop *uop, FbInst *inst, guint64 vars)
{
  FbUop *where = uop->src[0];
  FbLane zero;
  if (inst->reduce_op != FB_OP_ADD || where->op != FB_OP_WHERE || where->n_src != 3 || where->src[0]->op != FB_OP_VALID
      || where->src[0]->n_src != 1 || where->src[1]->op != FB_OP_CONST || where->src[2]->op != FB_OP_CONST
      || !fb_lane_from_arg (b->context, where->src[2]->arg, inst->type, &zero) || zero.i != 0
      || !fb_lane_from_arg (b->context, where->src[1]->arg, inst->type, &inst->constant))
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

/* A node being built: its sources come first. */
typedef struct
{
  Place place;
  FbInst inst;
  guint n_done;
} Frame;

/* Opens a frame for @uop as used in @scope, or gives the instruction that is there: -1 opened, -2 refused. */
static int
enter (Builder *b, GArray *frames, FbUop *uop, guint scope)
{
  guint64 vars;
  Frame frame = { 0 };
  if (!node_vars (b, uop, &vars) || !find_place (b, uop, scope, vars, &frame.place.scope))
    return -2;
  frame.place.uop = uop;
  gpointer known = g_hash_table_lookup (b->placed, &frame.place);
  if (known != NULL)
    return GPOINTER_TO_INT (known) - 1;
  if (b->program->insts->len + frames->len >= MAX_INSTS)
    {
      g_set_error (b->error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE, "the kernel has more than %d instructions",
                   MAX_INSTS);
      return -2;
    }
  if (!describe (b, uop, &frame.inst))
    return -2;
  frame.inst.scope = frame.place.scope;
  if (uop->op == FB_OP_STORE)
    frame.inst.n_src = 1;
  if (uop->op == FB_OP_REDUCE_AXIS)
    {
      guint64 inner;
      int body = -1;
      if (!node_vars (b, uop->src[0], &inner))
        return -2;
      inner &= ~fb_program_scope (b->program, frame.inst.scope)->all_vars;
      if (fb_program_scope (b->program, frame.inst.scope)->depth == FB_PROGRAM_MAX_DEPTH)
        fb_refuse (b->context, uop, FB_BACKEND_ERROR_SIZE, b->error, "reduces are nested deeper than %d",
                   FB_PROGRAM_MAX_DEPTH);
      else if (!try_count (b, uop, &frame.inst, inner) && *b->error == NULL)
        body = scope_new (b, (int) frame.inst.scope, inner);
      if (body < 0 && frame.inst.op != FB_INST_COUNT)
        return -2;
      frame.inst.body = (guint) MAX (body, 0);
    }
  g_array_append_val (frames, frame);
  return -1;
}

static gboolean
build (Builder *b, FbUop *store, guint root)
{
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  int got = enter (b, frames, store, root);
  while (frames->len > 0 && got != -2)
    {
      Frame *frame = &g_array_index (frames, Frame, frames->len - 1);
      if (frame->n_done < frame->inst.n_src)
        {
          gboolean is_store = frame->inst.op == FB_OP_STORE;
          guint scope = frame->inst.op == FB_OP_REDUCE_AXIS ? frame->inst.body : frame->inst.scope;
          got = enter (b, frames, frame->place.uop->src[is_store ? 2 : frame->n_done], scope);
          if (got >= 0)
            {
              /* the frame did not move: nothing was opened */
              frame->inst.src[frame->n_done++] = (guint) got;
            }
          continue;
        }
      guint number = b->program->insts->len;
      g_array_append_val (b->program->insts, frame->inst);
      g_hash_table_insert (b->placed, g_memdup2 (&frame->place, sizeof frame->place), GUINT_TO_POINTER (number + 1));
      if (frame->inst.op == FB_OP_REDUCE_AXIS)
        fb_program_scope (b->program, frame->inst.body)->owner = number;
      else
        g_array_append_val (fb_program_scope (b->program, frame->inst.scope)->insts, number);
      g_array_set_size (frames, frames->len - 1);
    }
  for (guint i = 0; i < frames->len; i++)
    {
      Frame *frame = &g_array_index (frames, Frame, i);
      g_clear_pointer (&frame->inst.index, fb_index_free);
    }
  return got != -2;
}

static gboolean
build_all (Builder *b, FbUop *ast)
{
  if (ast->op != FB_OP_SINK || ast->n_src == 0)
    {
      fb_refuse (b->context, ast, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "no kernel");
      return FALSE;
    }
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (b->context, ast);
  if (!measure (b, nodes))
    return FALSE;
  for (guint i = 0; i < ast->n_src; i++)
    {
      guint64 vars;
      FbUop *store = ast->src[i];
      if (store->op != FB_OP_STORE || store->n_src != 3)
        {
          fb_refuse (b->context, store, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "a kernel ends in stores");
          return FALSE;
        }
      if (!node_vars (b, store, &vars))
        return FALSE;
      int root = scope_new (b, -1, vars);
      if (root < 0 || !build (b, store, (guint) root))
        return FALSE;
      fb_program_scope (b->program, root)->owner = b->program->insts->len - 1;
    }
  fb_program_arrange (b->program);
  return TRUE;
}

FbProgram *
fb_program_new (FbContext *context, FbUop *ast, const GArray *var_vals, guint n_sizes, const gint64 *sizes,
                GError **error)
{
  g_autoptr (GError) failed = NULL;
  FbProgram *program = g_new0 (FbProgram, 1);
  fb_arena_init (&program->arena);
  program->args = g_array_new (FALSE, TRUE, sizeof (FbProgramArg));
  program->insts = g_array_new (FALSE, FALSE, sizeof (FbInst));
  program->scopes = g_array_new (FALSE, FALSE, sizeof (FbScope));
  Builder b = {
    .context = context,
    .var_vals = var_vals,
    .program = program,
    .n_sizes = n_sizes,
    .sizes = sizes,
    .error = &failed,
    .infos = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .placed = g_hash_table_new_full (place_hash, place_equal, g_free, NULL),
  };
  gboolean done = build_all (&b, ast);
  g_hash_table_unref (b.infos);
  g_hash_table_unref (b.placed);
  g_free (b.full);
  g_free (b.vars);
  if (!done)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      g_clear_pointer (&program, fb_program_free);
    }
  return program;
}

void
fb_program_free (FbProgram *program)
{
  for (guint i = 0; i < program->insts->len; i++)
    g_clear_pointer (&fb_program_inst (program, i)->index, fb_index_free);
  for (guint i = 0; i < program->scopes->len; i++)
    {
      FbScope *scope = fb_program_scope (program, i);
      for (guint j = 0; j < scope->loops->len; j++)
        g_array_unref (g_array_index (scope->loops, FbLoop, j).reduces);
      g_array_unref (scope->insts);
      g_array_unref (scope->loops);
    }
  g_array_unref (program->args);
  g_array_unref (program->insts);
  g_array_unref (program->scopes);
  fb_arena_clear (&program->arena);
  g_free (program);
}
