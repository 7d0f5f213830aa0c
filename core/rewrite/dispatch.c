#include "dispatch.h"

#include "core/ir/context-private.h"

static void
dispatch_free (gpointer data)
{
  FbDispatch *dispatch = data;

  if (!dispatch)
    return;
  g_free (dispatch->slots);
  g_free (dispatch->lists);
  g_free (dispatch);
}

FbDispatch *
fb_dispatch_get (FbContext *context, const FbRuleSet *set)
{
  FbDispatch *dispatch;

  if (!context->dispatches)
    context->dispatches = g_ptr_array_new_with_free_func (dispatch_free);
  if (set->serial >= context->dispatches->len)
    g_ptr_array_set_size (context->dispatches, (gint) set->serial + 1);
  dispatch = g_ptr_array_index (context->dispatches, set->serial);
  if (!dispatch)
    {
      dispatch = g_new0 (FbDispatch, 1);
      dispatch->set = set;
      dispatch->mask = 63;
      dispatch->slots = g_new0 (FbDispatchSlot, 64);
      g_ptr_array_index (context->dispatches, set->serial) = dispatch;
    }
  return dispatch;
}

static gboolean
may_match (const FbRuleOps *rule, const FbUop *uop)
{
  FbOpSet sources = 0;

  if (!fb_op_in (uop->op, rule->ops) || (rule->dtypes && !fb_dtype_in (uop->dtype, rule->dtypes))
      || (rule->n_src != FB_ANY_NUMBER && rule->n_src != uop->n_src))
    return FALSE;
  for (guint i = 0; i < uop->n_src && i < 2; i++)
    {
      if (!fb_op_in (uop->src[i]->op, rule->src_ops[i]))
        return FALSE;
      sources |= (FbOpSet) 1 << uop->src[i]->op;
    }
  return uop->n_src > 2 || !(rule->early_reject & ~sources);
}

static void
grow (FbDispatch *dispatch)
{
  g_autofree FbDispatchSlot *old = dispatch->slots;
  guint32 old_mask = dispatch->mask;

  dispatch->mask = old_mask * 2 + 1;
  dispatch->slots = g_new0 (FbDispatchSlot, (gsize) dispatch->mask + 1);
  for (guint32 i = 0; i <= old_mask; i++)
    if (old[i].key_plus_1)
      dispatch->slots[fb_dispatch_slot (dispatch, old[i].key_plus_1)] = old[i];
}

static void
append (FbDispatch *dispatch, guint16 entry)
{
  if (dispatch->n_lists == dispatch->lists_allocated)
    {
      dispatch->lists_allocated = MAX (256, dispatch->lists_allocated * 2);
      dispatch->lists = g_renew (guint16, dispatch->lists, dispatch->lists_allocated);
    }
  dispatch->lists[dispatch->n_lists++] = entry;
}

FbDispatchSlot *
fb_dispatch_add (FbDispatch *dispatch, guint32 key_plus_1, const FbUop *uop)
{
  const FbRuleSet *set = dispatch->set;
  FbDispatchSlot slot = { key_plus_1, dispatch->n_lists, 0 };
  guint32 i;

  for (guint i = 0; i < set->n_rules; i++)
    if (may_match (&set->ops[i], uop))
      append (dispatch, (guint16) i);
  slot.n = dispatch->n_lists - slot.first;
  if (++dispatch->n * 2 > dispatch->mask)
    grow (dispatch);
  i = fb_dispatch_slot (dispatch, key_plus_1);
  dispatch->slots[i] = slot;
  return &dispatch->slots[i];
}
