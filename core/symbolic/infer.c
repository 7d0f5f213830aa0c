/* The value of a symbolic size once its variables are bound (ops.py:661-670). */
#include "symbolic-private.h"

#include "core/ir/context-private.h"

#include <math.h>

/* The values that the BINDs among @order give their variables, appended to @values; @index tells where, plus one. FALSE when
 * two of them disagree. */
static gboolean
collect_bindings (FbContext *context, GPtrArray *order, FbNodeMap *index, GArray *values)
{
  for (guint i = 0; i < order->len; i++)
    {
      FbUop *bind = g_ptr_array_index (order, i);
      guintptr known;

      if (bind->op != FB_OP_BIND || bind->n_src != 2 || bind->src[0]->op != FB_OP_DEFINE_VAR
          || bind->src[1]->op != FB_OP_CONST)
        continue;
      known = fb_node_map_get (index, bind->src[0]);
      if (known && !fb_arg_equal (g_array_index (values, FbArg, known - 1), bind->src[1]->arg))
        {
          fb_context_fail (context, FB_ERROR_ARITHMETIC, bind, "a variable bound to two values");
          return FALSE;
        }
      if (known)
        continue;
      g_array_append_val (values, bind->src[1]->arg);
      fb_node_map_set (index, bind->src[0], values->len);
    }
  return TRUE;
}

/* As Python reads the infix text of the node: here // and % round down, unlike the ops. */
static FbArg
apply (FbContext *context, const FbUop *uop, const FbArg *x)
{
  switch (uop->op)
    {
    case FB_OP_ADD:
      return fb_num_add (context, x[0], x[1]);
    case FB_OP_SUB:
      return fb_num_sub (context, x[0], x[1]);
    case FB_OP_MUL:
      return fb_num_mul (context, x[0], x[1]);
    case FB_OP_IDIV:
      return fb_num_floordiv (context, x[0], x[1]);
    case FB_OP_MOD:
      return fb_num_mod (context, x[0], x[1]);
    case FB_OP_SHL:
      return fb_num_shl (context, x[0], x[1]);
    case FB_OP_SHR:
      return fb_num_shr (context, x[0], x[1]);
    case FB_OP_CMPLT:
      return fb_arg_bool (fb_num_lt (x[0], x[1]));
    case FB_OP_CMPNE:
      return fb_arg_bool (!fb_num_eq (x[0], x[1]));
    case FB_OP_AND:
      return fb_num_and (context, x[0], x[1]);
    case FB_OP_OR:
      return fb_num_or (context, x[0], x[1]);
    case FB_OP_XOR:
      return fb_num_xor (context, x[0], x[1]);
    case FB_OP_MAX:
      return fb_num_max (x[0], x[1]);
    case FB_OP_NEG:
      return fb_num_neg (context, x[0]);
    case FB_OP_MULACC:
      return fb_num_add (context, fb_num_mul (context, x[0], x[1]), x[2]);
    default:
      return fb_arg_truth (x[0]) ? x[1] : x[2];
    }
}

/* How many operands apply() takes from a node; 0 when the op has no infix text. */
static guint
n_operands (const FbUop *uop)
{
  if (fb_op_in (uop->op, FB_OPS_BINARY & ~(FB_OP_BIT (THREEFRY) | FB_OP_BIT (FDIV) | FB_OP_BIT (POW))))
    return 2;
  return fb_op_in (uop->op, FB_OPS_TERNARY) ? 3 : uop->op == FB_OP_NEG;
}

/* The value of one node that is no variable; those of its sources are in @values, at what @index has for them less one. */
static FbArg
evaluate (FbContext *context, FbUop *uop, FbNodeMap *index, GArray *values)
{
  FbArg operands[3] = { FB_ARG_NIL, FB_ARG_NIL, FB_ARG_NIL };
  guint n = n_operands (uop);

  if (uop->op == FB_OP_CONST && fb_arg_is_number (uop->arg)
      && !(uop->arg.kind == FB_ARG_FLOAT && !isfinite (uop->arg.f)))
    return uop->arg;
  if (uop->op == FB_OP_BIND && uop->n_src == 2)
    return g_array_index (values, FbArg, fb_node_map_get (index, uop->src[0]) - 1);
  if (n == 0 || n != uop->n_src)
    {
      fb_context_fail (context, uop->op == FB_OP_DEFINE_VAR ? FB_ERROR_ARITHMETIC : FB_ERROR_UNSUPPORTED, uop,
                       uop->op == FB_OP_DEFINE_VAR ? "a variable without a value (%s)" : "%s in a symbolic size",
                       fb_op_name (uop->op));
      return FB_ARG_NIL;
    }
  for (guint i = 0; i < n; i++)
    operands[i] = g_array_index (values, FbArg, fb_node_map_get (index, uop->src[i]) - 1);
  return apply (context, uop, operands);
}

/* The value of the last of @order, sources first. */
static FbArg
evaluate_all (FbContext *context, GPtrArray *order, FbNodeMap *index, GArray *values)
{
  FbArg value = FB_ARG_NIL;

  for (guint i = 0; i < order->len && !fb_context_failed (context); i++)
    {
      FbUop *node = g_ptr_array_index (order, i);
      guintptr known = fb_node_map_get (index, node); /* a bound variable */

      if (known)
        {
          value = g_array_index (values, FbArg, known - 1);
          continue;
        }
      value = evaluate (context, node, index, values);
      g_array_append_val (values, value);
      fb_node_map_set (index, node, values->len);
    }
  return fb_context_failed (context) ? FB_ARG_NIL : value;
}

gboolean
fb_sym_infer_bound (FbContext *context, FbUop *uop, FbArg *value)
{
  g_autoptr (GPtrArray) bound = fb_uop_toposort (context, uop), order = NULL;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (FbArg));
  FbNodeMap *index = fb_node_map_acquire (context);

  *value = FB_ARG_NIL;
  if (collect_bindings (context, bound, index, values) && (uop = fb_simplify (context, uop)))
    {
      order = fb_uop_toposort (context, uop);
      *value = evaluate_all (context, order, index, values);
    }
  fb_node_map_release (context, index);
  return value->kind != FB_ARG_NONE;
}
