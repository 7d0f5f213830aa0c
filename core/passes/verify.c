/* Is the kernel graph made only of what it may hold (spec.py:48-155 with kernel_spec, called at schedule.py:404)? */
#include "core/ir/context-private.h"
#include "core/ir/number.h"
#include "passes.h"

static gboolean
sources_are (const FbUop *uop, FbOpSet ops)
{
  for (guint i = 0; i < uop->n_src; i++)
    if (!fb_op_in (uop->src[i]->op, ops))
      return FALSE;
  return TRUE;
}

/* The type of a constant is that of its dtype (spec.py:63). */
static gboolean
const_fits (FbContext *context, const FbUop *uop)
{
  FbArg as = fb_num_as_const (context, uop->arg, uop->dtype);
  return !fb_context_failed (context)
         && (as.kind == uop->arg.kind
             || (fb_arg_is_integer (as) && as.kind != FB_ARG_BOOL && fb_arg_is_integer (uop->arg)
                 && uop->arg.kind != FB_ARG_BOOL));
}

static gboolean
unique_fits (const FbUop *unique)
{
  return unique->dtype == FB_DTYPE (VOID) && unique->n_src == 0;
}

static gboolean
device_fits (const FbUop *device)
{
  return device->dtype == FB_DTYPE (VOID) && device->n_src == 0 && device->arg.kind == FB_ARG_STR;
}

static gboolean
buffer_fits (const FbUop *buffer)
{
  return buffer->n_src == 2 && buffer->src[0]->op == FB_OP_DEVICE && buffer->src[1]->op == FB_OP_UNIQUE
         && buffer->arg.kind == FB_ARG_INT;
}

static gboolean
node_fits (FbContext *context, const FbUop *uop)
{
  switch (uop->op)
    {
    case FB_OP_UNIQUE:
      return unique_fits (uop);
    case FB_OP_DEVICE:
      return device_fits (uop);
    case FB_OP_BUFFER:
      return buffer_fits (uop);
    case FB_OP_KERNEL:
      return sources_are (uop, FB_OP_BIT (BUFFER) | FB_OP_BIT (ASSIGN));
    case FB_OP_ASSIGN:
      return sources_are (uop, FB_OP_BIT (BUFFER) | FB_OP_BIT (VIEW) | FB_OP_BIT (KERNEL) | FB_OP_BIT (ASSIGN));
    case FB_OP_VIEW:
      return uop->n_src != 1 || (uop->src[0]->op != FB_OP_STORE && uop->dtype->base == uop->src[0]->dtype->base);
    case FB_OP_SINK:
      return TRUE;
    case FB_OP_CONST:
      return const_fits (context, uop);
    default:
      return FALSE;
    }
}

gboolean
fb_kernel_graph_holds (const FbUop *buffer)
{
  return buffer_fits (buffer) && device_fits (buffer->src[0]) && unique_fits (buffer->src[1]);
}

gboolean
fb_verify_kernel_graph (FbContext *context, FbUop *sink)
{
  FbNodeList *order = fb_uop_order (context, sink);
  gboolean ok = TRUE;

  for (guint i = 0; i < order->n && ok; i++)
    {
      FbUop *uop = order->at[i];
      ok = node_fits (context, uop);
      if (!ok)
        fb_context_fail (context, FB_ERROR_VERIFY, uop,
                         "the kernel graph fails verification at node %u: %s of dtype %s with %u sources", i,
                         fb_op_name (uop->op), uop->dtype->repr, uop->n_src);
    }
  fb_node_list_release (context, order);
  return ok;
}
