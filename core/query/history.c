#include "history-private.h"

guint32
fb_history_find (const FbHistory *history, guint32 pass, const FbUop *uop)
{
  guint32 low = history->first_life[pass], high = history->first_life[pass + 1], end = high;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (fb_history_life (history, history->by_id[middle])->uop->id < uop->id)
        low = middle + 1;
      else
        high = middle;
    }
  /* ids are those of one context, and of its overlays beyond: the node itself is compared */
  if (low < end && fb_history_life (history, history->by_id[low])->uop == uop)
    return history->by_id[low];
  return FB_LIFE_NONE;
}

gboolean
fb_history_is_alive (const FbHistory *history, guint32 life, guint32 step)
{
  const FbLife *l = fb_history_life (history, life);
  for (guint i = 0; i < l->n_spans; i++)
    {
      const FbSpan *span = &g_array_index (history->spans, FbSpan, l->spans + i);
      if (step >= span->from && step < span->to)
        return TRUE;
    }
  return FALSE;
}

guint32
fb_history_at (const FbHistory *history, guint32 life, guint32 step)
{
  const FbLife *l = fb_history_life (history, life);
  while (l->next != FB_LIFE_NONE && l->turn <= step)
    {
      life = l->next;
      l = fb_history_life (history, life);
    }
  return fb_history_is_alive (history, life, step) ? life : FB_LIFE_NONE;
}

guint32
fb_history_came_from (const FbHistory *history, guint32 life)
{
  const FbLife *l = fb_history_life (history, life);
  guint32 best = FB_LIFE_NONE;
  if (l->first == 0 || !l->n_spans)
    return FB_LIFE_NONE;
  for (guint32 at = l->prev; at != FB_LIFE_NONE; at = fb_history_life (history, at)->other)
    {
      const FbLife *prev = fb_history_life (history, at);
      if (prev->turn != l->first || !prev->n_spans)
        continue;
      if (best == FB_LIFE_NONE || prev->fate == FB_FATE_REBUILT)
        best = at;
    }
  if (best == FB_LIFE_NONE && l->made_by)
    {
      const FbPass *pass = fb_schedule_pass (history->schedule, l->pass);
      best = fb_history_find (history, l->pass, fb_pass_match (pass, l->made_by - 1)->before);
      /* only what was there earlier: going back must end */
      if (best != FB_LIFE_NONE && fb_history_life (history, best)->first >= l->first)
        best = FB_LIFE_NONE;
    }
  return best;
}

/* Pass @other is not on the way from @pass to another: it ran within one, on a graph of its own, or has no lives. */
static gboolean
is_aside (const FbHistory *history, guint32 pass, guint32 other)
{
  return fb_schedule_pass (history->schedule, other)->depth > fb_schedule_pass (history->schedule, pass)->depth
         || history->first_life[other] == history->first_life[other + 1];
}

/* The pass after, or before, on the way to @to. */
static guint32
pass_towards (const FbHistory *history, guint32 pass, guint32 to)
{
  guint32 other = pass;
  do
    other += to > pass ? 1u : -1u;
  while (other != to && is_aside (history, pass, other));
  return other;
}

guint32
fb_history_pass_before (const FbHistory *history, guint32 pass)
{
  guint kernel = fb_schedule_pass (history->schedule, pass)->kernel;
  guint32 before = pass > 0 ? pass_towards (history, pass, 0) : G_MAXUINT32;
  return pass > 0 && fb_schedule_pass (history->schedule, before)->kernel == kernel ? before : G_MAXUINT32;
}

guint32
fb_history_pass_after (const FbHistory *history, guint32 pass)
{
  guint kernel = fb_schedule_pass (history->schedule, pass)->kernel;
  guint32 n = history->schedule->passes->len;
  guint32 after = pass + 1 < n ? pass_towards (history, pass, n - 1) : G_MAXUINT32;
  return pass + 1 < n && fb_schedule_pass (history->schedule, after)->kernel == kernel ? after : G_MAXUINT32;
}

guint32
fb_history_inherited_from (const FbHistory *history, guint32 life)
{
  const FbLife *l = fb_history_life (history, life);
  guint32 before = fb_history_pass_before (history, l->pass);
  guint n;
  if (l->first > 0)
    return FB_LIFE_NONE;
  if (before != G_MAXUINT32)
    return fb_history_find (history, before, l->uop);
  const FbKernelLink *links = fb_history_links (history, life, TRUE, &n);
  for (guint i = 0; i < n; i++)
    if (!links[i].reads && fb_history_life (history, links[i].from)->uop->op == l->uop->op)
      return links[i].from;
  /* parts of a buffer's view, which stood elsewhere in the graph */
  return fb_schedule_pass (history->schedule, l->pass)->kernel
             ? fb_history_find (history, history->kernels_pass, l->uop)
             : FB_LIFE_NONE;
}

guint32
fb_history_n_nodes (const FbHistory *history, guint32 pass, guint32 step)
{
  return history->n_nodes[history->first_step[pass] + step];
}

static guint32
end_of (const FbKernelLink *link, gboolean to)
{
  return to ? link->to : link->from;
}

const FbKernelLink *
fb_history_links (const FbHistory *history, guint32 life, gboolean to, guint *n)
{
  const GArray *links = to ? history->to : history->from;
  guint low = 0, high = links->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (end_of (&g_array_index (links, FbKernelLink, middle), to) < life)
        low = middle + 1;
      else
        high = middle;
    }
  for (*n = 0; low + *n < links->len && end_of (&g_array_index (links, FbKernelLink, low + *n), to) == life;)
    (*n)++;
  return *n ? &g_array_index (links, FbKernelLink, low) : NULL;
}

/* --- following a node --- */

static guint32
n_steps (const FbHistory *history, guint32 pass)
{
  return fb_schedule_pass (history->schedule, pass)->matches->len;
}

/* What it was in the input of its pass. */
static guint32
back_to_input (const FbHistory *history, guint32 life)
{
  while (life != FB_LIFE_NONE && fb_history_life (history, life)->first > 0)
    life = fb_history_came_from (history, life);
  return life;
}

/* The life in the input of pass @to, which is @life's or one after it on the same graph. */
static guint32
forward_to (const FbHistory *history, guint32 life, guint32 to)
{
  while (life != FB_LIFE_NONE && fb_history_life (history, life)->pass < to)
    {
      guint32 pass = fb_history_life (history, life)->pass;
      life = fb_history_at (history, life, n_steps (history, pass));
      if (life != FB_LIFE_NONE)
        life = fb_history_find (history, pass_towards (history, pass, to), fb_history_life (history, life)->uop);
    }
  return life;
}

/* A life of pass @to, which is @life's or one before it on the same graph. */
static guint32
back_to (const FbHistory *history, guint32 life, guint32 to)
{
  while (life != FB_LIFE_NONE && fb_history_life (history, life)->pass > to)
    {
      life = back_to_input (history, life);
      if (life != FB_LIFE_NONE)
        life = fb_history_find (history, pass_towards (history, fb_history_life (history, life)->pass, to),
                                fb_history_life (history, life)->uop);
    }
  return life;
}

/* From the graph that kernels are cut from to the first pass of @kernel, or, @to, back. */
static guint32
cross (const FbHistory *history, guint32 life, guint32 kernel, gboolean to)
{
  guint n = 0;
  const FbKernelLink *links = life == FB_LIFE_NONE ? NULL : fb_history_links (history, life, to, &n);
  for (guint i = 0; i < n; i++)
    if (links[i].kernel == kernel)
      return to ? links[i].from : links[i].to;
  return FB_LIFE_NONE;
}

/* An ASSIGN stands for its kernel; anything else is there as what it was when kernels were cut. */
static guint32
into_kernel (const FbHistory *history, guint32 life, guint32 kernel)
{
  guint32 there = cross (history, life, kernel, FALSE);
  return there == FB_LIFE_NONE ? cross (history, back_to_input (history, life), kernel, FALSE) : there;
}

guint32
fb_history_follow (const FbHistory *history, guint32 life, guint32 pass, guint32 step)
{
  const FbSchedule *schedule = history->schedule;
  guint32 from = fb_history_life (history, life)->pass;
  guint kernel = fb_schedule_pass (schedule, from)->kernel, to_kernel = fb_schedule_pass (schedule, pass)->kernel;
  if (kernel && kernel != to_kernel)
    {
      life = back_to (history, life, fb_schedule_kernel (schedule, kernel - 1)->first_pass);
      life = life == FB_LIFE_NONE ? life : back_to_input (history, life);
      life = cross (history, life, kernel, TRUE);
    }
  if (to_kernel && kernel != to_kernel)
    {
      if (life != FB_LIFE_NONE)
        life = forward_to (history, life, history->kernels_pass);
      if (life != FB_LIFE_NONE)
        life = into_kernel (history, life, to_kernel);
    }
  if (life != FB_LIFE_NONE)
    life = forward_to (history, back_to (history, life, pass), pass);
  while (life != FB_LIFE_NONE && fb_history_life (history, life)->first > step)
    life = fb_history_came_from (history, life);
  return life == FB_LIFE_NONE ? life : fb_history_at (history, life, step);
}

FbUop **
fb_history_nodes_at (const FbHistory *history, FbContext *context, guint32 pass, guint32 step)
{
  guint32 first = history->first_life[pass], n = history->first_life[pass + 1] - first;
  FbUop **nodes = g_new0 (FbUop *, n + 1);
  g_autoptr (GPtrArray) src = g_ptr_array_new ();
  for (guint32 i = 0; i < n; i++)
    {
      const FbLife *life = fb_history_life (history, first + i);
      if (!fb_history_is_alive (history, first + i, step))
        continue;
      if (step < life->end)
        {
          nodes[i] = life->uop;
          continue;
        }
      const guint32 *sources = fb_history_sources (history, life);
      g_ptr_array_set_size (src, 0);
      for (guint s = 0; s < life->uop->n_src; s++)
        {
          guint32 at = fb_history_at (history, sources[s], step);
          if (at != FB_LIFE_NONE && nodes[at - first])
            g_ptr_array_add (src, nodes[at - first]);
        }
      if (src->len == life->uop->n_src)
        nodes[i] = fb_uop_lookup (context, life->uop->op, life->uop->dtype, src->len, (FbUop *const *) src->pdata,
                                  life->uop->arg);
    }
  return nodes;
}
