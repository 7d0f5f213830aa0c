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

/* As many slots as @n would fill, up to @most: powers of two. */
static guint
slots_for (guint n, guint most)
{
  guint slots = 1;

  while (slots < n && slots < most)
    slots *= 2;
  return slots;
}

void
fb_loads_init (FbLoads *loads, FbArena *arena, guint n_kernels)
{
  /* buffers of one kernel are all in different places: the first has nothing to find */
  const guint n_loads = slots_for (n_kernels > 1 ? MIN (n_kernels, 1024) * 4 : 1, 64);
  const guint n_stores = slots_for (n_kernels, 16);

  loads->loads = fb_arena_alloc (arena, sizeof *loads->loads * n_loads);
  loads->stores = fb_arena_alloc (arena, sizeof *loads->stores * n_stores);
  for (guint i = 0; i < n_loads; i++)
    loads->loads[i].load = NULL;
  for (guint i = 0; i < n_stores; i++)
    loads->stores[i].shape = NULL;
  loads->load_mask = n_loads - 1;
  loads->store_mask = n_stores - 1;
}

FbUop *
fb_buffer_to_load (FbContext *context, FbUop *x, FbNodeList *buffers, FbLoads *loads)
{
  /* a rewrite meets each node once, so of the buffers already there it can only be the output's */
  const guint index = buffers->n && buffers->at[0] == x ? 0 : buffers->n;
  FbUop *load;

  if (!loads || x->arg.kind != FB_ARG_INT)
    load = make_load (context, x, index);
  else
    {
      const guint32 hash = fb_hash_word ((guintptr) x->dtype ^ (guint64) x->arg.i << 8 ^ index);
      FbKnownLoad *known = &loads->loads[hash & loads->load_mask];

      load = known->load;
      if (!load || known->dtype != x->dtype || known->size != x->arg.i || known->index != index)
        {
          load = make_load (context, x, index);
          *known = (FbKnownLoad){ x->dtype, x->arg.i, index, load };
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
  FbKnownStore *known = NULL;
  FbUop *src[3], *store;

  if (!shape)
    return NULL;
  if (loads)
    known = &loads->stores[fb_hash_word ((guintptr) x->dtype ^ (guintptr) shape << 8) & loads->store_mask];
  if (known && known->shape == shape && known->dtype == x->dtype)
    {
      src[0] = known->global;
      src[1] = known->view;
    }
  else
    {
      if (!(src[0] = define_global (context, x, 0)))
        return NULL;
      src[1] = fb_st_to_uop (context, fb_st_from_shape (context, shape));
      if (known)
        *known = (FbKnownStore){ x->dtype, shape, src[0], src[1] };
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
