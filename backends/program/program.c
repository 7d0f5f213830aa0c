/* From an AST to instructions in scopes. */
#include "core/ir/text.h"

#include "reduce-order.h"

/* More would not be a kernel any more, and a shared node under nested reduces can multiply. */
#define MAX_INSTS 100000
#define MAX_POINTS ((gint64) 1 << 42)

typedef struct
{
  FbUop *uop;
  guint scope;
} Place;

static guint
place_hash (gconstpointer data)
{
  const Place *place = data;
  return place->uop->id * 31 + place->scope;
}

static gboolean
place_equal (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;
  return x->uop == y->uop && x->scope == y->scope;
}

static const FbDims *
node_shape (FbProgramBuilder *b, FbUop *uop)
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
measure (FbProgramBuilder *b, GPtrArray *nodes)
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
  for (guint i = 0; i < b->n_dims; i++)
    {
      /* variables are numbered from the outermost loop to the innermost one */
      const FbReduceOrder *order = b->order;
      guint d = !order->swapped ? i : i == order->outer ? order->inner : i == order->inner ? order->outer : i;
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
node_vars (FbProgramBuilder *b, FbUop *uop, guint64 *vars)
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
scope_new (FbProgramBuilder *b, int parent, guint64 vars)
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
find_place (FbProgramBuilder *b, FbUop *uop, guint scope, guint64 vars, guint *place)
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

static void
set_fold (FbProgramBuilder *b, FbInst *inst)
{
  gint64 points = fb_program_points (b->program, fb_program_scope (b->program, inst->body)->vars);
  FbReduceFold fold = fb_reduce_order_fold (b->order, inst->uop);
  inst->fold = fold.alone ? 0 : fold.fold > 0 && points % fold.fold == 0 ? fold.fold : 1;
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
enter (FbProgramBuilder *b, GArray *frames, FbUop *uop, guint scope)
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
  if (!fb_program_describe (b, uop, &frame.inst))
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
      else if (!fb_program_try_count (b, uop, &frame.inst, inner) && *b->error == NULL)
        body = scope_new (b, (int) frame.inst.scope, inner);
      if (body < 0 && frame.inst.op != FB_INST_COUNT)
        return -2;
      frame.inst.body = (guint) MAX (body, 0);
      if (body >= 0)
        set_fold (b, &frame.inst);
    }
  g_array_append_val (frames, frame);
  return -1;
}

static gboolean
build (FbProgramBuilder *b, FbUop *store, guint root)
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
build_stores (FbProgramBuilder *b, FbUop *ast)
{
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

static gboolean
build_all (FbProgramBuilder *b, FbUop *ast)
{
  if (ast->op != FB_OP_SINK || ast->n_src == 0)
    {
      fb_refuse (b->context, ast, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "no kernel");
      return FALSE;
    }
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (b->context, ast);
  for (guint i = 0; i < nodes->len; i++)
    if (fb_op_in (((FbUop *) g_ptr_array_index (nodes, i))->op, FB_OPS_MOVEMENT))
      {
        /* the reference's check of a kernel (spec.py:155) fails on it as well */
        fb_refuse (b->context, g_ptr_array_index (nodes, i), FB_BACKEND_ERROR_UNSUPPORTED, b->error,
                   "the scheduler left a movement op in the kernel, which tinygrad does not run either");
        return FALSE;
      }
  FbReduceOrder order;
  fb_reduce_order_init (&order, b->context, nodes);
  b->order = &order;
  gboolean done = measure (b, nodes) && build_stores (b, ast);
  for (guint i = 0; i < order.unrolled->len && done; i++)
    {
      FbUnrolled *axis = &g_array_index (order.unrolled, FbUnrolled, i);
      axis->var = axis->var < 0 ? -1 : b->vars[axis->var];
    }
  if (done)
    fb_reduce_lanes_find (b->program, order.unrolled);
  fb_reduce_order_clear (&order);
  b->order = NULL;
  return done;
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
  program->unrolled = g_array_new (FALSE, FALSE, sizeof (FbUnrolled));
  program->heads = g_array_new (FALSE, FALSE, sizeof (guint));
  FbProgramBuilder b = {
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
  g_array_unref (program->unrolled);
  g_array_unref (program->heads);
  fb_arena_clear (&program->arena);
  g_free (program);
}
