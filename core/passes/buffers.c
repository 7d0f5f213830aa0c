/* Per kernel, pass 1: buffers become loads, the result a store (schedule.py:331-342, called at :354). */
#include "buffers.h"
#include "core/rewrite/pattern-macros.h"

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
make_load (FbContext *context, FbUop *x, guint index)
{
  const FbShapeTracker *st = fb_uop_st (context, x);
  FbUop *src[2];

  if (!st || !(src[0] = define_global (context, x, index)))
    return NULL;
  src[1] = fb_st_to_uop (context, st);
  return fb_uop_new (context, FB_OP_LOAD, x->dtype, 2, src, FB_ARG_NIL);
}

FbUop *
fb_buffer_to_load (FbContext *context, FbUop *x, FbNodeList *buffers, FbLoads *loads)
{
  /* a rewrite meets each node once, so of the buffers already there it can only be the output's */
  guint index = buffers->n && buffers->at[0] == x ? 0 : buffers->n, place;
  FbUop *load;

  if (!loads || x->arg.kind != FB_ARG_INT)
    load = make_load (context, x, index);
  else
    {
      place = fb_hash_word ((guintptr) x->dtype ^ (guint64) x->arg.i << 8 ^ index) % G_N_ELEMENTS (loads->loads);
      load = loads->loads[place].load;
      if (!load || loads->loads[place].dtype != x->dtype || loads->loads[place].size != x->arg.i
          || loads->loads[place].index != index)
        {
          load = make_load (context, x, index);
          loads->loads[place].load = load;
          loads->loads[place].dtype = x->dtype;
          loads->loads[place].size = x->arg.i;
          loads->loads[place].index = index;
        }
    }
  if (load && index == buffers->n)
    fb_node_list_add (buffers, x);
  return load;
}

static FbUop *
buffer_to_load (FbRewriter *rw, FbUop *const *m)
{
  return fb_buffer_to_load (rw->context, m[FB_x], rw->user, NULL);
}

static FbUop *
sink_of_copy (FbRewriter *rw, FbUop *const *m)
{
  return m[FB_x];
}

FbUop *
fb_sink_to_store (FbContext *context, FbUop *x, FbUop *value, FbLoads *loads)
{
  const FbDims *shape = fb_uop_shape (context, x);
  guint place = 0;
  FbUop *src[3], *store;

  if (!shape)
    return NULL;
  if (loads)
    place = fb_hash_word ((guintptr) x->dtype ^ (guintptr) shape << 8) % G_N_ELEMENTS (loads->stores);
  if (loads && loads->stores[place].shape == shape && loads->stores[place].dtype == x->dtype)
    {
      src[0] = loads->stores[place].global;
      src[1] = loads->stores[place].view;
    }
  else
    {
      if (!(src[0] = define_global (context, x, 0)))
        return NULL;
      src[1] = fb_st_to_uop (context, fb_st_from_shape (context, shape));
      if (loads)
        {
          loads->stores[place].shape = shape;
          loads->stores[place].dtype = x->dtype;
          loads->stores[place].global = src[0];
          loads->stores[place].view = src[1];
        }
    }
  src[2] = value;
  store = fb_uop_new (context, FB_OP_STORE, FB_DTYPE (VOID), 3, src, FB_ARG_NIL);
  return fb_uop_new (context, FB_OP_SINK, FB_DTYPE (VOID), 1, &store, FB_ARG_NIL);
}

static FbUop *
sink_to_store (FbRewriter *rw, FbUop *const *m)
{
  return fb_sink_to_store (rw->context, m[FB_x], m[FB_x], NULL);
}

/* in the order of FbBufferRule */
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
