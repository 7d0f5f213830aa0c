/* Smallest and largest value of a node, and the order of symbolic terms. */
#include "context-private.h"
#include "number.h"

#include <string.h>

/* The bounds of a node, NULL when they were not asked for yet. */
static inline const FbBounds *
known (FbContext *context, const FbUop *uop)
{
  return fb_note_get (context, FB_NOTE_BOUNDS, uop);
}

/* Which sources the bounds of a node are computed from: [first, end). */
static void
needed_sources (const FbUop *uop, guint *first, guint *end)
{
  *first = *end = 0;
  if (fb_op_in (uop->op, FB_OPS_BINARY) && !fb_dtype_is_float (uop->dtype))
    *end = 2;
  else if (uop->op == FB_OP_WHERE && fb_dtype_is_int (uop->dtype))
    {
      *first = 1;
      *end = 3;
    }
  else if (uop->op == FB_OP_RANGE)
    *end = 2;
  else if (uop->op == FB_OP_BIND)
    *end = 1;
  else if (uop->op == FB_OP_UNROLL || uop->op == FB_OP_VECTORIZE)
    *end = uop->n_src;
}

static gboolean
is_zero_or_more (FbArg a)
{
  return fb_num_le (fb_arg_int (0), a);
}

static gboolean
is_positive (FbArg a)
{
  return fb_num_lt (fb_arg_int (0), a);
}

static gboolean
is_zero_or_less (FbArg a)
{
  return fb_num_le (a, fb_arg_int (0));
}

static FbBounds
product_bounds (FbContext *context, FbBounds a, FbBounds b)
{
  FbArg values[4] = { fb_num_mul (context, a.min, b.min), fb_num_mul (context, a.min, b.max),
                      fb_num_mul (context, a.max, b.min), fb_num_mul (context, a.max, b.max) };
  FbBounds result = { values[0], values[0] };

  for (guint i = 1; i < G_N_ELEMENTS (values); i++)
    {
      result.min = fb_num_min (result.min, values[i]);
      result.max = fb_num_max (result.max, values[i]);
    }
  return result;
}

/* FALSE when only the signs are known, or nothing is. */
static gboolean
quotient_bounds (FbContext *context, const FbDType *dtype, FbBounds a, FbBounds b, FbBounds *result)
{
  if (fb_num_eq (b.min, b.max))
    {
      if (is_positive (b.min))
        {
          result->min = fb_num_floordiv (context, a.min, b.min);
          result->max = fb_num_floordiv (context, a.max, b.min);
          return TRUE;
        }
      if (fb_num_is_negative (b.min) && is_zero_or_more (a.min))
        {
          FbArg divisor = fb_num_neg (context, b.min);
          result->min = fb_num_neg (context, fb_num_floordiv (context, a.max, divisor));
          result->max = fb_num_neg (context, fb_num_floordiv (context, a.min, divisor));
          return TRUE;
        }
    }
  if ((is_zero_or_less (a.max) && fb_num_is_negative (b.min)) || (is_zero_or_more (a.min) && is_positive (b.min)))
    {
      *result = (FbBounds){ fb_arg_int (0), fb_dtype_max (context, dtype) };
      return TRUE;
    }
  if ((is_zero_or_less (a.max) && is_positive (b.min)) || (is_zero_or_more (a.min) && fb_num_is_negative (b.min)))
    {
      *result = (FbBounds){ fb_dtype_min (context, dtype), fb_arg_int (0) };
      return TRUE;
    }
  return FALSE;
}

/* FALSE: the range of the dtype. */
static gboolean
binary_bounds (FbContext *context, const FbUop *uop, FbBounds a, FbBounds b, FbBounds *result)
{
  gboolean integers = fb_arg_is_integer (a.min) && fb_arg_is_integer (a.max) && fb_arg_is_integer (b.min);

  switch (uop->op)
    {
    case FB_OP_ADD:
      *result = (FbBounds){ fb_num_add (context, a.min, b.min), fb_num_add (context, a.max, b.max) };
      return TRUE;
    case FB_OP_MUL:
      *result = product_bounds (context, a, b);
      return TRUE;
    case FB_OP_SHL:
      if (!integers || !fb_num_eq (b.min, b.max))
        return FALSE;
      *result = (FbBounds){ fb_num_shl (context, a.min, b.min), fb_num_shl (context, a.max, b.min) };
      return TRUE;
    case FB_OP_SHR:
      if (!integers || !fb_num_eq (b.min, b.max))
        return FALSE;
      *result = (FbBounds){ fb_num_shr (context, a.min, b.min), fb_num_shr (context, a.max, b.min) };
      return TRUE;
    case FB_OP_MOD:
      if (!is_positive (b.min))
        return FALSE;
      result->max = fb_num_sub (context, b.max, fb_arg_int (1));
      result->min = is_zero_or_more (a.min) ? fb_arg_int (0) : fb_num_neg (context, result->max);
      return TRUE;
    case FB_OP_IDIV:
      return quotient_bounds (context, uop->dtype, a, b, result);
    case FB_OP_MAX:
      *result = (FbBounds){ fb_num_max (a.min, b.min), fb_num_max (a.max, b.max) };
      return TRUE;
    case FB_OP_CMPLT:
      *result = (FbBounds){ fb_arg_bool (fb_num_lt (a.max, b.min)), fb_arg_bool (fb_num_lt (a.min, b.max)) };
      return TRUE;
    case FB_OP_CMPNE:
      *result = (FbBounds){ fb_arg_bool (fb_num_lt (a.max, b.min) || fb_num_lt (b.max, a.min)),
                            fb_arg_bool (
                                !(fb_num_eq (a.min, a.max) && fb_num_eq (a.max, b.min) && fb_num_eq (b.min, b.max))) };
      return TRUE;
    case FB_OP_OR:
      if (uop->dtype != FB_DTYPE (BOOL))
        return FALSE;
      *result = (FbBounds){ fb_arg_truth (a.min) ? a.min : b.min, fb_arg_truth (a.max) ? a.max : b.max };
      return TRUE;
    case FB_OP_AND:
      if (uop->dtype != FB_DTYPE (BOOL))
        return FALSE;
      *result = (FbBounds){ fb_arg_truth (a.min) ? b.min : a.min, fb_arg_truth (a.max) ? b.max : a.max };
      return TRUE;
    default:
      return FALSE;
    }
}

static FbBounds
union_bounds (FbBounds a, FbBounds b)
{
  return (FbBounds){ fb_num_min (a.min, b.min), fb_num_max (a.max, b.max) };
}

/* The range of a tuple of numbers; FALSE when it is none. */
static gboolean
lane_bounds (FbArg arg, FbBounds *result)
{
  if (arg.kind != FB_ARG_TUPLE || arg.tuple->n == 0)
    return FALSE;
  for (guint i = 0; i < arg.tuple->n; i++)
    {
      FbArg lane = arg.tuple->items[i];
      if (!fb_arg_is_number (lane))
        return FALSE;
      *result = i ? union_bounds (*result, (FbBounds){ lane, lane }) : (FbBounds){ lane, lane };
    }
  return TRUE;
}

/* A node that is no source but decides the bounds: the end of a SPECIAL, when it is a node; the end of a RANGE less one,
 * when that is more than subtracting a number, as beside something that lives on a device. NULL for none. */
static FbUop *
deciding_node (FbContext *context, const FbUop *uop)
{
  if (uop->op == FB_OP_SPECIAL && uop->arg.kind == FB_ARG_TUPLE && uop->arg.tuple->n > 1
      && uop->arg.tuple->items[1].kind == FB_ARG_UOP)
    return uop->arg.tuple->items[1].uop;
  if (uop->op == FB_OP_RANGE && uop->n_src > 1 && uop->src[1]->device)
    return fb_add_int (context, uop->src[1], -1);
  return NULL;
}

/* Whether the arg of a node is the tuple (text, number, number...) its op asks for. */
static gboolean
arg_has_numbers (const FbUop *uop, guint n)
{
  if (uop->arg.kind != FB_ARG_TUPLE || uop->arg.tuple->n <= n)
    return FALSE;
  for (guint i = 1; i <= n; i++)
    if (!fb_arg_is_number (uop->arg.tuple->items[i]))
      return FALSE;
  return TRUE;
}

static FbBounds
malformed (FbContext *context, const FbUop *uop)
{
  fb_context_fail (context, FB_ERROR_ARITHMETIC, uop, "%s without usable bounds", fb_op_name (uop->op));
  return (FbBounds){ fb_arg_bool (FALSE), fb_arg_bool (TRUE) };
}

/* The largest value of @end - 1. */
static FbArg
last_of_range (FbContext *context, const FbUop *end)
{
  if (fb_dtype_is_float (end->dtype))
    return fb_dtype_max (context, end->dtype);
  return fb_num_add (context, known (context, end)->max, fb_num_as_const (context, fb_arg_int (-1), end->dtype));
}

/* The bounds of @uop, whose needed sources have theirs. */
static FbBounds
compute (FbContext *context, FbUop *uop)
{
  FbBounds result;
  FbUop *decider;

  if (fb_op_in (uop->op, FB_OPS_BINARY) && !fb_dtype_is_float (uop->dtype)
      && binary_bounds (context, uop, *known (context, uop->src[0]), *known (context, uop->src[1]), &result))
    return result;
  switch (uop->op)
    {
    case FB_OP_WHERE:
      if (!fb_dtype_is_int (uop->dtype))
        break;
      return union_bounds (*known (context, uop->src[1]), *known (context, uop->src[2]));
    case FB_OP_DEFINE_VAR:
      if (!fb_arg_truth (uop->arg))
        break;
      if (!arg_has_numbers (uop, 2))
        return malformed (context, uop);
      return (FbBounds){ uop->arg.tuple->items[1], uop->arg.tuple->items[2] };
    case FB_OP_RANGE:
      decider = deciding_node (context, uop);
      return (FbBounds){ known (context, uop->src[0])->min,
                         decider ? known (context, decider)->max : last_of_range (context, uop->src[1]) };
    case FB_OP_BIND:
      return *known (context, uop->src[0]);
    case FB_OP_UNROLL:
    case FB_OP_VECTORIZE:
      if (uop->n_src == 0)
        return malformed (context, uop);
      result = *known (context, uop->src[0]);
      for (guint i = 1; i < uop->n_src; i++)
        result = union_bounds (result, *known (context, uop->src[i]));
      return result;
    case FB_OP_SPECIAL:
      if ((decider = deciding_node (context, uop)))
        return (FbBounds){ fb_arg_int (0), known (context, decider)->max };
      if (!arg_has_numbers (uop, 1) || !fb_arg_is_integer (uop->arg.tuple->items[1]))
        return malformed (context, uop);
      return (FbBounds){ fb_arg_int (0), fb_num_sub (context, uop->arg.tuple->items[1], fb_arg_int (1)) };
    case FB_OP_CONST:
      return fb_arg_is_number (uop->arg) ? (FbBounds){ uop->arg, uop->arg } : malformed (context, uop);
    case FB_OP_VCONST:
      return lane_bounds (uop->arg, &result) ? result : malformed (context, uop);
    default:
      break;
    }
  return (FbBounds){ fb_dtype_min (context, uop->dtype), fb_dtype_max (context, uop->dtype) };
}

/* FALSE on error, which leaves no memo: asking again fails again. */
static gboolean
remember (FbContext *owner, FbUop *uop, FbBounds bounds)
{
  if (!fb_arg_is_number (bounds.min) || !fb_arg_is_number (bounds.max) || fb_context_failed (owner))
    return FALSE;
  fb_note_put (owner, FB_NOTE_BOUNDS, uop, fb_arena_memdup (&owner->arena, &bounds, sizeof bounds));
  return TRUE;
}

typedef enum
{
  SOURCES_KNOWN,
  SOURCES_MISSING,
  SOURCES_BROKEN, /* there are fewer than the op takes */
} SourceState;

/* Whether the bounds of @uop can be computed now; what is missing is pushed to @stack, if there is one. */
static SourceState
look_at_sources (FbContext *context, FbUop *uop, GPtrArray *stack)
{
  guint first, end;
  SourceState state = SOURCES_KNOWN;
  FbUop *decider = deciding_node (context, uop);

  needed_sources (uop, &first, &end);
  if (end > uop->n_src)
    return SOURCES_BROKEN;
  for (guint i = first; i <= end; i++)
    {
      FbUop *s = i < end ? uop->src[i] : decider;
      if (!s || known (context, s))
        continue;
      state = SOURCES_MISSING;
      if (stack)
        g_ptr_array_add (stack, s);
    }
  return state;
}

/* Sets the memo of a node whose sources have theirs. FALSE on error. */
static gboolean
settle (FbContext *context, FbUop *uop, SourceState state)
{
  FbContext *owner = fb_context_owner (context, uop);

  if (remember (owner, uop, state == SOURCES_BROKEN ? malformed (owner, uop) : compute (owner, uop)))
    return TRUE;
  malformed (context, uop); /* no more than a repetition, unless the error is in a parent */
  return FALSE;
}

static const FbBounds *
compute_all (FbContext *context, FbUop *uop)
{
  static const FbBounds unknown = { { .kind = FB_ARG_BOOL, .i = FALSE }, { .kind = FB_ARG_BOOL, .i = TRUE } };
  SourceState state = look_at_sources (fb_context_owner (context, uop), uop, NULL);
  g_autoptr (GPtrArray) stack = NULL;

  if (state != SOURCES_MISSING)
    return settle (context, uop, state) ? known (context, uop) : &unknown;
  stack = g_ptr_array_new ();
  g_ptr_array_add (stack, uop);
  while (stack->len)
    {
      FbUop *top = g_ptr_array_index (stack, stack->len - 1);

      if (!known (context, top))
        {
          state = look_at_sources (fb_context_owner (context, top), top, stack);
          if (state == SOURCES_MISSING)
            continue;
          if (!settle (context, top, state))
            return &unknown;
        }
      g_ptr_array_set_size (stack, (gint) stack->len - 1);
    }
  return known (context, uop);
}

const FbBounds *
fb_uop_bounds (FbContext *context, FbUop *uop)
{
  const FbBounds *bounds = known (context, uop);

  return G_LIKELY (bounds) ? bounds : compute_all (context, uop);
}

/* --- order --- */

static int
compare_text (const FbText *a, const FbText *b)
{
  int c = memcmp (a->bytes, b->bytes, MIN (a->len, b->len));
  return c ? c : (a->len > b->len) - (a->len < b->len);
}

/* dtype.py:33; types that differ elsewhere only are neither less. */
static int
compare_dtypes (const FbDType *a, const FbDType *b)
{
  int c;

  if (a->priority != b->priority)
    return a->priority < b->priority ? -1 : 1;
  if (a->itemsize != b->itemsize)
    return a->itemsize < b->itemsize ? -1 : 1;
  if ((c = strcmp (a->name, b->name)))
    return c;
  if (a->fmt != b->fmt)
    return !a->fmt || !b->fmt ? FB_COMPARE_REFUSED : a->fmt < b->fmt ? -1 : 1;
  return (a->count > b->count) - (a->count < b->count);
}

/* The order of two args that are not equal. */
static int
compare_args (FbArg a, FbArg b)
{
  guint i = 0;

  if (fb_arg_is_number (a) && fb_arg_is_number (b))
    {
      int c = fb_num_cmp (a, b);
      return c == 2 ? 0 : c;
    }
  if (a.kind != b.kind)
    return FB_COMPARE_REFUSED;
  switch (a.kind)
    {
    case FB_ARG_STR:
      return compare_text (a.str, b.str);
    case FB_ARG_OP:
      return (a.op > b.op) - (a.op < b.op);
    case FB_ARG_DTYPE:
      return compare_dtypes (a.dtype, b.dtype);
    case FB_ARG_TUPLE:
      while (i < a.tuple->n && i < b.tuple->n && fb_arg_equal (a.tuple->items[i], b.tuple->items[i]))
        i++;
      if (i < a.tuple->n && i < b.tuple->n)
        return compare_args (a.tuple->items[i], b.tuple->items[i]);
      return (a.tuple->n > b.tuple->n) - (a.tuple->n < b.tuple->n);
    default:
      return FB_COMPARE_REFUSED;
    }
}

int
fb_uop_compare (const FbUop *a, const FbUop *b)
{
  while (a != b)
    {
      guint i = 0;

      if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
      if (!fb_arg_equal (a->arg, b->arg))
        return compare_args (a->arg, b->arg);
      if (a->dtype != b->dtype)
        return compare_dtypes (a->dtype, b->dtype);
      while (i < a->n_src && i < b->n_src && a->src[i] == b->src[i])
        i++;
      if (i == a->n_src || i == b->n_src)
        return (a->n_src > b->n_src) - (a->n_src < b->n_src);
      a = a->src[i];
      b = b->src[i];
    }
  return 0;
}
