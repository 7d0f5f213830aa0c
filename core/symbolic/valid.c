/* Simplification under a condition that is known to hold (symbolic.py:241-301). */
#include "symbolic-private.h"

#include "core/ir/context-private.h"

/* What one clause of a condition says of an expression: expr <= c, or expr >= c. */
typedef struct
{
  FbUop *expr;
  gboolean is_upper;
  FbArg c;
} Clause;

/* symbolic.py:243; FALSE when @valid is no such clause. */
static gboolean
parse_valid (FbContext *context, FbUop *valid, Clause *clause)
{
  if (valid->n_src != 2 || valid->src[1]->op != FB_OP_CONST)
    return FALSE;
  if (valid->op == FB_OP_CMPNE && fb_arg_is_number (valid->src[1]->arg)
      && fb_num_eq (valid->src[1]->arg, fb_arg_int (1)) && valid->src[0]->op == FB_OP_CMPLT && valid->src[0]->n_src == 2
      && valid->src[0]->src[1]->op == FB_OP_CONST)
    {
      *clause = (Clause){ valid->src[0]->src[0], FALSE, valid->src[0]->src[1]->arg };
      return TRUE;
    }
  if (valid->op == FB_OP_CMPLT && fb_dtype_is_int (valid->src[0]->dtype))
    {
      *clause = (Clause){ valid->src[0], TRUE, fb_num_sub (context, valid->src[1]->arg, fb_arg_int (1)) };
      return TRUE;
    }
  return FALSE;
}

/* The bounds that all clauses together put on an expression; None where there is none. */
typedef struct
{
  FbUop *expr;
  FbArg lower, upper;
} Constraint;

static Constraint *
constraint_of (GArray *constraints, FbUop *expr)
{
  Constraint fresh = { expr, FB_ARG_NIL, FB_ARG_NIL };

  for (guint i = 0; i < constraints->len; i++)
    if (g_array_index (constraints, Constraint, i).expr == expr)
      return &g_array_index (constraints, Constraint, i);
  g_array_append_val (constraints, fresh);
  return &g_array_index (constraints, Constraint, constraints->len - 1);
}

/* FALSE when a clause of @valid is not understood. */
static gboolean
parse_all (FbContext *context, FbUop *valid, GArray *constraints)
{
  g_autoptr (GPtrArray) clauses = g_ptr_array_new ();
  Clause clause;

  fb_split_uop (valid, FB_OP_AND, clauses);
  for (guint i = 0; i < clauses->len; i++)
    {
      Constraint *constraint;
      if (!parse_valid (context, g_ptr_array_index (clauses, i), &clause))
        return FALSE;
      constraint = constraint_of (constraints, clause.expr);
      *(clause.is_upper ? &constraint->upper : &constraint->lower) = clause.c;
    }
  return TRUE;
}

static gboolean
contains (FbContext *context, FbUop *root, FbUop *needle)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();
  FbNodeMap *seen = fb_node_map_acquire (context);
  gboolean found = root == needle;

  g_ptr_array_add (stack, root);
  while (stack->len && !found)
    {
      FbUop *top = g_ptr_array_index (stack, stack->len - 1);

      g_ptr_array_set_size (stack, (gint) stack->len - 1);
      for (guint i = 0; i < top->n_src && !found; i++)
        {
          FbUop *s = top->src[i];
          found = s == needle;
          /* Sources are made before their users: nothing below an older node than @needle leads to it. */
          if (s->id > needle->id && !fb_node_map_get (seen, s))
            {
              fb_node_map_set (seen, s, 1);
              g_ptr_array_add (stack, s);
            }
        }
    }
  fb_node_map_release (context, seen);
  return found;
}

/* @uop simplified with @x limited to [min, max]. NULL on error. */
static FbUop *
simplify_with (FbContext *context, FbUop *uop, FbUop *x, FbArg min, FbArg max)
{
  FbUop *fake = fb_variable (context, "fake", min, max, x->dtype);

  uop = fb_substitute (context, uop, 1, &x, &fake);
  uop = uop ? fb_simplify (context, uop) : NULL;
  uop = uop ? fb_substitute (context, uop, 1, &fake, &x) : NULL;
  return uop ? fb_simplify (context, uop) : NULL;
}

static gboolean
all_same_source (GPtrArray *uops, guint lane)
{
  for (guint i = 0; i < uops->len; i++)
    {
      FbUop *first = g_ptr_array_index (uops, 0), *uop = g_ptr_array_index (uops, i);
      if (uop->n_src <= lane || first->n_src <= lane || uop->src[lane] != first->src[lane])
        return FALSE;
    }
  return TRUE;
}

static gboolean
all_same (GPtrArray *uops)
{
  for (guint i = 1; i < uops->len; i++)
    if (g_ptr_array_index (uops, i) != g_ptr_array_index (uops, 0))
      return FALSE;
  return TRUE;
}

/* Takes over what all alternatives agree on; of a pair of indices (image coordinates) each by itself. */
static FbUop *
agree (FbContext *context, FbUop *uop, GPtrArray *alternatives)
{
  FbUop *first = g_ptr_array_index (alternatives, 0);

  if (uop->op != FB_OP_VECTORIZE || uop->n_src != 2)
    return all_same (alternatives) ? first : uop;
  if (all_same_source (alternatives, 0))
    uop = fb_replace_src (context, uop, 2, (FbUop *[]){ first->src[0], uop->src[1] });
  if (all_same_source (alternatives, 1))
    uop = fb_replace_src (context, uop, 2, (FbUop *[]){ uop->src[0], first->src[1] });
  return uop;
}

/* X0 + X1 + ... >= 1 with variables only: at least one of them is at least 1, so what holds for each holds. */
static FbUop *
try_simplex (FbContext *context, FbUop *uop, const Constraint *constraint)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  g_autoptr (GPtrArray) alternatives = g_ptr_array_new ();

  if (constraint->expr->op != FB_OP_ADD || constraint->lower.kind == FB_ARG_NONE
      || !fb_num_eq (constraint->lower, fb_arg_int (1)))
    return uop;
  fb_split_uop (constraint->expr, FB_OP_ADD, terms);
  for (guint i = 0; i < terms->len; i++)
    if (!fb_op_in (((FbUop *) g_ptr_array_index (terms, i))->op, FB_OPS_IRREDUCIBLE))
      return uop;
  for (guint i = 0; i < terms->len; i++)
    {
      FbUop *x = g_ptr_array_index (terms, i);
      FbUop *simpler = simplify_with (context, uop, x, fb_arg_int (1), fb_uop_vmax (context, x));
      if (!simpler)
        return NULL;
      g_ptr_array_add (alternatives, simpler);
    }
  return agree (context, uop, alternatives);
}

/* The whole expression as one variable within its bounds. */
static FbUop *
try_whole (FbContext *context, FbUop *uop, const Constraint *constraint)
{
  g_autoptr (GPtrArray) alternatives = g_ptr_array_new ();
  FbUop *expr = constraint->expr, *simpler;
  FbArg min = constraint->lower, max = constraint->upper;

  if (min.kind == FB_ARG_NONE)
    min = fb_uop_vmin (context, expr);
  if (max.kind == FB_ARG_NONE)
    max = fb_uop_vmax (context, expr);
  if (!(simpler = simplify_with (context, uop, expr, min, max)))
    return NULL;
  g_ptr_array_add (alternatives, simpler);
  return agree (context, uop, alternatives);
}

FbUop *
fb_uop_given_valid (FbContext *context, FbUop *valid, FbUop *uop)
{
  g_autoptr (GArray) constraints = g_array_new (FALSE, FALSE, sizeof (Constraint));

  if (!parse_all (context, valid, constraints))
    return uop;
  for (guint i = 0; i < constraints->len && uop; i++)
    {
      const Constraint *constraint = &g_array_index (constraints, Constraint, i);
      FbUop *before = uop;

      if (constraint->lower.kind != FB_ARG_NONE && constraint->upper.kind != FB_ARG_NONE
          && fb_num_lt (constraint->upper, constraint->lower))
        return NULL;
      uop = try_simplex (context, uop, constraint);
      /* Both alternatives start from what the first made, but whether the second is tried was settled before. */
      if (uop && contains (context, before, constraint->expr))
        uop = try_whole (context, uop, constraint);
    }
  return fb_context_failed (context) ? NULL : uop;
}

/* symbolic.py:289: minus the number of conditions that hold what this one constrains. */
static int
priority (FbContext *context, FbUop *valid, GPtrArray *valids)
{
  Clause clause;
  int n = 0;

  if (!parse_valid (context, valid, &clause))
    return 0;
  for (guint i = 0; i < valids->len; i++)
    n -= contains (context, g_ptr_array_index (valids, i), clause.expr);
  return n;
}

typedef struct
{
  FbUop *valid;
  int priority;
} Ranked;

/* Stable, which sorted() is and g_array_sort() is not. */
static GArray *
rank (FbContext *context, GPtrArray *valids)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));

  for (guint i = 0; i < valids->len; i++)
    {
      Ranked r = { g_ptr_array_index (valids, i), 0 };
      guint at = ranked->len;

      r.priority = priority (context, r.valid, valids);
      while (at > 0 && g_array_index (ranked, Ranked, at - 1).priority > r.priority)
        at--;
      g_array_insert_val (ranked, at, r);
    }
  return ranked;
}

FbUop *
fb_simplify_valid (FbContext *context, FbUop *valid)
{
  g_autoptr (GPtrArray) valids = g_ptr_array_new ();
  g_autoptr (GArray) ranked = NULL;
  FbUop *result = NULL;
  gboolean changed = FALSE;

  fb_split_uop (valid, FB_OP_AND, valids);
  ranked = rank (context, valids);
  for (guint i = 0; i < ranked->len; i++)
    {
      FbUop *statement = g_array_index (ranked, Ranked, i).valid, *simpler = NULL;

      if (result)
        simpler = fb_uop_given_valid (context, result, statement);
      if (fb_context_failed (context))
        return NULL;
      changed |= simpler && simpler != statement;
      if (simpler)
        statement = simpler;
      result = result ? fb_alu2 (context, FB_OP_AND, result, statement) : statement;
    }
  return changed ? result : NULL;
}
