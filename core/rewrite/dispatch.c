#include "dispatch.h"

#include "core/ir/context-private.h"

static void
dispatch_free (gpointer data)
{
  FbDispatch *dispatch = data;

  if (!dispatch)
    return;
  g_free (dispatch->slots);
  g_ptr_array_unref (dispatch->lists);
  fb_arena_clear (&dispatch->arena);
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
      dispatch->shift = 26;
      dispatch->slots = g_new0 (FbDispatchSlot, 64);
      dispatch->lists = g_ptr_array_new ();
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
  const gsize size = (gsize) 1 << (32 - dispatch->shift);

  dispatch->shift--;
  dispatch->slots = g_new0 (FbDispatchSlot, 2 * size);
  for (gsize i = 0; i < size; i++)
    if (old[i].key_plus_1)
      dispatch->slots[fb_dispatch_slot (dispatch, old[i].key_plus_1)] = old[i];
}

/* The list of these, NULL at the end, which is of the arena then. */
static FbCandidates
keep (FbDispatch *dispatch, GPtrArray *entries)
{
  const gsize size = sizeof (gpointer) * entries->len;
  gpointer list;

  for (guint i = 0; i < dispatch->lists->len; i++)
    {
      FbCandidates known = dispatch->lists->pdata[i];
      guint n = 0;

      while (known[n] && known[n] == entries->pdata[n])
        n++;
      if (known[n] == entries->pdata[n])
        return known;
    }
  list = fb_arena_memdup (&dispatch->arena, entries->pdata, size);
  g_ptr_array_add (dispatch->lists, list);
  return list;
}

FbCandidates
fb_dispatch_add (FbDispatch *dispatch, guint32 key_plus_1, const FbUop *uop)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  const FbRuleSet *set = dispatch->set;
  FbDispatchSlot *slot;

  for (guint i = 0; i < set->n_rules; i++)
    if (may_match (&set->ops[i], uop))
      g_ptr_array_add (entries, &set->entries[i]);
  g_ptr_array_add (entries, NULL);
  if ((gsize) ++dispatch->n * 2 > (gsize) 1 << (32 - dispatch->shift))
    grow (dispatch);
  slot = &dispatch->slots[fb_dispatch_slot (dispatch, key_plus_1)];
  *slot = (FbDispatchSlot){ key_plus_1, keep (dispatch, entries) };
  return slot->candidates;
}
