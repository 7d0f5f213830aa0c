/* Symbolic integers, and the tuples made of them. */
#include "sint-private.h"

#include <string.h>

#include "core/ir/number.h"
#include "core/symbolic/symbolic.h"

/* --- tuples --- */

typedef struct
{
  guint n;
  const FbSint *items;
} DimsKey;

static gboolean
dims_equal (gconstpointer item, gconstpointer key)
{
  const FbDims *dims = item;
  const DimsKey *wanted = key;

  if (dims->n != wanted->n)
    return FALSE;
  for (guint i = 0; i < wanted->n; i++)
    if (!fb_sint_same (dims->at[i], wanted->items[i]))
      return FALSE;
  return TRUE;
}

static guint32
dims_hash (guint n, const FbSint *items)
{
  guint64 hash = n + G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  for (guint i = 0; i < n; i++)
    {
      hash = (hash ^ (guint64) items[i].word) * G_GUINT64_CONSTANT (0xD6E8FEB86659FD93);
      hash ^= hash >> 32;
    }
  return (guint32) hash;
}

/* The product of sizes, -1 when it is none. */
static gint64
dims_prod (guint n, const FbSint *items, gboolean has_zero)
{
  gint64 prod = 1;
  gboolean overflow = FALSE;

  for (guint i = 0; i < n; i++)
    if (!fb_sint_is_int (items[i]) || fb_sint_int (items[i]) < 0)
      return -1;
    else if (__builtin_mul_overflow (prod, fb_sint_int (items[i]), &prod))
      overflow = TRUE;
  if (has_zero)
    return 0;
  return overflow || prod > FB_SINT_MAX ? -1 : prod;
}

static gboolean
dims_all_int (guint n, const FbSint *items)
{
  intptr_t words = 0;

  for (guint i = 0; i < n; i++)
    words |= items[i].word;
  return !(words & 1);
}

const FbDims *
fb_dims_new (FbContext *context, guint n, const FbSint *items)
{
  DimsKey key = { n, items };
  guint32 hash = dims_hash (n, items);
  gboolean all_int = dims_all_int (n, items);
  FbInternTable *table = all_int ? &context->kept.dims_table : &context->dims_table;
  gpointer *slot;
  FbDims *dims;

  if (G_UNLIKELY (n > G_MAXUINT16))
    {
      fb_context_fail (context, FB_ERROR_OVERFLOW, NULL, "a tuple of %u dimensions is too long", n);
      return NULL;
    }
  for (FbContext *parent = context->parent; parent; parent = parent->parent)
    {
      FbInternTable *known = all_int ? &parent->kept.dims_table : &parent->dims_table;

      /* looking into an empty table would make it, and a parent is not written to */
      if (known->slots && *(slot = fb_intern_table_find (known, hash, dims_equal, &key)))
        return *slot;
    }
  dims = fb_intern_table_get (table, hash, dims_equal, &key);
  if (G_LIKELY (dims))
    return dims;
  slot = fb_intern_table_find (table, hash, dims_equal, &key);

  dims = fb_arena_alloc (all_int ? &context->kept.arena : &context->arena, sizeof (FbDims) + sizeof (FbSint) * n);
  *dims = (FbDims){ .hash = hash, .n = (guint16) n, .all_int = all_int };
  for (guint i = 0; i < n; i++)
    {
      dims->at[i] = items[i];
      if (fb_sint_is (items[i], 0))
        dims->has_zero = TRUE;
    }
  dims->prod = dims_prod (n, items, dims->has_zero);
  *slot = dims;
  fb_intern_table_added (table);
  return dims;
}

/* FALSE when @arg is neither an int that fits nor a node. */
static gboolean
arg_to_sint (FbArg arg, FbSint *out)
{
  if (arg.kind == FB_ARG_UOP)
    *out = fb_sint_uop (arg.uop);
  else if ((arg.kind == FB_ARG_INT || arg.kind == FB_ARG_BOOL) && arg.i >= FB_SINT_MIN && arg.i <= FB_SINT_MAX)
    *out = fb_sint (arg.i);
  else
    return FALSE;
  return TRUE;
}

const FbDims *
fb_tuple_to_dims (FbContext *context, const FbTuple *tuple)
{
  gboolean pairs = tuple->n > 0 && tuple->items[0].kind == FB_ARG_TUPLE;
  guint n = pairs ? tuple->n * 2 : tuple->n;
  const FbDims *dims;

  if (tuple->dims)
    return tuple->dims;
  if (tuple->n > FB_MAX_DIMS)
    return NULL;

  FB_SCRATCH (FbSint, items, n);
  for (guint i = 0; i < tuple->n; i++)
    if (!pairs)
      {
        if (!arg_to_sint (tuple->items[i], &items[i]))
          return NULL;
      }
    else
      {
        const FbTuple *pair = tuple->items[i].kind == FB_ARG_TUPLE ? tuple->items[i].tuple : NULL;

        if (!pair || pair->n != 2 || !arg_to_sint (pair->items[0], &items[2 * i])
            || !arg_to_sint (pair->items[1], &items[2 * i + 1]))
          return NULL;
      }
  dims = fb_dims_new (context, n, items);
  /* a tuple of the parent would outlive the dims of an overlay */
  if (!context->parent)
    ((FbTuple *) tuple)->dims = dims;
  return dims;
}

const FbTuple *
fb_dims_to_tuple (FbContext *context, const FbDims *dims)
{
  const FbTuple *tuple;

  if (dims->tuple)
    return dims->tuple;

  FB_SCRATCH (FbArg, items, dims->n);
  for (guint i = 0; i < dims->n; i++)
    items[i] = fb_sint_to_arg (dims->at[i]);
  tuple = fb_arg_new_tuple (context, dims->n, items).tuple;
  /* dims of the parent would outlive a tuple of an overlay */
  if (!context->parent)
    ((FbDims *) dims)->tuple = tuple;
  return tuple;
}

const FbTuple *
fb_dims_to_pairs (FbContext *context, const FbDims *dims)
{
  const FbTuple *tuple;

  if (dims->pairs)
    return dims->pairs;

  FB_SCRATCH (FbArg, items, dims->n / 2u);
  for (guint i = 0; i < dims->n / 2u; i++)
    {
      FbArg pair[2] = { fb_sint_to_arg (dims->at[2 * i]), fb_sint_to_arg (dims->at[2 * i + 1]) };
      items[i] = fb_arg_new_tuple (context, 2, pair);
    }
  tuple = fb_arg_new_tuple (context, dims->n / 2u, items).tuple;
  if (!context->parent)
    ((FbDims *) dims)->pairs = tuple;
  return tuple;
}

/* --- arithmetic --- */

FbUop *
fb_sint_to_uop (FbContext *context, FbSint a)
{
  if (fb_sint_is_int (a))
    return fb_const_int (context, FB_DTYPE (INT32), fb_sint_int (a));
  return fb_sint_get_uop (a);
}

FbArg
fb_sint_to_arg (FbSint a)
{
  return fb_sint_is_int (a) ? fb_arg_int (fb_sint_int (a)) : fb_arg_uop (fb_sint_get_uop (a));
}

static FbSint
overflow (FbContext *context, FbSint a, const char *sign, FbSint b)
{
  fb_context_fail (context, FB_ERROR_OVERFLOW, NULL, "%" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT " is beyond 62 bits",
                   fb_sint_int (a), sign, fb_sint_int (b));
  return fb_sint (0);
}

FbSint
fb_sint_from_arg (FbContext *context, FbArg value)
{
  FbSint result;

  if (value.kind != FB_ARG_UOP && arg_to_sint (value, &result))
    return result;
  fb_context_fail (context, FB_ERROR_OVERFLOW, NULL,
                   fb_arg_is_integer (value) ? "a symbolic size is beyond 62 bits"
                                             : "a symbolic size is not an integer");
  return fb_sint (0);
}

/* What Python's operators do with a node and an int: the int becomes a constant like the node (ops.py:25, ufix).
 * One of @a and @b is a node. */
static FbUop *
operate (FbContext *context, FbOp op, FbSint a, FbSint b)
{
  FbUop *x
      = fb_sint_is_int (a) ? fb_const_like_int (context, fb_sint_get_uop (b), fb_sint_int (a)) : fb_sint_get_uop (a);
  FbUop *y
      = fb_sint_is_int (b) ? fb_const_like_int (context, fb_sint_get_uop (a), fb_sint_int (b)) : fb_sint_get_uop (b);

  return x && y ? fb_alu2 (context, op, x, y) : NULL;
}

static FbSint
operate_sint (FbContext *context, FbOp op, FbSint a, FbSint b)
{
  FbUop *uop = operate (context, op, a, b);

  return uop ? fb_sint_uop (uop) : fb_sint (0);
}

FbSint
fb_sint_add (FbContext *context, FbSint a, FbSint b)
{
  FbSint sum;

  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_ADD, a, b);
  if (__builtin_add_overflow (a.word, b.word, &sum.word))
    return overflow (context, a, "+", b);
  return sum;
}

FbSint
fb_sint_sub (FbContext *context, FbSint a, FbSint b)
{
  FbSint difference;

  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_ADD, a, fb_sint_neg (context, b));
  if (__builtin_sub_overflow (a.word, b.word, &difference.word))
    return overflow (context, a, "-", b);
  return difference;
}

FbSint
fb_sint_mul (FbContext *context, FbSint a, FbSint b)
{
  FbSint product;

  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_MUL, a, b);
  if (__builtin_mul_overflow (a.word >> 1, b.word, &product.word))
    return overflow (context, a, "*", b);
  return product;
}

FbSint
fb_sint_neg (FbContext *context, FbSint a)
{
  FbUop *uop;

  if (fb_sint_is_int (a))
    return fb_sint_sub (context, fb_sint (0), a);
  uop = fb_neg (context, fb_sint_get_uop (a));
  return uop ? fb_sint_uop (uop) : fb_sint (0);
}

static gboolean
divides_by_zero (FbContext *context, FbSint b)
{
  if (!fb_sint_is (b, 0))
    return FALSE;
  fb_context_fail (context, FB_ERROR_ARITHMETIC, NULL, "a size is divided by zero");
  return TRUE;
}

FbSint
fb_sint_floordiv (FbContext *context, FbSint a, FbSint b)
{
  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_IDIV, a, b);
  if (divides_by_zero (context, b))
    return fb_sint (0);
  /* -2^62 // -1 */
  if (int_floordiv (fb_sint_int (a), fb_sint_int (b)) > FB_SINT_MAX)
    return overflow (context, a, "//", b);
  return fb_sint (int_floordiv (fb_sint_int (a), fb_sint_int (b)));
}

FbSint
fb_sint_mod (FbContext *context, FbSint a, FbSint b)
{
  if (!fb_sint_both_int (a, b))
    return operate_sint (context, FB_OP_MOD, a, b);
  if (divides_by_zero (context, b))
    return fb_sint (0);
  return fb_sint (int_mod (fb_sint_int (a), fb_sint_int (b)));
}

FbSint
fb_sint_ceildiv (FbContext *context, FbSint a, FbSint b)
{
  return fb_sint_neg (context, fb_sint_floordiv (context, a, fb_sint_neg (context, b)));
}

FbSint
fb_sint_prod (FbContext *context, guint n, const FbSint *items)
{
  FbSint prod = fb_sint (1);

  for (guint i = 0; i < n; i++)
    prod = sint_mul (context, prod, items[i]);
  return prod;
}

FbSint
fb_sint_simplify (FbContext *context, FbSint a)
{
  FbUop *uop;

  if (fb_sint_is_int (a))
    return a;
  uop = fb_simplify (context, fb_sint_get_uop (a));
  if (!uop)
    return fb_sint (0);
  return uop->op == FB_OP_CONST ? fb_sint_from_arg (context, uop->arg) : fb_sint_uop (uop);
}

/* Nodes come first whatever the order (ops.py:203, partition). */
FbSint
fb_sint_max2 (FbContext *context, FbSint a, FbSint b)
{
  if (fb_sint_both_int (a, b))
    return b.word > a.word ? b : a;
  if (fb_sint_is_int (a))
    return fb_sint_simplify (context, operate_sint (context, FB_OP_MAX, b, a));
  return fb_sint_simplify (context, operate_sint (context, FB_OP_MAX, a, b));
}

FbSint
fb_sint_min2 (FbContext *context, FbSint a, FbSint b)
{
  FbSint max;

  if (fb_sint_both_int (a, b))
    return b.word < a.word ? b : a;
  if (fb_sint_is_int (a))
    return fb_sint_min2 (context, b, a);
  max = operate_sint (context, FB_OP_MAX, fb_sint_neg (context, a), fb_sint_neg (context, b));
  return fb_sint_simplify (context, fb_sint_neg (context, max));
}

FbSint
fb_sint_vmax (FbContext *context, FbSint a)
{
  if (fb_sint_is_int (a))
    return a;
  return fb_sint_from_arg (context, fb_uop_vmax (context, fb_sint_get_uop (a)));
}

/* --- comparisons --- */

gboolean
fb_uop_truth (FbContext *context, FbUop *uop)
{
  const FbBounds *bounds;
  FbUop *simple = uop->dtype == FB_DTYPE (BOOL) ? fb_simplify (context, uop) : NULL;

  if (!simple)
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop,
                       "a symbolic size is asked for a truth value that it does not have");
      return FALSE;
    }
  bounds = fb_uop_bounds (context, simple);
  if (!fb_num_eq (bounds->min, bounds->max))
    {
      fb_context_fail (context, FB_ERROR_SHAPE, uop,
                       "a comparison of symbolic sizes holds for some values of the variables and not for others");
      return FALSE;
    }
  return fb_arg_truth (bounds->min);
}

FbUop *
fb_sint_lt_uop (FbContext *context, FbSint a, FbSint b)
{
  return operate (context, FB_OP_CMPLT, a, b);
}

/* int != node asks the node. */
FbUop *
fb_sint_ne_uop (FbContext *context, FbSint a, FbSint b)
{
  return fb_sint_is_int (a) ? operate (context, FB_OP_CMPNE, b, a) : operate (context, FB_OP_CMPNE, a, b);
}

static gboolean
resolve (FbContext *context, FbUop *uop, gboolean negate, gboolean otherwise)
{
  if (uop && negate)
    uop = fb_logical_not (context, uop);
  return uop ? fb_resolve (context, uop, otherwise) : otherwise;
}

static gboolean
truth (FbContext *context, FbUop *uop, gboolean negate)
{
  if (uop && negate)
    uop = fb_logical_not (context, uop);
  return uop && fb_uop_truth (context, uop);
}

gboolean
fb_sint_lt (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  if (fb_sint_both_int (a, b))
    return a.word < b.word;
  return resolve (context, fb_sint_lt_uop (context, a, b), FALSE, otherwise);
}

gboolean
fb_sint_gt (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  return fb_sint_lt (context, b, a, otherwise);
}

/* a >= b is not a < b (ops.py:65) */
gboolean
fb_sint_ge (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  if (fb_sint_both_int (a, b))
    return a.word >= b.word;
  return resolve (context, fb_sint_lt_uop (context, a, b), TRUE, otherwise);
}

gboolean
fb_sint_le (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  return fb_sint_ge (context, b, a, otherwise);
}

gboolean
fb_sint_ne (FbContext *context, FbSint a, FbSint b, gboolean otherwise)
{
  if (fb_sint_both_int (a, b))
    return a.word != b.word;
  return resolve (context, fb_sint_ne_uop (context, a, b), FALSE, otherwise);
}

gboolean
fb_sint_truth_lt (FbContext *context, FbSint a, FbSint b)
{
  return truth (context, fb_sint_lt_uop (context, a, b), FALSE);
}

gboolean
fb_sint_truth_ge (FbContext *context, FbSint a, FbSint b)
{
  return truth (context, fb_sint_lt_uop (context, a, b), TRUE);
}

gboolean
fb_sint_truth_ne (FbContext *context, FbSint a, FbSint b)
{
  return truth (context, fb_sint_ne_uop (context, a, b), FALSE);
}
