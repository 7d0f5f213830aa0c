#include "dispatch.h"

#include "core/ir/context-private.h"

#include <string.h>

#define FIRST_ROOM 1024

const guint8 fb_no_candidates[] = { FB_NO_RULE };

static void
dispatch_free (gpointer data)
{
  FbDispatch *dispatch = data;

  if (!dispatch)
    return;
  g_free (dispatch->slots);
  g_free (dispatch->idle);
  g_free (dispatch->uncounted);
  g_free (dispatch->lists);
  g_slist_free_full (dispatch->outgrown, g_free);
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
      dispatch->source_class = set->source_class;
      dispatch->dtype_class = set->dtype_class;
      dispatch->shift = 26;
      dispatch->slots = g_new0 (FbDispatchSlot, 64);
      dispatch->uncounted = g_new0 (guint32, set->n_rules);
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

/* Where @list of @n bytes, its end included, is among the lists. */
static guint32
keep (FbDispatch *dispatch, const guint8 *list, guint n)
{
  guint32 at = 0;

  for (; at + n <= dispatch->n_lists; at++)
    if (!memcmp (dispatch->lists + at, list, n))
      return at;
  at = dispatch->n_lists;
  if (at + n > dispatch->room)
    {
      guint8 *lists = g_malloc (dispatch->room = 2 * dispatch->room + FIRST_ROOM);

      if (at)
        memcpy (lists, dispatch->lists, at);
      dispatch->outgrown = g_slist_prepend (dispatch->outgrown, dispatch->lists);
      dispatch->lists = lists;
    }
  memcpy (dispatch->lists + at, list, n);
  dispatch->n_lists += n;
  return at;
}

FbCandidates
fb_dispatch_search (FbDispatch *dispatch, guint32 key_plus_1, const FbUop *uop)
{
  FbDispatchSlot *slot = find_slot (dispatch, key_plus_1);
  const FbRuleSet *set = dispatch->set;
  guint8 list[FB_NO_RULE + 1];
  guint n = 0;

  if (slot->key_plus_1)
    return dispatch->lists + slot->list;
  for (guint i = 0; i < set->n_rules; i++)
    if (may_match (&set->ops[i], uop))
      list[n++] = (guint8) i;
  list[n++] = FB_NO_RULE;
  /* mostly empty, so that a key is mostly where it is looked for first */
  if ((gsize) ++dispatch->n * 4 > (gsize) 1 << (32 - dispatch->shift))
    grow (dispatch);
  slot = find_slot (dispatch, key_plus_1);
  *slot = (FbDispatchSlot){ key_plus_1, keep (dispatch, list, n) };
  return dispatch->lists + slot->list;
}
