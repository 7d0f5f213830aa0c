/* What `symbolic` adds (symbolic.py:173): algebra of index expressions.
 *
 * A rule gives a node of the same dtype and value as the one it replaces, or NULL. The rules order sums and products so that
 * constants come last, and merge terms: each shortens the expression or moves it towards that order, so rewriting ends. */
#include "core/rewrite/pattern-macros.h"
#include "symbolic-private.h"

#define BOOL FB_DT_BIT (BOOL)
#define INT32 FB_DT_BIT (INT32)
#define ZERO fb_arg_int (0)

static FbUop *
mul (FbRewriter *rw, FbUop *x, FbUop *y)
{
  return fb_alu2 (rw->context, FB_OP_MUL, x, y);
}

static FbUop *
add (FbRewriter *rw, FbUop *x, FbUop *y)
{
  return fb_alu2 (rw->context, FB_OP_ADD, x, y);
}

static FbUop *
idiv (FbRewriter *rw, FbUop *x, FbUop *y)
{
  return fb_alu2 (rw->context, FB_OP_IDIV, x, y);
}

static FbUop *
lt (FbRewriter *rw, FbUop *x, FbUop *y)
{
  return fb_alu2 (rw->context, FB_OP_CMPLT, x, y);
}

static gboolean
positive (FbArg a)
{
  return fb_num_lt (ZERO, a);
}

static FbUop *
order_operands (FbRewriter *rw, FbUop *const *m)
{
  FbUop *x = m[FB_x];
  int c;

  if (x->n_src != 2)
    {
      fb_context_fail (rw->context, FB_ERROR_ARITHMETIC, x, "%s of %u sources", fb_op_name (x->op), x->n_src);
      return NULL;
    }
  c = fb_uop_compare (x->src[1], x->src[0]);
  if (c == FB_COMPARE_REFUSED)
    fb_context_fail (rw->context, FB_ERROR_ARITHMETIC, x, "operands of %s that have no order", fb_op_name (x->op));
  return c < 0 ? fb_replace_src (rw->context, x, 2, (FbUop *[]){ x->src[1], x->src[0] }) : NULL;
}

static FbUop *
x_times_sum (FbRewriter *rw, FbUop *const *m)
{
  return mul (rw, m[FB_x], add (rw, m[FB_c0], m[FB_c1]));
}

static FbUop *
y_plus_x_times_sum (FbRewriter *rw, FbUop *const *m)
{
  return add (rw, m[FB_y], x_times_sum (rw, m));
}

static FbUop *
x_times_next (FbRewriter *rw, FbUop *const *m)
{
  return mul (rw, m[FB_x], fb_add_int (rw->context, m[FB_c], 1));
}

static FbUop *
y_plus_x_times_next (FbRewriter *rw, FbUop *const *m)
{
  return add (rw, m[FB_y], x_times_next (rw, m));
}

static FbUop *
x_twice (FbRewriter *rw, FbUop *const *m)
{
  return fb_mul_int (rw->context, m[FB_x], 2);
}

static FbUop *
y_plus_x_twice (FbRewriter *rw, FbUop *const *m)
{
  return add (rw, m[FB_y], x_twice (rw, m));
}

static FbUop *
divide_by_product (FbRewriter *rw, FbUop *const *m)
{
  if (m[FB_x2] == m[FB_x3])
    return NULL;
  return mul (rw, m[FB_x], fb_alu1 (rw->context, FB_OP_RECIP, mul (rw, m[FB_x2], m[FB_x3])));
}

static FbUop *
minus_each (FbRewriter *rw, FbUop *const *m)
{
  return add (rw, fb_neg (rw->context, m[FB_x]), fb_neg (rw->context, m[FB_c]));
}

static FbUop *
take_val (FbRewriter *rw, FbUop *const *m)
{
  return m[FB_val];
}

static FbUop *
take_branch (FbRewriter *rw, FbUop *const *m)
{
  return fb_arg_truth (m[FB_gate]->arg) ? m[FB_c0] : m[FB_c1];
}

/* Only when two of the branches are constants, else the work would be doubled. */
static FbUop *
merge_where (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbOp op = m[FB_alu]->op;
  FbUop *yes, *no;

  if (!(m[FB_t]->op == FB_OP_CONST && m[FB_tt]->op == FB_OP_CONST)
      && !(m[FB_f]->op == FB_OP_CONST && m[FB_ff]->op == FB_OP_CONST))
    return NULL;
  yes = fb_alu2 (context, op, m[FB_t], m[FB_tt]);
  no = fb_alu2 (context, op, m[FB_f], m[FB_ff]);
  return fb_alu3 (context, FB_OP_WHERE, m[FB_c], yes, no);
}

static FbUop *
only_value (FbRewriter *rw, FbUop *const *m)
{
  const FbBounds *bounds = fb_uop_bounds (rw->context, m[FB_x]);
  return fb_num_eq (bounds->min, bounds->max) ? fb_const_like (rw->context, m[FB_x], bounds->min) : NULL;
}

static FbUop *
always_larger (FbRewriter *rw, FbUop *const *m)
{
  const FbBounds *x = fb_uop_bounds (rw->context, m[FB_x]), *y = fb_uop_bounds (rw->context, m[FB_y]);

  if (fb_num_le (y->max, x->min))
    return m[FB_x];
  return fb_num_le (x->max, y->min) ? m[FB_y] : NULL;
}

static FbUop *
join_constants (FbRewriter *rw, FbUop *const *m)
{
  FbOp op = m[FB_f]->op;
  return fb_alu2 (rw->context, op, m[FB_x], fb_alu2 (rw->context, op, m[FB_c1], m[FB_c2]));
}

static FbUop *
move_constant_right_of_lt (FbRewriter *rw, FbUop *const *m)
{
  return lt (rw, m[FB_x], add (rw, m[FB_c1], fb_neg (rw->context, m[FB_c0])));
}

static FbUop *
divide_once (FbRewriter *rw, FbUop *const *m)
{
  return idiv (rw, m[FB_x], mul (rw, m[FB_c1], m[FB_c2]));
}

static gboolean
two_numbers (FbRewriter *rw, FbUop *const *m, FbArg *c0, FbArg *c1)
{
  return fb_sym_number (rw->context, m[FB_c0], c0) && fb_sym_number (rw->context, m[FB_c1], c1);
}

static FbUop *
divide_lt_up (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbArg c0, c1;

  if (!two_numbers (rw, m, &c0, &c1) || !positive (c0) || !positive (c1))
    return NULL;
  return fb_sym_lt (context, m[FB_x], fb_num_ceil (context, fb_num_truediv (context, c1, c0)));
}

static FbUop *
divide_lt_down (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbArg c0, c1, ratio;

  if (!two_numbers (rw, m, &c0, &c1) || !fb_num_lt (c0, ZERO) || fb_num_eq (c0, fb_arg_int (-1))
      || !fb_num_le (c1, ZERO))
    return NULL;
  ratio = fb_num_truediv (context, fb_num_neg (context, c1), fb_num_neg (context, c0));
  return fb_sym_lt (context, fb_neg (context, m[FB_x]), fb_num_neg (context, fb_num_floor (context, ratio)));
}

static FbUop *
multiply_lt (FbRewriter *rw, FbUop *const *m)
{
  FbArg c0, c1;

  if (!two_numbers (rw, m, &c0, &c1) || !positive (c0))
    return NULL;
  return fb_sym_lt (rw->context, m[FB_x], fb_num_mul (rw->context, c1, c0));
}

static FbUop *
add_constant_last (FbRewriter *rw, FbUop *const *m)
{
  return add (rw, add (rw, m[FB_x], m[FB_y]), m[FB_c1]);
}

static FbUop *
mul_constant_last (FbRewriter *rw, FbUop *const *m)
{
  return mul (rw, mul (rw, m[FB_x], m[FB_y]), m[FB_c1]);
}

static FbUop *
sum_of_quotients (FbRewriter *rw, FbUop *const *m)
{
  return fb_fold_unrolled_divs (rw->context, m[FB_divs]);
}

static FbUop *
lt_by_common_factor (FbRewriter *rw, FbUop *const *m)
{
  FbArg c;

  if (!fb_sym_number (rw->context, m[FB_c], &c) || !positive (c))
    return NULL;
  return fb_lt_folding (rw->context, m[FB_x], c);
}

static FbUop *
positive_sum (FbRewriter *rw, FbUop *const *m)
{
  FbUop *x = fb_canonicalize_simplex (rw->context, m[FB_x]);
  return x ? fb_ge_int (rw->context, x, 1) : NULL;
}

static FbUop *
divide_sum_once (FbRewriter *rw, FbUop *const *m)
{
  return idiv (rw, add (rw, m[FB_x], mul (rw, m[FB_a], m[FB_c])), mul (rw, m[FB_c], m[FB_d]));
}

static FbUop *
fold_idiv (FbRewriter *rw, FbUop *const *m)
{
  return fb_div_and_mod_folding (rw->context, m[FB_x], m[FB_y], FB_OP_IDIV);
}

static FbUop *
fold_mod (FbRewriter *rw, FbUop *const *m)
{
  return fb_div_and_mod_folding (rw->context, m[FB_x], m[FB_y], FB_OP_MOD);
}

/* (x op c1) op c2, one row for each associative op in the order in which the reference's set of them is walked */
#define TWO_STAGE(op, name, law) \
  RULE (name, law, COMM (op, COMM (op, VAR (x), CVAR (c1)), CVAR (c2), NAMED (f)), join_constants, "symbolic.py:202")

/* clang-format off */
static const FbRule rules[] = {
  RULE ("order-operands", "y op x -> x op y if x orders first (int)",
        OPS (FB_OPS_COMMUTATIVE, TYPED (INT32), NAMED (x)), order_operands, "symbolic.py:175"),
  RULE ("absorb", "x|(x&y) -> x", COMM (OR, VAR (x), COMM (AND, VAR (x), ANY)), fb_rule_take_x, "symbolic.py:177"),

  /* terms of the same node */
  RULE ("add-multiples", "x*c0+x*c1 -> x*(c0+c1)",
        COMM (ADD, COMM (MUL, VAR (x), CVAR (c0)), COMM (MUL, VAR (x), CVAR (c1))), x_times_sum, "symbolic.py:179"),
  RULE ("add-multiples-after", "(y+x*c0)+x*c1 -> y+x*(c0+c1)",
        COMM (ADD, COMM (ADD, VAR (y), COMM (MUL, VAR (x), CVAR (c0))), COMM (MUL, VAR (x), CVAR (c1))),
        y_plus_x_times_sum, "symbolic.py:180"),
  RULE ("add-multiple", "x+x*c -> x*(c+1)", COMM (ADD, VAR (x), COMM (MUL, VAR (x), CVAR (c))), x_times_next,
        "symbolic.py:181"),
  RULE ("add-multiple-after", "(y+x)+x*c -> y+x*(c+1)",
        COMM (ADD, COMM (ADD, VAR (y), VAR (x)), COMM (MUL, VAR (x), CVAR (c))), y_plus_x_times_next,
        "symbolic.py:182"),
  RULE ("add-self", "x+x -> x*2", TWICE (ADD, VAR (x)), x_twice, "symbolic.py:183"),
  RULE ("add-self-after", "(y+x)+x -> y+x*2", COMM (ADD, COMM (ADD, VAR (y), VAR (x)), VAR (x)), y_plus_x_twice,
        "symbolic.py:184"),
  RULE ("div-twice", "(x/x2)/x3 -> x/(x2*x3)",
        COMM (MUL, COMM (MUL, VAR (x), OP (RECIP, SRC (VAR (x2)))), OP (RECIP, SRC (VAR (x3)))), divide_by_product,
        "symbolic.py:185"),
  RULE ("minus-sum-const", "-(x+c) -> -x + -c", COMM (MUL, INT (-1), COMM (ADD, VAR (x), CVAR (c))), minus_each,
        "symbolic.py:186"),

  /* conditionals */
  RULE ("where-same", "y ? x : x -> x", WHERE3 (ANY, VAR (val), VAR (val)), take_val, "symbolic.py:188"),
  RULE ("where-const", "True ? x : y -> x, False ? x : y -> y", WHERE3 (SCALAR_CVAR (gate), VAR (c0), VAR (c1)),
        take_branch, "symbolic.py:189"),
  RULE ("merge-where", "(c ? t : f) op (c ? tt : ff) -> c ? t op tt : f op ff",
        OPS (FB_OPS_BINARY, NAMED (alu), SRC (WHERE3 (VAR (c), VAR (t), VAR (f)), WHERE3 (VAR (c), VAR (tt), VAR (ff)))),
        merge_where, "symbolic.py:192"),

  /* bounds */
  RULE ("only-value", "x -> c if min and max of x are c", OPS (FB_OPS_ALU, NAMED (x)), only_value, "symbolic.py:194"),
  RULE ("max-of-bounds", "max(x,y) -> x if x is never smaller", COMM (MAX, VAR (x), VAR (y)), always_larger,
        "symbolic.py:196"),

  /* two constants become one */
  TWO_STAGE (ADD, "two-stage-add", "(x+c1)+c2 -> x+(c1+c2)"),
  TWO_STAGE (MUL, "two-stage-mul", "(x*c1)*c2 -> x*(c1*c2)"),
  TWO_STAGE (MAX, "two-stage-max", "max(max(x,c1),c2) -> max(x,max(c1,c2))"),
  TWO_STAGE (OR, "two-stage-or", "(x|c1)|c2 -> x|(c1|c2)"),
  TWO_STAGE (AND, "two-stage-and", "(x&c1)&c2 -> x&(c1&c2)"),
  RULE ("lt-move-const", "c0+x < c1 -> x < c1-c0", LT (COMM (ADD, CVAR (c0), VAR (x)), CVAR (c1)),
        move_constant_right_of_lt, "symbolic.py:203"),
  RULE ("idiv-twice", "(x//c1)//c2 -> x//(c1*c2)", BINARY (IDIV, BINARY (IDIV, VAR (x), CVAR (c1)), CVAR (c2)),
        divide_once, "symbolic.py:204"),

  /* comparisons */
  RULE ("lt-positive-factor", "c0*x < c1 -> x < ceil(c1/c0) if c0,c1 > 0 (ints)",
        LT (COMM (MUL, SCALAR_CVAR (c0), VAR_T (x, FB_DT_INTS), TYPED (FB_DT_INTS)), SCALAR_CVAR (c1)), divide_lt_up,
        "symbolic.py:208"),
  RULE ("lt-negative-factor", "c0*x < c1 -> -x < -floor(c1/c0) if c0 < -1 and c1 <= 0 (ints)",
        LT (COMM (MUL, SCALAR_CVAR (c0), VAR_T (x, FB_DT_INTS), TYPED (FB_DT_INTS)), SCALAR_CVAR (c1)),
        divide_lt_down, "symbolic.py:211"),
  RULE ("lt-quotient", "x//c0 < c1 -> x < c1*c0 if c0 > 0 (ints)",
        LT (BINARY (IDIV, VAR_T (x, FB_DT_INTS), SCALAR_CVAR (c0)), SCALAR_CVAR (c1)), multiply_lt,
        "symbolic.py:214"),

  /* constants last */
  RULE ("add-const-last", "(x+c1)+y -> (x+y)+c1", COMM (ADD, BINARY (ADD, VAR (x), CVAR (c1)), VAR (y)),
        add_constant_last, "symbolic.py:216"),
  RULE ("mul-const-last", "(x*c1)*y -> (x*y)*c1", COMM (MUL, BINARY (MUL, VAR (x), CVAR (c1)), VAR (y)),
        mul_constant_last, "symbolic.py:217"),

  /* sums of terms */
  RULE ("sum-of-quotients", "x//n+(x+1)//n+...+(x+n-1)//n -> x", OP (ADD, NAMED (divs), ANY_ORDER (ANY, OP (IDIV))),
        sum_of_quotients, "symbolic.py:75"),
  RULE ("lt-common-factor", "p+d*q < d*n -> q < n if 0 <= p < d",
        LT (VAR_T (x, FB_DT_SINTS), SCALAR_CVAR (c)), lt_by_common_factor, "symbolic.py:222"),
  RULE ("positive-sum", "a0*x0+a1*x1+... > 0 -> x0+x1+... > 0 if no a or x is negative",
        NE (LT (VAR_T (x, FB_DT_INTS), INT_T (FB_DT_INTS, 1)), INT_T (BOOL, 1)), positive_sum, "symbolic.py:225"),
  RULE ("idiv-sum-twice", "(x//c+a)//d -> (x+a*c)//(c*d)",
        BINARY (IDIV, COMM (ADD, BINARY (IDIV, VAR (x), CVAR (c)), CVAR (a)), CVAR (d)), divide_sum_once,
        "symbolic.py:228"),
  RULE ("fold-idiv", "x//c -> quotients of the terms", BINARY (IDIV, VAR_T (x, FB_DT_SINTS), VAR (y)), fold_idiv,
        "symbolic.py:229"),
  RULE ("fold-mod", "x%c -> remainders of the terms", BINARY (MOD, VAR (x), VAR (y)), fold_mod, "symbolic.py:232"),
};
/* clang-format on */

const FbRuleTable fb_symbolic_more_rules = FB_RULE_TABLE (rules);
