/* `symbolic_simple` (symbolic.py:24): what holds for any operand, on tensors too.
 *
 * A rule gives a node of the same dtype and value as the one it replaces, or NULL. It runs once per node of a tensor graph,
 * so it looks at the node and its sources, never deeper. */
#include "core/rewrite/pattern-macros.h"
#include "symbolic-private.h"

#include <math.h>

#define BOOL FB_DT_BIT (BOOL)

FbUop *
fb_rule_take_x (FbRewriter *rw, FbUop *const *m)
{
  return m[FB_x];
}

static FbUop *
one (FbRewriter *rw, FbUop *const *m)
{
  return fb_const_like_int (rw->context, m[FB_x], 1);
}

static FbUop *
minus_x (FbRewriter *rw, FbUop *const *m)
{
  return fb_neg (rw->context, m[FB_x]);
}

static FbUop *
take_base (FbRewriter *rw, FbUop *const *m)
{
  return m[FB_base];
}

/* a * b == c as Python has it: constants of several lanes are tuples, which an integer repeats. */
static gboolean
product_is (FbContext *context, const FbUop *a, const FbUop *b, const FbUop *c)
{
  FbArg p = a->arg, q = b->arg;

  if (p.kind != FB_ARG_TUPLE && q.kind != FB_ARG_TUPLE)
    return fb_arg_is_number (c->arg) && fb_num_eq (fb_num_mul (context, p, q), c->arg);
  if (q.kind == FB_ARG_TUPLE)
    {
      p = b->arg;
      q = a->arg;
    }
  if (!fb_arg_is_integer (q))
    {
      fb_context_fail (context, FB_ERROR_ARITHMETIC, b, "product of constants of several lanes");
      return FALSE;
    }
  return fb_num_eq (q, fb_arg_int (1)) && fb_arg_equal (p, c->arg);
}

static FbUop *
mod_plus_scaled_div (FbRewriter *rw, FbUop *const *m)
{
  if (!product_is (rw->context, m[FB_c1], m[FB_c2], m[FB_c3]))
    return NULL;
  return fb_alu2 (rw->context, FB_OP_MUL, m[FB_x], m[FB_c2]);
}

static FbUop *
and_const (FbRewriter *rw, FbUop *const *m)
{
  return fb_arg_truth (m[FB_c]->arg) ? m[FB_x] : m[FB_c];
}

static FbUop *
or_const (FbRewriter *rw, FbUop *const *m)
{
  return fb_arg_truth (m[FB_c]->arg) ? m[FB_c] : m[FB_x];
}

static FbUop *
never (FbRewriter *rw, FbUop *const *m)
{
  const FbDType *dtype = fb_dtype_vec (rw->context, FB_DTYPE (BOOL), m[FB_x]->dtype->count);
  return fb_cast (rw->context, fb_const_like (rw->context, m[FB_x], fb_arg_bool (FALSE)), dtype);
}

/* 0, but nan for a constant that is not finite. */
static FbUop *
times_zero (FbRewriter *rw, FbUop *const *m)
{
  FbArg arg = m[FB_x]->arg;
  gboolean undefined = arg.kind == FB_ARG_FLOAT && !isfinite (arg.f);
  return fb_const_like (rw->context, m[FB_x], undefined ? fb_arg_new_nan (rw->context) : fb_arg_int (0));
}

static FbUop *
fold_constants (FbRewriter *rw, FbUop *const *m)
{
  FbUop *a = m[FB_a];
  FbArg operands[3];

  if (a->op == FB_OP_THREEFRY)
    return NULL;
  if (a->n_src > G_N_ELEMENTS (operands))
    {
      fb_context_fail (rw->context, FB_ERROR_ARITHMETIC, a, "%s of %u sources", fb_op_name (a->op), a->n_src);
      return NULL;
    }
  for (guint i = 0; i < a->n_src; i++)
    operands[i] = a->src[i]->arg;
  return fb_sym_like (rw->context, a, fb_num_exec_alu (rw->context, a->op, a->dtype, a->n_src, operands));
}

static FbUop *
x_and_y (FbRewriter *rw, FbUop *const *m)
{
  return fb_alu2 (rw->context, FB_OP_AND, m[FB_x], m[FB_y]);
}

static FbUop *
x_or_y (FbRewriter *rw, FbUop *const *m)
{
  return fb_alu2 (rw->context, FB_OP_OR, m[FB_x], m[FB_y]);
}

/* A hostile capture may hold a CAST without sources. */
static gboolean
has_source (FbRewriter *rw, const FbUop *root)
{
  if (root->n_src == 0)
    fb_context_fail (rw->context, FB_ERROR_ARITHMETIC, root, "%s without a source", fb_op_name (root->op));
  return root->n_src != 0;
}

static FbUop *
cast_constant (FbRewriter *rw, FbUop *const *m)
{
  return has_source (rw, m[FB_root]) ? fb_const_like (rw->context, m[FB_root], m[FB_c]->arg) : NULL;
}

static FbUop *
cast_to_same (FbRewriter *rw, FbUop *const *m)
{
  FbUop *root = m[FB_root];
  return has_source (rw, root) && root->src[0]->dtype == root->dtype ? root->src[0] : NULL;
}

static FbUop *
bitcast_constant (FbRewriter *rw, FbUop *const *m)
{
  return fb_fold_bitcast (rw->context, m[FB_root], m[FB_c]);
}

/* x to a constant power as products and a square root (symbolic.py:12). */
static FbUop *
constant_power (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *x = m[FB_x], *c = m[FB_c], *y;
  FbArg power, less, whole;

  if (!fb_sym_number (context, c, &power))
    return NULL;
  if (fb_num_lt (power, fb_arg_int (0)))
    return fb_alu2 (context, FB_OP_POW, fb_alu1 (context, FB_OP_RECIP, x), fb_neg (context, c));
  if (fb_num_eq (power, fb_arg_int (0)))
    return fb_const_like_int (context, x, 1);
  less = fb_num_sub (context, power, fb_arg_float (0.5));
  whole = fb_num_to_int (context, less);
  if (fb_context_failed (context))
    return NULL;
  if (fb_num_eq (fb_num_add (context, whole, fb_arg_float (0.5)), power))
    return fb_alu2 (context, FB_OP_MUL, fb_alu2 (context, FB_OP_POW, x, fb_const_like (context, c, less)),
                    fb_alu1 (context, FB_OP_SQRT, x));
  if (!fb_num_eq (fb_num_to_int (context, power), power))
    return NULL;
  y = fb_alu2 (context, FB_OP_POW, x, fb_sym_like (context, c, fb_num_floordiv (context, power, fb_arg_int (2))));
  y = fb_alu2 (context, FB_OP_MUL, y, y);
  if (fb_num_eq (fb_num_mod (context, power, fb_arg_int (2)), fb_arg_int (1)))
    return fb_alu2 (context, FB_OP_MUL, y, x);
  return fb_mul_int (context, y, 1);
}

static FbUop *
power_of_constant (FbRewriter *rw, FbUop *const *m)
{
  FbArg base;

  if (!fb_sym_number (rw->context, m[FB_c], &base))
    return NULL;
  if (fb_num_eq (base, fb_arg_int (1)))
    return m[FB_c];
  if (!fb_num_lt (fb_arg_int (0), base))
    return NULL;
  return fb_alu1 (rw->context, FB_OP_EXP2, fb_sym_mul (rw->context, m[FB_x], fb_num_log2 (rw->context, base)));
}

/* clang-format off */
static const FbRule rules[] = {
  /* a node that is one of its sources */
  RULE ("add-zero", "x+0 -> x", COMM (ADD, VAR (x), INT (0)), fb_rule_take_x, "symbolic.py:26"),
  RULE ("mul-one", "x*1 -> x", COMM (MUL, VAR (x), INT (1)), fb_rule_take_x, "symbolic.py:27"),
  RULE ("idiv-self", "x//x -> 1", BINARY (IDIV, VAR (x), VAR (x)), one, "symbolic.py:28"),
  RULE ("idiv-one", "x//1 -> x", BINARY (IDIV, VAR (x), INT (1)), fb_rule_take_x, "symbolic.py:29"),
  RULE ("idiv-minus-one", "x//-1 -> -x", BINARY (IDIV, VAR (x), INT (-1)), minus_x, "symbolic.py:30"),
  RULE ("div-self", "x/x -> 1", COMM (MUL, VAR (x), OP (RECIP, SRC (VAR (x)))), one, "symbolic.py:31"),
  RULE ("mul-div-same", "(x*x2)/x2 -> x", COMM (MUL, COMM (MUL, VAR (x), VAR (x2)), OP (RECIP, SRC (VAR (x2)))),
        fb_rule_take_x, "symbolic.py:32"),
  RULE ("mod-twice", "(x%y)%y -> x%y", BINARY (MOD, BINARY (MOD, ANY, VAR (y), NAMED (base)), VAR (y)), take_base,
        "symbolic.py:33"),
  RULE ("mod-plus-div", "x%c+(x//c)*c -> x",
        COMM (ADD, BINARY (MOD, VAR (x), CVAR (c)), COMM (MUL, BINARY (IDIV, VAR (x), CVAR (c)), CVAR (c))),
        fb_rule_take_x, "symbolic.py:34"),
  RULE ("mod-plus-div-scaled", "(x//c1)*c3+(x%c1)*c2 -> x*c2 if c1*c2==c3",
        COMM (ADD, COMM (MUL, BINARY (IDIV, VAR (x), CVAR (c1)), CVAR (c3)),
              COMM (MUL, BINARY (MOD, VAR (x), CVAR (c1)), CVAR (c2))),
        mod_plus_scaled_div, "symbolic.py:36"),
  RULE ("and-const", "x&True -> x, x&False -> False (bool)", COMM (AND, VAR_T (x, BOOL), SCALAR_CVAR (c)), and_const,
        "symbolic.py:37"),
  RULE ("or-const", "x|True -> True, x|False -> x (bool)", COMM (OR, VAR_T (x, BOOL), SCALAR_CVAR (c)), or_const,
        "symbolic.py:38"),
  RULE ("idempotent", "x|x, x&x, max(x,x) -> x", OPS (FB_OPS_IDEMPOTENT, SRC (VAR (x), VAR (x))), fb_rule_take_x,
        "symbolic.py:39"),
  RULE ("not-not", "not not x -> x (bool)", NE (NE (VAR_T (x, BOOL), INT_T (BOOL, 1)), INT_T (BOOL, 1)),
        fb_rule_take_x, "symbolic.py:40"),
  RULE ("where-true-false", "x ? True : False -> x (bool)",
        WHERE3 (VAR_T (x, BOOL), INT_T (BOOL, 1), INT_T (BOOL, 0), TYPED (BOOL)), fb_rule_take_x, "symbolic.py:41"),

  /* comparisons with itself, products with zero */
  RULE ("lt-self", "x<x -> False", LT (VAR (x), VAR (x)), never, "symbolic.py:43"),
  RULE ("ne-self", "x!=x -> False (ints)",
        TWICE (CMPNE, VAR_T (x, FB_DT_INTS), TYPED (BOOL)), never, "symbolic.py:45"),
  RULE ("mul-zero", "x*0 -> 0 (nan if x is a constant that is not finite)", COMM (MUL, VAR (x), INT (0)), times_zero,
        "symbolic.py:49"),

  /* constants */
  RULE ("const-fold", "an op on constants -> its value",
        OPS (FB_OPS_ALU, NAMED (a), ALL_SRC (OPS (FB_OP_BIT (CONST) | FB_OP_BIT (VCONST)))), fold_constants,
        "symbolic.py:53"),
  RULE ("bool-mul", "x*y -> x&y (bool)", COMM (MUL, VAR_T (x, BOOL), VAR_T (y, BOOL), TYPED (BOOL)), x_and_y,
        "symbolic.py:55"),
  RULE ("bool-add", "x+y -> x|y (bool)", COMM (ADD, VAR_T (x, BOOL), VAR_T (y, BOOL), TYPED (BOOL)), x_or_y,
        "symbolic.py:56"),
  RULE ("bool-max", "max(x,y) -> x|y (bool)", COMM (MAX, VAR_T (x, BOOL), VAR_T (y, BOOL), TYPED (BOOL)), x_or_y,
        "symbolic.py:57"),
  RULE ("cast-const", "cast(c) -> c", OP (CAST, NAMED (root), ALL_SRC (CVAR (c))), cast_constant, "symbolic.py:59"),
  RULE ("cast-same", "cast(x) -> x if it has the dtype already", OPS (FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST), NAMED (root)),
        cast_to_same, "symbolic.py:60"),
  RULE ("bitcast-const", "bitcast(c) -> c", OP (BITCAST, NAMED (root), SRC (CVAR (c))), bitcast_constant,
        "symbolic.py:19"),

  /* powers */
  RULE ("pow-const", "x**c -> products and a square root", BINARY (POW, VAR (x), SCALAR_CVAR (c)), constant_power,
        "symbolic.py:12"),
  RULE ("const-pow", "c**x -> exp2(x*log2(c)) if c > 0, 1**x -> 1", BINARY (POW, SCALAR_CVAR (c), VAR (x)),
        power_of_constant, "symbolic.py:65"),
};
/* clang-format on */

const FbRuleTable fb_symbolic_simple_rules = FB_RULE_TABLE (rules);
