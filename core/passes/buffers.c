/* Per kernel, pass 1: buffers become loads, the result a store (schedule.py:331-342, called at :354). */
#include "core/rewrite/pattern-macros.h"
#include "passes.h"

/* The argument that holds @x; NULL with the error set when that is a pointer itself. */
static FbUop *
define_global (FbContext *context, FbUop *x, gint64 index)
{
  if (x->dtype->kind == FB_DTYPE_PTR)
    {
      fb_context_fail (context, FB_ERROR_DTYPE, x, "%s of dtype %s: a buffer of pointers", fb_op_name (x->op),
                       x->dtype->repr);
      return NULL;
    }
  return fb_uop_new (context, FB_OP_DEFINE_GLOBAL, fb_dtype_ptr (context, x->dtype, fb_uop_size (context, x), FALSE), 0,
                     NULL, fb_arg_int (index));
}

static FbUop *
buffer_to_load (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  GPtrArray *buffers = rw->user;
  FbUop *x = m[FB_x], *src[2];
  const FbShapeTracker *st = fb_uop_st (context, x);
  guint index;

  if (!st)
    return NULL;
  /* a rewrite meets each node once, so of the buffers already there it can only be the output's */
  index = buffers->len && g_ptr_array_index (buffers, 0) == x ? 0 : buffers->len;
  if (index == buffers->len)
    g_ptr_array_add (buffers, x);
  if (!(src[0] = define_global (context, x, index)))
    return NULL;
  src[1] = fb_st_to_uop (context, st);
  return fb_uop_new (context, FB_OP_LOAD, x->dtype, 2, src, FB_ARG_NIL);
}

static FbUop *
sink_of_copy (FbRewriter *rw, FbUop *const *m)
{
  return m[FB_x];
}

static FbUop *
sink_to_store (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *x = m[FB_x], *src[3], *store;
  const FbDims *shape = fb_uop_shape (context, x);

  if (!shape)
    return NULL;
  if (!(src[0] = define_global (context, x, 0)))
    return NULL;
  src[1] = fb_st_to_uop (context, fb_st_from_shape (context, shape));
  src[2] = x;
  store = fb_uop_new (context, FB_OP_STORE, FB_DTYPE (VOID), 3, src, FB_ARG_NIL);
  return fb_uop_new (context, FB_OP_SINK, FB_DTYPE (VOID), 1, &store, FB_ARG_NIL);
}

static const FbRule rules[] = {
  RULE ("buffer-to-load", "buffer -> load(global, st)", OP (BUFFER, NAMED (x)), buffer_to_load, "schedule.py:331"),
  RULE ("sink-of-copy", "sink(copy(x)) -> copy(x), also of buffer_view",
        OP (SINK, SRC (OPS (FB_OP_BIT (COPY) | FB_OP_BIT (BUFFER_VIEW), NAMED (x)))), sink_of_copy, "schedule.py:339"),
  RULE ("sink-to-store", "sink(x) -> sink(store(global, st, x))",
        OP (SINK, SRC (OPS (FB_OPS_ALL & ~FB_OP_BIT (STORE), NAMED (x)))), sink_to_store, "schedule.py:341"),
};

const FbRuleSet *
fb_buffers_pass_rules (void)
{
  static FbRuleSet *set;

  if (g_once_init_enter (&set))
    {
      const FbRuleTable table = FB_RULE_TABLE (rules);
      g_once_init_leave (&set, fb_rule_set_new ("add_buffer_ops", 1, &table));
    }
  return set;
}
