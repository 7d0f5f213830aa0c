/* Pass 3: the graph broken into kernels (schedule.py:205-227, called at :402). Bottom-up: a realized node becomes
 * ASSIGN(VIEW(BUFFER), KERNEL), then the kernel swallows its sources level by level up to what is realized. */
#include "core/rewrite/pattern-macros.h"
#include "kernels.h"

#include <string.h>

FbUop *
fb_create_kernel (FbContext *context, FbUop *x, FbArg metadata)
{
  FbUop *buffer, *target, *kernel, *small[8], **src = small;
  const FbDims *shape;

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
  if (x->n_src >= G_N_ELEMENTS (small))
    src = g_new (FbUop *, x->n_src + 1);
  src[0] = buffer;
  memcpy (src + 1, x->src, sizeof *src * x->n_src);
  kernel = fb_uop_new (context, FB_OP_KERNEL, FB_DTYPE (VOID), x->n_src + 1, src,
                       fb_arg_new_kernel (context, x, metadata));
  if (src != small)
    g_free (src);
  target = fb_view (context, buffer, fb_st_from_shape (context, shape));
  return fb_uop_new (context, FB_OP_ASSIGN, target->dtype, 2, (FbUop *[]){ target, kernel }, FB_ARG_NIL);
}

static FbUop *
create_kernel (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;

  if (!fb_uop_dict_has (rw->user, m[FB_x]))
    return NULL;
  return fb_create_kernel (context, m[FB_x], fb_arg_new_tuple (context, 0, NULL));
}

static void
add_once (FbNodeList *sources, FbNodeMap *seen, FbUop *uop)
{
  if (fb_node_map_get (seen, uop))
    return;
  fb_node_map_set (seen, uop, 1);
  fb_node_list_add (sources, uop);
}

/* The sources of sources in their place; kernels-run.c does the same to many kernels. */
static FbUop *
append_to_kernel (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbNodeMap *seen = fb_node_map_acquire (context);
  FbNodeList *sources = fb_node_list_acquire (context);
  FbUop *x = m[FB_x], *result;

  for (guint i = 0; i < x->n_src; i++)
    {
      FbUop *s = x->src[i];
      if (fb_kernel_keeps (s, fb_uop_dict_marks (rw->user)))
        add_once (sources, seen, s);
      else
        for (guint j = 0; j < s->n_src; j++)
          add_once (sources, seen, s->src[j]);
    }
  result = fb_replace_src (context, x, sources->n, sources->at);
  fb_node_map_release (context, seen);
  fb_node_list_release (context, sources);
  return result == x ? NULL : result;
}

/* after the rules of views, in the order of FbKernelRule */
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
