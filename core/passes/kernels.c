/* Pass 3: the graph broken into kernels (schedule.py:205-227, called at :402). Bottom-up: a realized node becomes
 * ASSIGN(VIEW(BUFFER), KERNEL), then the kernel swallows its sources level by level up to what is realized. */
#include "core/ir/context-private.h"
#include "core/rewrite/pattern-macros.h"
#include "passes.h"
#include "uop-dict.h"

#include <string.h>

static FbUop *
create_kernel (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbUop *x = m[FB_x], *buffer, *target, *kernel;
  g_autofree FbUop **src = NULL;
  const FbDims *shape;

  if (!fb_uop_dict_has (rw->user, x))
    return NULL;
  if (!x->device || x->device->op != FB_OP_DEVICE)
    {
      fb_context_fail (context, FB_ERROR_DEVICE, x, "a kernel needs one device, %s has %s", fb_op_name (x->op),
                       x->device ? "several" : "none");
      return NULL;
    }
  if (x->op == FB_OP_ASSIGN)
    buffer = fb_buf_uop (context, x);
  else
    buffer = fb_new_buffer (context, x->device, fb_uop_size (context, x), x->dtype);
  shape = buffer ? fb_uop_shape (context, x) : NULL;
  if (!shape || fb_context_failed (context))
    return NULL;
  src = g_new (FbUop *, x->n_src + 1);
  src[0] = buffer;
  for (guint i = 0; i < x->n_src; i++)
    src[i + 1] = x->src[i];
  kernel = fb_uop_new (context, FB_OP_KERNEL, FB_DTYPE (VOID), x->n_src + 1, src,
                       fb_arg_new_kernel (context, x, fb_arg_new_tuple (context, 0, NULL)));
  target = fb_view (context, buffer, fb_st_from_shape (context, shape));
  return fb_uop_new (context, FB_OP_ASSIGN, target->dtype, 2, (FbUop *[]){ target, kernel }, FB_ARG_NIL);
}

/* Sources of a kernel, each once. */
typedef struct
{
  FbNodeMap *seen;
  guint n, allocated;
  FbUop **uops, *few[32];
} Sources;

static inline void
add_once (Sources *sources, FbUop *uop)
{
  if (fb_node_map_get (sources->seen, uop))
    return;
  fb_node_map_set (sources->seen, uop, 1);
  if (sources->n == sources->allocated)
    {
      FbUop **more = g_new (FbUop *, sources->allocated *= 2);
      memcpy (more, sources->uops, sizeof *more * sources->n);
      if (sources->uops != sources->few)
        g_free (sources->uops);
      sources->uops = more;
    }
  sources->uops[sources->n++] = uop;
}

static FbUop *
append_to_kernel (FbRewriter *rw, FbUop *const *m)
{
  FbUop *x = m[FB_x], *result = NULL;
  Sources sources = { .seen = fb_node_map_acquire (rw->context) };

  sources.uops = sources.few;
  sources.allocated = G_N_ELEMENTS (sources.few);

  for (guint i = 0; i < x->n_src; i++)
    {
      FbUop *s = x->src[i];
      if (s->op == FB_OP_BUFFER || (s->op == FB_OP_ASSIGN && s->n_src > 1 && s->src[1]->op == FB_OP_KERNEL)
          || fb_uop_dict_has (rw->user, s))
        add_once (&sources, s);
      else
        for (guint j = 0; j < s->n_src; j++)
          add_once (&sources, s->src[j]);
    }
  fb_node_map_release (rw->context, sources.seen);
  result = fb_replace_src (rw->context, x, sources.n, sources.uops);
  if (sources.uops != sources.few)
    g_free (sources.uops);
  return result == x ? NULL : result;
}

static const FbRule rules[] = {
  RULE_IF (MARKED, "create-kernel", "x -> assign(view(buffer), kernel(x)) if x is realized",
           OPS (FB_OPS_ALL & ~(FB_OP_BIT (KERNEL) | FB_OP_BIT (BUFFER)), NAMED (x)), create_kernel, "schedule.py:205"),
  RULE ("append-to-kernel", "kernel(f(x, y)) -> kernel(x, y) unless f is a buffer, a kernel's or realized",
        OP (KERNEL, NAMED (x)), append_to_kernel, "schedule.py:214"),
};

const FbRuleSet *
fb_kernels_pass_rules (void)
{
  static FbRuleSet *set;

  if (g_once_init_enter (&set))
    {
      const FbRuleTable tables[] = { fb_merge_views_rules, FB_RULE_TABLE (rules) };
      g_once_init_leave (&set, fb_rule_set_new ("create_kernels", G_N_ELEMENTS (tables), tables));
    }
  return set;
}

/* Can a rule apply only to what the sink leads to once kernels have taken in their sources? All that is realized is reached
 * that way. The rest lies inside of kernels: there is no view left for a rule to merge, since the first pass ends where none
 * can be, and what a view shows keeps its shape when it becomes an ASSIGN. Unless, that is, the input has KERNELs of its own,
 * or ASSIGNs that are not realized. */
static gboolean
only_sink_matters (const FbNodeList *order, const FbUopDict *realizes)
{
  for (guint i = 0; i < order->n; i++)
    {
      const FbUop *uop = order->at[i];
      if (G_UNLIKELY (uop->op == FB_OP_KERNEL || (uop->op == FB_OP_ASSIGN && !fb_uop_dict_has (realizes, uop))))
        return FALSE;
    }
  return TRUE;
}

/* Counts the rules that are tried on what lies inside of kernels: on every node, and once more when what is below it becomes a
 * kernel. */
static void
count_tries_inside (FbContext *context, const FbNodeList *order, const FbNodeMap *map, guint32 *tries)
{
  /* the rules of views, in the order of their table, then create-kernel; the first fits no view of the input */
  enum
  {
    IDENTITY_VIEW = 1,
    VIEW_OF_CONST,
    CREATE_KERNEL
  };
  guint8 *changed = g_new0 (guint8, context->n_uops);

  for (guint i = 0; i < order->n; i++)
    {
      const FbUop *uop = order->at[i], *became = (const FbUop *) fb_node_map_get (map, uop);
      guint n = 1;

      if (became)
        {
          changed[uop->id] = became != uop;
          continue;
        }
      for (guint k = 0; k < uop->n_src; k++)
        changed[uop->id] |= changed[uop->src[k]->id];
      if (uop->op == FB_OP_BUFFER)
        continue;
      n += changed[uop->id];
      tries[CREATE_KERNEL] += n;
      if (uop->op != FB_OP_VIEW || uop->n_src != 1 || uop->src[0]->op == FB_OP_DEVICE)
        continue;
      tries[IDENTITY_VIEW] += n;
      if (fb_op_in (uop->src[0]->op, FB_OP_BIT (CONST) | FB_OP_BIT (DEFINE_VAR)))
        tries[VIEW_OF_CONST] += fb_node_map_get (map, uop->src[0]) ? 1 : n;
    }
  g_free (changed);
}

FbNodeMap *
fb_kernels_pass_run (FbContext *context, FbUopDict *realizes, FbUop *sink, FbPass *pass)
{
  const FbRuleSet *set = fb_kernels_pass_rules ();
  const FbNodeMap *marks = fb_uop_dict_marks (realizes);
  FbNodeList *order = fb_uop_order (context, sink), *all;
  FbNodeMap *map;

  /* where tries are measured they are all made */
  if (G_LIKELY (!pass->ticks && only_sink_matters (order, realizes)))
    {
      map = fb_rewrite_nodes (context, 1, &sink, set, realizes, marks, pass);
      if (map)
        count_tries_inside (context, order, map, pass->tries);
    }
  else
    {
      all = fb_node_list_acquire (context);
      for (guint i = order->n; i > 0; i--)
        fb_node_list_add (all, order->at[i - 1]);
      map = fb_rewrite_nodes (context, all->n, all->at, set, realizes, marks, pass);
      fb_node_list_release (context, all);
    }
  fb_node_list_release (context, order);
  return map;
}
