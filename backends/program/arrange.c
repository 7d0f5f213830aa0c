/* Levels and loops of scopes; the types an op takes. */
#include "program-private.h"

/* What using instruction @number in its own scope asks for. */
static guint
level_after (const FbProgram *program, guint number)
{
  const FbInst *inst = fb_program_inst (program, number);
  return inst->op == FB_OP_REDUCE_AXIS ? inst->level + 1 : inst->level;
}

static void
add_loop (FbProgram *program, guint number)
{
  const FbInst *inst = fb_program_inst (program, number);
  FbScope *scope = fb_program_scope (program, inst->scope);
  guint64 vars = fb_program_scope (program, inst->body)->vars;
  for (guint i = 0; i < scope->loops->len; i++)
    {
      FbLoop *loop = &g_array_index (scope->loops, FbLoop, i);
      if (loop->vars == vars && loop->level == inst->level)
        {
          g_array_append_val (loop->reduces, number);
          return;
        }
    }
  FbLoop loop = { vars, inst->level, g_array_new (FALSE, FALSE, sizeof (guint)) };
  g_array_append_val (loop.reduces, number);
  g_array_append_val (scope->loops, loop);
}

void
fb_program_arrange (FbProgram *program)
{
  for (guint i = 0; i < program->insts->len; i++)
    {
      FbInst *inst = fb_program_inst (program, i);
      FbScope *scope = fb_program_scope (program, inst->scope);
      inst->level = inst->op == FB_OP_REDUCE_AXIS ? fb_program_scope (program, inst->body)->need : 0;
      for (guint j = 0; j < inst->n_src; j++)
        {
          guint level = level_after (program, inst->src[j]), home = fb_program_inst (program, inst->src[j])->scope;
          /* the scope the source's one is the parent of; the reduce that owns it needs the source */
          guint user = inst->op == FB_OP_REDUCE_AXIS ? inst->body : inst->scope;
          if (user == home)
            {
              if (inst->op != FB_OP_REDUCE_AXIS)
                inst->level = MAX (inst->level, level);
              continue;
            }
          while (fb_program_scope (program, user)->parent != (int) home)
            user = (guint) fb_program_scope (program, user)->parent;
          FbScope *needs = fb_program_scope (program, user);
          needs->need = MAX (needs->need, level);
          if (inst->op == FB_OP_REDUCE_AXIS && user == inst->body)
            inst->level = MAX (inst->level, level);
        }
      scope->n_levels = MAX (scope->n_levels, level_after (program, i) + 1);
      if (inst->op == FB_OP_REDUCE_AXIS)
        add_loop (program, i);
    }
}

gboolean
fb_check_types (FbContext *context, FbUop *uop, GError **error)
{
  static const guint8 arity[FB_N_OPS] = { [FB_OP_CAST] = 1, [FB_OP_BITCAST] = 1, [FB_OP_CONTIGUOUS] = 1 };
  guint type = uop->dtype->type, n = uop->n_src, wanted = arity[uop->op];
  gboolean right = TRUE, number = type != FB_SCALAR_VOID;
  if (fb_op_in (uop->op, FB_OPS_UNARY))
    wanted = 1;
  else if (fb_op_in (uop->op, FB_OPS_BINARY))
    wanted = 2;
  else if (fb_op_in (uop->op, FB_OPS_TERNARY))
    wanted = 3;
  for (guint i = 0; i < n; i++)
    number &= uop->src[i]->dtype->type != FB_SCALAR_VOID && uop->src[i]->dtype->kind == FB_DTYPE_PLAIN;
  if (n != wanted || !number)
    right = FALSE;
  else if (uop->op == FB_OP_CMPLT || uop->op == FB_OP_CMPNE)
    right = type == FB_SCALAR_BOOL && uop->src[0]->dtype->type == uop->src[1]->dtype->type;
  else if (uop->op == FB_OP_WHERE)
    right = uop->src[0]->dtype->type == FB_SCALAR_BOOL && uop->src[1]->dtype->type == type
            && uop->src[2]->dtype->type == type;
  else if (uop->op == FB_OP_BITCAST)
    right = fb_scalar_size (type) == fb_scalar_size (uop->src[0]->dtype->type);
  else if (uop->op == FB_OP_SHL || uop->op == FB_OP_SHR)
    right = uop->src[0]->dtype->type == type && !fb_scalar_is_float (type)
            && !fb_scalar_is_float (uop->src[1]->dtype->type);
  else if (uop->op != FB_OP_CAST)
    {
      const FbOpSet whole = FB_OP_BIT (IDIV) | FB_OP_BIT (MOD) | FB_OP_BIT (XOR) | FB_OP_BIT (OR) | FB_OP_BIT (AND);
      const FbOpSet real = FB_OP_BIT (EXP2) | FB_OP_BIT (LOG2) | FB_OP_BIT (SIN) | FB_OP_BIT (SQRT) | FB_OP_BIT (RECIP)
                           | FB_OP_BIT (FDIV) | FB_OP_BIT (POW);
      for (guint i = 0; i < n; i++)
        right &= uop->src[i]->dtype->type == type;
      if (fb_op_in (uop->op, whole))
        right &= !fb_scalar_is_float (type);
      if (fb_op_in (uop->op, real))
        right &= fb_scalar_is_float (type);
      if (uop->op == FB_OP_THREEFRY)
        right &= type == FB_SCALAR_UINT64;
    }
  if (!right)
    fb_refuse (context, uop, FB_BACKEND_ERROR_UNSUPPORTED, error, "its sources are not of types it takes");
  return right;
}
