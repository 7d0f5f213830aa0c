/* What the simplifier offers to others, and the helpers that its rules share. */
#include "symbolic-private.h"

#include "core/ir/context-private.h"

/* --- operators --- */

FbUop *
fb_sym_like (FbContext *context, FbUop *uop, FbArg value)
{
  return uop && value.kind != FB_ARG_NONE ? fb_const_like (context, uop, value) : NULL;
}

FbUop *
fb_sym_add (FbContext *context, FbUop *x, FbArg c)
{
  return fb_alu2 (context, FB_OP_ADD, x, fb_sym_like (context, x, c));
}

FbUop *
fb_sym_mul (FbContext *context, FbUop *x, FbArg c)
{
  return fb_alu2 (context, FB_OP_MUL, x, fb_sym_like (context, x, c));
}

FbUop *
fb_sym_rmul (FbContext *context, FbArg c, FbUop *x)
{
  return fb_alu2 (context, FB_OP_MUL, fb_sym_like (context, x, c), x);
}

FbUop *
fb_sym_idiv (FbContext *context, FbUop *x, FbArg c)
{
  return fb_alu2 (context, FB_OP_IDIV, x, fb_sym_like (context, x, c));
}

FbUop *
fb_sym_mod (FbContext *context, FbUop *x, FbArg c)
{
  return fb_alu2 (context, FB_OP_MOD, x, fb_sym_like (context, x, c));
}

FbUop *
fb_sym_lt (FbContext *context, FbUop *x, FbArg c)
{
  return fb_alu2 (context, FB_OP_CMPLT, x, fb_sym_like (context, x, c));
}

FbUop *
fb_sym_reduce (FbContext *context, FbOp op, GPtrArray *terms)
{
  FbUop *result = g_ptr_array_index (terms, 0);

  for (guint i = 1; i < terms->len; i++)
    result = fb_alu2 (context, op, result, g_ptr_array_index (terms, i));
  return result;
}

gboolean
fb_sym_number (FbContext *context, const FbUop *uop, FbArg *number)
{
  *number = uop->arg;
  if (fb_arg_is_number (uop->arg))
    return TRUE;
  fb_context_fail (context, FB_ERROR_ARITHMETIC, uop, "a constant that is no number");
  return FALSE;
}

/* --- structure of sums and products --- */

/* Sums that share parts have more terms than nodes, without bound: beyond this many a sum counts as one term. */
#define MAX_TERMS 16384

void
fb_split_uop (FbUop *x, FbOp op, GPtrArray *terms)
{
  g_autoptr (GPtrArray) stack = NULL;

  if (x->op != op)
    {
      g_ptr_array_add (terms, x);
      return;
    }
  stack = g_ptr_array_new ();
  g_ptr_array_add (stack, x);
  while (stack->len)
    {
      FbUop *top = g_ptr_array_index (stack, stack->len - 1);

      g_ptr_array_set_size (stack, (gint) stack->len - 1);
      if (top->op != op || terms->len + stack->len >= MAX_TERMS)
        g_ptr_array_add (terms, top);
      else
        for (guint i = top->n_src; i-- > 0;)
          g_ptr_array_add (stack, top->src[i]);
    }
}

/* Of anything but a sum. */
static FbArg
term_factor (FbContext *context, const FbUop *uop)
{
  FbArg factor;

  if (uop->op == FB_OP_CONST)
    return fb_sym_number (context, uop, &factor) ? factor : FB_ARG_NIL;
  if (uop->op == FB_OP_VCONST && uop->arg.kind == FB_ARG_TUPLE)
    {
      factor = fb_arg_int (0);
      for (guint i = 0; i < uop->arg.tuple->n; i++)
        factor = fb_num_gcd (context, factor, uop->arg.tuple->items[i]);
      return factor;
    }
  if (uop->op == FB_OP_MUL && uop->n_src == 2)
    for (guint i = 0; i < 2; i++)
      if (uop->src[i]->op == FB_OP_CONST)
        return fb_sym_number (context, uop->src[i], &factor) ? factor : FB_ARG_NIL;
  return fb_arg_int (1);
}

FbArg
fb_const_factor (FbContext *context, FbUop *uop)
{
  g_autoptr (GPtrArray) order = NULL;
  FbArg factor = fb_arg_int (0);
  FbNodeMap *sums;

  if (uop->op != FB_OP_ADD)
    return term_factor (context, uop);
  /* Every sum below is walked once, however often it is shared. */
  order = g_ptr_array_new ();
  sums = fb_node_map_acquire (context);
  g_ptr_array_add (order, uop);
  for (guint at = 0; at < order->len && !fb_context_failed (context); at++)
    {
      FbUop *top = g_ptr_array_index (order, at);
      if (top->op != FB_OP_ADD)
        factor = fb_num_gcd (context, factor, term_factor (context, top));
      else
        for (guint i = 0; i < top->n_src; i++)
          if (!fb_node_map_get (sums, top->src[i]))
            {
              fb_node_map_set (sums, top->src[i], 1);
              g_ptr_array_add (order, top->src[i]);
            }
    }
  fb_node_map_release (context, sums);
  return factor;
}

/* Of a constant; NULL when it is not divided evenly. */
static FbUop *
divide_constant (FbContext *context, FbUop *uop, FbArg divisor)
{
  g_autofree FbArg *lanes = NULL;
  const FbTuple *tuple = uop->arg.tuple;

  if (uop->arg.kind != FB_ARG_TUPLE)
    {
      if (!fb_num_eq (fb_num_mod (context, uop->arg, divisor), fb_arg_int (0)))
        return NULL;
      return fb_sym_like (context, uop, fb_num_floordiv (context, uop->arg, divisor));
    }
  lanes = g_new (FbArg, MAX (tuple->n, 1));
  for (guint i = 0; i < tuple->n; i++)
    {
      if (!fb_num_eq (fb_num_mod (context, tuple->items[i], divisor), fb_arg_int (0)))
        return NULL;
      lanes[i] = fb_num_floordiv (context, tuple->items[i], divisor);
    }
  return fb_const_like (context, uop, fb_arg_new_tuple (context, tuple->n, lanes));
}

static gboolean
is_sum_or_product (const FbUop *uop)
{
  return (uop->op == FB_OP_ADD || uop->op == FB_OP_MUL) && uop->n_src == 2;
}

/* Of a node that is no sum and no product. */
static FbUop *
divide_leaf (FbContext *context, FbUop *uop, FbArg divisor)
{
  return uop->op == FB_OP_CONST || uop->op == FB_OP_VCONST ? divide_constant (context, uop, divisor) : NULL;
}

/* In the map of fb_divides: known not to divide. */
#define NOT_DIVIDED ((guintptr) 1)

/* What @uop divides to, from what its sources do; FALSE while the source *@wanted must be known first. A product asks its
 * second factor only when the first does not divide. */
static gboolean
divide_node (FbContext *context, FbNodeMap *known, FbUop *uop, FbUop **result, FbUop **wanted)
{
  guintptr first = fb_node_map_get (known, uop->src[0]), second = fb_node_map_get (known, uop->src[1]);
  gboolean sum = uop->op == FB_OP_ADD;

  *result = NULL;
  if (!first)
    {
      *wanted = uop->src[0];
      return FALSE;
    }
  if (sum == (first == NOT_DIVIDED))
    {
      if (!sum)
        *result = fb_alu2 (context, FB_OP_MUL, (FbUop *) first, uop->src[1]);
      return TRUE;
    }
  if (!second)
    {
      *wanted = uop->src[1];
      return FALSE;
    }
  if (second != NOT_DIVIDED)
    *result = sum ? fb_alu2 (context, FB_OP_ADD, (FbUop *) first, (FbUop *) second)
                  : fb_alu2 (context, FB_OP_MUL, uop->src[0], (FbUop *) second);
  return TRUE;
}

FbUop *
fb_divides (FbContext *context, FbUop *uop, FbArg divisor)
{
  g_autoptr (GPtrArray) stack = NULL;
  FbNodeMap *known;
  FbUop *result = NULL, *wanted;

  if (divisor.kind == FB_ARG_NONE)
    return NULL;
  if (fb_num_eq (divisor, fb_arg_int (1)))
    return uop;
  if (!is_sum_or_product (uop))
    return divide_leaf (context, uop, divisor);
  stack = g_ptr_array_new ();
  known = fb_node_map_acquire (context);
  g_ptr_array_add (stack, uop);
  while (stack->len && !fb_context_failed (context))
    {
      FbUop *top = g_ptr_array_index (stack, stack->len - 1);

      if (!is_sum_or_product (top))
        result = divide_leaf (context, top, divisor);
      else if (!divide_node (context, known, top, &result, &wanted))
        {
          g_ptr_array_add (stack, wanted);
          continue;
        }
      fb_node_map_set (known, top, result ? (guintptr) result : NOT_DIVIDED);
      g_ptr_array_set_size (stack, (gint) stack->len - 1);
    }
  fb_node_map_release (context, known);
  return fb_context_failed (context) ? NULL : result;
}

/* --- simplify --- */

/* No rule applies to it or to anything below: only leaves are there, and an op the tables do not know. */
static gboolean
is_simple (const FbUop *uop)
{
  if (fb_op_in (uop->op, FB_OPS_ALU | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST)))
    return FALSE;
  for (guint i = 0; i < uop->n_src; i++)
    if (uop->src[i]->n_src || fb_op_in (uop->src[i]->op, FB_OPS_ALU | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST)))
      return FALSE;
  return TRUE;
}

FbUop *
fb_simplify (FbContext *context, FbUop *uop)
{
  const void *known;
  FbUop *result;

  if (is_simple (uop))
    return uop;
  if (fb_memo_get (context, FB_MEMO_SIMPLIFY, uop, NULL, &known))
    return (FbUop *) known;
  result = fb_rewrite (context, uop, fb_symbolic (), NULL, FALSE, NULL);
  if (!result)
    return NULL;
  fb_memo_put (context, FB_MEMO_SIMPLIFY, uop, NULL, result);
  if (result != uop && !is_simple (result) && !fb_memo_get (context, FB_MEMO_SIMPLIFY, result, NULL, &known))
    fb_memo_put (context, FB_MEMO_SIMPLIFY, result, NULL, result); /* no rule applies any more */
  return result;
}

gboolean
fb_resolve (FbContext *context, FbUop *x, gboolean otherwise)
{
  const FbBounds *bounds;

  if (!x)
    return otherwise;
  if (x->dtype != FB_DTYPE (BOOL))
    {
      fb_context_fail (context, FB_ERROR_DTYPE, x, "a condition that is %s, not bool", x->dtype->repr);
      return otherwise;
    }
  if (!(x = fb_simplify (context, x)))
    return otherwise;
  bounds = fb_uop_bounds (context, x);
  return fb_num_eq (bounds->min, bounds->max) ? fb_arg_truth (bounds->min) : otherwise;
}

/* --- rule sets --- */

static const FbRuleSet *
rule_set (FbRuleSet **set, const char *name, guint n_tables)
{
  if (g_once_init_enter (set))
    {
      const FbRuleTable tables[] = { fb_symbolic_simple_rules, fb_symbolic_more_rules, fb_symbolic_flat_more_rules };
      g_once_init_leave (set, fb_rule_set_new (name, n_tables, tables));
    }
  return *set;
}

const FbRuleSet *
fb_symbolic (void)
{
  static FbRuleSet *set;
  return rule_set (&set, "symbolic", 2);
}

const FbRuleSet *
fb_symbolic_flat (void)
{
  static FbRuleSet *set;
  return rule_set (&set, "symbolic_flat", 3);
}
