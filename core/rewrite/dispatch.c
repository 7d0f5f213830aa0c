#include "dispatch.h"

#include "core/ir/context-private.h"

const FbRuleEntry *const fb_no_candidates = NULL;

static void
dispatch_free (gpointer data)
{
  FbDispatch *dispatch = data;

  if (!dispatch)
    return;
  g_free (dispatch->slots);
  g_free (dispatch->idle);
  g_free (dispatch->uncounted);
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
      dispatch->key_masks = set->key_masks;
      dispatch->shift = 26;
      dispatch->slots = g_new0 (FbDispatchSlot, 64);
      dispatch->uncounted = g_new0 (guint32, set->n_rules);
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

/* The slot of this key, or the empty one where it belongs. */
static FbDispatchSlot *
find_slot (const FbDispatch *dispatch, guint32 key_plus_1)
{
  guint32 i = fb_dispatch_slot (dispatch, key_plus_1);

  while (dispatch->slots[i].key_plus_1 && dispatch->slots[i].key_plus_1 != key_plus_1)
    i = (i + 1) & (G_MAXUINT32 >> dispatch->shift);
  return &dispatch->slots[i];
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
      *find_slot (dispatch, old[i].key_plus_1) = old[i];
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
fb_dispatch_search (FbDispatch *dispatch, guint32 key_plus_1, const FbUop *uop)
{
  FbDispatchSlot *slot = find_slot (dispatch, key_plus_1);
  g_autoptr (GPtrArray) entries = NULL;
  const FbRuleSet *set = dispatch->set;

  if (slot->key_plus_1)
    return slot->candidates;
  entries = g_ptr_array_new ();
  for (guint i = 0; i < set->n_rules; i++)
    if (may_match (&set->ops[i], uop))
      g_ptr_array_add (entries, &set->entries[i]);
  g_ptr_array_add (entries, NULL);
  /* mostly empty, so that a key is mostly where it is looked for first */
  if ((gsize) ++dispatch->n * 4 > (gsize) 1 << (32 - dispatch->shift))
    grow (dispatch);
  slot = find_slot (dispatch, key_plus_1);
  *slot = (FbDispatchSlot){ key_plus_1, keep (dispatch, entries) };
  return slot->candidates;
}
